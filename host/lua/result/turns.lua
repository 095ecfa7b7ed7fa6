--- How two rows of a run compare by runs in turn, also if they did not take turns with each other: where step 3 took
-- turns with step 2, and 2 with 1, the gain of 3 over 1 is the product of both gains. Medians are of each row by
-- itself, so other work may have disturbed one of them.
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local turns = {}

-- A row, the row that its gain is over, and so on, while the gains are of runs in turn.
local function line_of(rows, row)
  local line, seen = {}, {}
  while row and not seen[row] do
    line[#line + 1], seen[row] = row, true
    row = row.gain and row.gain.low and row_of.base(rows, row)
  end
  return line
end

local function inverse(gain)
  return {ratio = 1 / gain.ratio, low = 1 / gain.high, high = 1 / gain.low, part = gain.part}
end

-- The gains that lead from a row to another one, by the lines of both.
local function way(line, other)
  local place_of, gains = {}, {}
  for place, row in ipairs(other) do place_of[row] = place end
  for _, row in ipairs(line) do
    if place_of[row] then
      for i = 1, place_of[row] - 1 do gains[#gains + 1] = inverse(other[i].gain) end
      return gains
    end
    gains[#gains + 1] = row.gain
  end
  return {}
end

-- Their errors are independent, as each is of runs of its own: so the squares of the distances to the intervals' ends,
-- in logarithms, add up.
local function product(gains)
  local function distance(from, to)
    return math.sqrt(lists.sum(gains, function(gain) return math.log(gain[to] / gain[from])^2 end))
  end
  local ratio = lists.sum(gains, function(gain) return math.log(gain.ratio) end)
  return {ratio = math.exp(ratio), low = math.exp(ratio - distance("low", "ratio")),
          high = math.exp(ratio + distance("ratio", "high")), length = #gains}
end

--- What compares rows of a run by runs in turn.
-- @tparam {table,...} rows
-- @treturn function takes two of them; returns the gain of the first over the second: ratio, low, high, and length, of
--   how many gains it is the product; nil if no gains by one part of the time lead from one to the other
function turns.between(rows)
  local lines = {}
  for _, row in ipairs(rows) do lines[row] = line_of(rows, row) end
  return function(row, other)
    local gains = way(lines[row], lines[other])
    local is_by_one_part = not lists.any(gains, function(gain) return gain.part ~= gains[1].part end)
    return gains[1] and is_by_one_part and product(gains) or nil
  end
end

return turns
