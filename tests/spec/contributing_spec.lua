-- "Where do I put it?" in CONTRIBUTING.md: the files that it names exist, and the tree follows its rules.
-- suite: quick
local dir = require "pl.dir"
local steps = require "walk_steps"
local support = require "support"

local page = support.read "CONTRIBUTING.md"
local section = assert(page:match "\n## Where do I put it%?\n(.-)\n## ")

local function basenames(pattern)
  local names = {}
  for _, path in ipairs(dir.getfiles(pattern:match "^(.*)/", pattern:match "[^/]*$")) do
    names[#names + 1] = path:match "([^/]*)%.%w+$"
  end
  table.sort(names)
  return names
end

local endings = {lua = true, c = true, h = true, cl = true, md = true, txt = true, def = true}

local function exists(pattern)
  local pipe = io.popen("ls -d " .. pattern .. " 2>/dev/null")
  local found = pipe:read "*l"
  pipe:close()
  return found ~= nil
end

local function has(texts, word)
  for _, path in ipairs(texts) do
    if support.read(path):find(word, 1, true) then return true end
  end
  return false
end

describe("the section on where to put things", function()
  it("names files that exist", function()
    local count = 0
    for path, ending in section:gmatch "`([%w_/]+%.(%w+))`" do
      -- A word in capital letters stands for any name, unless a file has that very name.
      local pattern = path:gsub("%f[%a]%u[%u]+%f[^%u]", "*")
      local is_file = endings[ending] -- `clue.raw` is not a file
      assert.is_true(not is_file or exists(path) or exists(pattern) or exists("tests/spec/" .. path), path)
      count = count + (is_file and 1 or 0)
    end
    assert.is_true(count > 20, "only " .. count .. " paths found")
  end)

  it("names every folder of the rooms that have many", function()
    local rooms = support.read("CONTRIBUTING.md"):match "\n## The rooms\n(.-)\n## "
    for _, room in ipairs {"host/core", "host/sys", "host/lua", "bindings/clue"} do
      for _, folder in ipairs(dir.getdirectories(room)) do
        local name = folder:match "[^/]*$"
        assert.truthy(rooms:find("%f[%w_]" .. name .. "/") or rooms:find("\n| `" .. name .. "` |", 1, true), folder)
      end
    end
  end)

  it("holds for every subcommand", function()
    local pages = dir.getfiles("docs/reference", "*.md")
    pages[#pages + 1], pages[#pages + 2] = "README.md", "docs/howto/install.md"
    local names = basenames "host/lua/command/*.lua"
    assert.is_true(#names > 5)
    for _, name in ipairs(names) do
      local spec = "tests/spec/" .. name
      assert.is_true(exists(spec .. "_spec.lua") or exists(spec .. "_command_spec.lua"), name .. " has no spec")
      assert.is_true(has(pages, "clue " .. name), name .. " is in no page")
    end
  end)

  it("holds for every walkthrough and its steps", function()
    for _, folder in ipairs(dir.getdirectories "scripts/walkthroughs") do
      local name = folder:match "[^/]*$"
      assert.is_true(exists(folder .. "/walkthrough.lua"), name)
      assert.is_true(has({"docs/reference/walk.md"}, "\n| `" .. name .. "` |"), "docs/reference/walk.md: no " .. name)
      assert.is_table(steps[name], "tests/spec/walk_steps.lua has no " .. name)
      assert.is_true(exists(("tests/claims/%s.lua"):format(name)), name .. " has no claims")
      for _, path in ipairs(dir.getfiles(folder, "[0-9]*.lua")) do
        assert.same({path:match "/0*(%w+)_([%w_]+)%.lua$"},
          {support.read(path):match 'number = "?(%w+)"?, name = "([%w_]+)"'}, path)
      end
    end
  end)

  it("holds for every problem of the walkthroughs", function()
    for _, name in ipairs(basenames "host/walk/lua/*.c") do
      if exists("host/walk/baseline/" .. name .. ".c") then
        assert.is_true(exists("host/lua/walk/" .. name .. ".lua"), name .. ".lua")
        assert.is_true(exists("tests/walk/test_" .. name .. ".c"), "test_" .. name .. ".c")
      end
    end
  end)
end)
