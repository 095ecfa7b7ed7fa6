--- Builds HTML so that text can never be taken as markup.
local lists = require "clue.shared.list"
local visible = require("clue.text").visible

local html = {}

local node = {}

local named = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;"}

-- HTML does not allow control characters, not even escaped.
local function escape(text)
  return (visible(tostring(text)):gsub("[&<>\"']", named))
end

--- Text that is markup already, and safe.
-- @tparam string text
-- @treturn node
function html.raw(text)
  return setmetatable({text}, node)
end

local void = {meta = true, br = true, col = true}

local function attribute_text(attributes)
  local parts = {}
  for _, name in ipairs(lists.keys(attributes)) do
    local value = attributes[name]
    if value == true then
      parts[#parts + 1] = " " .. name
    elseif value ~= false then
      parts[#parts + 1] = (' %s="%s"'):format(name, escape(value))
    end
  end
  return table.concat(parts)
end

local function add(parts, child)
  if child == nil or child == false then return end
  if getmetatable(child) == node then
    parts[#parts + 1] = child[1]
  elseif type(child) == "table" then
    for i = 1, #child do add(parts, child[i]) end
  else
    parts[#parts + 1] = escape(child)
  end
end

--- An element.
-- @tparam string tag
-- @tparam[opt] table attributes by name: text (escaped here), true (without a value) or false (left out)
-- @param ... the contents: text (escaped here), nodes, lists of these; nil and false are left out
-- @treturn node
function html.element(tag, attributes, ...)
  local open = "<" .. tag .. attribute_text(attributes) .. ">"
  if void[tag] then return html.raw(open) end
  local parts = {open}
  for i = 1, select("#", ...) do add(parts, (select(i, ...))) end
  parts[#parts + 1] = "</" .. tag .. ">"
  return html.raw(table.concat(parts))
end

--- The markup of a node.
-- @tparam node it
-- @treturn string
function html.text(it)
  return it[1]
end

--- A name that may be broken after its underscores.
-- @tparam string text
-- @treturn node
function html.breakable(text)
  return html.raw((escape(text):gsub("_", "_<wbr>")))
end

html.escape = escape

local shapes = {
  '<circle cx="5" cy="5" r="4"/>', '<rect x="1.3" y="1.3" width="7.4" height="7.4"/>',
  '<path d="M5 .6L9.6 8.6H.4z"/>',
  '<path d="M5 9.4L9.6 1.4H.4z"/>', '<path d="M5 .2L9.8 5L5 9.8L.2 5z"/>',
  '<path d="M5 .2L9.6 3.6L7.8 9H2.2L.4 3.6z"/>',
}

--- The mark of a series in the charts, beside its name: its colour and shape, as a picture of one letter's size.
-- @tparam string kind "device" (filled) or "author" (open)
-- @tparam int index from 1; colours repeat after 8, shapes after 6
-- @tparam[opt] bool is_open as on a dashed line
-- @treturn node
function html.mark(kind, index, is_open)
  local colour = ("var(--%s-%d)"):format(kind, (index - 1) % 8 + 1)
  local paint = kind == "device" and not is_open and ('fill="%s"'):format(colour)
    or ('fill="none" stroke="%s" stroke-width="1.6"'):format(colour)
  return html.raw(('<svg class="mark" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" %s>%s</svg>')
    :format(paint, shapes[(index - 1) % #shapes + 1]))
end

return html
