--- `clue walk`: replays published walkthroughs step by step on this machine.
local binding = require "clue.binding"
local catalogue = require "clue.run.catalogue"
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local csv = require "clue.show.walk.csv"
local document = require "clue.result.document"
local find_device = require("clue.result.device").find
local inspect = require "clue.run.inspect"
local lfs = require "lfs"
local limits = require "clue.run.kept_limits"
local lists = require "clue.shared.list"
local output = require "clue.output"
local paths = require "clue.shared.paths"
local plan = require "clue.run.plan"
local remarks = require "clue.show.walk.remarks"
local replay = require "clue.run.replay"
local request = require "clue.run.request"
local resume = require "clue.run.resume"
local row_of = require "clue.result.row"
local shell_word = require("clue.shared.shell").shown
local shown = require "clue.show.walk"
local step_view = require "clue.show.walk.step"
local subcommand = require "clue.shared.subcommand"
local sweep = require "clue.run.sweep"
local terminal = require "clue.show.text"
local build_options = require "clue.build.options" -- the value of --options begins with a '-'

local command = subcommand.new {
  name = "walk",
  group = "walkthrough",
  page = "reference/walk.md",
  summary = "replay a published optimisation walkthrough on this machine",
  about = "Replays a published walkthrough: times and verifies every step, compares it with the step that it changes, "
    .. "and shows the author's figures beside it. Without a name, lists the walkthroughs.",
  instead = {
    html = "did you mean --report?", plot = "--report FILE writes a page with charts",
    list = "`clue help NAME` lists a walkthrough's steps",
    sweep = "--set NAME=VALUES and --size take several values",
  },
  options = request.options,
  words = build_options.words,
}

local refuse = command.refuse

-- ---- what to run ----

