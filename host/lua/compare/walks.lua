--- Matches the rows of two documents of `clue walk --json` and compares their times.
-- @module clue.compare.walks
local conditions = require "clue.compare.conditions"
local statistics = require "clue.walk.statistics"
local row_of = require "clue.walk.row"

local walks = {}

-- ---- which devices are compared ----

local function unused(runs, used, fits)
  for _, run in ipairs(runs) do
    if not used[run] and fits(run) then return run end
  end
end

-- Pairs of runs: first on the same device, then on devices of the same name, then the rest in order.
local function pair_runs(a, b, documents)
  local partner, used = {}, {}
  local function name(side, run) return conditions.device(documents[side], run.device).name end
  local tests = {
    function(x, y) return name(1, x) == name(2, y) and x.device == y.device end,
    function(x, y) return name(1, x) == name(2, y) end,
    function() return true end,
  }
  for _, fits in ipairs(tests) do
    for _, run in ipairs(a) do
      partner[run] = partner[run] or unused(b, used, function(other) return fits(run, other) end)
      if partner[run] then used[partner[run]] = true end
    end
  end
  local pairs_of_runs = {}
  for _, run in ipairs(a) do pairs_of_runs[#pairs_of_runs + 1] = {run, partner[run]} end
  for _, run in ipairs(b) do
    if not used[run] then pairs_of_runs[#pairs_of_runs + 1] = {nil, run} end
  end
  return pairs_of_runs
end

-- ---- which rows are compared ----

local function size_of(row)
  if type(row.size) ~= "table" then return row.size and tostring(row.size) or row.problem or "" end
  local parts = {}
  for name, value in pairs(row.size) do
    parts[#parts + 1] = name .. "=" .. (type(value) == "number" and ("%.14g"):format(value) or tostring(value))
  end
  table.sort(parts)
  return table.concat(parts, " ")
end

-- The problem in words, with the type if the words do not include it.
local function words_of(row)
  local text = row.problem or size_of(row)
  if not row.type or text:find(row.type, 1, true) then return text end
  return text == "" and row.type or text .. ", " .. row.type
end

-- Identifies a row's problem. Rows without one (skipped, failed early) match every problem of their step.
local function problem_of(row)
  local size = size_of(row)
  return (size ~= "" or row.type) and size .. "|" .. (row.type or "") or nil
end

local function fits(row, other)
  local mine, theirs = problem_of(row), problem_of(other)
  return row_of.key(row) == row_of.key(other) and (not mine or not theirs or mine == theirs)
end

-- ---- the comparison of a pair ----

local function side_of(row, part)
  local word, as_it_should = row_of.verdict(row)
  local time = row_of.time(row, part) or {}
  return {verdict = word, verified = row_of.is_verified(row), good = as_it_should, row = row,
          extrapolated = row.times and row.times.extrapolated or nil, seconds = time.median,
          spread = (time.count or 0) > 1 and time.spread or nil}
end

-- The part of the time that both rows are judged by. If one file judges by another part, it is the total, which all
-- have.
local function part_of(a, b)
  local part = row_of.judged(a.times and a or b)
  return part == row_of.judged(b.times and b or a) and part or "total"
end

-- Whether a list of times can be used for ratios.
local function is_time(values)
  for _, value in ipairs(values) do
    if not (value > 0 and value < math.huge) then return false end
  end
  return #values > 0
end

--- How two series of times compare.
-- @tparam {number,...} a seconds
-- @tparam {number,...} b seconds
-- @treturn table ratio, low, high (see @{clue.walk.statistics.gain}); difference: true, false, or nil if there are
-- too
--   few runs to know. nil if one of them has no times
function walks.gain(a, b)
  if not (a and b and is_time(a) and is_time(b)) then return nil end
  local it = statistics.gain(a, b)
  if it.low then it.difference = statistics.differs(it) end
  return it
end

local function pair_of(a, b)
  local part = part_of(a, b)
  local pair = {number = a.number, name = a.name, study = a.study, part = part,
                problem = words_of(problem_of(a) and a or b), a = side_of(a, part), b = side_of(b, part)}
  if pair.a.verified and pair.b.verified and a.times and b.times then
    pair.gain = walks.gain(a.times[part], b.times[part])
    pair.kernel = part ~= "kernel" and walks.gain(a.times.kernel, b.times.kernel) or nil
    local one, other = row_of.source(a), row_of.source(b)
    pair.changed = one ~= "" and other ~= "" and one ~= other or nil
  end
  pair.lost, pair.won = pair.a.verified and not pair.b.verified, pair.b.verified and not pair.a.verified
  return pair
end

-- How the problem differs if both files have the step.
local function alone(row, others)
  local entry = {number = row.number, name = row.name, study = row.study, problem = words_of(row),
                 verdict = (row_of.verdict(row))}
  for _, other in ipairs(others) do
    if row_of.key(other) == row_of.key(row) then entry.other = words_of(other) end
  end
  return entry
end

local function match_rows(a, b, section)
  local used = {}
  for _, row in ipairs(a) do
    local other = unused(b, used, function(candidate) return fits(row, candidate) end)
    if other then
      used[other] = true
      section.pairs[#section.pairs + 1] = pair_of(row, other)
    else
      section.only_a[#section.only_a + 1] = alone(row, b)
    end
  end
  for _, row in ipairs(b) do
    if not used[row] then section.only_b[#section.only_b + 1] = alone(row, a) end
  end
end

-- ---- whole documents ----

local function by_name(document)
  local found = {}
  for _, walkthrough in ipairs(document.walkthroughs) do found[walkthrough.name] = walkthrough end
  return found
end

local function section_of(name, runs, documents)
  local section = {walkthrough = name, pairs = {}, only_a = {}, only_b = {}}
  for side, letter in ipairs {"a", "b"} do
    section[letter] = runs[side] and conditions.device(documents[side], runs[side].device)
  end
  match_rows((runs[1] or {}).rows or {}, (runs[2] or {}).rows or {}, section)
  return section
end

--- Compares.
-- @tparam table a document of `clue walk --json`
-- @tparam table b likewise
-- @treturn {table,...} sections: walkthrough; a and b: the devices; pairs: {number, name, study, problem, part: the
--   time that they are judged by, "total" or "kernel"; a, b: {verdict, verified, seconds (median of that time),
--   spread}; gain: of b over a; kernel: the gain of the kernel alone, unless that is the part; changed: whether the
--   kernels differ, lost, won}; only_a, only_b: {number, name, problem, verdict, other: the problem on the other side}
function walks.compare(a, b)
  local documents, sections, theirs, seen = {a, b}, {}, by_name(b), {}
  local function add(name, one, other)
    for _, runs in ipairs(pair_runs(one and one.runs or {}, other and other.runs or {}, documents)) do
      sections[#sections + 1] = section_of(name, runs, documents)
    end
  end
  for _, walkthrough in ipairs(a.walkthroughs) do
    seen[walkthrough.name] = true
    add(walkthrough.name, walkthrough, theirs[walkthrough.name])
  end
  for _, walkthrough in ipairs(b.walkthroughs) do
    if not seen[walkthrough.name] then add(walkthrough.name, nil, walkthrough) end
  end
  return sections
end

return walks
