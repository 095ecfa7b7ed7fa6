--- Draws blocks in a terminal: see @{clue.show.block}.
-- Parameters with one meaning everywhere: blocks, those to draw.
local block = require "clue.show.block"
local log_lines = require "clue.shared.log_lines"
local output = require "clue.output"
local table_lines = require "clue.show.text.table"
local tables = require "clue.table"

local text = {}

local plain = block.plain

-- ---- colours ----

local reset = "\27[0m"
local bold, cyan = "\27[1m", "\27[36m"
local colour_of = {good = "\27[32m", bad = "\27[1;31m", better = "\27[32m", worse = "\27[31m", new = "\27[32m",
                   gone = "\27[31m"}

local BLOCK = "\226\150[\136-\143]" -- █ to ▏, of which bars are made; other characters have the first byte, too

local function escaped(code)
  return (code:gsub("%[", "%%["))
end

-- Colours the cells with a class, which stand in the line from left to right.
local function paint_cells(line, cells, around)
  local parts, at = {}, 1
  for _, cell in ipairs(cells) do
    local first, last = line:find(cell[1], at, true)
    if first then
      local colour = colour_of[cell.class]
      parts[#parts + 1] = line:sub(at, first - 1)
      parts[#parts + 1] = colour and around .. colour .. cell[1] .. reset .. around or cell[1]
      at = last + 1
    end
  end
  return table.concat(parts) .. line:sub(at)
end

local function painted(line, how)
  if how.paint then return how.paint(line) end
  local around = how.best and bold or ""
  if colour_of[how.class] then return colour_of[how.class] .. line .. reset end
  line = paint_cells(line, how.cells or {}, around)
  line = line:gsub("%f[%w]verified%f[%W]", colour_of.good .. "%0" .. reset .. around)
  line = line:gsub("%f[%w]WRONG%f[%W]", colour_of.bad .. "%0" .. reset .. around)
  line = line:gsub(BLOCK, cyan .. "%0" .. reset .. around):gsub(escaped(reset .. around .. cyan), "")
  return around .. line .. (around ~= "" and reset or "")
end

-- ---- blocks ----

-- Each takes the block and `to`: width, room, and add(line, how), with how: class, cells, best. True: the blocks inside
-- have the empty lines below them.
local draw = {}

local function draw_all(blocks, to)
  block.each(blocks, "text", function(it)
    local before = #to.lines
    local has_gaps = draw[it.kind](it, to)
    if #to.lines > before and not it.close and not has_gaps then to.add "" end
  end)
  return true
end

local function add_wrapped(to, line, indent)
  for _, part in ipairs(tables.width {line} > to.width and tables.wrap(line, to.width, indent) or {line}) do
    to.add(part)
  end
end

draw.paragraph = function(it, to)
  add_wrapped(to, plain(it.text), it.indent or "   ")
end

draw.heading = function(it, to)
  local line = plain(it.text)
  local framed = "-- " .. line .. " --"
  local fits = tables.width {framed} <= to.width
  add_wrapped(to, it.plain and line or fits and framed or "-- " .. line, "   ")
end

local function add_quote(lines, to, prefix)
  for _, line in ipairs(log_lines.fitted(lines, to.room, prefix or "     | ")) do to.add(line) end
end

draw.quote = function(it, to)
  add_quote(it.lines, to, it.prefix)
end

local function add_item(item, to, indent)
  local quote = type(item) == "table" and item.quote
  if plain(item) ~= "" or not quote then add_wrapped(to, plain(item), indent) end
  if quote then add_quote(quote, to) end
end

draw.list = function(it, to)
  if not it.items[1] then return end
  if it.title then add_wrapped(to, plain(it.title), "   ") end
  for _, item in ipairs(it.items) do add_item(item, to, it.indent or "   ") end
end

draw.table = function(it, to)
  if not it.rows[1] then return end
  local lines, fits = table_lines(it, to.width)
  if not fits and it.otherwise then return draw_all(it.otherwise, to) end
  for _, line in ipairs(lines) do
    for _, item in ipairs(it.above and line.row and it.above(line.row) or {}) do add_item(item, to, "") end
    to.add(it.cut and tables.cut(line[1], to.width) or line[1], line)
    for _, item in ipairs(it.under and line.row and it.under(line.row) or {}) do add_item(item, to, "     ") end
  end
end

-- If a name or a word beside it is too long for that, the values have lines of their own below it.
local function add_beside(to, width, name, value, indent)
  local lines = tables.wrap(value, to.width - width - #(indent or ""), indent)
  local whole = ("%-" .. width - 2 .. "s  %s"):format(name, lines[1])
  if #lines == 1 and tables.width {whole} <= to.width then return to.add(whole) end
  if #name + 2 > width or tables.width(lines) > to.width - width then
    to.add(name)
    name, width = "", 6
    lines = tables.wrap(value, to.width - width, indent)
  end
  for i, line in ipairs(lines) do to.add(("%-" .. width .. "s%s"):format(i == 1 and name or "", line)) end
end

draw.facts = function(it, to)
  for _, fact in ipairs(it.list) do
    local value = plain(fact[2])
    if value ~= "" and it.beside then
      add_beside(to, it.beside, fact[1], value, fact[3])
    elseif value ~= "" then
      add_wrapped(to, ("%s: %s"):format(fact[1], value), "   ")
    end
  end
end

draw.code = function(it, to)
  for line in (it.text:gsub("\n$", "") .. "\n"):gmatch "(.-)\r?\n" do
    to.add((it.indent or "") .. (it.cut and tables.cut(line, to.width) or line))
  end
end

-- The source's lines, then the code, each line with the number of its place.
draw.listing = function(it, to)
  local width = #tostring(it.source[#it.source][1])
  local function add(number, line) to.add(("%s%" .. width .. "s  %s"):format(it.indent or "", number or "", line)) end
  for _, each in ipairs(it.source) do add(each[1], each[2]) end
  to.add ""
  for i, line in ipairs(it.lines) do add(it.places[i], line) end
end

local marks = {["="] = {" "}, ["-"] = {"-", "gone"}, ["+"] = {"+", "new"}}

draw.difference = function(it, to)
  if it.before then to.add("--- " .. it.before) end
  if it.after then to.add("+++ " .. it.after) end
  for _, line in ipairs(it.lines) do
    local mark = marks[line[1]]
    to.add(mark[1] .. line[2], {class = mark[2]})
  end
end

draw.alert = function(it, to)
  if it.title then to.add(it.title) end
  return draw_all(it.blocks, to)
end

draw.section = function(it, to) return draw_all(it.blocks, to) end
draw.details = draw.section

draw.cards = function(it, to)
  return draw_all(it.list, to)
end

-- Loaded when they are needed: most outputs have neither.
draw.plot = function(it, to) require "clue.show.text.plot".draw(it, to) end
draw.map = function(it, to) require "clue.show.text.plot".draw_map(it, to) end

draw.picture = function(it, to)
  local picture = require "clue.show.count.picture"
  local pictures = picture.text(it.kernel, {rows = it.rows, room = to.width - 2})
  for _, line in ipairs(pictures) do
    to.add("  " .. line.text, {paint = function(shown) return "  " .. picture.paint(shown:sub(3), line.items) end})
  end
end

-- ---- all ----

--- The lines of some blocks.
-- @tparam int width characters of a line
-- @tparam[opt=width] int room of a line that is quoted, which may have a caret below it
-- @treturn {table,...} {text, class, cells, best, paint}
function text.lines(blocks, width, room)
  local lines = {}
  draw_all(blocks, {width = width, room = room or width, lines = lines, add = function(line, how)
    how = how or {}
    lines[#lines + 1] = {line, class = how.class, cells = how.cells, best = how.best, paint = how.paint}
  end})
  return lines
end

--- Prints blocks.
-- @tparam[opt] table how out: of @{clue.output} (standard output); columns: where there is no terminal (100); most:
--   characters of a line
function text.print(blocks, how)
  how = how or {}
  local out = how.out or output.out
  local colour = out:colour()
  local width = math.min(out:columns(how.columns or 100), how.most or math.huge)
  for _, line in ipairs(text.lines(blocks, width, math.max(width, out:columns(132)))) do
    out:write_painted(line[1], function(shown) return (colour and painted(shown, line) or shown) .. "\n" end)
  end
end

--- Prints blocks. Where no terminal needs lines shorter, they are whole, as compilers' are.
function text.print_whole(blocks)
  text.print(blocks, {columns = 1000})
end

return text
