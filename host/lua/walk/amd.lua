--- Shared by the steps of the walkthrough amd that ask one question of a device: their size, how variants compare, and
-- a check.
-- @module clue.walk.amd
local figures = require "clue.shared.figures"
local problem = require "clue.walk.problem"
local row_of = require "clue.result.row"
local sizes = require "clue.walk.size"

local amd = {}

--- Declares the inputs of a step:
-- --size and --repeat.
-- @tparam table input the script's `input`
-- @tparam string default the size
-- @tparam string description of the size
amd.inputs = problem.inputs

--- The number of elements for a step. Ends the script if
-- --size is wrong.
-- @tparam string text of --size
-- @tparam string name of the question
-- @tparam string default if the text is a list without this question
-- @tparam[opt] int most
-- @treturn int
function amd.count(text, name, default, most)
  return math.min(problem.passed(sizes.count(sizes.of_study(text, name, default))), most or 2 ^ 30)
end

--- How many times a step is to run, see @{clue.walk.problem.runs}.
amd.repeats = problem.runs

--- How many times as long as another variant of a sweep one took, by medians.
-- @tparam table one entry of a sweep
-- @tparam table other
-- @treturn string "3.42"
function amd.times_as_long(one, other)
  return figures.ratio(row_of.time(one).median / row_of.time(other).median)
end

-- ---- rounds ----

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

--- Checks the results of x <- 5 x + 1 modulo 2^32, a number of times: work of any length that the host computes at
-- once. They began with their own place: 0, 1, 2, ...
-- @tparam array found of uint
-- @tparam int rounds
-- @treturn boolean
-- @treturn ?string what is wrong
function amd.check_rounds(found, rounds)
  local factor, summand = rounds_as_one(rounds)
  for i = 0, #found - 1 do
    local expected = (modulo_product(i, factor) + summand) % 2 ^ 32
    if found[i] ~= expected then
      return false, ("x %d after %d rounds is %.0f, should be %.0f"):format(i, rounds, found[i], expected)
    end
  end
  return true
end

return amd
