-- A process that is suspended while it measures (Ctrl-Z, SIGSTOP): clocks run on, so what it measures then is repeated,
-- and the result says so. A walk that is suspended keeps no limits meanwhile.
-- suite: whole
-- cost: 20
-- waits: long
local support = require "support"

-- Lua code that suspends its own process for a second.
local suspend = "os.execute 'kill -STOP $PPID; sleep 1; kill -CONT $PPID'"

-- In the script, `f` is suspended in its fifth call.
local function run(code)
  return (support.clean(support.run_script(([[
    local cl = require "clue"
    local calls = 0
    local function f()
      calls = calls + 1
      if calls == 5 then %s end
      require("clue.binding").sleep(0.002)
    end
    %s]]):format(suspend, code))))
end

describe("a measurement during which the process is suspended", function()
  it("is repeated by cl.time, which says so", function()
    local out = run [[
      local time = cl.time(f, {rounds = 7, warm_up = 1})
      local longest = 0
      for _, seconds in ipairs(time.samples) do longest = math.max(longest, seconds) end
      print(time.suspended, #time.samples, calls, longest < 1, time)]]
    -- one call to warm up, one to find that a sample needs no more
    assert.matches("^1\t7\t10\ttrue\t", out)
    assert.matches("; disturbed: the process was suspended, and a sample was taken again\n$", out)
  end)

  it("is repeated by cl.compare, which says so", function()
    local out = run [[
      local function g() require("clue.binding").sleep(0.002) end
      local both = cl.compare(f, g, {rounds = 7, warm_up = 1})
      local longest = 0
      for _, ratio in ipairs(both.ratios) do longest = math.max(longest, ratio, 1 / ratio) end
      print(both.suspended, #both.ratios, calls, longest < 400, both)]]
    assert.matches("^1\t7\t10\ttrue\t", out)
    assert.matches("; disturbed: the process was suspended, and a sample was taken again\n$", out)
  end)

  it("is no result if it always is suspended", function()
    local out = run(([[
      require("clue.timing.guard").most = 3
      print(pcall(cl.time, function() calls = calls + 1 if calls > 2 then %s end end, {rounds = 1, warm_up = 1}))]])
      :format(suspend:gsub("sleep 1", "sleep 0.1")))
    assert.matches("^false\t[^\n]*cl.time: the process was suspended during each of 3 attempts to measure", out)
  end)

  it("is repeated for an event, too", function()
    local out = run [[
      local context = cl.context(0)
      local queue = context:queue()
      local kernel = context:program "kernel void f(global int *x) { x[get_global_id(0)] = 1; }":kernel "f"
      local x = context:buffer(64)
      local time = cl.time(function()
        f()
        return kernel(queue, 16, nil, x)
      end, {rounds = 7, warm_up = 1})
      print(time.suspended, calls)]]
    assert.equal("1\t9\n", out)
  end)

  it("is not told where nothing was suspended", function()
    assert.equal("nil\tnil\n", run [[
      calls = 5
      local time = cl.time(f, {rounds = 3})
      print(time.suspended, tostring(time):match "disturbed")]])
  end)
end)

-- ---- walks ----

local about = 'return {title = "t", about = "a", year = 2026, language = "Lua", hardware = "any", headline = "h", '
  .. 'size = "product"}'

-- A step whose n-th run calls `at_run(n)`.
local step = [[
local product = require "clue.walk.product"
local walk = require "clue.walk"
product.inputs(input, "16")
local runs = 0
function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local row = {number = %d, name = "n", change = "c", check = {verified = true}}
  local context = CLContextCreate(CL_USE_ANY)
  local function at_run(n) %s end
  row.times = walk.run{repeats = _repeat, flops = 1, execute = function()
    runs = runs + 1
    at_run(runs)
    require("clue.binding").sleep(0.2)
  end}
  row.context = context
  walk.report(row)
end
]]

-- Runs steps that do this at their runs. Gives the rows, and what was printed.
local function walk(words, ...)
  local folder = support.folder()
  support.write(about, folder .. "/walkthrough.lua")
  for i, code in ipairs {...} do
    support.write(step:format(i, code), ("%s/%02d_step.lua"):format(folder, i))
  end
  local out, _, document = support.ended(0, support.document(support.words({"walk", folder, "--repeat", "6"}, words)))
  return document.walkthroughs[1].runs[1].rows, out
end

describe("clue walk", function()
  it("repeats a step's run that was suspended, and says so", function()
    local rows, out = walk({}, ("if n == 2 then %s end"):format(suspend))
    local times = rows[1].times
    assert.equal(1, times.suspended)
    assert.equal(6, #times.total)
    for _, seconds in ipairs(times.total) do assert.is_true(seconds < 1) end
    assert.matches("disturbed: step 1 was suspended (Ctrl-Z, SIGSTOP) during a run, which was repeated and does not "
      .. "count", support.flat(out), 1, true)
  end)

  it("does the same in runs by turns", function()
    -- Its own measurement ends with the sixth run.
    local rows, out = walk({}, "", ("if n == 8 then %s end"):format(suspend))
    assert.is_nil(rows[1].times.suspended)
    assert.equal(1, rows[2].times.suspended)
    for _, seconds in ipairs(rows[2].gain.now) do assert.is_true(seconds < 1) end
    assert.matches("disturbed: step 2 was suspended", out, 1, true)
  end)

  it("keeps no limits while it is suspended itself", function()
    -- The step ends in time, but the walk looks at it only after the limit.
    local rows, out = walk({"--time-limit", "5"}, [[
      if n == 2 then
        local parent = io.open("/proc/self/stat"):read "*a":match "%) %a (%d+)"
        os.execute(("kill -STOP %s; (sleep 7; kill -CONT %s) >/dev/null 2>&1 &"):format(parent, parent))
      end]])
    assert.is_nil(rows[1].failed, out)
    assert.is_nil(rows[1].times.suspended)
  end)
end)
