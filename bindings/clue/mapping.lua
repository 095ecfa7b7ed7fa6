--- What queues show of buffers to the host in place: queue:map_buffer and queue:unmap.
-- @module clue.mapping
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"

local methods = {}

local map_flags = {read = 1, write = 2, write_invalidate_region = 4} -- CL_MAP_*

local function map_bits(access, call)
  local bits, seen = 0, {}
  for _, name in ipairs(type(access) == "table" and access or {access}) do
    if not map_flags[name] then
      enqueue.refuse("%s: no mapping is for '%s'; there are read, write, write_invalidate_region", call, tostring(name))
    end
    bits = bits + (seen[name] and 0 or map_flags[name])
    seen[name] = true
  end
  return bits
end

local map_options = {offset = "number", count = "number"}

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
  local call = "queue:map_buffer"
  object.handle(self, "queue", call)
  local handle = object.handle(buffer, "buffer", call, 1)
  local code, size = binding.type_codes[type_name], binding.type_sizes[type_name]
  if not code then
    enqueue.refuse("bad argument #2 to '%s': the name of a type expected, got %s", call, tostring(type_name))
  end
  local bits = map_bits(access == nil and {"read", "write"} or access, call)
  where = enqueue.options(where, 4, map_options, "offset (bytes) and count (elements), all numbers", call)
  local offset = where.offset or 0
  if offset % size ~= 0 then
    enqueue.refuse("%s: offset %.14g is no multiple of the %d bytes of a %s", call, offset, size, type_name)
  end
  local count = where.count or math.max(math.floor((enqueue.buffer_size(buffer) - offset) / size), 0)
  local mapped = enqueue.command(self, binding.queue_map, handle, bits, code, offset, count)
  events.deliver()
  return mapped
end

--- Gives mapped memory back, after which the array is empty; what the host wrote is the buffer's from here on.
-- @tparam array mapped what queue:map_buffer gave
-- @treturn queue itself
function methods:unmap(mapped)
  local call = "queue:unmap"
  object.handle(self, "queue", call)
  if not array.is(mapped) then
    enqueue.refuse("bad argument #1 to '%s': mapped array expected, got %s", call, object.kind(mapped) or type(mapped))
  end
  if binding.array_owner(mapped) ~= "mapping" then enqueue.refuse("%s: the array is not mapped, or no more", call) end
  enqueue.command(self, binding.queue_unmap, mapped)
  mapped:resize(0) -- which drops rows and columns too
  return self
end

return methods
