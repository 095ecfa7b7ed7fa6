--- Gravity between all pairs of bodies as walkthroughs use it: the bodies, the check, the host's loops, the drift.
--
-- A body is a float4 of position and mass and a float4 of velocity. Positions are uniform in a cube of side 2, masses
-- add up to about 1, and there is no constant of gravity. Step and softening are powers of two, the same in float and
-- double.
-- @module clue.walk.nbody
local array = require "clue.array"
local binding = require "clue.binding"
local error_object = require "clue.error"
local sizes = require "clue.walk.size"
local statistics = require "clue.walk.statistics"
local walk = require "clue.walk"

local nbody = {}
local Bodies = {}
Bodies.__index = Bodies

local STEP, SOFTENING = 2 ^ -8, 2 ^ -10

-- Interactions that the host's double reference takes at most for a check, so that it stays a matter of a second, and
-- bodies up to which energy is told.
local most_checked, most_for_energy, most_seconds = 2 ^ 28, 65536, 5

--- Declares the inputs of every step: --size and --repeat.
-- @tparam table input the script's `input`
-- @tparam string size the default
function nbody.inputs(input, size)
  input.string("_size", size, "how many bodies")
  input.int("_repeat", 0, "measured runs; 0: until 7 or 3 seconds, whichever comes first", 0)
end

local function arrays(name, count)
  return {position = array[name](4 * count), velocity = array[name](4 * count)}
end

--- The bodies of a step, as its inputs say.
-- @tparam table how size: text; repeats: a number (0: as the rule says)
-- @treturn Bodies with count, position, velocity (arrays of the inputs), found (position, velocity: what was read
--   back), step, softening (numbers), frames (steps that one run is to make), flops, bytes, repeats
function nbody.new(how)
  local count, why = sizes.count(sizes.of_study(how.size, "nbody", "2048"))
  if not count or count >= 2 ^ 26 then
    io.stderr:write("clue: ", why or ("size '%s': 1 to 2^26 bodies are possible"):format(how.size), "\n")
    os.exit(2, true)
  end
  local self = setmetatable(arrays("float", count), Bodies)
  self.found, self.count, self.softening = arrays("float", count), count, SOFTENING
  self.repeats = how.repeats and how.repeats > 0 and how.repeats or nil
  self.flops, self.bytes = 20 * count ^ 2, 64 * count
  self:fill_as_measured()
  return self
end

-- ---- inputs ----

local function fill(self, speed)
  self.position:random(-1, 1, 1)
  self.velocity:random(-speed, speed, 2)
  local masses, count = array.float(self.count):random(0.5, 1.5, 3), self.count
  for i = 0, count - 1 do
    self.position[4 * i + 3] = masses[i] / count
    self.velocity[4 * i + 3] = i % 1024 -- the fourth number is passed on: a check sees whose it is
  end
end

--- The inputs that are measured: moving bodies, one frame.
function Bodies:fill_as_measured()
  fill(self, 0.5)
  self.step, self.frames = STEP, 1
end

-- At rest and with a step of 1 the new velocity is the acceleration itself, and no digit of it is lost in a sum.
local function fill_at_rest(self)
  fill(self, 0.5)
  for i = 0, self.count - 1 do
    for axis = 0, 2 do self.velocity[4 * i + axis] = 0 end
  end
  self.step, self.frames = 1, 1
end

-- Of many bodies only some have mass. They move as if alone, so the reference can follow them for several steps.
local function fill_sparse(self, chosen, frames)
  fill(self, 0.5)
  local heavy = {}
  for _, i in ipairs(chosen) do heavy[i] = self.position[4 * i + 3] * self.count / #chosen end
  for i = 0, self.count - 1 do self.position[4 * i + 3] = heavy[i] or 0 end
  self.step, self.frames = STEP, frames
end

-- So many of the bodies, evenly spread, the first and the last among them; all where there are no more.
local function spread(count, wanted)
  wanted = math.min(count, wanted)
  local chosen = {}
  for k = 0, wanted - 1 do chosen[k + 1] = wanted == 1 and 0 or math.floor(k * (count - 1) / (wanted - 1) + 0.5) end
  return chosen
end

--- Memory of a device for the bodies' state.
-- @tparam context context
-- @treturn table position, velocity: buffers
function Bodies:buffers(context)
  return {position = context:buffer(self.position:bytes()), velocity = context:buffer(self.velocity:bytes())}
end

--- Makes the memory of results hold what no result is, before a run.
-- @tparam[opt] queue queue
-- @tparam[opt] table state of a device, from @{Bodies:buffers}
function Bodies:forget(queue, state)
  for _, part in ipairs {"position", "velocity"} do
    self.found[part]:fill(0 / 0)
    if queue then queue:write_buffer(state[part], self.found[part]) end
  end
end

-- ---- the check ----

