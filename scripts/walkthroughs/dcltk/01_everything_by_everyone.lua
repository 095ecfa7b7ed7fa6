-- Step 1, the first try: 1024 work-items, and every one of them computes the whole product.
--
-- All work-items do the same, so the work is not divided: 1024 times the work in, at best, about the time of one
-- product. That is its limit from the start, and the groups of one work-item make it worse: a warp has 32 lanes, and
-- one of them works, 3 % by the count. In the author's kernel all of them store every element. They store the same
-- values, but it is a race all the same. Here each still computes every element, but stores only its share. Each also
-- adds up all elements that it computed, so that no compiler leaves out those that it does not store; the step compares
-- these sums.
--
-- This costs 1024 products, so the step makes a large problem smaller; --whole keeps its size.
local cl = require "clue"
local product = require "clue.walk.product"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")
input.bool("_whole", false, "keep the size, however long that takes")
input.int("_items", 1024, "work-items", 1)

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
  number = 1, name = "everything_by_everyone",
  change = "every work-item computes the whole product; 1024 of them, each a group of its own",
  published = {{on = "K80", seconds = 0.711, rate = 0.01688, unit = "GFLOPS", ratio = 0.052, computed = true,
                text = "20 times slower than the host loop (37 ms)"}},
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

  local sums = cl.array[_type](_items)
  local a, b = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only")
  local c, summed = context:buffer(p.c), context:buffer(sums)
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function()
      p.c:fill(0) queue:write_buffer(c, p.c)
      sums:fill(0) queue:write_buffer(summed, sums)
    end,
    execute = function() multiply(queue, _items, 1, a, b, c, summed, p.m, p.k, p.n) end,
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
    "finding: in the published kernel all work-items store every element, the same values, but unordered: a race; "
      .. "here each computes all and stores its share",
    ("GFLOPS count the product once; %d work-items did %d times that"):format(_items, _items),
  }
  if size ~= _size then
    row.notes[3] = ("%s is made smaller here, to %s, since it is computed %d times; --whole keeps its size"):format(
      _size, size, _items)
  end
  walk.report(p:row(row, context))
end
