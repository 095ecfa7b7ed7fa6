-- Step 4: the columns are divided too. The range has two dimensions, 4 x 4 groups of 32 x 32 work-items; dimension 0
-- strides over the rows, dimension 1 over the columns.
--
-- Step 3 has 416 work-items at most, and of 100 rows, 100: a unit has one warp, and idles while that waits for memory.
-- 16384 work-items instead of 416 keep the K80's 13 compute units busy, and hide the memory's latency: 32 warps a group
-- instead of one. (They are 16 groups, so of a device with more units than that the rest idles: an H200 uses 16 of
-- 132.) On the author's card 28 ms become 3, and the device is 10 times as fast as the host loop. Such a short time
-- also contains what it costs to enqueue a kernel and to wait for it, whatever the kernel does: the author's guess why
-- a larger product gains more, 23.0 instead of 12.7, and no more than that, since he measured neither alone (`clue peak
-- --only latency` measures it). The accesses are those of step 3, 32 sectors a request for A, and limit it now.
--
-- The card's 13 units got 13 groups before. 13 is a prime number, and a range of two dimensions would be 13 x 1 groups,
-- long and thin. 4 x 4 groups are the nearest square, so some units get two.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")
input.int("_groups", 4, "work-groups in each dimension", 1)
input.int("_local", 32, "work-items in each group and dimension; fewer if the device cannot", 1)

local KERNEL = [[
__kernel void product(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c,
                      uint rows, uint cols, uint result_cols)
{
    for (size_t i = get_global_id(0); i < rows; i += get_global_size(0))
        for (size_t j = get_global_id(1); j < result_cols; j += get_global_size(1)) {
            REALTYPE value = 0;
            for (size_t k = 0; k < cols; k++)
                value += a[i * cols + k] * b[k * result_cols + j]; /* published: a[i * rows + k] */
            c[i * result_cols + j] = value;
        }
}
]]

local row = {
  number = 4, name = "range_2d", change = "rows and columns strided over a 2-D range, 4 x 4 groups of 32 x 32",
  published = {
    {on = "K80", seconds = 0.003, rate = 4, unit = "GFLOPS", ratio = 12.7, computed = true,
     text = "the host loop took 38 ms"},
    {on = "K80, 1000 x 2000 x 3000", seconds = 2.1, rate = 5.714, unit = "GFLOPS", ratio = 23.0,
     computed = true, text = "the host loop took 48344 ms"},
  },
  expect = {
    cpu = function(on)
      return "open", ("the work is the same; for %d compute units it counts how evenly the groups divide it, and with "
        .. "100 rows, 9 of step 3's 13 groups have none"):format(on.max_compute_units)
    end,
    gpu = function(on)
      return "faster", ("16384 work-items instead of 416 at most: %d of %d compute units, in 16 groups, hide the "
        .. "memory's latency behind other work-items"):format(math.min(16, on.max_compute_units), on.max_compute_units)
    end,
  },
  decides = {"max_compute_units", "max_work_group_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, range = {0, 1}}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "product"
  local side = group.side(multiply, _local, {
    idle = function(none) return none, none, none, 0, 0, 0 end,
  })
  local items = _groups * side -- in each dimension

  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() multiply(queue, {items, items}, {side, side}, a, b, c, p.m, p.k, p.n) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {
    "finding: the published kernel reads a[i * rows + k] where a[i * cols + k] is meant: wrong wherever rows and cols "
      .. "differ, and past the end of A if there are more rows than columns (as in the author's 1000 rows); fixed here",
    ("%d x %d elements for %d x %d work-items in groups of %d x %d"):format(p.m, p.n, items, items, side, side),
  }
  walk.report(p:row(row, context))
end
