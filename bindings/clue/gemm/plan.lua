--- How a product is computed on a GPU, for @{clue.gemm.gpu}: the parameter set and the division of K that take least
-- time, as far as the costs in @{clue.gemm.gpu_sets} and @{clue.gemm.tensor_sets} say, and the division of C if its
-- last tiles are thin.
-- @module clue.gemm.plan
local candidates = require "clue.gemm.candidates"
local gpu_sets = require "clue.gemm.gpu_sets"
local sums = require "clue.gemm.sums"
local tensor_sets = require "clue.gemm.tensor_sets"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local plan = {}

-- Of an H200, fitted to 2,500 products of all sets (docs/measurements/gemm-shapes-h200.txt). Times are nanoseconds.
local START = 3000 -- what a launch costs
local FIRST = 1500 -- until a group has its first tiles, and to store its part of C
local NEAR, FAR, CACHE = 425, 845, 25e6 -- until a copy arrives, from the cache and from memory; bytes of the cache
local MEMORY_RATE = 3500 -- bytes per nanosecond
local NARROW = 1.04 -- times the cost with narrow loads, of sets that a tuner found
local COLUMNS = 1.08 -- the same with B stored by columns and one fragment; tuners store it by rows
local MOST_SPLITS = 256 -- of K

-- The time of a set for m x n numbers of C with K divided, in nanoseconds. facts: what it depends on besides.
local function time_of(set, splits, facts, m, n, k)
  local p, column, stored = set.parameters, facts.columns[set], facts.stored
  local tiles = math.ceil(m / p.BM) * math.ceil(n / p.BN)
  local along = math.ceil(math.ceil(k / p.BK) / splits) * p.BK -- of a group
  local rounds = math.ceil(tiles * splits / (facts.units * set.share))
  local more = splits > 1 and set.of.joining(p, splits, facts.bytes, m, n) or 0
  if set.of == tensor_sets then more = more + tensor_sets.reading(p, column, m, n, k) end
  local read = stored.a * k * (m + n)
  -- A step along K takes what the groups of a compute unit need for it, or what copies take that arrive in time.
  local copies = (read > CACHE and FAR or NEAR) / (set.ahead * p.BK) * math.max(1, rounds / set.resident)
  local step = math.max(rounds * (set.cost[column.index] or set.cost[1]), set.alone, copies)
  local groups = along * step + math.ceil(rounds / set.resident) * FIRST
  local memory = (read + stored.c * m * n) / MEMORY_RATE
  return (START + more + (groups ^ 4 + memory ^ 4) ^ 0.25) * set.factor -- nearly the longer of the two
end

