--- Hints for C and MQL5 syntax in a script. Each rule has a pattern of a line without its comments and strings, which
-- no Lua has there, and what to write. The rules are tried in order, first on the line at fault, then on the line
-- before it, where an error is often made.
local declaration = require "clue.hint.declaration"
local trim_end = require("clue.text").trim_end

local syntax = {}

local LANGUAGE, INPUTS = "mql5/porting.md#the-language", "mql5/porting.md#inputs"
local BITS, STRINGS = "mql5/porting.md#bit-operations", "mql5/porting.md#strings-cl-files-and-resource"
local CLASSES = "mql5/porting.md#property-classes-chart-and-trade"
local OBJECTS = "reference/objects.md"

-- ---- what a rule computes ---------------------------------------------------------------------------------------

-- "n - 1", computed if it is a number.
local function less_one(bound)
  local number = tonumber(bound)
  return number and ("%g"):format(number - 1) or bound .. " - 1"
end

-- for (int i = 1; i < n; i *= 2), for (double x = 0; x < 1; x += 0.1): Lua's for adds, and includes the last value.
local function while_loop(type, name, first, condition, step)
  local operator, by = step:match "^[%w_]+%s*([*/+-])=%s*(.-)$"
  local is_real = type == "double" or type == "float"
  if not operator or not is_real and operator:find "[+-]" then return nil end
  local next_one = ("%s %s %s"):format(name, operator, by)
  if operator == "/" and not is_real then next_one = ("int(%s)"):format(next_one) end
  return ("write local %s = %s, then while %s do ... %s = %s end"):format(name, first, condition, name, next_one)
end

-- for (int i = 0; i < n; i++)
local function loop(line)
  local head, condition, step = line:match "for%s*%(%s*([^;]-)%s*;%s*([^;]-)%s*;%s*(.-)%s*%)"
  local name, first = (head or ""):match "^[%w_]*%s*([%a_][%w_]*)%s*=%s*([^,]*)$"
  local relation, bound = (condition or ""):match "^[%w_]+%s*([<>]=?)%s*(.*)$"
  if not name or not bound then return nil end
  local type = head:match "^([%a_][%w_]*)%s+[%a_]" or "int"
  first, bound = declaration.converted(type, first), declaration.converted(type, bound)
  local other = while_loop(type, name, first, condition, step)
  if other then return other end
  local by = step:match "^[%w_]+%s*([+-]=%s*[%w_.]+)$" or step:find "%+%+" and "+=1" or step:find "%-%-" and "-=1"
  if not by then return nil end
  by = by:gsub("%s", ""):gsub("^%+=", ""):gsub("=", "")
  local last = relation == "<" and less_one(bound) or relation == ">" and bound .. " + 1" or bound
  return ("write for %s = %s, %s%s do ... end"):format(name, first, last, by == "1" and "" or ", " .. by)
end

local function compound(name, operator, value)
  if operator == "+" and value:find '^"' then operator = ".." end -- a text
  local written = ("write %s = %s %s %s"):format(name, name, operator, value ~= "" and value or "...")
  if operator ~= "/" then return written end
  return ("%s, or %s = int(%s / %s) if it is an int"):format(written, name, name, value ~= "" and value or "...")
end

local BRACES = "blocks have no braces: if a then ... end, while a do ... end, function f() ... end"

local conditional = {}
for word in ("if ifdef ifndef else elif endif undef error pragma import"):gmatch "%a+" do conditional[word] = true end

local bit_functions = {["&"] = "band", ["|"] = "bor", ["^"] = "bxor", ["<<"] = "lshift", [">>"] = "rshift"}

local function bits(line)
  local name, operator, value = line:match "([%a_][%w_.%[%]]*)%s*([|&^<>]+)=%s*([^;]*)"
  local call = name and bit_functions[operator]
  if call then return ("write %s = bit.%s(%s, %s)"):format(name, call, name, trim_end(value)) end
  return "use the functions of bit: bit.band(x, y), bit.bor, bit.bxor, bit.bnot, bit.lshift, bit.rshift"
end

--- The hint for new, which MQL5 has from C++.
-- @tparam string class its name
-- @treturn table the hint and its page
function syntax.new(class)
  return {("there is no new: %s() makes an object"):format(class == "COpenCL" and class or class .. ".new"), CLASSES}
end

local function python_import()
  return 'write local cl = require "clue"; arrays are cl.array.float(n)'
end

