--- `clue doctor` on Windows: whether OpenCL.dll is there, which devices it shows, whether the chosen one runs a kernel,
-- and what to install.
-- @module clue.command.doctor
local child = require "clue.doctor.child"
local ffi = require "ffi"
local json = require "clue.json"
local options_of_clue = require "clue.options"
local output = require "clue.output"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "doctor",
  group = "device",
  summary = "find out why there is no device, and what to do",
  about = "Looks for what keeps OpenCL devices away: OpenCL.dll, the drivers behind it, the choice of a device; then "
    .. "runs a small kernel. Exit status 0: a device runs it; 1: otherwise; 2: wrong use.",
}

function command.options(parser)
  subcommand.device(parser, "find out why this device is missing, named as in `clue devices`")
  subcommand.time_limit(parser, "20", "stop a driver that does not answer after so many seconds")
  parser:flag("--json", "print everything as JSON")
end

ffi.cdef [[
  typedef struct { uint32_t size; char name[32], text[128]; uint32_t flags; char id[128], key[128]; } clue_adapter;
  int EnumDisplayDevicesA(const char *device, uint32_t index, clue_adapter *out, uint32_t flags);
  void *LoadLibraryA(const char *name);
  uint32_t GetModuleFileNameA(void *module, char *out, uint32_t room);
]]

-- Where OpenCL.dll is; nil if there is none. It loads no driver before its first call.
local function loader_path()
  local library = ffi.C.LoadLibraryA "OpenCL.dll"
  if library == nil then return nil end
  local path = ffi.new "char[1024]"
  return (ffi.string(path, ffi.C.GetModuleFileNameA(library, path, 1024)):gsub("\\", "/"))
end

-- The graphics adapters, each once.
local function adapters()
  local found, seen, adapter = {}, {}, ffi.new "clue_adapter"
  local user = ffi.load "user32"
  for i = 0, 63 do
    adapter.size = ffi.sizeof(adapter)
    if user.EnumDisplayDevicesA(nil, i, adapter, 0) == 0 then break end
    local text = ffi.string(adapter.text)
    if text ~= "" and not seen[text] then found[#found + 1] = text end
    seen[text] = true
  end
  return found
end

local function ask(name, how)
  local answer, failure = child.ask(name, {}, how)
  answer = answer or {}
  if failure then answer.problem = ("a driver %s (%s)"):format(failure.verb, failure.detail) end
  return answer
end

local drivers = table.concat(require("clue.installing").devices(), " ")

-- What is wrong, in words; nil if nothing is.
local function problem(exam)
  if not exam.loader then return "there is no OpenCL.dll: install a driver of OpenCL; " .. drivers end
  if exam.machine.problem then return exam.machine.problem end
  if #exam.machine.devices == 0 then return "no driver of OpenCL shows a device: install one; " .. drivers end
  if not exam.kernel then return exam.machine.choice.problem end
  return exam.kernel.problem
end

local function examine(options)
  local how = {seconds = options.time_limit, device = options.device or options_of_clue.device}
  local exam = {version = child.version(), loader = loader_path(), adapters = adapters()}
  exam.machine = exam.loader and ask("machine", how) or {}
  exam.machine.devices = exam.machine.devices or {}
  local choice = exam.machine.choice
  if choice and choice.ordinal then exam.kernel = ask("kernel", how) end
  exam.problem = problem(exam)
  return exam
end

local function say(label, text) output.print(("%-10s%s"):format(label, text)) end

local function show(exam)
  say("clue", (exam.version:gsub("^clue ", "")))
  say("loader", exam.loader or "none")
  for i, name in ipairs(exam.adapters) do say(i == 1 and "graphics" or "", name) end
  local chosen = exam.machine.choice and exam.machine.choice.ordinal
  for i, device in ipairs(exam.machine.devices) do
    local ran = device.ordinal == chosen and exam.kernel.seconds
    say(i == 1 and "devices" or "", (device.ordinal == chosen and "* " or "  ") .. device.text
      .. (ran and (": ran a test kernel, %.2f s with its build"):format(ran) or ""))
  end
  output.print ""
  if exam.problem then return output.print("verdict: " .. exam.problem) end
  output.print(("verdict: clue takes device %d: %s"):format(chosen, exam.machine.choice.why))
end

function command.work(options)
  local exam = examine(options)
  if options.json then output.print(json.encode(exam)) else show(exam) end
  return exam.problem and 1 or 0
end

return command
