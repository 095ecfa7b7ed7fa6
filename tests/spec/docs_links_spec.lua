-- Links between the tree's pages lead to files and headings that exist, and commands in the pages have options that
-- clue has, or are tasks of ./dev. No network is used, so links to other sites are not followed.
-- suite: quick
local markdown = require "markdown"
local support = require "support"

local function without_blocks(text)
  local kept, inside = {}, false
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    if line:find "^%s*```" then
      inside = not inside
    elseif not inside then
      kept[#kept + 1] = line
    end
  end
  return table.concat(kept, "\n") .. "\n"
end

-- The names that GitHub gives the headings of a page.
local function anchors_of(text)
  local anchors = {}
  for heading in ("\n" .. without_blocks(text)):gmatch "\n#+ ([^\n]*)" do
    local name = heading:gsub("%[([^%]]*)%]%([^)]*%)", "%1"):lower():gsub("[^%w%s_%-\128-\255]", ""):gsub("%s", "-")
    anchors[name] = true
  end
  return anchors
end

local function is_there(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

local function joined(page, target)
  local parts = {}
  local folder = page == "docs/site/index.md" and "" or page:match "^(.*/)" or "" -- the site has it at its root
  for part in (folder .. target):gmatch "[^/]+" do
    if part == ".." then
      parts[#parts] = nil
    else
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

local function dead_links(page, text)
  local dead = {}
  for target in without_blocks(text):gsub("`[^`\n]*`", ""):gmatch "%]%(([^)%s]+)%)" do
    local path, anchor = target:match "^([^#]*)#?(.*)$"
    if not target:find "^%a+:" then
      local file = path == "" and page or joined(page, path)
      if not is_there(file) then
        dead[#dead + 1] = target
      elseif anchor ~= "" and not anchors_of(support.read(file))[anchor] then
        dead[#dead + 1] = target .. " (no such heading)"
      end
    end
  end
  return table.concat(dead, "\n")
end

local help_of = {}

local function help(name)
  if not help_of[name] then
    local _, out = support.run(name == "" and {"--help"} or {name, "--help"})
    help_of[name] = out
  end
  return help_of[name]
end

-- The options of a command that its help does not know: long ones before a script, which has options of its own.
local function unknown_options(command)
  local unknown = {}
  local name = command:match "^(%l+)%f[%s]"
  if not name or not is_there("host/lua/command/" .. name .. ".lua") then return unknown end
  for word in command:gsub("#.*", ""):gmatch "%S+" do
    if word:find "%.lua$" and name ~= "tune" and name ~= "farm" or word == "--" then break end
    local option = word:match "^(%-%-%l[%l-]*)"
    if option and not help(name):find(option, 1, true) then unknown[#unknown + 1] = name .. " " .. option end
  end
  return unknown
end

-- The tasks of ./dev in a text that `./dev help` does not list.
local function unknown_tasks(text)
  local unknown = {}
  help_of["./dev"] = help_of["./dev"] or select(2, support.execute {"./dev", "help"})
  for task in text:gmatch "%./dev (%l+)" do
    if task ~= "help" and not help_of["./dev"]:find("\n  " .. task .. "%f[%s]") then unknown[#unknown + 1] = task end
  end
  return unknown
end

local pages = markdown.pages()
pages[#pages + 1] = "CHANGELOG.md"

for _, page in ipairs(pages) do
  describe(page, function()
    local text = support.read(page)

    it("has no dead link", function() assert.equal("", dead_links(page, text)) end)

    it("shows no option that clue lacks", function()
      local unknown = {}
      local function look(command)
        for _, each in ipairs(unknown_options(command)) do unknown[#unknown + 1] = each end
      end
      for line in text:gmatch "[^\n]+" do
        local command = line:match "^%s*%$? ?clue (%l.*)" or line:match "^%s+build/clue (%l.*)"
        if command then look(command) end
        for code in line:gmatch "`clue (%l[^`]*)`" do look(code) end
      end
      assert.equal("", table.concat(unknown, "\n"))
    end)

    it("shows no task that ./dev lacks", function() assert.same({}, unknown_tasks(text)) end)
  end)
end

describe("the checks of pages", function()
  it("find dead links", function()
    assert.equal("gone.md", dead_links("docs/x.md", "see [it](gone.md)\n"))
    assert.equal("#gone (no such heading)", dead_links("README.md", "see [it](#gone)\n"))
    assert.equal("", dead_links("docs/x.md", "[it](../README.md), [other](https://example.org)\n"))
  end)

  it("find options that are gone", function()
    assert.same({"walk --gone"}, unknown_options "walk mql5 --gone --size 3")
    assert.same({}, unknown_options "trace script.lua --size 3")
  end)

  it("find tasks that are gone", function()
    assert.same({"gone"}, unknown_tasks "    ./dev gone\n    ./dev test array\n")
  end)
end)
