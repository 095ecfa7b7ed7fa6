-- Step 3: the rows are divided among the work-items. Work-item g of G computes rows g, g + G, g + 2 G, ...
--
-- In step 2, each of 416 work-items computes all rows. Now each element is computed once, and a work-item has one row
-- of 100: up to 100 times less to do. The author's device takes 28 ms instead of 712, 25 times less. But with 416
-- work-items and 100 rows most work-items have nothing to do, so it is hardly faster than his host's loop (35 ms); with
-- 1000 rows it is four times as fast. A product of one row is the worst case: one work-item computes all of it.
--
-- What limits it now: neighbours have neighbouring rows, so a warp's reads of A touch 32 sectors where 4 would do; and
-- there are at most 13 warps to hide the waiting.
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")
input.int("_groups", 13, "work-groups", 1)
input.int("_local", 32, "work-items in each group", 1)

local KERNEL = [[
__kernel void product(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c,
                      uint rows, uint cols, uint result_cols)
{
    for (size_t i = get_global_id(0); i < rows; i += get_global_size(0))
        for (size_t j = 0; j < result_cols; j++) {
            REALTYPE value = 0;
            for (size_t k = 0; k < cols; k++)
                value += a[i * cols + k] * b[k * result_cols + j]; /* published: a[i * rows + k] */
            c[i * result_cols + j] = value;
        }
}
]]

local row = {
  number = 3, name = "rows_shared", change = "rows strided over the global size: each element is computed once",
  published = {
    {on = "K80", seconds = 0.028, rate = 0.4286, unit = "GFLOPS", ratio = 1.25, computed = true,
     text = "the host loop took 35 ms"},
    {on = "K80, 1000 x 200 x 300", seconds = 0.085, rate = 1.412, unit = "GFLOPS", ratio = 4.38,
     computed = true, text = "the host loop took 372 ms"},
  },
  expect = {
    cpu = {"faster", "each element is computed once, not by each of 416 work-items"},
    gpu = {"faster", "a work-item computes a few rows instead of all of them"},
  },
  decides = {"max_compute_units"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, range = {0, 1}}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "product"
  local size_of_group = group.size(multiply, _local, {
    idle = function(none) return none, none, none, 0, 0, 0 end,
  })

  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() multiply(queue, _groups * size_of_group, size_of_group, a, b, c, p.m, p.k, p.n) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {
    "finding: the published kernel reads a[i * rows + k] where a[i * cols + k] is meant: wrong wherever rows and cols "
      .. "differ, and past the end of A if there are more rows than columns (as in the author's 1000 rows); fixed here",
    ("%s for %d work-items"):format(counted(p.m, "row"), _groups * size_of_group),
  }
  walk.report(p:row(row, context))
end
