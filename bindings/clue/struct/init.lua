--- Structs of OpenCL C, declared once by the text that the kernel has too:
--
--     local types = cl.structs [[
--       typedef struct { float4 position; float mass; uchar kind[3]; } body;
--     ]]
--     local body = types.body
--     local one = body {position = {0, 0, 0, 1}, mass = 2}      -- a struct; fields that are not given are 0
--     one.position.x, one.kind[2] = 3, 7
--     local bodies = body:array(1000)                           -- an array of structs: bodies[0] to bodies[999]
--     local program = context:program(types .. "kernel void move(global body *bodies, body one) { ... }")
--     program:kernel "move" (queue, 1000, nil, context:buffer(bodies), one)
--
-- Sizes and offsets are those of OpenCL C: a long has 8 bytes, vectors are aligned to their size, a vector of three
-- counts as one of four. Structs may contain numbers, vectors, enums, structs, unions and arrays of these, and have
-- the attributes packed and aligned(n). Comments, typedefs and macros without parameters are read. What differs between
-- host and device (pointers, size_t, bool) is refused.
--
-- A field that is a vector, an array or a struct is a reference: setting its parts changes the struct. body(one) copies
-- a struct, cl.float4(one.position) a vector. Structs and arrays of structs can be used wherever arrays are
-- transferred.
--
-- What cl.structs returns has a type for each name. A type has name, size and alignment (bytes), and fields: a list,
-- and by name, of name, offset and size (bytes), type ("float4") and count (of an array: how many elements). types ..
-- source puts the declarations before a source, whose lines count from 1 again; tostring(types) is their text.
-- @module clue.struct
local argument = require "clue.argument"
local arrays = require "clue.struct.array"
local fields = require "clue.struct.fields"
local nearest = require "clue.nearest"
local parser = require "clue.struct.parser"
local public = require "clue.public"
local shown = require "clue.shown"

local struct = {}

-- ---- types ----

local methods = {}

local type_meta = {kind = "struct type"} -- what the metatables of all types have

function type_meta.__newindex()
  error("a type cannot be changed", 2)
end

function type_meta.__tostring(self)
  return ("%s: %.0f bytes"):format(self.name, self.size)
end

--- Makes a struct: body {mass = 2}, body(), body(other).
function type_meta.__call(self, value)
  return (fields.new(self["#type"], value))
end

type_meta.shown = function(self) -- see clue.argument
  return "the type " .. self.name
end

--- Makes an array of structs.
-- @tparam number|table elements how many, all 0; or a list of structs or tables of fields
-- @treturn struct_array the array
function methods:array(elements)
  if shown.kind_of(self) ~= type_meta.kind then argument.refuse_self("type of structs", self) end
  return (arrays.new(self["#type"], elements))
end

--- An array of structs in the memory of an array, for queue:map_buffer and the like.
-- @tparam array bytes of uchar
-- @treturn struct_array the array
function methods:over(bytes)
  local size = self["#type"].size
  return (arrays.reference(self["#type"], bytes, 0, math.floor(#bytes / size)))
end

public.add("type:", methods)

-- What scripts see of the members.
local function listed(type)
  local list = {}
  for i, member in ipairs(type.members) do
    local of, count = member.type, nil
    while of.kind == "array" do of, count = of.of, (count or 1) * of.count end
    list[i] = {name = member.name, offset = member.offset, size = member.type.size, type = of.name, count = count}
    list[member.name] = list[i]
  end
  return list
end

-- What scripts can read is in the metatable, not in the table: there nothing is found that they could replace.
local function new_public(type)
  local known = {name = type.name, size = type.size, alignment = type.alignment, fields = listed(type)}
  local meta = {__index = known}
  for name, method in pairs(methods) do known[name] = method end
  for name, member in pairs(type_meta) do meta[name] = member end
  return setmetatable({["#type"] = type}, meta)
end

local function public_type(type)
  type.public = type.public or new_public(type)
  return type.public
end

-- ---- declarations ----

local function exported(read)
  local found = {}
  for name, value in pairs(read.constants) do found[name] = value end
  for name, type in pairs(read.tags) do
    if type.size then found[name:match "%S+$"] = public_type(type) end
  end
  for name, type in pairs(read.typedefs) do
    if type.names and type.size then found[name] = public_type(type) end
  end
  return found
end

local function meta_of(text, read, found)
  local meta = {kind = "struct types"}

  function meta.__index(_, name)
    if type(name) ~= "string" then return nil end
    local other = read.typedefs[name]
    if other and not other.names then argument.fail("%s is %s, which needs no struct", name, other.name) end
    local near = nearest(name, found)
    argument.fail("no struct %s is declared%s", name, near and (" (is %s meant?)"):format(near) or "")
  end

  function meta.__concat(left, right)
    if getmetatable(left) ~= meta then
      argument.fail("the declarations come before the source: write types .. source")
    end
    return ("%s\n#line 1\n%s"):format(text, argument.typed(right, "string", "source", "a text"))
  end

  function meta.__tostring()
    return text
  end

  return meta
end

--- Declares structs.
-- @tparam string text declarations in OpenCL C
-- @treturn table types by name, and the constants of enums; see the module's head
function struct.declare(text)
  argument.text(text, "text", "declarations of OpenCL C, a text")
  local read = parser.read(text)
  local found = exported(read)
  return setmetatable(found, meta_of(text, read, found))
end

return struct
