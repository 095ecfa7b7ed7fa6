--- Draws a table of blocks with characters: the widest form that fits.
local block = require "clue.show.block"
local bar = require("clue.shared.figures").bar
local tables = require "clue.table"

-- ---- what is left out ----

-- What makes the table narrower, the first one first. Changes of one rank are made together.
local function changes_of(columns)
  local by_rank, ranks = {}, {}
  for c, column in ipairs(columns) do
    for _, change in ipairs(column.narrow or {}) do
      local rank = change[1]
      if not by_rank[rank] then by_rank[rank], ranks[#ranks + 1] = {}, rank end
      by_rank[rank][c] = change[2]
    end
  end
  table.sort(ranks)
  for i, rank in ipairs(ranks) do ranks[i] = by_rank[rank] end
  return ranks
end

-- ---- a form of the table ----

local function cell_text(cell, width, most)
  if type(cell) ~= "table" then return cell end
  if not cell.bar then return cell[1] and block.plain(cell[1]) end
  local drawn = bar(cell.bar, math.max(10, math.min(most or 40, math.floor(width * 0.3))))
  return drawn == "" and "▏" or drawn
end

-- The columns as @{clue.table.of} takes them, which also note the cells of each row.
local function columns_of(it, columns, most, width, cells)
  local list = {}
  for c, column in ipairs(columns) do
    if most[c] ~= false then
      local title = column.title
      if type(title) == "function" then title = title(most[c]) end
      list[#list + 1] = {title = title, right = column.right, gap = column.gap, optional = column.optional,
        get = function(r)
          local cell = column.get(it.rows[r], most[c])
          local shown = cell_text(cell, width, type(most[c]) == "number" and most[c] or column.bar)
          local class = type(cell) == "table" and cell.class or nil
          if shown then table.insert(cells[r], {tostring(shown), class = class}) end
          return shown
        end}
    end
  end
  return list
end

local function lay_out(it, columns, most, width)
  local places, cells = {}, {}
  for r = 1, #it.rows do places[r], cells[r] = r, {} end
  return tables.of(columns_of(it, columns, most, width, cells), places, it.empty), cells
end

-- ---- columns below each other ----

-- The places of what may be below, by name.
local function folds_of(columns)
  local count, places = 0, {}
  for _, column in ipairs(columns) do
    if column.fold and not places[column.fold] then
      count = count + 1
      places[column.fold] = count
    end
  end
  return count, places
end

-- The parts of a form: {lines, cells}. Each has the columns that name the lines, and as many others as fit.
local function parts_of(it, columns, most, width)
  local count, places = folds_of(columns)
  local function part(from, to)
    local shown = {}
    for c, column in ipairs(columns) do
      local place = places[column.fold]
      shown[c] = most[c]
      if place and (place < from or place > to) then shown[c] = false end
    end
    return {lay_out(it, columns, shown, width)}
  end
  local parts, from = {}, 1
  repeat
    local to, widest = from, part(from, from)
    while to < count do
      local wider = part(from, to + 1)
      if tables.width(wider[1]) > width then break end
      widest, to = wider, to + 1
    end
    parts[#parts + 1], from = widest, to + 1
  until from > count
  return parts
end

local function fit(parts, width)
  for _, part in ipairs(parts) do
    if tables.width(part[1]) > width then return false end
  end
  return true
end

-- The widest form of the fewest parts that fit; the narrowest if none does. Returns its parts, and whether they fit.
local function form_of(it, columns, most, width)
  local best, fits
  local function try()
    local parts = parts_of(it, columns, most, width)
    local well = fit(parts, width)
    if not fits or well and #parts < #best then best, fits = parts, well end
    return fits and #best == 1
  end
  local is_done = try()
  for _, change in ipairs(changes_of(columns)) do
    if is_done then break end
    for c, value in pairs(change) do most[c] = most[c] ~= false and value end
    is_done = try()
  end
  return best, fits
end

-- ---- all ----

-- Adds the lines of a part.
local function add_lines(drawn, it, part)
  local lines, cells = part[1], part[2]
  local above = #lines - #it.rows
  for l, line in ipairs(lines) do
    local row = it.rows[l - above]
    if row or line ~= "" then -- else no column has a title
      drawn[#drawn + 1] = {(it.indent or "") .. line, row = row, cells = cells[l - above],
                           best = row and it.look and it.look(row).class == "best" or nil}
    end
  end
end

--- The lines of a table.
-- @tparam table it of @{clue.show.block.table}
-- @tparam int width characters of a line
-- @treturn {table,...} {text}, and of a row also row, cells ({text, class}, from left to right) and best
-- @treturn boolean whether it fits
return function(it, width)
  local columns, most, drawn = {}, {}, {}
  for _, column in ipairs(it.columns) do
    if column and column.only ~= "page" then
      columns[#columns + 1] = column
      most[#columns] = column.most
    end
  end
  local parts, fits = form_of(it, columns, most, width - #(it.indent or ""))
  for i, part in ipairs(parts) do
    if i > 1 then drawn[#drawn + 1] = {""} end
    add_lines(drawn, it, part)
  end
  return drawn, fits
end
