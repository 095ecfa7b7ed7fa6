--- Replays walkthroughs on devices: step by step, each compared in alternating runs with the one before, or with the
-- one that it builds on.
-- Parameters with one meaning everywhere: row, of a step; doc, the document for the results.
local binding = require "clue.binding"
local catalogue = require "clue.run.catalogue"
local document = require "clue.result.document"
local list = require("clue.shared.json").list
local lists = require "clue.shared.list"
local output = require "clue.output"
local row_of = require "clue.result.row"
local runner = require "clue.run.runner"
local statistics = require "clue.result.statistics"

local replay = {}

-- Two steps alternate until they ran so many times, or so many seconds have passed; at least as many times as an
-- interval of the gain needs, unless that takes far longer. Where they are so short that they ran as often in a moment,
-- they go on for that long, unless the gain is certain: other work disturbs many runs at once.
replay.most_pairs, replay.least_pairs, replay.pair_seconds, replay.longest_seconds = 9, 6, 1.5, 20
replay.moment = 0.5

-- How often two steps are measured again, for --until-stable.
replay.attempts = 3

local function is_enough(earlier, later, started, how)
  local passed, pairs_done = binding.now() - started, #earlier
  if how.repeats then return pairs_done >= how.repeats end
  if how.stable or pairs_done >= replay.most_pairs and passed < replay.moment then
    return statistics.are_stable(statistics.quotients(earlier, later), passed)
  end
  if pairs_done >= replay.most_pairs or passed > replay.longest_seconds then return true end
  return pairs_done >= replay.least_pairs and passed > replay.pair_seconds
end

