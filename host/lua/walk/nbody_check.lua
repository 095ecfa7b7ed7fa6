--- Checks bodies after one or several steps, against the host in double, within what rounding can explain.
-- @module clue.walk.nbody_check
local array = require "clue.array"

local nbody_check = {}

-- The most interactions of the host's double reference, so that a check takes only about a second.
local most_checked = 2 ^ 28

local function in_double(self, chosen)
  local state = self.arrays("double", #chosen)
  for k, i in ipairs(chosen) do
    for axis = 0, 3 do
      state.position[4 * (k - 1) + axis] = self.position[4 * i + axis]
      state.velocity[4 * (k - 1) + axis] = self.velocity[4 * i + axis]
    end
  end
  return state
end

-- How far a right result may be from the reference. u = 2^-24 is float's unit roundoff; S_i = sum_j m_j r / (r^2 +
-- e)^1.5 is the sum of the sizes of the forces on body i; L_i = sum_j 2 m_j / (r^2 + e)^1.5 bounds how fast these
-- change with the positions; n counts bodies with mass.
--   * One term: 1 u for a difference, 3 u for the square of the distance, so 1.5 u for its root; rsqrt() may be off by
--     2 ulp, 4 u; the cube has three times both, and two roundings of its own; multiplying by mass and difference adds
--     2 u: 22 u in all, possibly in the same direction for every term. 24 u S_i.
--   * The sum: n additions, each off by at most u of a partial sum, which is at most S_i. As independent, uniform
--     errors, they have a standard deviation of u S_i sqrt(n / 3). Six of these.
--   * Positions that are off by X change the acceleration by 2 X L_i: the body's own position and the others'.
-- Step by step these become errors of velocity (times step) and position (times step, half its square). Storing each,
-- with its intermediate sums, costs up to 3 u of the largest number in it.
local U = 2 ^ -24

local function new_bounds(count, terms)
  return {terms = terms, before = 0, position = array.double(count), velocity = array.double(count), most = 0}
end

local function largest(values, i)
  return math.max(math.abs(values[4 * i]), math.abs(values[4 * i + 1]), math.abs(values[4 * i + 2]))
end

-- Body i's bounds after one more step. scale has S and L; from and to are the reference's states before and after it.
local function widen(self, bounds, i, scale, from, to)
  local step, sum = self.step, scale[2 * i]
  local pull = U * sum * (24 + 6 * math.sqrt(bounds.terms / 3)) + 2 * bounds.before * scale[2 * i + 1]
  local speed = math.max(largest(from.velocity, i), largest(to.velocity, i)) + step * sum
  local place = math.max(largest(from.position, i), largest(to.position, i)) + step * speed
  bounds.position[i] = bounds.position[i] + step * bounds.velocity[i] + step ^ 2 / 2 * pull + 3 * U * place
  bounds.velocity[i] = bounds.velocity[i] + step * pull + 3 * U * speed
  bounds.most = math.max(bounds.most, bounds.position[i])
end

local names = {"x", "y", "z"}

-- What is wrong with body i, which is body k of `right`, the reference.
local function fault_of(self, i, k, right, bounds)
  for _, part in ipairs {"position", "velocity"} do
    local found, bound = self.found[part], bounds[part][k]
    for axis = 0, 2 do
      local is, expected = found[4 * i + axis], right[part][4 * k + axis]
      local near = math.abs(is - expected) <= bound -- false for NaN
      if not near then
        return ("%s %s of body %d is %.9g, should be %.9g; rounding explains differences up to %.2g"):format(part,
          names[axis + 1], i, is, expected, bound)
      end
    end
    if found[4 * i + 3] ~= self[part][4 * i + 3] then
      return ("the fourth number of the %s of body %d is %.9g, should be passed on unchanged: %.9g"):format(part, i,
        found[4 * i + 3], self[part][4 * i + 3])
    end
  end
end

-- A number of the bodies, evenly spread, including the first and the last; all of them if there are no more.
local function spread(count, wanted)
  wanted = math.min(count, wanted)
  local chosen = {}
  for k = 0, wanted - 1 do chosen[k + 1] = wanted == 1 and 0 or math.floor(k * (count - 1) / (wanted - 1) + 0.5) end
  return chosen
end

-- The ranges of bodies to compare: all, or 64 blocks spread over them.
local function ranges(count)
  local wanted = math.max(64, math.floor(most_checked / count))
  if count <= wanted then return {{0, count}} end
  local length, all = math.floor(wanted / 64), {}
  for _, first in ipairs(spread(count - length + 1, 64)) do all[#all + 1] = {first, length} end
  return all
end

local function part_text(count, all)
  return count == all and "" or (", %d of %d bodies"):format(count, all)
end

-- One step, checked for the bodies of ranges(). The reference is computed once.
local function one_step(self, name, prepare)
  local pass, right, bounds, scale, from = {}, nil, nil, nil, nil
  local parts, checked = ranges(self.count), 0
  for _, part in ipairs(parts) do checked = checked + part[2] end
  local function compute()
    from, right = self.arrays("double", self.count), self.arrays("double", self.count)
    from.position:copy_from(self.position)
    from.velocity:copy_from(self.velocity)
    scale, bounds = array.double(2 * self.count), new_bounds(self.count, self.count)
    for _, part in ipairs(parts) do
      self:advance("reference", from, right, part[1], part[2], scale)
      for i = part[1], part[1] + part[2] - 1 do widen(self, bounds, i, scale, from, right) end
    end
  end
  pass.name, pass.prepare = name .. part_text(checked, self.count), prepare
  function pass.check()
    if not right then compute() end
    for _, part in ipairs(parts) do
      for i = part[1], part[1] + part[2] - 1 do
        local fault = fault_of(self, i, i, right, bounds)
        if fault then return false, fault end
      end
    end
    return true
  end
  return pass
end

-- Several steps of the bodies with mass; the others are not followed.
local function several_steps(self, frames)
  local chosen = spread(self.count, 4096)
  local pass = {name = ("%d steps%s"):format(frames, part_text(#chosen, self.count))}
  function pass.prepare() self:fill_sparse(chosen, frames) end
  local right, bounds
  local function compute()
    local from, to = in_double(self, chosen), self.arrays("double", #chosen)
    local scale = array.double(2 * #chosen)
    bounds = new_bounds(#chosen, #chosen)
    for _ = 1, frames do
      bounds.before = bounds.most
      self:advance("reference", from, to, 0, #chosen, scale)
      for k = 0, #chosen - 1 do widen(self, bounds, k, scale, from, to) end
      from, to = to, from
    end
    right = from
  end
  function pass.check()
    if not right then compute() end
    for k, i in ipairs(chosen) do
      local fault = fault_of(self, i, k - 1, right, bounds)
      if fault then return false, fault end
    end
    return true
  end
  return pass
end

--- The passes: the acceleration alone, several steps, and the measured step.
-- @tparam Bodies bodies
-- @treturn {table,...} for @{clue.walk.verify}
function nbody_check.passes(bodies)
  return {
    one_step(bodies, "accelerations against the host in double", function() bodies:fill_at_rest() end),
    several_steps(bodies, 3),
    one_step(bodies, "the measured step", function() bodies:fill_as_measured() end),
  }
end

return nbody_check
