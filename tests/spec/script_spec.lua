-- How a script runs: its chunk, OnStart(), and the exit status.
-- suite: quick
-- builds: luajit lua54

local support = require "support"

local none = support.drivers("none")

local function run(script, args, env)
  return support.run_script(script, args, env or none)
end

describe("a script", function()
  it("runs its chunk, then OnStart(), once each", function()
    local out = support.ended(0, run "print 'chunk'\nfunction OnStart() print 'start' end\nprint 'end'")
    assert.equal("chunk\nend\nstart\n", out)
  end)

  it("that is plain Lua keeps its arguments and does not load clue", function()
    local status, out = run([[
      local names = {}
      for name in pairs(package.loaded) do
        if name:find "^clue" and name ~= "clue.options" then names[#names + 1] = name end
      end
      print(#names, arg[2], ...)]], {"--help", "--device"})
    assert.equal("0\t--device\t--help\t--device\n", out)
    assert.equal(0, status)
  end)

  it("that uses MQL5's names without OnStart() keeps its arguments", function()
    local out = support.ended(0, run("Print(MathMax(1, 2), ' ', ...)", {"--help"}))
    assert.equal("2 --help\n", out)
  end)

  it("passes its arguments to the chunk", function()
    local _, out = run("input.int('_x', 1) print(...) function OnStart() end", {"--x", "2"})
    assert.equal("--x\t2\n", out)
  end)

  it("whose OnStart is not a function is refused with that reason", function()
    for _, value in ipairs {"5", "'x'", "{}", "false"} do
      local out, err = support.ended(1, run("print 'chunk' OnStart = " .. value))
      assert.equal("chunk\n", out)
      assert.matches("^clue: [^\n]*: OnStart must be a function, not a %l+\n$", err)
    end
  end)

  it("with inputs but no OnStart() is refused with that reason", function()
    local err = support.refused(1, run "input.int('_x', 1)")
    assert.truthy(err:find("the script declares inputs, but has no OnStart()", 1, true), err)
  end)

  it("that raises an error ends with 1 and a traceback of its own lines", function()
    local _, err = support.ended(1, run "local function f() error 'oops' end\nfunction OnStart()\n  f()\nend")
    assert.truthy(err:find("%.lua:1: oops"), err)
    assert.truthy(err:find("%.lua:3: in"), err)
    assert.is_nil(err:find("clue/script.lua", 1, true), err)
  end)
end)

describe("an event handler of MQL5", function()
  -- The script, and what is said of it.
  local silent = {
    {"function OnInit() end function OnTick() end function OnDeinit(reason) end",
     "the script defines OnDeinit, OnInit and OnTick, but no OnStart(): clue calls only OnStart(), with OnInit() "
     .. "before and OnDeinit() after it; call the others from OnStart()"},
    {"function OnCalculate(total) return total end", "the script defines OnCalculate, but no OnStart(): "},
    {"function OnTimer() end -- OnTimer()", "the script defines OnTimer, but no OnStart(): "},
    {"input.int('_n', 1) function OnChartEvent() end", "the script defines OnChartEvent, but no OnStart(): "},
    {"local m = {} function m:OnTick() end function OnTick() end m:OnTick()", "the script defines OnTick, but no "},
    {"function Onstart() end", "the script defines Onstart, which nothing calls: is OnStart meant?"},
    {"function onInit() end function OnStart() end", "the script defines onInit, which nothing calls: is OnInit "},
    {"local function OnStart() end", "OnStart is local, so clue cannot call it: write `function OnStart()` without"},
    {"local OnStart = function() end", "OnStart is local, so clue cannot call it: "},
    {"local OnStart\nfunction OnStart() print 'OnStart()' end", "OnStart is local, so clue cannot call it: "},
  }

  it("that nothing would call is reported, with status 1", function()
    for _, case in ipairs(silent) do
      local err = support.refused(1, run(case[1]))
      assert.matches(case[2], err, 1, true)
    end
  end)

  it("that the script calls itself is its own", function()
    for _, text in ipairs {"function OnInit() print 'ran' end OnInit()", "function onStart() print 'ran' end onStart()",
      "local function OnStart() print 'ran' end OnStart()", "local function OnStart() print 'ran' end pcall(OnStart)",
      "function OnInit() print 'ran' end function OnStart() OnInit() end", "function OnlyOnce() end print 'ran'"} do
      local status, out, err = run(text)
      assert.same({0, "ran\n", ""}, {status, out, err}, text)
    end
  end)

  it("is called if it is OnInit before OnStart() or OnDeinit after it, once each", function()
    local text = "function OnInit() print 'init' %s end function OnStart() print 'start' end "
      .. "function OnDeinit(reason) print('deinit', reason == REASON_PROGRAM, reason == REASON_INITFAILED) end"
    local status, out = run(text:format "return INIT_SUCCEEDED", {"--repeat", "2"})
    assert.same({0, "init\nstart\nstart\ndeinit\ttrue\tfalse\n"}, {status, out})
    status, out = run(text:format "")
    assert.same({0, "init\nstart\ndeinit\ttrue\tfalse\n"}, {status, out})
  end)

  it("that fails as OnInit keeps OnStart from running, and gives status 1", function()
    for _, result in ipairs {"INIT_FAILED", "false", "-1"} do
      local status, out, err = run("function OnInit() return " .. result .. " end function OnStart() print 'start' end "
        .. "function OnDeinit(reason) print(reason == REASON_INITFAILED) end")
      assert.same({1, "true\n"}, {status, out})
      assert.matches("OnInit%(%) returned [^\n]*, so OnStart%(%) is not called\n", err)
    end
  end)
end)

describe("the exit status", function()
  it("is what OnStart() returns", function()
    for result, wanted in pairs {["0"] = 0, ["3"] = 3, ["true"] = 0, ["false"] = 1, [""] = 0, ["'x'"] = 0} do
      assert.equal(wanted, (run("function OnStart() return " .. result .. " end")), result)
    end
  end)

  it("is 1 if the script ignored a failed call, with OnStart() and without", function()
    local failing = "CLContextFree(-1)"
    assert.equal(1, (run("function OnStart() " .. failing .. " end")))
    assert.equal(1, (run(failing)))
    assert.equal(0, (run("function OnStart() " .. failing .. " ResetLastError() end")))
    assert.equal(0, (run("function OnStart() " .. failing .. " return 0 end")))
    assert.equal(0, (run(failing .. " ResetLastError()")))
  end)

  it("ends a repetition when it is not 0", function()
    local script = "n = 0 function OnStart() n = n + 1 Print(n) return n == 2 and 5 or 0 end"
    local out = support.ended(5, run(script, {"--repeat=9"}))
    assert.equal("1\n2\n", out)
  end)
end)
