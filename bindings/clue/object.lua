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
local borrowed = setmetatable({}, {__mode = "k"}) -- objects whose handles are freed elsewhere

--- The handle of an object.
-- @tparam table self
-- @treturn ?number nil if it was closed
local function handle_of(self)
  return rawget(self, "handle")
end

object.handle_of = handle_of

-- ---- handles of collected objects ----

-- Lua 5.4 finalises objects. Lua 5.1 and LuaJIT do not finalise tables, and userdata for each object cost more than all
-- else about it. So a sweep follows each collection there: the collector takes the dead objects out of `living`, and
-- the sweep frees their handles. Both tables have a place for each slot of the core's table (host/core/base/handle.c),
-- so that they need no hashing.
local newproxy = rawget(_G, "newproxy") -- of Lua 5.1 and LuaJIT; a miss would load MQL5's names
local SLOTS, FIRST_SLOTS = 131072, 1024
local living = setmetatable({}, {__mode = "v"}) -- the object that owns the slot's handle; false: none
local owned = {} -- its handle, false: none
local size = 0

local setmetatable, drop = setmetatable, binding.handle_drop

local function sweep()
  for slot = 0, size - 1 do
    local handle = owned[slot]
    if handle and not living[slot] then
      owned[slot], living[slot] = false, false
      drop(handle)
    end
  end
end

-- LuaJIT compiles nothing in finalisers, but what was compiled before runs there. So the new places begin as those of
-- dead objects, for a first sweep here. (0 is no handle.)
local function grow(slot)
  local first = size
  size = math.max(2 * size, FIRST_SLOTS)
  while size <= slot do size = 2 * size end
  for i = first, size - 1 do owned[i], living[i] = 0, false end
  if newproxy then sweep() end
end

local function keep(self, handle)
  local slot = handle % SLOTS
  if slot >= size then grow(slot) end
  living[slot], owned[slot] = self, handle
end

local function release(handle)
  local slot = handle % SLOTS
  if owned[slot] == handle then living[slot], owned[slot] = false, false end
  drop(handle)
end

--- The finaliser of an object's metatable, for Lua 5.4. Does nothing to one that owns no handle.
-- @tparam table self
function object.finalise(self)
  local handle = handle_of(self)
  if handle and not borrowed[self] then release(handle) end
end

if newproxy then
  local is_closed, after_collection = false, newproxy(true)
  getmetatable(after_collection).__gc = function(again)
    if is_closed then return end
    sweep()
    newproxy(again)
  end
  -- As the state closes, the newest is finalised first. So a script's own finalisers find their objects.
  local at_end = newproxy(true)
  getmetatable(at_end).__gc = function()
    is_closed = true
    for slot = 0, size - 1 do living[slot] = false end
    sweep()
  end
  getmetatable(living).at_end = at_end
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
  local meta = {kind = kind, methods = methods, has_handles = true, __gc = object.finalise}
  classes[kind] = meta
  public.add(kind .. ":", methods)

  function meta.__index(self, name)
    local method = methods[name]
    if method ~= nil then return method end
    if name == "kind" then return kind end
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

--- Makes a table the owner of a handle, which is freed when the table is collected. Lua 5.4 finalises tables by their
-- metatable, so it must have that of a class afterwards.
-- @tparam table self
-- @tparam number handle
function object.own(self, handle)
  self.handle = handle
  keep(self, handle)
  exit.owned(handle)
end

--- The object that owns a handle.
-- @tparam number handle
-- @treturn ?table nil if none owns it, or the owner was closed
function object.owner(handle)
  local self = living[handle % SLOTS]
  return self and handle_of(self) == handle and self or nil
end

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
  local handle = handle_of(self)
  self.handle = nil
  if not handle then return end
  if not borrowed[self] then
    release(handle)
  elseif binding.handle_kind(handle) == kind then
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
    local handle = rawget(value, "handle")
    if handle then return handle end
  end
  if name and type(value) == "number" and value % 1 == 0 and math.abs(value) < 2 ^ 31 then return value end
  if not name then argument.refuse_self(kind, value) end
  return argument.refuse_object(type(name) == "number" and "argument " .. name or name, kind, value)
end

return object
