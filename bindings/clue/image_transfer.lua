--- What queues do with images: queue:write_image and its kin.
-- @module clue.image_transfer
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local object = require "clue.object"

local methods = {}

local function transfer(self, send, call, image, data)
  object.handle(self, "queue", call)
  local handle = object.handle(image, "image", call, 1)
  if not array.is(data) then
    enqueue.refuse("bad argument #2 to '%s': array expected, got %s", call, object.kind(data) or type(data))
  end
  enqueue.command(self, send, handle, data)
  return self
end

--- Writes an array to an image, and waits until that is done.
-- @tparam image image
-- @tparam array data all of its pixels, row by row, slice by slice
-- @treturn queue itself
function methods:write_image(image, data)
  return transfer(self, binding.queue_write_image, "queue:write_image", image, data)
end

--- Reads an image into an array, and waits until that is done.
-- @tparam image image
-- @tparam array data of the image's size
-- @treturn queue itself
function methods:read_image(image, data)
  return transfer(self, binding.queue_read_image, "queue:read_image", image, data)
end

return methods
