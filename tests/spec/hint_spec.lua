-- Hints for people who write C or MQL5 where Lua is meant: each wrong script gets the one that fits, right ones none.
-- suite: quick
-- builds: luajit lua54

local support = require "support"

local hint = require "clue.hint"
local literals = require "clue.literals"
local missing = require "clue.mql5.missing"
local mql5 = require "clue.mql5"
local syntax = require "clue.hint.syntax"

local LANGUAGE, STRINGS = "mql5/porting.md#the-language", "mql5/porting.md#strings-cl-files-and-resource"
local CLASSES, INPUTS = "mql5/porting.md#property-classes-chart-and-trade", "mql5/porting.md#inputs"

local BRACES = "blocks have no braces: if a then ... end, while a do ... end, function f() ... end"

-- Each: the script, the line of its error, the hint, and the page if it is not that of the language.
local wrong = {
  -- kernels in [[ ]]
  {"local s = [[ x[i[0]] = 1; ]]", 1,
    "the text that begins with [[ in line 1 ends at x[i[0]]: begin it with [=[ and end it with ]=]", STRINGS},
  {"local s = [[\nkernel void f(global int *x, global int *idx) {\n  x[idx[get_global_id(0)]] += 1;\n}\n]]", 3,
    "the text that begins with [[ in line 1 ends at x[idx[get_global_id(0)]]: begin it with [=[ and end it with ]=]",
    STRINGS},
  -- declarations
  {"int n = 3;", 1, "write local n = 3"},
  {"clue walk mql5", 1, "`clue` with a subcommand is typed in a shell, not in Lua; Ctrl-D ends the prompt",
    "reference/interactive.md"},
  {"int h = n // 2", 1, "a comment begins with --; math.floor(a / b) is a whole quotient"},
  {"help devices", 1, 'write help "devices"', "reference/interactive.md"},
  {"Print(1)\nconst double step = 0.01;", 2, "write local step = 0.01"},
  {"int a, b;", 1, "write local a, b"},
  {"int a = 1, b = f(2, 3);", 1, "write local a, b = 1, f(2, 3)"},
  {"double x = 1.5f, y;", 1, "write local x, y = 1.5, nil"},
  {"ulong mask = 0xFFul;", 1, "write local mask = 0xFF"},
  {"const float* x = 0;", 1, "write local x = 0"},
  {"long long n = 5LL;", 1, "write local n = 5"},
  {"int n = (int)x;", 1, "write local n = ..., with the cast as in int(x)"},
  {"int middle = (low + high) / 2;", 1, "write local middle = int((low + high) / 2)"},
  {"int n = int(x * 0.5), m = x * 1.5, k = f(2);", 1, "write local n, m, k = int(x * 0.5), int(x * 1.5), f(2)"},
  {"uint all = -1;", 1, "write local all = uint(-1)"},
  {"double half = n / 2;", 1, "write local half = n / 2"},
  {"float x[] = {1.5f, 2.f};", 1, "write local x = array.float {1.5, 2.}"},
  {'string source =\n  "kernel void f()\\n"\n  "{ }\\n";', 1,
    "write local source = [[ and the text without quotes, which ends at ]]"},
  {'local source =\n  "kernel void f()\\n"\n  "{ }\\n"', 3,
    "write the text between [[ and ]], without the quotes and \\n of its lines", STRINGS},
  {"double x[10][20];", 1, "write local x = array.double(10 * 20), and x[i * 20 + j] for x[i][j]"},
  {"double x[2][2] = {{1, 2}, {3, 4}};", 1, "write local x = array.double(2 * 2), and x[i * 2 + j] for x[i][j]"},
  {"matrix m = {{1, 2}, {3, 4}};", 1, "write local m = matrix {{1, 2}, {3, 4}}"},
  {'string s = "a + b" + DoubleToString(x + 1) + t;', 1, 'write local s = "a + b" .. DoubleToString(x + 1) .. t'},
  {"string name = \"a != b\";", 1, 'write local name = "a != b"'},
  {"unsigned n = 3", 1, "write local n = 3"},
  {"float x[100];", 1, "write local x = array.float(100)"},
  {"double x[];", 1, "write local x = array.double(0)"},
  {"int x[] = {1, 2};", 1, "write local x = array.int {1, 2}"},
  {"string parts[];", 1, "write local parts = {}"},
  {"MqlRates rates[10];", 1, "write local rates = {}"},
  {"double x[3], y[], z = 1;", 1, "write local x, y, z = array.double(3), array.double(0), 1"},
  {"uint offset[3] = {0};", 1, "write local offset = array.uint(3)"},
  {"int x[2] = {0, 0};", 1, "write local x = array.int {0, 0}"},
  {"int x[4] = {1, 2};", 1, "write local x = array.int {1, 2, 0, 0}"},
  {"int x[5] = {};", 1, "write local x = array.int(5)"},
  {"local float x[3]\nx = 1", 2, "write local x = array.float(3)"},
  {"local x[3]", 1, "write local x = array.double(3), or array.int and so on", "mql5/porting.md#arrays"},
  {"datetime t = D'2026.11.22';", 1, "write local t = StringToTime('2026.11.22')"},
  {"matrix m(2, 3);", 1, "write local m = matrix(2, 3)"},
  {"COpenCL ocl;", 1, "write local ocl = COpenCL()"},
  {"void OnStart()\n{\n}", 1, "write function OnStart(...) ... end, with parameters that have no types"},
  {"bool Run(const float &x[])\n", 1, "write function Run(...) ... end, with parameters that have no types"},
  {"function Run(int n, double x)\nend", 1, "parameters have no types: function f(a, b)"},
  {"input int InpSize = 10; // size", 1, "a comment begins with --"},
  {"input int InpSize = 10;", 1, 'write input.int("InpSize", 10, "description")', INPUTS},
  {"input ENUM_KIND Kind = FAST;", 1,
    'write input.choice("Kind", {"first", "second"}, "first", "description")', INPUTS},
  {"input long InpTicket = 12345678901;", 1, 'write input.long("InpTicket", 12345678901, "description")', INPUTS},
  {"input float InpStep = 0.5f;", 1, 'write input.float("InpStep", 0.5, "description")', INPUTS},
  {"input datetime InpFrom = D'2020.01.01';", 1, 'write input.string("InpFrom", "2020.01.01", "description"), and '
    .. "StringToTime(InpFrom) where it is used", INPUTS},
  {"input color InpColor = clrRed;", 1, 'write input.uint("InpColor", 0x0000FF, "description"): blue, green, red',
    INPUTS},
  {"input bool InpCheck;", 1, 'write input.bool("InpCheck", false, "description")', INPUTS},
  {"input group \"sizes\"", 1, "drop it: inputs have no groups", INPUTS},
  {"template<typename T>\nT Twice(T x);", 1, "drop it: parameters have no types"},
  {"class CSum\n{\n}", 1, "Lua has no classes: a table with functions is one", CLASSES},
  {"struct point { int x; };", 1, "Lua has no structures: a table with fields is one"},
  {"enum KIND { FAST, EXACT };", 1, "write local constants, or input.choice for an input", INPUTS},
  -- the preprocessor and comments
  {"\n#include <OpenCL/OpenCL.mqh>", 2, 'Lua loads another file with require "file" or dofile "file.lua"'},
  {"\n#define N 100", 2, "Lua has no preprocessor: write local N = 100"},
  {"\n#property strict", 2, "#property has no counterpart: drop it", CLASSES},
  {"// sizes\nlocal n = 1", 1, "a comment begins with --"},
  {"// it isn't Lua", 1, "a comment begins with --"},
  {"/* sizes */", 1, "a comment of several lines is --[[ ... ]]"},
  -- statements
  {"local x = 1\nx += 2;", 2, "write x = x + 2"},
  {'local s = ""\ns += "b";', 2, 'write s = s .. "b"'},
  {"local x = {1}\nx[1] *= 2", 2, "write x[1] = x[1] * 2"},
  {"local x = 1\nx ^= 2;", 2, "write x = bit.bxor(x, 2)", "mql5/porting.md#bit-operations"},
  {"local x = 1\nx <<= 2", 2, "write x = bit.lshift(x, 2)", "mql5/porting.md#bit-operations"},
  {"local n = 9\nn /= 2", 2, "write n = n / 2, or n = int(n / 2) if it is an int"},
  {"local i = 1\ni++", 2, "write i = i + 1"},
  {"local i = 1\n++i;", 2, "write i = i + 1"},
  {"local i = 1\ni--;\nPrint(i)", 3, "write i = i - 1"},
  {"for (int i = 0; i < n; i++) {\n}", 1, "write for i = 0, n - 1 do ... end"},
  {"for (int i = 0; i <= 9; i += 3) Print(i);", 1, "write for i = 0, 9, 3 do ... end"},
  {"for(int i = 10; i > 0; i--)", 1, "write for i = 10, 0 + 1, -1 do ... end"},
  {"for(int i = n / 2; i >= n / 4; i--)", 1, "write for i = int(n / 2), int(n / 4), -1 do ... end"},
  {"for(int i = n / 2; i > 0; i /= 2)", 1,
    "write local i = int(n / 2), then while i > 0 do ... i = int(i / 2) end"},
  {"for(i = 1; i < n; i *= 2) {", 1, "write local i = 1, then while i < n do ... i = i * 2 end"},
  {"for(double x = 0; x < 1; x += 0.1)", 1, "write local x = 0, then while x < 1 do ... x = x + 0.1 end"},
  {"for(int i = 0, j = 9; i < j; i++, j--)", 1, "write for i = first, last do ... end"},
  {"for (;;) {", 1, "write for i = first, last do ... end"},
  {"if (true) {\n  Print(1);\n}", 3, BRACES .. " (line 1)"},
  {"local a = 1\nif (a == 1) {\n  Print(1);\n} else {\n}", 4, BRACES},
  {"if (true) Print(1);", 1, "write if condition then ... end"},
  {"while (false) Print(1);", 1, "write while condition do ... end"},
  {"function f() {\n}", 1, BRACES},
  {"function f(x) { return x; }", 1, BRACES},
  {"local function f(x)\n{\n  return x;\n}", 2, BRACES},
  {"if(h == -1) { return; }", 1, BRACES},
  {"if(h == -1)\n  {\n   Print(1);\n   return;\n  }", 4, BRACES},
  {"while(true) { break; }", 1, BRACES},
  {"while(true)\n  {\n   Print(1);\n   break;\n  }", 4, BRACES},
  {"if h == 1 { Print(1) }", 1, BRACES},
  {"for i = 0, 5 { Print(i) }", 1, BRACES},
  {"for i { Print(i) }", 1, BRACES},
  {"function f { return 1 }", 1, BRACES},
  {"do {\n} while (x);", 1, "write repeat ... until not condition"},
  {"switch (x) {\ncase 1:\n}", 2, "Lua has no switch: use if ... elseif ... end, or a table of functions"},
  {"for i = 1, 2 do\n  if i == 1 then continue; end\nend", 2,
    "Lua has no continue: put the rest of the loop's body into an if"},
  {"if a then\nelse if b then\nend", 3, "write elseif for 'else if' (line 2), which needs an end of its own"},
  -- expressions
  {"if x != 1 then end", 1, "not equal is ~="},
  {"if a && b then end", 1, "write and for &&"},
  {"if a || b then end", 1, "write or for ||"},
  {"if !a then end", 1, "write not for !"},
  {"local x = a ? 1 : 2", 1, "write a and b or c for a ? b : c"},
  {"local x = 1.5f", 1, "numbers have no suffix: 1.0, not 1.0f"},
  {"local x = (int)y\nPrint(x) x", false, "write int(x) for (int)x, and so on for every type of number; "
    .. "tostring(x) makes a text"},
  {"local o = new COpenCL", 1, "there is no new: COpenCL() makes an object", CLASSES},
  {"local o = new CSum;", 1, "there is no new: CSum.new() makes an object", CLASSES},
  -- Python
  {"import numpy as np", 1, 'write local cl = require "clue"; arrays are cl.array.float(n)', "reference/objects.md"},
  {"def f(x, y):", 1, "write function f(x, y) ... end"},
  {"for i in range(10):", 1, "write for i = 0, 9 do ... end"},
  {"if a == 1:\n  Print(1)", 1, "write if condition then ... elseif condition then ... else ... end"},
  {"local a = [1, 2, 3]", 1, "lists have braces: {1, 2, 3}"},
  {"ocl->Shutdown()", 1, "call methods with a colon: object:Method()", CLASSES},
}

