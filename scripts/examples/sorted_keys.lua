-- Sorts a million keys on the device, and makes their histogram: each checks the other.
--
-- No kernel is written here. queue:random makes the keys. An elementwise operation divides their range into 256 bins
-- and counts by atomics, and a scan turns the counts into the place where each bin begins. Apart from that, a sort puts
-- the keys in order and moves their numbers along. So the sorted keys must go from bin to bin exactly where the scan
-- says, each must be the key of its number, and equal keys must keep their order.
local cl = require "clue"

input.int("_count", 2^20, "keys", 1, 2^26)
input.int("_distinct", 2^20, "different keys at most", 1, 2^30)
input.int("_seed", 7, "seed of the keys")

local BINS = 256

local function bin_of(key)
  return math.floor(key * BINS / _distinct)
end

local function check_bins(keys, counts, starts)
  local right, before = cl.array.uint(BINS), 0
  for i = 0, _count - 1 do
    local bin = bin_of(keys[i])
    right[bin] = right[bin] + 1
  end
  for bin = 0, BINS - 1 do
    if counts[bin] ~= right[bin] then
      error(("bin %d: %d keys counted, there are %d"):format(bin, counts[bin], right[bin]))
    end
    if starts[bin] ~= before then
      error(("bin %d begins at %d, should begin at %d"):format(bin, starts[bin], before))
    end
    before = before + right[bin]
  end
end

local function check_order(keys, sorted, numbers, starts)
  for i = 0, _count - 1 do
    if sorted[i] ~= keys[numbers[i]] then error(("place %d: %d is not key %d"):format(i, sorted[i], numbers[i])) end
    if i > 0 and sorted[i] < sorted[i - 1] then error(("place %d: %d after %d"):format(i, sorted[i], sorted[i - 1])) end
    if i > 0 and sorted[i] == sorted[i - 1] and numbers[i] < numbers[i - 1] then
      error(("place %d: equal keys have changed their order"):format(i))
    end
    local bin = bin_of(sorted[i])
    if i < starts[bin] or bin < BINS - 1 and i >= starts[bin + 1] then
      error(("place %d: the key %d is not between the borders of bin %d"):format(i, sorted[i], bin))
    end
  end
end

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local keys, numbers = cl.array.uint(_count), cl.array.uint(_count)
  local made, sorted = context:buffer(keys:bytes()), context:buffer(keys:bytes())
  local of_numbers, counts = context:buffer(keys:bytes()), context:buffer(4 * BINS)
  local starts = context:buffer(4 * BINS)

  local count = context:elementwise("const uint *key, uint *bins, ulong distinct",
    "atomic_inc(bins + (ulong)key[i] * 256 / distinct)", {name = "count"})
  local number = context:elementwise("uint *number", "number[i] = i", {name = "number"})
  local start = context:scan("uint", "sum", {exclusive = true, name = "start"})
  local sort = context:sort("uint", {values = "uint"})

  queue:random(made, "uint", {low = 0, high = _distinct - 1, seed = _seed})
  local histogram = cl.time(function()
    queue:fill_buffer(counts, 0, "uint")
    count(queue, {count = _count}, made, counts, _distinct)
    start(queue, counts, starts):wait()
  end, {rounds = 7})
  local sorting = cl.time(function()
    queue:copy_buffer(made, sorted)
    number(queue, of_numbers)
    sort(queue, sorted, of_numbers):wait()
  end, {rounds = 7})

  local counted, begins, in_order = cl.array.uint(BINS), cl.array.uint(BINS), cl.array.uint(_count)
  queue:read_buffer(made, keys):read_buffer(sorted, in_order):read_buffer(of_numbers, numbers)
  queue:read_buffer(counts, counted):read_buffer(starts, begins)
  check_bins(keys, counted, begins)
  check_order(keys, in_order, numbers, begins)
  print(("%d keys: counted in %.3f ms, sorted with their numbers in %.3f ms, %.3g million a second"):format(_count,
    histogram.median * 1e3, sorting.median * 1e3, _count / sorting.median * 1e-6))
end
