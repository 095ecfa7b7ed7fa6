-- `clue walk amd`, the study nbody: its notes, wrong sizes, and the check of bodies. walk_steps_spec runs its
-- steps.
-- suite: whole
local gain = require "clue.result.gain"
local nbody = require "clue.walk.nbody"
local statistics = require "clue.result.statistics"
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/amd/"
describe("the n-body steps of amd", function()
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

  it("compare roots by the time of the row, which is the kernel's", function()
    local row = walks.all_verified(1, {"amd", "--steps", "20", "--size", "40", "--repeat", "6"})[1]
    local notes, exact, compared = table.concat(row.notes, "\n"), {}, 0
    for _, variant in ipairs(row.sweep) do
      local root = variant.label:match ", (%l*_?rsqrt)"
      local key = variant.label:gsub("%l+_rsqrt", "rsqrt")
      if root == "rsqrt" and not variant.label:find "denormals" then exact[key] = variant.times.kernel end
      if root ~= "rsqrt" and exact[key] then
        local told = gain.text(statistics.paired_gain(exact[key], variant.times.kernel))
        assert.matches(("gain over rsqrt alone: %s (%s)"):format(told, variant.label), notes, 1, true)
        compared = compared + 1
      end
    end
    assert.is_true(compared > 0)
  end)

  it("refuse wrong numbers of bodies", function()
    for size, says in pairs {["0"] = "1 to 2^40", x = "not a whole number", ["67108864"] = "fewer than 2^26 bodies"} do
      for _, step in ipairs {"15_nbody_host", "20_nbody_beyond"} do
        local err = support.refused(2, support.run {folder .. step .. ".lua", "--size", size})
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
