--- Lays out a table whose columns may be too many for a line: names become shorter first, then the table is divided
-- into blocks of columns, one below the other, each with the columns that name the rows.
-- @module clue.show.compare.fold
local tables = require "clue.table"

local function joined(fixed, columns, from, to)
  local list = {}
  for _, column in ipairs(fixed) do list[#list + 1] = column end
  for i = from, to do list[#list + 1] = columns[i] end
  return list
end

-- The blocks of a layout, at least one column each.
local function blocks_of(fixed, columns, things, width)
  local blocks, from = {}, 1
  while from <= #columns do
    local to = from
    local lines = tables.of(joined(fixed, columns, from, to), things)
    while to < #columns do
      local more = tables.of(joined(fixed, columns, from, to + 1), things)
      if tables.width(more) > width then break end
      lines, to = more, to + 1
    end
    blocks[#blocks + 1], from = lines, to + 1
  end
  return blocks
end

local function fit(blocks, width)
  for _, block in ipairs(blocks) do
    if tables.width(block) > width then return false end
  end
  return true
end

--- Lays out a table.
-- @tparam {table,...} layouts the widest first
-- @tparam function draw draw(layout) returns the columns that name the rows, and those that may be divided; both as for
--   @{clue.table.of}
-- @tparam {table,...} things a row each
-- @tparam int width of a line
-- @treturn {string,...} lines: of the widest layout with the fewest blocks, among those that fit if one does
return function(layouts, draw, things, width)
  local best, fits
  for _, layout in ipairs(layouts) do
    local fixed, columns = draw(layout)
    local blocks = blocks_of(fixed, columns, things, width)
    local well = fit(blocks, width)
    if not best or well and not fits or well == fits and #blocks < #best then best, fits = blocks, well end
    if #best == 1 and fits then break end
  end
  local lines = {}
  for i, block in ipairs(best) do
    if i > 1 then lines[#lines + 1] = "" end
    for _, line in ipairs(block) do lines[#lines + 1] = line end
  end
  return lines
end
