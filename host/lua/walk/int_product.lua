--- The product of int matrices for the walkthrough submatrix: C = A B, its inputs, its check, its host loops.
--
-- A is M x K, B is K x N and C is M x N, all by rows. Results are right modulo 2^32.
-- @module clue.walk.int_product
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local binding = require "clue.binding"
local inputs = require "clue.walk.inputs"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

local int_product = {}
local Product = {}
Product.__index = Product

--- Declares the inputs of every step: --size and --repeat.
-- @tparam table input the script's `input`
function int_product.inputs(input)
  input.string("_size", "512", "N, or MxKxN: A is M x K, B is K x N")
  inputs.repeats(input)
end

--- Makes the matrices of a step from its inputs.
-- @tparam table how size: a text; repeats: a number (0: by the rule)
-- @treturn Product with m, k, n, a, b, c (arrays), flops, repeats
function int_product.new(how)
  local m, k, n = inputs.passed(sizes.product(how.size))
  local self = setmetatable({m = m, k = k, n = n, type = "int", b_layout = "rows", flops = 2 * m * n * k}, Product)
  self.repeats = inputs.runs(how.repeats)
  self.a, self.b, self.c = array.int(m * k), array.int(k * n), array.int(m * n)
  self:fill_as_measured()
  return self
end

--- The least traffic of global memory: each input read once, the output written once.
-- @treturn number bytes
function Product:bytes()
  return self.a:bytes() + self.b:bytes() + self.c:bytes()
end

--- Sets the inputs for measurements, the same every time: 0 to 99.
function Product:fill_as_measured()
  self.a:random(0, 99, 1)
  self.b:random(0, 99, 2)
end

--- Sets inputs whose sums use the whole range of an int, far above the 2^24 at which a float begins to round.
function Product:fill_large()
  local most = math.floor(math.sqrt((2 ^ 31 - 1) / self.k))
  self.a:random(-math.floor(most / 4), most, 3)
  self.b:random(-math.floor(most / 4), most, 4)
end

-- ---- the check ----

local function layout(self, c)
  return {type = "int", m = self.m, k = self.k, n = self.n, a = self.a, b = self.b, c = c or self.c, b_layout = "rows"}
end

local function check(self)
  local right, fault = arithmetic.int_product_verify(layout(self), 5)
  if right then return true end
  return false, ("C[%d][%d] is %.0f, should be %.0f"):format(fault.row, fault.column, fault.found, fault.expected)
end

--- The two passes of a check, both exact: with sums in the whole range of int, then on the measured inputs.
-- @treturn {table,...} for @{clue.walk.verify}
function Product:passes()
  return {
    {name = "exact on large ints", prepare = function() self:fill_large() end,
     check = function() return check(self) end},
    {name = "exact on the measured ints", prepare = function() self:fill_as_measured() end,
     check = function() return check(self) end},
  }
end

-- ---- the host ----

local words = {
  naive = "triple loop", buffered = "columns of B buffered", vector = "columns of B buffered, compiled for vectors",
}

--- Computes C on the host.
-- @tparam string variant "naive", "buffered", "vector"
-- @tparam int threads cores to use, 0 for all
-- @tparam[opt=0] int first iteration of its outermost loop
-- @tparam[opt] int count of iterations; nil: all
-- @tparam[opt] array c another array for the result
function Product:multiply_on_host(variant, threads, first, count, c)
  local product = layout(self, c)
  count = count or arithmetic.int_product_extent(product, variant)
  arithmetic.int_product_baseline(product, variant, threads, first or 0, count)
end

--- Checks a host loop in the way a device's result is checked.
-- @tparam string variant
-- @tparam int threads
-- @treturn table as from @{clue.walk.verify}
function Product:verify_host(variant, threads)
  return walk.verify({execute = function() self:multiply_on_host(variant, threads) end}, self:passes())
end

--- Times a loop of the host.
-- @tparam string variant "naive", "buffered", "vector"
-- @tparam[opt] bool all on all cores
-- @treturn table as from @{clue.walk.host}
function Product:host(variant, all)
  local c = array.int(self.m * self.n)
  c:fill(0) -- touches its pages before the clock starts
  local extent, cores = arithmetic.int_product_extent(layout(self), variant), binding.processor_count()
  return walk.host {
    name = words[variant] .. (all and (", all %d cores"):format(cores) or ""), extent = extent,
    compiler = arithmetic.int_product_compiler(variant), repeats = self.repeats,
    least = math.min(extent, all and 4 * cores or 1),
    slice = function(first, count) self:multiply_on_host(variant, all and 0 or 1, first, count, c) end,
  }
end

--- The times of a host loop in the form of a step's.
-- @tparam table host from @{host}
-- @treturn table times
function Product:times_of(host)
  return {total = host.times, flops = self.flops, bytes = self:bytes(), rate = "GFLOPS", runs = #host.times,
          extrapolated = host.extrapolated}
end

-- ---- the device ----

--- The global size for columns and rows in whole groups.
-- @tparam int columns work-items
-- @tparam int rows work-items
-- @tparam {int,int} group
-- @treturn {int,int}
function int_product.rounded(columns, rows, group)
  return {math.ceil(columns / group[1]) * group[1], math.ceil(rows / group[2]) * group[2]}
end

--- Completes a row: adds what was computed, and the device.
-- @tparam table row as for @{clue.walk.report}
-- @tparam[opt] context context nil: only the host
-- @treturn table row
function Product:row(row, context)
  row.size, row.type, row.context = {m = self.m, k = self.k, n = self.n}, "int", context
  row.problem = ("A %d x %d times B %d x %d, int"):format(self.m, self.k, self.k, self.n)
  return row
end

return int_product
