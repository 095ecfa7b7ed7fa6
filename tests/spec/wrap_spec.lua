-- cl.wrap: objects of handles, such as MQL5's functions give.
-- suite: quick
-- process: shared bindings
-- drivers: pocl

local cl = require "clue"
local binding = require "clue.binding"
local mql5 = require "clue.mql5"
local objects = require "objects"

local array, refusal = cl.array, objects.refusal

local context, program, kernel, buffer -- handles

setup(function()
  require("clue.options").quiet = true -- without the line that names the device
  context = mql5.CLContextCreate(mql5.CL_USE_ANY)
  program = mql5.CLProgramCreate(context, "kernel void scale(global float *x, float by) { x[get_global_id(0)] *= by; }")
  kernel = mql5.CLKernelCreate(program, "scale")
  buffer = mql5.CLBufferCreate(context, 16, mql5.CL_MEM_READ_WRITE)
  mql5.CLBufferWrite(buffer, array.float {1, 2, 3, 4})
end)

teardown(function()
  mql5.CLBufferFree(buffer)
  mql5.CLKernelFree(kernel)
  mql5.CLProgramFree(program)
  mql5.CLContextFree(context)
end)

describe("a wrapped handle", function()
  it("is an object that knows the objects it was made from", function()
    local wrapped = cl.wrap(kernel)
    assert.equal(("kernel %d: scale"):format(kernel), tostring(wrapped))
    assert.same({"scale", program, context}, {wrapped.name, wrapped.program.handle, wrapped.program.context.handle})
    assert.same({"scale"}, wrapped.program.kernels)
    assert.equal(cl.device.get(context), cl.wrap(context).device)
    assert.same({16, context}, {cl.wrap(buffer).size, cl.wrap(buffer).context.handle})
    assert.equal(cl.wrap(buffer), cl.wrap(buffer))
  end)

  it("works like other objects", function()
    local queue, x = cl.wrap(context):queue(), cl.wrap(buffer)
    local event = cl.wrap(kernel)(queue, 4, nil, x, 10)
    assert.is_true(event:wait():time() >= 0)
    local read = array.float(4)
    queue:read_buffer(x, read)
    assert.same({10, 20, 30, 40}, read:table())
    mql5.CLBufferWrite(buffer, array.float {1, 2, 3, 4})
  end)

  it("that is a queue has a device, so its arrays compute", function()
    local own = cl.wrap(context):own_queue()
    for _, queue in ipairs {own, cl.wrap(own.handle)} do
      assert.equal(cl.device.get(context), queue.device)
      assert.same({3.5}, (queue:array(array.int {7}):to "float" / 2):read():table())
      assert.same({"float", 3.5}, {(queue:array(array.short {7}) / 2):type(), (queue:array(array.short {7}) / 2):sum()})
    end
  end)

  it("stays valid when its object is collected, and is freed by close()", function()
    local made = mql5.CLBufferCreate(context, 4, mql5.CL_MEM_READ_WRITE)
    do
      local wrapped = cl.wrap(made)
      assert.equal(4, wrapped.size)
    end
    collectgarbage()
    collectgarbage()
    assert.equal("buffer", binding.handle_kind(made))
    cl.wrap(made):close()
    assert.is_nil(binding.handle_kind(made))
  end)

  it("gives the object that owns it, if there is one", function()
    local owned = cl.wrap(context):buffer(8)
    assert.is_true(rawequal(owned, cl.wrap(owned.handle)))
    assert.is_true(rawequal(owned, cl.wrap(owned)))
  end)

  it("may be that of a sub-buffer or an image", function()
    local whole = cl.wrap(buffer)
    local part = assert(binding.buffer_create_sub(buffer, 0, 0, 8))
    local wrapped = cl.wrap(part)
    assert.same({8, 0, buffer, context},
      {wrapped.size, wrapped.offset, wrapped.parent.handle, wrapped.context.handle})
    assert.equal(whole, wrapped.parent)
    wrapped:close()
    local image = cl.wrap(context):image {width = 3, array_size = 2, order = "rgba", channel = "unorm_int8"}
    local other = cl.wrap(assert(binding.image_create(context, 1, 0x10F5, 0x10B5, 0x10D2, 3, 0, 0, 2, 0, 0)))
    for _, name in ipairs {"type", "width", "height", "depth", "array_size", "order", "channel", "size"} do
      assert.equal(image[name], other[name], name)
    end
    other:close()
  end)

  it("is refused if it is not a handle or has no object", function()
    local freed = mql5.CLBufferCreate(context, 4, mql5.CL_MEM_READ_WRITE)
    mql5.CLBufferFree(freed)
    assert.matches("buffer %d+ was freed", refusal(cl.wrap, freed))
    assert.matches("%-1 is not a handle", refusal(cl.wrap, -1))
    assert.equal('cl.wrap: handle must be a handle or an object, got "x"', refusal(cl.wrap, "x"))
    assert.equal("cl.wrap: handle must be a handle or an object, got 0.5", refusal(cl.wrap, 0.5))
    local queue = cl.wrap(context):queue()
    local mapped = queue:map_buffer(cl.wrap(buffer), "float", "read")
    local mapping
    local handle = binding.handle_next(0)
    while handle do
      if binding.handle_kind(handle) == "mapping" then mapping = handle end
      handle = binding.handle_next(handle)
    end
    assert.equal("cl.wrap: a handle of kind mapping has no object", refusal(cl.wrap, mapping))
    queue:unmap(mapped)
  end)
end)

describe("a context's own queue", function()
  it("is the queue of MQL5's functions", function()
    local queue = cl.wrap(context):own_queue()
    assert.equal(("queue %d"):format(queue.handle), tostring(queue))
    assert.equal(queue, cl.wrap(context):own_queue())
    assert.equal(context, queue.context.handle)
    mql5.CLSetKernelArgMem(kernel, 0, buffer)
    mql5.CLSetKernelArg(kernel, 1, 2)
    mql5.CLExecute(kernel, 1, {0}, {4})
    queue:finish()
    assert.equal(0, (binding.kernel_status(kernel)))
    local read = array.float(4)
    queue:read_buffer(cl.wrap(buffer), read)
    assert.same({2, 4, 6, 8}, read:table())
    queue:fill_buffer(cl.wrap(buffer), cl.float(0)):wait()
  end)

  it("is freed with its context, and not before", function()
    local made = cl.context(cl.device.get(0))
    local queue = made:own_queue()
    local handle = queue.handle
    queue:close()
    assert.is_nil(binding.handle_kind(handle))
    queue = made:own_queue()
    queue:finish()
    handle = queue.handle
    made:close()
    assert.is_nil(binding.handle_kind(handle))
    assert.matches("queue %d+ was freed", refusal(queue.finish, queue))
  end)
end)
