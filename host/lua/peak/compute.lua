--- Arithmetic: multiply-adds of float, double, half and int.
--
-- One chain of multiply-adds in each work-item (@{clue.peak.chains}) shows the benefit of a vector's width: only the
-- width decides how much the device can do at once (clpeak measures this too). The limit of a device needs enough
-- chains side by side, and a multiply-add written so that its compiler makes one instruction of it: several forms are
-- tried, and the fastest is measured. Rooflines use that limit, so no kernel may be faster.
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local chains = require "clue.peak.chains"
local cl = require "clue"
local series = require "clue.peak.series"

local compute = {}

-- The most groups for each compute unit, and the most rounds, in one run. On a CPU, only more groups make a run of
-- one chain longer: the shorter a chain, the more of the next item's chain a core runs beside it, and clpeak's have
-- one round. Up to 256 rounds, the sum of a float's lanes is still exact for most forms.
local most_groups, most_rounds = {cpu = 2048, other = 128}, {cpu = 1, other = 16}
local rounds_at_most = {cpu = 256, other = 16}

-- Seconds of a run on a CPU: after threads wake, the system may leave them all on one core for some milliseconds.
local cpu_seconds = 0.025

-- Turns in which the forms are tried, and the least number of runs of the fastest.
local turns, least_runs = 5, 11

local function for_kind(device, table)
  return table[device.kind] or table.other
end

-- ---- forms ----

local function writings(type)
  return type.c == "uint" and {"plus"} or {"fma", "mad"}
end

-- One chain of a width.
local function single(type, width)
  return {width = width, count = 1, writing = type.c == "uint" and "plus" or "mad"}
end

-- The forms that may be the fastest. A core has two or more units, each of which begins a multiply-add in every cycle
-- and ends it four or five later; it has 16 or 32 registers. A GPU fills its units with other work-items.
local function candidates(stand, type)
  local cpu, forms = stand.device.kind == "cpu", {}
  local native = math.max(1, stand.device["native_vector_width_" .. type.name] or 1)
  for _, shape in ipairs(cpu and {{native, 12}, {native, 24}} or {{1, 8}, {4, 4}}) do
    for _, writing in ipairs(writings(type)) do
      forms[#forms + 1] = {width = shape[1], count = shape[2], writing = writing, least_rounds = cpu and 16,
                           group = cpu and chains.starts}
    end
  end
  return forms
end

-- ---- measuring ----

-- The host computes the first items; all others must equal these.
local function check(stand, type, form, work)
  local expected = chains.expected(type, form, work.rounds)
  local first = cl.array[type.out](math.min(chains.starts, work.items))
  stand.queue:read_buffer(work.out, first)
  for i = 0, #first - 1 do
    if first[i] ~= expected[i + 1] then
      return false, ("item %d gives %.9g instead of %.9g"):format(i, first[i], expected[i + 1])
    end
  end
  return stand:is_periodic(work.out, type.out, work.items, first:table())
end

-- How to run a form: run(work) and so on, for @{clue.peak.series.measure}. Work is the number of groups; once these
-- are at their most, it is groups times rounds.
local function runs_of(stand, program, type, form)
  local kernel, units = program:kernel(chains.kernel_name(type, form)), stand.units
  local group = math.min(form.group or math.huge, stand:group_for(kernel))
  local least_rounds = not stand.slow and form.least_rounds or 1
  local groups_at_most = for_kind(stand.device, most_groups) * units
  local rounds_in_all = for_kind(stand.device, form.count > 1 and rounds_at_most or most_rounds)
  local runs = {least = units, most = stand.slow and units or groups_at_most * rounds_in_all / least_rounds,
                items = groups_at_most * group}
  local function divided(work)
    local groups = math.min(work, groups_at_most)
    return groups, work / groups * least_rounds
  end
  function runs.run(work, out)
    local groups, rounds = divided(work)
    return stand:run(kernel, groups * group, group, out, type.a, rounds)
  end
  function runs.amount(work)
    local groups, rounds = divided(work)
    return groups * group * rounds * form.width * form.count * chains.steps(type, form.width) * 2
  end
  function runs.check(work, out)
    local groups, rounds = divided(work)
    return check(stand, type, form, {out = out, items = groups * group, rounds = rounds})
  end
  return runs
end

-- The form that did most in a second. They take turns, so that a disturbance affects all of them.
local function fastest(forms, all_runs, work, out)
  local best, most = 1, 0
  for _ = 1, turns do
    for i in ipairs(forms) do
      local rate = all_runs[i].amount(work) / (all_runs[i].run(work, out))
      if rate > most then best, most = i, rate end
    end
  end
  return best
end

