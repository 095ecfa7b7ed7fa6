--- One kernel for an expression of device arrays, however many operations it has.
--
-- The text of a kernel depends on the operations, the types and how the elements of each operand lie (one after the
-- other, stretched along a dimension); buffers, offsets, extents, strides and numbers are its arguments. So kernels are
-- made once for each form of expression, and a loop over parts of many sizes compiles nothing.
local expression = require "clue.device_array.expression"
local extents = require "clue.device_array.extents"
local operations = require "clue.device_array.operations"
local types = require "clue.device_array.types"

local unpack = unpack or table.unpack -- luacheck: ignore

local MANY = 24 -- parameters

local fuse = {}

local Text = {}
Text.__index = Text

--- Begins the text of a kernel that computes elements of an array with these extents.
-- @tparam {number,...} target
-- @treturn table parameters and given (what the kernel takes), lines (statements), whole (the type that numbers the
--   elements: "int" if they are few enough)
function fuse.text(target)
  local count = extents.count(target)
  return setmetatable({target = target, count = count, whole = count < 2 ^ 31 and "int" or "long", parameters = {},
                       given = {}, lines = {}, values = {}, pointers = {}, places = {}}, Text)
end

--- Adds a statement.
-- @tparam string format as string.format takes it
-- @param ... what it formats
function Text:line(format, ...)
  self.lines[#self.lines + 1] = format:format(...)
end

local function parameter(self, type_name, prefix, given)
  local name = prefix .. #self.parameters
  self.parameters[#self.parameters + 1] = type_name .. name
  self.given[#self.given + 1] = given
  return name
end

-- ---- where an element lies ---------------------------------------------------------------------------------------

--- A number that places elements: a parameter, the same one for equal numbers. Past MANY, numbers stand in the text,
-- since the parameters of a kernel have little room.
-- @tparam string type_name
-- @tparam number number
-- @treturn string
function Text:placing(type_name, number)
  local key = type_name .. number
  if not self.places[key] then
    if #self.parameters >= MANY then return ("((%s)%.0fL)"):format(type_name, number) end
    self.places[key] = parameter(self, ("const %s "):format(type_name), "k", number)
  end
  return self.places[key]
end

--- What divides whole numbers below 2^31 exactly: n / by is (n * factor) >> shift. With 2^bits >= by, the factor is
-- above 2^shift / by, by at most 1; so n * factor / 2^shift is above n / by, by less than 1 / by.
-- @tparam number by from 1
-- @treturn number factor, below 2^32
-- @treturn number shift
function fuse.divider(by)
  local bits, power = 0, 1
  while power < by do bits, power = bits + 1, power * 2 end
  local factor, rest = math.floor(2 ^ 31 / by), 2 ^ 31 % by
  for _ = 1, bits do -- a digit of the quotient each, since a double could not hold 2^shift - rest
    local more = 2 * rest >= by and 1 or 0
    factor, rest = 2 * factor + more, 2 * rest - more * by
  end
  return factor + 1, 31 + bits
end

--- The quotient of an index and an extent.
-- @tparam string index a name of type self.whole
-- @tparam number extent
-- @treturn string of the same type
function Text:quotient(index, extent)
  if self.whole == "long" then return ("%s / %s"):format(index, self:placing("long", extent)) end
  local factor, shift = fuse.divider(extent)
  return ("(int)((ulong)(uint)%s * %s >> %s)"):format(index, self:placing("uint", factor), self:placing("int", shift))
end

-- The names of an element's coordinates, from its index i.
local function coordinates(self)
  if self.names then return self.names end
  self.names = {}
  local whole, index = self.whole, ("(%s)i"):format(self.whole)
  for d = #self.target, 1, -1 do
    local name = "c" .. d
    self.names[d] = name
    if d == 1 then
      self:line("const %s %s = %s;", whole, name, index)
    else
      local by = self:placing(whole, self.target[d])
      local above = self:quotient(index, self.target[d])
      self:line("const %s n%d = %s, %s = %s - n%d * %s;", whole, d, above, name, index, d, by)
      index = "n" .. d
    end
  end
  return self.names
end

-- The type in which the index of an element is computed.
local function type_of_index(self, strides)
  local most = 0
  for d, stride in ipairs(strides) do most = most + (self.target[d] - 1) * math.abs(stride) end
  return most < 2 ^ 31 and "int" or "long"
end

-- The index of a view's element for the target's element i, without the view's offset.
local function index_in(self, view)
  local strides = extents.stretched(view, self.target)
  if extents.are_contiguous(self.target, strides) then return "i" end
  local terms, whole = {}, type_of_index(self, strides)
  for d, stride in ipairs(strides) do
    if stride == 1 then
      terms[#terms + 1] = coordinates(self)[d]
    elseif stride ~= 0 then
      terms[#terms + 1] = ("%s * %s"):format(coordinates(self)[d], self:placing(whole, stride))
    end
  end
  return #terms > 0 and table.concat(terms, " + ") or "0"
end

local function place(self, view)
  local index = index_in(self, view)
  if view.offset ~= 0 then index = index .. " + " .. parameter(self, "const long ", "o", view.offset) end
  return index
end

-- ---- values ------------------------------------------------------------------------------------------------------

-- One pointer for each memory.
local function pointer_of(self, view, type_name)
  local storage = view.storage
  self.pointers[storage] = self.pointers[storage]
    or parameter(self, ("const %s *"):format(type_name), "p", storage.buffer)
  return self.pointers[storage]
end

local function leaf(self, array)
  local pointer, index = pointer_of(self, array.view, array.type_name), place(self, array.view)
  if array.type_name == "half" then return ("vload_half(%s, %s)"):format(index, pointer) end
  return ("%s[%s]"):format(pointer, index)
end

local function operand(self, given, type_name)
  if type(given) == "number" then return self:number(given, type_name) end
  return types.converted(self:value(given), types.computed(given.type_name), type_name)
end

local function computed(self, array)
  expression.check_versions(array)
  local operands, computing = {}, types.computed(array.computing)
  local operation = operations[array.operation]
  for i, each in ipairs(array.operands) do
    operands[i] = i == 1 and operation.condition and self:value(each) or operand(self, each, computing)
  end
  local code = operation.code(computing, unpack(operands))
  return types.converted(code, operation.result or computing, types.computed(array.type_name))
end

--- The name of an array's element in the text; adds what computes it.
-- @tparam table array
-- @treturn string
function Text:value(array)
  if not self.values[array] then
    local code = array.view and leaf(self, array) or computed(self, array)
    local name = "t" .. #self.lines
    self:line("const %s %s = %s;", types.computed(array.type_name), name, code)
    self.values[array] = name
  end
  return self.values[array]
end

--- A number as a value.
-- @tparam number given
-- @tparam string type_name
-- @treturn string
function Text:number(given, type_name)
  return parameter(self, ("const %s "):format(types.computed(type_name)), "s", given)
end

--- Adds what stores a value.
-- @tparam table view in which
-- @tparam string type_name of the view's elements
-- @tparam string value an expression of that type, as it is computed
-- @tparam[opt] string index where to store it, if that is not where the target's element i lies in the view
function Text:store(view, type_name, value, index)
  local pointer = parameter(self, type_name .. " *", "r", view.storage.buffer)
  index = index or place(self, view)
  if type_name == "half" then
    self:line("vstore_half(%s, %s, %s);", value, index, pointer)
  else
    self:line("%s[%s] = %s;", pointer, index, value)
  end
end

-- The handle of a storage's memory: arrays over one buffer, or over parts of it, have storages of their own.
local function memory_of(storage)
  local buffer = storage.buffer
  return (buffer.parent or buffer).handle
end

--- Whether an expression reads memory in another order than it would be written, as far as that is known.
-- @tparam table array
-- @tparam table view to be written
-- @treturn boolean
function fuse.overlaps(array, view)
  local own = array.view
  if own then
    if own.storage ~= view.storage then return memory_of(own.storage) == memory_of(view.storage) end
    local strides = extents.stretched(own, view.extents)
    for i, stride in ipairs(view.strides) do
      if view.extents[i] > 1 and stride ~= strides[i] then return true end
    end
    return own.offset ~= view.offset
  end
  for _, each in ipairs(array.operands) do
    if expression.is(each) and fuse.overlaps(each, view) then return true end
  end
  return false
end

return fuse
