-- MQL5's array functions over arrays of structs, arrays in structs and arrays with rows and columns.
-- suite: quick
-- process: shared

local clue = require "clue"
local mql5 = require "clue.mql5"
local options = require "clue.options"
local array = mql5.array

local types = clue.structs [[
  typedef struct { int id; float m[2][3]; uchar name[5]; float4 at; } item;
  typedef struct { int id; } other;
]]
local item = types.item

local function items(...)
  local list = {}
  for i, id in ipairs {...} do list[i] = {id = id, m = {{id, 0, 0}, {0, 0, 0}}} end
  return item:array(list)
end

local function ids(list)
  local found = {}
  for i, each in list:each() do found[i + 1] = each.id end
  return found
end

describe("MQL5's array functions take arrays of structs", function()
  it("and change their length", function()
    local list = items(1, 2, 3)
    assert.equal(3, mql5.ArraySize(list))
    assert.equal(3, mql5.ArrayRange(list, 0))
    assert.equal(5, mql5.ArrayResize(list, 5))
    assert.same({1, 2, 3, 0, 0}, ids(list))
    assert.equal(3 * 64, list:resize(3):bytes())
    assert.equal(1, mql5.ArrayResize(list, 1, 100))
    assert.same({1}, ids(list))
    assert.equal(0, select("#", mql5.ArrayFree(list)))
    assert.equal(0, #list)
    assert.equal(2, mql5.ArrayResize(list, 2))
    list[1].id = 7
    assert.same({0, 7}, ids(list))
  end)

  it("and copy, insert, remove, reverse and exchange them", function()
    local list, copy = items(1, 2, 3), item:array(0)
    assert.equal(3, mql5.ArrayCopy(copy, list))
    list[0].id = 9
    assert.same({1, 2, 3}, ids(copy))
    assert.equal(2, mql5.ArrayCopy(copy, copy, 0, 1, 2))
    assert.same({2, 3, 3}, ids(copy))
    assert.equal(1, mql5.ArrayCopy(copy, list, 4, 2, 9))
    assert.same({2, 3, 3, 0, 3}, ids(copy))
    assert.is_true(mql5.ArrayRemove(copy, 2, 2))
    assert.is_true(mql5.ArrayInsert(copy, items(5, 6), 1))
    assert.same({2, 5, 6, 3, 3}, ids(copy))
    assert.is_true(mql5.ArrayReverse(copy, 0, 3))
    assert.same({6, 5, 2, 3, 3}, ids(copy))
    assert.equal(5, copy[1].m[0][0])
    assert.is_true(mql5.ArraySwap(copy, list))
    assert.same({{9, 2, 3}, {6, 5, 2, 3, 3}}, {ids(copy), ids(list)})
  end)

  it("and make all fields 0, in one struct too", function()
    local list = items(1, 2, 3)
    mql5.ZeroMemory(list[1])
    assert.same({1, 0, 3}, ids(list))
    mql5.ZeroMemory {inner = list}
    assert.same({0, 0, 0}, ids(list))
  end)

  it("but not other structs, nor numbers for them", function()
    local list = items(1)
    local function refused(message, name, ...)
      local given = {...}
      local done, problem = pcall(function() mql5[name](given[1], given[2], given[3], given[4]) end)
      assert.is_false(done)
      assert.truthy(tostring(problem):find(": " .. message, 1, true), tostring(problem))
    end
    refused("ArrayCopy: source must be an array of item, got an array of 2 other", "ArrayCopy", list,
      types.other:array(2))
    refused("ArrayCopy: source must be an array of item, got a float array", "ArrayCopy", list, array.float(2))
    refused("ArrayCopy: source must be an array of numbers, got an array of 1 item", "ArrayCopy", array.float(2), list)
    refused("ArrayInitialize: array must be an array of numbers, got an array of 1 item; ZeroMemory", "ArrayInitialize",
      list, 0)
    refused("ArrayFill: array must be an array of numbers, got an array of 1 item", "ArrayFill", list, 0, 1, 0)
    refused("ArrayMaximum: array must be an array of numbers, got an array of 1 item", "ArrayMaximum", list)
    refused("ArraySize: array must be an array, got an item", "ArraySize", list[0])
    refused("ArrayResize: size must be a whole number of 0 or more, got -1", "ArrayResize", list, -1)
    assert.same({1}, ids(list))
  end)

  it("whose structs and arrays in other memory keep their place", function()
    local list = items(1, 2)
    local last = list[1]
    mql5.ArrayResize(list, 1)
    for _, use in ipairs {
      function() return last.id end, function() last.id = 1 end, function() return last.at.x end,
      function() last.at = {1, 2, 3, 4} end, function() mql5.ZeroMemory(last) end,
      function() mql5.ArrayInitialize(last.m, 1) end, function() return item(last) end,
    } do
      assert.error_matches(use, "this memory was given back, since its array was made shorter")
    end
    local over = item:over(array.uchar(128))
    assert.error_matches(function() mql5.ArrayResize(over, 3) end,
      "ArrayResize: an array of 2 item keeps its length: it lies in other memory")
    assert.error_matches(function() mql5.ArrayFree(list[0].m) end,
      "ArrayFree: an array of 2 float%[3%] keeps its length")
    local kept = items(3)
    assert.error_matches(function() mql5.ArraySwap(kept, over) end, "ArraySwap: an array of 2 item keeps its length")
    assert.same({3}, ids(kept))
  end)
end)

describe("MQL5's array functions take arrays in structs", function()
  it("of several dimensions", function()
    local one = item {m = {{1, 2, 3}, {4, 5, 6}}, name = {7, 9, 8, 0, 0}}
    assert.same({6, 2, 3}, {mql5.ArraySize(one.m), mql5.ArrayRange(one.m, 0), mql5.ArrayRange(one.m, 1)})
    assert.error_matches(function() mql5.ArrayRange(one.m, 2) end, "must be an index of 0 or 1, got 2")
    assert.same({5, 1}, {mql5.ArrayMaximum(one.m), mql5.ArrayMaximum(one.name)})
    assert.equal(6, mql5.ArrayInitialize(one.m, 0.5))
    mql5.ArrayFill(one.m, 2, 2, -1)
    assert.equal("{{0.5, 0.5, -1}, {-1, 0.5, 0.5}}", tostring(one.m))
    assert.error_matches(function() mql5.ArrayFill(one.m, 5, 2, 1) end,
      "ArrayFill: start 5 and count 2 go past the array's 6 elements")
    mql5.ArrayReverse(one.m)
    assert.equal("{{-1, 0.5, 0.5}, {0.5, 0.5, -1}}", tostring(one.m))
    mql5.ZeroMemory(one.name)
    assert.equal("{0, 0, 0, 0, 0}", tostring(one.name))
    assert.equal("{{-1, 0.5, 0.5}, {0.5, 0.5, -1}}", tostring(one.m))
  end)

  it("and convert numbers between them and typed arrays", function()
    local one, two = item(), item()
    assert.equal(2, mql5.ArrayCopy(one.m, array.double {1.5, 2.5, 3}, 4, 0, 2))
    assert.equal("{{0, 0, 0}, {0, 1.5, 2.5}}", tostring(one.m))
    assert.equal(6, mql5.ArrayCopy(two.m, one.m))
    assert.equal(tostring(one.m), tostring(two.m))
    assert.equal(2, mql5.ArrayCopy(one.name, array.int {200, 100}, 1))
    assert.equal(5, mql5.ArrayCopy(two.m, one.name, 1))
    assert.equal("{{0, 0, 200}, {100, 0, 0}}", tostring(two.m))
    local out = array.int(1)
    assert.equal(4, mql5.ArrayCopy(out, two.m, 1, 2))
    assert.same({0, 200, 100, 0, 0}, out:table())
    assert.error_matches(function() mql5.ArrayCopy(one.name, array.int {300}) end, "ArrayCopy: .*uchar")
    assert.error_matches(function() mql5.ArrayCopy(one.name, array.int(2), 4) end, "keeps its length")
  end)
end)

it("MQL5's array functions keep the columns of typed arrays", function()
  local a = array.int {1, 2, 3, 4, 5, 6}:reshape(2, 3)
  assert.equal(9, mql5.ArrayResize(a, 3))
  assert.same({3, 3, 9}, {a:rows(), a:columns(), mql5.ArraySize(a)})
  assert.same({1, 2, 3, 4, 5, 6, 0, 0, 0}, a:table())
  assert.equal(2, mql5.ArrayCopy(a, array.int {7, 8}, 9))
  assert.same({4, 3}, {a:rows(), a:columns()})
  assert.same({7, 8, 0}, {a:get(3, 0), a:get(3, 1), a:get(3, 2)})
  assert.equal(12, mql5.ArrayInitialize(a, 1))
  mql5.ArrayFree(a)
  assert.same({0, 0, 3}, {#a, a:rows(), a:columns()})
  assert.equal(6, mql5.ArrayResize(a, 2))
end)

describe("COpenCL's lists", function()
  local quiet
  setup(function() quiet, options.quiet = options.quiet, true end)
  teardown(function() options.quiet = quiet end)

  it("grow by ArrayResize", function()
    local o = mql5.COpenCL()
    assert.same({0, 0}, {mql5.ArraySize(o.m_buffers), mql5.ArraySize(o.m_kernel_names)})
    assert.is_true(o:Initialize("kernel void one(global int *x) { x[0] = 1; }", true, 0))
    assert.is_true(o:SetBuffersCount(3) and o:SetBuffersCount(1) and o:SetKernelsCount(1))
    assert.same({1, 1, 1}, {mql5.ArraySize(o.m_buffers), mql5.ArraySize(o.m_kernels), mql5.ArraySize(o.m_kernel_names)})
    assert.equal(2, mql5.ArrayResize(o.m_buffers, 2))
    assert.equal(2, mql5.ArrayResize(o.m_kernels, 2))
    assert.equal(2, mql5.ArrayResize(o.m_kernel_names, 2))
    assert.same({mql5.INVALID_HANDLE, mql5.INVALID_HANDLE, ""}, {o.m_buffers[1], o.m_kernels[1], o.m_kernel_names[1]})
    o.m_buffers_total, o.m_kernels_total = 2, 2
    assert.is_true(o:BufferFromArray(1, array.int {5}, 0, 1, mql5.CL_MEM_READ_WRITE))
    assert.is_true(o:KernelCreate(1, "one"))
    assert.same({"", "one"}, {o:GetKernelName(0), o:GetKernelName(1)})
    o.m_buffers_total = 3 -- and without it
    assert.is_true(o:BufferCreate(2, 4, mql5.CL_MEM_READ_WRITE))
    o:Shutdown()
    mql5.ArrayFree(o.m_buffers)
    assert.equal(0, mql5.ArraySize(o.m_buffers))
    mql5.ArrayResize(o.m_buffers, 2)
    assert.equal(2, mql5.ArrayInitialize(o.m_buffers, 5))
    assert.same({5, 5}, {o.m_buffers[0], o.m_buffers[1]})
    assert.error_matches(function() mql5.ArrayReverse(o.m_buffers) end, "must be an array, got a list of COpenCL")
  end)
end)
