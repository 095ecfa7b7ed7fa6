--- Kernels in the report: lightly coloured, and their differences.
local c_text = require "clue.shared.c_text"
local difference = require "clue.show.walk.difference"
local counted = require("clue.text").count
local html = require "clue.show.page.element"

local source = {}

local letters = {keyword = "k", type = "t"}

local function class_of(word)
  return word == "REALTYPE" and "t" or letters[c_text.class(word)]
end

-- The possible tokens, tried in this order: a pattern, and its class.
local tokens = {
  {"^/%*.-%*/", "c"}, {"^/%*.*", "c"}, {"^//[^\n]*", "c"},
  {'^"[^"\n]*"', "s"}, {"^[%a_][%w_]*"}, {"^%.?%d[%w_.]*", "n"},
}

local function token_at(text, at)
  for _, token in ipairs(tokens) do
    local found = text:match(token[1], at and at or 1)
    if found then return found, token[2] or class_of(found) end
  end
end

local function directive_at(text, at)
  return text:match("^[ \t]*#[^\n]*", at)
end

-- Lua's patterns can be anchored at the place where matching begins, so no part of the text is copied.
local function mark_up(text)
  local parts, at, plain = {}, 1, 1
  local function emit(found, class)
    if at > plain then parts[#parts + 1] = html.escape(text:sub(plain, at - 1)) end
    parts[#parts + 1] = class and ('<span class="%s">%s</span>'):format(class, html.escape(found)) or html.escape(found)
    at = at + #found
    plain = at
  end
  while at <= #text do
    local directive = (at == 1 or text:sub(at - 1, at - 1) == "\n") and directive_at(text, at)
    local found, class = directive, "p"
    if not directive then found, class = token_at(text, at) end
    if found then
      emit(found, class)
    else
      at = at + 1
    end
  end
  parts[#parts + 1] = html.escape(text:sub(plain))
  return table.concat(parts)
end

--- A kernel's source.
-- @tparam string text
-- @treturn node
function source.show(text)
  return html.element("pre", {tabindex = "0"}, html.element("code", nil, html.raw(mark_up((text:gsub("\r\n", "\n"))))))
end

-- Lines with the number of a place, those of one place in one colour.
local function coloured(lines, colours, width)
  local parts = {}
  for i, line in ipairs(lines) do
    local colour = colours[line[1]]
    parts[i] = ("<span%s>%" .. width .. "s  %s\n</span>"):format(colour and (' class="at-%d"'):format(colour) or "",
      line[1] or "", html.escape(line[2]))
  end
  return html.element("pre", {tabindex = "0"}, html.element("code", nil, html.raw(table.concat(parts))))
end

--- Machine code beside the source's lines that it is from.
-- @tparam table it see @{clue.show.block.listing}
-- @treturn node
function source.listing(it)
  local colours, lines, width = {}, {}, #tostring(it.source[#it.source][1])
  for i, each in ipairs(it.source) do colours[each[1]] = (i - 1) % 8 + 1 end
  for i, line in ipairs(it.lines) do lines[i] = {it.places[i], line} end
  return html.element("div", {class = "listing"}, coloured(it.source, colours, width),
    coloured(lines, colours, width))
end

local classes = {["="] = "same", ["-"] = "gone", ["+"] = "new"}

--- The differences between two kernels, without what is far from them.
-- @tparam {{string,string},...} lines of @{clue.show.walk.difference.lines}
-- @treturn node nil if they are equal
function source.difference(lines)
  lines = difference.fold(lines)
  if #lines == 0 then return nil end
  local parts = {}
  for i, line in ipairs(lines) do
    if line[1] == "…" then
      parts[i] = ('<span class="fold">… %s\n</span>'):format(counted(line[2], "unchanged line"))
    else
      parts[i] = ('<span class="%s">%s %s\n</span>'):format(classes[line[1]], line[1] == "=" and " " or line[1],
        html.escape(line[2]))
    end
  end
  return html.element("pre", {class = "diff", tabindex = "0"}, html.element("code", nil, html.raw(table.concat(parts))))
end

return source
