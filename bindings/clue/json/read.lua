--- Reads a JSON text to the letter of RFC 8259: no comments, no missing commas, and no number that Lua would change.
-- Needs neither the core nor a driver.
-- @module clue.json.read
local character = require("clue.characters").of
local numbers = require "clue.number"

local MOST = 1000 -- tables in each other: every Lua has room for so many calls

local byte, find, match, sub = string.byte, string.find, string.match, string.sub

local Fault = {} -- the class of what read raises

local function fail(at, words, ...)
  error(setmetatable({at = at, words = words:format(...)}, Fault), 0)
end

local function fail_at(at, words, ...)
  fail(at, "at byte %d, " .. words, at, ...)
end

-- The place and the first character of what comes next.
local function next_mark(self, at, wanted)
  at = find(self.text, "[^ \t\r\n]", at)
  if not at then fail(#self.text + 1, "the text ends where there must be %s", wanted) end
  return at, sub(self.text, at, at)
end

-- ---- texts ----

local ESCAPES = {['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t"}

-- What a backslash and what follows stand for, and the place after it.
local function escaped(text, at)
  local short = ESCAPES[sub(text, at + 1, at + 1)]
  if short then return short, at + 2 end
  local code = tonumber(match(text, "^u(%x%x%x%x)", at + 1) or fail_at(at, "the backslash begins no escape"), 16)
  local low = code >= 0xD800 and code < 0xDC00 and match(text, "^\\u([dD][c-fC-F]%x%x)", at + 6)
  if not low then return character(code), at + 6 end
  return character((code - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00 + 0x10000), at + 12
end

local function text_at(self, at)
  local text, from, parts = self.text, at + 1, {}
  while true do
    local stop = find(text, '[%z\1-\31"\\]', from)
    local mark = stop and byte(text, stop)
    if mark == 34 and not parts[1] then return sub(text, from, stop - 1), stop + 1 end
    parts[#parts + 1] = sub(text, from, (stop or 0) - 1)
    if mark == 34 then return table.concat(parts), stop + 1 end
    if not stop then fail_at(at, "a text has no end") end
    if mark ~= 92 then fail_at(stop, "a text has a control character: write \\u%04x", mark) end
    parts[#parts + 1], from = escaped(text, stop)
  end
end

-- ---- numbers ----

-- Whether the Lua number is the one in the text. Fractions are rounded to the nearest number, as everywhere.
local function holds(word, value)
  if find(word, "^%-?%d+$") then
    return #word < 16 or tostring(value) == word or ("%.0f"):format(value) == word
  end
  return value ~= 1 / 0 and value ~= -1 / 0 and (value ~= 0 or not find(match(word, "^[^eE]*"), "[1-9]"))
end

-- nil if the word is no number. Most are whole and short.
local function number_of(word, at)
  if #word < 16 and find(word, "^[1-9]%d*$") then return numbers.read(word) end
  local whole, fraction, exponent = match(word, "^%-?(%d+)(%.?%d*)([eE]?[+-]?%d*)$")
  if not whole or find(whole, "^0%d") or fraction == "."
    or exponent ~= "" and not find(exponent, "^[eE][+-]?%d") then return nil end
  local value = numbers.read(word)
  if holds(word, value) then return value end
  fail(at, 'a Lua number cannot hold %s, at byte %d: write it as a text, "%s"', word, at, word)
end

-- ---- values ----

local table_at = {}

local function value_at(self, at, wanted, depth)
  local mark
  at, mark = next_mark(self, at, wanted)
  if mark == '"' then return text_at(self, at) end
  if table_at[mark] then
    if depth == MOST then
      fail_at(at, "lists and objects are nested more than %d deep, which is the limit", MOST)
    end
    return table_at[mark](self, at + 1, depth + 1)
  end
  local word, after = match(self.text, "^([%w%.+-]+)()", at)
  if word == "null" then return self.null, after end
  if word == "true" or word == "false" then return word == "true", after end
  local number = word and number_of(word, at)
  if not number then fail_at(at, "there must be %s", wanted) end
  return number, after
end

-- Reads entries with commas between them to the closing mark. Returns the place after it.
local function entries_at(self, at, closing, first, entry)
  local begin, mark = next_mark(self, at, first)
  if mark == closing then return begin + 1 end
  while true do
    at, mark = next_mark(self, entry(at, first), "a comma or " .. closing)
    if mark == closing then return at + 1 end
    if mark ~= "," then fail_at(at, "there must be a comma or %s", closing) end
    at, first = at + 1, first:match "^(.*) or" or first
  end
end

table_at["["] = function(self, at, depth)
  local list, n = setmetatable({}, self.list), 0
  return list, entries_at(self, at, "]", "a value or ]", function(place, wanted)
    n = n + 1
    list[n], place = value_at(self, place, wanted, depth)
    return place
  end)
end

table_at["{"] = function(self, at, depth)
  local object = setmetatable({}, self.object)
  return object, entries_at(self, at, "}", "a name in quotes or }", function(place, wanted)
    local name, mark
    place, mark = next_mark(self, place, wanted)
    if mark ~= '"' then fail_at(place, "there must be %s", wanted) end
    name, place = text_at(self, place)
    place, mark = next_mark(self, place, "a colon")
    if mark ~= ":" then fail_at(place, "there must be a colon") end
    object[name], place = value_at(self, place + 1, "a value", depth)
    return place
  end)
end

--- Reads a text.
-- @tparam string text
-- @param null what null becomes; nil: entries that are null are left out
-- @tparam[opt] table list the metatable of lists
-- @tparam[opt] table object the metatable of objects
-- @return[1] the value
-- @treturn[2] nil
-- @treturn[2] string what is wrong, and where
-- @treturn[2] number the place, in bytes
return function(text, null, list, object)
  local self = {text = text, null = null, list = list, object = object}
  local done, value, after = pcall(value_at, self, text:find "^\239\187\191" and 4 or 1, "a value", 0)
  if not done and getmetatable(value) ~= Fault then error(value, 0) end
  if not done then return nil, value.words, value.at end
  after = text:find("[^ \t\r\n]", after)
  if after then return nil, ("at byte %d, there must be the end"):format(after), after end
  return value
end
