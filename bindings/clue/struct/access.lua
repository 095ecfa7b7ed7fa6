--- Reads and writes what declared types have in memory. Each type gets a reader and a writer, made once:
--
--     reader(bytes, at)            the value in an array of uchar from a place on: a number, or for all other types a
--                                  reference to this memory, whose components, fields or elements can be read and set
--     writer(bytes, at, value, label)   sets it; label names it in messages ("body.mass")
-- @module clue.struct.access
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local place = require "clue.struct.place"
local shown = require "clue.shown"
local typed = require "clue.typed"
local vector = require "clue.vector"

local cell_load, cell_store = binding.cell_load, binding.cell_store

local access = {}

local readers, writers = {}, {} -- by the kind of type: functions that make one; other files add theirs

--- The reader of a type.
-- @tparam table type
-- @treturn function
function access.reader(type)
  type.reader = type.reader or readers[type.kind](type)
  return type.reader
end

--- The writer of a type.
-- @tparam table type
-- @treturn function
function access.writer(type)
  type.writer = type.writer or writers[type.kind](type)
  return type.writer
end

-- ---- numbers ----

-- The decimal text of a number in memory.
local function decimal(type, bytes, at)
  return (vector.decimal(type.name, place.get(bytes, at, type.size)))
end

access.decimal = decimal

function readers.scalar(type)
  local code = type.code
  return function(bytes, at)
    local number = cell_load(bytes, at, code)
    if number ~= nil then return number end
    return argument.fail("this %s is %s, which a double cannot hold exactly: tostring() of its struct shows it",
      type.name, decimal(type, bytes, at))
  end
end

function writers.scalar(type)
  local code = type.code
  return function(bytes, at, value, label)
    if cell_store(bytes, at, code, value) then return end
    argument.fail("%s cannot be %s: %s", label, shown.of(value), array.holds(type.name))
  end
end

-- ---- vectors ----

local function vector_text(type, bytes, at)
  local list = {}
  for i = 1, type.width do list[i] = decimal(type.element, bytes, at + (i - 1) * type.element.size) end
  return table.concat(list, ", ")
end

-- The metatable of references to vectors.
local function vector_meta(type)
  local meta, places = {kind = "vector"}, vector.places[type.width]
  local read, write = access.reader(type.element), access.writer(type.element)
  local size = type.element.size

  function meta.__index(self, key)
    local component = places[key]
    if not component then vector.refuse_component(type.name, type.width, key) end
    return (read(self["#bytes"], self["#at"] + component * size))
  end

  function meta.__newindex(self, key, value)
    local component = places[key]
    if not component then vector.refuse_component(type.name, type.width, key) end
    write(self["#bytes"], self["#at"] + component * size, value, type.name)
  end

  function meta.__tostring(self)
    return ("%s(%s)"):format(type.name, vector_text(type, self["#bytes"], self["#at"]))
  end

  function meta.typed(self) -- see clue.typed
    return {type = type.name, element = type.element.name, width = type.width, text = function()
      return vector_text(type, self["#bytes"], self["#at"])
    end, bytes = place.get(self["#bytes"], self["#at"], type.size)}
  end

  meta.shown = meta.__tostring
  return meta
end

function readers.vector(type)
  local meta = vector_meta(type)
  return function(bytes, at)
    return setmetatable({["#bytes"] = bytes, ["#at"] = at}, meta)
  end
end

local trial = array.uchar(8) -- where components are stored first, so that nothing is changed if one does not fit

-- A list of as many numbers, which scripts write in loops, is stored without making a vector. Returns whether it was.
local function stored_list(type, bytes, at, value, label)
  local element = type.element
  if getmetatable(value) ~= nil or #value ~= type.width then return false end
  for i = 1, type.width do
    if argument.is_plain(value[i]) or typed.contents(value[i]) then return false end
  end
  for i = 1, type.width do
    if not cell_store(trial, 0, element.code, value[i]) then
      argument.fail("%s[%d] cannot be %s: %s", label, i - 1, shown.of(value[i]), array.holds(element.name))
    end
  end
  for i = 1, type.width do cell_store(bytes, at + (i - 1) * element.size, element.code, value[i]) end
  return true
end

function writers.vector(type)
  return function(bytes, at, value, label)
    if _G.type(value) == "table" and stored_list(type, bytes, at, value, label) then return end
    local made, problem = vector.bytes(type.name, value)
    if not made then argument.fail("%s is %s: %s", label, type.name, problem) end
    place.put(bytes, at, made)
  end
end

-- ---- what is made of several ----

--- Writes a struct or an array. It is made elsewhere first: what it is made of may lie in the memory that it replaces,
-- and if something is wrong, nothing is changed.
-- @tparam table type
-- @tparam array bytes
-- @tparam number at
-- @tparam function fill fill(scratch, ...): writes all of it at 0; the memory is zero
-- @param ... passed on
function access.replace(type, bytes, at, fill, ...)
  type.scratch = type.scratch or array.uchar(type.size)
  type.scratch:fill(0)
  fill(type.scratch, ...)
  place.put(bytes, at, place.get(type.scratch, 0, type.size))
end

--- Copies structs, if that is what is given.
-- @tparam table type of an element
-- @tparam number count how many
-- @tparam array bytes
-- @tparam number at
-- @param value
-- @treturn boolean whether it was a struct or an array of this type and count
function access.copied(type, count, bytes, at, value)
  local from, first, size, found, of = place.of(value)
  if not from or of ~= type or found ~= count then return false end
  place.put(bytes, at, place.get(from, first, size * count))
  return true
end

access.readers, access.writers = readers, writers

-- ---- as text ----

local MOST = 16 -- elements of an array that are shown

local function list(of, bytes, at, count)
  local parts = {}
  for i = 1, math.min(count, MOST) do parts[i] = access.describe(of, bytes, at + (i - 1) * of.size) end
  if count > MOST then parts[#parts + 1] = "..." end
  return "{" .. table.concat(parts, ", ") .. "}"
end

--- What a type has in memory, as text: body{position = float4(0, 0, 0, 1), mass = 2, kind = {0, 0, 0}}.
-- @tparam table type
-- @tparam array bytes
-- @tparam number at
-- @treturn string
function access.describe(type, bytes, at)
  if type.kind == "scalar" then return access.decimal(type, bytes, at) end
  if type.kind == "vector" then return tostring(access.reader(type)(bytes, at)) end
  if type.kind == "array" then return list(type.of, bytes, at, type.count) end
  local parts = {}
  for i, member in ipairs(type.members) do
    parts[i] = ("%s = %s"):format(member.name, access.describe(member.type, bytes, at + member.offset))
  end
  return type.name .. "{" .. table.concat(parts, ", ") .. "}"
end

return access
