-- The check of n-body: what it accepts and what it finds, close to the bound that rounding explains. The expected
-- bounds are computed here, from the sums over all bodies that the check's head describes.
-- suite: quick
-- process: shared
local nbody = require "clue.walk.nbody"

local U = 2 ^ -24

-- The pull on a body: its three parts, the sum of the sizes of all forces (S), and L.
local function pull_on(bodies, i)
  local p, at = bodies.position, {0, 0, 0}
  local sum, slope = 0, 0
  for j = 0, bodies.count - 1 do
    local d, square = {}, bodies.softening
    for axis = 1, 3 do
      d[axis] = p[4 * j + axis - 1] - p[4 * i + axis - 1]
      square = square + d[axis] ^ 2
    end
    local pull = p[4 * j + 3] / square ^ 1.5
    for axis = 1, 3 do at[axis] = at[axis] + pull * d[axis] end
    sum, slope = sum + pull * math.sqrt(square - bodies.softening), slope + 2 * pull
  end
  return at, sum, slope
end

-- Computes the frames in double, as a right device would if it did not round before the end.
local function compute(bodies)
  local state = bodies.arrays("double", bodies.count)
  local later = bodies.arrays("double", bodies.count)
  state.position:copy_from(bodies.position)
  state.velocity:copy_from(bodies.velocity)
  for _ = 1, bodies.frames do
    bodies:advance("reference", state, later, 0, bodies.count)
    state, later = later, state
  end
  bodies.found.position:copy_from(state.position)
  bodies.found.velocity:copy_from(state.velocity)
end

-- Prepares a pass, computes, and moves an element of a part by a distance: the check's verdict.
local function verdict(bodies, pass, part, element, by)
  pass.prepare()
  compute(bodies)
  if part then
    local found = bodies.found[part]
    found[element] = found[element] + (type(by) == "function" and by() or by)
  end
  return pass.check()
end

describe("the check of n-body", function()
  local bodies, passes
  before_each(function()
    bodies = nbody.new {size = "64", repeats = 1}
    passes = bodies:passes()
  end)

  it("accepts what is right in every pass", function()
    for _, pass in ipairs(passes) do assert.is_true((verdict(bodies, pass))) end
  end)

  it("accepts an acceleration that rounding explains, and refuses one twice as far off", function()
    for _, i in ipairs {0, 17, 63} do
      -- The bodies rest and the step is 1, so velocities are accelerations.
      local function bound()
        local _, sum = pull_on(bodies, i)
        return U * sum * (24 + 6 * math.sqrt(bodies.count / 3))
      end
      local function by(factor) return function() return factor * bound() end end
      assert.is_true((verdict(bodies, passes[1], "velocity", 4 * i + 1, by(0.9))))
      local right, why = verdict(bodies, passes[1], "velocity", 4 * i + 1, by(2))
      assert.is_false(right)
      assert.matches(("velocity y of body %d is "):format(i), why, 1, true)
    end
  end)

  it("refuses positions and velocities that are off by a few units in the last place after a step", function()
    for _, part in ipairs {"position", "velocity"} do
      local right, why = verdict(bodies, passes[3], part, 4 * 40 + 2, 12 * U)
      assert.is_false(right)
      assert.matches(part .. " z of body 40 is ", why, 1, true)
    end
  end)

  it("refuses another fourth number", function()
    local right, why = verdict(bodies, passes[3], "position", 4 * 63 + 3, 1)
    assert.is_false(right)
    assert.matches("the fourth number of the position of body 63 is", why, 1, true)
  end)

  -- Errors of positions change the forces of the next step: two bodies, so close and heavy that this counts.
  it("lets the errors of a step widen the bounds of the next", function()
    local pair = nbody.new {size = "2", repeats = 1}
    local pass = pair:passes()[2]
    pass.prepare()
    for k, value in ipairs {0, 0, 0, 4096, 2 ^ -6, 0, 0, 4096} do pair.position[k - 1] = value end
    for k = 0, 7 do pair.velocity[k] = 0 end
    local state, later = pair.arrays("double", 2), pair.arrays("double", 2)
    state.position:copy_from(pair.position)
    state.velocity:copy_from(pair.velocity)
    local position, velocity, most = {0, 0}, {0, 0}, 0
    for _ = 1, pair.frames do
      local before = most
      pair:advance("reference", state, later, 0, 2)
      for i = 0, 1 do
        local _, sum, slope = pull_on({position = state.position, count = 2, softening = pair.softening}, i)
        local function largest(values)
          return math.max(math.abs(values[4 * i]), math.abs(values[4 * i + 1]), math.abs(values[4 * i + 2]))
        end
        local pull = U * sum * (24 + 6 * math.sqrt(2 / 3)) + 2 * before * slope
        local speed = math.max(largest(state.velocity), largest(later.velocity)) + pair.step * sum
        local place = math.max(largest(state.position), largest(later.position)) + pair.step * speed
        position[i + 1] = position[i + 1] + pair.step * velocity[i + 1] + pair.step ^ 2 / 2 * pull + 3 * U * place
        velocity[i + 1] = velocity[i + 1] + pair.step * pull + 3 * U * speed
        most = math.max(most, position[i + 1])
      end
      state, later = later, state
    end
    pair.found.position:copy_from(state.position)
    pair.found.velocity:copy_from(state.velocity)
    pair.found.velocity[0] = state.velocity[0] + 0.9 * velocity[1]
    assert.is_true(pass.check())
    pair.found.velocity[0] = state.velocity[0] + 1.2 * velocity[1]
    local right, why = pass.check()
    assert.is_false(right)
    assert.matches(("differences up to %.2g"):format(velocity[1]), why, 1, true)
  end)
end)

it("the note on drift has no drift if nothing moves, and that of what was computed", function()
  local bodies = nbody.new {size = "32", repeats = 1}
  local still = {execute = function()
    bodies.found.position:copy_from(bodies.position)
    bodies.found.velocity:copy_from(bodies.velocity)
  end}
  assert.equal("after 1000 frames the energy has changed by 0 of itself, the momentum by 0 of the sum of all",
    bodies:drift(still, {total = {1e-6}}))
  local faster = {execute = function()
    still.execute()
    for i = 0, #bodies.found.velocity - 1 do bodies.found.velocity[i] = 2 * bodies.found.velocity[i] end
  end}
  local energy = bodies:drift(faster, {total = {1e-6}}):match "energy has changed by (%S+) of itself"
  local kinetic, potential = 0, 0
  for i = 0, 31 do
    local v, p = bodies.velocity, bodies.position
    for axis = 0, 2 do kinetic = kinetic + p[4 * i + 3] * v[4 * i + axis] ^ 2 / 2 end
    for j = i + 1, 31 do
      local square = bodies.softening
      for axis = 0, 2 do square = square + (p[4 * i + axis] - p[4 * j + axis]) ^ 2 end
      potential = potential - p[4 * i + 3] * p[4 * j + 3] / math.sqrt(square)
    end
  end
  assert.near(3 * kinetic / math.abs(kinetic + potential), tonumber(energy), 0.06 * tonumber(energy))
end)
