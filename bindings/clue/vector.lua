--- Vectors of OpenCL by value: float4(1, 2, 3, 4), and the same for each type of numbers times 2, 3, 4, 8 and 16.
--
--     local v = cl.float4(1, 2, 3, 4)
--     v.x, v[0], v.s0                     -- 1, the first component, in three ways
--     cl.float4(0)                        -- four zeros, as (float4)(0) in OpenCL C
--     cl.float4(cl.float2(1, 2), 3, 4)    -- vectors among the parts, as in OpenCL C
--     cl.float4 {1, 2, 3, 4}              -- the components in a list
--
-- Components are .x .y .z .w (of vectors of up to four), .s0 to .sF, or numbers from 0. They read like elements of an
-- array. A vector cannot be changed. One of three components takes as many bytes as one of four.
-- @module clue.vector
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local public = require "clue.public"
local shown = require "clue.shown"
local typed = require "clue.typed"
local words = require "clue.text"

local vector = {}

local widths = {["2"] = 2, ["3"] = 3, ["4"] = 4, ["8"] = 8, ["16"] = 16}

--- Splits the name of a vector type.
-- @param name anything
-- @treturn ?string the type of a component, "float"; nil if it is not the name of a vector type
-- @treturn ?number how many components it has
function vector.split(name)
  local element, digits = tostring(name):match "^(%l+)(%d+)$"
  if element and binding.type_codes[element] and widths[digits] then return element, widths[digits] end
end

-- ---- components ----

--- The places of components, from 0, by width and by what scripts write: "x", "s3", "sF", or the place itself.
vector.places = {}

for _, width in pairs(widths) do
  local places = {}
  for place = 0, width - 1 do
    local digit = ("%x"):format(place)
    places[place], places["s" .. digit], places["s" .. digit:upper()] = place, place, place
    if width <= 4 then places[("xyzw"):sub(place + 1, place + 1)] = place end
  end
  vector.places[width] = places
end

--- Refuses a component that a vector does not have.
-- @tparam string name of the type
-- @tparam number width of the vector
-- @param key
function vector.refuse_component(name, width, key)
  local last = ("0123456789ABCDEF"):sub(width, width)
  argument.fail("%s has no component %s: its components are %s.s0 to .s%s, or [0] to [%d]", name, shown.of(key),
    width <= 4 and "." .. ("xyzw"):sub(1, width):gsub(".", "%0 ."):sub(1, -3) .. ", " or "", last, width - 1)
end

local codes, sizes = binding.type_codes, binding.type_sizes
local held -- where the components of one vector are converted, made at first use

local function memory()
  held = held or array.uchar(128) -- a double16 fits
  return held
end

--- A number in memory as decimal text.
-- @tparam string name of its type
-- @tparam string bytes
-- @treturn string
function vector.decimal(name, bytes)
  local one = array[name](1)
  binding.array_set_bytes(one, 0, bytes)
  return one:decimal(0)
end

local function component_text(self, place)
  local size = sizes[self.element]
  return (vector.decimal(self.element, self.bytes:sub(place * size + 1, (place + 1) * size)))
end

local function read(self, key)
  local place = vector.places[self.width][key]
  if not place then vector.refuse_component(self.type, self.width, key) end
  binding.array_set_bytes(memory(), 0, self.bytes)
  local number = binding.cell_load(held, place * sizes[self.element], codes[self.element])
  return number or argument.fail("component %s of this %s is %s, which a double cannot hold exactly: tostring() shows "
    .. "it", shown.of(key), self.type, component_text(self, place))
end

local function text(self)
  local list = {}
  for i = 1, self.width do list[i] = component_text(self, i - 1) end
  return table.concat(list, ", ")
end

-- ---- making vectors: what fails returns nil and the reason ----

local function wrong_count(width, count, given)
  return nil, ("it has %d components: give %d numbers, one number for all, or vectors with %d components together, "
    .. "not %s"):format(width, width, width, given > width and "more"
      or ("%d of %s"):format(given, words.count(count, "part")))
end

-- Puts a part into memory from a place on. Returns how many components it has.
local function put(element, place, part)
  local given, size = typed.contents(part), sizes[element]
  if not given then
    if binding.cell_store(memory(), place * size, codes[element], part) then return 1 end
    return nil, ("component %d cannot be %s: %s"):format(place, shown.of(part), array.holds(element))
  end
  local count = given.width or 1
  if (given.element or given.type) ~= element then
    return nil, ("%s is no part of a vector of %s: give numbers, or values of type %s"):format(tostring(part), element,
      element)
  end
  if place + count <= 16 then binding.array_set_bytes(memory(), place * size, given.bytes:sub(1, count * size)) end
  return count
end

-- Puts all parts into memory. Returns how many components they have; more than width if they are too many.
local function put_all(element, width, parts, count)
  local place = 0
  for i = 1, count do
    if place == width then return place + 1 end
    local components, problem = put(element, place, parts[i])
    if not components then return nil, problem end
    place = place + components
    if place > width then return place end
  end
  return place
end

-- listed: the parts are a list, in which one number is not enough.
local function make(type, parts, count, listed)
  local element, width, size = type.element, type.width, sizes[type.element]
  local filled, problem = put_all(element, width, parts, count)
  if not filled then return nil, problem end
  local spread = filled == 1 and not listed
  if not spread and filled ~= width then return wrong_count(width, count, filled) end
  local bytes = binding.array_bytes(memory(), 0, filled * size):rep(spread and width or 1)
  return (typed.new {type = type.name, element = element, width = width, text = text, read = read,
                     bytes = width == 3 and bytes .. ("\0"):rep(size) or bytes})
end

--- Makes a vector of a list.
-- @tparam string name of the type, "float4"
-- @tparam table list numbers or vectors, from 1
-- @treturn ?value nil if that is not possible
-- @treturn ?string the reason
function vector.of_list(name, list)
  local element, width = vector.split(name)
  return make({name = name, element = element, width = width}, list, #list, true)
end

--- The bytes of what a vector is set to.
-- @tparam string name of its type, "float4"
-- @param given a vector of this type, or a list of components
-- @treturn ?string nil if that is not possible
-- @treturn ?string the reason
function vector.bytes(name, given)
  local contents, problem = typed.contents(given), nil
  if not contents and argument.is_plain(given) then
    local self
    self, problem = vector.of_list(name, given)
    contents = self and typed.contents(self)
  end
  if contents and contents.type == name then return contents.bytes end
  return nil, problem or ("give a %s or a list of its components, not %s"):format(name, shown.of(given))
end

-- LuaJIT does not compile {...}, and is slow in a loop around it.
local function list_of(count, ...)
  if count > 4 then return {...} end
  local one, two, three, four = ...
  return {one, two, three, four}
end

local function made(type, ...)
  local first, count = ..., select("#", ...)
  local listed = count == 1 and argument.is_plain(first)
  local self, problem = make(type, listed and first or list_of(count, ...), listed and #first or count, listed)
  return self or argument.fail("%s", problem)
end

--- The functions of all vector types by name, made when they are first used; nil for other names.
vector.types = setmetatable({}, {__index = function(self, name)
  local element, width = vector.split(name)
  if not element then return nil end
  local type = {name = name, element = element, width = width}
  --- A vector, for arguments of kernels.
  -- @function vector.TYPE
  -- @param ... its components: numbers, vectors that have as many together, or one number for all
  -- @treturn value
  local function maker(...)
    return (made(type, ...))
  end
  public.add("", {[name] = maker})
  self[name] = maker
  return maker
end})

return vector
