--- How far the author was from what the hardware can do: his steps beside those that go on where he stopped. By the
-- part of the time by which steps are compared.
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local share = {}

local function fastest(rows, test)
  local best
  for _, row in ipairs(rows) do
    if test(row) and (not best or row_of.speed(row) > row_of.speed(best)) then best = row end
  end
  return best
end

local function is_authors(row) return not row.beyond end
local function is_step(row) return row.beyond and not row.best end

-- The shares of one study's rows, all of one unit.
local function of_study(rows)
  local best, author = fastest(rows, function() return true end), fastest(rows, is_authors)
  local goes_on = fastest(rows, function(row) return row.beyond end)
  if not (author and goes_on) then return nil end
  local function part(row)
    return row and {number = row.number, speed = row_of.speed(row), share = row_of.speed(row) / row_of.speed(best)}
  end
  local step = fastest(rows, is_step)
  return {study = best.study, unit = row_of.rate(best), best = best.number, name = best.name,
          speed = row_of.speed(best), author = part(author), step = step ~= best and part(step) or nil}
end

--- The shares of the fastest row that the author's steps and those beyond them reach.
-- @tparam {table,...} rows of one device
-- @treturn {table,...} for each study that goes beyond its author: best (the number of the fastest row), name, speed,
--   unit, study; author and step (the fastest of the author's, and of those beyond without "best here" and libraries;
--   step: nil if it is the best): number, speed, share (0 to 1)
function share.of(rows)
  local counting = lists.filter(rows, function(row) return row_of.speed(row) and not row.limit end)
  return lists.map(lists.grouped(counting, function(row)
    return ("%s|%s|%s"):format(row.study or "", row_of.rate(row), row.problem or "")
  end), of_study)
end

--- A share in words.
-- @tparam number part 0 to 1
-- @treturn string "1.6 %", "56 %"; "over 100 %" of a limit that was measured too low
function share.percent(part)
  if part > 1 then return "over 100 %" end
  return (part < 0.1 and "%.1f %%" or "%.0f %%"):format(part * 100)
end

local function sentence(each)
  if each.author.number == each.best then return ("the author's step %s is the fastest here"):format(each.best) end
  local step = each.step and (", step %s reached %s"):format(each.step.number, share.percent(each.step.share)) or ""
  return ("the author reached %s (step %s) of the fastest here (step %s, %s: %s %s)%s"):format(
    share.percent(each.author.share), each.author.number, each.best, each.name, figures.number(each.speed), each.unit,
    step)
end

--- The same in words.
-- @tparam {table,...} rows of one device
-- @treturn {string,...} "by kernel time, the author reached 1.6 % (step 8) of the fastest here (step 20, best_here:
--   51200 GFLOPS), step 18 reached 56 %"
function share.lines(rows)
  local list = share.of(rows)
  return lists.map(list, function(each)
    return (#list > 1 and each.study and each.study .. ": " or "") .. "by kernel time, " .. sentence(each)
  end)
end

return share
