-- Draws what a terminal shows as SVG: text in the colours of its escape sequences, and bars as rectangles, so that a
-- picture on a page is what clue prints, at any size.
local terminal = {}

local WIDTH, HEIGHT, SIZE, EDGE = 8.4, 19, 14, 12 -- of a character's cell; of the font; around the text
local colours = {["31"] = "#ff7b72", ["32"] = "#56d364", ["33"] = "#e3b341", ["36"] = "#39c5cf"}

local function escaped(text)
  return (text:gsub("[&<>]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;"}))
end

local function length(text)
  return #text:gsub("[\128-\191]", "")
end

-- The width of a bar in cells: █ is one, ▏ to ▉ are eighths.
local function cells_of(bar)
  local cells = 0
  for last in bar:gmatch "\226\150(.)" do cells = cells + (0x90 - last:byte()) / 8 end
  return cells
end

-- Adds a text without escape sequences; returns the column behind it.
local function add(out, text, column, line, style)
  local fill = colours[style.colour] or "#e6edf3"
  local x, y = EDGE + column * WIDTH, EDGE + line * HEIGHT
  if text:find "^\226\150" then
    out[#out + 1] = ('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>'):format(x, y + 2,
      cells_of(text) * WIDTH, HEIGHT - 3, fill)
  elseif text:find "%S" then
    local blanks = #text:match "^ *"
    local shown = text:match "^ *(.-) *$"
    out[#out + 1] = ('<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s>%s</text>'):format(x + blanks * WIDTH,
      y + SIZE, length(shown) * WIDTH, fill, style.bold and ' font-weight="bold"' or "", escaped(shown))
  end
  return column + length(text)
end

-- Words that are far from each other are texts of their own, so that each begins at its column in any font.
local function add_words(out, text, column, line, style)
  local from = 1
  while from <= #text do
    local last = (text:find("%S  +%S", from) or #text)
    local bar = text:find("\226\150", from, true)
    if bar == from then
      last = from - 1
      while text:find("^\226\150.", last + 1) do last = last + 3 end
    elseif bar and bar <= last then
      last = bar - 1
    end
    column = add(out, text:sub(from, last), column, line, style)
    from = last + 1
  end
  return column
end

local function add_line(out, text, number)
  local column, style = 0, {}
  for before, codes in (text .. "\27[m"):gmatch "(.-)\27%[([%d;]*)m" do
    column = add_words(out, before, column, number, style)
    for code in (codes == "" and "0" or codes):gmatch "%d+" do
      if code == "0" then style = {} elseif code == "1" then style.bold = true else style.colour = code end
    end
  end
end

--- The picture of some lines.
-- @tparam {string,...} lines with escape sequences
-- @tparam int columns of the terminal
-- @tparam string title
-- @treturn string SVG
function terminal.svg(lines, columns, title)
  local width, height = columns * WIDTH + 2 * EDGE, #lines * HEIGHT + 2 * EDGE
  local size = ('width="%.0f" height="%.0f"'):format(width, height)
  local fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
  local out = {
    ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" %s role="img"'):format(width, height, size),
    ('     font-family="%s" font-size="%d">'):format(fonts, SIZE),
    ("<title>%s</title>"):format(escaped(title)),
    ('<rect %s rx="8" fill="#0d1117"/>'):format(size),
  }
  for i, line in ipairs(lines) do add_line(out, line, i - 1) end
  out[#out + 1] = "</svg>\n"
  return table.concat(out, "\n")
end

return terminal
