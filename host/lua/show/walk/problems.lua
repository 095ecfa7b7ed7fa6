--- Why steps were skipped or failed, and what is wrong with results: the lines below a walk's tables, and those in
-- place of a step's source.
local log_lines = require "clue.shared.log_lines"
local map = require("clue.shared.list").map
local row_of = require "clue.result.row"

local problems = {}

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
  local numbers = map(rows, function(row) return row.skipped == first.skipped and row.number or nil end)
  return numbers[1] == first.number and problems.listed(rows, numbers) or nil
end

-- Its lines, which are told by their number. What a failed step said is quoted below it.
local function add_row(items, row, rows)
  local where = row.number .. ": "
  local skipped = row.skipped and alike(rows, row)
  if skipped then items[#items + 1] = ("%s: skipped: %s"):format(skipped, row.skipped) end
  if row.failed then items[#items + 1] = {where .. row.failed.text, quote = row.failed.lines or {}} end
  if row.check and not row.check.verified then items[#items + 1] = where .. "WRONG: " .. row.check.text end
end

--- Why steps were skipped or failed, and what is wrong; a line for all that were skipped for one reason. The last line
-- says how to look for what may be wrong in the first wrong step.
-- @tparam {table,...} rows
-- @treturn {text,...} items of a list of blocks
function problems.items(rows)
  local items, advice = {}, nil
  for _, row in ipairs(rows) do
    add_row(items, row, rows)
    advice = advice or row.check and row.check.advice
  end
  if advice then items[#items + 1] = "for races and accesses outside of memory: " .. advice end
  return items
end

--- Why a step has no source; nil if it has one, or runs on the host.
-- @tparam ?table row
-- @tparam int width
-- @treturn ?{string,...} lines: for example what the compiler says about it
function problems.obstacle(row, width)
  if not (row and row_of.source(row) == "" and (row.skipped or row.failed)) then return nil end
  local lines = {("step %s, %s, %s"):format(row.number, row.name, row.failed and row.failed.text
    or "was skipped: " .. row.skipped)}
  for _, line in ipairs(log_lines.fitted(row.failed and row.failed.lines or {}, width)) do lines[#lines + 1] = line end
  return lines
end

return problems
