-- `clue build`, as users run it, and how it reads compilers' logs.
-- suite: quick
-- builds: luajit lua54
local json = require "dkjson"
local messages = require "clue.build.messages"
local support = require "support"

local good = [[
kernel __attribute__((reqd_work_group_size(16, 4, 1)))
void tiles(global float *x, const int rows, local float *room) {
  local int tile[64];
  tile[get_local_id(0)] = rows;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = tile[3] * FACTOR;
}
kernel void plain(global const int *numbers) { }
]]
local wrong = "kernel void f(global float *x) {\n\tx[0] = missing;\n}\n"
-- `clue build` compiles anew whatever caches have. PoCL takes 0.6 s for it, Oclgrind some milliseconds.
local oclgrind = support.drivers "oclgrind"
local warns = "#warning \"look here\"\nkernel void f(global float *x) { x[0] = 1; }\n"

local function build(text, args, env)
  local words = support.words({"build", support.write(text, support.temporary ".cl")}, args)
  local status, out, err = support.run(words, env)
  return status, out, err, words[2]
end

local function document(text, args, env)
  local status, out, err, path = build(text, support.words({"--json"}, args), env)
  assert.equal("", err)
  return status, assert(json.decode(out)), path
end

-- Makes a driver folder of some of the build's .icd files.
local function drivers(...)
  local folder = support.folder()
  for _, path in ipairs {...} do
    support.write(assert(support.read(support.built("icd/" .. path))), folder .. "/" .. path:match "[^/]*$")
  end
  return folder
end

