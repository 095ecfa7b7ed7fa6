-- Changes texts by chance, and makes a text that fails shorter.
local mutate = {}

-- Words and bytes that parsers stumble over.
local odd = {
  "\0", "\255", "\n", "\r\n", "\t", "\27[31m", "-1", "0", "1e999", "nan", "2147483648", "4294967295",
  "9007199254740993", "18446744073709551616", "(", ")", "[", "]", "{", "}", '"', "'", "\\", ",", ":", "%", "#", "\195",
}

local function cut(text, first, count)
  return text:sub(1, first - 1) .. text:sub(first + count)
end

local changes = {
  function(text, random) return cut(text, random(#text + 1), random(4)) end,
  function(text, random) return cut(text, random(#text + 1), random(#text + 1)) end,
  function(text, random) return text:sub(1, random(#text + 1) - 1) end,
  function(text, random, words)
    local at, list = random(#text + 1), words or odd
    return text:sub(1, at - 1) .. list[random(#list)] .. text:sub(at)
  end,
  function(text, random)
    local at = random(#text + 1)
    return text:sub(1, at - 1) .. string.char(random(256) - 1) .. text:sub(at + 1)
  end,
  function(text, random)
    local at = random(#text + 1)
    local piece = text:sub(at, at + random(20))
    return text:sub(1, at) .. piece:rep(random(3)) .. text:sub(at + 1)
  end,
  function(text, random, words) -- something else in place of a number or of what stands between quotation marks
    local places, list, form = {}, words or odd, random(2) == 1 and "%d+" or '"[^"]*"'
    for at in text:gmatch("()" .. form) do places[#places + 1] = at end
    if #places == 0 then return text end
    local at = places[random(#places)]
    return text:sub(1, at - 1) .. list[random(#list)] .. text:sub((text:match("^" .. form .. "()", at)))
  end,
}

--- Changes a text in one to four places.
-- @tparam string text
-- @tparam function random from chance.new
-- @tparam[opt] {string,...} words what may be put in, in place of the odd ones
-- @treturn string
function mutate.change(text, random, words)
  for _ = 1, random(4) do text = changes[random(#changes)](text, random, words) end
  return text
end

--- Leaves out pieces as long as the text still fails.
-- @tparam string text
-- @tparam function fails whether a text fails in the same way
-- @treturn string
function mutate.shrink(text, fails)
  local size = math.ceil(#text / 2)
  while size >= 1 do
    local at, shorter = 1, false
    while at <= #text do
      local without = cut(text, at, size)
      if fails(without) then text, shorter = without, true else at = at + size end
    end
    if not shorter then size = size == 1 and 0 or math.ceil(size / 2) end
  end
  return text
end

return mutate
