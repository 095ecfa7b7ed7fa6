-- FileOpen, FileWrite, FileClose.
-- suite: quick
-- process: shared

local mql5 = require "clue.mql5"
local support = require "support"
local options = require "clue.options"

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
    mql5.ResetLastError()
    file = mql5.FileOpen("/dev/full", text)
    assert.equal(3, mql5.FileWrite(file, "x"))
    full(mql5.FileClose(file))
  end)
end)
