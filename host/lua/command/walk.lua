--- `clue walk`: replays published walkthroughs step by step on this machine.
-- @module clue.command.walk
local argparse = require "argparse"
local binding = require "clue.binding"
local catalogue = require "clue.walk.catalogue"
local document = require "clue.walk.document"
local explain = require "clue.walk.explain"
local host = require "clue.options"
local json = require "dkjson"
local progress = require "clue.walk.progress"
local replay = require "clue.walk.replay"
local row_of = require "clue.walk.row"
local runner = require "clue.walk.runner"
local sizes = require "clue.walk.size"
local tables = require "clue.table"
local view = require "clue.walk.view"

local command = {summary = "replay a published optimisation walkthrough, step by step, on this machine's devices"}

local function refuse(text)
  io.stderr:write("clue walk: ", text, "\n")
  return nil
end

-- ---- options ----

local function number_for(option)
  return function(text)
    local number = tonumber(text)
    if number and number == number then return number end
    return nil, ("%s: '%s' is no number"):format(option, text)
  end
end

-- A step's number, or "4t".
local function step_number(text)
  return tonumber(text) or text
end

local function parse(args)
  local parser = argparse("clue walk", "Replays a published walkthrough: every step timed, verified, compared with the "
    .. "step before and set beside the author's figures. Without a name, lists the walkthroughs.")
  parser:argument("name", "the walkthrough, or a folder (with a slash) that holds one of your own"):args "?"
  parser:flag("--all", "all walkthroughs, one after the other")
  parser:option("--steps", "which steps: 2-5, or 1,4,7-9; all without")
  parser:option("--size", "the problem's size: N, or as the walkthrough's steps take it, MxKxN for a matrix product")
  parser:option("--type", "type of the elements, where a walkthrough has several")
  parser:option("--device", "which devices, as `clue devices` names them: one, several with commas, or all")
  parser:option("--repeat", "measured runs of each step, and pairs of runs of two steps that are compared; without: "
    .. "until 7 or 3 seconds, whichever comes first"):convert(number_for "--repeat"):target "repeats"
  parser:option("--time-limit", "seconds after which a step is stopped"):default "300"
    :convert(number_for "--time-limit")
  parser:option("--json", "write all results, raw times included, to this file; kept up to date as steps end")
  parser:flag("--resume", "go on with what the file of --json holds: steps that are in it do not run again")
  parser:option("--csv", "write the rows to this file as comma-separated values, times in seconds")
  parser:option("--report", "write a report to this file: one HTML page that needs nothing else")
  parser:option("--explain", "tell of one step what it changes and why, what decides on this device, and what was seen")
    :convert(step_number)
  parser:option("--diff", "show how the kernel of one step differs from that of the step before")
    :convert(step_number)
  parser:option("--source", "show the kernel of one step as it is built"):convert(step_number)
  parser:add_help(false)
  parser:flag("-h --help", "print this and exit")
  return parser, parser:pparse(args)
end

--- Reads "2-5" or "1,4,7-9"; "4t" is a step too where the author counts so.
-- @tparam string text
-- @tparam {table,...} steps each with its number
-- @treturn[1] table set of numbers
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function command.parse_steps(text, steps)
  local known, chosen, first, last = {}, {}, math.huge, -math.huge
  for _, step in ipairs(steps) do
    known[step.number] = true
    first, last = math.min(first, catalogue.place(step)), math.max(last, catalogue.place(step))
  end
  for part in (text .. ","):gmatch("([^,]*),") do
    local from, to = part:match("^(%d+)%-(%d+)$")
    from = tonumber(from or part:match("^%d+$"))
    to = tonumber(to) or from
    local one = known[part] and part
    if not one and (not from or from > to or not known[from] or not known[to]) then
      return nil, ("steps '%s': give numbers from %d to %d, such as 2-5 or 1,4,7-9"):format(text, first, last)
    end
    for number = from or 1, to or 0 do chosen[number] = true end
    if one then chosen[one] = true end
    for _, step in ipairs(from and from < to and steps or {}) do -- "4t" is among 2-5
      if catalogue.place(step) >= from and catalogue.place(step) <= to then chosen[step.number] = true end
    end
  end
  return chosen
