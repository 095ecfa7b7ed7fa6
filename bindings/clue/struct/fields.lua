--- Structs and unions as scripts see them: references to memory, whose fields can be read and set by name.
-- @module clue.struct.fields
local access = require "clue.struct.access"
local argument = require "clue.argument"
local array = require "clue.array"
local describe = require("clue.struct.access").describe
local nearest = require "clue.nearest"
local shown = require "clue.shown"

local fields = {}

-- ---- references ----

local function refuse(type, name)
  local names = {}
  for i, member in ipairs(type.members) do names[i] = member.name end
  local near = _G.type(name) == "string" and nearest(name, type.member)
  argument.fail("%s has no field %s%s: its fields are %s", type.name, shown.of(name),
    near and (" (is %s meant?)"):format(near) or "", table.concat(names, ", "))
end

-- What accesses each field, by its name: reader, writer, offset, and how messages call it.
local function accessors(type)
  local read, write, offsets, labels = {}, {}, {}, {}
  for _, member in ipairs(type.members) do
    local name = member.name
    read[name], write[name] = access.reader(member.type), access.writer(member.type)
    offsets[name], labels[name] = member.offset, ("%s.%s"):format(type.name, name)
  end
  return read, write, offsets, labels
end

local function meta_of(type)
  local read, write, offsets, labels = accessors(type)
  local meta = {kind = "struct"}

  function meta.__index(self, name)
    local reader = read[name]
    if not reader then refuse(type, name) end
    return (reader(self["#bytes"], self["#at"] + offsets[name]))
  end

  function meta.__newindex(self, name, value)
    local writer = write[name]
    if not writer then refuse(type, name) end
    writer(self["#bytes"], self["#at"] + offsets[name], value, labels[name])
  end

  function meta.__tostring(self)
    return (describe(type, self["#bytes"], self["#at"]))
  end

  function meta.shown()
    return shown.with_article(type.name)
  end

  function meta.place(self)
    return self["#bytes"], self["#at"], type.size, 1, type
  end

  return meta
end

local function reader(type)
  local meta = meta_of(type)
  return function(bytes, at)
    return setmetatable({["#bytes"] = bytes, ["#at"] = at}, meta)
  end
end

-- ---- setting all fields ----

-- Fields that are not given become 0, as in C.
local function fill(scratch, type, value, label)
  local given = 0
  for name, field in pairs(value) do
    local member = type.member[name]
    if not member then refuse(type, name) end
    access.writer(member.type)(scratch, member.offset, field, ("%s.%s"):format(type.name, name))
    given = given + 1
  end
  if type.kind == "union" and given > 1 then
    argument.fail("%s is a union: give one of its fields, not %d", label, given)
  end
end

local function writer(type)
  return function(bytes, at, value, label)
    if access.copied(type, 1, bytes, at, value) then return end
    if not argument.is_plain(value) then
      argument.refuse(label, ("%s or a table of its fields"):format(shown.with_article(type.name)), value)
    end
    access.replace(type, bytes, at, fill, type, value, label)
  end
end

access.readers.struct, access.readers.union = reader, reader
access.writers.struct, access.writers.union = writer, writer

--- Makes a struct in memory of its own.
-- @tparam table type
-- @tparam ?table value its fields by name, or a struct to copy; nil: all 0
-- @return the struct
function fields.new(type, value)
  local bytes = array.uchar(type.size)
  if value ~= nil then access.writer(type)(bytes, 0, value, type.name) end
  return (access.reader(type)(bytes, 0))
end

return fields
