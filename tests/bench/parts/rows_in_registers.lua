-- The inner loop of a matrix product by itself: COUNT rows of WIDTH columns in registers, B's row from the first-level
-- cache, A's numbers one by one. It moves no data that it need not move, so no whole matrix product can be faster.
-- `clue rows_in_registers.lua WIDTH COUNT` runs it on the chosen device and prints its best GFLOPS.
local cl = require "clue"

local width, count = tonumber(arg[1]), tonumber(arg[2])
local STEPS, RUNS = 64, 25

local source = cl.template([[
kernel void rows(global const float *a, global const $(V) *b, global $(V) *c, const int rounds) {
# for i = 0, COUNT - 1 do
  $(V) s$(i) = 0;
# end
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < $(STEPS); k++) {
      const $(V) y = b[k];
# for i = 0, COUNT - 1 do
      s$(i) = fma(($(V))a[k + $(i)], y, s$(i));
# end
    }
  $(V) sum = s0;
# for i = 1, COUNT - 1 do
  sum += s$(i);
# end
  c[get_global_id(0)] = sum;
}]], {V = width > 1 and "float" .. width or "float", COUNT = count, STEPS = STEPS})

local context = cl.context()
local queue, device = context:queue(), context.device
local cpu = device.kind == "cpu"
local group, items, rounds = cpu and 1 or 128, (cpu and 512 or 2048 * 128) * device.max_compute_units, cpu and 128 or 16
local rows = context:program(source):kernel "rows"
local a = context:buffer(cl.array.float(STEPS + count):fill(1))
local b = context:buffer(cl.array.float(STEPS * width):fill(1))
local c, best = context:buffer(items * width * 4), math.huge
for _ = 1, RUNS do best = math.min(best, (rows(queue, items, group, a, b, c, rounds):wait():time())) end
local result = cl.array.float(items * width)
queue:read_buffer(c, result)
local expected = cl.array.float(items * width):fill(rounds * STEPS * count)
if result:compare(expected) then error("a wrong result", 0) end
print(items * rounds * STEPS * count * width * 2 / best / 1e9)
