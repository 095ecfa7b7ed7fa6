--- Gravity between all pairs of bodies, for walkthroughs: the bodies, the check, the host's loops, the drift.
--
-- A body is a float4 of position and mass and a float4 of velocity. Positions are uniform in a cube of side 2, masses
-- add up to about 1, and there is no constant of gravity. Step and softening are powers of two, the same in float and
-- double.
-- @module clue.walk.nbody
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local check = require "clue.walk.nbody_check"
local exchange = require "clue.walk.exchange"
local measure = require "clue.walk.measure"
local problem = require "clue.walk.problem"
local sizes = require "clue.walk.size"
local statistics = require "clue.result.statistics"
local walk = require "clue.walk"

local nbody = {}
local Bodies = problem.class()

local STEP, SOFTENING = 2 ^ -8, 2 ^ -10

-- The most bodies, and the longest run in seconds, for which energy is computed.
local most_for_energy, most_seconds = 65536, 5

--- Declares the inputs of every step:
-- --size and --repeat.
-- @tparam table input the script's `input`
-- @tparam string size the default
function nbody.inputs(input, size)
  problem.inputs(input, size, "number of bodies")
end

--- A state of bodies.
-- @tparam string name of the elements' type
-- @tparam int count of bodies
-- @treturn table position, velocity: arrays of four elements a body
function Bodies.arrays(name, count)
  return {position = array[name](4 * count), velocity = array[name](4 * count)}
end

local arrays = Bodies.arrays

--- Makes the bodies of a step from its problem.
-- @tparam table how size: text; repeats: a number (0: by the rule)
-- @treturn Bodies with count, position, velocity (arrays of the inputs), found (position, velocity: what was read
--   back), step, softening (numbers), frames (steps of one run), flops, repeats
function nbody.new(how)
  local count = problem.passed(sizes.count(sizes.of_study(how.size, "nbody", "2048")))
  if count >= 2 ^ 26 then problem.refuse(("size '%s' must be fewer than 2^26 bodies"):format(how.size)) end
  local self = setmetatable(arrays("float", count), Bodies)
  self.found, self.count, self.softening = arrays("float", count), count, SOFTENING
  self.extents, self.type, self.repeats = {bodies = count}, "float", problem.runs(how.repeats)
  self.flops = 20 * count ^ 2
  self:fill_as_measured()
  return self
end

--- The least traffic of global memory: position and velocity read and written once.
-- @treturn number bytes
function Bodies:bytes()
  return 64 * self.count
end

-- ---- inputs ----

local function fill(self, speed)
  self.position:random(-1, 1, 1)
  self.velocity:random(-speed, speed, 2)
  local masses, count = array.float(self.count):random(0.5, 1.5, 3), self.count
  for i = 0, count - 1 do
    self.position[4 * i + 3] = masses[i] / count
    self.velocity[4 * i + 3] = i % 1024 -- the fourth number is passed on, so a check sees which body it came from
  end
end

--- Sets the inputs for measurements: moving bodies, one frame.
function Bodies:fill_as_measured()
  fill(self, 0.5)
  self.step, self.frames = STEP, 1
end

--- Sets bodies at rest, and a step of 1: the new velocity is then exactly the acceleration, without a rounding sum.
function Bodies:fill_at_rest()
  fill(self, 0.5)
  for i = 0, self.count - 1 do
    for axis = 0, 2 do self.velocity[4 * i + axis] = 0 end
  end
  self.step, self.frames = 1, 1
end

--- Sets many bodies of which only some have mass. These move as if they were alone, so the reference can follow them
-- for several steps.
-- @tparam {int,...} chosen the bodies with mass
-- @tparam int frames
function Bodies:fill_sparse(chosen, frames)
  fill(self, 0.5)
  local heavy = {}
  for _, i in ipairs(chosen) do heavy[i] = self.position[4 * i + 3] * self.count / #chosen end
  for i = 0, self.count - 1 do self.position[4 * i + 3] = heavy[i] or 0 end
  self.step, self.frames = STEP, frames
end

--- Memory of a device for the bodies' state.
-- @tparam context context
-- @treturn table position, velocity: buffers
function Bodies:buffers(context)
  return {position = context:buffer(self.position:bytes()), velocity = context:buffer(self.velocity:bytes())}
end

--- Fills the memory of results with values that are not a result, before a run.
-- @tparam[opt] queue queue
-- @tparam[opt] table state of a device, from @{Bodies:buffers}
function Bodies:forget(queue, state)
  for _, part in ipairs {"position", "velocity"} do
    if measure.reads then self.found[part]:fill(0 / 0) end
    if queue then queue:fill_buffer(state[part], 0 / 0, "float"):wait() end
  end
