--- Gives the launches of a step a work-group's size, as `clue walk
-- --set group=16x16` asks: for steps that leave it to the driver. It works in the step's own process, and must be
-- loaded before the step's first launch.
-- @module clue.walk.forced_group
local asked = require "clue.walk.asked"
local binding = require "clue.binding"
local follow = require "clue.shared.follow"
local kernels = require "clue.kernel"
local result = require "clue.walk.result"

local forced_group = {}

local launches = 0

-- "16x16" for a launch of one dimension is 16 x 16 work-items, in a row; what is not given is 1.
local function sizes_for(dimensions)
  local sizes, rest = {}, {}
  for part in (asked.group .. "x"):gmatch "(%d+)x" do rest[#rest + 1] = tonumber(part) end
  for d = 1, dimensions do sizes[d] = rest[d] or 1 end
  for d = dimensions + 1, #rest do sizes[dimensions] = sizes[dimensions] * rest[d] end
  return sizes
end

-- A size that the device or the range cannot have is no fault of the step.
local function refuse(why)
  result.send {skipped = why}
  os.exit(0, true)
end

local function take(dimensions)
  launches = launches + 1
  return sizes_for(dimensions)
end

local its_own = "its launches have work-groups of their own: --set group is for steps that leave them to the driver"

-- CLExecute calls the binding, and the object layer its own queue.
local function replace()
  follow.around("kernel_execute", function(execute, kernel, dimensions, offset, global, by)
    if by ~= nil then refuse(its_own) end
    return execute(kernel, dimensions, offset, global, take(dimensions)) or refuse(binding.error().text)
  end)
  kernels.replace_execute(function(execute)
    return function(on, handle_of_queue, kernel, handle, global, by, offset)
      if by ~= nil then refuse(its_own) end
      local sizes = take(type(global) == "number" and 1 or #global)
      local done, event = pcall(execute, on, handle_of_queue, kernel, handle, global, sizes, offset)
      return done and event or refuse(tostring(event))
    end
  end)
end

--- Replaces how kernels are launched, if a size is asked for.
function forced_group.start()
  if asked.group then replace() end
end

--- Ends a step that has launched nothing, since a size of groups says nothing about it.
function forced_group.check()
  if asked.group and launches == 0 then refuse "it launches no kernel whose groups could be set" end
end

return forced_group
