--- Shows the progress and the result of a run of `clue tune`.
-- @module clue.tune.view
local counted = require("clue.text").count
local duration = require("clue.text").duration
local output = require "clue.output"
local tables = require "clue.table"

local view = {}

-- ---- configurations ----

local function shown(value)
  return type(value) == "number" and ("%.14g"):format(value) or tostring(value)
end

--- A configuration in words; parameters that have one value only are left out.
-- @tparam Space space
-- @tparam table p configuration
-- @treturn string "BLOCK=16 TILE=4"
function view.configuration(space, p)
  local words = {}
  for i, name in ipairs(space.names) do
    if #space.values[i] > 1 then words[#words + 1] = ("%s=%s"):format(name, shown(p[name])) end
  end
  return table.concat(words, " ")
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

local words_of = {compile = "by the compiler", runtime = "by the device", correctness = "with wrong results",
                  timeout = "in time"}

local function metric_names(list)
  local names = {}
  for name in pairs(list[1].metrics) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function interval(low, high, format)
  return low and ("%s to %s"):format(format(low), format(high)) or ""
end

local function print_best(space, final)
  local names, columns = metric_names(final), {{title = "time", right = true}, {title = "95 %"},
    {title = "times\nthe best's", right = true}, {title = "95 %"}}
  for _, name in ipairs(names) do columns[#columns + 1] = {title = name, right = true} end
  columns[#columns + 1] = {title = "configuration"}
  local rows = {}
  local function ratio(value) return ("%.3f"):format(value) end
  for i, each in ipairs(final) do
    local row = {duration(each.seconds), interval(each.low, each.high, duration),
                 i > 1 and ratio(each.against.ratio) or "",
                 i > 1 and interval(each.against.interval[1], each.against.interval[2], ratio) or ""}
    for _, name in ipairs(names) do row[#row + 1] = ("%.4g"):format(each.metrics[name]) end
    row[#row + 1] = view.configuration(space, each.result.p)
    rows[i] = row
  end
  output.print_lines(tables.lines(columns, rows))
end

-- One line for each reason, with the first configuration that has it.
local function print_failures(space, results)
  local groups, order = {}, {}
  for _, result in ipairs(results) do
    if result.failed then
      local key = result.failed .. result.text:gsub("%d+", "#")
      if not groups[key] then
        groups[key] = {first = result, count = 0}
        order[#order + 1] = key
      end
      groups[key].count = groups[key].count + 1
    end
  end
  for _, key in ipairs(order) do
    local group = groups[key]
    local first = group.first
    output.print(("failed: %d %s: %s"):format(group.count, words_of[first.failed], first.text:match "[^\n]*"))
    output.print(("        %s%s"):format(group.count > 1 and "such as " or "", view.configuration(space, first.p)))
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
  print_failures(run.space, run.results)
  if run.final[1] then
    output.print ""
    output.print "the best, measured again by turns:"
    print_best(run.space, run.final)
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
