--- Where a step's results go: to the runner as JSON lines, or to the terminal as the step's own table.
-- @module clue.walk.result
local output = require "clue.output"

local result = {}

local descriptor = tonumber(os.getenv "CLUE_RESULT_FD" or "")

local function write_line(value)
  local out = assert(io.open("/proc/self/fd/" .. descriptor, "a"))
  out:write(require("clue.shared.json_line")(value), "\n")
  out:close()
end

--- Says what the step is doing now; only a runner listens.
-- @tparam string text
function result.progress(text)
  if descriptor then write_line {progress = text} end
end

--- Tells a row. A step run alone that is wrong or skipped ends with a non-zero exit status: nothing was shown.
-- @tparam table row see @{clue.walk.report}
function result.send(row)
  if descriptor then return write_line {row = row} end
  require("clue.walk.view").print_rows({row}, output.out)
  if not (row.check and row.check.verified) then os.exit(1, true) end
end

--- Lets a runner have further runs, by turns with those of another step: each line that it sends asks for one. Ends
-- with its input; there is none where the step runs alone.
-- @tparam function run gives the times of one run
function result.serve(run)
  if not descriptor then return end
  write_line {ready = true}
  while io.read() do write_line {run = run()} end
end

return result
