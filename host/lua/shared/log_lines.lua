--- Lines of an error or a compiler's log: those that say why a script failed, and how they fit a width. Text is
-- wrapped; a source line with a caret below it is shortened around the caret instead, which would point nowhere below
-- a wrapped line.
local log_excerpt = require "clue.log_excerpt"
local tables = require "clue.table"

local log_lines = {}

--- Fits lines to a width.
-- @tparam {string,...} lines
-- @tparam int most characters of a line
-- @tparam[opt=""] string prefix which every line gets; it counts
-- @treturn {string,...}
function log_lines.fitted(lines, most, prefix)
  prefix = prefix or ""
  local room, fitted, i = math.max(8, most - tables.width {prefix}), {}, 1
  local function add(line) fitted[#fitted + 1] = prefix .. line end
  while lines[i] do
    if log_excerpt.is_caret(lines[i + 1]) then
      local source, caret = log_excerpt.around_caret(lines[i], lines[i + 1], room)
      add(source)
      add(caret)
      i = i + 2
    else
      local whole = tables.width {lines[i]} <= room and {lines[i]}
      for _, part in ipairs(whole or tables.wrap(lines[i], room, lines[i]:match "^%s*")) do add(part) end
      i = i + 1
    end
  end
  return fitted
end

local MOST_LINES = 16

--- The lines that say why a script failed: the last ones; of a longer error of the script, such as a compiler's log,
-- the first ones.
-- @tparam {string,...} lines that it wrote to its standard error
-- @treturn {string,...}
function log_lines.excerpt(lines)
  local last = math.max(1, #lines - MOST_LINES + 1)
  local first = #lines
  while first > last or lines[first] and not lines[first]:find "^clue: " do first = first - 1 end
  if first == 0 then first = last end
  local kept = {}
  for i = first, math.min(#lines, first + MOST_LINES - 1) do kept[#kept + 1] = lines[i] end
  local left_out = #lines - first + 1 - #kept
  if left_out > 0 then kept[#kept + 1] = ("(%d more lines)"):format(left_out) end
  return kept
end

return log_lines
