--- The real clock of a CPU's core, which may differ much from the one that OpenCL reports. One work-item alternates
-- additions and exclusive ors. Each takes one cycle on any of today's CPUs, and needs the result of the one before.
-- @module clue.peak.clock
local cl = require "clue"
local series = require "clue.peak.series"

local clock = {}

local cycles_of_round = 64

local source = ([[
#define STEP x = (x ^ flip) + term;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
kernel void cycles(global uint *result, const uint flip, const uint term, const int rounds) {
  uint x = 0;
  for (int r = 0; r < rounds; r++) {
    STEPS STEPS STEPS STEPS
  }
  result[0] = x;
}
]])

-- Flipping the highest bit adds 2^31, so the result counts the steps.
local flip, term = 2 ^ 31, 12345

local function expected(rounds)
  return rounds * (cycles_of_round / 2) % 2 ^ 32 * (flip + term) % 2 ^ 32
end

-- The most rounds for which expected() is exact in double.
local most_rounds = 2 ^ 16

--- Measures the clock.
-- @tparam table stand of clue.peak.stand
-- @treturn table the result of @{clue.peak.series.measure}, with the unit; or skipped: the reason
function clock.measure(stand)
  if stand.slow then return {skipped = "kernels are interpreted"} end
  local kernel, out = stand.context:program(source):kernel "cycles", stand.context:buffer(4)
  local result = cl.array.uint(1)
  local measured = series.measure {
    least = 1024, most = most_rounds,
    run = function(rounds) return stand:run(kernel, 1, 1, out, flip, term, rounds) end,
    amount = function(rounds) return rounds * cycles_of_round end,
    check = function(rounds)
      stand.queue:read_buffer(out, result)
      local wanted = expected(rounds)
      return result[0] == wanted, ("%.0f instead of %.0f"):format(result[0], wanted)
    end,
  }
  out:close()
  if measured.clock == "host" then return {skipped = "the device's timer cannot be trusted"} end
  measured.unit = "GHz"
  return measured
end

return clock
