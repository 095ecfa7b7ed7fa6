--- Runs in the doctor's child processes: the questions that load drivers.
--
-- Only clue.doctor.child calls this, in processes that it starts. Answers are sent as JSON through descriptor 3
-- before the process ends, so a driver may crash at the end without losing its answer.
local send = require("clue.shared.parent").send -- which loads neither the core nor the loader

local questions = {}

local function mapped(part)
  local maps = io.open "/proc/self/maps"
  for line in maps and maps:lines() or function() end do
    local path = line:match "(/[^\n]*)$"
    local name = path and path:match "[^/]*$"
    if name and name:sub(1, #part) == part then return path end
  end
  return nil
end

--- Loads a library by itself.
-- @tparam string library as the loader is given it
-- @tparam string ... functions to look for
-- @treturn table loaded, why (dlerror's text), missing: functions that it lacks, path
function questions.load(library, ...)
  local missing, count, name = {}, 0, library:match "[^/]*$"
  for _, symbol in ipairs {...} do
    local found, why, at = package.loadlib(library, symbol)
    if not found and at ~= "init" then return {loaded = false, why = why} end
    if not found then
      count = count + 1
      missing[count] = symbol
    end
  end
  return {loaded = true, missing = missing, path = mapped(name)}
end

local function platforms_of(machine)
  local list = {}
  for i, platform in ipairs(machine.platforms) do
    list[i] = {
      index = platform.index, name = platform.name or "without a name", version = platform.version,
      device_count = platform.device_count,
    }
  end
  return list
end

local function devices_of(machine)
  local list, ranking = {}, require "clue.device_ranking"
  for i, each in ipairs(machine.devices) do
    local doubt = ranking.doubt(each) or {}
    list[i] = {
      ordinal = each.ordinal, text = each:describe(), name = each.name, platform = each.platform.index,
      kind = each.kind, vendor_id = each.vendor_id, pci = each.pci, driver = each.driver_version,
      wrong = doubt.wrong,
    }
  end
  return list
end

-- The device that a run takes, or what is wrong if there is none.
local function choice()
  local device, failure = require "clue.device", require "clue.failure"
  local done, ordinal, why, again = pcall(device.pick)
  if done then return {ordinal = ordinal, why = why, again = again} end
  local text = failure.text(ordinal)
  return {problem = (text:gsub("\n *`clue doctor` finds [^\n]*$", ""))} -- which it does now
end

--- What OpenCL finds, and what clue uses.
-- @tparam[opt] string driver the library whose path is wanted
-- @treturn table loader, loader_path, lacks_loader (whether clue started without one), libclue, binding, lua,
--   platforms, devices, refusal, choice, driver_path
function questions.machine(driver)
  local binding = require "clue.binding"
  local machine = require("clue.device").machine()
  return {
    loader = binding.loader_name(), loader_path = mapped "libOpenCL.so", libclue = mapped "libclue.so",
    lacks_loader = mapped "libOpenCL.so" == nil and mapped "libclue_opencl.so" ~= nil or nil,
    binding = binding.name, platforms = platforms_of(machine), devices = devices_of(machine),
    refusal = machine.refusal, choice = #machine.devices > 0 and choice() or nil,
    driver_path = driver and mapped(driver:match "[^/]*$") or nil,
  }
end

local source = [[
kernel void clue_doctor(global int *numbers) {
  int i = get_global_id(0);
  numbers[i] = 3 * i + 1;
}
]]

local function run_kernel(mql5, array, ordinal)
  local count = 64
  local numbers = array.int(count)
  local context = assert(mql5.CLContextCreate(ordinal))
  local program = mql5.CLProgramCreate(context, source)
  local kernel = mql5.CLKernelCreate(program, "clue_doctor")
  local buffer = mql5.CLBufferCreate(context, numbers:bytes(), mql5.CL_MEM_READ_WRITE)
  mql5.CLSetKernelArgMem(kernel, 0, buffer)
  mql5.CLExecute(kernel, 1, {0}, {count})
  mql5.CLBufferRead(buffer, numbers)
  for i = 0, count - 1 do
    if numbers[i] ~= 3 * i + 1 then
      return ("it gives wrong results: %d instead of %d"):format(numbers[i], 3 * i + 1)
    end
  end
  return nil
end

--- Builds and runs a small kernel on the device that a run takes.
-- @treturn table seconds, or problem
function questions.kernel()
  local device, mql5, options = require "clue.device", require "clue.mql5", require "clue.options"
  local binding = require "clue.binding"
  options.raise = true
  local started = binding.now()
  local done, problem = pcall(function() return run_kernel(mql5, mql5.array, (device.pick())) end)
  if not done then return {problem = tostring(problem)} end
  if problem then return {problem = problem} end
  return {seconds = binding.now() - started}
end

--- Answers one question.
-- @tparam string name of a function of this module
-- @param ... its arguments
function questions.answer(name, ...)
  send(questions[name](...))
end

return questions
