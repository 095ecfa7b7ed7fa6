-- Programs of the object layer: sources, headers, include folders, macros, linking, and information about kernel
-- arguments.
-- suite: quick
-- process: shared bindings lua51 threads
-- drivers: pocl oclgrind rusticl

local binding = require "clue.binding"
local registers = require "clue.kernel.registers"
local lfs = require "lfs"
local support = require "support"
local cl = require "clue"
local driver = require "driver"

local context, queue
local own -- peculiarities of the driver

setup(function()
  require("clue.options").quiet = true -- without the line that names the device
  context = cl.context()
  own = driver.of(context.device)
  queue = context:queue()
end)

-- The error object that a call raises.
local function problem_of(call, ...)
  local done, problem = pcall(call, ...)
  assert.is_false(done)
  assert.is_true(cl.error.is(problem), tostring(problem))
  return problem
end

local function refusal(...)
  return problem_of(...).text
end

-- The number that the program's kernel f writes to the first element of its only argument.
local function result_of(program)
  local x = context:buffer(cl.array.int(1))
  program:kernel "f"(queue, 1, nil, x)
  local read = cl.array.int(1)
  queue:read_buffer(x, read)
  return read[0]
end

-- The log reports at this place, FILE:LINE:COLUMN, that 'oops' is not declared, and shows the line with a caret under
-- the word. The rest of the log depends on the compiler.
local function assert_shown(log, place, code)
  local _, found = log:find(place .. ": [^\n]*use of undeclared identifier 'oops'[^\n]*\n")
  assert.truthy(found, log)
  local line, caret = log:match("^([^\n]*)\n([^\n]*)", found + 1)
  assert.equal(code, line:match "^%s*(.-)$", log)
  assert.equal(line:find("oops", 1, true), caret:find("^", 1, true), log)
end

-- Makes a folder with these files; also gives a function that removes it.
local function folder_of(files)
  local folder = support.folder()
  assert(lfs.mkdir(folder .. "/sub dir"))
  for name, text in pairs(files) do support.write(text, folder .. "/" .. name) end
  return folder, function() os.execute("rm -r " .. support.quote(folder)) end
end

