--- What queues show of buffers, images and shared virtual memory to the host in place: queue:map_buffer,
-- queue:map_image, queue:map_svm and queue:unmap.
-- @module clue.mapping
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local regions = require "clue.region"

local methods = {}

local map_flags = {read = 1, write = 2, write_invalidate_region = 4} -- CL_MAP_*

local function map_bits(access)
  return argument.flags(access == nil and {"read", "write"} or access, map_flags, "access", "access")
end

local map_options = {offset = "whole", count = "whole"}

-- A buffer, or shared virtual memory.
local function map(self, kind, memory, type_name, access, where)
  object.handle(self, "queue")
  local handle = object.handle(memory, kind, kind)
  enqueue.type_of(type_name)
  local bits = map_bits(access)
  where = argument.options(where, "where", map_options)
  local code, offset, count = enqueue.elements(type_name, where, enqueue.size_of(memory))
  local mapped = enqueue.command(self, binding.queue_map, handle, bits, code, offset, count)
  events.deliver()
  return mapped
end

--- Maps a buffer: an array that lies in its memory, for the host to read and write until queue:unmap. Waits
-- for what was enqueued before. Until then, a buffer mapped for writing is refused by kernels and transfers, one mapped
-- for reading by writes. The array keeps the buffer alive; when it is collected it is unmapped.
-- @tparam buffer buffer
-- @tparam string type_name of the elements, "float"
-- @tparam[opt={"read", "write"}] string|table access "read", "write", both, or "write_invalidate_region": what lay
--   there may be lost
-- @tparam[opt] table where offset: in the buffer, in bytes (0), a multiple of an element's; count: so many elements
--   (to the end)
-- @treturn array
function methods:map_buffer(buffer, type_name, access, where)
  return (map(self, "buffer", buffer, type_name, access, where))
end

--- Maps shared virtual memory: an array that lies there, for the host to read and write until queue:unmap; otherwise as
-- @{map_buffer}. Fine-grained memory can be mapped too, and nothing is refused meanwhile; svm:array does without a
-- queue.
-- @tparam svm svm
-- @tparam string type_name of the elements, "float"
-- @tparam[opt={"read", "write"}] string|table access as for @{map_buffer}
-- @tparam[opt] table where offset and count, as for @{map_buffer}
-- @treturn array
function methods:map_svm(svm, type_name, access, where)
  return (map(self, "svm", svm, type_name, access, where))
end

local part_options = {origin = "list", region = "list"}

--- Maps an image: an array that lies in its memory, until queue:unmap; otherwise as @{map_buffer}. There may be gaps
-- behind its rows and slices: the pitches tell where the next one begins.
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

--- Gives mapped memory back; what the host wrote is the device's from here on. The array has no elements then, and its
-- methods, transfers and whatever else takes arrays refuse it.
-- @tparam array mapped what queue:map_buffer, queue:map_image, queue:map_svm or svm:array gave
-- @treturn queue itself
function methods:unmap(mapped)
  object.handle(self, "queue")
  if not array.is(mapped) then argument.refuse("mapped", "a mapped array", mapped) end
  if binding.array_owner(mapped) ~= "mapping" then argument.fail("the array is not mapped, or no more") end
  enqueue.command(self, binding.queue_unmap, mapped)
  return self
end

return methods
