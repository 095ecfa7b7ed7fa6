-- `clue walk amd`, the study nbody: its steps are right at odd sizes on every platform, and its check finds faults.
-- suite: whole
local nbody = require "clue.walk.nbody"
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/amd/"
local steps = {"15_nbody_host", "16_nbody_global", "17_nbody_local", "18_nbody_unrolled", "19_nbody_vectors",
               "20_nbody_beyond", "20b_nbody_instructions"}

describe("the n-body steps of amd", function()
  -- Oclgrind would take minutes for them.
  for _, size in ipairs {"1", "37", "131"} do
    it("are right on rusticl with " .. size .. " bodies", function()
      walks.all_verified(7, {"amd", "--steps", "15-20", "--size", size, "--repeat", "1"}, support.drivers "rusticl")
    end)
  end

  it("are right on PoCL", function()
    walks.all_verified(7, {"amd", "--steps", "15-20", "--size", "1001", "--repeat", "1"})
  end)

  for _, size in ipairs {"1", "6", "41"} do
    it("are right in groups whose size is not a multiple of 4, with " .. size .. " bodies", function()
      for step = 3, 5 do
        local status, out, err = support.run({folder .. steps[step] .. ".lua", "--size", size, "--group", "6",
                                              "--repeat", "1"}, walks.interpreted())
        assert.equal(0, status, err)
        assert.matches("1 of 1 step verified", out, 1, true)
      end
    end)
  end

  it("show interactions, frames and drift", function()
    local rows = walks.all_verified(2, {"amd", "--steps", "15,17", "--size", "100", "--repeat", "2"})
    for _, row in ipairs(rows) do
      local notes = table.concat(row.notes, "\n")
      assert.matches("interactions/s, ", notes, 1, true)
      assert.matches("frames/s", notes, 1, true)
      assert.matches("frames the energy has changed by ", notes, 1, true)
      assert.equal(20 * 100 ^ 2, row.times.flops)
    end
    assert.equal(2, #rows[1].beside)
    assert.matches("-O", rows[1].beside[2].compiler, 1, true)
  end)

  it("refuse wrong numbers of bodies", function()
    for size, says in pairs {["0"] = "1 to 2^40", x = "not a whole number", ["67108864"] = "fewer than 2^26 bodies"} do
      for _, step in ipairs {steps[1], steps[6]} do
        local status, out, err = support.run {folder .. step .. ".lua", "--size", size}
        assert.equal(2, status)
        assert.equal("", out)
        assert.matches(says, err, 1, true)
      end
    end
  end)
end)

-- ---- the check ----

-- Runs the host's loop while something is changed; gives the verdict of each pass.
local function verdicts(bodies, passes, variant, change, restore)
  local verdict = {}
  for i, pass in ipairs(passes) do
    pass.prepare()
    bodies:forget()
    if change then change() end
    bodies:step_on_host(variant)
    if restore then restore() end
    verdict[i] = {pass.check()}
  end
  return verdict
end

local function without_mass(bodies, first, count)
  local masses = {}
  return function()
    for i = first, first + count - 1 do
      masses[i] = bodies.position[4 * i + 3]
      bodies.position[4 * i + 3] = 0
    end
  end, function()
    for i = first, first + count - 1 do
      bodies.position[4 * i + 3] = masses[i]
      bodies.found.position[4 * i + 3] = masses[i]
    end
  end
end

describe("the check of bodies", function()
  for _, count in ipairs {1, 2, 3, 100, 1500} do
    it(("passes every loop of the host: %d bodies"):format(count), function()
      local bodies = nbody.new{size = tostring(count)}
      local passes = bodies:passes()
      for _, variant in ipairs {"serial", "parallel", "optimised"} do
        for i, verdict in ipairs(verdicts(bodies, passes, variant)) do
          assert.is_true(verdict[1], ("%s, %s: %s"):format(variant, passes[i].name, tostring(verdict[2])))
        end
      end
    end)
  end

  for _, fault in ipairs {{"the last body left out", 1499, 1}, {"the first body left out", 0, 1},
                          {"a body in the middle left out", 700, 1}, {"the last tile left out", 1280, 220},
                          {"a tile left out", 256, 256}} do
    it("finds " .. fault[1], function()
      local bodies = nbody.new{size = "1500"}
      local passes = bodies:passes()
      for i, verdict in ipairs(verdicts(bodies, passes, "optimised", without_mass(bodies, fault[2], fault[3]))) do
        if i == 1 then assert.is_false(verdict[1], passes[i].name) end
      end
    end)
  end

  it("finds one wrong number of one body, whether it is slightly wrong or NaN", function()
    local bodies = nbody.new{size = "300"}
    local passes = bodies:passes()
    for _, pass in ipairs(passes) do
      for _, part in ipairs {"position", "velocity"} do
        for _, wrong in ipairs {function(value) return value + 2e-4 end, function() return 0 / 0 end} do
          for _, at in ipairs {0, 4 * 150 + 1, 4 * 299 + 2, 4 * 299 + 3} do
            pass.prepare()
            bodies:step_on_host "serial"
            bodies.found[part][at] = wrong(bodies.found[part][at])
            local right, why = pass.check()
            assert.is_false(right, ("%s, %s %d"):format(pass.name, part, at))
            assert.matches(("of body %d is"):format(math.floor(at / 4)), why, 1, true)
          end
        end
      end
    end
  end)

  it("finds that there are too few frames", function()
    local bodies = nbody.new{size = "300"}
    local function fewer() bodies.frames = math.max(1, bodies.frames - 1) end
    local verdict = verdicts(bodies, bodies:passes(), "serial", fewer)
    assert.is_true(verdict[1][1])
    assert.is_false(verdict[2][1])
  end)

  it("checks a part of very many bodies, says so, and still finds that the last is left out", function()
    local bodies = nbody.new{size = "20011"}
    local passes = bodies:passes()
    assert.matches("of 20011 bodies", passes[1].name, 1, true)
    assert.matches("4096 of 20011 bodies", passes[2].name, 1, true)
    for i, verdict in ipairs(verdicts(bodies, passes, "optimised")) do
      assert.is_true(verdict[1], passes[i].name .. ": " .. tostring(verdict[2]))
    end
    assert.is_false(verdicts(bodies, {passes[1]}, "optimised", without_mass(bodies, 20010, 1))[1][1])
  end)
end)

-- ---- faults in the steps ----

local tail_left_out = {"first < count; first += size", "first + size < count; first += size"}
local no_swap = {"        now, later = later, now\n", ""}

-- Texts that are replaced in a step, and by what; the check must find each fault.
local faults = {
  ["15_nbody_host"] = {{"checked:step_on_host(loop)", "checked:step_on_host(loop) checked.found.velocity[5] = 0"}},
  ["16_nbody_global"] = {
    {"j < count; j++", "j + 1 < count; j++"},
    {"uint j = 0;", "uint j = 1;"},
    {"    new_velocity[i] = faster;", "    if (i != 17)\n        new_velocity[i] = faster;"},
    {"0.5f * step * step", "step * step"},
    {"faster.w = speed.w;", ""},
    no_swap,
  },
  ["17_nbody_local"] = {
    tail_left_out,
    {"first + here < count ? position[first + here]", "first + here < count && first != 16 ? position[first + here]"},
    {"first + here < count ? position[first + here]", "first + here + 1 < count ? position[first + here]"},
    {"k < size; k++", "k + 1 < size; k++"},
  },
  ["18_nbody_unrolled"] = {tail_left_out, {"k + 4 <= size; k += 4", "k + 8 <= size; k += 8"},
                           {"tile[k + 3]", "tile[k + 2]"}},
  ["19_nbody_vectors"] = {tail_left_out, {"vload4(k, mass)", "vload4(0, mass)"},
                          {"dot(pull_z, (float4)(1))", "pull_z.x"}},
  ["20_nbody_beyond"] = {{"j < count; j += PARTS", "j + 1 < count; j += PARTS"},
                         {"first_own + w < count; w++", "first_own + w + 1 < count; w++"}},
  ["20b_nbody_instructions"] = {{"j < count; j += PARTS", "j + 1 < count; j += PARTS"},
                                {"first_own + w < count; w++", "first_own + w + 1 < count; w++"}},
}

describe("a fault that is planted in an n-body step", function()
  for _, step in ipairs(steps) do
    for i, fault in ipairs(faults[step]) do
      it(("is found: %s, %d"):format(step, i), function()
        local path = walks.planted(folder .. step .. ".lua", fault[1], fault[2])
        local any_driver = not step:find "^20" -- step 20 chooses its kernels by the device
        local args = {path, "--size", any_driver and "21" or "41", "--repeat", "1"}
        if step:find "^1[789]" then args[6], args[7] = "--group", "8" end
        local status, out, err = support.run(args, any_driver and walks.interpreted() or nil)
        assert.equal(1, status, err)
        assert.matches("WRONG", out, 1, true)
      end)
    end
  end

  for name, race in pairs {
    ["after a tile was filled"] = {"position[first + here] : (float4)(0);\n        barrier(CLK_LOCAL_MEM_FENCE);",
                                   "position[first + here] : (float4)(0);"},
    ["after a tile was used"] = {"        }\n        barrier(CLK_LOCAL_MEM_FENCE);", "        }"},
  } do
    it("is reported by Oclgrind: no barrier " .. name, function()
      local path = walks.planted(folder .. "17_nbody_local.lua", race[1], race[2])
      local _, out, err = support.run({path, "--size", "21", "--group", "8", "--repeat", "1"}, walks.oclgrind())
      assert.matches("data race", walks.complaints(out .. err)[1], 1, true)
    end)
  end
end)
