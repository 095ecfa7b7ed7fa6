--- What belongs together in several documents: walkthroughs, devices, points of sweeps, rows. Each document, or each
-- device of one, is a column. A group has at most one thing of each: {[column] = thing}.
--
-- Things of one key belong together. What is left is joined by looser and looser tests: a copy of a walkthrough has
-- another name, an edited step, too, and rows of different problems can be compared if they have speeds.
local find_device = require("clue.result.device").find
local grouped = require("clue.shared.list").grouped
local point = require "clue.result.point"
local row_of = require "clue.result.row"
local some = require("clue.shared.list").any

local match = {}

-- ---- groups ----

--- Groups by a key. A thing that its column has again is in a group of its own.
-- @tparam {table,...} lists for each column, its things
-- @tparam function key_of key_of(thing, column): a text
-- @treturn {table,...} groups, in the order of their first things
function match.by_key(lists, key_of)
  local groups, found = {}, {}
  for c, list in ipairs(lists) do
    local times = {}
    for _, thing in ipairs(list) do
      local key = key_of(thing, c)
      times[key] = (times[key] or 0) + 1
      key = ("%s|%d"):format(key, times[key])
      if not found[key] then
        found[key] = {}
        groups[#groups + 1] = found[key]
      end
      found[key][c] = thing
    end
  end
  return groups
end

--- The first thing of a group.
-- @tparam table group
-- @tparam int count of columns
-- @return a thing
-- @treturn int its column
function match.first(group, count)
  for c = 1, count do
    if group[c] ~= nil then return group[c], c end
  end
end

local function is_full(group, count)
  for c = 1, count do
    if group[c] == nil then return false end
  end
  return true
end

-- Whether no column is in both, and all their things pass the test with each other.
local function fit(group, other, count, test)
  for c = 1, count do
    if group[c] ~= nil and other[c] ~= nil then return false end
  end
  for c, thing in pairs(group) do
    for d, another in pairs(other) do
      if not test(thing, another, c, d) then return false end
    end
  end
  return true
end

local function absorb(group, other)
  for c, thing in pairs(other) do group[c] = thing end
end

-- Joins each group with the first one before it that fits. A full one needs no other, so the lists stay short.
local function joined(groups, count, test)
  local list, open = {}, {}
  for _, group in ipairs(groups) do
    local into
    for _, earlier in ipairs(open) do into = into or fit(earlier, group, count, test) and earlier end
    if into then
      absorb(into, group)
    else
      list[#list + 1] = group
      if not is_full(group, count) then open[#open + 1] = group end
    end
  end
  return list
end

-- Joins the groups that lack a column and have one key, if that leaves no choice: no column is in two of them.
local function joined_without_choice(groups, count, key_of, test)
  local open, gone, list = {}, {}, {}
  for _, group in ipairs(groups) do open[#open + 1] = not is_full(group, count) and group or nil end
  for _, same in ipairs(grouped(open, key_of)) do
    local whole, fits = {}, true
    for _, group in ipairs(same) do
      fits = fits and fit(whole, group, count, test)
      if fits then absorb(whole, group) end
    end
    for i = 1, fits and #same or 0 do gone[same[i]] = i > 1 end
    if fits then absorb(same[1], whole) end
  end
  for _, group in ipairs(groups) do list[#list + 1] = not gone[group] and group or nil end
  return list
end

local function any() return true end

-- ---- walkthroughs ----

-- By `clue new`.
local function have_one_origin(one, other)
  return (one.from or one.name) == (other.from or other.name)
end

-- Made by hand.
local function have_one_title(one, other)
  return one.title ~= nil and one.title == other.title
end

local function keys_of(walkthrough)
  local keys = {}
  for _, each in ipairs(row_of.all {walkthrough}) do keys[row_of.key(each.row)] = true end
  return keys
end

local function share_a_step(one, other)
  local keys = keys_of(one)
  for key in pairs(keys_of(other)) do
    if keys[key] then return true end
  end
  return false
end

--- Which walkthroughs belong together: those of one name; copies, by their origin or title; and what is left, if that
-- is one for each column and they share a step.
-- @tparam {table,...} lists for each column, its walkthroughs
-- @tparam[opt] table how any: true if the last ones need not share a step
-- @treturn {table,...} groups
function match.walkthroughs(lists, how)
  local groups = match.by_key(lists, function(it) return it.name end)
  for _, test in ipairs {have_one_origin, have_one_title} do groups = joined(groups, #lists, test) end
  return joined_without_choice(groups, #lists, function() return "" end, how and how.any and any or share_a_step)
end

-- ---- devices ----

--- Which runs belong together if each document may be of other devices: those of one device; of devices of one name;
-- then the rest, in order.
-- @tparam {table,...} lists for each column, its runs
-- @tparam {table,...} documents for each column
-- @treturn {table,...} groups of lists of runs, each with key: the device's address
function match.devices(lists, documents)
  local of_devices = {}
  for c, runs in ipairs(lists) do of_devices[c] = grouped(runs, function(run) return run.device end) end
  local function name(runs, c) return (find_device(documents[c], runs.key) or {}).name or "" end
  local groups = match.by_key(of_devices, function(runs, c) return ("%s|%s"):format(name(runs, c), runs.key) end)
  groups = joined(groups, #lists, function(one, other, c, d) return name(one, c) == name(other, d) end)
  return joined(groups, #lists, any)
end

-- ---- the points of sweeps ----

-- Runs at the same point belong together. What is left does if that leaves no choice: a run of each column, or one with
-- these parameters, at another size.
local function points_of(lists, documents)
  local function key(without_size)
    return function(run, c) return point.key(point.of(run, documents[c]), without_size) end
  end
  local count, groups = #lists, match.by_key(lists, key(false))
  groups = joined_without_choice(groups, count, function(group) return key(true)(match.first(group, count)) end, any)
  return joined_without_choice(groups, count, function() return "" end, any)
end

-- The points in words: those of sweeps, or else what the options were, if others of the list have points.
local function label_of(group, documents, has_points)
  local words, seen = {}, {}
  for c in ipairs(documents) do
    local text = group[c] and group[c].point and point.label(group[c].point) or ""
    if text ~= "" and not seen[text] then words[#words + 1], seen[text] = text, true end
  end
  if words[1] or not has_points then return words[1] and table.concat(words, " | ") end
  local run, c = match.first(group, #documents)
  local text = point.label(point.of(run, documents[c]))
  return text ~= "" and text or nil
end

-- ---- rows ----

local function have_one_key(a, b) return row_of.key(a) == row_of.key(b) end

local function differ(a, b)
  local mine, theirs = point.problem_key(a), point.problem_key(b)
  return mine and theirs and mine ~= theirs
end

-- Whether two rows' speeds can be compared although their problems differ.
local function have_speeds(a, b)
  return row_of.is_verified(a) and row_of.is_verified(b) and row_of.rate(a) ~= nil
    and row_of.rate(a) == row_of.rate(b) and row_of.speed(a) ~= nil and row_of.speed(b) ~= nil
end

-- Whether rows have something to tell of each other: of different problems, the speeds, or that one is not verified.
local function can_be_compared(a, b)
  return not differ(a, b) or have_speeds(a, b) or not (row_of.is_verified(a) and row_of.is_verified(b))
end

-- From the strictest to the loosest.
local function tests_for(how)
  local tests = {have_one_key}
  if how.copies then -- an edited step may have another name
    tests[2] = function(a, b) return tostring(a.number) == tostring(b.number) and a.study == b.study end
  end
  if how.any then tests[#tests + 1] = any end
  for i, test in ipairs(tests) do
    tests[i] = function(a, b) return test(a, b) and can_be_compared(a, b) end
  end
  table.insert(tests, 1, function(a, b) return have_one_key(a, b) and not differ(a, b) end)
  return tests
end

-- The groups of some runs' rows, those of one step beside each other: rows, others (the step's rows that cannot be
-- compared with these).
local function rows_at(group, count, how)
  local lists, list = {}, {}
  for c = 1, count do lists[c] = (group[c] or {}).rows or {} end
  local groups = match.by_key(lists, function(row) return row_of.key(row) .. "|" .. (point.problem_key(row) or "") end)
  for _, test in ipairs(tests_for(how)) do groups = joined(groups, count, test) end
  for _, same in ipairs(grouped(groups, function(rows) return row_of.key((match.first(rows, count))) end)) do
    for _, rows in ipairs(same) do
      local it = {rows = rows, others = {}}
      for _, other in ipairs(same) do
        if differ(match.first(rows, count), match.first(other, count)) then it.others[#it.others + 1] = other end
      end
      list[#list + 1] = it
    end
  end
  return list
end

--- Which rows belong together.
-- @tparam {table,...} lists for each column, its runs
-- @tparam {table,...} documents for each column
-- @tparam[opt] table how any: true if a single step of each is compared, whatever its number; copies: true if the
--   walkthroughs are copies
-- @treturn {table,...} rows: {[column] = row}; others: the same for rows of this step that computed other problems,
--   whose figures cannot be compared; at: the point of a sweep, in words
function match.rows(lists, documents, how)
  local all, has_points = {}, false
  for _, runs in ipairs(lists) do has_points = has_points or some(runs, function(run) return run.point end) end
  for _, group in ipairs(points_of(lists, documents)) do
    local at = label_of(group, documents, has_points)
    for _, it in ipairs(rows_at(group, #documents, how or {})) do
      it.at = at
      all[#all + 1] = it
    end
  end
  return all
end

return match
