--- The progress line: what runs now, what is left and about how long that will take. Only on a terminal.
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

--- Makes the line for some tasks.
-- @tparam {table,...} tasks as for @{clue.run.replay.run}
-- @treturn table step(step): returns a function that takes the step's progress; done(); say(text); clear()
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