end

-- ---- which walkthroughs ----

-- The year is not always known.
local function year_and_language(of)
  return (of.year and of.year .. ", " or "") .. of.language
end

local function list()
  local width = binding.terminal_width(1) or 100
  local function say(text)
    for _, line in ipairs(tables.wrap(text, width, "    ")) do print(line) end
  end
  for _, name in ipairs(catalogue.names()) do
    local it = assert(catalogue.get(name))
    print(("%s: %s"):format(name, it.title))
    say(("  %s, %s; %d steps: %s"):format(it.author or "unknown", year_and_language(it), #it.steps, it.about))
    say(("  hardware: %s"):format(it.hardware))
    say(("  headline: %s"):format(it.headline))
  end
  print "\n`clue walk NAME` replays one, `clue walk --all` replays them all; `clue walk --help` lists the options."
  return 0
end

local function find(name)
  local walkthrough, why = catalogue.get(name)
  if walkthrough and #walkthrough.steps > 0 then return walkthrough end
  if walkthrough then return refuse(("'%s' has no steps: files named NN_name.lua"):format(name)) end
  if why then return refuse(why) end
  return refuse(("there is no walkthrough '%s'; there are: %s"):format(name, table.concat(catalogue.names(), ", ")))
end

local function find_all(options)
  if not options.all then
    local walkthrough = find(options.name)
    return walkthrough and {walkthrough}
  end
  if options.name then return refuse(("--all and '%s': one of the two"):format(options.name)) end
  local all = {}
  for i, name in ipairs(catalogue.names()) do all[i] = find(name) end
  return all
end

-- ---- whether the options fit ----

local function holds(list_of, value)
  for _, each in ipairs(list_of or {}) do
    if each == value then return true end
  end
  return false
end

local function check_walkthrough(options, walkthrough)
  if options.size then
    local read = sizes[walkthrough.size]
    if not read then return refuse(("--size: the steps of '%s' take none"):format(walkthrough.name)) end
    local first, why = read(options.size)
    if not first then return refuse(("--size: %s"):format(why)) end
  end
  if options.type and not holds(walkthrough.types, options.type) then
    return refuse(("--type %s: the steps of '%s' %s"):format(options.type, walkthrough.name, walkthrough.types
      and "take " .. table.concat(walkthrough.types, ", ") or "know one type only"))
  end
  return true
end

-- The step that one of --explain, --diff and --source asks about.
local function asked_step(options)
  for _, name in ipairs {"explain", "diff", "source"} do
    if options[name] then return name, options[name] end
  end
end

local function check(options, walkthroughs)
  for _, walkthrough in ipairs(walkthroughs) do
    if not check_walkthrough(options, walkthrough) then return nil end
  end
  if options.repeats and (options.repeats < 1 or options.repeats % 1 ~= 0) then
    return refuse("--repeat: a whole number of 1 or more is needed")
  end
  if options.time_limit <= 0 then return refuse("--time-limit: seconds, more than 0") end
  if options.resume and not options.json then
    return refuse("--resume: it needs --json FILE, whose results it goes on with")
  end
  local question = asked_step(options)
  for _, name in ipairs {"all", "steps", "json", "csv", "report"} do
    if question and options[name] then return refuse(("--%s and --%s: one of the two"):format(question, name)) end
  end
  if options.all and options.steps then return refuse("--steps: the steps of one walkthrough, not of all") end
  return true
end

local function chosen_steps(options, walkthrough)
  if not options.steps then return walkthrough.steps end
  local numbers, why = command.parse_steps(options.steps, walkthrough.steps)
  if not numbers then return refuse("--steps: " .. why) end
  local steps = {}
  for _, step in ipairs(walkthrough.steps) do
    if numbers[step.number] then steps[#steps + 1] = step end
  end
  return steps
end

-- ---- what is to be done ----

-- The devices to run on, asked in a child, so that no driver is loaded here: a list of address, kind and choice (what a
-- step is started with: nil for what it takes by itself); nil after saying what is wrong.
local function find_devices(options)
  local choice = options.device or host.device
  local config = {program = host.program, seconds = options.time_limit}
  local words = {"devices", "--json"}
  if choice then words[3], words[4] = "--device", choice end
  local text, why = runner.ask(config, words)
  local known = text and json.decode(text)
  if not known then return refuse(why or "`clue devices --json` gave no JSON") end
  local found = {}
  for _, ordinal in ipairs(choice and known.chosen or {known.default.ordinal}) do
    for _, each in ipairs(known.devices) do
      if each.ordinal == ordinal then
        found[#found + 1] = {address = each.address, kind = each.kind, choice = choice and each.address}
      end
    end
  end
  if choice and #found == 1 then found[1].choice = choice end -- its row then says why it was taken
  return found
end

local function script_arguments(options, walkthrough, on)
  local arguments = {}
  local function add(name, value)
    if value then
      arguments[#arguments + 1] = name
      arguments[#arguments + 1] = tostring(value)
    end
  end
  local defaults = walkthrough.sizes or {}
  add("--size", options.size or defaults[on.kind == "cpu" and "cpu" or "gpu"])
  add("--type", options.type)
  add("--repeat", options.repeats and ("%d"):format(options.repeats))
  return arguments
end

-- Nine tenths of what is free now, so that a step cannot take the machine along.
local function memory_limit()
  local free = document.free_memory()
  return free and free * 0.9
end

-- One task for each walkthrough and device; nil after saying what is wrong.
local function tasks_for(options, walkthroughs, devices, earlier)
  local tasks, memory = {}, memory_limit()
  for _, walkthrough in ipairs(walkthroughs) do
    local steps = chosen_steps(options, walkthrough)
    if not steps then return nil end
    for _, on in ipairs(devices) do
      tasks[#tasks + 1] = {
        walkthrough = walkthrough, steps = steps, device = on.address,
        earlier = document.rows_of(earlier, walkthrough.name, on.address),
        config = {program = host.program, device = on.choice, arguments = script_arguments(options, walkthrough, on),
                  seconds = options.time_limit, memory = memory, repeats = options.repeats},
      }
    end
  end
  return tasks
end

-- ---- doing it ----

local function new_document(options)
  return document.new {size = options.size, type = options.type, device = options.device or host.device,
                       repeats = options.repeats, steps = options.steps, all = options.all}
end

-- Calls what runs steps; an error, Ctrl-C among them, ends them and is given back as text.
local function guarded(run)
  local done, why = pcall(run)
  pcall(runner.close_all) -- a second Ctrl-C must not take along what there is to show; the exit ends what is left
  return not done and tostring(why) or nil
end

local function status_for(why)
  refuse(why)
  return why:find("interrupted", 1, true) and 130 or 1
end

-- Steps that are skipped are no failure, unless nothing at all could run on the device.
local function status_of(doc)
  local ran, skipped, status = false, false, 0
  for _, walkthrough in ipairs(doc.walkthroughs) do
    for _, run in ipairs(walkthrough.runs) do
      for _, row in ipairs(run.rows) do
        if not select(2, row_of.verdict(row)) then status = 1 end
        if row.skipped then skipped = true elseif row.device then ran = true end
      end
    end
  end
  return skipped and not ran and 1 or status
end

local function print_walkthrough(entry)
  print(("%s: %s (%s, %s)"):format(entry.name, entry.title, entry.author or "unknown", year_and_language(entry)))
  local runs = {}
  for _, run in ipairs(entry.runs) do
    if #run.rows > 0 then runs[#runs + 1] = run end
  end
  if #runs > 0 then view.print(runs, io.stdout, entry.figures) end
  io.stdout:flush()
end

-- What is written while steps run: what cannot be is found before the work.
local function save_as_told(options, doc)
  for option, save in pairs {json = document.save, csv = document.save_csv} do
    local saved, why = true, nil
    if options[option] then saved, why = pcall(save, options[option], doc) end
    if not saved then error(("--%s: %s"):format(option, why), 0) end
  end
end

local function write_report(options, doc)
  if not options.report then return nil end
  local written, why = require("clue.report").write(doc, options.report)
  if written and why then refuse("--report: written without charts: " .. why) end
  return not written and "--report: cannot write " .. why or nil
end

local function replay_all(options, tasks)
  local doc, line, printed = new_document(options), progress.new(tasks), {}
  local why = guarded(function()
    save_as_told(options, doc)
    replay.run(tasks, doc, {
      step = line.step, done = line.done,
      changed = function() save_as_told(options, doc) end,
      finished = function(entry)
        line.clear()
        printed[entry] = true
        print_walkthrough(entry)
      end,
    })
  end)
  line.clear()
  for _, entry in ipairs(doc.walkthroughs) do
    if not printed[entry] then print_walkthrough(entry) end
  end
  local problem = write_report(options, doc)
  if why then return status_for(why) end
  if problem then return status_for(problem) end
  return status_of(doc)
end

-- The step that is asked about and the one before it, on one device.
local function answer(options, walkthrough, devices)
  local question, number = asked_step(options)
  local steps, at = {}, nil
  for _, step in ipairs(walkthrough.steps) do
    if step.number == number then at = step end
    if not at then steps[1] = step end
  end
  if not at then
    local _, why = command.parse_steps(tostring(number), walkthrough.steps)
    refuse(("--%s: %s"):format(question, why or "no such step"))
    return 2
  end
  steps[#steps + 1] = at
  if question == "source" then steps = {at} end
  local tasks = tasks_for(options, {walkthrough}, {devices[1]})
  if not tasks then return 2 end
  tasks[1].steps = steps
  local doc, line = new_document(options), progress.new(tasks)
  local why = guarded(function()
    replay.run(tasks, doc, {step = line.step, done = line.done, changed = function() end, finished = function() end})
  end)
  line.clear()
  if why then return status_for(why) end
  local rows = doc.walkthroughs[1].runs[1].rows
  local row, before = rows[#rows], #rows > 1 and rows[1] or nil
  if question == "source" then
    explain.print_source(row)
  elseif question == "diff" then
    explain.print_difference(before, row)
  else
    explain.print(at, row)
  end
  return select(2, row_of.verdict(row)) and 0 or 1
end

-- What --resume goes on with; nil: nothing; false after saying what is wrong.
local function earlier_results(options)
  if not options.resume then return nil end
  local file = io.open(options.json)
  if not file then return nil end -- nothing was kept yet: all of it runs
  file:close()
  local earlier, why = document.load(options.json)
  why = why or document.mismatch(earlier, options)
  if not why then return earlier end
  refuse(("--resume: %s: %s"):format(options.json, why))
  return false
end

--- Runs the command.
-- @tparam {string,...} args what stands after `clue walk`
-- @treturn int exit status: 0 every step verified or skipped (one verified at least), 1 not so, 2 wrong use
function command.run(args)
  local parser, understood, options = parse(args)
  if not understood then
    refuse(options:gsub("\n", "; ") .. "; `clue walk --help` lists the options")
    return 2
  end
  if options.help then
    print(parser:get_help())
    return 0
  end
  if not options.name and not options.all then return list() end
  local walkthroughs = find_all(options)
  if not (walkthroughs and check(options, walkthroughs)) then return 2 end
  local earlier = earlier_results(options)
  if earlier == false then return 2 end
  if not options.all and not chosen_steps(options, walkthroughs[1]) then return 2 end
  local devices = find_devices(options)
  if not devices then return 1 end
  if asked_step(options) then return answer(options, walkthroughs[1], devices) end
  local tasks = tasks_for(options, walkthroughs, devices, earlier)
  return replay_all(options, tasks)
end

return command
