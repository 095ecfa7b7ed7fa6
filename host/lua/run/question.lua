--- Questions about one step:
-- --explain, --diff and --source.
-- @module clue.run.question
local catalogue = require "clue.run.catalogue"
local inspect = require "clue.run.inspect"

local question = {}

--- The step in question, after the one that it is compared with.
-- @tparam table walkthrough of the catalogue
-- @tparam number|string number
-- @tparam string kind of the device
-- @treturn ?{table,...} one or two steps; nil if there is none of this number
function question.steps(walkthrough, number, kind)
  local above = {} -- by number
  for i, step in ipairs(walkthrough.steps) do
    if step.number == number then
      local before = above[catalogue.base(step, kind)] or walkthrough.steps[i - 1]
      return before and {before, step} or {step}
    end
    above[step.number] = step
  end
end

local function explain_step(row, task, line, explain)
  explain.print(task.steps[#task.steps], row)
  if row.programs and row.programs[1] then
    line.say "compiling for the machine code"
    local code = inspect.code_of_last(task, row)
    line.clear()
    explain.print_code(code)
  end
  line.say "counting what its warps ask for"
  local counts = row.device and inspect.counts_of_last(task)
  line.clear()
  if counts then explain.print_counts(counts) end
end

--- Prints the answer.
-- @tparam string what "explain", "diff" or "source"
-- @tparam {table,...} rows of the steps that ran, the one in question the last
-- @tparam table task with these steps, see @{clue.run.replay}
-- @tparam table line of @{clue.run.progress}
-- @tparam table explain @{clue.show.walk.explain}, which prints it
-- @treturn ?string why there is no answer
function question.answer(what, rows, task, line, explain)
  local row, before = rows[#rows], #rows > 1 and rows[1] or nil
  local obstacle = what ~= "explain" and (explain.obstacle(row) or explain.obstacle(before))
  if obstacle then return table.concat(obstacle, "\n") end
  if what == "source" then
    explain.print_source(row)
  elseif what == "diff" then
    explain.print_difference(before, row)
  else
    explain_step(row, task, line, explain)
  end
end

return question
