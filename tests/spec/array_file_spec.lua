-- Arrays in files (.npy, CSV, JSON) and clue.json. interchange_spec.lua exchanges the same files with NumPy.
-- suite: quick
-- process: shared

local array = require "clue.array"
local binding = require "clue.binding"
local json = require "clue.json"
local support = require "support"

local text_of_error = support.text_of_error

local types = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}

-- Writes a .npy file of version 1.0 with this header and these bytes.
local function npy(header, bytes)
  local text = header .. (" "):rep(-(11 + #header) % 64) .. "\n"
  return support.write("\147NUMPY\1\0" .. string.char(#text % 256, math.floor(#text / 256)) .. text .. bytes,
    support.temporary ".npy")
end

-- LuaJIT keeps the types of values in the bits of NaNs: these would be nil, true, texts, tables and so on.
describe("NaNs with bits of their own", function()
  local codes = {half = "<f2", float = "<f4", double = "<f8"}
  local endings = {half = {"\255\255", "\1\252", "\255\127"}, float = {"\1\0\128\127", "\1\0\128\255"},
                   double = {"\1\0\0\0\0\0\240\127", "\0\0\0\128\0\0\240\255"}} -- of the last bits alone
  for high = 0x81, 0xff, 7 do
    table.insert(endings.float, "\255\255" .. string.char(high) .. "\255")
    table.insert(endings.float, "\1\0" .. string.char(high) .. "\127")
    table.insert(endings.double, "\0\0\1\0\0\128" .. string.char(math.max(high, 0xf0)) .. "\255")
    table.insert(endings.double, "\255\255\255\255\255\255" .. string.char(math.max(high, 0xf0)) .. "\127")
  end

  local function is_nan(value)
    return type(value) == "number" and value ~= value
  end

  for name, code in pairs(codes) do
    it("are NaN like any other, in arrays of " .. name, function()
      local list = endings[name]
      local a = array.load(npy(("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }"):format(code, #list),
        table.concat(list)))
      for _ = 1, 3 do -- interpreted and compiled
        for i = 0, #a - 1 do assert(is_nan(a[i]), i) end
        for i, value in ipairs(a:table()) do assert(is_nan(value), i) end
      end
      assert(is_nan(a:sum()) and is_nan(a:norm(1)) and is_nan(a:norm(2)) and is_nan(a:norm(math.huge)))
      local bytes = array.uchar(8)
      for _, text in ipairs(list) do
        for i = 1, #text do bytes[i - 1] = text:byte(i) end
        assert(is_nan(binding.cell_load(bytes, 0, binding.type_codes[name])))
      end
    end)
  end

  it("are no infinities, and no greatest numbers", function()
    local huge, most = math.huge, 1.7976931348623157e308
    assert.same({huge, -huge, most, -most, 0}, array.double({huge, -huge, most, -most, 0}):table())
    assert.same({huge, -huge, 0.5}, array.float({huge, -huge, 0.5}):table())
  end)
end)

describe("an array saved as .npy", function()
  it("loads unchanged, whatever its type", function()
    for _, name in ipairs(types) do
      local path = support.temporary ".npy"
      local a = array[name] {1, 2, 100, 0}
      assert.equal(a, a:save(path))
      local b = array.load(path)
      assert.equal(name, b:type())
      assert.is_nil(a:compare(b), name)
      assert.is_nil(b:rows())
    end
  end)

  it("keeps rows and columns, 64-bit elements, NaN and infinities", function()
    local path = support.temporary ".npy"
    local a = array.long {1, 2, 3, 4, 5, 6}
    a[4] = "9007199254740993"
    a:reshape(2, 3):save(path)
    local b = array.load(path)
    assert.equal("9007199254740993", b:decimal(4))
    assert.same({2, 3}, {b:rows(), b:columns()})
    array.double {0 / 0, 1 / 0, -1 / 0, 0.1}:save(path)
    assert.is_nil(array.load(path):compare(array.double {0 / 0, 1 / 0, -1 / 0, 0.1}))
  end)

  it("may be empty, with or without a shape", function()
    local path = support.temporary ".npy"
    array.float(0):save(path)
    assert.equal(0, #array.load(path))
    assert.equal("float", array.load(path):type())
    array.float(0):reshape(0, 5):save(path)
    assert.same({0, 5}, {array.load(path):rows(), array.load(path):columns()})
  end)

  it("loads unchanged when it is larger than one read", function()
    local path = support.temporary ".npy"
    local a = array.uchar(2 ^ 20 * 2 + 17):random(0, 255, 3)
    a:save(path)
    assert.is_nil(a:compare(array.load(path)))
  end)

  it("has its first element at a multiple of 64 bytes", function()
    local path = support.temporary ".npy"
    for rows = 1, 3 do
      array.int(rows * 1000):reshape(rows, 1000):save(path)
      assert.equal(0, (#support.read(path) - rows * 4000) % 64)
    end
  end)

  it("does not replace an existing file if it cannot be written in full", function()
    local path = support.write("before", support.temporary ".json")
    assert.matches("cannot write " .. path .. ": element 1 is nan, which JSON does not have", text_of_error(function()
      array.float {1, 0 / 0}:save(path)
    end), 1, true)
    assert.equal("before", support.read(path))
    assert.matches("cannot write /nowhere/a.npy: No such file or directory", text_of_error(function()
      array.float(1):save("/nowhere/a.npy")
    end), 1, true)
  end)

  it("reports a full disk", function()
    local full = io.open("/dev/full", "r")
    if not full then pending "there is no /dev/full" end
    full:close()
    local path = support.temporary ".npy"
    support.execute {"ln", "-s", "/dev/full", path}
    assert.matches("No space left on device", text_of_error(function() array.float(1000):save(path) end), 1, true)
  end)
end)

describe("array.load", function()
  it("swaps the bytes of big-endian elements of every size", function()
    local function loaded(code, bytes)
      return array.load(npy("{'descr': '>" .. code .. "', 'fortran_order': False, 'shape': (1,), }", bytes)):decimal(0)
    end
    assert.equal("258", loaded("i2", "\1\2"))
    assert.equal("16909060", loaded("u4", "\1\2\3\4"))
    assert.equal("-2", loaded("i8", "\255\255\255\255\255\255\255\254"))
    assert.equal("1", loaded("f2", "\60\0"))
    assert.equal("-1.5", loaded("f4", "\191\192\0\0"))
  end)

  it("reads column-major files", function()
    local path = npy("{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }", "\1\0\4\0\2\0\5\0\3\0\6\0")
    local a = array.load(path)
    assert.same({1, 2, 3, 4, 5, 6}, a:table())
    assert.same({2, 3}, {a:rows(), a:columns()})
  end)

  local function refuses(told, header, bytes)
    assert.matches(told, text_of_error(array.load, npy(header, bytes or "")), 1, true)
  end

  it("refuses types and shapes that arrays do not have, with a remedy", function()
    refuses("its elements are complex ('<c8'): save a.view(numpy.float32)",
      "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "12345678")
    refuses("its elements are '<U3', but arrays hold integers",
      "{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }")
    refuses("its elements are [('a', '<i4')]",
      "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }")
    refuses("its elements are '<M8[ns]'", "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1,), }")
    refuses("its elements are '<f16'", "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }")
    refuses("it has 3 dimensions (2, 3, 4), but arrays have one or two",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3, 4), }")
    refuses("its header has no shape", "{'descr': '<i4', 'fortran_order': False}")
    for _, shape in ipairs {"(2 3)", "(2)", "(,)", "(2,,3)", "(2, 3,,)", "(-2,)", "(2.5,)", "(x,)"} do
      refuses("its shape is " .. shape .. ", which is not a tuple",
        "{'descr': '<i4', 'fortran_order': False, 'shape': " .. shape .. ", }")
    end
    for _, order in ipairs {"true", "Truely", "1", "'True'", "None"} do
      refuses("its fortran_order must be True or False, not " .. order,
        "{'descr': '<i4', 'fortran_order': " .. order .. ", 'shape': (0,), }")
    end
    refuses("its fortran_order must be True or False, not missing", "{'descr': '<i4', 'shape': (0,), }")
  end)

  it("reads shapes as Python writes them", function()
    for shape, count in pairs {["()"] = 1, ["( )"] = 1, ["(1,)"] = 1, ["(1L,)"] = 1, ["( 1 , 1 )"] = 1, ["(0,)"] = 0,
      ["(1, 1, )"] = 1} do
      local path = npy("{'descr': '|u1', 'fortran_order': False, 'shape': " .. shape .. ", }", ("x"):rep(count))
      assert.equal(count, #array.load(path))
    end
  end)

  it("refuses FIFOs, folders and devices without waiting for them", function()
    local path = support.temporary ".npy"
    support.execute {"mkfifo", path}
    assert.equal("cannot read " .. path .. ": this is a FIFO, but a file is expected",
      text_of_error(array.load, path))
    os.remove(path)
    support.execute {"mkdir", path}
    assert.equal("cannot read " .. path .. ": this is a folder, but a file is expected",
      text_of_error(array.load, path))
    support.execute {"rmdir", path}
    support.execute {"ln", "-s", "/dev/zero", path}
    assert.equal("cannot read " .. path .. ": this is a device, but a file is expected",
      text_of_error(array.load, path))
  end)

  it("tells why the bytes of a file cannot be read", function()
    local path = support.temporary ".npy"
    support.execute {"ln", "-s", "/proc/self/mem", path}
    assert.equal("cannot read " .. path .. ": Input/output error", text_of_error(array.load, path))
  end)

  it("refuses a truncated file, and one with more bytes than its array", function()
    local header = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"
    refuses("it ends before its last element: it has 11 of 12 bytes", header, "12345678901")
    refuses("more bytes follow its last element", header, "1234567890123")
    refuses("it ends before its last element", "{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,), }")
    local path = support.temporary ".npy"
    for text, told in pairs {[""] = "it does not begin with \\x93NUMPY",
      ["\147NUMPY\1\0\200\0{"] = "ends in its header",
      ["\147NUMPY\2\0\255\255\255\127{"] = "its header claims 2147483647 bytes; at most 1048576 are allowed",
      ["\147NUMPY\9\0\200\0{"] = "it has version 9, but only 1 to 3 can be read"} do
      support.write(text, path)
      assert.matches(told, text_of_error(array.load, path), 1, true)
    end
  end)

  it("refuses a file that is cut while it is read", function()
    local path = npy("{'descr': '<i4', 'fortran_order': False, 'shape': (20000,), }", ("1234"):rep(20000))
    local function cut(count)
      support.write(support.read(path):sub(1, 50000), path)
      return array.int(count)
    end
    assert.equal(("cannot read %s: it ends before its last element"):format(path),
      text_of_error(require("clue.npy").load, path, {int = cut}))
  end)

  it("refuses a name without a known ending", function()
    assert.matches("cannot read a.csv: arrays are read from .npy", text_of_error(array.load, "a.csv"), 1, true)
    assert.matches("cannot read /nowhere.npy: No such file or directory", text_of_error(array.load, "/nowhere.npy"),
      1, true)
    assert.matches("array.load: path must be the path of a file, got nil", text_of_error(array.load), 1, true)
    assert.matches("arrays are saved as .npy, .csv or .json", text_of_error(function()
      array.int(1):save("a.txt")
    end), 1, true)
  end)
end)

describe("an array saved as text", function()
  local function saved(ending, a)
    local path = support.temporary(ending)
    a:save(path)
    return support.read(path)
  end

  it("is one column of CSV, or one line for each row of a matrix", function()
    assert.equal("1\n0.5\n-3\n", saved(".csv", array.float {1, 0.5, -3}))
    assert.equal("1,2,3\n4,5,6\n", saved(".csv", array.int {1, 2, 3, 4, 5, 6}:reshape(2, 3)))
    assert.equal("", saved(".csv", array.int(0)))
    local long = array.ulong(1)
    long[0] = "18446744073709551615"
    assert.equal("18446744073709551615\n", saved(".csv", long))
  end)

  it("is a JSON list, or a list of rows for a matrix", function()
    assert.equal("[1,\n0.5,\n0.1]\n", saved(".json", array.double {1, 0.5, 0.1}))
    assert.equal("[[1,2],\n[3,4]]\n", saved(".json", array.int {1, 2, 3, 4}:reshape(2, 2)))
    assert.equal("[]\n", saved(".json", array.int(0)))
    assert.same({{1, 2}, {3, 4}}, json.decode(saved(".JSON", array.int {1, 2, 3, 4}:reshape(2, 2))))
  end)
end)

describe("json.encode", function()
  it("writes numbers that decode to the same value", function()
    for _, number in ipairs {0, -1, 0.1, 1 / 3, 2 ^ 53 - 1, 1e300, 5e-324, 123456789.123456789, -2 ^ 31} do
      assert.equal(number, json.decode(json.encode(number)))
    end
    assert.equal("0.1", json.encode(0.1))
    assert.equal("4096", json.encode(4096.0))
  end)

  it("writes lists, arrays, null, and objects with sorted names", function()
    assert.equal('{"a":[1,2,{"b":true}],"n":4096,"t":"a\\"b"}',
      json.encode {n = 4096, t = 'a"b', a = {1, 2, {b = true}}})
    assert.equal("[]", json.encode {})
    assert.equal('{"x":[1,2.5],"y":[[1,2],[3,4]]}', json.encode {x = array.float {1, 2.5},
      y = array.int {1, 2, 3, 4}:reshape(2, 2)})
    assert.equal("[null,1]", json.encode {json.null, 1})
    local twice = {1}
    assert.equal("[[1],[1]]", json.encode {twice, twice})
  end)

  it("indents, orders names and writes NaN as null on request", function()
    local value = {b = {1, {}}, a = {n = 2, m = 1}, c = setmetatable({}, {__jsontype = "object"})}
    assert.equal('{\n  "b":[\n    1,\n    []\n  ],\n  "c":{},\n  "a":{\n    "m":1,\n    "n":2\n  }\n}',
      json.encode(value, {indent = true, order = {"b", "c"}}))
    assert.equal('{"z":1,"a":2}', json.encode(setmetatable({a = 2, z = 1}, {__jsonorder = {"z"}})))
    assert.equal("[null,1,null]", json.encode({0 / 0, 1, -1 / 0}, {null_for_nan = true}))
  end)

  it("names the place of a value that JSON does not have", function()
    local function refuses(told, value) assert.matches(told, text_of_error(json.encode, value), 1, true) end
    refuses("the value.a[2] is nan, which JSON does not have", {a = {1, 0 / 0}})
    refuses("the value[1] is a context, which JSON does not have", {require("clue").context()})
    refuses("the value.x is float(1), which JSON does not have: give its numbers", {x = require("clue").float(1)})
    refuses("the value is inf, which JSON does not have", 1 / 0)
    refuses("element 1 of the value.x is inf, which JSON does not have", {x = array.float {1, 1 / 0}})
    refuses("the value.f is a function", {f = print})
    refuses("the value has the key 1: give texts for an object", {1, x = 2})
    refuses("the value has the key", {[1] = 1, [3] = 3})
    local around = {}
    around.again = around
    refuses("the value.again contains itself", around)
  end)
end)

describe("json.decode", function()
  it("refuses numbers that a double would round", function()
    for _, number in ipairs {"1e999", "-1E+999", "1e-999", "100000000000000000000001", "-36893488147419103233"} do
      assert.equal(('json.decode: a Lua number cannot hold %s, at byte 8: write it as a text, "%s"')
        :format(number, number), text_of_error(json.decode, '["\\"1",' .. number .. "]"))
    end
    local done, value = pcall(json.decode, "9007199254740993")
    assert.is_true(not done or ("%d"):format(value) == "9007199254740993") -- an integer of Lua 5.4 holds it
    assert.same({0, -0.5, 0, 2 ^ 53, 1e22, -1e300, 5e-324, "9007199254740993", "\\", 1}, json.decode('[0, -0.5, 0e5, '
      .. '9007199254740992, 10000000000000000000000, -1e300, 5e-324, "9007199254740993", "\\\\", 1]'))
  end)

  it("takes nothing that is not JSON, with the place", function()
    for text, says in pairs {
      ['{"a" 1}'] = "at byte 6, there must be a colon", ['["k":7]'] = "at byte 5, there must be a comma or ]",
      ["{1:2}"] = "at byte 2, there must be a name in quotes or }",
      ["[1e5.5]"] = "at byte 2, there must be a value or ]",
      ["[1 2]"] = "at byte 4, there must be a comma or ]", ["[true false]"] = "at byte 7, there must be a comma or ]",
      ['{"a":1 "b":2}'] = "at byte 8, there must be a comma or }", ["[1,]"] = "at byte 4, there must be a value",
      ['{"a":1,}'] = "at byte 8, there must be a name in quotes", ["/* x */ 1"] = "at byte 1, there must be a value",
      ["[-.1]"] = "at byte 2, there", [".5"] = "at byte 1, there", ["[1.]"] = "at byte 2, there",
      ["01"] = "at byte 1, there", ["+1"] = "at byte 1, there", ["1e"] = "at byte 1, there",
      ["[nul]"] = "at byte 2, there", ["[1}"] = "at byte 3, there must be a comma or ]",
      [""] = "the text ends where there must be a value", ["[1, 2"] = "the text ends where there must be a comma or ]",
      ['["a\tb"]'] = "at byte 4, a text has a control character: write \\u0009",
      ["[1] 2"] = "at byte 5, there must be the end", ['["a'] = "at byte 2, a text has no end",
      [ [=["\q"]=] ] = "at byte 2, the backslash begins no escape", [ [=["\u12G4"]=] ] = "at byte 2, the backslash",
    } do
      assert.matches("json.decode: " .. says, text_of_error(json.decode, text), 1, true)
    end
    assert.same({-0.1, 0, 1e5, 2.5e-3, {}, {a = {}}},
      json.decode '\239\187\191 [-0.1,0 ,1e5, 2.5E-3,[ ], {"a" :{}}\n]')
    assert.same([=[a"\/]=] .. "\n\195\169", json.decode [=["a\"\\\/\n\u00e9"]=])
  end)

  it("reads every kind of value", function()
    assert.same({a = {1, 2.5, "x"}, b = true}, json.decode '{"a": [1, 2.5, "x"], "b": true}')
    assert.equal(json.null, json.decode "[null]"[1])
    assert.equal("\240\159\152\128 \226\130\172 \237\160\189", json.decode [=["\ud83d\ude00 \u20ac \ud83d"]=])
    assert.is_nil(getmetatable(json.decode "{}"))
  end)

  it("passes on what is no fault of the text: Ctrl-C", function()
    local function interrupt() error("interrupted!", 0) end
    assert.same({false, "interrupted!"}, {pcall(require "clue.json.read", '{"a": 1}', nil, nil,
      {__newindex = interrupt})})
  end)

  it("names the fault in a text that is not JSON", function()
    assert.matches("json.decode: text must be a text, got a table", text_of_error(json.decode, {}), 1, true)
  end)
end)