describe("a log", function()
  local function log_of(source)
    local _, problem = pcall(context.program, context, source)
    return problem.log, problem.text
  end

  local function first_line(log) return log:match "^(.-: error: use of undeclared identifier 'oops')" end

  it("names the script and the script's line if the source is written in the script", function()
    local path = debug.getinfo(1, "S").source:sub(2)
    local line, column, number = nil, nil, 0
    for text in io.lines(path) do
      number = number + 1
      if not line and text:find("stands" .. " here", 1, true) then line, column = number, text:find("oops", 1, true) end
    end
    local log, text = log_of [[
      kernel void f(global int *x) {
        x[0] = oops; // stands here
      }]]
    assert.equal(("%s:%d:%d: error: use of undeclared identifier 'oops'"):format(path, line, column), first_line(log))
    assert_shown(log, ":" .. column, "x[0] = oops; // stands here")
    assert.matches(("first at line %d of %s: use of"):format(line, path), text, 1, true)
    log = log_of("kernel void f(global int *only) { only[0] = oops; }")
    assert.equal(("%s:%d:63"):format(path, line + 5), first_line(log):match "^(.*): error")
  end)

  it("names the file that the source was read from", function()
    local path = support.write("kernel void f(global int *x) {\n  x[0] = oops;\n}", support.temporary ".cl")
    local log, text = log_of(cl.read_file(path))
    assert.equal(path .. ":2:10: error: use of undeclared identifier 'oops'", first_line(log))
    assert.matches("first at line 2 of " .. path .. ": use of", text, 1, true)
  end)

  it("names the file and the line of each part of a source that the script puts together", function()
    local path = debug.getinfo(1, "S").source:sub(2)
    local head = ("#define WIDTH %d\n#define HEIGHT %d\n#define DEPTH %d\n"):format(1, 2, 3)
    local file = support.write("int scale(int kernel_x) {\n  return 2 * kernel_x;\n}\n", support.temporary ".cl")
    local function place_of(word)
      local number = 0
      for line in io.lines(path) do
        number = number + 1
        if line:find(word, 1, true) then return number, line:find("oops", 1, true) end
      end
    end
    local log, text = log_of(head .. cl.read_file(file) .. [[
      kernel void f(global int *x) {
        x[0] = scale(oops); // a part of ]] .. "several\n" .. [[
        x[1] = 1; }]])
    local line, column = place_of "scale(oops); // a part"
    assert.equal(("%s:%d:%d: error: use of undeclared identifier 'oops'"):format(path, line, column), first_line(log))
    assert_shown(log, ":" .. column, "x[0] = scale(oops); // a part of several")
    assert.matches(("first at line %d of %s: use of"):format(line, path), text, 1, true)

    log = log_of(head .. "kernel void f(global int *quoted) { quoted[0] = oops; }" .. "\n")
    line, column = place_of 'quoted[0] = oops; }" ..'
    assert.equal(("%s:%d:%d"):format(path, line, column), first_line(log):match "^(.*): error")

    support.write("int scale(int kernel_y) {\n  return 2 * oops;\n}\n", file)
    log, text = log_of(head .. cl.read_file(file) .. "kernel void f(global int *x) {}")
    assert.equal(file .. ":2:14: error: use of undeclared identifier 'oops'", first_line(log))
    assert.matches("first at line 2 of " .. file .. ": use of", text, 1, true)
    os.remove(file)
  end)

  it("is whole in the error, and short in its text", function()
    local uses = {}
    for i = 1, 36 do uses[i] = "x[0] = WIDTH;\n" end
    local problem = problem_of(context.program, context,
      "kernel void f(global int *x) {\n" .. table.concat(uses) .. "}")
    assert.equal(36, select(2, problem.log:gsub("error: use of undeclared identifier 'WIDTH'", "")))
    assert.matches("\n  and 35 more like it: lines 3, 4, 5, 6, 7, ...\n", tostring(problem), 1, true)
    assert.equal(1, select(2, tostring(problem):gsub("error: use of undeclared", "")))
  end)

  it("says 'source' for the parts that are in no file, or in the script twice", function()
    local body = "kernel void f(global int *twice) { twice[0] = oops; }"
    assert.is_string(body, "kernel void f(global int *twice) { twice[0] = oops; }")
    assert.equal("source:3:47", first_line(log_of("#define A\n" .. "#define B\n" .. body)):match "^(.*): error")
    local wrong = ("#define A%d\nconstant int %s = oops;\n"):format(1, "made")
    local log = log_of(wrong .. [[
      kernel void f(global int *x) { x[0] = made; }]])
    assert.equal("source:2:21", first_line(log):match "^(.*): error")
  end)

  it("says 'source' if the source is found nowhere, and keeps the names of #line", function()
    local log, text = log_of("kernel void f(global int *put) {\n" .. "  put[0] = oops;\n}")
    assert.equal("source:2:12: error: use of undeclared identifier 'oops'", first_line(log))
    assert.matches("first at line 2: use of", text, 1, true)
    log = log_of [[
#line 7 "mine"
      kernel void f(global int *x) { x[0] = oops; }]]
    assert.equal("mine:7:45: error: use of undeclared identifier 'oops'", first_line(log))
  end)
end)

describe("a program's sources", function()
  it("are joined in order", function()
    local program = context:program {"int one(void) { return 1; }", "kernel void f(global int *x) { x[0] = one(); }"}
    assert.equal(1, result_of(program))
    assert.equal(2, result_of(context:program {"kernel void f(global int *x) { x[0] = 2; }"}))
  end)

  it("are numbered in the log", function()
    local log = problem_of(context.program, context, {"int a(void);\n",
      "\nkernel void f(global int *x) {\n  x[0] = oops;\n}"}).log
    assert_shown(log, "source 2:3:10", "x[0] = oops;")
  end)

  it("must be texts", function()
    assert.equal("context:program: source[2] must be a text, got 3", refusal(context.program, context, {"int a;", 3}))
    assert.equal("context:program: source must be a text, or a list of texts: the list is empty",
      refusal(context.program, context, {}))
  end)
end)

