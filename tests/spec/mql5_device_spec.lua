-- Which device CLContextCreate takes, and TerminalInfoInteger(TERMINAL_OPENCL_SUPPORT).
-- suite: quick
-- builds: luajit lua54

local support = require "support"

local pocl, both, none = support.drivers("pocl"), support.drivers("both"), support.drivers("none")

local report = [[
  function OnStart()
    local context, message = CLContextCreate(%s)
    Print(context == -1 and -1 or require("clue").device.get(context).platform.name, " ", GetLastError())
    if message then Print(message) end
    if context ~= -1 then CLContextFree(context) end
    ResetLastError()
  end]]

local function create(argument, env, ...)
  return support.run(support.words({...}, {support.write(report:format(argument))}), env)
end

describe("CLContextCreate", function()
  it("treats nil as a mistake, not as a missing argument", function()
    local err = support.refused(1, create("nil", both))
    assert.truthy(err:find("CLContextCreate: device must be a number, got nil; is the constant's name spelt right?",
      1, true), err)
  end)

  it("takes the best device that is not a debugger for CL_USE_ANY, and announces it", function()
    for _, argument in ipairs {"", "CL_USE_ANY", "CL_USE_CPU_ONLY"} do
      local out, err = support.ended(0, create(argument, both))
      assert.equal("Portable Computing Language 0\n", out)
      assert.truthy(err:find("^clue: device %d %(%d:%d%) .*; %-%-device %d:%d picks it again\n$"), err)
    end
  end)

  it("takes the device of --device, else of CLUE_DEVICE, for CL_USE_ANY", function()
    local _, out, err = create("CL_USE_ANY", both, "--device", "oclgrind")
    assert.equal("Oclgrind 0\n", out)
    assert.truthy(err:find("named by --device", 1, true), err)
    local env = support.drivers("both", {CLUE_DEVICE = "oclgrind"})
    _, out, err = create("CL_USE_ANY", env)
    assert.equal("Oclgrind 0\n", out)
    assert.truthy(err:find("CLUE_DEVICE", 1, true), err)
    _, out = create("CL_USE_ANY", env, "--device", "portable")
    assert.equal("Portable Computing Language 0\n", out)
  end)

  it("takes the class that the script asks for, whatever --device selects", function()
    local _, out = create("CL_USE_CPU_ONLY", both, "--device", "oclgrind")
    assert.equal("Portable Computing Language 0\n", out)
  end)

  it("takes ordinals over all platforms", function()
    local _, first = create("0", both)
    local _, second, err = create("1", both)
    assert.not_equal(first, second)
    assert.truthy(err:find("^clue: device 1 .*the script asks for it"), err)
  end)

  it("gives 5114 and lists the devices if the device does not exist", function()
    for _, argument in ipairs {"CL_USE_GPU_ONLY", "CL_USE_GPU_DOUBLE_ONLY", "7", "-1", "0.5", "65536", "0/0"} do
      local out, err = support.ended(0, create(argument, pocl))
      assert.truthy(out:find("^%-1 5114\nCLContextCreate: "), out)
      assert.truthy(out:find(": error 5114: ", 1, true), out)
      assert.truthy(err:find("5114", 1, true))
    end
    local listed = "; there is:\n  0 (0:0) "
    local _, out = create("CL_USE_GPU_ONLY", pocl)
    assert.truthy(out:find("there is no GPU" .. listed, 1, true), out)
    _, out = create("7", pocl)
    assert.truthy(out:find("there is no device 7" .. listed, 1, true), out)
  end)

  it("gives 5114 and the list for a name that matches nothing, instead of a silent fallback", function()
    local _, out = create("CL_USE_ANY", pocl, "--device", "nonesuch")
    assert.truthy(out:find("^%-1 5114\nCLContextCreate: .*%-%-device nonesuch.*there is:\n  0 %(0:0%) "), out)
  end)

  it("gives 5100 and what to install if there is no OpenCL at all", function()
    for _, argument in ipairs {"CL_USE_ANY", "0", "CL_USE_GPU_ONLY"} do
      local _, out = create(argument, none)
      assert.truthy(out:find("^%-1 5100\nCLContextCreate: error 5100: there is no OpenCL device"), out)
    end
  end)
end)

describe("TERMINAL_OPENCL_SUPPORT", function()
  local script = "io.write(TerminalInfoInteger(TERMINAL_OPENCL_SUPPORT))"

  it("is the highest OpenCL version of all devices", function()
    local _, out = support.run_script(script, nil, support.drivers("oclgrind"))
    assert.equal(0x00010002, tonumber(out))
    _, out = support.run_script(script, nil, both)
    assert.equal(0x00030000, tonumber(out))
  end)

  it("is 0, and no failure, without a device", function()
    local out, err = support.ended(0, support.run_script(script, nil, none))
    assert.equal("0", out)
    assert.equal("", err)
  end)

  it("is the only property", function()
    local _, out = support.run_script("Print(TerminalInfoInteger(1), ' ', GetLastError())", nil, none)
    assert.truthy(out:find(" 4003\n$"), out)
  end)
end)
