--- Matches the rows of two documents of `clue walk --json` and compares their times.
-- @module clue.show.compare.walks
local conditions = require "clue.show.compare.conditions"
local copy_of = require "clue.show.compare.copy_of"
local grouped = require "clue.shared.grouped"
local part_of = require "clue.show.compare.part"
local point = require "clue.result.point"
local problem = require "clue.show.compare.problem"
local statistics = require "clue.result.statistics"
local row_of = require "clue.result.row"

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

local function fits(row, other)
  local mine, theirs = problem.of(row), problem.of(other)
  return row_of.key(row) == row_of.key(other) and (not mine or not theirs or mine == theirs)
end

-- ---- the comparison of a pair ----

local function side_of(row, part)
  local word, as_it_should = row_of.verdict(row)
  local time = row_of.time(row, part) or {}
  return {verdict = word, verified = row_of.is_verified(row), good = as_it_should, row = row,
          extrapolated = row.times and row.times.extrapolated or nil, seconds = time.median,
          size = problem.size(row), host_clock = word == "verified" and row_of.time(row, "kernel") ~= nil
            and row.times.clock == "host" or nil, spread = (time.count or 0) > 1 and time.spread or nil}
end

-- Whether a list of times can be used for ratios.
local function is_time(values)
  for _, value in ipairs(values) do
    if not (value > 0 and value < math.huge) then return false end
  end
  return #values > 0
end

-- Whether an interval contains 1 as it is printed, with two decimals. What varies within a run says nothing of
-- smaller differences between two runs.
local function reaches_one(gain)
  local function rounded(ratio) return math.floor(ratio * 100 + 0.5) / 100 end
  return rounded(gain.low) <= 1 and rounded(gain.high) >= 1
end

--- How two series of times compare.
-- @tparam {number,...} a seconds
-- @tparam {number,...} b seconds
-- @treturn table ratio, low, high (see @{clue.result.statistics.gain}); difference: true, false, or nil if there are
--   too few runs to know. nil if one of them has no times
function walks.gain(a, b)
  if not (a and b and is_time(a) and is_time(b)) then return nil end
  local it = statistics.gain(a, b)
  if it.low then it.difference = statistics.differs(it) and not reaches_one(it) end
  return it
end

-- ---- the comparison of rows that compute different problems ----

-- Nanoseconds for each operation, or for each byte, of every run.
local function relative(row, part)
  local work = row_of.work(row)
  local times = work and work > 0 and row.times[part]
  if not times then return nil end
  local list = {}
  for i, seconds in ipairs(times) do list[i] = seconds / work * 1e9 end
  return list
end

-- Whether two rows' speeds can be compared although their problems differ.
local function have_speeds(a, b)
  return row_of.is_verified(a) and row_of.is_verified(b) and row_of.rate(a) ~= nil
    and row_of.rate(a) == row_of.rate(b) and row_of.speed(a) ~= nil and row_of.speed(b) ~= nil
end

local function differ(a, b)
  local mine, theirs = problem.of(a), problem.of(b)
  return mine and theirs and mine ~= theirs
end

-- ---- pairs of rows ----

local function add_gains(pair, a, b, times_of)
  pair.gain = walks.gain(times_of(a, pair.part), times_of(b, pair.part))
  pair.kernel = pair.part ~= "kernel" and walks.gain(times_of(a, "kernel"), times_of(b, "kernel")) or nil
  local one, other = row_of.source(a), row_of.source(b)
  pair.changed = one ~= "" and other ~= "" and one ~= other or nil
end

local function add_speeds(pair, a, b)
  pair.by_speed = {unit = row_of.rate(a), a = row_of.speed(a, pair.part), b = row_of.speed(b, pair.part),
                   problem = problem.words(b)}
end

