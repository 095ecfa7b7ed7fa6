--- Methods of device arrays that move or change elements, and those that give other views of them.
local argument = require "clue.argument"
local array_text = require "clue.array.text"
local arrays = require "clue.array"
local binding = require "clue.binding"
local class = require "clue.device_array.class"
local expression = require "clue.device_array.expression"
local extents = require "clue.device_array.extents"
local fuse = require "clue.device_array.fuse"
local shown = require "clue.shown"
local slice = require "clue.device_array.slice"
local text = require "clue.text"
local types = require "clue.device_array.types"

local methods = class.methods

-- ---- views ------------------------------------------------------------------------------------------------------

--- A part of the array, which shares its memory.
-- @tparam string given Python's slices: "1:-1, ::2"; "3" takes one element of the dimension and drops it
-- @treturn device_array
function methods:slice(given)
  class.check(self)
  class.compute(self)
  return class.over(self.queue, slice.of(self.view, given))
end

--- The array with other extents. Shares the memory, unless it is a part whose elements are not one after the other:
-- then they are copied.
-- @tparam number|{number,...} ... the extents, or a list of them
-- @treturn device_array
function methods:reshape(...)
  class.check(self)
  local made, count = extents.check(argument.is_plain((...)) and (...) or {...})
  if count ~= self:count() then
    argument.fail("%s are %.0f elements, but %s has %.0f", extents.text(made), count, self:describe(), self:count())
  end
  local view = class.packed(self).view
  return class.over(self.queue, extents.whole(view.storage, made, view.offset))
end

local function reversed(list)
  local made = {}
  for i = #list, 1, -1 do made[#made + 1] = list[i] end
  return made
end

--- The array with its dimensions in reverse order. Shares the memory.
-- @treturn device_array
function methods:transpose()
  class.check(self)
  class.compute(self)
  local view = self.view
  return class.over(self.queue, {storage = view.storage, offset = view.offset, extents = reversed(view.extents),
                                 strides = reversed(view.strides)})
end

-- ---- changing ---------------------------------------------------------------------------------------------------

local function changed(self)
  self.view.storage.version = self.view.storage.version + 1
end

local function check_source(self, source)
  if not expression.is(source) then argument.refuse("source", "a device array or a number", source) end
  if source.queue ~= self.queue then
    argument.fail("%s and %s are on different queues", self:describe(), source:describe())
  end
  local together = extents.broadcast(source.extents, self.extents)
  if not together or extents.text(together) ~= extents.text(self.extents) then
    argument.fail("%s does not stretch to %s", source:describe(), self:describe())
  end
end

-- Whether the elements can have a number's value, without a change of their type.
local function takes(self, number)
  if not types.is_real(self.type_name) and number ~= math.floor(number) then return false end
  return types.with_number(self.type_name, number, self.queue.device) == self.type_name
end

-- The source, computed first if it reads elements that would be written before.
local function apart(source, view)
  if not fuse.overlaps(source, view) then return source end
  local copy = expression.new(class, "copy", {source})
  class.compute(copy)
  return copy
end

--- Changes the elements in the array's own memory. An array stretches to the extents and is converted to the type of
-- this one, as to() does.
-- @tparam device_array|number source
-- @treturn device_array itself
function methods:assign(source)
  class.check(self)
  class.compute(self)
  if type(source) ~= "number" then
    check_source(self, source)
    source = apart(source, self.view)
  elseif not takes(self, source) then
    argument.fail("%s: %s is not one", arrays.holds(self.type_name), shown.number(source))
  end
  class.store(source, self.queue, self.view)
  changed(self)
  return self
end

local function check_host(self, given, name)
  if argument.array(given, name):type() == self.type_name and #given == self:count() then return given end
  return argument.fail("%s must be %s array of %s on the host, got %s", name, shown.with_article(self.type_name),
    text.count(self:count(), "element"), array_text.shape(given))
end

--- Copies elements from the host.
-- @tparam array source of the same type and length
-- @treturn device_array itself
function methods:write(source)
  class.check(self)
  check_host(self, source, "source")
  local storage = class.storage(self.queue, self.type_name, #source)
  self.queue:write_buffer(storage.buffer, source)
  return (methods.assign(self, class.over(self.queue, extents.whole(storage, self.extents))))
end

--- Copies the elements to the host. Waits.
-- @tparam[opt] array into of the same type and length; nil: a new one, a matrix if the array has two dimensions
-- @treturn array
function methods:read(into)
  class.check(self)
  local host = into == nil and arrays[self.type_name](self:count()) or check_host(self, into, "into")
  local view = class.packed(self).view
  self.queue:read_buffer(view.storage.buffer, host,
    {offset = view.offset * binding.type_sizes[self.type_name]})
  if into == nil and #self.extents == 2 then host:reshape(self.extents[1], self.extents[2]) end
  return host
end

--- The buffer, for kernels. They may change it at any time, so from now on expressions of the array are computed at
-- once. Raises for a part of an array, whose elements are not all of a buffer.
-- @treturn buffer
function methods:buffer()
  class.check(self)
  class.compute(self)
  local view, storage = self.view, self.view.storage
  local whole = self:count() == storage.count and view.offset == 0
  if not whole or not extents.are_contiguous(self.extents, view.strides) then
    argument.fail("%s is a part of an array: a:copy():buffer() is one of its own", self:describe())
  end
  changed(self)
  storage.shared = true
  return storage.buffer
end

return methods
