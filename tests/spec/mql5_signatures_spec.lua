-- Every signature of MQL5's OpenCL interface, called rightly and then wrongly in the same ways: with a stale handle, a
-- handle of another kind, numbers that are not handles, arguments of a wrong type. Other specs test what each function
-- does.
-- suite: quick
-- process: shared
-- drivers: pocl

local array = require "clue.array"
local binding = require "clue.binding"
local mql5 = require "clue.mql5"
local opened = require("handles").from_here()
local options = require "clue.options"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local source = [[
__kernel void scale(__global float *x, const float by, __local float *scratch) {
    scratch[get_local_id(0)] = by;
    x[get_global_id(0)] *= scratch[get_local_id(0)];
}
]]

local FAILED, NOTHING = {false}, {} -- what a failed call returns before its message

-- name; kind of the first argument, a handle; a function that makes the other arguments for each call; what it returns
-- if it fails; a letter for the type of each other argument, see wrong below.
local signatures = {
  {"CLContextFree", "context", nil, NOTHING},
  {"CLProgramFree", "program", nil, NOTHING},
  {"CLKernelFree", "kernel", nil, NOTHING},
  {"CLBufferFree", "buffer", nil, NOTHING},
  {"CLProgramCreate", "context", function() return source end, {-1, ""}, "s"},
  {"CLKernelCreate", "program", function() return "scale" end, {-1}, "s"},
  {"CLSetKernelArg", "kernel", function() return 1, 2.5 end, FAILED, "nv"},
  {"CLSetKernelArgMem", "kernel", function(h) return 0, h.buffer end, FAILED, "nn"},
  {"CLSetKernelArgMemLocal", "kernel", function() return 2, 16 end, FAILED, "nn"},
  {"CLBufferCreate", "context", function() return 64, mql5.CL_MEM_READ_WRITE end, {-1}, "nn"},
  {"CLBufferWrite", "buffer", function() return array.float(4), 0, 0, 4 end, {0}, "dnnn"},
  {"CLBufferWrite", "buffer", function() return 0, mql5.matrix(2, 1) end, FAILED, "ma"},
  {"CLBufferRead", "buffer", function() return array.float(4), 0, 0, 4 end, {0}, "dnnn"},
  {"CLBufferRead", "buffer", function() return 0, mql5.matrixf(2, 1), 2, 2 end, FAILED, "mann"},
  {"CLBufferRead", "buffer", function() return 0, mql5.vectorf(2), 4 end, FAILED, "man"},
  {"CLExecute", "kernel", function() return 1, {0}, {4} end, FAILED, "ntt"},
  {"CLExecute", "kernel", function() return 1, {0}, {4}, {2} end, FAILED, "nttt"},
  {"CLExecute", "kernel", nil, FAILED},
  {"CLExecutionStatus", "kernel", nil, {-1}},
  {"CLGetInfoInteger", "kernel", function() return mql5.CL_KERNEL_WORK_GROUP_SIZE end, {-1}, "n"},
  {"CLGetInfoInteger", "buffer", function() return mql5.CL_BUFFER_SIZE end, {-1}, "n"},
}

-- These take a handle of any kind, or a device ordinal.
local of_anything = {
  {"CLGetInfoInteger", function() return mql5.CL_DEVICE_TYPE end, {-1}},
  {"CLGetInfoString", function() return mql5.CL_DEVICE_NAME end, {false, ""}},
  {"CLGetDeviceInfo", function() return 0x1002, array.uchar(0) end, {false, 0}},
}

local kinds = {"context", "program", "kernel", "buffer"}
local wrong = { -- by the letter of a parameter: values that it refuses
  n = {"1", {}, true, function() end},
  m = {{}, true},
  s = {1.5, {}, true},
  a = {1, "text", true},
  d = {"text", true, {}}, -- a number here would announce a matrix after it
  t = {1, "text", true},
  v = {"1", {}, true},
}

