-- `clue count` of every walkthrough and every example: all that runs on a device is counted, at small sizes.
-- suite: whole
local catalogue = require "clue.walk.catalogue"
local json = require "dkjson"
local simulated = require "simulated"
local support = require "support"

local function check_kernel(kernel, where)
  assert.is_true(kernel.items > 0 and kernel.instructions > 0, where)
  assert.is_false(kernel.cut, where)
  for _, width in ipairs {"warp", "wavefront"} do
    assert.equal(kernel.instructions, kernel[width].lanes, where) -- every instruction is some lane's
    assert.is_true(kernel[width].lanes <= kernel[width].instructions * kernel[width].width, where)
  end
  for _, site in ipairs(kernel.sites) do
    local of = site.warp
    if of then
      assert.is_true(of.requests > 0 and of.requests <= site.accesses, where)
      assert.is_true(of.sectors >= of.least_sectors and of.passes >= of.least_passes, where)
    end
  end
end

for _, name in ipairs(catalogue.names()) do
  describe("clue count " .. name, function()
    it("counts every step that runs on a device", function()
      local file = support.temporary ".json"
      local status, out, err = support.run {"count", name, "--json", file}
      assert.equal(0, status, err .. out)
      local runs = json.decode(support.read(file)).runs
      assert.equal(#catalogue.get(name).steps, #runs)
      for _, run in ipairs(runs) do
        local where = ("%s %s"):format(name, tostring(run.number))
        if run.skipped then
          assert.matches(simulated.skipped[where] or "nothing", run.skipped, where)
        else
          assert.equal(not simulated.without_kernel[where], run.kernels[1] ~= nil, where)
          for _, kernel in ipairs(run.kernels) do check_kernel(kernel, where) end
        end
      end
    end)
  end)
end

describe("clue count of the examples", function()
  for _, name in ipairs(simulated.examples()) do
    it("counts " .. name, function()
      local file = support.temporary ".json"
      local words = {"count", "--json", file, ("scripts/examples/%s.lua"):format(name)}
      for _, word in ipairs(simulated.arguments[name] or {}) do words[#words + 1] = word end
      local status, out, err = support.run(words)
      assert.equal(0, status, err .. out)
      local kernels = json.decode(support.read(file)).runs[1].kernels
      assert.is_true(#kernels > 0)
      for _, kernel in ipairs(kernels) do check_kernel(kernel, name) end
    end)
  end
end)
