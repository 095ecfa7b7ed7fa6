-- Step 2b, beyond the author: step 2 for a B of any length in one launch. The stage is filled again and again.
--
-- Step 2 needs a launch for each 12000 elements of B, and each launch but the first reads C and writes it again. Here
-- the sum stays in a register, and C is written once. By the count, accesses of global memory fall from 0.52 to 0.032
-- an operation, since A is read once, too. One barrier comes before the stage is used, and one before it is filled
-- again: without the second, a fast work-item would overwrite what a slow one still reads. If B fits the stage, this is
-- step 2 with one barrier more. The read of local memory for each multiply-add is the same, and if that is the limit,
-- nothing is gained.
local cl = require "clue"
local counted = require("clue.text").count
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 1024)
input.int("_stage", 12000, "floats of B in local memory; fewer if the device has less", 1)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float *a, __global const float *b, __global float *c, const int x_count,
               const int y_count)
{
    __local float stage[STAGE];
    const int x = get_global_id(0);
    const float own = x < x_count ? a[x] : 0;
    float sum = 0;
    for (int first = 0; first < y_count; first += STAGE) {
        const int count = min(STAGE, y_count - first);
        for (int i = get_local_id(0); i < count; i += get_local_size(0))
            stage[i] = b[first + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < count; i++)
            sum += own * stage[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < x_count)
        c[x] = sum;
}
]]

local row = {
  number = "2b", name = "staged_in_pieces", beyond = true,
  change = "B is copied to local memory in one launch, 12000 floats at a time",
  note_of_author = "not in the tutorial",
  expect = {
    cpu = {"same", "the loop over the stage is the same; launches and the passes over C are few beside it"},
    gpu = {"same", "each multiply-add reads local memory as in step 2; the launches and accesses of A and C that are "
      .. "saved are few beside that"},
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary}
  local context = cl.context()
  local queue = context:queue()
  local stage = math.min(_stage, math.floor(context.device.local_mem_size / 4))
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t), {STAGE = stage})
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())
  local global = groups.round_up(s.x, group)

  local parts = {
    flops = s.flops, bytes = s:bytes(), repeats = s.repeats,
    upload = function() queue:write_buffer(a, s.a) queue:write_buffer(b, s.b) end,
    reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
    execute = function() kernel(queue, global, group, a, b, c, cl.int(s.x), cl.int(s.y)) end,
    read = function() queue:read_buffer(c, s.c) end,
  }
  row.check = walk.verify(parts, s:passes())
  row.times = walk.run(parts)
  row.host = s:host()
  row.notes = {("B has %s: a stage of %d floats is filled %s"):format(counted(s.y, "element"), stage,
    counted(math.ceil(s.y / stage), "time"))}
  walk.report(s:row(row, context))
end
