--- Runs the steps of a walkthrough under the checker, each in a process of its own.
--
-- Sizes that no tile divides show most: a step's guards run then. Steps that take no such size run at one that they
-- take.
local binding = require "clue.binding"
local run = require "clue.check.run"
local temporary = require("clue.shared.paths").with_temporary_folder

local steps = {}

-- The sizes to try, in their order.
local function sizes_of(walkthrough, size)
  if size then return {size} end
  local known = walkthrough.sizes or {}
  return {known.check or known.count or false, known.check and known.count or nil}
end

local function ran(result)
  return result.launches > 0 or #result.findings > 0
end

-- Runs those entries that have no result from an earlier size. Gives why nothing can be checked.
local function try(entries, size, how, folder)
  local list, open = {}, {}
  for _, entry in ipairs(entries) do
    if not (entry.result and ran(entry.result)) then
      open[#open + 1] = entry
      list[#list + 1] = {path = entry.path, step = true, words = size and {"--size", size} or {}, folder = folder,
                         group = how.group, seconds = how.seconds, schedules = how.schedules}
    end
  end
  return run.all(list, binding.processor_count(), function(i, result)
    local entry = open[i]
    if not entry.result or ran(result) then entry.result, entry.size = result, size or nil end
    how.done(entry)
  end)
end

--- Checks steps.
-- @tparam table walkthrough of the catalogue
-- @tparam {table,...} list steps of it
-- @tparam table how seconds: the limit of each; size: of the problem; group: sizes of work-groups for launches that
--   give none; schedules: how many others to run with; progress(text)
-- @treturn[1] {table,...} number, name, size and result of each, see @{clue.check.run}
-- @treturn[2] nil
-- @treturn[2] string why nothing can be checked
function steps.check(walkthrough, list, how)
  local entries, done = {}, {}
  for i, step in ipairs(list) do entries[i] = {number = step.number, name = step.name, path = step.path} end
  local function tell(entry)
    local count = 0
    done[entry] = true
    for _ in pairs(done) do count = count + 1 end
    if how.progress then how.progress(("%d of %d steps checked"):format(count, #entries)) end
  end
  local why = temporary(function(folder)
    local options = {seconds = how.seconds, group = how.group, schedules = how.schedules, done = tell}
    for _, size in ipairs(sizes_of(walkthrough, how.size)) do
      local problem = try(entries, size, options, folder)
      if problem then return problem end
    end
  end)
  if why then return nil, why end
  return entries
end

return steps
