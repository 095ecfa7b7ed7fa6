--- Arithmetic: multiply-adds of float, double, half and int, by vector width.
--
-- Every work-item runs one chain in which each multiply-add needs the result of the one before, so that the width alone
-- decides how much a device finds to do at once (clpeak's measure too). What a device can do at most is another
-- measure: several chains side by side ("float16 x 8").
--
-- The chain x = x y + y, y = x y + x falls from a start in (-0.5, 0) towards 0 about as -1/n after n steps: it neither
-- overflows nor ends in zeros, rounding errors fade, and a result tells how many steps were made. In whole numbers it
-- is exact.
-- @module clue.peak.compute
local cl = require "clue"
local series = require "clue.peak.series"

local compute = {}

local widths = {1, 2, 4, 8, 16}

-- Most groups for each compute unit, and most rounds, in one run. On a CPU, groups alone make a run long: the shorter a
-- chain, the more of the next item's a core runs beside it, and clpeak's are of one round.
local most_groups, most_rounds = {cpu = 2048, other = 128}, {cpu = 1, other = 16}

local function for_kind(device, table)
  return table[device.kind] or table.other
end

-- Different starts of the items of a group.
local starts = 16

-- Steps: multiply-adds of each lane in one round, times the width.
local types = {
  {name = "float", c = "float", out = "float", argument = "float", steps = 2048, start = -0.5, step = 2 ^ -6,
   item = 2 ^ -8, unit = "GFLOPS", tolerance = 2e-3},
  {name = "double", c = "double", out = "double", argument = "float", steps = 2048, start = -0.5, step = 2 ^ -6,
   item = 2 ^ -8, unit = "GFLOPS", tolerance = 1e-6},
  -- Unsigned, since the overflow of signed numbers is not defined; the instructions are the same.
  {name = "int", c = "uint", out = "uint", argument = "uint", steps = 1024, start = 2, step = 4, item = 4,
   unit = "GOPS"},
  -- 11 bits: the chain comes to rest where a step changes less than half of the last one.
  {name = "half", c = "half", out = "float", argument = "float", steps = 2048, start = -0.5, step = 2 ^ -6,
   item = 2 ^ -8, unit = "GFLOPS", rest = 2 ^ -11},
}

--- Multiply-adds of each lane of each chain in one round.
-- @tparam table type of compute.types
-- @tparam number width
-- @treturn number a multiple of 16
function compute.steps(type, width)
  return type.steps / width
end

-- ---- kernels ----

-- Adds the lanes of a vector by halves: adding them one by one would take a CPU as long as some multiply-adds.
local function sum_of_lanes(type, width)
  local parts, name = {}, "y#"
  for _, half in ipairs {8, 4, 2, 1} do
    if half < width then
      parts[#parts + 1] = ("const %s%s h%d# = %s.lo + %s.hi;"):format(type.c, half > 1 and half or "", half, name, name)
      name = ("h%d#"):format(half)
    end
  end
  parts[#parts + 1] = ("sum += (%s)%s;"):format(type.out, name)
  return table.concat(parts, " ")
end

local function each(count, text, separator)
  local parts = {}
  for i = 0, count - 1 do parts[i + 1] = (text:gsub("#", tostring(i))) end
  return table.concat(parts, separator or " ")
end

local template = [[
#define STEP $steps
kernel void $kernel(global $out *result, const $argument start, const int rounds) {
  const $vector lane = $numbers;
  $declare
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < $iterations; i++) {
      STEP STEP STEP STEP STEP STEP STEP STEP
    }
  $out sum = 0;
  $add
  result[get_global_id(0)] = sum;
}
#undef STEP
]]

local function kernel_name(type, width, chains)
  return ("mad_%s%d_%d"):format(type.name, width, chains)
end

local function literal(type, number)
  if type.c == "uint" then return ("%du"):format(number) end
  return ("(%s)%.9f%s"):format(type.c, number, type.c == "double" and "" or "f")
end

-- The source of one kernel.
local function kernel_source(type, width, chains)
  local vector = type.c .. (width > 1 and width or "")
  local product = type.c == "uint" and "%s = %s * %s + %s;" or "%s = mad(%s, %s, %s);"
  local x, y = product:format("x#", "y#", "x#", "y#"), product:format("y#", "x#", "y#", "x#")
  local declare = ("%s x# = (%s)(%s)start + (lane + %s) * %s, y# = x# + (%s)(get_local_id(0) %% %d) * %s;"):format(
    vector, vector, type.c, type.c == "uint" and "#u" or ("(%s)#"):format(type.c), literal(type, type.step), type.c,
    starts, literal(type, type.item))
  return (template:gsub("%$(%w+)", {
    steps = each(chains, x) .. " " .. each(chains, y), kernel = kernel_name(type, width, chains), out = type.out,
    argument = type.argument, vector = vector,
    numbers = width == 1 and "0" or ("(%s)(%s)"):format(vector, each(width, "#", ", ")),
    declare = each(chains, declare), iterations = ("%d"):format(compute.steps(type, width) / 16),
    add = each(chains, sum_of_lanes(type, width)),
  }))
end

local pragmas = {
  half = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
  -- OpenCL 1.0 and 1.1 want it; later a warning may come where it is not known.
  double = "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n",
}

-- ---- what must come out ----

-- x y + x for whole numbers below 2^32, modulo that.
local function multiply_add(x, y)
  local high = math.floor(y / 65536)
  local product = y % 65536 * x + (high * x) % 65536 * 65536
  return (product + x) % 2 ^ 32
end

local function mad(x, y)
  return x * y + x
end


--- The results that the items of a group must give, in double, or exactly in whole numbers.
-- @tparam table type of compute.types
-- @tparam number width
-- @tparam number chains
-- @tparam number rounds
-- @treturn {number,...} so many as there are different starts
function compute.expected(type, width, chains, rounds)
  local whole = type.c == "uint"
  local step, results = whole and multiply_add or mad, {}
  for item = 0, starts - 1 do
    local sum = 0
    for index = 0, chains - 1 do
      for lane = 0, width - 1 do
        local x = type.start + (lane + index) * type.step
        local y = x + item * type.item
        for _ = 1, compute.steps(type, width) * rounds / 2 do
          x = step(y, x)
          y = step(x, y)
        end
        if type.rest then y = math.min(y, -type.rest) end
        sum = sum + y
      end
    end
    results[item + 1] = whole and sum % 2 ^ 32 or sum
  end
  return results
end

-- Whether a result is right.
local function is_right(type, found, expected)
  if type.rest then return found <= expected / 4 and found >= expected * 4 end
  return math.abs(found - expected) <= (type.tolerance or 0) * math.abs(expected)
end

-- The first items by the host's own computation, all others by these.
local function check(stand, type, width, chains, work)
  local expected = compute.expected(type, width, chains, work.rounds)
  local first = cl.array[type.out](math.min(starts, work.items))
  stand.queue:read_buffer(work.out, first)
  for i = 0, #first - 1 do
    if not is_right(type, first[i], expected[i + 1]) then
      return false, ("item %d gives %.9g instead of %.9g"):format(i, first[i], expected[i + 1])
    end
  end
  return stand:is_periodic(work.out, type.out, work.items, first:table())
end

-- ---- measuring ----

-- Groups and rounds of a work, which is a number of groups as long as these suffice.
local function divided(stand, work)
  local units = math.max(1, stand.device.max_compute_units or 1)
  local groups = math.min(work, for_kind(stand.device, most_groups) * units)
  return groups, work / groups
end

local function measure(stand, program, type, width, chains)
  local kernel = program:kernel(kernel_name(type, width, chains))
  local group, units = stand:group_for(kernel), math.max(1, stand.device.max_compute_units or 1)
  local size = cl.array[type.out](1):bytes()
  local most, rounds_at_most = for_kind(stand.device, most_groups) * units, for_kind(stand.device, most_rounds)
  local out = stand.context:buffer(most * group * size, "write_only")
  stand.queue:write_buffer(out, cl.array[type.out](most * group)) -- zeros, which no result is
  local measured = series.measure {
    least = units, most = stand.slow and units or most * rounds_at_most,
    run = function(work)
      local groups, rounds = divided(stand, work)
      return stand:run(kernel, groups * group, group, out, type.start, rounds)
    end,
    amount = function(work)
      return work * group * width * chains * compute.steps(type, width) * 2
    end,
    check = function(work)
      local groups, rounds = divided(stand, work)
      return check(stand, type, width, chains, {out = out, items = groups * group, rounds = rounds})
    end,
  }
  out:close()
  measured.unit = type.unit
  return measured
end

-- The width and the number of chains side by side: what the registers hold. A work-item of a GPU has up to 255 of 4
-- bytes; a CPU has 16 or 32 of 16 to 64 bytes.
local function side_by_side(stand, type)
  if stand.device.kind ~= "cpu" then return 4, 4 end
  return type.name == "double" and 8 or 16, 8
end

local function program_of(stand, type, width, chains)
  local parts = {pragmas[type.name] or ""}
  for _, each_width in ipairs(widths) do parts[#parts + 1] = kernel_source(type, each_width, 1) end
  parts[#parts + 1] = kernel_source(type, width, chains)
  return stand.context:program(table.concat(parts), "-cl-mad-enable")
end

local function reason_to_skip(device, type)
  if type.name == "double" and not device:has_double() then return "no fp64" end
  if type.name == "half" and not device:has_extension "cl_khr_fp16" then return "no cl_khr_fp16" end
end

--- Measures all of it.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit each_limit(facts, measure): facts = {type, name, width, chains, skipped}; calls
--   measure(), which gives what @{clue.peak.series.measure} gives, with the unit
function compute.run(stand, each_limit)
  for _, type in ipairs(types) do
    local reason = reason_to_skip(stand.device, type)
    if reason then
      each_limit {type = type.name, name = type.name, skipped = reason}
    else
      local most_width, chains = side_by_side(stand, type)
      local program
      local function measure_one(width, count)
        program = program or program_of(stand, type, most_width, chains)
        return measure(stand, program, type, width, count)
      end
      for _, width in ipairs(widths) do
        each_limit({type = type.name, name = type.name .. (width > 1 and width or ""), width = width, chains = 1},
          function() return measure_one(width, 1) end)
      end
      each_limit({type = type.name, name = ("%s%d x %d"):format(type.name, most_width, chains), width = most_width,
                  chains = chains}, function() return measure_one(most_width, chains) end)
    end
  end
end

compute.types = types

return compute
