-- context:sort: keys of every type, values and indices, in each form of its kernels, against Lua's own sort.
-- suite: quick
-- process: shared first
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local device_ranking = require "clue.device_ranking"
local objects = require "objects"
local sort_source = require "clue.compute.sort_source"
local support = require "support"

local array, refusal = cl.array, objects.refusal
local context, queue = objects.context()
local slow = objects.is_slow(context)

-- Why a device cannot run a form; nil if it can.
local function obstacle(form)
  local doubt = device_ranking.doubt(context.device)
  if form == "chunks" or not (doubt and doubt.wrong) then return nil end
  return form == "groups" and "the driver needs a minute and a half to compile and run these kernels"
    or "the driver ends loops, so no group can wait for another"
end

local function has_type(name)
  return name ~= "double" or context.device:has_double()
end

local least = {char = -128, short = -32768, int = -2 ^ 31, long = -2 ^ 53}
local greatest = {char = 127, uchar = 255, short = 32767, ushort = 65535, int = 2 ^ 31 - 1, uint = 2 ^ 32 - 1,
                  long = 2 ^ 53, ulong = 2 ^ 53, half = 2048, float = 2 ^ 24, double = 2 ^ 53}

-- Keys with many equal ones, and the extremes of the type.
local function keys_of(name, count)
  local made, seed = array[name](count), count
  local top, bottom = greatest[name], least[name] or (name:find "^u" and 0 or -greatest[name])
  for i = 0, count - 1 do
    seed = (seed * 1103515 + 12345) % 2 ^ 31
    local part = math.floor(seed / 65536) % 512 / 511
    made[i] = math.floor(bottom + part * (top - bottom) + 0.5)
  end
  return made
end

-- The indices of sorted keys; NaNs come last, or first if descending.
local function sorted_indices(keys, descending)
  local indices, ranks = {}, {}
  for i = 1, #keys do
    local key = keys[i - 1]
    indices[i], ranks[i - 1] = i - 1, key == key and key or math.huge
  end
  local function before(a, b)
    local nan_a, nan_b = keys[a] ~= keys[a], keys[b] ~= keys[b]
    if nan_a ~= nan_b then return nan_a == (descending == true) end
    if ranks[a] ~= ranks[b] then return (ranks[a] < ranks[b]) ~= (descending == true) end
    return a < b
  end
  table.sort(indices, before)
  return indices
end

local function read(buffer, name, count)
  local made = array[name](count)
  queue:read_buffer(buffer, made)
  return made
end

-- Sorts keys with their places as values, and compares.
local function check(name, keys, options)
  local count, places = #keys, array.uint(#keys)
  for i = 0, count - 1 do places[i] = i end
  local of_keys, of_places = context:buffer(keys), context:buffer(places)
  options.values = not options.argsort and "uint" or nil
  context:sort(name, options)(queue, of_keys, of_places)
  local expected, found = sorted_indices(keys, options.descending), read(of_places, "uint", count)
  local sorted = read(of_keys, name, count)
  for i = 0, count - 1 do
    local place = expected[i + 1]
    local key = keys[options.argsort and i or place]
    local same = sorted[i] == key or key ~= key and sorted[i] ~= sorted[i]
    if found[i] ~= place or not same then
      error(("%d keys of type %s: place %d has the key from place %d, not %d"):format(count, name, i, found[i], place))
    end
  end
end

for _, form in ipairs {"chunks", "groups", "look-back"} do
  describe("a sort in the form " .. form, function()
    it("sorts keys of 4 and 8 bytes around the borders of pieces", function()
      if obstacle(form) then return pending(obstacle(form)) end
      local sizes = {uint = 4, long = form == "look-back" and 8 or nil}
      if slow then sizes = form == "groups" and {long = 8} or {uint = 4} end
      for name, bytes in pairs(sizes) do
        local length = sort_source.piece(form, bytes)
        local counts = {1, 2, 255, length - 1, length, length + 1, 2 * length + 3}
        if slow then counts = {form == "chunks" and length + 1 or 300} end
        for _, count in ipairs(counts) do check(name, keys_of(name, count), {form = form}) end
      end
    end)

    for what, options in pairs {
      ["indices"] = {argsort = true, descending = true},
      ["indices of rising keys #oclgrind"] = {argsort = true},
      ["descending #oclgrind"] = {descending = true},
    } do
      it("sorts " .. what, function()
        if obstacle(form) then return pending(obstacle(form)) end
        options.form = form
        for _, count in ipairs(slow and {300} or {1, 5000}) do check("int", keys_of("int", count), options) end
      end)
    end

    it("sorts what is all equal, in order, or in reverse", function()
      if obstacle(form) then return pending(obstacle(form)) end
      local count = slow and 300 or 3000
      local equal, rising, falling = array.uint(count, 7), array.uint(count), array.uint(count)
      for i = 0, count - 1 do
        rising[i], falling[i] = i, count - i
      end
      for _, keys in ipairs(slow and {falling} or {equal, rising, falling}) do
        check("uint", keys, {form = form})
      end
    end)
  end)
end