local function step_on_host(self, variant, from, to, first, count, scale)
  error_object.check(binding.nbody_step({
    count = #from.position / 4, position = from.position, velocity = from.velocity, position_out = to.position,
    velocity_out = to.velocity, scale_out = scale, step = self.step, softening = self.softening,
  }, variant, first, count))
end

local function in_double(self, chosen)
  local state = arrays("double", #chosen)
  for k, i in ipairs(chosen) do
    for axis = 0, 3 do
      state.position[4 * (k - 1) + axis] = self.position[4 * i + axis]
      state.velocity[4 * (k - 1) + axis] = self.velocity[4 * i + axis]
    end
  end
  return state
end

-- How far a right result may lie from the reference. u = 2^-24 is float's unit roundoff;
-- S_i = sum_j m_j r / (r^2 + e)^1.5 is the sum of the sizes of what acts on body i;
-- L_i = sum_j 2 m_j / (r^2 + e)^1.5 bounds how fast that changes with the positions; n counts bodies with mass.
--   * One term: 1 u for a difference, 3 u for the square of the distance, so 1.5 u of its root; rsqrt() may be off by 2
--     ulp, 4 u; the cube has three times both, and two roundings of its own; times mass and difference, 2 u more: 22 u
--     in all, in the same direction perhaps for every term. 24 u S_i.
--   * The sum: n additions, each off by u of a partial sum at most, which is S_i at most; as independent errors,
--     uniform, they have a standard deviation of u S_i sqrt(n / 3). Six of these.
--   * Positions that are off by X change the acceleration by 2 X L_i: the body's own and the others'.
-- Step by step these become errors of velocity (times step) and position (times step, half its square); storing each
-- and its intermediate sums costs up to 3 u of the largest number in it.
local U = 2 ^ -24

local function new_bounds(count, terms)
  return {terms = terms, before = 0, position = array.double(count), velocity = array.double(count), most = 0}
end

local function largest(values, i)
  return math.max(math.abs(values[4 * i]), math.abs(values[4 * i + 1]), math.abs(values[4 * i + 2]))
end

-- Body i's bounds after one more step. scale has S and L; from and to are the reference's states around it.
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

-- What is wrong with body i, whose reference is body k of `right`.
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
      return ("the fourth number of the %s of body %d is %.9g, should be passed on: %.9g"):format(part, i,
        found[4 * i + 3], self[part][4 * i + 3])
    end
  end
end

-- Ranges of bodies that are compared: all, or 64 blocks spread over them.
local function ranges(count)
  local wanted = math.max(64, math.floor(most_checked / count))
  if count <= wanted then return {{0, count}} end
  local length, all = math.floor(wanted / 64), {}
  for _, first in ipairs(spread(count - length + 1, 64)) do all[#all + 1] = {first, length} end
  return all
end

local function told(count, all)
  return count == all and "" or (", %d of %d bodies"):format(count, all)
end

-- One step, checked for the bodies of ranges(): what the reference says is computed once.
local function one_step(self, name, prepare)
  local pass, right, bounds, scale, from = {}, nil, nil, nil, nil
  local parts, checked = ranges(self.count), 0
  for _, part in ipairs(parts) do checked = checked + part[2] end
  local function compute()
    from, right = arrays("double", self.count), arrays("double", self.count)
    from.position:copy_from(self.position)
    from.velocity:copy_from(self.velocity)
    scale, bounds = array.double(2 * self.count), new_bounds(self.count, self.count)
    for _, part in ipairs(parts) do
      step_on_host(self, "reference", from, right, part[1], part[2], scale)
      for i = part[1], part[1] + part[2] - 1 do widen(self, bounds, i, scale, from, right) end
    end
  end
  pass.name, pass.prepare = name .. told(checked, self.count), prepare
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

-- Several steps of the bodies that have mass; the others are followed by nobody.
local function several_steps(self, frames)
  local chosen = spread(self.count, 4096)
  local pass = {name = ("%d steps%s"):format(frames, told(#chosen, self.count))}
  function pass.prepare() fill_sparse(self, chosen, frames) end
  local right, bounds
  local function compute()
    local from, to = in_double(self, chosen), arrays("double", #chosen)
    local scale = array.double(2 * #chosen)
    bounds = new_bounds(#chosen, #chosen)
    for _ = 1, frames do
      bounds.before = bounds.most
      step_on_host(self, "reference", from, to, 0, #chosen, scale)
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

--- The passes of a check against the host in double: the acceleration alone, several steps, and the measured step.
-- @treturn {table,...} for @{clue.walk.verify}
function Bodies:passes()
  return {
    one_step(self, "accelerations against the host in double", function() fill_at_rest(self) end),
    several_steps(self, 3),
    one_step(self, "the step that is measured", function() self:fill_as_measured() end),
  }
end

-- ---- the host ----

--- A step by a loop of the host, as a device's execute.
-- @tparam string variant "serial", "parallel", "optimised"
function Bodies:step_on_host(variant)
  local now, later = self, self.found
  for _ = 1, self.frames do
    step_on_host(self, variant, now, later, 0, self.count)
    now, later = later, now == self and arrays("float", self.count) or now
  end
  self.found = now
end

local loops = {
  serial = {name = "plain loop on one core", least = 1},
  parallel = {name = "plain loop on all cores", least = 256},
  optimised = {name = "vectors on all cores", least = 1024},
}

--- Times a loop of the host on the bodies as they are measured.
-- @tparam string variant "serial", "parallel", "optimised"
-- @treturn table as @{clue.walk.host} gives
function Bodies:host(variant)
  local results = arrays("float", self.count)
  results.position:fill(0) -- its pages are there before the clock starts
  results.velocity:fill(0)
  return walk.host {
    name = loops[variant].name, compiler = binding.nbody_compiler(variant), extent = self.count,
    least = loops[variant].least, repeats = self.repeats,
    slice = function(first, count) step_on_host(self, variant, self, results, first, count) end,
  }
end

-- ---- what is told ----

local function conserved(self, state)
  local double = arrays("double", self.count)
  double.position:copy_from(state.position)
  double.velocity:copy_from(state.velocity)
  return error_object.check(binding.nbody_conserved {count = self.count, position = double.position,
    velocity = double.velocity, step = self.step, softening = self.softening})
end

local function drift_between(before, after)
  local energy = before.kinetic + before.potential
  local momentum = math.sqrt((after.x - before.x) ^ 2 + (after.y - before.y) ^ 2 + (after.z - before.z) ^ 2)
  return (after.kinetic + after.potential - energy) / math.abs(energy), momentum / before.magnitudes
end

local function drift_text(frames, energy, momentum)
  return ("after %d frames the energy is off by %.2g of itself, the momentum by %.2g of the sum of all"):format(frames,
    energy, momentum)
end

-- 10, 100 or 1000 frames, as many as half a second is enough for.
local function frames_for(seconds)
  for _, frames in ipairs {1000, 100} do
    if frames * seconds <= 0.5 then return frames end
  end
  return 10
end

--- Energy and momentum before and after many frames.
-- @tparam table parts as for @{clue.walk.run}; execute makes as many frames as `frames` says
-- @tparam table times of one frame, from @{clue.walk.run}
-- @treturn string a note
function Bodies:drift(parts, times)
  local seconds = statistics.median(times.total)
  if self.count > most_for_energy or 10 * seconds > most_seconds then
    return ("energy and momentum are followed for no more than %d bodies, and where 10 frames take no more than %d s")
      :format(most_for_energy, most_seconds)
  end
  self:fill_as_measured()
  self.frames = frames_for(seconds)
  local before = conserved(self, self)
  for _, part in ipairs {"upload", "reset", "execute", "read"} do
    if parts[part] then parts[part]() end
  end
  local energy, momentum = drift_between(before, conserved(self, self.found))
  local text = drift_text(self.frames, energy, momentum)
  self:fill_as_measured()
  return text
end

local function follow(self, variant, type_name, frames)
  local from, to = arrays(type_name, self.count), arrays(type_name, self.count)
  from.position:copy_from(self.position)
  from.velocity:copy_from(self.velocity)
  local before = conserved(self, from)
  for _ = 1, frames do
    step_on_host(self, variant, from, to, 0, self.count)
    from, to = to, from
  end
  return drift_between(before, conserved(self, from))
end

--- What a hundred frames on the host lose, in float and in double: that tells the method's part from rounding's.
-- @tparam {string,...} notes
function Bodies:tell_drift_on_host(notes)
  local frames = math.min(100, math.floor(2 ^ 29 / self.count ^ 2))
  if frames < 10 then
    notes[#notes + 1] = "energy and momentum over many frames are not followed on the host with so many bodies"
    return
  end
  for _, how in ipairs {{"optimised", "float"}, {"reference", "double"}} do
    local energy, momentum = follow(self, how[1], how[2], frames)
    notes[#notes + 1] = drift_text(frames, energy, momentum) .. ", in " .. how[2]
  end
end

--- How many interactions and frames a second.
-- @tparam table times from @{clue.walk.run}
-- @treturn string a note
function Bodies:speed(times)
  local seconds = statistics.median(times.kernel or times.total)
  return ("%.3g interactions/s, %.4g frames/s%s"):format(self.count ^ 2 / seconds, 1 / seconds,
    times.kernel and " by kernel time" or "")
end

--- Completes a row with what is known here.
-- @tparam table row as for @{clue.walk.report}
-- @tparam[opt] context context for the device
-- @treturn table row
function Bodies:row(row, context)
  row.problem = ("gravity between %d bodies, float, %.0f interactions a frame"):format(self.count, self.count ^ 2)
  row.size, row.type, row.context = {bodies = self.count}, "float", context
  return row
end

return nbody
