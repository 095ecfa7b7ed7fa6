--- Text of comments as CommonMark, and files.
local lfs = require "lfs"
local topics = require "topics"

local markdown = {}

local page_of = {} -- by the name of a module: "clue.event"
for _, topic in ipairs(topics) do
  page_of["clue." .. topic.head:gsub("/init$", ""):gsub("/", ".")] = topic.page
end

-- "@{clue.event}" becomes a link to the module's page, anything else that a comment refers to is code.
local function reference(target)
  local page = page_of[target]
  return page and ("[%s](%s.md)"):format(target, page) or "`" .. target .. "`"
end

-- "<", "*" and "_" that mean themselves. What is in backquotes stays.
local function escaped(text)
  return (text:gsub("[<*_|%[%]]", "\\%0"))
end

--- A line or paragraph of a comment.
-- @tparam string text
-- @treturn string
function markdown.inline(text)
  local made, at = {}, 1
  while at <= #text do
    local from, to = text:find("@{[^}]*}", at)
    local quote, quote_end = text:find("`[^`]*`", at)
    if quote and (not from or quote < from) then
      made[#made + 1] = escaped(text:sub(at, quote - 1)) .. text:sub(quote, quote_end)
      at = quote_end + 1
    elseif from then
      made[#made + 1] = escaped(text:sub(at, from - 1)) .. reference(text:sub(from + 2, to - 1))
      at = to + 1
    else
      made[#made + 1] = escaped(text:sub(at))
      break
    end
  end
  return table.concat(made)
end

--- A comment of several paragraphs: indented examples become code, "- item" a list.
-- @tparam string text
-- @treturn string
function markdown.block(text)
  local lines, in_code, in_list = {}, false, false
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local code = line:match "^ ?    (.*)$"
    if code and (in_code or lines[#lines] == "" or #lines == 0) then
      if not in_code then lines[#lines + 1] = "```lua" end
      in_code, lines[#lines + 1] = true, code
    elseif in_code and line:find "^%s*$" then
      lines[#lines + 1], lines[#lines + 2], in_code = "```", "", false
    else
      if in_code then lines[#lines + 1], in_code = "```", false end
      local stripped = line:gsub("^%s+", "")
      local is_item = stripped:find "^%- " ~= nil
      if is_item and not in_list and lines[#lines] ~= "" then lines[#lines + 1] = "" end
      in_list = is_item or in_list and stripped ~= ""
      lines[#lines + 1] = (in_list and not is_item and "  " or "") .. markdown.inline(stripped)
    end
  end
  if in_code then lines[#lines + 1] = "```" end
  return (table.concat(lines, "\n"):gsub("\n\n\n+", "\n\n"):gsub("%s+$", ""))
end

--- A comment in one line, for a table or a list's item.
-- @tparam string text
-- @treturn string
function markdown.line(text)
  return markdown.inline((text:gsub("%s+", " ")))
end

--- Writes a file, in a folder that is made if there is none.
-- @tparam string folder
-- @tparam string name
-- @tparam string text
function markdown.write(folder, name, text)
  local path = ""
  for part in (folder .. "/" .. name):gmatch "([^/]*)/" do
    path = path .. part .. "/"
    if path ~= "/" then lfs.mkdir(path) end
  end
  local file = assert(io.open(folder .. "/" .. name, "w"))
  assert(file:write(text))
  assert(file:close())
end

return markdown
