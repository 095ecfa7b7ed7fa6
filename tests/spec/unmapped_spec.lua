-- An array after queue:unmap: its methods, all transfers and all other functions that take arrays refuse it as
-- unmapped.
-- suite: quick
-- process: shared bindings
-- drivers: pocl

local cl = require "clue"
local binding = require "clue.binding"
local mql5 = require "clue.mql5"
local objects = require "objects"
local options = require "clue.options"

local array, refusal = cl.array, objects.refusal

local context, queue = objects.context()
local buffer = context:buffer(array.float {1, 2, 3, 4})

local function unmapped()
  local mapped = queue:map_buffer(buffer, "float")
  mapped:reshape(2, 2)
  queue:unmap(mapped)
  return mapped
end

local refused_words = " must be an array, got an unmapped float array; queue:unmap released its memory; map it again$"
local words = "float%[unmapped%] has no elements: queue:unmap released its memory; map it again"

describe("an array that was unmapped", function()
  it("refuses every one of its methods", function()
    local a = unmapped()
    local refused = 0
    for name, method in pairs(array.methods()) do
      if name ~= "describe" then
        local done, problem = pcall(method, a, 1, 1, 1)
        assert.is_false(done, name)
        assert.matches(words, tostring(problem), nil, nil, name)
        refused = refused + 1
      end
    end
    assert.is_true(refused >= 18, refused)
  end)

  it("has no length and no elements, and is printed as unmapped", function()
    local a = unmapped()
    assert.error_matches(function() return #a end, words)
    assert.error_matches(function() return a[0] end, words)
    assert.error_matches(function() a[0] = 1 end, words)
    assert.equal("float[unmapped]", tostring(a))
    assert.equal("unmapped", binding.array_owner(a))
  end)

  it("is refused by methods of other arrays", function()
    local a = unmapped()
    assert.error_matches(function() array.float(4):compare(a) end, "array:compare: other" .. refused_words)
    assert.error_matches(function() array.float(4):copy_from(a) end, "array:copy_from: source" .. refused_words)
  end)

  it("is refused by every transfer, and by everything that makes memory objects from arrays", function()
    local a = unmapped()
    local function refused(name, parameter) return ("^%s: %s%s"):format(name, parameter, refused_words) end
    for _, name in ipairs {"write_buffer", "read_buffer"} do
      assert.matches(refused("queue:" .. name, "data"), refusal(queue[name], queue, buffer, a))
    end
    for _, name in ipairs {"write_buffer_rect", "read_buffer_rect"} do
      assert.matches(refused("queue:" .. name, "data"), refusal(queue[name], queue, buffer, a, {region = {4, 1,
        1}}))
    end
    assert.matches(refused("queue:fill_buffer", "with"), refusal(queue.fill_buffer, queue, buffer, a))
    assert.matches(refused("context:buffer", "size"), refusal(context.buffer, context, a))
    assert.matches(refused("context:buffer", "size"), refusal(context.buffer, context, a, "use_host_ptr"))
    assert.matches(refused("context:buffer", "size"), refusal(context.buffer, context, a, "copy_host_ptr"))
    assert.matches(refused("context:svm", "size"), refusal(context.svm, context, a))
    assert.equal("queue:unmap: the array is not mapped", refusal(queue.unmap, queue, a))
  end)

  it("is refused by images", function()
    if not context.device.image_support then pending "the device has no images" end
    local a, image = unmapped(), context:image {width = 2, height = 2, channel = "float", order = "r"}
    for _, name in ipairs {"write_image", "read_image"} do
      assert.matches(("^queue:%s: data%s"):format(name, refused_words), refusal(queue[name], queue, image, a))
    end
    assert.matches("host_ptr" .. refused_words, refusal(context.image, context, {width = 2, height = 2,
      order = "r", host_ptr = a,
      flags = "copy_host_ptr"}))
  end)

  it("is refused as the size of a range", function()
    local kernel = context:program "kernel void f(global float *x) { x[0] = 1; }":kernel "f"
    assert.matches("^kernel call: global size" .. refused_words, refusal(kernel, queue, unmapped(), nil, buffer))
    local done, problem = pcall(binding.kernel_execute, kernel.handle, 1, nil, unmapped())
    assert.is_false(done)
    assert.matches("bad argument #4 to 'kernel_execute' %(the array was unmapped%)", problem)
  end)

  it("is refused by MQL5's functions", function()
    local quiet, a = options.quiet, unmapped()
    options.quiet = true
    for name, call in pairs {
      CLBufferWrite = function() mql5.CLBufferWrite(buffer.handle, a) end,
      CLBufferRead = function() mql5.CLBufferRead(buffer.handle, a) end,
      ArraySize = function() mql5.ArraySize(a) end,
      CLExecute = function() mql5.CLExecute(1, 1, {0}, a) end,
    } do
      assert.error_matches(call, name .. ": [%l_]+" .. refused_words)
    end
    options.quiet = quiet
  end)

  it("is refused by functions that write files", function()
    local a = unmapped()
    assert.matches(words, refusal(cl.json.encode, {a}))
    assert.matches("samples" .. refused_words, refusal(cl.image_file.save, "/nowhere/a.png", a, 2, 2))
  end)

  it("is refused by the binding's functions", function()
    local a, live = unmapped(), array.float(4)
    local function refused(position, name, ...)
      local done, problem = pcall(binding[name], ...)
      assert.is_false(done, name)
      assert.equal(("bad argument #%d to '%s' (the array was unmapped)"):format(position, name),
        (tostring(problem):gsub("^.-:%d+: ", "")))
    end
    refused(1, "array_sum", a)
    refused(1, "array_extremes", a)
    refused(1, "array_resize", a, 3)
    refused(2, "array_compare", live, a, 0, 0)
    refused(3, "array_convert", live, 0, a, 0, 0)
    refused(2, "queue_unmap", queue.handle, a)
    refused(3, "buffer_write", buffer.handle, 0, a, 0, 0)
    refused(3, "buffer_read", buffer.handle, 0, a, 0, 0)
  end)

  it("is collected like any other", function()
    for _ = 1, 50 do unmapped() end
    collectgarbage()
    collectgarbage()
    assert.same({1, 2, 3, 4}, objects.contents(queue, buffer))
  end)
end)
