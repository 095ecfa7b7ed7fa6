--- OpenCL C's types, as the algorithms of @{clue.compute.algorithm} need them: sizes in bytes, and the limits that are
-- identities of minimum and maximum.
-- @module clue.compute.types
local argument = require "clue.argument"
local binding = require "clue.binding"

local types = {}

-- "unsigned int" and the like, by their words in alphabetic order.
local spellings = {
  ["signed"] = "int", ["int signed"] = "int", ["int unsigned"] = "uint", ["unsigned"] = "uint",
  ["char signed"] = "char", ["char unsigned"] = "uchar",
  ["short signed"] = "short", ["int short"] = "short", ["int short signed"] = "short",
  ["short unsigned"] = "ushort", ["int short unsigned"] = "ushort",
  ["long signed"] = "long", ["int long"] = "long", ["int long signed"] = "long",
  ["long unsigned"] = "ulong", ["int long unsigned"] = "ulong",
}

--- A type's one name.
-- @tparam {string,...} words as written: {"unsigned", "int"}
-- @treturn string "uint"; several words that are no spelling of a type ("struct point") stay as they are
function types.named(words)
  local sorted = {}
  for i, word in ipairs(words) do sorted[i] = word end
  table.sort(sorted)
  return spellings[table.concat(sorted, " ")] or table.concat(words, " ")
end

local widths = {[""] = 1, ["2"] = 2, ["3"] = 3, ["4"] = 4, ["8"] = 8, ["16"] = 16}

--- The element type of a type, and how many it has.
-- @tparam string name "float4"
-- @treturn ?string "float"; nil if it is neither a number nor a vector, or one that kernels' memory cannot have
-- @treturn ?number 4
function types.parts(name)
  local base, digits = name:match "^(%a+)(%d*)$"
  if not base or not binding.type_codes[base] or not widths[digits] then return nil end
  return base, widths[digits]
end

--- The size of a type in memory.
-- @tparam string name
-- @treturn ?number bytes (16 for float3); nil if it is not known: a struct, a typedef
function types.bytes(name)
  local base, width = types.parts(name)
  return base and binding.type_sizes[base] * (width == 3 and 4 or width) or nil
end

--- Whether numbers of a type have fractions.
-- @tparam string name
-- @treturn boolean
function types.is_real(name)
  local base = types.parts(name)
  return base == "float" or base == "double" or base == "half"
end

local limits = {
  char = {"CHAR_MIN", "CHAR_MAX"}, uchar = {"0", "UCHAR_MAX"}, short = {"SHRT_MIN", "SHRT_MAX"},
  ushort = {"0", "USHRT_MAX"}, int = {"INT_MIN", "INT_MAX"}, uint = {"0", "UINT_MAX"},
  long = {"LONG_MIN", "LONG_MAX"}, ulong = {"0", "ULONG_MAX"},
  float = {"-INFINITY", "INFINITY"}, double = {"-INFINITY", "INFINITY"}, half = {"-INFINITY", "INFINITY"},
}

--- The least and the greatest value of a type, as expressions of OpenCL C.
-- @tparam string name "int", "float4"
-- @treturn ?string "((int)(INT_MIN))"; nil if it is neither a number nor a vector
-- @treturn ?string
function types.limits(name)
  local base = types.parts(name)
  if not base then return nil end
  return ("((%s)(%s))"):format(name, limits[base][1]), ("((%s)(%s))"):format(name, limits[base][2])
end

--- Refuses half where a kernel would compute with it and the device cannot: the compiler's messages would be about
-- generated code.
-- @tparam context context
-- @tparam string name of the type
function types.check_computed(context, name)
  if types.parts(name) ~= "half" or context.device:has_extension "cl_khr_fp16" then return end
  argument.fail("the device does not compute with half (no cl_khr_fp16): take the type float, with vload_half(i, x) to "
    .. "read an element and vstore_half(item, i, y) to write one")
end

--- The extension that a type needs, as a line of a source.
-- @tparam string name
-- @treturn string "" if none
function types.extension(name)
  local base = types.parts(name)
  local extension = base == "double" and "cl_khr_fp64" or base == "half" and "cl_khr_fp16"
  return extension and ("#pragma OPENCL EXTENSION %s : enable\n"):format(extension) or ""
end

-- ---- associative operations ----

local real_texts = {sum = "a + b", product = "a * b", min = "fmin(a, b)", max = "fmax(a, b)"}
local whole_texts = {
  sum = "a + b", product = "a * b", min = "min(a, b)", max = "max(a, b)", ["and"] = "a & b", ["or"] = "a | b",
  xor = "a ^ b",
}

local function identity_of(name, type_name)
  local least, greatest = types.limits(type_name)
  local constants = {product = "1", min = greatest, max = least, ["and"] = "~0"}
  return ("((%s)(%s))"):format(type_name, constants[name] or "0")
end

--- The texts of a named operation.
-- @tparam string type_name of a and b: a number or a vector, "float"
-- @tparam string name "sum", "product", "min", "max" (of reals, these two ignore NaN as fmin and fmax do); for whole
--   numbers also "and", "or", "xor"
-- @treturn string the operation, an expression of a and b
-- @treturn string its identity, an expression
function types.operation(type_name, name)
  local is_real = types.is_real(type_name)
  if is_real and whole_texts[name] and not real_texts[name] then
    argument.fail("\"%s\" is for whole numbers, not for %s", name, type_name)
  end
  local text = argument.word(name, is_real and real_texts or whole_texts, "operation")
  return text, identity_of(name, type_name)
end

return types
