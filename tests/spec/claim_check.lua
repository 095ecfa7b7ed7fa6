--- Holds the numbers of texts against claims (tests/claims), which say where each comes from.
--
-- The claims of a text are a table. A key is a phrase of the text with a number, or the number alone, which then stands
-- for all of its kind that no longer phrase has; its value is a claim, or a list with one for each number of the
-- phrase. `source` and `definition` are lists of phrases whose numbers all are the source's, or hold by definition.
local numbers = require "claim_numbers"
local sources = require "claim_sources"

local check = {}

-- ---- claims by phrase ----

local SAID = {"source", "definition"}
local NO_PHRASE = {source = true, definition = true, walkthrough = true, tables = true} -- of a page's part

-- The phrases of claims, longest first: each key, claims (or kind, of all its numbers) and of, the table that has it.
local function phrases_of(...)
  local list = {}
  for _, of in ipairs {...} do
    for key, value in pairs(of) do
      local is_list = type(value) == "table" and not sources.is_claim(value)
      local is_phrase = type(key) == "string" and not NO_PHRASE[key]
      if is_phrase then
        list[#list + 1] = {key = key, claims = is_list and value or {value}, of = of}
      end
    end
    for _, kind in ipairs(SAID) do
      for _, key in ipairs(of[kind] or {}) do list[#list + 1] = {key = key, kind = kind, of = of} end
    end
  end
  table.sort(list, function(a, b)
    if #a.key ~= #b.key then return #a.key > #b.key end
    return a.key < b.key
  end)
  return list
end

-- Whether a phrase begins or ends within a number or a word.
local function cuts(text, from, to)
  local first, last = text:sub(from, from), text:sub(to, to)
  return first:find "%d" and text:sub(1, from - 1):find "[%w_.]$" and not text:sub(1, from - 1):find "%. ?$"
    or first:find "%d" and text:sub(1, from - 1):find "%d[.,]$"
    or last:find "%d" and text:find("^%.?%d", to + 1) or last:find "%d" and text:find("^,%d%d%d", to + 1)
    or last:find "%a" and text:find("^%a", to + 1)
end

local function within(list, from, to)
  local inside = {}
  for _, number in ipairs(list) do
    if number.value and number.from >= from and number.to <= to then inside[#inside + 1] = number end
  end
  return inside
end

-- Gives the numbers of a cell of a table the claims of its column.
local function give_in_order(list, claims, wrong)
  local values = {}
  for _, number in ipairs(list) do
    if number.value then values[#values + 1] = number end
  end
  if #values ~= #claims then return wrong(("a cell has %d numbers and %d claims"):format(#values, #claims)) end
  for i, number in ipairs(values) do number.phrase, number.claim = {key = number.digits}, claims[i] end
end

-- Gives the numbers of a place their claims, as far as they have none.
local function give(phrase, inside, wrong)
  if phrase.claims and #inside ~= #phrase.claims then
    wrong(("'%s' has %d numbers and %d claims"):format(phrase.key, #inside, #phrase.claims))
  end
  for i, number in ipairs(inside) do
    if not number.phrase then
      number.phrase, phrase.used = phrase, true
      number.claim = phrase.claims and phrase.claims[i]
    end
  end
end

local function claim_all(text, list, phrases, wrong)
  for _, phrase in ipairs(phrases) do
    local from, to = text:find(phrase.key, 1, true)
    while from do
      if not cuts(text, from, to) then give(phrase, within(list, from, to), wrong) end
      from, to = text:find(phrase.key, from + 1, true)
    end
  end
end

-- ---- values ----

local function around(text, number)
  return text:sub(math.max(1, number.from - 30), math.min(#text, number.to + 30))
end

-- As exact as it is printed; "about 10" may be a tenth off.
local function is_right(number, claim)
  local off = 0.5000001 * 10 ^ -number.decimals
  if claim.is_about then off = math.max(off, claim.value * 0.1) end
  return math.abs(number.value - claim.value) <= off
end

local ORDER = {"measurement", "count", "code", "source", "constant", "definition"}

local function kind_of(number)
  if number.phrase.kind then return number.phrase.kind end
  for _, kind in ipairs(ORDER) do
    if number.claim.kinds[kind] then return kind end
  end
end

--- Checks a text.
-- @tparam string text on one line
-- @tparam table how for @{claim_numbers.of}
-- @tparam {table,...} phrases of @{phrases}
-- @tparam[opt] table tally how many numbers there are of each kind, counted on
-- @tparam[opt] {table,...} claims of its numbers, in their order, instead of phrases
-- @treturn {string,...} what is wrong
function check.text(text, how, phrases, tally, claims)
  local faults, list = {}, numbers.of(text, how)
  local function wrong(what) faults[#faults + 1] = what end
  if claims then give_in_order(list, claims, wrong) else claim_all(text, list, phrases, wrong) end
  for _, number in ipairs(list) do
    if number.value and not number.phrase then
      wrong(("%s has no claim: ...%s..."):format(number.digits, around(text, number)))
    elseif number.claim and not is_right(number, number.claim) then
      wrong(("%s is %.6g: ...%s..."):format(number.digits, number.claim.value, around(text, number)))
    elseif tally and number.phrase then
      local kind = kind_of(number)
      tally[kind] = (tally[kind] or 0) + 1
    elseif tally then
      tally.step = (tally.step or 0) + 1
    end
  end
  return faults
end

--- The phrases of tables of claims.
-- @tparam table ... tables
-- @treturn {table,...} for @{text}; after it, used says whether a text had a number of the phrase
function check.phrases(...)
  return phrases_of(...)
end

--- A text with one of its numbers changed, for each of them.
-- @tparam string text
-- @tparam table how for @{claim_numbers.of}
-- @treturn function iterator of changed texts and what was changed
function check.planted(text, how)
  local list, i = numbers.of(text, how), 0
  return function()
    repeat i = i + 1 until not list[i] or list[i].value
    local number = list[i]
    if not number then return nil end
    local last = tonumber(number.digits:sub(-1))
    local other = number.digits:sub(1, -2) .. (last == 9 and 8 or last + 1)
    return text:sub(1, number.from - 1) .. other .. text:sub(number.to + 1), around(text, number)
  end
end

return check
