--- OpenCL devices: which there are, their properties, and which one to take.
--
--     local device = require "clue.device"
--     local ordinal, why = device.pick("gpu")
--     print(device.get(ordinal).name, device.get(ordinal).max_compute_units)
--
-- A device has every CL_DEVICE_* property under its name in lower case without CL_DEVICE_: name, max_compute_units,
-- local_mem_type ("local"), also those of extensions (uuid, luid, warp_size_nv). A property that the driver does not
-- know is nil. Sizes are bytes and frequencies MHz, as in OpenCL. The parts that device:partition returns are such
-- objects too.
local argument = require "clue.argument"
local binding = require "clue.binding"
local choice = require "clue.device_choice"
local error_object = require "clue.error"
local info = require "clue.device_info"
local object = require "clue.object"
local oclgrind = require "clue.oclgrind"
local options = require "clue.options"
local output = require "clue.output"
local partition = require "clue.partition"
local public = require "clue.public"
local ranking = require "clue.device_ranking"
local text = require "clue.text"

--- The fields of a device, besides its properties.
-- @table device
-- @tfield number ordinal its number over all platforms, from 0; of a part: that of the whole device
-- @tfield string address "platform:device"
-- @tfield number index within its platform, from 0
-- @tfield table platform index, device_count and every CL_PLATFORM_* property, by its name in lower case
-- @tfield string kind "gpu", "accelerator", "cpu", "any" or "custom"
-- @tfield ?string pci "0000:65:00.0", if the driver reports it
-- @tfield ?device parent of a part: the device that was divided
-- @tfield ?number part of a part: which one it is, from 1
-- @tfield ?number parts of a part: how many there are
-- @tfield ?number handle of a part

local device = {}

-- ---- objects ----------------------------------------------------------------------------------------------------

local sources = setmetatable({}, {__mode = "k"}) -- reads an object's properties

local platform_kind, device_kind, methods, computed = {}, {}, {}, {}

function platform_kind.__index(self, key)
  return sources[self].by_name(key)
end

-- The device's number for OpenCL: an ordinal, or the handle of a part.
local function id_of(self)
  if not rawget(self, "part") or rawget(self, "handle") then return rawget(self, "handle") or self.ordinal end
  error(error_object.new {text = ("part %d of device %d was closed"):format(self.part, self.ordinal)}, 0)
end

-- For a whole device these are nil, without a call to the driver.
local part_fields = {handle = true, part = true, parts = true, parent = true}

function device_kind.__index(self, key)
  if methods[key] then return methods[key] end
  if part_fields[key] then return nil end
  if computed[key] then return computed[key](self) end
  id_of(self)
  return sources[self].by_name(key)
end

-- The driver's properties by name, which the prompt completes.
local function completed(self)
  local names = {}
  for _, entry in ipairs(sources[self].all()) do names[entry[1].short] = true end
  return names
end

device_kind.methods, device_kind.__completions, platform_kind.__completions = methods, completed, completed
device_kind.kind, platform_kind.kind = "device", "platform"
device_kind.shown = function(self)
  return rawget(self, "part") and not rawget(self, "handle") and "a closed device" or "a device"
end

-- The same device, or the same part.
function device_kind.__eq(left, right)
  if rawget(left, "part") or rawget(right, "part") then
    return left.handle ~= nil and left.handle == right.handle
  end
  return left.ordinal == right.ordinal
end

function device_kind.__tostring(self)
  return "device " .. self:describe()
end

local function describe_part(self)
  local whole = self.parent:describe()
  if not self.handle then return ("part %d of %d (closed) of %s"):format(self.part, self.parts, whole) end
  return ("part %d of %d (%s) of %s"):format(self.part, self.parts, text.count(self.max_compute_units, "compute unit"),
    whole)
end

local function check_self(self)
  if object.kind(self) ~= "device" then argument.refuse_self("device", self) end
end

--- One line: "0 (0:0) NAME [CPU, PLATFORM]", "part 1 of 2 (1 compute unit) of 0 (0:0) ...".
-- @treturn string
function methods:describe()
  check_self(self)
  if self.part then return describe_part(self) end
  local labels = {gpu = "GPU", accelerator = "accelerator", cpu = "CPU", any = "CPU and GPU", custom = "custom"}
  return ("%d (%s) %s [%s, %s]"):format(self.ordinal, self.address, self.name or "without a name",
    labels[self.kind], self.platform.name or "platform without a name")
end

