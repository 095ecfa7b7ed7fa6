--- The comments and strings of a Lua script's text.
--
-- build_log finds kernels in it, the hints below syntax errors what is code.
-- @module clue.literals
local literals = {}

-- The end of a quoted string that begins here; nil if it does not end on its line.
local function quote_end(text, from)
  local at, quote = from + 1, text:sub(from, from)
  while true do
    local found = text:find("[\\\n" .. quote .. "]", at)
    local char = found and text:sub(found, found)
    if char ~= "\\" then return char == quote and found or nil end
    at = found + 2
  end
end

-- The long bracket that begins here: its level and its end; nil if there is none.
local function bracket(text, from)
  local level = text:match("^%[(=*)%[", from)
  if not level then return nil end
  local _, stop = text:find("]" .. level .. "]", from, true)
  return level, stop or #text
end

-- The end of the comment or string that begins here, and the string; nil if none does.
local function token_end(text, from)
  local char = text:sub(from, from)
  if char == "-" then
    if text:sub(from, from + 1) ~= "--" then return nil end
    local level, stop = bracket(text, from + 2)
    return level and stop or (text:find("\n", from, true) or #text + 1) - 1
  end
  local level, stop
  if char == "[" then
    level, stop = bracket(text, from)
  else
    stop = quote_end(text, from)
  end
  return stop, stop and {level = level, first = from, stop = stop, text = text:sub(from, stop)}
end

-- Calls a function with each comment and string, and the code before it. Returns the code after the last.
local function each_token(text, visit)
  local from = 1
  while true do
    local at = text:find("[%-%[\"']", from)
    if not at then return text:sub(from) end
    local stop, string = token_end(text, at)
    visit(text:sub(from, at - 1), text:sub(at, stop or at), string, stop)
    from = (stop or at) + 1
  end
end

--- Replaces what is in comments and strings by spaces.
-- @tparam string text
-- @tparam[opt=" "] string mark what stands for each character of a string
-- @treturn string of the same length, with the same lines
-- @treturn table the long strings in order: level ("" or "=" ...), first and stop (bytes), text
function literals.mask(text, mark)
  local parts, strings = {}, {}
  local rest = each_token(text, function(code, token, string, stop)
    parts[#parts + 1] = code .. (stop and token:gsub("[^\n]", string and mark or " ") or token)
    if string and string.level then strings[#strings + 1] = string end
  end)
  return table.concat(parts) .. rest, strings
end

-- What Lua makes of a string; nil if its bytes are others than those in the script.
local function value_of(string)
  if string.level then
    local open = #string.level + 2
    local value = string.text:sub(open + 1, -open - 1)
    local skipped = #(value:match "^\r?\n" or "")
    return value:sub(skipped + 1), string.first + open + skipped
  end
  return not string.text:find("\\", 1, true) and string.text:sub(2, -2) or nil, string.first + 1
end

--- The strings whose bytes are in the script as they are in the string: without escape sequences.
-- @tparam string text
-- @treturn {table,...} value, and first: the place of its first byte
function literals.strings(text)
  local list = {}
  each_token(text, function(_, _, string)
    local value, first
    if string then value, first = value_of(string) end
    if value then list[#list + 1] = {value = value, first = first} end
  end)
  return list
end

return literals
