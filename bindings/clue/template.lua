--- Templates of OpenCL C, for code that is generated or unrolled. Penlight (pl.template) expands them:
--
--     # for i = 0, count - 1 do
--       sum += x[$(i)] * w$(i);
--     # end
--
-- A line that begins with "# " (after any blanks) is Lua. $(...) is the value of an expression, which must end on the
-- same line. Lines for the preprocessor have no blank after their #. The result has #line directives, so compilers
-- report the template's lines. Where a generated line differs from the template's, a comment at its end has the
-- template's line: clue shows both below a message.
-- @module clue.template
local argument = require "clue.argument"
local define = require "clue.define"
local error_object = require "clue.error"
local where = require "clue.where"
local without_marks = require("clue.text").without_marks

local template = {}

-- Three characters of Unicode's private use: one begins a line of Lua; the other two enclose a line's number at the
-- beginning of every line made from it.
local LUA, BEFORE, BEHIND = "\238\128\128", "\238\128\129", "\238\128\130"
local MARK = BEFORE .. "(%d+)" .. BEHIND

local directives = {}
for word in ("define elif else endif error if ifdef ifndef include line pragma undef warning"):gmatch "%a+" do
  directives[word] = true
end

local function refuse(problem, ...)
  error(error_object.new {text = problem:format(...)}, 0)
end

