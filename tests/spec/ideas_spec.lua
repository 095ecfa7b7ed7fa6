-- docs/ideas.md: every place that the table of ideas names exists, so the steps still say what it says of them.
-- suite: quick
local catalogue = require "clue.run.catalogue"
local support = require "support"

local cached = support.cached

local page = support.read "docs/ideas.md"

-- ---- reading the page ----

-- The rows of its tables: idea, and the places between backticks.
local function rows_of(text)
  local rows = {}
  for line in text:gmatch "[^\n]+" do
    local idea, where = line:match "^| (.+) | ([^|]*) |$"
    if idea and idea ~= "idea" and idea ~= "---" then
      local row = {idea = idea, places = {}}
      for place in where:gmatch "`([^`]+)`" do row.places[#row.places + 1] = place end
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- ---- looking a place up ----

local walkthrough = cached(function(name) return catalogue.get(name) or false end)

local is_walkthrough = {}
for _, name in ipairs(catalogue.names()) do is_walkthrough[name] = true end

-- What a step says, in one line: strings and comments that go on in the next line are joined.
local words_of = cached(function(path)
  return (support.read(path):gsub('"%s*%.%.%s*"', ""):gsub("\n%-%- ?", " "):gsub("%s+", " "))
end)

local help_of = cached(function(words)
  local status, out = support.run(support.words({}, words .. " --help"))
  return status == 0 and out or ""
end)

local function has_option(help, option)
  return help:find("%f[%S]" .. option:gsub("%-", "%%-") .. "%f[^%w-]") ~= nil
end

local function step_of(name, number)
  for _, step in ipairs(walkthrough(name).steps) do
    if tostring(step.number) == number then return step end
  end
end

-- What is wrong with a step's place; nil if nothing is.
local function wrong_step(name, number, rest)
  local step = step_of(name, number)
  if not step then return "there is no such step" end
  local words = rest:match '^ "(.+)"$'
  if words then
    return not words_of(step.path):find(words, 1, true) and "the step does not say that" or nil
  end
  local option = rest:match "^ (%-%S+)$"
  if option then return not has_option(help_of(step.path), option) and "the step has no such option" or nil end
  return rest ~= "" and "neither words nor an option" or nil
end

local function wrong_command(name, rest)
  local help = help_of(name)
  if help == "" then return "there is no such command" end
  for option in rest:gmatch "%S+" do
    if not has_option(help, option) then return "it has no option " .. option end
  end
end

-- What is wrong with a place; nil if nothing is.
local function wrong(place)
  local command, options = place:match "^clue (%l+)(.*)$"
  if command then return wrong_command(command, options) end
  local name, number, rest = place:match "^(%w+) (%d+%l?)(.*)$"
  if name and is_walkthrough[name] then return wrong_step(name, number, rest) end
  if not place:find "/" then return "neither a step nor a command nor a file" end
  return not support.read(place) and "there is no such file" or nil
end

describe("the table of ideas", function()
  local rows = rows_of(page)

  it("has all sources, and every idea once, with at least one place", function()
    for _, name in ipairs {"mql5", "hello", "dcltk", "amd", "submatrix"} do
      assert.matches("\n## " .. name .. ":", page, 1, true)
    end
    assert.is_true(#rows > 170, #rows)
    local seen = {}
    for _, row in ipairs(rows) do
      assert.is_true(#row.places > 0, row.idea)
      assert.is_nil(seen[row.idea], row.idea)
      seen[row.idea] = true
    end
  end)

  it("names places that exist, with their words and options", function()
    local faults = {}
    for _, row in ipairs(rows) do
      for _, place in ipairs(row.places) do
        local why = wrong(place)
        if why then faults[#faults + 1] = ("%s: `%s`: %s"):format(row.idea, place, why) end
      end
    end
    assert.same({}, faults)
  end)

  it("is about each step of the authors', and need not be about those beyond", function()
    local named = {}
    for place in page:gmatch "`(%w+ %d+%l?)" do named[place] = true end
    for _, name in ipairs {"mql5", "hello", "dcltk", "amd", "submatrix"} do
      for _, step in ipairs(walkthrough(name).steps) do
        local place = ("%s %s"):format(name, step.number)
        local beyond = words_of(step.path):find("beyond = true", 1, true)
        assert.is_true(beyond ~= nil or named[place], place .. " is not in docs/ideas.md")
      end
    end
  end)

  it("would not pass with a wrong place", function()
    for place, why in pairs {
      ["mql5 99"] = "there is no such step", ["mql5 4 \"the moon\""] = "the step does not say that",
      ["hello 1 --moon"] = "the step has no such option", ["clue moon"] = "there is no such command",
      ["clue walk --moon"] = "it has no option --moon", ["docs/moon.md"] = "there is no such file",
      ["moon"] = "neither a step nor a command nor a file", ["mql5 4 moon"] = "neither words nor an option",
    } do
      assert.equal(why, wrong(place))
    end
  end)
end)