local function pair_of(a, b, swept)
  local part = part_of({a, b}, swept)
  local pair = {number = a.number, name = a.name, study = a.study, part = part,
                problem = problem.words(problem.of(a) and a or b), a = side_of(a, part), b = side_of(b, part)}
  if tostring(b.number) ~= tostring(a.number) or b.name ~= a.name then
    pair.other = {number = b.number, name = b.name}
  end
  local by_speed = differ(a, b) and have_speeds(a, b)
  if by_speed then add_speeds(pair, a, b) end
  if pair.a.verified and pair.b.verified and a.times and b.times then
    add_gains(pair, a, b, by_speed and relative or function(row, which) return row.times[which] end)
  end
  pair.lost, pair.won = pair.a.verified and not pair.b.verified, pair.b.verified and not pair.a.verified
  return pair
end

-- How the problem differs if both files have the step.
local function alone(row, others, at)
  local entry = {number = row.number, name = row.name, study = row.study, problem = problem.words(row),
                 verdict = (row_of.verdict(row)), point = at}
  for _, other in ipairs(others) do
    if row_of.key(other) == row_of.key(row) then entry.other = problem.words(other) end
  end
  return entry
end

-- Whether a pair of rows has something to tell: of different problems, the speeds, or that one is not verified.
local function can_be_a_pair(a, b)
  return not differ(a, b) or have_speeds(a, b) or not (row_of.is_verified(a) and row_of.is_verified(b))
end