describe("a sort", function()
  -- A compiler sees one signed and one unsigned type here, all with fractions below, and more above.
  local few = {char = true, ulong = true, half = true, float = true, double = true}
  for name in pairs(greatest) do
    it("sorts keys of type " .. name .. (few[name] and "" or " #oclgrind"), function()
      check(name, keys_of(name, 1000), {})
      check(name, keys_of(name, 1000), {descending = true})
    end)
  end

  it("puts NaNs behind all numbers, and takes -0 and 0 as equal", function()
    for _, name in ipairs {"half", "float", "double"} do
      local nan = 0 / 0
      local keys = array[name] {0, nan, -0.0, math.huge, -nan, 1, -math.huge, 0, -1, -0.0, 2 ^ -14}
      check(name, keys, {})
      check(name, keys, {descending = true})
    end
  end)

  local function move_values(names)
    for _, name in ipairs(names) do
      local base, width = name:match "^(%a+)(%d*)$"
      width = tonumber(width) or 1
      if has_type(base) then
        local keys, values = keys_of("ushort", 300), array[base](300 * width)
        for i = 0, 300 * width - 1 do values[i] = i % 251 end
        local of_keys, of_values = context:buffer(keys), context:buffer(values)
        context:sort("ushort", {values = name})(queue, of_keys, of_values)
        local found = read(of_values, base, 300 * width)
        for i, place in ipairs(sorted_indices(keys)) do
          for k = 0, width - 1 do
            assert.equal(values[place * width + k], found[(i - 1) * width + k], name)
          end
        end
      end
    end
  end

  it("moves small and large values", function() move_values {"uchar", "uint16"} end)
  it("moves values of any size #oclgrind", function() move_values {"ushort2", "float4", "double"} end)

  it("sorts a part, and no other element", function()
    local x = context:buffer(array.int {9, 5, 4, 8, 3, 1})
    context:sort("int")(queue, {offset = 1, count = 4}, x)
    assert.same({9, 3, 4, 5, 8, 1}, objects.contents(queue, x, "int"))
    local indices = context:buffer(array.uint(6, 77))
    context:sort {key = "int", argsort = true}(queue, {offset = 3}, x, indices)
    assert.same({77, 77, 77, 5, 3, 4}, objects.contents(queue, indices, "uint"))
    assert.same({9, 3, 4, 5, 8, 1}, objects.contents(queue, x, "int"))
    context:sort("int")(queue, {count = 0}, x):wait()
    context:sort("int")(queue, {offset = 6}, x):wait()
    assert.same({9, 3, 4, 5, 8, 1}, objects.contents(queue, x, "int"))
  end)

  it("is made once for the same types and options", function()
    assert.equal(context:sort("char", {values = "uint"}), context:sort {key = "char", values = "uint"})
    assert.equal("sort(char *keys, uint *values)", tostring(context:sort("char", {values = "uint"})))
    assert.equal("order(const int *keys, uint *indices)",
      tostring(context:sort("int", {argsort = true, name = "order"})))
  end)

  it("runs on several queues at once, and out of order", function()
    local sort = context:sort("int")
    local queues, count = {queue, context:queue()}, slow and 3000 or 20000
    local done, unordered = pcall(context.queue, context, {out_of_order = true})
    if done then queues[3] = unordered end
    local buffers = {}
    for k, each in ipairs(queues) do
      local keys = array.int(count)
      for i = 0, count - 1 do keys[i] = (i * 7919 + k) % count end
      buffers[k] = context:buffer(keys)
      sort(each, buffers[k])
    end
    for k, each in ipairs(queues) do
      each:finish()
      local sorted = read(buffers[k], "int", count)
      for i = 0, count - 1 do
        if sorted[i] ~= i then assert.equal(i, sorted[i], k) end
      end
    end
  end)
end)

describe("a sort refuses", function()
  local function said(...) return refusal(context.sort, context, ...) end

  it("wrong types and options", function()
    assert.matches('^context:sort: there is no type of keys "float2"', said("float2"))
    assert.matches("^context:sort: the type of keys is missing; there are ", said())
    assert.matches('^context:sort: there is no type of keys "flaot" %(is float meant%?%)', said("flaot"))
    assert.equal('context:sort: values must be one of OpenCL\'s numbers or vectors, got "point"',
      said("int", {values = "point"}))
    assert.equal("context:sort: argsort gives the indices of the sorted keys: leave values out",
      said("int", {values = "int", argsort = true}))
    assert.equal('context:sort: give the type of the keys once: it is "int" and {key = "uint"}',
      said("int", {key = "uint"}))
    assert.equal("context:sort: preamble: a sort has no texts that could use it", said("int", {preamble = ""}))
    assert.matches('^context:sort: there is no form "quick"', said("int", {form = "quick"}))
    assert.matches('^context:sort: there is no option "descend" %(is descending meant%?%)',
      said("int", {descend = true}))
  end)

  it("more elements than a buffer has, and arrays", function()
    local sort = context:sort("int", {values = "uint"})
    assert.equal("sort call: keys has 3 elements and values 4: give their count, {count = 3}",
      refusal(sort, queue, context:buffer(12), context:buffer(16)))
    assert.equal("sort call: keys has 3 elements: 4 from element 0 on are not all inside",
      refusal(sort, queue, {count = 4}, context:buffer(12), context:buffer(16)))
    assert.matches("is an int array on the host: make a buffer of it",
      refusal(context:sort("int"), queue, {count = 1}, array.int {1}))
  end)

  it("indices of elements that have none", function() -- on the driver that does nothing: others lack the memory
    local _, out, err = support.run({"--quiet", "-e", [[
      local context = require("clue").context()
      local keys, indices = context:buffer(2 ^ 32 + 1), context:buffer((2 ^ 32 + 1) * 4)
      local sort = context:sort("uchar", {argsort = true})
      for offset = 2 ^ 32 - 2, 2 ^ 32 - 1 do
        local _, problem = pcall(sort, context:queue(), {offset = offset, count = 2}, keys, indices)
        print(problem.text:match "indices.*")
      end]]},
      support.drivers "null")
    assert.equal("nil\nindices are of type uint: elements from 2^32 on have none, got offset 4294967295 and count 2\n",
      out, err)
  end)
end)