-- Measures the fastest of some forms.
local function measure(stand, program, type, forms)
  local all_runs, chosen, items = {}, 1, 0
  for i, form in ipairs(forms) do
    all_runs[i] = runs_of(stand, program, type, form)
    items = math.max(items, all_runs[i].items)
  end
  local out = stand.context:buffer(items * cl.array[type.out](1):bytes(), "write_only")
  stand.queue:write_buffer(out, cl.array[type.out](items)) -- zeros, which are not a right result
  local measured = series.measure {
    unit = arithmetic_unit(type.name), least = all_runs[1].least, most = all_runs[1].most,
    runs = #forms > 1 and least_runs or nil,
    seconds = stand.device.kind == "cpu" and cpu_seconds or nil,
    run = function(work) return all_runs[chosen].run(work, out) end,
    choose = #forms > 1 and function(work) chosen = fastest(forms, all_runs, work, out) end or nil,
    amount = function(work) return all_runs[chosen].amount(work) end,
    check = function(work) return all_runs[chosen].check(work, out) end,
  }
  out:close()
  measured.width, measured.chains = forms[chosen].width, forms[chosen].count
  measured.writing = forms[chosen].writing
  return measured
end

local function reason_to_skip(device, type)
  if type.name == "double" and not device:has_double() then return "no fp64" end
  if type.name == "half" and not device:has_extension "cl_khr_fp16" then return "no cl_khr_fp16" end
end

-- Builds when a limit is first measured: what a driver cannot build is a failure of that limit.
local function builder(stand, type, forms)
  local program
  return function()
    program = program or stand.context:program(chains.source(type, forms), "-cl-mad-enable")
    return program
  end
end

local function each_of_type(stand, type, each_limit)
  local singles = {}
  for i, width in ipairs(series.widths) do singles[i] = single(type, width) end
  local build = builder(stand, type, singles)
  for i, width in ipairs(series.widths) do
    each_limit({type = type.name, name = type.name .. (width > 1 and width or "")},
      function() return measure(stand, build(), type, {singles[i]}) end)
  end
  local forms = candidates(stand, type)
  local build_many = builder(stand, type, forms)
  each_limit({type = type.name, name = type.name .. ", at most"},
    function() return measure(stand, build_many(), type, forms) end)
end

-- ---- the clock of a core ----

-- The real clock of a CPU's core may differ much from the one that OpenCL reports. One work-item alternates additions
-- and exclusive ors. Each takes one cycle on any of today's CPUs, and needs the result of the one before.
local cycles_of_round = 64

local clock_source = ([[
#define STEP x = (x ^ flip) + term;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
kernel void cycles(global uint *result, const uint flip, const uint term, const int rounds) {
  uint x = 0;
  for (int r = 0; r < rounds; r++) {
    STEPS STEPS STEPS STEPS
  }
  result[0] = x;
}
]])

-- Flipping the highest bit adds 2^31, so the result counts the steps.
local flip, term = 2 ^ 31, 12345

local function expected(rounds)
  return rounds * (cycles_of_round / 2) % 2 ^ 32 * (flip + term) % 2 ^ 32
end

-- The most rounds for which expected() is exact in double.
local most_exact = 2 ^ 16

-- The result of @{clue.peak.series.measure}, with the unit; or skipped: the reason.
local function measure_clock(stand)
  if stand.slow then return {skipped = "kernels are interpreted"} end
  local kernel, out = stand.context:program(clock_source):kernel "cycles", stand.context:buffer(4)
  local result = cl.array.uint(1)
  local measured = series.measure {
    unit = "GHz", least = 1024, most = most_exact,
    run = function(rounds) return stand:run(kernel, 1, 1, out, flip, term, rounds) end,
    amount = function(rounds) return rounds * cycles_of_round end,
    check = function(rounds)
      stand.queue:read_buffer(out, result)
      local wanted = expected(rounds)
      return result[0] == wanted, ("%.0f instead of %.0f"):format(result[0], wanted)
    end,
  }
  out:close()
  if measured.clock == "host" then return {skipped = "the device's timer cannot be trusted"} end
  return measured
end

-- ---- all of it ----

--- Measures all arithmetic.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit each_limit(facts, measure): facts = {type, name, skipped}; calls measure(), which
-- returns
--   the result of @{clue.peak.series.measure}, with unit, width, chains and writing
function compute.run(stand, each_limit)
  if stand.device.kind == "cpu" then
    each_limit({name = "clock of a core"}, function() return measure_clock(stand) end)
  end
  for _, type in ipairs(chains.types) do
    local reason = reason_to_skip(stand.device, type)
    if reason then
      each_limit {type = type.name, name = type.name, skipped = reason}
    else
      each_of_type(stand, type, each_limit)
    end
  end
end

return compute
