--- Declarations of C and MQL5, and what Lua has instead.
-- Parameters with one meaning everywhere: code, a line without comments and strings; line, as it is written.
local trim_end = require("clue.text").trim_end

local declaration = {}

local numeric, whole = {}, {}
for name in ("char uchar short ushort int uint long ulong"):gmatch "%a+" do whole[name] = true end
for name in ("char uchar short ushort int uint long ulong half float double"):gmatch "%a+" do numeric[name] = true end

local types = {}
for name in ([[bool string datetime color void size_t unsigned signed auto COpenCL matrix matrixf matrixc vector vectorf
  vectorc complex cl_mem cl_int cl_uint cl_context cl_kernel cl_program cl_device_id]]):gmatch "%S+" do
  types[name] = true
end
for name in pairs(numeric) do types[name] = true end

-- Words that may stand before a type, and Lua's, which may follow a variable of a type's name.
local before = {const = true, static = true, extern = true, unsigned = true, signed = true, virtual = true}
local keywords = {["and"] = true, ["or"] = true, ["then"] = true, ["do"] = true, ["end"] = true, ["in"] = true}

-- The type, the name and what follows it, in a line that declares something.
local function read(line)
  local rest, count = line:match "^%s*(.*)$", 0
  local after_local = rest:match "^local%s+(.*)$"
  if after_local and types[after_local:match "^([%a_][%w_]*)%s+[%a_]"] then rest = after_local end -- local float a[3]
  local word = rest:match "^[%a_][%w_]*"
  while word and (before[word] or rest:find "^long%s+long%f[^%w_]") do
    rest, count = rest:sub(#word + 1):match "^%s*(.*)$", count + 1
    word = rest:match "^[%a_][%w_]*"
  end
  if not word or not types[word] and count == 0 and not rest:find "^%u[%w_]*%s+[%a_][%w_]*%s*%[" then return nil end
  local name, after = rest:sub(#word + 1):match "^%s*[*&]+%s*([%a_][%w_]*)%s*(.*)$" -- float* x, float *x
  if not name then name, after = rest:sub(#word + 1):match "^%s+([%a_][%w_]*)%s*(.*)$" end
  if not name and count > 0 then name, after = rest:match "^([%a_][%w_]*)%s*(.*)$" end -- unsigned n
  if not name or keywords[name] then return nil end
  return word, name, after
end

--- Whether a line declares a variable or a function as C does.
function declaration.is(code)
  return read(code) ~= nil
end

--- Whether a line has a cast: = (int)x, return (float) y.
function declaration.has_cast(code)
  for name in code:gmatch "%(%s*([%a_][%w_]*)%s*%)%s*[%w_(]" do
    if numeric[name] or types[name] then return true end
  end
  return false
end

local CAST = "..." -- in place of a value that has one

local function blank(text)
  return (" "):rep(#text)
end

--- What to write for the value of a whole type. C drops a fraction, and makes a negative number of an unsigned type a
-- large one; Lua keeps both.
-- @tparam ?string type "int"; nil: of another or an unknown type
-- @tparam string value
-- @treturn string "int((a + b) / 2)"
function declaration.converted(type, value)
  local code = value:gsub('%b""', blank)
  local cast = code:match "^(%l+)%b()$"
  local drops = whole[type] and not whole[cast] and (code:find "[/*]" or code:find "%d%.%d")
  local wraps = type and type:find "^u" and code:find "^%-"
  return (drops or wraps) and ("%s(%s)"):format(type, value) or value
end

-- Texts that + adds up, joined as in Lua. What is in brackets stays.
local function joined(value)
  local code, parts, from = value:gsub('%b""', blank):gsub("%b()", blank), {}, 1
  for at in code:gmatch "()%+" do
    parts[#parts + 1], from = value:sub(from, at - 1), at + 1
  end
  parts[#parts + 1] = value:sub(from)
  return table.concat(parts, "..")
end

-- Numbers without suffixes.
local function plain(value)
  return (value:gsub("%f[%w_.](0[xX]%x+)[uUlL]+%f[^%w_]", "%1"):gsub("%f[%w_.]([%d.]+)[fFuUlL]+%f[^%w_]", "%1"))
end

-- The value of a variable of a type as Lua writes it.
local function value_of(type, after)
  local value = after:match "^=%s*(.-)%s*;?%s*$"
  if not value then return nil end
  if declaration.has_cast(" " .. value) then return CAST end
  if type == "string" then return joined(value) end
  return declaration.converted(type, plain(value:gsub("%f[%w_]D'([^']*)'", "StringToTime('%1')")))
end

-- What commas divide, outside of brackets and strings.
local function divided(text)
  local masked = text:gsub("%b()", blank):gsub("%b{}", blank):gsub("%b[]", blank):gsub('%b""', blank)
  local parts, from = {}, 1
  for at in masked:gmatch "()," do
    parts[#parts + 1] = text:sub(from, at - 1)
    from = at + 1
  end
  parts[#parts + 1] = text:sub(from)
  return parts
end

-- The elements of {1, 2}; nil if a list has other lists or calls in it.
local function listed(list)
  local inner = list and list:sub(2, -2)
  if not inner or inner:find "[{}(]" then return nil end
  return inner:find "%S" and divided(inner) or {}
end

-- {0, 0}, as C and MQL5 write an array of zeros of any size
local function is_zero(elements)
  for _, element in ipairs(elements) do
    if tonumber(element) ~= 0 then return false end
  end
  return true
end

-- What makes the array that [size] = {list} declares. A shorter list than the size is completed by zeros in MQL5.
local function array_of(type, size, list)
  local elements, count = listed(list), tonumber(size)
  if not list or elements and count and count ~= #elements and is_zero(elements) then
    return ("array.%s(%s)"):format(type, size ~= "" and size or "0")
  elseif elements and count and #elements < count then
    return ("array.%s {%s%s}"):format(type, trim_end(list:sub(2, -2)), (", 0"):rep(count - #elements))
  end
  return ("array.%s %s"):format(type, list)
end

-- [10], [10][20]: rows and columns; and the value. Returns what makes the array, and its columns if it has two
-- dimensions.
local function array_value(type, after)
  local size, rest = after:match "^%[%s*([^%]]-)%s*%]%s*(.*)$"
  if not size then return nil end
  if not numeric[type] then return "{}" end
  local columns = rest:match "^%[%s*([^%]]-)%s*%]"
  if columns then return ("array.%s(%s * %s)"):format(type, size ~= "" and size or "rows", columns), columns end
  local list = rest:match "^=%s*(%b{})"
  return array_of(type, size, list and plain(list))
end

-- int a = 1, b = 2; double x[3], y[3]
local function several_hint(type, name, after)
  local parts = divided(name .. " " .. trim_end(after):gsub(";$", ""))
  if #parts < 2 then return nil end
  local names, values, given = {}, {}, false
  for i, part in ipairs(parts) do
    local own, rest = trim_end(part):match "^%s*[*&]*%s*([%a_][%w_]*)%s*(.*)$"
    if not own or rest:find "^%(" then return nil end
    names[i], values[i] = own, array_value(type, rest) or value_of(type, rest) or "nil"
    given = given or values[i] ~= "nil"
  end
  return ("write local %s%s"):format(table.concat(names, ", "), given and " = " .. table.concat(values, ", ") or "")
end

local function array_hint(type, name, after)
  local value, columns = array_value(type, after)
  if not columns then return value and ("write local %s = %s"):format(name, value) end
  return ("write local %s = %s, and %s[i * %s + j] for %s[i][j]"):format(name, value, name, columns, name)
end

local function object_hint(type, name, after)
  if numeric[type] or not (type == "COpenCL" or type:find "^matrix" or type:find "^vector") then return nil end
  local value = value_of(type, after)
  if value and value:find "^{%s*}" then value = nil end
  if value and value:find "^{" then value = type .. " " .. value end
  return ("write local %s = %s"):format(name, value or type .. (after:match "^%b()" or "()"))
end

--- What to write for a declaration.
-- @treturn ?string nil if it declares nothing
function declaration.hint(line)
  local type, name, after = read(line)
  if not type then return nil end
  local object = object_hint(type, name, after)
  if object then return object end
  if after:find "^%(" then
    return ("write function %s(...) ... end, with parameters that have no types"):format(name)
  end
  local found = several_hint(type, name, after) or array_hint(type, name, after)
  if found then return found end
  local value = value_of(type, after)
  if value == CAST then value = value .. ", with the cast as in int(x)" end
  if type == "string" and value == "" then value = "[[ and the text without quotes, which ends at ]]" end
  return ("write local %s%s"):format(name, value and " = " .. value or "")
end

-- What MQL5's other types of inputs become, and a default if the one of MQL5 is none in Lua.
local kinds = {
  bool = {"bool", "false"}, string = {"string", '""'},
  datetime = {"string", '"2026.11.22"', ", and StringToTime(%s) where it is used"},
  color = {"uint", "0x0000FF", ": blue, green, red"},
}

--- What to write for an input.
-- @treturn ?string nil if it declares none
function declaration.input(line)
  local type, name, after = line:match "^%s*s?input%s+([%a_][%w_]*)%s+([%a_][%w_]*)%s*(.*)$"
  if not type then return nil end
  local value, kind = after:match "^=%s*([^;]*)", kinds[type]
  value = value and trim_end(value)
  if numeric[type] then kind = {type, "..."} end
  if not kind then
    return ('write input.choice("%s", {"first", "second"}, "first", "description")'):format(name)
  end
  local given = type == "datetime" and value and value:match "^D'([^']*)'$"
  if given then value = ('"%s"'):format(given) end
  if kind[3] and not given and not (value and tonumber(value)) then value = nil end -- clrRed
  return ('write input.%s("%s", %s, "description")%s'):format(kind[1], name, value and plain(value) or kind[2],
    (kind[3] or ""):format(name))
end

return declaration
