-- context:scan in the form "vectors": named operations on numbers, around the borders of vectors and tiles, against the
-- form "chunks"; work-items that add up tiles which nobody publishes; results that go past the caches.
-- suite: quick
-- builds: luajit lua54
-- process: shared bindings threads
-- drivers: pocl rusticl

local cl = require "clue"
local objects = require "objects"
local scan_types = require "clue.compute.types"
local scan_vectors = require "clue.compute.scan_vectors"

local array, refusal = cl.array, objects.refusal
local context, queue = objects.context()

local MARGIN = 3 -- elements before and behind those that are scanned, which end no vector

local function read(buffer, type_name, count)
  local found = array[type_name](count)
  queue:read_buffer(buffer, found)
  return found
end

-- Compares with what "chunks" gives: of whole numbers, every bit.
local function check(type_name, operation, count, exclusive)
  local what = ("%s %s of %d%s"):format(type_name, operation, count, exclusive and ", exclusive" or "")
  local all = count + 2 * MARGIN
  local x = array[type_name](all):random(0, operation == "product" and 1 or 99, count)
  if scan_types.is_real(type_name) then for i = 0, all - 1 do x[i] = math.floor(x[i]) end end
  local from, expected = context:buffer(x), context:buffer(x)
  local part = {offset = MARGIN, count = count}
  context:scan(type_name, operation, {form = "chunks", exclusive = exclusive})(queue, part, from, expected)
  local to, vectors = context:buffer(x), context:scan(type_name, operation, {form = "vectors", exclusive = exclusive})
  vectors(queue, part, from, to)
  assert.is_nil(read(to, type_name, all):compare(read(expected, type_name, all)), what)
  vectors(queue, part, from, from)
  assert.is_nil(read(from, type_name, all):compare(read(expected, type_name, all)), what .. ", in place")
end

describe("a scan in the form vectors", function()
  it("takes counts around the borders of vectors and tiles", function()
    local length = scan_vectors.length(4)
    for _, count in ipairs {1, 2, 15, 16, 17, 63, 64, 65, 1009, length - 1, length, length + 1, 3 * length + 77} do
      check("uint", "sum", count, false)
      check("float", "max", count, true)
    end
  end)

  it("takes each type and each operation", function()
    for type_name, operation in pairs {
      char = "sum", uchar = "max", short = "min", ushort = "xor", int = "and", uint = "or", long = "product",
      ulong = "sum", float = "min", double = context.device:has_double() and "sum" or nil,
    } do
      local count = 2 * scan_vectors.length(scan_types.bytes(type_name)) + 1001
      check(type_name, operation, count, type_name:find "^u" ~= nil)
    end
  end)

  it("leaves NaN out of minimum and maximum", function()
    local x = array.float(100, 0 / 0)
    x[20], x[50], x[90] = 3, 5, 2
    for name, expected in pairs {max = {-math.huge, 3, 5, 5}, min = {math.huge, 3, 3, 2}} do
      local out = context:buffer(x)
      context:scan("float", name, {form = "vectors"})(queue, out, out)
      local found = read(out, "float", 100)
      assert.same(expected, {found[19], found[49], found[89], found[99]}, name)
    end
  end)

  it("adds up tiles that are not published, and publishes them", function()
    local length = scan_vectors.length(4)
    local operation, identity = scan_types.operation("uint", "sum")
    local kernels = scan_vectors.build(context, {name = "scan", type = "uint", operation = operation,
                                                 identity = identity})
    local count = 4 * length - 5
    local x = context:buffer(array.uint(count, 1))
    local places = array.uint(scan_vectors.places(4, 4) / 4)
    places[0] = 2 -- tiles 0 and 1 were taken by nobody
    local kept = context:buffer(places)
    kernels.scan(queue, 2, 1, x, x, 0, count, 0, kept):wait()
    local found, after = read(x, "uint", count), read(kept, "uint", #places)
    assert.same({1, 1, 2 * length + 1, count}, {found[0], found[2 * length - 1], found[2 * length], found[count - 1]})
    assert.same({4, 1, length, 1, 2 * length, 1, 3 * length, 1, count}, {
      after[0], after[1], after[2], after[3], after[4], after[5], after[6], after[7], after[8],
    })
  end)

  it("gives floats the same sums each time #once #later", function()
    local count = 100 * scan_vectors.length(4) + 3
    local sum = context:scan("float", "sum", {form = "vectors"})
    local x, out = context:buffer(array.float(count):random(-1, 1, 3)), context:buffer(4 * count)
    sum(queue, x, out)
    local first = read(out, "float", count)
    for _ = 1, 10 do
      sum(queue, x, out)
      assert.is_nil(first:compare(read(out, "float", count)))
    end
  end)

  it("writes more than the caches hold past them #once #later", function()
    local count = math.max(context.device.global_mem_cache_size or 0, 2 ^ 20) / 4 + 1000
    check("int", "sum", count, false)
  end)

  it("is for named operations on numbers only", function()
    local said = 'context:%s: form: "vectors" is for scans of numbers by a named operation, such as "sum": '
      .. 'take "chunks"'
    assert.equal(said:format "scan", refusal(context.scan, context, "float4", "sum", {form = "vectors"}))
    assert.equal(said:format "scan", refusal(context.scan, context, "int *x", {type = "int", input = "x[i]",
      operation = "a + b", identity = 0, output = "x[i] = item", form = "vectors"}))
    assert.equal(said:format "sort", refusal(context.sort, context, "uint", {form = "vectors"}))
  end)
end)
