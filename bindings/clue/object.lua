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
local shown = require "clue.shown"

local object = {}

local getmetatable, rawget = getmetatable, rawget
local kinds = shown.kinds

local classes = {} -- metatables by kind
local owners = setmetatable({}, {__mode = "v"}) -- by handle: the objects that free them

--- The handle of an object. Most have it in their field `handle`. Events have it in `event`, and tell it only to
-- scripts that ask for event.handle. They may give it to cl.wrap, which must find the event then.
-- @tparam table self
-- @treturn ?number nil if it was closed
local function handle_of(self)
  return rawget(self, "handle") or rawget(self, "event")
end

object.handle_of = handle_of

local function publish(self)
  local event = rawget(self, "event")
  if event then owners[event] = self end
  return event
end

--- Makes a class. The prompt completes the methods, which are a field of the metatable, and the properties, if the
-- class's maker sets __completions there: a table by name, or a function of an object that returns one. @{clue.wrap}
-- makes objects of handles if its maker sets of_handle there: of_handle(handle, parent_of) returns the object's fields;
-- parent_of(handle) is the object in which it was made, nil if that was freed.
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
    if method ~= nil then return method end
    if name == "kind" then return kind end
    if name == "handle" then return publish(self) end
    return property and property(self, name)
  end

  function meta.__tostring(self)
    local handle = handle_of(self)
    local text = describe and handle and describe(self)
    return ("%s %s%s"):format(kind, handle or "(closed)", text and ": " .. text or "")
  end

  function meta.__eq(left, right)
    local handle = handle_of(left)
    return handle ~= nil and handle == handle_of(right)
  end

  --- Frees the handle now, before the collector would. A second call does nothing.
  -- @param self
  function methods.close(self)
    if object.kind(self) ~= kind then argument.refuse_self(kind, self) end
    object.disown(self, kind)
  end

  local function adopt(handle, fields)
    object.own(fields, handle)
    return setmetatable(fields, meta)
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
  return self and handle_of(self) == handle and self or nil
end

--- Makes an object of a handle that is freed elsewhere.
-- @tparam number handle
-- @tparam string kind
-- @tparam table fields
-- @treturn table fields, as an object
function object.borrow(handle, kind, fields)
  fields.handle = handle
  return setmetatable(fields, classes[kind])
end

--- The class of a kind.
-- @tparam ?string kind
-- @treturn ?table its metatable; nil if there is none, or its module is not loaded
function object.class_of(kind)
  return classes[kind]
end

--- Frees the handle that a table owns. A second call does nothing.
-- @tparam table self
-- @tparam string kind as binding.handle_kind gives it
function object.disown(self, kind)
  local handle, guard = handle_of(self), rawget(self, "guard")
  self.handle, self.event = nil, nil
  if guard then
    if handle then binding.guard_free(guard, handle) end
  elseif handle and binding.handle_kind(handle) == kind then -- borrowed
    binding.handle_free(handle, kind)
  end
end

--- The metatables of the objects of some kinds, whose classes are loaded.
-- @tparam {string,...} list of the kinds
-- @treturn table kinds by metatable
function object.metatables(list)
  local found = {}
  for _, kind in ipairs(list) do found[classes[kind]] = kind end
  return found
end

--- Frees unreachable objects. The collector alone would be too late: it does not see devices' memory and handles.
function object.collect()
  collectgarbage()
  collectgarbage()
  binding.memory_collected(math.floor(collectgarbage "count") * 1024)
end

--- The kind of an object, see @{clue.shown.kind_of}.
object.kind = shown.kind_of

--- The handle of an argument that must be an object of a kind. Refuses any other.
-- @param value the object, or its handle
-- @tparam string kind
-- @tparam[opt] string|number name of the parameter, or its number in a list; nil: the method's own object
-- @treturn number
function object.handle(value, kind, name)
  if kinds[getmetatable(value)] == kind then
    local handle = rawget(value, "handle") or rawget(value, "event")
    if handle then return handle end
  end
  if name and type(value) == "number" and value % 1 == 0 and math.abs(value) < 2 ^ 31 then return value end
  if not name then argument.refuse_self(kind, value) end
  return argument.refuse_object(type(name) == "number" and "argument " .. name or name, kind, value)
end

return object
