--- How the memory that a site accesses is drawn: the rows of a matrix, lines of 128 bytes, or the banks of local
-- memory; and the grid of elements that the site's first requests ask for.
--
-- A matrix's rows come from the array that was written to its buffer or read from it
-- (clue.simulator.simulator_prelude), or from `--rows`. Where neither says them, a stride that all accesses agree on is
-- taken for a row, and marked '~'.
-- Parameters with one meaning everywhere: row, of an element; column, the same.
local layout = {}

local LINE, SECTOR, BANK = 128, 32, 4

local sizes = {char = 1, uchar = 1, short = 2, ushort = 2, half = 2, int = 4, uint = 4, float = 4, long = 8, ulong = 8,
               double = 8}

-- The elements of an argument by its type: bytes of one, and its name. Those of vectors are drawn one by one.
local function element_of(type_name, requests)
  local name = (type_name or ""):gsub("^.*%f[%w]const ", ""):match "^(%l+)%d*%s*%*"
  if sizes[name] then return sizes[name], name end
  local least = 8 -- of a struct, or a type of the kernel's own: what is accessed at once
  for _, request in ipairs(requests) do least = math.min(least, request.bytes) end
  return least, ("value of %d bytes"):format(least), ("values of %d bytes"):format(least)
end

-- ---- rows by the stride ----

-- Where runs of neighbouring bytes begin.
local function beginnings(request)
  local list, last = {}, nil
  for _, offset in ipairs(request.offsets) do
    if not last or offset ~= last and offset ~= last + request.bytes then list[#list + 1] = offset end
    last = offset
  end
  return list
end

local function between(numbers)
  local stride
  for i = 2, #numbers do
    local this = numbers[i] - numbers[i - 1]
    if stride and this ~= stride then return nil end
    stride = this
  end
  return stride
end

-- How far all lanes of a site move from one request to the next.
local function moved(requests)
  local numbers = {}
  for i, request in ipairs(requests) do numbers[i] = request.offsets[1] end
  return between(numbers)
end

-- The one stride of all sites that have one; nil if they disagree.
local function agreed(sites, stride_of)
  local found
  for _, requests in ipairs(sites) do
    local stride = stride_of(requests)
    if stride and stride > LINE then
      if found and found ~= stride then return nil end
      found = stride
    end
  end
  return found
end

local function row_by_stride(sites)
  return agreed(sites, function(requests) return between(beginnings(requests[1])) end) or agreed(sites, moved)
end

-- ---- layouts ----

--- The layout of local memory: a row is a word of each bank.
layout.banks = {kind = "banks", element = BANK, name = "word", plural = "words", columns = 32}

local function of_rows(element, row_bytes, more)
  if not row_bytes or row_bytes % element ~= 0 then return nil end
  more.kind, more.columns = "rows", math.floor(row_bytes / element)
  return more
end

--- The layout of a buffer.
-- @tparam ?table argument of a kernel: type, rows, row_bytes
-- @tparam {table,...} sites the requests of each place that accesses it
-- @tparam ?number given the elements of a row, by `--rows`
-- @treturn table kind ("rows", "lines", "banks"), element (its bytes), name and plural (of an element), columns
--   (elements of a row), rows (how many, if that is known), by ("given", "stride" or nil)
function layout.of(argument, sites, given)
  argument = argument or {}
  local all = {}
  for _, requests in ipairs(sites) do
    for _, request in ipairs(requests) do all[#all + 1] = request end
  end
  local element, name, plural = element_of(argument.type, all)
  local found = given and {kind = "rows", columns = given, by = "given"}
    or (argument.rows or 0) > 1 and of_rows(element, argument.row_bytes, {rows = argument.rows})
    or not argument.rows and of_rows(element, row_by_stride(sites), {by = "stride"})
    or {kind = "lines", columns = math.floor(LINE / element)}
  found.element, found.name, found.plural = element, name, plural or name .. "s"
  return found
end

--- A layout in words.
-- @tparam table of
-- @treturn string "64 rows of 64 floats"
function layout.text(of)
  if of.kind == "banks" then return "in 32 banks" end
  if of.kind == "lines" then return ("in lines of %d %s"):format(of.columns, of.plural) end
  local rows = ("rows of %.0f %s"):format(of.columns, of.plural)
  if of.by == "stride" then return ("~%s, by the stride"):format(rows) end
  return of.rows and ("%.0f %s"):format(of.rows, rows) or rows
end

--- How far one request is from the one before it, in words.
-- @tparam table of a layout
-- @tparam number bytes
-- @treturn string "1 row on"
function layout.distance(of, bytes)
  if bytes == 0 then return "asks for the same again" end
  local far, way = math.abs(bytes), bytes > 0 and "on" or "back"
  local row_bytes = of.columns * of.element
  local function counted(count, one, many) return ("%.0f %s %s"):format(count, count == 1 and one or many, way) end
  if of.kind == "rows" and far % row_bytes == 0 then return "is " .. counted(far / row_bytes, "row", "rows") end
  if far % of.element ~= 0 then return "is " .. counted(far, "byte", "bytes") end
  if of.kind == "rows" and far < row_bytes then return "is " .. counted(far / of.element, "column", "columns") end
  return "is " .. counted(far / of.element, of.name, of.plural)
end

-- ---- grids: the elements that are asked for, in the rows of a layout ----

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

--- Finds the elements that the first requests of a place ask for.
-- @tparam table of a layout
-- @tparam {table,...} requests the first first: lanes, offsets, bytes
-- @treturn Grid with cells (by row, by column: request, the number of the first that asks for it, and its lanes),
--   asked (elements of the first request), sectors and lines (that it touches), columns, element
function layout.grid(of, requests)
  local self = setmetatable({cells = {}, fetched = {}, in_lines = {}, asked = 0, sectors = 0, lines = 0,
                             columns = of.columns, element = of.element, kind = of.kind}, Grid)
  for number, request in ipairs(of.kind == "banks" and {requests[1]} or requests) do -- banks matter to one request
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

return layout
