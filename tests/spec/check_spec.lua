-- `clue check`: it finds the faults of kernels that are known to have them, and none in their mended forms.
-- suite: quick
local support = require "support"

-- Checks something: its exit status, the document, what was printed.
local function check(...)
  local status, out, err, document = support.document {"check", ...}
  return status, document, out, err
end

local function script(text)
  return support.write(text, support.temporary ".lua")
end

-- The kinds of the findings of each kernel: those that count, and notes.
local function by_kernel(document)
  local errors, notes = {}, {}
  for _, finding in ipairs(document.runs[1].findings) do
    local into = finding.level == "error" and errors or notes
    into[finding.kernel] = into[finding.kernel] or {}
    table.insert(into[finding.kernel], finding.kind)
  end
  return errors, notes
end

local function launch(source, kernel, launches)
  return script(([==[
    local cl = require "clue"
    local context = cl.context()
    local queue = context:queue()
    local kernel = context:program([=[
%s]=]):kernel "%s"
    %s
    queue:finish()
  ]==]):format(source, kernel, launches))
end

local function refused(expected, ...)
  local _, err = support.ended(2, support.run {"check", ...})
  assert.matches(expected, err, 1, true)
end

local function contains(list, wanted)
  for _, each in ipairs(list or {}) do
    if each == wanted then return true end
  end
  return false
end