-- The seconds of two steps in alternating runs, in changing order; nothing if one of them cannot run. The first turn,
-- when caches are full of the other's data, is not counted.
local function take_turns(before, now, how, progress)
  local earlier, later, started, part = {}, {}, nil, row_of.common_part(before.row, now.row)
  repeat
    progress("by turns with step " .. tostring(before.row.number))
    local order = #earlier % 2 == 0 and {before, now} or {now, before}
    local first = order[1]:once_more()
    local second = first and order[2]:once_more()
    if not second then break end
    if started then
      earlier[#earlier + 1] = (order[1] == before and first or second)[part]
      later[#later + 1] = (order[1] == before and second or first)[part]
    end
    started = started or binding.now()
  until is_enough(earlier, later, started, how)
  return earlier, later
end

-- Sets the gain of a row over an earlier one, by turns if both can still run, and often enough for an interval.
local function set_gain(before, now, how, progress)
  local row = now.row
  local extrapolated = before.row.times.extrapolated or row.times.extrapolated
  local takes_turns = not how.repeats or how.repeats >= replay.least_pairs
  local earlier, later
  if before.ready and now.ready and not extrapolated and takes_turns then
    earlier, later = take_turns(before, now, how, progress)
  end
  row.gain = row_of.gain(before.row, row, earlier, later)
  if not row.gain then return end
  row.gain.extrapolated = extrapolated or nil
  row.gain.over = how.over or row.gain.over
end

-- Replaces a row's times by those of new runs. Keeps the old ones if the step cannot run again.
local function measure_again(session, progress)
  local times, fresh, started = session.row.times, {}, binding.now()
  local part = row_of.judged(session.row)
  repeat
    progress(("measuring step %s again"):format(tostring(session.row.number)))
    local once = session:once_more()
    if not once then return end
    for name, seconds in pairs(once) do
      if times[name] and type(seconds) == "number" then
        fresh[name] = fresh[name] or {}
        table.insert(fresh[name], seconds)
      end
    end
  until statistics.are_stable(fresh[part], binding.now() - started)
  for name, seconds in pairs(fresh) do times[name] = seconds end
  times.runs = #fresh[part]
end

--- Measures two steps again until the gain of one over the other agrees with the medians of both.
-- @tparam table before session, or a table with row
-- @tparam table now session
-- @tparam {table,...} rows all of the run
-- @tparam function compare sets the gain of the second, from runs in turn
-- @tparam function progress takes a text
function replay.settle(before, now, rows, compare, progress)
  for _ = 1, replay.attempts do
    local gain = now.row.gain
    if not (gain and gain.disturbed and before.ready and now.ready) then return end
    measure_again(before, progress)
    measure_again(now, progress)
    compare()
    row_of.judge_gain(rows, before.row)
  end
end

--- Compares a measured step with an earlier one, and sets its row's gain.
-- @tparam ?table before session, or a table with row
-- @tparam table now session
-- @tparam {table,...} rows of the run so far: the step's own is the last
-- @tparam table how repeats: the exact number of pairs of runs; stable: as many as make the gain certain; over: what
--   the gain calls the earlier row, if not by its number
-- @tparam function progress takes a text
function replay.compare(before, now, rows, how, progress)
  if not (before and row_of.comparable(before.row, now.row)) then return end
  local function compare_now() set_gain(before, now, how, progress) end
  compare_now()
  if how.stable then replay.settle(before, now, rows, compare_now, progress) end
end

-- Whether one of the steps from a place on is compared with a step.
local function is_base(number, task, from)
  for i = from, #task.steps do
    if catalogue.base(task.steps[i], task.kind) == number then return true end
  end
  return false
end

-- The measured steps that others will be compared with: each has its row, and is a session if it can run again.
local Kept = {}
Kept.__index = Kept

local function new_kept(task)
  return setmetatable({task = task, steps = {}}, Kept)
end

--- The step to compare a row with: the one that it names, else the last verified one.
-- @treturn ?table session, or a table with row
function Kept:base_of(row)
  local named = row.over and self.steps[row.over]
  if named and row_of.comparable(named.row, row) then return named end
  return self.last and self.steps[self.last]
end

--- Adds a step that was measured. Steps that no later one will be compared with end.
-- @tparam int place of the step
-- @tparam table session of the step, or a table with row
function Kept:add(place, session)
  local number = self.task.steps[place].number
  self.steps[number] = session
  if row_of.counts(session.row) then self.last = number end
  self:end_others(place + 1)
end

--- Lets the steps end that none from a place on will be compared with.
-- @tparam int from place
function Kept:end_others(from)
  for number, session in pairs(self.steps) do
    if number ~= self.last and not (row_of.counts(session.row) and is_base(number, self.task, from)) then
      if session.finish then session:finish() end
      self.steps[number] = nil
    end
  end
end

--- Lets all steps end.
function Kept:end_all()
  self.last = nil
  self:end_others(#self.task.steps + 1)
end

-- Measures a step, and compares it. Returns its session.
local function run_step(run, step, task, kept, hooks)
  local progress = hooks.step(step)
  local session = runner.start(step, task.config)
  local row = session:measure(progress)
  row.over = catalogue.base(step, task.kind)
  if row.expected then row.expected.over = catalogue.changes(step, task.kind) end
  run.rows[#run.rows + 1] = row
  hooks.changed()
  replay.compare(kept:base_of(row), session, run.rows, task.config, progress)
  return session
end

-- Runs one walkthrough on one device. `run.rows` grows as steps end; changed() is called after each change.
local function run_steps(run, task, hooks)
  local kept = new_kept(task)
  for place, step in ipairs(task.steps) do
    local row = task.earlier[step.number]
    if row then
      run.rows[#run.rows + 1] = row
      kept:add(place, {row = row})
    else
      local session = run_step(run, step, task, kept, hooks)
      kept:add(place, session)
      hooks.done(step, session.row)
    end
    hooks.changed()
  end
  kept:end_all()
  hooks.changed()
end

--- Adds the device of a run to those of a document: the facts of the first row that has them, once for each device.
-- @tparam {table,...} devices
-- @tparam table run
function replay.note_device(devices, run)
  if lists.any(devices, function(known) return known.address == run.device end) then return end
  local row = lists.find(run.rows, function(each) return each.device end)
  devices[#devices + 1] = row and lists.with(row.device, {}) -- its limits are added
end

-- A walkthrough's entry in a document, without results.
local function new_entry(walkthrough)
  local steps = lists.map(walkthrough.steps, function(step)
    return {number = step.number, name = step.name, text = step.text}
  end)
  local it = walkthrough
  return {name = it.name, from = it.from, title = it.title, about = it.about, year = it.year, language = it.language,
          author = it.author, hardware = it.hardware, headline = it.headline, figures = it.figures, steps = steps,
          lessons = it.lessons, try = it.try, links = it.links, runs = {}}
end

--- Works on tasks, those of a walkthrough in a row, and enters their walkthroughs in a document.
-- @tparam {table,...} tasks each with walkthrough
-- @tparam table hooks changed(); finished(entry of the document): all tasks of a walkthrough have run
-- @tparam function work work(task, entry)
function replay.each_task(tasks, doc, hooks, work)
  local entry
  for i, task in ipairs(tasks) do
    if not entry or entry.name ~= task.walkthrough.name then
      entry = new_entry(task.walkthrough)
      doc.walkthroughs[#doc.walkthroughs + 1] = entry
    end
    work(task, entry)
    local following = tasks[i + 1]
    if not following or following.walkthrough.name ~= entry.name then hooks.finished(entry) end
  end
  doc.finished = document.now()
  hooks.changed()
end

--- Replays the tasks.
-- @tparam {table,...} tasks walkthrough, steps, device (its address), kind (of the device), config (for
--   @{clue.run.runner.start}, repeats, and stable: set for --until-stable), earlier (rows by step that need not run
--   again)
-- @tparam table hooks as for @{each_task}; step(step) returns a function that takes the progress; done(step, row)
function replay.run(tasks, doc, hooks)
  local hosts = runner.hosts()
  replay.each_task(tasks, doc, hooks, function(task, entry)
    task.config.hosts = hosts
    local run = {device = task.device, rows = list {}, left_out = task.left_out}
    entry.runs[#entry.runs + 1] = run
    run_steps(run, task, {step = hooks.step, done = hooks.done, changed = function()
      replay.note_device(doc.devices, run)
      hooks.changed()
    end})
  end)
end

-- ---- the progress line ----

-- "40 s", "3 min"
local function duration(seconds)
  if seconds < 100 then return ("%.0f s"):format(seconds) end
  return ("%.0f min"):format(seconds / 60)
end

local function count_steps(tasks)
  return lists.sum(tasks, function(task)
    return #lists.filter(task.steps, function(step) return not (task.earlier and task.earlier[step.number]) end)
  end)
end

--- Makes a progress line for some tasks, which only a terminal shows: what runs now, what is left and about how long
-- that will take.
-- @tparam {table,...} tasks as for @{run}
-- @treturn table step(step): returns a function that takes the step's progress; done(); say(text); clear()
function replay.progress(tasks)
  local total, done, started = count_steps(tasks), 0, nil
  local line = {}

  local function left()
    if done == 0 then return "" end
    local seconds = (binding.now() - started) / done * (total - done)
    return (", about %s left"):format(duration(seconds))
  end

  function line.step(step)
    started = started or binding.now()
    local began, said = binding.now(), "starting"
    return function(text)
      said = text or said
      output.progress(("[%d/%d%s] %s, %.0f s: %s"):format(done + 1, total, left(), step.name, binding.now() - began,
        said))
    end
  end

  function line.done()
    done = done + 1
    line.clear()
  end

  line.say, line.clear = output.progress, output.clear_progress

  return line
end

return replay
