--- The source of an algorithm: generated code around texts of the user's. Compilers' messages about those texts name
-- the script and its line, or, if the text stands in no script, its role and its own lines: "operation:1:8".
--
--     local text = source.new("elementwise")
--     text:user("preamble", preamble)
--     text:add "kernel void elementwise(...) {"
--     text:user("operation", operation)
--     text:add "}"
--     local program = text:build(context, options)
--
-- The source does not contain the script's lines: two scripts with the same operation share a built program.
-- @module clue.compute.source
local build_log = require "clue.build_log"
local failure = require "clue.failure"
local programs = require "clue.program"

local source = {}
source.__index = source

--- Begins a source.
-- @tparam string name of the generated code in messages
-- @treturn source
function source.new(name)
  return setmetatable({name = name, lines = {}, count = 0, texts = {}}, source)
end

-- Adds lines of the source, which the compiler counts from where the last #line said.
local function append(self, text)
  self.lines[#self.lines + 1] = text
  self.count = self.count + select(2, text:gsub("\n", "")) + 1
end

--- Adds generated code.
-- @tparam string text one or more lines; "" adds none
-- @param ... what the text formats (string.format)
-- @treturn source itself
function source:add(text, ...)
  if select("#", ...) > 0 then text = text:format(...) end
  if text == "" then return self end
  if self.foreign ~= false then
    append(self, ('#line %d "%s"'):format(self.count + 2, self.name))
    self.foreign = false
  end
  append(self, (text:gsub("\n$", "")))
  return self
end

--- Adds a text of the user's, on lines of its own.
-- @tparam string role what it is, one word: "operation"
-- @tparam ?string text nil: nothing is added
-- @treturn source itself
function source:user(role, text)
  if not text then return self end
  append(self, ('#line 1 "%s"'):format(role))
  append(self, text)
  self.texts[role], self.foreign = text, true
  return self
end

--- The whole text.
-- @treturn string
function source:text()
  return table.concat(self.lines, "\n") .. "\n"
end

-- Replaces places in a user's text, "operation:1:8" and "line 1 of operation", by those in the script.
local function in_script(message, role, place)
  local function at(line, column)
    return line + place.first - 1, line == 1 and column + place.column or column
  end
  message = message:gsub("%f[%w_]" .. role .. ":(%d+):(%d+)", function(line, column)
    return ("%s:%d:%d"):format(place.name, at(tonumber(line), tonumber(column)))
  end)
  return (message:gsub("line (%d+) of " .. role .. "%f[^%w_]", function(line)
    return ("line %d of %s"):format(at(tonumber(line), 1), place.name)
  end))
end

--- Builds the program. Must be called while the script is on the stack. Raises an error object with the log.
-- @tparam context context
-- @tparam[opt] table|string options as for context:program
-- @treturn program
function source:build(context, options)
  local done, result = failure.caught(programs.new, context, self:text(), options)
  if done then return result end
  for role, text in pairs(self.texts) do
    local place = build_log.literal(text)
    if place then
      result.text = in_script(result.text, role, place)
      result.log = result.log and in_script(result.log, role, place)
    end
  end
  return error(result, 0)
end

return source
