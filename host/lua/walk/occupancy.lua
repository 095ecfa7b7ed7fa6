--- How many work-groups fit a compute unit at once, and what limits them: registers, local memory, or the unit's
-- greatest number of work-groups or of waves (NVIDIA's warps, AMD's wavefronts).
--
-- OpenCL does not report most of these limits. The vendors' documented values are in a table here, with their source;
-- what a device reports itself (wave size, registers, largest group) replaces them.
-- @module clue.walk.occupancy
local bar = require("clue.shared.figures").bar
local map = require("clue.shared.list").map

local occupancy = {}

local cuda = "CUDA C++ Programming Guide, technical specifications per compute capability"
local gcn = "AMD OpenCL Optimization Guide, GCN devices"

-- By compute capability: waves, groups, registers and KiB of local memory of a unit; the most registers of an item.
local nvidia = {
  ["1.0"] = {24, 8, 8192, 16, 124}, ["1.1"] = {24, 8, 8192, 16, 124},
  ["1.2"] = {32, 8, 16384, 16, 124}, ["1.3"] = {32, 8, 16384, 16, 124},
  ["2.0"] = {48, 8, 32768, 48, 63}, ["2.1"] = {48, 8, 32768, 48, 63},
  ["3.0"] = {64, 16, 65536, 48, 63}, ["3.5"] = {64, 16, 65536, 48, 255}, ["3.7"] = {64, 16, 131072, 112, 255},
  ["5.0"] = {64, 32, 65536, 64, 255}, ["5.2"] = {64, 32, 65536, 96, 255}, ["5.3"] = {64, 32, 65536, 64, 255},
  ["6.0"] = {64, 32, 65536, 64, 255}, ["6.1"] = {64, 32, 65536, 96, 255},
  ["7.0"] = {64, 32, 65536, 96, 255}, ["7.5"] = {32, 16, 65536, 64, 255},
  ["8.0"] = {64, 32, 65536, 164, 255}, ["8.6"] = {48, 16, 65536, 100, 255}, ["8.7"] = {48, 16, 65536, 164, 255},
  ["8.9"] = {48, 24, 65536, 100, 255}, ["9.0"] = {64, 32, 65536, 228, 255}, ["10.0"] = {64, 32, 65536, 228, 255},
  ["12.0"] = {48, 24, 65536, 100, 255},
}

-- Units of allocation, from 3.0 on as in CUDA's cuda_occupancy.h: registers, for a "wave" or a "group"; wave_step for
-- waves; bytes of local memory; bytes that the system reserves in each group.
local function nvidia_granularity(capability)
  local major = tonumber(capability:match "^%d+")
  if major == 1 then return {register_step = 512, register_owner = "group", wave_step = 2, local_step = 512} end
  if major == 2 then return {register_step = 64, register_owner = "wave", wave_step = 2, local_step = 128} end
  return {register_step = 256, register_owner = "wave", wave_step = capability == "6.0" and 2 or 4,
          local_step = major >= 8 and 128 or 256,
          local_kept = major >= 8 and 1024 or 0}
end

local function nvidia_unit(capability)
  local known = nvidia[capability]
  if not known then return nil end
  local unit = nvidia_granularity(capability)
  if capability == "1.0" or capability == "1.1" then unit.register_step = 256 end
  unit.name, unit.source, unit.wave = "NVIDIA, compute capability " .. capability, cuda, 32
  unit.waves, unit.groups, unit.registers, unit.local_memory = known[1], known[2], known[3], known[4] * 1024
  unit.group_registers = capability == "3.7" and 65536 or nil -- half of those of the unit
  unit.item_registers, unit.largest_group = known[5], tonumber(capability) < 2 and 512 or 1024
  return unit
end