--- What to write for C's switch.
syntax.NO_SWITCH = "Lua has no switch: use if ... elseif ... end, or a table of functions"

-- ---- rules ------------------------------------------------------------------------------------------------------

local function opens_block(code)
  local head = code:match "^%s*}?%s*else%s+(.*)$" or code
  return code:find "^%s*}?%s*else%s*{" or code:find "^%s*}%s*else%f[^%w_]"
    or head:find "^%s*if%s*%(.*%)%s*{%s*$" or head:find "^%s*while%s*%(.*%)%s*{%s*$"
    or code:find "^%s*[%w%s]*function[^(]*%b()%s*{%s*$"
end

-- Each rule: what finds it in a line's code (a pattern or a function of code and fault), the hint (a text, or a
-- function of the line as it was written, which returns nil if it has none), and the page.
local rules = {
  {"^%s*#%s*include", 'Lua loads another file with require "file" or dofile "file.lua"', LANGUAGE},
  {"^%s*#%s*define", function(line)
    local name, value = line:match "#%s*define%s+([%a_][%w_]*)%s+(.*)$"
    return name and ("Lua has no preprocessor: write local %s = %s"):format(name, trim_end(value))
  end, LANGUAGE},
  {"^%s*#%s*property", "#property has no counterpart: drop it", CLASSES},
  {"^%s*#%s*resource", "clue.read_file(path) reads a .cl file", STRINGS},
  {function(code) return conditional[code:match "^%s*#%s*(%a+)"] end,
    "Lua has no preprocessor: use if ... then ... end", LANGUAGE},
  {"/%*", "a comment of several lines is --[[ ... ]]", LANGUAGE},
  {"//", function(line)
    local quotient = line:find "[%w_)%]]%s*//%s*[%w_(]" and "; math.floor(a / b) is a whole quotient" or ""
    return "a comment begins with --" .. quotient
  end, LANGUAGE},
  {"^%s*clue%s+%l", "`clue` with a subcommand is typed in a shell, not in Lua; Ctrl-D ends the prompt",
    "reference/interactive.md"},
  {"^%s*help%s+[%a_][%w_.:]*%s*$", function(line)
    return ('write help "%s"'):format(line:match "help%s+(%S+)")
  end, "reference/interactive.md"},
  {"^%s*s?input%s+group%s", "drop it: inputs have no groups", INPUTS},
  {"^%s*s?input%s", declaration.input, INPUTS},
  {function(_, fault, line) return fault.problem:find "near '\"" and line:find '^%s*"' end,
    "write the text between [[ and ]], without the quotes and \\n of its lines", STRINGS},
  {"^%s*for%s*%(", function(line) return loop(line) or "write for i = first, last do ... end" end, LANGUAGE},
  {"^%s*switch%s*%(", syntax.NO_SWITCH, LANGUAGE},
  {"^%s*case%s+[^=]*:", syntax.NO_SWITCH, LANGUAGE},
  {"^%s*do%s*{", "write repeat ... until not condition", LANGUAGE},
  {"^%s*}%s*while%s*%(", "write repeat ... until not condition", LANGUAGE},
  {"%f[%w_]continue%f[^%w_]", "Lua has no continue: put the rest of the loop's body into an if", LANGUAGE},
  {"!=", "not equal is ~=", LANGUAGE},
  {"&&", "write and for &&", LANGUAGE},
  {"||", "write or for ||", LANGUAGE},
  {"!%s*[%w_(]", "write not for !", LANGUAGE},
  {"([%w_%]%)])%s*%+%+", function(line)
    local name = line:match "([%a_][%w_.%[%]]*)%s*%+%+"
    return name and compound(name, "+", "1")
  end, LANGUAGE},
  {"%+%+%s*[%a_]", function(line)
    local name = line:match "%+%+%s*([%a_][%w_.%[%]]*)"
    return name and compound(name, "+", "1")
  end, LANGUAGE},
  {"([%a_][%w_.%[%]]*)%s*[|&^]=", bits, BITS},
  {"([%a_][%w_.%[%]]*)%s*<<=", bits, BITS},
  {"([%a_][%w_.%[%]]*)%s*>>=", bits, BITS},
  {function(code, fault) return fault.problem:find "near '[<>&|~]'" and code:find "<<" end, bits, BITS},
  {function(code, fault) return fault.problem:find "near '[<>&|~]'" and code:find ">>" end, bits, BITS},
  {function(code, fault) return fault.problem:find "near '[&|~]'" and code:find "[&|~]%s*[%w_(]" end, bits, BITS},
  {"^%s*import%s+[%a_]", python_import, OBJECTS},
  {"^%s*from%s+[%a_][%w_.]*%s+import%s", python_import, OBJECTS},
  {"^%s*def%s+[%a_][%w_]*%s*%(.*:%s*$", function(line)
    return ("write function %s ... end"):format(line:match "def%s+(.*%))")
  end, LANGUAGE},
  {"^%s*for%s+[%a_][%w_]*%s+in%s+range%s*%(.*:", function(line)
    local name, bound = line:match "for%s+([%a_][%w_]*)%s+in%s+range%s*%(([^,]*)%)%s*:"
    return name and ("write for %s = 0, %s do ... end"):format(name, less_one(bound)) or "write for i = first, last do"
  end, LANGUAGE},
  {"^%s*e?l?if%s.*:%s*$", "write if condition then ... elseif condition then ... else ... end", LANGUAGE},
  {function(code, fault) return fault.problem:find "near '%['" and code:find "[=(,]%s*%[[^%[=]" end,
    "lists have braces: {1, 2, 3}", LANGUAGE},
  {"^%s*let%s+[%a_]", "write local for let", LANGUAGE},
  {"^%s*var%s+[%a_]", "write local for var", LANGUAGE},
  {"[%w_%]]%s*[+*/%%-]=[^=]", function(line)
    local name, operator, value = line:match "([%a_][%w_.%[%]]*)%s*([+*/%%-])=%s*([^;]*)"
    return name and compound(name, operator, trim_end(value))
  end, LANGUAGE},
  {"^[^?]*%?[^:]*:", "write a and b or c for a ? b : c", LANGUAGE},
  {declaration.is, declaration.hint, LANGUAGE},
  {"^%s*local%s+[%a_][%w_]*%s*%[", function(line)
    local name, size = line:match "local%s+([%a_][%w_]*)%s*%[%s*([^%]]-)%s*%]"
    local hint = "write local %s = array.double(%s), or array.int and so on"
    return name and hint:format(name, size ~= "" and size or "0")
  end, "mql5/porting.md#arrays"},
  {"^%s*[%w_]*%s*class%s+[%a_]", "Lua has no classes: a table with functions is one", CLASSES},
  {"^%s*[%w_]*%s*struct%s+[%a_]", "Lua has no structures: a table with fields is one", LANGUAGE},
  {"^%s*enum%s+[%a_]", "write local constants, or input.choice for an input", INPUTS},
  {"^%s*typedef%s", "Lua has no static types: drop it", LANGUAGE},
  {"[%w_%]]%s*%->%s*[%a_]", "call methods with a colon: object:Method()", CLASSES},
  {"^%s*template%s*<", "drop it: parameters have no types", LANGUAGE},
  {"%f[%w_]new%s+%u", function(line) return syntax.new(line:match "new%s+([%w_]+)")[1] end, CLASSES},
  {"^%s*delete%s+[%a_][%w_]*%s*;?%s*$", "there is no delete: Lua frees memory itself", CLASSES},
  {"function[^(]*%([^)]*%f[%w_][%a_]+%s+[&%a_]", "parameters have no types: function f(a, b)", LANGUAGE},
  {opens_block, BRACES, LANGUAGE},
  {function(code, fault) return fault.problem:find "'then' expected" and code:find "^%s*if%s*%(" end,
    "write if condition then ... end", LANGUAGE},
  {function(code, fault) return fault.problem:find "'do' expected" and code:find "^%s*while%s*%(" end,
    "write while condition do ... end", LANGUAGE},
  {function(code, fault) return fault.problem:find "malformed number" and code:find "%d[fFuUlL]" end,
    "numbers have no suffix: 1.0, not 1.0f", LANGUAGE},
  {function(code) return declaration.has_cast(code) end,
    "write int(x) for (int)x, and so on for every type of number; tostring(x) makes a text", LANGUAGE},
  -- "--" begins a comment, so the code of this line has only the name.
  {function(code, _, line) return line:find "^%s*[%a_][%w_.%[%]]*%-%-%s*;?%s*$" and code:find "^%s*[%w_.%[%]]+%s*$" end,
    function(line) return compound(line:match "([%a_][%w_.%[%]]*)%-%-", "-", "1") end, LANGUAGE},
}

