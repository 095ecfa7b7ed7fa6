--- Gravity on the host, through clue.h: baselines, a reference, and what is conserved.
-- Bodies are {count =, position =, velocity =, position_out =, velocity_out =, scale_out =, step =, softening =}:
-- arrays of four numbers a body, float, but double for the reference and for what is conserved; scale_out may be nil.
-- C trusts the sizes of the arrays, so they are checked here.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"

local long = argument.long

local binding = {}

local variants = {
  serial = C.CLUE_NBODY_SERIAL,
  parallel = C.CLUE_NBODY_PARALLEL,
  optimised = C.CLUE_NBODY_OPTIMISED,
  reference = C.CLUE_NBODY_REFERENCE,
}

-- What is wrong with one of the arrays, nil where nothing is.
local function array_problem(bodies, name, type_name, each)
  local array = bodies[name]
  local problem = argument.array_problem(array)
  if problem then return problem end
  local code = type_name == "double" and C.CLUE_DOUBLE or C.CLUE_FLOAT
  if element.code_of(array) ~= code then return ("%s is no array of %s"):format(name, type_name) end
  if #array >= each * bodies.count then return nil end
  return ("%s has %.0f elements, %.0f bodies need %.0f"):format(name, #array, bodies.count, each * bodies.count)
end

local function arrays_problem(bodies, type_name, names)
  for _, name in ipairs(names) do
    local problem = array_problem(bodies, name, type_name, 4)
    if problem then return problem end
  end
  return bodies.scale_out ~= nil and array_problem(bodies, "scale_out", "double", 2) or nil
end

local function bodies_problem(bodies, type_name, names)
  local problem = argument.type_problem(bodies, "table") or argument.whole_problem(bodies.count, 64)
  if problem then return problem end
  if bodies.count < 1 then return "count is at least 1" end
  return argument.type_problem(bodies.step, "number") or argument.type_problem(bodies.softening, "number")
    or arrays_problem(bodies, type_name, names)
end

local step_names, state_names = { "position", "velocity", "position_out", "velocity_out" }, { "position", "velocity" }

local function describe(bodies, type_name, names, call)
  local problem = bodies_problem(bodies, type_name, names)
  if problem then argument.refuse(1, call, problem, 1) end
  local told = ffi.new("clue_bodies")
  told.count, told.step, told.softening = bodies.count, bodies.step, bodies.softening
  for _, name in ipairs(names) do told[name] = bodies[name]._data end
  if bodies.scale_out ~= nil then told.scale_out = ffi.cast("double *", bodies.scale_out._data) end
  return told
end

local function variant_code(variant, position, call)
  local problem = argument.word_problem(variant, variants, "n-body loop")
  if problem then argument.refuse(position, call, problem, 1) end
  return variants[variant]
end

--- A step of some bodies, attracted by all.
-- @tparam table bodies
-- @tparam string variant "serial", "parallel", "optimised", "reference"
-- @tparam number first the first body, from 0
-- @tparam number count how many
-- @treturn ?boolean true; nil where there are no such bodies, or the softening is not more than 0
function binding.nbody_step(bodies, variant, first, count)
  local code = variant_code(variant, 2, "nbody_step")
  local told = describe(bodies, variant == "reference" and "double" or "float", step_names, "nbody_step")
  long(first, 3, "nbody_step")
  long(count, 4, "nbody_step")
  if C.clue_nbody_step(told, code, first, count) ~= 0 then return nil end
  return true
end

--- What a variant was made with.
-- @tparam string variant as for nbody_step
-- @treturn string the compiler and its flags
function binding.nbody_compiler(variant)
  return (ffi.string(C.clue_nbody_compiler(variant_code(variant, 1, "nbody_compiler"))))
end

local conserved_out = ffi.new("clue_conserved")

--- Energy and momentum.
-- @tparam table bodies in double; neither what ends in _out nor step counts
-- @treturn ?table kinetic, potential; x, y, z: the momentum; magnitudes: the sum of m |v|
function binding.nbody_conserved(bodies)
  local told = describe(bodies, "double", state_names, "nbody_conserved")
  if C.clue_nbody_conserved(conserved_out, told) ~= 0 then return nil end
  local momentum = conserved_out.momentum
  return { kinetic = conserved_out.kinetic, potential = conserved_out.potential, x = momentum[0], y = momentum[1],
    z = momentum[2], magnitudes = conserved_out.magnitudes }
end

return binding
