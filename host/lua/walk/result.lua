--- Sends a step's results: to the runner as JSON lines, or to the terminal as the step's own table.
-- @module clue.walk.result
local asked = require "clue.walk.asked"
local output = require "clue.output"
local send = require("clue.shared.parent").send
local shell = require "clue.shared.shell"

local result = {}

--- Reports progress to the runner; does nothing without one.
-- @tparam string text
function result.progress(text)
  if asked.for_results then send {progress = text} end
end

--- Sends a row. A step that runs alone and is wrong or skipped ends with a non-zero exit status, since it showed
-- nothing.
-- @tparam table row see @{clue.walk.report}
function result.send(row)
  local check = row.check
  if check and not check.verified then check.advice = shell.check(arg[0], arg) end
  if asked.for_results then return send {row = row} end
  if asked.to_verify then
    require("clue.show.text").print(require("clue.show.walk.verified").rows {row}, {columns = 80})
    os.exit(row.check and row.check.verified and 0 or 1, true)
  end
  require("clue.show.text").print(require("clue.show.walk.view").rows {row}, {columns = 132})
  if not (row.check and row.check.verified) then os.exit(1, true) end
end

--- Shows lines before anything else of a step that runs alone; with a runner, they begin its row's notes.
-- @tparam table row
-- @tparam {string,...} lines
function result.begin(row, lines)
  if asked.for_results then
    row.notes = lines
  else
    output.out:write(table.concat(lines, "\n"), "\n")
  end
end

--- Lets the runner ask for more runs, in turn with those of another step: each line that it sends asks for one, until
-- its input ends. Does nothing if the step runs alone.
-- @tparam function run returns the times of one run, and how many runs were suspended and repeated
function result.serve(run)
  if not asked.for_results then return end
  send {ready = true}
  while io.read() do
    local times, suspended = run()
    send {run = times, suspended = suspended}
  end
end

return result
