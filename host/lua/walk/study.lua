--- Shared by the steps of amd that ask one question of a device: their size, and how variants compare.
-- @module clue.walk.study
local figures = require "clue.shared.figures"
local problem = require "clue.walk.problem"
local sizes = require "clue.walk.size"
local statistics = require "clue.result.statistics"

local study = {}

--- Declares the inputs of a step:
-- --size and --repeat.
-- @tparam table input the script's `input`
-- @tparam string default the size
-- @tparam string description of the size
study.inputs = problem.inputs

--- The number of elements for a step. Ends the script if
-- --size is wrong.
-- @tparam string text of --size
-- @tparam string name of the study
-- @tparam string default if the text is a list without this study
-- @tparam[opt] int most
-- @treturn int
function study.count(text, name, default, most)
  return math.min(problem.passed(sizes.count(sizes.of_study(text, name, default))), most or 2 ^ 30)
end

--- How many times a step is to run, see @{clue.walk.problem.runs}.
study.repeats = problem.runs

--- How many times as long as another variant of a sweep one took, by medians.
-- @tparam table one entry of a sweep
-- @tparam table other
-- @treturn string "3.42"
function study.times_as_long(one, other)
  local part = one.times.judged
  return figures.ratio(statistics.median(one.times[part]) / statistics.median(other.times[part]))
end

return study
