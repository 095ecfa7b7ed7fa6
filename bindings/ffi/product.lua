--- The host's own matrix products and the checks of a product, through clue.h.
-- A product is {type = "float"|"double", m =, k =, n =, a =, b =, c = arrays, b_layout = "rows"|"columns"}: C = A
-- B, A of m x k and C of m x n by rows, B of k x n by rows or by columns. C trusts the sizes of
-- the arrays, so they are checked here.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"

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

local types = { float = C.CLUE_FLOAT, double = C.CLUE_DOUBLE }

local function check_array(product, name, rows, columns, call)
  local array = product[name]
  local code = argument.array(array, 1, call)
  if code ~= types[product.type] then
    argument.refuse(1, call, ("%s is no array of %s"):format(name, product.type))
  end
  if #array < rows * columns then
    local text = "%s has %d elements, %d x %d needs %d"
    argument.refuse(1, call, text:format(name, #array, rows, columns, rows * columns))
  end
  return array._data
end

local function describe(product, call)
  typed(product, "table", 1, call)
  if not types[product.type] then argument.refuse(1, call, "type is 'float' or 'double'") end
  local by_columns = product.b_layout == "columns"
  if not by_columns and product.b_layout ~= "rows" then
    argument.refuse(1, call, "b_layout is 'rows' or 'columns'")
  end
  local m, k, n = long(product.m, 1, call), long(product.k, 1, call), long(product.n, 1, call)
  if m < 1 or k < 1 or n < 1 then argument.refuse(1, call, "m, k and n are at least 1") end
  local told = ffi.new("clue_product")
  told.type, told.m, told.k, told.n = types[product.type], m, k, n
  told.a, told.a_row, told.a_column = check_array(product, "a", m, k, call), k, 1
  told.b = check_array(product, "b", k, n, call)
  told.b_row, told.b_column = by_columns and 1 or n, by_columns and k or 1
  told.c, told.c_row, told.c_column = check_array(product, "c", m, n, call), n, 1
  return told
end

local function variant_code(variant, position, call)
  local code = variants[variant]
  if not code then argument.refuse(position, call, "no baseline is called " .. tostring(variant)) end
  return code
end

--- Runs iterations of a variant's outermost loop; c is zeroed by the caller.
-- @tparam table product
-- @tparam string variant "rck" to "kcr", "linear_rows", "linear_columns", "optimised"
-- @tparam number first the first iteration, from 0
-- @tparam number count how many iterations
-- @treturn ?boolean true; nil where there are no such iterations, or the variant does not suit the product
function binding.baseline_product(product, variant, first, count)
  local code = variant_code(variant, 2, "baseline_product")
  local told = describe(product, "baseline_product")
  long(first, 3, "baseline_product")
  long(count, 4, "baseline_product")
  if C.clue_baseline_product(told, code, first, count) ~= 0 then return nil end
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

local fault_out = ffi.new("clue_fault")

local function verdict(status)
  if status < 0 then return nil end
  return status == 1, {
    row = tonumber(fault_out.row),
    column = tonumber(fault_out.column),
    found = fault_out.found,
    expected = fault_out.expected,
    sigmas = fault_out.sigmas,
  }
end

--- Whether c is exactly a b, for whole-valued a and b whose sums stay below 2^24 (float) or 2^53.
-- @tparam table product
-- @tparam number seed of the random vectors
-- @treturn ?boolean nil: the product cannot be checked
-- @treturn ?table where it is wrong: row, column (from 0), found, expected, sigmas
function binding.verify_exact(product, seed)
  typed(seed, "number", 2, "verify_exact")
  return verdict(C.clue_verify_exact(fault_out, describe(product, "verify_exact"), seed))
end

--- Whether c is a b within what rounding does, for any a and b.
-- @tparam table product
-- @tparam number seed of the random vectors
-- @treturn ?boolean nil: the product cannot be checked
-- @treturn ?table as of verify_exact; where column is -1, a sum over the row is wrong. It comes on success too:
-- sigmas is the largest difference seen, in standard deviations
function binding.verify_rounded(product, seed)
  typed(seed, "number", 2, "verify_rounded")
  return verdict(C.clue_verify_rounded(fault_out, describe(product, "verify_rounded"), seed))
end

return binding
