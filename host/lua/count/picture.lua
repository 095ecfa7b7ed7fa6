--- Pictures of access: which bytes the lanes of the first warp ask for, in one request of a site.
--
-- Memory is drawn in rows of 128 bytes, a line of a GPU's cache, and each row in four sectors of 32: what is fetched
-- at once. Each cell is a word of 4 bytes, with the lane that asks for it.
-- @module clue.count.picture
local counted = require("clue.text").count
local findings = require "clue.count.findings"

local picture = {}

local LINE, SECTOR, WORD = 128, 32, 4
local MOST_ROWS = 8

--- A lane as a character: 0 to 31 are 0-9 and a-v.
-- @tparam int lane
-- @treturn string
function picture.symbol(lane)
  return lane < 10 and tostring(lane) or string.char(("a"):byte() + lane - 10)
end

--- The words that a request touches.
-- @tparam table drawn lanes and offsets of @{clue.count.kernels.of}'s pictures, and bytes
-- @treturn table by row (a line's first byte), by word in it: lane (the first that asks for it) and count (of lanes)
-- @treturn {number,...} the rows in order
-- @treturn int sectors that it touches
function picture.words(drawn)
  local rows, order, sectors, known = {}, {}, 0, {}
  for i, offset in ipairs(drawn.offsets) do
    for word = math.floor(offset / WORD), math.floor((offset + drawn.bytes - 1) / WORD) do
      local at = word * WORD
      local row, sector = at - at % LINE, at - at % SECTOR
      if not rows[row] then
        rows[row] = {}
        order[#order + 1] = row
      end
      local place = (at - row) / WORD
      local cell = rows[row][place] or {lane = drawn.lanes[i], count = 0}
      cell.count = cell.count + 1
      rows[row][place] = cell
      if not known[sector] then known[sector], sectors = true, sectors + 1 end
    end
  end
  table.sort(order)
  return rows, order, sectors
end

local function row_text(cells)
  local parts = {}
  for place = 0, LINE / WORD - 1 do
    if place % (SECTOR / WORD) == 0 then parts[#parts + 1] = "|" end
    local cell = cells[place]
    parts[#parts + 1] = not cell and "." or cell.count > 1 and "*" or picture.symbol(cell.lane)
  end
  return table.concat(parts) .. "|"
end

--- A picture's lines of text.
-- @tparam table drawn a request: lanes, offsets, bytes
-- @treturn {string,...}
function picture.lines(drawn)
  local rows, order = picture.words(drawn)
  local lines = {}
  for i, row in ipairs(order) do
    if i > MOST_ROWS then
      lines[#lines + 1] = ("%9s %d more lines of 128 bytes"):format("...", #order - MOST_ROWS)
      break
    end
    lines[#lines + 1] = ("%9.0f %s"):format(row, row_text(rows[row]))
  end
  return lines
end

-- How far all lanes move from one request to the next; nil if not all by as much.
local function step_of(first, second)
  if not second or #first.lanes ~= #second.lanes then return nil end
  local step = second.offsets[1] - first.offsets[1]
  for i, offset in ipairs(second.offsets) do
    if offset - first.offsets[i] ~= step or second.lanes[i] ~= first.lanes[i] then return nil end
  end
  return step
end

local function bytes_text(step)
  if step == 0 then return "the same bytes again" end
  return ("%.0f bytes %s"):format(math.abs(step), step > 0 and "on" or "back")
end

--- The requests of a kernel that can be drawn, by site.
-- @tparam table kernel of @{clue.count.kernels.of}
-- @treturn {table,...} site, drawn (its first requests)
function picture.sites(kernel)
  local list, by_number = {}, {}
  for _, site in ipairs(kernel.picture_sites) do
    by_number[site.number] = {site = site, drawn = {}}
  end
  for _, drawn in ipairs(kernel.pictures) do
    local of = by_number[drawn.site]
    if of then of.drawn[#of.drawn + 1] = drawn end
  end
  for _, site in ipairs(kernel.picture_sites) do
    local of = by_number[site.number]
    if of.drawn[1] then list[#list + 1] = of end
  end
  return list
end

--- What a site's first request is, in words.
-- @tparam table of an entry of @{sites}
-- @treturn string
function picture.title(of)
  local first = of.drawn[1]
  local _, order, sectors = picture.words(first)
  local step = step_of(first, of.drawn[2])
  local touched = of.site.space == "local" and ""
    or (", %s in %s"):format(counted(sectors, "sector"), counted(#order, "line"))
  return ("%s %s: %d lanes of %d bytes%s%s"):format(findings.place(of.site), findings.what(of.site), #first.lanes,
    first.bytes, touched, step and ("; the next request %s"):format(bytes_text(step)) or "")
end

--- All pictures of a kernel as text.
-- @tparam table kernel of @{clue.count.kernels.of}
-- @treturn {string,...} lines
function picture.text(kernel)
  local lines = {}
  for _, of in ipairs(picture.sites(kernel)) do
    lines[#lines + 1] = picture.title(of)
    for _, line in ipairs(picture.lines(of.drawn[1])) do lines[#lines + 1] = line end
  end
  return lines
end

return picture
