--- Reads a table that is written as Lua, without running it: a captured call comes from another machine, and what it
-- holds must not become code.
--
-- It knows comments, texts in double quotes, numbers, true, false, and tables of these with names or without.
-- @module clue.plain_table
local numbers = require "clue.number"

local DEEPEST = 20

local function fail(state, wanted)
  local line = 1 + select(2, state.text:sub(1, state.at - 1):gsub("\n", ""))
  local found = state.text:match("^[%w_.]+", state.at) or state.text:sub(state.at, state.at)
  error({why = ("line %d: %s, not %s"):format(line, wanted, found == "" and "the end" or "'" .. found .. "'")}, 0)
end

-- Takes what a pattern finds here, and blanks and comments after it; nil if it finds nothing.
local function take(state, pattern)
  local first, last, found = state.text:find("^" .. pattern, state.at)
  if not first then return nil end
  state.at = last + 1
  repeat
    state.at = state.text:match("^%s*()", state.at)
    local comment = state.text:match("^%-%-[^\n]*()", state.at)
    state.at = comment or state.at
  until not comment
  return found or true
end

local escapes = {n = "\n", r = "\r", t = "\t", ["\\"] = "\\", ['"'] = '"'}

-- What follows a backslash: a mark, and digits that are not its own; or the digits of a byte.
local function unescaped(mark, digits)
  if mark ~= "" then return escapes[mark] and escapes[mark] .. digits end
  local byte = tonumber(digits)
  return byte and byte < 256 and string.char(byte) or nil
end

local function read_text(state)
  local at = state.at + 1
  repeat
    local mark, after = state.text:match('(["\\\n])()', at)
    if not mark or mark == "\n" then fail(state, "a text that ends on its line") end
    at = mark == "\\" and after + 1 or after
  until mark == '"'
  local inside = state.text:sub(state.at + 1, at - 2)
  local text = inside:gsub("\\(%D?)(%d?%d?%d?)", function(mark, digits)
    return unescaped(mark, digits) or fail(state, "a text with Lua's escapes")
  end)
  state.at = at - 1
  take(state, '"')
  return text
end

local function read_number(state)
  local text = state.text:match("^%-?[%d.][%w.]*[+-]?%d*", state.at)
  local number = numbers.read(text) or fail(state, "a number")
  take(state, "%-?[%d.][%w.]*[+-]?%d*")
  return number
end

local read_value

local function read_table(state, depth)
  if depth > DEEPEST then fail(state, ("tables in at most %d others"):format(DEEPEST)) end
  local entries = {}
  take(state, "{")
  while not take(state, "}") do
    local name = take(state, "([%a_][%w_]*)%s*=")
    entries[name or #entries + 1] = read_value(state, depth + 1)
    if not take(state, "[,;]") and not state.text:find("^}", state.at) then fail(state, "a comma or '}'") end
  end
  return entries
end

function read_value(state, depth)
  local mark = state.text:sub(state.at, state.at)
  if mark == "{" then return read_table(state, depth) end
  if mark == '"' then return read_text(state) end
  if mark:find "[%d.-]" then return read_number(state) end
  if take(state, "true%f[^%w_]") then return true end
  if take(state, "false%f[^%w_]") then return false end
  fail(state, "a text in double quotes, a number, true, false or a table of these")
end

local function read(text)
  local state = {text = text, at = 1}
  take(state, "")
  if not take(state, "return%f[^%w_]") or state.text:sub(state.at, state.at) ~= "{" then fail(state, "return {") end
  local entries = read_table(state, 1)
  if state.at <= #text then fail(state, "nothing after the table") end
  return entries
end

--- Reads a text.
-- @tparam string text "return {name = value, ...}"
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string what is wrong, with its line
return function(text)
  local done, result = pcall(read, text)
  if done then return result end
  return nil, type(result) == "table" and result.why or tostring(result)
end
