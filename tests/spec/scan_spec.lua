-- context:scan: prefix sums in each form of its kernels, around the borders of their pieces, against a loop in Lua.
-- suite: quick
-- builds: luajit lua54
-- process: shared bindings threads first
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local device_ranking = require "clue.device_ranking"
local objects = require "objects"
local scan_types = require "clue.compute.types"
local scan_source = require "clue.compute.scan_source"

local array, refusal = cl.array, objects.refusal
local context, queue = objects.context()
local slow = objects.is_slow(context)

-- Why a device cannot run a form; nil if it can.
local function obstacle(form)
  if form ~= "look-back" then return nil end
  local doubt = device_ranking.doubt(context.device)
  if doubt and doubt.wrong then return "the driver ends loops, so no group can wait for another" end
end

-- Small whole numbers, the same each time.
local function numbers(type_name, count, greatest)
  local made, seed = array[type_name](count), 12345
  for i = 0, count - 1 do
    seed = (seed * 1103515 + 12345) % 2 ^ 31
    made[i] = math.floor(seed / 65536) % (greatest + 1)
  end
  return made
end

local function check(expected, buffer, type_name, message)
  local read = array[type_name](#expected)
  queue:read_buffer(buffer, read)
  local wrong = read:compare(expected)
  if wrong then assert.equal(expected[wrong], read[wrong], ("%s: element %d"):format(message, wrong)) end
end

-- Counts around the borders of pieces.
local function counts(form, bytes)
  local length = scan_source.piece(form, bytes, context)
  if slow then return form == "chunks" and {1, length, length + 1, 2 * length + 5} or {33, length + 1} end
  return {1, 2, 33, length - 1, length, length + 1, 2 * length + 5, 3 * length}
end

for _, form in ipairs {"chunks", "groups", "look-back"} do
  describe("a scan in the form " .. form, function()
    it("adds whole numbers, of every count", function()
      if obstacle(form) then return pending(obstacle(form)) end
      local sum = context:scan("int", "sum", {form = form})
      for _, count in ipairs(counts(form, 4)) do
        local x, expected, total = numbers("int", count, 9), array.int(count), 0
        for i = 0, count - 1 do
          total = total + x[i]
          expected[i] = total
        end
        local from, to = context:buffer(x), context:buffer(array.int(count + 1, -7))
        sum(queue, {count = count}, from, to)
        check(expected, to, "int", count)
        assert.equal(-7, objects.contents(queue, to, "int")[count + 1])
        sum(queue, from, from) -- in place
        check(expected, from, "int", count)
      end
    end)

    it("keeps the order of what does not commute, and gives both sums", function()
      if obstacle(form) then return pending(obstacle(form)) end
      local compose = context:scan("const ushort2 *x, ushort2 *after, ushort2 *before", {
        type = "ushort2", input = "x[i]", identity = "(ushort2)(1, 0)", form = form, name = "compose",
        operation = "(ushort2)(a.x * b.x % 251, (a.y * b.x + b.y) % 251)",
        output = "after[i] = item; before[i] = previous",
      })
      for _, count in ipairs {1, 300, (scan_source.piece(form, 4, context) + 77)} do
        local x, after, before = numbers("ushort", 2 * count, 250), array.ushort(2 * count), array.ushort(2 * count)
        local slope, shift = 1, 0
        for i = 0, 2 * count - 2, 2 do
          before[i], before[i + 1] = slope, shift
          slope, shift = slope * x[i] % 251, (shift * x[i] + x[i + 1]) % 251
          after[i], after[i + 1] = slope, shift
        end
        local to, from_before = context:buffer(4 * count), context:buffer(4 * count)
        compose(queue, context:buffer(x), to, from_before)
        check(after, to, "ushort", count)
        check(before, from_before, "ushort", count)
      end
    end)

    local function add_items(types)
      for type_name, base in pairs(types) do
        local size = scan_types.bytes(type_name)
        if form == "look-back" and size > 16 then
          assert.equal(('context:scan: form: "look-back" is for items of up to 16 bytes, not of %d: take "groups"')
            :format(size), refusal(context.scan, context, type_name, "sum", {form = form}))
        else
          local width = tonumber(type_name:match "%d+$") or 1
          local count = math.max(600, (slow and 1 or 2) * scan_source.piece(form, size, context) + 5)
          local x = numbers(base, count * width, base == "uchar" and 0 or 5)
          x[0] = 3
          local expected = array[base](count * width)
          for i = 0, count * width - 1 do
            expected[i] = x[i] + (i < width and 0 or expected[i - width])
          end
          local out = context:buffer(x)
          context:scan(type_name, "sum", {form = form})(queue, out, out)
          check(expected, out, base, type_name)
        end
      end
    end

    for which, types in pairs {["another size"] = {int4 = "int"},
                               ["more sizes #oclgrind"] = {uchar = "uchar", long = "long", long4 = "long",
                                                           ulong16 = "ulong"}} do
      it("adds items of " .. which, function()
        if obstacle(form) then return pending(obstacle(form)) end
        add_items(types)
      end)
    end

    it("gives floats the same sums each time", function()
      if obstacle(form) then return pending(obstacle(form)) end
      local count, times = 40 * 8192 + 3, 4
      if slow then count, times = 8192 + 3, 1 end
      local sum = context:scan("float", "sum", {form = form})
      local x, out = context:buffer(array.float(count):random(-1, 1, 3)), context:buffer(4 * count)
      local first, again = array.float(count), array.float(count)
      sum(queue, x, out)
      queue:read_buffer(out, first)
      for _ = 1, times do
        sum(queue, x, out)
        queue:read_buffer(out, again)
        assert.is_nil(first:compare(again))
      end
    end)

    for what, case in pairs {
      [""] = {false, {-1, -1, 3, 7, 12, -1}, {-1, -1, 3, 7, 5, 11}},
      [" without its last element #oclgrind"] = {true, {-1, -1, 0, 3, 7, -1}, {-1, -1, 0, 3, 0, 5}},
    } do
      it("scans a part, as if there were no other elements" .. what, function()
        if obstacle(form) then return pending(obstacle(form)) end
        local sum = context:scan("int", "sum", {form = form, exclusive = case[1]})
        local x, out = context:buffer(array.int {1, 2, 3, 4, 5, 6}), context:buffer(array.int(6, -1))
        sum(queue, {offset = 2, count = 3}, x, out)
        assert.same(case[2], objects.contents(queue, out, "int"))
        sum(queue, {offset = 4}, x, out)
        assert.same(case[3], objects.contents(queue, out, "int"))
        sum(queue, {offset = 6}, x, out):wait()
        sum(queue, {count = 0}, x, out):wait()
        assert.same(case[3], objects.contents(queue, out, "int"))
      end)
    end
  end)
end

describe("a scan", function()
  it("has named operations for every type #oclgrind", function()
    local x = {3, 1, 2, 5, 4}
    local expected = {
      sum = {3, 4, 6, 11, 15}, product = {3, 3, 6, 30, 120}, min = {3, 1, 1, 1, 1}, max = {3, 3, 3, 5, 5},
      ["and"] = {3, 1, 0, 0, 0}, ["or"] = {3, 3, 3, 7, 7}, xor = {3, 2, 0, 5, 1},
    }
    for _, type_name in ipairs {"char", "ushort", "int", "ulong", "float"} do
      for name, result in pairs(expected) do
        if type_name ~= "float" or name == "sum" or name == "min" or name == "max" or name == "product" then
          local out = context:buffer(array[type_name](x))
          context:scan(type_name, name)(queue, out, out)
          assert.same(result, objects.contents(queue, out, type_name), type_name .. " " .. name)
        end
      end
    end
  end)

  it("gives the identity before the first element", function()
    for name, identity in pairs {min = math.huge, max = -math.huge, sum = 0, product = 1} do
      local out = context:buffer(array.float {5, 6})
      context:scan("float", name, {exclusive = true})(queue, out, out)
      assert.same({identity, 5}, objects.contents(queue, out))
    end
  end)

  it("compacts: the index, the end and other arguments in its texts", function()
    local keep = context:scan("const int *x, int least, int *kept, int *count", {
      type = "int", input = "x[i] >= least", operation = "a + b", identity = 0,
      output = "if (item > previous) kept[previous] = (int)i;\nif (i == n - 1) *count = item // at the end",
      preamble = "#define UNUSED 1", name = "keep",
    })
    local x, kept, count = context:buffer(array.int {4, 9, 1, 7, 3, 8}), context:buffer(24), context:buffer(4)
    assert.equal("kernel 'keep'", keep(queue, {count = 6}, x, 5, kept, count):wait().what)
    assert.same({3}, objects.contents(queue, count, "int"))
    assert.same({1, 3, 5}, objects.contents(queue, kept, "int", 3))
    assert.equal("keep(const int *x, int least, int *kept, int *count)", tostring(keep))
  end)

  it("is made once for the same texts and options", function()
    assert.equal(context:scan("int", "sum"), context:scan("int", "sum"))
    assert.not_equal(context:scan("int", "sum"), context:scan("int", "sum", {exclusive = true}))
  end)

  it("runs on several queues at once, after events, and out of order", function()
    local count = slow and 9000 or 50000
    local sum = context:scan("int", "sum")
    local queues = {queue, context:queue(), context:own_queue()}
    local done, unordered = pcall(context.queue, context, {out_of_order = true})
    if done then queues[4] = unordered end
    local outs = {}
    for k, each in ipairs(queues) do
      outs[k] = context:buffer(array.int(count, k))
      sum(each:after(sum(each, outs[k], outs[k])), {count = 3}, outs[k], outs[k])
    end
    for k, each in ipairs(queues) do
      each:finish()
      local read = array.int(count)
      queue:read_buffer(outs[k], read)
      assert.same({k, 3 * k, 6 * k, 4 * k, count * k}, {read[0], read[1], read[2], read[3], read[count - 1]}, k)
    end
  end)

  it("is recorded in a graph, and so is a sort", function()
    local count = slow and 9000 or 20000
    local sum, sort = context:scan("uint", "sum"), context:sort("uint", {descending = true})
    local x = context:buffer(array.uint(count, 1))
    local graph = queue:record(function(commands)
      sum(commands, x, x)
      sort(commands, x)
    end)
    graph:replay():wait()
    assert.same({count, count - 1, count - 2}, objects.contents(queue, x, "uint", 3))
    queue:write_buffer(x, array.uint(count, 2))
    sum(queue, x, x) -- memory of the queue's own calls is not the graph's
    queue:write_buffer(x, array.uint(count, 3))
    graph:replay():wait()
    assert.same({3 * count, 3 * count - 3}, objects.contents(queue, x, "uint", 2))
  end)

  it("reaches beyond 2^31 bytes", function()
    local offset, size = 2 ^ 31 + 5, 2 ^ 31 + 4096
    if (context.device.max_mem_alloc_size or 0) < size then return pending "the device has no buffers so large" end
    if context.device.platform.name:find "rusticl" then return pending "rusticl writes all of a new buffer" end
    local large = context:buffer(size)
    queue:write_buffer(large, array.uchar(100, 2), {offset = offset})
    context:scan("uchar", "sum")(queue, {offset = offset, count = 100}, large, large)
    local read = array.uchar(100)
    queue:read_buffer(large, read, {offset = offset})
    assert.same({2, 4, 200}, {read[0], read[1], read[99]})
  end)
end)

describe("a scan refuses", function()
  local function said(...) return refusal(context.scan, context, ...) end

  it("wrong texts and options", function()
    local whole = {type = "int", input = "x[i]", operation = "a + b", identity = "0", output = "out[i] = item"}
    for name in pairs(whole) do
      local lacking = {}
      for other, text in pairs(whole) do lacking[other] = other ~= name and text or nil end
      local wanted = name == "identity" and "a number or an expression, a text" or "a text"
      assert.equal(("context:scan: %s must be %s, got nil"):format(name, wanted), said("int *x, int *out", lacking))
    end
    assert.equal('context:scan: type must be one of OpenCL\'s numbers or vectors, got "point"', said("point", "sum"))
    whole.type = "point"
    assert.equal('context:scan: type must be one of OpenCL\'s numbers or vectors, got "point"', said("int *x", whole))
    assert.matches('^context:scan: there is no operation "som" %(is sum meant%?%)', said("int", "som"))
    assert.matches('^context:scan: "xor" is for whole numbers, not for float', said("float", "xor"))
    assert.matches('^context:scan: there is no form "tiles"', said("int", "sum", {form = "tiles"}))
    assert.matches("^context:scan: arguments must be a text", said(5, "sum"))
    whole.type = "int"
    assert.matches("'item' is the sum up to the element: choose another name", said("int *item", whole))
  end)

  it("half on a device that does not compute with it", function()
    if context.device:has_extension "cl_khr_fp16" then return end
    local halves = context:buffer(array.half {1, 2, 3})
    assert.matches("^context:scan: the device does not compute with half %(no cl_khr_fp16%): take the type float, with "
      .. "vload_half", said("half", "sum"))
    context:scan("const half *x, half *y", {type = "float", input = "vload_half(i, x)", operation = "a + b",
      identity = 0, output = "vstore_half(item, i, y)"})(queue, halves, halves)
    assert.same({1, 3, 6}, objects.contents(queue, halves, "half"))
  end)

  it("more elements than a buffer has", function()
    local sum = context:scan("int", "sum")
    local three, four = context:buffer(12), context:buffer(16)
    assert.equal("scan call: x has 3 elements and out 4: give their count, {count = 3}",
      refusal(sum, queue, three, four))
    assert.equal("scan call: x has 3 elements: 4 from element 0 on are not all inside",
      refusal(sum, queue, {count = 4}, three, four))
    assert.equal("scan call: out has 3 elements: 2 from element 2 on are not all inside",
      refusal(sum, queue, {count = 2, offset = 2}, four, three))
  end)

  it("an operation that does not compile, with the script's line", function()
    local done, problem = pcall(context.scan, context, "int *x", {type = "int", input = "x[i]", identity = "0",
      operation = "a + oops", output = "x[i] = item"})
    local line = debug.getinfo(1, "l").currentline - 1
    assert.is_false(done)
    assert.truthy(problem.text:find(("line %d of tests/spec/scan_spec.lua"):format(line), 1, true), problem.text)
  end)
end)