local EXPORT = "export the data to a file and read that"

-- Scripts that compile, and fail at a name.
local unknown = {
  {"OrderSend(1)", "OrderSend needs MetaTrader's terminal, a chart or an account: " .. EXPORT, CLASSES},
  {"local c = iClose(nil, 0, 1)", "iClose needs MetaTrader's terminal, a chart or an account: " .. EXPORT, CLASSES},
  {"AccountInfoDouble(1)", "AccountInfoDouble needs MetaTrader's terminal, a chart or an account: " .. EXPORT, CLASSES},
  {"local p = malloc(100)", "array.float(n) makes memory for n floats, and Lua frees it"},
  {"local n = NULL + 1", "Lua's nothing is nil"},
  {"Print(sizeof(1))", "a:bytes() is the size of an array; an int or a float has 4 bytes, a double 8"},
  {"this.m_x = 1", "a method's own object is self, in function Class:Method()", CLASSES},
  {"local context = cl.context()", 'write local cl = require "clue" first', "reference/objects.md"},
  {"clGetPlatformIDs(0)", "OpenCL's own functions are in clue.raw", "reference/raw.md"},
  {"local a = array.float4(10)", "an array for n float4 is array.float(4 * n); cl.float4(...) is a single one",
    "reference/objects.md"},
  {"local a = array.int3 {{1, 2, 3}}", "an array for n int3 is array.int(4 * n); cl.int3(...) is a single one",
    "reference/objects.md"},
  {"stringfind('a', 'b')", "there is no stringfind: is StringFind meant?", "mql5/functions.md"},
  {"ArrayResise(1)", "there is no ArrayResise: is ArrayResize meant?", "mql5/functions.md"},
  {"ArraySetAsSeries(1)", "clue has no ArraySetAsSeries; write a[#a - 1 - i] for element i from the end, or "
    .. "ArrayReverse(a) once", "mql5/porting.md#arrays"},
  {"MathSwap(1)", "clue has no MathSwap; write bit.bswap(x) for a uint", "mql5/porting.md#bit-operations"},
  {"ArraySort(a)", "clue has no ArraySort; write local t = a:table(); table.sort(t); a:copy_from(array[a:type()](t))",
    "mql5/porting.md#arrays"},
  {"MathRandomNormal(0, 1)", "clue has no MathRandomNormal; write queue:random(buffer, 'double', {distribution = "
    .. "'normal'}), on the device", "reference/computing.md#random-numbers"},
  {"ColorToString(1)", "clue has no ColorToString; write a colour as a number: StringFormat('%06X', c) shows it"},
  {"local t = D'2026.11.22'", "clue has no D; write StringToTime('2026.11.22') for D'2026.11.22'",
    "mql5/helpers.md#time"},
  {"switch(1) { }", "Lua has no switch: use if ... elseif ... end, or a table of functions"},
  {"enum {FAST, EXACT}", "clue has no enum; write local constants, or input.choice for an input", INPUTS},
  {"PositionsTotal()", "PositionsTotal needs MetaTrader's terminal, a chart or an account: " .. EXPORT, CLASSES},
  {"quit()", "os.exit(status) ends the script; OnStart() may return the status"},
  {"local context = {device = {}} context:device()",
    "device is a field, not a method: write it with a dot and without brackets", "reference/objects.md"},
  {"local cl = require 'clue' Print(cl.mem_flags.READ_ONLY)", 'flags are texts: context:buffer(a, "read_only")',
    "howto/from-pyopencl.md"},
  {"local event = {} event:elapsed()", "event:time() is how many seconds its command took on the device",
    "howto/from-pyopencl.md"},
  {"local queue = {} queue:run()", "a kernel is called: program.name(queue, global_size, local_size, ...)",
    "howto/from-pyopencl.md"},
  {"local cl = require 'clue' cl.tune {}",
    "`clue tune SPACE.lua` tunes a kernel, cl.tuned gives the best parameters", "howto/from-kernel-tuner.md"},
  {"local s = string(5)", "write tostring(x) for string(x)"},
  {"local n = strtod('1')", "StringToDouble(s) or tonumber(s)"},
  {"local x = np.zeros(3)", "clue has other names for what NumPy and PyOpenCL have", "reference/objects.md"},
  {"local cl = require 'clue' cl.contxt()", "there is no contxt: is cl.context meant?", "reference/objects.md"},
  {"local cl = require 'clue' local a = cl.array.float(3):free()",
    "object:close() frees it before the garbage collector does", "reference/objects.md"},
  {"local cl = require 'clue' local a = cl.array.zeros(3)",
    "cl.array.float(n) makes n zeros, and so on for every type", "howto/from-pyopencl.md"},
  {"local cl = require 'clue' local a = cl.array.float.zeros(3)",
    "cl.array.float(n) makes n zeros, and so on for every type", "howto/from-pyopencl.md"},
  {"local a = float[3]", "cl.array.float(n) makes n zeros, and so on for every type", "howto/from-pyopencl.md"},
  {"local on = array.bool(3)", "array.uchar(n) holds 1 and 0; kernels have no arrays of bool",
    "mql5/porting.md#arrays"},
  {"local names = array.string(3)", "arrays hold numbers; texts go into a Lua table", "mql5/porting.md#arrays"},
  {"local a = array.float32(3)", "types of elements have OpenCL's names: char, uchar, short, ushort, int, uint, long, "
    .. "ulong, half, float, double", "howto/from-pyopencl.md"},
  {"local context = {} context:pipe(4, 16)",
    "clue's objects have no pipes and no queues on the device: clue.raw has OpenCL's functions for them",
    "reference/raw.md"},
  {"local cl = require 'clue' local c = cl.create_some_context()", "cl.context()", "howto/from-pyopencl.md"},
  {"local a = array.float(4) a:rehsape(2, 2)", "there is no rehsape: is array:reshape meant?", "reference/objects.md"},
  {"local a = array.float(4) a:partition()", "there is device:partition", "reference/objects.md"},
  {"local kernel = {} kernel:set(1)", "there is array:set, array:set_text, kernel:set_arg", "reference/objects.md"},
  {"local a = array.float(4) for i, x in pairs(a) do Print(i, x) end",
    "for i, x in a do goes through an array, i from 0", "reference/objects.md"},
  {"Print(next(array.float(4)))", "a:table() is a Lua table of an array's elements", "reference/objects.md"},
  {"local program = {kernels = {}} program.kernels(1)", -- as one of clue's has it
    'programs have a field kernels; a kernel of this name is program:kernel "kernels"', "reference/objects.md"},
  {"Print('a' + 1)", 'texts are joined by ..: "n = " .. n'},
}

