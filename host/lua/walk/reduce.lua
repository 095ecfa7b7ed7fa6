--- The sum of many floats for the walkthrough reduce: its inputs, its check and its host loop.
-- @module clue.walk.reduce
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local counted = require("clue.text").count
local groups = require "clue.walk.group"
local problem = require "clue.walk.problem"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

local reduce = {}
local Values = problem.class()

--- Declares the inputs of a step:
-- --size and --repeat; --group if it has one group size.
-- @tparam table input the script's `input`
-- @tparam[opt] int items the default of --group
function reduce.inputs(input, items)
  problem.inputs(input, "33554467", "how many floats")
  groups.input(input, items)
end

--- Makes what a step adds up, from its inputs.
-- @tparam table how size: a text; repeats: a number (0: by the rule)
-- @treturn Values with count, values (array), found (array of one float), traffic (bytes read), repeats
function reduce.new(how)
  local count = problem.passed(sizes.reduce(how.size))
  local self = setmetatable({count = count, extents = {count = count}, type = "float"}, Values)
  self.repeats = problem.runs(how.repeats)
  self.values, self.found = array.float(count), array.float(1)
  self.traffic = self.values:bytes()
  return self
end

-- ---- the check ----

-- Odd whole numbers of either sign: none is 0, so a missing one shows; and the sum of any run of them stays so far
-- below 2^24 that float adds them without rounding: of n, it has a standard deviation of 9.2 sqrt(n).
local function fill_odd(values)
  values:random(-8, 8, 1)
  for i = 0, #values - 1 do values[i] = 2 * math.floor(values[i]) + 1 end
end

local function judged(self, most)
  local found, expected = self.found[0], self.values:sum()
  local near = math.abs(found - expected) <= most -- false for NaN
  if near then return true end
  return false, ("the sum is %.9g, should be %.9g%s"):format(found, expected,
    most > 0 and ("; rounding explains differences up to %.2g"):format(most) or "")
end

-- How far rounding may move a sum of independent values of either sign. Each addition is off by at most u = 2^-24 of
-- its result, as a uniform error, of variance u^2/3 times the square of the result. That square is on average the sum
-- of the squares of the values in it. Each value is in at most `depth` results, so the variance of the whole is at
-- most u^2/3 depth times the sum of all squares. Six standard deviations.
local function rounding(self, depth)
  return 6 * 2 ^ -24 * math.sqrt(depth / 3) * self.values:norm(2)
end

--- The two passes of a check: exact on whole numbers, then on the measured values within six standard deviations of
-- rounding. The reference is the host's sum in double with compensation.
-- @tparam int depth the most additions, one after the other, that a value is part of
-- @treturn {table,...} for @{clue.walk.verify}
function Values:passes(depth)
  return {
    {name = "exact on whole numbers", prepare = function() fill_odd(self.values) end,
     check = function() return judged(self, 0) end},
    {name = "six sigma on uniform values", prepare = function() self.values:random(-0.5, 0.5, 2) end,
     check = function() return judged(self, rounding(self, depth)) end},
  }
end

--- The depth of trees: how many levels add up all values in groups, then the groups' sums, until one sum is left.
-- @tparam int group values of a group, or how many groups there are
-- @treturn int additions
function Values:tree_depth(group)
  return math.ceil(math.log(math.max(2, self.count)) / math.log(2)) + math.ceil(math.log(group) / math.log(2))
end

-- ---- the host ----

--- Times the chain of additions on one core of the host.
-- @treturn table as from @{clue.walk.host}
function Values:host()
  local sum = array.float(1)
  return walk.host {
    problem = self:text(),
    name = "one chain of additions on one core", compiler = arithmetic.reduce_compiler(), extent = self.count,
    repeats = self.repeats,
    slice = function(first, count)
      if first == 0 then sum[0] = 0 end
      arithmetic.reduce_baseline({count = self.count, from = self.values, sum = sum}, first, count)
    end,
  }
end

-- ---- the device ----

--- The size of the groups: a power of two, as asked or smaller.
-- @tparam Values _
-- @tparam kernel kernel
-- @tparam int asked
-- @tparam[opt] table how as for @{clue.walk.group.fits}
-- @treturn int
function Values.group(_, kernel, asked, how)
  return groups.size(kernel, groups.power_of_two(asked), how)
end

--- Makes a step's kernel for groups of a size that its text knows, or of half that size and so on until it runs.
-- @tparam Values _
-- @tparam context context
-- @tparam string source of a kernel add(from, to, count), which asks for groups of SIZE
-- @tparam int asked work-items of a group
-- @tparam[opt] table defines more macros
-- @treturn kernel
-- @treturn int the size of its groups, a power of two
function Values.kernel(_, context, source, asked, defines)
  local program, size = groups.program(context, source, {
    kernel = "add", size = asked, defines = defines, idle = function(none) return none, none, 0 end,
  })
  return program:kernel "add", size
end

--- What is computed, in words.
-- @treturn string
function Values:text()
  return ("the sum of %s"):format(counted(self.count, "float"))
end

return reduce
