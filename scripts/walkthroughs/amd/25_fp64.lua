-- Extensions, step 25: double precision (cl_khr_fp64; on AMD's cards of the course's time, cl_amd_fp64).
--
-- The step computes the same chain of operations in float and in double. The result in double must equal the host's,
-- bit for bit: IEEE 754 defines how a quotient, a product with 0.5 and a sum are rounded, wherever they are computed.
-- The cost of double differs: GPUs made for computing keep half of float's speed, others a 32nd or less. AMD's own
-- extension has the operations of this step, too, and its pragma has another name.
local amd = require "clue.walk.amd"
local cl = require "clue"
local statistics = require "clue.result.statistics"
local walk = require "clue.walk"

amd.inputs(input)

local STEPS = 512

local KERNEL = [[
__kernel void chain(__global REAL *results)
{
    const REAL start = (REAL)(1) / (REAL)(get_global_id(0) + 1);
    REAL x = start;
    for (int k = 0; k < STEPS; k++)
        x = x * (REAL)(0.5) + start;
    results[get_global_id(0)] = x;
}
]]

local row = {
  number = 25, name = "fp64", study = "extensions", type = "double",
  change = "a chain of operations in double and in float",
  decides = {"double_fp_config", "preferred_vector_width_double", "preferred_vector_width_float"},
}

-- The chain on the host; it ends when nothing changes any more.
local function chain(i)
  local start = 1 / (i + 1)
  local x = start
  for _ = 1, STEPS do
    local next_x = x * 0.5 + start
    if next_x == x then break end
    x = next_x
  end
  return x
end

local function parts_for(type_name, fp64, context, queue, count)
  local found = cl.array[type_name](count)
  local head = type_name == "double" and amd.pragma(fp64) or ""
  local kernel = context:program(head .. KERNEL, {defines = {REAL = type_name, STEPS = STEPS}}):kernel "chain"
  local results = context:buffer(found)
  return {
    found = found, flops = 2 * STEPS * count, bytes = found:bytes(), rate = "GFLOPS",
    repeats = amd.repeats(_repeat),
    reset = function() found:fill(-1) queue:write_buffer(results, found) end,
    execute = function() kernel(queue, {count}, nil, results) end,
    read = function() queue:read_buffer(results, found) end,
  }
end

function OnStart()
  local context = cl.context()
  local fp64 = amd.need_one(row, context, "cl_khr_fp64", "cl_amd_fp64")
  local queue, count = context:queue(), amd.elements(_size, context.device.kind == "cpu" and 2 ^ 16 or 2 ^ 20)
  local single = parts_for("float", fp64, context, queue, count)
  local double = parts_for("double", fp64, context, queue, count)
  local worst = 0
  local function check_single()
    for i = 0, count - 1 do worst = math.max(worst, math.abs(single.found[i] / chain(i) - 1)) end
    if worst < 2 ^ -20 then return true end
    return false, ("float is off by %.2g"):format(worst)
  end
  local function check_double()
    for i = 0, count - 1 do
      local right = chain(i)
      if double.found[i] ~= right then
        return false, ("element %d is %.17g, should be %.17g"):format(i, double.found[i], right)
      end
    end
    return true
  end
  local function nothing() end
  row.check = walk.verify(single, {{name = "float within its precision", prepare = nothing, check = check_single}})
  if row.check.verified then
    row.check = walk.verify(double, {{name = "double bit for bit", prepare = nothing, check = check_double}})
  end
  local in_float = walk.run(single)
  row.times = walk.run(double)
  local function speed(times) return statistics.median(times.kernel or times.total) end
  row.notes = {
    ("float is off by up to %.2g, double by nothing"):format(worst),
    ("float takes %.2g of double's time"):format(speed(in_float) / speed(row.times)), "enabled by " .. fp64,
  }
  row.problem, row.context = ("%d chains of %d steps in double"):format(count, STEPS), context
  walk.report(row)
end