describe("a program's headers", function()
  local headers = {["a.h"] = "#define A 3\n", ["sub/b.h"] = "#include \"a.h\"\n#define B (A + 1)\n"}
  local SOURCE = '#include "sub/b.h"\nkernel void f(global int *x) { x[0] = B * A + C; }'

  it("are found by name", function()
    local program = context:program(SOURCE, {"-cl-mad-enable", headers = headers, defines = {C = 100}})
    assert.equal(112, result_of(program))
    assert.same({"f"}, program.kernels)
    assert.matches("^%-cl%-mad%-enable %-D C=100 ", program.options)
    assert.same({}, program.files)
    assert.equal("x", program:kernel "f".arguments[1].name)
  end)

  it("are shown in the log with the line of an error in them", function()
    local problem = problem_of(context.program, context, '#include "w.h"\nkernel void f(global int *x) { x[0] = w(); }',
      {headers = {["w.h"] = "int w(void) {\n  return oops;\n}\n"}})
    assert.equal("clCompileProgram", problem.call)
    assert_shown(problem.log, "w%.h:2:10", "return oops;")
  end)

  it("are named if they are missing", function()
    assert.matches("the header 'none.h' is in none of the compiler's include folders",
      refusal(context.program, context, '#include "none.h"\n'
      .. SOURCE, {headers = headers}))
  end)

  it("are named with the folders that were searched #oclgrind", function()
    assert.matches("the header 'none.h' is in none of the compiler's include folders (/no such, /tmp",
      refusal(context.program, context, '#include "none.h"\n', {include = {"/no such", "/tmp"}}), 1, true)
  end)

  it("must be texts by name", function()
    assert.equal(
      'context:program: headers must be a table of texts by name, {["name.h"] = text}, not of a string by a number',
      refusal(context.program, context, SOURCE, {headers = {"text"}}))
    assert.equal('context:program: headers must be a list, got "a.h"',
      refusal(context.program, context, SOURCE, {headers = "a.h"}))
  end)

  it("are shown in the log with the line of a wrong macro", function()
    local log = problem_of(context.program, context, '#include "a.h"\nkernel void f(global int *x) { x[0] = A; }',
      {headers = {["a.h"] = "\n#define A oops\n"}}).log
    assert.matches("undeclared identifier 'oops'", log, 1, true)
    assert.matches("a.h:2:11", log, 1, true)
    assert.is_nil(log:match "input%.cl" or log:match "tempfile", log)
  end)
end)

