--- How algorithms divide their elements among the work-items of a device. Their kernels have two forms. CPUs run the
-- work-items of a group one after the other, so there a group is one work-item that goes through neighbouring
-- elements: the compiler vectorises that loop, and no local memory is needed. All other devices run many work-items at
-- once, and neighbours take neighbouring elements. So does llvmpipe, which ends a work-item's loops after 65535 rounds
-- in all: those of the script's operation would count once for each element.
-- @module clue.compute.sizes
local argument = require "clue.argument"
local object = require "clue.object"
local ranking = require "clue.device_ranking"

local sizes = {}

sizes.GROUPS = 16 -- groups for each compute unit of a GPU that are enough to keep it busy
local GROUP = 256 -- work-items in one of them
local CHUNK, LEAST, SHARE = 16384, 1024, 8 -- elements of a CPU's work-item; work-items for each of its compute units

local known = setmetatable({}, {__mode = "k"}) -- by device

local function facts_of(device)
  local found = known[device]
  if not found then
    local doubt = ranking.doubt(device)
    local loops = device:is_kind "cpu" and not (doubt and doubt.wrong)
    found = {form = loops and "cpu" or "gpu", units = device.max_compute_units, most = device.max_work_group_size}
    known[device] = found
  end
  return found
end

--- What matters about a queue's device.
-- @tparam queue queue an object
-- @treturn table form ("cpu" or "gpu"), units (compute units), most (the most work-items in a group)
function sizes.of(queue)
  return facts_of(queue.device or queue.context.device)
end

--- The elements of a CPU's work-item: enough work-items for all compute units, and each worth its start.
-- @tparam table device of @{of}
-- @tparam number count all elements
-- @treturn number
function sizes.chunk(device, count)
  return math.max(LEAST, math.min(CHUNK, math.ceil(count / (device.units * SHARE))))
end

--- The form of an algorithm's kernels, which the context's first device decides, and the work-items in a group.
-- @tparam context context
-- @tparam ?number given the option local_size: with it, a CPU gets the form with groups, too
-- @treturn string "cpu" or "gpu"
-- @treturn number a power of two; 1 for a CPU
function sizes.form(context, given)
  object.handle(context, "context")
  local device, size = facts_of(context.device), 1
  local wanted = given == nil and math.min(GROUP, device.most) or argument.whole(given, "local_size", 1)
  while 2 * size <= math.min(wanted, device.most) do size = 2 * size end
  if given ~= nil and size ~= given then
    argument.fail("local_size must be a power of two up to %.0f, the device's limit, got %.0f", device.most, given)
  end
  if given == nil and device.form == "cpu" then return "cpu", 1 end
  return "gpu", size
end

return sizes
