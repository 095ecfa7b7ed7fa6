-- context:gemm uses the parameters that `clue tune scripts/spaces/gemm.lua` found on a device of the same name.
-- suite: quick
-- process: shared
-- drivers: oclgrind
local cl = require "clue"
local gpu_sets = require "clue.gemm.gpu_sets"
local objects = require "objects"
local lfs = require "lfs"
local support = require "support"
local tuned = require "clue.tuned"

it("the parameters that clue ships with are such as the forms take", function()
  local count = 0
  for _, type_name in ipairs {"float", "double", "int", "half"} do
    for _, entry in ipairs(tuned.entries("gemm_gpu_" .. type_name)) do
      if entry.from == "shipped" then
        assert.is_nil(gpu_sets.fault(gpu_sets.complete(entry.parameters)))
        assert.same({3, "string", "string"}, {#entry.size, type(entry.device.name), type(entry.device.driver)})
        count = count + 1
      end
    end
  end
  assert.is_true(count >= 4)
end)

describe("products with parameters that a tuner found", function()
  local real, real_entries = tuned.folder, tuned.entries
  local context, queue, folder

  setup(function()
    context, queue = objects.context()
    folder = support.folder()
    assert(lfs.mkdir(folder .. "/tuned"))
    tuned.folder = function() return folder .. "/tuned" end
    tuned.entries = function(name) -- without those that clue ships with, which may be for this device
      local found = {}
      for _, entry in ipairs(real_entries(name)) do
        if entry.from == "found" then found[#found + 1] = entry end
      end
      return found
    end
  end)

  teardown(function() tuned.folder, tuned.entries = real, real_entries end)

  local function keep(name, entries)
    for _, entry in ipairs(entries) do
      entry.device = tuned.facts(context.device)
      if entry.of then entry.device.name = entry.of end
      if entry.driver then entry.device.driver = entry.driver end
    end
    support.write(cl.json.encode {format = tuned.format, entries = entries}, ("%s/tuned/%s.json"):format(folder, name))
  end

  -- Multiplies matrices of ones, so each element of C is k.
  local function multiply(gemm, m, n, k)
    local a, b = cl.array.float(math.max(m * k, 1)):fill(1), cl.array.float(math.max(k * n, 1)):fill(1)
    local c = cl.array.float(m * n)
    local to = context:buffer(c)
    gemm(queue, m, n, k, context:buffer(a), context:buffer(b), to)
    queue:read_buffer(to, c)
    for i = 0, m * n - 1 do assert.equal(k, c[i]) end
  end

  local forms = {
    gpu = {{BM = 16, BN = 16, TM = 4, TN = 4}, {BM = 32, BN = 16, TM = 4, TN = 4}, {BM = 3}},
    cpu = {{MR = 3, NV = 1, KC = 64}, {MR = 6, NV = 1, KC = 64}, {TILE = 3}},
  }

  for form, sets in pairs(forms) do
    it("are computed with them if the size is about the same: form " .. form, function()
      if form == "cpu" and require("clue.compute.sizes").form(context) ~= "cpu" then return end
      keep("gemm_" .. form .. "_float", {
        {size = {40, 40, 40}, parameters = sets[1], driver = "older"}, {size = {40, 40, 48}, parameters = sets[2]},
        {size = {80, 80, 80}, parameters = sets[3]}, {size = {200, 200, 200}, parameters = sets[1], of = "Another"},
      })
      -- The options are new, so no earlier test's product is found.
      local gemm = context:gemm("float", {form = form, options = {defines = {FOUND = 1}}})
      local found = gemm.made.found
      assert.equal(2, #found) -- the others have unknown parameters, or are another device's
      multiply(gemm, 30, 50, 41)
      assert.same(sets[2], found:of(30, 50, 41).parameters) -- of this driver
      multiply(gemm, 40, 40, 48)
      assert.is_nil(found:of(80, 80, 80))
      assert.is_nil(found:of(40, 40, 100))
      assert.is_nil(found:of(40, 40, 0))
      multiply(gemm, 80, 20, 3)
      multiply(gemm, 40, 40, 0)
      assert.is_nil(context:gemm("float", {form = form, parameters = sets[1]}).made.found)
    end)
  end
end)