-- From the strictest to the loosest.
local function tests_for(how)
  local function or_by_speed(test)
    return function(a, b) return test(a, b) and can_be_a_pair(a, b) end
  end
  local tests = {fits, or_by_speed(function(a, b) return row_of.key(a) == row_of.key(b) end)}
  if how.copies then -- an edited step may have another name
    tests[#tests + 1] = or_by_speed(function(a, b)
      return tostring(a.number) == tostring(b.number) and a.study == b.study
    end)
  end
  if how.any then tests[#tests + 1] = or_by_speed(function() return true end) end
  return tests
end

local function partners_of(a, b, how)
  local partner, used = {}, {}
  for _, test in ipairs(tests_for(how)) do
    for _, row in ipairs(a) do
      partner[row] = partner[row] or unused(b, used, function(candidate) return test(row, candidate) end)
      if partner[row] then used[partner[row]] = true end
    end
  end
  return partner, used
end

local function match_rows(a, b, section, how, at)
  local partner, used = partners_of(a, b, how)
  for _, row in ipairs(a) do
    if partner[row] then
      local pair = pair_of(row, partner[row], at ~= nil)
      pair.point = at
      section.pairs[#section.pairs + 1] = pair
    else
      section.only_a[#section.only_a + 1] = alone(row, b, at)
    end
  end
  for _, row in ipairs(b) do
    if not used[row] then section.only_b[#section.only_b + 1] = alone(row, a, at) end
  end
end

-- ---- the points of sweeps ----

local function label_of(one, other)
  local mine = one and one.point and point.label(one.point) or ""
  local theirs = other and other.point and point.label(other.point) or ""
  if mine == theirs or theirs == "" then return mine ~= "" and mine or nil end
  return mine == "" and theirs or mine .. " | " .. theirs
end

-- The runs of one side that have no partner yet.
local function left(runs, taken)
  local list = {}
  for _, run in ipairs(runs) do
    if not taken[run] then list[#list + 1] = run end
  end
  return list
end

-- Runs at the same point belong together. What is left does if that leaves no choice: one run on each side, or one
-- with these parameters, at another size.
local function pair_points(a, b, documents)
  local partner, taken = {}, {}
  local function take(run, other)
    partner[run], taken[run], taken[other] = other, true, true
  end
  local function match(without_size)
    local function key(run, side) return point.key(problem.point(run, documents[side]), without_size) end
    local rest, others = left(a, taken), left(b, taken)
    for _, run in ipairs(rest) do
      local found, same = {}, 0
      for _, other in ipairs(others) do
        if not taken[other] and key(other, 2) == key(run, 1) then found[#found + 1] = other end
      end
      for _, other in ipairs(rest) do same = same + (key(other, 1) == key(run, 1) and 1 or 0) end
      if found[1] and (not without_size or #found == 1 and same == 1) then take(run, found[1]) end
    end
  end
  match(false)
  match(true)
  local rest, others = left(a, taken), left(b, taken)
  if #rest == 1 and #others == 1 then take(rest[1], others[1]) end
  local list = {}
  for _, run in ipairs(a) do list[#list + 1] = {run, partner[run]} end
  for _, run in ipairs(left(b, taken)) do list[#list + 1] = {nil, run} end
  return list
end

-- ---- whole documents ----

-- The runs of each device.
local function by_device(runs)
  local groups = grouped(runs or {}, function(run) return run.device end)
  for _, group in ipairs(groups) do group.device = group.key end
  return groups
end

local function section_of(name, groups, documents, how)
  local section = {walkthrough = name, alone = how.alone, pairs = {}, only_a = {}, only_b = {}}
  for side, letter in ipairs {"a", "b"} do
    section[letter] = groups[side] and conditions.device(documents[side], groups[side].device)
  end
  for _, runs in ipairs(pair_points(groups[1] or {}, groups[2] or {}, documents)) do
    match_rows((runs[1] or {}).rows or {}, (runs[2] or {}).rows or {}, section, how, label_of(runs[1], runs[2]))
  end
  return section
end

local function keys_of(walkthrough)
  local keys = {}
  for _, run in ipairs(walkthrough.runs or {}) do
    for _, row in ipairs(run.rows or {}) do keys[row_of.key(row)] = true end
  end
  return keys
end

local function share_a_step(one, other)
  local keys = keys_of(one)
  for key in pairs(keys_of(other)) do
    if keys[key] then return true end
  end
  return false
end

-- The walkthrough of B for each of A: of the same name; else of the same title, as a copy has; else the only one that
-- is left, if it has a step of the other.
local function partners_by_walkthrough(a, b, how)
  local partner, taken = {}, {}
  local function take(test)
    for _, one in ipairs(a) do
      local other = not partner[one] and unused(b, taken, function(candidate) return test(one, candidate) end)
      if other then partner[one], taken[other] = other, true end
    end
  end
  take(function(one, other) return one.name == other.name end)
  for _, way in ipairs(copy_of.ways) do take(way) end
  local rest, others = {}, {}
  for _, one in ipairs(a) do rest[#rest + 1] = not partner[one] and one or nil end
  for _, one in ipairs(b) do others[#others + 1] = not taken[one] and one or nil end
  if #rest == 1 and #others == 1 and (how.any or share_a_step(rest[1], others[1])) then
    partner[rest[1]], taken[others[1]] = others[1], true
  end
  return partner, taken
end

--- Compares.
-- @tparam table a document of `clue walk --json`
-- @tparam table b likewise
-- @tparam[opt] table how any: true if a single step of each is compared, whatever its number
-- @treturn {table,...} sections: walkthrough; a and b: the devices; alone: "a" or "b" if only that document has the
--   walkthrough; pairs: {number, name, study, problem, part: the
--   time that they are judged by, "total" or "kernel"; a, b: {verdict, verified, seconds (median of that time),
--   spread}; gain: of b over a; kernel: the gain of the kernel alone, unless that is the part; changed: whether the
--   kernels differ, lost, won; other: number and name in b, if they differ; point: of a sweep, in words; by_speed:
--   unit, a, b and b's problem if the problems differ: then gains are those of speeds}; only_a, only_b: {number,
--   name, problem, verdict, point, other: the problem on the other side}
function walks.compare(a, b, how)
  local documents, sections = {a, b}, {}
  local partner, taken = partners_by_walkthrough(a.walkthroughs, b.walkthroughs, how or {})
  local function add(one, other)
    local copies = one and other and one.name ~= other.name
    local name = copies and ("%s against %s"):format(one.name, other.name) or (one or other).name
    local its = {any = how and how.any, copies = copies, alone = not other and "a" or not one and "b" or nil}
    for _, groups in ipairs(pair_runs(by_device(one and one.runs), by_device(other and other.runs), documents)) do
      sections[#sections + 1] = section_of(name, groups, documents, its)
    end
  end
  for _, walkthrough in ipairs(a.walkthroughs) do add(walkthrough, partner[walkthrough]) end
  for _, walkthrough in ipairs(b.walkthroughs) do
    if not taken[walkthrough] then add(nil, walkthrough) end
  end
  return sections
end

return walks
