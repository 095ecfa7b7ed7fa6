--- Why steps were skipped or failed, and what is wrong with results: the lines below a walk's tables, and those in
-- place of a step's source.
-- @module clue.walk.problems
local log_lines = require "clue.shared.log_lines"

local problems = {}

local function add_all(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

local function add_row(lines, row, width)
  local where = row.number .. ": "
  if row.skipped then lines[#lines + 1] = where .. "skipped: " .. row.skipped end
  if row.failed then
    lines[#lines + 1] = where .. row.failed.text
    add_all(lines, problems.messages(row, width, "     | "))
  end
  if row.check and not row.check.verified then lines[#lines + 1] = where .. "WRONG: " .. row.check.text end
end

--- The last messages of a step that failed, such as its compiler's.
-- @tparam table row
-- @tparam int width
-- @tparam[opt] string prefix of each line
-- @treturn {string,...}
function problems.messages(row, width, prefix)
  return log_lines.fitted(row.failed and row.failed.lines or {}, width, prefix)
end

--- Why steps were skipped or failed, and what is wrong.
-- @tparam {table,...} rows
-- @tparam int width
-- @treturn {string,...}
function problems.lines(rows, width)
  local lines = {}
  for _, row in ipairs(rows) do add_row(lines, row, width) end
  return lines
end

--- What a step that has no source failed of, or why it was skipped.
-- @tparam table row
-- @tparam int width
-- @treturn ?{string,...} nil if neither
function problems.of_step(row, width)
  if not (row.skipped or row.failed) then return nil end
  local lines = {("step %s, %s, %s"):format(row.number, row.name, row.failed and row.failed.text
    or "was skipped: " .. row.skipped)}
  add_all(lines, problems.messages(row, width))
  return lines
end

return problems
