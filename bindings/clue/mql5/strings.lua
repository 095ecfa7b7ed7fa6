--- MQL5's string functions. Positions and lengths count characters, from 0. MQL5 changes some strings in place; Lua
-- cannot, so the changed string is the second result: `done, name = StringToLower(name)`. A call that drops it gets a
-- note (clue.mql5.dropped).
local characters = require "clue.characters"
local check = require "clue.mql5.check"
local codes = require("clue.mql5.constants").errors
local dropped = require "clue.mql5.dropped"
local errors = require "clue.mql5.errors"

local strings = {}

local whole = check.whole_number

-- A character: its code, or a text of one character.
local function character(name, position, given)
  if type(given) == "number" then
    if given % 1 == 0 and given >= 0 and given <= 0x10FFFF then return characters.of(given) end
  elseif type(given) == "string" and characters.count(given) == 1 then
    return given
  end
  check.refuse(name, position, "character or its code", given)
end

--- @tparam string text
-- @treturn number how many characters it has
function strings.StringLen(text)
  return characters.count(check.string("StringLen", 1, text))
end

--- Finds a text in another one.
-- @tparam string text
-- @tparam string match what to find; "" is found nowhere
-- @tparam[opt=0] number start_pos the first position where it may begin
-- @treturn number its position, -1 if it is not there
function strings.StringFind(text, match, start_pos)
  check.string("StringFind", 1, text)
  check.string("StringFind", 2, match)
  local start = characters.byte(text, math.max(0, whole("StringFind", 3, start_pos, 0)))
  local found = start and match ~= "" and text:find(match, start, true)
  return found and characters.count(text:sub(1, found - 1)) or -1
end

--- A part of a text.
-- @tparam string text
-- @tparam number start_pos of its first character
-- @tparam[opt=-1] number length in characters; -1: to the end
-- @treturn string "" if the text has no such character
function strings.StringSubstr(text, start_pos, length)
  check.string("StringSubstr", 1, text)
  whole("StringSubstr", 2, start_pos)
  return characters.part(text, start_pos, whole("StringSubstr", 3, length, -1))
end

-- The parts of a text between separators; without one, the whole text.
local function split(text, separator)
  local parts, from = {}, 1
  repeat
    local first, last = text:find(separator, from, true)
    parts[#parts + 1] = text:sub(from, (first or 0) - 1)
    from = last and last + 1
  until not first
  return parts
end

--- Splits a text. MQL5 returns the parts by reference; here they are the second result, a Lua list.
-- @tparam string text
-- @tparam number|string separator the code of a character, or the character
-- @param ... nothing: MQL5's array of strings
-- @treturn number how many parts there are; 0 if the text is empty
-- @treturn {string,...} the parts, from 1; empty ones too
function strings.StringSplit(text, separator, ...)
  check.string("StringSplit", 1, text)
  separator = character("StringSplit", 2, separator)
  check.output("StringSplit", 3, "the parts are the second result, from 1: count, parts = StringSplit(text, ',')", ...)
  local parts = text == "" and {} or split(text, separator)
  return #parts, parts
end

--- Makes capitals small letters: Latin, Greek and Cyrillic ones.
-- @tparam string text
-- @treturn boolean true
-- @treturn string the new text
function strings.StringToLower(text)
  dropped.find "StringToLower"
  return true, characters.lower(check.string("StringToLower", 1, text))
end

--- Makes small letters capitals: Latin, Greek and Cyrillic ones.
-- @tparam string text
-- @treturn boolean true
-- @treturn string the new text
function strings.StringToUpper(text)
  dropped.find "StringToUpper"
  return true, characters.upper(check.string("StringToUpper", 1, text))
end

--- Replaces a text wherever another one contains it.
-- @tparam string text
-- @tparam string find what to replace
-- @tparam string replacement
-- @treturn number how often it was replaced; -1 if find is empty
-- @treturn string the new text
-- @treturn ?string the message on failure
function strings.StringReplace(text, find, replacement)
  dropped.find "StringReplace"
  check.string("StringReplace", 1, text)
  check.string("StringReplace", 2, find)
  check.string("StringReplace", 3, replacement)
  if find == "" then
    return -1, text, errors.fail("StringReplace", codes.ERR_WRONG_STRING_PARAMETER, "the text to find is empty")
  end
  local parts = split(text, find)
  return #parts - 1, table.concat(parts, replacement)
end

local function trimmed(text, pattern)
  local new = text:gsub(pattern, "")
  return #text - #new, new
end

--- Removes spaces, tabs and line ends from the beginning of a text.
-- @tparam string text
-- @treturn number how many characters were removed
-- @treturn string the new text
function strings.StringTrimLeft(text)
  dropped.find "StringTrimLeft"
  return trimmed(check.string("StringTrimLeft", 1, text), "^[ \t\r\n]+")
end

--- Removes spaces, tabs and line ends from the end of a text.
-- @tparam string text
-- @treturn number how many characters were removed
-- @treturn string the new text
function strings.StringTrimRight(text)
  dropped.find "StringTrimRight"
  local kept = check.string("StringTrimRight", 1, text):match "^(.*[^ \t\r\n])" or ""
  return #text - #kept, kept
end

--- Appends a text to another one.
-- @tparam string text
-- @tparam string more
-- @treturn boolean true
-- @treturn string the new text
function strings.StringAdd(text, more)
  dropped.find "StringAdd"
  return true, check.string("StringAdd", 1, text) .. check.string("StringAdd", 2, more)
end

--- Compares texts in the alphabet's order. Case counts only in texts that are otherwise equal: then "A" > "a".
-- @tparam string left
-- @tparam string right
-- @tparam[opt=true] boolean case_sensitive
-- @treturn number -1 if left comes first, 0 if they are equal, 1 if right comes first
function strings.StringCompare(left, right, case_sensitive)
  check.string("StringCompare", 1, left)
  check.string("StringCompare", 2, right)
  local small_left, small_right = characters.lower(left), characters.lower(right)
  if small_left ~= small_right then return small_left < small_right and -1 or 1 end
  if left == right or case_sensitive == false or case_sensitive == 0 then return 0 end
  return left > right and -1 or 1 -- capitals have lower codes
end

local function outside(name, position, text)
  local reason = ("position %s is outside the text of %d characters"):format(check.show(position),
    characters.count(text))
  return errors.fail(name, codes.ERR_STRINGPOS_OUTOFRANGE, reason)
end

--- The code of a character.
-- @tparam string text
-- @tparam number pos its position
-- @treturn number 0 and the message if there is none
function strings.StringGetCharacter(text, pos)
  check.string("StringGetCharacter", 1, text)
  local found = characters.part(text, whole("StringGetCharacter", 2, pos), 1)
  if found == "" then return 0, outside("StringGetCharacter", pos, text) end
  return characters.code(found)
end

--- Replaces a character. At the position after the last one it is appended; 0 ends the text there.
-- @tparam string text
-- @tparam number pos
-- @tparam number|string character_ its code, or the character
-- @treturn boolean
-- @treturn string the new text
-- @treturn ?string the message on failure
function strings.StringSetCharacter(text, pos, character_)
  dropped.find "StringSetCharacter"
  check.string("StringSetCharacter", 1, text)
  whole("StringSetCharacter", 2, pos)
  local new = character("StringSetCharacter", 3, character_)
  if pos < 0 or not characters.byte(text, pos) then return false, text, outside("StringSetCharacter", pos, text) end
  local before = characters.part(text, 0, pos)
  if new == "\0" then return true, before end
  return true, before .. new .. characters.part(text, pos + 1, -1)
end

return {names = strings}
