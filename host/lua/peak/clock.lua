--- The clock at which a CPU's core really runs, which may be far from the one that OpenCL tells: by one work-item that
-- does one addition or exclusive or after the other, each of which takes any CPU of today one cycle and needs the
-- result of the one before.
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

-- Flipping the highest bit adds 2^31, so that the result counts the steps.
local flip, term = 2 ^ 31, 12345

local function expected(rounds)
  return rounds * (cycles_of_round / 2) % 2 ^ 32 * (flip + term) % 2 ^ 32
end

-- The most rounds of which expected() is exact in double.
local most_rounds = 2 ^ 16

--- Measures it.
-- @tparam table stand of clue.peak.stand
-- @treturn table what @{clue.peak.series.measure} gives, with the unit; or skipped: why
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
  if measured.clock == "host" then return {skipped = "the device's timer does not tell"} end
  measured.unit = "GHz"
  return measured
end

return clock
