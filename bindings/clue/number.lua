--- Numbers as texts that do not depend on the locale. Interpreters other than LuaJIT write and read the decimal comma
-- of a locale that the script, or a library in the process, has chosen. What others read must have a point.
-- @module clue.number
local number = {}

-- What the interpreter writes for the point.
local function point()
  return ("%.1f"):format(0.5):sub(2, -2)
end

-- Replaces the only `from` in a text.
local function with(text, from, to)
  local first, last = text:find(from, 1, true)
  return first and text:sub(1, first - 1) .. to .. text:sub(last + 1) or text
end

--- string.format for one number.
-- @tparam string format "%.3f"
-- @tparam number value
-- @treturn string
function number.text(format, value)
  local text, mark = format:format(value), point()
  return mark == "." and text or with(text, mark, ".")
end

--- tonumber for a text.
-- @tparam string text
-- @treturn ?number
function number.read(text)
  local mark = point()
  if mark == "." then return tonumber(text) end
  return not text:find(mark, 1, true) and tonumber(with(text, ".", mark)) or nil
end

local function digits(text)
  local value = text:find "^%d+%.?%d*[eE]%+?%d+$" and number.read(text)
  return value and value % 1 == 0 and value < 2 ^ 53 and ("%.0f"):format(value) or text
end

--- Whole numbers as their digits: "1e5" is "100000", "1.5e3x1e2" "1500x100". Other texts stay as they are.
-- @tparam string text
-- @treturn string
function number.plain(text)
  if text:find "^0[xX]" then return text end
  return (text:gsub("[^xX]+", digits))
end

return number
