--- Shared virtual memory: one address for the host and the devices of a context. Made by context:svm(); kernels take it
-- as they take a buffer, and pointers into it may lie in it.
--
--     local list = context:svm(4096)
--     local links = queue:map_svm(list, "ulong")             -- coarse-grained: the host's while it is mapped
--     links[0] = list.pointer + 16                           -- what a kernel follows
--     queue:unmap(links)
--     walk(queue, 1, nil, list)                              -- or list:at(16), from there on
--
-- With the flag "svm_fine_grain_buffer" host and device have it at the same time, without mapping:
--
--     local cells = context:svm(4096, "svm_fine_grain_buffer"):array "int"
--
-- A kernel that comes to other memory by pointers is told so: kernel:set_svm_pointers(list, other). What is freed, by
-- close() or by the collector, goes when no command uses it any more.
--
-- Fields: size (bytes), context, fine_grained and atomics (true or false), pointer (its address, a number).
-- @module clue.svm
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local buffers = require "clue.buffer"
local enqueue = require "clue.enqueue"
local error_object = require "clue.error"
local object = require "clue.object"

local svm = {}

-- Asked for when it is wanted.
local function property(self, name)
  local handle = rawget(self, "handle")
  if name ~= "pointer" or not handle then return nil end
  return (error_object.check(binding.handle_pointer(handle, "svm")))
end

local methods, adopt, meta = object.class("svm", function(self)
  return ("%.0f bytes, %s%s"):format(self.size, self.fine_grained and "fine-grained" or "coarse-grained",
    self.atomics and " with atomics" or "")
end, property)
meta.__completions = {pointer = true}

local flag_bits = {read_write = 1, write_only = 2, read_only = 4, svm_fine_grain_buffer = 1024, svm_atomics = 2048}

local function bits_of(flags)
  if flags == nil then return flag_bits.read_write end
  return argument.flags(flags, flag_bits, "flags")
end

local function has_bit(bits, bit)
  return math.floor(bits / bit) % 2 == 1
end

--- What there is to know of shared virtual memory by its handle.
-- @tparam number handle
-- @treturn table the fields of its object, but for context
function svm.told(handle)
  local bits = error_object.check(binding.svm_flags(handle))
  return {size = error_object.check(binding.memory_size(handle)),
    fine_grained = has_bit(bits, flag_bits.svm_fine_grain_buffer), atomics = has_bit(bits, flag_bits.svm_atomics)}
end

--- Makes shared virtual memory; raises an error object where the device has none, or none of this kind
-- (device.svm_capabilities).
-- @tparam context context
-- @tparam number|array size bytes; or an array: memory of its size with its contents
-- @tparam[opt="read_write"] string|table flags a name or several: "read_write", "read_only", "write_only" (what kernels
--   do with it), "svm_fine_grain_buffer", and with that "svm_atomics"
-- @treturn svm
function svm.new(context, size, flags)
  local on, from = object.handle(context, "context"), array.is(size) and size or nil
  if from then argument.array(from, "size") else argument.size(size, "size") end
  local bits = bits_of(flags)
  local handle = buffers.create(from and binding.svm_create_from or binding.svm_create, on, size, bits)
  local fields = svm.told(handle)
  fields.context = context
  return adopt(handle, fields)
end

-- ---- the host's view --------------------------------------------------------------------------------------------

local view_options = {offset = "whole", count = "whole"}

--- An array that lies in fine-grained memory, for the host to read and write at any time; what a device writes there
-- at the same moment is seen when its command has ended. It keeps the memory alive; queue:unmap ends it before the
-- collector does. Coarse-grained memory is mapped instead: queue:map_svm.
-- @tparam string type_name of the elements, "float"
-- @tparam[opt] table where offset: bytes (0), a multiple of an element's; count: so many elements (to the end)
-- @treturn array
function methods:array(type_name, where)
  local handle = object.handle(self, "svm")
  where = argument.options(where, "where", view_options)
  local code, offset, count = enqueue.elements(type_name, where, self.size)
  return (error_object.check(binding.svm_view(handle, code, offset, count)))
end

-- ---- places in it -----------------------------------------------------------------------------------------------

local place = {kind = "place"}
place.__index = place

function place:__tostring()
  return ("%s at %.0f"):format(tostring(self.of), self.offset)
end

--- A place in it, as an argument for a kernel, which then sees what lies there and behind.
-- @tparam number offset bytes
-- @return what kernels take; it keeps the memory alive
function methods:at(offset)
  object.handle(self, "svm")
  return setmetatable({of = self, offset = argument.whole(offset, "offset")}, place)
end

--- What an argument of a kernel is of shared virtual memory.
-- @param given anything
-- @treturn ?svm nil where it is none
-- @treturn ?number bytes
function svm.place_of(given)
  if object.kind(given) == "svm" then return given, 0 end
  if type(given) == "table" and getmetatable(given) == place then return given.of, given.offset end
end

return svm
