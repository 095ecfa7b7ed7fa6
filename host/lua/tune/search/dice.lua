--- Random choices that a seed repeats, in every Lua: they come from array:random.
local array = require "clue.array"

local Dice = {}
Dice.__index = Dice

local dice = {}

local chunk = 256 -- numbers made at a time

--- Makes a source of random choices.
-- @tparam number seed a whole number
-- @treturn Dice
function dice.new(seed)
  return setmetatable({seed = seed, used = chunk, chunks = 0, numbers = array.double(chunk)}, Dice)
end

--- A random number.
-- @treturn number from 0 up to, not including, 1
function Dice:number()
  if self.used == chunk then
    self.numbers:random(0, 1, self.seed + self.chunks * 2 ^ 32) -- the high word counts the chunks
    self.used, self.chunks = 0, self.chunks + 1
  end
  self.used = self.used + 1
  return self.numbers[self.used - 1]
end

--- A random whole number.
-- @tparam int n
-- @treturn int from 1 to n
function Dice:below(n)
  return math.floor(self:number() * n) + 1
end

--- One of a list.
-- @tparam table list not empty
-- @return an entry
function Dice:pick(list)
  return list[self:below(#list)]
end

--- Puts a list into a random order.
-- @tparam table list changed in place
-- @treturn table the list
function Dice:shuffle(list)
  for i = #list, 2, -1 do
    local j = self:below(i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

return dice
