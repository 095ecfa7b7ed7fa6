-- `clue build` and `clue asm` of a script, which runs so that they learn what it builds.
-- suite: whole
-- cost: 15
local json = require "dkjson"
local support = require "support"

local unpack = unpack or table.unpack -- luacheck: ignore

describe("clue build of a script", function()
  local script = [[
    local cl = require "clue"
    local context = cl.context()
    print("the script runs", ...)
    for _, factor in ipairs {2, 3, 2} do
      context:program("kernel void scale(global float *x) { x[0] *= FACTOR; }", {defines = {FACTOR = factor}})
    end
    local part = context:compile "float third(float x) { return x / 3; }"
    local main = context:compile("float third(float); \\n#include \\"k.h\\"\\n", {
      headers = {["k.h"] = "kernel void divide(global float *x) { x[0] = third(x[0]); }"},
    })
    context:link {part, main}
    if ... == "fail" then pcall(context.program, context, "kernel void f() { missing(); }") error "at last" end
  ]]

  local function run(args, options)
    local path = support.write(script:gsub("\\\\", "\\"), support.temporary ".lua")
    local words = support.words({"--quiet", "build"}, options, {path}, args)
    local status, out, err = support.run(words, support.drivers "oclgrind")
    return status, out, err, path
  end

  it("compiles each of the programs that it builds, once", function()
    local out, err, path = support.ended(0, run {"with", "words"})
    assert.equal("the script runs\twith\twords\n", err)
    assert.matches(("program 1, %s:5\ndevice 0"):format(path), out, 1, true)
    assert.matches("built in %d+ ms, %-D FACTOR=2: 1 kernel\n  scale%(global float%* x%)", out)
    assert.matches("built in %d+ ms, %-D FACTOR=3: 1 kernel\n", out)
    assert.matches("program 3, [^\n]*:7\n.*  divide%(global float%* x%)", out)
    assert.is_nil(out:find "program 4")
  end)

  it("leaves the script all words after it, as clue count does, with a -- before them or without", function()
    local _, _, err = run {"--json", "-D", "N=3"}
    assert.equal("the script runs\t--json\t-D\tN=3\n", err)
    _, _, err = run {"--", "--json"}
    assert.equal("the script runs\t--json\n", err)
  end)

  it("takes a walkthrough's steps", function()
    local function compile(...) return support.run({"--quiet", ...}, support.drivers "oclgrind") end
    local out = support.ended(0, compile("build", "mql5", "--steps", "4,5"))
    assert.matches("%-%- step 4, sum_local %-%-\nprogram 1\n.*%-%- step 5, row_per_item %-%-\nprogram 1\n", out)
    out = support.ended(0, compile("asm", "mql5", "--steps", "4", "--size", "16"))
    assert.matches("matr_mul_sum_local", out)
    for _, case in ipairs {
      {"asm", "mql5", "--counts", "--json", "--json is for one step: choose it with --steps"},
      {"build", "mql", "there is no walkthrough 'mql': did you mean"},
      {"build", "--steps", "4", support.write "print 'x'",
       "--steps and --size are for walkthroughs; a script's own options follow it"},
      {"build", "mql5", "--emit", "x", "--emit is for a file of OpenCL C"},
    } do
      local expected = table.remove(case)
      local _, err = support.ended(2, compile(unpack(case)))
      assert.matches(expected, err, 1, true)
    end
  end)

  it("gives them as JSON", function()
    local out = support.ended(0, run({}, {"--json"}))
    local programs = json.decode(out).programs
    assert.equal(3, #programs)
    assert.equal("divide", programs[3].devices[1].kernels[1].name)
    assert.equal("-D FACTOR=3", programs[2].options)
  end)

  it("reports programs that do not compile, and a script that fails", function()
    local out, err, path = support.ended(1, run {"--", "fail"})
    assert.matches(("%s:12:"):format(path), err, 1, true)
    assert.matches("at last", err, 1, true)
    assert.matches(("%s failed with exit status 1\n"):format(path), err, 1, true)
    assert.matches(("program 4, %s:12\n"):format(path), out, 1, true)
    local message = out:match(":12:78: (error: .*)$")
    assert.matches("^error: [^\n]*missing[^\n]*\n +if [^\n]*missing[^\n]*\n +%^\n  it does not compile\n$", message)
  end)

  it("refuses a compiler's options, and a script that builds nothing", function()
    local _, err = support.ended(2, run({}, {"-D", "N=3"}))
    assert.equal("clue build: -D is for a file of OpenCL C: a script gives its own options; `clue build --help` lists "
      .. "the options\n", err)
    local path = support.write("print 'nothing'\n", support.temporary ".lua")
    local failed, out, problem = support.run {"--quiet", "build", path}
    assert.equal(1, failed)
    assert.equal("", out)
    assert.equal(("nothing\nclue build: %s built no program from source\n"):format(path), problem)
  end)
end)

describe("clue asm of a script", function()
  local script = [==[
    local SOURCE = [[
      kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }
      kernel void other(global int *y) { y[get_local_id(0)] = 7; }
    ]]
    local cl = require "clue"
    local context = cl.context()
    local queue = context:queue()
    local x = context:buffer(4096)
    local program = context:program(SOURCE)
    program.twice(queue, 64, 16, x):wait()
    program.twice(queue, {64, 2}, {4, 2}, x):wait()
    local again = context:program(SOURCE, {defines = {AGAIN = true}})
    again.twice(queue, 64, 32, x):wait()
    local linked = context:link {context:compile "kernel void joined(global float *x) { x[get_global_id(0)] += 1; }"}
    linked.joined(queue, 64, 8, x):wait()
  ]==]
  local path = support.write(script, support.temporary ".lua")

  it("prints the code for the work-groups that it launched", function()
    local out = support.ended(0, support.run {"--quiet", "asm", path})
    local found = {}
    for kernel, size in out:gmatch "kernel (%w+ of program %d), [^\n]*, for work%-groups of (%d+ x %d+ x 1)" do
      found[#found + 1] = kernel .. ": " .. size
    end
    assert.same({"twice of program 1: 16 x 1 x 1", "twice of program 1: 4 x 2 x 1", "twice of program 2: 32 x 1 x 1",
      "joined of program 3: 8 x 1 x 1"}, found)
  end)

  local short = support.write(script:match "^.-queue, 64, 16, x%):wait%(%)\n"
    .. "context:program 'kernel void third(global int *z) { z[0] = 3; }'", support.temporary ".lua")

  it("says first what the loop does that takes the time", function()
    local script_of_loop = support.write([[
      local cl = require "clue"
      cl.context():program("kernel void sum(global float *x, int n) { float s = 0; "
        .. "for (int i = 0; i < n; i++) s += x[i] * x[i]; x[n] = s; }")
    ]], support.temporary ".lua")
    local out = support.ended(0, support.run {"--quiet", "asm", script_of_loop})
    local first, second = out:match "^([^\n]*)\n([^\n]*)\nkernel sum of program 1, [^\n]*: file format"
    assert.matches("^sum, for any work%-group: [^:]*innermost loop[^:]*: %d+ float operations?, %d+ loads?", first)
    assert.matches(" in %d+ instructions; [^;]+$", first)
    assert.equal("--counts has all innermost loops as a table, and no code", second)
  end)

  it("prints the code for any work-group of a kernel that it did not launch", function()
    local out = support.ended(0, support.run {"--quiet", "asm", "--kernel", "other", "--counts", short})
    assert.matches("kernel other of program 1, [^\n]*, for any work%-group, x86%-64: ", out)
    assert.is_nil(out:find "kernel t")
  end)

  it("refuses a kernel that no program has", function()
    local err = support.refused(1, support.run {"--quiet", "asm", "--kernel", "thrice", short})
    assert.matches("clue asm: %-%-kernel: there is no kernel 'thrice'; there are: twice, other, third\n$", err)
  end)

  it("says what searches a tuning space, which builds nothing by itself", function()
    for _, command in ipairs {"asm", "build", "count", "trace"} do
      local err = support.refused(1, support.run {command, "scripts/templates/space.lua"})
      assert.matches("scripts/templates/space%.lua'? [^\n]+: it is a tuning space, which `clue tune "
        .. "scripts/templates/space%.lua` searches\n$", (err:gsub("space%.lua:", "space.lua")), command)
    end
  end)

  it("says that there is no program if the script found no device", function()
    for _, command in ipairs {"asm", "build"} do
      local unlucky = support.write('CLProgramCreate(CLContextCreate(CL_USE_ANY), "kernel void f() {}")',
        support.temporary ".lua")
      local _, _, err = support.run {command, "--device", "nvidea", unlucky}
      assert.matches("has 'nvidea' in its name", err, 1, true)
      assert.matches(("\nclue %s: %s built no program from source\n"):format(command, unlucky), err, 1, true)
    end
  end)
end)

