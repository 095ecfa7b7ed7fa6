--- What bounds mean for random numbers of half, float and double: array:random's rules, for kernels that make the same
-- numbers. All is computed in doubles, exactly.
-- @module clue.compute.random_interval
local array = require "clue.array"

-- Binary digits, the least positive number's exponent, and the greatest number.
local formats = {
  half = {digits = 11, least = -24, most = 65504},
  float = {digits = 24, least = -149, most = (2 - 2 ^ -23) * 2 ^ 127},
  double = {digits = 53, least = -1074, most = (2 - 2 ^ -52) * 2 ^ 1023},
}

-- The number e with 2^e <= magnitude < 2^(e + 1).
local function exponent_of(magnitude)
  local e = math.floor(math.log(magnitude) / math.log(2))
  while 2 ^ e > magnitude do e = e - 1 end
  while 2 ^ (e + 1) <= magnitude do e = e + 1 end
  return e
end

-- The next number of a format in a direction: 1 is up, -1 is down.
local function next_number(format, value, direction)
  if value == 0 then return direction * 2 ^ format.least end
  local e = exponent_of(math.abs(value))
  local step = e - format.digits + 1
  if value * direction < 0 and math.abs(value) == 2 ^ e then step = step - 1 end -- numbers below 2^e are closer
  local found = value + direction * 2 ^ math.max(step, format.least)
  return math.abs(found) > format.most and direction * math.huge or found
end

-- The nearest number of a type; infinite if the type does not hold it.
local cells = {half = array.half(1), float = array.float(1)}

local function rounded(name, value)
  local cell = cells[name]
  if not cell then return value end
  local held = pcall(function() cell[0] = value end)
  return held and cell[0] or value < 0 and -math.huge or math.huge
end

-- The least number of a type that is not below a bound.
local function least_from(name, bound)
  local value = rounded(name, bound)
  return value < bound and next_number(formats[name], value, 1) or value
end

--- The interval of random numbers. A number is (first + u * width) * scale, where u is from 0 up to 1, kept between
-- least and most. Each operation rounds to double or, for half and float, to float.
-- @tparam string name "half", "float" or "double"
-- @tparam number low included
-- @tparam number high not included
-- @treturn ?table first, width, scale, least, most; nil if the type has no number in the interval
return function(name, low, high)
  local format, computed = formats[name], name == "double" and "double" or "float"
  if not (low >= -format.most and high <= format.most) then return nil end
  local least, top = least_from(name, low), least_from(name, high)
  local most = next_number(format, top, -1)
  if least > most then return nil end
  top = math.min(top, format.most)
  local width = rounded(computed, top - least)
  if width < math.huge then return {first = least, width = width, scale = 1, least = least, most = most} end
  local first = rounded(computed, least / 2)
  return {first = first, width = rounded(computed, rounded(computed, top / 2) - first), scale = 2, least = least,
          most = most}
end