-- The devices to run on: a list of address, kind, name, driver and choice (the device to start a step with; nil: the
-- step chooses, and its row says why). Returns nil after reporting what is wrong.
local function find_devices(options)
  local choice = options.device or clue_options.device
  local found, why = child.devices(choice, options.time_limit)
  if not found then return refuse(why) end
  return lists.map(found, function(each)
    return {address = each.address, kind = each.kind, name = each.properties.CL_DEVICE_NAME,
            driver = each.properties.CL_DRIVER_VERSION,
            idle = child.idle_on(each.kind, each.properties.CL_DEVICE_VERSION),
            choice = #found == 1 and choice or choice and each.address}
  end)
end

local function script_arguments(options, walkthrough, on, size)
  local arguments = {}
  local function add(name, value)
    if value then
      arguments[#arguments + 1] = name
      arguments[#arguments + 1] = tostring(value)
    end
  end
  local defaults = walkthrough.sizes or {}
  local of_host = on.kind == "cpu" or options.verify -- the host's checks take minutes at a GPU's size
  add("--size", size or defaults[of_host and "cpu" or "gpu"])
  add("--type", options.type)
  add("--repeat", options.repeats and ("%d"):format(options.repeats))
  return arguments
end

-- Nine tenths of the free memory, so that a step cannot exhaust it.
local function memory_limit()
  local free = document.free_memory()
  return free and free * 0.9
end

-- The options of --options come after those of the environment, as its own come after a script's.
local function environment(given)
  local before = os.getenv "CLUE_BUILD_OPTIONS"
  return given and {"CLUE_BUILD_OPTIONS=" .. (before and before .. " " or "") .. given} or nil
end

-- The steps that suit a kind of device, and the numbers of those that do not, nil for none. All suit that the user
-- named, or that are only verified.
local function suitable(options, chosen, kind)
  local list, others = {}, {}
  local all = options.steps or options.verify or request.question(options)
  for _, each in ipairs(chosen) do
    local is_other = not all and catalogue.is_for_others(each.step, kind)
    if is_other then others[#others + 1] = each.step.number else list[#list + 1] = each end
  end
  return list, others[1] and others
end

-- One task for each walkthrough and device.
local function tasks_for(options, axes, chosen, walkthroughs, devices, earlier)
  local tasks, memory = {}, memory_limit()
  for _, walkthrough in ipairs(walkthroughs) do
    local all = chosen[walkthrough.name]
    for _, on in ipairs(#all > 0 and devices or {}) do
      local selected, left_out = suitable(options, all, on.kind)
      local steps = lists.map(selected, function(each) return plan.single(axes, each) end)
      local function arguments(size) return script_arguments(options, walkthrough, on, size) end
      tasks[#tasks + 1] = {
        walkthrough = walkthrough, steps = steps, device = on.address, kind = on.kind, left_out = left_out,
        earlier = axes.is_sweep and earlier or resume.rows(earlier, walkthrough, on.address),
        axes = axes, chosen = selected, units = axes.is_sweep and plan.units(axes, selected) or nil,
        arguments = arguments,
        environment = function(given) return environment(given or axes.sides[1]) end,
        config = {device = on.choice, arguments = arguments(options.size), environment = environment(axes.sides[1]),
                  seconds = options.time_limit, memory = memory, idle = on.idle, repeats = options.repeats,
                  stable = options.until_stable,
                  verify = options.verify, type = options.type},
      }
    end
  end
  return tasks
end

-- ---- running ----

local function new_document(options)
  return document.new {size = options.size, type = options.type, device = options.device or clue_options.device,
                       repeats = options.repeats, until_stable = options.until_stable, verify = options.verify,
                       steps = options.steps, all = options.all,
                       set = options.set, build_options = options.build_options,
                       environment = os.getenv "CLUE_BUILD_OPTIONS"}
end

-- Calls the function that runs steps. If it raises (Ctrl-C included), the steps end, and the error is returned as
-- text.
local function guarded(run)
  local done, why = pcall(run)
  pcall(child.close_all) -- a second Ctrl-C must not lose the results; children that are left end with this process
  return not done and tostring(why) or nil
end

-- Skipped steps are not failures, unless nothing at all could run on the device.
local function status_of(doc)
  local ran, skipped, status = false, false, 0
  for _, each in ipairs(row_of.all(doc.walkthroughs)) do
    if not select(2, row_of.verdict(each.row)) then status = 1 end
    if each.row.skipped then skipped = true elseif each.row.device then ran = true end
  end
  return skipped and not ran and 1 or status
end

local function print_walkthrough(entry, doc, options)
  shown.print_entry(doc, entry, {notes = options.notes, hint = "clue walk " .. shell_word(options.name or entry.name)})
  io.stdout:flush()
end

local measured = setmetatable({}, {__mode = "k"}) -- devices, in this run

-- Adds to the devices of a walkthrough's runs their limits, of which the tables show the share that a step reaches.
-- They are measured only if they can be kept, or for a report's rooflines; a step above what is kept proves that it was
-- measured beside other work. Results that --resume continues have some.
local function add_limits(entry, doc, options, line, earlier)
  for _, run in ipairs(entry.runs) do
    local device = find_device(doc, run.device)
    local before = device and earlier and find_device(earlier, run.device)
    if before then device.peak = device.peak or before.peak end
    local types = limits.types_of(run)
    local known = device and types and limits.known(device, types)
    if known then device.peak = known end
    local is_wanted = types and device and (options.report or limits.are_kept(device))
    if is_wanted and (not known or not measured[device] and limits.is_exceeded(run, known)) then
      measured[device] = true
      line.say(("measuring the limits of %s"):format(device.name))
      device.peak = limits.measure(device, types, math.min(60, options.time_limit)) or device.peak
      line.clear()
    end
  end
end

-- Written while steps run, with the results that --resume continues. If a file cannot be written, that is found before
-- the work.
local function save_outputs(options, doc, earlier)
  local all = resume.joined(earlier, doc)
  for option, save in pairs {json = document.save, csv = csv.save} do
    local saved, why = true, nil
    if options[option] then saved, why = pcall(save, options[option], all) end
    if not saved then error(("--%s: %s"):format(option, why), 0) end
  end
end

-- Returns what is wrong, or nil.
local function write_report(options, doc)
  if not options.report then return nil end
  return require("clue.show.page").save(options.report, require("clue.show.report").page(doc), "--report", refuse)
end

-- What was kept of an interrupted run, and how it goes on.
local function interruption(options, without_report)
  local kept = {options.json}
  kept[#kept + 1] = options.csv
  kept[#kept + 1] = not without_report and options.report or nil
  local text = "interrupted!"
  if kept[1] then
    text = ("%s The steps that ended are in %s"):format(text, table.concat(kept, " and in "))
  end
  if options.json then return text .. "; the same command with --resume continues" end
  return text .. (kept[1] and "; with --json FILE as well" or " With --json FILE") .. ", --resume can continue a run"
end

-- What --counts and --asm add to the rows; and what was counted of the greatest gains, in so many seconds.
local function add_inspected(entry, tasks, options, line, seconds)
  local why = options.counts and inspect.add_counts(entry, tasks, line.say)
  inspect.add_causes(entry, tasks, seconds, line.say)
  if options.asm then inspect.add_code(entry, tasks, line.say) end
  line.clear()
  if why then refuse("--counts: " .. why) end
end

local function replay_all(options, doc, tasks, earlier, is_sweep)
  local printed, started = {}, binding.now()
  local line = replay.progress(is_sweep and sweep.for_progress(tasks) or tasks)
  local run = is_sweep and sweep.all or replay.run
  local why = guarded(function()
    paths.check("--report", options.report) -- it is written at the end
    if not earlier then paths.keep(options.json) end
    save_outputs(options, doc, earlier)
    run(tasks, doc, {
      step = line.step, done = line.done,
      changed = function() save_outputs(options, doc, earlier) end,
      finished = function(entry)
        line.clear()
        if not (entry.sweep or options.verify) then
          add_limits(entry, doc, options, line, earlier)
          add_inspected(entry, tasks, options, line, (binding.now() - started) / 10)
        end
        started, printed[entry] = binding.now(), true
        print_walkthrough(entry, doc, options)
      end,
    })
  end)
  -- An interrupted run shows what it has, without further measurements.
  local problem
  local broken_off = guarded(function()
    line.clear()
    for _, entry in ipairs(doc.walkthroughs) do
      if not printed[entry] then print_walkthrough(entry, doc, options) end
    end
    problem = write_report(options, resume.joined(earlier, doc))
  end)
  why = why or broken_off or problem
  if options.verify and not why then terminal.print(shown.verified_sum(doc), {columns = 80}) end
  if why and clue_options.interrupted(why) then return refuse(interruption(options, broken_off), 130) end
  return why and command.failed(why) or status_of(doc)
end

-- Prints the answer to a question about a step, the last of the rows. Returns nil, or why there is none.
local function print_answer(what, rows, task)
  local row, before = rows[#rows], #rows > 1 and rows[1] or nil
  if what == "explain" then
    local peak = row.device and limits.known(row.device, {row.type or "float"})
    return shown.print_step(row, task.steps[#task.steps].text, peak, {source = false})
  end
  local width = output.err:columns(132)
  local obstacle = remarks.obstacle(row, width) or remarks.obstacle(before, width)
  if obstacle then return table.concat(obstacle, "\n") end
  terminal.print(what == "source" and step_view.source(row) or step_view.difference(before, row))
end

-- Runs the steps of tasks that nobody watches as they end. Returns the document, and why if that failed.
local function run_once(options, tasks, line, finished)
  local doc = new_document(options)
  local why = guarded(function()
    replay.run(tasks, doc, {step = line.step, done = line.done, changed = function() end, finished = finished})
  end)
  line.clear()
  return doc, why
end

-- The step in question and the one that it is compared with, on one device.
local function answer(options, axes, chosen, walkthrough, devices)
  local what, number = request.question(options)
  local steps = inspect.steps(walkthrough, number, devices[1].kind)
  if not steps then
    local _, why = request.parse_steps(tostring(number), walkthrough.steps)
    return refuse(("--%s: %s"):format(what, why or "no such step"), 2)
  end
  if what == "source" then steps = {steps[#steps]} end
  options.verify = what ~= "explain" -- no time is part of the other answers
  local tasks = tasks_for(options, axes, chosen, {walkthrough}, {devices[1]})
  local asked = tasks[1].steps
  tasks[1].steps = {}
  for i, step in ipairs(steps) do
    for _, each in ipairs(asked) do tasks[1].steps[i] = each.path == step.path and each or tasks[1].steps[i] end
  end
  local line = replay.progress(tasks)
  local doc, why = run_once(options, tasks, line, function() end)
  if why then return command.failed(why) end
  local rows = doc.walkthroughs[1].runs[1].rows
  if what == "explain" then inspect.add_to_row(rows[#rows], tasks[1], line) end
  why = print_answer(what, rows, tasks[1])
  if why then return refuse(("--%s: %s"):format(what, why), 1) end
  return select(2, row_of.verdict(rows[#rows])) and 0 or 1
end

-- Runs the steps once, counts what they do, and asks about them.
local function ask_about(options, axes, chosen, walkthroughs, devices)
  options.verify, options.counts = true, true -- no time is part of an answer
  local tasks = tasks_for(options, axes, chosen, walkthroughs, devices)
  local line = replay.progress(tasks)
  local doc, why = run_once(options, tasks, line, function(entry) add_inspected(entry, tasks, options, line, 0) end)
  if why then return command.failed(why) end
  local entry = doc.walkthroughs[1]
  why = require("clue.show.walk.quiz").ask(entry and entry.runs[1].rows or {}, devices[1])
  return why and refuse("--quiz: " .. why, 1) or 0
end

-- The results that --resume continues; nil if there are none; false after reporting what is wrong.
local function earlier_results(options)
  if not options.resume then return nil end
  if not lfs.attributes(options.json) then return nil end -- there are no earlier results: everything runs
  local earlier, why = document.load(options.json)
  return earlier or refuse("--resume: " .. why, false)
end

-- Without any, the parser gives an empty list.
local function normal(options)
  for _, name in ipairs {"set", "build_options"} do
    if options[name] and not options[name][1] then options[name] = nil end
  end
  return options
end

-- Options without a walkthrough would do nothing: its name was forgotten.
local function list_if_alone(options)
  local given = subcommand.given(command.parser(), options)
  if not given[1] then
    terminal.print(shown.listing(request.walkthroughs {all = true}))
    return 0
  end
  return refuse(("%s: which walkthrough? Name it, or give --all; `clue walk` alone lists them"):format(
    table.concat(given, ", ")), 2)
end

local function run(options)
  if not options.name and not options.all then return list_if_alone(options) end
  local walkthroughs = request.walkthroughs(options)
  local axes = walkthroughs and request.check(options, walkthroughs)
  if not axes then return 2 end
  local earlier = earlier_results(options)
  if earlier == false then return 2 end
  local chosen = request.chosen(options, axes, walkthroughs)
  if not chosen then return 2 end
  local devices = find_devices(options)
  if not devices then return 1 end
  local question_of_one = request.question(options)
  local of_one_device = question_of_one or options.quiz and "quiz"
  if of_one_device and #devices > 1 then
    return refuse(("--%s shows one device, but %d were chosen: give --device one of them"):format(of_one_device,
      #devices), 2)
  end
  if options.quiz then return ask_about(options, axes, chosen, walkthroughs, devices) end
  if question_of_one then return answer(options, axes, chosen, walkthroughs[1], devices) end
  local doc = new_document(options)
  local mismatch = earlier and resume.mismatch(earlier, doc, devices)
  if mismatch then
    local remedy = ("without --resume, all is measured anew, and %s.old keeps what was measured"):format(options.json)
    return refuse(("--resume: %s: %s; %s"):format(options.json, mismatch, remedy), 2)
  end
  return replay_all(options, doc, tasks_for(options, axes, chosen, walkthroughs, devices, earlier), earlier,
    axes.is_sweep)
end

-- The exit status is 0 if every step is verified or skipped, and at least one is verified.
function command.work(options)
  return command.attempt(run, normal(options))
end

return command
