--- Kernels in the report: lightly coloured, and their differences.
-- @module clue.report.source
local difference = require "clue.walk.difference"
local counted = require("clue.text").count
local html = require "clue.report.html"

local source = {}

local function set(words)
  local found = {}
  for word in words:gmatch "%S+" do found[word] = true end
  return found
end

local keywords = set [[if else for while do switch case default break continue return goto sizeof typedef struct union
  enum const volatile restrict inline static kernel __kernel global __global local __local constant __constant private
  __private read_only write_only read_write __attribute__]]
local types = set [[void bool char uchar short ushort int uint long ulong float double half size_t ptrdiff_t unsigned
  signed image1d_t image2d_t image3d_t sampler_t event_t REALTYPE]]

local function class_of(word)
  if keywords[word] then return "k" end
  if types[word] or types[word:match "^(%l+)%d+$" or ""] then return "t" end
  return nil
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

local classes = {["="] = "same", ["-"] = "gone", ["+"] = "new"}

--- The differences between two kernels.
-- @tparam string before
-- @tparam string after
-- @treturn node nil if they are equal
function source.difference(before, after)
  local lines = difference.fold(difference.lines(before, after))
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
