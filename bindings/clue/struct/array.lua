--- Arrays of structs, and arrays in structs, as scripts see them: references to memory, whose elements count from 0.
--
--     local bodies = body:array(1000)
--     bodies[0].mass = 3
--     bodies[1] = {mass = 2}         -- the other fields become 0
--     #bodies, bodies:bytes(), bodies:type()
--     for i, each in bodies:each() do each.mass = i end
--
-- A table has no length operator of its own in LuaJIT and Lua 5.1, so there each array is a proxy.
-- @module clue.struct.array
local access = require "clue.struct.access"
local argument = require "clue.argument"
local array = require "clue.array"
local describe = require("clue.struct.access").describe
local public = require "clue.public"
local shown = require "clue.shown"

local arrays = {}

-- ---- proxies ----

local new_proxy = rawget(_G, "newproxy") -- not in Lua 5.2 and later
local states = setmetatable({}, {__mode = "k"})

local function state_of(self)
  return states[self]
end

-- Returns a function that makes arrays with this metatable from their states.
local function maker(meta)
  if not new_proxy then return function(state)
    local self = setmetatable({}, meta)
    states[self] = state
    return self
  end end
  local prototype = new_proxy(true)
  for name, member in pairs(meta) do getmetatable(prototype)[name] = member end
  return function(state)
    local self = new_proxy(prototype)
    states[self] = state
    return self
  end
end

-- ---- methods ----

local methods = {}

local function state_for(self)
  return self ~= nil and states[self] or argument.fail("call it with a colon: an array of structs expected before it")
end

--- @treturn number the size in bytes
function methods:bytes()
  local state = state_for(self)
  return state.count * state.type.size
end

--- @treturn string the name of the elements' type
function methods:type()
  return state_for(self).type.name
end

--- For loops: `for i, element in bodies:each() do`.
-- @treturn function the iterator, with its state and its start
function methods:each()
  local count = state_for(self).count
  return function(_, index)
    index = argument.whole(index, "the index before", -1) + 1
    if index < count then return index, self[index] end
    return nil
  end, self, -1
end

--- Changes the length in place. Elements are kept as far as they fit; in new ones all fields are 0. Only an array of
-- structs with memory of its own, type:array(n), can have another length.
-- @tparam number count
-- @treturn struct_array itself
function methods:resize(count)
  local state = state_for(self)
  argument.whole(count, "count", 0)
  if not state.is_owner then
    argument.fail("%s keeps its length: it lies in other memory", shown.of(self))
  end
  state.bytes:resize(count * state.type.size)
  state.count = count
  return self
end

public.add("struct_array:", methods)

-- ---- elements ----

local function refuse_index(self, key)
  local state = state_of(self)
  if type(key) == "string" then
    argument.fail("an array of %s has no field %s: its elements have", state.type.name, shown.of(key))
  end
  argument.fail("there is no element %s: this array of %.0f %s has 0 to %.0f", shown.of(key), state.count,
    state.type.name, state.count - 1)
end

local function is_inside(state, key)
  return type(key) == "number" and key >= 0 and key < state.count and key % 1 == 0
end

local function meta_of(element)
  local read, write, size = access.reader(element), access.writer(element), element.size
  local meta = {kind = "struct array"}

  function meta.__index(self, key)
    local state = state_of(self)
    if is_inside(state, key) then return (read(state.bytes, state.at + key * size)) end
    return methods[key] or refuse_index(self, key)
  end

  function meta.__newindex(self, key, value)
    local state = state_of(self)
    if not is_inside(state, key) then refuse_index(self, key) end
    write(state.bytes, state.at + key * size, value, ("element %.0f of %s"):format(key, state.label))
  end

  function meta.__len(self)
    return state_of(self).count
  end

  function meta.__tostring(self)
    local state = state_of(self)
    return (describe({kind = "array", of = element, count = state.count}, state.bytes, state.at))
  end

  function meta.shown(self)
    return ("an array of %.0f %s"):format(state_of(self).count, element.name)
  end

  function meta.place(self)
    local state = state_of(self)
    return state.bytes, state.at, size, state.count, element, state.is_owner
  end

  return meta
end

--- An array in memory.
-- @tparam table element its type
-- @tparam array bytes of uchar
-- @tparam number at where it begins there
-- @tparam number count how many elements
-- @tparam[opt] boolean is_owner whether the memory is the array's own
-- @treturn struct_array the array
function arrays.reference(element, bytes, at, count, is_owner)
  element.new_array = element.new_array or maker(meta_of(element))
  return (element.new_array {bytes = bytes, at = at, count = count, type = element, label = element.name .. "[]",
                             is_owner = is_owner})
end

access.readers.array = function(type)
  return function(bytes, at)
    return (arrays.reference(type.of, bytes, at, type.count))
  end
end

-- ---- setting all elements ----

-- An array of numbers counts from 0, a table from 1.
local function fill(scratch, element, value, count, label)
  local write, first = access.writer(element), array.is(value) and 0 or 1
  for i = 0, count - 1 do
    write(scratch, i * element.size, value[first + i], ("element %d of %s"):format(i, label))
  end
end

access.writers.array = function(type)
  return function(bytes, at, value, label)
    if access.copied(type.of, type.count, bytes, at, value) then return end
    if not argument.is_plain(value) and not array.is(value) then argument.refuse(label, "a list", value) end
    if #value ~= type.count then argument.fail("%s has %d elements, not %d", label, type.count, #value) end
    access.replace(type, bytes, at, fill, type.of, value, type.count, label)
  end
end

--- Makes an array of structs in memory of its own.
-- @tparam table element its type
-- @tparam number|table elements how many, all 0; or a list of what each is set to
-- @treturn struct_array the array
function arrays.new(element, elements)
  local listed = argument.is_plain(elements)
  local count = listed and #elements or elements
  if not listed then argument.whole(count, "elements", 0) end
  local bytes = array.uchar(count * element.size)
  if listed then fill(bytes, element, elements, count, element.name .. "[]") end
  return (arrays.reference(element, bytes, 0, count, true))
end

return arrays
