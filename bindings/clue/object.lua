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

local rawget, rawset = rawget, rawset

local classes = {} -- metatables by kind
local borrowed = setmetatable({}, {__mode = "k"}) -- objects whose handles are freed elsewhere

--- The handle of an object.
-- @tparam table self
-- @treturn ?number nil if it was closed
local function handle_of(self)
  return rawget(self, "handle")
end

object.handle_of = handle_of

-- What object.handle takes besides objects: the handle itself, in place of a parameter.
local function refuse(value, kind, name)
  if name and type(value) == "number" and value % 1 == 0 and math.abs(value) < 2 ^ 31 then return value end
  if not name then argument.refuse_self(kind, value) end
  return argument.refuse_object(type(name) == "number" and "argument " .. name or name, kind, value)
end

local functions = binding.object_setup(shown.kinds, refuse)
local own, disown, close = functions.own, functions.disown, functions.close

exit.owners(functions.owns)

--- What makes objects, for the binding's functions that make some.
object.functions = functions

-- How a script gets at the elements of a device's memory. One that takes it for an array would read nil, and what it
-- writes would be a field of the Lua table.
local elements = {
  buffer = "queue:read_buffer(buffer, a) copies them into an array, queue:write_buffer(buffer, a) back",
  image = "queue:read_image(image, a) copies them into an array, queue:write_image(image, a) back",
  svm = 'queue:map_svm(svm, "float") is an array over them, until queue:unmap',
}

local function refuse_element(kind, key)
  if type(key) ~= "number" then return end
  argument.fail("the elements of %s are on the device: %s", shown.with_article(kind), elements[kind])
end

-- Refuses numbers as fields, and the length, which LuaJIT and Lua 5.1 do not ask for.
local function refuse_elements(kind, meta, rest)
  setmetatable(rest, {__index = function(_, key) refuse_element(kind, key) end})
  function meta:__newindex(key, value)
    refuse_element(kind, key)
    rawset(self, key, value)
  end
  function meta.__len() refuse_element(kind, 0) end
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
  local meta = {kind = kind, methods = methods, has_handles = true}
  classes[kind] = meta
  public.add(kind .. ":", methods)

  -- A table costs a third of a function, which a class without properties does not need.
  local rest = {kind = kind}
  meta.__index = setmetatable(methods, {__index = rest})
  if elements[kind] then refuse_elements(kind, meta, rest) end
  if property then
    function meta.__index(self, name)
      local method = methods[name]
      if method ~= nil then return method end
      return property(self, name)
    end
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
    if close(self, kind) then return end
    if object.kind(self) ~= kind then argument.refuse_self(kind, self) end
    object.disown(self, kind)
  end

  local function adopt(handle, fields)
    return own(fields, handle, meta)
  end
  return methods, adopt, meta
end

--- Makes a table an object that owns a handle, which is freed when the table is collected.
-- @function object.own
-- @tparam table self
-- @tparam number handle
-- @tparam table meta the metatable, that of a class
-- @treturn table self
object.own = own

--- The object that owns a handle.
-- @function object.owner
-- @tparam number handle
-- @treturn ?table nil if none owns it, or the owner was closed
object.owner = functions.owner

--- Makes an object of a handle that is freed elsewhere.
-- @tparam number handle
-- @tparam string kind
-- @tparam table fields
-- @treturn table fields, as an object
function object.borrow(handle, kind, fields)
  fields.handle, borrowed[fields] = handle, true
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
  if disown(self) then return end
  local handle = handle_of(self)
  self.handle = nil
  if handle and binding.handle_kind(handle) == kind then binding.handle_free(handle, kind) end
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
-- @function object.handle
-- @param value the object, or its handle
-- @tparam string kind
-- @tparam[opt] string|number name of the parameter, or its number in a list; nil: the method's own object
-- @treturn number
object.handle = functions.handle

return object
