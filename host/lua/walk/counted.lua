--- Counts what the steps of a walkthrough do (`clue count`), for their rows: row.counts has size (of the problem that
-- was counted, small because it is simulated), flops and bytes (that the step declares for it), kernels (of the step's
-- first variant, see @{clue.count.kernels}), sums (of @{clue.count.kernels.sums}, for warps) and findings (sentences).
-- @module clue.walk.counted
local binding = require "clue.binding"
local findings = require "clue.count.findings"
local kernels = require "clue.count.kernels"
local run = require "clue.count.run"
local temporary = require "clue.shared.temporary"

local counted = {}

local WIDTH = "warp"

--- The words for a step's script, so that it takes a size that can be simulated.
-- @tparam table walkthrough of the catalogue
-- @tparam[opt] string size another one
-- @treturn {string,...}
-- @treturn ?string the size
function counted.words(walkthrough, size)
  size = size or (walkthrough.sizes or {}).count
  return size and {"--size", size} or {}, size
end

--- What was counted of a step, for its row.
-- @tparam table result of @{clue.count.run}
-- @tparam ?string size
-- @treturn ?table counts, see the module's head; nil if it launched no kernel
-- @treturn ?string why there are none
function counted.of(result, size)
  local list = kernels.of_first_variant(result.kernels)
  if not list[1] then return nil, result.skipped or result.failed or "it launches no kernel" end
  local variant, texts = result.variants[1] or {}, {}
  for _, kernel in ipairs(list) do
    for _, text in ipairs(findings.of(kernel, WIDTH)) do
      texts[#texts + 1] = #list > 1 and ("%s: %s"):format(kernel.kernel, text) or text
    end
  end
  return {size = size, flops = variant.flops, bytes = variant.bytes, kernels = list, findings = texts,
          sums = kernels.sums(list, WIDTH)}
end

--- Counts steps, several at a time.
-- @tparam table walkthrough of the catalogue
-- @tparam {table,...} steps of it
-- @tparam number seconds the limit of each
-- @tparam[opt] function progress progress(text)
-- @treturn[1] table counts by the steps' numbers
-- @treturn[1] table why there are none, by number
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted
function counted.steps(walkthrough, steps, seconds, progress)
  local words, size = counted.words(walkthrough)
  local counts, missing, done = {}, {}, 0
  local why = temporary(function(folder)
    local list = {}
    for i, step in ipairs(steps) do
      list[i] = {path = step.path, step = true, words = words, folder = folder, seconds = seconds}
    end
    return run.all(list, binding.processor_count(), function(i, result)
      local number = steps[i].number
      counts[number], missing[number] = counted.of(result, size)
      done = done + 1
      if progress then progress(("%d of %d steps counted"):format(done, #list)) end
    end)
  end)
  if why then return nil, why end
  return counts, missing
end

return counted
