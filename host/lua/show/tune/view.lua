--- Shows the progress and the result of a run of `clue tune`.
-- @module clue.show.tune.view
local counted = require("clue.text").count
local duration = require("clue.text").duration
local failures = require "clue.show.tune.failures"
local output = require "clue.output"
local tables = require "clue.table"

local view = {}

-- ---- configurations ----

local function shown(value)
  return type(value) == "number" and ("%.14g"):format(value) or tostring(value)
end

--- A configuration in words; parameters that have one value only are left out, unless all of them have.
-- @tparam Space space
-- @tparam table p configuration
-- @tparam[opt] function takes takes(name): whether to show a parameter; nil: all
-- @treturn string "BLOCK=16 TILE=4"
function view.configuration(space, p, takes)
  local words = {}
  for i, name in ipairs(space.names) do
    if (#space.values[i] > 1 or space.count == 1) and (not takes or takes(name)) then
      words[#words + 1] = ("%s=%s"):format(name, shown(p[name]))
    end
  end
  return table.concat(words, " ")
end

local narrow = 60 -- characters; longer configurations are shown in two parts

-- The parameters that are the same in all of some results; none if the configurations are short.
local function common_of(space, final)
  local first, common = final[1].result.p, {}
  if #final == 1 or #view.configuration(space, first) <= narrow then return common end
  for name, value in pairs(first) do
    common[name] = true
    for _, each in ipairs(final) do common[name] = common[name] and each.result.p[name] == value end
  end
  return common
end

-- ---- progress ----

--- Shows how far the run is.
-- @tparam Runner run
-- @tparam Space space
-- @tparam ?int evaluations the budget
-- @tparam ?number seconds the budget
function view.progress(run, space, evaluations, seconds)
  local parts = {("%d of %d"):format(#run.results, math.min(evaluations or space.count, space.count))}
  parts[2] = seconds and ("%.0f of %.0f s"):format(run:elapsed(), seconds) or ("%.0f s"):format(run:elapsed())
  local best = run.best
  parts[3] = best and ("best %s: %s"):format(duration(best.seconds), view.configuration(space, best.p))
    or "none works so far"
  output.progress(table.concat(parts, ", "))
end

-- ---- the result ----

local function metric_names(list)
  local names = {}
  for name in pairs(list[1].metrics) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function interval(low, high, format)
  return low and ("%s to %s"):format(format(low), format(high)) or ""
end

--- What the ratios of the best configurations are.
-- @tparam ?string objective a metric, of which more is better; nil or "time": the time
-- @tparam string between the lines of the title
-- @treturn string
function view.ratio_title(objective, between)
  if not objective or objective == "time" then return "times" .. between .. "the best's" end
  return "the best's" .. between .. objective .. " / this"
end

--- Prints the table of the best configurations.
-- @tparam Space space
-- @tparam {table,...} final of @{clue.tune.runner}
-- @tparam ?string objective a metric; nil or "time": the time
function view.best(space, final, objective)
  local names, columns = metric_names(final), {{title = "time", right = true}, {title = "95 %"},
    {title = view.ratio_title(objective, "\n"), right = true}, {title = "95 %"}}
  for _, name in ipairs(names) do columns[#columns + 1] = {title = name, right = true} end
  columns[#columns + 1] = {title = "configuration"}
  local rows, common = {}, common_of(space, final)
  local function ratio(value) return ("%.3f"):format(value) end
  for i, each in ipairs(final) do
    local row = {duration(each.seconds), interval(each.low, each.high, duration),
                 i > 1 and ratio(each.against.ratio) or "",
                 i > 1 and interval(each.against.interval[1], each.against.interval[2], ratio) or ""}
    for _, name in ipairs(names) do row[#row + 1] = ("%.4g"):format(each.metrics[name]) end
    row[#row + 1] = view.configuration(space, each.result.p, function(name) return not common[name] end)
    rows[i] = row
  end
  output.print_lines(tables.lines(columns, rows))
  if next(common) then
    local shared = view.configuration(space, final[1].result.p, function(name) return common[name] end)
    output.print("all of them: " .. shared)
  end
end

--- Prints one line for each reason why configurations failed, with the first configuration that has it.
-- @tparam Space space
-- @tparam {table,...} results
function view.failures(space, results)
  for _, group in ipairs(failures.groups(results)) do
    local first = group[1]
    local why = (first.text or ""):match "[^\n]*"
    output.print(("failed: %d %s%s"):format(#group, failures.words(first.failed), why ~= "" and ": " .. why or ""))
    output.print(("        %s%s"):format(#group > 1 and "such as " or "", view.configuration(space, first.p)))
  end
end

local function summary(run)
  local failed, lost = 0, 0
  for _, result in ipairs(run.results) do
    failed = failed + (result.failed and 1 or 0)
    lost = lost + (result.lost and 1 or 0)
  end
  return ("%s on device %s: %d of %s in %.1f s; %d failed, %d stopped early"):format(run.script.name, run.device.text,
    #run.results, counted(run.space.count, "configuration"), run.elapsed, failed, lost)
end

--- Prints the result.
-- @tparam table run script, device, space, results, final (may be empty), best, elapsed, path, kept, interrupted;
--   reached: the share of the peak at which the run ended, nil if it did not end for that
function view.show(run)
  output.print(summary(run))
  if run.reached then output.print(("stopped at %.0f %% of the device's peak"):format(run.reached * 100)) end
  view.failures(run.space, run.results)
  if run.final[1] then
    output.print ""
    output.print "the best, measured again by turns:"
    view.best(run.space, run.final, run.script.of.objective)
  elseif run.best then
    output.print(("the best so far: %s, %s"):format(duration(run.best.seconds),
      view.configuration(run.space, run.best.p)))
  else
    output.print "no configuration works"
  end
  output.print ""
  output.print("results: " .. run.path .. (run.interrupted and "; `--resume` goes on with them" or ""))
  if run.kept then output.print(("parameters: %s; cl.tuned %q gives them"):format(run.kept, run.script.name)) end
end

return view
