--- Lets the host use the memory of buffers, images and shared virtual memory in place: queue:map_buffer,
-- queue:map_image, queue:map_svm and queue:unmap.
-- @module clue.mapping
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local place = require "clue.struct.place"
local regions = require "clue.region"

local methods = {}

local map_flags = {read = 1, write = 2, write_invalidate_region = 4} -- CL_MAP_*

local function map_bits(access)
  return argument.flags(access == nil and {"read", "write"} or access, map_flags, "access", "access")
end

local map_options = {offset = "whole", count = "whole"}

-- Maps a buffer, or shared virtual memory.
local function map(self, kind, memory, type_name, access, where)
  object.handle(self, "queue")
  local handle = object.handle(memory, kind, kind)
  if not enqueue.is_struct(type_name) then enqueue.type_of(type_name) end
  local bits = map_bits(access)
  where = argument.options(where, "where", map_options)
  local code, offset, count, over = enqueue.elements(type_name, where, enqueue.size_of(memory))
  local mapped = enqueue.command(self, binding.queue_map, handle, bits, code, offset, count)
  events.deliver()
  if bits > map_flags.read and type(memory) == "table" then memory.elements = code end
  return (over(mapped))
end

--- Maps a buffer: returns an array in its memory, which the host can read and write until queue:unmap. Waits for what
-- was enqueued before. While the buffer is mapped for writing, kernels and transfers refuse it; while it is mapped
-- for reading, writes do. The array keeps the buffer alive, and is unmapped when it is collected.
-- @tparam buffer buffer
-- @tparam string|type type_name of the elements, "float", or a type of cl.structs
-- @tparam[opt={"read", "write"}] string|table access "read", "write", both, or "write_invalidate_region": the old
--   contents may be lost
-- @tparam[opt] table where offset: in the buffer, in bytes (0), a multiple of an element's size; count: number of
--   elements (to the end)
-- @treturn array
function methods:map_buffer(buffer, type_name, access, where)
  return (map(self, "buffer", buffer, type_name, access, where))
end

--- Maps shared virtual memory: returns an array in it, which the host can read and write until queue:unmap; otherwise
-- like @{map_buffer}. Fine-grained memory can be mapped too; then nothing is refused meanwhile, and svm:array does it
-- without a queue.
-- @tparam svm svm
-- @tparam string|type type_name of the elements, "float", or a type of cl.structs
-- @tparam[opt={"read", "write"}] string|table access as for @{map_buffer}
-- @tparam[opt] table where offset and count, as for @{map_buffer}
-- @treturn array
function methods:map_svm(svm, type_name, access, where)
  return (map(self, "svm", svm, type_name, access, where))
end

local part_options = {origin = "list", region = "list"}

--- Maps an image: returns an array in its memory, until queue:unmap; otherwise like @{map_buffer}. There may be gaps
-- after its rows and slices: the pitches say where the next one begins.
-- @tparam image image
-- @tparam string type_name of the elements, "float"
-- @tparam[opt={"read", "write"}] string|table access as for @{map_buffer}
-- @tparam[opt] table where origin and region: a part of the image (all of it), see @{clue.image_transfer}
-- @treturn array
-- @treturn number bytes from row to row
-- @treturn number bytes from slice to slice
function methods:map_image(image, type_name, access, where)
  object.handle(self, "queue")
  local handle, code = object.handle(image, "image", "image"), (enqueue.type_of(type_name))
  local bits = map_bits(access)
  where = argument.options(where, "where", part_options)
  local origin, region = regions.part(image, where.origin, where.region)
  local mapped, row_pitch, slice_pitch = enqueue.command(self, binding.queue_map_image, handle, bits, code, origin,
    region)
  events.deliver()
  return mapped, row_pitch, slice_pitch
end

--- Releases mapped memory. What the host wrote belongs to the device from then on. The array has no elements any
-- more: its methods, transfers and all that takes arrays refuse it, and so do graphs that were recorded with it. Waits
-- for transfers of other queues that use the array, and fails if one of them waits for a user event.
-- @tparam array mapped from queue:map_buffer, queue:map_image, queue:map_svm or svm:array
-- @treturn queue itself
function methods:unmap(mapped)
  object.handle(self, "queue")
  mapped = place.of(mapped) or mapped
  if not array.is(mapped) then argument.refuse("mapped", "a mapped array", mapped) end
  if binding.array_owner(mapped) ~= "mapping" then argument.fail("the array is not mapped") end
  enqueue.command(self, binding.queue_unmap, mapped)
  return self
end

return methods
