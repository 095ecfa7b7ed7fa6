--- Finds calls that are written as in MQL5, where StringToLower(name) changes its variable. Lua passes texts by value:
-- a call whose results are dropped does nothing, and the script goes on with the old text. A note says so for each such
-- call of a file, once, when the first call of a function comes from it; --quiet silences them, --strict raises.
-- @module clue.mql5.dropped
local literals = require "clue.literals"
local note = require "clue.note"
local read_file = require("clue.file").read
local trim_end = require("clue.text").trim_end
local where = require "clue.where"

local dropped = {}

-- What the examples call the first result. The new text is the second one.
local results = {
  StringToLower = "ok", StringToUpper = "ok", StringAdd = "ok", StringSetCharacter = "ok",
  StringReplace = "n", StringTrimLeft = "n", StringTrimRight = "n", StringConcatenate = "n",
}

local STRING = '"' -- for each character of one, so that a string is seen to end an expression

-- Words after which a call is a part of something. After all others a statement begins.
local goes_on = {}
for word in ("and or not return if elseif while until in function"):gmatch "%a+" do goes_on[word] = true end

-- Whether what stands before a call ends a statement, so that nothing takes the call's results.
local function is_statement(code, at)
  local before = trim_end(code:sub(math.max(1, at - 200), at - 1))
  local word = before:match "([%w_]+)$"
  if word then return not goes_on[word] end
  return before == "" or before:find '[;)%]}"]$' ~= nil
end

-- Whether a script has a function of its own by this name.
local function is_defined(code, name)
  return code:find("%f[%w_]function%s+" .. name .. "%s*%(") or code:find("%f[%w_.:]" .. name .. "%s*=[^=]")
end

-- "n, s = StringReplace(s, 'a', 'b')": what to write for a call, whose code is masked.
local function remedy(name, call, code)
  local first, variable, after = code:match "%(%s*()([%a_][%w_.]*)%s*[,)]()"
  if not variable then first, variable, after = code:match "%(%s*()([%a_][%w_.]*%b[])%s*[,)]()" end
  if not variable then return ("the new text is the second result of %s"):format(name) end
  variable = call:sub(first, first + #variable - 1) -- with the strings of t["name"]
  if name == "StringConcatenate" and after <= #call then
    call = name .. "(" .. call:sub(after):gsub("^%s+", "")
  end
  return ("write %s, %s = %s"):format(results[name], variable, (call:gsub("%s+", " ")))
end

-- The functions that a script means by their names in MQL5.
local function meant(code)
  local list = {}
  for name in pairs(results) do list[name] = code:find(name, 1, true) and not is_defined(code, name) end
  return list
end

local function look_through(text, file)
  local code = literals.mask(text, STRING)
  local is_meant, line, counted = meant(code), 1, 1
  for at, name, stop in code:gmatch "()%f[%w_](String%u%a+)%s*%b()()" do
    local is_field = code:sub(at - 1, at - 1):find "[.:]"
    if is_meant[name] and not is_field and is_statement(code, at) then
      local _, more = code:sub(counted, at):gsub("\n", "")
      line, counted = line + more, at + 1
      note(("%s changes nothing here, since Lua passes texts by value: %s"):format(name,
        remedy(name, text:sub(at, stop - 1), code:sub(at, stop - 1))), ("%s:%d"):format(file, line))
    end
  end
end

local asked = {} -- by function; later calls cost nothing
local seen = {} -- by file

--- Looks through the file that calls a function for the first time.
-- @tparam string name of the function
function dropped.find(name)
  if asked[name] then return end
  asked[name] = true
  local line, source = where.line()
  local file = source and source:match "^@(.*):%d+$"
  local text = file and not seen[file] and read_file(file)
  if not text then return end
  seen[file] = true
  look_through(text, line:match "^(.*):%d+$")
end

return dropped
