--- Which rows of a walkthrough can be ranked against each other, and which is the fastest of them.
--
-- Rows compete if they belong to one study, have one unit, and solve one problem. A copy of global memory does not
-- compete with reads of local memory or with transfers, nor a histogram with a picture. Products of different sizes do
-- compete: a problem whose size is told in numbers (row.size) is one in all sizes.
--
-- Parameters with one meaning everywhere: rows, those of one device.
local lists = require "clue.shared.list"
local gains = require "clue.result.gain"
local row_of = require "clue.result.row"

local contest = {}

-- "k m n" for a product; the problem's words if its size is not told in numbers.
local function kind_of(row)
  if type(row.size) ~= "table" then return row.problem or "" end
  return table.concat(lists.keys(row.size), " ")
end

-- What a step is measured against, such as a copy, is no step; and a loop of the host's is not on the device.
local function rank(row)
  return row_of.is_of_host(row) and 1 or row.limit and 2 or 3
end

local function key_of(row)
  return ("%s|%s|%s"):format(row.study or "", row_of.rate(row) or "", kind_of(row))
end

--- Whether two rows can be ranked against each other.
-- @tparam table a
-- @tparam table b
function contest.compete(a, b)
  return key_of(a) == key_of(b)
end

local function add(it, row)
  local better = not it.row and 1 or rank(row) - rank(it.row)
  if better > 0 then it.entrants = 0 end
  if better >= 0 then it.entrants = it.entrants + 1 end
  if better > 0 or better == 0 and row_of.speed(row) > row_of.speed(it.row) then it.row = row end
end

-- What a row's gain says of it and another row: "better", "worse", "same", "unsure"; nil if the gain is not over that.
local function word(row, other)
  return row.gain and row.gain.over == other.number and gains.word(row.gain) or nil
end

local function is_better(row, other) return word(row, other) == "better" or word(other, row) == "worse" end

local function is_same(row, other) return word(row, other) == "same" or word(other, row) == "same" end

-- The rows beside one for which a test holds.
local function those(is, row, rows)
  return lists.filter(rows, function(each) return each ~= row and rank(each) == rank(row) and is(each, row) end)
end

-- Gains are of runs by turns, medians of runs that other work may have disturbed. So the row of the best median gives
-- way to one that gains over it.
local function fastest(row, rows)
  local seen = {}
  repeat
    seen[row] = true
    local better = those(is_better, row, rows)[1]
    row = better or row
  until seen[row]
  return row
end

--- The contests of some rows.
-- @treturn {table,...} in the order of their first rows: study, unit, rows (those with a speed); row: the fastest;
--   equal: those that make no difference from it, by their gain or its; problem: in words, if the study has several;
--   entrants: how many rows it is ranked with, itself included: loops of the host's and limits only if there are no
--   others
function contest.of(rows)
  local with_speed = lists.filter(rows, function(row) return row_of.rate(row) and row_of.speed(row) end)
  local list, of_study = {}, {}
  for i, same in ipairs(lists.grouped(with_speed, key_of)) do
    local it = {study = same[1].study, unit = row_of.rate(same[1]), rows = same}
    for _, row in ipairs(same) do add(it, row) end
    it.row = fastest(it.row, same)
    it.equal = those(is_same, it.row, same)
    list[i], of_study[it.study or ""] = it, (of_study[it.study or ""] or 0) + 1
  end
  for _, it in ipairs(list) do it.problem = of_study[it.study or ""] > 1 and it.row.problem or nil end
  return list
end

--- The contests that are worth naming: those with several entrants; or the only one.
-- @treturn {table,...} as from @{of}
function contest.named(rows)
  local all = contest.of(rows)
  return lists.filter(all, function(it) return it.entrants > 1 or #all == 1 end)
end

--- The rows that won against others, and those that are as fast.
-- @treturn table set of rows
function contest.winners(rows)
  local set = {}
  for _, it in ipairs(contest.of(rows)) do
    if it.entrants > 1 then set[it.row] = true end
    for _, row in ipairs(it.equal) do set[row] = true end
  end
  return set
end

return contest
