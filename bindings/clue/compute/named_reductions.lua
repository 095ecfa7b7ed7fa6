--- The reductions that have names, for @{clue.compute.reduction}.
--
-- Each is a function of a type of elements, which returns what a table of reduction's would say: type (of the result),
-- map (with ITEM for an element), reduce (of a and b), identity. It returns nil for types that it is not for. Some also
-- have declare (OpenCL C that goes before), result (makes what the script gets of the number), and, for a result that
-- is neither a number nor a vector, how it is read: the type and its bytes; and how many of them CPUs keep side by side
-- (lanes).
-- @module clue.compute.named_reductions
local types = require "clue.compute.types"

local named = {}

-- Sums of whole numbers are of 64 bits, as in NumPy: those of int would overflow without a sign of it.
local wide = {char = "long", short = "long", int = "long", uchar = "ulong", ushort = "ulong", uint = "ulong"}

local function widened(type_name)
  local base, width = types.parts(type_name)
  return (wide[base] or base) .. (width > 1 and width or "")
end

-- A named operation, computed in the type of the elements or in a wider one.
local function folded(name, accumulated)
  return function(type_name)
    if not types.parts(type_name) then return nil end
    local result = accumulated and accumulated(type_name) or type_name
    local reduce, identity = types.operation(result, name)
    return {type = result, map = ("convert_%s(ITEM)"):format(result), reduce = reduce, identity = identity}
  end
end

for _, name in ipairs {"min", "max", "and", "or", "xor"} do named[name] = folded(name) end
named.sum, named.product = folded("sum", widened), folded("product", widened)

local function truth(operator, identity)
  return function(type_name)
    local _, width = types.parts(type_name)
    if width ~= 1 then return nil end
    return {type = "int", map = "(ITEM) != 0", reduce = "a " .. operator .. " b", identity = identity,
            result = function(number) return number ~= 0 end}
  end
end

-- The index of an extreme: index is -1 where there is no element, or only NaN. The index is the first 8 bytes. CPUs do
-- not vectorise this, so more lanes would be slower.
local function extreme_index(operator)
  return function(type_name)
    local _, width = types.parts(type_name)
    if width ~= 1 then return nil end
    return {
      type = "clue_place", reads = "long", bytes = 16, lanes = 4,
      declare = ([[
typedef struct { long index; TYPE value; } clue_place;
clue_place clue_place_of(const long i, const TYPE value) {
  clue_place made = {value == value ? i : -1, value};
  return made;
}
bool clue_better(const clue_place a, const clue_place b) {
  return b.index >= 0 && (a.index < 0 || b.value OPERATOR a.value || (b.value == a.value && b.index < a.index));
}]]):gsub("%u+", {TYPE = type_name, OPERATOR = operator}),
      map = "clue_place_of(i, ITEM)", reduce = "clue_better(a, b) ? b : a", identity = "clue_place_of(-1, 0)",
      result = function(index) return index >= 0 and index or nil end,
    }
  end
end

named.any = truth("||", "0")
named.all = truth("&&", "1")
named.argmin = extreme_index "<"
named.argmax = extreme_index ">"

return named