-- ---- finding ----------------------------------------------------------------------------------------------------

-- The long string that ended in the middle of a[b[i]], before the line at fault or in it.
local function cut_string(fault)
  local found, line, counted = nil, 1, 0
  for _, long in ipairs(fault.strings) do
    local _, ends = fault.text:sub(counted + 1, long.first):gsub("\n", "")
    line, counted = line + ends, long.first
    if line > fault.number then break end
    local _, opened = long.text:sub(3, -3):gsub("%[", "")
    local _, closed = long.text:sub(3, -3):gsub("%]", "")
    if long.level == "" and opened - closed >= 2 then found = {line = line, text = long.text} end
  end
  if not found then return nil end
  local index = found.text:match "([%w_]+%s*%[[^%[%]]*%[[^%[%]]*%]%])$" or "]]"
  return {("the text that begins with [[ in line %d ends at %s: begin it with [=[ and end it with ]=]"):format(
    found.line, index), STRINGS}
end

-- What Lua finds missing only at the end of the file: the end for the second if of 'else if', and what should follow
-- "if (a) { ... }", which is a call.
local function missing_at_end(fault)
  if not fault.problem:find "<eof>" then return nil end
  for number, code in ipairs(fault.code) do
    if fault.problem:find "'end' expected" and code:find "%f[%w_]else%s+if%f[^%w_]" then
      return {("write elseif for 'else if' (line %d), which needs an end of its own"):format(number), LANGUAGE}
    elseif opens_block(code) then
      return {("%s (line %d)"):format(BRACES, number), LANGUAGE}
    end
  end
