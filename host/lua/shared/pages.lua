--- The pages of docs/, which come with clue: Markdown, which can be read as it is.
local file = require "clue.file"
local lists = require "clue.shared.list"
local names_in = require("clue.shared.paths").names_in
local paths = require "clue.paths"

local pages = {}

-- In the order in which a name without a folder is looked for.
local folders = {"reference", "howto", "mql5", "tutorial", "."}

--- All pages.
-- @treturn table the path below docs/ by name: errors = "reference/errors.md"
function pages.all()
  local found = {}
  for _, folder in ipairs(folders) do
    for _, name in ipairs(names_in(paths.docs .. "/" .. folder) or {}) do
      local page = name:match "^(.*)%.md$"
      if page and not found[page] then found[page] = (folder .. "/" .. name):gsub("^%./", "") end
    end
  end
  return found
end

-- A heading's name in links: small letters, with hyphens.
local function anchor_of(heading)
  return (heading:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-"))
end

-- The part of a page below a heading, to the next one of its rank.
local function section(text, anchor)
  local lines, rank = {}, nil
  for line in text:gmatch "([^\n]*)\n" do
    local marks, heading = line:match "^(#+)%s+(.*)$"
    if rank and marks and #marks <= rank then break end
    if not rank and marks and anchor_of(heading) == anchor then rank = #marks end
    if rank then lines[#lines + 1] = line end
  end
  return rank and table.concat(lines, "\n") .. "\n"
end

--- The text of a page.
-- @tparam string name "errors", "errors.md", "docs/reference/errors.md"; after a #, a heading of it
-- @treturn ?string nil if there is no such page
function pages.read(name)
  local wanted, anchor = name:match "^([^#]*)#?(.*)$"
  local base = wanted:gsub("^docs/", ""):gsub("%.md$", "")
  local path = pages.all()[base:match "[^/]*$"]
  if not path or base:find "/" and path ~= base .. ".md" then return nil end
  local text = file.read(paths.docs .. "/" .. path)
  text = text and text:gsub("\r", ""):gsub("<!%-%-.-%-%->\n*", "")
  return text and (anchor ~= "" and section(text, anchor) or text)
end

-- How often each page has a word: a function of the page's name. Pages beside the folders, such as the list of all
-- pages, do not count.
local function counter(word)
  local all, pattern = pages.all(), "%f[%w]" .. word:lower():gsub("%W", "%%%0") .. "%f[%W]"
  return function(name)
    local text = all[name]:find "/" and file.read(paths.docs .. "/" .. all[name]) or ""
    return select(2, text:lower():gsub(pattern, ""))
  end
end

--- The page of the reference, or another one in a folder, that writes most of a word.
-- @tparam string word
-- @treturn ?string its name; nil if no page has the word
-- @treturn number how often the page has it, half a time more if it is one of the reference
function pages.about(word)
  local count, all = counter(word), pages.all()
  return lists.best(lists.keys(all), function(name)
    local times = count(name)
    return times > 0 and times + (all[name]:find "^reference/" and 0.5 or 0)
  end)
end

--- How often the pages have a word.
-- @tparam string word
-- @treturn number
function pages.mentions(word)
  return lists.sum(lists.keys(pages.all()), counter(word))
end

return pages
