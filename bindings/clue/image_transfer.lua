--- What queues do with images: queue:write_image and its kin.
-- @module clue.image_transfer
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local object = require "clue.object"

local methods = {}

local transfer_options = {blocking = "boolean"}

local function transfer(self, send, call, what, image, data, how)
  object.handle(self, "queue", call)
  local handle = object.handle(image, "image", call, 1)
  if not array.is(data) then
    enqueue.refuse("bad argument #2 to '%s': array expected, got %s", call, object.kind(data) or type(data))
  end
  how = enqueue.options(how, 3, transfer_options, "blocking (true or false)", call)
  local blocking = how.blocking ~= false
  return enqueue.transfer(self, blocking, what, {image, data}, send, handle, data, blocking)
end

--- Writes an array to an image, and waits until that is done.
-- @tparam image image
-- @tparam array data all of its pixels, row by row, slice by slice
-- @tparam[opt] table how blocking = false: does not wait; see @{clue.buffer_transfer}
-- @treturn queue|event itself; its event where it does not wait
function methods:write_image(image, data, how)
  return transfer(self, binding.queue_write_image, "queue:write_image", "a write to an image", image, data, how)
end

--- Reads an image into an array, and waits until that is done.
-- @tparam image image
-- @tparam array data of the image's size
-- @tparam[opt] table how blocking = false: does not wait; see @{clue.buffer_transfer}
-- @treturn queue|event itself; its event where it does not wait
function methods:read_image(image, data, how)
  return transfer(self, binding.queue_read_image, "queue:read_image", "a read from an image", image, data, how)
end

return methods
