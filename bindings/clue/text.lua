--- Trims texts from elsewhere, takes their lines and shows them; counts things in words; durations with their units.
--
-- Logs, sources and files may be one line of many megabytes, so these functions take time in proportion to the length.
-- The pattern "%s+$" would not, since it is tried from every blank of a long run.
-- @module clue.text
local binding = require "clue.binding"
local numbers = require "clue.number"

local text = {}

--- Removes the blanks at the end.
-- @tparam string given
-- @treturn string
function text.trim_end(given)
  return given:match "^(.*%S)" or ""
end

--- Removes the blanks at both ends.
-- @tparam string given
-- @treturn string
function text.trim(given)
  local first = given:find "%S"
  return first and given:match("^.*%S", first) or ""
end

--- The lines of a text, without their ends.
-- @tparam string given
-- @treturn {string,...}
function text.lines(given)
  local lines = {}
  for line in (given .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line:gsub("\r$", "") end
  return lines
end

--- Passes on the complete lines of what came through a pipe so far.
-- @tparam string given
-- @tparam function on called with each line, without its end
-- @treturn string the incomplete line after them
function text.take_lines(given, on)
  local from, stop = 1, given:find("\n", 1, true)
  while stop do
    on(given:sub(from, stop - 1))
    from = stop + 1
    stop = given:find("\n", from, true)
  end
  return given:sub(from)
end

--- Makes a text safe to show: control characters and bytes that are not UTF-8 become \x1b and the like; ends of lines
-- and tabs stay.
-- @tparam string given
-- @treturn string
function text.visible(given)
  return binding.text_visible(given)
end

--- What stands below a line to point to a character of it. Tabs stay; of a character in UTF-8, all bytes but the first
-- take no room.
-- @tparam string line
-- @tparam int column the character's first byte, from 1
-- @treturn string blanks and a caret
function text.caret(line, column)
  return text.visible(line:sub(1, column - 1)):gsub("[\128-\191]", ""):gsub("[^\t]", " ") .. "^"
end

--- Removes the byte order marks with which lines begin: a part of a source may come from a file that had one.
-- @tparam string given
-- @treturn string
function text.without_marks(given)
  return (("\n" .. given):gsub("\n\239\187\191", "\n"):sub(2))
end

--- The words of a text as a set.
-- @tparam string given words with blanks between them
-- @treturn table true, by word
function text.set(given)
  local set = {}
  for word in given:gmatch "%S+" do set[word] = true end
  return set
end

--- Counts things.
-- @tparam number number
-- @tparam string thing the name of one
-- @treturn string "1 step", "2 steps"
function text.count(number, thing)
  return ("%.0f %s%s"):format(number, thing, number == 1 and "" or thing:find "[cs]h$" and "es" or "s")
end

local units = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}

--- A duration with three digits.
-- @tparam number seconds
-- @treturn string "12.3 us"
function text.duration(seconds)
  local scale, unit = 1e-9, "ns"
  seconds = numbers.read(numbers.text("%.2e", seconds)) -- 9.996 becomes 10.0, not 10.00
  for _, pair in ipairs(units) do
    if seconds >= pair[1] then
      scale, unit = pair[1], pair[2]
      break
    end
  end
  local number = seconds / scale
  return numbers.text("%." .. (number >= 100 and 0 or number >= 10 and 1 or 2) .. "f", number) .. " " .. unit
end

return text
