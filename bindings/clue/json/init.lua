--- JSON: writes tables, numbers, texts and arrays as text, and reads text as tables.
--
-- Numbers are written so that they read back unchanged. A table is a list if its keys are exactly 1 to n or it is
-- empty; any other is an object with its names in order. A metatable can decide: __jsontype is "array" or "object",
-- and __jsonorder = {name, ...} gives the names that come first. Arrays are lists, matrices lists of rows.
-- @module clue.json
local argument = require "clue.argument"
local error_object = require "clue.error"
local public = require "clue.public"
local read = require "clue.json.read"
local write = require "clue.json.write"

local json = {}

--- The value for null, in both directions.
json.null = write.null

--- Writes a value as JSON. Raises an error object that names the place of what cannot be written.
-- @param value a table, an array, a number, a text, a boolean or json.null
-- @tparam[opt] table layout indent: a line for each entry (default: one line for all); order: a list of names that
--   come first in objects; null_for_nan: null for nan and the infinities, which JSON does not have (default: raise);
--   visible: bytes that are not UTF-8 as \xff
-- @treturn string
function json.encode(value, layout)
  return (write.text(value, argument.options(layout, "layout", {indent = "boolean", order = "list",
    null_for_nan = "boolean", visible = "boolean"})))
end

--- The value of a JSON text. Numbers become Lua's numbers, null becomes json.null. Raises an error object that says
-- where the text is not JSON (RFC 8259, to the letter: no comments) or has a number that Lua would change: a whole
-- number past 2^53 that a double cannot hold (Lua 5.4 takes those of 64 bits), or one out of the range of doubles.
-- @tparam string text
-- @return a table, a number, a text, a boolean or json.null
function json.decode(text)
  local value, why = read(argument.typed(text, "string", "text", "a text"), json.null)
  if why then error(error_object.new {text = "json.decode: " .. why}, 0) end
  return value
end

public.add("json.", json)

return json
