--- The texts about walkthroughs whose numbers are claims: the head comments of steps, the sentences in their scripts,
-- what walkthrough.lua says, and pages.
local catalogue = require "clue.run.catalogue"
local read = require("clue.file").read

local texts = {}

-- ---- scripts ----

local escapes = {n = "\n", ['"'] = '"', ["\\"] = "\\"}

-- The strings of a script that stand in quotation marks, those that .. joins as one. Neither comments nor kernels.
local function strings_of(script)
  local found, at, joined_to = {}, 1, nil
  while at <= #script do
    local long = script:match("^%-%-%[(=*)%[", at) or script:match("^%[(=*)%[", at)
    if long then
      at = (select(2, script:find("]" .. long .. "]", at, true)) or #script) + 1
    elseif script:find("^%-%-", at) then
      at = (script:find("\n", at, true) or #script) + 1
    elseif script:find('^"', at) then
      local to = at
      repeat to = script:find('["\\]', to + 1) or #script
        if script:sub(to, to) == "\\" then to = to + 1 end
      until script:sub(to, to) == '"' and script:sub(to - 1, to - 1) ~= "\\" or to >= #script
      local text = script:sub(at + 1, to - 1):gsub("\\(.)", escapes)
      if joined_to then found[#found] = found[#found] .. text else found[#found + 1] = text end
      at = to + 1
      joined_to = script:match("^%s*%.%.%s*()\"", at)
      at = joined_to or at
    else
      at = at + 1
    end
  end
  return found
end

-- Those that are sentences, and no names, formats of one word, options or commands.
local function sentences_of(script)
  local list = {}
  for _, text in ipairs(strings_of(script)) do
    if text:find "%l %l" and not text:find "^clue " and not text:find "^%-" and not text:find "^#" then
      list[#list + 1] = text
    end
  end
  return list
end

-- ---- walkthroughs ----

--- Whether a walkthrough has a step.
-- @tparam string name
-- @treturn function is_step(number), of a text
function texts.is_step(name)
  local known = {}
  for _, step in ipairs(catalogue.get(name).steps) do known[tostring(step.number)] = true end
  return function(number) return known[number] end
end

--- What a walkthrough says.
-- @tparam string name
-- @treturn {table,...} key: a step's number or "walkthrough", path, texts: each on one line, lists: whether steps stand
--   alone in parentheses there
function texts.of_walkthrough(name)
  local walkthrough, list = catalogue.get(name), {}
  for i, step in ipairs(walkthrough.steps) do
    local said = sentences_of(read(step.path))
    table.insert(said, 1, (step.text:gsub("%s+", " ")))
    list[i] = {key = step.number, path = step.path, texts = said}
  end
  local path = catalogue.folder(name) .. "/walkthrough.lua"
  list[#list + 1] = {key = "walkthrough", path = path, texts = sentences_of(read(path)), lists = true}
  return list
end

-- ---- pages ----

local function cells_of(line)
  local cells = {}
  for cell in line:gmatch "|([^|]*)%f[|]" do cells[#cells + 1] = cell:match "^%s*(.-)%s*$" end
  return cells
end

--- The parts of a page below each of its headings.
-- @tparam string path
-- @treturn {table,...} heading; texts: paragraphs and items of lists, each on one line; tables: each with header and
--   rows, lists of cells
function texts.of_page(path)
  local parts, part = {}, {heading = "", texts = {}, tables = {}}
  local paragraph, is_code, of_table = nil, false, nil
  local function finish()
    if paragraph then part.texts[#part.texts + 1] = paragraph end
    paragraph = nil
  end
  local function table_line(line)
    if not of_table then
      of_table = {header = cells_of(line), rows = {}}
      part.tables[#part.tables + 1] = of_table
    elseif not line:find "^|[%s%-|]+$" then
      of_table.rows[#of_table.rows + 1] = cells_of(line)
    end
  end
  local function prose(line)
    if line:find "^%s*$" or line:find "^%- " then finish() end
    if line:find "%S" then paragraph = (paragraph and paragraph .. " " or "") .. line:match "^%s*%-?%s*(.-)%s*$" end
  end
  local function line_of(line)
    if line:find "^%s*```" then is_code = not is_code end
    local heading = not is_code and line:match "^#+ (.*)"
    if heading then
      finish()
      part = {heading = heading, texts = {}, tables = {}}
    end
    if part ~= parts[#parts] then parts[#parts + 1] = part end
    if line:find "^|" then
      finish()
      return table_line(line)
    end
    of_table = nil
    if not heading and not is_code and not line:find "^    " then prose(line) end
  end
  for line in read(path):gsub("<!%-%-.-%-%->", ""):gmatch "([^\n]*)\n" do line_of(line) end
  finish()
  return parts
end

return texts
