-- N-body, step 15: the host. Every body is pulled by every other one: n * n interactions of 20 operations per frame.
--
-- A body is a float4 of position and mass and a float4 of velocity. A softening, added to the square of each distance,
-- keeps two bodies that meet from flying apart at extreme speed, and makes a body's pull on itself 0 without a test.
-- New positions and velocities are written to separate memory, which then replaces the old: otherwise some bodies would
-- be pulled by the next positions of others. The loop is in C (host/walk/baseline/nbody_plain.c). The plain form on one
-- core is the base of all comparisons. As in the course, it has 1.0 / sqrt(), which C computes in double; all else is
-- float. The row also shows all cores, and the host's vectors, which have 1 / sqrtf(), in float.
--
-- All pairs are n * n interactions, whatever the hardware. For many bodies there are methods that compute fewer: that
-- of Barnes and Hut, which the course mentions, sums far bodies up in a tree, and takes about n log n. It is less
-- exact, and its work-items do not all do the same.
local nbody = require "clue.walk.nbody"
local walk = require "clue.walk"

nbody.inputs(input, "2048")

local row = {
  number = 15, name = "nbody_host", study = "nbody", change = "all pairs on the host: one core; all cores beside it",
  note_of_author = "the course charts an HD 5870 (SDK 2.2) and a GTX 480 (CUDA 3.1); the figures cannot be read off",
}

local LOOPS = {"serial", "parallel", "optimised"}

-- The measured number of bodies differs from the checked one only in the loops' ends.
local function check_loops(bodies)
  local checked = nbody.new{size = tostring(math.min(bodies.count, 2048))}
  local passes = checked:passes()
  for _, loop in ipairs(LOOPS) do
    local check = walk.verify({execute = function() checked:step_on_host(loop) end}, passes)
    if not check.verified then return {verified = false, text = loop .. ": " .. check.text} end
    row.check = check
  end
  return row.check
end

function OnStart()
  local bodies = nbody.new{size = _size, repeats = _repeat}
  row.check = check_loops(bodies)
  row.host = bodies:host "serial"
  row.times = bodies:times_of(row.host)
  row.beside = {bodies:host "parallel", bodies:host "optimised"}
  row.notes = {
    bodies:speed(row.times),
    "finding: the course says that gravity is inverse to the distance; it is inverse to its square (the kernels divide "
      .. "by the cube, because they multiply by the vector between the bodies, which is as long as the distance)",
  }
  bodies:note_drift_on_host(row.notes)
  walk.report(bodies:row(row))
end
