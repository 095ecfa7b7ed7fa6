--- What contexts, queues, programs, kernels, buffers and events share: an object owns a handle, and frees it when it
-- is closed or collected.
--
-- Every object has handle (a number, which MQL5's functions take too; nil once closed), kind ("buffer"), close(),
-- tostring and equality (of handles). What an object was made from stays alive as long as the object, so objects may
-- be closed in any order. --strict does not report objects that are left at the end: the collector would have freed
-- them.
-- @module clue.object
local argument = require "clue.argument"
local binding = require "clue.binding"
local exit = require "clue.exit"
local public = require "clue.public"

local object = {}

local classes = {} -- metatables by kind
local owners = setmetatable({}, {__mode = "v"}) -- by handle: the objects that free them

--- Makes a class. The prompt completes the methods, which are a field of the metatable, and the properties, if the
-- class's maker sets __completions there: a table by name, or a function of an object that returns one.
-- @tparam string kind as binding.handle_kind gives it
-- @tparam[opt] function describe describe(self): what tostring adds after the kind and the handle
-- @tparam[opt] function property property(self, name): the value of a field that is not a method
-- @treturn table the methods, to be filled; close() is included
-- @treturn function adopt(handle, fields): makes the object that owns a handle
-- @treturn table the metatable
function object.class(kind, describe, property)
  local methods = {}
  local meta = {kind = kind, methods = methods}
  classes[kind] = meta
  public.add(kind .. ":", methods)

  function meta.__index(self, name)
    local method = methods[name]
    if method ~= nil or not property then return method end
    return property(self, name)
  end

  function meta.__tostring(self)
    local text = describe and rawget(self, "handle") and describe(self)
    return ("%s %s%s"):format(kind, rawget(self, "handle") or "(closed)", text and ": " .. text or "")
  end

  function meta.__eq(left, right)
    return rawget(left, "handle") ~= nil and rawget(left, "handle") == rawget(right, "handle")
  end

  --- Frees the handle now, before the collector would. A second call does nothing.
  -- @param self
  function methods.close(self)
    if object.kind(self) ~= kind then argument.refuse_self(kind, self) end
    object.disown(self, kind)
  end

  local function adopt(handle, fields)
    local self = fields or {}
    self.kind = kind
    object.own(self, handle)
    return setmetatable(self, meta)
  end
  return methods, adopt, meta
end

--- Makes a table the owner of a handle, which is freed when the table is collected.
-- @tparam table self
-- @tparam number handle
function object.own(self, handle)
  self.handle = handle
  self.guard = binding.guard_create(handle) -- Lua 5.1 and LuaJIT do not finalise tables
  owners[handle] = self
  exit.owned(handle)
end

--- The object that owns a handle.
-- @tparam number handle
-- @treturn ?table nil if none owns it, or the owner was closed
function object.owner(handle)
  local self = owners[handle]
  return self and rawget(self, "handle") == handle and self or nil
end

--- Makes an object of a handle that is freed elsewhere.
-- @tparam number handle
-- @tparam string kind
-- @tparam table fields
-- @treturn table fields, as an object
function object.borrow(handle, kind, fields)
  fields.handle, fields.kind = handle, kind
  return setmetatable(fields, classes[kind])
end

--- Frees the handle that a table owns. A second call does nothing.
-- @tparam table self
-- @tparam string kind as binding.handle_kind gives it
function object.disown(self, kind)
  local handle, guard = rawget(self, "handle"), rawget(self, "guard")
  self.handle = nil
  if guard then
    binding.guard_free(guard)
  elseif handle and binding.handle_kind(handle) == kind then -- borrowed
    binding.handle_free(handle, kind)
  end
end

--- Frees unreachable objects. The collector alone would be too late: it does not see devices' memory and handles.
function object.collect()
  collectgarbage()
  collectgarbage()
  binding.memory_collected()
end

--- The kind of an object, see @{clue.argument.kind_of}.
object.kind = argument.kind_of

--- The handle of an argument that must be an object of a kind. Refuses any other.
-- @param value the object, or its handle
-- @tparam string kind
-- @tparam[opt] string|number name of the parameter, or its number in a list; nil: the method's own object
-- @treturn number
function object.handle(value, kind, name)
  local meta = type(value) == "table" and getmetatable(value)
  if type(meta) == "table" and rawget(meta, "kind") == kind then
    local handle = rawget(value, "handle")
    if handle then return handle end
  end
  if name and type(value) == "number" and value % 1 == 0 and math.abs(value) < 2 ^ 31 then return value end
  if not name then argument.refuse_self(kind, value) end
  return argument.refuse_object(type(name) == "number" and "argument " .. name or name, kind, value)
end

return object
