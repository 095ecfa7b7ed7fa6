--- What is shown of a compiler's log: equal messages once, of many the first ones, and of a long source line what is
-- around its caret.
-- @module clue.log_excerpt
local build_log = require "clue.build_log"

local log_excerpt = {}

local MOST_MESSAGES, MOST_PLACES, WIDEST, LONGEST = 20, 5, 160, 1000
local TAB = "    " -- both lines have the same tabs before the caret

-- ---- long lines ----

local function characters(text)
  local list = {}
  for character in text:gsub("\t", TAB):gmatch "[^\128-\191][\128-\191]*" do list[#list + 1] = character end
  return list
end

--- Whether a line is the caret below a source line.
-- @tparam ?string line
-- @treturn boolean
function log_excerpt.is_caret(line)
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

--- A source line and its caret, fitted to a width. Two thirds of what is shown stand before the caret, as the cause of
-- an error does.
-- @tparam string source
-- @tparam string caret
-- @tparam int most characters of a line
-- @treturn string source
-- @treturn string caret
function log_excerpt.around_caret(source, caret, most)
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

-- Shortens the lines of a message.
local function shorten(lines)
  local i = 1
  while lines[i] do
    if log_excerpt.is_caret(lines[i + 1]) then
      lines[i], lines[i + 1] = log_excerpt.around_caret(lines[i], lines[i + 1], WIDEST)
      i = i + 1
    elseif #lines[i] > LONGEST then
      lines[i] = window(characters(lines[i]), 1, WIDEST)
    end
    i = i + 1
  end
end

-- ---- many messages ----

-- The parts of a log: each is a message with the lines and notes below it, or a line that belongs to none.
local function parts_of(lines)
  local parts, current, before = {}, nil, {}
  local function begin(message)
    current = {kind = message and message.kind, message = message, lines = before}
    parts[#parts + 1], before = current, {}
  end
  for i, line in ipairs(lines) do
    local message = build_log.parse(line)
    if line:find "^In file included from " then
      current = nil
      before[#before + 1] = line
    else
      local belongs = current and current.kind and (line:find "^%s" or line == "" or log_excerpt.is_caret(line)
        or log_excerpt.is_caret(lines[i + 1]) or message and message.kind == "note")
      if message and message.kind ~= "note" then
        begin(message)
      elseif not belongs then
        begin()
      end
      table.insert(current.lines, line)
    end
  end
  if before[1] then parts[#parts + 1] = {lines = before} end
  return parts
end

-- The parts without those that repeat the text of an earlier one, which counts them.
local function without_repetitions(parts)
  local list, by_text = {}, {}
  for _, part in ipairs(parts) do
    local key = part.kind and part.kind .. ": " .. part.message.text
    local earlier = key and by_text[key]
    if earlier then
      earlier.more = earlier.more or {}
      table.insert(earlier.more, part.message)
    else
      list[#list + 1] = part
      if key then by_text[key] = part end
    end
  end
  return list
end

-- "  and 35 more like it: lines 7, 9, 12, 20, 21, ..."
local function repetitions(part)
  local places, last = {}, nil
  for _, message in ipairs(part.more) do
    local place = (message.file == part.message.file and "" or message.file .. ":") .. message.line
    if #places < MOST_PLACES and place ~= last then places[#places + 1], last = place, place end
  end
  return ("  and %d more like it: line%s %s%s"):format(#part.more, #part.more == 1 and "" or "s",
    table.concat(places, ", "), #part.more > #places and ", ..." or "")
end

-- Marks those to be shown: errors first, whatever stands before them.
local function choose(parts)
  local room = MOST_MESSAGES
  for _, errors in ipairs {true, false} do
    for _, part in ipairs(parts) do
      if room > 0 and (part.kind == "error") == errors then part.shown, room = true, room - 1 end
    end
  end
end

--- The lines to be shown of a log.
-- @tparam {string,...} lines
-- @tparam string whole what has the whole log: "problem.log"
-- @treturn {string,...}
function log_excerpt.lines(lines, whole)
  local shown, left_out = {}, 0
  local parts = without_repetitions(parts_of(lines))
  choose(parts)
  for _, part in ipairs(parts) do
    if part.shown then
      shorten(part.lines)
      for _, line in ipairs(part.lines) do shown[#shown + 1] = line end
      if part.more then shown[#shown + 1] = repetitions(part) end
    else
      left_out = left_out + 1 + #(part.more or {})
    end
  end
  if left_out > 0 then shown[#shown + 1] = ("(%d more; %s has all of them)"):format(left_out, whole) end
  return shown
end

--- The same of a log as one text.
-- @tparam string log
-- @tparam string whole
-- @treturn string
function log_excerpt.text(log, whole)
  local lines, ending = {}, log:match "\n*$"
  for line in (log:sub(1, #log - #ending) .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return table.concat(log_excerpt.lines(lines, whole), "\n") .. ending
end

return log_excerpt
