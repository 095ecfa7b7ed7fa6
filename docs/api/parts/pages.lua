--- The reference as pages of CommonMark: one for each topic, one for the C interface, and an index that names them all.
local header = require "header"
local markdown = require "markdown"

local pages = {}

-- "queue:read_buffer(memory, data, [where])"
local function signature(f, parameters)
  local names = {}
  for i, parameter in ipairs(parameters) do
    names[i] = parameter.optional and "[" .. parameter.name .. "]" or parameter.name
  end
  local operator = f.name:match "^device_array (%p)$"
  if operator then return ("a %s b"):format(operator) end
  return ("%s(%s)"):format(f.call, table.concat(names, ", "))
end

-- "rounds: how many samples; seconds: how long": the options of a table, one an item. Nil for other texts.
local function options_of(item)
  if not item.type:find "table" then return nil end
  local text, parts = (item.text:gsub("%s+", " ")), {}
  for part in (text .. "; "):gmatch "(.-); " do
    local is_option = part:find "^[%l_][%w_]*:" or part:find "^[%l_][%w_]* = %w+:" or part:find "^[%l_][%w_]* %b():"
    if is_option or #parts == 0 then
      parts[#parts + 1] = part
    else
      parts[#parts] = parts[#parts] .. "; " .. part
    end
  end
  return #parts > 1 and parts or nil
end

-- The text behind a parameter's name: in the line or, if it has several parts, below it.
local function text_behind(item)
  local options = options_of(item)
  if options then
    local lines = {":"}
    for _, option in ipairs(options) do lines[#lines + 1] = "  - " .. markdown.line(option) end
    return table.concat(lines, "\n")
  end
  if item.text:find "\n%s*%- " then
    return ": " .. markdown.block(item.text):gsub("\n", "\n  "):gsub("  \n", "\n")
  end
  return item.text ~= "" and ": " .. markdown.line(item.text) or ""
end

local function described(name, item)
  local optional = item.default and ", default `" .. item.default .. "`" or item.optional and ", may be left out" or ""
  local about = name and ("`%s` (`%s`%s)"):format(name, item.type, optional) or "`" .. item.type .. "`"
  return "- " .. about .. text_behind(item)
end

local function add(lines, ...)
  for i = 1, select("#", ...) do lines[#lines + 1] = (select(i, ...)) end
end

local function add_list(lines, title, list, named)
  if #list == 0 then return end
  add(lines, title, "")
  for _, item in ipairs(list) do add(lines, described(named and item.name, item)) end
  add(lines, "")
end

-- What a function gives, where it needs no sentence of its own.
local function text_of(f)
  local text = f.summary .. (f.text ~= "" and "\n" .. f.text or "")
  return text ~= "" and markdown.block(text) or nil
end

local function add_function(lines, f)
  add(lines, ("## %s"):format(f.call:gsub("_", "\\_"):gsub("[*^]", "\\%0")), "", "```lua", signature(f, f.parameters))
  for _, overload in ipairs(f.overloads or {}) do add(lines, signature(f, overload.parameters)) end
  add(lines, "```", "")
  local text = text_of(f)
  if text then add(lines, text, "") end
  add_list(lines, "Parameters:", f.parameters, true)
  add_list(lines, "Returns:", f.results)
  if f.file then add(lines, ("Source: `%s:%d`"):format(f.file, f.line), "") end
end

local function add_fields(lines, topic)
  if #topic.fields == 0 then return end
  add(lines, "## Fields", "")
  local about = topic.fields[1].about
  if about then add(lines, markdown.block(about), "") end
  for _, field in ipairs(topic.fields) do
    add(lines, described(field.owner .. "." .. field.name, field))
  end
  add(lines, "")
end

local function add_constants(lines, topic)
  if #topic.constants == 0 then return end
  add(lines, "## Constants", "", "| name | value | |", "| --- | --- | --- |")
  for _, constant in ipairs(topic.constants) do
    local value = type(constant.value) == "table" and "a table" or ("%.17g"):format(constant.value)
    add(lines, ("| `%s` | %s | %s |"):format(constant.name, value, markdown.line(constant.text)))
  end
  add(lines, "")
end

local function topic_page(topic)
  local lines = {"# " .. topic.title, "", markdown.block(topic.summary .. "\n" .. topic.text), ""}
  add_fields(lines, topic)
  for _, f in ipairs(topic.functions) do add_function(lines, f) end
  add_constants(lines, topic)
  return table.concat(lines, "\n")
end

-- ---- the C interface ----

-- A declaration, with the comment behind it; clue.h has them in columns.
local function declaration_text(declaration)
  local behind = declaration.behind
  return declaration.text .. (behind and ("  /* %s */"):format(behind:gsub("%s+", " ")) or "")
end

local function c_page(read)
  local lines = {"# The C interface", "", "From `host/include/clue.h`, which C programs include.", "",
                 markdown.block(read.text), ""}
  for _, section in ipairs(read.sections) do
    add(lines, "## " .. markdown.line(section.title), "")
    if section.text ~= "" then add(lines, markdown.block(section.text), "") end
    for _, group in ipairs(section.groups) do
      add(lines, "```c")
      for _, declaration in ipairs(group.declarations) do add(lines, declaration_text(declaration)) end
      add(lines, "```", "")
      if group.text ~= "" then add(lines, markdown.block(group.text), "") end
    end
  end
  return table.concat(lines, "\n")
end

-- ---- all ----

-- The first sentence of a comment, up to a colon, since an example may follow. A few words before a colon ("Queues: what
-- a device is to do") are left out: the title says the same. To LDoc, "a, b, ..." is a sentence, too, so what follows is
-- in the text.
local function first_sentence(topic)
  local text = topic.summary
  if text:find "%.%.%.$" then text = text .. " " .. topic.text end
  text = text:gsub("%.%.%.", "\1")
  local first, rest = (text .. " "):match "^(.-)[.:]%s+(.*)"
  local words = select(2, (first or ""):gsub("%S+", ""))
  if first and words <= 3 and rest ~= "" then first = rest:match "^(.-)[.:]%s" or first end
  return ((first or text):gsub("\1", "..."))
end

local function index_page(topics, modules)
  local lines = {"# Reference", "", "Everything that scripts can use, from the comments in clue's sources.", ""}
  local function entry(topic)
    add(lines, ("- [%s](%s.md): %s"):format(topic.title, topic.page, markdown.line(first_sentence(topic))))
  end
  for _, topic in ipairs(topics) do entry(topic) end
  add(lines, "- [The C interface](c.md): every function of clue.h", "", "For the steps of walkthroughs:", "")
  for _, topic in ipairs(modules) do entry(topic) end
  add(lines, "")
  return table.concat(lines, "\n")
end

--- Writes all pages.
-- @tparam {table,...} topics of surface.read()
-- @tparam {table,...} modules of walk.read()
-- @tparam string root the tree's
-- @tparam string folder made if it is not there
function pages.write(topics, modules, root, folder)
  for _, list in ipairs {topics, modules} do
    for _, topic in ipairs(list) do markdown.write(folder, topic.page .. ".md", topic_page(topic)) end
  end
  markdown.write(folder, "c.md", c_page(header.read(root .. "/host/include/clue.h")))
  markdown.write(folder, "index.md", index_page(topics, modules))
end

return pages
