--- Lines of an error or a compiler's log: those that say why a script failed, and how they fit a width. Text is
-- wrapped; a source line with a caret below it is shortened around the caret instead, which would point nowhere below
-- a wrapped line.
-- @module clue.shared.log_lines
local tables = require "clue.table"

local log_lines = {}

local TAB = "    " -- both lines have the same tabs before the caret

local function characters(text)
  local list = {}
  for character in text:gsub("\t", TAB):gmatch "[^\128-\191][\128-\191]*" do list[#list + 1] = character end
  return list
end

local function is_caret(line)
  return line ~= nil and line:find "^[%s~]*%^[%s~]*$" ~= nil
end

-- The characters from a place on, as many as there is room for; what an end leaves out has "…" there.
local function window(list, from, most)
  local last = math.min(#list, from + most - 1)
  local shown = {}
  for i = from, last do shown[#shown + 1] = list[i] end
  if from > 1 and shown[1] then shown[1] = "…" end
  if last < #list and shown[1] then shown[#shown] = "…" end
  return table.concat(shown)
end

-- A source line and its caret. Two thirds of what is shown stand before the caret, as the cause of an error does.
local function around_caret(source, caret, most)
  local code, marks = characters(source), characters(caret)
  if #code <= most and #marks <= most then return source, caret end
  local at = 1
  while marks[at] ~= "^" do at = at + 1 end
  local from = at - math.floor(most * 2 / 3)
  from = math.max(1, math.min(from, math.max(#code, at + 1) - most + 1))
  local blanks = {}
  for i = from, at - 1 do blanks[#blanks + 1] = marks[i] end
  local after = {}
  for i = at, math.min(#marks, from + most - 1) do after[#after + 1] = marks[i] end
  return window(code, from, most), table.concat(blanks) .. table.concat(after)
end

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
    if is_caret(lines[i + 1]) then
      local source, caret = around_caret(lines[i], lines[i + 1], room)
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
