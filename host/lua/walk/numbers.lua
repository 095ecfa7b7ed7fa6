--- Whole numbers for the scans and histograms of the walkthrough reduce: their inputs, their checks, their host loops.
--
-- Sums are modulo 2^32, so they do not depend on the order of the additions, and a check compares every element.
-- @module clue.walk.numbers
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local counted = require("clue.text").count
local exchange = require "clue.walk.exchange"
local group = require "clue.walk.group"
local measure = require "clue.walk.measure"
local problem = require "clue.walk.problem"
local sizes = require "clue.walk.size"
local statistics = require "clue.result.statistics"
local walk = require "clue.walk"

local numbers = {}
local Numbers = problem.class()
local Scan, Histogram = problem.class(Numbers), problem.class(Numbers)

--- The bins of a histogram; a number's bin is its remainder.
numbers.BINS = 256

local LARGEST = 2 ^ 32 - 1
Scan.no_result = LARGEST

--- Declares the inputs of a step:
-- --size and --repeat; --group if it has one group size.
-- @tparam table input the script's `input`
-- @tparam[opt] int items the default of --group
function numbers.inputs(input, items)
  problem.inputs(input, "33554467", "how many numbers")
  group.input(input, items)
end

local function new(class, how, results)
  local count = problem.passed(sizes.reduce(how.size))
  local self = setmetatable({count = count, extents = {count = count}, type = "uint"}, class)
  self.repeats = problem.runs(how.repeats)
  self.values, self.found, self.expected = array.uint(count), array.uint(results or count), array.uint(results or count)
  return self
end

--- Makes the numbers whose prefix sums a step computes, from its inputs.
-- @tparam table how size: a text; repeats: a number (0: by the rule)
-- @treturn Scan with count, values, found (arrays), traffic (bytes read and written), repeats
function numbers.scan(how)
  local self = new(Scan, how)
  self.traffic = self.values:bytes() + self.found:bytes()
  return self
end

--- Makes the numbers that a step counts, from its inputs.
-- @tparam table how size: a text; repeats: a number (0: by the rule)
-- @treturn Histogram with count, values, found (arrays; one element for each bin), traffic (bytes read), repeats
function numbers.histogram(how)
  local self = new(Histogram, how, numbers.BINS)
  self.traffic = self.values:bytes()
  return self
end

-- Computes what is right.
local function by_host(self, baseline)
  arithmetic[baseline]({count = self.count, from = self.values, to = self.expected:fill(0)}, 0, self.count)
end

local function judged(self, place)
  local at = self.found:compare(self.expected)
  if not at then return true end
  return false, ("%s %d is %.0f, should be %.0f"):format(place, at, self.found[at], self.expected[at])
end

local function host(self, name, baseline)
  local result = array.uint(#self.expected)
  result:fill(0) -- touches its pages before the clock starts
  return walk.host {
    problem = self:text(),
    name = name, compiler = arithmetic.numbers_compiler(), extent = self.count, repeats = self.repeats,
    slice = function(first, count)
      arithmetic[baseline]({count = self.count, from = self.values, to = result}, first, count)
    end,
  }
end

-- ---- prefix sums ----

--- The pass of a check: every sum.
-- @treturn {table} for @{clue.walk.verify}
function Scan:passes()
  return {{
    name = "every sum",
    prepare = function()
      self.values:random(0, LARGEST, 1)
      by_host(self, "scan_baseline")
    end,
    check = function() return judged(self, "sum") end,
  }}
end

--- Times the chain of additions on one core of the host.
-- @treturn table as from @{clue.walk.host}
function Scan:host()
  return host(self, "one chain of additions on one core", "scan_baseline")
end

--- Memory for the sums of pieces: those of the numbers, those of these sums, and so on until there is one piece.
-- @tparam context context
-- @tparam int each numbers of a piece, at least 2
-- @treturn {buffer,...}
function Scan:levels(context, each)
  local levels, count = {}, self.count
  repeat
    count = math.ceil(count / each)
    levels[#levels + 1] = context:buffer(4 * count)
  until count == 1
  return levels
end

--- What is computed, in words.
-- @treturn string
function Scan:text()
  return ("the prefix sums of %s"):format(counted(self.count, "uint"))
end

-- ---- histograms ----

--- The passes of a check, each of every bin: one value for half of the numbers; then any values.
-- @treturn {table,...} for @{clue.walk.verify}
function Histogram:passes()
  local function pass(name, prepare)
    return {name = name, check = function() return judged(self, "bin") end, prepare = function()
      self.values:random(0, LARGEST, 1)
      prepare()
      by_host(self, "histogram_baseline")
    end}
  end
  return {
    pass("one crowded bin", function() self.values:fill(77, 0, math.ceil(self.count / 2)) end),
    pass("every bin", function() end),
  }
end

--- Empties the bins on the device, before a run.
-- @tparam queue queue
-- @tparam buffer bins
function Histogram:empty(queue, bins)
  queue:write_buffer(bins, self.found:fill(0))
end

--- Times counting on one core of the host.
-- @treturn table as from @{clue.walk.host}
function Histogram:host()
  return host(self, "one core, one set of bins", "histogram_baseline")
end

local RUNS = 3

--- Measures a step if all numbers are the same, so that all of its work-items want one bin.
-- @tparam table spec the step's parts, as for @{clue.walk.run}
-- @treturn string a note
function Histogram:crowded(spec)
  if exchange.to_verify then return "" end
  local seconds = {}
  self.values:fill(77)
  for i = 1, RUNS do
    local once = (i == 1 and measure.once_more or measure.again)(spec)
    seconds[i] = once.kernel or once.total
  end
  self.values:random(0, LARGEST, 1)
  return ("%.3g GB/s if all numbers are in one bin"):format(self.traffic / statistics.median(seconds) * 1e-9)
end

--- What is computed, in words.
-- @treturn string
function Histogram:text()
  return ("a histogram of %s in %d bins"):format(counted(self.count, "uint"), numbers.BINS)
end

return numbers
