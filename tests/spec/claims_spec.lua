-- Every number in a text of a walkthrough is a claim that tests/claims backs: by the kept counts, a kept measurement,
-- machine code, the source, a kernel's constants, or a definition.
-- suite: whole
local catalogue = require "clue.run.catalogue"
local check = require "claim_check"
local numbers = require "claim_numbers"
local read = require("clue.file").read
local sources = require "claim_sources"
local texts = require "claim_texts"

local is_step = {}
for _, name in ipairs(catalogue.names()) do is_step[name] = texts.is_step(name) end

local function claims_of(name) return dofile(("tests/claims/%s.lua"):format(name))(sources.of(name)) end

local common = claims_of "common"

-- With CLUE_CLAIMS=1: how many numbers of each kind there are.
local function tell(of, tally)
  for kind, count in pairs(os.getenv "CLUE_CLAIMS" and tally or {}) do
    io.stderr:write(("%s\t%s\t%d\n"):format(of, kind, count))
  end
end

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

-- ---- pages ----

-- What a row of a table is about: the step that its first cell begins with, or else that cell.
local function key_of(cell, is_of_page)
  local number = cell:match "^(%d+%l?)%f[:%z]"
  if not (number and is_of_page and is_of_page(number)) then return cell end
  return tonumber(number) or number
end

-- Checks a cell: by its column, which gives the claims of its numbers or its very text, or as a text.
local function check_cell(cell, column, key, how, phrases, tally)
  if type(column) == "table" then
    local text = column.text(key)
    return cell == text and {} or {("'%s' should be '%s'"):format(cell, text)}
  end
  if not (column and cell:find "%d") then return check.text(cell, how, phrases, tally) end
  return check.text(cell, how, phrases, tally, column(key))
end

-- Calls a function with each cell of a table, its column, its row's key and how to read it.
local function each_cell(of_table, columns, is_of_page, visit)
  for _, row in ipairs(of_table.rows) do
    local key = key_of(row[1], is_of_page)
    for i, cell in ipairs(row) do
      local how = {is_step = is_of_page, walkthroughs = is_step, is_cell = true,
                   first_is_step = i == 1 or of_table.header[i] == "over"}
      local column = (i > 1 or key == cell) and (columns[i] or columns[of_table.header[i]]) or nil
      visit(cell, column, key, how, ("%s, %s"):format(row[1], of_table.header[i]))
    end
  end
end

-- Calls a function with each cell and each text of a part of a page.
local function each_text(part, own, visit)
  local is_of_page = is_step[own.walkthrough]
  for i, of_table in ipairs(part.tables) do each_cell(of_table, (own.tables or {})[i] or {}, is_of_page, visit) end
  for _, text in ipairs(part.texts) do
    visit(text, nil, nil, {is_step = is_of_page, walkthroughs = is_step, lists = true, is_cell = true}, "text")
  end
end

-- Checks a part of a page.
local function check_part(part, own, tally)
  local faults, phrases = {}, check.phrases(own, common)
  each_text(part, own, function(text, column, key, how, place)
    add(faults, place, check_cell(text, column, key, how, phrases, tally))
  end)
  add(faults, "claims", unused(phrases, own))
  return faults
end

-- The changed numbers of a part that nothing finds.
local function missed_in_part(part, own)
  local list, phrases = {}, check.phrases(own, common)
  each_text(part, own, function(text, column, key, how, place)
    for planted, where in check.planted(text, how) do
      local other_key = key == text and planted or key
      local done, faults = pcall(check_cell, planted, column, other_key, how, phrases)
      if done and not faults[1] then list[#list + 1] = ("%s: ...%s..."):format(place, where) end
    end
  end)
  return list
end

-- ---- ideas ----

local path_of = {} -- of steps, by their place in docs/ideas.md: "mql5 4"
for _, name in ipairs(catalogue.names()) do
  for _, step in ipairs(catalogue.get(name).steps) do path_of[("%s %s"):format(name,
  tostring(step.number))] = step.path end
end

-- The numbers of an idea that no place says which it names.
local function unsaid(row)
  local said, list = "", {}
  for place in table.concat(row, " ", 2):gmatch "`([^`]+)`" do
    local path = path_of[place:match "^%w+ %w+"] or place:find "/" and place
    said = said .. (path and read(path) or "") .. place .. "\n"
  end
  for _, number in ipairs(numbers.of(row[1], {walkthroughs = is_step})) do
    if number.value and not said:find("%f[%d.]" .. number.digits:gsub("%p", "%%%0") .. "%f[^%d.]") then
      list[#list + 1] = number.digits
    end
  end
  return list
end

describe("the numbers in texts", function()
  for path, parts in pairs(dofile "tests/claims/pages.lua"(sources)) do
    it(("of %s are what they are claimed to be"):format(path), function()
      local faults, tally = {}, {}
      for _, part in ipairs(texts.of_page(path)) do
        add(faults, part.heading, check_part(part, parts[part.heading] or {}, tally))
      end
      assert.same({}, faults)
      tell(path, tally)
    end)

    it(("of %s are found if they are wrong"):format(path), function()
      local list = {}
      for _, part in ipairs(texts.of_page(path)) do
        add(list, part.heading, missed_in_part(part, parts[part.heading] or {}))
      end
      assert.same({}, list)
    end)
  end

  for _, name in ipairs(catalogue.names()) do
    local claims = claims_of(name)

    it(("of %s are what they are claimed to be"):format(name), function()
      local faults, tally = check_walkthrough(name, claims)
      assert.same({}, faults)
      tell(name, tally)
    end)

    it(("of %s are found if they are wrong"):format(name), function()
      local list, count = missed(name, claims)
      assert.same({}, list)
      assert.is_true(count > 0)
    end)
  end

  it("of docs/ideas.md are in a step or a page that the idea names", function()
    local faults = {}
    for _, part in ipairs(texts.of_page "docs/ideas.md") do
      for _, of_table in ipairs(part.tables) do
        for _, row in ipairs(of_table.rows) do add(faults, row[1], unsaid(row)) end
      end
    end
    assert.same({}, faults)
  end)

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
