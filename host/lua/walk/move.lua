--- Shared by steps that move elements and compute nothing: copies and transpositions of a plane of floats.
--
-- A plane is stored by rows: `height` rows of `width`; if transposed, `width` rows of `height`. A list is one row.
-- @module clue.walk.move
local array = require "clue.array"
local counted = require("clue.text").count
local problem = require "clue.walk.problem"
local sizes = require "clue.walk.size"

local move = {}
local Move = problem.class()
Move.no_result = -1

--- Declares the inputs of every step, see @{clue.walk.problem.inputs}.
move.inputs = problem.inputs

--- Makes the elements of a step from its inputs.
-- @tparam table how width and height; repeats: a number (0: by the rule); transposed: boolean
-- @treturn Move with width, height, from, to (arrays), traffic (bytes read and written), repeats
local function new(how)
  local width, height = how.width, how.height
  local self = setmetatable({width = width, height = height, extents = {width = width, height = height}, type = "float",
                             transposed = how.transposed}, Move)
  self.repeats = problem.runs(how.repeats)
  self.from, self.to = array.float(width * height), array.float(width * height)
  self.found = self.to
  self.traffic = self.from:bytes() + self.to:bytes()
  return self
end

--- Makes a plane.
-- @tparam table how size: text, as @{clue.walk.size.plane} reads it; repeats; transposed: whether to transpose
-- @treturn Move
function move.plane(how)
  local width, height = problem.passed(sizes.plane(how.size))
  local self = new{width = width, height = height, repeats = how.repeats, transposed = how.transposed}
  self.from:reshape(height, width)
  self.to:reshape(how.transposed and width or height, how.transposed and height or width)
  return self
end

--- Makes a list.
-- @tparam table how size: text, as @{clue.walk.size.count} reads it; repeats
-- @treturn Move of one row
function move.list(how)
  local count = problem.passed(sizes.count(how.size))
  return new{width = count, height = 1, repeats = how.repeats}
end

-- The first element of `to` that differs from its element of `from`, nil if none does. Works tile by tile to avoid a
-- cache miss at every element.
local function misplaced(self)
  local width, height, from, to, side = self.width, self.height, self.from, self.to, 32
  for top = 0, height - 1, side do
    for left = 0, width - 1, side do
      for y = top, math.min(top + side, height) - 1 do
        for x = left, math.min(left + side, width) - 1 do
          if to[x * height + y] ~= from[y * width + x] then return x, y end
        end
      end
    end
  end
  return nil
end

local function check_transposed(self)
  local x, y = misplaced(self)
  if not x then return true end
  return false, ("row %d, column %d of the result is %.9g, should be %.9g"):format(x, y, self.to[x * self.height + y],
    self.from[y * self.width + x])
end

local function check_copied(self)
  local at = self.to:compare(self.from)
  if not at then return true end
  return false, ("element %d of the result is %.9g, should be %.9g"):format(at, self.to[at], self.from[at])
end

--- The pass of a check: every element, bit for bit.
-- @treturn {table} for @{clue.walk.verify}
function Move:passes()
  return {{
    name = "every element",
    prepare = function() self.from:random(0, 1, 1) end,
    check = function() return (self.transposed and check_transposed or check_copied)(self) end,
  }}
end

--- What is computed, in words.
-- @treturn string
function Move:text()
  local floats = self.height > 1 and ("%d x %d floats"):format(self.width, self.height) or counted(self.width, "float")
  return ("%s, %.0f bytes read and as many written"):format(floats, self.from:bytes())
end

return move
