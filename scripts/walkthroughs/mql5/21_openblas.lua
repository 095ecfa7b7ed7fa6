-- Step 21, beyond the article: the product by OpenBLAS, to compare with.
--
-- Is step 20 at the limit of the device, or only at ours? BLAS libraries show what a CPU can do: their kernels are
-- written for each processor. OpenBLAS takes the host's matrices as they are, so there is no upload. The step runs only
-- for a CPU device. B is stored by rows.
local cl = require "clue"
local library = require "clue.walk.library"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local row = {
  number = 21, name = "openblas", beyond = true, best = true,
  change = "the product by OpenBLAS, on the host's processors",
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local parts, about = library.parts("openblas", p, context)
  if not parts then walk.skip(row, about, context) end
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {about}
  walk.report(p:row(row, context))
end
