--- Kernels of multiply-adds that a device can neither shorten nor fake: their text and their results.
--
-- A work-item runs one chain or several side by side. In a chain, each multiply-add, c = c a + a, needs the result of
-- the one before, and the compiler does not know a. In floating point a is 1, so a chain counts its own steps,
-- exactly. In whole numbers it makes a generator of pseudo-random numbers, which is exact too. A third number could
-- cost an NVIDIA GPU up to half its speed, if all three are in the same bank of registers.
--
-- Parameters with one meaning everywhere: type, one of those in the table types.
local vector = require("clue.peak.series").vector

local chains = {}

--- How many different starts the items of a group have.
chains.starts = 16

--- The types. steps: multiply-adds of each lane of a chain in one round, times the width; a: factor and term; most:
-- the value at which a chain stops growing, since 1 is less than half of the last digit's step there.
chains.types = {
  {name = "float", c = "float", out = "float", argument = "float", steps = 2048, a = 1},
  {name = "double", c = "double", out = "double", argument = "float", steps = 2048, a = 1},
  -- Unsigned, since the overflow of signed numbers is not defined; the instructions are the same.
  {name = "int", c = "uint", out = "uint", argument = "uint", steps = 1024, a = 1664525},
  {name = "half", c = "half", out = "float", argument = "float", steps = 2048, a = 1, most = 2048},
}

local pragmas = {
  half = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
  -- OpenCL 1.0 and 1.1 need it; later compilers that do not know it may warn.
  double = "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n",
}

-- Ways to write a multiply-add. Compilers differ in which of them become one instruction.
local writings = {fma = "c# = fma(c#, a, a);", mad = "c# = mad(c#, a, a);", plus = "c# = c# * a + a;"}

--- The multiply-adds of each lane of each chain in one round.
-- @tparam number width
-- @treturn number a multiple of 16
function chains.steps(type, width)
  return type.steps / width
end

-- ---- text ----

local function each(count, text, separator)
  local parts = {}
  for i = 0, count - 1 do parts[i + 1] = (text:gsub("#", tostring(i))) end
  return table.concat(parts, separator or " ")
end

-- Adds the lanes of a chain by halves. Adding them one by one would take a CPU as long as several multiply-adds.
local function sum_of_lanes(type, width)
  local wide = vector(type.out, width)
  local parts, name = {("const %s s# = convert_%s(c#);"):format(wide, wide)}, "s#"
  for _, half in ipairs {8, 4, 2, 1} do
    if half < width then
      parts[#parts + 1] = ("const %s h%d# = %s.lo + %s.hi;"):format(vector(type.out, half), half, name, name)
      name = ("h%d#"):format(half)
    end
  end
  parts[#parts + 1] = ("sum += %s;"):format(name)
  return table.concat(parts, " ")
end

-- How many steps to unroll: enough to make the cost of the loop around them negligible, and few enough for a compiler
-- that makes sixteen instructions of a vector.
local function unrolled(form)
  return form.count == 1 and 16 or form.count <= 12 and 4 or 2
end

local template = [[
#define STEP $steps
kernel void $kernel(global $out *result, const $argument number, const int rounds) {
  const $vector a = ($vector)(($scalar)number), lane = ($vector)($numbers);
  $declare
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < $iterations; i++) {
      $unrolled
    }
  $out sum = 0;
  $add
  result[get_global_id(0)] = sum;
}
#undef STEP
]]

--- The name of a kernel.
-- @tparam table form width (lanes), count (chains side by side), writing ("fma", "mad" or "plus")
function chains.kernel_name(type, form)
  return ("%s_%s%d_%d"):format(form.writing, type.name, form.width, form.count)
end

--- The text of a program.
-- @tparam {table,...} forms one kernel each
function chains.source(type, forms)
  local parts = {pragmas[type.name] or ""}
  for i, form in ipairs(forms) do
    local wide = vector(type.c, form.width)
    parts[i + 1] = template:gsub("%$(%w+)", {
      steps = each(form.count, writings[form.writing]), kernel = chains.kernel_name(type, form), out = type.out,
      argument = type.argument, vector = wide, scalar = type.c, numbers = each(form.width, "#", ", "),
      declare = each(form.count, ("%s c# = lane + (%s)((%s)(get_local_id(0) %% %d + #));"):format(wide, wide, type.c,
        chains.starts)),
      iterations = ("%d"):format(chains.steps(type, form.width) / unrolled(form)),
      unrolled = ("STEP "):rep(unrolled(form)), add = each(form.count, sum_of_lanes(type,
        form.width)),
    })
  end
  return table.concat(parts)
end

-- ---- the right results ----

-- x y + z for whole numbers below 2^32, modulo 2^32.
local function multiply_add(x, y, z)
  local high = math.floor(y / 65536)
  return (y % 65536 * x + (high * x) % 65536 * 65536 + z) % 2 ^ 32
end

-- Many steps from a chain's start, combined into one: for whole numbers a factor and a term.
local function many_steps(type, steps)
  local factor, term = 1, 0
  for _ = 1, steps do
    factor = multiply_add(factor, type.a, 0)
    term = multiply_add(term, type.a, type.a)
  end
  return function(start) return multiply_add(start, factor, term) end
end

--- The exact results of a group's items.
-- @tparam table form width, count
-- @tparam number rounds
-- @treturn {number,...} one for each different start
function chains.expected(type, form, rounds)
  local whole, steps = type.c == "uint", chains.steps(type, form.width) * rounds
  local last = whole and many_steps(type, steps) or function(start)
    return math.min(start + steps, type.most or math.huge)
  end
  local results = {}
  for item = 0, chains.starts - 1 do
    local sum = 0
    for index = 0, form.count - 1 do
      for lane = 0, form.width - 1 do sum = sum + last(lane + item + index) end
    end
    results[item + 1] = whole and sum % 2 ^ 32 or sum
  end
  return results
end

return chains
