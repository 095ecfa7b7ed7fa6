--- Hints for global names that do not exist: C's, those of MetaTrader's terminal, and misspelt ones.
local binding = require "clue.binding"
local missing = require "clue.mql5.missing"
local nearest = require "clue.nearest"
local public = require "clue.public"
local syntax = require "clue.hint.syntax"

local names = {}

local LANGUAGE, TERMINAL, RAW = "mql5/porting.md#the-language", "mql5/porting.md#property-classes-chart-and-trade",
  "reference/raw.md"
local ARRAYS = "mql5/porting.md#arrays"
local COMPUTING = "reference/computing.md"
local FUNCTIONS, OBJECTS, TIME = "mql5/functions.md", "reference/objects.md", "reference/time.md"

local function by_name(rows)
  local entries = {}
  for _, row in ipairs(rows) do
    for name in row[1]:gmatch "%S+" do entries[name] = {row[2], row[3]} end
  end
  return entries
end

local known = by_name {
  {"malloc calloc realloc new", "array.float(n) makes memory for n floats, and Lua frees it", LANGUAGE},
  {"free delete", "Lua frees memory itself; ArrayFree(a) empties an array", LANGUAGE},
  {"memcpy memmove", "ArrayCopy(target, source) copies elements", LANGUAGE},
  {"memset bzero", "ArrayInitialize(a, 0) or a:fill(0) sets all elements", LANGUAGE},
  {"sizeof", "a:bytes() is the size of an array; an int or a float has 4 bytes, a double 8", LANGUAGE},
  {"NULL nullptr", "Lua's nothing is nil", LANGUAGE},
  {"strlen", "#s counts the bytes of a text, StringLen(s) its characters", LANGUAGE},
  {"strcmp strncmp", "texts are compared with == and <", LANGUAGE},
  {"strcpy strcat strncpy", "texts are joined by ..: s = s .. more", LANGUAGE},
  {"strstr", "StringFind(s, what) or s:find(what, 1, true)", LANGUAGE},
  {"sprintf snprintf", "StringFormat(pattern, ...) returns the text", LANGUAGE},
  {"puts putchar fputs cout std", "Print(...) writes a line", LANGUAGE},
  {"fprintf", "PrintFormat(pattern, ...) writes a line; FileWrite writes into a file", LANGUAGE},
  {"fopen fclose fread fwrite fgets", "io.open(name), FileOpen and clue.read_file(name) open files",
    "mql5/porting.md#files-and-time"},
  {"exit abort quit", "os.exit(status) ends the script; OnStart() may return the status", LANGUAGE},
  {"atoi atol strtol strtoul", "StringToInteger(s) or tonumber(s)", LANGUAGE},
  {"atof strtod", "StringToDouble(s) or tonumber(s)", LANGUAGE},
  {"sleep usleep nanosleep", "Sleep(milliseconds) waits", LANGUAGE},
  {"time clock gettimeofday clock_gettime", "GetMicrosecondCount() is a clock; cl.now() counts seconds", TIME},
  {"isnan isinf isfinite", "MathIsValidNumber(x) is false for NaN and infinities; only NaN has x ~= x", LANGUAGE},
  {"INFINITY HUGE_VAL NAN", "infinity is math.huge, NaN 0 / 0", LANGUAGE},
  {"cbrt hypot trunc", "x ^ (1 / 3), sqrt(x * x + y * y), x - MathMod(x, 1)", LANGUAGE},
  {"qsort", "table.sort(t) sorts a Lua table, context:sort keys on the device", "reference/computing.md#sorting"},
  {"np numpy pyopencl", "clue has other names for what NumPy and PyOpenCL have", OBJECTS},
  {"len", "#a is the length", OBJECTS},
  {"range enumerate", "for i = 0, n - 1 do counts; for i, x in a do goes through an array", OBJECTS},
  {"abs", "MathAbs(x), fabs(x) or math.abs(x)", LANGUAGE},
  {"max min", "MathMax(a, b) and MathMin(a, b), fmax and fmin", LANGUAGE},
  {"this", "a method's own object is self, in function Class:Method()", TERMINAL},
  {"cl clue", 'write local cl = require "clue" first', OBJECTS},
  {"get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups barrier", "it belongs to "
    .. "the kernel's text, [[ ... ]], which the device's compiler reads", LANGUAGE},
  {"switch", syntax.NO_SWITCH, LANGUAGE},
}

