--- How a product is computed on a GPU, for @{clue.gemm.gpu}: the parameter set and the division of K that take least
-- time, as far as the costs in @{clue.gemm.gpu_sets} and @{clue.gemm.tensor_sets} say, and the division of C if its
-- last tiles are thin.
-- @module clue.gemm.plan
local candidates = require "clue.gemm.candidates"
local gpu_sets = require "clue.gemm.gpu_sets"
local tensor_sets = require "clue.gemm.tensor_sets"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local plan = {}

-- Of an H200, fitted to 2,500 products of all sets (docs/measurements/gemm-shapes-h200.txt). Times are nanoseconds.
local START = 3000 -- what a launch costs
local FIRST = 1500 -- until a group has its first tiles, and to store its part of C
local NEAR, FAR, CACHE = 425, 845, 25e6 -- until a copy arrives, from the cache and from memory; bytes of the cache
local RATE = 3500 -- bytes of memory per nanosecond
local NARROW = 1.04 -- times the cost with narrow loads, of sets that a tuner found
local COLUMNS = 1.08 -- the same with B stored by columns and one fragment; tuners store it by rows
local MOST_SPLITS = 256 -- of K

-- The time of a set for m x n numbers of C with K divided, in nanoseconds. facts: what it depends on besides.
local function time_of(set, splits, facts, m, n, k)
  local p, column, stored = set.parameters, facts.columns[set], facts.stored
  local tiles = math.ceil(m / p.BM) * math.ceil(n / p.BN)
  local rounds = math.ceil(tiles * splits / (facts.units * set.share))
  local more = splits > 1 and set.of.joining(p, splits, facts.bytes, m, n) or 0
  if set.of == tensor_sets then more = more + tensor_sets.reading(p, column, m, n, k) end
  local read = stored.a * k * (m + n)
  -- A step along K takes what the groups of a compute unit need for it, or what copies take that arrive in time.
  local copies = (read > CACHE and FAR or NEAR) / (set.ahead * p.BK) * math.max(1, rounds / set.resident)
  local step = math.max(rounds * (set.cost[column.index] or set.cost[1]), set.alone, copies)
  local groups = k / splits * step + math.ceil(rounds / set.resident) * FIRST
  local memory = (read + stored.c * m * n) / RATE
  return START + more + (groups ^ 4 + memory ^ 4) ^ 0.25 -- nearly the longer one
end

-- So many groups for each tile to try: for gemm.cl those that fill all compute units once, twice and so on, and for
-- gemm_tensor.cl, which is built for a number, powers of 2.
local MOST_ROUNDS = 8
local function divisions(set, facts, m, n, k)
  local p, list = set.parameters, {}
  local most = math.min(MOST_SPLITS, k / p.BK)
  local share = facts.units * set.share / (math.ceil(m / p.BM) * math.ceil(n / p.BN))
  if set.of == gpu_sets then
    for rounds = 1, MOST_ROUNDS do
      local splits = math.floor(math.min(rounds * share, most))
      if splits > (list[#list] or 1) then list[#list + 1] = splits end
    end
  else
    local splits = 2
    while splits <= math.min(most, MOST_ROUNDS * share) do
      list[#list + 1], splits = splits, 2 * splits
    end
  end
  return list
end

-- The division of K with which a set takes least time, and that time.
local function best_division(set, facts, m, n, k)
  local best = set.fixed and set.parameters.SPLITS or 1
  local least = time_of(set, best, facts, m, n, k)
  for _, splits in ipairs(set.fixed and {} or divisions(set, facts, m, n, k)) do
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
  return candidates.divided(best, division), least
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
local function facts_of(self, sets, units, call)
  local facts = {units = units, bytes = self.bytes, stored = self.stored, columns = {}}
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

-- The cost of a set that takes just less than a time.
local function cost_for(set, time, facts, m, n, k)
  local low, high = 0, 1e6
  for _ = 1, 50 do
    set.cost = {(low + high) / 2}
    if time_of(set, 1, facts, m, n, k) < time then low = set.cost[1] else high = set.cost[1] end
  end
  return 0.999 * low
end

-- The sets for a product: what a tuner found for about its size, and clue's. The tuner measured clue's sets of the same
-- kernel too, so at the size that it was found for it takes less time than they do. From that follows a cost, in the
-- unit of theirs: it tells whether the set is the best for another size, and whether parts of C are better computed by
-- themselves.
local function sets_for(self, m, n, k)
  local entry = self.found and self.found:of(m, n, k)
  if not entry then return self.sets end
  if not entry.set then
    local set = candidates.new_set(gpu_sets, "found for " .. table.concat(entry.size, " x "),
      gpu_sets.complete(entry.parameters), {1}, {})
    set.ahead = math.huge -- its cost has all
    local rows, columns, depth = unpack(entry.size)
    local facts = {units = self.context.device.max_compute_units, bytes = self.bytes, stored = self.stored,
                   columns = {[set] = {index = 1}}}
    for _, each in ipairs(self.plain) do facts.columns[each] = {index = 1} end
    local _, least = new_plan(self.plain, facts, rows, columns, depth)
    local cost = cost_for(set, least, facts, rows, columns, depth)
    set.cost = {cost, NARROW * cost, set.parameters.FRAGMENTS == 1 and COLUMNS * cost or cost}
    entry.set = set
  end
  return {entry.set, unpack(self.sets)}
end

local MOST_COPIED, SHARE = 2 ^ 31, 1 / 8 -- bytes; of the device's memory

--- How a product is computed.
-- @tparam table self of @{clue.gemm.gpu.new}
-- @tparam number units compute units
-- @tparam table call as @{clue.gemm} checked it
-- @treturn {table,...} the parts of C, in order: set (name, parameters), top and left (the first row and column), m, n
function plan.of(self, units, call)
  local sets = sets_for(self, call.m, call.n, call.k)
  call.most_copied = math.min(MOST_COPIED, SHARE * self.context.device.global_mem_size)
  local facts = facts_of(self, sets, units, call)
  if not next(facts.columns) then -- of a script's own set
    sets, facts = self.plain, facts_of(self, self.plain, units, call)
  end
  return (new_plan(sets, facts, call.m, call.n, call.k))
end

return plan
