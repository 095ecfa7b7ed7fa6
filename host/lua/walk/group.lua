--- Work-groups as a device allows them: for steps that choose their own, smaller where the device or the kernel
-- cannot have the author's.
-- @module clue.walk.group
local group = {}

--- Whether a kernel runs in groups of a size: it is tried, once, in one group. What it does then is done: give it
-- arguments with which it does nothing.
-- @tparam kernel kernel
-- @tparam {int,...} sizes of the group in one to three dimensions
-- @param ... the kernel's arguments
-- @treturn bool
-- @return why not: what the launch, or waiting for it, raised
function group.runs(kernel, sizes, ...)
  local queue = kernel.program.context:queue()
  return pcall(function(...)
    kernel(queue, sizes, sizes, ...)
    queue:finish()
  end, ...)
end

-- What a kernel's arguments point to while it is tried: room for a table of bins.
local function nothing(kernel)
  return kernel.program.context:buffer(4096)
end

--- Whether a group fits: told by CL_KERNEL_WORK_GROUP_SIZE up to it, which surely runs. More may run: NVIDIA's driver
-- and rusticl say 256 or less of kernels that run in groups of 1024, so larger ones are tried.
-- @tparam kernel kernel
-- @tparam {int,...} sizes of the group in one to three dimensions
-- @tparam[opt] table how bytes: bytes(side), local memory that a group of that side takes; idle: idle(buffer, side)
--   gives arguments with which the kernel does nothing; without it nothing is tried
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
-- @tparam[opt] table how bytes, idle: as for @{fits}; lines: the group is so many times as wide as high (1)
-- @treturn int 1 at least
function group.side(kernel, wanted, how)
  local side, lines = wanted, how and how.lines or 1
  while side > 1 and not group.fits(kernel, {side, math.ceil(side / lines)}, how) do side = math.floor(side / 2) end
  return side
end

--- The largest group in one dimension: the wanted one, or half of it, or a quarter, ...
-- @tparam kernel kernel
-- @tparam int wanted
-- @tparam[opt] table how bytes, idle: as for @{fits}
-- @treturn int 1 at least
function group.size(kernel, wanted, how)
  local size = wanted
  while size > 1 and not group.fits(kernel, {size}, how) do size = math.floor(size / 2) end
  return size
end

--- The least multiple that is large enough.
-- @tparam int count
-- @tparam int multiple
-- @treturn int
function group.round_up(count, multiple)
  return math.ceil(count / multiple) * multiple
end

return group
