--- Whether a text is JSON to the letter (RFC 8259). dkjson reads more: it takes a missing comma or colon, names that
-- are no texts, and comments, and makes other data of them than was meant.
-- @module clue.json_form
local depths = require "clue.json_depth"

local form = {}

local CLOSES = {["["] = "]", ["{"] = "}"}
local LITERALS = {["true"] = true, ["false"] = true, null = true}

-- What may come next, in words.
local wanted = {
  value = "a value", ["first value"] = "a value or ]", name = "a name in quotes",
  ["first name"] = "a name in quotes or }", colon = "a colon", ["more ]"] = "a comma or ]",
  ["more }"] = "a comma or }", ["end"] = "the end",
}

local function is_number(word)
  local whole, fraction, exponent = word:match "^%-?(%d+)(%.?%d*)([eE]?[+-]?%d*)$"
  return whole ~= nil and not whole:find "^0%d" and fraction ~= "."
    and (exponent == "" or exponent:find "^[eE][+-]?%d" ~= nil)
end

-- A backslash in a string that begins no escape. Returns its place.
local function wrong_escape(string)
  local place = string:find("\\", 1, true)
  while place do
    if not (string:find('^["\\/bfnrt]', place + 1) or string:find("^u%x%x%x%x", place + 1)) then return place end
    place = string:find("\\", place + 2, true)
  end
end

-- A text, a number, true, false or null at a place. Returns the place after it, or nil and what is wrong.
local function after_scalar(text, at, check_number)
  if text:byte(at) == 34 then
    local after = depths.after_string(text, at)
    local wrong = after and wrong_escape(text:sub(at, after - 1))
    if wrong then return nil, ("at byte %d, the backslash begins no escape"):format(at + wrong - 1) end
    return after, not after and ("at byte %d, a text has no end"):format(at) or nil
  end
  local word, after = text:match("^([%w%.+-]+)()", at)
  if not word or not (LITERALS[word] or is_number(word)) then return nil end
  local why = not LITERALS[word] and check_number(word, at)
  if why then return nil, why end
  return after
end

-- What may follow a value, by the mark that closes what it is in.
local function following(closing)
  return closing and "more " .. closing or "end"
end

-- Whether a value or a name may be here.
local function takes(next_one)
  return next_one:find "value$" ~= nil, next_one:find "name$" ~= nil
end

--- Finds the first place where a text is not JSON.
-- @tparam string text
-- @tparam function check_number takes the text of a number and its place, and returns why it is refused, or nil
-- @treturn ?string what is wrong there, nil if nothing is
function form.fault(text, check_number)
  local at, closings, next_one = text:find("^\239\187\191") and 4 or 1, {}, "value"
  while true do
    at = text:find("[^ \t\r\n]", at)
    if not at then break end
    local mark, closing = text:sub(at, at), closings[#closings]
    local value, name = takes(next_one)
    if value and CLOSES[mark] then
      closings[#closings + 1] = CLOSES[mark]
      at, next_one = at + 1, mark == "[" and "first value" or "first name"
    elseif closing == mark and (next_one:find "^first" or next_one:find "^more") then
      closings[#closings] = nil
      at, next_one = at + 1, following(closings[#closings])
    elseif next_one == "colon" and mark == ":" then
      at, next_one = at + 1, "value"
    elseif next_one:find "^more" and mark == "," then
      at, next_one = at + 1, closing == "]" and "value" or "name"
    else
      local after, why
      if value or name and mark == '"' then after, why = after_scalar(text, at, check_number) end
      if not after then return why or ("at byte %d, there must be %s"):format(at, wanted[next_one]) end
      at, next_one = after, name and "colon" or following(closing)
    end
  end
  return next_one ~= "end" and ("the text ends where there must be %s"):format(wanted[next_one]) or nil
end

return form
