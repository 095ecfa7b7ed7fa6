-- Step 5: the device, square tiles of A and B in local memory.
--
-- Step 4 reads global memory twice for each multiply-add. The work-items of a group together copy a tile of A and a
-- tile of B, and use each element TILE times from local memory: by the count, 0.070 accesses an operation instead of
-- 1.01, and requests ask for 3.00 times the bytes used instead of 27.0. But the requests of step 4 were as good as
-- these, neighbours shared them, and caches hold what is shared; and each multiply-add still reads twice, now from
-- local memory. So the gain is far below 14: the author's figures give 1.35.
--
-- Two barriers per tile ensure that the tiles are complete before they are used, and used before the next ones
-- overwrite them. A work-item knows its place in the group by get_local_id(), which chooses its elements of the tiles,
-- and its place in the range by get_global_id(), which chooses its element of C. The step measures tiles of 16 x 16, as
-- in the author's first article, and of 8 x 8, as in the later ones, in turn. The kernel is VARIANT 2 of
-- kernels/submatrix.cl, and the tile's size reaches it as -D TILE.
local cl = require "clue"
local int_product = require "clue.walk.int_product"
local paths = require "clue.paths"
local walk = require "clue.walk"

int_product.inputs(input)
input.int("_tile", 0, "rows and columns of a tile; 0: 16 and 8, as the author's", 0, 64)

local row = {
  number = 5, name = "tiles", change = "device: tiles of A and B in local memory, 16 x 16 and 8 x 8",
  published = {{on = "GPU", seconds = 0.019,
                text = "0.019 s in the first article, whose size is not stated; 8.6x over step 3"}},
  note_of_author = "6.9 at 1024 in the unit of step 4: the text says about 1.5x over it, the figures give 1.35x",
  expect = {
    cpu = {"open", "the copies and barriers come on top, as local memory is ordinary memory; but a tile of B is read "
      .. "where step 4 walks down columns, and the compiler may compute work-items side by side"},
    gpu = function(on)
      if on.local_mem_type ~= "local" then return "slower", "local memory is emulated in global memory here" end
      return "faster", "a fourteenth of the accesses of global memory; not much faster, as each multiply-add still "
        .. "reads twice, from local memory"
    end,
  },
  decides = {"local_mem_type", "local_mem_size", "max_work_group_size"},
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local source = cl.read_file(paths.kernels .. "/submatrix.cl")
  local a, b, c = context:buffer(p.a), context:buffer(p.b), context:buffer(p.c:bytes())

  local variants = {}
  for i, tile in ipairs(_tile > 0 and {_tile} or {16, 8}) do
    walk.need(row, context, {local_memory = 2 * 4 * tile * tile, group = tile * tile})
    local kernel = context:program(source, {defines = {VARIANT = 2, TILE = tile}}):kernel "submatrix"
    local group = {tile, tile}
    local global = int_product.rounded(p.n, p.m, group)
    variants[i] = {
      label = ("TILE %d"):format(tile), value = tile,
      flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
      upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
      reset = function() p.c:fill(-1) queue:write_buffer(c, p.c) end,
      execute = function() kernel(queue, global, group, cl.int(p.m), cl.int(p.k), cl.int(p.n), a, b, c) end,
      read = function() queue:read_buffer(c, p.c) end,
    }
  end
  row.check = walk.verify_sweep(variants, p:passes())
  row.times, row.sweep = walk.sweep(variants)
  row.host = p:host "naive"
  row.beside = {p:host("buffered", true)}
  row.notes = {"finding: the published tiles require sizes that they divide evenly; fixed here"}
  walk.report(p:row(row, context))
end
