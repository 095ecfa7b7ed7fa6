--- The elements that the first requests of a place ask for, in the rows of a layout: what pictures are drawn from.
-- Parameters with one meaning everywhere: row, of an element; column, the same.
local grid = {}

local SECTOR, LINE = 32, 128

local Grid = {}
Grid.__index = Grid

-- ---- filling ----

local function add_lane(cell, lane)
  if cell.lanes[#cell.lanes] ~= lane then cell.lanes[#cell.lanes + 1] = lane end
end

local function add(self, number, lane, element)
  local row, column = math.floor(element / self.columns), element % self.columns
  local cells = self.cells[row]
  if not cells then
    cells = {}
    self.cells[row] = cells
  end
  local cell = cells[column]
  if not cell then
    cell = {request = number, lanes = {}}
    cells[column] = cell
    if number == 1 then self.asked = self.asked + 1 end
  end
  if cell.request == number then add_lane(cell, lane) end
end

local function fetch(self, offset, bytes)
  for sector = math.floor(offset / SECTOR), math.floor((offset + bytes - 1) / SECTOR) do
    local line = math.floor(sector * SECTOR / LINE)
    if not self.fetched[sector] then self.fetched[sector], self.sectors = true, self.sectors + 1 end
    if not self.in_lines[line] then self.in_lines[line], self.lines = true, self.lines + 1 end
  end
end

--- Makes a grid.
-- @tparam {table,...} requests of one place, the first first: lanes, offsets, bytes
-- @tparam table layout of @{clue.show.count.layout}
-- @treturn Grid with cells (by row, by column: request, the number of the first that asks for it, and its lanes),
--   asked (elements of the first request), sectors and lines (that it touches), columns, element
function grid.of(requests, layout)
  local self = setmetatable({cells = {}, fetched = {}, in_lines = {}, asked = 0, sectors = 0, lines = 0,
                             columns = layout.columns, element = layout.element, kind = layout.kind}, Grid)
  for number, request in ipairs(layout.kind == "banks" and {requests[1]} or requests) do -- banks matter to one request
    for i, offset in ipairs(request.offsets) do
      if number == 1 then fetch(self, offset, request.bytes) end
      for element = math.floor(offset / self.element), math.floor((offset + request.bytes - 1) / self.element) do
        add(self, number, request.lanes[i], element)
      end
    end
  end
  return self
end

-- ---- looking ----

--- The byte at which an element begins.
-- @treturn int
function Grid:byte(row, column)
  return (row * self.columns + column) * self.element
end

--- Whether the first request fetches an element, because it asks for one in the same sector.
function Grid:is_fetched(row, column)
  return self.kind ~= "banks" and self.fetched[math.floor(self:byte(row, column) / SECTOR)] ~= nil
end

--- Whether a sector or a line begins with an element.
-- @treturn ?string "line", "sector" or nil
function Grid:boundary(row, column)
  local byte = self:byte(row, column)
  return byte % LINE == 0 and "line" or byte % SECTOR == 0 and "sector" or nil
end

--- Whether sectors begin at the same columns in all rows.
function Grid:is_aligned()
  return self.columns * self.element % SECTOR == 0
end

-- ---- what a picture has room for ----

-- At most so many of some numbers, those of the first request before the others; in order. Also how many are left out.
local function first_of(known, most)
  local asked, later = {}, {}
  for number, request in pairs(known) do
    local list = request == 1 and asked or later
    list[#list + 1] = number
  end
  table.sort(asked)
  table.sort(later)
  local chosen = {}
  for _, list in ipairs {asked, later} do
    for _, number in ipairs(list) do
      if #chosen < most then chosen[#chosen + 1] = number end
    end
  end
  table.sort(chosen)
  return chosen, #asked + #later - #chosen
end

-- Rows by number, with the first request that touches each.
local function touched_rows(self)
  local known = {}
  for row, cells in pairs(self.cells) do
    for _, cell in pairs(cells) do known[row] = math.min(known[row] or cell.request, cell.request) end
  end
  return known
end

-- The same of blocks of columns, in some rows.
local function touched_blocks(self, rows, width)
  local known = {}
  for _, row in ipairs(rows) do
    for column, cell in pairs(self.cells[row]) do
      local block = math.floor(column / width)
      known[block] = math.min(known[block] or cell.request, cell.request)
    end
  end
  return known
end

--- How many columns pictures show or leave out together: a line of 128 bytes, but no more than 32 elements.
-- @treturn int
function Grid:block_width()
  return math.min(32, math.floor(LINE / self.element), self.columns)
end

--- What a picture shows: the rows that are touched, and of them the columns that are, in blocks.
-- @tparam int most_rows
-- @tparam int most_blocks of @{Grid:block_width} columns
-- @treturn table rows, blocks (lists of numbers), width (columns of a block), more_rows and more_blocks: how many
--   that are touched are left out
function Grid:window(most_rows, most_blocks)
  local width = self:block_width()
  local rows, more_rows = first_of(touched_rows(self), most_rows)
  local blocks, more_blocks = first_of(touched_blocks(self, rows, width), most_blocks)
  return {rows = rows, blocks = blocks, width = width, more_rows = more_rows, more_blocks = more_blocks}
end

--- The columns of a block; the last one of a row may be narrower.
-- @tparam table window of @{Grid:window}
-- @tparam int block
-- @treturn int the first
-- @treturn int the last
function Grid:columns_of(window, block)
  return block * window.width, math.min(self.columns, (block + 1) * window.width) - 1
end

return grid
