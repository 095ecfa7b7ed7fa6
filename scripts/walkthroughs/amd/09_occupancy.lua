-- Occupancy: how many work-groups a compute unit holds at once, what limits them, and what that does to a kernel.
--
-- While one wave (NVIDIA's warp of 32, AMD's wavefront of 64) waits for memory, a unit switches to another, so it needs
-- many of them. They share its registers and its local memory, and it can manage only a limited number of waves and
-- groups: whatever runs out first is the limit. The chart shows this over the group size, and as in the course also
-- over the registers of a work-item and the local memory of a group, for this device if its limits are known, otherwise
-- for the course's HD 5870 (--unit chooses another). The kernel, a copy through local memory, is measured at each of
-- these sizes.
--
-- How many registers a kernel needs is known only after the build, and OpenCL has no question for it. NVIDIA's compiler
-- tells in its log. If a driver does not, the chart leaves registers out, and says 'at most'; --registers N takes them
-- into account. Full occupancy is no aim by itself: once enough waves hide the waiting, more of them gain nothing.
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local occupancy = require "clue.walk.occupancy"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "1000003", "how many floats")
input.string("_unit", "", "compute unit to calculate for: hd5870, gcn, or a compute capability such as 9.0")
input.int("_registers", 0, "registers of a work-item; 0: from the build log, if it has them", 0)
input.int("_local_memory", 0, "bytes of local memory of a group, if more than the kernel needs", 0)

local KERNEL = [[
__kernel void mirror(__global const float *from, __global float *to, ulong count, __local float *tile)
{
    const size_t i = get_global_id(0), here = get_local_id(0), there = get_local_size(0) - 1 - here;
    if (i < count)
        tile[here] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t j = i - here + there; /* an element that another work-item copied */
    if (j < count)
        to[j] = tile[there];
}
]]

local row = {
  number = 9, name = "occupancy", study = "occupancy",
  change = "work-groups at once on a compute unit, calculated over the group size and measured",
  decides = {"local_mem_size", "max_work_group_size", "max_compute_units"},
}

-- The course's own examples, calculated again, and what is wrong in them.
local function worked_examples()
  local hd5870 = occupancy.known "hd5870"
  return {
    ("the course: %d registers and 35 per item leave %d items at most, in whole wavefronts %d; groups of 256 leave %d "
      .. "registers per item"):format(hd5870.registers, occupancy.most_items(hd5870.registers, 35),
      occupancy.most_items(hd5870.registers, 35, hd5870.wave), occupancy.most_registers(hd5870.registers, 256)),
    ("finding: the course has 8 or 16 warps a unit and 768 or 1024 active threads: 768 are %d warps of 32 and 1024 are "
      .. "%d (8 is the number of work-groups)"):format(768 / 32, 1024 / 32),
    "the course: a unit has 32 KB of local memory (HD 5xxx) or 32 to 48 KB (NVIDIA)",
    "finding: the course has 256 (AMD) and 512 (NVIDIA) threads a unit, and 768 or 1024 in another place; 256 and 512 "
      .. "are the most that a group may have",
    ("finding: 496 wavefronts cannot be those of one unit of an HD 5870: %d items would have half a register each; on "
      .. "its 20 units they are %.1f a unit"):format(496 * 64, 496 / 20),
  }
end

local function chosen_unit(device)
  if _unit == "" then return occupancy.unit(device) end
  local unit, why = occupancy.known(_unit)
  if unit then return unit end
  io.stderr:write("clue: ", why, "\n")
  os.exit(2, true)
end

local function local_memory(size)
  return math.max(size * 4, _local_memory)
end

local how = {
  idle = function(none, size) return none, none, cl.ulong(0), cl.local_memory(local_memory(size)) end,
}

-- Group sizes from 32, or from the most that the device can have.
local function group_sizes(kernel, device)
  local list, size, largest = {}, group.size(kernel, 32, how), group.size(kernel, 1024, how)
  while size <= largest and local_memory(size) <= device.local_mem_size do
    list[#list + 1], size = size, size * 2
  end
  return list
end

local function add(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

function OnStart()
  local list = move.list{size = sizes.of_study(_size, "occupancy", "1000003"), repeats = _repeat}
  local context = cl.context()
  local unit, why = chosen_unit(context.device)
  local queue = context:queue()
  local mirror = context:program(KERNEL, {registers = true}):kernel "mirror"
  walk.need(row, context, {local_memory = local_memory(group.size(mirror, 32, how))})

  local from, to = context:buffer(list.from, "read_only"), context:buffer(list.to)
  local variants = {}
  for i, size in ipairs(group_sizes(mirror, context.device)) do
    variants[i] = {
      label = ("groups of %d"):format(size), value = size, bytes = list.traffic, rate = "GB/s", repeats = list.repeats,
      upload = function() queue:write_buffer(from, list.from) end,
      reset = function() list:forget(queue, to) end,
      execute = function()
        mirror(queue, group.round_up(list.width, size), size, from, to, cl.ulong(list.width),
          cl.local_memory(local_memory(size)))
      end,
      read = function() queue:read_buffer(to, list.to) end,
    }
  end
  row.check = walk.verify_sweep(variants, list:passes())
  row.times, row.sweep = walk.sweep(variants)

  row.notes = worked_examples()
  if not unit then
    row.notes[#row.notes + 1] = why .. "; the chart is for the course's HD 5870"
    unit = occupancy.known "hd5870"
  end
  local registers = _registers > 0 and _registers or mirror:registers().registers
  add(row.notes, {
    ("%s: %d registers, %d bytes of local memory, %d waves of %d and %d work-groups a unit (%s)"):format(unit.name,
      unit.registers, unit.local_memory, unit.waves, unit.wave, unit.groups, unit.source),
    ("the kernel: %s, CL_KERNEL_LOCAL_MEM_SIZE %d, CL_KERNEL_PRIVATE_MEM_SIZE %d"):format(
      registers and registers .. " registers" or "registers are not reported here", mirror.local_mem_size,
      mirror.private_mem_size),
    not registers and "the chart leaves registers out, so there may be fewer groups than it says: --registers N, of a "
      .. "work-item, counts them" or nil,
  })
  row.curve = occupancy.curve(unit, {registers = registers, local_memory = local_memory})
  add(row.notes, occupancy.draw(unit, row.curve))
  local use = {group = math.min(256, unit.largest_group), registers = registers}
  use.local_memory = local_memory(use.group)
  add(row.notes, {("groups of %d, over the registers of a work-item:"):format(use.group)})
  add(row.notes, occupancy.draw(unit, occupancy.over(unit, use, "registers")))
  add(row.notes, {("groups of %d, over the local memory of a group:"):format(use.group)})
  add(row.notes, occupancy.draw(unit, occupancy.over(unit, use, "local_memory")))
  walk.report(list:row(row, context))
end
