--- Text for terminals: tables with columns as wide as their contents, and wrapped lines.
-- @module clue.table
local texts = require "clue.text"

local tables = {}

-- Counts characters, not bytes: UTF-8 continuation bytes take no room.
local function width(text)
  return #text - select(2, text:gsub("[\128-\191]", ""))
end

local function padded(text, to, right)
  local space = (" "):rep(to - width(text))
  return right and space .. text or text .. space
end

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  return lines
end

-- A cell is always one line.
local function cell_text(value)
  return (texts.visible(tostring(value or "")):gsub("\r?\n", "\\x0a"))
end

--- Lays out a table.
-- @tparam {table,...} columns title (may have several lines), right: true to align right, gap: spaces before it (2)
-- @tparam {table,...} rows arrays of strings or numbers; nil and false are left empty
-- @treturn {string,...} lines: the titles, then the rows
function tables.lines(columns, rows)
  local titles, deepest, widths, lines, cells = {}, 1, {}, {}, {}
  for r, row in ipairs(rows) do
    cells[r] = {}
    for c in ipairs(columns) do cells[r][c] = cell_text(row[c]) end
  end
  for c, column in ipairs(columns) do
    titles[c] = lines_of(column.title)
    deepest = math.max(deepest, #titles[c])
    widths[c] = 0
    for _, line in ipairs(titles[c]) do widths[c] = math.max(widths[c], width(line)) end
    for r in ipairs(rows) do widths[c] = math.max(widths[c], width(cells[r][c])) end
  end
  local function add(cell)
    local parts = {}
    for c, column in ipairs(columns) do
      local gap = c == 1 and 0 or column.gap or 2
      parts[c] = (" "):rep(gap) .. padded(tostring(cell(c) or ""), widths[c], column.right)
    end
    lines[#lines + 1] = texts.trim_end(table.concat(parts))
  end
  for i = 1, deepest do
    add(function(c) return titles[c][i - (deepest - #titles[c])] end)
  end
  for _, row in ipairs(cells) do
    add(function(c) return row[c] end)
  end
  return lines
end

--- Lays out a table of things, one a row.
-- @tparam {table,...} columns as for @{lines}, with get(thing), the text of its cell; optional: true to leave it out if
--   no thing has a text for it
-- @tparam {table,...} things
-- @tparam[opt=""] string otherwise the text of an empty cell
-- @treturn {string,...} lines
function tables.of(columns, things, otherwise)
  local shown, rows = {}, {}
  for i in ipairs(things) do rows[i] = {} end
  for _, column in ipairs(columns) do
    local empty, c = true, #shown + 1
    for i, thing in ipairs(things) do
      local text = column.get(thing)
      rows[i][c], empty = text or otherwise, empty and not text
    end
    if not (empty and column.optional) then shown[c] = column end
  end
  return tables.lines(shown, rows)
end

--- Makes layouts that become narrower step by step.
-- @tparam table widest what it has, by name: true, or a number
-- @tparam {table,...} narrowing for each step what changes, by name; false: it is left out
-- @treturn {table,...} the widest first, for @{fitting}
function tables.layouts(widest, narrowing)
  local list = {widest}
  for _, changes in ipairs(narrowing) do
    local narrower = {}
    for name, value in pairs(list[#list]) do narrower[name] = value end
    for name, value in pairs(changes) do narrower[name] = value end
    list[#list + 1] = narrower
  end
  return list
end

--- Lays out what is the widest that fits.
-- @tparam {table,...} layouts the widest first
-- @tparam int most characters of a line
-- @tparam function draw draw(layout) returns lines
-- @treturn {string,...} lines of the first layout that fits, or of the last
function tables.fitting(layouts, most, draw)
  for i, layout in ipairs(layouts) do
    local lines = draw(layout)
    if i == #layouts or tables.width(lines) <= most then return lines end
  end
end

--- Wraps a text into lines. A word longer than a line gets a line of its own.
-- @tparam string text
-- @tparam int most characters of a line
-- @tparam[opt=""] string indent the beginning of every line but the first, which keeps its own
-- @treturn {string,...}
function tables.wrap(text, most, indent)
  local lines = {}
  text = texts.visible(text)
  for word in text:gmatch("%S+") do
    local last = lines[#lines]
    if last and width(last) + 1 + width(word) <= most then
      lines[#lines] = last .. " " .. word
    else
      lines[#lines + 1] = (last and (indent or "") or text:match("^%s*")) .. word
    end
  end
  return lines
end

--- Shortens a text, with an ellipsis at its end.
-- @tparam string text one line
-- @tparam int most characters
-- @treturn string
function tables.cut(text, most)
  if width(text) <= most then return text end
  local last = 0
  for _ = 1, most - 1 do last = (text:find("[^\128-\191]", last + 1)) or #text end
  local following = text:find("[^\128-\191]", last + 1) or #text + 1
  return text:sub(1, following - 1) .. "…"
end

--- The characters of the widest line.
-- @tparam {string,...} lines
-- @treturn int
function tables.width(lines)
  local widest = 0
  for _, line in ipairs(lines) do widest = math.max(widest, width(line)) end
  return widest
end

return tables
