-- `clue check` of a .cl file tries other numbers, data and groups, and tells apart what only its own inventions cause.
-- suite: quick
local support = require "support"

local function source(text)
  return support.write(text, support.temporary ".cl")
end

-- Checks a file: its exit status, findings as "error race a, with", both outputs.
local function check(...)
  local status, out, err, document = support.document {"check", ...}
  local list = {}
  for i, finding in ipairs(document.runs[1].findings) do
    list[i] = ("%s %s %s%s"):format(finding.level, finding.kind, finding.object and finding.object.name or "",
      finding.with and ", with " .. finding.with or "")
  end
  return status, list, out, err
end

describe("clue check --tries 1 of a script", function()
  it("runs it again with other groups where it leaves them to the driver, and shows its output once", function()
    local path = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local kernel = context:program [[
        kernel void f(global const int *a, global int *b) {
          local int held[64];
          const int l = get_local_id(0);
          held[l] = a[get_global_id(0)];
          if (get_local_size(0) <= 16) barrier(CLK_LOCAL_MEM_FENCE);
          b[get_global_id(0)] = held[(l + 1) % get_local_size(0)];
        }
      ]]:kernel "f"
      kernel(queue, 128, nil, context:buffer(cl.array.int(128)), context:buffer(512))
      queue:finish()
      print "done"
    ]==], support.temporary ".lua")
    assert.same({}, select(2, check(path)))
    local status, found, out = check("--tries", "1", path)
    assert.equal(1, status)
    assert.same({"error race held, with groups of 64", "note bounds held, with groups of 256",
                 "note bounds held, with groups of 256"}, found)
    assert.equal(1, select(2, out:gsub("done\n", "")))
    assert.matches("1 error, 2 notes in 1 launch and 6 tries\n", out, 1, true)
  end)

  it("repeats each kernel's first call with other numbers and data, and proves numbers that no try has", function()
    local path = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      local program = context:program [=[
        kernel void f(global int *a, int offset) { a[get_global_id(0)] += a[get_global_id(0) + offset]; }
        kernel void g(global int *a, int x) {
          const int i = get_global_id(0);
          if (i == 15) a[i + x] = i;
          if (i == 40) a[i] = i;
        }
        kernel void h(global const int *index, global int *b) { b[index[get_global_id(0)]] = get_global_id(0); }
      ]=]
      local queue, a, order = context:queue(), context:buffer(cl.array.int(128)), cl.array.int(64)
      for i = 0, 63 do order[i] = 63 - i end
      program:kernel "f"(queue, 64, nil, a, 64)
      program:kernel "g"(queue, 64, nil, a, 64)
      program:kernel "h"(queue, 64, nil, context:buffer(order), a)
      queue:finish()
    ]==], support.temporary ".lua")
    assert.same({}, select(2, check(path)))
    local status, found, out = check("--tries", "1", path)
    assert.equal(1, status)
    assert.same({"error race a, with offset = 1", "error race a, with x = 25", "note race b, with zeros in memory",
                 "note bounds a, with x = 113"}, found)
    assert.matches(path .. ":4:", out, 1, true)
    assert.matches("to do: if the data can be so, this is an error\n", out, 1, true)
  end)

  it("leaves the numbers and data of a script what they are", function()
    local path = support.write([==[
      local context = CLContextCreate(CL_USE_ANY)
      local program = CLProgramCreate(context, [=[
        kernel void f(global int *index, global int *b, int n) { b[index[get_global_id(0)] * n] = get_global_id(0); }
      ]=])
      local kernel = CLKernelCreate(program, "f")
      local index, b = CLBufferCreate(context, 64, CL_MEM_READ_WRITE), CLBufferCreate(context, 64, CL_MEM_READ_WRITE)
      CLBufferWrite(index, require "clue".array.int(16))
      CLSetKernelArgMem(kernel, 0, index)
      CLSetKernelArgMem(kernel, 1, b)
      CLSetKernelArg(kernel, 2, 1)
      CLExecute(kernel, 1, {0}, {16})
    ]==], support.temporary ".lua")
    local status, found = check("--tries", "1", path)
    assert.equal(1, status)
    assert.equal("error race b", found[1])
  end)

  it("leaves errors what they are without it", function()
    local path = support.write([==[
      local context = CLContextCreate(CL_USE_ANY)
      local program = CLProgramCreate(context, "kernel void f(global int *a) { a[get_global_id(0)] += 1; }")
      local kernel = CLKernelCreate(program, "f")
      CLSetKernelArgMem(kernel, 0, CLBufferCreate(context, 256, CL_MEM_READ_WRITE))
      CLExecute(kernel, 1, {0}, {65})
    ]==], support.temporary ".lua")
    local _, found, out = check("--tries", "1", path)
    table.sort(found)
    assert.same({"error bounds a", "error uninitialised a"}, found)
    assert.matches("write the buffer before the launch (CLBufferWrite)", out, 1, true)
  end)

  it("is refused where nothing is tried", function()
    local _, err = support.ended(2, support.run {"check", "--tries", "1", "mql5"})
    assert.equal("clue check: --tries is for scripts and .cl files; `clue check --help` lists the options\n", err)
  end)
end)

