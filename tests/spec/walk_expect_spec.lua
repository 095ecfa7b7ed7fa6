-- What walkthroughs say besides their numbers: each step that is compared with another says what it should gain, and
-- why; the closing page's lessons, commands and links hold.
-- suite: quick
local argparse = require "argparse"
local catalogue = require "clue.run.catalogue"
local json = require "dkjson"
local request = require "clue.run.request"
local support = require "support"

-- Steps that expect nothing, and why. The first step of a walkthrough or study has nothing to be compared with; what
-- another project's library does is not ours to explain.
local EXEMPT = {
  dcltk = {[1] = "step 0 is not timed"},
  submatrix = {[2] = "on the host", [3] = "on the host"},
  amd = {},
}
for number = 22, 38 do
  if number ~= 23 then EXEMPT.amd[number] = "measures, or tries, something that no other step does" end
end

local walkthroughs = {}
for i, name in ipairs(catalogue.names()) do walkthroughs[i] = assert(catalogue.get(name)) end

local function holds(list, value)
  for _, each in ipairs(list or {}) do
    if each == value then return true end
  end
  return false
end

-- ---- expectations ----

-- What each step's row says, by path.
local function rows_of_all()
  local words, rows = {"tests/spec/expectations_inside.lua"}, {}
  for _, walkthrough in ipairs(walkthroughs) do
    for _, step in ipairs(walkthrough.steps) do words[#words + 1] = step.path end
  end
  local out = support.ended(0, support.run(words))
  for line in out:gmatch "[^\n]+" do
    local row = json.decode(line)
    rows[row.path] = row
  end
  return rows
end

-- Why a step need not say anything; nil if it must.
local function reason(walkthrough, place, rows)
  local step, above = walkthrough.steps[place], walkthrough.steps[place - 1]
  if holds(walkthrough.libraries, step.number) then return "a library" end
  if not above or not step.over and rows[above.path].study ~= rows[step.path].study then return "a first step" end
  return (EXEMPT[walkthrough.name] or {})[step.number]
end

describe("the expectation of a step", function()
  local rows

  setup(function() rows = rows_of_all() end)

  for _, walkthrough in ipairs(walkthroughs) do
    for place, step in ipairs(walkthrough.steps) do
      it(("of %s, %s"):format(walkthrough.name, step.number), function()
        local row = rows[step.path]
        assert.is_nil(row.why)
        local exempt = reason(walkthrough, place, rows)
        for _, said in ipairs(row.said) do
          if exempt then
            assert.is_false(said, "it says something, so it needs no exemption: " .. exempt)
          else
            assert.truthy(said, "it does not say what it should gain on CPUs, or on others")
            assert.matches("^%S.*[^%s.]$", said.why)
            assert.is_nil(said.why:match "[%%][ds.]" or said.why:match "nil" or said.why:match "  ")
          end
        end
      end)
    end
  end
end)

-- ---- the closing page ----

-- A command's words, as a shell takes them. "" and "-x" are words.
local function words_of(text)
  local words = {}
  for word in (text .. " "):gmatch '"?([^"%s]*)"?%s+' do words[#words + 1] = word end
  return words
end

-- The options of a subcommand that this process reads.
local function parsed(name, words)
  local command = require("clue.command." .. name)
  local parser = argparse("clue " .. name):add_help(false)
  command.options(parser)
  local understood, options = parser:pparse((command.words(words, command)))
  assert.is_true(understood, tostring(options))
  return options
end

-- Whether a walkthrough has the steps of an option.
local function assert_steps(name, text)
  local walkthrough = assert(catalogue.get(name))
  assert.truthy(request.parse_steps(text, walkthrough.steps))
end

-- How a command of each kind is checked. Returns the walkthrough that it names.
local check = {}

function check.walk(words)
  local options = parsed("walk", words)
  for _, name in ipairs {"steps", "explain", "diff", "source"} do
    if options[name] then assert_steps(options.name, tostring(options[name])) end
  end
  -- Without a device, it ends with 1 after it found its words right; wrong ones make it 2.
  support.ended(1, support.run({"walk", unpack(words)}, support.drivers "none"))
  return options.name
end

function check.count(words)
  local options = parsed("count", words)
  if options.steps then assert_steps(options.what, options.steps) end
  return options.what
end

function check.new(words)
  local folder = support.folder()
  local options = parsed("new", words)
  for i, word in ipairs(words) do words[i] = word == options.name and folder .. "/" .. word or word end
  support.ended(0, support.run {"new", unpack(words)})
  return options.from
end

describe("the closing page", function()
  for _, walkthrough in ipairs(walkthroughs) do
    it(("of %s has lessons, each a sentence"):format(walkthrough.name), function()
      local count = #assert(walkthrough.lessons)
      assert.is_true(count >= 2 and count <= 4)
      for _, lesson in ipairs(walkthrough.lessons) do assert.matches("^%u.*[^.]%.$", lesson) end
    end)

    it(("of %s has four to six commands to try"):format(walkthrough.name), function()
      local count = #assert(walkthrough.try)
      assert.is_true(count >= 4 and count <= 6)
    end)

    it(("of %s has links that a browser takes"):format(walkthrough.name), function()
      for _, link in ipairs(walkthrough.links or {}) do
        assert.equal(2, #link)
        assert.matches("^https?://[%w.-]+/%S+$", link[2])
      end
    end)

    for _, each in ipairs(walkthrough.try or {}) do
      it(("of %s names a command that runs: %s"):format(walkthrough.name, each[1]), function()
        local words = words_of(each[1])
        assert.equal("clue", table.remove(words, 1))
        local kind = table.remove(words, 1)
        assert.equal(walkthrough.name, assert(check[kind], kind)(words))
        assert.matches("^%l?.*[^.]$", each[2])
      end)
    end
  end
end)

it("a command of the closing page is refused by these checks if its steps or parameters do not exist", function()
  for _, text in ipairs {"mql5 --steps 4,99", "mql5 --explain 99", "mql5 --steps 12-16 --set tile=8,16",
                         "mql5 --steps 4 --size 1,x", "mql5 --nothing"} do
    assert.is_false((pcall(check.walk, words_of(text))), text)
  end
  assert.is_false((pcall(check.count, words_of "mql5 --steps 99")))
  assert.is_false((pcall(check.new, words_of "walkthrough mine --from mql5 --steps 99")))
end)
