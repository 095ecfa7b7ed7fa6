--- The arguments that a space lists for its kernel, in a process that measures. Those of a captured call
-- (@{clue.captured}) have the same methods.
-- @module clue.tune.measure.arguments
local array = require "clue.array"

local unpack = unpack or table.unpack -- luacheck: ignore

-- Behind each buffer, memory in which no kernel should write.
local guard = array.uchar(4096):fill(0xA5)

local Arguments = {}
Arguments.__index = Arguments

local arguments = {}

--- Makes the buffers; an array stands for one.
-- @tparam {any,...} list in the kernel's order
-- @tparam queue queue
-- @tparam table buffers those of the configuration before, by array; this one's when the function returns
-- @treturn Arguments
function arguments.new(list, queue, buffers)
  local self, kept = setmetatable({arrays = {}, buffers = {}, given = {}, count = 0, queue = queue}, Arguments), {}
  for i, value in pairs(list) do
    self.count = math.max(self.count, i)
    self.given[i] = value
    if array.is(value) then
      kept[value] = buffers[value] or queue.context:buffer(value:bytes() + #guard)
      self.given[i], self.arrays[i], self.buffers[i] = kept[value], value, kept[value]
    end
  end
  for value, buffer in pairs(buffers) do
    if not kept[value] then buffer:close() end
    buffers[value] = kept[value]
  end
  for value, buffer in pairs(kept) do buffers[value] = buffer end
  return self
end

--- Sets all arguments of a kernel.
-- @tparam kernel kernel
function Arguments:set(kernel)
  kernel:set_args(unpack(self.given, 1, self.count))
end

--- Gives the buffers the elements of their arrays.
function Arguments:fill()
  for i, values in pairs(self.arrays) do
    self.queue:write_buffer(self.buffers[i], values)
    self.queue:write_buffer(self.buffers[i], guard, {offset = values:bytes()})
  end
end

--- Finds a buffer behind which the kernel wrote.
-- @treturn ?int the argument's number, from 1; nil: there is none
-- @treturn ?number the first byte that changed, from 0 behind the end
function Arguments:overrun()
  local found = array.uchar(#guard)
  for i, values in pairs(self.arrays) do
    self.queue:read_buffer(self.buffers[i], found, {offset = values:bytes()})
    local at = found:compare(guard)
    if at then return i, at end
  end
end

--- Reads the buffers.
-- @treturn table array by the argument's number, from 1
function Arguments:read()
  local found = {}
  for i, values in pairs(self.arrays) do
    found[i] = values:copy()
    self.queue:read_buffer(self.buffers[i], found[i])
  end
  return found
end

return arguments
