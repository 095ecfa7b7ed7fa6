--- Pictures of access: which elements the work-items of a warp ask for, at each place of a kernel: of the first warp
-- that comes there. Here they are text; clue.show.page.picture draws them for pages.
--
-- A picture shows the first request of a place by its work-items, and where the requests after it go. What is a row is
-- for @{clue.show.count.layout} to say.
local findings = require "clue.result.findings"
local layouts = require "clue.show.count.layout"
local lists = require "clue.shared.list"
local places = require "clue.show.count.places"
local tables = require "clue.table"
local texts = require "clue.text"

local counted = texts.count

local picture = {}

local MOST_ROWS, WARP = 8, 32

-- ---- words ----

--- A work-item of the warp as a character: 0 to 31 are 0-9 and a-v.
-- @tparam int lane
-- @treturn string
function picture.symbol(lane)
  return lane < 10 and tostring(lane) or string.char(("a"):byte() + lane - 10)
end

-- How far all lanes move from one request to the next; nil if not all by as much.
local function step_of(first, second)
  if not second or #first.lanes ~= #second.lanes or first.object ~= second.object then return nil end
  local step = second.offsets[1] - first.offsets[1]
  for i, offset in ipairs(second.offsets) do
    if offset - first.offsets[i] ~= step or second.lanes[i] ~= first.lanes[i] then return nil end
  end
  return step
end

local function same_warp(one, other)
  return one.warp == other.warp and table.concat(one.group, ",") == table.concat(other.group, ",")
end

local function place_text(numbers)
  return #numbers == 1 and ("%.0f"):format(numbers[1]) or ("(%s)"):format(table.concat(numbers, ","))
end

-- "warp 1 of group (0,1)"; the only warp of its group has no number
local function warp_text(drawn, kernel)
  local items = 1
  for _, size in ipairs(kernel["local"]) do items = items * size end
  return ("%sgroup %s"):format(items > WARP and ("warp %.0f of "):format(drawn.warp) or "",
    place_text(drawn.group))
end

