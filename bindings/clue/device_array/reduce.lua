--- Methods of device arrays that give one value of many elements: of all of them a Lua number, or along one dimension
-- an array without it. What is reduced may be an expression: its operations and the reduction are one kernel.
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local class = require "clue.device_array.class"
local compute_types = require "clue.compute.types"
local extents = require "clue.device_array.extents"
local fuse = require "clue.device_array.fuse"
local signature = require "clue.compute.signature"
local types = require "clue.device_array.types"

local unpack = unpack or table.unpack -- luacheck: ignore

local methods = class.methods

-- NaN wins, as in NumPy: an error must not hide.
local function extreme(type_name, operator, identity)
  local unordered = types.is_real(type_name) and " || b != b" or ""
  return {type = type_name, reduce = ("(b %s a%s ? b : a)"):format(operator, unordered), identity = identity}
end

local SUM = "a + b"

-- What a reduction does with elements of a type, by its name.
local reductions = {
  sum = function(type_name)
    local wide = types.is_real(type_name) and type_name or types.is_unsigned(type_name) and "ulong" or "long"
    return {type = wide, reduce = SUM, identity = "0"}
  end,
  min = function(type_name) return extreme(type_name, "<", (select(2, compute_types.limits(type_name)))) end,
  max = function(type_name) return extreme(type_name, ">", (compute_types.limits(type_name))) end,
}

-- ---- of all elements ----------------------------------------------------------------------------------------------

-- how: as context:reduction takes it, without map. remedy: for a result that no Lua number can be.
local function of_all(self, how, remedy)
  local made = fuse.text(self.extents)
  local value = made:value(self)
  local list = signature.parse(table.concat(made.parameters, ", "))
  local type_name = types.computed(self.type_name)
  how.map = ("fused(%s)"):format(signature.join(list.names, "i"))
  how.preamble = ("static %s fused(%s) {\n%s\nreturn %s;\n}"):format(type_name,
    signature.join(list.kernel, "const long i"), table.concat(made.lines, "\n"), value)
  how.type = how.type or type_name
  local run = self.queue.context:reduction(list.text, how)
  run.remedy = remedy
  return (run(self.queue, {count = made.count}, unpack(made.given)))
end

-- ---- along a dimension --------------------------------------------------------------------------------------------

local LONGEST = 16384 -- elements of a work-item: llvmpipe ends every loop after 65535 rounds