-- So many groups for each tile to try. For gemm.cl, those that fill all compute units once, twice and so on, but no
-- more than have steps along K; for gemm_tensor.cl, which is built for a number, powers of 2 and three times these.
-- Their sums have room.
local MOST_ROUNDS = 8
local function divisions(set, facts, m, n, k)
  local p, list = set.parameters, {}
  local along, tiles = math.ceil(k / p.BK), math.ceil(m / p.BM) * math.ceil(n / p.BN)
  local room = facts.most_kept / (facts.bytes * tiles * p.BM * p.BN)
  local most, share = math.min(MOST_SPLITS, along, room), facts.units * set.share / tiles
  if set.of == gpu_sets then
    for rounds = 1, MOST_ROUNDS do
      local splits = math.floor(math.min(rounds * share, most))
      if splits > 1 then splits = math.ceil(along / math.ceil(along / splits)) end
      if splits > (list[#list] or 1) then list[#list + 1] = splits end
    end
  else
    local power = 2
    while power <= math.min(most, MOST_ROUNDS * share) do
      list[#list + 1], list[#list + 2] = power, 1.5 * power <= most and 1.5 * power or nil
      power = 2 * power
    end
  end
  return list
end

-- The division of K with which a set takes least time, and that time.
local function best_division(set, facts, m, n, k)
  local best = set.fixed and set.parameters.SPLITS or 1
  local least = time_of(set, best, facts, m, n, k)
  for _, splits in ipairs((set.fixed or facts.undivided) and {} or divisions(set, facts, m, n, k)) do
    local time = time_of(set, splits, facts, m, n, k)
    if time < least then best, least = splits, time end
  end
  return best, least
end

-- The set that takes least time, of those that can compute the product, and that time.
local function cheapest(sets, facts, m, n, k)
  local best, least, division = nil, math.huge, nil
  for _, set in ipairs(sets) do
    if facts.columns[set] then
      local splits, time = best_division(set, facts, m, n, k)
      if time < least then best, least, division = set, time, splits end
    end
  end
  return candidates.shared(best, division), least
end

-- The parts of C, if those below and to the right of whole tiles are computed by themselves; and the time of it.
local function divided(sets, facts, m, n, k, p)
  local down, across = m - m % p.BM, n - n % p.BN
  if down == 0 or across == 0 then return nil, math.huge end
  local parts, time = {}, 0
  local function add(top, left, rows, width)
    if rows == 0 or width == 0 then return end
    local set, part = cheapest(sets, facts, rows, width, k)
    parts[#parts + 1] = {set = set, top = top, left = left, m = rows, n = width}
    time = time + part
  end
  add(0, 0, down, across)
  add(down, 0, m - down, n)
  add(0, across, down, n - across)
  return parts, time
end

-- The parts of C that take least time with these sets, and that time.
local function new_plan(sets, facts, m, n, k)
  local set, least = cheapest(sets, facts, m, n, k)
  local best, tried = {{set = set, top = 0, left = 0, m = m, n = n}}, {}
  for _, each in ipairs(sets) do
    local p = each.parameters
    local tile = p.BM .. " " .. p.BN
    if not tried[tile] then
      tried[tile] = true
      local parts, time = divided(sets, facts, m, n, k, p)
      if time < least then best, least = parts, time end
    end
  end
  return best, least
end

-- What the time of each set depends on besides the extents. columns: by set; none if it cannot compute the product.
-- most_kept: the bytes that copies of A and B may take together, and groups' sums.
local function facts_of(self, sets, units, call)
  local facts = {units = units, bytes = self.bytes, stored = self.stored, columns = {}, most_kept = call.most_kept}
  local plain = gpu_sets.column(self, call)
  for _, set in ipairs(sets) do
    if set.of == gpu_sets then
      facts.columns[set] = plain
    else
      facts.columns[set] = tensor_sets.column(set.parameters, call)
    end
  end
  return facts
end

-- The set of parameters that a tuner found. It measured clue's sets of the same kernel too, without a division of K, so
-- at that size this one takes less time than they do. From that follows a cost in the unit of theirs, and a factor for
-- what this leaves out: they tell whether the set is the best for another size, and whether parts of C are better
-- computed by themselves.
local function found_set(self, entry)
  local p, units = gpu_sets.complete(entry.parameters), self.context.device.max_compute_units
  local set = candidates.new_set(gpu_sets, "found for " .. table.concat(entry.size, " x "), p, {1},
    {fixed = p.SPLITS ~= nil})
  set.ahead = math.huge -- its cost has all
  local m, n, k = unpack(entry.size)
  local facts = {units = units, bytes = self.bytes, stored = self.stored, undivided = true,
                 columns = {[set] = {index = 1}}}
  for _, each in ipairs(self.plain) do facts.columns[each] = facts.columns[set] end
  local _, least = new_plan(self.plain, facts, m, n, k)
  local splits = p.SPLITS or 1
  local rounds = math.ceil(math.ceil(m / p.BM) * math.ceil(n / p.BN) * splits / units)
  local cost = least * splits / (rounds * math.max(k, p.BK))
  set.cost = {cost, NARROW * cost, p.FRAGMENTS == 1 and COLUMNS * cost or cost}
  set.factor = 0.999 * least / time_of(set, splits, facts, m, n, k)
  return set
end

-- The sets for a product: what a tuner found for about its size, and clue's.
local function sets_for(self, m, n, k)
  local entry = self.found and self.found:of(m, n, k)
  if not entry then return self.sets end
  entry.set = entry.set or found_set(self, entry)
  return {entry.set, unpack(self.sets)}
end

--- How a product is computed.
-- @tparam table self of @{clue.gemm.gpu.new}
-- @tparam number units compute units
-- @tparam table call as @{clue.gemm} checked it
-- @treturn {table,...} the parts of C, in order: set (name, parameters), top and left (the first row and column), m, n
function plan.of(self, units, call)
  local sets = sets_for(self, call.m, call.n, call.k)
  call.most_kept = sums.most_kept(self.context.device)
  local facts = facts_of(self, sets, units, call)
  if not next(facts.columns) then -- of a script's own set
    sets, facts = self.plain, facts_of(self, self.plain, units, call)
  end
  return (new_plan(sets, facts, call.m, call.n, call.k))
end

return plan
