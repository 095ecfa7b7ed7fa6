-- `clue check` of every walkthrough and every example: it finds nothing in them.
-- suite: whole
local catalogue = require "clue.walk.catalogue"
local json = require "dkjson"
local simulated = require "simulated"
local support = require "support"
local walks = require "walk_support"

local function check(words)
  local file = support.temporary ".json"
  local line = {"check", "--json", file}
  for _, word in ipairs(words) do line[#line + 1] = word end
  local status, out, err = support.run(line)
  assert.equal(0, status, out .. err)
  return json.decode(support.read(file))
end

-- A copy of the step that tries eight forms of one kernel, whose tiles take long at any size: it tries three of them.
local function with_three_forms()
  local folder = walks.copied("hello", "7")
  for _, form in ipairs {"parts = 4, block = 16", "parts = 4, block = 24", "parts = 4, block = 40",
                         "parts = 4, block = 32, lanes = 1, tile = 1024",
                         "parts = 4, block = 32, lanes = 1, tile = 2048"} do
    walks.change(folder .. "/07_register_block.lua", "{columns = 32, " .. form, "--{columns = 32, " .. form)
  end
  return folder .. "/"
end

-- What is checked of a walkthrough, if not all at its own size. In steps 1 and 2 of dcltk every work-item does all the
-- work.
local parts = {
  dcltk = {{"dcltk", "--steps", "0,3-23"}, {"dcltk", "--steps", "1,2", "--size", "9x11x7"}},
  hello = {{"hello", "--steps", "0-6"}, {with_three_forms}},
}

for _, name in ipairs(catalogue.names()) do
  it("clue check finds nothing wrong in the walkthrough " .. name, function()
    local count = 0
    for _, part in ipairs(parts[name] or {{name}}) do
      if type(part[1]) == "function" then part = {part[1]()} end
      local document = check(part)
      assert.equal(0, document.errors)
      assert.equal(0, document.notes)
      for _, run in ipairs(document.runs) do
        count = count + 1
        local where = ("%s %s"):format(name, tostring(run.number))
        if run.skipped then
          assert.matches(simulated.skipped[where] or "nothing", run.skipped, where)
        else
          assert.equal(not simulated.without_kernel[where], run.launches > 0, where)
        end
      end
    end
    assert.equal(#catalogue.get(name).steps, count)
  end)
end

for _, name in ipairs(simulated.examples()) do
  it("clue check finds nothing wrong in the example " .. name, function()
    local words = {("scripts/examples/%s.lua"):format(name)}
    for _, word in ipairs(simulated.arguments[name] or {}) do words[#words + 1] = word end
    local document = check(words)
    assert.equal(0, document.errors)
    assert.equal(0, document.notes)
    assert.is_true(document.runs[1].launches > 0)
  end)
end
