-- CLExecute and CLExecutionStatus.
-- suite: quick
-- process: shared bindings
-- drivers: pocl

local binding = require "clue.binding"
local device = require "clue.device"
local driver = require "driver"
local handles = require("handles").from_here()
local mql5 = require "clue.mql5"
local unpack = rawget(table, "unpack") or rawget(_G, "unpack")
local options = require "clue.options"

local source = [[
__kernel void mark(__global int *out) {
  size_t width = get_global_size(0), height = get_global_size(1);
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  out[(z * height + y) * width + x] = 100 * get_global_id(2) + 10 * get_global_id(1) + get_global_id(0) + 1;
}
__kernel void slow(__global float *out) {
  float x = 0;
  for (int i = 0; i < 60000; i++) x = x * 0.5f + 1;
  out[get_global_id(0)] = x;
}
]]

describe("CLExecute", function()
  local context, program, kernel, buffer
  local data = mql5.array.int(24)

  setup(function()
    options.quiet = true
    context = mql5.CLContextCreate(0)
    program = mql5.CLProgramCreate(context, source)
    kernel = mql5.CLKernelCreate(program, "mark")
    buffer = mql5.CLBufferCreate(context, data:bytes(), mql5.CL_MEM_READ_WRITE)
    mql5.CLSetKernelArgMem(kernel, 0, buffer)
  end)
  teardown(function()
    mql5.CLBufferFree(buffer)
    mql5.CLKernelFree(kernel)
    mql5.CLProgramFree(program)
    mql5.CLContextFree(context)
    options.quiet = false
    assert.equal(0, handles.count())
  end)
  before_each(function()
    mql5.ResetLastError()
    mql5.CLBufferWrite(buffer, data:fill(0))
  end)

  local function result(count)
    mql5.CLBufferRead(buffer, data)
    return data:copy(0, count):table()
  end

  local function assert_fails(code, pattern, done, message)
    assert.is_false(done)
    assert.equal(code, mql5.GetLastError())
    assert.truthy(message:find(pattern, 1, true), message)
  end

  it("runs one work-item without a range", function()
    assert.is_true(mql5.CLExecute(kernel))
    assert.same({1, 0}, result(2))
  end)

  it("runs ranges of one to three dimensions, with an offset", function()
    assert.is_true(mql5.CLExecute(kernel, 1, {3}, {4}))
    assert.same({4, 5, 6, 7, 0}, result(5))
    assert.is_true(mql5.CLExecute(kernel, 2, {0, 2}, {3, 2}))
    assert.same({21, 22, 23, 31, 32, 33}, result(6))
    assert.is_true(mql5.CLExecute(kernel, 3, {0, 0, 1}, {1, 2, 2}, {1, 2, 1}))
    assert.same({101, 111, 201, 211}, result(4))
  end)

  it("takes arrays of any type for the range, and reads only as many elements as dimensions", function()
    local array = mql5.array
    assert.is_true(mql5.CLExecute(kernel, 1, array.uint {1, 9}, array.double {2, 9}, array.long {2, 9, 9}))
    assert.same({2, 3, 0}, result(3))
  end)

  it("treats an explicit nil as no local size", function()
    assert.is_true(mql5.CLExecute(kernel, 1, {0}, {3}, nil))
  end)

  it("names both numbers when the local size does not divide the global size", function()
    local done, message = mql5.CLExecute(kernel, 1, {0}, {24}, {7})
    assert_fails(5109, "error 5109 (CL_INVALID_WORK_GROUP_SIZE): local size 7 does not divide "
      .. "global size 24", done, message)
  end)

  it("names the argument that was never set", function()
    local fresh = mql5.CLKernelCreate(program, "mark")
    assert_fails(5109, "argument 0 'out' of kernel 'mark' was never set", mql5.CLExecute(fresh))
    mql5.CLKernelFree(fresh)
  end)

  it("refuses by name a kernel whose buffer was freed", function()
    local fresh = mql5.CLKernelCreate(program, "mark")
    local gone = mql5.CLBufferCreate(context, 4, mql5.CL_MEM_READ_WRITE)
    mql5.CLSetKernelArgMem(fresh, 0, gone)
    mql5.CLBufferFree(gone)
    assert_fails(5102, "argument 0 'out'", mql5.CLExecute(fresh))
    mql5.CLKernelFree(fresh)
  end)

  it("refuses impossible dimensions, sizes and offsets", function()
    assert_fails(4003, "work_dim must be 1 to 3, not 0", mql5.CLExecute(kernel, 0, {0}, {1}))
    assert_fails(4003, "work_dim must be 1 to 3, not 4", mql5.CLExecute(kernel, 4, {0}, {1}))
    assert_fails(4003, "global_work_size has 1 element, but work_dim is 2", mql5.CLExecute(kernel, 2, {0, 0}, {1}))
    assert_fails(4003, "global_work_size 2.5 is not a whole number", mql5.CLExecute(kernel, 1, {0}, {2.5}))
    assert_fails(4003, "local_work_size has 0 elements, but work_dim is 1", mql5.CLExecute(kernel, 1, {0}, {2}, {}))
    assert_fails(5109, "global size 0", mql5.CLExecute(kernel, 1, {0}, {0}))
    assert_fails(5109, "global size -1", mql5.CLExecute(kernel, 1, {0}, {-1}))
    assert_fails(5109, "offset -1", mql5.CLExecute(kernel, 1, {-1}, {1}))
    assert_fails(5109, "local size 0", mql5.CLExecute(kernel, 1, {0}, {2}, {0}))
    assert_fails(5102, "CLExecute: ", mql5.CLExecute(-1))
    assert_fails(5102, "CLExecute: ", mql5.CLExecute(buffer, 1, {0}, {2}))
  end)

  it("refuses a Lua table that counts from 0 as MQL5's arrays do", function()
    assert_fails(4003, "global_work_size has an element 0: a Lua table counts from 1",
      mql5.CLExecute(kernel, 1, {0}, {[0] = 4, 2}))
    assert_fails(4003, "a Lua table counts from 1", mql5.CLExecute(kernel, 1, {[0] = 0}, {4}))
    assert_fails(4003, "local_work_size has an element 0", mql5.CLExecute(kernel, 1, {0}, {4}, {[0] = 2, 4}))
  end)

  it("raises for wrong Lua types", function()
    local function assert_raises(text, ...)
      local given = {n = select("#", ...), ...}
      local done, problem = pcall(function() mql5.CLExecute(unpack(given, 1, given.n)) end)
      local message = tostring(problem)
      assert.is_false(done)
      assert.truthy(message:find(text, 1, true), message)
    end
    assert_raises("CLExecute: kernel must be a handle, got nil", nil)
    assert_raises("CLExecute: work_dim must be a number, got nil", kernel, nil)
    assert_raises("CLExecute: global_work_offset must be an array, got nil", kernel, 1)
    assert_raises("CLExecute: global_work_size must be an array, got 16; write {16}", kernel, 1, {0}, 16)
    assert_raises("CLExecute: element 1 of global_work_size must be a number, got \"16\"", kernel, 1, {0}, {"16"})
    assert_raises("CLExecute: global_work_size must be an array, got a buffer", kernel, 1, {0},
      require("clue").wrap(buffer))
  end)

  it("returns before the kernel is done, and CLBufferRead waits for it", function()
    local own = driver.of(device.get(0))
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    if own.status_waits then pending(own.status_waits) end
    local items = 64
    local slow = mql5.CLKernelCreate(program, "slow")
    local out = mql5.CLBufferCreate(context, 4 * items, mql5.CL_MEM_READ_WRITE)
    mql5.CLSetKernelArgMem(slow, 0, out)
    assert.equal(mql5.CL_COMPLETE, mql5.CLExecutionStatus(slow))
    local values = mql5.array.float(items)
    -- held back by a user event, so that it is not done before a busy machine looks
    local gate, queue = require("clue").wrap(context):user_event(), assert(binding.context_queue(context))
    assert(binding.queue_wait_for(queue, {gate.handle}))
    assert.is_true(mql5.CLExecute(slow, 1, {0}, {items}))
    local status, message = mql5.CLExecutionStatus(slow)
    assert.is_true(status == mql5.CL_RUNNING or status == mql5.CL_SUBMITTED or status == mql5.CL_QUEUED)
    assert.is_nil(message)
    assert.equal(0, mql5.GetLastError())
    gate:complete()
    assert.equal(items, mql5.CLBufferRead(out, values))
    for i = 0, items - 1 do assert.equal(2, values[i]) end
    assert.equal(mql5.CL_COMPLETE, mql5.CLExecutionStatus(slow))
    gate:close()
    binding.handle_free(queue)
    mql5.CLBufferFree(out)
    mql5.CLKernelFree(slow)
    local failed, why = mql5.CLExecutionStatus(slow)
    assert.equal(-1, failed)
    assert.is_string(why)
    assert.equal(5102, mql5.GetLastError())
  end)
end)
