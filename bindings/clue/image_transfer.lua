--- Image commands of queues: queue:write_image and the like.
--
-- All of them take a part of an image by origin and region, each a list of up to three numbers of pixels: {x, y, z}
-- and {width, height, depth}. If an image has layers, they come after its own axes: {x, layer} in a "1d_array", {x,
-- y, layer} in a "2d_array". A missing number is 0 in an origin and 1 in a region; without a region, the part is
-- everything after the origin.
-- @module clue.image_transfer
local argument = require "clue.argument"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local regions = require "clue.region"
local shown = require "clue.shown"

local methods = {}

-- ---- between arrays and images ----

local transfer_options = {origin = "list", region = "list", first = "whole", count = "whole", row_pitch = "whole",
  slice_pitch = "whole", blocking = "boolean"}

local function transfer(send, what)
  return function(self, image, data, how)
    object.handle(self, "queue")
    local handle = object.handle(image, "image", "image")
    argument.array(data, "data")
    how = argument.options(how, "how", transfer_options)
    local first, count = enqueue.part(data, how)
    local origin, region = regions.part(image, how.origin, how.region)
    local blocking = how.blocking ~= false
    return (enqueue.transfer(self, blocking, what, image, data, send, handle, data, first, count, origin, region,
      how.row_pitch or 0, how.slice_pitch or 0, blocking))
  end
end

--- Writes an array to an image, and waits until it is done.
-- @function write_image
-- @tparam image image
-- @tparam array data the pixels, row by row, slice by slice: exactly as many as the part has; with pitches, at least
--   as many
-- @tparam[opt] table how origin and region: a part of the image (all of it); first: element of the array (0); count:
--   number of elements (to the end); row_pitch and slice_pitch: bytes from row to row and from slice to slice in the
--   array (without gaps); blocking = false: do not wait, see @{clue.transfer}
-- @treturn queue|event itself; its event if it does not wait
methods.write_image = transfer(binding.queue_write_image, "a write to an image")

--- Reads an image into an array, and waits until it is done.
-- @function read_image
-- @tparam image image
-- @tparam array data of the part's size; with pitches, at least that
-- @tparam[opt] table how as for @{write_image}
-- @treturn queue|event itself; its event if it does not wait
methods.read_image = transfer(binding.queue_read_image, "a read from an image")

-- ---- commands between memories of the device ----

local copy_options = {from_origin = "list", to_origin = "list", region = "list"}

--- Copies pixels from one image to another of the same format, or within one. Does not wait.
-- @tparam image from
-- @tparam image to
-- @tparam[opt] table where from_origin, to_origin and region; without region, all of from after its origin
-- @treturn event
function methods:copy_image(from, to, where)
  object.handle(self, "queue")
  local source, target = object.handle(from, "image", "from"), object.handle(to, "image", "to")
  where = argument.options(where, "where", copy_options)
  local from_origin, region = regions.part(from, where.from_origin, where.region, "from_origin")
  local to_origin = where.to_origin and regions.triple(where.to_origin, 0, "to_origin")
  local made = enqueue.command(self, binding.queue_copy_image, source, target, from_origin, region, to_origin)
  return events.new(made, "a copy between images")
end

local exchange_options = {offset = "whole", origin = "list", region = "list"}

-- The kinds are those of the two arguments, in their order; one is an image.
local function exchange(send, from_kind, to_kind)
  local what = ("a copy of %s to %s"):format(shown.with_article(from_kind), shown.with_article(to_kind))
  return function(self, from, to, where)
    object.handle(self, "queue")
    local source, target = object.handle(from, from_kind, from_kind), object.handle(to, to_kind, to_kind)
    where = argument.options(where, "where", exchange_options)
    local origin, region = regions.part(from_kind == "image" and from or to, where.origin, where.region)
    return events.new(enqueue.command(self, send, source, target, where.offset or 0, origin, region), what)
  end
end

--- Copies an image to a buffer, where the pixels lie without gaps. Does not wait.
-- @function copy_image_to_buffer
-- @tparam image image
-- @tparam buffer buffer
-- @tparam[opt] table where origin and region of the image (all of it); offset: in the buffer, in bytes (0)
-- @treturn event
methods.copy_image_to_buffer = exchange(binding.queue_copy_image_to_buffer, "image", "buffer")

--- Copies a buffer, in which pixels lie without gaps, to an image. Does not wait.
-- @function copy_buffer_to_image
-- @tparam buffer buffer
-- @tparam image image
-- @tparam[opt] table where as for @{copy_image_to_buffer}
-- @treturn event
methods.copy_buffer_to_image = exchange(binding.queue_copy_buffer_to_image, "buffer", "image")

local fill_options = {origin = "list", region = "list"}

local function colour_of(given)
  if type(given) == "number" then return {given, given, given, given} end
  if not argument.is_plain(given) then
    argument.refuse("colour", "a number, or a list of four, one for each channel", given)
  end
  if #given ~= 4 then
    argument.fail("colour must be a number, or a list of four, one for each channel, not of %d", #given)
  end
  for i = 1, 4 do argument.typed(given[i], "number", ("colour[%d]"):format(i)) end
  return given
end

--- Fills an image with one colour. Does not wait.
-- @tparam image image
-- @tparam number|table colour one number for all channels, or a list of four: red, green, blue, alpha; whole numbers
--   if the channels are integers, else 0 to 1 (-1 to 1) for normalized ones
-- @tparam[opt] table where origin and region (all of it)
-- @treturn event
function methods:fill_image(image, colour, where)
  object.handle(self, "queue")
  local handle = object.handle(image, "image", "image")
  local components = colour_of(colour)
  where = argument.options(where, "where", fill_options)
  local origin, region = regions.part(image, where.origin, where.region)
  local made = enqueue.command(self, binding.queue_fill_image, handle, components, origin, region)
  return events.new(made, "a fill of an image")
end

return methods
