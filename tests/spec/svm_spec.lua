-- Shared virtual memory in the object layer.
-- suite: quick
-- process: shared bindings threads
-- drivers: pocl oclgrind

local cl = require "clue"
local objects = require "objects"

local array, refusal = cl.array, objects.refusal

local context, queue = objects.context()
local capabilities = {}
for _, name in ipairs(context.device.svm_capabilities or {}) do capabilities[name] = true end

-- Ends a test on a device that lacks the capability.
local function needs(name)
  if not capabilities[name] then
    pending(("%s has no %s in its CL_DEVICE_SVM_CAPABILITIES"):format(context.device.name, name))
  end
end

local function contents(svm)
  local read = array.float(svm.size / 4)
  queue:read_svm(svm, read)
  return read:table()
end

describe("shared virtual memory", function()
  it("is refused if the device has none, and the message names the property", function()
    if capabilities.coarse_grain_buffer then pending "the device has it" end
    assert.matches("^clSVMAlloc: CL_INVALID_OPERATION %(%-59%): .* has no shared virtual memory "
      .. "%(CL_DEVICE_SVM_CAPABILITIES is 0x0%): use buffers$", refusal(context.svm, context, 16))
  end)

  it("is an argument like a buffer, and can begin at any offset", function()
    needs "coarse_grain_buffer"
    local x = context:svm(array.float {1, 2, 3, 4})
    assert.same({16, context, false, false}, {x.size, x.context, x.fine_grained, x.atomics})
    assert.equal(("svm %d: 16 bytes, coarse-grained"):format(x.handle), tostring(x))
    local add = context:program((require "kernels")):kernel "add"
    add(queue, 4, nil, x, 10)
    add(queue, 2, nil, x:at(8), 100)
    assert.same({11, 12, 113, 114}, contents(x))
    assert.equal(tostring(x) .. " at 8", tostring(x:at(8)))
    assert.matches("clSetKernelArgSVMPointer: .* offset 16 is outside the svm of 16 bytes",
      refusal(add, queue, 1, nil, x:at(16), 1))
    assert.matches("argument 1 'by' of kernel 'add' is float: it takes a value", refusal(add, queue, 1, nil, x, x))
    assert.equal("svm:at: offset must be a whole number, got 0.5", refusal(x.at, x, 0.5))
  end)

  it("is mapped for the host, and kernels cannot use it meanwhile", function()
    needs "coarse_grain_buffer"
    local x = context:svm(16)
    local mapped = queue:map_svm(x, "float", "write_invalidate_region")
    mapped:fill(5)
    local add = context:program((require "kernels")):kernel "add"
    assert.matches("argument 0 'x' of kernel 'add' is svm %d+, which is mapped for writing by the host: unmap it first",
      refusal(add, queue, 4, nil, x, 1))
    assert.matches("is mapped: it keeps its size until queue:unmap", select(2, pcall(mapped.resize, mapped, 8)))
    queue:unmap(mapped)
    assert.equal("float[unmapped]", tostring(mapped))
    add(queue, 4, nil, x, 1)
    local part = queue:map_svm(x, "float", "read", {offset = 8, count = 1})
    assert.same({6}, part:table())
    assert.equal("queue:map_svm: offset 2 is not a multiple of 4, the bytes of float",
      refusal(queue.map_svm, queue, x, "float", "read", {offset = 2}))
    assert.equal('queue:map_svm: there is no type "real"; there are char, double, float, half, int, long, '
      .. 'short, uchar, uint, ulong, ushort',
      refusal(queue.map_svm, queue, x, "real"))
    assert.matches("is coarse%-grained, so the host may touch it only while it is mapped", refusal(x.array, x, "float"))
  end)

  it("is written, read, copied, filled and migrated like buffers", function()
    needs "coarse_grain_buffer"
    local x, y = context:svm(16), context:svm(array.float {1, 2, 3, 4})
    assert.equal("a fill of shared virtual memory", tostring(queue:fill_svm(x, 7, "float")):match ": (.*)")
    queue:copy_svm(y, x, {from_offset = 4, to_offset = 8, size = 8})
    assert.same({7, 7, 2, 3}, contents(x))
    assert.equal(queue, queue:write_svm(x, array.float {20, 21, 22}, {offset = 4, first = 1, count = 2}))
    assert.same({7, 21, 22, 3}, contents(x))
    local numbers = array.float(2)
    queue:after(queue:migrate(x, y)):read_svm(x, numbers, {offset = 4, blocking = false}):wait()
    assert.same({21, 22}, numbers:table())
    assert.matches("clEnqueueSVMMemcpy: CL_MEM_COPY_OVERLAP",
      refusal(queue.copy_svm, queue, x, x, {to_offset = 4, size = 8}))
    assert.matches("clEnqueueSVMMemFill: .* is too much for the svm of 16 bytes",
      refusal(queue.fill_svm, queue, x, cl.float(1), {size = 20}))
    assert.equal("queue:copy_svm: from must be shared virtual memory, got a buffer",
      refusal(queue.copy_svm, queue, context:buffer(16), x))
    assert.equal("queue:migrate: migrate shared virtual memory in a call of its own, without buffers and "
      .. "images", refusal(queue.migrate, queue, x, context:buffer(16)))
  end)

  it("can contain pointers that kernels follow, and a kernel keeps what they lead to", function()
    needs "coarse_grain_buffer"
    local walk = context:program [[
      typedef struct node { global struct node *next; ulong number; } node;
      kernel void walk(global node *at, global int *found) {
        for (*found = 0; at; at = at->next) *found += at->number;
      }]]:kernel "walk"
    local last = context:svm(array.ulong {0, 3})
    local first = context:svm(64)
    local nodes = queue:map_svm(first, "ulong", "write")
    nodes[0], nodes[1] = first.pointer + 32, 100
    nodes[4], nodes[5] = last.pointer, 20
    queue:unmap(nodes)
    local found = context:svm(4)
    assert.equal(walk, walk:set_svm_pointers(last))
    last = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    walk(queue, 1, nil, first, found)
    assert.equal(123, queue:map_svm(found, "int", "read")[0])
    walk(queue, 1, nil, first:at(32), first:at(48))
    assert.equal(23, queue:map_svm(first, "int", "read")[12])
    assert.matches("clSetKernelExecInfo: .* a list of 0: OpenCL can replace the list of what kernel 'walk' reaches",
      refusal(walk.set_svm_pointers, walk))
    assert.equal('kernel:set_svm_pointers: argument 2 must be shared virtual memory, got "last"',
      refusal(walk.set_svm_pointers, walk, {first, "last"}))
    local closed = context:svm(4)
    walk:set_svm_pointers {first, closed}
    closed:close()
    assert.matches("kernel 'walk' reaches shared virtual memory of 4 bytes that was freed",
      refusal(walk, queue, 1, nil, first, found))
  end)

  it("may be closed while a kernel uses it", function()
    needs "coarse_grain_buffer"
    local add = context:program((require "kernels")):kernel "add"
    local x, y = context:svm(array.float(65536)), context:svm(65536 * 4)
    local done = add(queue, 65536, nil, x, 1)
    local copied = queue:after(done):copy_svm(x, y)
    x:close()
    assert.equal("svm (closed)", tostring(x))
    copied:wait()
    local read = array.float(65536)
    queue:read_svm(y, read)
    assert.equal(65536, read:sum())
  end)

  it("is an object like the others", function()
    needs "coarse_grain_buffer"
    local x = context:svm(16, {"read_only"})
    assert.is_true(cl.wrap(x.handle) == x)
    assert.equal("number", type(x.pointer))
    assert.matches("^clSVMAlloc: CL_INVALID_BUFFER_SIZE %(%-61%): shared virtual memory of 0 bytes",
      refusal(context.svm, context, 0))
    assert.equal('context:svm: there is no flag "use_host_ptr"; there are read_only, read_write, '
      .. 'svm_atomics, svm_fine_grain_buffer, write_only', refusal(context.svm, context, 16, "use_host_ptr"))
    assert.matches("CL_MEM_SVM_ATOMICS also needs CL_MEM_SVM_FINE_GRAIN_BUFFER",
      refusal(context.svm, context, 16, "svm_atomics"))
    assert.equal("context:svm: size must be a whole number of bytes, or an array, got 0.5",
      refusal(context.svm, context, 0.5))
    assert.equal("context:svm: size must be a whole number of bytes, or an array, got a buffer",
      refusal(context.svm, context, context:buffer(4)))
    local handle = x.handle
    x = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_nil(require("clue.binding").handle_kind(handle))
  end)

  it("can be wrapped", function()
    needs "coarse_grain_buffer"
    local binding = require "clue.binding"
    local handle = binding.svm_create(context.handle, 32, 1)
    local x = cl.wrap(handle)
    assert.same({32, context, false}, {x.size, x.context, x.fine_grained})
    x:close()
    assert.is_nil(binding.handle_kind(handle))
  end)
end)