describe("clue check", function()
  local entries = dofile "tests/check/kernels.lua"

  describe("of 120 kernels", function()
    local status, document, _, err = check "tests/check/all.lua"
    local errors, notes = by_kernel(document)

    it("finds the fault of each wrong one", function()
      assert.equal(1, status, err)
      assert.equal(60, #entries)
      assert.equal(120, document.runs[1].launches)
      for i, entry in ipairs(entries) do
        assert.is_true(contains(errors["wrong_" .. i], entry.kind), entry.name)
      end
    end)

    it("finds nothing in the right ones", function()
      for i, entry in ipairs(entries) do
        assert.is_nil(errors["right_" .. i], entry.name)
        assert.same({entry.note}, notes["right_" .. i] or {}, entry.name)
      end
    end)
  end)

  it("tells a fault once: kernel, line, caret, work-items, argument and what to do", function()
    local path = launch(([[
kernel void shift(global const float *a, global float *b) {
\tb[get_global_id(0)] = a[get_global_id(0) + 2];
}
]]):gsub("\\t", "\t"), "shift",
      [[for _ = 1, 3 do kernel(queue, 64, 8, context:buffer(cl.array.float(64)), context:buffer(256)) end]])
    local status, document, out = check(path)
    assert.equal(1, status)
    assert.equal(1, #document.runs[1].findings)
    assert.equal(([[
%s:6:24: error: bounds: a read past the end of 'a'
    \tb[get_global_id(0)] = a[get_global_id(0) + 2];
    \t                      ^
  argument 0 'a' (global memory): element 64 of 64, each of 4 bytes
  work-item 62 (local 6 of group 7) reads it
  6 times in 3 launches; kernel 'shift', range 64, groups of 8
  to do: REMEDY

1 error, 0 notes in 3 launches
]]):format(path):gsub("\\t", "\t"):gsub("REMEDY", document.runs[1].findings[1].remedy), out)
    assert.matches("^compare the index with the size before the access", document.runs[1].findings[1].remedy)
    local finding = document.runs[1].findings[1]
    assert.same({62}, finding.first.global)
    assert.same({name = "a", space = "global", argument = 0, offset = 256, size = 256}, finding.object)
  end)

  it("has the caret under the character, not under the byte", function()
    local _, _, out = check(launch([[
kernel void late(global float *a) {
  /* für äöü */ a[get_global_id(0) + 60] = 0;
}
]], "late", "kernel(queue, 64, 8, context:buffer(256))"))
    local before, caret = out:match "\n( *)/%* für äöü %*/ a%[get_global_id%(0%) %+ 60%] = 0;\n( *)%^\n"
    assert.same({6, 6 + #"/* fur aou */ a[get_global_id(0) + 60] "}, {#(before or ""), #(caret or "")}, out)
  end)

  it("gives groups to launches that have none, so that work-items of a group race", function()
    local path = launch([[
kernel void turn(global float *a) {
  local float held[64];
  held[get_local_id(0)] = a[get_global_id(0)];
  a[get_global_id(0)] = held[get_local_size(0) - 1 - get_local_id(0)];
}
]], "turn", "kernel(queue, 61, nil, context:buffer(cl.array.float(61)))\n"
      .. "kernel(queue, 24, nil, context:buffer(cl.array.float(24)))")
    local _, document = check(path)
    assert.equal("race", document.runs[1].findings[1].kind)
    assert.same({61}, document.runs[1].findings[1]["local"])
    _, document = check("--group", "6", path)
    assert.equal(1, document.runs[1].groups_of_one)
    assert.same({6}, document.runs[1].findings[1]["local"])
  end)

  it("gives groups to launches whose sizes are in an array, or more than their dimensions", function()
    for _, sizes in ipairs {"{0}, {64}", "array.uint {0}, array.uint {64}", "{0, 0}, {64, 0}"} do
      local path = script(([==[
        local context = CLContextCreate(CL_USE_ANY)
        local program = CLProgramCreate(context, [[
          kernel void turn(global float *a) {
            local float held[64];
            held[get_local_id(0)] = a[get_global_id(0)];
            a[get_global_id(0)] = held[get_local_size(0) - 1 - get_local_id(0)];
          }]])
        local kernel, a = CLKernelCreate(program, "turn"), array.float(64)
        local buffer = CLBufferCreate(context, a:bytes(), CL_MEM_READ_WRITE)
        CLBufferWrite(buffer, a)
        CLSetKernelArgMem(kernel, 0, buffer)
        CLExecute(kernel, 1, %s)]==]):format(sizes))
      local _, document = check(path)
      assert.same({"race", 0}, {(document.runs[1].findings[1] or {}).kind, document.runs[1].groups_of_one}, sizes)
    end
  end)

  it("takes for notes what GPUs do rightly, though OpenCL C does not promise it", function()
    local path = launch([[
kernel void last(global uint *part, global uint *done, global uint *sum, global uint *flag) {
  local uint ticket;
  flag[0] = 1;
  if (get_local_id(0) == 0) {
    part[get_group_id(0)] = get_group_id(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    ticket = atomic_inc(done);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (ticket == get_num_groups(0) - 1 && get_local_id(0) == 0)
    for (uint i = 0; i < get_num_groups(0); i++) sum[0] += part[i];
}
]], "last", [[local function zeros() return context:buffer(cl.array.uint(8)) end
    kernel(queue, 64, 8, zeros(), zeros(), zeros(), zeros())]])
    local status, document, out = check(path)
    assert.equal(0, status, out)
    local _, notes = by_kernel(document)
    assert.is_true(contains(notes.last, "same value"))
    assert.is_true(contains(notes.last, "only atomics"))
    assert.matches("0 errors, 2 notes in 1 launch", out, 1, true)
  end)

  it("compares a byte with its own part of a word", function()
    local path = launch([[
kernel void mix(global uint *a) {
  if (get_global_id(0) == 0) a[0] = 0x01020304;
  else ((global uchar *)a)[1] = 3;
}
]], "mix", "kernel(queue, 2, 2, context:buffer(cl.array.uint(1)))")
    local status, document, out = check(path)
    assert.equal(0, status, out)
    assert.same({"same value"}, select(2, by_kernel(document)).mix)
  end)

  it("names the work-item of a launch with an offset", function()
    local path = script [[
      function OnStart()
        local context = CLContextCreate(CL_USE_ANY)
        local program = CLProgramCreate(context, "kernel void f(global int *a) { a[get_global_id(0)] = 1; }")
        local kernel = CLKernelCreate(program, "f")
        CLSetKernelArgMem(kernel, 0, CLBufferCreate(context, 4 * 64, CL_MEM_READ_WRITE))
        CLExecute(kernel, 1, {32}, {33}, {11})
      end]]
    local status, document = check(path)
    assert.equal(1, status)
    assert.equal(1, #document.runs[1].findings)
    local first = document.runs[1].findings[1].first
    assert.same({{64}, {2}, {10}}, {first.global, first.group, first["local"]})
  end)

  it("knows which part of a buffer is mapped", function()
    for begin, kinds in pairs {[0] = {"mapped"}, [128] = {}} do
      local path = launch("kernel void low(global int *a) { a[get_global_id(0)] = 1; }\n", "low", ([[
    local a = context:buffer(cl.array.int(64))
    local mapped = queue:map_buffer(a, "int", "read", {offset = %d, count = 32})
    kernel(queue, 32, 8, a)
    queue:unmap(mapped)]]):format(begin))
      local _, document, out = check(path)
      assert.same(kinds, support.fields(document.runs[1].findings, "kind"), out)
    end
  end)

  it("tells apart MQL5's calls that fail in different ways at one line", function()
    local path = script [[
      local kernel = CLKernelCreate(CLProgramCreate(CLContextCreate(), "__kernel void f(int n, int m) { }"), "f")
      local function set(index, value) CLSetKernelArg(kernel, index, value) end
      set(0, 2.5)
      set(1, 2.5)
      for i = 1, 3 do set(1, i + 0.5) end]]
    local _, document, out = check(path)
    assert.equal(3, #document.runs[1].findings, out)
    assert.matches(":2: error: CLSetKernelArg failed: error 5108: argument 0 'n' [^\n]* %(called from line 3%)", out)
    assert.matches(":2: error: CLSetKernelArg failed: error 5108: argument 1 'm' [^\n]* %(called from line 4%)", out)
    assert.matches(" %(called from line 5%)\n  3 times", out)
  end)

  it("reports MQL5's calls that fail, and goes on", function()
    local path = script [[
      function OnStart()
        local context = CLContextCreate(CL_USE_ANY)
        local program = CLProgramCreate(context, "__kernel void f(__global int *a, int n) { a[0] = n; }")
        local kernel = CLKernelCreate(program, "g")
        kernel = CLKernelCreate(program, "f")
        CLSetKernelArgMem(kernel, 0, CLBufferCreate(context, 64, CL_MEM_READ_WRITE))
        CLExecute(kernel, 1, {0}, {1})
        CLSetKernelArg(kernel, 1, int(5))
        CLExecute(kernel, 1, {0}, {1})
      end]]
    local status, document, out = check(path)
    assert.equal(1, status)
    assert.equal(1, document.runs[1].launches)
    assert.equal(2, #document.runs[1].findings)
    assert.matches(path .. ":4: error: CLKernelCreate failed: error 5107: the program has no kernel 'g'", out, 1, true)
    assert.matches(path .. ":7: error: CLExecute failed: error 5109: argument 1 'n' of kernel 'f' was never set", out,
      1, true)
  end)

  it("reports an object's call if nobody catches its error", function()
    local path = launch("kernel void f(global int *a) { a[get_global_id(0)] = 1; }\n", "f", [[
    local a = context:buffer(256)
    assert(not pcall(kernel, queue, 63, 8, a))
    kernel(queue, 64, 8, a)
    kernel(queue, 65, 8, a)]])
    local status, document = check(path)
    assert.equal(1, status)
    assert.equal(1, #document.runs[1].findings)
    assert.matches("local size 8 does not divide global size 65", document.runs[1].findings[1].title, 1, true)
  end)
end)

describe("clue check of a script with several contexts", function()
  local status, document, out, err = check(script [==[
    local cl = require "clue"
    local function launch(source, context)
      local queue = context:queue()
      context:program(source):kernel "f"(queue, 8, 8, context:buffer(32))
      queue:finish()
    end
    local first, second = cl.context(), cl.context()
    launch("kernel void f(global int *x) { x[get_global_id(0) + 1] = 1; }", first)
    launch("kernel void f(global int *y) { y[0] = get_global_id(0); }", second)
    first = nil
    collectgarbage()
    collectgarbage()
    launch("kernel void f(global int *z) { z[8 - (int)get_global_id(0)] = 1; }", second)
  ]==])

  it("counts each launch once, and goes on when one is freed", function()
    assert.equal(1, status, out .. err)
    assert.equal(3, document.runs[1].launches)
  end)

  it("tells the findings of each apart", function()
    local found = {}
    for i, finding in ipairs(document.runs[1].findings) do
      found[i] = ("%s %s"):format(finding.kind, finding.object.name)
    end
    table.sort(found)
    assert.same({"bounds x", "bounds z", "race y"}, found)
  end)
end)

describe("what to do about a race inside a group", function()
  -- The script's kernel, with a barrier in this place of its loop: behind the writing line or behind the reading one.
  local function advice(behind)
    local text = support.read "tests/specimens/pages/scan.lua"
    text = text:gsub(" *barrier%(CLK_LOCAL_MEM_FENCE%);\n", "")
    local first, last = text:find(behind, 1, true)
    assert(first, behind)
    local changed = text:sub(1, last) .. " barrier(CLK_LOCAL_MEM_FENCE);" .. text:sub(last + 1)
    local _, out = support.run {"check", support.write(changed, support.temporary ".lua")}
    return (out:match "to do: ([^\n]*)")
  end

  it("is a barrier between the two lines, or, if one stands there, another at the end of their loop", function()
    assert.matches("^put barrier%(CLK_LOCAL_MEM_FENCE%) between the two lines", advice "sum += tile[k];")
    assert.equal("a barrier stands between the two lines, so they meet in different turns of a loop: put another "
      .. "barrier(CLK_LOCAL_MEM_FENCE) at the end of the loop", advice "tile[l] = a[t * 16 + l];")
  end)

  -- What is said of the first race of a kernel with this text.
  local function remedy(text, ...)
    local head = "kernel void f(global int *a, local int *t) {\n  const int l = get_local_id(0);\n"
    local path = support.write(head .. text .. "\n}\n", support.temporary ".cl")
    local _, document, out = check("--tries", "0", "--schedules", "0", path, ...)
    local finding = document.runs[1].findings[1]
    assert.equal("race", finding and finding.kind, out)
    return finding.remedy
  end

  it("is one in the loop if a statement meets itself in another turn", function()
    assert.matches("^if they meet in different turns of the loop, put barrier%(CLK_LOCAL_MEM_FENCE%) at its end; else "
      .. "read", remedy("t[l] = l;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
        .. "for (int s = 4; s > 0; s /= 2)\n  if (l < s) t[l] += t[l + s];"))
  end)

  it("is one between two statements of a line, or between the two halves of one", function()
    assert.matches("^put barrier%(CLK_LOCAL_MEM_FENCE%) between", remedy "t[l] = l; a[get_global_id(0)] = t[l ^ 1];")
    assert.equal("read into a variable first, put barrier(CLK_LOCAL_MEM_FENCE) behind that, and then write",
      remedy "t[l] = l;\nbarrier(CLK_LOCAL_MEM_FENCE);\nt[l] = t[l ^ 1];")
  end)

  it("is an atomic function for both sides if one has it", function()
    local only = "access 'a' by atomic functions only (atomic_or(p, 0) reads)"
    assert.equal(only, remedy "a[l + 8] = atomic_inc(a) + *a;")
    assert.equal("put barrier(CLK_GLOBAL_MEM_FENCE) between the two, where every work-item of the group comes by, or "
      .. only, remedy("if (l == 0) *a = 0;\natomic_inc(a);", "--global", "8"))
    assert.equal("no barrier reaches other groups: " .. only .. ", or continue in a second kernel",
      remedy("if (get_global_id(0) == 8) *a = 0;\nif (l == 0 && get_group_id(0) == 0) atomic_inc(a);"))
  end)
end)

describe("clue check of published kernels finds", function()
  local function kinds(...)
    local _, document = check(...)
    local found = {}
    for _, finding in ipairs(document.runs[1].findings) do
      found[#found + 1] = finding.kind .. " " .. (finding.object and finding.object.name or "")
    end
    table.sort(found)
    return found
  end

  it("the missing barrier of mql5 7", function()
    local specimen, step = "tests/specimens/mql5/07_column_race.lua", "scripts/walkthroughs/mql5/07_column_in_local.lua"
    assert.same({"race shared_column"}, kinds(specimen, "--step", step))
    assert.same({}, kinds(specimen, "--kernel", "mended", "--step", step))
  end)

  it("the reads past the ends of hello 3", function()
    assert.same({"bounds a", "bounds b"}, kinds("tests/specimens/hello/published.lua", "--fault", "tiles", "--size",
      "43x50"))
  end)

  it("the wrong row index of dcltk 3 and 4: a wrong result where there are fewer rows than columns #later", function()
    for _, step in ipairs {"03_rows_shared", "04_range_2d"} do
      local path = "scripts/walkthroughs/dcltk/" .. step .. ".lua"
      assert.same({"bounds a"}, kinds("tests/specimens/dcltk/stride.lua", "--step", path, "--size", "40x10x12",
        "--repeat", "1"))
      assert.same({"result "}, kinds("tests/specimens/dcltk/stride.lua", "--step", path, "--size", "10x40x12",
        "--repeat", "1"))
      assert.same({}, kinds("tests/specimens/dcltk/stride.lua", "--step", path, "--size", "10x10x12", "--repeat", "1"))
    end
  end)

  it("the int sums in float of submatrix 6, where they are large #later", function()
    assert.same({"inexact "}, kinds("tests/specimens/submatrix/published.lua", "--fault", "float_sums", "--size",
      "8x300x8"))
    assert.same({}, kinds("tests/specimens/submatrix/published.lua", "--fault", "none", "--size", "40x30x20"))
  end)
end)

describe("clue check of a .cl file", function()
  local path = support.write([[
kernel void scale(global float4 *a, const float by, local float *held) {
  held[get_local_id(0)] = by;
  a[get_global_id(0)] *= by;
}
kernel void sum(global const int *a, global int *b, const int n) {
  int s;
  for (int i = 0; i < n; i++) s += a[i];
  b[get_global_id(1) * n + get_global_id(0)] = s;
}
]], support.temporary ".cl")

  it("launches each kernel, and says what it assumed", function()
    local status, document, out = check(path)
    assert.equal(1, status)
    assert.equal(2, document.runs[1].launches)
    assert.equal(1, #document.runs[1].findings)
    assert.matches("kernel 'scale', range 64*, groups of 8*; a: 65536 elements*, by: 1*", out, 1, true)
    assert.matches("kernel 'sum', range 16 x 16*, groups of 8 x 8*; a: 65536 elements*", out, 1, true)
    assert.matches(path .. ":7:33: error: uninitialised: 's' is read", out, 1, true)
  end)

  it("launches one kernel as it is told", function()
    local status, document, out = check("--kernel", "scale", "--global", "32", "--local", "16", "--arg", "a=31", path)
    assert.equal(1, status)
    assert.same({32}, document.runs[1].findings[1].global)
    assert.matches("argument 0 'a' (global memory): element 31 of 31, each of 16 bytes", out, 1, true)
    assert.matches("* assumed", out, 1, true) -- its other arguments
    assert.equal(0, (check("--kernel", "scale", "--global", "32", "--arg", "a=32", path)))
    local whole = support.write("kernel void f(global int *a) { a[get_global_id(0)] = 1; }", support.temporary ".cl")
    assert.is_nil(select(3, check("--global", "8", "--local", "4", "--arg", "a=8", whole)):find("assumed", 1, true))
  end)

  it("takes groups of the sizes that --group gives, as far as they divide the range", function()
    local file = support.write([[
kernel void row(global int *a) { a[get_group_id(0)] = get_global_id(0); }
kernel void plane(global int *a) { if (get_local_size(1) == 4) a[0] = get_global_id(1); }
__attribute__((reqd_work_group_size(2, 2, 1)))
kernel void fixed(global int *a) { a[get_global_id(1) + 2 * get_global_id(0)] = 1; }
]], support.temporary ".cl")
    local _, document, out = check("--group", "3x4", file)
    assert.same({"race"}, by_kernel(document).plane)
    assert.matches("kernel 'row', range 63*, groups of 3;", out, 1, true)
    assert.matches("kernel 'plane', range 15 x 16*, groups of 3 x 4;", out, 1, true)
    assert.matches("kernel 'fixed', range 16 x 16*, groups of 2 x 2*;", out, 1, true)
    assert.matches("range 8 x 8, groups of 2 x 4*;", select(3, check("--group", "3x4", "--global", "8x8", "--kernel",
      "plane", file)), 1, true)
    assert.matches("groups of 32 x 32;", select(3, check("--group", "32x32", "--kernel", "plane", file)), 1, true)
  end)

  it("takes a range of as many dimensions as the group that a kernel requires", function()
    local file = support.write([[
__attribute__((reqd_work_group_size(16, 16, 1)))
kernel void square(global int *a) { a[get_global_id(0)] = 1; }
__attribute__((reqd_work_group_size(1, 1, 32)))
kernel void deep(global int *a) { a[get_global_id(0)] = 1; }
]], support.temporary ".cl")
    local status, _, out = check(file)
    assert.equal(0, status, out)
    assert.matches("kernel 'square', range 32 x 32*, groups of 16 x 16*;", out, 1, true)
    assert.matches("kernel 'deep', range 8 x 8 x 64*, groups of 1 x 1 x 32*;", out, 1, true)
  end)

  it("takes an access past a length that was assumed for a note", function()
    local far = support.write("kernel void f(global int *a) { a[70000] = 1; a[-1] = 2; }\n", support.temporary ".cl")
    local _, document = check("--global", "1", far)
    assert.same({"bounds"}, by_kernel(document).f)
    assert.same({"assumed size"}, select(2, by_kernel(document)).f)
    local one_place = support.write([[
void set(global int *p, int i) { p[i] = 1; }
kernel void f(global int *a) { for (int i = 70000; i > -70001; i -= 70000) a[i] = 1; }
kernel void g(global int *a, global int *b) { set(a, 70000); set(b, 70); }
]], support.temporary ".cl")
    _, document = check("--tries", "0", "--global", "1", "--arg", "b=70", one_place)
    local errors, notes = by_kernel(document)
    assert.same({{"bounds"}, {"bounds"}}, {errors.f, errors.g})
    assert.same({{"assumed size"}, {"assumed size"}}, {notes.f, notes.g})
  end)

  it("reports a kernel that does not compile with its log, and says once why", function()
    local bad = support.write("kernel void f( { }\n", support.temporary ".cl")
    local status, _, out, err = check(bad)
    assert.equal(1, status)
    assert.matches("error: clBuildProgram failed: ", out, 1, true)
    assert.matches(bad .. ":1:16: error: expected parameter declarator", err, 1, true)
    local headless = support.write('#include "nowhere.h"\nkernel void f() { }\n', support.temporary ".cl")
    status, _, out, err = check(headless)
    assert.equal(1, status)
    assert.equal(1, select(2, (out .. err):gsub("the header 'nowhere.h' is in none", "")))
    assert.equal(1, select(2, (out .. err):gsub("'nowhere.h' file not found", "")))
  end)

  it("tells a log during a long launch how far it is #later", function()
    local long = support.write([[kernel void long_one(global int *a) {
      int s = 0;
      for (int i = 0; i < 20000; i++) s += i;
      a[get_global_id(0)] = s;
    }]], support.temporary ".cl")
    local _, _, err = support.run({"check", "--tries", "0", long},
      {LUA_INIT = 'require("clue.output").patience = 0.2'})
    assert.matches("clue: 1 launch, 0 findings, now in kernel 'long_one'\n", err, 1, true)
  end)

  it("refuses words that do not fit it", function()
    refused("--kernel: there is no kernel 'no'; there are: scale, sum", "--kernel", "no", path)
    refused("--arg: there is no argument 'c'; there are: a, by, held, b, n", "--arg", "c=1", path)
    refused("--arg 'c': it must be NAME=NUMBER, NAME=FILE.npy, or NAME.FIELD=NUMBER for a struct", "--arg", "c", path)
    refused("--global '0': it must be one to three sizes", "--global", "0", path)
    refused("--steps is for walkthroughs", "--steps", "3", path)
    refused("'--device': kernels run on a simulator, whatever devices there are", "--device", "gpu", path)
    local empty = support.write("", support.temporary ".cl")
    local _, err = support.ended(2, support.run {"check", empty})
    assert.equal(("clue check: %s: the file is empty\n"):format(empty), err)
    refused("--group '64x32': a group has at most 1024 work-items", "--group", "64x32", path)
    refused("--group and --local both give the groups: leave one out", "--group", "4", "--local", "4", path)
    refused("--arg by: only a buffer takes the elements of a file, and the argument is private float", "--arg",
      "by=x.npy", path)
    refused("--arg held: only a buffer takes the elements of a file, and the argument is local float*", "--arg",
      "held=x.npy", path)
    refused("--arg a: cannot read /nowhere.npy: No such file or directory", "--arg", "a=/nowhere.npy", path)
    refused("--arg a: it is memory, which takes a whole number of elements, 1 or more, not 1.5", "--arg", "a=1.5", path)
    refused("--arg held: it is memory, which takes a whole number of elements, 1 or more, not 0", "--arg", "held=0",
      path)
    refused("--arg n: clSetKernelArg: CL_INVALID_ARG_VALUE (-50): argument 2 'n' of kernel 'sum' is int, which cannot "
      .. "hold 0.5", "--kernel", "sum", "--arg", "n=0.5", path)
  end)
end)

describe("clue check", function()
  it("checks a captured call", function()
    local path = launch("kernel void f(global int *a) { a[get_global_id(0) + 1] = 1; }\n", "f",
      "kernel(queue, 8, 4, context:buffer(cl.array.int(8)))")
    local folder = support.temporary() .. "-call"
    support.ended(0, support.run({"trace", "-o", support.temporary ".json", "--capture", "f", "--capture-folder",
                                        folder, path}, support.drivers "oclgrind"))
    local code, document = check(folder)
    assert.equal(1, code)
    assert.same({"bounds"}, by_kernel(document).f)
  end)

  it("goes on after steps that crash, hang or do not compile, and tells of each", function()
    local status, document, out, err = check("./tests/specimens/ends", "--time-limit", "8", "--steps", "1-4,6,8")
    assert.equal(1, status)
    assert.equal(6, #document.runs)
    assert.equal("bounds", document.runs[2].findings[1].kind)
    assert.equal(17592186044416 * 4, document.runs[2].findings[1].object.offset)
    assert.matches("stopped after 8 s", document.runs[3].failed, 1, true)
    assert.equal("call", document.runs[5].findings[1].kind)
    assert.equal(0, #document.runs[6].findings)
    assert.matches("step 3 stopped after 8 s (--time-limit)", err, 1, true)
    assert.matches("2  crash +1 +- +1 +- ", out)
  end)

  it("finds a step whose own check says that its result is wrong", function()
    local status, document, out = check("./tests/specimens/ends", "--steps", "1,4")
    assert.equal(1, status)
    local good, wrong = document.runs[1], document.runs[2]
    assert.same({verified = true, text = "exact on whole numbers"}, good.check)
    assert.equal(0, #good.findings)
    assert.same({kind = "result", level = "error", text = "exact on whole numbers: C[15][15] is 40, should be 39",
                 title = "the result is wrong: exact on whole numbers: C[15][15] is 40, should be 39", times = 1,
                 launches = 0}, wrong.findings[1])
    assert.matches("step 4, wrong:\nerror: the result is wrong: exact on whole numbers", out, 1, true)
  end)

  it("checks steps of a walkthrough at a size that no tile divides", function()
    local status, document, out, err = check("mql5", "--steps", "4-5")
    assert.equal(0, status, err)
    assert.matches("^size 45\n", out)
    assert.matches("4  sum_local +1 +- ", out)
    assert.equal("45", document.runs[2].size)
  end)

  it("means the simulator by every device that a script names, by its layer's own words", function()
    local status, document, out, err = check(script [==[
      for _, device in ipairs {CL_USE_ANY, CL_USE_CPU_ONLY, CL_USE_GPU_ONLY, CL_USE_GPU_DOUBLE_ONLY, 0, 3} do
        local context = CLContextCreate(device)
        local kernel = CLKernelCreate(CLProgramCreate(context, "kernel void f(global int *a) { a[0] = 1; }"), "f")
        CLSetKernelArgMem(kernel, 0, CLBufferCreate(context, 4, CL_MEM_READ_ONLY))
        CLExecute(kernel)
      end
      Print((CLGetInfoString(2, CL_DEVICE_NAME)))
    ]==])
    assert.equal(1, status, err)
    assert.matches("^true\n", out)
    assert.same({6, 6}, {document.runs[1].launches, document.runs[1].findings[1].times})
    assert.is_nil(document.runs[1].findings[2])
    assert.matches("the kernel writes 'a', whose buffer was made for reading (CL_MEM_READ_ONLY)", out, 1, true)
    assert.matches("to do: make the buffer with CL_MEM_READ_WRITE, or write to another", out, 1, true)
    status, document, out, err = check(script [==[
      local cl = require "clue"
      for _, device in ipairs {"cpu", "nvidia", 3, {1, 2}, cl.device.get(4), (cl.device.pick "0:1,gpu")} do
        local context = cl.context(device)
        local kernel = context:program("kernel void f(global int *a) { a[0] = 1; }"):kernel "f"
        kernel:set_args(context:buffer(4, "read_only"))
        context:queue():ndrange_kernel(kernel, 1)
      end
    ]==])
    assert.equal(1, status, err)
    assert.same({6, 6}, {document.runs[1].launches, document.runs[1].findings[1].times})
    assert.matches('to do: make the buffer with "read_write", or write to another', out, 1, true)
    document = select(2, check(script "CLContextCreate(-7)"))
    assert.matches("error 5114: -7 is neither an ordinal", document.runs[1].findings[1].text, 1, true)
  end)

  it("tells what was not checked: a script that launches nothing, fails or hangs #later", function()
    local function unchecked(expected, ...)
      local _, err = support.ended(3, support.run {"check", ...})
      assert.matches(expected, err)
    end
    unchecked("it launched no kernel\n$", script "print 'nothing' -- not a space: tune_params = {}\n")
    unchecked("it launched no kernel\n$", script [[
      local tune_params = {block_size_x = {64, 128}}
      local function first(name) return tune_params[name][1] end
      print(first "block_size_x", "tune_params = {} return {}")
    ]])
    unchecked("no luck.*failed with exit status 1\n$", script "error 'no luck'\n")
    unchecked("stopped after 2 s %(%-%-time%-limit%), in kernel 'spin', range 64\n$", "--time-limit", "2", launch(
      "kernel void spin(global volatile int *a) { while (a[0] >= 0) ; }\n", "spin",
      "kernel(queue, 64, 8, context:buffer(cl.array.int(64)))"))
  end)

  it("refuses what is not there", function()
    refused "which script, walkthrough, .cl file, space or folder of a captured call?"
    refused("nowhere.lua: No such file", "nowhere.lua")
    refused("nowhere.cl: No such file", "nowhere.cl")
    refused("there is no walkthrough 'nowhere'; there are: amd, ", "nowhere")
    refused("--arg is for .cl files", "--arg", "n=1", "mql5")
    refused("--size: size '3x' is neither N nor MxKxN", "--size", "3x", "mql5")
  end)

  it("says what it needs if its plugin was not built", function()
    for _, words in ipairs {{"check", script "print 'nothing'\n"}, {"check", "mql5", "--steps", "2"}} do
      local err = support.refused(3, support.run(words, {LUA_INIT = "require('clue.paths').plugins = '/nowhere'"}))
      assert.equal("clue check: this clue was built without its plugin for Oclgrind; the build makes it where a C++ "
        .. "compiler, Oclgrind's headers and LLVM's are installed (Debian: apt install g++ liboclgrind-dev "
        .. "llvm-14-dev)\n", err)
    end
  end)

  it("fails if its findings cannot be written, and prints them", function()
    local path = launch("kernel void f(global int *a) { a[0] = 1; }\n", "f",
      "kernel(queue, 1, 1, context:buffer(cl.array.int(1)))")
    local out, err = support.ended(1, support.run {"check", "--json", "/nowhere/file.json", path})
    assert.matches("0 errors, 0 notes in 1 launch", out, 1, true)
    assert.equal("clue check: --json: cannot write /nowhere/file.json: No such file or directory\n", err)
  end)
end)

describe("clue check of a copy of a walkthrough", function()
  it("finds that a barrier is missing between the turns of a loop over tiles", function()
    local folder = support.temporary()
    support.ended(0, support.run {"new", "walkthrough", folder, "--from", "hello", "--steps", "2b,3,6,7"})
    for _, name in ipairs {"02b_staged_in_pieces", "03_tiles", "06_float8_tiles", "07_register_block"} do
      local path = ("%s/%s.lua"):format(folder, name)
      local text, changed = support.read(path):gsub("barrier%(CLK_LOCAL_MEM_FENCE%);(\n    }\n)", "%1", 1)
      assert.equal(1, changed)
      support.write(text, path)
    end
    local status, document, out = check(folder)
    assert.equal(1, status, out)
    assert.matches("^size 37x139, tpb=16, stage=64, tile=64\n", out:match "size.*")
    local sets = {["2b"] = "tpb=16, stage=64", [3] = "tpb=16", [6] = "tpb=16", [7] = "tile=64"}
    for _, its in ipairs(document.runs) do
      assert.same({"race", sets[its.number]}, {its.findings[1].kind, its.set}, its.name)
    end
  end)
end)
