--- Replays walkthroughs on devices: step by step, each compared with the one before in alternating runs.
-- @module clue.walk.replay
local binding = require "clue.binding"
local document = require "clue.walk.document"
local list = require("clue.shared.json").list
local row_of = require "clue.walk.row"
local runner = require "clue.walk.runner"
local share = require "clue.walk.share"

local replay = {}

--- Two steps alternate until they ran so many times, or so many seconds have passed; at least as many times as an
-- interval of the gain needs, unless that takes far longer.
replay.most_pairs, replay.least_pairs, replay.pair_seconds, replay.longest_seconds = 9, 6, 1.5, 20

local function is_enough(pairs_done, started, repeats)
  local passed = binding.now() - started
  if repeats then return pairs_done >= repeats end
  if pairs_done >= replay.most_pairs or passed > replay.longest_seconds then return true end
  return pairs_done >= replay.least_pairs and passed > replay.pair_seconds
end

-- The seconds of two steps in alternating runs, in changing order; nothing if one of them cannot run. The first turn,
-- when caches are full of the other's data, is not counted.
local function take_turns(before, now, repeats, progress)
  local earlier, later, started, part = {}, {}, nil, row_of.judged(now.row)
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
  until is_enough(#earlier, started, repeats)
  return earlier, later
end

local function compare(before, row, now, repeats, progress)
  if not (before and row_of.comparable(before.row, row)) then return end
  local extrapolated = before.row.times.extrapolated or row.times.extrapolated
  local earlier, later
  if before.ready and now and now.ready and not extrapolated then
    earlier, later = take_turns(before, now, repeats, progress)
  end
  row.gain = row_of.gain(before.row, row, earlier, later)
  if row.gain then row.gain.extrapolated = extrapolated or nil end
end

-- Runs one walkthrough on one device. `run.rows` grows as steps end; changed() is called after each change.
local function run_steps(run, task, hooks)
  local before -- the last verified step: row, and its session if that can run more
  local function leave(session)
    if session and session.finish then session:finish() end
  end
  for _, step in ipairs(task.steps) do
    local row = task.earlier[step.number]
    if row then
      run.rows[#run.rows + 1] = row
      leave(before)
      if row_of.counts(row) then before = {row = row} end
    else
      local progress = hooks.step(step)
      local session = runner.start(step, task.config)
      row = session:measure(progress)
      run.rows[#run.rows + 1] = row
      hooks.changed()
      compare(before, row, session, task.config.repeats, progress)
      if row_of.counts(row) then
        leave(before)
        before = session
      else
        leave(session)
      end
      hooks.done(step, row)
    end
    hooks.changed()
  end
  leave(before)
  hooks.changed()
end

-- The device facts of the first row that has them, once for each device.
local function note_device(devices, run)
  for _, known in ipairs(devices) do
    if known.address == run.device then return end
  end
  for _, row in ipairs(run.rows) do
    if row.device then
      devices[#devices + 1] = row.device
      return
    end
  end
end

--- Replays the tasks.
-- @tparam {table,...} tasks walkthrough, steps, device (its address), config (for @{clue.walk.runner.start}, and
--   repeats), earlier (rows by step that need not run again)
-- @tparam table doc the document for the results
-- @tparam table hooks step(step) returns a function that takes the progress; done(step, row); changed();
--   finished(entry of the document): all tasks of a walkthrough have run
function replay.run(tasks, doc, hooks)
  local entry
  for i, task in ipairs(tasks) do
    if not entry or entry.name ~= task.walkthrough.name then
      local steps = {}
      for s, step in ipairs(task.walkthrough.steps) do
        steps[s] = {number = step.number, name = step.name, text = step.text}
      end
      local it = task.walkthrough
      entry = {name = it.name, title = it.title, about = it.about, year = it.year, language = it.language,
               author = it.author, hardware = it.hardware, headline = it.headline, figures = it.figures, steps = steps,
               runs = {}}
      doc.walkthroughs[#doc.walkthroughs + 1] = entry
    end
    local run = {device = task.device, rows = list {}}
    entry.runs[#entry.runs + 1] = run
    local changed = hooks.changed
    run_steps(run, task, {step = hooks.step, done = hooks.done, changed = function()
      note_device(doc.devices, run)
      run.shares = list(share.of(run.rows))
      changed()
    end})
    local following = tasks[i + 1]
    if not following or following.walkthrough.name ~= entry.name then hooks.finished(entry) end
  end
  doc.finished = document.now()
  hooks.changed()
end

return replay
