--- The functions for a walkthrough's step: check it, measure it, report it.
--
-- A step is an ordinary script. Run alone, it prints its own one-row table; under `clue walk`, the same script, in a
-- child process, writes one JSON line per result to descriptor 3.
--
-- Requiring this module makes every failed CL call raise: a step's numbers count only if all its calls succeeded.
-- @module clue.walk
local argument = require "clue.argument"
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local binding = require "clue.binding"
local device = require "clue.device"
local exchange = require "clue.walk.exchange"
local expectation = require "clue.result.expectation"
local facts_of = require("clue.result.device").facts
local groups = require "clue.walk.group"
local guard = require "clue.timing.guard"
local measure = require "clue.walk.measure"
local occupancy = require "clue.walk.occupancy"
local options = require "clue.options"
local recorder = require "clue.walk.recorder"
local row_of = require "clue.result.row"
local shape = require "clue.result.shape"
local statistics = require "clue.result.statistics"

local walk = {}

options.raise = true -- like --strict, but without the report of what was never freed

local programs = recorder.start()
groups.force()

local measured -- the last measurement, of which the runner may want more runs

--- Measures a step. See @{clue.walk.measure.run}. If @{verify} came before, its last pass also checks the results of
-- the last timed run.
-- @tparam table spec reset, upload, execute, read: functions; flops
-- @treturn table times; fault: what is wrong with the last run's results
function walk.run(spec)
  measure.check(spec, "walk.run")
  measure.end_unmeasured(spec)
  local times = measure.run(spec, function(run, most)
    exchange.progress(("run %d of at most %d"):format(run, most))
  end)
  if spec.recheck and not exchange.to_verify then
    local right, why = spec.recheck()
    times.fault = not right and ("after %d timed runs: %s"):format(times.runs, why) or nil
  end
  measured = spec
  return times
end

-- Runs a variant on a pass's inputs, which are in place. Gives its verdict, and tells it where the step runs once.
local function verdict_on(variant, pass, several)
  measure.tell_variant(variant)
  measure.untimed(variant)
  local right, why = pass.check()
  local text = right and pass.name or ("%s: %s"):format(pass.name, why)
  if not right and several then text = ("%s: %s"):format(variant.label or "a variant", text) end
  return measure.tell_verdict(variant, {verified = not not right, text = text})
end