-- Lua's own mistakes, for which there is nothing to say.
local silent = {
  "local x = ",
  "local x = (1 + 2",
  "local t = {\n  {\n    1 2\n  },\n}",
  "local t = {1 {2}}",
  "local {a, b} = f()",
  "local x = a.{b}",
  "for {i} in x do end",
  "print(1 {2})",
  "if a then\nPrint(1)",
  "function f(a,)\nend",
  "local s = [[ x[1] ]] y",
  "local s = [=[ x[i[0]] ]=] y",
  "print('a' 'b' 1)",
  "return 1\nprint(2)",
  "local t = {1}\nif (f) {1} then end\nx = = 1",
  "local s = 'it is unfinished",
  "for i = 1 do end",
  "local float, int = 1, 2\nif float or\nint and float then return end end",
  "local x = nil\nx()",
  "local t = {}\nt.inner.field = 1",
  "error 'near the end, attempt to call global x'",
  "frobnicate(1)",
  "x.y = 1",
}

local function shown(text)
  return text:match "\nhint: ([^\n]*)"
end

local function hint_of(case, at)
  return ("%s (clue help %s)"):format(case[at], case[at + 1] or LANGUAGE)
end

local load_text = rawget(_G, "loadstring") or load

describe("a script with the syntax of C or MQL5", function()
  for _, case in ipairs(wrong) do
    it("gets a hint: " .. case[1]:gsub("\n", " | "), function()
      local compiled, message = load_text(case[1], "=script.lua")
      assert.is_nil(compiled)
      if case[2] then assert.matches("^script.lua:" .. case[2] .. ": ", message) end
      assert.equal(hint_of(case, 3), hint.of(message, case[1]))
    end)
  end
end)