describe("clue build", function()
  it("lists kernels with their arguments and limits for each device", function()
    local status, out, err = build(good, {"-D", "FACTOR=2", "--device", "pthread,oclgrind"}, support.drivers("both"))
    assert.equal("", err)
    assert.equal(0, status)
    assert.matches("device %d %(%d:0%) pthread[^\n]*, driver 3", out)
    assert.matches("device %d %(%d:0%) Oclgrind Simulator [^\n]*, driver Oclgrind", out)
    local _, found = out:gsub("\n  tiles%(global float%* x, int rows, local float%* room%)\n", "")
    assert.equal(2, found)
    assert.matches("\n  tiles +%d+ +%d+ +16x4x1 +%- +16x4 +256 +%d+\n", out)
    assert.matches("\n  plain +%d+ +%d+ +any +256 +256x1 +0 +%d+\n", out)
  end)

  it("gives the same as JSON", function()
    local status, told, path = document(good, {"-DFACTOR=2", "--std", "CL1.2", "--options", "-cl-mad-enable"})
    assert.equal(0, status)
    assert.equal("clue build 1", told.format)
    assert.equal(path, told.file)
    assert.is_true(told.ok)
    assert.matches("^%-cl%-mad%-enable %-cl%-std=CL1.2 %-D FACTOR=2 %-I /", told.options)
    local each = told.devices[1]
    assert.equal("Portable Computing Language", each.device.platform)
    assert.equal(0, each.device.ordinal)
    assert.is_true(each.ok and each.seconds > 0)
    assert.same({}, each.messages)
    local kernel = each.kernels[1].name == "tiles" and each.kernels[1] or each.kernels[2]
    assert.same({16, 4, 1}, kernel.compile_work_group_size)
    assert.equal(256, kernel.local_mem_size)
    assert.same({square = {global_size = {1024, 1024}, local_size = {16, 4}, by = "clue"}}, kernel.suggested)
    assert.equal("rows", kernel.arguments[2].name)
    assert.equal("int", kernel.arguments[2].type_name)
    assert.equal("local", kernel.arguments[3].address_qualifier)
  end)

  for _, name in ipairs {"pocl", "oclgrind", "rusticl"} do
    it("gives an error's place in the form that editors read, on " .. name, function()
      local status, out, err, path = build(wrong, {}, support.drivers(name))
      assert.equal(1, status)
      assert.equal("", err)
      local place = path:gsub("%p", "%%%0")
      assert.matches("\n" .. place .. ":2:9: error: use of undeclared identifier 'missing'\n"
        .. "    \tx%[0%] = missing;\n    \t       %^\n", out)
      local _, carets = out:gsub("%^", "")
      assert.equal(1, carets)
      assert.matches("\n  it does not compile: a macro that the host defines is given by %-D missing=VALUE\n$", out)
    end)
  end

  it("keeps the caret where #line names another file #once", function()
    local _, out = build('#line 7 "mine.cl"\nkernel void f(global int *x) {\n  x[0] = zzzzzz;\n}\n', {}, oclgrind)
    assert.matches("\nmine.cl:8:10: error: use of undeclared identifier 'zzzzzz'\n"
      .. "  x%[0%] = zzzzzz;\n         %^", out)
  end)

  it("shows nothing that a driver writes beside the log, such as a count of errors #once", function()
    for _, driver in ipairs {"pocl", "oclgrind"} do
      local env = support.drivers(driver)
      local out, err = support.ended(1, build(wrong, {}, env))
      assert.equal("", err)
      assert.not_matches("errors? generated", out)
      local script = support.write 'require("clue").context():program "kernel void f() { missing(); }"'
      local _, _, said = support.run({script}, env)
      assert.matches("clBuildProgram: CL_BUILD_PROGRAM_FAILURE", said, 1, true)
      assert.not_matches("errors? generated", said)
    end
  end)

  it("gives the file and line of the macro from which an error is expanded #once", function()
    local status, out, _, path = build("#define A missing\nkernel void f(global int *x) {\n  x[0] = A;\n}\n")
    assert.equal(1, status)
    local told = "%s:3:10: error: use of undeclared identifier 'missing' (expanded from %s:1:11)\n"
    assert.matches(told:format(path, path), out, 1, true)
  end)

  it("attributes a macro of the build options to them #once", function()
    local status, out, _, path = build("kernel void f(global T *x) { x[0] = 1; }\n", {"-D", "T=doubl"})
    assert.equal(1, status)
    assert.truthy(out:find(path .. ":1:22: error: unknown type name 'doubl'; did you mean 'double'? (expanded from a "
      .. "macro of the build options)\n", 1, true), out)
  end)

  it("says what a division by zero in a condition of the preprocessor comes from #once", function()
    local out = support.ended(1, build("#if 8 % TILE\n#endif\nkernel void f(global int *x) { x[0] = 1; }\n"))
    assert.matches(":1:7: error: remainder by zero in preprocessor expression (a macro that is not defined counts as "
      .. "0: define it with -D)\n    #if 8 % TILE\n", out, 1, true)
    out = support.ended(1, support.run {"build", "kernels/gemm.cl"})
    assert.matches("kernels/gemm.cl:%d+:2: error: \"gemm.cl: %-D BM=64 %-D BN=64 %-D BK=8 and so on choose the kernel: "
      .. "see the head of gemm.cl\"", out)
  end)

  it("shows the warnings of a source that compiles, once at each run", function()
    for _ = 1, 2 do
      local status, told, path = document(warns)
      assert.equal(0, status)
      assert.equal(1, #told.devices[1].messages)
      local message = told.devices[1].messages[1]
      assert.same({"warning", path, 1, 2, '#warning "look here"'},
        {message.kind, message.file, message.line, message.column, message.source})
    end
  end)

  it("finds headers beside the file and in -I folders, and reports errors in them #once", function()
    local header = support.write("inline float help(void) { return nothing; }\n", support.temporary ".h")
    local text = ('#include "%s"\nkernel void f(global float *x) { x[0] = help(); }\n'):format(header:match "[^/]*$")
    local status, told = document(text)
    assert.equal(1, status)
    local message = told.devices[1].messages[1]
    assert.same({"error", 1, "inline float help(void) { return nothing; }"},
      {message.kind, message.line, message.source})
    assert.matches(header:match("[^/]*$"):gsub("%p", "%%%0") .. "$", message.file)
    support.write("inline float help(void) { return 1; }\n", header)
    assert.equal(0, (document(text, {}, oclgrind)))
    local folder = header:match "^(.*)/"
    local moved = support.write(text, "build-command-spec.cl")
    assert.equal(1, (support.run {"build", moved}))
    assert.equal(0, (support.run({"build", moved, "-I", folder}, oclgrind)))
    os.remove(moved)
  end)

  it("finds them also if the folder's name has blanks, and names that folder #once", function()
    local folder = support.folder() .. "/my kernels"
    assert(require("lfs").mkdir(folder))
    support.write("#define H missing\n", folder .. "/h.h")
    local path = support.write('#include "h.h"\nkernel void f(global float *x) { x[0] = H; }\n', folder .. "/k.cl")
    local out = support.ended(1, support.run {"build", path, "--json"})
    local told = assert(json.decode(out)).devices[1]
    assert.matches("^use of undeclared identifier 'missing'", told.messages[1].text)
    assert.equal("-I " .. folder, told.options)
    assert.is_nil(told.log:find("beside", 1, true))
    support.write("#define H 1\n", folder .. "/h.h")
    assert.equal(0, (support.run({"build", path}, oclgrind)))
    local elsewhere = support.write(support.read(path), support.temporary ".cl")
    assert.equal(0, (support.run({"build", elsewhere, "-I", folder}, oclgrind)))
  end)

  it("takes every --options, and shows those of the environment as well #once", function()
    local text = "kernel void f(global float *x) { x[0] = A + B + C; }\n"
    local status, told = document(text, {"--options", "-DA=1", "--options", "-DB=2"},
      support.drivers("oclgrind", {CLUE_BUILD_OPTIONS = "-DC=3"}))
    assert.equal(0, status)
    assert.matches("^%-DA=1 %-DB=2 .*%-DC=3$", told.devices[1].options)
    local _, out = build("kernel void f(global float *x) { }\n", {},
      support.drivers("oclgrind", {CLUE_BUILD_OPTIONS = "-w"}))
    assert.matches("\n  built in %d+ ms, [^\n]*%-w: 1 kernel\n", out)
  end)

  it("copes with a source that is one line of a megabyte #once #later", function()
    for _, part in ipairs {" ", "x[0] += 1; "} do
      local long = part:rep(math.floor(2 ^ 20 / #part))
      local out = support.ended(1, build("kernel void k(global int *x) { " .. long .. "missing; }\n", {}, oclgrind))
      assert.matches(":1:%d+: error: use of undeclared identifier 'missing'\n", out)
    end
  end)

  it("names an option that the compiler does not know #once", function()
    local out = support.ended(1, build(wrong, {"--options", "-cl-no-such-thing"}))
    assert.matches("no%-such%-thing", out)
    assert.matches("clBuildProgram: CL_INVALID_BUILD_OPTIONS", out)
  end)

  it("writes a binary that scripts can load #once", function()
    local path = support.temporary ".bin"
    local out = support.ended(0, build(good, {"-D", "FACTOR=2", "--emit", path}))
    assert.matches(("\n  %s: %%d+ bytes\n"):format((path:gsub("%p", "%%%0"))), out)
    local ran, said, err = support.run_script([[
      local file = assert(io.open(arg[1], "rb"))
      local program = require("clue").context():program_from_binary(file:read "*a")
      table.sort(program.kernels)
      print(table.concat(program.kernels, " "))
    ]], {path}, {CLUE_CACHE_DIR = false})
    assert.equal(0, ran, err)
    assert.equal("plain tiles\n", said)
  end)

  it("puts the device's ordinal into the binaries' names if there are several devices #once #later", function()
    local path = support.temporary()
    support.ended(0, build(good, {"-D", "FACTOR=2", "--device", "0,1", "--emit", path .. ".bin"},
      support.drivers "both"))
    for ordinal = 0, 1 do
      local name = ("%s.%d.bin"):format(path, ordinal)
      assert.is_true(#assert(support.read(name)) > 100)
      os.remove(name)
    end
    assert.is_nil(support.read(path .. ".bin"))
  end)

  it("survives a compiler that crashes, and goes on with the next device #once #later", function()
    local folder = drivers("rusticl/libRusticlOpenCL.so.1.icd", "oclgrind/liboclgrind-rt-icd.so.icd")
    local recursion = "int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n"
      .. "kernel void k(global int *x) { x[0] = f(x[1]); }\n"
    local status, told = document(recursion, {"--device", "llvmpipe,oclgrind"},
      {OCL_ICD_VENDORS = folder, RUSTICL_ENABLE = "llvmpipe"})
    assert.equal(1, status)
    assert.equal(2, #told.devices)
    local by_platform = {}
    for _, each in ipairs(told.devices) do by_platform[each.device.platform] = each end
    assert.is_false(by_platform.rusticl.ok)
    assert.matches("^the compiler crashed: killed by SIG", by_platform.rusticl.failed)
    assert.is_true(by_platform.Oclgrind.ok)
  end)

  it("refuses wrong command lines", function()
    local _, err = support.ended(2, support.run {"build"})
    assert.matches("^clue build: missing file: the OpenCL C to compile; or a script, [^\n]+; `clue build %-%-help` "
      .. "lists the options\n$", err)
    _, err = support.ended(2, support.run {"build", "--no-such", "x.cl"})
    assert.matches("^clue build: unknown option '%-%-no%-such'; `clue build %-%-help` lists the options\n$", err)
    for typed, meant in pairs {["--jsn"] = "--json", ["--devcie=0"] = "--device", ["--opt"] = "--options"} do
      _, err = support.ended(2, support.run {"build", typed, "x.cl"})
      assert.equal(("clue build: unknown option '%s': did you mean %s? `clue build --help` lists the options\n"):format(
        typed:match "^[^=]+", meant), err)
    end
    support.ended(0, support.run {"build", "--no-such", "--help"}) -- help comes whatever else is wrong
    _, err = support.ended(2, support.run {"build", "/no/such.cl"})
    assert.matches("^clue build: /no/such.cl: No such file or directory\n$", err)
    _, err = support.ended(2, build(""))
    assert.matches("the file is empty\n$", err)
    _, err = support.ended(2, build(good, {"-D", 'TEXT="a b"'}))
    assert.matches("%-D 'TEXT=\"a b\"': it must not contain blanks or quotation marks", err)
    _, err = support.ended(1, build(good, {"--device", "7:7"}))
    assert.matches("^clue build: .*7:7", err)
    _, err = support.ended(1, build(good, {"--device", "all"}, support.drivers "none"))
    assert.matches("^clue build: ", err)
    _, err = support.ended(1, build(good, {"-D", "FACTOR=1", "--emit", "/no/such/folder/x"}, oclgrind))
    assert.matches("^clue build: %-%-emit: /no/such/folder/x", err)
  end)

  it("leaves no temporary files behind, and reports a temporary folder that it cannot use #once", function()
    local temporary = support.folder()
    support.ended(0, build(good, {"-D", "FACTOR=2"}, {TMPDIR = temporary}))
    assert(os.remove(temporary)) -- os.remove fails unless the folder is empty
    local failed, _, err = build(good, {}, {TMPDIR = temporary})
    assert.equal(1, failed)
    assert.matches("^clue build: cannot make a temporary folder: " .. temporary:gsub("%p", "%%%0"), err)
  end)
end)

describe("messages", function()
  local source = "kernel void f() {\r\n  äh x;\n}\n"

  it("are read from clang's, NVIDIA's, PoCL's and Intel's logs", function()
    for _, line in ipairs {"<kernel>:2:6: error: what is x", "error: /tmp/pocl/tempfile_ab12.cl:2:6: what is x",
                           "1:2:6: error: what is x", "input.cl:2:6: fatal error: what is x"} do
      local list = messages.read(line .. "\n  äh x;\n     ^\n", "file.cl", source)
      assert.same({{kind = "error", file = "file.cl", line = 2, column = 6, text = "what is x", source = "  äh x;"}},
        list)
    end
  end)

  it("have the caret under the character, not under the byte", function()
    local lines = messages.lines(messages.read("<kernel>:2:7: warning: w", "file.cl", source))
    assert.same({"file.cl:2:7: warning: w", "      äh x;", "         ^"}, lines)
  end)

  it("include lines without a place, but not NVIDIA's lines about registers", function()
    local list = messages.read("(): Warning: Function f is a kernel, so overriding noinline attribute. The function "
      .. "may be inlined when called.\nptxas info    : Used 12 registers\nsomething else\n", "file.cl", source)
    assert.same({{other = "something else"}}, list)
  end)
end)

describe("clue build of a template", function()
  local template = "kernel void scale(global float *x) {\n# for i = 0, N - 1 do\n  x[$(i)] *= 2;\n# end\n}\n"

  it("expands it with the values of --set", function()
    local out = support.ended(0, build(template, {"--set", "N=3", "--json"}, oclgrind))
    assert.equal("scale", json.decode(out).devices[1].kernels[1].name)
    local failed, _, problem, path = build(template, {"--template"})
    assert.equal(1, failed)
    assert.matches(("clue build: template %s, line 2: "):format(path), problem, 1, true)
  end)

  it("refuses a setting that has no value", function()
    local _, err = support.ended(2, build(template, {"--set", "N"}))
    assert.matches("--set 'N': it must be NAME=VALUE", err, 1, true)
  end)
end)
