--- Runs in the child processes of `clue build` and `clue asm`: compiles a program for the chosen devices, one after the
-- other.
--
-- Only clue.build.child calls this, in processes that it starts. Each fact is sent at once, as a line of JSON through
-- descriptor 3: {devices = count}, then for each device {device = facts} before its compiler is called and
-- {result = ...} after.
local build_log = require "clue.build_log"
local contexts = require "clue.context"
local devices = require "clue.device"
local failure = require "clue.failure"
local json = require "clue.shared.json"
local read_file = require("clue.file").read
local save = require("clue.file").save
local send = require("clue.shared.parent").send

local compiling = {}

local function facts_of(device)
  return {ordinal = device.ordinal, address = device.address, name = device.name, text = device:describe(),
          platform = device.platform.name, driver = device.driver_version, version = device.version}
end

local figures = {"work_group_size", "preferred_work_group_size_multiple", "local_mem_size", "private_mem_size",
                 "compile_work_group_size"}

local typical_ranges = {line = 2 ^ 20, square = {1024, 1024}}

-- The driver's suggestion, if it has one for a kernel whose arguments are not set; else clue's.
local function suggestions(queue, kernel)
  local suggested = {}
  for name, global in pairs(typical_ranges) do
    local asked, sizes, by = pcall(queue.suggested_local_size, queue, kernel, global)
    if asked then
      suggested[name] = {local_size = json.list(sizes), global_size = global, by = by}
    elseif not failure.is(sizes) then -- a size that does not fit the range is an answer, anything else is not
      error(sizes, 0)
    end
  end
  return suggested
end

-- If the driver cannot make a kernel (one with images, on a device without images), the result says so.
local function kernel_facts(program, queue, name)
  local made, kernel = pcall(program.kernel, program, name)
  if not made then return {name = name, failed = tostring(kernel)} end
  local facts = {name = name, arguments = json.list(kernel.arguments), attributes = kernel.attributes}
  for _, figure in ipairs(figures) do facts[figure] = kernel[figure] end
  facts.suggested = suggestions(queue, kernel)
  kernel:close()
  return facts
end

local function failure_of(problem)
  local of = failure.is(problem) and problem or {text = tostring(problem)}
  return {ok = false, failed = of.text, code = of.code, name = of.name, log = of.log or "", kernels = json.list {}}
end

local function keep_binary(result, program, path)
  local given, binary = pcall(program.binary, program)
  if not given then
    result.binary_failed = tostring(binary)
    return
  end
  assert(save(path, binary))
  result.binary, result.binary_bytes = path, #binary
end

-- Options for this device's compiler only: NVIDIA reports registers and spills if asked to.
local function options_for(device, options)
  if not device:has_extension "cl_nv_compiler_options" then return options end
  return "-cl-nv-verbose" .. (options == "" and "" or " ") .. options
end

-- As the core does.
local function with_environment(options)
  local added = os.getenv "CLUE_BUILD_OPTIONS"
  if not added or added == "" then return options end
  return options == "" and added or options .. " " .. added
end

local function headers_of(part)
  local headers = {}
  for i = 1, #part.headers, 2 do headers[part.headers[i]] = part.headers[i + 1] end
  return headers
end

-- Compiles one text, or several and links them, as the script did.
local function make(context, device, program)
  local function prepared(part)
    return part.source, {options_for(device, part.options), headers = headers_of(part)}
  end
  if not program.link then return context:program(prepared(program.parts[1])) end
  local compiled = {}
  for i, part in ipairs(program.parts) do compiled[i] = context:compile(prepared(part)) end
  return context:link(compiled, program.link)
end

local function build(device, wanted, request, number)
  local context = contexts.new(device.ordinal)
  local started = require("clue.binding").now()
  local built, program = pcall(make, context, device, wanted)
  local seconds = require("clue.binding").now() - started
  local result = built and {ok = true, log = program.log, kernels = json.list {}} or failure_of(program)
  result.options, result.seconds = with_environment(options_for(device, wanted.parts[1].options)), seconds
  if not built then return result end
  local queue = context:queue()
  for i, name in ipairs(program.kernels) do result.kernels[i] = kernel_facts(program, queue, name) end
  if request.binary then keep_binary(result, program, ("%s/binary.%d"):format(request.folder, number)) end
  return result
end

--- Compiles.
-- @tparam string text a request as JSON: program, the path of a file with parts ({source, options, headers}), link and
--   place (see @{clue.build.recorder.start}) as JSON; file: the source's name for messages, nil if it has none; device
--   (a choice or nil); from: the first of the chosen devices to compile for, from 1; most: the greatest number of
--   devices (nil: all); binary: whether to keep the binaries, in folder
function compiling.run(text)
  local request = json.read(text)
  local chosen, ordinals = pcall(devices.select, request.device, "--device")
  if not chosen then
    send {refused = failure.text(ordinals)}
    return
  end
  local program, machine = json.read(assert(read_file(request.program))), devices.machine()
  local source = program.parts[1].source
  if request.file then build_log.read(request.file, source) end
  if program.place then build_log.remember(source, program.place) end
  local count = math.min(#ordinals, request.most or #ordinals)
  send {devices = count}
  for i = request.from, count do
    local device = machine.devices[ordinals[i] + 1]
    send {device = facts_of(device)}
    send {result = build(device, program, request, i)}
  end
end

return compiling
