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

local letters = {x = 0, y = 1, z = 2, w = 3}

--- The place of a component.
-- @param key "x", "s3", "sF", or a number from 0
-- @tparam number width of the vector
-- @treturn ?number from 0; nil if there is no such component
function vector.place(key, width)
  if type(key) == "string" then
    local digit = key:match "^s(%x)$"
    key = digit and tonumber(digit, 16) or width <= 4 and letters[key] or nil
  end
  if type(key) == "number" and key >= 0 and key < width and key % 1 == 0 then return key end
end

--- Refuses a component that a vector does not have.
-- @tparam string name of the type
-- @tparam number width of the vector
-- @param key
function vector.refuse_component(name, width, key)
  local last = ("0123456789ABCDEF"):sub(width, width)
  argument.fail("%s has no component %s: its components are %s.s0 to .s%s, or [0] to [%d]", name, argument.shown(key),
    width <= 4 and "." .. ("xyzw"):sub(1, width):gsub(".", "%0 ."):sub(1, -3) .. ", " or "", last, width - 1)
end

local cells = {} -- by type: 16 elements, in which components are converted

local function cells_of(element)
  cells[element] = cells[element] or array[element](16)
  return cells[element]
end

local function read(self, key)
  local place = vector.place(key, self.width)
  if not place then vector.refuse_component(self.type, self.width, key) end
  local held = cells_of(self.element)
  binding.array_set_bytes(held, 0, self.bytes)
  return held[place]
end

local function text(self)
  local held, list = cells_of(self.element), {}
  binding.array_set_bytes(held, 0, self.bytes)
  for i = 1, self.width do list[i] = held:decimal(i - 1) end
  return table.concat(list, ", ")
end

-- ---- making vectors: what fails returns nil and the reason ----

local function wrong_count(width, count, given)
  return nil, ("it has %d components: give %d numbers, one number for all, or vectors with %d components together, "
    .. "not %s"):format(width, width, width, given > width and "more"
      or ("%d of %s"):format(given, words.count(count, "part")))
end

local function store(held, place, number)
  held[place] = number
end

-- Puts a part into the cells from a place on. Returns how many components it has.
local function put(held, element, place, part)
  local given = typed.contents(part)
  if not given then
    if place >= 16 or pcall(store, held, place, part) then return 1 end
    return nil, ("component %d cannot be %s: %s"):format(place, argument.shown(part), array.holds(element))
  end
  local count = given.width or 1
  if (given.element or given.type) ~= element then
    return nil, ("%s is no part of a vector of %s: give numbers, or values of type %s"):format(tostring(part), element,
      element)
  end
  if place + count <= 16 then
    binding.array_set_bytes(held, place, given.bytes:sub(1, count * binding.type_sizes[element]))
  end
  return count
end

-- Puts all parts into the cells. Returns how many components they have.
local function put_all(held, element, width, parts, count)
  local place = 0
  for i = 1, count do
    local components, problem = put(held, element, place, parts[i])
    if not components then return nil, problem end
    place = place + components
    if place > width then break end
  end
  return place
end

-- One number, for all components.
local function spread(held, width)
  local bytes = binding.array_bytes(held, 0, 1)
  for i = 1, width - 1 do binding.array_set_bytes(held, i, bytes) end
end

-- listed: the parts are a list, in which one number is not enough.
local function make(name, parts, count, listed)
  local element, width = vector.split(name)
  local held = cells_of(element)
  local filled, problem = put_all(held, element, width, parts, count)
  if not filled then return nil, problem end
  if filled == 1 and not listed then
    spread(held, width)
  elseif filled ~= width then
    return wrong_count(width, count, filled)
  end
  if width == 3 then held[3] = 0 end
  return (typed.new {type = name, element = element, width = width, text = text, read = read,
                     bytes = binding.array_bytes(held, 0, width == 3 and 4 or width)})
end

--- Makes a vector of a list.
-- @tparam string name of the type, "float4"
-- @tparam table list numbers or vectors, from 1
-- @treturn ?value nil if that is not possible
-- @treturn ?string the reason
function vector.of_list(name, list)
  return make(name, list, #list, true)
end

local function made(name, ...)
  local first, count = ..., select("#", ...)
  local listed = count == 1 and argument.is_plain(first)
  local self, problem = make(name, listed and first or {...}, listed and #first or count, listed)
  return self or argument.fail("%s", problem)
end

--- The functions of all vector types by name, made when they are first used; nil for other names.
vector.types = setmetatable({}, {__index = function(self, name)
  if not vector.split(name) then return nil end
  local function maker(...)
    return (made(name, ...))
  end
  public.add("", {[name] = maker})
  self[name] = maker
  return maker
end})

return vector