describe("a program's include folders", function()
  it("are searched, and so is clue's own", function()
    local folder, remove = folder_of {["a.h"] = "#define A 3\n#include \"sub dir/b.h\"\n",
      ["sub dir/b.h"] = "#define B 4\n#include \"c.h\"\n", ["sub dir/c.h"] = "#define C 5\n"}
    local program = context:program('#include "a.h"\n#include "submatrix.cl"\n'
      .. "kernel void f(global int *x) { x[0] = A + B + C; }", {include = folder, defines = {VARIANT = 1}})
    remove()
    assert.equal(12, result_of(program))
    local paths = require "clue.paths"
    assert.same({folder .. "/a.h", folder .. "/sub dir/b.h", folder .. "/sub dir/c.h",
      paths.kernels .. "/submatrix.cl"}, program.files)
  end)

  it("are searched for the line of an error in an included file", function()
    local folder, remove = folder_of {["wrong.cl"] = "int w(void) {\n\treturn oops;\n}\n"}
    local source = '#include "wrong.cl"\nint not_this;\n'
    local log = problem_of(context.program, context, source, {include = {folder}}).log
    remove()
    assert_shown(log, "wrong%.cl:2:9", "return oops;")
  end)

  it("are read again if a file changes, however it is included, even by drivers with a cache #once", function()
    local folder, remove = folder_of {}
    for _, way in ipairs {'#include "a.h"', '#import "a.h"', '%:include "a.h"', '#inc\\\nlude "a.h"',
      '#define FILE "a.h"\n#import FILE'} do
      local results = {}
      for i, number in ipairs {1, 1, 2} do
        support.write("#define A " .. number .. "\n", folder .. "/a.h")
        results[i] = result_of(context:program(way .. "\nkernel void f(global int *x) { x[0] = A; }", "-I" .. folder))
      end
      assert.same({1, 1, 2}, results, way)
    end
    remove()
  end)

  it("are texts", function()
    local function said(include)
      return refusal(context.program, context, "kernel void f(void) {}", {include = include})
    end
    assert.equal("context:program: include must be the name of a folder, or a list of names, got 5", said(5))
    assert.equal("context:program: include must be the name of a folder, or a list of names, got a queue", said(queue))
    assert.equal('context:program: include must be the name of a folder, got ""', said {"a", ""})
  end)

  it("need not exist if nothing is included", function()
    local program = context:program("kernel void f(global int *x) { x[0] = 1; }", {include = {"/nowhere"}})
    assert.equal("-I /nowhere", program.options)
    assert.same({}, program.files)
  end)

  it("may have spaces in their names", function()
    local folder, remove = folder_of {["sub dir/b.h"] = '#include "c.h"\n', ["sub dir/c.h"] = "#define C 4\n"}
    local source = '#include "b.h"\nkernel void f(global int *x) { x[0] = C; }'
    local program = context:program(source, {include = folder .. "/sub dir"})
    local compiled = context:compile(source, {include = folder .. "/sub dir"})
    remove()
    assert.equal(4, result_of(program))
    assert.equal(2, #program.files)
    assert.equal(4, result_of(context:link {compiled}))
  end)

  it("may be in quotation marks of either kind", function()
    local folder, remove = folder_of {["b.h"] = "#define B 4\n"}
    for _, form in ipairs {'-I "%s"', "-I '%s'", '-I"%s"', '"-I%s"'} do
      local program = context:program('#include "b.h"\nkernel void f(global int *x) { x[0] = B; }',
        form:format(folder))
      assert.equal(1, #program.files)
    end
    remove()
  end)

  it("work in MQL5's scripts #once", function()
    local out = support.ended(0, support.run_script([[
      local context = CLContextCreate(CL_USE_ANY)
      local program, log = CLProgramCreate(context, '#define VARIANT 1\n#include "submatrix.cl"\n')
      print(program ~= INVALID_HANDLE, log)]], {}, support.drivers "oclgrind"))
    assert.matches("^true\t", out) -- NVIDIA's log contains a warning
  end)
end)

it("a function that is called and defined nowhere is named with the line of its call #oclgrind", function()
  local source = "// g(0)\nint g(int);\nfloat h(float v) { return v; }\n#line 40 \"mine.cl\"\n"
    .. "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void f(global float *x) {\n"
    .. "  x[0] = h(g(1)) + dot(x[0], x[1]);\n}\n"
  local function make(text) return context:program(text):kernel "f" end
  assert.matches("the function 'g' is called in line 41 of mine.cl, but defined nowhere", refusal(make, source), 1,
    true)
  assert.equal("f", make(source .. "int g(int a) { return a; }\n").name)
  assert.matches("the function 'work_group_total' is called in line 2, but defined nowhere", refusal(make,
    "float work_group_total(float v);\nkernel void f(global float *x) { x[0] = work_group_total(x[0]); }"), 1, true)
end)

it("a function that is defined nowhere is named whichever linked source calls it #once", function()
  for _, order in ipairs {"caller, made", "made, caller"} do
    local _, err = support.ended(1, support.run_script(([[
      local context = require("clue").context()
      local caller = context:compile "float g(float v);\nfloat h(float v) { return g(v); }\n"
      local made = context:compile "float h(float v);\nkernel void f(global float *x) { x[0] = h(x[0]); }\n"
      context:link {%s}:kernel "f"]]):format(order), {}, support.drivers "oclgrind"))
    assert.matches("the function 'g' is called in line 2, but defined nowhere", err, 1, true)
  end
end)

it("a kernel that the source has is not refused as one that it lacks #once", function()
  local function refused(by, body)
    local _, err = support.ended(1, support.run_script(([[
      require("clue").context():program("\nkernel void f(global int *x) { %s }", "-cl-std=CL2.0"):kernel "f"]])
      :format(body), {}, support.drivers(by)))
    return err
  end
  for _, by in ipairs {"oclgrind", "pocl"} do
    assert.matches("the function 'work_group_reduce_add' is called in line 2, but is of OpenCL C 2.0 or later",
      refused(by, "x[0] = work_group_reduce_add(x[0]);"), 1, true)
  end
  assert.matches("the source has this kernel, but the driver cannot make it",
    refused("oclgrind", "x[0] = atomic_load((global atomic_int *)x);"), 1, true)
end)

describe("a source", function()
  local MARK = "\239\187\191" -- a byte order mark, as some editors write at the beginning of a file

  it("may have byte order marks where a part begins #oclgrind", function()
    local source = MARK .. "kernel void f(global int *x) { x[0] = A; }"
    assert.equal(3, result_of(context:program(cl.define {A = 3} .. source)))
    assert.equal(4, result_of(context:program {MARK .. "#define A 4\n", source}))
    assert.equal(5, result_of(context:program('#include "a.h"\n' .. source,
      {headers = {["a.h"] = MARK .. "#define A 5\n"}})))
    assert.equal(4, cl.structs(MARK .. "typedef struct { int a; } s;").s.size)
  end)

  it("is refused with the column of a character that looks like another #oclgrind", function()
    for char, what in pairs {
      ["\226\128\139"] = "an invisible character (U+200B): remove it",
      ["\226\128\156"] = "a typographic quotation mark (U+201C): write \"",
      ["\226\136\146"] = "a minus sign of mathematics (U+2212): write -",
      [MARK] = "a byte order mark (U+FEFF): remove it",
    } do
      local told = problem_of(context.program, context,
        ("// %s\nkernel void f(global int *x) { /* %s */ x[0] = 1 %s 1; }"):format(char, char, char)).text
      assert.matches(("line 2: column %d has %s"):format(48 + #char, what), told, 1, true)
    end
  end)

  it("is refused with the remedy if it is in UTF-16", function()
    for _, text in ipairs {"\255\254k\0", "\254\255\0k", "k\0e\0r\0", "\0k\0e\0r"} do
      assert.matches("the source is in UTF-16: save its file as UTF-8, as iconv -f UTF-16 -t UTF-8",
        refusal(context.program, context, text), 1, true)
    end
  end)
end)

describe("build options", function()
  local SOURCE = "kernel void f(global int *x) { x[0] = ONE + TWO; }"

  it("define macros as C reads them", function()
    assert.equal("-D A=1 -D B -D C=float4 -D E=0.1 -D F=1e+300 -D G=16777216 -D H=-INFINITY",
      context:program("kernel void f(void) {}", {defines = {A = 1, B = true, C = "float4", D = false, E = 0.1,
        F = 1e300, G = 2 ^ 24, H = -1 / 0}}).options)
    assert.equal(3, result_of(context:program(SOURCE, {defines = {ONE = 1, TWO = 2}})))
    assert.equal(3, result_of(context:program(SOURCE, {"-DONE=1", defines = {TWO = 2}})))
    assert.equal(2, result_of(context:program(SOURCE, {defines = {ONE = true, TWO = true}})))
  end)

  it("are refused if they are wrong", function()
    local f = context.program
    assert.matches('context:program: there is no option "define" %(is defines meant%?%); there are '
      .. 'defines, headers, include, registers, std',
      refusal(f, context, SOURCE, {define = {}}))
    assert.equal('context:program: defines must be a list, got "A"', refusal(f, context, SOURCE, {defines = "A"}))
    assert.equal("context:program: std must be a text, got 2", refusal(f, context, SOURCE, {std = 2}))
    assert.equal("context:program: options[1] must be a text, got true", refusal(f, context, SOURCE, {true}))
    assert.equal("context:program: options[1] is nil, but options[2] is not: a list has no holes",
      refusal(f, context, SOURCE, {nil, "-w"}))
    assert.equal("context:program: options is a list, from 1 to n: it has the key 0",
      refusal(f, context, SOURCE, {[0] = "-w"}))
    assert.equal("context:program: source[2] is nil, but source[3] is not: a list has no holes",
      refusal(f, context, {SOURCE, nil, SOURCE}))
    assert.equal("context:program: include must be the name of a folder, got 3", refusal(f, context, SOURCE,
      {include = {3}}))
    assert.equal("context:program: the macro A must be a number, a text, true (1) or false (none), got a table",
      refusal(f, context, SOURCE, {defines = {A = {}}}))
    assert.equal(
      'context:program: defines must be a table, {NAME = value}, whose names are NAME or "NAME(a, b)", got "A-B"',
      refusal(f, context, SOURCE, {defines = {["A-B"] = 1}}))
    assert.equal('context:program: defines: some compilers cannot read A=a b from their options: put cl.define '
      .. '{["A"] = ...} before the source', refusal(f, context, SOURCE, {defines = {A = "a b"}}))
  end)
end)

describe("cl.define", function()
  it("makes a block that does not change the line numbers of the source", function()
    assert.equal('#define A 1\n#define F(x) (x + \\\n  1)\n#define T float4\n#define Y 1\n#line 1\n',
      cl.define {A = 1, ["F(x)"] = "(x +\n  1)", T = "float4", Y = true, Z = false})
    local block = cl.define {["SQ(x)"] = "((x) * (x))", N = "1 + 2"}
    assert.equal(9, result_of(context:program(block .. "kernel void f(global int *x) { x[0] = SQ(N); }")))
    local log = problem_of(context.program, context, block .. "kernel void f(global int *x) {\n  x[0] = oops;\n}").log
    assert_shown(log, ":2:10", "x[0] = oops;")
  end)

  it("refuses wrong macros", function()
    assert.equal('cl.define: macros must be a table, {NAME = value}, got "A"', refusal(cl.define, "A"))
    assert.equal('cl.define: macros must be a table, {NAME = value}, whose names are NAME or "NAME(a, b)", got 1',
      refusal(cl.define, {
      "A"}))
  end)
end)

describe("compiling and linking separately", function()
  it("refuses the option registers, which only a whole program can have", function()
    assert.matches("context:compile: registers is an option of context:program", refusal(context.compile, context,
      "float f(float x) { return x; }", {registers = true}), 1, true)
  end)

  it("makes one program from several", function()
    local library = context:link({context:compile "int one(void) { return 1; }"}, "-create-library")
    local caller = context:compile("int one(void);\nkernel void f(global int *x) { x[0] = one() + N; }",
      {defines = {N = 4}})
    assert.same({}, caller.kernels)
    assert.matches("was compiled but not linked", refusal(caller.kernel, caller, "f"))
    if own.links_nothing then
      assert.matches("cannot link two programs: build one program from all their sources",
        refusal(context.link, context, {library, caller}))
      pending(own.links_nothing)
    end
    local program = context:link {library, caller}
    library:close()
    caller:close()
    assert.same({"f"}, program.kernels)
    assert.equal(5, result_of(program))
  end)

  it("fails if a function is missing", function()
    if own.links_what_is_missing then pending(own.links_what_is_missing) end
    local problem = problem_of(context.link, context, {context:compile(
      "int nowhere(int);\nkernel void f(global int *x) { x[0] = nowhere(1); }")})
    assert.equal("clLinkProgram", problem.call)
    assert.equal("CL_LINK_PROGRAM_FAILURE", problem.name)
  end)

  it("links only compiled programs", function()
    local built = context:program "kernel void f(global int *x) {}"
    assert.matches("is built already: only compiled programs can be linked", refusal(context.link, context, {built}))
    assert.equal("context:link: compiled must be a list of compiled programs, got a program", refusal(context.link,
      context, built))
    assert.matches("0 programs to link: at least 1 is needed", refusal(context.link, context, {}))
  end)
end)

it("a program from SPIR-V is refused if the device does not accept SPIR-V", function()
  assert.matches("accepts no intermediate language (CL_DEVICE_IL_VERSION is empty): build from source",
    refusal(context.program_from_il, context, "\3\2\35\7" .. ("\0"):rep(20)), 1, true)
  assert.equal("context:program_from_il: il must be SPIR-V, a string of bytes, got 3",
    refusal(context.program_from_il,
    context, 3))
end)

describe("a kernel", function()
  local SOURCE = [[
    kernel __attribute__((reqd_work_group_size(4, 1, 1)))
    void f(global const float *restrict a, local volatile int *b, constant int *c, float4 d,
           read_only image2d_t e) {}]]

  it("lists its arguments", function()
    local kernel = context:program(SOURCE):kernel "f"
    local function argument(name, type_name, address, access, type_qualifier)
      return {name = name, type_name = type_name, address_qualifier = address, access_qualifier = access,
              type_qualifier = type_qualifier}
    end
    assert.same({argument("a", "float*", "global", "none", "const restrict"),
      argument("b", "int*", "local", "none", "volatile"), argument("c", "int*", "constant", "none", "const"),
      argument("d", "float4", "private", "none", ""), argument("e", "image2d_t", "global", "read_only", "")},
      kernel.arguments)
    assert.matches(own.tells_no_attributes and "^$" or "reqd_work_group_size%(4", kernel.attributes)
    assert.same({}, context:program "kernel void g() {}":kernel "g".arguments)
  end)

  it("has arguments named as the source names them, also like functions of OpenCL C", function()
    local program = context:program [[
      kernel void f(global int *x, int max, int step, int _cl_own) { x[0] = max + step; }]]
    local kernel = program:kernel "f"
    assert.same({"x", "max", "step", "_cl_own"}, support.fields(kernel.arguments, "name"))
    local x, read = context:buffer(4), cl.array.int(1)
    kernel:set_arg("x", x):set_arg("max", 3):set_arg("step", 4):set_arg(3, 0)
    kernel(queue, 1)
    queue:read_buffer(x, read)
    assert.equal(7, read[0])
    assert.matches("argument 1 'max' of kernel 'f' is int", refusal(kernel.set_arg, kernel, 1, 2.5), 1, true)
    local log = problem_of(context.program, context, "kernel void f(int max, int max) { }").log
    assert.matches("redefinition of parameter 'max'\n", log, 1, true)
  end)

  it("are fields of their program, made once", function()
    local program = context:program "kernel void add(global int *x, int y) { x[get_global_id(0)] += y; }"
    local x, read = context:buffer(cl.array.int {1, 2}), cl.array.int(2)
    program.add(queue, 2, nil, x, 10)
    program.add(queue, 2, nil, x, 20):wait()
    queue:read_buffer(x, read)
    assert.same({31, 32}, read:table())
    assert.equal("add", program.add.name)
    assert.equal(program.add, program.add)
    assert.not_equal(program.add, program:kernel "add")
  end)

  it("do not hide methods and fields of programs", function()
    local program = context:program "kernel void files(global int *x) { x[0] = 1; } kernel void close() { }"
    assert.same({}, program.files)
    assert.equal("function", type(program.close))
    assert.equal("files", program:kernel "files".name)
    assert.equal('program:close: call it with a colon: a program expected before it, got a queue; a kernel of this '
      .. 'name is program:kernel "close"', refusal(program.close, queue, 1))
  end)

  it("that a program does not have are refused with the names of those that it has", function()
    local program = context:program "kernel void first() { } kernel void second() { }"
    assert.equal("program.third: the program has no kernel, method or field of this name; its kernels are first, "
      .. "second", refusal(function() return program.third end))
    assert.matches("of this name (is second meant?); its", refusal(function() return program.secnd end), 1, true)
    assert.equal("program.build: context:program(source, options) has compiled it; call its kernels: "
      .. "program.first(queue, global_size, local_size, ...)", refusal(function() return program.build end))
    local plain = context:program "void third() { } kernel void first() { }"
    assert.equal("program.third: the program has no kernel, method or field of this name; its kernels are first; "
      .. "the source has a function of that name: write kernel before it", refusal(function() return plain.third end))
    assert.matches("it has no kernels; the source has a function of that name: write kernel before it",
      refusal(function() return context:program("void third() { }").third end), 1, true)
    local compiled = context:compile "kernel void first() { }"
    assert.matches("it has no kernels: context:link()", refusal(function() return compiled.first end), 1, true)
    program:close()
    assert.matches("program.second: the program was closed", refusal(function() return program.second end), 1, true)
    assert.is_nil(program.handle)
  end)

  it("have empty fields for what the driver does not know", function()
    if own.takes_no_binaries then pending(own.takes_no_binaries) end
    local program = context:program(SOURCE)
    local arguments = context:program_from_binary(program:binary()):kernel "f".arguments
    if own.tells_arguments_of_binaries then
      assert.same(program:kernel "f".arguments, arguments)
      pending(own.tells_arguments_of_binaries)
    end
    for _, argument in ipairs(arguments) do
      assert.same({name = "", type_name = "", address_qualifier = "", access_qualifier = "", type_qualifier = ""},
        argument)
    end
  end)
end)

describe("registers", function()
  it("are read from NVIDIA's log for each kernel", function()
    local log = "ptxas info    : 0 bytes gmem\n"
      .. "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"
      .. "ptxas info    : Function properties for other\n"
      .. "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      .. "ptxas info    : Used 99 registers, 368 bytes cmem[0]\n"
      .. "ptxas info    : Compiling entry function 'mirror' for 'sm_90'\n"
      .. "ptxas info    : Function properties for mirror\n"
      .. "ptxas         .     48 bytes stack frame, 16 bytes spill stores, 32 bytes spill loads\n"
      .. "ptxas info    : Used 12 registers, 368 bytes cmem[0]\n"
    assert.same({registers = 12, stack = 48, spill_stores = 16, spill_loads = 32}, registers.of(log, "mirror"))
    assert.equal(99, registers.of(log, "other").registers)
    assert.same({}, registers.of(log, "mirr"))
    assert.same({}, registers.of("", "mirror"))
  end)

  it("are asked for only where the compiler can report them", function()
    local function on(...)
      local devices = {}
      for i, answer in ipairs {...} do devices[i] = {has_extension = function() return answer == "nvidia" end} end
      return {devices = devices}
    end
    assert.is_nil(registers.ask(on "other", "text", "-w"))
    assert.is_nil(registers.ask(on("nvidia", "other"), "text", "-w"))
    local first, options = registers.ask(on "nvidia", "text", "-w")
    local second = registers.ask(on "nvidia", "text", "-w")
    assert.equal("-cl-nv-verbose -w", options)
    assert.matches("^text\nkernel void clue_built_at_[%d_]+%(void%) { }\n$", first)
    assert.not_equal(first, second)
  end)

  it("are without the kernel that makes the driver build again", function()
    local log = "warning\nptxas info    : Compiling entry function 'first' for 'sm_90'\nptxas info    : Used 8 "
      .. "registers\n"
    local added = "ptxas info    : Compiling entry function 'clue_built_at_17_4' for 'sm_90'\nptxas info    : Used 4 "
      .. "registers\n"
    assert.equal(log, registers.without_lines(log .. added))
    assert.equal("as it is", registers.without_lines "as it is")
  end)

  it("are of a second build, so that the program is as without the option", function()
    local ask, create, sources = registers.ask, binding.program_create, {}
    function registers.ask(_, source) return source .. "\nkernel void clue_built_at_1_2(void) { }\n", "" end
    function binding.program_create(on, source, options)
      sources[#sources + 1] = source
      return create(on, source, options)
    end
    finally(function() registers.ask, binding.program_create = ask, create end)
    local opened = require("handles").from_here()
    local program = context:program("kernel void set(global int *to, int value) { to[0] = value; }",
      {registers = true})
    assert.equal(1, opened.count())
    assert.same({2, false, true}, {#sources, registers.is_asked(sources[1]), registers.is_asked(sources[2])})
    assert.same({"set"}, program.kernels)
    local to, result = context:buffer(4), cl.array.int(1)
    program:kernel "set"(queue, 1, 1, to, 17)
    queue:read_buffer(to, result)
    assert.equal(17, result[0])
  end)

  it("are empty if the compiler does not report them", function()
    if context.device:has_extension "cl_nv_compiler_options" then pending "this compiler does" end
    local program = context:program("kernel void f() { }", {registers = true})
    assert.same({"f"}, program.kernels)
    assert.same({}, program:kernel "f":registers())
    assert.same({}, context:program "kernel void f() { }":kernel "f":registers())
  end)
end)
