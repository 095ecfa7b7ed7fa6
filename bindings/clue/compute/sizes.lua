--- How algorithms divide their elements among the work-items of a device. Two forms of a kernel are enough for the
-- devices we know: CPUs run a work-group in one thread, one work-item after the other, and are fastest with one
-- work-item per group that walks through neighbouring elements; GPUs with many work-items that take every n-th.
-- @module clue.compute.sizes
local argument = require "clue.argument"

local sizes = {}

local known = setmetatable({}, {__mode = "k"}) -- by device

-- Oclgrind calls itself a CPU and a GPU.
local function measured(device)
  return {cpu = device:is_kind "cpu", units = device.max_compute_units or 1, most = device.max_work_group_size or 1}
end

--- What matters about a queue's device.
-- @tparam queue queue an object
-- @treturn table cpu (boolean: which form), units (compute units), most (work-items in a group)
function sizes.of(queue)
  local device = queue.device or queue.context.device
  local found = known[device]
  if not found then
    found = measured(device)
    known[device] = found
  end
  return found
end

--- The same for a context's first device.
-- @tparam context context
-- @treturn table
function sizes.of_context(context)
  return sizes.of {device = context.device}
end

--- Refuses a local size that the option local_size cannot have.
-- @tparam ?number given
-- @treturn ?number given
function sizes.checked(given)
  if given ~= nil then argument.whole(given, "local_size", 1) end
  return given
end

return sizes
