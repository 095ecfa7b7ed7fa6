--- The characters of texts. MQL5's functions count characters, Lua's bytes. Texts are UTF-8 here; a byte that does not
-- begin or continue a character counts as one. MQL5 counts a character beyond U+FFFF twice, these functions once.
local characters = {}

local CHARACTER = ".[\128-\191]*"

local function is_plain(text)
  return not text:find "[\128-\255]"
end

--- @tparam string text
-- @treturn {string,...} its characters
function characters.list(text)
  local list = {}
  for character in text:gmatch(CHARACTER) do list[#list + 1] = character end
  return list
end

--- @tparam string text
-- @treturn number how many characters it has
function characters.count(text)
  if is_plain(text) then return #text end
  return select(2, text:gsub(CHARACTER, ""))
end

--- The byte at which a character begins.
-- @tparam string text
-- @tparam number position of the character, from 0
-- @treturn ?number from 1; one byte after the end if the position is the text's length; nil if it is greater
function characters.byte(text, position)
  if is_plain(text) then return position <= #text and position + 1 or nil end
  local at, count = 1, 0
  for begin, next_one in text:gmatch("()" .. CHARACTER .. "()") do
    if count == position then return begin end
    at, count = next_one, count + 1
  end
  return count == position and at or nil
end

--- A part of a text.
-- @tparam string text
-- @tparam number first character, from 0
-- @tparam number count of characters; below 0: all that follow
-- @treturn string "" if there is no such character
function characters.part(text, first, count)
  local from = first >= 0 and characters.byte(text, first)
  if not from then return "" end
  local rest = text:sub(from)
  local stop = count >= 0 and characters.byte(rest, count)
  return stop and rest:sub(1, stop - 1) or rest
end

--- The code of the first character of a text.
-- @tparam string text not empty
-- @treturn number
function characters.code(text)
  local first, second, third, fourth = text:byte(1, 4)
  if first < 0xC0 then return first end
  if first < 0xE0 then return (first - 0xC0) * 64 + (second or 128) - 128 end
  local pair = ((second or 128) - 128) * 64 + (third or 128) - 128
  if first < 0xF0 then return (first - 0xE0) * 4096 + pair end
  return (first - 0xF0) * 262144 + pair * 64 + (fourth or 128) - 128
end

local char, floor = string.char, math.floor

local function continued(code)
  return 128 + code % 64
end

--- The character of a code.
-- @tparam number code a whole number from 0 to 0x10FFFF
-- @treturn string
function characters.of(code)
  if code < 0x80 then return char(code) end
  local last = continued(code)
  if code < 0x800 then return char(0xC0 + floor(code / 64), last) end
  local before = continued(floor(code / 64))
  if code < 0x10000 then return char(0xE0 + floor(code / 4096), before, last) end
  return char(0xF0 + floor(code / 262144), continued(floor(code / 4096)), before, last)
end

-- ---- upper and lower case ---------------------------------------------------------------------------------------

local lower, upper = {}, {}

local function pair(large, small)
  large, small = characters.of(large), characters.of(small)
  lower[large], upper[small] = small, large
end

-- Capitals from one code to another, and how far their small letters are from them. Step 2: both alternate.
local capitals = {
  {0xC0, 0xD6, 32}, {0xD8, 0xDE, 32}, {0x178, 0x178, 0xFF - 0x178}, -- Latin
  {0x100, 0x12E, 1, 2}, {0x132, 0x136, 1, 2}, {0x139, 0x147, 1, 2}, {0x14A, 0x176, 1, 2}, {0x179, 0x17D, 1, 2},
  {0x386, 0x386, 38}, {0x388, 0x38A, 37}, {0x38C, 0x38C, 64}, {0x38E, 0x38F, 63}, {0x391, 0x3A1, 32}, -- Greek
  {0x3A3, 0x3AB, 32},
  {0x400, 0x40F, 80}, {0x410, 0x42F, 32}, {0x460, 0x480, 1, 2}, {0x48A, 0x4BE, 1, 2}, -- Cyrillic
  {0x4C1, 0x4CD, 1, 2}, {0x4D0, 0x52E, 1, 2},
}
local FOREIGN = "[\194-\244][\128-\191]+"

-- Replaces letters that are not ASCII's. The first such text makes the tables: most scripts have none.
local function replaced(text, letters)
  if not text:find(FOREIGN) then return text end
  for _, range in ipairs(next(lower) and {} or capitals) do
    for code = range[1], range[2], range[4] or 1 do pair(code, code + range[3]) end
  end
  return (text:gsub(FOREIGN, letters))
end

--- A text in small letters: Latin, Greek and Cyrillic ones change.
-- @tparam string text
-- @treturn string
function characters.lower(text)
  return replaced(text:lower(), lower)
end

--- A text in capitals: Latin, Greek and Cyrillic ones change.
-- @tparam string text
-- @treturn string
function characters.upper(text)
  return replaced(text:upper(), upper)
end

return characters
