--- Methods of device arrays that give one value of many elements: of all of them a Lua number, or along one dimension
-- an array without it. What is reduced may be an expression: its operations and the reduction are one kernel.
local algorithm = require "clue.compute.algorithm"
local along = require "clue.device_array.along"
local argument = require "clue.argument"
local class = require "clue.device_array.class"
local compute_types = require "clue.compute.types"
local fuse = require "clue.device_array.fuse"
local signature = require "clue.compute.signature"
local types = require "clue.device_array.types"

local unpack = unpack or table.unpack -- luacheck: ignore

local methods = class.methods

-- NaN wins, as in NumPy: an error must not hide. The identity is the least (1) or greatest (2) value.
local function extreme(type_name, operator, limit)
  local unordered = types.is_real(type_name) and " || b != b" or ""
  return {type = type_name, reduce = ("(b %s a%s ? b : a)"):format(operator, unordered),
          identity = (select(limit, compute_types.limits(types.computed(type_name))))}
end

local SUM = "a + b"

-- What a reduction does with elements of a type, by its name.
local reductions = {
  sum = function(type_name)
    local wide = types.is_real(type_name) and type_name or types.is_unsigned(type_name) and "ulong" or "long"
    return {type = wide, reduce = SUM, identity = "0"}
  end,
  min = function(type_name) return extreme(type_name, "<", 2) end,
  max = function(type_name) return extreme(type_name, ">", 1) end,
}

-- ---- of all elements ----------------------------------------------------------------------------------------------

-- The reduction of an expression. how: as context:reduction takes it, without map.
local function reduction_of(self, made, value, how)
  local list = signature.parse(table.concat(made.parameters, ", "))
  local type_name = types.computed(self.type_name)
  how.map = ("fused(%s)"):format(signature.join(list.names, "i"))
  how.preamble = ("static %s fused(%s) {\n%s\nreturn %s;\n}"):format(type_name,
    signature.join(list.kernel, "const long i"), table.concat(made.lines, "\n"), value)
  how.type = how.type or type_name
  return self.queue.context:reduction(list.text, how)
end

-- The reduction is found again by all that it is made of. remedy: for a result that no Lua number can be.
local function of_all(self, how, remedy)
  local made = fuse.text(self.extents)
  local value = made:value(self)
  local key = {table.concat(made.parameters, ","), table.concat(made.lines, "\n"), how.reduce, how.type or ""}
  local run = algorithm.keep(self.queue.context, "array reduction", key, {}, function()
    return reduction_of(self, made, value, how)
  end)
  run.remedy = remedy
  return (run(self.queue, {count = made.count}, unpack(made.given)))
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
  class.check(self)
  if dimension ~= nil and self.type_name == "half" then -- which cannot hold the sum of many
    return methods.mean(self:to "float", dimension):to "half"
  end
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
  -- @function methods.NAME
  -- @treturn boolean|number for the indices nil if all elements are NaN, which does not count
  methods[name] = function(self, dimension)
    class.check(self)
    if dimension ~= nil then argument.refuse("dimension", "left out: the result is one of all elements", dimension) end
    return (of_all(self, {reduce = name}))
  end
end

return methods
