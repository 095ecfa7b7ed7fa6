--- Numbers in bytes, as C has them in memory, and bits in numbers. Lua 5.1 has no operators for either.
-- @module clue.bytes
local bytes = {}

--- A whole number of any length. The lowest byte comes first, as on every host that clue runs on.
-- @tparam string given
-- @tparam[opt=1] number first
-- @tparam[opt] number last the end, unless given
-- @treturn number
function bytes.unsigned(given, first, last)
  local number = 0
  for i = last or #given, first or 1, -1 do number = number * 256 + given:byte(i) end
  return number
end

--- Whole numbers, one after the other.
-- @tparam string given
-- @tparam number size bytes of each
-- @treturn {number,...}
function bytes.each(given, size)
  local numbers = {}
  for first = 1, #given - size + 1, size do
    numbers[#numbers + 1] = bytes.unsigned(given, first, first + size - 1)
  end
  return numbers
end

--- Whether a number has a bit.
-- @tparam number number
-- @tparam number bit a power of two
-- @treturn boolean
function bytes.has_bit(number, bit)
  return math.floor(number / bit) % 2 == 1
end

return bytes
