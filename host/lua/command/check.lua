--- `clue check`: what is wrong with a script's kernels, seen on a simulator.
local binding = require "clue.binding"
local c_text = require "clue.shared.c_text"
local clue_options = require "clue.options"
local compiler = require "clue.build.options"
local findings = require "clue.check.findings"
local is_space = require("clue.shared.script").is_space
local json = require "clue.shared.json"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local messages = require "clue.build.messages"
local output = require "clue.output"
local plain = require("clue.number").plain
local plan = require "clue.run.plan"
local process = require "clue.simulator.process"
local read_file = require("clue.file").read
local request = require "clue.run.request"
local run = require "clue.check.run"
local subcommand = require "clue.shared.subcommand"
local temporary = require("clue.shared.paths").with_temporary_folder
local terminal = require "clue.show.text"
local view = require "clue.check.view"

local command = subcommand.new {
  name = "check",
  group = "kernel",
  page = "reference/checking.md",
  instead = {device = "kernels run on a simulator, whatever devices there are"},
  summary = "find races, accesses out of bounds, divergent barriers",
  about = "Runs a script, the steps of a walkthrough, the kernels of a .cl file, a configuration of a space or a "
    .. "captured call on Oclgrind, a simulator, and tells what is wrong: data races, accesses out of bounds, reads of "
    .. "what nobody has written, barriers that not all work-items reach, calls that fail, and a wrong result of "
    .. "a walkthrough's step. Each "
    .. "fault is told once, with its line, the work-items and what to do. Simulating is slow, so give small sizes. "
    .. "Exit status 0: nothing found (notes do not count); 1: errors found; 2: wrong use; 3: none found, but not all "
    .. "was checked, because the script failed, took too long or launched nothing.",
}

local refuse = command.refuse

local UNFINISHED = 3

-- ---- options ----

