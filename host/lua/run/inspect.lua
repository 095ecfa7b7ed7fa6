--- What is not measured: runs the steps of a walk once more, with the parameters that were measured, for the counts of
-- what their kernels do, and for their machine code.
-- @module clue.run.inspect
local counted = require "clue.run.counted"
local machine_code = require "clue.run.machine_code"

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
-- @tparam table entry of a document
-- @tparam {table,...} tasks of all walkthroughs
-- @tparam function tell tell(text) shows progress
-- @treturn ?string why nothing can be counted
function inspect.add_counts(entry, tasks, tell)
  for _, task in ipairs(tasks) do
    if task.walkthrough.name == entry.name then
      return counted.add(task.walkthrough, task.steps, entry.runs, how_to_count(task, tell))
    end
  end
end

--- Adds the machine code of the inner loops to the rows of a walkthrough, on each device its own.
-- @tparam table entry of a document
-- @tparam {table,...} tasks of all walkthroughs
-- @tparam function tell tell(text) shows progress
function inspect.add_code(entry, tasks, tell)
  for _, task in ipairs(tasks) do
    local run = task.walkthrough.name == entry.name and machine_code.run_of(entry.runs, task.device)
    if run then machine_code.add(task.steps, run, how_to_compile(task), tell) end
  end
end

--- The counts of a task's last step.
-- @tparam table task
-- @treturn ?table see @{clue.run.counted}
function inspect.counts_of_last(task)
  local step = task.steps[#task.steps]
  local counts = counted.steps(task.walkthrough, {step}, how_to_count(task))
  return counts and counts[step.number]
end

--- The machine code of a task's last step.
-- @tparam table task
-- @tparam table row its result
-- @treturn table see @{clue.run.machine_code}
function inspect.code_of_last(task, row)
  return machine_code.of(task.steps[#task.steps], row, how_to_compile(task))
end

return inspect
