-- Devices, step 37: a CPU driver's vectoriser on and off.
--
-- A GPU runs 32 or 64 work-items in the lanes of one unit. A CPU driver puts the work-items of a group into a loop, and
-- its compiler may let one vector instruction compute several of them; only then do the lanes of a CPU's units work.
-- OpenCL has no switch for that. PoCL has: its variable POCL_WORK_GROUP_METHOD, which it reads when a process first
-- uses it. 'loopvec' marks the loop as parallel, so that LLVM vectorises it; 'workitemloops' makes the same loop
-- without the mark. The script runs itself in two child processes, one after the other. On a CPU with AVX2, `clue asm`
-- shows vpmulld, eight multiplications, for the first method and as many imul for the second.
local child = require "clue.shared.child"
local cl = require "clue"
local group = require "clue.walk.group"
local amd = require "clue.walk.amd"
local walk = require "clue.walk"

amd.inputs(input, "1000003", "how many work-items")
input.int("_child", 0, "1: only measure, as the driver is set", 0, 1)

local STEPS, STARTS = 256, 1024

-- The steps are written out: a loop of the kernel's own would be the one that LLVM looks at. No two numbers have the
-- same successor (Klimov and Shamir), so that a wrong one is never mended.
local KERNEL = [[
#define STEP x += x * x | 5;
#define STEPS_4 STEP STEP STEP STEP
#define STEPS_16 STEPS_4 STEPS_4 STEPS_4 STEPS_4
#define STEPS_64 STEPS_16 STEPS_16 STEPS_16 STEPS_16
__kernel void chain(__global uint *results, const uint count)
{
    const uint i = get_global_id(0);
    if (i < count) {
        uint x = i % STARTS;
        STEPS_64 STEPS_64 STEPS_64 STEPS_64
        results[i] = x;
    }
}
]]

local row = {
  number = 37, name = "cpu_vectoriser", study = "devices", type = "int", beyond = true,
  change = "work-items in a loop of vector instructions, and in a plain loop",
  decides = {"native_vector_width_int", "preferred_vector_width_int", "max_compute_units"},
}

local METHODS = {{"vectoriser on", "loopvec"}, {"vectoriser off", "workitemloops"}}

-- The results repeat with the starts. x * x modulo 2^32 is exact if x is split into halves; '| 5' sets two of its bits.
local function expected_of()
  local expected = {}
  for start = 0, STARTS - 1 do
    local x = start
    for _ = 1, STEPS do
      local low = x % 65536
      local square = (x * low + x * ((x - low) / 65536) % 65536 * 65536) % 2 ^ 32
      local bits = square % 8
      x = (x + square - bits + (bits % 4 >= 2 and 7 or 5)) % 2 ^ 32
    end
    expected[start] = x
  end
  return expected
end

local function check(found)
  local expected = expected_of()
  for i = 0, #found - 1 do
    if found[i] ~= expected[i % STARTS] then
      return false, ("result %d is %.0f, should be %.0f"):format(i, found[i], expected[i % STARTS])
    end
  end
  return true
end

-- Measures as the driver is set.
local function measure(context, kernel, count)
  local queue, found = context:queue(), cl.array.uint(count)
  local results, size = context:buffer(found), group.size(kernel, 256)
  local parts = {
    flops = 2 * STEPS * count, repeats = amd.repeats(_repeat),
    reset = function() found:fill(0) queue:write_buffer(results, found) end,
    execute = function() kernel(queue, group.round_up(count, size), size, results, count) end,
    read = function() queue:read_buffer(results, found) end,
  }
  row.check = walk.verify(parts, {{
    name = "every result", prepare = function() end, check = function() return check(found) end,
  }})
  row.times = walk.run(parts)
end

-- A child's row under a method; nil and the reason if it has none.
local function row_of_child(context, method, count)
  local found
  local seen = child.start({
    arguments = child.clue({device = context.device.address, quiet = true}, {arg[0], "--child", "1", "--size",
      ("%d"):format(count), "--repeat", ("%d"):format(_repeat)}),
    environment = {"CLUE_RESULT_FD=3", "POCL_WORK_GROUP_METHOD=" .. method},
    results = function(value) found = value.row or found end,
  }):follow()
  if seen.errors:find("Unknown work group generation method", 1, true) then
    return nil, ("this PoCL has no POCL_WORK_GROUP_METHOD=%s"):format(method)
  end
  local _, ending = seen:reason()
  if not seen:is_well() then error(("the child with %s %s: %s"):format(method, ending, seen.errors)) end
  return found
end

-- Measures under both methods.
local function compare(context, count)
  row.sweep = {}
  for i, method in ipairs(METHODS) do
    local its, why = row_of_child(context, method[2], count)
    if not its then walk.skip(row, why, context) end
    row.check, row.times = its.check, i == 1 and its.times or row.times
    row.sweep[i] = {label = method[1], value = method[2], times = its.times}
    if not its.check.verified then return end
  end
  if not row.times then return end -- `clue walk --verify` measures nothing
  row.notes = {("without the vectoriser the kernel takes %s times as long"):format(
    amd.times_as_long(row.sweep[2], row.sweep[1]))}
end

function OnStart()
  local count = amd.count(_size, "devices", "1000003", 2 ^ 26)
  local context = cl.context()
  if context.device.platform.name ~= "Portable Computing Language" or context.device.kind ~= "cpu" then
    walk.skip(row, "only PoCL's CPU devices let the vectoriser be switched off (POCL_WORK_GROUP_METHOD)", context)
  end
  local kernel = context:program(KERNEL, {defines = {STARTS = STARTS}}):kernel "chain"
  if _child == 1 then measure(context, kernel, count) else compare(context, count) end
  row.problem, row.context = ("%d chains of %d integer multiplications and additions"):format(count, STEPS), context
  walk.report(row)
end
