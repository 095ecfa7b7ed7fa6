--- Shared by the specs of the object layer: makes a context, reads a buffer, and gives the text of a refusal.
local assert = require "luassert"
local cl = require "clue"
local binding = require "clue.binding"

local objects = {}

--- Makes a context on the default device, and a queue, without the line that names the device.
-- @treturn context
-- @treturn queue
function objects.context()
  require("clue.options").quiet = true
  local context = cl.context()
  return context, context:queue()
end

--- Whether a context's device takes long for each work-item or kernel, so that small counts must do: all but PoCL's.
-- @tparam context context
-- @treturn boolean
function objects.is_slow(context)
  return not context.device.name:find "pthread"
end

--- The text of the error object that a call raises, without file and line.
-- @tparam function call
-- @param ... its arguments
-- @treturn string
function objects.refusal(call, ...)
  local done, problem = pcall(call, ...)
  assert.is_false(done)
  assert.is_true(cl.error.is(problem), tostring(problem))
  return problem.text
end

--- An array of floats: 0, 1, 2, ...
-- @tparam number count
-- @treturn array
function objects.numbered(count)
  local numbers = cl.array.float(count)
  for i = 0, count - 1 do numbers[i] = i end
  return numbers
end

--- The contents of a buffer.
-- @tparam queue queue
-- @tparam buffer buffer
-- @tparam[opt="float"] string type_name of its elements
-- @tparam[opt] number count how many, from the first on (all)
-- @treturn table
function objects.contents(queue, buffer, type_name, count)
  type_name = type_name or "float"
  local read = cl.array[type_name](count or buffer.size / binding.type_sizes[type_name])
  queue:read_buffer(buffer, read)
  return read:table()
end

return objects
