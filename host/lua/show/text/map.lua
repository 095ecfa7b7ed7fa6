--- Draws a map with characters: see @{clue.show.page.plot}.
local chart = require "clue.show.chart"
local counted = require("clue.text").count
local tables = require "clue.table"

local widest, most_rows = 100, 20
local shades = {{0.95, "█"}, {0.8, "▓"}, {0.5, "▒"}, {0.25, "░"}}

local function shade(fraction)
  for _, each in ipairs(shades) do
    if fraction >= each[1] then return each[2] end
  end
  return " "
end

-- Writes cells so that their shades are in line: all with the same number of characters.
local function cell_writer(it)
  local most = 0
  for row = 1, #it.y.marks do
    for column = 1, #it.x.marks do
      local cell = it.cell(column, row)
      if cell and cell.fraction then most = math.max(most, #cell.text) end
    end
  end
  return function(cell)
    if not (cell and cell.fraction) then return cell and cell.text end
    return ("%s %" .. most .. "s"):format(shade(cell.fraction), cell.text)
  end
end

-- The map with so many columns.
local function lines_of(it, write, most)
  local heads, rows = {{title = it.y.title, right = true}}, {}
  local across, down = chart.best_of_map(it, most, most_rows)
  for c, column in ipairs(across) do heads[c + 1] = {title = it.x.marks[column], right = true} end
  for r, row in ipairs(down) do
    rows[r] = {it.y.marks[row]}
    for c, column in ipairs(across) do rows[r][c + 1] = write(it.cell(column, row)) end
  end
  return tables.lines(heads, rows)
end

local function left_out(it, most)
  local parts = {}
  for _, each in ipairs {{it.x, most}, {it.y, most_rows}} do
    local more = #each[1].marks - each[2]
    if more > 0 then parts[#parts + 1] = ("the worst %s of %s"):format(counted(more, "value"), each[1].title) end
  end
  return parts[1] and "; not shown: " .. table.concat(parts, " and ") or ""
end

--- Draws it.
-- @tparam table it a map
-- @tparam table to width; add(line): see @{clue.show.text}
return function(it, to)
  local width, write, most = math.min(to.width, widest), cell_writer(it), #it.x.marks
  local map = lines_of(it, write, most)
  while tables.width(map) > width and most > 1 do
    most = most - 1
    map = lines_of(it, write, most)
  end
  for _, line in ipairs(tables.wrap(it.title .. left_out(it, most), width, "  ")) do to.add(line) end
  for _, line in ipairs(map) do to.add(line) end
  to.add "of the best: █ 95 % or more, ▓ 80 %, ▒ 50 %, ░ 25 %"
end
