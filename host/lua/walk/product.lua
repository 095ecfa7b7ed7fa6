--- The matrix product for walkthroughs: C = A B, its inputs, its check and its host baselines.
--
-- A is M x K and C is M x N, both by rows; B is K x N, by rows or by columns as the step needs it. Elements are
-- uniform in the article's range.
-- @module clue.walk.product
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local binding = require "clue.binding"
local problem = require "clue.walk.problem"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

local product = {}
local Product = problem.class()

--- What
-- --size means.
product.size_text = "N, or MxKxN: A is M x K, B is K x N"

--- Declares the inputs of every step:
-- --size, --type and --repeat.
-- @tparam table input the script's `input`
-- @tparam string size the default
function product.inputs(input, size)
  problem.inputs(input, size, product.size_text)
  input.choice("_type", {"float", "double"}, "float", "type of the elements")
end

--- Makes the matrices of a problem.
-- @tparam table class of the problem
-- @tparam table how size, type: texts; repeats: a number (0: by the rule); b: "rows" or "columns"; range: of the
--   elements as measured
-- @treturn Product with m, k, n, type, a, b, c (arrays with rows and columns; of a B by columns, the rows are its
--   columns), flops, repeats
function product.matrices(class, how)
  local m, k, n = problem.passed(sizes.product(how.size))
  local self = setmetatable({m = m, k = k, n = n, extents = {m = m, k = k, n = n}, type = how.type,
                             b_layout = how.b or "rows", range = how.range}, class)
  self.repeats, self.flops = problem.runs(how.repeats), 2 * m * n * k
  local function matrix(rows, columns) return array[how.type](rows * columns):reshape(rows, columns) end
  self.a, self.b, self.c = matrix(m, k), how.b == "columns" and matrix(n, k) or matrix(k, n), matrix(m, n)
  self:fill_as_measured()
  return self
end

--- Makes the matrices of a step from its inputs.
-- @tparam table how as for @{matrices}; range: of the author's elements ({-0.5, 0.5}); precision: "tf32" if the device
--   rounds floats of A and B to 11 bits
-- @treturn Product as from @{matrices}, with defines: the head of the kernel's source
function product.new(how)
  how.range = how.range or {-0.5, 0.5}
  local self = product.matrices(Product, how)
  self.precision = how.precision
  self.defines = ("#define M %d\n#define K %d\n#define N %d\n"):format(self.m, self.k, self.n)
    .. "#define REALTYPE T\n#define REALTYPE4 T4\n#define REALTYPE8 T8\n"
  self.defines = self.defines:gsub("T(%d?)\n", how.type .. "%1\n")
  if how.type == "double" then
    self.defines = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" .. self.defines
  end
  return self
end

--- Sets the inputs for measurements: uniform in their range, the same every time.
function Product:fill_as_measured()
  self.a:random(self.range[1], self.range[2], 1)
  self.b:random(self.range[1], self.range[2], 2)
end

