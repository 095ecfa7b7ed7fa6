-- Clocks that jump, stand still or run backwards (tests/layer/wrong_clock.c, and a layer for the device's timer): no
-- time of clue's comes from the time of day, and no speed is negative or infinite, whatever the other clocks do.
-- Nothing waits for ever.
-- suite: whole
local json = require "dkjson"
local support = require "support"

local SECONDS = 100 -- the most that anything here may take; the time of day jumps by days

-- The environment of a run with a wrong clock of the system.
local function clock(how, after, more)
  return support.drivers("pocl", support.with({LD_PRELOAD = support.built "layer/wrong_clock.so", CLUE_CLOCK = how,
                                               CLUE_CLOCK_AFTER = after}, more))
end

-- The environment of a run with a wrong timer of the device.
local function timer(how)
  return support.drivers("pocl", {OPENCL_LAYERS = support.built "layer/misbehave.so", CLUE_MISBEHAVE = how})
end

local function is_sane(number)
  return number >= 0 and number < math.huge
end

-- Every number in a document, with the names on the way to it.
local function each_number(value, call, path)
  if type(value) == "number" then return call(value, path) end
  if type(value) ~= "table" then return end
  for key, inner in pairs(value) do each_number(inner, call, (path or "") .. "/" .. tostring(key)) end
end

local function assert_sane(text)
  local document = assert(json.decode(text), text)
  each_number(document, function(number, path) assert.is_true(is_sane(number), path .. " " .. number) end)
  return document
end

local function assert_no_nonsense(text)
  for _, word in ipairs {"inf", "nan", "-[%d.]+ ms", "-[%d.]+ GFLOPS", "-[%d.]+ us"} do
    assert.is_nil(text:find("%f[%w-]" .. word .. "%f[%W]"), word .. "\n" .. text)
  end
end

local kernel = [[
  local cl = require "clue"
  local context = cl.context(0)
  local queue = context:queue()
  local x = context:buffer(cl.array.float(1024))
  local scale = context:program "kernel void scale(global float *x) { x[get_global_id(0)] *= 2; }":kernel "scale"
  local function run() return scale(queue, 1024, nil, x) end
  local function wait() run():wait() end
]]

local measuring = kernel .. [[
  local event = run()
  local one, clock = event:time()
  local times = {one = one, clock = clock, run = cl.time(run, {rounds = 7}), wait = cl.time(wait, {rounds = 7}),
                 cpu = cl.time(wait, {rounds = 7, clock = "cpu"}), both = cl.compare(wait, wait, {rounds = 7})}
  times.moments = event.queued and event.ended - event.queued
  print(tostring(times.run)) print(tostring(times.wait)) print(tostring(times.both))
  io.stderr:write((require("dkjson").encode(times, {exception = function() return "null" end})))
]]

-- Runs a script whose last output on stderr is JSON, or that fails with one sentence.
local function run(code, env)
  local status, out, err = support.execute({support.clue, support.write(code)}, env, nil, SECONDS)
  assert_no_nonsense(out .. err)
  return status, out, err
end

-- Traces a script: no call and no command may take a time below 0 or of days, and kernels take some.
local function assert_traces(env)
  local path = support.temporary ".json"
  local script = support.write(kernel .. "for _ = 1, 5 do wait() end", support.temporary ".lua")
  support.ended(0, support.run({"trace", "-o", path, script}, env))
  local count, kernels = 0, 0
  for _, event in ipairs(json.decode(support.read(path)).traceEvents) do
    if event.dur then
      count = count + 1
      assert.is_true(event.dur >= 0 and event.dur < SECONDS * 1e6, json.encode(event))
      if event.name == "scale" then kernels = kernels + event.dur end
    end
  end
  assert.is_true(count > 10)
  assert.is_true(kernels > 0)
end

describe("a time of day that jumps", function()
  it("jumps in these tests", function()
    local _, out = run("local a, b = os.time(), os.time() print(math.abs(a - b) > 1000)", clock "real")
    assert.equal("true\n", out)
  end)

  it("does not matter to cl.time, cl.compare and events", function()
    local _, err = support.ended(0, run(measuring, clock "real"))
    for _, name in ipairs {"run", "wait", "cpu"} do
      local time = assert_sane(err)[name]
      assert.is_true(time.median < SECONDS, name .. " " .. time.median)
    end
    local document = json.decode(err)
    assert.is_true(document.one < SECONDS)
    assert.is_true((document.moments or 0) < SECONDS)
  end)

  it("does not matter to clue walk", function()
    local path = support.temporary ".json"
    local status, out, err = support.run({"walk", "hello", "--steps", "1,2", "--size", "64", "--repeat", "2", "--json",
                                          path}, clock "real")
    assert.equal(0, status, out .. err)
    assert_no_nonsense(out)
    for _, row in ipairs(json.decode(support.read(path)).walkthroughs[1].runs[1].rows) do
      assert.is_nil(row.failed)
      each_number(row.times, function(number, where)
        if not (where:find "flops" or where:find "bytes" or where:find "launches") then
          assert.is_true(is_sane(number) and number < SECONDS, where .. " " .. number)
        end
      end)
    end
  end)

  it("does not matter to a trace", function()
    assert_traces(clock "real")
  end)

  it("does not matter to limits of time", function()
    local status, out, err = support.run({"--time-limit", "60", "-e", "require 'clue.binding'.sleep(0.2) print 'done'"},
      clock "real")
    assert.equal("done\n", out, err)
    assert.equal(0, status)
  end)
end)

describe("a monotonic clock that", function()
  -- After so many looks: at once, and while something is being measured.
  for _, after in ipairs {1, 400} do
    for _, how in ipairs {"still", "back"} do
      local name = how == "still" and "stands still" or "runs backwards"
      it(("%s from look %d on gives an error instead of a time"):format(name, after), function()
        local _, err = support.ended(1, run(measuring, clock(how, after)))
        assert.matches("took no time: the system's clock (CLOCK_MONOTONIC) stands still, or went back\n", err, 1, true)
      end)
    end

    it(("jumps back from look %d on gives right times or that error"):format(after), function()
      local status, _, err = run(measuring, clock("jitter", after))
      if status == 0 then
        assert_sane(err)
      else
        assert.matches("stands still, or went back\n", err, 1, true)
      end
    end)
  end

  it("stands still ends no walk and no peak, and gives no figure", function()
    local path = support.temporary ".json"
    for _, words in ipairs {{"walk", "hello", "--steps", "1,2", "--size", "64", "--json", path},
                            {"peak", "--only", "latency", "--json", path}} do
      local out, err = support.ended(1, support.run(words, clock "still", nil, SECONDS))
      assert_no_nonsense(out .. err)
      assert.matches("stands still, or went back", support.read(path), 1, true)
      assert_sane(support.read(path))
    end
  end)

  it("jumps back gives no negative time in a trace", function()
    assert_traces(clock "jitter")
  end)

  it("stands still does not keep a context from ending", function()
    local out, err = support.ended(0, run(kernel .. "wait() context:close() print 'done'", clock "still"))
    assert.equal("done\n", out, err)
  end)
end)

describe("a device's timer that", function()
  for how, name in pairs {still = "stands still", back = "runs backwards"} do
    it(name .. " is not used: the host's clock is", function()
      local out, err = support.ended(0, run(measuring, timer(how)))
      assert.matches("host clock", out:match "[^\n]*")
      local document = assert_sane(err:match "%b{}")
      assert.equal("host", document.clock)
      assert.is_true(document.run.median > 0)
    end)

    it(name .. " is not used in a trace", function()
      assert_traces(timer(how))
    end)

    it(name .. " gives no walk an impossible speed", function()
      local path = support.temporary ".json"
      local status, out, err = support.run({"walk", "hello", "--steps", "1", "--size", "64", "--repeat", "2", "--json",
                                            path}, timer(how))
      assert.equal(0, status, out .. err)
      assert_no_nonsense(out)
      assert.equal("host", json.decode(support.read(path)).walkthroughs[1].runs[1].rows[1].times.clock)
    end)
  end
end)
