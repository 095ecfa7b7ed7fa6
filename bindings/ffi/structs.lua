--- The structs of clue.h for images and boxes: one of each, filled in before every call.
-- Used by the files of clue.ffi.
local ffi = require "ffi"

local structs = {
  shape = ffi.new("clue_image_shape"),
  image_part = ffi.new("clue_image_part"),
  rect = ffi.new("clue_rect"),
}

local image_part, rect = structs.image_part, structs.rect

--- Sets a part of an image.
-- @tparam ?cdata from three numbers; nil: zeros
-- @tparam cdata over three numbers
function structs.set_image_part(from, over)
  for d = 0, 2 do image_part.origin[d], image_part.region[d] = from and from[d] or 0, over[d] end
end

--- Sets a box to copy, with its source and its target.
-- @tparam ?cdata from three numbers; nil: zeros
-- @tparam cdata over three numbers
-- @tparam ?cdata to three numbers; nil: zeros
function structs.set_rect(from, over, to)
  for d = 0, 2 do
    rect.from_origin[d], rect.region[d], rect.to_origin[d] = from and from[d] or 0, over[d], to and to[d] or 0
  end
end

return structs
