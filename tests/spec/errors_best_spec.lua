-- The commonest failures, provoked in both layers on each driver: the messages are those in docs/reference/errors.md,
-- with cause and remedy. tests/specimens/errors has the scripts.
-- suite: whole
-- cost: 15
local is_shown = require("markdown").is_shown
local support = require "support"

local page = support.read "docs/reference/errors.md"

-- The page's failures in order: name and message ("..." stands for anything).
local function failures_of(text)
  local list = {}
  for name, said in text:gmatch "\n### [^\n]*%(`([%w_]+)`%)\n\n```\n([^\n]*)\n```\n\n%S" do
    list[#list + 1] = {name = name, said = said}
    list[name] = list[#list]
  end
  return list
end

local failures = failures_of(page)

-- ---- failures that need more than a device ----

local function layer(how)
  return {OPENCL_LAYERS = support.built "layer/misbehave.so", CLUE_MISBEHAVE = how}
end

local needs = {
  no_device = {driver = "none"},
  no_double = {driver = "rusticl"},
  option = {more = {CLUE_BUILD_OPTIONS = "-bogus"}, on_each = true},
  device_memory = {driver = "pocl", more = layer "full"},
  resources = {driver = "pocl", more = layer "few"},
  fault = {driver = "pocl", more = layer "fault"},
  dead_context = {driver = "pocl", more = layer "fault", after = "fault"},
  -- The first call that acts is clCreateContext.
  host_memory = {driver = "pocl", more = {OPENCL_LAYERS = support.built "layer/fail_nth.so", CLUE_FAIL_NTH = 1}},
}

-- MQL5 has no functions that can fail in these ways.
local no_mql5 = {overlap = true, mapped = true, sub_buffer = true, image_format = true, binary = true}

-- Failures that a driver does not report, or cannot have.
local not_on = {
  oclgrind = {no_body = "it builds programs whose functions have no bodies"},
}

-- ---- provoking ----

-- Runs specimens of a layer. Returns their messages by name.
local function provoke(script, names, env)
  local path = "tests/specimens/errors/" .. script .. ".lua"
  local words = support.words({"--quiet", path}, script == "mql5" and {"--cases", table.concat(names, " ")} or names)
  local status, out, err = support.run(words, env)
  local said = {}
  for name, text in ("\n" .. out):gmatch "\n== ([%w_]+)\n([^\n]*)" do said[name] = text end
  return said, ("status %d\n%s"):format(status, err)
end

-- MQL5's functions give their own name and code instead of OpenCL's call and number.
local function as_objects_say(text, shown)
  local code, detail = text:match "^CL%u%l%w+: error %d+ %((CL_[%u_]+)%): (.*)$"
  if code then return code .. ": " .. detail, (shown:gsub("^cl%u%w+: (CL_[%u_.]+) %(%-[%d.]+%)", "%1")) end
  return (text:gsub("^CL%u%l%w+: error %d+: ", "")), shown
end

local function check(script, name, said, report)
  local text, shown = said[name] or ("nothing was written: " .. report), failures[name].said
  text = text:gsub("/%S*/clue check", "clue check") -- as one types it
  if script == "mql5" then text, shown = as_objects_say(text, shown) end
  assert(is_shown(text, shown), ("%s says\n%s\nand the page\n%s"):format(name, text, shown))
end

-- The failures that need no more than a device.
local function plain(driver, script)
  local names = {}
  for _, failure in ipairs(failures) do
    local name = failure.name
    local left_out = needs[name] or (not_on[driver] or {})[name] or (script == "mql5" and no_mql5[name])
    if not left_out then names[#names + 1] = name end
  end
  return names
end

for _, script in ipairs {"objects", "mql5"} do
  for _, driver in ipairs {"pocl", "oclgrind", "rusticl"} do
    describe(("on %s, %s"):format(driver, script), function()
      local said, report

      setup(function()
        said, report = provoke(script, plain(driver, script), support.drivers(driver))
      end)

      for _, name in ipairs(plain(driver, script)) do
        it("gives cause and remedy: " .. name, function() check(script, name, said, report) end)
      end

      it("gives cause and remedy: option", function()
        check(script, "option", provoke(script, {"option"}, support.drivers(driver, needs.option.more)))
      end)

      for name, reason in pairs(not_on[driver] or {}) do
        if script == "objects" or not no_mql5[name] then
          it("gives cause and remedy: " .. name, function() pending(reason) end)
        end
      end
    end)
  end

  describe("on a driver made to fail, " .. script, function()
    for _, failure in ipairs(failures) do
      local name, need = failure.name, needs[failure.name]
      if need and need.driver then
        it("gives cause and remedy: " .. name, function()
          local names = need.after and {need.after, name} or {name}
          check(script, name, provoke(script, names, support.drivers(need.driver, need.more)))
        end)
      end
    end
  end)
end

-- ---- late faults ----

describe("a kernel out of bounds", function()
  local script = [[
    local cl = require "clue"
    local context = cl.context()
    local queue = context:queue()
    local kernel = context:program [=[
      kernel void out_of_bounds(global float *x) {
        x[get_global_id(0)] = 1;
      }]=]:kernel "out_of_bounds"
    kernel(queue, 5, nil, context:buffer(16)):wait()
  ]]

  it("is reported with the command that finds the line and the index", function()
    local path = support.write(script, support.temporary " it's.lua")
    local _, _, err = support.run({"--quiet", "--device=0", path, "--device", "x"},
      support.drivers("pocl", layer "fault"))
    local command = err:match "to see the kernel's line and the index: ([^\n]*)"
    assert.is_not_nil(command, err)
    assert.is_nil(command:find "--device=0")
    local status, told, wrong = support.execute({"sh", "-c", command})
    assert.equal(1, status, wrong)
    assert.matches("a write past the end of", told)
    assert.matches("work%-item 4 ", told)
  end)

  it("is reported with a command for Oclgrind where clue check has no file to run", function()
    local _, _, err = support.run({"--quiet", "-e", script},
      support.drivers("pocl", {OPENCL_LAYERS = support.built "layer/misbehave.so", CLUE_MISBEHAVE = "fault",
        CLUE_DEVICE = "0"}))
    assert.matches(": env %-u CLUE_DEVICE %-u PYOPENCL_CTX oclgrind PROGRAM", err)
  end)
end)

describe("a kernel that crashes the process", function()
  local script = [[
    local cl = require "clue"
    local context = cl.context()
    local source = "kernel void far(global float *x, ulong n) { x[get_global_id(0) + n] = 1; }"
    context:program(source):kernel "far"(context:queue(), 4, 2, context:buffer(16), cl.ulong(1e13)):wait()
  ]]

  for _, driver in ipairs {"pocl", "rusticl"} do
    it("is reported with the command that finds its line: " .. driver, function()
      local path = support.write(script)
      local status, _, err = support.run({"--quiet", path, "-n", "two words"}, support.drivers(driver))
      assert.equal(128 + 11, status)
      assert.matches("clue: SIGSEGV with kernels that may have been running: kernel 'far' (global 4, local 2); "
        .. "to see the kernel's line and the index: " .. support.clue .. " check " .. path .. " -n 'two words'\n",
        err:gsub(" in cl%w+ with", " with"), 1, true)
    end)
  end
end)

describe("a crash after a script's kernels have ended", function()
  -- One of them may have overwritten what belongs to the driver, or to Lua.
  local script = [[
    local cl = require "clue"
    local context = cl.context()
    context:program "kernel void f(global float *x) { x[0] = 1; }":kernel "f"(context:queue(), 1, 1,
      context:buffer(16)):wait()
    os.execute "kill -s SEGV $PPID"
    os.execute "sleep 5"
  ]]

  it("is reported with the command that finds whether one wrote outside its memory", function()
    local path = support.write(script)
    local status, _, err = support.run {"--quiet", path}
    assert.equal(128 + 11, status)
    assert.matches(("clue: SIGSEGV; a kernel may have written outside its memory before; to see the kernel's line and "
      .. "the index: %s check %s\n"):format(support.clue, path), err, 1, true)
  end)
end)

describe("a driver that crashes by itself", function()
  it("is reported with the call of OpenCL", function()
    local status, _, err = support.run({"--quiet", "-e", [[
      require("clue").context():program [=[kernel void f(int n) { printf("%s", n > 3 ? "many" : "few"); }]=]:kernel "f"
    ]]}, support.drivers "rusticl")
    assert.equal(128 + 6, status)
    assert.matches("\nclue: SIGABRT in clCreateKernel: the driver has a fault; try another device, or change what the "
      .. "call is about\n", err)
  end)
end)

describe("a driver that ends the process", function()
  it("is reported with the call that clue was waiting for, and a likely cause", function()
    local caches, script = support.temporary(), support.write [[
      require("clue").context():program "kernel void f(global int *x) { x[0] = 1; }"
    ]]
    os.remove(caches)
    local status, out, err = support.execute({"sh", "-c", 'ulimit -f 8; exec "$0" --quiet "$1"', support.clue, script},
      support.drivers("pocl", {POCL_CACHE_DIR = caches, CLUE_NO_CACHE = "1"}))
    support.execute {"rm", "-r", caches}
    assert.not_equal(0, status)
    assert.equal("", out)
    assert.matches("LLVM ERROR: IO failure on output stream: File too large\n"
      .. "clue: the process was ended by a driver, or by another library, in clBuildProgram, while clue was waiting "
      .. "for the build of a program; it may have printed the reason above", err, 1, true)
    assert.matches("POCL_CACHE_DIR", err, 1, true)
  end)

  it("is not blamed if the script ends the process itself", function()
    for _, text in ipairs {"os.exit(3)", "error 'oops'", "coroutine.wrap(os.exit)(3)", "os.exit(true, true)"} do
      local _, _, err = support.run({"-e", text}, support.drivers "none")
      assert.is_nil(err:find("ended by a driver", 1, true), text)
    end
  end)
end)

-- ---- the page ----

describe("docs/reference/errors.md", function()
  it("has at least twenty failures, each with a name of its own", function()
    assert.is_true(#failures >= 20)
    local names = {}
    for _, failure in ipairs(failures) do
      assert.is_nil(names[failure.name])
      names[failure.name] = true
    end
    assert.equal(#failures, select(2, page:gsub("\n### ", "")))
  end)

  it("lists every code with the words of error_codes.h, and no others", function()
    local list = support.read("host/core/base/error_codes.h"):match("ERROR_CODES%(X%)(.*)"):gsub("\\\n", "\n")
    list = list:gsub('"%s+"', "")
    local wanted, told = {}, {}
    for code, name, hint in list:gmatch 'X%((%-%d+), ([%w_]+),%s*"([^"]*)"%)' do
      wanted[#wanted + 1] = ("| %s | `%s` | %s |"):format(code, name, hint)
    end
    for line in page:match("\n## Every code\n(.*)"):gmatch "(| %-%d+ [^\n]*)" do told[#told + 1] = line end
    assert.is_true(#wanted > 60)
    assert.same(wanted, told)
  end)
end)

describe("a compiler's output", function()
  it("goes to the log, never to the process's stderr", function()
    local out = support.clean(support.run({"--quiet", "-e", [[
      local context = require("clue").context()
      print(pcall(context.program, context, "kernel void f() { missing; }"))
      print(pcall(context.compile, context, "kernel void f() { missing; }"))
      print(context:program("#warning look\nkernel void f(global int *x) { x[0] = 1; }").log)]]},
      support.drivers "pocl"))
    assert.equal(2, select(2, out:gsub("use of undeclared identifier 'missing'\n    kernel", "")), out)
    assert.matches("warning: look", out, 1, true)
  end)
end)
