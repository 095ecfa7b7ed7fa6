--- Options against options: the rows of A and B at each point, their times, and the verdict. The terminal and the
-- report show the same: times and gain are of the runs in turn, where there are any, since both are from one moment.
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local match = require "clue.result.match"
local point = require "clue.result.point"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"

local sides = {}

--- The rows of A and B at each point.
-- @tparam {table,...} list of @{clue.show.sweep.results.of}
-- @treturn {table,...} point, a, b: rows; gain of b over a
function sides.pairs_of(list)
  local lists, found = {{}, {}}, {}
  for _, each in ipairs(list) do table.insert(lists[each.point.side == "B" and 2 or 1], each) end
  local function key(each)
    return ("%s|%s|%s"):format(each.point.size or "", tostring(each.row.number), point.key {set = each.point.set})
  end
  for _, group in ipairs(match.by_key(lists, key)) do
    local a, b = group[1], group[2]
    if a and b then found[#found + 1] = {point = a.point, a = a.row, b = b.row, gain = b.row.gain} end
  end
  return found
end

--- Options in words.
-- @tparam string options
-- @treturn string
function sides.text(options)
  return options == "" and "no further options" or options
end

--- The times of a side: of the runs in turn; without any, of its row.
-- @tparam table pair
-- @tparam string side "a" or "b"
-- @treturn ?table seconds, see @{clue.result.statistics.of}; nil if there are none, or they do not count
function sides.time(pair, side)
  local row, gain = pair[side], pair.gain
  local in_turn = gain and statistics.of(gain[side == "a" and "before" or "now"])
  return in_turn or row_of.counts(row) and row_of.time(row) or nil
end

--- Which side is faster.
-- @tparam table pair
-- @treturn ?string nil if both are right, but were not compared
function sides.verdict(pair)
  for _, side in ipairs {"a", "b"} do
    local word = row_of.verdict(pair[side])
    if word ~= "verified" then return ("%s: %s"):format(side:upper(), word) end
  end
  local verdict = gains.verdict(pair.gain)
  return verdict and verdict .. (pair.gain.disturbed and ", disturbed" or "")
end

--- Which pairs other work disturbed.
-- @tparam {table,...} all of @{pairs_of}
-- @tparam function label takes a point, returns its text
-- @treturn {string,...}
function sides.disturbed(all, label)
  local lines = {}
  local function by_itself(pair, side)
    return figures.milliseconds(row_of.seconds(pair[side], pair.gain.part))
  end
  for _, pair in ipairs(all) do
    if pair.gain and pair.gain.disturbed then
      local at = label(pair.point)
      lines[#lines + 1] = ("step %s, %s%s: other work disturbed it: by itself, A took %s ms and B %s ms, which "
        .. "contradicts the runs in turn; --until-stable measures again until both agree"):format(
        tostring(pair.a.number), pair.a.name or "?", at ~= "" and (" (%s)"):format(at) or "", by_itself(pair, "a"),
        by_itself(pair, "b"))
    end
  end
  return lines
end

return sides
