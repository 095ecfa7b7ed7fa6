--- `clue tune` in the terminal and as a page: during a run, after it, and from its file.
local charts = require "clue.show.tune.charts"
local duration = require("clue.text").duration
local output = require "clue.output"
local page = require "clue.show.page"
local refuse = require("clue.shared.subcommand").refuser "tune"
local text = require "clue.show.text"
local tuning = require "clue.result.tuning"
local view = require "clue.show.tune.view"

local tune = {}

--- Prints blocks, in 80 columns where there is no terminal.
-- @tparam table blocks
function tune.print(blocks)
  text.print(blocks, {columns = 80})
end

--- Shows how far a run is.
-- @tparam Runner run
-- @tparam Space space
-- @tparam ?int evaluations the budget
-- @tparam ?number seconds the budget
function tune.progress(run, space, evaluations, seconds)
  local parts = {("%d of %d"):format(#run.results, math.min(evaluations or space.count, space.count))}
  parts[2] = seconds and ("%.0f of %.0f s"):format(run:elapsed(), seconds) or ("%.0f s"):format(run:elapsed())
  local best = run.best
  parts[3] = best and ("best %s: %s"):format(duration(best.seconds), view.configuration(space, best.p))
    or "none works so far"
  output.progress(table.concat(parts, ", "))
end

--- Prints what a run found, after its charts if the output is a terminal or they are asked for: a terminal shows the
-- best at the end.
-- @tparam table document of @{clue.tune.outcome}
-- @tparam table options charts
-- @tparam table result for @{clue.show.tune.view.result}
function tune.after(document, options, result)
  local run = assert(tuning.of(document))
  if options.charts or output.out:width() then tune.print(charts.blocks(run)) end
  tune.print(view.result(result, run))
end

local function write_page(run, document, path, how)
  local why = page.save(path, view.page(run, document, how and how.map), how and how.option or "--report", refuse)
  if why then error(why, 0) end
end

--- Writes the page of a run if it is asked for. Raises if that fails.
-- @tparam table document of @{clue.tune.outcome}
-- @tparam table options report: the path
function tune.write(document, options)
  if options.report then write_page(assert(tuning.of(document)), document, options.report) end
end

--- Shows stored results, for `clue tune --show` and `clue show`.
-- @tparam table options show: the path; objective, map, report; option: the name of that ("--report"); instead: whether
--   nothing is printed
-- @treturn number exit status
function tune.show(options)
  local run, document = tuning.read(options.show, options.objective)
  if not run then error(document, 0) end
  if not options.instead then tune.print(view.stored(run, options.show, options.map)) end
  if options.report then write_page(run, document, options.report, options) end
  return run.best and 0 or 1
end

return tune
