--- Which rows of a walkthrough can be ranked against each other, which is the fastest of them, and how far the author
-- was from it.
--
-- Rows compete if they belong to one study, have one unit, and solve one problem. A copy of global memory does not
-- compete with reads of local memory or with transfers, nor a histogram with a picture. Products of different sizes do
-- compete: a problem whose size is told in numbers (row.size) is one in all sizes.
--
-- Parameters with one meaning everywhere: rows, those of one device.
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"
local turns = require "clue.result.turns"

local fastest = {}

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
function fastest.compete(a, b)
  return key_of(a) == key_of(b)
end

local function add(it, row)
  local better = not it.row and 1 or rank(row) - rank(it.row)
  if better > 0 then it.entrants = 0 end
  if better >= 0 then it.entrants = it.entrants + 1 end
  if better > 0 or better == 0 and row_of.speed(row) > row_of.speed(it.row) then it.row = row end
end

-- ---- how rows compare ----

-- The verdict on a row beside another one: of their runs in turn. If these lead over other rows, and vary too much to
-- tell, a row that is slower by the times of each by itself does not count as one that may be faster.
local function word(in_turn, row, other)
  local gain = in_turn(row, other)
  local said = gains.word(gain)
  if said ~= "unclear" or gain.length == 1 then return said end
  local part = row_of.judged(row)
  local by_itself = part == row_of.judged(other) and gains.of(other.times[part], row.times[part])
  return by_itself and by_itself.word == "worse" and "worse" or said
end

-- The rows beside one on which there is a verdict.
local function those(said, in_turn, row, rows)
  return lists.filter(rows, function(each)
    return each ~= row and rank(each) == rank(row) and word(in_turn, each, row) == said
  end)
end

-- Gains are of runs in turn, medians of runs that other work may have disturbed. So the row of the best median gives
-- way to one that gains over it.
local function best_of(in_turn, row, rows)
  local seen = {}
  repeat
    seen[row] = true
    local better = those("better", in_turn, row, rows)[1]
    row = better or row
  until seen[row]
  return row
end

--- The contests of some rows, each of those that can be ranked against each other.
-- @treturn {table,...} in the order of their first rows: study, unit, rows (those with a speed); row: the fastest;
--   equal: those that make no difference from it by runs in turn, and that no other gains over; unclear: those that
--   may be faster, likewise; problem: in words, if the study has several; entrants: how many rows it is ranked
--   with, itself included: loops of the host's and limits only if there are no others
function fastest.of(rows)
  local with_speed = lists.filter(rows, function(row) return row_of.rate(row) and row_of.speed(row) end)
  local list, of_study, in_turn = {}, {}, turns.between(rows)
  for i, same in ipairs(lists.grouped(with_speed, key_of)) do
    local it = {study = same[1].study, unit = row_of.rate(same[1]), rows = same}
    for _, row in ipairs(same) do add(it, row) end
    it.row = best_of(in_turn, it.row, same)
    local function is_unbeaten(row) return not those("better", in_turn, row, same)[1] end
    it.equal = lists.filter(those("same", in_turn, it.row, same), is_unbeaten)
    it.unclear = lists.filter(those("unclear", in_turn, it.row, same), is_unbeaten)
    list[i], of_study[it.study or ""] = it, (of_study[it.study or ""] or 0) + 1
  end
  for _, it in ipairs(list) do it.problem = of_study[it.study or ""] > 1 and it.row.problem or nil end
  return list
end

--- The contests that are worth naming: those with several entrants; or the only one.
-- @treturn {table,...} as from @{of}
function fastest.named(rows)
  local all = fastest.of(rows)
  return lists.filter(all, function(it) return it.entrants > 1 or #all == 1 end)
end

--- The rows that won against others, and those that are as fast.
-- @treturn table set of rows
function fastest.winners(rows)
  local set = {}
  for _, it in ipairs(fastest.of(rows)) do
    if it.entrants > 1 then set[it.row] = true end
    for _, row in ipairs(it.equal) do set[row] = true end
  end
  return set
end

-- ---- how far the author was from what the hardware can do ----
--
-- His steps beside those that go on where he stopped, by the part of the time by which steps are compared.

local function quickest(in_turn, rows, test)
  local some = lists.filter(rows, test)
  local row = lists.best(some, row_of.speed)
  return row and best_of(in_turn, row, some)
end

local function is_authors(row) return not row.beyond end
local function is_step(row) return row.beyond and not row.best end

-- The shares of one study's rows, all of one unit.
local function of_study(in_turn, rows)
  local best = quickest(in_turn, rows, function() return true end)
  local author = quickest(in_turn, rows, is_authors)
  local goes_on = lists.any(rows, function(row) return row.beyond end)
  if not (author and goes_on) then return nil end
  local function part(row)
    if not row then return nil end
    local speed, gain = row_of.speed(row), in_turn(row, best)
    local share = speed / row_of.speed(best)
    return {number = row.number, speed = speed, share = row_of.contradict(gain, share) and gain.ratio or share}
  end
  local step = quickest(in_turn, rows, is_step)
  return {study = best.study, unit = row_of.rate(best), best = best.number, name = best.name,
          speed = row_of.speed(best), author = part(author),
          same = word(in_turn, author, best) == "same" or nil, step = step ~= best and part(step) or nil}
end

--- The shares of the fastest row that the author's steps and those beyond them reach.
-- @tparam {table,...} rows of one device
-- @treturn {table,...} for each study that goes beyond its author: best (the number of the fastest row), name, speed,
--   unit, study; same: true if runs by turns show no difference of the author's fastest from it; author and step (the
--   fastest of the author's, and of those beyond without "best here" and libraries; step: nil if it is the best):
--   number, speed, share (0 to 1)
function fastest.shares(rows)
  local counting = lists.filter(rows, function(row)
    return row_of.speed(row) and not row.limit and not row_of.is_of_host(row)
  end)
  local in_turn = turns.between(rows)
  return lists.map(lists.grouped(counting, function(row)
    return ("%s|%s|%s"):format(row.study or "", row_of.rate(row), row.problem or "")
  end), function(study) return of_study(in_turn, study) end)
end

local function sentence(each)
  if each.author.number == each.best then return ("the author's step %s is the fastest here"):format(each.best) end
  if each.same then
    return ("the author's step %s is as fast as the fastest here (step %s, %s: %s %s)"):format(each.author.number,
      each.best, each.name, figures.number(each.speed), each.unit)
  end
  local step = each.step and (", step %s reached %s"):format(each.step.number, figures.share(each.step.share)) or ""
  return ("the author reached %s (step %s) of the fastest here (step %s, %s: %s %s)%s"):format(
    figures.share(each.author.share), each.author.number, each.best, each.name, figures.number(each.speed), each.unit,
    step)
end

--- The same in words.
-- @tparam {table,...} rows of one device
-- @treturn {string,...} "by kernel time, the author reached 1.6 % (step 8) of the fastest here (step 20, best_here:
--   51200 GFLOPS), step 18 reached 56 %"
function fastest.share_lines(rows)
  local list = fastest.shares(rows)
  return lists.map(list, function(each)
    return (#list > 1 and each.study and each.study .. ": " or "") .. "by kernel time, " .. sentence(each)
  end)
end

return fastest
