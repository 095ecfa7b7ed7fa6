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
return function(words)
  if options.strict then argument.fail("%s", words) end
  if options.quiet or seen[words] then return end
  seen[words] = true
  output.say(("clue: %s: note: %s"):format(where.label(), words))
end
