-- Extensions, step 28: device fission by counts: a part kept free for urgent work.
--
-- One compute unit is split off. While a long job runs on the others, an urgent one arrives. On the undivided device
-- the urgent job waits until the long one leaves it a unit; on the part that was kept free it starts at once. The price
-- is that the long job has one unit less.
local binding = require "clue.binding"
local cl = require "clue"
local counted = require("clue.text").count
local statistics = require "clue.result.statistics"
local amd = require "clue.walk.amd"
local walk = require "clue.walk"

amd.inputs(input)

-- x <- 5 x + 1 modulo 2^32, which clue.walk.amd checks.
local KERNEL = [[
__kernel void turns(__global uint *results, uint rounds)
{
    uint x = get_global_id(0);
    for (uint k = 0; k < rounds; k++)
        x = 5 * x + 1;
    results[get_global_id(0)] = x;
}
]]

local row = {
  number = 28, name = "fission_by_counts", study = "extensions",
  change = "a device divided by counts: one compute unit kept free for urgent work",
  note_of_author = "the course names this use, and shows no figures",
  decides = {"partition_properties", "partition_max_sub_devices", "max_compute_units"},
}

local ROUNDS, MOST_ROUNDS = 200, 60000 -- rusticl's loops end at 65535
local LONG_SECONDS = 0.1

-- Makes a separate queue in a context, and a buffer for results.
local function worker(context, count)
  local queue, found = context:queue(), cl.array.uint(count)
  local results, kernel = context:buffer(found), context:program(KERNEL):kernel "turns"
  local self = {found = found, rounds = 1}
  function self.reset() found:fill(0) queue:write_buffer(results, found) end
  function self.start(rounds)
    self.rounds = rounds
    self.event = kernel(queue, {count}, nil, results, rounds)
    queue:flush()
    return self.event
  end
  function self.read() queue:read_buffer(results, found) end
  return self
end

local function check(work)
  return amd.check_rounds(work.found, work.rounds)
end

-- Finds a number of rounds that keeps the long job busy for a while.
local function long_rounds(work)
  local start = binding.now()
  work.start(ROUNDS):wait()
  local seconds = binding.now() - start
  return math.max(ROUNDS, math.min(MOST_ROUNDS, math.floor(ROUNDS * LONG_SECONDS / seconds)))
end

-- Returns the seconds until the urgent job ended, and until the long one ended, both from the arrival of the urgent
-- one.
local function urgent_while(long, urgent, rounds)
  long.start(rounds)
  local start = binding.now()
  urgent.start(ROUNDS):wait()
  local urgent_done = binding.now() - start
  long.event:wait()
  return urgent_done, binding.now() - start
end

local function median_of(long, urgent, rounds)
  local waits = {}
  for i = 1, 5 do waits[i] = urgent_while(long, urgent, rounds) end
  return statistics.median(waits)
end

function OnStart()
  local context = cl.context()
  amd.need_partition(row, context, "by_counts")
  local units, count = context.device.max_compute_units, amd.elements(_size, 2 ^ 15)
  local parts_of_device = context.device:partition{by_counts = {units - 1, 1}}
  local long = worker(cl.context(parts_of_device[1]), count)
  local urgent = worker(cl.context(parts_of_device[2]), math.min(count, 256))
  local whole_long, whole_urgent = worker(context, count), worker(context, math.min(count, 256))
  long.start(1):wait() -- the first run of a kernel may be compiling it
  local rounds = long_rounds(long)
  local all = {long, urgent, whole_long, whole_urgent}
  local parts = {
    repeats = amd.repeats(_repeat), together = true,
    reset = function() for _, work in ipairs(all) do work.reset() end end,
    execute = function() urgent_while(long, urgent, rounds) end,
    read = function() long.read() urgent.read() end,
  }
  row.check = walk.verify(parts, {{
    name = "every result of both parts", prepare = function() end,
    check = function()
      local is_right, why = check(long)
      if is_right then is_right, why = check(urgent) end
      return is_right, why
    end,
  }})
  row.times = walk.run(parts)
  local behind, free = median_of(whole_long, whole_urgent, rounds), median_of(long, urgent, rounds)
  row.notes = {
    ("%s and 1 of %d"):format(counted(units - 1, "compute unit"), units),
    ("an urgent job that comes while a long one runs is done after %.3g ms on the undivided device, after %.3g ms on "
      .. "the part that was kept free"):format(behind * 1e3, free * 1e3),
  }
  row.notes[#row.notes + 1] = "the kernel time is the sum of both kernels'"
  row.problem, row.context = ("a long kernel of %d work-items and an urgent one"):format(count), context
  walk.report(row)
end