describe("clue check of a .cl file", function()
  it("finds what a number hides, once, and says with which", function()
    local path = source [==[
kernel void f(global int *a, int offset) { a[get_global_id(0)] += a[get_global_id(0) + offset]; }
]==]
    local status, found, out = check(path)
    assert.equal(1, status)
    assert.same({"error race a, with offset = 1"}, found)
    assert.matches("groups of 8; only with offset = 1\n", out, 1, true)
    assert.matches("1 error, 0 notes in 1 launch and %d+ tries\n", out)
    assert.same({}, select(2, check("--tries", "0", path)))
    assert.same({}, select(2, check("--arg", "offset=64", path)))
  end)

  it("finds what groups of 8 hide", function()
    local status, found = check(source [==[
kernel void f(global const int *a, global int *b) {
  local int held[16];
  const int l = get_local_id(0);
  if (l < 16) held[l] = a[get_global_id(0)];
  if (get_local_size(0) <= 8) barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = held[(l + 1) % get_local_size(0) % 16];
}
]==])
    assert.equal(1, status)
    assert.same({"error race held, with groups of 16"}, found)
  end)

  it("finds what the contents of memory hide", function()
    local status, found = check(source [==[
kernel void f(global const int *a, global int *b) {
  int i = get_global_id(0);
  if (a[0] != 0) i--;
  b[i] = 1;
}
]==])
    assert.equal(1, status)
    assert.same({"error bounds b, with permuted data"}, found)
    status, found = check("--arg", "a=16", source [==[
kernel void f(global const int *a, global int *b) { b[a[0] == 0 ? 0 : -1] = 1; }
]==])
    assert.equal(1, status)
    assert.same({"note same value b", "error bounds b, with permuted data"}, {found[2], found[1]})
  end)

  it("takes no two elements for equal", function()
    for _, text in ipairs {"global const float *in, global float *out) { out[0] = in[get_global_id(0) * 16]; }",
                           "global const float16 *in, global float16 *out) { out[0] = in[get_global_id(0)]; }",
                           "global const four *in, global float *out) { out[0] = in[get_global_id(0)].x; }"} do
      assert.same({"error race out"}, select(2, check("--tries", "0", source(
        "typedef struct { float x, y, z, w; } four;\nkernel void f(" .. text))), text)
    end
  end)

  it("takes for a note what only an index of invented data does", function()
    local status, found, out = check(source [==[
kernel void scatter(global const int *index, global const int *a, global int *b) {
  b[index[get_global_id(0)]] = a[get_global_id(0)];
}
]==])
    assert.equal(0, status, out)
    assert.same({"note race b, with random data of 0 to 15"}, found)
    assert.matches("nothing orders them, only with data that clue invented\n", out, 1, true)
    status, found, out = check("--arg", "a=16", source [==[
kernel void gather(global const int *index, global const int *a, global int *b) {
  b[get_global_id(0)] = a[index[get_global_id(0)]];
}
]==])
    assert.equal(0, status, out)
    assert.same({"note bounds a"}, found)
  end)

  it("takes for a note what a counter does that does not begin at 0", function()
    local _, found, out = check(source [==[
kernel void sum(global uint *a, global uint *done, global uint *all) {
  local int last;
  const size_t l = get_local_id(0);
  a[get_global_id(0)] = l;
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  if (l == 0) last = atomic_inc(done) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  if (last && l == 0) {
    for (size_t i = 0; i < get_global_size(0); i++) sum += a[i];
    *all = sum;
  }
}
kernel void race(global int *a, global int *n) {
  atomic_inc(n);
  if (get_local_id(0) == 1) a[0] = get_global_id(0);
}
kernel void counted(global const int *in, global int *b, global int *n) { // nobody uses what atomic_inc gives
  const int i = get_global_id(0);
  local int last;
  atomic_inc(n);
  if (get_local_id(0) == 0) last = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[i] > in[i + 1]) last = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = last;
}
]==])
    table.sort(found)
    assert.same({"error race a", "error race last, with permuted data", "note race a, with random data of 0 to 15"},
      found, out)
  end)

  it("takes a collision of all data for an error", function()
    local status, found = check(source [==[
kernel void count(global const uint *a, global int *bins) { bins[a[get_global_id(0)] % 4]++; }
]==])
    assert.equal(1, status)
    assert.same({"error race bins"}, found)
  end)

  it("takes for a note what lies outside, or is unwritten, in groups of one size only", function()
    local status, found, out = check(source [==[
kernel void f(global const int *a, global int *b) {
  local int held[64];
  const int l = get_local_id(0);
  held[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = held[63 - l];
}
]==])
    assert.equal(0, status, out)
    assert.same("note uninitialised held", found[1])
    assert.matches("'held' is read before anything was written there, only with groups that clue invented\n", out, 1,
      true)
  end)

  it("takes for a note how work-items meet in groups that are wider than the tile only", function()
    local _, found, out = check(source [==[
kernel void transpose(global const float *a, global float *b, int w, int h) {
  local float tile[8][9];
  const int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) tile[ly][lx] = a[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 8 + lx, y = get_group_id(0) * 8 + ly;
  if (x < h && y < w) b[y * h + x] = tile[lx][ly];
}
]==])
    local told = table.concat(found, "\n")
    assert.is_nil(told:find("error", 1, true), out)
    assert.matches("note race b, with groups of 16 x 16", told, 1, true)
  end)

  it("takes for a note what rows of an invented width do", function()
    local status, found, out = check(source [==[
kernel void f(global float *a, int width) { a[get_global_id(1) * width + get_global_id(0)] = get_global_id(1); }
]==])
    assert.equal(0, status, out)
    assert.same({"note race a, with width = 1"}, found)
  end)

  it("goes on after a number with which a kernel does not end #later", function()
    local status, found, out, err = check(source [==[
kernel void f(global int *a, uint step) {
  for (uint i = 0; i < 64; i += step) a[get_global_id(0)] = i;
}
kernel void g(global int *a, int offset) { a[get_global_id(0)] += a[get_global_id(0) + offset]; }
]==])
    assert.equal(1, status, err)
    assert.same({"error race a, with offset = 1"}, found)
    assert.matches("\nkernel 'f', only with step = 0: did not end in [%d.]+ s\n", out)
  end)
end)