local function amd_unit(name)
  if name == "gcn" then
    return {name = "AMD GCN", source = gcn, wave = 64, waves = 40, groups = 16, registers = 65536, simds = 4,
            local_memory = 65536, item_registers = 256, register_owner = "wave", register_step = 256, local_step = 512,
            largest_group = 256}
  end
  return {name = "Radeon HD 5870", source = "the course; 496 wavefronts on 20 units are 24.8 each", wave = 64,
          waves = 24, groups = 8, registers = 16384, local_memory = 32768, item_registers = 128,
          register_owner = "wave", register_step = 64, local_step = 256, largest_group = 256}
end

--- A unit of the table.
-- @tparam string name a compute capability ("9.0"), "gcn" or "hd5870"
-- @treturn[1] table name, source, wave (work-items), waves, groups, registers, local_memory (bytes), largest_group, ...
-- @treturn[2] nil
-- @treturn[2] string the known units
function occupancy.known(name)
  if name == "gcn" or name == "hd5870" then return amd_unit(name) end
  local unit = nvidia_unit(name)
  if unit then return unit end
  local names = {}
  for capability in pairs(nvidia) do names[#names + 1] = capability end
  table.sort(names, function(a, b) return tonumber(a) < tonumber(b) end)
  return nil, ("there is no unit '%s'; there are hd5870, gcn and NVIDIA's compute capabilities %s"):format(name,
    table.concat(names, ", "))
end

-- gfxip 6 to 9 is GCN, except for the accelerators derived from it, which have other limits.
local function is_gcn(device)
  local major = device.gfxip_major_amd
  return major and major >= 6 and major <= 9 and not device.name:find "gfx90a" and not device.name:find "gfx94"
end

local function unit_of_gpu(device)
  if device.compute_capability_major_nv then
    return nvidia_unit(("%d.%d"):format(device.compute_capability_major_nv, device.compute_capability_minor_nv))
  end
  if is_gcn(device) then return amd_unit "gcn" end
  return device.name:find "Cypress" and amd_unit "hd5870" or nil
end

--- The compute unit of a device: from the table, overridden by what the device itself reports.
-- @tparam device device
-- @treturn[1] table as from @{known}
-- @treturn[2] nil
-- @treturn[2] string why it is unknown
function occupancy.unit(device)
  if not device:is_kind "gpu" then
    return nil, "this device is not a GPU: its compute units are cores, which run one work-group after the other"
  end
  local unit = unit_of_gpu(device)
  if not unit then return nil, "the limits of this device's compute units are not in the table" end
  unit.wave = device.warp_size_nv or device.wavefront_width_amd or unit.wave
  unit.local_memory = device.local_mem_size_per_compute_unit_amd or unit.local_memory
  unit.largest_group = device.max_work_group_size
  return unit
end

-- ---- the calculation ----

local function round_up(value, step)
  return math.ceil(value / step) * step
end

-- How many groups the unit's registers allow.
local function groups_by_registers(unit, waves, registers)
  if registers == 0 then return math.huge end
  if registers > unit.item_registers then return 0 end
  local counted = round_up(waves, unit.wave_step or 1)
  if unit.register_owner == "group" then
    return math.floor(unit.registers / round_up(counted * unit.wave * registers, unit.register_step))
  end
  if waves * round_up(unit.wave * registers, unit.register_step) > (unit.group_registers or math.huge) then return 0 end
  local simds = unit.simds or 1
  local fitting = math.floor(unit.registers / simds / round_up(unit.wave * registers, unit.register_step)) * simds
  local step = unit.wave_step or 1
  return math.floor(math.floor(fitting / step) * step / waves)
end

local function groups_by_local_memory(unit, bytes)
  if bytes + (unit.local_kept or 0) == 0 then return math.huge end
  return math.floor(unit.local_memory / round_up(bytes + (unit.local_kept or 0), unit.local_step))
end

local order = {"registers", "local memory", "work-groups", "waves"}

--- How many work-groups a unit holds at once.
-- @tparam table unit as from @{known}
-- @tparam table use group: work-items of a group; registers: of an item (0: unknown); local_memory: bytes of a group
-- @treturn table groups, waves, items: at once; occupancy: its waves as a fraction of the unit's most, 0 to 1; at_most:
--   true if registers are unknown, since they may allow fewer; limit: what allows the fewest groups, "registers",
--   "local memory", "work-groups", "waves" or "largest group"; limits: groups that each allows
function occupancy.of(unit, use)
  local waves, registers = math.ceil(use.group / unit.wave), use.registers or 0
  local limits = {
    registers = groups_by_registers(unit, waves, registers),
    ["local memory"] = groups_by_local_memory(unit, use.local_memory or 0),
    ["work-groups"] = unit.groups,
    waves = math.floor(unit.waves / waves),
  }
  local limit
  for _, name in ipairs(order) do
    if not limit or limits[name] < limits[limit] then limit = name end
  end
  if use.group > unit.largest_group then limit, limits["largest group"] = "largest group", 0 end
  local groups = limits[limit]
  return {group = use.group, groups = groups, waves = groups * waves, items = groups * use.group,
          occupancy = groups * waves / unit.waves, at_most = registers == 0 and groups > 0 or nil, limit = limit,
          limits = limits}
end

--- The occupancy for each group size, from a wave to the largest group, doubled each time.
-- @tparam table unit
-- @tparam table use registers: of an item; local_memory: bytes of a group, or a function of its size
-- @treturn {table,...} as from @{of}
function occupancy.curve(unit, use)
  local points, group = {}, unit.wave
  while group <= unit.largest_group do
    local bytes = type(use.local_memory) == "function" and use.local_memory(group) or use.local_memory
    points[#points + 1] = occupancy.of(unit, {group = group, registers = use.registers, local_memory = bytes})
    group = group * 2
  end
  return points
end

-- What @{occupancy.over} goes over: where it begins, the limit in a unit, and how a point's line begins.
local ranges = {
  registers = {8, "item_registers", "%6d registers"}, local_memory = {1024, "local_memory", "%6d bytes"},
}

--- The occupancy over the registers of a work-item, or over the local memory of a group, doubled each time.
-- @tparam table unit
-- @tparam table use group; registers, local_memory: as in @{of}
-- @tparam string name "registers" or "local_memory"
-- @treturn {table,...} as from @{of}; also over: the registers or bytes in words
function occupancy.over(unit, use, name)
  local points, range = {}, ranges[name]
  local value = range[1]
  while value <= unit[range[2]] do
    local point = occupancy.of(unit, {
      group = use.group, registers = name == "registers" and value or use.registers,
      local_memory = name == "local_memory" and value or use.local_memory,
    })
    point.over = range[3]:format(value)
    points[#points + 1] = point
    value = value * 2
  end
  return points
end

--- Draws a curve as text.
-- @tparam table unit
-- @tparam {table,...} points from @{curve} or @{over}
-- @treturn {string,...} lines
function occupancy.draw(unit, points)
  return map(points, function(point)
    return ("%s: %s%2d at once, %2d of %d waves %3.0f %% %s limit: %s"):format(
      point.over or ("groups of %4d"):format(point.group), point.at_most and "at most " or "", point.groups,
      point.waves, unit.waves, point.occupancy * 100, bar(point.occupancy, 20), point.limit)
  end)
end

--- How many work-items the registers allow.
-- @tparam int registers of the unit
-- @tparam int of_item
-- @tparam[opt=1] int wave the size of a wave; only whole waves count
-- @treturn int
function occupancy.most_items(registers, of_item, wave)
  return math.floor(math.floor(registers / of_item) / (wave or 1)) * (wave or 1)
end

--- The most registers that a work-item may have for a group to fit.
-- @tparam int registers of the unit
-- @tparam int group work-items
-- @treturn int
function occupancy.most_registers(registers, group)
  return math.floor(registers / group)
end

return occupancy
