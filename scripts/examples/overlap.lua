-- Two queues: while one computes, the other one transfers the next piece and brings back the finished one.
--
-- The work is cut into pieces, which use two buffers alternately. Nothing blocks: each command waits for the events of
--     the commands that it needs, and the host waits once, at the end. The host's memory is "pinned" (alloc_host_ptr):
--     a GPU can fetch data by itself only from such memory. To see the overlap, run clue trace -o overlap.json
--     scripts/examples/overlap.lua and open the file in Perfetto or chrome://tracing. It has two rows, whose commands
--     overlap if the device can do that.
local cl = require "clue"

input.int("_pieces", 8, "how many pieces the work is cut into", 1, 1000)
input.int("_count", 2^18, "numbers in a piece", 1)
input.int("_rounds", 200, "rounds of arithmetic for each number", 1)

local KERNEL = [[
kernel void work(global uint *numbers, const uint rounds)
{
    uint x = numbers[get_global_id(0)];
    for (uint i = 0; i < rounds; i++)
        x = x * 1664525u + 1013904223u;
    numbers[get_global_id(0)] = x;
}
]]

-- Combines all rounds of x -> factor x + constant into one, x -> a x + c. It multiplies by pieces of 16 bits, so that
-- no product exceeds the 53 bits of a double.
local function times(a, b)
  local low, high = b % 65536, math.floor(b / 65536)
  return (a * low + a * high % 65536 * 65536) % 2^32
end

local function together(rounds)
  local a, c = 1, 0
  for _ = 1, rounds do a, c = times(a, 1664525), (times(c, 1664525) + 1013904223) % 2^32 end
  return a, c
end

-- Describes the times by the device's timer: from the first start to the last end, and the sum over all commands.
local function describe(events)
  local first, last, sum = math.huge, 0, 0
  for _, event in ipairs(events) do
    if not event.started then return "this device has no timer that could show it" end
    first, last, sum = math.min(first, event.started), math.max(last, event.ended), sum + event:time()
  end
  return ("%.4g ms of commands in %.4g ms: %.2f at once"):format(sum * 1e3, (last - first) * 1e3, sum / (last - first))
end

function OnStart()
  local context = cl.context()
  local copying, computing = context:queue(), context:queue()
  local work = context:program(KERNEL):kernel "work"
  local buffers = {context:buffer(_count * 4), context:buffer(_count * 4)}
  computing:fill_buffer(buffers[1], 0, "uint")
  work(computing, _count, nil, buffers[1], 1):wait() -- the first launch may compile
  local before, after, events, computed, free = {}, {}, {}, {}, {}
  local function pinned()
    return copying:map_buffer(context:buffer(_count * 4, {"read_write", "alloc_host_ptr"}), "uint")
  end
  for piece = 1, _pieces do before[piece], after[piece] = pinned():random(0, 2^32 - 1, piece), pinned() end

  local function keep(event)
    events[#events + 1] = event
    return event
  end
  local function take_back(piece) -- called after the next piece was sent, so that the copies do not wait for the kernel
    local buffer = buffers[piece % 2 + 1]
    free[piece % 2] = keep(copying:after(computed[piece]):read_buffer(buffer, after[piece], {blocking = false}))
  end
  for piece = 1, _pieces do
    local buffer, way = buffers[piece % 2 + 1], piece % 2
    local queue = free[way] and copying:after(free[way]) or copying
    local sent = keep(queue:write_buffer(buffer, before[piece], {blocking = false}))
    computed[piece] = keep(work(computing:after(sent), _count, nil, buffer, _rounds))
    if piece > 1 then take_back(piece - 1) end
  end
  take_back(_pieces)
  copying:finish()

  local a, c = together(_rounds)
  for piece = 1, _pieces do
    for i = 0, _count - 1, 97 do
      local right = (times(a, before[piece][i]) + c) % 2^32
      if after[piece][i] ~= right then
        error(("piece %d, number %d: %.0f, should be %.0f"):format(piece, i, after[piece][i], right))
      end
    end
  end
  print(("%d pieces right, %d commands; %s"):format(_pieces, #events, describe(events)))
end
