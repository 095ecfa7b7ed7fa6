--- The class of device arrays, and how their elements are computed. See @{clue.device_array} for what scripts see.
local argument = require "clue.argument"
local binding = require "clue.binding"
local expression = require "clue.device_array.expression"
local extents = require "clue.device_array.extents"
local foreign = require "clue.foreign"
local fuse = require "clue.device_array.fuse"
local public = require "clue.public"
local types = require "clue.device_array.types"

local unpack = unpack or table.unpack -- luacheck: ignore

local class = {methods = {}}

local meta = {kind = expression.KIND, methods = class.methods}
class.meta = meta
setmetatable(class.methods, {__index = foreign "device array"})

local function refuse_element(use)
  argument.fail("the elements of an array are on the device: %s", use)
end

function meta.__index(_, key)
  if type(key) ~= "number" then return class.methods[key] end
  refuse_element(("a:read()[%s] is one on the host, a:slice \"%s\" a part of the array"):format(key, key))
end

function meta:__newindex(key, value)
  if type(key) == "number" then refuse_element(("a:slice \"%s\":assign(x) changes one"):format(key)) end
  rawset(self, key, value)
end

function meta.__call()
  refuse_element "for i, x in a:read() do goes through a copy on the host"
end

function meta.__lt()
  argument.fail("a:lt(b), a:le(b), a:gt(b) and a:ge(b) compare elements")
end

meta.__le = meta.__lt

public.add("device_array:", class.methods)

--- Makes an array of its fields, see @{clue.device_array.expression}.
-- @tparam table fields
-- @treturn table
function class.new(fields)
  return setmetatable(fields, meta)
end

--- An array of elements that lie in memory.
-- @tparam queue queue
-- @tparam table view of @{clue.device_array.extents}
-- @treturn table
function class.over(queue, view)
  return class.new {queue = queue, type_name = view.storage.type_name, extents = view.extents, view = view}
end

--- Refuses what is not a device array, as the object of a method.
-- @param self
function class.check(self)
  if not expression.is(self) then argument.refuse_self(expression.KIND, self) end
end

-- ---- computing --------------------------------------------------------------------------------------------------

--- Memory for the elements of an array.
-- @tparam queue queue
-- @tparam string type_name
-- @tparam number count
-- @treturn table buffer, type_name, count, version (goes up whenever the elements change), shared (kernels of the
--   script's may change them)
function class.storage(queue, type_name, count)
  return {buffer = queue.context:buffer(count * binding.type_sizes[type_name]), type_name = type_name, count = count,
          version = 0, shared = false}
end

--- Computes elements into memory.
-- @tparam table|number source an array, which stretches to the view's extents, or a number
-- @tparam queue queue
-- @tparam table view
function class.store(source, queue, view)
  local made, type_name = fuse.text(view.extents), view.storage.type_name
  local value = type(source) == "number" and made:number(source, type_name)
    or types.converted(made:value(source), types.computed(source.type_name), types.computed(type_name))
  made:store(view, type_name, value)
  local run = queue.context:elementwise(table.concat(made.parameters, ", "), table.concat(made.lines, "\n"),
    {name = "array_" .. (type(source) == "table" and source.operation or "copy")})
  run(queue, {count = made.count}, unpack(made.given))
end

--- Computes an array, if that was not done before.
-- @tparam table array
function class.compute(array)
  if array.view then return end
  local storage = class.storage(array.queue, array.type_name, extents.count(array.extents))
  local view = extents.whole(storage, array.extents)
  class.store(array, array.queue, view)
  array.view, array.operation, array.operands, array.versions = view, nil, nil, nil
end

--- The array itself if its elements lie one after the other, else a copy.
-- @tparam table array is computed
-- @treturn table
function class.packed(array)
  class.compute(array)
  if extents.are_contiguous(array.extents, array.view.strides) then return array end
  local copy = expression.new(class, "copy", {array})
  class.compute(copy)
  return copy
end

return class
