--- Values with a type of OpenCL: what @{clue.value} makes of numbers and @{clue.vector} of several. They cannot be
-- changed, so a value is an empty table, and its contents are kept here.
--
-- Contents: type ("float4"), bytes (as a kernel's argument takes them), text (a function of the contents: the numbers
-- as decimal text), number (of a scalar: what it was made from), stored (of a scalar: the number as its type has it,
-- decimal text if a double cannot hold it), element and width (of a vector: "float", 4), read (of
-- a vector: read(contents, key) is a component).
-- @module clue.typed
local typed = {}

local contents = setmetatable({}, {__mode = "k"}) -- by value

local kind = {__metatable = "typed value"}

function kind.__newindex()
  error("a typed value cannot be changed: make another one", 2)
end

function kind.__index(self, key)
  local read = contents[self].read
  return read and read(contents[self], key) or nil
end

function kind.__tostring(self)
  return ("%s(%s)"):format(contents[self].type, contents[self]:text())
end

function kind.__eq(left, right)
  local one, other = contents[left], contents[right] -- Lua 5.4 also compares with other things
  return one ~= nil and other ~= nil and one.type == other.type and one.bytes == other.bytes
end

--- Makes a value.
-- @tparam table fields its contents
-- @treturn value
function typed.new(fields)
  local self = setmetatable({}, kind)
  contents[self] = fields
  return self
end

--- The contents of a value. A vector in a struct is not a value, but has contents too, which are read now: its
-- metatable has a function for that, typed.
-- @param thing anything
-- @treturn ?table nil if it is not a value
function typed.contents(thing)
  if type(thing) ~= "table" then return nil end
  local meta = contents[thing] == nil and getmetatable(thing)
  return contents[thing] or type(meta) == "table" and meta.typed and meta.typed(thing) or nil
end

return typed