describe("fine-grained shared virtual memory", function()
  it("can be used by host and device without mapping", function()
    needs "fine_grain_buffer"
    local x = context:svm(16, "svm_fine_grain_buffer")
    assert.equal(("svm %d: 16 bytes, fine-grained"):format(x.handle), tostring(x))
    local numbers = x:array "float"
    numbers:fill(1)
    local add = context:program((require "kernels")):kernel "add"
    add(queue, 4, nil, x, 1):wait()
    assert.same({2, 2, 2, 2}, numbers:table())
    assert.same({2}, x:array("float", {offset = 8, count = 1}):table())
    local mapped = queue:map_svm(x, "float")
    add(queue, 4, nil, x, 1):wait()
    assert.same({3, 3, 3, 3}, numbers:table())
    queue:unmap(mapped):unmap(numbers)
    assert.equal("float[unmapped]", tostring(numbers))
    assert.matches("is too much for the svm of 16 bytes", refusal(x.array, x, "float", {count = 5}))
  end)

  it("lives as long as an array over it", function()
    needs "fine_grain_buffer"
    local numbers = context:svm(array.int {7}, "svm_fine_grain_buffer"):array "int"
    collectgarbage()
    collectgarbage()
    assert.equal(7, numbers[0])
    numbers[0] = 8
    assert.equal(8, numbers[0])
  end)

  it("has atomics if the device has them", function()
    needs "atomics"
    local x = context:svm(array.int {0}, {"svm_fine_grain_buffer", "svm_atomics"})
    assert.equal(("svm %d: 4 bytes, fine-grained with atomics"):format(x.handle), tostring(x))
    local count = context:program "kernel void count(volatile global int *x) { atomic_inc(x); }":kernel "count"
    count(queue, 1000, nil, x):wait()
    assert.equal(1000, x:array "int"[0])
  end)
end)
