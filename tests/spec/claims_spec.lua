-- Every number in a text of a walkthrough is a claim that tests/claims backs: by the kept counts, a kept measurement,
-- machine code, the source, a kernel's constants, or a definition.
-- suite: quick
local catalogue = require "clue.run.catalogue"
local check = require "claim_check"
local sources = require "claim_sources"
local texts = require "claim_texts"

local is_step = {}
for _, name in ipairs(catalogue.names()) do is_step[name] = texts.is_step(name) end

local function claims_of(name) return dofile(("tests/claims/%s.lua"):format(name))(sources.of(name)) end

local common = claims_of "common"

local function how_of(name, text) return {is_step = is_step[name], walkthroughs = is_step, lists = text.lists} end

local function add(faults, of, more)
  for _, fault in ipairs(more) do faults[#faults + 1] = ("%s: %s"):format(of, fault) end
end

-- The phrases of a text's own that no number of it has.
local function unused(phrases, own)
  local list = {}
  for _, phrase in ipairs(phrases) do
    if phrase.of == own and not phrase.used then list[#list + 1] = ("nothing says '%s'"):format(phrase.key) end
  end
  return list
end

-- Checks all texts of a walkthrough. Returns what is wrong, and how many numbers there are of each kind.
local function check_walkthrough(name, claims)
  local faults, tally = {}, {}
  for _, text in ipairs(texts.of_walkthrough(name)) do
    local own = claims[text.key] or {}
    local phrases = check.phrases(own, common)
    for _, said in ipairs(text.texts) do
      add(faults, text.path, check.text(said, how_of(name, text), phrases, tally))
    end
    add(faults, text.path, unused(phrases, own))
  end
  return faults, tally
end

-- The changed texts of a walkthrough, one number each, of which no claim says that they are wrong.
local function missed(name, claims)
  local list, count = {}, 0
  for _, text in ipairs(texts.of_walkthrough(name)) do
    local phrases, how = check.phrases(claims[text.key] or {}, common), how_of(name, text)
    for _, said in ipairs(text.texts) do
      for planted, where in check.planted(said, how) do
        count = count + 1
        if not check.text(planted, how, phrases)[1] then list[#list + 1] = ("%s: ...%s..."):format(text.path, where) end
      end
    end
  end
  return list, count
end

describe("the numbers in texts", function()
  for _, name in ipairs(catalogue.names()) do
    local claims = claims_of(name)

    it(("of %s are what they are claimed to be"):format(name), function()
      local faults, tally = check_walkthrough(name, claims)
      assert.same({}, faults)
      if os.getenv "CLUE_CLAIMS" then
        for kind, count in pairs(tally) do io.stderr:write(("%s\t%s\t%d\n"):format(name, kind, count)) end
      end
    end)

    it(("of %s are found if they are wrong"):format(name), function()
      local list, count = missed(name, claims)
      assert.same({}, list)
      assert.is_true(count > 0)
    end)
  end

  it("are claims of texts that there are", function()
    local known = {common = true}
    for _, name in ipairs(catalogue.names()) do
      for _, text in ipairs(texts.of_walkthrough(name)) do known[text.key] = true end
      for key in pairs(claims_of(name)) do assert.is_true(known[key], ("%s: %s"):format(name, tostring(key))) end
    end
  end)

  it("that have no claim are found", function()
    assert.same({"17 has no claim: ...a group of 17..."}, check.text("a group of 17", {}, check.phrases {["16"] = 1}))
    assert.same({"0.5 has no claim: ...0.5 of it..."}, check.text("0.5 of it", {}, check.phrases {}))
  end)

  it("have claims as exact as they are printed", function()
    local it = sources.of "mql5".is(1.264)
    local function faults(text) return #check.text(text, {}, check.phrases {[text:match "[%d.]+"] = it}) end
    assert.equal(0, faults "gains 1.26")
    assert.equal(1, faults "gains 1.27")
    assert.equal(0, faults "gains 1.3")
    assert.equal(1, faults "gains 1.2")
    assert.equal(0, faults "gains 1")
  end)
end)
