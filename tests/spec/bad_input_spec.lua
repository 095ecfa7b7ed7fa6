-- The commonest mistakes: each ends with one clear message and a non-zero exit status, and crashes nothing.
-- (In the sanitizer build the same spec shows that nothing leaks.)
-- suite: quick
-- builds: luajit asan
local support = require "support"

local head = [[
local context = CLContextCreate(CL_USE_ANY)
local function kernel(source, name)
  return CLKernelCreate(CLProgramCreate(context, source), name)
end
]]

-- Runs a script with one mistake, in its last line. Returns its messages without the line that names the device.
local function said_by(text, args, env)
  local path = support.write(head .. text)
  local words = support.words({path}, args)
  local status, out, err = support.run(words, env)
  assert.equal("", out)
  err = err:gsub("clue: device %d+ %([^\n]*\n", ""):gsub("%d+ errors? generated%.\n", "")
  return err:gsub(path:gsub("%p", "%%%0"), "script.lua"), status
end

local function assert_says(text, wanted)
  local said, status = said_by(text)
  assert.equal(1, status, said)
  assert.matches(wanted, said, 1, true)
  assert.equal(1, select(2, said:gsub("clue: ", "")), said)
end

describe("the message about a mistake in a script", function()
  -- In a process of its own: the methods of arrays, made once, and matrices, made anew for each spec, share a table.
  it("names the matrix whose array would change its length", function()
    local text = "local m = matrix {{1, 2}, {3, 4}} m:array():resize(0)"
    assert_says(text, "double[2 x 2] belongs to a matrix, whose size m.Resize changes")
  end)

  it("shows the log with the faulty line and a caret if a kernel does not compile", function()
    local said, status = said_by('CLProgramCreate(context, "kernel void f(global int *a)\\n{\\n  a[0] = none;\\n}")')
    assert.equal(1, status)
    assert.matches("script.lua:5: CLProgramCreate: error 5105 (CL_BUILD_PROGRAM_FAILURE)", said, 1, true)
    assert.matches("\nsource:3:10: error: use of undeclared identifier 'none'\n      a[0] = none;\n             ^\n",
      said, 1, true)
  end)

  it("says that a source is the name of a file, in both layers", function()
    local expected = [[the source, 'conv.cl', looks like a file: cl.read_file("conv.cl") reads it]]
    assert_says('CLProgramCreate(context, "conv.cl")', expected)
    assert_says('require("clue").wrap(context):program "conv.cl"', expected)
  end)

  it("names the argument that was never set", function()
    assert_says('CLExecute(kernel("kernel void f(const int rows) {}", "f"), 1, {0}, {8})',
      "script.lua:5: CLExecute: error 5109 (CL_INVALID_KERNEL_ARGS): argument 0 'rows' of kernel 'f' "
      .. "was never set")
  end)

  it("names both sizes if the local size does not divide the global size", function()
    assert_says('CLExecute(kernel("kernel void f() {}", "f"), 1, {0}, {1000}, {24})',
      "error 5109 (CL_INVALID_WORK_GROUP_SIZE): local size 24 does not divide global size 1000")
  end)

  it("says that a handle was freed", function()
    assert_says('local b = CLBufferCreate(context, 64, CL_MEM_READ_WRITE) CLBufferFree(b) '
      .. 'CLBufferRead(b, array.float(16))', "was freed\n")
  end)

  it("names the bytes of local memory if there are too many", function()
    assert_says('CLSetKernelArgMemLocal(kernel("kernel void f(local int *t) { t[0] = 1; }", "f"), 0, 1e12)',
      "1000000000000 bytes of local memory for argument 0 't' of kernel 'f' are more than")
    assert_says('local k = kernel("kernel void f(global int *a) { local int t[40000000]; t[get_local_id(0)] = 1; '
      .. 'barrier(1); a[0] = t[1]; }", "f") CLSetKernelArgMem(k, 0, CLBufferCreate(context, 64, CL_MEM_READ_WRITE)) '
      .. 'CLExecute(k, 1, {0}, {8})', "kernel 'f' needs 160000000 bytes of local memory")
  end)

  it("names double if the device has no fp64", function()
    local said, status = said_by('CLProgramCreate(context, "kernel void f(global double *a) { a[0] = 1; }")', {},
      support.drivers "rusticl")
    assert.equal(1, status, said)
    assert.matches("CL_BUILD_PROGRAM_FAILURE", said, 1, true)
    assert.matches("double", said, 1, true)
  end)
end)

it("a mistake's consequences are counted, not listed one by one", function()
  local _, err = support.ended(1, support.run({"scripts/examples/hello.lua"}, support.drivers "none"))
  assert.matches("there is no OpenCL device", err, 1, true)
  assert.matches("more calls failed because of an earlier failure\n$", err)
  assert.is_nil(err:find("-1 is no", 1, true))
end)

