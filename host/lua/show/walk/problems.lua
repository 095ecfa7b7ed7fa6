--- Why steps were skipped or failed, and what is wrong with results: the lines below a walk's tables, and those in
-- place of a step's source.
-- @module clue.show.walk.problems
local log_lines = require "clue.shared.log_lines"

local problems = {}

local function add_all(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

--- The numbers of some steps.
-- @tparam {table,...} rows of one device
-- @tparam {number|string,...} numbers of some of them
-- @treturn string "2 to 6, 9"
function problems.listed(rows, numbers)
  local parts, i = {}, 1
  local wanted = {}
  for _, number in ipairs(numbers) do wanted[tostring(number)] = true end
  while i <= #rows do
    local first = rows[i]
    if wanted[tostring(first.number)] then
      while rows[i + 1] and wanted[tostring(rows[i + 1].number)] do i = i + 1 end
      local last = rows[i].number
      parts[#parts + 1] = last == first.number and tostring(last)
        or ("%s%s%s"):format(first.number, rows[i - 1] == first and ", " or " to ", last)
    end
    i = i + 1
  end
  return table.concat(parts, ", ")
end

-- The numbers of the steps that were skipped for the same reason as this one, which is the first; nil if it is not.
local function alike(rows, first)
  local numbers = {}
  for _, row in ipairs(rows) do
    if row.skipped == first.skipped then numbers[#numbers + 1] = row.number end
  end
  return numbers[1] == first.number and problems.listed(rows, numbers) or nil
end

local function add_row(lines, row, rows, width)
  local where = row.number .. ": "
  local skipped = row.skipped and alike(rows, row)
  if skipped then lines[#lines + 1] = ("%s: skipped: %s"):format(skipped, row.skipped) end
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

--- Why steps were skipped or failed, and what is wrong; a line for all that were skipped for one reason.
-- @tparam {table,...} rows
-- @tparam int width
-- @treturn {string,...}
function problems.lines(rows, width)
  local lines = {}
  for _, row in ipairs(rows) do add_row(lines, row, rows, width) end
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
