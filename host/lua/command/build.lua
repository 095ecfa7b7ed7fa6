--- `clue build`: compiles an OpenCL C file for the chosen devices, and shows the results.
-- @module clue.command.build
local common = require "clue.build.options"
local json = require "clue.shared.json"
local output = require "clue.output"
local read_file = require "clue.read_file"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "build",
  summary = "compile a .cl file for devices: messages, kernels, registers, binary",
  about = "Compiles OpenCL C for the chosen devices. Shows their compilers' messages as FILE:LINE:COLUMN with the line "
    .. "and a caret, and for each kernel its arguments, the work-group's limits, suggested local sizes, local and "
    .. "private memory, and, if the compiler reports them, registers and spills. Exit status 0: it compiles for all "
    .. "devices; 1: otherwise; 2: wrong use.",
  words = common.words,
}

function command.options(parser)
  common.add(parser, "the devices to compile for, as `clue devices` names them: one, several with commas, or all")
  parser:option("--emit", "write the driver's binary to this file (NVIDIA: PTX; others: a binary for "
    .. "context:program_from_binary); for several devices, the device's number is added before the ending")
    :argname "FILE"
  parser:flag("--json", "print everything as JSON")
end

-- ---- the results ----

-- Each compiler writes registers and messages into the log in its own way.
local function read_log(result, file, source)
  local registers = require "clue.build.registers"
  result.messages = result.lost and {} or require("clue.build.messages").read(result.log, file, source)
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
  local saved, why = require "clue.save"(path, assert(read_file(result.binary)))
  if not saved then error(("--emit: %s"):format(why), 0) end
  result.emitted = path
end

local function print_json(file, options, built, ok)
  local devices = json.list {}
  for i, each in ipairs(built) do
    local result = each.result
    result.device, result.binary, result.lost = each.device, nil, nil
    json.list(result.messages)
    json.list(result.kernels)
    devices[i] = result
  end
  local order = {"format", "file", "options", "ok", "devices", "device", "ordinal", "address", "name", "seconds",
                 "failed", "code", "messages", "kind", "line", "column", "text", "source", "kernels", "arguments",
                 "type_name", "address_qualifier", "access_qualifier", "type_qualifier"}
  local document = {format = "clue build 1", file = file, options = options, ok = ok, devices = devices}
  output.print(json.text(document, true, order))
end

-- ---- the command ----

local function progress(value)
  output.progress(value.device and ("compiling for %s"):format(value.device.text) or "")
end

-- Whether it compiles for all devices.
local function read_results(parsed, built, source)
  local ok = true
  for _, each in ipairs(built) do
    read_log(each.result, parsed.file, source)
    ok = ok and each.result.ok and not each.result.binary_failed
    if each.result.binary then
      emit(emitted_name(parsed.emit, each.device.ordinal, #built > 1), each.result)
    end
  end
  return ok
end

local function print_all(built)
  local view = require "clue.build.view"
  local width = output.out:columns(80)
  for i, each in ipairs(built) do
    if i > 1 then output.print "" end
    view.device(each, width)
  end
end

function command.work(parsed)
  return common.build(command, parsed, {binary = parsed.emit ~= nil}, function(built, source, _, options)
    local ok = read_results(parsed, built, source)
    if parsed.json then print_json(parsed.file, options, built, ok) else print_all(built) end
    return ok and 0 or 1
  end, progress)
end

return command