-- Runs a text with MQL5's names as globals. Returns the message of its error.
local function failure(text)
  local globals = setmetatable({}, {__index = function(_, key)
    local found = _G[key]
    if found == nil then return mql5[key] end
    return found
  end})
  local setfenv = rawget(_G, "setfenv")
  local chunk = setfenv and setfenv(load_text(text, "=script.lua"), globals) or load(text, "=script.lua", "t", globals)
  local done, message = pcall(chunk)
  assert.is_false(done)
  return message
end

describe("a script that uses an unknown name", function()
  for _, case in ipairs(unknown) do
    it("gets a hint: " .. case[1], function() assert.equal(hint_of(case, 2), hint.of(failure(case[1]))) end)
  end
end)

describe("a script with another mistake", function()
  for _, text in ipairs(silent) do
    it("gets no hint: " .. text:gsub("\n", " | "), function()
      local compiled, message = load_text(text, "=script.lua")
      assert.is_nil(hint.of(compiled and failure(text) or message, text))
    end)
  end
end)

describe("hints", function()
  it("name the comparisons of arrays on the device, if the script has some", function()
    local class = package.loaded["clue.device_array"]
    for _, loaded in ipairs {false, true} do
      package.loaded["clue.device_array"] = loaded or nil
      assert.equal(loaded and "a:lt(b), a:le(b), a:gt(b) and a:ge(b) compare the elements of an array on the device "
        .. "(clue help reference/computing.md)" or nil, hint.of(failure "return {} > 3"))
    end
    package.loaded["clue.device_array"] = class
  end)

  it("are printed below the message, and change neither the exit status nor the traceback", function()
    local out, err = support.ended(1, support.run_script "int n = 3;")
    assert.equal("", out)
    assert.matches("^clue: [^\n]*%.lua:1: [^\n]* near 'n'\n"
      .. "hint: write local n = 3 %(clue help mql5/porting%.md#the%-language%)\n", err)
    out, err = support.ended(1, support.run_script "Print(1)\nOrderSend(1)")
    assert.equal("1\n", out)
    assert.matches("\nhint: OrderSend needs [^\n]*\nstack traceback:\n\t[^\n]*:2: in main chunk\n$", err)
    out, err = support.ended(0, support.run_script "print(pcall(function() OrderSend(1) end))")
    assert.is_nil(out:find "hint:")
    assert.equal("", err)
  end)

  it("come with the messages of pairs about an array", function()
    for _, binding in ipairs(rawget(_G, "jit") and {"ffi", "capi"} or {"capi"}) do
      local _, _, err = support.run({"-e", "for i, x in pairs(require('clue').array.float(3)) do error(i) end"},
        {CLUE_BINDING = binding})
      assert.equal("for i, x in a do goes through an array, i from 0 (clue help reference/objects.md)", shown(err))
    end
  end)

  it("are for -e, the prompt, standard input's files and modules too", function()
    local _, _, text = support.run {"-e", "local x = 1", "-e", "x += 1"}
    assert.equal("write x = x + 1 (clue help " .. LANGUAGE .. ")", shown(text))
    local status, _, prompt = support.run({"-i"}, nil, "x++\nOrderSend()\nprint 'on'\n")
    assert.equal(0, status)
    assert.matches("near '%+'\nhint: write x = x %+ 1 ", prompt)
    assert.matches("\nhint: OrderSend needs", prompt)
    local folder = support.folder()
    support.write("local n = 1\nn != 2", folder .. "/wrong.lua")
    local _, _, module = support.run_script("package.path = arg[1] .. '/?.lua;' .. package.path require 'wrong'",
      {folder})
    assert.equal("not equal is ~= (clue help " .. LANGUAGE .. ")", shown(module))
    local _, _, file = support.run_script("dofile(arg[1])", {folder .. "/wrong.lua"})
    assert.equal("not equal is ~= (clue help " .. LANGUAGE .. ")", shown(file))
  end)

  it("are found in files whose long names Lua shortens", function()
    local folder = support.folder() .. "/" .. ("deep"):rep(30)
    assert(require("lfs").mkdir(folder))
    local _, _, err = support.run {support.write("int n = 3", folder .. "/wrong.lua")}
    assert.matches("^clue: %.%.%.", err)
    assert.equal("write local n = 3 (clue help " .. LANGUAGE .. ")", shown(err))
    _, _, err = support.run_script("package.path = arg[1] .. '/?.lua;' .. package.path require 'wrong'", {folder})
    assert.equal("write local n = 3 (clue help " .. LANGUAGE .. ")", shown(err))
    _, _, err = support.run_script("dofile(arg[1])", {folder .. "/wrong.lua"})
    assert.equal("write local n = 3 (clue help " .. LANGUAGE .. ")", shown(err))
  end)

  it("name a method once, also after it was called", function()
    local _, _, err = support.run_script([[
      local context, d = require("clue").context(), {}
      kept = context.sort -- what loads the method, which is another function then; an error looks for the names of both
      pcall(context.queue)
      pcall(kept, context)
      d:sort()]], {}, support.drivers "null")
    assert.equal("there is context:sort (clue help reference/objects.md)", shown(err))
  end)

  it("are printed for an array that is taken for a table", function()
    local _, _, err = support.run_script "next(array.float(3))"
    assert.equal("a:table() is a Lua table of an array's elements (clue help reference/objects.md)", shown(err))
  end)

  it("take a moment for a long line, and one with a thousand texts before it", function()
    local texts = ("s = [[ x ]]\n"):rep(9000)
    for _, text in ipairs {"t = {" .. ("{1}, "):rep(20000) .. "1 2}", ("local x = {"):rep(9000),
                           ("f(a) {"):rep(16000) .. "1 2", "x = '" .. ("a?"):rep(50000), texts .. "t = {1 2}"} do
      local _, message = load_text(text, "=script.lua")
      local start = os.clock()
      assert.is_nil(hint.of(message, text))
      assert.is_true(os.clock() - start < 1, ("%s...: %.1f s"):format(text:sub(1, 20), os.clock() - start))
    end
  end)

  it("name pages and headings that exist", function()
    local seen = {}
    local function look(page)
      if seen[page] then return end
      seen[page] = true
      local path, heading = page:match "^([^#]*)#?(.*)$"
      local text = "\n" .. assert(support.read("docs/" .. path), page)
      local found = heading == ""
      for line in text:gmatch "\n##+ ([^\n]*)" do
        local anchor = line:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-")
        found = found or anchor == heading
      end
      assert.is_true(found, page)
    end
    for _, case in ipairs(wrong) do look(case[4] or LANGUAGE) end
    for _, case in ipairs(unknown) do look(case[3] or LANGUAGE) end
    look "mql5/porting.md#bit-operations"
    look "mql5/porting.md#arrays"
    look "mql5/porting.md#files-and-time"
    for name in pairs(missing.names()) do look((select(2, missing.instead(name)))) end
  end)

  it("are for names of MQL5 only where clue lacks them, and name functions that exist", function()
    for name in pairs(missing.names()) do
      assert.is_nil(rawget(mql5, name), name)
      for called in missing.instead(name):gmatch "%f[%w_.:]([%u][%w_]*)%(" do
        assert.is_true(called == "OnStart" or called == "OnDeinit" or mql5[called] ~= nil, name)
      end
    end
  end)

  it("find new, which Lua reads as a variable before a call", function()
    local _, _, err = support.run_script "-- ocl = new CNo()\nlocal ocl = new COpenCL()\nocl:Shutdown()"
    assert.equal("there is no new: COpenCL() makes an object (clue help " .. CLASSES .. ")", shown(err))
    local _, _, command = support.run {"-e", "CSum = {}; setmetatable(CSum, {__call = print})", "-e",
      "sum = new CSum()\nsum.x = 1"}
    assert.equal("there is no new: CSum.new() makes an object (clue help " .. CLASSES .. ")", shown(command))
    local _, _, other = support.run_script "local ocl\nocl:Shutdown()"
    assert.is_nil(shown(other))
  end)

  it("find a module beside the script", function()
    local folder = support.folder()
    support.write("return 1", folder .. "/common.lua")
    local function said(name)
      local _, _, err = support.run {support.write(("require '%s'"):format(name), folder .. "/script.lua")}
      return err
    end
    assert.matches('write dofile((arg[0]:gsub("[^/]*$", "common.lua", 1)))', said "common", 1, true)
    assert.is_nil(said("other"):find("hint:", 1, true))
    local path = support.write('print(dofile((arg[0]:gsub("[^/]*$", "common.lua", 1))))', folder .. "/script.lua")
    assert.equal("1\n", (support.clean(support.run {path})))
  end)

  it("tell a kernel's file from a script", function()
    local path = support.write("kernel void f(global float *x) { x[0] = 1; }", support.temporary ".cl")
    local _, _, err = support.run {path}
    assert.matches("\nhint: OpenCL C is no script: `clue build ", err, 1, true)
    assert.matches("; a script reads it by clue.read_file (clue help reference/programs.md)\n", err, 1, true)
  end)

  it("do not fit a single line of Lua that is right #once #later", function()
    local list, lines = assert(io.popen "find scripts tests/specimens bindings/clue/mql5 -name '*.lua'"), 0
    for path in list:lines() do
      local text = support.read(path):gsub("^#[^\n]*", "")
      assert.is_nil(hint.of(path .. ":1: unexpected symbol near 'x'"), path)
      local masked, strings = literals.mask(text)
      local fault = {text = text, strings = strings, lines = {}, code = {}, problem = "unexpected symbol near 'x'"}
      for line in (text .. "\n"):gmatch "([^\n]*)\n" do table.insert(fault.lines, line) end
      for line in (masked .. "\n"):gmatch "([^\n]*)\n" do table.insert(fault.code, line) end
      assert.equal(#fault.lines, #fault.code, path)
      for number = 1, #fault.lines do
        fault.number = number
        local found = syntax.find(fault)
        assert.is_nil(found, ("%s:%d: %s: %s"):format(path, number, fault.lines[number], found and found[1] or ""))
        lines = lines + 1
      end
    end
    list:close()
    assert.is_true(lines > 5000, lines)
  end)

  it("mask comments and strings, and nothing else", function()
    local function assert_masked(wanted, text)
      local found = literals.mask(text)
      assert.equal(#text, #found)
      assert.equal(wanted, (found:gsub(" +", " ")))
    end
    assert_masked("x = y", "x = '-' y")
    assert_masked("x = y", 'x = "\\"a" y')
    assert_masked("a \n b", "a --[[ x  \n]]b")
    assert_masked("a \nb", "a -- [[x\nb")
    assert_masked("a = b", "a = [=[]]]=]b")
    assert_masked("don't", "don't")
    assert_masked("a - b[1]", "a - b[1]")
    assert_masked("x = ", "x = [[a")
  end)
end)