--- Sets inputs of whole numbers so small that every sum is exact in any order.
function Product:fill_whole()
  local exact = self.type == "float" and 2 ^ 24 or 2 ^ 53
  local most = math.max(1, math.min(8, math.floor(math.sqrt((exact - 1) / self.k))))
  for seed, matrix in pairs {[3] = self.a, [4] = self.b} do
    local whole = array.int(#matrix)
    whole:random(-most, most, seed)
    matrix:copy_from(whole)
  end
end

--- The product as the host's arithmetic takes it.
-- @tparam[opt] array c another array for the result
-- @treturn table for arithmetic.verify_exact and the others
function Product:layout(c)
  return {type = self.type, m = self.m, k = self.k, n = self.n, a = self.a, b = self.b, c = c or self.c,
          b_layout = self.b_layout, precision = self.precision}
end

--- The finding of a check in words.
-- @tparam boolean right
-- @tparam table fault from a check of @{clue.walk.arithmetic}
-- @treturn boolean right
-- @treturn ?string what is wrong
function Product.in_words(right, fault)
  if right then return true end
  if fault.row >= 0 and fault.column >= 0 then
    return problem.in_words(right, fault, ("C[%d][%d] is"):format(fault.row, fault.column))
  end
  local line = fault.row >= 0 and "row " .. fault.row or "column " .. fault.column
  return problem.in_words(right, fault, line .. " sums, with random signs, to")
end

--- The two passes of a check: exact on whole numbers, then on the author's inputs within six standard deviations of
-- what rounding does.
-- @treturn {table,...} for @{clue.walk.verify}
function Product:passes()
  return {
    {name = "exact on whole numbers", prepare = function() self:fill_whole() end,
     check = function() return self.in_words(arithmetic.verify_exact(self:layout(), 5)) end},
    {name = ("six sigma%s on the author's inputs"):format(self.precision and " of TF32's rounding" or ""),
     prepare = function() self:fill_as_measured() end,
     check = function() return self.in_words(arithmetic.verify_rounded(self:layout(), 6)) end},
  }
end

-- The optimised form packs B for every slice and thread, which needs many rows at once to be cheap.
local least_slice = {optimised = 1008}

--- Times a host loop, compiled C, on this product and layout.
-- @tparam string variant "rck" and the other loop orders, "linear_rows", "linear_columns", "optimised"
-- @tparam[opt] string name its name in the table
-- @tparam[opt=1] int threads cores to use, 0 for all
-- @treturn table as from @{clue.walk.host}
function Product:host(variant, name, threads)
  local layout = self:layout(self:spare())
  local least = (least_slice[variant] or 1) * (threads == 0 and binding.processor_count() or threads or 1)
  return walk.host {
    problem = self:text(),
    name = name or variant, compiler = arithmetic.baseline_compiler(variant),
    extent = arithmetic.baseline_extent(layout, variant), least = least, repeats = self.repeats,
    slice = function(first, count) arithmetic.baseline_product(layout, variant, threads or 1, first, count) end,
  }
end

--- Computes C on the host, with the fastest of the baselines.
-- @tparam[opt="optimised"] string variant as for @{Product:host}
-- @tparam[opt=1] int threads as for @{Product:host}
function Product:on_host(variant, threads)
  variant = variant or "optimised"
  self.c:fill(0)
  local layout = self:layout()
  arithmetic.baseline_product(layout, variant, threads or 1, 0, arithmetic.baseline_extent(layout, variant))
end

--- The times of several loop orders in a line.
-- @tparam {table,...} hosts from @{Product:host}
-- @treturn string "host ms by loop order: rck 118, ..."
function product.orders_text(hosts)
  local parts = {}
  for i, host in ipairs(hosts) do
    local ms = host.seconds * 1000
    parts[i] = ("%s %s" .. (ms >= 100 and "%.0f" or "%.3g")):format(host.name, host.extrapolated and "~" or "", ms)
  end
  return "host ms by loop order, outermost first: " .. table.concat(parts, ", ")
end

--- What is computed, in words.
-- @treturn string
function Product:text()
  return ("A %d x %d times B %d x %d, %s"):format(self.m, self.k, self.k, self.n, self.type)
end

--- Copies the upper left part of one matrix to another of the same type, whose rows may be longer or shorter: adds
-- padding, or removes it.
-- @tparam array to
-- @tparam int to_columns length of its rows
-- @tparam array from
-- @tparam int from_columns length of its rows
-- @tparam int rows the number of rows to copy
-- @tparam int columns the elements to copy of each row
-- @treturn array to
function product.copy_part(to, to_columns, from, from_columns, rows, columns)
  if to_columns == columns and from_columns == columns then return to:copy_from(from, 0, 0, rows * columns) end
  for row = 0, rows - 1 do to:copy_from(from, row * from_columns, row * to_columns, columns) end
  return to
end

product.class = Product

return product