-- What begins the names of functions that need MetaTrader's terminal, a chart or an account.
local terminal = {}
for start in ([[Order Position Deal History Symbol Account Chart Object Indicator Copy Market Series Terminal MQLInfo
  Event Database Socket Web Send Resource Calendar GlobalVariable Signal Onnx DX Custom Text MessageBox PlaySound
  Tester Frame Parameter SetIndexBuffer PlotIndex Window UninitializeReason TranslateKey]]):gmatch "%S+" do
  terminal[#terminal + 1] = start
end

local function needs_terminal(name)
  if name:find "^i%u%a+$" then return true end
  for _, start in ipairs(terminal) do
    local rest = name:sub(1, #start) == start and name:sub(#start + 1)
    if rest and (rest == "" or rest:find "^s?%u") then return true end -- OrdersTotal
  end
  return false
end

-- A name that exists and differs by little, or only in the case of its letters.
local function meant(name)
  local existing = {}
  for _, holder in ipairs {package.loaded["clue.mql5"] or {}, _G} do
    for key in pairs(holder) do if type(key) == "string" and key ~= name then existing[key] = true end end
  end
  return nearest(name, existing, #name < 5 and 0 or nil)
end

local function for_name(name)
  if known[name] then return known[name] end
  local remedy, page = missing.instead(name)
  if remedy then return {("clue has no %s; %s"):format(name, remedy), page} end
  if needs_terminal(name) then
    return {name .. " needs MetaTrader's terminal, a chart or an account: export the data to a file and read that",
      TERMINAL}
  end
  if name:find "^cl%u" then return {"OpenCL's own functions are in clue.raw", RAW} end
  local near = meant(name)
  return near and {("there is no %s: is %s meant?"):format(name, near), FUNCTIONS} or nil
end

-- Functions of NumPy and PyOpenCL, which people look for in cl and cl.array.
local PYTHON = "howto/from-pyopencl.md"
local of_python = by_name {
  {"zeros zeros_like empty empty_like", "cl.array.float(n) makes n zeros, and so on for every type", PYTHON},
  {"ones full", "cl.array.float(n, 5) makes n fives, and so on for every type", PYTHON},
  {"asarray from_numpy", "cl.array.float {1, 2, 3} takes a table, cl.array.load reads a .npy file", PYTHON},
  {"arange linspace", "cl.array.float(n), and a[i] = i in a loop", PYTHON},
  {"rand uniform", "cl.array.float(n):random(low, high, seed)", PYTHON},
  {"create_some_context Context", "cl.context()", PYTHON},
  {"CommandQueue", "context:queue()", PYTHON},
  {"Program", "context:program(source)", PYTHON},
  {"Buffer", "context:buffer(array or bytes)", PYTHON},
  {"enqueue_copy", "queue:write_buffer(buffer, array) and queue:read_buffer(buffer, array)", PYTHON},
  {"get_platforms", "cl.device.machine()", PYTHON},
  {"elapsed seconds duration", "event:time() is how many seconds its command took on the device", PYTHON},
  {"run launch enqueue enqueue_nd_range_kernel",
    "a kernel is called: program.name(queue, global_size, local_size, ...)", PYTHON},
  {"sync synchronize", "queue:finish() waits for all commands of the queue", PYTHON},
  {"max min mean std dot", "queue:array(a) is an array on the device, which has sums, means and extremes; "
    .. "array:range() gives the least and the greatest element", PYTHON},
  {"tune tune_kernel", "`clue tune SPACE.lua` tunes a kernel, cl.tuned gives the best parameters",
    "howto/from-kernel-tuner.md"},
  {"mem_flags", 'flags are texts: context:buffer(a, "read_only")', PYTHON},
  {"profile", "event:time() is how many seconds its command took on the device", PYTHON},
  {"pipe device_queue", "clue's objects have no pipes and no queues on the device: clue.raw has OpenCL's functions for "
    .. "them", RAW},
  {"free release destroy", "object:close() frees it before the garbage collector does", OBJECTS},
}

-- Types of elements by other languages' names, which people look for in cl.array.
local of_types = by_name {
  {"bool", "array.uchar(n) holds 1 and 0; kernels have no arrays of bool", ARRAYS},
  {"datetime color", "array.long(n) holds times, array.uint(n) colours", ARRAYS},
  {"string", "arrays hold numbers; texts go into a Lua table", ARRAYS},
  {"size_t", "array.ulong(n) on a device of 64 bits", ARRAYS},
  {"int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64",
    "types of elements have OpenCL's names: char, uchar, short, ushort, int, uint, long, ulong, half, float, double",
    PYTHON},
}

-- The public functions of objects and tables by the last part of their names: "buffer" is context:buffer. A method that
-- is loaded when it is first called has its name twice then.
local function members()
  local list, seen = {}, {}
  for _, full in pairs(public.named()) do
    local last = not seen[full] and full:match "^%a[%w_]*[.:]([%a_][%w_]*)$"
    seen[full] = true
    if last and not full:find "^mql5%." then
      list[last] = list[last] or {}
      table.insert(list[last], full)
    end
  end
  return list
end

-- Three of the functions in lists, in one order.
local function listed(lists)
  local found = {}
  for _, list in ipairs(lists) do
    for _, full in ipairs(list) do found[#found + 1] = full end
  end
  table.sort(found, function(a, b) return #a < #b or #a == #b and a < b end)
  return table.concat(found, ", ", 1, math.min(#found, 3))
end

local vectors = {["2"] = 2, ["3"] = 4, ["4"] = 4, ["8"] = 8, ["16"] = 16} -- elements by width

-- An array of vectors, which is one of their components. Those of three have room for four.
local function for_vectors(name)
  local of, width = name:match "^(%l+)(%d+)$"
  if not (binding.type_codes[of] and vectors[width]) then return nil end
  return {("an array for n %s is array.%s(%d * n); cl.%s(...) is a single one"):format(name, of, vectors[width], name),
    OBJECTS}
end

-- A method or field that is called and does not exist: one of clue's that begins with it or has a similar name, or one
-- of another object.
local function for_member(name)
  local list = members()
  if of_types[name] then return of_types[name] end
  if of_python[name] and not list[name] then return of_python[name] end
  if for_vectors(name) then return for_vectors(name) end
  local found = {}
  for last, full in pairs(list) do
    if last == name or last:sub(1, #name + 1) == name .. "_" then table.insert(found, full) end
  end
  if found[1] then return {"there is " .. listed(found), OBJECTS} end
  local near = #name >= 5 and nearest(name, list, 2)
  return near and {("there is no %s: is %s meant?"):format(name, listed {list[near]}), OBJECTS} or nil
end

local function called_member(message)
  return message:match "attempt to call method '([%a_][%w_]*)' %(a nil value%)"
    or message:match "attempt to call field '([%a_][%w_]*)' %(a nil value%)"
    or message:match "attempt to call a nil value %(method '([%a_][%w_]*)'%)"
    or message:match "attempt to call a nil value %(field '([%a_][%w_]*)'%)"
end

-- A field that is called, in the words of each Lua.
local function called_field(message)
  local name, kind = message:match "attempt to call method '([%a_][%w_]*)' %(a (%a+) value%)"
  if not name then kind, name = message:match "attempt to call a (%a+) value %(method '([%a_][%w_]*)'%)" end
  return kind ~= "nil" and name or nil
end

-- A field of nothing: cl.mem_flags.READ_ONLY.
local function indexed_field(message)
  return message:match "attempt to index field '([%a_][%w_]*)' %(a nil value%)"
    or message:match "attempt to index a nil value %(field '([%a_][%w_]*)'%)"
end

-- A field of a program that is called, as if it were a kernel.
local function for_field(name)
  local program = package.loaded["clue.program"]
  if not (name and program and program.fields[name]) then return nil end
  return {('programs have a field %s; a kernel of this name is program:kernel "%s"'):format(name, name), OBJECTS}
end

local pairs_names = {pairs = true, ipairs = true, ["?"] = true, ["for iterator"] = true}

local array_names = {cdata = true, userdata = true, array = true} -- Lua 5.4 has the type's name

-- An array in the place of a table, in the words of each Lua: pairs(a), table.concat(a).
local function for_array(message)
  local called, got = message:match "bad argument #1 to '([^']*)' %(table expected, got (%a+)%)"
  local is_array = array_names[got]
  if message:find "has no '__i?pairs' metamethod" or is_array and pairs_names[called] then
    return {"for i, x in a do goes through an array, i from 0", OBJECTS}
  elseif is_array then
    return {"a:table() is a Lua table of an array's elements", OBJECTS}
  end
end

--- Finds the hint for a name that is nil, for texts that are added up, and for arrays that are taken for tables.
-- @tparam string message of Lua's
-- @treturn ?table the hint and its page
function names.find(message)
  local of_array = for_array(message)
  if of_array then return of_array end
  if not message:find("attempt to ", 1, true) then return nil end
  local one, other = message:match "attempt to compare (%a+) with (%a+)"
  if one and one ~= other and (one == "table" or other == "table") and package.loaded["clue.device_array"] then
    return {"a:lt(b), a:le(b), a:gt(b) and a:ge(b) compare the elements of an array on the device", COMPUTING}
  end
  if message:find "attempt to perform arithmetic on .*a string value"
    or message:find "attempt to add a '%a+' with a '%a+'" and message:find("'string'", 1, true) then
    return {'texts are joined by ..: "n = " .. n', LANGUAGE}
  end
  if message:find "call global 'string' %(a table value%)" or message:find "a table value %(global 'string'%)" then
    return {"write tostring(x) for string(x)", LANGUAGE}
  end
  local name = message:find("nil value", 1, true) and message:match "global '([%a_][%w_]*)'"
  if name then return for_name(name) end
  local type = message:match "attempt to index %l+ '(%l+)' %(a function value%)" -- array.float[5], float[5]
    or message:match "attempt to index a function value %(%l+ '(%l+)'%)"
  if type and binding.type_codes[type] then return of_python.zeros end
  local member = called_member(message)
  if member then return for_member(member) end
  local field = called_field(message)
  if field then
    return {("%s is a field, not a method: write it with a dot and without brackets"):format(field), OBJECTS}
  end
  field = indexed_field(message)
  if of_python[field] then return of_python[field] end
  return for_field(message:match "attempt to call field '([%a_][%w_]*)'"
    or message:match "attempt to call a %a+ value %(field '([%a_][%w_]*)'%)")
end

return names
