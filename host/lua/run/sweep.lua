--- Runs a sweep: every step at every point, each in a child process; two sets of compiler options by turns.
--
-- Steps are not compared with each other by turns, as in an ordinary walk: that would take as long again at every
-- point.
local known_hosts = require "clue.walk.known_hosts"
local list = require("clue.shared.json").list
local map = require("clue.shared.list").map
local plan = require "clue.run.plan"
local point = require "clue.result.point"
local replay = require "clue.run.replay"
local resume = require "clue.run.resume"
local runner = require "clue.run.runner"
local stable = require "clue.walk.stable"

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

local function config_for(task, step, at)
  local arguments, settings = task.arguments(at.size), {}
  for _, setting in ipairs(task.environment(at.options) or {}) do settings[#settings + 1] = setting end
  settings[#settings + 1] = task.hosts:setting(step, arguments)
  return setmetatable({arguments = arguments, environment = settings}, {__index = task.config})
end

-- Compares a step with itself with other options, and measures both again if --until-stable asks for it.
local function compare(before, session, over, task, progress)
  local rows = {before.row, session.row}
  local function compare_now()
    replay.compare(before, before.row, session.row, session, task.config, progress)
    if session.row.gain then session.row.gain.over = over end
  end
  compare_now()
  if task.config.stable then stable.settle(before, session, rows, compare_now, progress) end
end

-- The rows of a step at the points of its unit. Those measured first stay alive until they took turns with the last.
local function measure(unit, points, task, progress, add)
  local sessions = {}
  for i, at in ipairs(points) do
    local config = config_for(task, unit.step, at)
    sessions[i] = runner.start(unit.step, config)
    local row = sessions[i]:measure(progress)
    task.hosts:keep(unit.step, config.arguments, row)
    add(at, row)
    if i > 1 then compare(sessions[i - 1], sessions[i], letters[i - 1], task, progress) end
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
  local hosts = known_hosts.new()
  replay.each_task(tasks, doc, hooks, function(task, entry)
    task.hosts, entry.sweep = hosts, entry.sweep or plan.described(task.axes, task.chosen)
    run_task(task, entry, hooks, function(its_run) replay.note_device(doc.devices, its_run) end)
  end)
end

--- The tasks as @{clue.run.progress} counts them: those of which an earlier document has all rows are done.
-- @tparam {table,...} tasks
-- @treturn {table,...}
function run.for_progress(tasks)
  local counted = {}
  for i, task in ipairs(tasks) do
    local steps = map(task.units, function(unit) return not earlier_rows(unit, task) and unit.step or nil end)
    counted[i] = {steps = steps}
  end
  return counted
end

return run
