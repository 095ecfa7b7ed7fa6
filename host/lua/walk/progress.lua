--- The line that says what runs now, what is left and about how long that will take; only a terminal gets it.
-- @module clue.walk.progress
local binding = require "clue.binding"
local output = require "clue.output"

local progress = {}

-- "40 s", "3 min"
local function duration(seconds)
  if seconds < 100 then return ("%.0f s"):format(seconds) end
  return ("%.0f min"):format(seconds / 60)
end

local function count_steps(tasks)
  local total = 0
  for _, task in ipairs(tasks) do
    for _, step in ipairs(task.steps) do
      if not (task.earlier and task.earlier[step.number]) then total = total + 1 end
    end
  end
  return total
end

--- A line for some tasks.
-- @tparam {table,...} tasks as @{clue.walk.replay.run} takes them
-- @treturn table step(step): a function that is told what the step does; done(); say(text); clear()
function progress.new(tasks)
  local total, done, started = count_steps(tasks), 0, nil
  local line = {}

  local function left()
    if done == 0 then return "" end
    local seconds = (binding.now() - started) / done * (total - done)
    return (", about %s left"):format(duration(seconds))
  end

  function line.step(step)
    started = started or binding.now()
    local began, said = binding.now(), "starting"
    return function(text)
      said = text or said
      output.progress(("[%d/%d%s] %s, %.0f s: %s"):format(done + 1, total, left(), step.name, binding.now() - began,
        said))
    end
  end

  function line.done()
    done = done + 1
    line.clear()
  end

  line.say, line.clear = output.progress, output.clear_progress

  return line
end

return progress