-- passes_of gives the passes of a variant. Those of the first one fill the inputs.
local function verified(variants, passes_of)
  local lists, names = {}, {}
  for i, variant in ipairs(variants) do lists[i] = passes_of(variant) end
  local first = lists[1]
  for p = 1, measure.once and 1 or #first do -- one run says it all
    exchange.progress("checking: " .. first[p].name)
    first[p].prepare()
    for i, variant in ipairs(variants) do
      local verdict = verdict_on(variant, lists[i][p], #variants > 1)
      if not verdict.verified then
        first[#first].prepare()
        return verdict
      end
    end
    names[p] = first[p].name
  end
  for i, variant in ipairs(variants) do variant.recheck = lists[i][#first].check end
  return {verified = true, text = table.concat(names, ", ")}
end

--- Checks the variants of a step, of which @{sweep} is to find the fastest, as @{verify} does one. Each pass fills the
-- inputs once for all of them.
-- @tparam {table,...} variants as for @{sweep}
-- @tparam {table,...}|function passes as for @{verify}; or what gets a variant and gives its passes, where variants
--   differ in their checks: the first variant's passes fill the inputs
-- @treturn table verified: boolean; text: what was checked, or which variant is wrong, and what is wrong
function walk.verify_sweep(variants, passes)
  if not variants[1] then argument.fail "walk.verify_sweep: there are no variants" end
  for _, variant in ipairs(variants) do measure.check(variant, "walk.verify_sweep") end
  return verified(variants, type(passes) == "function" and passes or function() return passes end)
end

--- Checks a step's output in passes, each with its own inputs. The last pass's inputs stay in place.
-- @tparam table spec upload, reset, execute, read: as for @{run}
-- @tparam {table,...} passes name: for messages; prepare(): fills the inputs; check(): true, or false and why
-- @treturn table verified: boolean; text: what was checked, or what is wrong
function walk.verify(spec, passes)
  measure.check(spec, "walk.verify")
  return verified({spec}, function() return passes end)
end

-- The device of a context, which is an object or a handle.
local function device_of(context)
  return type(context) == "table" and context.device or device.get(context)
end

-- The device's facts for the table's head. CL_USE_ANY takes the device of device.pick(), which also gives the reason.
local function device_facts(context)
  local on = device_of(context)
  local picked, why = device.pick()
  local facts = facts_of(on)
  facts.why = picked == on.ordinal and why or "the script names it"
  return facts
end

-- A property's value as OpenCL writes it.
local function spelled(value)
  if value == nil then return "not known to this driver" end
  if type(value) == "boolean" then return value and "CL_TRUE" or "CL_FALSE" end
  if type(value) ~= "table" then return tostring(value) end
  local words = {}
  for i, each in ipairs(value) do words[i] = tostring(each) end
  return words[1] and table.concat(words, ", ") or "none"
end

-- The values of the properties that decide, on this device.
local function deciding(on, names)
  local facts, values = {}, {}
  for _, each in ipairs(on:properties "opencl") do values[each[1].short] = each[2] end
  for i, name in ipairs(names) do
    facts[i] = {property = "CL_DEVICE_" .. name:upper(), value = spelled(values[name])}
  end
  return facts
end

-- What a row has of times, and what is computed of them. A step that is only verified has no such figures, but for the
-- unit in which its speed would be.
local figures = {"times", "host", "beside", "orders", "notes", "efficiency", "over_first_device", "variant"}

local function drop_figures(row)
  row.rate = row.times and row.times.rate
  for _, name in ipairs(figures) do row[name] = nil end
  for _, variant in ipairs(row.sweep or {}) do variant.times = nil end
end

-- How many warps of 32 work-items of each kernel's launches the device holds at once, at most, since registers are not
-- known. Of groups that the driver chooses, it takes one of the usual size.
local function count_at_once(times, on)
  local unit = times and times.launches and occupancy.unit(on)
  for _, launch in ipairs(unit and times.launches or {}) do
    local group = launch.group or math.min(256, launch.items / launch.launches)
    local held = occupancy.of(unit, {group = group, local_memory = launch.local_memory})
    if held.items > 0 then launch.at_once = held.waves * unit.wave / 32 * (on.max_compute_units or 1) end
  end
end

-- Gives rates of whole numbers their own unit: a step's parts tell operations, and only its row tells their type.
local function name_unit(times, type)
  if times and times.rate == "GFLOPS" and type then times.rate = arithmetic_unit(type) end
end

local NO_TYPE = 'row.type does not say what its operations are of ("float", "double", "int"): no share of the '
  .. "device's peak, and no place on the roofline"

-- Adds a note to a row whose operations have no type.
local function note_type(row)
  if row.type or not row.times or (row.times.flops or 0) == 0 then return end
  row.notes = row.notes or {}
  row.notes[#row.notes + 1] = NO_TYPE
end

--- A row, as a step reports it.
-- @table row
-- @field number
-- @field name
-- @field change what the step does otherwise than the one that it is compared with: the one before it, or the one that
--   walkthrough.lua names in `over`
-- @field beyond true: the step goes on where the author stopped
-- @field best true: it shows what clue or a library does, instead of an idea
-- @field limit true: it is only what others are measured against, such as a copy
-- @field moves "local memory" or "between host and device", if its bytes a second are not those of global memory
-- @field study if the walkthrough has several
-- @field check from @{verify}
-- @field times from @{run}
-- @field sweep from @{sweep}
-- @field variant the number of the one of the sweep whose times are the row's (default: the fastest)
-- @field context a context, object or handle, for the device
-- @field host the host loop to compare with, from @{host}
-- @field beside further host loops
-- @field published the author's figures, a list: on (his machine), seconds, rate, unit (default: that of the times),
--   ratio (over his host), computed (true: from what he printed), text
-- @field problem what was computed, in words
-- @field size the same in numbers
-- @field type that of the operations which flops counts, such as "float"; without one that `clue peak` measures, no
--   share of the device's peak is shown
-- @field tensor that of tensor cores, if best and another: "TF32", "char"
-- @field unlike true: devices that differ did the work together; no share of a peak is shown
-- @field expect what the step should gain, and why
-- @field notes lines to print below
-- @field note_of_author what the author says of the step, a line
-- @field efficiency of several devices together, as @{clue.walk.several_devices} adds it
-- @field over_first_device the same, if only one of them worked
-- @field skipped why the step cannot run here, see @{skip}
-- @field decides the device's properties that decide, such as {"local_mem_type"}

--- Reports a row of the table: prints it, or sends it to the runner, which may then ask for more runs of the last
-- measurement. So a step reports before it frees anything.
-- @tparam table row see @{row}
function walk.report(row)
  local problem = shape.reported(row, "row")
  if problem then argument.fail("walk.report: %s", problem) end
  if not row.skipped then groups.check_forced() end
  row.device = row.context and device_facts(row.context) or nil
  row.facts = row.context and row.decides and deciding(device_of(row.context), row.decides) or nil
  row.programs = programs
  if row.context then count_at_once(row.times, device_of(row.context)) end
  name_unit(row.times, row.type)
  for _, variant in ipairs(row.sweep or {}) do name_unit(variant.times, row.type) end
  note_type(row)
  row.expected = row.context and expectation.of(row.expect, device_of(row.context)) or nil
  row.context, row.decides, row.expect = nil, nil, nil
  local fault = row.times and row.times.fault
  if fault and row.check then row.check = {verified = false, text = fault} end
  if exchange.to_verify then drop_figures(row) end
  exchange.send(row)
  if measured and not exchange.to_verify and row.check and row.check.verified then
    exchange.serve(function() return measure.once_more(measured) end)
  end
end

--- Reports that the step cannot run on this device, and ends the script.
-- @tparam table row number, name, change
-- @tparam string reason one line, "no fp64"
-- @tparam[opt] context context object or handle, for the device
function walk.skip(row, reason, context)
  row.skipped, row.context = reason, context
  walk.report(row)
  os.exit(0, true)
end

-- The most private memory that a step may use for a work-item, in bytes: on a CPU device as much as the worker
-- threads' stacks hold for the largest group, otherwise as much as GPUs' compilers accept.
local most_private = {cpu = 2 ^ 16, other = 2 ^ 19}

--- Skips the step unless the device has what it needs.
-- @tparam table row as for @{skip}
-- @tparam context context object or handle
-- @tparam table needs type: "double" needs fp64; local_memory: bytes a work-group declares; private_memory: bytes a
--   work-item does; group: work-items of a work-group
function walk.need(row, context, needs)
  local on = device_of(context)
  local private = most_private[on.kind] or most_private.other
  if needs.type == "double" and not on:has_double() then walk.skip(row, "no fp64", context) end
  if (needs.local_memory or 0) > on.local_mem_size then
    walk.skip(row, ("needs %d bytes of local memory, but the device has %d"):format(needs.local_memory,
      on.local_mem_size), context)
  end
  if (needs.group or 0) > on.max_work_group_size then
    walk.skip(row, ("needs work-groups of %d work-items, but the device has at most %d"):format(needs.group,
      on.max_work_group_size), context)
  end
  if (needs.private_memory or 0) > private then
    walk.skip(row, ("needs %d bytes of private memory per work-item; more than %d are not tried on this kind of device")
      :format(needs.private_memory, private), context)
  end
end

--- A line that compares a property of this device with the author's.
-- @tparam context context object or handle
-- @tparam string property a name in clue.device, "local_mem_type"
-- @tparam string theirs value on the author's device
-- @tparam string whose "the HD 4870"
-- @treturn string
function walk.beside(context, property, theirs, whose)
  return ("CL_DEVICE_%s here: %s; %s reports %s"):format(property:upper(),
    tostring(device_of(context)[property]):upper(), whose, theirs)
end

-- Seconds of the whole loop, from slices of growing size; or of a part of it, once a second has passed, or at once if
-- the step is only verified.
local function time_once(extent, slice, least)
  local first, count, start = 0, least, binding.now()
  while first < extent do
    count = math.min(count, extent - first)
    slice(first, count)
    first = first + count
    local elapsed = binding.now() - start
    if (elapsed >= 1 or exchange.to_verify) and first < extent then return elapsed / first * extent, true end
    -- At most twice as many, and no more than the second allows.
    count = math.max(least, math.floor(first * math.min(1, math.max(0.05, 1 / elapsed - 1))))
  end
  return binding.now() - start, false
end

--- Times a host loop. A loop of more than a second is run for that long, in slices of its outermost loop, and the
-- rest is extrapolated linearly. A loop under 0.1 s is run once as a warm-up, and then repeated for 0.2 s or seven
-- runs.
-- @tparam int extent iterations of the outermost loop
-- @tparam function slice slice(first, count) runs that part
-- @tparam[opt] table how least: iterations of the smallest slice (1); repeats: the exact number of runs of a short loop
-- @treturn {number,...} seconds of each run of the whole
-- @treturn bool whether they are extrapolated, from one run of a part
function walk.time_slices(extent, slice, how)
  how = how or {}
  local seconds, extrapolated = guard.undisturbed(function() return time_once(extent, slice, how.least or 1) end)
  local times = seconds >= 0.1 and {seconds} or {}
  if extrapolated or exchange.to_verify then return {seconds}, extrapolated end
  local start = binding.now()
  local function whole()
    local before = binding.now()
    slice(0, extent)
    return binding.now() - before
  end
  while #times < (how.repeats or 7) and (how.repeats or #times == 0 or binding.now() - start < 0.2) do
    times[#times + 1] = guard.positive(guard.undisturbed(whole), "a host loop")
  end
  return times, false
end

-- A host loop that an earlier step measured; nil if it must be measured.
local function known_host(how)
  for _, known in ipairs(exchange.known_hosts()) do
    local host = known.host
    if host.name == how.name and host.extent == how.extent and host.compiler == how.compiler
      and (not known.problem or known.problem == how.problem) then
      host.reused = true
      return host
    end
  end
end

--- Times a loop of the host, the base of comparisons; see @{time_slices}. At further points of a sweep, and in further
-- steps of a walk for the same problem, the times are those of the first one.
-- @tparam table how name; compiler: with its options; extent, slice: as for @{time_slices}; least, repeats: the same;
--   problem: what is computed, as the row has it: without it, no other step's times serve
-- @treturn table name, compiler, extent, times (seconds of each run), seconds (their median), extrapolated; reused:
--   true if it was not measured now
function walk.host(how)
  local known = known_host(how)
  if known then return known end
  exchange.progress("host loop: " .. how.name)
  local times, extrapolated = walk.time_slices(how.extent, how.slice, {least = how.least, repeats = how.repeats})
  return {name = how.name, compiler = how.compiler, extent = how.extent, times = times,
          seconds = statistics.median(times), extrapolated = extrapolated}
end

--- Measures variants of one step. They take turns, so that a disturbance affects all of them.
-- @tparam {table,...} variants parts as for @{run}, with label and value
-- @treturn table times of the fastest, by the median of the part that it is judged by (@{clue.result.row.judged})
-- @treturn {table,...} label, value and times of each
-- @treturn table the fastest variant
function walk.sweep(variants)
  for _, variant in ipairs(variants) do measure.check(variant, "walk.sweep") end
  measure.end_unmeasured(variants[1])
  local times = measure.run_by_turns(variants, function(label) exchange.progress("variant " .. label) end)
  local sweep, fastest, least = {}, nil, nil
  for i, variant in ipairs(variants) do
    sweep[i] = {label = variant.label, value = variant.value, times = times[i]}
    local median = row_of.time(sweep[i]).median
    if not fastest or median < least then fastest, least, measured = times[i], median, variant end
  end
  return fastest, sweep, measured
end

return walk
