--- context:reduction: one value of all elements: a sum, a maximum, a dot product.
--
--     local sum = context:reduction("const float *x", "sum")
--     print(sum(queue, x))
--     local dot = context:reduction("const float *x, const float *y",
--       {type = "float", map = "x[i] * y[i]", reduce = "a + b", identity = 0})
--     print(dot(queue, x, y))
--     dot(queue, {result = out}, x, y)                    -- leaves it in a buffer, and does not wait
--
-- The reduction must be associative and commutative, up to rounding: it is applied in a tree, whose form depends on the
-- device and the number of elements only. So the result is the same in every run. Sums of floats pass through at most
-- about 128 roundings one after the other, and as many levels of a tree as pairwise summation has: for n elements, the
-- error is bounded by (150 + log2 n) units in the last place of the sum of magnitudes, whatever n is.
-- @module clue.compute.reduction
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local array = require "clue.array"
local define = require "clue.define"
local named = require "clue.compute.named_reductions"
local reduction_source = require "clue.compute.reduction_source"
local signature = require "clue.compute.signature"
local sizes = require "clue.compute.sizes"
local types = require "clue.compute.types"

local unpack = unpack or table.unpack -- luacheck: ignore

local reduction = {}

local reserved = {i = "the index of the element", n = "the index behind the last element"}

-- ---- what to compute --------------------------------------------------------------------------------------------

local known = {type = "text", map = "text", reduce = "text", identity = "checked", local_size = "whole"}

-- The parameter whose elements are reduced if map does not say what is, and its position.
local function only_pointer(list)
  local found, at
  for position, parameter in ipairs(list) do
    if parameter.space == "global" then
      if found then
        argument.fail("there are several buffers, %s and %s: say what to reduce, {map = \"%s[i] * %s[i]\", type = }",
          found.name, parameter.name, found.name, parameter.name)
      end
      found, at = parameter, position
    end
  end
  if found then return found, at end
  argument.fail("there is no buffer among the arguments: say what to reduce, {map = , type = }")
end

-- An element as its type computes: kernels read a half as a float.
local function element(parameter)
  if parameter.type == "half" then return ("vload_half(i, %s)"):format(parameter.name), "float" end
  return parameter.name .. "[i]", parameter.type
end

-- A named reduction, of the map or of the only pointer.
local function of_name(how, list)
  if how.identity ~= nil then argument.fail("%q has an identity of its own: leave identity out", how.reduce) end
  local item, type_name = how.map, how.type
  if item and not type_name then argument.fail("say of which type map is: {type = \"float\"}") end
  if not item then
    local own
    item, own = element(only_pointer(list))
    type_name = type_name or own
  end
  local made = named[how.reduce](type_name)
    or argument.fail("%s is for numbers%s, not for %s", how.reduce, named[how.reduce] "int2" and " and vectors" or "",
      type_name)
  return made, item
end

local function of_operation(how, list)
  for _, name in ipairs {"reduce", "identity"} do
    if how[name] == nil then
      argument.fail("say how to reduce a and b, and what changes nothing: {reduce = \"a + b\", identity = \"0\"}")
    end
  end
  local item, type_name = how.map, how.type
  if not item then item, type_name = element(only_pointer(list)) end
  type_name = how.type or type_name or argument.fail("say of which type map is: {type = \"float\"}")
  if not types.parts(type_name) then argument.refuse("type", "a number's or a vector's type", type_name) end
  local identity = how.identity
  if type(identity) ~= "string" then identity = define.number(argument.typed(identity, "number", "identity")) end
  return {type = type_name, map = "ITEM", reduce = how.reduce, identity = identity}, item
end

-- ---- calling ----------------------------------------------------------------------------------------------------

local CHUNK = 16384 -- elements of a CPU's work-item
local MOST = 128 -- elements of a GPU's work-item
local FEW = 16 -- elements of a GPU's work-item for which one group is quicker than a second kernel

-- How many groups reduce so many elements, and the elements of each.
local function shape(self, device, count)
  if self.form == "cpu" then return math.max(math.ceil(count / CHUNK), 1), CHUNK end
  if count <= self.size * FEW then return 1, math.max(count, 1) end
  local each = math.ceil(count / (device.units * sizes.GROUPS / 2 * self.size))
  local step = self.size * math.min(each, MOST)
  return math.ceil(count / step), step
end

-- Enqueues a kernel that reduces elements; where one group cannot, kernels that reduce the groups' results.
local function run(self, queue, target, at, first, count, ...)
  local device, size = sizes.of(queue), self.size
  local groups, step = shape(self, device, count)
  local out = groups == 1 and target or algorithm.scratch(queue, "parts 1", groups * self.bytes)
  local event = self.run(self.kernel, queue, groups * size, size, first, first + count, step, out,
    groups == 1 and at or 0, ...)
  local turn = 1
  while groups > 1 do
    local parts, length = out, groups
    groups, step = shape(self, device, length)
    turn = 3 - turn
    out = groups == 1 and target or algorithm.scratch(queue, "parts " .. turn, groups * self.bytes)
    event = algorithm.step(queue, event, self.parts_kernel, groups * size, size, parts, 0, length, step, out,
      groups == 1 and at or 0)
  end
  return event
