--- What devices report about a kernel's sub-groups (clGetKernelSubGroupInfo), which OpenCL 3.1 requires. Devices with
-- an OpenCL before 2.1, and those without sub-groups, report nothing; the methods raise then.
-- @module clue.kernel.sub_groups
local argument = require "clue.argument"
local binding = require "clue.binding"
local bytes = require "clue.bytes"
local device = require "clue.device"
local error_object = require "clue.error"
local object = require "clue.object"

local sub_groups = {methods = {}}

local MAX_SIZE, COUNT, LOCAL_SIZE = 0x2033, 0x2034, 0x11B8 -- CL_KERNEL_...
sub_groups.properties = {max_num_sub_groups = 0x11B9, compile_num_sub_groups = 0x11BA}

local function ask(handle, property, given, on)
  local answer = binding.kernel_sub_group_bytes(handle, property, given, on)
  return answer and bytes.each(answer, 8)
end

--- A property that depends on nothing else.
-- @tparam number handle of the kernel
-- @tparam string name "max_num_sub_groups" or "compile_num_sub_groups"
-- @treturn ?number nil if the device does not report it
function sub_groups.info(handle, name)
  local numbers = ask(handle, sub_groups.properties[name], {})
  return numbers and numbers[1]
end

local function list_of(given)
  if type(given) == "number" then given = {given} end
  local fits = argument.is_plain(given) and #given >= 1 and #given <= 3
  for i = 1, fits and #given or 0 do argument.whole(given[i], "local size", 1, 2 ^ 31) end
  return fits and given or argument.refuse("local size", "a number or a list of one to three numbers", given)
end

--- The sub-groups of a work-group.
-- @function sub_group_info
-- @tparam number|table local_size the size of the work-group, in up to three dimensions
-- @tparam[opt] device|number on one of the context's devices (the first)
-- @treturn table max_sub_group_size: the most work-items of a sub-group; sub_group_count: how many sub-groups the
--   work-group has
function sub_groups.methods:sub_group_info(local_size, on)
  local handle, sizes = object.handle(self, "kernel"), list_of(local_size)
  local number = on ~= nil and device.number(on, "on") or nil
  return {max_sub_group_size = error_object.check(ask(handle, MAX_SIZE, sizes, number))[1],
          sub_group_count = error_object.check(ask(handle, COUNT, sizes, number))[1]}
end

--- A local size that has a number of sub-groups.
-- @function local_size_for_sub_group_count
-- @tparam number count of sub-groups
-- @tparam[opt] device|number on one of the context's devices (the first)
-- @treturn ?number the local size, in one dimension; nil if none has so many
function sub_groups.methods:local_size_for_sub_group_count(count, on)
  local handle = object.handle(self, "kernel")
  argument.whole(count, "count", 1, 2 ^ 31)
  local number = on ~= nil and device.number(on, "on") or nil
  local size = error_object.check(ask(handle, LOCAL_SIZE, {count}, number))[1]
  return size > 0 and size or nil
end

return sub_groups
