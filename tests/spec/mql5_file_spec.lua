-- MQL5's files: FileOpen, FileWrite, FileClose and those that read and write numbers.
-- suite: quick
-- process: shared

local clue = require "clue"
local mql5 = require "clue.mql5"
local support = require "support"
local options = require "clue.options"
local array = mql5.array
local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

describe("MQL5's files", function()
  setup(function() options.quiet = true end)
  teardown(function() options.quiet = false end)
  before_each(function() mql5.ResetLastError() end)

  local text = mql5.FILE_WRITE + mql5.FILE_TXT + mql5.FILE_ANSI

  it("take a kernel's text unchanged", function()
    local path = support.temporary()
    local file = mql5.FileOpen(path, text)
    assert.is_true(file > 0)
    assert.equal(22, mql5.FileWrite(file, "__kernel void f() {\n"))
    assert.equal(3, mql5.FileWrite(file, "}"))
    assert.equal(0, select("#", mql5.FileClose(file)))
    assert.equal("__kernel void f() {\n\r\n}\r\n", support.read(path))
  end)

  it("separate values according to the kind of file", function()
    local path = support.temporary()
    local function written(...)
      local file = mql5.FileOpen(path, ...)
      mql5.FileWrite(file, 1, "b", 0.5, true)
      mql5.FileClose(file)
      return support.read(path)
    end
    assert.equal("1b0.5true\r\n", written(text))
    assert.equal("1;b;0.5;true\r\n", written(text, ";"))
    assert.equal("1\tb\t0.5\ttrue\r\n", written(mql5.FILE_WRITE + mql5.FILE_CSV))
    assert.equal("1,b,0.5,true\r\n", written(mql5.FILE_WRITE + mql5.FILE_CSV, 44, mql5.CP_UTF8))
    assert.equal("1b0.5true\r\n", written(mql5.FILE_WRITE + mql5.FILE_CSV, 0))
  end)

  it("are emptied by FILE_WRITE alone, and kept by FILE_WRITE with FILE_READ", function()
    local path = support.write("0123456789", support.temporary())
    local file = mql5.FileOpen(path, text + mql5.FILE_READ)
    mql5.FileWrite(file, "ab")
    mql5.FileClose(file)
    assert.equal("ab\r\n456789", support.read(path))
    mql5.FileClose(mql5.FileOpen(path, text))
    assert.equal("", support.read(path))
  end)

  it("give MQL5's error codes", function()
    local function assert_fails(code, pattern, result, message)
      assert.equal(code, mql5.GetLastError())
      assert.truthy((message or result):find(pattern, 1, true), message or result)
    end
    local path = support.write("x", support.temporary())
    local reader = mql5.FileOpen(path, mql5.FILE_READ + mql5.FILE_TXT)
    local bytes = mql5.FileOpen(path, mql5.FILE_READ + mql5.FILE_WRITE + mql5.FILE_BIN)
    assert_fails(5009, "FILE_WRITE", mql5.FileWrite(reader, "x"))
    assert_fails(5013, "FILE_TXT", mql5.FileWrite(bytes, "x"))
    mql5.FileClose(reader)
    mql5.FileClose(bytes)
    assert_fails(5007, "not open", mql5.FileWrite(reader, "x"))
    assert_fails(5007, "not open", mql5.FileClose(reader))
    assert_fails(5004, "No such file", mql5.FileOpen("/nonesuch/folder/file", text))
    assert_fails(5002, "the file's name is empty", mql5.FileOpen("", text))
    assert_fails(4003, "give FILE_READ, FILE_WRITE or both", mql5.FileOpen(path, mql5.FILE_TXT))
    assert_fails(4003, "FILE_UNICODE", mql5.FileOpen(path, text + mql5.FILE_UNICODE))
    assert_fails(4003, "CP_UTF8", mql5.FileOpen(path, text, nil, 1251))
    assert_fails(4003, "no such flags", mql5.FileOpen(path, -1))
    assert.equal("x", support.read(path))
  end)

  local binary = mql5.FILE_BIN + mql5.FILE_READ + mql5.FILE_WRITE

  it("take arrays and give them back", function()
    local path = support.temporary()
    local file = mql5.FileOpen(path, mql5.FILE_BIN + mql5.FILE_WRITE)
    assert.equal(3, mql5.FileWriteArray(file, array.int {1, 2, 0x04030201}))
    assert.equal(2, mql5.FileWriteArray(file, array.short {9, 8, 7, 6}, 1, 2))
    assert.equal(0, mql5.FileWriteArray(file, array.int(0)))
    mql5.FileClose(file)
    assert.equal("\1\0\0\0\2\0\0\0\1\2\3\4\8\0\7\0", support.read(path))
    file = mql5.FileOpen(path, mql5.FILE_BIN + mql5.FILE_READ)
    local whole, rows = array.int(0), array.int(2):reshape(1, 2)
    assert.equal(4, mql5.FileReadArray(file, whole))
    assert.same({1, 2, 0x04030201, 7 * 65536 + 8}, whole:table())
    assert.equal(0, mql5.FileReadArray(file, whole))
    assert.equal(4, #whole)
    mql5.FileSeek(file, 0, mql5.SEEK_SET)
    assert.equal(2, mql5.FileReadArray(file, rows, 1, 2))
    assert.same({2, 2, 0, 1, 2, 0}, {rows:rows(), rows:columns(), unpack(rows:table())})
    mql5.FileClose(file)
    assert.equal(0, mql5.GetLastError())
  end)

  it("take more than is moved at a time", function()
    local path, many = support.temporary(), array.double(2 ^ 20 + 5):random(0, 1, 3)
    local file, back = mql5.FileOpen(path, binary), array.double(1)
    assert.equal(#many, mql5.FileWriteArray(file, many))
    mql5.FileSeek(file, 0, mql5.SEEK_SET)
    assert.equal(#many, mql5.FileReadArray(file, back, 1))
    assert.is_nil(back:copy(1):compare(many))
    mql5.FileClose(file)
  end)

  it("take structs, and arrays of and in structs", function()
    local types = clue.structs "typedef struct { int id; float m[2]; } body;"
    local file = mql5.FileOpen(support.temporary(), binary)
    assert.equal(2, mql5.FileWriteArray(file, types.body:array {{id = 1}, {id = 2, m = {3, 4}}}))
    assert.equal(12, mql5.FileWriteStruct(file, types.body {id = 5, m = {6, 7}}))
    mql5.FileSeek(file, 0, mql5.SEEK_SET)
    local bodies, one = types.body:array(0), types.body()
    assert.equal(2, mql5.FileReadArray(file, bodies, 0, 2))
    assert.equal("{body{id = 1, m = {0, 0}}, body{id = 2, m = {3, 4}}}", tostring(bodies))
    assert.equal(12, mql5.FileReadStruct(file, one, 12))
    assert.equal("body{id = 5, m = {6, 7}}", tostring(one))
    mql5.FileSeek(file, 4, mql5.SEEK_SET)
    assert.equal(2, mql5.FileReadArray(file, one.m)) -- as many as fit
    assert.equal(12, mql5.FileTell(file))
    mql5.FileClose(file)
  end)

  it("take single numbers", function()
    local file = mql5.FileOpen(support.temporary(), binary)
    assert.same({8, 4, 8, 4, 1, 2}, {mql5.FileWriteDouble(file, 0.1), mql5.FileWriteFloat(file, 0.5),
      mql5.FileWriteLong(file, -2 ^ 40), mql5.FileWriteInteger(file, 2 ^ 32 - 1),
      mql5.FileWriteInteger(file, 200, mql5.CHAR_VALUE), mql5.FileWriteInteger(file, -3, mql5.SHORT_VALUE)})
    assert.same({27, 27, true}, {mql5.FileSize(file), mql5.FileTell(file), mql5.FileIsEnding(file)})
    assert.is_true(mql5.FileSeek(file, 0, mql5.SEEK_SET))
    assert.is_false(mql5.FileIsEnding(file))
    assert.same({0.1, 0.5, -2 ^ 40, -1, -56, -3}, {mql5.FileReadDouble(file), mql5.FileReadFloat(file),
      mql5.FileReadLong(file), mql5.FileReadInteger(file), mql5.FileReadInteger(file, mql5.CHAR_VALUE),
      mql5.FileReadInteger(file, mql5.SHORT_VALUE)})
    assert.is_true(mql5.FileSeek(file, -27, mql5.SEEK_CUR))
    assert.equal(8, mql5.FileWriteArray(file, array.uchar "\1\0\0\0\0\0\32\0")) -- 2^53 + 1
    assert.is_true(mql5.FileSeek(file, 0, mql5.SEEK_SET))
    assert.error_matches(function() mql5.FileReadLong(file) end,
      "FileReadLong: a Lua number does not hold 9007199254740993 exactly: FileReadArray reads it into an array.long", 1,
      true)
    assert.error_matches(function() mql5.FileWriteInteger(file, 256, mql5.CHAR_VALUE) end, "cannot be 256")
    assert.error_matches(function() mql5.FileReadInteger(file, 3) end, "must be a size of CHAR_VALUE, SHORT_VALUE or")
    assert.error_matches(function() mql5.FileReadStruct(file, array.int(1)) end, "must be a struct, got an int array")
    local pair = clue.structs("typedef struct { int a, b; } pair;").pair()
    assert.error_matches(function() mql5.FileWriteStruct(file, pair, 4) end,
      "size must be a size of 8 bytes, which pair has, or %-1, got 4")
    mql5.FileClose(file)
  end)

  it("give MQL5's error codes for what is not binary, or ends", function()
    local function fails(code, pattern, result, ...)
      local message = select(select("#", ...), ...)
      assert.matches(("error %d: %s"):format(code, pattern), message, 1)
      assert.equal(code, mql5.GetLastError())
      mql5.ResetLastError()
      return result
    end
    local path, a = support.write("0123456789", support.temporary()), array.int(2)
    local lines = mql5.FileOpen(path, mql5.FILE_TXT + mql5.FILE_READ + mql5.FILE_WRITE)
    fails(5011, "the file was not opened with FILE_BIN", mql5.FileReadArray(lines, a))
    fails(5011, "the file was not opened with FILE_BIN", mql5.FileWriteDouble(lines, 1))
    mql5.FileClose(lines)
    local writer = mql5.FileOpen(support.temporary(), mql5.FILE_BIN + mql5.FILE_WRITE)
    fails(5010, "the file was not opened with FILE_READ", mql5.FileReadArray(writer, a))
    fails(5013, "the file was opened neither .* FileWriteArray writes into one of FILE_BIN", mql5.FileWrite(writer, 1))
    fails(4003, "start 3 is outside the array of 2 elements", mql5.FileWriteArray(writer, a, 3))
    fails(4003, "the array has 1 element from start 1 on, but count is 2", mql5.FileWriteArray(writer, a, 1, 2))
    fails(4003, "count %-2 is below 0", mql5.FileWriteArray(writer, a, 0, -2))
    mql5.FileClose(writer)
    fails(5007, "file %d+ is not open", mql5.FileReadArray(writer, a))
    local reader = mql5.FileOpen(path, mql5.FILE_BIN + mql5.FILE_READ)
    fails(5009, "the file was not opened with FILE_WRITE", mql5.FileWriteInteger(reader, 1))
    fails(4003, "the origin must be SEEK_SET", mql5.FileSeek(reader, 0, 3))
    fails(4003, "Invalid argument", mql5.FileSeek(reader, -1, mql5.SEEK_SET))
    assert.equal(2, fails(5015, "the file ends in the middle of an element: it has 10 bytes, and each int 4",
      mql5.FileReadArray(reader, a)))
    assert.same({0x33323130, 0x37363534}, a:table())
    fails(5015, "the file has no 8 bytes more for a double", mql5.FileReadDouble(reader))
    mql5.FileClose(reader)
    local folder = mql5.FileOpen(support.folder(), mql5.FILE_BIN + mql5.FILE_READ)
    fails(5015, "Is a directory", mql5.FileReadArray(folder, a))
    fails(5015, "Is a directory", mql5.FileReadLong(folder))
    mql5.FileClose(folder)
    local pipe = support.temporary()
    support.execute {"mkfifo", pipe}
    pipe = mql5.FileOpen(pipe, binary)
    assert.equal(-1, fails(5015, "Illegal seek: only files on a disk have a length and places", mql5.FileTell(pipe)))
    mql5.FileClose(pipe)
  end)

  it("tell that the disk is full: at the write, or at the end if the text was short", function()
    local function full(result, message)
      assert.equal(5026, mql5.GetLastError())
      assert.matches(": error 5026: No space left on device", message or result, 1, true)
      mql5.ResetLastError()
      return message and result
    end
    local file = mql5.FileOpen("/dev/full", text)
    assert.equal(0, full(mql5.FileWrite(file, ("x"):rep(1e6))))
    mql5.FileClose(file)
    file = mql5.FileOpen("/dev/full", mql5.FILE_WRITE + mql5.FILE_BIN)
    assert.equal(0, full(mql5.FileWriteArray(file, array.char(1e6))))
    mql5.FileClose(file)
    mql5.ResetLastError()
    file = mql5.FileOpen("/dev/full", text)
    assert.equal(3, mql5.FileWrite(file, "x"))
    full(mql5.FileClose(file))
  end)
end)
