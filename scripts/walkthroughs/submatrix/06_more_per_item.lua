-- Step 6: the device, as step 5; each work-item computes WPT = 8 elements of a column of C.
--
-- In step 5, each multiply-add reads two elements from local memory. An element of B's tile that was read once from
-- local memory serves eight independent sums: 9 reads for 8 multiply-adds instead of 16. But a group has an eighth of
-- the work-items. With tiles of 8 x 8, that is 8, a quarter of a warp of 32, and by the count 25 % of the lanes work;
-- and the tiles are half as wide as step 5's of 16 x 16, so that requests ask for 5.67 times the bytes instead of 3.00.
-- With --tile 32, a group has 128 work-items, whole warps. VARIANT 3 of kernels/submatrix.cl; TILE and WPT reach it as
-- -D options.
local cl = require "clue"
local int_product = require "clue.walk.int_product"
local paths = require "clue.paths"
local walk = require "clue.walk"

int_product.inputs(input)
input.int("_tile", 8, "rows and columns of a tile", 1, 64)
input.int("_wpt", 8, "elements of C for each work-item; divides the tile", 1, 64)

local row = {
  number = 6, name = "more_per_item", change = "device: as step 5, eight elements of C for each work-item",
  published = {{on = "GPU", seconds = 0.133, text = "0.133 s at 4096, 23x over step 3"}},
  note_of_author = "5.7 at 1024 in the unit of step 4",
  expect = {
    cpu = {"faster", "an element of B's tile serves eight sums, which do not wait for each other"},
    gpu = {"open", "9 instead of 16 reads of local memory for 8 multiply-adds, but a group of 8 work-items uses a "
      .. "quarter of the lanes where a warp has 32"},
  },
  decides = {"local_mem_type", "max_work_group_size"},
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  if _tile % _wpt ~= 0 then walk.skip(row, ("wpt %d does not divide tile %d"):format(_wpt, _tile), context) end
  local group = {_tile, _tile / _wpt}
  walk.need(row, context, {local_memory = 2 * 4 * _tile * _tile, group = group[1] * group[2]})
  local program = context:program(cl.read_file(paths.kernels .. "/submatrix.cl"),
    {defines = {VARIANT = 3, TILE = _tile, WPT = _wpt}})
  local kernel = program:kernel "submatrix"
  local a, b, c = context:buffer(p.a), context:buffer(p.b), context:buffer(p.c:bytes())
  local global = int_product.rounded(p.n, math.ceil(p.m / _tile) * group[2], group)

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(-1) queue:write_buffer(c, p.c) end,
    execute = function() kernel(queue, global, group, cl.int(p.m), cl.int(p.k), cl.int(p.n), a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "naive"
  row.beside = {p:host("buffered", true)}
  row.notes = {
    "finding: the published kernel adds ints up in float, wrong above 2^24; fixed here",
    "finding: it reads its matrices by columns, but steps 4 and 5 read by rows, so it computes B A; fixed here",
    "finding: its range is (N, M / WPT), although dimension 0 counts rows there; fixed here",
  }
  local multiple = kernel.preferred_work_group_size_multiple
  if group[1] * group[2] < multiple then
    row.notes[4] = ("a group has %d work-items, the device prefers multiples of %d: try --tile 32"):format(
      group[1] * group[2], multiple)
  end
  walk.report(p:row(row, context))
end
