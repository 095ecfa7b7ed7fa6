--- Counts what the steps of a walkthrough do (`clue count`), for their rows: row.counts has size (of the problem that
-- was counted, small because it is simulated), flops and bytes (that the step declares for it), kernels (of the variant
-- that the row shows, see @{clue.result.counts}), sums (of @{clue.result.counts.sums}, for warps) and findings
-- (sentences).
--
-- Parameters with one meaning everywhere: walkthrough, as the catalogue has it.
local binding = require "clue.binding"
local findings = require "clue.result.findings"
local kernels = require "clue.result.counts"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"
local runner = require "clue.count.run"
local temporary = require("clue.shared.paths").with_temporary_folder

local counted = {}

local WIDTH = "warp"

-- Files by their names alone: the folders are those of a person's machine, which no other one has.
local function without_folders(of)
  for key, value in pairs(of) do
    if type(value) == "table" then without_folders(value) end
    if key == "file" and type(value) == "string" then of[key] = value:match "[^/]*$" end
  end
  return of
end

-- The number of the variant that a row shows; the first if the simulator had no such variant.
local function variant_of(row, variants)
  local label = row_of.shown_variant(row)
  for i, variant in ipairs(variants) do
    if label and variant.label == label then return i end
  end
  return 1
end

local function why_none(result)
  return not result.kernels[1] and (result.skipped or result.failed or "it launches no kernel") or nil
end

-- What was counted of a row's step, see the module's head; nil if it launched no kernel.
local function counts_of(result, size, row)
  local number = variant_of(row, result.variants)
  local list = kernels.of_variant(result.kernels, number)
  if not list[1] then return nil end
  local variant = result.variants[number] or {}
  local texts = lists.flat(list, function(kernel)
    return lists.map(findings.of(kernel, WIDTH), function(text)
      return #list > 1 and ("%s: %s"):format(kernel.kernel, text) or text
    end)
  end)
  return {size = size, flops = variant.flops, bytes = variant.bytes, kernels = without_folders(list),
          findings = texts, sums = kernels.sums(list, WIDTH)}
end

-- All lists in one.
local function joined(...)
  return lists.flat({...}, function(list) return list end)
end

--- Runs steps on the simulator, several at a time.
-- @tparam {table,...} steps of it; arguments, environment: their own, see @{clue.run.plan.with}
-- @tparam table how seconds: the limit of each; size: of the problem (default: a small one); type: of the elements;
--   environment: for all, {"NAME=VALUE", ...}; progress(text)
-- @treturn[1] {table,...} the result of each, see @{clue.count.run}
-- @treturn[1] ?string the size
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted
function counted.results(walkthrough, steps, how)
  local size = how.size or (walkthrough.sizes or {}).count
  local words = joined(size and {"--size", size} or {}, how.type and {"--type", how.type} or {})
  local results, done = {}, 0
  local why = temporary(function(folder)
    local list = {}
    for i, step in ipairs(steps) do
      list[i] = {path = step.path, step = true, words = joined(words, step.arguments or {}), folder = folder,
                 environment = joined(how.environment or {}, step.environment or {}), seconds = how.seconds}
    end
    return runner.all(list, binding.processor_count(), function(i, result)
      results[i], done = result, done + 1
      if how.progress then how.progress(("%d of %d steps counted"):format(done, #list)) end
    end)
  end)
  if why then return nil, why end
  return results, size
end

--- Counts steps.
-- @tparam {table,...} steps of it
-- @tparam table how as for @{results}
-- @treturn[1] function of(row): counts, see the module's head; nil if its step was not counted or launched no kernel
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted, or why not the first step if none can
function counted.steps(walkthrough, steps, how)
  local results, size = counted.results(walkthrough, steps, how)
  if not results then return nil, size end
  local by_number, any, first_why = {}, false, nil
  for i, step in ipairs(steps) do
    local why = why_none(results[i])
    by_number[step.number], any = results[i], any or not why
    first_why = first_why or why and ("step %s: %s"):format(tostring(step.number), why)
  end
  if not any and first_why then return nil, first_why end
  return function(row)
    local result = by_number[row.number]
    return result and counts_of(result, size, row)
  end
end

--- Counts the steps of rows that ran on a device and have no counts yet.
-- @tparam {table,...} its_steps those that ran, as for @{results}
-- @tparam {table,...} runs of a document's entry
-- @tparam table how as for @{results}
-- @treturn ?string why nothing can be counted
function counted.add(walkthrough, its_steps, runs, how)
  local rows = lists.flat(runs, function(run) return run.rows end)
  local open = lists.filter(rows, function(row) return row.device and not row.counts end)
  local wanted = lists.set(lists.map(open, function(row) return row.number end))
  local steps = lists.filter(its_steps, function(step) return wanted[step.number] end)
  if not steps[1] then return end
  local counts, why = counted.steps(walkthrough, steps, how)
  if not counts then return why end
  for _, row in ipairs(rows) do row.counts = row.counts or row.device and counts(row) or nil end
end

return counted
