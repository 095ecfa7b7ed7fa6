-- cl.workers on two devices of one platform (PoCL's) and on two platforms (PoCL and Oclgrind), in child processes and
-- over both bindings; devices that fail by the driver's word, and Ctrl-C.
-- suite: quick
local failing = require "failing"
local support = require "support"

-- A script that lets `all` do `count` items, and counts how often each was done.
local HEAD = [[
local cl = require "clue"
local count = tonumber(arg[2]) or 20011
local results, times = cl.array.uint(count), cl.array.uint(count)
local SOURCE = "kernel void mark(global uint *x, uint first, uint rounds) {"
  .. "uint i = first + get_global_id(0), y = i; for (uint k = 0; k < rounds; k++) y = y * 1664525u + 1013904223u;"
  .. "x[i] = 3 * i + (y == y ? 1 : 0); }"
local function setup(worker)
  local mark = worker.context:program(SOURCE):kernel "mark"
  local x = worker.context:buffer(results:bytes())
  return function(first, items)
    mark(worker.queue, items, 1, x, first, ROUNDS or 10) -- a group size, or PoCL compiles one for each chunk
    return worker.queue:read_buffer(x, results, {offset = 4 * first, first = first, count = items, blocking = false})
  end
end
local function on_chunk(_, first, items)
  for i = first, first + items - 1 do times[i] = times[i] + 1 end
end
local function check()
  for i = 0, count - 1 do assert(results[i] == 3 * i + 1 and times[i] == 1, "item " .. i) end
  print("each item once, and right")
end
]]

local ONCE = HEAD .. [[
local done = cl.each_device(count, arg[1], setup, {on_chunk = on_chunk})
check()
for i, each in ipairs(done.devices) do print(i, each.device.address, each.items > 0, each.error) end
]]

local RIGHT = "^each item once, and right\n"

local function two_devices(more)
  return support.drivers("pocl", support.with(support.unoptimised {POCL_DEVICES = "pthread pthread"}, more))
end

local function run(text, arguments, env)
  return support.run_script(text, arguments, env)
end

for _, binding in ipairs {"ffi", "capi"} do
  describe("workers over " .. binding, function()
    it("share the work of two devices of a platform", function()
      local out, err = support.ended(0, run(ONCE, {"all"}, two_devices {CLUE_BINDING = binding}))
      assert.matches(RIGHT .. "1\t0:0\ttrue\tnil\n2\t0:1\ttrue\tnil\n$", out)
      assert.matches("^clue: devices 0 %(0:0%) .- and 1 %(0:1%) .-; %-%-device 0:0,0:1 picks them again\n$", err)
    end)

    it("share that of two platforms, of very unequal speed", function()
      local out = support.ended(0, run(ONCE, {"0,1", "50000"}, support.drivers("both", {CLUE_BINDING = binding})))
      assert.matches(RIGHT .. "1\t0:0\ttrue\tnil\n2\t1:0\ttrue\tnil\n$", out)
    end)

    it("free everything #later", function()
      local text = HEAD .. "local w = cl.workers('all', setup) w:run(count, {on_chunk = on_chunk}) check() w:close()"
      local words = {"--strict", support.write(text), "all"}
      local out, err = support.ended(0, support.run(words, two_devices {CLUE_BINDING = binding}))
      assert.matches(RIGHT .. "$", out)
      assert.is_nil(err:find("never freed", 1, true), err)
    end)
  end)
end

describe("workers on a context of two devices", function()
  it("share its buffers", function()
    local out = support.ended(0, run(HEAD .. [[
      local context = cl.context(cl.device.machine().devices)
      local done = cl.each_device(count, context, setup, {on_chunk = on_chunk})
      check()
      print(#done.devices, done.devices[1].device == done.devices[2].device)]], {}, two_devices()))
    assert.matches(RIGHT .. "2\tfalse\n$", out)
  end)
end)

describe("a device that fails", function()
  it("by an OpenCL call, gives its chunks back, and the others do them #later", function()
    local text = HEAD .. "local done = cl.each_device(count, {0, 0}, setup, {on_chunk = on_chunk}) check()"
    local case, told = {words = {support.write(text)}, driver = "pocl", env = support.unoptimised {}}, 0
    local calls = tonumber(failing.run(case, 0).report.calls)
    for n = 1, calls, math.max(1, math.floor(calls / 12)) do
      local one = failing.run(case, n)
      assert.equal(0, one.status, one.title)
      assert.matches(RIGHT, one.out, one.title)
      failing.assert_nothing_left(one)
      if one.err:find("; the work goes on on 1 device: ", 1, true) then told = told + 1 end
    end
    assert.is_true(told >= 3, told) -- where memory is short, clue collects garbage and tries again
  end)

  it("is told once, with its items and its error", function()
    local out, err = support.ended(0, run(HEAD .. [[
      local calls = 0
      local function prepare(worker)
        local chunk = setup(worker)
        return function(first, items)
          if worker.index == 2 and first > 0 then calls = calls + 1 if calls == 3 then error "planted" end end
          return chunk(first, items)
        end
      end
      repeat -- a device that was slow at its first chunk, as on a busy machine, may get no other
        times:fill(0)
        cl.each_device(count, "all", prepare, {on_chunk = on_chunk})
        check()
      until calls >= 3]], {}, two_devices()))
    assert.matches(RIGHT, out)
    assert.matches("\nclue: lost device 1 %(0:1%) [^\n]-, which gave back items %d+ to %d+[^\n]*; the work goes on on "
      .. "1 device: [^\n]*lua:%d+: planted\n$", err)
    assert.equal(2, select(2, err:gsub("\n", "")))
  end)
end)

describe("lists that are none", function()
  local function says(line)
    return select(2, run("local cl = require 'clue' print(pcall(function() " .. line .. " end))", {}, two_devices()))
  end

  it("of devices, are refused: one that is nil would take no part", function()
    for _, call in ipairs {"cl.split(10, %s)", "cl.workers(%s, print)", "cl.each_device(10, %s, print)"} do
      assert.matches("on[1] is nil, but on[2] is not: a list has no holes", says(call:format "{nil, 0}"), 1, true)
      assert.matches("on[2] is nil, but on[3] is not", says(call:format "{0, nil, 1}"), 1, true)
      assert.matches('on is a list, from 1 to n: it has the key "device"', says(call:format "{device = 0}"), 1, true)
    end
  end)

  it("of a chunk's events, are refused: nobody would wait for what they leave out", function()
    local chunk = [[
      cl.each_device(10, {0}, function(worker) return function()
        local event = worker.queue:marker()
        return %s
      end end)]]
    for list, item in pairs {["{nil, event}"] = "1 is nil", ["{event, nil, event}"] = "2 is nil", ["{7}"] = "1 is 7",
                             ["{event, worker.queue}"] = "2 is a queue"} do
      assert.matches("must return a list of events, but its item " .. item, says(chunk:format(list)), 1, true)
    end
    assert.matches("a list of events, or nothing, got a table", says(chunk:format "{event, last = event}"), 1, true)
    assert.equal("true\n", says(chunk:format "{}"))
  end)
end)

it("an error in the script's function is raised with its line once no device is left", function()
  local text = "local cl = require 'clue'\ncl.each_device(9, 'all', function(worker)\n  return function()\n"
    .. "    return worker.nothing.at_all\n  end\nend)\n"
  local _, err = support.ended(1, run(text, {}, two_devices()))
  assert.matches("all 2 devices failed: [^\n]*lua:4: attempt to index", err)
end)

describe("an interrupt", function()
  it("ends the work, waits for what was enqueued, and leaves nothing", function()
    local out, err = support.ended(0, support.run({"--strict", support.write("ROUNDS = 20000\n" .. HEAD .. [[
      local first = true
      local done, problem = pcall(cl.each_device, count, "all", setup, {on_chunk = function()
        if first then io.popen("kill -INT $PPID"):close() end
        first = false
        local x = 1
        return x
      end})
      print(done, tostring(problem):match "interrupted!$")
      first = false
      print(cl.each_device(count, "all", setup).total == count)]]), "all"}, two_devices()))
    assert.equal("false\tinterrupted!\ntrue\n", out)
    assert.is_nil(err:find("never freed", 1, true), err)
    assert.is_nil(err:find("lost", 1, true), err)
  end)

  it("is no failure of the device whose function it hits", function()
    local out, err = support.ended(0, run("ROUNDS = 1\n" .. HEAD .. [[
      local function prepare(worker)
        local chunk = setup(worker)
        return function(first, items)
          if first > 0 then io.popen("kill -INT $PPID"):close() local x = 1 x = x + 1 end
          return chunk(first, items)
        end
      end
      local done, problem = pcall(cl.each_device, count, "all", prepare)
      print(done, tostring(problem):match "interrupted!$")]], {}, two_devices()))
    assert.equal("false\tinterrupted!\n", out)
    assert.is_nil(err:find("lost", 1, true), err)
  end)
end)
