-- Step 6 of submatrix with the faults of the published listing, one at a time: ints added up in float; matrices read by
-- columns; and the host's loops of step 3, with M for the row stride of A and C. Prints what the walkthrough's check
-- says.
local cl = require "clue"
local int_product = require "clue.walk.int_product"
local paths = require "clue.paths"
local walk = require "clue.walk"

int_product.inputs(input)
input.choice("_fault", {"none", "float_sums", "by_columns", "strides"}, "float_sums", "which")

local TILE, WPT = 8, 8

local function replaced(text, from, to)
  local result, count = text:gsub(from:gsub("%p", "%%%0"), (to:gsub("%%", "%%%%")))
  assert(count > 0, "kernels/submatrix.cl has no '" .. from .. "'")
  return result
end

local faults = {
  none = function(source) return source end,
  float_sums = function(source) return replaced(source, "int sums[WPT]", "float sums[WPT]") end,
  by_columns = function(source)
    source = replaced(source, "a[row * k + first + x]", "a[row + (first + x) * m]")
    source = replaced(source, "b[(first + line) * n + column]", "b[first + line + column * k]")
    return replaced(source, "c[(top + w * ROWS) * n + column]", "c[top + w * ROWS + column * m]")
  end,
}

local function on_device(p)
  local context = cl.context()
  local queue = context:queue()
  local program = context:program(faults[_fault](cl.read_file(paths.kernels .. "/submatrix.cl")),
    {defines = {VARIANT = 3, TILE = TILE, WPT = WPT}})
  local kernel = program:kernel "submatrix"
  local a, b, c = context:buffer(p.a), context:buffer(p.b), context:buffer(p.c:bytes())
  local group = {TILE, TILE / WPT}
  local global = int_product.rounded(p.n, math.ceil(p.m / TILE) * group[2], group)
  return {
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    execute = function() kernel(queue, global, group, cl.int(p.m), cl.int(p.k), cl.int(p.n), a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
end

-- Arrays have room for the strides to be wrong in; where they are not, M is K and N.
local function on_host(p)
  local function at(matrix, index) return index < #matrix and matrix[index] or 0 end
  return {execute = function()
    for row = 0, p.m - 1 do
      for column = 0, p.n - 1 do
        local sum = 0
        for k = 0, p.k - 1 do sum = sum + at(p.a, row * p.m + k) * at(p.b, k * p.n + column) end
        sum = (sum + 2 ^ 31) % 2 ^ 32 - 2 ^ 31
        if row * p.m + column < #p.c then p.c[row * p.m + column] = sum end
      end
    end
  end}
end

function OnStart()
  local p = int_product.new{size = _size}
  local check = walk.verify(_fault == "strides" and on_host(p) or on_device(p), p:passes())
  print(check.verified and "verified" or "WRONG: " .. check.text)
end