-- "16x8"
local function sizes(name)
  return function(text)
    local list = {}
    local digits = plain(text)
    for part in (digits .. "x"):gmatch "(%d+)x" do list[#list + 1] = tonumber(part) end
    local good = #list >= 1 and #list <= 3 and table.concat(list, "x") == digits
    for _, size in ipairs(list) do good = good and size >= 1 end
    if good then return list end
    return nil, ("--%s '%s': it must be one to three sizes, such as 64 or 16x8"):format(name, text)
  end
end

local function group(text)
  local list, why = sizes "group" (text)
  local items = 1
  for _, size in ipairs(list or {}) do items = items * size end
  if items <= process.most_items then return list, why end
  return nil, ("--group '%s': a group has at most %d work-items"):format(text, process.most_items)
end

-- "n=100", "a=data.npy", "size.width=64"
local function argument(text)
  local name, field, value = text:match "^([%a_][%w_]*)%.?([%w_.]*)=(.+)$"
  local number = tonumber(value)
  if name and field ~= "" and number then return {name = name, field = field, value = number} end
  if name and field == "" and (number or value:find "%.npy$") then return {name = name, value = number or value} end
  return nil, ("--arg '%s': it must be NAME=NUMBER, NAME=FILE.npy, or NAME.FIELD=NUMBER for a struct"):format(text)
end

-- "TILE=8", of a space
local function assignment(text)
  if text:find "^[^=]+=" then return text end
  return nil, ("--set '%s': it must be NAME=VALUE"):format(text)
end

function command.options(parser)
  subcommand.completes(parser:argument("what", "the script, which gets all words after it; a walkthrough's name, or "
    .. "its folder's path; a .cl file; a space of clue tune; or the folder of a captured call (clue trace --capture)")
    :args "?",
    "walkthrough .lua .cl")
  parser:option("--group", "sizes of work-groups for launches that leave them to the driver (default: 8 in each "
    .. "dimension, or what divides the range)"):argname "8x8":convert(group)
  parser:option("--steps", "of a walkthrough: the steps to check, 2-5, or 1,4,7-9 (default: all)")
  parser:option("--size", "of a walkthrough: the problem's size (default: a small one that no tile divides)")
  parser:option("--kernel", "of a .cl file: the kernel to launch (default: each)"):argname "NAME"
  parser:option("--global", "of a .cl file: the range"):argname "64x64":convert(sizes "global")
  parser:option("--local", "of a .cl file: the size of work-groups"):argname "8x8":convert(sizes "local")
  parser:option("--arg", "of a .cl file: an argument's value, or how many elements its memory has, or a file with "
    .. "them; NAME.FIELD=NUMBER for a struct; may be repeated"):argname "NAME=VALUE":count "*":target "arguments"
    :convert(argument)
  compiler.add_compiler(parser, "of a .cl file: ")
  parser:option("--set", "of a space: the value of a parameter (default: that of the first configuration); may be "
    .. "repeated for others"):argname "NAME=VALUE":count "*":convert(assignment)
  parser:option("--capture", "of a space: the folder of a captured call, as for clue tune"):argname "FOLDER"
  parser:option("--tries", "0: launch each kernel of a .cl file only once, not also with other numbers, data and "
    .. "groups; 1: run a script again with other groups, where it leaves them to the driver, and repeat the first call "
    .. "of each kernel with other numbers and data"):argname "0|1"
    :convert(subcommand.whole_number("--tries", 0, 1))
  parser:option("--schedules", "run all so many times more, in other orders of work-items (default: 3 where atomic "
    .. "functions are used)"):argname "N":convert(subcommand.whole_number("--schedules", 0, 1000))
  subcommand.time_limit(parser, "600", "stop a script after so many seconds")
  subcommand.json_file(parser, "write all findings to this file")
end

function command.words(args)
  local ours, rest = subcommand.script_words(args, command)
  return (compiler.words(ours, command)), rest
end

-- ---- the document ----

local order = {"format", "clue", "file", "errors", "notes", "runs", "number", "name", "size", "words", "launches",
               "failed", "skipped", "check", "findings", "kind", "level", "title", "remedy", "kernel", "file", "line",
               "column"}

-- What a finding has for clue alone.
local internal = {number = true, program = true, new = true, layer = true, proved = true,
                  of_script = true}

local function tried(result)
  return result.tries.count > 0 and result.tries.count or nil
end

local function entry_of(result)
  local list = json.list {}
  for i, finding in ipairs(result.findings) do
    local entry = {level = findings.level(finding), title = findings.title(finding),
                   remedy = findings.remedy(finding)}
    for name, value in pairs(finding) do
      if not internal[name] then entry[name] = value end
    end
    list[i] = entry
  end
  return {launches = result.launches, groups_of_one = result.alone, findings = list, failed = result.failed,
          skipped = result.skipped, check = result.check, assumed = result.assumed,
          unlaunched = result.unlaunched[1] and json.list(result.unlaunched) or nil, tries = tried(result),
          schedules = result.schedules > 0 and result.schedules or nil,
          unreached = result.unreached[1] and json.list(result.unreached) or nil,
          one_turn = result.one_turn[1] and json.list(result.one_turn) or nil}
end

local function save_json(parsed, runs)
  if not parsed.json then return true end
  local document = {format = "clue check 1", clue = clue_options.version, file = parsed.what, errors = 0, notes = 0,
                    runs = json.list(runs)}
  for _, each in ipairs(runs) do
    local errors, notes = view.counts(each.findings)
    document.errors, document.notes = document.errors + errors, document.notes + notes
  end
  return command.save_json(parsed.json, document, order)
end

-- ---- one run ----

-- What was launched never, or did not end: the others were.
local function say_unlaunched(name, result)
  for _, each in ipairs(result.unlaunched) do
    local during = each.during
    if during then
      refuse(("%s %s, in kernel '%s', range %s"):format(name, each.why, each.kernel,
        table.concat(during.global, " x ")))
    else
      refuse(("%s: kernel '%s' was not launched: %s"):format(name, each.kernel, each.why))
    end
  end
end

-- A script's own errors were shown as they came, and those that are findings among these.
local function say_failure(name, result, shown)
  if not result.failed then return false end
  local during = result.during
  refuse(("%s %s%s"):format(name, result.failed, during and (", in kernel '%s', range %s"):format(
    during.kernel, table.concat(during.global, " x ")) or ""))
  if shown then return true end
  for _, line in ipairs(result.lines or {}) do output.err:write("  ", line, "\n") end
  return true
end

local function status_of(result, saved)
  if view.counts(result.findings) > 0 or not saved then return 1 end
  local all = not result.failed and not result.unlaunched[1]
  if not all or (result.launches == 0 and not result.skipped) then return UNFINISHED end
  return 0
end

-- Checks a script, the kernels of a file, or what is prepared: what of(parsed, rest) gives for @{clue.check.run.start}.
local function check_one(parsed, rest, of)
  return temporary(function(folder)
    local what, result = of(parsed, rest), nil
    what.folder, what.show, what.progress = folder, true, output.progress
    what.seconds, what.group, what.schedules = parsed.time_limit, parsed.group, parsed.schedules
    local why = run.all({what}, 1, function(_, each) result = each end)
    output.clear_progress()
    if why then return refuse(why, UNFINISHED) end
    if result.refused then return refuse(result.refused, 2) end
    terminal.print_whole {view.assumed(result), (result.launches > 0 or result.findings[1]) and view.result(result),
                          view.gaps(result)}
    local entry = entry_of(result)
    entry.words = json.list(what.words or {})
    local saved = save_json(parsed, {entry})
    say_unlaunched(parsed.what, result)
    if not say_failure(parsed.what, result, true) and result.launches == 0 and not result.unlaunched[1] then
      refuse(("%s: %s"):format(parsed.what, what.file and messages.NO_KERNEL or "it launched no kernel"))
    end
    return status_of(result, saved)
  end)
end

local subjects = {}

subjects.script = function(parsed, rest)
  return {path = parsed.what, words = rest, tries = parsed.tries == 1}
end

subjects.file = function(parsed)
  local arguments, fields = {}, {}
  for _, each in ipairs(parsed.arguments) do
    if each.field then
      fields[each.name] = fields[each.name] or {}
      table.insert(fields[each.name], {field = each.field, value = each.value})
    else
      arguments[each.name] = each.value
    end
  end
  return {file = {path = parsed.what, kernel = parsed.kernel, global = parsed.global, ["local"] = parsed["local"],
                  group = parsed.group, arguments = arguments, fields = fields, tries = parsed.tries ~= 0,
                  options = table.concat(compiler.given(parsed), " "),
                  folders = {parsed.what:match "^(.*)/[^/]*$" or "."}}}
end

subjects.space = function(parsed, rest)
  return {prepare = run.launching("run_once", {path = parsed.what, words = json.list(rest), set = json.list(parsed.set),
    capture = parsed.capture}, "clue.tune.measure.candidate")}
end

subjects.captured = function(parsed)
  return {prepare = run.launching("captured", parsed.what)}
end

-- ---- a walkthrough: its steps, each in a process of its own ----
--
-- Sizes that no tile divides show most: a step's guards run then. Steps that take no such size run at one that they
-- take.

-- The sizes to try, in their order.
local function sizes_of(walkthrough, size)
  if size then return {size} end
  local known = walkthrough.sizes or {}
  return {known.check or known.count or false, known.check and known.count or nil}
end

local function ran(result)
  return result.launches > 0 or #result.findings > 0
end

-- The steps as they are checked. The walkthrough may have values of parameters for it: with small tiles, loops over
-- tiles have several turns, in which work-items meet. Nil after reporting what is wrong.
local function with_parameters(walkthrough, steps)
  local set = walkthrough.check_set
  local axes, why = plan.read {set = set}
  if not axes then return refuse(why) end
  local chosen
  chosen, why = plan.steps(axes, steps, true)
  if not chosen then return refuse(why) end
  return lists.map(chosen, function(each)
    local step = plan.single(axes, each)
    local its = lists.filter(set or {}, function(word) return each.meanings[word:match "^[^=]*"] end)
    return {number = step.number, name = step.name, path = step.path, arguments = step.arguments, set = its}
  end)
end

-- Checks those steps that have no result from an earlier size. Gives why nothing can be checked.
local function check_steps(parsed, entries, size, folder)
  local open = lists.filter(entries, function(entry) return not (entry.result and ran(entry.result)) end)
  local list = lists.map(open, function(entry)
    return {path = entry.path, step = true, words = lists.joined(size and {"--size", size}, entry.arguments),
            folder = folder, group = parsed.group, seconds = parsed.time_limit, schedules = parsed.schedules}
  end)
  return run.all(list, binding.processor_count(), function(i, result)
    local entry = open[i]
    if not entry.result or ran(result) then entry.result, entry.size = result, size or nil end
    local done = lists.filter(entries, function(each) return each.result end)
    output.progress(("%d of %d steps checked"):format(#done, #entries))
  end)
end

local function check_walkthrough(parsed)
  local walkthrough, chosen = request.named(parsed, parsed.what, refuse)
  if not chosen then return 2 end
  local entries = with_parameters(walkthrough, chosen)
  if not entries then return 2 end
  local why = temporary(function(folder)
    for _, size in ipairs(sizes_of(walkthrough, parsed.size)) do
      local problem = check_steps(parsed, entries, size, folder)
      if problem then return problem end
    end
  end)
  output.clear_progress()
  if why then return refuse(why, UNFINISHED) end
  terminal.print_whole(view.steps(entries))
  local runs, status = {}, 0
  for i, entry in ipairs(entries) do
    runs[i] = entry_of(entry.result)
    runs[i].number, runs[i].name, runs[i].size, runs[i].set = entry.number, entry.name, entry.size,
      entry.set[1] and table.concat(entry.set, ", ") or nil
    say_failure(("step %s"):format(tostring(entry.number)), entry.result)
    local its = status_of(entry.result, true)
    if its == UNFINISHED and not entry.result.failed then its = 0 end -- a step may launch nothing
    if status ~= 1 and its ~= 0 then status = its end
  end
  return save_json(parsed, runs) and status or 1
end

-- ---- the command ----

local lists_for_files = {["--arg"] = "arguments", ["-D"] = "defines", ["-I"] = "folders", ["--options"] = "options"}

local sources = {cl = true, opencl = true, ocl = true}

local function has_kernel(text)
  return (" " .. c_text.mask(text)):find "[^%w_]_*kernel%s" ~= nil
end

-- What the word names: "script", "space", "file", "captured" or "walkthrough"; or why it is none of them.
local function kind_of(what)
  local extension = what:match "%.(%a+)$"
  local is_file = lfs.attributes(what, "mode") == "file"
  if extension == "lua" or sources[extension] or is_file then
    local text, why = read_file(what)
    if not text then return nil, why end
    if text == "" and extension ~= "lua" then return nil, what .. ": the file is empty" end
    if extension == "lua" then return is_space(text) and "space" or "script" end
    if sources[extension] or has_kernel(text) then return "file" end
    return nil, what .. ": it is neither a script (.lua) nor a source with a kernel"
  end
  return lfs.attributes(what .. "/call.lua", "mode") == "file" and "captured" or "walkthrough"
end

local function misplaced(parsed, kind)
  local of_steps = kind ~= "walkthrough" and subcommand.first_given(parsed, {"steps", "size"})
  if of_steps then return ("--%s is for walkthroughs; a script's own options follow it"):format(of_steps) end
  local of_file = kind ~= "file" and subcommand.first_given(parsed, {"kernel", "global", "local"})
  if of_file then return ("--%s is for .cl files"):format(of_file) end
  local of_space = kind ~= "space" and subcommand.first_given(parsed, {"set", "capture"})
  if of_space then return ("--%s is for spaces of clue tune"):format(of_space) end
  for name, target in pairs(lists_for_files) do
    if parsed[target][1] and kind ~= "file" then return name .. " is for .cl files" end
  end
  if parsed.tries and kind ~= "file" and kind ~= "script" then return "--tries is for scripts and .cl files" end
  if parsed.group and parsed["local"] then return "--group and --local both give the groups: leave one out" end
end

function command.work(parsed, rest)
  if not parsed.what then
    return command.wrong_use "which script, walkthrough, .cl file, space or folder of a captured call?"
  end
  local kind, why = kind_of(parsed.what)
  if not kind then return refuse(why, 2) end
  local wrong = misplaced(parsed, kind)
  if wrong then return command.wrong_use(wrong) end
  if kind == "walkthrough" then return command.attempt(check_walkthrough, parsed) end
  return command.attempt(check_one, parsed, rest, subjects[kind])
end

return command
