--- The product of int matrices for the walkthrough submatrix: C = A B, its inputs, its check, its host loops.
--
-- A is M x K, B is K x N and C is M x N, all by rows. Results are right modulo 2^32.
-- @module clue.walk.int_product
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local binding = require "clue.binding"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local problem = require "clue.walk.problem"
local product = require "clue.walk.product"
local walk = require "clue.walk"

local int_product = {}
local Product = problem.class(product.class)

--- Declares the inputs of every step:
-- --size and --repeat.
-- @tparam table input the script's `input`
function int_product.inputs(input)
  problem.inputs(input, "512", product.size_text)
end

--- Makes the matrices of a step from its inputs; as measured they are 0 to 99.
-- @tparam table how size: a text; repeats: a number (0: by the rule); narrow: true for A and B as char, too, with
--   numbers that fit
-- @treturn Product as from @{clue.walk.product.matrices}, with narrow_a and narrow_b
function int_product.new(how)
  local self = product.matrices(Product, {size = how.size, repeats = how.repeats, type = "int", range = {0, 99}})
  if how.narrow then
    self.narrow_a, self.narrow_b = array.char(#self.a), array.char(#self.b)
    self:fill_as_measured()
  end
  return self
end

-- Copies A and B to those of char.
local function narrow(self)
  if not self.narrow_a then return end
  self.narrow_a:copy_from(self.a)
  self.narrow_b:copy_from(self.b)
end

--- Sets the inputs that are measured.
function Product:fill_as_measured()
  product.class.fill_as_measured(self)
  narrow(self)
end

--- The least traffic of global memory: each input read once, the output written once.
-- @treturn number bytes
function Product:bytes()
  return (self.narrow_a or self.a):bytes() + (self.narrow_b or self.b):bytes() + self.c:bytes()
end

--- Sets inputs whose sums use the whole range of an int, far above the 2^24 at which a float begins to round; or all
-- numbers of a char.
function Product:fill_large()
  if self.narrow_a then
    self.a:random(-128, 127, 3)
    self.b:random(-128, 127, 4)
    return narrow(self)
  end
  local most = math.floor(math.sqrt((2 ^ 31 - 1) / self.k))
  self.a:random(-math.floor(most / 4), most, 3)
  self.b:random(-math.floor(most / 4), most, 4)
end

--- The two passes of a check, both exact: with sums in the whole range of int, then on the measured inputs.
-- @treturn {table,...} for @{clue.walk.verify}
function Product:passes()
  local function check() return self.in_words(arithmetic.int_product_verify(self:layout(), 5)) end
  return {
    {name = self.narrow_a and "exact on all numbers of 8 bits" or "exact on large ints",
     prepare = function() self:fill_large() end, check = check},
    {name = "exact on the measured ints", prepare = function() self:fill_as_measured() end, check = check},
  }
end

-- ---- the host ----

local words = {
  naive = "triple loop", buffered = "columns of B buffered", vector = "columns of B buffered, compiled for vectors",
}

--- Computes C on the host.
-- @tparam string variant "naive", "buffered", "vector"
-- @tparam int threads cores to use, 0 for all
function Product:on_host(variant, threads)
  local layout = self:layout()
  arithmetic.int_product_baseline(layout, variant, threads, 0, arithmetic.int_product_extent(layout, variant))
end

--- Times a loop of the host.
-- @tparam string variant "naive", "buffered", "vector"
-- @tparam[opt] bool all on all cores
-- @treturn table as from @{clue.walk.host}
function Product:host(variant, all)
  local layout, cores = self:layout(self:spare()), binding.processor_count()
  local extent = arithmetic.int_product_extent(layout, variant)
  return walk.host {
    problem = self:text(),
    name = words[variant] .. (all and ", all " .. counted(cores, "core") or ""), extent = extent,
    compiler = arithmetic.int_product_compiler(variant), repeats = self.repeats,
    least = math.min(extent, all and 4 * cores or 1),
    slice = function(first, count) arithmetic.int_product_baseline(layout, variant, all and 0 or 1, first, count) end,
  }
end

--- The global size for columns and rows in whole groups.
-- @tparam int columns work-items
-- @tparam int rows work-items
-- @tparam {int,int} size of the group
-- @treturn {int,int}
function int_product.rounded(columns, rows, size)
  return {group.round_up(columns, size[1]), group.round_up(rows, size[2])}
end

Product.row = problem.row -- without elements to look at

return int_product