-- An array as three dimensions: the one along which it is reduced in the middle.
local function as_three(self, dimension)
  argument.whole(dimension, "dimension", 1)
  if dimension > #self.extents then
    argument.refuse("dimension", ("a whole number from 1 to %d"):format(#self.extents), dimension)
  end
  local outer, inner, rest = 1, 1, {}
  for d, extent in ipairs(self.extents) do
    if d < dimension then outer = outer * extent end
    if d > dimension then inner = inner * extent end
    if d ~= dimension then rest[#rest + 1] = extent end
  end
  return {outer, self.extents[dimension], inner}, #rest > 0 and rest or {1}
end

-- The kernel, and its step for sums of real numbers. These carry along what rounding lost (Kahan). If that is not
-- finite, the result is a plain sum.
local kernel = [[
EXTENSIONS
kernel void array_along(PARAMETERS) {
  const long out = get_global_id(0), inner = out % INNER, part = out / INNER % PARTS, outer = out / INNER / PARTS;
  TYPE all = IDENTITY, lost = 0, plain = 0;
  for (long k = part * LONGEST; k < min((part + 1) * LONGEST, (long)EXTENT); k++) {
    const long i = (outer * EXTENT + k) * INNER + inner;
    LINES
    const TYPE b = VALUE;
    STEP
  }
  STORE
}
]]
local kahan = [[
  const TYPE y = b - lost, t = all + y;
  lost = (t - all) - y;
  all = t;
  plain += b;]]

local function kernel_text(self, how, three, made, storage)
  local value, real_sum = made:value(self), how.reduce == SUM and types.is_real(how.type)
  local words = {
    STEP = real_sum and kahan or ("const TYPE a = all; all = %s;"):format(how.reduce), TYPE = types.computed(how.type),
    IDENTITY = how.identity, LONGEST = ("%dL"):format(LONGEST),
    PARTS = ("%.0fL"):format(storage.count / three[1] / three[3]),
    EXTENT = ("%.0fL"):format(three[2]), INNER = ("%.0fL"):format(three[3]), LINES = table.concat(made.lines, "\n"),
    VALUE = types.converted(value, types.computed(self.type_name), types.computed(how.type)),
  }
  made.lines = {}
  made:store(extents.whole(storage, {storage.count}), how.type, real_sum and "isfinite(all) ? all : plain" or "all",
    "out")
  local list = signature.parse(table.concat(made.parameters, ", "))
  words.STORE, words.PARAMETERS, words.EXTENSIONS = made.lines[1], list.kernel, signature.extensions(list)
  return (kernel:gsub("STEP", words):gsub("%f[%w_]%u+%f[^%w_]", words))
end

-- Reduces along a dimension: what is longer than a work-item can do in parts, and then the parts.
local function along(self, dimension, how)
  local three, rest = as_three(self, dimension)
  local parts = math.ceil(three[2] / LONGEST)
  local made, storage = fuse.text(self.extents), class.storage(self.queue, how.type, three[1] * parts * three[3])
  local text, context = kernel_text(self, how, three, made, storage), self.queue.context
  local run = algorithm.keep(context, "array along", {text}, {}, function()
    return context:program(text):kernel "array_along"
  end)
  run(self.queue, storage.count, nil, unpack(made.given))
  if parts == 1 then return class.over(self.queue, extents.whole(storage, rest)) end
  local of_parts = along(class.over(self.queue, extents.whole(storage, {three[1], parts, three[3]})), 2, how)
  return class.over(self.queue, extents.whole(of_parts.view.storage, rest))
end

-- ---- methods ------------------------------------------------------------------------------------------------------

local function reduced(name, self, dimension)
  class.check(self)
  local how = reductions[name](dimension and self.type_name or types.computed(self.type_name))
  if dimension ~= nil then return along(self, dimension, how) end
  return of_all(self, how, ("a:reshape(a:count()):%s(1) leaves it in an array"):format(name))
end

--- The sum. Of whole numbers it is 64 bits wide.
-- @tparam[opt] number dimension from 1 along which to add; nil: all elements
-- @treturn number|device_array
function methods:sum(dimension)
  return (reduced("sum", self, dimension))
end

--- The least element; NaN if there is one.
-- @tparam[opt] number dimension from 1; nil: of all elements
-- @treturn number|device_array
function methods:min(dimension)
  return (reduced("min", self, dimension))
end

--- The greatest element; NaN if there is one.
-- @tparam[opt] number dimension from 1; nil: of all elements
-- @treturn number|device_array
function methods:max(dimension)
  return (reduced("max", self, dimension))
end

--- The mean.
-- @tparam[opt] number dimension from 1; nil: of all elements
-- @treturn number|device_array
function methods:mean(dimension)
  local sum = reduced("sum", self, dimension)
  return sum / (dimension and self.extents[dimension] or self:count())
end

--- The sum of the products of elements.
-- @tparam device_array other
-- @treturn number
function methods:dot(other)
  class.check(self)
  return (methods.sum(self * other))
end

for _, name in ipairs {"any", "all", "argmin", "argmax"} do
  --- Of all elements: any, all: whether they differ from 0; argmin, argmax: the index from 0 of the first least or
  -- greatest one.
  -- @treturn boolean|number for the indices nil if all elements are NaN, which does not count
  methods[name] = function(self, dimension)
    class.check(self)
    if dimension ~= nil then argument.refuse("dimension", "left out: the result is one of all elements", dimension) end
    return (of_all(self, {reduce = name}))
  end
end

return methods
