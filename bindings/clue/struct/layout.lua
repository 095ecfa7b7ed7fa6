--- Where OpenCL C puts what: sizes, alignments and offsets of numbers, vectors, arrays, structs and unions.
--
-- A type has kind ("scalar", "vector", "array", "struct", "union"), name, size and alignment in bytes. A scalar has
-- code; a vector element (a scalar) and width; an array of (a type) and count. A struct or union has names (a set of
-- all that drivers may call it), and once it is complete: members, a list of {name, type, offset}, and member, the same
-- by name. A member without a name is a struct or union whose members count as those of the outer one.
-- @module clue.struct.layout
local binding = require "clue.binding"
local vector = require "clue.vector"

local layout = {}

local numbers = {} -- types of numbers, by name

for name, code in pairs(binding.type_codes) do
  local size = binding.type_sizes[name]
  numbers[name] = {kind = "scalar", name = name, code = code, size = size, alignment = size}
end

--- A type of numbers.
-- @tparam string name "float", "float4"
-- @treturn ?table nil if there is none
function layout.number(name)
  local element, width = vector.split(name)
  if element and not numbers[name] then
    local size = numbers[element].size * (width == 3 and 4 or width)
    numbers[name] = {kind = "vector", name = name, element = numbers[element], width = width, size = size,
                     alignment = size}
  end
  return numbers[name]
end

--- An array of a type.
-- @tparam table of
-- @tparam number count how many
-- @treturn table
function layout.array(of, count)
  return {kind = "array", name = ("%s[%.0f]"):format(of.name, count), of = of, count = count, size = of.size * count,
          alignment = of.alignment}
end

--- A struct or union whose members are not known yet.
-- @tparam string kind
-- @tparam ?string tag
-- @treturn table
function layout.incomplete(kind, tag)
  local name = tag and kind .. " " .. tag or kind
  return {kind = kind, name = name, names = {[name] = true}, tag = tag}
end

--- Whether a type is a struct or union without a tag and without a typedef's name.
-- @tparam table type
-- @treturn boolean
function layout.is_anonymous(type)
  return type.names ~= nil and not type.tag and not type.has_typedef
end

--- Gives a type another name: that of a typedef.
-- @tparam table type
-- @tparam string name
function layout.rename(type, name)
  type.names[name] = true
  if not type.has_typedef then type.name, type.has_typedef = name, true end -- the first one is shown
end

local function rounded(offset, alignment)
  return math.ceil(offset / alignment) * alignment
end

-- An attribute of a member raises its alignment; only packed lowers it.
local function alignment_of(member)
  local natural = member.packed and 1 or member.type.alignment
  return math.max(natural, member.aligned or 1)
end

-- Adds a member to those that can be named; returns the name of one that there was already.
local function register(type, member, base)
  if not member.name then
    for _, inner in ipairs(member.type.members) do
      local twice = register(type, inner, base + member.offset)
      if twice then return twice end
    end
    return nil
  end
  if type.member[member.name] then return member.name end
  local own = {name = member.name, type = member.type, offset = base + member.offset, packed = member.packed}
  type.members[#type.members + 1] = own
  type.member[member.name] = own
end

--- Completes a struct or union.
-- @tparam table type from @{layout.incomplete}
-- @tparam {table,...} members name, type, packed, aligned of each; sets their offsets
-- @tparam table attributes packed, aligned
-- @treturn ?string the name of a member that there is twice
function layout.complete(type, members, attributes)
  local offset, most, alignment = 0, 0, attributes.aligned or 1
  type.members, type.member = {}, {}
  for _, member in ipairs(members) do
    member.packed = member.packed or attributes.packed
    local needed = alignment_of(member)
    member.offset = type.kind == "union" and 0 or rounded(offset, needed)
    offset = member.offset + member.type.size
    most, alignment = math.max(most, offset), math.max(alignment, needed)
    local twice = register(type, member, 0)
    if twice then return twice end
  end
  type.size, type.alignment = rounded(most, alignment), alignment
end

-- Whether a type has a packed field, or an array of anything but numbers and vectors.
local function is_intricate(type)
  if type.kind == "array" then return type.of.members ~= nil or type.of.kind == "array" end
  for _, member in ipairs(type.members or {}) do
    if member.packed or is_intricate(member.type) then return true end
  end
  return false
end

--- Whether all drivers can pass a struct by value.
-- @tparam table type
-- @treturn boolean
function layout.is_simple(type)
  if type.simple == nil then type.simple = not is_intricate(type) end
  return type.simple
end

--- How many bytes of a type mean something: without the padding at its end.
-- @tparam table type
-- @treturn number
function layout.used(type)
  if type.kind == "array" then return (type.count - 1) * type.of.size + layout.used(type.of) end
  if type.kind == "vector" then return type.width * type.element.size end
  local most = type.members and 0 or type.size
  for _, member in ipairs(type.members or {}) do
    most = math.max(most, member.offset + layout.used(member.type))
  end
  return most
end

return layout
