-- `clue check` of every walkthrough and every example: it finds nothing in them.
local catalogue = require "clue.walk.catalogue"
local json = require "dkjson"
local simulated = require "simulated"
local support = require "support"

local function check(words)
  local file = support.temporary ".json"
  local line = {"check", "--json", file}
  for _, word in ipairs(words) do line[#line + 1] = word end
  local status, out, err = support.run(line)
  assert.equal(0, status, out .. err)
  return json.decode(support.read(file))
end

for _, name in ipairs(catalogue.names()) do
  it("clue check finds nothing wrong in the walkthrough " .. name, function()
    local document = check {name}
    assert.equal(0, document.errors)
    assert.equal(0, document.notes)
    assert.equal(#catalogue.get(name).steps, #document.runs)
    for _, run in ipairs(document.runs) do
      local where = ("%s %s"):format(name, tostring(run.number))
      if run.skipped then
        assert.matches(simulated.skipped[where] or "nothing", run.skipped, where)
      else
        assert.equal(not simulated.without_kernel[where], run.launches > 0, where)
      end
    end
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
