--- Prints clue's own output, all of it made safe to show: see @{clue.text.visible}.
--
-- Names, notes, source lines and messages come from drivers, files and scripts. They look the same in a terminal, a
-- file and a pipe, since a file may be shown in a terminal later. What a script prints does not pass through clue's
-- modules.
-- @module clue.output
local binding = require "clue.binding"
local text = require "clue.text"

local output = {
  --- When there is colour, for this process: "always", "never", or "auto", which leaves it to the terminal and to
  -- `clue --color`.
  colours = "auto",
  --- Seconds after which progress is told without a terminal.
  patience = 10,
}

local Writer = {}
Writer.__index = Writer

--- Writes texts.
-- @tparam string|number ... parts of one text
function Writer:write(...)
  self.file():write(text.visible(table.concat {...}))
end

--- Writes a text, with colours added.
-- @tparam string given
-- @tparam function paint paint(text) returns the text with colours
function Writer:write_painted(given, paint)
  self.file():write(paint(text.visible(given)))
end

--- Flushes what was written.
function Writer:flush()
  self.file():flush()
end

--- Columns of the terminal, nil if it is not a terminal.
-- @treturn ?number
function Writer:width()
  return binding.terminal_width(self.descriptor)
end

--- Columns to write into: the terminal's, or the number in COLUMNS, if it is from 1 to 9999.
-- @tparam number otherwise the number if there is neither
-- @treturn number
function Writer:columns(otherwise)
  local columns = tonumber((os.getenv "COLUMNS" or ""):match "^%d%d?%d?%d?$")
  return self:width() or columns and columns > 0 and columns or otherwise
end

--- Whether to use colour.
-- @treturn boolean
function Writer:colour()
  if output.colours ~= "auto" then return output.colours == "always" end
  return binding.terminal_colour(self.descriptor)
end

-- The file is looked up each time: a script may set another one.
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

--- Writes lines to stderr, after flushing stdout.
-- @tparam string lines without the last end
function output.say(lines)
  io.stdout:flush()
  output.err:write(lines, "\n")
end

local begun, due

-- A log gets few lines: after each, it takes as long again as all that went before until the next.
local function log_progress(line)
  local now = binding.now()
  begun, due = begun or now, due or output.patience
  if now - begun < due then return end
  due = 2 * (now - begun)
  output.say("clue: " .. line)
end

--- Shows progress in the last line of the terminal at stderr. Elsewhere, work of over ten seconds is told there now and
-- then, so that nobody takes it for a hang.
-- @tparam string line cut to the terminal's width
function output.progress(line)
  local width = output.err:width()
  if not width then return log_progress(line) end
  output.err:write_painted(line:sub(1, width - 1), function(shown)
    return "\r" .. shown:sub(1, width - 1) .. "\27[K"
  end)
end

--- Removes the progress line.
function output.clear_progress()
  if output.err:width() then io.stderr:write "\r\27[K" end
end

return output
