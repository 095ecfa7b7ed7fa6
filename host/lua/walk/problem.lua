--- What the problems of the walkthroughs share: the inputs of their steps, how a check's finding reads, and their rows.
--
-- A problem is an object of a class from @{problem.class}, which sets a, b and c (arrays), flops, extents (its size in
-- numbers) and type; passes(), on_host() and text() are its class's own.
-- @module clue.walk.problem
local array = require "clue.array"
local measure = require "clue.walk.measure"
local output = require "clue.output"
local walk = require "clue.walk"

local unpack = unpack or table.unpack -- luacheck: ignore

local problem = {}

--- Declares
-- --size and --repeat.
-- @tparam table input the script's `input`
-- @tparam string size the default
-- @tparam string description of the size
function problem.inputs(input, size, description)
  input.string("_size", size, description)
  input.int("_repeat", 0, "measured runs; 0: until 7 runs or 3 seconds, whichever comes first", 0)
end

--- How many times a step is to run, for @{clue.walk.run}.
-- @tparam ?int given --repeat
-- @treturn ?int
function problem.runs(given)
  return given and given > 0 and given or nil
end

--- Ends the script because an input is wrong.
-- @tparam string why
function problem.refuse(why)
  output.err:write("clue: ", why, "\n")
  os.exit(2, true)
end

--- Passes on an input that was read. Ends the script if it could not be read.
-- @param first the first result of a function of @{clue.walk.size}, nil if it could not read the input
-- @param ... its other results, or why not
-- @return all of them
function problem.passed(first, ...)
  if not first then problem.refuse((...)) end
  return first, ...
end

--- The finding of a check in words.
-- @tparam boolean right
-- @tparam table fault found, expected; sigmas: more than 0 if only the rounding is out of bounds
-- @tparam string place "C[3][5] is", "row 3 sums, with random signs, to"
-- @treturn boolean right
-- @treturn ?string what is wrong
function problem.in_words(right, fault, place)
  if right then return true end
  local sigmas = fault.sigmas or 0
  local by = sigmas > 0 and ("off by %.3g: "):format(math.abs(fault.found - fault.expected)) or ""
  local text = ("%s%s %.10g, should be %.10g"):format(by, place, fault.found, fault.expected)
  return false, sigmas > 0 and ("%s (%.3g standard deviations of rounding)"):format(text, sigmas) or text
end

-- ---- objects ----

local Problem = {}

--- Makes a class.
-- @tparam[opt] table parent another class
-- @treturn table for the methods
function problem.class(parent)
  local class = setmetatable({}, {__index = parent or Problem})
  class.__index = class
  return class
end

--- Fills the memory of results with what is no result, before a run: the class's no_result, or NaN.
-- @tparam queue queue
-- @tparam buffer ... the memory of results on the device
function Problem:forget(queue, ...)
  local value = self.no_result or 0 / 0
  if measure.reads then self.found:fill(value) end
  for _, buffer in ipairs {...} do queue:fill_buffer(buffer, value, self.type):wait() end
end

--- The least traffic of global memory: each input read once, the output written once.
-- @treturn number bytes
function Problem:bytes()
  return self.a:bytes() + self.b:bytes() + self.c:bytes()
end

--- Another array for C, whose pages were touched: a clock that starts now does not time that.
-- @treturn array
function Problem:spare()
  return array[self.type](#self.c):fill(0)
end

--- Checks a host loop in the way a device's result is checked.
-- @param ... as for on_host
-- @treturn table as from @{clue.walk.verify}
function Problem:verify_host(...)
  local how = {...}
  return walk.verify({execute = function() self:on_host(unpack(how)) end}, self:passes())
end

--- The times of a host loop in the form of a step's.
-- @tparam table host from @{clue.walk.host}
-- @treturn table times
function Problem:times_of(host)
  return {total = host.times, flops = self.flops, bytes = self:bytes(), rate = "GFLOPS", runs = #host.times,
          extrapolated = host.extrapolated}
end

--- Completes a row: adds what was computed, and the device.
-- @tparam Problem self
-- @tparam table row as for @{clue.walk.report}
-- @tparam[opt] int|context context nil: only the host
-- @treturn table row
function problem.row(self, row, context)
  row.problem, row.size, row.type, row.context = self:text(), self.extents, self.type, context
  return row
end

Problem.row = problem.row

return problem
