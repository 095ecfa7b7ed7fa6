--- Where a step's results go: to the runner as JSON lines, or to the terminal as the step's own table.
-- @module clue.walk.result
local result = {}

local descriptor = tonumber(os.getenv "CLUE_RESULT_FD" or "")

local function write_line(value)
  local out = assert(io.open("/proc/self/fd/" .. descriptor, "a"))
  out:write(require("dkjson").encode(value), "\n")
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
  if descriptor then return write_line(row) end
  require("clue.walk.view").print_rows({row}, io.stdout)
  if not (row.check and row.check.verified) then os.exit(1, true) end
end

return result