end

-- What stands before a block in braces. To Lua most of these are calls with a table: if (a) {...}.
local heads = {"%f[%w_]if%s*%b()$", "%f[%w_]while%s*%b()$", "%f[%w_]else$", "%f[%w_]function[^()]*%b()$"}

-- So much before a brace, and so many braces, are examined: a line may have thousands.
local HEAD_LENGTH, MOST_BRACES = 300, 64

local function follows_head(text, place)
  local before = trim_end(text:sub(math.max(1, place - HEAD_LENGTH), place - 1))
  for _, head in ipairs(heads) do
    if before:find(head) then return true end
  end
end

-- The places of the braces that are open where a line begins, or open in it.
local function open_braces(text, line_start)
  local open = {}
  for place, brace in text:gmatch "()([{}])" do
    if brace == "{" then
      open[#open + 1] = place
    elseif place < line_start then
      open[#open] = nil
    end
  end
  return open
end

-- What Lua misses at a brace after the head of a block.
local missing_at_brace = {"'then'", "'do'", "'%('", "'=' or 'in'"}

-- A block in braces around the line at fault, or in it.
local function in_braces(fault)
  local last = math.min(fault.number, #fault.code)
  local text, line_start = table.concat(fault.code, "\n", 1, last), #table.concat(fault.code, "\n", 1, last - 1) + 1
  local open = open_braces(text, line_start)
  for i = #open, math.max(1, #open - MOST_BRACES + 1), -1 do
    if follows_head(text, open[i]) then return {BRACES, LANGUAGE} end
  end
  for _, word in ipairs(missing_at_brace) do
    if fault.problem:find("^" .. word .. " expected near '{'") then return {BRACES, LANGUAGE} end
  end
end

local function apply(rule, fault, number)
  local code, line = fault.code[number], fault.lines[number]
  local test = rule[1]
  local matches = type(test) == "string" and code:find(test) or type(test) == "function" and test(code, fault, line)
  local hint = matches and rule[2]
  if type(hint) == "function" then hint = hint(line) end
  return hint and {hint, rule[3]} or nil
end

local function by_rules(fault, number)
  for _, rule in ipairs(rules) do
    local found = apply(rule, fault, number)
    if found then return found end
  end
end

-- The last line before the one at fault that is not blank.
local function line_before(fault)
  for number = math.min(fault.number, #fault.code + 1) - 1, 1, -1 do
    if fault.code[number]:find "%S" then return number end
  end
end

--- Finds the hint for a text that does not compile.
-- @tparam table fault of clue.hint: text, code, lines, strings, number, problem
-- @treturn ?table the hint and its page
function syntax.find(fault)
  local found = cut_string(fault) or missing_at_end(fault)
  if not found and fault.code[fault.number] then found = by_rules(fault, fault.number) end
  local before = not found and line_before(fault)
  return found or before and by_rules(fault, before) or in_braces(fault)
end

return syntax
