-- The script of docs/reference/checking.md, whose kernel lacks a barrier.
local cl = require "clue"

local KERNEL = [[
kernel void scan(global const float *a, global float *b)
{
    local float tile[16];
    int l = get_local_id(0);
    for (int t = 0; t < 4; t++) {
        tile[l] = a[t * 16 + l];

        float sum = 0;
        for (int k = 0; k < 16; k++)
            sum += tile[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        b[t * 64 + get_global_id(0)] = sum;
    }
}]]

local context = cl.context()
local queue = context:queue()
local a, b = context:buffer(cl.array.float(64):random(0, 1, 1)), context:buffer(4 * 64 * 4)
context:program(KERNEL):kernel "scan"(queue, 64, 16, a, b)
queue:finish()
