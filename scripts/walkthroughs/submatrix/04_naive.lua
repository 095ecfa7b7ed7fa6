-- Step 4: the device, one work-item for each element of C.
--
-- Step 3 is limited by the number of cores. Here M N work-items compute an element each. A work-item reads a row of A
-- and a column of B from global memory. Neighbours in dimension 0 share the row and read neighbouring columns, so their
-- reads are combined: by the count, 1 sector a request for A and 4 for B, the least possible. Still every element of A
-- is read N times, and every element of B M times: 1.01 accesses an operation, which limit the step now. The kernel is
-- VARIANT 1 of kernels/submatrix.cl.
local cl = require "clue"
local int_product = require "clue.walk.int_product"
local paths = require "clue.paths"
local walk = require "clue.walk"

int_product.inputs(input)

local row = {
  number = 4, name = "naive", change = "device: one work-item for each element of C",
  published = {
    {on = "GPU", text = "1.63x the time of step 6 at 1024; at 2048 3x that of step 5 and 4x that of step 6"},
  },
  note_of_author = "9.3 at 1024, by his text seconds; 0.019 s for tiles in his first article, which states no size",
  expect = {
    cpu = function(on)
      return "open", ("the same %d cores compute in both steps; step 3 reads a copied column consecutively, here the "
        .. "compiler must find vectors of neighbouring columns"):format(on.max_compute_units)
    end,
    gpu = function(on)
      return "faster", ("%d compute units run many thousands of work-items at once"):format(on.max_compute_units)
    end,
  },
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local program = context:program(cl.read_file(paths.kernels .. "/submatrix.cl"), {defines = {VARIANT = 1}})
  local kernel = program:kernel "submatrix"
  local a, b, c = context:buffer(p.a), context:buffer(p.b), context:buffer(p.c:bytes())

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(-1) queue:write_buffer(c, p.c) end,
    execute = function() kernel(queue, {p.n, p.m}, nil, cl.int(p.m), cl.int(p.k), cl.int(p.n), a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "naive"
  row.beside = {p:host("buffered", true)}
  walk.report(p:row(row, context))
end
