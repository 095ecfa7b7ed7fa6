-- Chance that repeats: the same seed gives the same numbers in every interpreter.
local chance = {}

--- Makes a generator.
-- @tparam number seed
-- @treturn function random(most): a whole number from 1 to most
function chance.new(seed)
  local state = (seed * 48271 + 11) % 2147483647 -- Lehmer's generator, whose numbers are exact in a double

  local function random(most)
    state = state * 16807 % 2147483647
    return math.floor(state / 2147483647 * most) + 1
  end

  for _ = 1, 5 do random(1) end -- the first numbers of neighbouring seeds are alike
  return random
end

return chance
