--- Reads clue.h: its sections, and in each the declarations with the comments about them. The header keeps to a form
-- that makes this simple: a comment stands above the declarations that it is about, or behind one on its line.
local header = {}

-- The text of a comment, without its marks; an empty line and a list's items begin a new paragraph.
local function plain(comment)
  local text = comment:gsub("^/%*%s?", ""):gsub("%s*%*/%s*$", "")
  return (text:gsub("\n%s*%* ?", "\n"):gsub("%s+$", ""))
end

-- Splits what is between the markers into comments and declarations, in their order: {kind, text, line, behind}.
local function parts_of(text)
  local list, at = {}, 1
  while true do
    local first = text:find("%S", at)
    if not first then return list end
    if text:sub(first, first + 1) == "/*" then
      local _, last = text:find("*/", first, true)
      local same_line = not text:sub(at, first - 1):find "\n" and at > 1
      list[#list + 1] = {kind = same_line and "behind" or "comment", text = plain(text:sub(first, last)), at = first}
      at = last + 1
    else
      local last = text:find("%b{}", first)
      local semicolon = text:find(";", first, true)
      if last and last < semicolon then
        local _, brace = text:find("%b{}", first)
        semicolon = text:find(";", brace, true)
      end
      list[#list + 1] = {kind = "declaration", text = text:sub(first, semicolon), at = first}
      at = semicolon + 1
    end
  end
end

-- "---- errors: the record of the last failure ----", and perhaps text below it.
local function section_of(text)
  local title, rest = text:match "^%-%-%-%- (.-) %-%-+\n?(.*)$"
  return title and {title = title:gsub("^%l", string.upper), text = rest, groups = {}}
end

local function names_in(declaration)
  local names = {}
  local called = declaration:match "([%w_]+)%s*%(" or declaration:match "}%s*([%w_]+)%s*;"
  if called then names[1] = called end
  for name in (declaration:match "enum%s*(%b{})" or ""):gsub("/%*.-%*/", ""):gmatch "(CLUE_[%w_]+)%s*[=,}]" do
    names[#names + 1] = name
  end
  return names
end

local function add(sections, part, comment, joins)
  local section = sections[#sections]
  local groups = section.groups
  if comment or not joins then groups[#groups + 1] = {text = comment or "", declarations = {}} end
  table.insert(groups[#groups].declarations, {text = part.text, names = names_in(part.text), line = part.line})
end

--- Reads the header.
-- @tparam string path
-- @treturn table text (the head's comment), sections: {title, text, groups: {text, declarations: {text, names, line,
--   behind (the comment behind it)}}}
function header.read(path)
  local file = assert(io.open(path, "r"))
  local whole = file:read "*a"
  file:close()
  local from = select(2, whole:find("/* cdef begin */", 1, true)) + 1
  local inside = whole:sub(from, whole:find("/* cdef end */", 1, true) - 1)
  local sections = {{title = "The version of the interface", text = "", groups = {}}}
  local pending, ended
  for _, part in ipairs(parts_of(inside)) do
    part.line = select(2, whole:sub(1, from + part.at - 2):gsub("\n", "")) + 1
    if part.kind == "comment" then
      local section = section_of(part.text)
      if section then sections[#sections + 1] = section end
      pending = not section and part.text or nil
      ended = nil
    elseif part.kind == "behind" then
      local groups = sections[#sections].groups
      local declarations = groups[#groups].declarations
      declarations[#declarations].behind = part.text
    else
      local gap = ended and inside:sub(ended, part.at - 1):find "\n%s*\n"
      add(sections, part, pending, ended and not gap)
      pending, ended = nil, part.at + #part.text
    end
  end
  return {text = plain(whole:match "^(/%*.-%*/)"), sections = sections}
end

return header
