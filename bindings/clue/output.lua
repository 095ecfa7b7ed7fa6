--- What clue itself prints: all of it as it may be shown, see @{clue.text.visible}.
--
-- Names, notes, lines of sources and messages come from drivers, files and scripts of others. They are the same in a
-- terminal, a file and a pipe: what is kept of a run may be shown later. What a script prints is its own and passes no
-- module of clue's.
-- @module clue.output
local binding = require "clue.binding"
local text = require "clue.text"

local output = {}

local Writer = {}
Writer.__index = Writer

--- Writes texts.
-- @tparam string|number ... parts of one text
function Writer:write(...)
  self.file():write(text.visible(table.concat {...}))
end

--- Writes a text with colours of our own in it.
-- @tparam string given
-- @tparam function paint paint(text) gives the text with them
function Writer:write_painted(given, paint)
  self.file():write(paint(text.visible(given)))
end

--- Has what was written go out.
function Writer:flush()
  self.file():flush()
end

--- Columns of the terminal there, nil where it is none.
-- @treturn ?number
function Writer:width()
  return binding.terminal_width(self.descriptor)
end

--- Columns to write into: the terminal's, or what COLUMNS says.
-- @tparam number otherwise where neither is there
-- @treturn number
function Writer:columns(otherwise)
  return self:width() or tonumber(os.getenv "COLUMNS") or otherwise
end

--- Whether colour is welcome there.
-- @treturn boolean
function Writer:colour()
  return binding.terminal_colour(self.descriptor)
end

-- The file is looked up each time: a script may set another.
local function writer(descriptor, file)
  return setmetatable({descriptor = descriptor, file = file}, Writer)
end

--- Standard output.
output.out = writer(1, function() return io.stdout end)

--- Standard error.
output.err = writer(2, function() return io.stderr end)

--- Prints a line, or an empty one.
-- @tparam ?string line
function output.print(line)
  output.out:write(line or "", "\n")
end

--- Prints lines.
-- @tparam {string,...} lines
function output.print_lines(lines)
  for _, line in ipairs(lines) do output.print(line) end
end

--- Says lines on stderr, after what stdout still holds.
-- @tparam string lines without the last end
function output.say(lines)
  io.stdout:flush()
  output.err:write(lines, "\n")
end

--- Shows what is being done in the last line of the terminal at stderr; nothing elsewhere.
-- @tparam string line cut to the width
function output.progress(line)
  local width = output.err:width()
  if not width then return end
  output.err:write_painted(line:sub(1, width - 1), function(shown)
    return "\r" .. shown:sub(1, width - 1) .. "\27[K"
  end)
end

--- Takes that line away.
function output.clear_progress()
  if output.err:width() then io.stderr:write "\r\27[K" end
end

return output
