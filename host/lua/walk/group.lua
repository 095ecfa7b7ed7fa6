--- The work-groups of steps. Those that choose their own groups get smaller ones if the device or the kernel cannot run
-- the author's. Those that leave them to the driver get the size that `clue walk --set group=16x16` asks for.
-- @module clue.walk.group
local array = require "clue.array"
local binding = require "clue.binding"
local exchange = require "clue.walk.exchange"
local follow = require "clue.shared.follow"
local kernels = require "clue.kernel"

local group = {}

--- Whether a kernel runs in groups of a size: runs it once, in one group. Pass arguments with which the kernel does
-- nothing.
-- @tparam kernel kernel
-- @tparam {int,...} sizes of the group in one to three dimensions
-- @param ... the kernel's arguments
-- @treturn bool
-- @return why not: the error of the launch, or of waiting for it
function group.runs(kernel, sizes, ...)
  local queue = kernel.program.context:queue()
  return pcall(function(...)
    kernel(queue, sizes, sizes, ...)
    queue:finish()
  end, ...)
end

-- A buffer of zeros for the arguments of a trial: room for a table of bins.
local function nothing(kernel)
  return kernel.program.context:buffer(array.uchar(4096))
end

--- Whether a group fits. Groups up to CL_KERNEL_WORK_GROUP_SIZE always do. Larger ones may run too: NVIDIA's driver
-- and rusticl report 256 or less for kernels that run in groups of 1024, so larger groups are tried.
-- @tparam kernel kernel
-- @tparam {int,...} sizes of the group in one to three dimensions
-- @tparam[opt] table how bytes: bytes(side), local memory of a group of that side; idle: idle(buffer, side) returns
--   arguments with which the kernel does nothing; without it nothing is tried
-- @treturn bool
function group.fits(kernel, sizes, how)
  local device = kernel.program.context.device
  how = how or {}
  local items = 1
  for i, size in ipairs(sizes) do
    items = items * size
    if size > device.max_work_item_sizes[i] then return false end
  end
  if items > device.max_work_group_size then return false end
  if how.bytes and how.bytes(sizes[1]) > device.local_mem_size then return false end
  if items <= kernel.work_group_size then return true end
  return how.idle ~= nil and (group.runs(kernel, sizes, how.idle(nothing(kernel), sizes[1])))
end

--- The largest side of a square group: the wanted one, or half of it, or a quarter, ...
-- @tparam kernel kernel
-- @tparam int wanted
-- @tparam[opt] table how bytes, idle: as for @{fits}; lines: how many times as wide as high the group is (1)
-- @treturn int at least 1
function group.side(kernel, wanted, how)
  local side, lines = wanted, how and how.lines or 1
  while side > 1 and not group.fits(kernel, {side, math.ceil(side / lines)}, how) do side = math.floor(side / 2) end
  return side
end

--- The largest group in one dimension: the wanted one, or half of it, or a quarter, ...
-- @tparam kernel kernel
-- @tparam int wanted
-- @tparam[opt] table how bytes, idle: as for @{fits}
-- @treturn int at least 1
function group.size(kernel, wanted, how)
  local size = wanted
  while size > 1 and not group.fits(kernel, {size}, how) do size = math.floor(size / 2) end
  return size
end

--- Declares
-- --group, for groups of a power of two.
-- @tparam table input the script's `input`
-- @tparam[opt] int items its default; nil: the step has no such input
function group.input(input, items)
  if not items then return end
  input.int("_group", items, "work-items in a group, a power of two; fewer if the device cannot", 2, 65536)
end

--- The largest power of two that is not larger.
-- @tparam number items at least 1
-- @treturn int
function group.power_of_two(items)
  return 2 ^ math.floor(math.log(items) / math.log(2) + 1e-9)
end

--- Builds a program for groups of a size that its text knows as SIZE, a power of two; or of half that size and so on
-- until one of its kernels runs.
-- @tparam context context
-- @tparam string source
-- @tparam table how kernel: the name of the one that is tried; size: work-items of a group, at least 1; idle:
--   idle(buffer, size) returns arguments with which it does nothing; defines: more macros; bytes: bytes(size), local
--   memory of a group of that size
-- @treturn program
-- @treturn int the size of its groups
function group.program(context, source, how)
  local device, size = context.device, group.power_of_two(how.size)
  local function is_too_much()
    return size > math.min(device.max_work_group_size, device.max_work_item_sizes[1])
      or how.bytes and how.bytes(size) > device.local_mem_size
  end
  while size > 1 and is_too_much() do size = size / 2 end
  while true do
    local defines = {SIZE = size}
    for name, given in pairs(how.defines or {}) do defines[name] = given end
    local program = context:program(source, {defines = defines})
    local kernel = program:kernel(how.kernel)
    local ran, why = group.runs(kernel, {size}, how.idle(nothing(kernel), size))
    if ran then return program, size end
    if size == 1 then error(why, 0) end
    size = size / 2
  end
end

--- The least multiple that is not smaller.
-- @tparam int count
-- @tparam int multiple
-- @treturn int
function group.round_up(count, multiple)
  return math.ceil(count / multiple) * multiple
end

-- ---- the size that a run asks for ----

local launches = 0

-- "16x16" for a launch of one dimension is 16 x 16 work-items, in a row; what is not given is 1.
local function sizes_for(dimensions)
  local sizes, rest = {}, {}
  for part in (exchange.group .. "x"):gmatch "(%d+)x" do rest[#rest + 1] = tonumber(part) end
  for d = 1, dimensions do sizes[d] = rest[d] or 1 end
  for d = dimensions + 1, #rest do sizes[dimensions] = sizes[dimensions] * rest[d] end
  return sizes
end

-- A size that the device or the range cannot have is no fault of the step.
local function refuse(why)
  exchange.send {skipped = why}
  os.exit(0, true)
end

-- own: the sizes that the launch gives itself
local function forced(own, dimensions)
  if own ~= nil then
    refuse "its launches have work-groups of their own: --set group is for steps that leave them to the driver"
  end
  launches = launches + 1
  return sizes_for(dimensions)
end

-- CLExecute calls the binding, and the object layer its own queue.
local function replace()
  follow.around("kernel_execute", function(execute, kernel, dimensions, offset, global, by)
    return execute(kernel, dimensions, offset, global, forced(by, dimensions)) or refuse(binding.error().text)
  end)
  kernels.replace_execute(function(execute)
    return function(on, handle_of_queue, kernel, handle, global, by, offset)
      local sizes = forced(by, type(global) == "number" and 1 or #global)
      local done, event = pcall(execute, on, handle_of_queue, kernel, handle, global, sizes, offset)
      return done and event or refuse(tostring(event))
    end
  end)
end

--- Replaces how kernels are launched, if a size is asked for.
function group.force()
  if exchange.group then replace() end
end

--- Ends a step that has launched nothing, since a size of groups says nothing about it.
function group.check_forced()
  if exchange.group and launches == 0 then refuse "it launches no kernel whose groups could be set" end
end

return group
