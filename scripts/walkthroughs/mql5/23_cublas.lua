-- Step 23, beyond the article: the product by cuBLAS, to compare with.
--
-- Is step 20 at the limit of the card, or only at that of OpenCL? cuBLAS is NVIDIA's own library. It computes in a CUDA
-- context of its own, so matrices are uploaded there; float is not rounded to TF32. B is stored by rows.
local cl = require "clue"
local library = require "clue.walk.library"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local row = {
  number = 23, name = "cublas", beyond = true, best = true,
  change = "the product by cuBLAS, in CUDA",
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local parts, about = library.parts("cublas", p, context)
  if not parts then walk.skip(row, about, context) end
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {about}
  walk.report(p:row(row, context))
end
