-- CLGetInfoInteger, CLGetInfoString, CLGetDeviceInfo.
-- suite: quick
-- process: shared bindings
-- drivers: pocl oclgrind rusticl

local array = require "clue.array"
local binding = require "clue.binding"
local handles = require("handles").from_here()
local device = require "clue.device"
local driver = require "driver"
local mql5 = require "clue.mql5"
local options = require "clue.options"

local source = [[
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void f(__global float *x) {
    __local float shared[16];
    shared[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = shared[7 - get_local_id(0)];
}
]]

describe("MQL5's information functions", function()
  local quiet, context, program, kernel, buffer

  setup(function()
    quiet, options.quiet = options.quiet, true
    context = mql5.CLContextCreate(0)
    program = mql5.CLProgramCreate(context, source)
    kernel = mql5.CLKernelCreate(program, "f")
    buffer = mql5.CLBufferCreate(context, 100, mql5.CL_MEM_READ_WRITE)
  end)

  teardown(function()
    mql5.CLBufferFree(buffer)
    mql5.CLKernelFree(kernel)
    mql5.CLProgramFree(program)
    mql5.CLContextFree(context)
    assert.equal(0, handles.count())
    options.quiet = quiet
  end)

  before_each(function() mql5.ResetLastError() end)

  -- Checks a failed call's message and its code.
  local function assert_failed(code, pattern, message)
    assert.equal(mql5[code], mql5.GetLastError())
    assert.matches(pattern, message)
    assert.matches(": error " .. mql5[code], message, 1, true)
    mql5.ResetLastError()
  end

  describe("CLGetInfoInteger", function()
    it("gives the device's properties for its ordinal and for any handle", function()
      local first = device.get(0)
      local kind = 0
      for word in first.type:gmatch "%a+" do kind = kind + mql5["CL_DEVICE_" .. word:upper()] end
      local expected = {
        CL_DEVICE_MAX_COMPUTE_UNITS = first.max_compute_units,
        CL_DEVICE_MAX_CLOCK_FREQUENCY = first.max_clock_frequency,
        CL_DEVICE_GLOBAL_MEM_SIZE = first.global_mem_size,
        CL_DEVICE_LOCAL_MEM_SIZE = first.local_mem_size,
        CL_DEVICE_MAX_WORK_GROUP_SIZE = first.max_work_group_size,
      }
      for _, handle in ipairs {0, context, program, kernel, buffer} do
        for name, value in pairs(expected) do
          assert.equal(value, mql5.CLGetInfoInteger(handle, mql5[name]), name)
        end
        assert.equal(first.vendor_id, mql5.CLGetInfoInteger(handle, mql5.CL_DEVICE_VENDOR_ID))
        assert.equal(kind, mql5.CLGetInfoInteger(handle, mql5.CL_DEVICE_TYPE))
      end
      assert.equal(0, mql5.GetLastError())
    end)

    it("gives whole numbers, which print without a point", function()
      assert.matches("^%d+$", tostring(mql5.CLGetInfoInteger(0, mql5.CL_DEVICE_GLOBAL_MEM_SIZE)))
      assert.matches("^%d+$", tostring(mql5.CLGetInfoInteger(buffer, mql5.CL_BUFFER_SIZE)))
    end)

    it("counts the devices, whatever the handle", function()
      for _, handle in ipairs {0, -1, 99, context} do
        assert.equal(binding.device_count(), mql5.CLGetInfoInteger(handle, mql5.CL_DEVICE_COUNT))
      end
    end)

    it("gives the properties of a buffer and of a kernel", function()
      assert.equal(100, mql5.CLGetInfoInteger(buffer, mql5.CL_BUFFER_SIZE))
      assert.is_true(mql5.CLGetInfoInteger(kernel, mql5.CL_KERNEL_WORK_GROUP_SIZE) >= 8)
      local bytes = mql5.CLGetInfoInteger(kernel, mql5.CL_KERNEL_LOCAL_MEM_SIZE)
      local counted = driver.of(device.get(0)).counts_local_memory_twice and bytes / 2 or bytes
      if not driver.of(device.get(0)).tells_no_local_memory then
        assert.is_true(counted >= 64 and counted <= 68, tostring(bytes)) -- NVIDIA adds 4 bytes
      end
      assert.is_true(mql5.CLGetInfoInteger(kernel, mql5.CL_KERNEL_PRIVATE_MEM_SIZE) >= 0)
    end)

    it("refuses handles of another kind, stale handles and other numbers", function()
      local function refused(handle, property, pattern, code)
        local value, message = mql5.CLGetInfoInteger(handle, mql5[property])
        assert.equal(-1, value)
        assert_failed(code or "ERR_OPENCL_INVALID_HANDLE", pattern, message)
      end
      refused(context, "CL_BUFFER_SIZE", "CL_BUFFER_SIZE needs a buffer, but %d+ is a context")
      refused(buffer, "CL_KERNEL_WORK_GROUP_SIZE", "CL_KERNEL_WORK_GROUP_SIZE needs a kernel, but %d+ is a buffer")
      refused(0, "CL_KERNEL_LOCAL_MEM_SIZE", "0 is not a kernel: handles are 65536 or more")
      refused(-1, "CL_BUFFER_SIZE", "%-1 is not a buffer[^:]*: the call that should have made it failed")
      local stale = mql5.CLBufferCreate(context, 4, mql5.CL_MEM_READ_WRITE)
      mql5.CLBufferFree(stale)
      refused(stale, "CL_BUFFER_SIZE", "buffer %d+ was freed")
      refused(stale, "CL_DEVICE_TYPE", tostring(stale))
      refused(-1, "CL_DEVICE_TYPE", "%-1")
      refused(99, "CL_DEVICE_TYPE", "99", "ERR_OPENCL_SELECTDEVICE")
      refused(0.5, "CL_DEVICE_TYPE", "handle 0.5 is not a whole number")
    end)

    it("refuses a property that belongs to another function, and names that function", function()
      local function refused(property, pattern)
        local value, message = mql5.CLGetInfoInteger(0, property)
        assert.equal(-1, value)
        assert_failed("ERR_INVALID_PARAMETER", pattern, message)
      end
      refused(mql5.CL_DEVICE_NAME, "ask CLGetInfoString for CL_DEVICE_NAME")
      refused(mql5.CL_PLATFORM_NAME, "ask CLGetInfoString for CL_PLATFORM_NAME")
      refused(0x1005, "ask CLGetDeviceInfo for CL_DEVICE_MAX_WORK_ITEM_SIZES")
      refused(1, "1 is none of CLGetInfoInteger's properties, such as CL_DEVICE_MAX_COMPUTE_UNITS")
    end)

    it("raises for a wrong type", function()
      assert.error_matches(function() mql5.CLGetInfoInteger("0", mql5.CL_DEVICE_TYPE) end,
        'CLGetInfoInteger: handle must be a handle, got "0"')
      assert.error_matches(function() mql5.CLGetInfoInteger(0) end,
        "CLGetInfoInteger: property must be a constant such as CL_DEVICE_MAX_COMPUTE_UNITS, got nil")
      assert.error_matches(function() mql5.CLGetInfoString(0, "CL_DEVICE_NAME") end,
        'CLGetInfoString: property must be a constant such as CL_DEVICE_NAME, got "CL_DEVICE_NAME"')
    end)
  end)

  describe("the last error of OpenCL", function()
    it("is OpenCL's code, has a description, and is not reset with MQL5's", function()
      mql5.CLSetKernelArg(kernel, 7, 1)
      local code = mql5.CLGetInfoInteger(0, mql5.CL_LAST_ERROR)
      assert.equal(-49, code)
      assert.same({true, "CL_INVALID_ARG_INDEX"}, {mql5.CLGetInfoString(code, mql5.CL_ERROR_DESCRIPTION)})
      assert.same({true, "CL_INVALID_ARG_INDEX"},
        {mql5.CLGetInfoString(mql5.CL_LAST_ERROR, mql5.CL_ERROR_DESCRIPTION)})
      mql5.ResetLastError()
      assert.equal(-49, mql5.CLGetInfoInteger(0, mql5.CL_LAST_ERROR))
    end)

    it("is not changed by a query that a driver does not answer", function()
      mql5.CLSetKernelArg(kernel, 7, 1)
      local _ = device.get(0).no_such_property
      for _ in pairs(device.get(0):properties()) do _ = nil end
      assert.equal(-49, mql5.CLGetInfoInteger(0, mql5.CL_LAST_ERROR))
    end)

    it("is described by its name, or as unknown", function()
      assert.same({true, "CL_SUCCESS"}, {mql5.CLGetInfoString(0, mql5.CL_ERROR_DESCRIPTION)})
      assert.same({true, "CL_INVALID_WORK_GROUP_SIZE"}, {mql5.CLGetInfoString(-54, mql5.CL_ERROR_DESCRIPTION)})
      assert.same({true, "unknown OpenCL error -777"}, {mql5.CLGetInfoString(-777, mql5.CL_ERROR_DESCRIPTION)})
      assert.equal(0, mql5.GetLastError())
    end)

    it("is not described for a handle in place of a code", function()
      local done, text, message = mql5.CLGetInfoString(context, mql5.CL_ERROR_DESCRIPTION)
      assert.same({false, ""}, {done, text})
      assert_failed("ERR_INVALID_PARAMETER", "is a handle, not an error code: give CL_LAST_ERROR", message)
    end)
  end)

  describe("CLGetInfoString", function()
    it("gives the texts of the device and its platform, for an ordinal and for any handle", function()
      local first = device.get(0)
      local kind = 0
      for word in first.type:gmatch "%a+" do kind = kind + mql5["CL_DEVICE_" .. word:upper()] end
      local expected = {
        CL_PLATFORM_NAME = first.platform.name,
        CL_PLATFORM_PROFILE = first.platform.profile,
        CL_PLATFORM_VERSION = first.platform.version,
        CL_PLATFORM_VENDOR = first.platform.vendor,
        CL_PLATFORM_EXTENSIONS = first.platform.extensions,
        CL_DEVICE_NAME = first.name,
        CL_DEVICE_VENDOR = first.vendor,
        CL_DEVICE_PROFILE = first.profile,
        CL_DEVICE_VERSION = first.version,
        CL_DEVICE_EXTENSIONS = first.extensions,
        CL_DEVICE_BUILT_IN_KERNELS = first.built_in_kernels,
        CL_DEVICE_OPENCL_C_VERSION = first.opencl_c_version,
        CL_DRIVER_VERSION = first.driver_version,
      }
      for _, handle in ipairs {0, context, kernel} do
        for name, value in pairs(expected) do
          assert.same({true, value}, {mql5.CLGetInfoString(handle, mql5[name])}, name)
        end
      end
    end)

    it("fails with an empty text and the reason", function()
      local function refused(handle, property, code, pattern)
        local done, text, message = mql5.CLGetInfoString(handle, property)
        assert.same({false, ""}, {done, text})
        assert_failed(code, pattern, message)
      end
      refused(70000, mql5.CL_DEVICE_NAME, "ERR_OPENCL_INVALID_HANDLE", "70000")
      refused(70000, mql5.CL_PLATFORM_NAME, "ERR_OPENCL_INVALID_HANDLE", "70000")
      refused(99, mql5.CL_DEVICE_NAME, "ERR_OPENCL_SELECTDEVICE", "99")
      refused(0, mql5.CL_BUFFER_SIZE, "ERR_INVALID_PARAMETER", "ask CLGetInfoInteger for CL_BUFFER_SIZE")
      refused(0, 0x1004, "ERR_INVALID_PARAMETER", "ask CLGetInfoInteger for CL_DEVICE_MAX_WORK_GROUP_SIZE")
    end)

    it("raises if a variable is passed for the text", function()
      assert.error_matches(function() mql5.CLGetInfoString(0, mql5.CL_DEVICE_NAME, "") end,
        'CLGetInfoString: argument #3 must be left out, got ""; the text is the second result: '
          .. 'ok, text = %.%.%.')
    end)
  end)

  describe("CLGetDeviceInfo", function()
    local function number(data)
      local value = 0
      for i = #data - 1, 0, -1 do value = value * 256 + data[i] end
      return value
    end

    it("puts the bytes of any property into a uchar array, by MQL5's name or OpenCL's number", function()
      for _, id in ipairs {mql5.CL_DEVICE_MAX_COMPUTE_UNITS, 0x1002} do
        local data = array.uchar(0)
        assert.same({true, 4}, {mql5.CLGetDeviceInfo(0, id, data)})
        assert.equal(4, #data)
        assert.equal(device.get(0).max_compute_units, number(data))
      end
      local data = array.uchar(3)
      assert.same({true, 24}, {mql5.CLGetDeviceInfo(context, mql5.CL_DEVICE_MAX_WORK_ITEM_SIZES, data)})
      assert.equal(24, #data)
    end)

    it("keeps the size of an array that has room, such as MQL5's uchar data[1024]", function()
      local texts = {VENDOR = "vendor", NAME = "name", VERSION = "version", PROFILE = "profile",
        OPENCL_C_VERSION = "opencl_c_version", EXTENSIONS = "extensions"}
      local data = array.uchar(8192, 7)
      for property, name in pairs(texts) do
        local expected = binding.device_bytes(0, mql5["CL_DEVICE_" .. property])
        local done, size = mql5.CLGetDeviceInfo(kernel, mql5["CL_DEVICE_" .. property], data)
        assert.same({true, #expected, 8192, 7}, {done, size, #data, data[8191]}, property)
        assert.equal(expected, binding.array_bytes(data, 0, size))
        local text = mql5.CharArrayToString(data):gsub("^%s+", ""):gsub("%s+$", "")
        assert.equal(device.get(0)[name], text)
      end
      assert.is_true((mql5.CLGetDeviceInfo(0, mql5.CL_DRIVER_VERSION, data)))
      assert.equal(device.get(0).driver_version, mql5.CharArrayToString(data))
    end)

    it("fails if the bytes do not fit into an array that cannot grow", function()
      local queue = require("clue").context(0):queue()
      local small = queue.context:buffer(2)
      local data = queue:map_buffer(small, "uchar")
      local done, size, message = mql5.CLGetDeviceInfo(0, 0x1002, data)
      assert.same({false, 0, 2}, {done, size, #data})
      assert_failed("ERR_INVALID_PARAMETER", "the property has 4 bytes, data only 2, and it cannot grow", message)
      queue:unmap(data)
      queue:close()
      small:close()
      queue.context:close()
    end)

    it("knows all of MQL5's 75 numbers, and says which of them the driver does not know", function()
      local known = 0
      for id = 0x1000, 0x104B do
        local data = array.uchar(0)
        local done, size, message = mql5.CLGetDeviceInfo(0, id, data)
        assert.equal(done, message == nil)
        assert.equal(size, #data)
        if done then assert.equal(binding.device_bytes(0, id), binding.array_bytes(data, 0, size)) end
        if done then known = known + 1 else assert_failed("ERR_OPENCL_INTERNAL", "CL_INVALID_VALUE", message) end
      end
      assert.is_true(known > 60, tostring(known))
    end)

    it("refuses properties of other objects, and names the function for them", function()
      local data = array.uchar(2)
      local function refused(id, pattern)
        local done, size, message = mql5.CLGetDeviceInfo(0, id, data)
        assert.same({false, 0, 2}, {done, size, #data})
        assert_failed("ERR_INVALID_PARAMETER", pattern, message)
      end
      refused(mql5.CL_PLATFORM_NAME, "CL_PLATFORM_NAME is not a property of a device: ask CLGetInfoString for it")
      refused(mql5.CL_KERNEL_WORK_GROUP_SIZE, "is not a property of a device: ask CLGetInfoInteger for it")
      refused(mql5.CL_LAST_ERROR, "CL_LAST_ERROR is not a property of a device: ask CLGetInfoInteger for it")
      refused(5, "5 is not a number of a device's property: those are 0x1000 to 0x4FFF")
      refused(0x9999, "39321 is not a number of a device's property: those are 0x1000 to 0x4FFF")
    end)

    it("refuses stale handles and ordinals without a device", function()
      local data = array.uchar(0)
      local done, size, message = mql5.CLGetDeviceInfo(70000, 0x1002, data)
      assert.same({false, 0}, {done, size})
      assert_failed("ERR_OPENCL_INVALID_HANDLE", "70000", message)
      message = select(3, mql5.CLGetDeviceInfo(99, 0x1042, data))
      assert_failed("ERR_OPENCL_SELECTDEVICE", "99", message)
      done, size, message = mql5.CLGetDeviceInfo(0.5, 0x1002, data)
      assert.same({false, 0}, {done, size})
      assert_failed("ERR_OPENCL_INVALID_HANDLE", "handle 0.5 is not a whole number", message)
    end)

    it("raises for an array of another type and for a fourth argument", function()
      assert.error_matches(function() mql5.CLGetDeviceInfo(0, 0x1002, array.int(1)) end,
        "CLGetDeviceInfo: data must be a uchar array, got an int array; array%.uchar%(0%) makes one")
      assert.error_matches(function() mql5.CLGetDeviceInfo(0, 0x1002, {}) end,
        "CLGetDeviceInfo: data must be an array, got a table; array%.float{%.%.%.} makes one of a Lua table")
      assert.error_matches(function() mql5.CLGetDeviceInfo(0, 0x1002, array.uchar(1), 0) end,
        "the size is the second result")
    end)
  end)

  it("have constants with OpenCL's numbers, each with one meaning and below all handles", function()
    local headers = require "opencl_headers"
    local found = headers.read()
    local seen, own, count = {}, {CL_DEVICE_COUNT = true, CL_LAST_ERROR = true, CL_ERROR_DESCRIPTION = true}, 0
    for name, value in pairs(require("clue.mql5.properties").names) do
      assert.is_true(value >= 0x0900 and value < 65536, name)
      if name ~= "CL_DEVICE_QUEUE_PROPERTIES" then
        assert.is_nil(seen[value], name)
        seen[value] = name
      end
      if own[name] then assert.is_true(value > 0x4FFF, name) end
      local opencl = name == "CL_BUFFER_SIZE" and "CL_MEM_SIZE" or name
      if not own[name] then assert.equal(headers.value(found, opencl), value, name) end
      count = count + 1
    end
    for number = 0x1000, 0x104B do assert.is_string(seen[number], ("0x%04X has no name"):format(number)) end
    assert.is_true(count > 80, count)
  end)
end)
