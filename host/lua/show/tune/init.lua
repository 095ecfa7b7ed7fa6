--- The charts of `clue tune`: in the terminal and as a page, after a run and for stored results.
-- @module clue.show.tune
local counted = require("clue.text").count
local output = require "clue.output"
local page = require "clue.show.tune.page"
local refuse = require("clue.shared.subcommand").refuser "tune"
local stored = require "clue.result.tuning"
local tables = require "clue.table"
local text = require "clue.show.tune.text"
local values = require "clue.show.tune.values"
local view = require "clue.show.tune.view"

local chart = {}

local columns, widest = 80, 100 -- where there is no terminal; at most
local most_rows = 5

local function lines_of(run, named)
  return text.lines(run, math.min(output.out:columns(columns), widest), named)
end

local function write_page(run, document, path, named)
  local why = page.write(run, document, path, named)
  if why then refuse("--report: written without charts: " .. why) end
end

-- ---- after a run ----

--- Prints the charts of a run if its output is a terminal or they are asked for.
-- @tparam table document of @{clue.tune.outcome}
-- @tparam table options charts
function chart.print(document, options)
  if not (options.charts or output.out:width()) then return end
  local lines = lines_of(assert(stored.of(document)))
  output.print_lines(lines)
  if lines[1] then output.print "" end
end

--- Writes the page of a run if it is asked for. Raises if that fails.
-- @tparam table document of @{clue.tune.outcome}
-- @tparam table options report: the path
function chart.report(document, options)
  if options.report then write_page(assert(stored.of(document)), document, options.report) end
end

-- ---- stored results ----

local function print_search(run)
  local rows = {}
  for i, result in ipairs(stored.ranked(run, most_rows)) do
    rows[i] = {values.text(run, result.value), ("%.0f %%"):format(values.fraction(run, result.value) * 100),
               view.configuration(run, result.p)}
  end
  output.print_lines(tables.lines({{title = run.objective, right = true}, {title = "of the best", right = true},
                                   {title = "configuration"}}, rows))
end

local function print_results(run, path)
  local failed = 0
  for _, result in ipairs(run.results) do failed = failed + (result.failed and 1 or 0) end
  output.print(("%s: %s%s: %s, %d failed"):format(path, run.name or "a kernel", run.device and " on " .. run.device
    or "", counted(#run.results, "configuration"), failed))
  view.failures(run, run.results)
  if not run.best then return output.print "no configuration works" end
  output.print ""
  output.print(run.final[1] and "the best, measured again by turns:" or "the best:")
  if run.final[1] then view.best(run, run.final, run.objective) else print_search(run) end
end

--- Shows stored results, for `clue tune --show`.
-- @tparam table options show: the path; objective, map, report
-- @treturn number exit status
function chart.show(options)
  local run, document = stored.read(options.show, options.objective)
  if not run then error(document, 0) end
  print_results(run, options.show)
  local lines = lines_of(run, options.map)
  if lines[1] then output.print "" end
  output.print_lines(lines)
  if options.report then write_page(run, document, options.report, options.map) end
  return run.best and 0 or 1
end

return chart
