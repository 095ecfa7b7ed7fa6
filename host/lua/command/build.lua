--- `clue build`: compiles an OpenCL C file for the chosen devices, and shows the results.
local common = require "clue.build.options"
local json = require "clue.shared.json"
local output = require "clue.output"
local programs = require "clue.build.programs"
local read_file = require("clue.file").read
local request = require "clue.run.request"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "build",
  group = "kernel",
  page = "reference/build.md",
  summary = "compile a .cl file or a script's programs: registers, messages",
  about = "Compiles OpenCL C for the chosen devices; or runs a script, and compiles every program that it built. Shows "
    .. "the compilers' messages as FILE:LINE:COLUMN with the line and a caret, and for each kernel its arguments, the "
    .. "work-group's limits, suggested local sizes, local and private memory, and, if the compiler reports them, "
    .. "registers and spills. Exit status 0: it compiles for all devices; 1: otherwise; 2: wrong use.",
  words = common.words,
}

function command.options(parser)
  common.add(parser, "the devices to compile for, as `clue devices` names them: one, several with commas, or all")
  subcommand.writes(parser:option("--emit", "write the driver's binary to this file (NVIDIA: PTX; others: a binary for "
    .. "context:program_from_binary); for several devices, the device's number is added before the ending")
    :argname "FILE")
  parser:flag("--json", "print everything as JSON")
end

-- ---- the results ----

-- Each compiler writes registers and messages into the log in its own way.
local function read_log(result, program)
  local registers = require "clue.kernel.registers"
  result.messages = result.lost and {} or programs.messages(program, result)
  for _, kernel in ipairs(result.kernels) do
    for name, value in pairs(registers.of(result.log, kernel.name)) do kernel[name] = value end
  end
end

local function emitted_name(path, ordinal, several)
  if not several then return path end
  local stem, ending = path:match "^(.*[^/])(%.[^./]*)$"
  return ("%s.%d%s"):format(stem or path, ordinal, ending or "")
end

local function emit(path, result)
  local saved, why = require("clue.file").save(path, assert(read_file(result.binary)))
  if not saved then error(("--emit: %s"):format(why), 0) end
  result.emitted = path
end

local order = {"format", "file", "ok", "programs", "title", "options", "devices", "device", "ordinal", "address",
               "name", "seconds", "failed", "code", "messages", "kind", "line", "column", "text", "source", "kernels",
               "arguments", "type_name", "address_qualifier", "access_qualifier", "type_qualifier"}

local function devices_of(program)
  local devices = json.list {}
  for i, each in ipairs(program.built) do
    local result = each.result
    result.device, result.binary, result.lost = each.device, nil, nil
    json.list(result.messages)
    json.list(result.kernels)
    devices[i] = result
  end
  return devices
end

-- A file has one program, whose members are the document's; a script has a list.
local function print_json(path, list, is_script, ok)
  local document = {format = "clue build 1", file = path, ok = ok}
  if is_script then
    document.programs = json.list {}
    for i, program in ipairs(list) do
      document.programs[i] = {title = program.title, options = program.options, devices = devices_of(program)}
    end
  else
    document.options, document.devices = list[1].options, devices_of(list[1])
  end
  output.print(json.text(document, true, order))
end

-- ---- the command ----

local function progress(value)
  output.progress(value.device and ("compiling for %s"):format(value.device.text) or "")
end

-- Whether a program compiles for all devices.
local function read_results(parsed, program)
  local ok = true
  for _, each in ipairs(program.built) do
    read_log(each.result, program)
    ok = ok and each.result.ok and not each.result.binary_failed
    if each.result.binary then
      emit(emitted_name(parsed.emit, each.device.ordinal, #program.built > 1), each.result)
    end
  end
  return ok
end

local function show(parsed, list, is_script)
  local ok = true
  for _, program in ipairs(list) do ok = read_results(parsed, program) and ok end
  output.clear_progress()
  if parsed.json then
    print_json(parsed.file, list, is_script, ok)
  else
    require("clue.show.text").print_whole(require("clue.build.view").blocks(list))
  end
  return ok and 0 or 1
end

local function work(parsed, words)
  return programs.build(command, parsed, words, {binary = parsed.emit ~= nil}, function(list, launched)
    return show(parsed, list, launched ~= nil)
  end, progress)
end

function command.work(parsed, words)
  if parsed.emit and (parsed.file:find "%.lua$" or common.is_walkthrough(parsed)) then
    return command.wrong_use "--emit is for a file of OpenCL C: a script builds several programs"
  end
  if common.is_walkthrough(parsed) then return request.each_step(parsed, command.refuse, work) end
  return work(parsed, words)
end

return command