end

--- The passes of a check: see @{clue.walk.nbody_check}.
-- @treturn {table,...} for @{clue.walk.verify}
function Bodies:passes()
  return check.passes(self)
end

-- ---- the host ----

--- Computes a step of some bodies on the host.
-- @tparam string variant "serial", "parallel", "optimised", "reference"
-- @tparam table from position, velocity: arrays
-- @tparam table to the same
-- @tparam int first body
-- @tparam int count of bodies
-- @tparam[opt] array scale for the reference, two numbers a body
function Bodies:advance(variant, from, to, first, count, scale)
  arithmetic.nbody_step({
    count = #from.position / 4, position = from.position, velocity = from.velocity, position_out = to.position,
    velocity_out = to.velocity, scale_out = scale, step = self.step, softening = self.softening,
  }, variant, first, count)
end

--- A step by a host loop, in the role of a device's execute.
-- @tparam string variant "serial", "parallel", "optimised"
function Bodies:step_on_host(variant)
  local now, later = self, self.found
  for _ = 1, self.frames do
    self:advance(variant, now, later, 0, self.count)
    now, later = later, now == self and arrays("float", self.count) or now
  end
  self.found = now
end

local loops = {
  serial = {name = "plain loop on one core", least = 1},
  parallel = {name = "plain loop on all cores", least = 256},
  optimised = {name = "vectors on all cores", least = 1024},
}

--- Times a host loop on the measured bodies.
-- @tparam string variant "serial", "parallel", "optimised"
-- @treturn table as from @{clue.walk.host}
function Bodies:host(variant)
  local results = arrays("float", self.count)
  results.position:fill(0) -- touches its pages before the clock starts
  results.velocity:fill(0)
  return walk.host {
    problem = self:text(),
    name = loops[variant].name, compiler = arithmetic.nbody_compiler(variant), extent = self.count,
    least = loops[variant].least, repeats = self.repeats,
    slice = function(first, count) self:advance(variant, self, results, first, count) end,
  }
end

-- ---- notes ----

local function conserved(self, state)
  local double = arrays("double", self.count)
  double.position:copy_from(state.position)
  double.velocity:copy_from(state.velocity)
  return arithmetic.nbody_conserved {count = self.count, position = double.position, velocity = double.velocity,
    step = self.step, softening = self.softening}
end

local function drift_between(before, after)
  local energy = before.kinetic + before.potential
  local momentum = math.sqrt((after.x - before.x) ^ 2 + (after.y - before.y) ^ 2 + (after.z - before.z) ^ 2)
  return (after.kinetic + after.potential - energy) / math.abs(energy), momentum / before.magnitudes
end

local function drift_text(frames, energy, momentum)
  return ("after %d frames the energy has changed by %.2g of itself, the momentum by %.2g of the sum of all"):format(
    frames, energy, momentum)
end

-- 10, 100 or 1000 frames, as many as half a second allows.
local function frames_for(seconds)
  for _, frames in ipairs {1000, 100} do
    if frames * seconds <= 0.5 then return frames end
  end
  return 10
end

--- Compares energy and momentum before and after many frames.
-- @tparam table parts as for @{clue.walk.run}; execute makes as many frames as `frames` says
-- @tparam table times of one frame, from @{clue.walk.run}
-- @treturn string a note
function Bodies:drift(parts, times)
  if exchange.to_verify then return "" end
  local seconds = statistics.median(times.total)
  if self.count > most_for_energy or 10 * seconds > most_seconds then
    return ("energy and momentum are only followed for up to %d bodies, and if 10 frames take up to %d s")
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
    self:advance(variant, from, to, 0, self.count)
    from, to = to, from
  end
  return drift_between(before, conserved(self, from))
end

--- Adds a note on the drift of a hundred frames on the host, in float and in double: this separates the method's part
-- from that of rounding.
-- @tparam {string,...} notes
function Bodies:note_drift_on_host(notes)
  if exchange.to_verify then return end
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

--- Interactions and frames per second.
-- @tparam table times from @{clue.walk.run}
-- @treturn string a note
function Bodies:speed(times)
  local seconds = statistics.median(times.kernel or times.total)
  return ("%.3g interactions/s, %.4g frames/s%s"):format(self.count ^ 2 / seconds, 1 / seconds,
    times.kernel and " by kernel time" or "")
end

--- What is computed, in words.
-- @treturn string
function Bodies:text()
  local bodies = self.count == 1 and "1 body" or ("%d bodies"):format(self.count)
  return ("gravity between %s, float, %.0f interactions a frame"):format(bodies, self.count ^ 2)
end

return nbody
