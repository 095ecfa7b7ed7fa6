--- Work-groups as a device allows them: for steps that choose their own, smaller where the device or the kernel
-- cannot have the author's.
-- @module clue.walk.group
local group = {}

-- NVIDIA's driver says 256 of kernels that run in groups of 1024, as long as they leave each item 64 registers.
local function most_items(kernel, device)
  if (device.platform.name or ""):find("NVIDIA", 1, true) then return device.max_work_group_size end
  return math.min(kernel.work_group_size, device.max_work_group_size)
end

local function fits(kernel, sizes, bytes)
  local device = kernel.program.context.device
  local items = 1
  for i, size in ipairs(sizes) do
    items = items * size
    if size > device.max_work_item_sizes[i] then return false end
  end
  return items <= most_items(kernel, device) and (bytes or 0) <= device.local_mem_size
end

--- The largest side of a square group: the wanted one, or half of it, or a quarter, ...
-- @tparam kernel kernel
-- @tparam int wanted
-- @tparam[opt] function bytes bytes(side): local memory that a group of that side takes
-- @tparam[opt=1] int lines the group is so many times as wide as high
-- @treturn int 1 at least
function group.side(kernel, wanted, bytes, lines)
  local side = wanted
  local function is_possible()
    return fits(kernel, {side, math.ceil(side / (lines or 1))}, bytes and bytes(side))
  end
  while side > 1 and not is_possible() do side = math.floor(side / 2) end
  return side
end

--- The largest group in one dimension: the wanted one, or half of it, or a quarter, ...
-- @tparam kernel kernel
-- @tparam int wanted
-- @tparam[opt] function bytes bytes(size): local memory that a group of that size takes
-- @treturn int 1 at least
function group.size(kernel, wanted, bytes)
  local size = wanted
  while size > 1 and not fits(kernel, {size}, bytes and bytes(size)) do size = math.floor(size / 2) end
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
