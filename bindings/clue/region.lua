--- Regions: where a part of an image or a box of a buffer lies, and how large it is. Used by transfers.
-- @module clue.region
local argument = require "clue.argument"
local binding = require "clue.binding"
local error_object = require "clue.error"
local shown = require "clue.shown"

local region = {}

--- Three numbers from a list of one to three. Raises an error object for any other list.
-- @tparam table given
-- @tparam number rest the value of the missing ones
-- @tparam string name "origin", for messages
-- @treturn {number,...}
function region.triple(given, rest, name)
  local found = {rest, rest, rest}
  if #given < 1 or #given > 3 then argument.fail("%s must be a list of one to three numbers, not %d", name, #given) end
  for i = 1, #given do found[i] = argument.whole(given[i], ("%s[%d]"):format(name, i)) end
  for key in pairs(given) do
    if found[key] == nil then
      argument.fail("%s must be a list of one to three numbers: it has the key %s", name, shown.of(key))
    end
  end
  return found
end

-- The size of an image, as regions count.
local function extent(image)
  local like = type(image) == "table" and image or error_object.check(binding.image_shape(image))
  local layers = math.max(like.array_size, 1)
  local flat = like.type == "1d_array" or like.type == 0x10F5 -- CL_MEM_OBJECT_IMAGE1D_ARRAY
  if flat then return {like.width, layers, 1} end
  return {like.width, math.max(like.height, 1), math.max(like.depth, layers)}
end

--- Where a part of an image begins, and how large it is.
-- @tparam image image an object or a handle
-- @tparam ?table origin
-- @tparam ?table size nil: everything after the origin
-- @tparam[opt="origin"] string name of the origin, for messages
-- @treturn {number,...} three numbers
-- @treturn {number,...} three numbers
function region.part(image, origin, size, name)
  local from = origin == nil and {0, 0, 0} or region.triple(origin, 0, name or "origin")
  if size ~= nil then return from, region.triple(size, 1, "region") end
  local rest = extent(image)
  for i = 1, 3 do rest[i] = math.max(rest[i] - from[i], 0) end
  return from, rest
end

return region
