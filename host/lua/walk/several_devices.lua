--- Shared by the steps of the walkthrough devices: which devices work together, their results, and their efficiency.
--
-- Each step computes the same on each device alone, on each alone with its part of the work, and on all together. The
-- efficiency is the rate of all together by the sum of the rates alone, from runs by turns.
-- @module clue.walk.several_devices
local cl = require "clue"
local binding = require "clue.binding"
local device = require "clue.device"
local lists = require "clue.shared.list"
local results_device = require "clue.result.device"
local counted = require("clue.text").count
local measure = require "clue.walk.measure"
local problem = require "clue.walk.problem"
local ranking = require "clue.device_ranking"
local statistics = require "clue.timing.statistics"
local walk = require "clue.walk"

local several = {}

--- Declares the inputs of every step:
-- --size, --repeat, --with and --alone.
-- @tparam table input the script's `input`
-- @tparam string size the default
-- @tparam string description of the size
function several.inputs(input, size, description)
  problem.inputs(input, size, description)
  input.choice("_with", {"all", "alike", "every"}, "all", "which devices work together with the chosen one: all but "
    .. "debuggers, those of its platform and kind, or every one")
  input.choice("_alone", {"quick", "all", "first"}, "quick", "which devices also do the work alone: all; the chosen "
    .. "one; quick: all, unless one would take over 10 seconds, then the chosen one")
end

-- ---- devices ----

local function is_alike(each, chosen)
  return each.platform.index == chosen.platform.index and each.kind == chosen.kind
end

local function is_debugger(each)
  local doubt = ranking.doubt(each)
  return doubt and doubt.debugger
end