--- Divides the device into parts on which contexts can be made. partition_properties and partition_affinity_domain
-- say how it can be divided. Raises an error object on failure.
-- @tparam table how one of equally = compute units of each part; by_counts = {compute units of the first, ...};
--   by_affinity_domain = "numa", "l4_cache", "l3_cache", "l2_cache", "l1_cache" or "next_partitionable"
-- @treturn {device,...}
function methods:partition(how)
  check_self(self)
  local parts = {}
  local handles = partition.handles(id_of(self), how)
  for i, handle in ipairs(handles) do
    local part = {ordinal = self.ordinal, index = self.index, platform = self.platform, address = self.address,
      parent = self, part = i, parts = #handles}
    parts[i] = object.own(part, handle, device_kind)
    sources[part] = info.source("device", handle)
  end
  return parts
end

--- Frees a part now, before the collector would. Contexts on it stay valid. Does nothing to a whole device.
function methods:close()
  check_self(self)
  if self.part then object.disown(self, "device") end
end

--- The number that binding functions take for the device: an ordinal, or the handle of a part.
-- @treturn number
function methods:id()
  check_self(self)
  return (id_of(self))
end

--- Whether the device lists an extension.
-- @tparam string name "cl_khr_fp16"
-- @treturn boolean
function methods:has_extension(name)
  check_self(self)
  return info.lists(self.extensions or "", argument.text(name, "name"))
end

local classes = {gpu = true, accelerator = true, cpu = true, custom = true, default = true}

--- Whether the device reports a class; it may report several.
-- @tparam string kind "gpu", "accelerator" or "cpu"
-- @treturn boolean
function methods:is_kind(kind)
  check_self(self)
  argument.word(kind, classes, "class of devices")
  for name in (self.type or ""):gmatch "%a+" do
    if name == kind then return true end
  end
  return false
end

--- Whether kernels may compute with double.
-- @treturn boolean
function methods:has_double()
  check_self(self)
  local config = self.double_fp_config
  return config ~= nil and #config > 0 or self:has_extension("cl_khr_fp64")
end

local function spelling_of(given)
  if given ~= nil and given ~= "opencl" then argument.refuse("spelling", '"opencl" or nil', given) end
  return given
end

--- Every property that the driver reports, in the order of device_properties.
-- @tparam ?string spelling "opencl": constants as OpenCL writes them
-- @treturn {table,...} {property, value}; property has name ("CL_DEVICE_NAME"), short ("name") and kind
function methods:properties(spelling)
  check_self(self)
  id_of(self)
  return (sources[self].all(spelling_of(spelling)))
end

--- Every property of a platform that the driver reports, in the order of device_properties.
-- @tparam table platform of a device object or of the machine
-- @tparam ?string spelling "opencl": constants as OpenCL writes them
-- @treturn {table,...} {property, value}, as from device:properties()
function device.platform_properties(platform, spelling)
  if object.kind(platform) ~= "platform" then argument.refuse("platform", "a platform (device.platform)", platform) end
  return (sources[platform].all(spelling_of(spelling)))
end

function computed.kind(self)
  local found
  for _, kind in ipairs {"gpu", "accelerator", "cpu"} do
    if self:is_kind(kind) then found = found and "any" or kind end
  end
  return found or "custom"
end

function computed.pci(self)
  if self.pci_bus_info_khr then return self.pci_bus_info_khr end
  if self.topology_amd then return self.topology_amd end
  local bus, slot = self.pci_bus_id_nv, self.pci_slot_id_nv
  if not bus or not slot then return nil end
  return ("%04x:%02x:%02x.%x"):format(self.pci_domain_id_nv or 0, bus, math.floor(slot / 8), slot % 8)
end

local function new_platform(index, device_count)
  local self = {index = index, device_count = device_count}
  sources[self] = info.source("platform", index)
  return setmetatable(self, platform_kind)
end

local function new_device(ordinal, index, platform)
  local self = {ordinal = ordinal, index = index, platform = platform}
  self.address = ("%s:%d"):format(oclgrind.address(platform) or platform.index, index)
  sources[self] = info.source("device", ordinal)
  return setmetatable(self, device_kind)
end

-- ---- what is there ----------------------------------------------------------------------------------------------

--- All platforms and devices of the machine.
-- @treturn table devices (a list, by ordinal) and platforms (a list, including those without devices)
function device.machine()
  local platforms, devices = {}, {}
  for index = 0, error_object.check(binding.platform_count()) - 1 do
    platforms[index + 1] = new_platform(index, 0)
  end
  for ordinal = 0, error_object.check(binding.device_count()) - 1 do
    local platform, index = error_object.check(binding.device_locate(ordinal))
    local home = platforms[platform + 1]
    home.device_count = home.device_count + 1
    devices[ordinal + 1] = new_device(ordinal, index, home)
  end
  local refusal = binding.device_refusal()
  return {platforms = platforms, devices = devices, refusal = #devices == 0 and refusal ~= "" and refusal or nil}
end

--- The device of any object. Raises an error object if there is none.
-- @tparam number id an ordinal or any handle
-- @treturn device
function device.get(id)
  argument.whole(id, "id", nil, 2 ^ 31)
  local ordinal = error_object.check(binding.device_of(id))
  return device.machine().devices[ordinal + 1]
end

--- Recognises a device object.
-- @param value anything
-- @treturn boolean
function device.is(value)
  return type(value) == "table" and getmetatable(value) == device_kind
end

--- The number of a device that a script passes.
-- @tparam device|number given a device object (or a part of a device) or an ordinal
-- @tparam string name of the parameter, for the message
-- @treturn number an ordinal or a handle, for the binding
function device.number(given, name)
  name = type(name) == "string" and name or "given"
  if device.is(given) then return (given:id()) end
  if type(given) == "number" then return (argument.whole(given, name, nil, 2 ^ 31)) end
  argument.refuse(name, "a device or its number", given)
end

-- ---- choosing ---------------------------------------------------------------------------------------------------

--- The text that chooses a device: the one given, or else from
-- --device, CLUE_DEVICE or PYOPENCL_CTX.
-- @tparam ?string spec see clue.device_choice
-- @tparam ?string origin where spec came from, for messages (default: "the script")
-- @treturn ?string a text in clue's grammar, nil if none of them names a device
-- @treturn ?string where it came from: origin, "--device", "CLUE_DEVICE", "PYOPENCL_CTX"
function device.asked_for(spec, origin)
  if spec ~= nil and type(spec) ~= "number" then argument.text(spec, "spec") end
  if spec ~= nil then return tostring(spec), origin or "the script" end
  if options.device then return options.device, "--device" end
  local ours, theirs = os.getenv("CLUE_DEVICE"), os.getenv("PYOPENCL_CTX")
  if ours and ours ~= "" then return ours, "CLUE_DEVICE" end
  if theirs and theirs ~= "" then return choice.from_pyopencl(theirs), "PYOPENCL_CTX" end
  return nil
end

local function select_devices(spec, origin)
  local wanted, from = device.asked_for(spec, origin)
  if origin ~= nil then argument.text(origin, "origin") end
  oclgrind.want(wanted)
  local machine = device.machine()
  if wanted then return choice.resolve(machine, wanted, from) end
  return choice.default(machine)
end

--- The devices that a text means; without a text those of
-- --device, CLUE_DEVICE or PYOPENCL_CTX, or the best one.
-- @tparam ?string spec see clue.device_choice
-- @tparam ?string origin where spec came from, for messages: "--device" (default: "the script")
-- @treturn {number,...} ordinals; raises an error object that lists what there is
-- @treturn string why these
function device.select(spec, origin)
  local devices, why = select_devices(spec, origin)
  local ordinals = {}
  for i, each in ipairs(devices) do ordinals[i] = each.ordinal end
  return ordinals, why
end

--- The first of the devices that a text means; without a text it chooses as device.select does.
-- @tparam ?string spec see clue.device_choice
-- @tparam ?string origin where spec came from, for messages: "--device" (default: "the script")
-- @treturn number ordinal; raises an error object that lists what there is
-- @treturn string why this one
-- @treturn string what to type to get it again: "--device 0:0"
function device.pick(spec, origin)
  local devices, why = select_devices(spec, origin)
  return devices[1].ordinal, why, "--device " .. devices[1].address
end

--- The best device of a class that a function accepts. Options and environment variables are ignored.
-- @tparam ?string kind "gpu", "accelerator", "cpu"; nil: any, in this order
-- @tparam ?function accept called with a device object
-- @treturn ?number ordinal, nil if there is none
-- @treturn string why
-- @treturn ?string what to type to get it again
function device.best(kind, accept)
  if kind ~= nil then argument.word(kind, ranking.nouns, "class of devices") end
  if accept ~= nil then argument.typed(accept, "function", "accept") end
  local best, why = ranking.best(device.machine().devices, kind, accept)
  if not best then return nil, why end
  return best.ordinal, why, "--device " .. best.address
end

local announced, warned = false, false

--- Writes to stderr which device is taken and why; once per process, and not with
-- --quiet.
-- @tparam number ordinal
-- @tparam string why
-- @tparam string again what to type to get it again: "--device 0:0"
function device.announce(ordinal, why, again)
  argument.text(why, "why")
  argument.text(again, "again")
  if announced or options.quiet then return end
  announced = true
  output.err:write(("clue: %s: %s; %s picks it again\n"):format(tostring(device.get(ordinal)), why, again))
end

--- Writes to stderr which results of a device are wrong without an error; once per process, and not with
-- --quiet.
-- @tparam number id of the context that was made, or an ordinal
function device.warn(id)
  argument.whole(id, "id", nil, 2 ^ 31)
  if warned or options.quiet then return end
  local each = device.get(id)
  local doubt = ranking.doubt(each)
  if not doubt or not doubt.wrong then return end
  warned = true
  output.err:write(("clue: %s: %s\n"):format(tostring(each), doubt.wrong))
end

oclgrind.want((device.asked_for())) -- before anything can list the devices

public.add("device:", methods)
public.add("device.", device)

return device
