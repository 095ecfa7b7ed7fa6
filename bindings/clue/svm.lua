--- Shared virtual memory: one address for the host and the devices of a context. Made by context:svm(). Kernels take
-- it like a buffer, and it may contain pointers into itself.
--
--     local list = context:svm(4096)
--     local links = queue:map_svm(list, "ulong")             -- coarse-grained: the host may use it while it is mapped
--     links[0] = list.pointer + 16                           -- what a kernel follows
--     queue:unmap(links)
--     walk(queue, 1, nil, list)                              -- or list:at(16), to start there
--
-- With the flag "svm_fine_grain_buffer", host and device can use it at the same time, without mapping:
--
--     local cells = context:svm(4096, "svm_fine_grain_buffer"):array "int"
--
-- If a kernel reaches other memory through pointers, list that memory: kernel:set_svm_pointers(list, other). Freed
-- memory, whether by close() or by the collector, is released once no command uses it any more.
-- @module clue.svm
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local buffers = require "clue.buffer"
local enqueue = require "clue.enqueue"
local error_object = require "clue.error"
local has_bit = require("clue.bytes").has_bit
local object = require "clue.object"
local structs = require "clue.struct.place"
local text = require "clue.text"

--- The fields of shared virtual memory.
-- @table svm
-- @tfield number size in bytes
-- @tfield context context
-- @tfield boolean fine_grained whether host and device can use it at the same time
-- @tfield boolean atomics whether atomics work between host and device
-- @tfield number pointer its address

local svm = {}

-- The address is asked for when it is read.
local function property(self, name)
  local handle = rawget(self, "handle")
  if name ~= "pointer" or not handle then return nil end
  return (error_object.check(binding.handle_pointer(handle, "svm")))
end

local methods, adopt, meta = object.class("svm", function(self)
  return ("%s, %s%s"):format(text.count(self.size, "byte"), self.fine_grained and "fine-grained" or "coarse-grained",
    self.atomics and " with atomics" or "")
end, property)
meta.__completions = {pointer = true}

meta.of_handle = function(handle, parent_of)
  local made = svm.described(handle)
  made.context = parent_of(handle)
  return made
end

local flag_bits = {read_write = 1, write_only = 2, read_only = 4, svm_fine_grain_buffer = 1024, svm_atomics = 2048}

--- The properties of shared virtual memory, by its handle.
-- @tparam number handle
-- @treturn table the fields of its object, except context
function svm.described(handle)
  local bits = error_object.check(binding.svm_flags(handle))
  return {size = error_object.check(binding.memory_size(handle)),
    fine_grained = has_bit(bits, flag_bits.svm_fine_grain_buffer), atomics = has_bit(bits, flag_bits.svm_atomics)}
end

--- Makes shared virtual memory. Raises an error object if the device has none, or none of this kind
-- (device.svm_capabilities).
-- @tparam context context
-- @tparam number|array|struct|struct_array size bytes, whose contents are undefined; or an array, a struct or an array
--   of structs: memory of its size with its contents
-- @tparam[opt="read_write"] string|table flags a name or several: "read_write", "read_only", "write_only" (what kernels
--   do with it), "svm_fine_grain_buffer", and with that "svm_atomics"
-- @treturn svm
function svm.new(context, size, flags)
  local on, memory = object.handle(context, "context"), structs.array(size)
  local from = array.is(memory) and memory or nil
  if from then argument.array(from, "size") else argument.size(size, "size") end
  local bits = argument.flags(flags == nil and "read_write" or flags, flag_bits, "flags")
  local make = from and binding.svm_create_from or binding.svm_create
  local handle = buffers.create(make, on, from or size, bits)
  local fields = svm.described(handle)
  fields.context = context
  return adopt(handle, fields)
end

-- ---- the host's view --------------------------------------------------------------------------------------------

local view_options = {offset = "whole", count = "whole"}

--- An array in fine-grained memory, which the host can read and write at any time. What a device writes meanwhile is
-- visible once its command has ended. The array keeps the memory alive until queue:unmap or the collector ends it.
-- Coarse-grained memory must be mapped instead: queue:map_svm.
-- @tparam string|type type_name of the elements, "float", or a type of cl.structs
-- @tparam[opt] table where offset: bytes (0), a multiple of an element's size; count: number of elements (to the end)
-- @treturn array
function methods:array(type_name, where)
  local handle = object.handle(self, "svm")
  where = argument.options(where, "where", view_options)
  local code, offset, count, over = enqueue.elements(type_name, where, self.size)
  return (over(error_object.check(binding.svm_view(handle, code, offset, count))))
end

-- ---- places in the memory ---------------------------------------------------------------------------------------

local place = {kind = "place"}
place.__index = place

function place:__tostring()
  return ("%s at %.0f"):format(tostring(self.of), self.offset)
end

--- A place in the memory, as an argument for a kernel. The kernel sees what lies from there on.
-- @tparam number offset bytes
-- @treturn argument what kernels take; it keeps the memory alive
function methods:at(offset)
  object.handle(self, "svm")
  return setmetatable({of = self, offset = argument.whole(offset, "offset")}, place)
end

--- Whether an argument of a kernel is shared virtual memory or a place in it.
-- @param given anything
-- @treturn ?svm nil if it is neither
-- @treturn ?number the place, in bytes
function svm.place_of(given)
  if object.kind(given) == "svm" then return given, 0 end
  if type(given) == "table" and getmetatable(given) == place then return given.of, given.offset end
end

return svm
