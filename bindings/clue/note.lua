--- Notes on stderr about what a driver accepts, but what is hardly meant: each of them once, with the script's line.
-- --quiet silences them, --strict makes errors of them.
-- @module clue.note
local argument = require "clue.argument"
local options = require "clue.options"
local output = require "clue.output"
local where = require "clue.where"

local seen = {}

--- Writes a note, unless it was written before.
-- @tparam string words
-- @tparam[opt] string place another line than that of the call: "script.lua:12"
return function(words, place)
  if options.strict and place then error(("%s: %s"):format(place, words), 0) end
  if options.strict then argument.fail("%s", words) end
  local key = (place or "") .. words
  if options.quiet or seen[key] then return end
  seen[key] = true
  output.say(("clue: %s: note: %s"):format(place or where.label(), words))
end
