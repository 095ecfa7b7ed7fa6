-- Step 2, the same kernel on another range: 13 work-groups of 32 work-items, because the author's card has 13 compute
-- units and prefers multiples of 32.
--
-- Step 1 uses one lane of a warp, and 1024 warps; here all 32 lanes work, in 13 warps. But that gains nothing for
-- whoever waits for the result: now 416 work-items compute the whole product instead of 1024, but each of them still
-- takes as long as the whole product. How the range is cut does not matter until the work is divided. It only matters
-- how many products one unit has to do: if it does them one after the other, 416 take 0.41 times as long as 1024.
--
-- A work-item finds its place from its group's: get_global_id(0) is get_group_id(0) * get_local_size(0) +
-- get_local_id(0), plus an offset if the host gave one. The same holds for dimensions 1 and 2: a range may have three,
-- for example for the points of a volume, as in step 30 of amd. Worked out for a global size of [4, 4, 4] in groups of
-- [2, 2, 2]: there are 4 / 2 = 2 groups in each dimension, 8 in all, of 8 work-items each, 64 work-items together. Item
-- [1, 0, 1] of group [0, 1, 1] has the global id [0 * 2 + 1, 1 * 2 + 0, 1 * 2 + 1] = [1, 2, 3].
--
-- This costs 416 products, so the step makes a large problem smaller, as step 1 does; --whole keeps its size.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")
input.bool("_whole", false, "keep the size, however long that takes")
input.int("_groups", 13, "work-groups", 1)
input.int("_local", 32, "work-items in each group", 1)

local KERNEL = [[
__kernel void product(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c,
                      __global REALTYPE *sums, uint rows, uint cols, uint result_cols)
{
    const uint id = get_global_id(0), items = get_global_size(0);
    REALTYPE sum = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < result_cols; j++) {
            REALTYPE value = 0;
            for (size_t k = 0; k < cols; k++)
                value += a[i * cols + k] * b[k * result_cols + j];
            sum += value;
            if ((uint)(i * result_cols + j) % items == id)
                c[i * result_cols + j] = value;
        }
    sums[id] = sum;
}
]]

local row = {
  number = 2, name = "groups_of_32", change = "the same kernel on 13 groups of 32",
  published = {{on = "K80", seconds = 0.712, rate = 0.01685, unit = "GFLOPS", ratio = 0.051, computed = true,
                text = "no gain; the host loop took 36 ms"}},
  expect = {
    cpu = function(on)
      return "faster", ("%d compute units do 416 products one after the other, instead of 1024"):format(
        on.max_compute_units)
    end,
    gpu = function(on)
      local groups = 1024 / on.max_compute_units
      return "open", ("each work-item takes as long as before; it is a gain only if step 1's groups, %.0f on each of "
        .. "%d compute units, were in each other's way"):format(groups, on.max_compute_units)
    end,
  },
  decides = {"max_compute_units", "preferred_work_group_size_multiple"},
}

-- Checks that the sums of all work-items are equal, as all computed the same; returns nil, or what is wrong.
local function difference(sums)
  for id, sum in sums:each() do
    local apart = math.abs(sum - sums[0])
    if apart > 1e-6 * math.abs(sums[0]) or apart ~= apart then
      return ("work-item %d computed %.9g in all, work-item 0 %.9g"):format(id, sum, sums[0])
    end
  end
  return nil
end

function OnStart()
  local context = cl.context()
  local most = context.device:is_kind "gpu" and 100 * 200 * 300 or 3e8 / 1024
  local size = _whole and _size or sizes.product_at_most(_size, most)
  local p = product.new{size = size, type = _type, repeats = _repeat, range = {0, 1}}
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "product"

  local size_of_group = group.size(multiply, _local, {
    idle = function(none) return none, none, none, none, 0, 0, 0 end,
  })
  local items = _groups * size_of_group
  local sums = cl.array[_type](items)
  local a, b = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only")
  local c, summed = context:buffer(p.c), context:buffer(sums)
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function()
      p.c:fill(0) queue:write_buffer(c, p.c)
      sums:fill(0) queue:write_buffer(summed, sums)
    end,
    execute = function() multiply(queue, items, size_of_group, a, b, c, summed, p.m, p.k, p.n) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  local passes = p:passes()
  local as_published = passes[2].check
  passes[2].check = function()
    local right, why = as_published()
    if not right then return right, why end
    queue:read_buffer(summed, sums)
    why = difference(sums)
    return not why, why
  end
  row.check = walk.verify(parts, passes)
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {
    "finding: as in step 1, the published kernel's work-items race to store the same values; here each computes all "
      .. "and stores its share",
    ("GFLOPS count the product once; %d work-items did %d times that"):format(items, items),
    ("the author's 13 groups match the card's compute units; here there are %d (--groups); the kernel prefers "
      .. "multiples of %d"):format(context.device.max_compute_units, multiply.preferred_work_group_size_multiple),
  }
  if size ~= _size then
    row.notes[4] = ("%s is made smaller here, to %s, since it is computed %d times; --whole keeps its size"):format(
      _size, size, items)
  end
  walk.report(p:row(row, context))
end