--- What a place's first request is, in words.
-- @tparam table of an entry of @{clue.show.count.places.of}
-- @tparam[opt] table kernel to name the warp where it is not that of @{items_text}
function picture.title(of, kernel)
  local first, layout = of.requests[1], of.layout
  local step = step_of(first, of.requests[2])
  local asked = of.grid.asked
  local other = kernel and not same_warp(first, kernel.pictures[1]) and warp_text(first, kernel) .. ": " or ""
  return ("%s %s, %s: %s%s %s for %.0f %s%s%s"):format(findings.place(of.site), findings.what(of.site),
    layouts.text(layout), other, counted(#first.lanes, "work-item"), #first.lanes == 1 and "asks" or "ask", asked,
    asked == 1 and layout.name or layout.plural,
    layout.kind == "banks" and "" or (", %s in %s"):format(counted(of.grid.sectors, "sector"),
      counted(of.grid.lines, "line")),
    step and ("; the next request %s"):format(layouts.distance(layout, step)) or "")
end

--- A work-item's place in its group.
-- @tparam table kernel
-- @tparam table drawn a request of its warp
-- @tparam int lane
-- @treturn string "3", "(3,0)"
function picture.item(kernel, drawn, lane)
  local ids, rest = {}, drawn.warp * WARP + lane
  for i, size in ipairs(kernel["local"]) do
    ids[i] = rest % size
    rest = math.floor(rest / size)
  end
  return place_text(ids)
end

--- Which work-items the characters stand for.
-- @tparam table kernel
-- @treturn string "0-9 and a-v are work-items (0,0) to (15,1) of the first group"
function picture.items_text(kernel)
  local last, first, is_first = -1, kernel.pictures[1], true
  for _, drawn in ipairs(kernel.pictures) do last = math.max(last, drawn.lanes[#drawn.lanes]) end
  for _, number in ipairs(first.group) do is_first = is_first and number == 0 end
  local group = is_first and "the first group" or "group " .. place_text(first.group)
  local symbols = "0-" .. math.min(last, 9)
  if last > 9 then symbols = symbols .. " and a" end
  if last > 10 then symbols = symbols .. "-" .. picture.symbol(last) end
  local lowest, highest = picture.item(kernel, first, 0), picture.item(kernel, first, last)
  return last == 0 and ("0 is work-item %s of %s"):format(lowest, group)
    or ("%s are work-items %s to %s of %s"):format(symbols, lowest, highest, group)
end

-- ---- text ----

local function symbol_of(of, row, column)
  local cell = (of.grid.cells[row] or {})[column]
  if not cell then return of.grid:is_fetched(row, column) and "-" or "." end
  if cell.request > 1 then return "+" end
  return #cell.lanes > 1 and "*" or picture.symbol(cell.lanes[1])
end

-- The work-item whose colour a cell has.
local function item_of(of, row, column)
  local cell = (of.grid.cells[row] or {})[column]
  return cell and picture.symbol(cell.lanes[1]) or "."
end

-- What stands before a column: where rows begin with a sector, sectors stand apart, and lines end with a bar.
local function gap(grid, row, column)
  if not grid:is_aligned() then return "" end
  local boundary = grid:boundary(row, column)
  return boundary == "line" and "|" or boundary and " " or ""
end

-- The cells of the blocks of a row; text(column) gives what stands for a column, before(column) what is before it.
local function blocks_text(grid, window, text, before)
  local parts, last = {}, -1
  for i, block in ipairs(window.blocks) do
    if block > last + 1 then parts[#parts + 1] = (i > 1 and " " or "") .. ".. " end
    local first, final = grid:columns_of(window, block)
    for column = first, final do
      if column > first or block == last + 1 and i > 1 then parts[#parts + 1] = before(column) end
      parts[#parts + 1] = text(column)
    end
    last = block
  end
  local final = select(2, grid:columns_of(window, last))
  return table.concat(parts) .. (final < grid.columns - 1 and " .." or "")
end

-- The numbers of columns above a matrix, where sectors begin.
local function ruler(of, window)
  local grid = of.grid
  local step = math.max(4, math.floor(32 / grid.element))
  local taken = 0 -- characters that the last number still covers
  local text = blocks_text(grid, window, function(column)
    local number = column % step == 0 and ("%.0f"):format(column) or " "
    if taken > 0 and number == " " then number = "" end
    taken = math.max(0, taken - 1) + #number - (number == "" and 0 or 1)
    return number
  end, function(column) return gap(grid, 0, column) ~= "" and " " or "" end)
  return texts.trim_end((text:gsub("%.%.", "  ")))
end

--- What a window leaves out of a picture, in words.
-- @tparam table of an entry of @{clue.show.count.places.of}
-- @tparam table window
-- @treturn ?string "24 more rows, 8 more columns"; nil: nothing
function picture.left_out(of, window)
  local parts, row = {}, of.layout.kind == "lines" and "more line" or "more row"
  if window.more_rows > 0 then parts[1] = counted(window.more_rows, row) end
  if window.more_blocks > 0 then parts[#parts + 1] = counted(window.more_blocks * window.width, "more column") end
  return parts[1] and table.concat(parts, ", ")
end

-- A row's number in its matrix, or that of its first element.
local function label_of(of, row)
  return ("%.0f"):format(of.layout.kind == "rows" and row or row * of.grid.columns)
end

-- A picture's lines with the columns of so many blocks.
local function lines_of(of, blocks)
  local grid = of.grid
  local window = grid:window(MOST_ROWS, blocks)
  local width = math.max(3, #label_of(of, window.rows[#window.rows]))
  local function labelled(label, text) return (" "):rep(width - #label) .. label .. " " .. text end
  local lines, items = {}, {}
  if of.layout.kind == "rows" then lines[1] = labelled("row", ruler(of, window)) end
  for _, row in ipairs(window.rows) do
    local function cells_text(text)
      return blocks_text(grid, window, function(column) return text(of, row, column) end,
        function(column) return gap(grid, row, column) end)
    end
    lines[#lines + 1] = labelled(label_of(of, row), cells_text(symbol_of))
    items[#lines] = labelled("", cells_text(item_of))
  end
  local drawn = {lines = lines, items = items, cells = width + 2}
  local more = picture.left_out(of, window)
  if more then lines[#lines + 1] = labelled("", "... " .. more) end
  return drawn
end

--- A picture as text.
-- @tparam table of an entry of @{clue.show.count.places.of}
-- @tparam int room columns
-- @treturn table lines (of text); items (by line, if it has cells: the same with the sign of the first work-item that
--   asks for each element, whatever the line has there); cells: the character at which cells begin
function picture.lines(of, room)
  local most = math.max(1, math.floor(room / of.grid:block_width()))
  for blocks = most, 1, -1 do
    local drawn = lines_of(of, blocks)
    if blocks == 1 or tables.width(drawn.lines) <= room then return drawn end
  end
end

-- The signs among some lines' cells.
local function signs_of(drawn)
  local signs = {}
  for _, each in ipairs(drawn) do
    for i in pairs(each.items) do
      for sign in each.lines[i]:sub(each.cells):gmatch "[*+|%-]" do signs[sign] = true end
    end
    local of = each.of
    signs["local"] = signs["local"] or of.layout.kind == "banks"
    signs.aligned = signs.aligned or of.layout.kind ~= "banks" and of.grid:is_aligned()
    signs.unaligned = signs.unaligned or not of.grid:is_aligned()
  end
  return signs
end

local meanings = {
  {"*", "* is several of them"}, {"+", "+ is what they ask for next"},
  {"aligned", "sectors of 32 bytes stand apart"}, {"|", "a bar ends a line of 128 bytes"},
  {"-", "- is fetched with a sector and not asked for"},
  {"unaligned", "rows of no whole number of sectors have no gaps"}, {"local", "in local memory a row is the 32 banks"},
}

local function legend(kernel, drawn)
  local signs = signs_of(drawn)
  local parts = lists.map(meanings, function(each) return signs[each[1]] and each[2] or nil end)
  return ("Pictures of the first request of a warp at each place: %s; %s."):format(picture.items_text(kernel),
    table.concat(parts, ", "))
end

--- All pictures of a kernel as text.
-- @tparam table kernel of @{clue.result.counts.of}
-- @tparam table how rows: see @{clue.show.count.places.of}; room: columns
-- @treturn {table,...} lines: text; items: for colours, see @{paint}
function picture.text(kernel, how)
  local lines, drawn = {}, {}
  local function say(text)
    for i, line in ipairs(tables.wrap(text, how.room - 2)) do
      lines[#lines + 1] = {text = (i > 1 and "  " or "") .. line}
    end
  end
  for i, of in ipairs(places.of(kernel, how.rows)) do
    drawn[i] = picture.lines(of, how.room)
    drawn[i].of = of
  end
  if drawn[1] then say(legend(kernel, drawn)) end
  for _, each in ipairs(drawn) do
    say(picture.title(each.of, kernel))
    for i, line in ipairs(each.lines) do
      lines[#lines + 1] = {text = line, items = each.items[i]}
    end
  end
  return lines
end

-- ---- colours ----

local LANES = 32

-- A hue's part of red, green or blue, as a level of the terminal's cube of 6 x 6 x 6 colours. Neighbours in the warp
-- have similar hues, and the last one is not the first again.
local function level(lane, from)
  local turn = math.abs((lane / LANES * 0.92 + from) % 1 * 6 - 3)
  return 2 + math.floor(3 * math.max(0, math.min(1, turn - 1)) + 0.5)
end

local function colour_of(lane)
  return 16 + 36 * level(lane, 0) + 6 * level(lane, 2 / 3) + level(lane, 1 / 3)
end

-- Black signs on the colour, so that it does not matter what the terminal's own background is. What is asked for first
-- is bold, and underlined if several ask for it.
local function codes(sign, lane)
  local weight = sign == "+" and "" or sign == "*" and "1;4;" or "1;"
  return ("%s48;5;%d;38;5;16"):format(weight, colour_of(lane))
end

--- Colours a line of a picture: each work-item has a colour, which it shares with at most one neighbour. A picture is
-- readable without them.
-- @tparam string text the line
-- @tparam ?string items for each character of the line, the sign of the work-item whose colour it has, or another
--   character; nil: the line has no cells
function picture.paint(text, items)
  if not items then return text end
  local parts = {}
  for i = 1, #text do
    local sign, lane = text:sub(i, i), tonumber(items:sub(i, i), LANES)
    parts[i] = lane and ("\27[%sm%s\27[0m"):format(codes(sign, lane), sign) or sign
  end
  return table.concat(parts)
end

return picture