describe("every signature", function()
  local quiet, handles

  before_each(function()
    quiet, options.quiet = options.quiet, true
    handles = {context = mql5.CLContextCreate(0)}
    handles.program = mql5.CLProgramCreate(handles.context, source)
    handles.kernel = mql5.CLKernelCreate(handles.program, "scale")
    handles.buffer = mql5.CLBufferCreate(handles.context, 64, mql5.CL_MEM_READ_WRITE)
    assert.is_true(mql5.CLSetKernelArgMem(handles.kernel, 0, handles.buffer))
    assert.is_true(mql5.CLSetKernelArg(handles.kernel, 1, 1))
    assert.is_true(mql5.CLSetKernelArgMemLocal(handles.kernel, 2, 64))
    mql5.ResetLastError()
  end)

  after_each(function()
    opened.free()
    assert.equal(0, opened.count())
    mql5.ResetLastError()
    options.quiet = quiet
  end)

  local function arguments(signature)
    if not signature[3] then return {n = 0} end
    local list = {signature[3](handles)}
    list.n = #list
    return list
  end

  local function call(signature, handle, given)
    given = given or arguments(signature)
    local function gather(...) return {n = select("#", ...), ...} end
    return (gather(mql5[signature[1]](handle, unpack(given, 1, given.n))))
  end

  -- The failure's values, then a message that names the function and the code.
  local function assert_failed(name, results, expected, code, title)
    for i, value in ipairs(expected) do assert.equal(value, results[i], title) end
    local message = results[#expected + 1]
    assert.is_string(message, title)
    assert.equal(name .. ":", message:sub(1, #name + 1), title)
    assert.truthy(message:find(": error " .. mql5[code], 1, true), title .. ": " .. message)
    assert.equal(mql5[code], mql5.GetLastError(), title)
    assert.is_nil(results[#expected + 2], title)
    mql5.ResetLastError()
  end

  it("succeeds with the right arguments", function()
    for i, signature in ipairs(signatures) do
      local title = ("%d %s"):format(i, signature[1])
      if not signature[1]:find "Free$" then
        local results = call(signature, handles[signature[2]])
        if signature[4] ~= NOTHING then assert.not_equal(signature[4][1], results[1], title) end
        assert.equal(0, mql5.GetLastError(), title)
        if results[1] == true then assert.equal(1, results.n, title) end -- Print(CLExecute(...)) shows all
      end
    end
    for _, kind in ipairs {"buffer", "kernel", "program", "context"} do
      local name = "CL" .. kind:gsub("^%l", string.upper) .. "Free"
      assert.same({}, {mql5[name](handles[kind])})
      assert.equal(0, mql5.GetLastError(), name)
    end
    assert.equal(3, opened.count()) -- made by the three CL...Create calls
  end)

  it("refuses a handle that was freed", function()
    local stale = {}
    for kind, handle in pairs(handles) do
      stale[kind] = handle
      binding.handle_free(handle)
    end
    for i, signature in ipairs(signatures) do
      local given = arguments(signature)
      local results = call(signature, stale[signature[2]], given)
      assert_failed(signature[1], results, signature[4], "ERR_OPENCL_INVALID_HANDLE", ("%d %s"):format(i, signature[1]))
    end
    for _, signature in ipairs(of_anything) do
      for _, kind in ipairs(kinds) do
        local results = {mql5[signature[1]](stale[kind], signature[2]())}
        assert_failed(signature[1], results, signature[3], "ERR_OPENCL_INVALID_HANDLE", signature[1] .. kind)
      end
    end
  end)

  it("refuses a handle of another kind", function()
    for i, signature in ipairs(signatures) do
      for _, kind in ipairs(kinds) do
        if kind ~= signature[2] then
          local results = call(signature, handles[kind])
          assert_failed(signature[1], results, signature[4], "ERR_OPENCL_INVALID_HANDLE",
            ("%d %s of a %s"):format(i, signature[1], kind))
        end
      end
    end
    assert.equal(4, opened.count())
  end)

  it("refuses numbers that are not handles", function()
    for i, signature in ipairs(signatures) do
      for _, number in ipairs {-1, 0, 65535, 0.5, 2 ^ 31, -2 ^ 40, 1e300, 1 / 0, 0 / 0} do
        local results = call(signature, number)
        assert_failed(signature[1], results, signature[4], "ERR_OPENCL_INVALID_HANDLE",
          ("%d %s of %s"):format(i, signature[1], tostring(number)))
      end
    end
  end)

  it("takes handles that CLHandleType recognises, unlike other numbers", function()
    for i, kind in ipairs(kinds) do
      assert.equal(mql5["OPENCL_" .. kind:upper()], mql5.CLHandleType(handles[kind]))
      assert.equal(i, mql5.CLHandleType(handles[kind]))
      binding.handle_free(handles[kind])
      assert.equal(mql5.OPENCL_INVALID, mql5.CLHandleType(handles[kind]))
    end
    for _, number in ipairs {-1, 0, 65535, 65536 + 12345, 0.5, 2 ^ 31, 1e300, 0 / 0} do
      assert.equal(mql5.OPENCL_INVALID, mql5.CLHandleType(number))
    end
    assert.equal(0, mql5.GetLastError())
  end)

  it("raises if a handle is not a number", function()
    local function assert_raises(name, ...)
      local given, count = {...}, select("#", ...)
      local done, problem = pcall(function() return (mql5[name](unpack(given, 1, count))) end)
      local message = tostring(problem)
      assert.is_false(done, name)
      assert.matches(("mql5_signatures_spec.lua:%%d+: %s: %%l+ "):format(name), message)
    end
    for _, signature in ipairs(signatures) do
      for _, given in ipairs {"65536", {}, true, array.int {handles.context}} do
        assert_raises(signature[1], given, unpack(arguments(signature)))
      end
      assert_raises(signature[1], nil, unpack(arguments(signature)))
    end
    for _, signature in ipairs(of_anything) do assert_raises(signature[1], "0", signature[2]()) end
    assert_raises("CLHandleType", "65536")
    assert_raises("CLContextCreate", "0")
    assert.equal(4, opened.count())
  end)

  it("raises if another argument has a wrong type, and names it", function()
    local tried = 0
    for i, signature in ipairs(signatures) do
      local letters = signature[5] or ""
      for position = 1, #letters do
        for _, bad in ipairs(wrong[letters:sub(position, position)]) do
          local given = arguments(signature)
          given[position] = bad
          local done, problem = pcall(call, signature, handles[signature[2]], given)
          local message = tostring(problem)
          local title = ("%d %s #%d %s"):format(i, signature[1], position + 1, tostring(bad))
          assert.is_false(done, title)
          assert.matches((": %s: [%%l_]+ must be an? "):format(signature[1]), message, 1, false, title)
          tried = tried + 1
        end
      end
    end
    assert.is_true(tried > 100, tried)
    assert.equal(4, opened.count())
  end)

  it("refuses sizes of 0, negative sizes, and sizes beyond 4 GiB, which it shows in full", function()
    local function refused(code, pattern, ...)
      local results = {...}
      assert.equal(mql5[code], mql5.GetLastError(), pattern)
      assert.matches(pattern, results[#results])
      mql5.ResetLastError()
    end
    local beyond, whole = 2 ^ 32 + 16, array.float(4)
    refused("ERR_OPENCL_BUFFER_CREATE", "0 bytes", mql5.CLBufferCreate(handles.context, 0, mql5.CL_MEM_READ_WRITE))
    refused("ERR_OPENCL_BUFFER_CREATE", "%-4", mql5.CLBufferCreate(handles.context, -4, mql5.CL_MEM_READ_WRITE))
    refused("ERR_OPENCL_BUFFER_CREATE", "4503599627370496", mql5.CLBufferCreate(handles.context, 2 ^ 52,
      mql5.CL_MEM_READ_WRITE))
    refused("ERR_OPENCL_WRONG_BUFFER_OFFSET", "4294967312", mql5.CLBufferWrite(handles.buffer, whole, beyond))
    refused("ERR_OPENCL_WRONG_BUFFER_OFFSET", "4294967312", mql5.CLBufferRead(handles.buffer, whole, beyond))
    refused("ERR_INVALID_PARAMETER", "4294967312", mql5.CLBufferWrite(handles.buffer, whole, 0, beyond))
    refused("ERR_INVALID_PARAMETER", "4294967312", mql5.CLBufferRead(handles.buffer, whole, 0, 0, beyond))
    refused("ERR_INVALID_PARAMETER", "at least 1, not 0", mql5.CLBufferWrite(handles.buffer, whole, 0, 0, 0))
    refused("ERR_INVALID_PARAMETER", "at least 1, not 0", mql5.CLBufferRead(handles.buffer, whole, 0, 0, 0))
    refused("ERR_OPENCL_SET_KERNEL_PARAMETER", "0 bytes", mql5.CLSetKernelArgMemLocal(handles.kernel, 2, 0))
    refused("ERR_OPENCL_SET_KERNEL_PARAMETER", "4294967312", mql5.CLSetKernelArgMemLocal(handles.kernel, 2, beyond))
    refused("ERR_OPENCL_EXECUTE", "0", mql5.CLExecute(handles.kernel, 1, {0}, {0}))
    refused("ERR_INVALID_PARAMETER", "work_dim must be 1 to 3, not 4", mql5.CLExecute(handles.kernel, 4, {0}, {4}))
  end)
end)
