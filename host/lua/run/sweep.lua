--- Runs a sweep: every step at every point, each in a child process; two sets of compiler options by turns.
--
-- Steps are not compared with each other by turns, as in an ordinary walk: that would take as long again at every
-- point.
local list = require("clue.shared.json").list
local map = require("clue.shared.list").map
local plan = require "clue.run.plan"
local point = require "clue.result.point"
local replay = require "clue.run.replay"
local resume = require "clue.run.resume"
local runner = require "clue.run.runner"

local run = {}

local letters = {"A", "B"}

-- ---- where results go ----

-- The run of a point, made when its first row is there.
local function run_of(entry, device, at)
  local key = point.key(at)
  for _, each in ipairs(entry.runs) do
    if each.device == device and point.key(each.point) == key then return each end
  end
  local made = {device = device, point = at, rows = list {}}
  entry.runs[#entry.runs + 1] = made
  return made
end

-- The points of a unit: one, or one for each set of options.
local function points_of(unit, task)
  if #task.axes.sides < 2 then return {unit.point} end
  return map(task.axes.sides, function(options, i)
    return {size = unit.point.size, set = unit.point.set, options = options, side = letters[i]}
  end)
end

-- The rows of an earlier document for all points of a unit; nil if one is missing.
local function earlier_rows(unit, task)
  local rows = {}
  for i, at in ipairs(points_of(unit, task)) do
    rows[i] = resume.rows(task.earlier, task.walkthrough, task.device, at)[unit.step.number]
    if not rows[i] then return nil end
  end
  return rows
end

-- ---- measuring ----

-- The settings of the runner at a point. A gain is over the other list of compiler options.
local function config_for(task, at, over)
  return setmetatable({arguments = task.arguments(at.size), environment = task.environment(at.options), over = over},
    {__index = task.config})
end

-- The rows of a step at the points of its unit. Those measured first stay alive until they took turns with the last.
local function measure(unit, points, task, progress, add)
  local sessions = {}
  for i, at in ipairs(points) do
    local config = config_for(task, at, letters[i - 1])
    sessions[i] = runner.start(unit.step, config)
    add(at, sessions[i]:measure(progress))
    local before = sessions[i - 1]
    if before then replay.compare(before, sessions[i], {before.row, sessions[i].row}, config, progress) end
  end
  for _, session in ipairs(sessions) do session:finish() end
end

-- What the progress line calls a unit.
local function called(unit)
  local label = point.label(unit.point)
  return {name = unit.step.name .. (label ~= "" and ", " .. label or "")}
end

local function run_task(task, entry, hooks, note_device)
  for _, unit in ipairs(task.units) do
    local points, earlier = points_of(unit, task), earlier_rows(unit, task)
    local function add(at, row)
      local its_run = run_of(entry, task.device, at)
      its_run.rows[#its_run.rows + 1] = row
      note_device(its_run)
      hooks.changed()
    end
    if earlier then
      for i, at in ipairs(points) do add(at, earlier[i]) end
    else
      measure(unit, points, task, hooks.step(called(unit)), add)
      hooks.done()
    end
    hooks.changed()
  end
end

--- Runs the tasks, see @{clue.run.replay.run}.
-- @tparam {table,...} tasks one for each walkthrough and device, those of a walkthrough in a row: walkthrough, device,
--   axes, chosen and units (of @{clue.run.plan}), earlier (a document or nil), config, arguments(size),
--   environment(options)
-- @tparam table doc the document for the results
-- @tparam table hooks as for @{clue.run.replay.run}
function run.all(tasks, doc, hooks)
  local hosts = runner.hosts()
  replay.each_task(tasks, doc, hooks, function(task, entry)
    task.config.hosts, entry.sweep = hosts, entry.sweep or plan.described(task.axes, task.chosen)
    run_task(task, entry, hooks, function(its_run) replay.note_device(doc.devices, its_run) end)
  end)
end

--- The tasks as @{clue.run.replay.progress} counts them: those of which an earlier document has all rows are done.
-- @tparam {table,...} tasks
-- @treturn {table,...}
function run.for_progress(tasks)
  return map(tasks, function(task)
    return {steps = map(task.units, function(unit) return not earlier_rows(unit, task) and unit.step or nil end)}
  end)
end

return run
