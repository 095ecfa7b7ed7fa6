--- Objects that own handles: a handle is freed once its object is unreachable.
--
-- LuaJIT does not finalise tables, and userdata for each object cost more than all else about it. So a sweep follows
-- each collection: the collector takes the dead objects out of `living`, and the sweep frees their handles. Both tables
-- have a place for each slot of the core's table (host/core/base/handle.c), so that they need no hashing.
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"

local getmetatable, rawget, setmetatable, type = getmetatable, rawget, setmetatable, type
local typed = argument.typed

local SLOTS, FIRST_SLOTS = 131072, 1024

local binding = {}

-- The functions for one table of owners.
local function owners()
  local living = setmetatable({}, {__mode = "v"}) -- the object that owns the slot's handle; false: none
  local owned = {} -- its handle, false: none
  local size, made = 0, {0} -- made: objects since the last collection

  local function sweep()
    for slot = 0, size - 1 do
      local handle = owned[slot]
      if handle and not living[slot] then
        owned[slot], living[slot] = false, false
        C.clue_handle_drop(handle)
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
    sweep()
  end

  local function release(handle)
    local slot = handle % SLOTS
    living[slot], owned[slot] = false, false
    C.clue_handle_drop(handle)
  end

  local functions = {made = made}

  function functions.own(self, handle, meta)
    local slot = handle % SLOTS
    if slot >= size then grow(slot) end
    living[slot], owned[slot] = self, handle
    made[1] = made[1] + 1
    self.handle = handle
    return setmetatable(self, meta)
  end

  function functions.owns(handle)
    return owned[handle % SLOTS] == handle
  end

  function functions.owner(handle)
    local self = living[handle % SLOTS]
    return self and rawget(self, "handle") == handle and self or nil
  end

  function functions.disown(self)
    local handle = type(self) == "table" and rawget(self, "handle")
    -- a script may write anything to the field
    if type(handle) ~= "number" or owned[handle % SLOTS] ~= handle then return false end
    self.handle = nil
    release(handle)
    return true
  end

  local is_closed, after_collection = false, newproxy(true)
  getmetatable(after_collection).__gc = function(again)
    if is_closed then return end
    made[1] = 0
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
  return functions
end

--- Makes the functions for objects: tables with a field `handle` and a class's metatable.
-- @tparam table kinds the name of each class, by its metatable
-- @tparam function refuse refuse(value, kind, name): what handle(...) gives of other values
-- @treturn table functions by name:
--
--   handle(value, kind, name): the handle of an object of a kind that is not closed
--
--   own(self, handle, meta): makes a table an object that owns a handle, and returns it
--
--   owns(handle): whether an object owns it, or did until it was collected
--
--   owner(handle): the object that owns it; nil: none
--
--   disown(self): frees the handle that an object owns; false if it owns none
--
--   close(self, kind): the same for an object of a kind; false for any other value
--
--   made: no function, but a list, whose first number counts the objects made since the last collection; over the C
--   interface, sixteen at once
function binding.object_setup(kinds, refuse)
  typed(kinds, "table", 1, "object_setup")
  typed(refuse, "function", 2, "object_setup")
  local functions = owners()

  local disown = functions.disown

  function functions.close(self, kind)
    return kinds[getmetatable(self)] == kind and disown(self)
  end

  function functions.handle(value, kind, name)
    if kinds[getmetatable(value)] == kind then
      local handle = type(value) == "table" and rawget(value, "handle")
      if handle then return handle end
    end
    return (refuse(value, kind, name))
  end

  return functions
end

return binding
