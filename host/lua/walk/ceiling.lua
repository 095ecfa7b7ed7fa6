--- What a step's speed is compared with: a limit of the device, measured in the step's own process by the kernels of
-- `clue peak`, by turns with the step, so that a disturbance affects both.
-- @module clue.walk.ceiling
local arithmetic = require "clue.peak.compute"
local exchange = require "clue.walk.exchange"
local global = require "clue.peak.global"
local guard = require "clue.timing.guard"
local measure = require "clue.walk.measure"
local recorder = require "clue.walk.recorder"
local series = require "clue.peak.series"
local stand = require "clue.peak.stand"
local statistics = require "clue.result.statistics"

local ceiling = {}

local TURNS, RUNS, SECONDS = 6, 5, 0.5 -- of the step in a turn: RUNS, or as many as take SECONDS, at least one

-- Both sides count by their fastest run in a turn: a limit must not be the speed of a disturbed run, nor be compared
-- with one.

-- The limits that `wanted` chooses, in one turn: the fastest, and the names of all.
local function measured(module, basis, wanted, kept)
  local best, names = nil, {}
  module.run(basis, function(facts, run)
    if facts.skipped or not wanted(facts) then return end
    local limit = series.summarise(run())
    if limit.wrong then error(("clue peak's kernel %s: %s"):format(facts.name, limit.wrong), 0) end
    names[#names + 1] = facts.name
    if not best or limit.best > best.value then best = {name = facts.name, value = limit.best} end
  end, kept)
  return best, names
end

local function seconds_of(spec)
  local least, passed = math.huge, guard.clock()
  for _ = 1, RUNS do
    local once = measure.again(spec)
    least = math.min(least, once.kernel or once.total)
    if passed() >= SECONDS then break end
  end
  return least
end

-- The name that most of the turns have; of several, the first.
local function usual(limits)
  local turns, name = {}, nil
  for _, limit in ipairs(limits) do turns[limit.name] = (turns[limit.name] or 0) + 1 end
  for _, limit in ipairs(limits) do
    if not name or turns[limit.name] > turns[name] then name = limit.name end
  end
  return name
end

-- The fastest limit of each turn. The first turn tries all; each later one the fastest of the turn before, and one of
-- the others, since a disturbance may have slowed it when it was tried.
local function chooser(module, basis, wanted, kept)
  local last, names, next_other = nil, nil, 0
  return function()
    if not names then
      last, names = measured(module, basis, wanted, kept)
      return last
    end
    repeat next_other = next_other % #names + 1 until names[next_other] ~= last.name or #names == 1
    local other = names[next_other]
    last = measured(module, basis, function(facts) return facts.name == last.name or facts.name == other end, kept)
    return last
  end
end

-- The limit's seconds for the step's work, and the step's, in some turns.
local function by_turns(module, context, spec, work, wanted)
  local limits, of_limit, of_step, values, kept = {}, {}, {}, {}, {}
  local choose = chooser(module, stand.new(context.device.ordinal), wanted, kept)
  for turn = 1, TURNS do
    exchange.progress(("by turns with clue peak, turn %d of %d"):format(turn, TURNS))
    limits[turn] = choose()
    values[turn] = limits[turn].value
    of_limit[turn], of_step[turn] = work / values[turn] / 1e9, seconds_of(spec)
  end
  if module.release then module.release(kept) end
  return {name = usual(limits), value = statistics.median(values), share = statistics.paired_gain(of_limit, of_step)}
end

local function note(limit, what, unit)
  local share = limit.share
  return ("%.3g (%.3g-%.3g) of the speed of clue peak's %s (%s, %.4g %s), in %d turns"):format(share.ratio, share.low,
    share.high, what, limit.name, limit.value, unit, share.count)
end

local FEW = 2 ^ 22 -- bytes that any cache may hold, for devices that report none

-- Compares with one way of using global memory. What the device's caches hold does not come from memory.
local function memory(context, spec, way, what)
  if exchange.to_verify then return "" end
  if spec.bytes < math.max(FEW, 4 * (context.device.global_mem_cache_size or 0)) then
    return ("caches may hold the data: give more to compare with the limit of %s memory"):format(what)
  end
  local limit = recorder.without(by_turns, global, context, spec, spec.bytes, function(facts)
    return facts.way == way
  end)
  return note(limit, ("fastest %s kernel"):format(what), "GB/s")
end

--- Compares a step with reading global memory.
-- @tparam context context
-- @tparam table spec the step's parts, as for @{clue.walk.run}; bytes: what a run reads
-- @treturn string a note
function ceiling.reading(context, spec)
  return memory(context, spec, "read", "reading")
end

--- Compares a step with copying within global memory.
-- @tparam context context
-- @tparam table spec the step's parts, as for @{clue.walk.run}; bytes: what a run reads and writes
-- @treturn string a note
function ceiling.copying(context, spec)
  return memory(context, spec, "copy", "copying")
end

local LITTLE = 2 ^ 28 -- operations that take too short a time

--- Compares a step with independent multiply-adds of float.
-- @tparam context context
-- @tparam table spec the step's parts, as for @{clue.walk.run}; flops: of a run, a multiply-add counting as two
-- @treturn string a note
-- @treturn ?table value: the limit in GFLOPS; share: ratio, low, high; nil if the step does too little
function ceiling.multiply_add(context, spec)
  if exchange.to_verify then return "" end
  if spec.flops < LITTLE then return "too little work to compare with the limit of multiply-adds" end
  local limit = recorder.without(by_turns, arithmetic, context, spec, spec.flops, function(facts)
    return facts.name == "float, at most"
  end)
  return note(limit, "multiply-adds", "GFLOPS"), limit
end

return ceiling
