--- The lists and ranges of `clue walk --size` and `--set`: "256,512", "256..4096*2", "256..1024+256".
-- @module clue.run.values
local values = {}

-- More values of one list are taken for a slip, such as 1..4096+1.
local most = 64

local forms = "give one value, a list (%s,%s), FIRST..LAST*FACTOR (%s..%s*2) or FIRST..LAST+STEP (%s..%s+%s)"

--- The accepted forms in words, with examples.
-- @tparam int example the first value of the examples
-- @treturn string
function values.forms(example)
  local one, two, last = ("%d"):format(example), ("%d"):format(2 * example), ("%d"):format(4 * example)
  return forms:format(one, two, one, last, one, last, one)
end

-- The numbers of "256..4096*2"; nil and what is wrong with it.
local function range(text)
  local first, last, sign, step = text:match "^(%d+)%.%.(%d+)([*+])(%d+)$"
  first, last, step = tonumber(first), tonumber(last), tonumber(step)
  if not first then return nil, ("'%s' is no range"):format(text) end
  if first > last then return nil, ("'%s' begins above its end"):format(text) end
  if sign == "*" and (step < 2 or first == 0) then
    return nil, ("'%s' never ends: multiply a first value of 1 or more by 2 or more"):format(text)
  end
  if sign == "+" and step < 1 then return nil, ("'%s' never ends: add 1 or more"):format(text) end
  local list = {}
  while first <= last and #list <= most do
    list[#list + 1] = ("%.0f"):format(first)
    first = sign == "*" and first * step or first + step
  end
  return list
end

-- A whole number without leading zeros: 8 and 08 are the same value, and in C 08 would be no number at all.
local function plain(value)
  return value:match "^0+(%d+)$" or value
end

--- Reads a list of values.
-- @tparam string text
-- @tparam int example for the message
-- @treturn[1] {string,...} at least one, all different
-- @treturn[2] nil
-- @treturn[2] string what is wrong, with the accepted forms
function values.read(text, example)
  local list, seen = {}, {}
  local function wrong(why, ...)
    return nil, ("%s; %s"):format(why:format(...), values.forms(example))
  end
  for part in (text .. ","):gmatch "([^,]*)," do
    if part == "" then return wrong("'%s' has an empty value", text) end
    local more, why = {part}, nil
    if part:find("..", 1, true) then more, why = range(part) end
    if not more then return wrong("%s", why) end
    for _, given in ipairs(more) do
      local value = plain(given)
      if seen[value] then return wrong("'%s' has %s twice", text, value) end
      seen[value] = true
      list[#list + 1] = value
    end
  end
  if #list > most then return nil, ("'%s' has more than %d values"):format(text, most) end
  return list
end

return values
