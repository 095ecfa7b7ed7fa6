--- What is not measured: runs the steps of a walk once more, with the parameters that were measured, for the counts of
-- what their kernels do, and for their machine code; and answers questions about one step.
-- Parameters with one meaning everywhere: entry, of a document; tasks, those of all walkthroughs; tell, a function
-- that shows progress.
local catalogue = require "clue.run.catalogue"
local cause = require "clue.result.cause"
local counted = require "clue.run.counted"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local inspect = {}

-- A task is as for clue.run.replay; tell(text) shows progress.
local function how_to_count(task, tell)
  local config = task.config
  return {seconds = config.seconds, type = config.type, environment = config.environment, progress = tell}
end

local function how_to_compile(task)
  local config = task.config
  return {device = config.device or task.device, arguments = config.arguments, environment = config.environment,
          seconds = config.seconds}
end

--- Adds counts to the rows of a walkthrough, on all devices: they are those of a simulator.
-- @treturn ?string why nothing can be counted
function inspect.add_counts(entry, tasks, tell)
  for _, task in ipairs(tasks) do
    if task.walkthrough.name == entry.name then
      return counted.add(task.walkthrough, task.steps, entry.runs, how_to_count(task, tell))
    end
  end
end

-- The task's run in the entry, if it is of its walkthrough.
local function run_of(entry, task)
  local runs = task.walkthrough.name == entry.name and entry.runs or {}
  return lists.find(runs, function(run) return run.device == task.device end)
end

-- The steps of the greatest gains and those that they are over, unless they were counted.
local function wanted_steps(run, task)
  local steps = lists.by(task.steps, "number")
  local rows = lists.flat(cause.greatest(run.rows), function(row) return {row, row_of.base(run.rows, row)} end)
  return lists.distinct(lists.map(rows, function(row) return not row.counts and steps[row.number] or nil end))
end

--- Adds to the greatest gains of a run what was counted of them, if that takes little time beside the run.
-- @tparam number seconds the limit for each step; below two, nothing is counted
function inspect.add_causes(entry, tasks, seconds, tell)
  for _, task in ipairs(seconds >= 2 and tasks or {}) do
    local run = run_of(entry, task)
    local steps, how = run and wanted_steps(run, task) or {}, how_to_count(task, tell)
    how.seconds = seconds
    local counts = steps[1] and counted.steps(task.walkthrough, steps, how) or function() end
    for _, row in ipairs(run and cause.greatest(run.rows) or {}) do
      local base = row_of.base(run.rows, row)
      row.gain.cause = cause.of(counts(base) or base.counts, counts(row) or row.counts,
        (row.device or {}).kind)
    end
  end
end

--- Adds the machine code of the inner loops to the rows of a walkthrough, on each device its own.
function inspect.add_code(entry, tasks, tell)
  for _, task in ipairs(tasks) do
    local run = run_of(entry, task)
    if run then require("clue.run.machine_code").add(task.steps, run, how_to_compile(task), tell) end
  end
end

-- The counts of a row of a task's last step, see @{clue.run.counted}; nil if there are none.
local function counts_of_last(row, task)
  local counts = counted.steps(task.walkthrough, {task.steps[#task.steps]}, how_to_count(task))
  return counts and counts(row)
end

-- ---- one step: --explain, --diff and --source ----

--- The step in question, after the one that it is compared with.
-- @tparam table walkthrough of the catalogue
-- @tparam number|string number
-- @tparam string kind of the device
-- @treturn ?{table,...} one or two steps; nil if there is none of this number
function inspect.steps(walkthrough, number, kind)
  local above = {} -- by number
  for i, step in ipairs(walkthrough.steps) do
    if step.number == number then
      local before = above[catalogue.base(step, kind)] or walkthrough.steps[i - 1]
      return before and {before, step} or {step}
    end
    above[step.number] = step
  end
end

--- Adds to the row of the step in question its machine code, and what its warps ask for.
-- @tparam table row
-- @tparam table task with the steps, of which it is the last, see @{clue.run.replay}
-- @tparam table line of @{clue.run.replay.progress}
function inspect.add_to_row(row, task, line)
  line.say "counting what its warps ask for"
  row.counts = row.device and counts_of_last(row, task)
  if row.programs and row.programs[1] then
    line.say "compiling for the machine code"
    row.code = require("clue.run.machine_code").of(task.steps[#task.steps], row, how_to_compile(task))
  end
  line.clear()
end

return inspect
