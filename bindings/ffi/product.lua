--- The host's own matrix products and the checks of a product, through clue.h.
-- A product is {type = "float"|"double"|"int", m =, k =, n =, a =, b =, c = arrays, b_layout = "rows"|"columns"}: C = A
-- B, A of m x k and C of m x n by rows, B of k x n by rows or by columns. C trusts the sizes of
-- the arrays, so they are checked here.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local fault = require "clue.ffi.fault"

local long, typed = argument.long, argument.typed

local binding = {}

local variants = {
  rck = C.CLUE_LOOPS_RCK,
  rkc = C.CLUE_LOOPS_RKC,
  crk = C.CLUE_LOOPS_CRK,
  ckr = C.CLUE_LOOPS_CKR,
  krc = C.CLUE_LOOPS_KRC,
  kcr = C.CLUE_LOOPS_KCR,
  linear_rows = C.CLUE_LINEAR_ROWS,
  linear_columns = C.CLUE_LINEAR_COLUMNS,
  optimised = C.CLUE_OPTIMISED,
}

local int_variants = {
  naive = C.CLUE_INT_NAIVE,
  buffered = C.CLUE_INT_BUFFERED,
  vector = C.CLUE_INT_VECTOR,
}

local types = { float = C.CLUE_FLOAT, double = C.CLUE_DOUBLE, int = C.CLUE_INT }

