-- Step 4: a sum by several devices, each of which adds up blocks of the values.
--
-- Each device holds all values. An item of the work is a block of 65536 values, added up by one group; its result is
-- one number. The host adds the sums of the blocks in their order. So the result does not depend on which device added
-- which block, or on how many there were in a chunk: blocks are the same however the work is divided. Sums of chunks
-- would not be.
--
-- The work is as short as reading the memory once. Where that takes less than a millisecond, starting the commands and
-- collecting the results decides, and a second device gains little.
local cl = require "clue"
local group = require "clue.walk.group"
local problem = require "clue.walk.problem"
local several = require "clue.walk.several_devices"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

several.inputs(input, "33554467", "how many values")

local BLOCK, GROUP = 65536, 256

local KERNEL = [[
__kernel void add(__global const int *values, __global long *sums, uint first, uint count, __local long *own)
{
    const uint here = get_local_id(0), size = get_local_size(0), block = first + get_group_id(0);
    const ulong end = min((ulong)count, (block + 1ul) * BLOCK);
    long sum = 0;
    for (ulong i = block * (ulong)BLOCK + here; i < end; i += size)
        sum += values[i];
    own[here] = sum;
    for (uint half_size = size / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (here < half_size)
            own[here] += own[here + half_size];
    }
    if (here == 0)
        sums[block] = own[0];
}
]]

local row = {
  number = 4, name = "sum", study = "sum", type = "long", change = "blocks of values, each a sum of its own",
  decides = {"max_compute_units", "global_mem_size"},
}

function OnStart()
  local count = problem.passed(sizes.reduce(sizes.of_study(_size, "sum", "33554467")))
  local devices = several.devices(row, _with)
  local values, blocks = cl.array.int(count), math.ceil(count / BLOCK)
  local writes = {}
  local job = {
    alone = _alone,
    total = blocks, width = 1, type = "long", bytes = 8, results = cl.array.long(blocks), flops = count,
    repeats = problem.runs(_repeat),
    forget = function(sums) sums:fill(-1) end,
    setup = function(worker, sums)
      local add = worker.context:program(KERNEL, {defines = {BLOCK = BLOCK}}):kernel "add"
      local size = group.size(add, GROUP)
      local memory = worker.context:buffer(4 * count, "read_only")
      writes[#writes + 1] = function() worker.queue:write_buffer(memory, values) end
      return function(first, items)
        add(worker.queue, items * size, size, memory, sums, first, count, cl.local_memory(8 * size))
      end
    end,
  }
  local variants = several.variants(devices, job)
  row.check = several.verify(variants, {{
    name = "exact on whole numbers",
    prepare = function()
      values:random(-1000, 1001, 1)
      for _, write in ipairs(writes) do write() end
    end,
    check = function()
      local found, right = job.results:sum(), values:sum()
      return found == right, ("the sum is %.0f, should be %.0f"):format(found, right)
    end,
  }})
  several.measure(row, devices, variants)
  row.notes[#row.notes + 1] = ("an operation is one addition: %s"):format(several.bandwidth(row, 4 * count))
  row.problem, row.size = ("the sum of %d ints in blocks of %d"):format(count, BLOCK), {count = count}
  row.context = cl.context(devices[1])
  walk.report(row)
end
