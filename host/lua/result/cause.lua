--- The greatest gains of a run, and what was counted that explains them: row.gain.cause, or what follows from the
-- counts of both rows. A cause is {what, before, now, per}; without what, nothing that was counted fell.
local figures = require "clue.shared.figures"
local findings = require "clue.result.findings"
local gains = require "clue.result.gain"
local kernels = require "clue.result.counts"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local cause = {}

-- So many gains are worth a sentence.
local MOST = 3

-- What falls by less explains nothing.
local LEAST = 0.1

-- A gain that is so many times greater than the fall of what was counted has another cause beside it.
local MORE = 1.5

-- The passes of all requests to global memory.
local function passes_of(counts)
  return lists.sum(counts.kernels, function(kernel) return kernels.passes(kernel, kernels.is_global) end)
end

-- What is counted, and its cost: of one, or of all. On a GPU a compute unit serves, in a cycle, a pass of local memory
-- or of requests to global memory, and begins four instructions of warps. On a CPU, where the items of a group run one
-- after the other, an access costs about as much as an instruction.
local costs = {
  gpu = {{"sectors of global memory", "sectors", passes_of}, {"passes of local memory", "passes", 1},
         {"instructions of warps", function(sums) return sums.slots / 32 end, 1 / 4}},
  cpu = {{"accesses to global memory", "accesses", 1}, {"instructions", "lanes", 1}},
}

-- What is looked at where none of these fell: what a CPU's caches have to bring.
local else_fell = {gpu = {}, cpu = {{"bytes that groups move", function(sums) return sums.of_groups or 0 end, 1}}}

-- For how much work the amounts are told, so that they are small numbers.
local units = {
  gpu = {flops = {32, "for 32 operations"}, bytes = {128, "for 128 bytes"}},
  cpu = {flops = {1, "for an operation"}, bytes = {4, "for 4 bytes"}},
}

local function amount_of(sums, get)
  if type(get) == "function" then return get(sums) end
  return sums[get]
end

local function cost_of(counts, amount, cost)
  return type(cost) == "function" and cost(counts) or amount * cost
end

-- The work that both declare, and its unit.
local function work_of(before, now, kind)
  for _, field in ipairs {"flops", "bytes"} do
    if (before[field] or 0) > 0 and (now[field] or 0) > 0 then
      local unit = units[kind][field]
      return before[field] / unit[1], now[field] / unit[1], unit[2]
    end
  end
end

--- What fell most of all that was counted, weighed by its cost.
-- @tparam ?table before counts of the row before, see @{clue.run.counted}
-- @tparam ?table now counts of the row, at the same size
-- @tparam string kind of the device
-- @treturn ?table see the module's head; nil if one of them was not counted
function cause.of(before, now, kind)
  if not (before and now and before.size == now.size) then return nil end
  kind = kind == "cpu" and "cpu" or "gpu"
  local was, is, per = work_of(before, now, kind)
  if not was then return nil end
  local function most_fallen(list)
    local best, most = nil, 0
    for _, each in ipairs(list) do
      local of_before, of_now = amount_of(before.sums, each[2]), amount_of(now.sums, each[2])
      local earlier, later = of_before / was, of_now / is
      local fall = cost_of(before, of_before, each[3]) / was - cost_of(now, of_now, each[3]) / is
      if later <= earlier * (1 - LEAST) and fall > most then
        best, most = {what = each[1], before = earlier, now = later, per = per}, fall
      end
    end
    return best
  end
  return most_fallen(costs[kind]) or most_fallen(else_fell[kind]) or {}
end

-- Each place's cycles of a compute unit, in all kernels: what a place reads and writes is one.
local function places_of(counts, work)
  local list = {total = 0}
  for _, kernel in ipairs(counts.kernels) do
    for _, site in ipairs(kernel.sites) do
      local cycles = kernels.passes_of(site) / work
      local text = ("%s %s"):format(findings.place(site), findings.what(site))
      if cycles > 0 and not list[text] then
        list[text] = {text = text, cycles = 0}
        list[#list + 1] = list[text]
      end
      if cycles > 0 then list[text].cycles = list[text].cycles + cycles end
      list.total = list.total + cycles
    end
  end
  table.sort(list, function(a, b) return a.cycles > b.cycles or a.cycles == b.cycles and a.text < b.text end)
  return list
end

--- What each place's accesses of memory cost on a GPU before and now.
-- @tparam table before counts of a row, see @{clue.run.counted}
-- @tparam table now counts of another, at the same size
-- @treturn ?table before, now: lists of {text, cycles (of a compute unit)}, the dearest first, with their total; per:
--   for how much work; nil if they cannot be compared
function cause.places(before, now)
  local was, is, per = work_of(before, now, "gpu")
  if not was or before.size ~= now.size then return nil end
  return {before = places_of(before, was), now = places_of(now, is), per = per}
end

--- The greatest gains of steps on the device over each other. What a library or the best of clue gains shows no idea.
-- @tparam {table,...} rows of one device
-- @treturn {table,...} rows, the greatest gain first
function cause.greatest(rows)
  local list = lists.filter(rows, function(row)
    local base = gains.word(row.gain) == "better" and not row.best and row_of.base(rows, row)
    return base and row_of.is_of_host(base) == row_of.is_of_host(row)
  end)
  table.sort(list, function(a, b) return a.gain.ratio > b.gain.ratio end)
  for i = #list, MOST + 1, -1 do list[i] = nil end
  return list
end

--- The cause of a row's gain in words.
-- @tparam {table,...} rows of the run
-- @tparam table row
-- @treturn ?string "sectors of global memory 48.6 to 16.8 for 32 operations", with the gain that this explains if the
--   measured one is far greater; nil: it was not counted
function cause.text(rows, row)
  local base = row_of.base(rows, row) or {}
  local it = row.gain.cause or cause.of(base.counts, row.counts, (row.device or {}).kind)
  if not it then return nil end
  if not it.what then return "nothing that was counted fell" end
  local text = ("%s %s to %s %s"):format(it.what, figures.ratio(it.before), figures.ratio(it.now), it.per)
  if row.gain.ratio * it.now <= it.before * MORE then return text end
  return ("%s, which explains at most %s times"):format(text, figures.ratio(it.before / it.now))
end

return cause
