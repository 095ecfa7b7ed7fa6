--- Stored results as the costs of a space, for strategies to search.
-- @module clue.tune.results.cache
local space = require "clue.tune.search.space"
local stored = require "clue.result.tuning"

local function space_of(run)
  local configurations = {}
  for i, result in ipairs(run.results) do configurations[i] = result.p end
  return space.of(run.names, run.tune_params, configurations)
end

local function cost_of(run, result)
  if not result.value then return math.huge end
  return run.more and 1 / result.value or result.value
end

--- Reads a file.
-- @tparam string path
-- @tparam[opt] string objective the name of the measurement that counts; by default the file's own
-- @treturn[1] table path; space: a Space of the configurations in the file; costs = {[index] = cost}, math.huge for
--   those that failed; best: the lowest cost; value: that of the objective; failed: how many failed; objective
-- @treturn[2] nil
-- @treturn[2] string the path and what is wrong
return function(path, objective)
  local run, why = stored.read(path, objective)
  if not run then return nil, why end
  local made, of = pcall(space_of, run)
  if not made then return nil, ("%s: %s"):format(path, of) end
  local costs, best, value, failed = {}, math.huge, nil, 0
  for _, result in ipairs(run.results) do
    local cost = cost_of(run, result)
    costs[of:index(result.p)] = cost
    if cost < best then best, value = cost, result.value end
    if cost == math.huge then failed = failed + 1 end
  end
  if best == math.huge then
    return nil, ("%s: none of its %d configurations has a number as its '%s'"):format(path, #run.results,
      tostring(run.objective))
  end
  return {path = path, space = of, costs = costs, best = best, value = value, failed = failed,
          objective = run.objective}
end
