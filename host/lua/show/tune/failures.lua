--- Failed configurations by reason.
-- @module clue.show.tune.failures
local grouped = require "clue.shared.grouped"

local failures = {}

local words = {compile = "by the compiler", runtime = "by the device", correctness = "with wrong results",
               timeout = "in time", constraints = "by a restriction", missing = "without a result"}

--- How a configuration failed, after the word "failed".
-- @tparam string kind a word of T4
-- @treturn string
function failures.words(kind)
  return words[kind] or kind
end

--- Groups what failed for the same reason; reasons that differ in numbers only are the same.
-- @tparam {table,...} results of @{clue.tune.runner} or @{clue.result.tuning}
-- @treturn {table,...} lists of results, in the order of their first ones
function failures.groups(results)
  local failed = {}
  for _, result in ipairs(results) do
    if result.failed then failed[#failed + 1] = result end
  end
  return grouped(failed, function(result) return result.failed .. (result.text or ""):gsub("%d+", "#") end)
end

return failures
