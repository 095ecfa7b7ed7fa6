-- MQL5's names as globals and in the table of clue.mql5.
-- suite: quick
-- process: shared

local mql5 = require "clue.mql5"
local options = require "clue.options"
local support = require "support"

describe("the MQL5 names", function()
  it("give an error with the nearest name if one is misspelt #once", function()
    local _, err = support.ended(1, support.run {"-e", "CLKernelCreat(1)"})
    assert.matches("there is no CLKernelCreat: is CLKernelCreate meant?", err, 1, true)
    for _, text in ipairs {"local x\nx = CL_NONE_SUCH", "Print(1)\nx = CL_NONE_SUCH", "x = 1\nx = __LINE__"} do
      _, err = support.ended(1, support.run_script(text)) -- the first name that a script reads, and a later one
      assert.matches("%.lua:2: there is no %w*_", err)
    end
    local _, _, upper = support.run {"-e", "CLKERNELCREATE(1)"}
    assert.matches("there is no CLKERNELCREATE: is CLKernelCreate meant?", upper, 1, true)
    local _, _, other = support.run {"-e", "CLFinish(1)"}
    assert.matches("there is no CLFinish: write clue.finish(context), or clue.wait(kernel) for one kernel, with local "
      .. "clue = require 'clue' (clue help mql5/porting.md#what-to-use-here-that-mql5-lacks)", other, 1, true)
    local _, _, far = support.run {"-e", "CLNothingOfTheKind(1, 2)"}
    assert.matches("there is no CLNothingOfTheKind: MQL5 has no such name", far, 1, true)
  end)

  it("are all in the table that require returns", function()
    for _, name in ipairs {"CLContextCreate", "CLExecute", "CL_USE_ANY", "ERR_OPENCL_EXECUTE", "Print", "MathRand",
      "ArrayResize", "FileOpen", "TerminalInfoInteger", "GetTickCount", "CLGetInfoInteger",
      "CLGetInfoString", "CLGetDeviceInfo", "COpenCL", "matrix", "vectorf", "CL_DEVICE_NAME", "CL_LAST_ERROR", "input",
      "array", "float", "ulong"} do
      assert.not_nil(mql5[name], name)
      assert.not_nil(rawget(mql5, name), name)
    end
    assert.is_nil(mql5.CLNoSuchName)
  end)

  it("give each of MQL5's constants a value unlike others of its kind", function()
    local seen = {}
    for _, name in ipairs {"CL_USE_ANY", "CL_USE_CPU_ONLY", "CL_USE_GPU_ONLY", "CL_USE_GPU_DOUBLE_ONLY",
      "INVALID_HANDLE"} do
      assert.is_true(mql5[name] < 0)
      assert.is_nil(seen[mql5[name]])
      seen[mql5[name]] = name
    end
    for code = 5100, 5114 do seen[code] = false end
    for name, value in pairs(mql5) do
      if tostring(name):find("^ERR_OPENCL_") then seen[value] = name end
    end
    for code = 5100, 5114 do assert.is_string(seen[code]) end
  end)

  it("are globals in scripts, which may redefine them #once", function()
    local _, out = support.run_script [[
      print(INVALID_HANDLE, rawget(_G, "INVALID_HANDLE"), no_such_name)
      function Print() print "mine" end
      Print "theirs"]]
    assert.equal("-1\tnil\tnil\nmine\n", out)
  end)

  it("have the variables _LastError and _StopFlag", function()
    local globals = {}
    mql5.install(globals)
    mql5.ResetLastError()
    assert.same({0, false, 0, false}, {globals._LastError, globals._StopFlag, mql5._LastError, mql5._StopFlag})
    local quiet = options.quiet
    options.quiet = true
    mql5.CLBufferFree(1)
    options.quiet = quiet
    assert.same({5102, 5102}, {globals._LastError, mql5._LastError})
    mql5.ResetLastError()
    assert.equal(0, globals._LastError)
  end)

  it("raise what to write where a variable or a macro of MQL5 is read that cannot be", function()
    local globals = {}
    mql5.install(globals)
    for _, name in ipairs {"_Symbol", "_Period", "_Digits", "_Point", "_UninitReason", "_RandomSeed", "Symbol",
      "Digits", "Bid", "Ask", "Point", "Bars", "Period", "__FUNCTION__", "__LINE__", "__FILE__", "__DATE__",
      "__MQL5BUILD__", "LONG_MAX", "ULONG_MAX"} do
      local done, problem = pcall(function() return globals[name] end)
      assert.is_false(done, name)
      local expected = "mql5_names_spec.lua:%%d+: there is no %s: .+ %%(clue help mql5/porting.md#[%%l-]+%%)$"
      assert.matches(expected:format(name), problem)
      globals[name] = 5
      assert.equal(5, globals[name])
    end
  end)

  it("leave the names of variables that clue lacks to inputs #once", function()
    local _, out, err = support.run_script("input.int('Period', 14) input.string('Symbol', 'EURUSD')\n"
      .. "function OnStart() Print(Period, ' ', Symbol) end", {"--Period", "5"})
    assert.same({"5 EURUSD\n", ""}, {out, err})
  end)

  it("load no OpenCL driver #once", function()
    local _, out = support.run_script([[
      Print(MathMax(1, 2))
      for line in io.lines "/proc/self/maps" do
        if line:find "libpocl" or line:find "oclgrind" then print(line) end
      end]], nil, support.drivers("both"))
    assert.equal("2\n", out)
  end)

  it("come after the names that a metatable of the globals finds", function()
    local globals = setmetatable({own = 1}, {__index = {Print = "earlier", other = 2}})
    mql5.install(globals)
    assert.same({1, "earlier", 2, -1}, {globals.own, globals.Print, globals.other, globals.INVALID_HANDLE})
    globals = setmetatable({}, {__index = function(_, key) return key == "x" and 3 or nil end})
    mql5.install(globals)
    assert.same({3, -1}, {globals.x, globals.INVALID_HANDLE})
    assert.is_nil(globals.no_such_name)
    globals = {}
    mql5.install(globals)
    assert.equal(mql5.Print, globals.Print)
  end)
end)

it("a colour's name is no misspelt CL name", function()
  local globals = {}
  require("clue.mql5").install(globals)
  assert.is_nil(globals.CLR_NONE)
end)