--- The devices of a step, the chosen one first. Ends the step if there is no second one, unless its work is only
-- counted or checked.
-- @tparam table row as for @{clue.walk.report}
-- @tparam string with "all", "alike" or "every"
-- @treturn {device,...}
function several.devices(row, with)
  local chosen = device.get((device.pick()))
  local list = {chosen}
  for _, each in ipairs(device.machine().devices) do
    local wanted = with == "every" or with == "all" and not is_debugger(each)
      or with == "alike" and is_alike(each, chosen)
    if each ~= chosen and wanted then list[#list + 1] = each end
  end
  if #list == 1 and not measure.once then
    local hint = chosen.platform.name == "Portable Computing Language"
      and "; POCL_DEVICES=\"pthread pthread\" shows this CPU as two" or ""
    walk.skip(row, "there is no second device" .. hint, cl.context(chosen))
  end
  return list
end

-- ---- work ----

-- The workers of a job on some devices: each chunk's results are read into page-locked memory, and copied from there
-- into the array that all share when the chunk is done. A read into other memory may make the host wait until the chunk
-- is done, and it must serve the other devices meanwhile.
local function workers_on(job, on, most)
  local bytes, places, all = job.width * job.bytes, {}, {}
  local workers = cl.workers(on, function(worker)
    local results, lock = worker.context:buffer(job.total * bytes), {}
    for slot = 1, 2 do
      local memory = worker.context:buffer(most * bytes, {"read_write", "alloc_host_ptr"})
      lock[slot] = worker.queue:map_buffer(memory, job.type, {"read", "write"})
    end
    places[worker.index] = lock
    local enqueue, before = job.setup(worker, results)
    all[worker.index] = before
    return function(first, count, slot)
      enqueue(first, count)
      return worker.queue:read_buffer(results, lock[slot], {offset = first * bytes, first = 0,
        count = count * job.width, blocking = false})
    end
  end)
  local function collect(worker, first, count, slot)
    job.results:copy_from(places[worker.index][slot], 0, first * job.width, count * job.width)
  end
  return workers, {multiple = job.multiple, most = most, on_chunk = collect}, all
end

-- A variant of a step: some devices, and how many of the items.
local function variant(job, on, label, items)
  local multiple = job.multiple or 1
  local most = math.ceil(math.min(job.total, math.max(multiple, job.most or job.total)) / multiple) * multiple
  local workers, options, before = workers_on(job, on, most)
  local self = {label = label, value = #on, flops = job.flops * items / job.total, repeats = job.repeats,
                whole = items == job.total, together = true}
  function self.reset() job.forget(job.results) end
  function self.execute(some)
    for frame = 1, job.frames and job.frames() or 1 do
      for _, each in ipairs(before) do each(frame) end
      self.last = workers:run(some or items, options)
    end
  end
  return self
end

--- The most seconds that a device may take for the work alone, where --alone is "quick".
several.most_seconds = 10

local ENOUGH = 0.1 -- seconds of a part of the work, from which those of the whole follow

-- About how many seconds a variant of a device alone takes.
local function seconds_of(alone, job)
  local items = math.min(job.total, job.multiple or 1)
  alone.execute(items) -- may still compile
  while true do
    local started = binding.now()
    alone.execute(items)
    local seconds = binding.now() - started
    if items == job.total or seconds >= ENOUGH then return seconds / items * job.total end
    items = math.min(job.total, 4 * items)
  end
end

-- Whether all devices are to do the work alone, and what there is to say of those that would take too long.
local function all_alone(job, alone)
  if job.alone ~= "quick" then return job.alone == "all" end
  local notes = {}
  for i = 2, #alone do
    local seconds = seconds_of(alone[i], job)
    if seconds > several.most_seconds then
      notes[#notes + 1] = ("%s would take about %.3g s, which was not measured (--set alone=all)"):format(
        alone[i].label, seconds)
    end
  end
  return not notes[1], notes
end

--- The variants of a step: each device alone, each alone with its part of the items, and all together; or only the
-- chosen device alone and all together, see @{several.inputs}.
-- @tparam {device,...} devices
-- @tparam table job total: items; width: elements of an item's result; type and bytes of an element; results: the array
--   of all; multiple, most: of a chunk; flops: of all; repeats; setup(worker, results) returns enqueue(first, count),
--   which computes items into the buffer results, at their places, and for work of several frames before(frame), which
--   enqueues its input; forget(results): before a run; frames(): how many; alone: --alone
-- @treturn {table,...} for @{clue.walk.sweep}, with the one of all devices last
function several.variants(devices, job)
  if measure.once then return {variant(job, devices, "all", job.total)} end
  local list = lists.map(devices, function(each) return variant(job, {each}, each.address .. " alone", job.total) end)
  local all, notes = all_alone(job, list)
  local part = math.ceil(job.total / #devices)
  if not all then list = {list[1]} end
  for _, each in ipairs(all and devices or {}) do
    list[#list + 1] = variant(job, {each}, ("%s alone, 1/%d of the work"):format(each.address, #devices), part)
  end
  list[#list + 1], list.notes = variant(job, devices, ("all %d"):format(#devices), job.total), notes
  return list
end

--- Checks every variant that does all of the work.
-- @tparam {table,...} variants from @{variants}
-- @tparam {table,...} passes as for @{clue.walk.verify}
-- @treturn table as from @{clue.walk.verify_sweep}
function several.verify(variants, passes)
  return walk.verify_sweep(lists.filter(variants, function(each) return each.whole end), passes)
end

-- ---- efficiency ----

-- The efficiency in each round: by the times of all devices, and of each alone with a part of the work.
local function efficiencies(together, alone, part)
  local found = {}
  for round, seconds in ipairs(together) do
    local sum = 0
    for _, times in ipairs(alone) do sum = sum + part / (times[round] or times[#times]) end
    found[round] = 1 / seconds / sum
  end
  table.sort(found)
  return {median = statistics.median(found), least = found[1], most = found[#found], runs = #found}
end

local function told(name, of)
  return ("%s %.3f (%.3f to %.3f in %s)"):format(name, of.median, of.least, of.most, counted(of.runs, "run"))
end

-- Whether devices are shown by one driver for the same cores.
local function share_cores(devices)
  local cpus = 0
  for _, each in ipairs(devices) do
    if each.kind == "cpu" or is_debugger(each) then cpus = cpus + 1 end
  end
  return cpus > 1
end

--- Whether devices differ, so that one's limits are not those of the others.
-- @tparam {device,...} devices
-- @treturn ?bool true, or nil
function several.are_unlike(devices)
  local function kind(each) return table.concat(results_device.kind(results_device.facts(each)), "\0") end
  for i = 2, #devices do
    if kind(devices[i]) ~= kind(devices[1]) then return true end
  end
end

-- The efficiencies of a sweep whose last entry is of all devices, added to the row with their notes.
local function add_efficiency(row, sweep, count)
  local all, alone, parts = sweep[#sweep], {}, {}
  for i = 1, count do
    alone[i], parts[i] = sweep[i].times.total, #sweep > count + 1 and sweep[count + i].times.total or nil
  end
  row.efficiency = {strong = efficiencies(all.times.total, alone, 1)}
  all.label = ("%s, efficiency %.2f"):format(all.label, row.efficiency.strong.median)
  row.notes = {told("efficiency, with the same work (strong scaling)", row.efficiency.strong)}
  if not parts[1] then return end
  row.efficiency.weak = efficiencies(all.times.total, parts, 1 / count)
  row.notes[2] = told(("with %d times the work of a device alone (weak scaling)"):format(count), row.efficiency.weak)
end

-- The rate of all by that of the chosen one alone, added to the row.
local function add_gain(row, sweep, devices)
  local all = sweep[#sweep]
  local gain = efficiencies(all.times.total, {sweep[1].times.total}, 1)
  row.over_first_device = gain
  all.label = ("%s, %.2f times the rate of %s"):format(all.label, gain.median, devices[1].address)
  row.notes = {told("the rate of all, by that of " .. devices[1].address .. " alone", gain)}
end

-- How the items of a run were shared: "0:0 71.2 % in 3 chunks, 1:0 28.8 % in 2 chunks".
local function shares(done)
  return table.concat(lists.map(done.devices, function(each)
    return ("%s %.1f %% in %s"):format(each.device.address, 100 * each.items / done.total,
      counted(each.chunks, "chunk"))
  end), ", ")
end

--- Measures the variants by turns, and adds times, efficiency and notes to the row.
-- @tparam table row as for @{clue.walk.report}
-- @tparam {device,...} devices
-- @tparam {table,...} variants from @{variants}
-- @treturn table row; efficiency: strong and weak, each with median, least, most and runs; if only the chosen device
--   worked alone, over_first_device, the same, instead; variant: the last; unlike: true if the devices differ
function several.measure(row, devices, variants)
  local _, sweep = walk.sweep(variants)
  row.times, row.sweep, row.variant = sweep[#sweep].times, sweep, #sweep
  row.unlike = several.are_unlike(devices)
  if #sweep > #devices then add_efficiency(row, sweep, #devices) else add_gain(row, sweep, devices) end
  local notes = row.notes
  for _, text in ipairs(variants.notes or {}) do notes[#notes + 1] = text end
  notes[#notes + 1] = "shares of the last run: " .. shares(variants[#variants].last)
  notes[#notes + 1] = "kernel times are the sum of all devices' kernels"
  if row.efficiency and share_cores(devices) then
    notes[#notes + 1] = "several of these devices are the same processor, whose cores each had alone: together they "
      .. "cannot reach 1"
  end
  return row
end

--- How fast all devices together read memory.
-- @tparam table row from @{measure}
-- @tparam number bytes that they read
-- @treturn string "312 GB/s by all devices together"
function several.bandwidth(row, bytes)
  return ("%.3g GB/s by all devices together"):format(bytes / statistics.median(row.times.total) * 1e-9)
end

return several
