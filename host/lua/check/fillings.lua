--- What `clue check` writes into memory for which nobody gave contents.
--
-- No two elements of a buffer are equal unless a filling says so: equal values hide races. The first numbers are those
-- of the range, so that they are good indexes, too.
-- Parameters with one meaning everywhere: array, to fill; filling, a name of the list below; length, of the range;
-- seed, another for each argument.
local cl = require "clue"

local fillings = {}

-- From here on a type has no other numbers: they begin again.
local most = {char = 128, uchar = 256, short = 32768, ushort = 65536, half = 2049, float = 2 ^ 24}

-- The same numbers in each run: those of Park and Miller.
local function generator(seed)
  local state = seed * 7919 + 1
  return function(below)
    state = state * 48271 % 2147483647
    return state % below
  end
end

-- 0 to count - 1 in another order, by list; 0 does not come first.
local function shuffled(count, seed)
  local random, list = generator(seed), {}
  for i = 0, count - 1 do list[i] = i end
  for i = count - 1, 1, -1 do
    local k = random(i + 1)
    list[i], list[k] = list[k], list[i]
  end
  if count > 1 and list[0] == 0 then list[0], list[1] = list[1], list[0] end
  return list
end

local of = {}

of.counting = function()
  return function(i) return i end
end

-- Each block of the range's length is in another order.
of.permuted = function(length, seed)
  local order = shuffled(length, seed)
  return function(i) return i - i % length + order[i % length] end
end

of.zeros = function()
  return function() return 0 end
end

of.random = function(_, seed)
  local random = generator(seed)
  return function() return random(16) end
end

--- The names of the fillings, in words for people; the first is what is tried first.
fillings.list = {{name = "counting"}, {name = "permuted", text = "permuted data"},
                 {name = "zeros", text = "zeros in memory"}, {name = "random", text = "random data of 0 to 15"}}

local function fill(array, filling, length, seed)
  local value, limit = of[filling](length, seed), most[array:type()] or 2 ^ 31
  for i = 0, #array - 1 do array[i] = value(i) % limit end
  return array
end

--- Changes the contents that a script gave an array: other numbers, or, for "permuted", the same in another order.
-- @treturn array itself
function fillings.change(array, filling, length, seed)
  if filling ~= "permuted" then return fill(array, filling, length, seed) end
  local count, old = #array, array:copy()
  local order = shuffled(math.min(length, count), seed)
  for i = 0, count - 1 do
    local from = i - i % length + order[i % length]
    array[i] = old[from < count and from or i]
  end
  return array
end

--- An array whose elements count from 0.
-- @tparam string base the name of its type
-- @tparam int count
-- @tparam table how filling, length and seed, see @{change}
-- @treturn array
function fillings.array(base, count, how)
  return fill(cl.array[base](count), how.filling, how.length, how.seed)
end

return fillings