local function lines_of(text)
  local lines = {}
  for line in (text:gsub("\r\n", "\n"):gsub("\n$", "") .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines
end

-- ---- what Penlight gets ----

-- Passes every $(...) through a function that writes values as C reads them, and reports an expression without a
-- value.
local function guard(line, name, number)
  local at = line:find("$(", 1, true)
  while at do
    local behind = line:match("^%$%b()()", at)
    if not behind then refuse("template %s, line %d: $( is not closed on this line", name, number) end
    at = line:find("$(", behind, true)
  end
  return (line:gsub("%$(%b())", function(expression)
    return ("$(__shown(%d, %q, %s))"):format(number, expression:sub(2, -2), expression)
  end))
end

local function marked(lines, name)
  local made = {}
  for number, line in ipairs(lines) do
    local lua, word = line:match "^%s*#(%s.*)$", line:match "^%s*#(%S*)"
    if lua or word == "" then
      made[number] = LUA .. (lua or "")
    elseif word and not directives[word:match "^%a*"] then
      refuse("template %s, line %d: '#%s' is not a preprocessor directive; a line of Lua has a blank after its #", name,
        number, word)
    else
      made[number] = BEFORE .. number .. BEHIND .. guard(line, name, number)
    end
  end
  return table.concat(made, "\n")
end

-- ---- errors in a template's Lua ----

-- Which line of the template a line of Penlight's code came from.
local function line_of(code, wanted, lines)
  local lua, of, continued = {}, nil, false
  for number, line in ipairs(lines) do
    if line:find "^%s*#%s" or line:find "^%s*#$" then lua[#lua + 1] = number end
  end
  local at, met = 0, 0
  for line in (code .. "\n"):gmatch "([^\n]*)\n" do
    at = at + 1
    local generated = continued or line:find "^__R_size" or at <= 2
    for number in line:gmatch(MARK) do of = tonumber(number) end
    if not generated then
      met = met + 1
      of = lua[met] or of
    end
    if at == wanted then return of or 1 end
    continued = generated and line:sub(-1) == "\\"
  end
  return of or 1
end

local function report(problem, code, name, lines)
  if type(problem) ~= "string" then error(problem, 0) end
  local number, text = problem:match '^%[string "%(template%)"%]:(%d+): ([^\n]*)'
  if not number then number, text = problem:match "^%(template%):(%d+): ([^\n]*)" end
  if not number then refuse("template %s: %s", name, (problem:match "^[^\n]*")) end
  refuse("template %s, line %d: %s", name, line_of(code, tonumber(number), lines), text)
end

-- ---- values ----

local function shown(number, expression, given)
  if type(given) == "number" then return define.number(given) end
  if type(given) == "string" then return given end
  error(("line %d: $(%s) must be a number or a text, not %s"):format(number, expression,
    given == nil and "nothing" or "a " .. type(given)), 0)
end

-- A name that is neither a value nor one of Lua's globals is misspelt.
local function environment(values, name)
  local globals = rawget(_G, "_G")
  return setmetatable({__shown = function(...)
    local done, text = pcall(shown, ...)
    if not done then refuse("template %s, %s", name, text) end
    return text
  end}, {__index = function(_, key)
    if values[key] ~= nil then return values[key] end
    local global = rawget(globals, key)
    if global == nil and key ~= "__tostring" then
      error(("'%s' is not among the template's values"):format(tostring(key)), 2)
    end
    return global
  end})
end

-- ---- the result ----

-- Where a literal ends whose quotation mark is before a position.
local function literal_end(line, mark, from)
  local at = line:find("[\\" .. mark .. "]", from)
  while at and line:sub(at, at) == "\\" do at = line:find("[\\" .. mark .. "]", at + 2) end
  return at or #line
end

-- Whether a comment is open at the end of a line; open says whether one was at its beginning.
local function leaves_comment_open(line, open)
  local at = 1
  while at <= #line do
    if open then
      local _, last = line:find("*/", at, true)
      if not last then return true end
      open, at = false, last + 1
    else
      local first = line:find("[/\"']", at)
      if not first or line:sub(first, first + 1) == "//" then return false end
      local mark = line:sub(first, first)
      open = line:sub(first, first + 1) == "/*"
      at = first + (open and 2 or 1)
      if mark ~= "/" then at = literal_end(line, mark, at) + 1 end
    end
  end
  return open
end

-- A directive must not be inside a comment or follow a continued line.
local function numbered(text, name, lines)
  local made, coming, open, continued, number = {}, nil, false, false, 1
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "([^\n]*)\n" do -- no line follows a last line of Lua
    number = tonumber(line:match("^" .. MARK)) or number
    line = line:gsub(MARK, "")
    local written = lines[number]
    if not (open or continued) and (coming ~= number or line ~= written) then
      local comment = line ~= written and written:sub(-1) ~= "\\" and " // " .. written or ""
      made[#made + 1] = ('#line %d "%s"%s'):format(number, name, comment)
    end
    made[#made + 1] = line
    coming = not (open or continued) and number + 1 or coming and coming + 1
    open, continued = leaves_comment_open(line, open), line:sub(-1) == "\\"
  end
  return table.concat(made, "\n") .. "\n"
end

local function own_name()
  return (where.line() or "template"):gsub("^.*/", ""):gsub(":", "@")
end

--- Expands a template.
-- @tparam string text
-- @tparam[opt] table values values for its Lua, by name, besides Lua's own globals
-- @tparam[opt] string name for messages; by default the script and the line of the call, "script.lua@12"
-- @treturn string OpenCL C
-- @raise an error object that names the template's line: an error in its Lua, a name that is not among the values, or
-- a
--   value that is neither a number nor a text
function template.expand(text, values, name)
  argument.typed(text, "string", "text", "a text")
  if values ~= nil and not argument.is_plain(values) then argument.refuse("values", "a table of values by name",
    values) end
  if name == nil then name = own_name() end
  if type(name) ~= "string" or name:find '["\\%c:]' then
    argument.refuse("name", "a text without quotation marks, backslashes and colons", name)
  end
  local found, library = pcall(require, "pl.template")
  if not found then refuse("cl.template needs Penlight, Debian's package lua-penlight: %s", tostring(library)) end
  local lines = lines_of(without_marks(text))
  local compiled, problem, code = library.compile(marked(lines, name),
    {escape = LUA, chunk_name = "=(template)", debug = true})
  if not compiled then report(problem, code, name, lines) end
  local made
  made, problem = compiled:render(environment(values or {}, name))
  if not made then report(problem, compiled.code, name, lines) end
  return numbered(made, name, lines)
end

return template
