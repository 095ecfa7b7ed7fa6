--- The check of x <- 5 x + 1 modulo 2^32, a number of times: work of any length that the host computes at once.
-- @module clue.walk.turns
local turns = {}

local function modulo_product(a, b)
  local low = b % 65536
  return (a * low + a * ((b - low) / 65536) % 65536 * 65536) % 2 ^ 32
end

-- What `rounds` rounds do to every x: 5^n x + (5^n - 1) / 4 modulo 2^32, by doubling n.
local function rounds_as_one(rounds)
  local factor, summand, step_factor, step_summand = 1, 0, 5, 1
  while rounds > 0 do
    if rounds % 2 == 1 then
      factor = modulo_product(factor, step_factor)
      summand = (modulo_product(summand, step_factor) + step_summand) % 2 ^ 32
    end
    step_summand = (modulo_product(step_summand, step_factor) + step_summand) % 2 ^ 32
    step_factor = modulo_product(step_factor, step_factor)
    rounds = math.floor(rounds / 2)
  end
  return factor, summand
end

--- Checks results that began with their own place: 0, 1, 2, ...
-- @tparam array found of uint
-- @tparam int rounds
-- @treturn boolean
-- @treturn ?string what is wrong
function turns.check(found, rounds)
  local factor, summand = rounds_as_one(rounds)
  for i = 0, #found - 1 do
    local expected = (modulo_product(i, factor) + summand) % 2 ^ 32
    if found[i] ~= expected then
      return false, ("x %d after %d rounds is %.0f, should be %.0f"):format(i, rounds, found[i], expected)
    end
  end
  return true
end

return turns