describe("a mistake on the command line", function()
  local no_such_device = "no device or platform has 'unobtainium' in its name; there is:\n  0 (0:0)"
  local step = "scripts/walkthroughs/mql5/04_sum_local.lua"

  for words, expected in pairs {
    ["missing.lua"] = {1, "cannot open 'missing.lua': no such file"},
    ["--nonsense"] = {2, "unknown option '--nonsense'"},
    ["walk nonsense"] = {2, "there is no walkthrough 'nonsense'; there are: amd, dcltk"},
    ["walk mql5 --nonsense"] = {2, "unknown option '--nonsense'"},
    ["walk mql5 --size 12x"] = {2, "size '12x' is neither N nor MxKxN"},
    ["walk mql5 --device unobtainium"] = {1, no_such_device},
    [step .. " --size 0"] = {2, "size '0': a matrix needs at least one row and one column"},
    [step .. " --device unobtainium"] = {2, no_such_device},
    [step .. " --nonsense"] = {2, "unknown option --nonsense"},
    ["devices --device unobtainium"] = {1, no_such_device},
  } do
    it("is reported: clue " .. words, function()
      assert.matches(expected[2], support.refused(expected[1], support.run(support.words({}, words))), 1, true)
    end)
  end

  it("replaces no file that the command reads, and writes none of the name -", function()
    local script, source = support.write "print(1)", support.write("kernel void f() {}", support.temporary ".cl")
    for words, expected in pairs {
      ["show FILE --csv FILE"] = "clue show: --csv", ["show FILE --html FILE"] = "clue show: --html",
      ["compare other.json FILE --json FILE"] = "clue compare: --json", ["trace FILE -o FILE"] = "clue trace: --output",
      ["trace --json FILE FILE"] = "clue trace: --json", ["count --json FILE FILE"] = "clue count: --json",
      ["count --peak FILE --json FILE mql5"] = "clue count: --json", ["build FILE --emit FILE"] = "clue build: --emit",
      ["tune FILE --results FILE"] = "clue tune: --results",
      ["tune --show FILE --report FILE"] = "clue tune: --report",
    } do
      local path = words:find "^build" and source or script
      local before = support.read(path)
      local err = support.refused(2, support.run(support.words({}, (words:gsub("FILE", path)))))
      assert.equal(("%s would replace %s, which is read: give it another file\n"):format(expected, path), err)
      assert.equal(before, support.read(path))
    end
    for words, why in pairs {["count reduce --steps none --json reduce"] = "steps 'none'",
                             ["build reduce --emit reduce"] = "--emit is for a file of OpenCL C",
                             ["show none.json --csv none.json"] = "none.json: No such file"} do
      local _, _, err = support.run(support.words({}, words))
      assert.matches(why, err, 1, true)
    end
    assert.equal("clue show: --csv: - is no file's name here; /dev/stdout is standard output\n",
      support.refused(2, support.run {"show", script, "--csv", "-"}))
    for _, option in ipairs {"--report", "--json", "--csv"} do -- --report: before the steps run
      assert.equal(("clue walk: %s: the name of the file is empty\n"):format(option),
        support.refused(2, support.run {"walk", "hello", option, ""}))
    end
  end)

  it("gets a note if --device follows a script without inputs, or swallows the script's name", function()
    local _, err = support.ended(0, support.run {"scripts/examples/hello.lua", "--device", "gpu"})
    assert.matches("note: --device comes after the script's name, so the script gets it", err, 1, true)
    _, err = support.ended(2, support.run {"--device", "scripts/examples/hello.lua"})
    assert.matches("--device was given 'scripts/examples/hello.lua', but no script is named after it", err, 1, true)
  end)

  it("is not blamed if there is no device at all: the message says what to install", function()
    for _, words in ipairs {{"walk", "mql5"}, {"devices"}, {step, "--size", "8"}} do
      local err = support.refused(1, support.run(words, support.drivers "none"))
      assert.matches("there is no OpenCL device", err, 1, true)
      assert.matches("apt install pocl-opencl-icd", err, 1, true)
    end
  end)

  it("is --type double on a device without fp64: the steps are skipped, and the run fails #once #later", function()
    for _, words in ipairs {{"walk", "mql5", "--steps", "2-5"}, {step}} do
      words = support.words(words, "--size 8 --type double")
      local out = support.ended(1, support.run(words, support.drivers "rusticl"))
      local steps = words[1] == "walk" and "steps 2 to 5" or "step 4"
      assert.matches(("(%s skipped: no fp64)"):format(steps), out, 1, true)
    end
  end)
end)
