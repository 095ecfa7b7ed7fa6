--- Texts of others: the blanks around them, and how they are shown.
--
-- Logs, sources and files may be one line of many megabytes. What is done to them here takes time in proportion to
-- their length; "%s+$" does not, since it is tried from every blank of a long run.
-- @module clue.text
local binding = require "clue.binding"

local text = {}

--- Without the blanks at its end.
-- @tparam string given
-- @treturn string
function text.trim_end(given)
  return given:match "^(.*%S)" or ""
end

--- Without the blanks at both ends.
-- @tparam string given
-- @treturn string
function text.trim(given)
  local first = given:find "%S"
  return first and given:match("^.*%S", first) or ""
end

--- Passes on the whole lines of what came through a pipe so far.
-- @tparam string given
-- @tparam function on called with each line, without its end
-- @treturn string what stands behind the last end of a line: more of it is to come
function text.take_lines(given, on)
  local from, stop = 1, given:find("\n", 1, true)
  while stop do
    on(given:sub(from, stop - 1))
    from = stop + 1
    stop = given:find("\n", from, true)
  end
  return given:sub(from)
end

--- As it may be shown: control characters and what is no UTF-8 stand as \x1b; ends of lines and tabulators stay.
-- @tparam string given
-- @treturn string
function text.visible(given)
  return binding.text_visible(given)
end

return text