end

local REMEDY = "leave it in a buffer, {result = buffer}"

-- An element of a result. Its type may hold numbers that a Lua number cannot.
local function exact(self, cell, index)
  local read, number = pcall(function() return cell[index] end)
  if read then return number end
  argument.fail("the result is %s, which a Lua number cannot hold exactly: %s", cell:decimal(index),
    self.remedy or REMEDY)
end

local function value_of(self, cell)
  if self.width == 1 then
    local number = exact(self, cell, 0)
    if self.result then return (self.result(number)) end
    return number
  end
  local list = {}
  for i = 1, self.width do list[i] = exact(self, cell, i - 1) end
  return list
end

local call_options = {count = "whole", offset = "whole", result = "checked", at = "whole"}

-- Leaves the result in a buffer.
local function leave(self, queue, where, first, count, ...)
  local at = argument.whole(where.at or 0, "at", 0)
  algorithm.check_room(where.result, "result", (at + 1) * self.bytes)
  return (run(self, queue, where.result, at, first, count, ...))
end

local function give(self, queue, first, count, ...)
  if queue.recording then
    argument.fail("a graph cannot record that the script gets a number: %s", self.remedy or REMEDY)
  end
  local result = algorithm.scratch(queue, "result", self.bytes)
  local event = run(self, queue, result, 0, first, count, ...)
  self.cell = self.cell or array[self.base](self.width == 3 and 4 or self.width)
  algorithm.behind(queue, event):read_buffer(result, self.cell)
  return value_of(self, self.cell)
end

--- Makes the elements to one.
-- @function call
-- @tparam reduction self
-- @tparam queue queue
-- @param ... optionally {count = , offset = , result = , at = } (in elements: a part; a buffer for the result, and its
--   element there), and the arguments
-- @treturn number|boolean|{number,...}|event the result, nil if it is an index and there is none; an event if the
--   result goes to a buffer
local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local all = algorithm.quick_count(self, ...)
  if all then return (give(self, queue, 0, all, ...)) end
  local first, count, given, where = algorithm.begin(self, call_options, ...)
  if where.at ~= nil and where.result == nil then
    argument.fail("at is a place in the buffer result, which is missing")
  end
  if where.result ~= nil then return (leave(self, queue, where, first, count, unpack(given, 1, given.n))) end
  return give(self, queue, first, count, unpack(given, 1, given.n))
end

local new = algorithm.class("reduction", call)

-- The name of a reduction becomes a table, whose options are checked and copied.
local function options_of(how)
  if type(how) == "string" then how = {reduce = how} end
  if not argument.is_plain(how) then
    argument.refuse("how", "the name of a reduction (\"sum\"), or a table, {map = , reduce = , identity = }", how)
  end
  return algorithm.options(how, known, "reduction")
end

local function is_name(text)
  return text and text:find "^%l+$" and text ~= "a" and text ~= "b"
end

--- Makes a reduction, or finds it if the context has made it before.
-- @tparam context context
-- @tparam string arguments C parameters, as for context:elementwise
-- @tparam string|table how a name, which makes the only buffer's elements to one:
--
--   - "sum", "product", "min", "max" (of numbers and vectors): sums and products of whole numbers are long or ulong;
--     extremes leave out NaN, and are INFINITY or the type's limit if there is no element
--   - "and", "or", "xor" (of whole numbers): of their bits
--   - "any", "all" (of numbers): whether elements differ from 0, true or false
--   - "argmin", "argmax" (of numbers): the index of the first least or greatest element; nil if there is none. NaN does
--     not count.
--
--   Or a table: map: an expression of the arguments and i (the element of the only buffer); type: of the map, a number
--   or a vector (the elements' own); reduce: a name, or an expression of a and b; identity: with an expression: a
--   number or an expression that changes nothing; preamble, options, name, local_size as for context:elementwise
-- @treturn reduction call it with a queue, optionally a table, and the arguments. The table may have count
--   and offset (in elements), and result: a buffer for the result, at its element at (0); then the call does not wait
--   and returns an event (any and all leave an int there, argmin and argmax 16 bytes that begin with the index, a
--   long). Else it returns a number, for a vector a list of numbers.
function reduction.new(context, arguments, how)
  local options = options_of(how)
  if is_name(options.reduce) then argument.word(options.reduce, named, "reduction") end
  return (algorithm.keep(context, "reduction", {signature.text(arguments)}, options, function()
    local list = signature.parse(arguments, reserved)
    local what, item = (is_name(options.reduce) and of_name or of_operation)(options, list)
    if types.parts(what.type) then types.check_computed(context, what.type) end
    local base, width = types.parts(what.reads or what.type)
    local bytes = what.bytes or types.bytes(what.type)
    local form, size = sizes.form(context, options.local_size)
    local made = {signature = list, run = algorithm.caller(#list, 5), name = options.name, form = form, size = size,
                  type = what.type, base = base, width = width, bytes = bytes, result = what.result,
                  in_step = options.map == nil and select(2, only_pointer(list)) or nil}
    made.kernel, made.parts_kernel = reduction_source.build(context, list, what, item, options, made)
    return new(made)
  end))
end

return reduction
