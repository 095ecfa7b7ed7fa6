--- The chart of a walkthrough's steps in the terminal: a bar for each speed, beside it what the step changes.
-- @module clue.show.walk.bars
local chart = require "clue.show.chart"
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"
local tables = require "clue.table"

local bars = {}

local least_text = 16 -- characters of a change that are worth showing

local function change_of(row)
  local change = row_of.change(row)
  return change and change:gsub("%s+", " ") or ""
end

-- The bars alone, or with the changes in so many characters.
local function lines_of(rows, of, bar, room)
  local largest = 0
  for _, row in ipairs(rows) do largest = math.max(largest, row_of.speed(row)) end
  local columns = {
    {title = "", right = true, get = function(row) return steps_table.mark(row, of) end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    {title = of.unit, right = true, get = function(row) return figures.number(row_of.speed(row)) end},
    {title = of.judged, get = function(row)
      local drawn = chart.bar(row_of.speed(row), largest, bar)
      return drawn == "" and "▏" or drawn
    end},
  }
  if room then
    columns[#columns + 1] = {title = "what it changes", get = function(row)
      return tables.cut(change_of(row), room)
    end}
  end
  return tables.of(columns, rows)
end

--- The chart of the rows of one contest.
-- @tparam {table,...} rows of the device
-- @tparam table of as for @{clue.show.walk.steps_table.lines}
-- @tparam int width
-- @treturn {string,...} lines; none if fewer than two rows have a speed
-- @treturn {table,...} the rows of the lines below the title
function bars.lines(rows, of, width)
  local shown = {}
  for _, row in ipairs(rows) do
    if row_of.speed(row) then shown[#shown + 1] = row end
  end
  if #shown < 2 then return {}, shown end
  local bar = math.max(10, math.min(40, math.floor(width * 0.3)))
  local room = width - tables.width(lines_of(shown, of, bar)) - 2
  local told = row_of.any(shown, function(row) return row.change end)
  return lines_of(shown, of, bar, told and room >= least_text and room or nil), shown
end

return bars