-- What is wrong with one of a product's arrays, nil where nothing is.
local function array_problem(product, name, rows, columns)
  local array = product[name]
  local problem = argument.array_problem(array)
  if problem then return problem end
  if element.code_of(array) ~= types[product.type] then return ("%s is no array of %s"):format(name, product.type) end
  if #array >= rows * columns then return nil end
  return ("%s has %.0f elements, %.0f x %.0f needs %.0f"):format(name, #array, rows, columns, rows * columns)
end

local function sizes_problem(product)
  for _, name in ipairs { "m", "k", "n" } do
    local problem = argument.whole_problem(product[name], 64)
    if problem then return problem end
    if product[name] < 1 then return "m, k and n are at least 1" end
  end
  return array_problem(product, "a", product.m, product.k)
    or array_problem(product, "b", product.k, product.n)
    or array_problem(product, "c", product.m, product.n)
end

local function product_problem(product, int)
  local problem = argument.type_problem(product, "table")
  if problem then return problem end
  if int and product.type ~= "int" then return "type is 'int'" end
  if not int and product.type ~= "float" and product.type ~= "double" then return "type is 'float' or 'double'" end
  if product.b_layout ~= "columns" and product.b_layout ~= "rows" then return "b_layout is 'rows' or 'columns'" end
  return sizes_problem(product)
end

local function describe(product, call, int)
  local problem = product_problem(product, int)
  if problem then argument.refuse(1, call, problem, 1) end
  local by_columns = product.b_layout == "columns"
  local m, k, n = product.m, product.k, product.n
  local told = ffi.new("clue_product")
  told.type, told.m, told.k, told.n = types[product.type], m, k, n
  told.a, told.a_row, told.a_column = product.a._data, k, 1
  told.b, told.b_row, told.b_column = product.b._data, by_columns and 1 or n, by_columns and k or 1
  told.c, told.c_row, told.c_column = product.c._data, n, 1
  return told
end

local function variant_code(variant, position, call, known)
  known = known or variants
  local problem = argument.word_problem(variant, known, "baseline")
  if problem then argument.refuse(position, call, problem, 1) end
  return known[variant]
end

--- Runs iterations of a variant's outermost loop; c is zeroed by the caller.
-- @tparam table product
-- @tparam string variant "rck" to "kcr", "linear_rows", "linear_columns", "optimised"
-- @tparam number threads cores to use, 0 for all
-- @tparam number first the first iteration, from 0
-- @tparam number count how many iterations
-- @treturn ?boolean true; nil where there are no such iterations, or the variant does not suit the product or threads
function binding.baseline_product(product, variant, threads, first, count)
  local code = variant_code(variant, 2, "baseline_product")
  local told = describe(product, "baseline_product")
  argument.int(threads, 3, "baseline_product")
  long(first, 4, "baseline_product")
  long(count, 5, "baseline_product")
  if C.clue_baseline_product(told, code, threads, first, count) ~= 0 then return nil end
  return true
end

--- How far a variant's outermost loop runs.
-- @tparam table product
-- @tparam string variant as for baseline_product
-- @treturn number iterations
function binding.baseline_extent(product, variant)
  local code = variant_code(variant, 2, "baseline_extent")
  return tonumber(C.clue_baseline_extent(describe(product, "baseline_extent"), code))
end

--- What a variant was made with.
-- @tparam string variant as for baseline_product
-- @treturn string the compiler and its flags
function binding.baseline_compiler(variant)
  return (ffi.string(C.clue_baseline_compiler(variant_code(variant, 1, "baseline_compiler"))))
end

--- Whether c is exactly a b, for whole-valued a and b whose sums stay below 2^24 (float) or 2^53.
-- @tparam table product
-- @tparam number seed of the random vectors
-- @treturn ?boolean nil: the product cannot be checked
-- @treturn ?table where it is wrong: row, column (from 0), found, expected, sigmas
function binding.verify_exact(product, seed)
  typed(seed, "number", 2, "verify_exact")
  return fault.verdict(C.clue_verify_exact(fault.out, describe(product, "verify_exact"), seed))
end

--- Whether c is a b within what rounding does, for any a and b.
-- @tparam table product
-- @tparam number seed of the random vectors
-- @treturn ?boolean nil: the product cannot be checked
-- @treturn ?table as of verify_exact; where column is -1, a sum over the row is wrong. It comes on success too:
-- sigmas is the largest difference seen, in standard deviations
function binding.verify_rounded(product, seed)
  typed(seed, "number", 2, "verify_rounded")
  return fault.verdict(C.clue_verify_rounded(fault.out, describe(product, "verify_rounded"), seed))
end

-- ---- int ----

--- Runs iterations of an int product's outermost loop; c is overwritten.
-- @tparam table product of type "int", b by rows
-- @tparam string variant "naive", "buffered" (a column of b at a time), "vector" (the same, compiled for speed)
-- @tparam number threads cores to use, 0 for all
-- @tparam number first the first iteration, from 0
-- @tparam number count how many iterations
-- @treturn ?boolean true; nil where there are no such iterations, or the layout does not suit
function binding.int_product_baseline(product, variant, threads, first, count)
  local code = variant_code(variant, 2, "int_product_baseline", int_variants)
  local told = describe(product, "int_product_baseline", true)
  argument.int(threads, 3, "int_product_baseline")
  long(first, 4, "int_product_baseline")
  long(count, 5, "int_product_baseline")
  if C.clue_int_product_baseline(told, code, threads, first, count) ~= 0 then return nil end
  return true
end

--- How far an int product's outermost loop runs.
-- @tparam table product of type "int"
-- @tparam string variant as for int_product_baseline
-- @treturn number iterations
function binding.int_product_extent(product, variant)
  local code = variant_code(variant, 2, "int_product_extent", int_variants)
  return tonumber(C.clue_int_product_extent(describe(product, "int_product_extent", true), code))
end

--- What an int product was made with.
-- @tparam string variant as for int_product_baseline
-- @treturn string the compiler and its flags
function binding.int_product_compiler(variant)
  return (ffi.string(C.clue_int_product_compiler(variant_code(variant, 1, "int_product_compiler", int_variants))))
end

--- Whether c is a b modulo 2^32.
-- @tparam table product of type "int"
-- @tparam number seed of the random vectors
-- @treturn ?boolean nil: the product cannot be checked
-- @treturn ?table as of verify_exact
function binding.int_product_verify(product, seed)
  typed(seed, "number", 2, "int_product_verify")
  return fault.verdict(C.clue_int_product_verify(fault.out, describe(product, "int_product_verify", true), seed))
end

return binding
