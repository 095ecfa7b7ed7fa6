-- Step 22, beyond the series: the product by CLBlast, to compare with.
--
-- Is step 20 at the limit of OpenCL, or only at ours? CLBlast is a BLAS library in OpenCL, with parameters that others
-- tuned for their devices; for yours it may take the nearest ones, or its defaults. B is stored by rows.
local cl = require "clue"
local library = require "clue.walk.library"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")

local row = {
  number = 22, name = "clblast", beyond = true, best = true,
  change = "the product by CLBlast, in OpenCL",
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, range = {0, 1}}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local parts, about = library.parts("clblast", p, context)
  if not parts then walk.skip(row, about, context) end
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {about}
  walk.report(p:row(row, context))
end
