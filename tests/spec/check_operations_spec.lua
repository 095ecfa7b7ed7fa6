-- `clue check`: what single operations of a kernel do wrong: copies of structs, barriers in loops and functions,
-- arithmetic.
-- suite: quick
local support = require "support"

-- The findings of each kernel, and the exit status. arguments: of --arg
local function check(source, arguments)
  local words = {"check", "--global", "16", "--local", "8", "--tries", "0"}
  for _, each in ipairs(arguments or {}) do words = support.words(words, {"--arg", each}) end
  words = support.words(words, {support.write(source, support.temporary ".cl")})
  local status, _, err, document = support.document(words)
  local found = {}
  assert.is_table(document, err)
  for _, finding in ipairs(document.runs[1].findings) do
    local list = found[finding.kernel] or {}
    list[#list + 1], found[finding.kernel] = finding, list
  end
  return found, status
end

describe("clue check of a copied struct", function()
  local found, status = check([[
typedef struct { int x, y, z; } three;
kernel void past(global const three *from, global three *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void read(global const three *of, global three *out) { out[get_global_id(0)] = of[get_global_id(0)]; }
kernel void race(global const three *from, global three *at) { at[get_global_id(0) / 2] = from[get_global_id(0)]; }
kernel void null(global const three *from) { global three *none = 0; *none = from[get_global_id(0)]; }
kernel void right(global const three *from, global three *at) { at[get_global_id(0)] = from[get_global_id(0)]; }
]], {"to=4", "of=5"})

  it("names the target of what goes past its end, races or leads nowhere", function()
    assert.equal(1, status)
    local past, race, null = found.past[1], found.race[1], found.null[1]
    assert.same({"bounds", "to", "write", 48}, {past.kind, past.object.name, past.first.access, past.object.offset})
    assert.same({"race", "at"}, {race.kind, race.object.name})
    assert.same({"bounds", "none", 1}, {null.kind, null.object.name, null.object.null})
  end)

  it("names the source of what reads past its end", function()
    local read = found.read[1]
    assert.same({"bounds", "of", "read", 60}, {read.kind, read.object.name, read.first.access, read.object.offset})
  end)

  it("finds nothing in a right one", function() assert.is_nil(found.right) end)
end)

describe("clue check of an array that is a field", function()
  local found, status = check([[
typedef struct { int head[4]; int tail[4]; } both;
typedef struct { float m[2][3]; float rest[3]; } matrix;
int at(int *p, int i) { return p[i]; }
int *head_of(both *b) { return b->head; }
kernel void variable(global int *out) {
  both it = {{0}, {0}};
  int *p = it.head;
  out[get_global_id(0)] = p[get_local_id(0)];
}
kernel void called(global int *out) { both it = {{0}, {0}}; out[get_global_id(0)] = at(it.head, get_local_id(0)); }
kernel void returned(global int *out) { both it = {{0}, {0}}; out[get_global_id(0)] = head_of(&it)[get_local_id(0)]; }
kernel void before(global both *to) { global int *p = to[get_global_id(0)].tail; p -= 2; *p = 1; }
kernel void walked(global int *out) {
  local both it;
  if (get_local_id(0) == 0)
    for (local int *p = it.head; p < it.tail + 4; p++) *p = 1;
}
kernel void vector(global int *out) { both it = {{0}, {0}}; int *p = it.head; out[get_global_id(0)] = vload4(1, p).x; }
kernel void chosen(global int *out) {
  both it = {{0}, {0}};
  const int i = get_global_id(0);
  int *p = i % 2 ? it.head : it.tail;
  out[i] = p[i % 2 ? 3 : -1];
}
kernel void right(global int *out, global both *all, global matrix *ms) {
  both it = {{0}, {0}};
  const int l = get_local_id(0);
  int *best = it.head, *whole = (int *)&it;
  for (int i = 0; i < 2; i++) {
    int *p = i ? it.tail : it.head;
    if (i == 0) best = p;
  }
  best[l % 4] = 1;
  best = it.tail;
  best[l % 4] = 2;
  char *bytes = (char *)it.head;
  global float *m = ms[get_global_id(0)].m[0], *row = ms[get_global_id(0)].m[1];
  global both *next = all + get_global_id(0);
  out[get_global_id(0)] = whole[l] + bytes[l * 4] + (int)(m[l % 6] + row[-1]) + next->tail[l % 4];
}
]])

  local function told(name)
    local finding = found[name] and found[name][1] or {}
    return {finding.kind, finding.level, finding.field, finding.index, finding.limit}
  end

  it("names the field that is left, by whatever way the pointer came", function()
    assert.equal(1, status)
    for _, name in ipairs {"variable", "called", "returned", "vector"} do
      assert.same({"bounds", "error", "head", 4, 4}, told(name), name)
    end
    assert.same({"bounds", "error", "tail", -2, 4}, told "before")
    assert.same({"bounds", "error", "tail", -1, 4}, told "chosen")
    assert.same({"bounds", "error", "", 4, 4}, told "walked")
    assert.equal("a read past the end of field 'head' of 'it', though inside the struct", found.variable[1].title)
    assert.equal("a write past the end of a field of 'it', though inside the struct", found.walked[1].title)
    assert.equal("a write before the begin of field 'tail' of 'to', though inside the struct", found.before[1].title)
  end)

  it("finds nothing where pointers stay in their field, or have another type", function()
    assert.is_nil(found.right)
  end)
end)

describe("clue check of pixels", function()
  local _, _, _, document = support.document {"check", support.write([==[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local function image(how)
  how.order, how.channel = "r", "float"
  local it = context:image(how)
  queue:write_image(it, cl.array.float((how.width or 1) * (how.height or 1) * (how.depth or how.array_size or 1)))
  return it
end
local flat, deep = image {width = 8, height = 4}, image {width = 8, height = 4, depth = 2}
local layers = image {type = "2d_array", width = 8, height = 4, array_size = 2}
local none = context:sampler {normalized_coords = false, addressing_mode = "none", filter_mode = "nearest"}
local edge = context:sampler {normalized_coords = false, addressing_mode = "clamp_to_edge", filter_mode = "nearest"}
local out = context:buffer(cl.array.float(32))
local program = context:program [=[
constant sampler_t part = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
#define WRITES(name, image, place) kernel void name(write_only image to) { \
  const int i = get_global_id(0); write_imagef(to, place, (float4)(i)); }
#define READS(name, image, place) kernel void name(read_only image from, sampler_t how, global float *out) { \
  const int i = get_global_id(0); out[i] = read_imagef(from, how, place).x; }
WRITES(right_of_it, image2d_t, (int2)(i + 1, 2))
WRITES(left_of_it, image2d_t, (int2)(i - 1, 2))
WRITES(below_it, image2d_t, (int2)(i, i))
WRITES(behind_it, image3d_t, (int4)(i, 0, i / 3, 0))
WRITES(other_layer, image2d_array_t, (int4)(i, 0, 2, 0))
WRITES(inside, image2d_t, (int2)(i, 3))
READS(unguarded, image2d_t, (int2)(i + 1, 0))
READS(unguarded_float, image2d_t, (float2)(i - 0.5f, 0))
READS(guarded, image2d_t, (int2)(i - 3, 9))
READS(layer, image2d_array_t, (int4)(i, 0, 9, 0))
READS(whole, image2d_t, (float2)(i + 0.5f, 3.5f))
kernel void scaled(read_only image2d_t from, global float *out) {
  out[get_global_id(0)] = read_imagef(from, part, (float2)(get_global_id(0) / 7.0f, 0)).x; }
kernel void without(read_only image2d_t from, global float *out) {
  out[get_global_id(0)] = read_imagef(from, (int2)(get_global_id(0), 4)).x; }
]=]
local function run(name, ...) program:kernel(name)(queue, 8, 8, ...) end
for name, to in pairs {right_of_it = flat, left_of_it = flat, below_it = flat, behind_it = deep, other_layer = layers,
                       inside = flat} do run(name, to) end
run("unguarded", flat, none, out)
run("unguarded_float", flat, none, out)
run("guarded", flat, edge, out)
run("layer", layers, none, out)
run("whole", flat, none, out)
run("scaled", flat, out)
run("without", flat, out)
]==], support.temporary ".lua")}

  it("tells of those outside their image, unless the sampler says what is read there", function()
    local found = {}
    for _, finding in ipairs(document.runs[1].findings) do
      found[finding.kernel] = {finding.kind, finding.first.access, finding.index, finding.limit, finding.times}
    end
    assert.equal(13, document.runs[1].launches)
    assert.same({
      right_of_it = {"bounds", "write", 8, 8, 1}, left_of_it = {"bounds", "write", -1, 8, 1},
      below_it = {"bounds", "write", 4, 4, 4}, behind_it = {"bounds", "write", 2, 2, 2},
      other_layer = {"bounds", "write", 2, 2, 8}, unguarded = {"bounds", "read", 8, 8, 1},
      unguarded_float = {"bounds", "read", -1, 8, 1}, scaled = {"bounds", "read", 8, 8, 1},
      without = {"bounds", "read", 4, 4, 8},
    }, found)
    local first = document.runs[1].findings[1]
    assert.equal("an index of '" .. first.object.name .. "' is outside its dimension", first.title)
  end)

  it("notes those past the end of an image that clue check itself has made", function()
    local _, status = check([[
kernel void past(write_only image2d_t to) { write_imagef(to, (int2)(get_global_id(0) + 60, 0), (float4)(1)); }]])
    assert.equal(0, status)
    local found, before = check([[
kernel void before(write_only image2d_t to) { write_imagef(to, (int2)(get_global_id(0) - 1, 0), (float4)(1)); }]])
    assert.same({1, "bounds"}, {before, found.before[1].kind})
  end)
end)

describe("clue check of barriers", function()
  local found = check [[
void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }
void step(int n) { for (int i = 0; i < n; i++) wait(); }
kernel void iterations(global int *out) {
  const int l = get_local_id(0);
  for (int i = 0; i < 4; i++)
    if ((i + l) % 2) barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void calls(global int *out) { if (get_local_id(0) % 2) wait(); else wait(); }
kernel void inner(global int *out) {
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++)
      if ((i + get_local_id(0)) % 2) barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void right(global int *out) {
  for (int i = 0; i < 3; i++) {
    if (i == 1) continue;
    for (int k = i; k < 4; k++) { wait(); if (k > 2) barrier(CLK_LOCAL_MEM_FENCE); }
    step(i + 1);
    for (int k = 0; k < get_local_id(0); k++) out[get_global_id(0)] = k;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
]]

  it("tells of one that work-items reach in different iterations", function()
    for _, name in ipairs {"iterations", "inner"} do
      local finding = found[name][1]
      assert.same({"divergence", "iteration"}, {finding.kind, finding.manner}, name)
      assert.matches("in different iterations of a loop", finding.title, 1, true)
      assert.same({0}, finding.second.global)
    end
  end)

  it("tells of one that they reach by different calls", function()
    assert.same({"divergence", "call"}, {found.calls[1].kind, found.calls[1].manner})
  end)

  it("finds nothing where all come by the same way", function() assert.is_nil(found.right) end)
end)

describe("clue check of copies by the group", function()
  local found = check([[
kernel void waits(global const float *a, global float *b) {
  local float t[8];
  event_t e = async_work_group_copy(t, a, 8, 0);
  if (get_local_id(0) == 0) wait_group_events(1, &e);
  b[get_global_id(0)] = t[get_local_id(0)];
}
kernel void mixed(global const float *a, global float *b) {
  local float t[8];
  event_t e = async_work_group_copy(t, a, 8, 0);
  if (get_local_id(0) == 0) wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = t[get_local_id(0)];
}
]])

  it("tells of waits to which not all come", function()
    assert.equal("1 of the group's 8 work-items comes to this wait for copies, the others do not",
      found.waits[1].title)
    assert.equal("some work-items of a group are at a barrier, others at a wait for copies", found.mixed[1].title)
  end)
end)

describe("clue check of arithmetic", function()
  local found, status = check [[
kernel void zero(global int *b) { const int i = get_global_id(0); b[i] = 100 / (i - 3); }
kernel void rest(global uint *b) { const uint i = get_global_id(0); b[i] = 100 % i; }
kernel void vector(global int4 *b) { const int i = get_global_id(0); b[i] = (int4)(7) / (int4)(1, 2, i, 3); }
kernel void smallest(global int *b) { const int i = get_global_id(0); b[i] = (-2147483647 - 1) / (i * 2 - 1); }
kernel void convert(global int *b) { const float i = get_global_id(0); b[get_global_id(0)] = (int)(i * 1e20f); }
kernel void negative(global uchar *b) { const float i = get_global_id(0); b[get_global_id(0)] = (uchar)(i - 2); }
kernel void data(global const int *a, global int *b) { b[get_global_id(0)] = 100 / a[get_global_id(0)]; }
kernel void shift(global const int *a, global int *b) { b[get_global_id(0)] = 1 << (a[get_global_id(0)] + 30); }
kernel void sum(global const float *a, global int *b) {
  float sum = 16777216.0f;
  for (int i = 0; i < 4; i++) sum += a[i];
  b[get_global_id(0)] = (int)sum;
}
kernel void right(global const int *a, global const float *f, global int *b) {
  const int i = get_global_id(0);
  const int4 v = (int4)(a[i], 1, 2, 3);
  const int4 kept = select((int4)(8) / v, (int4)(0), v == (int4)(0));
  b[i] = (a[i] ? 100 / a[i] : 0) + kept.x + (int)(f[i] * 1e6f) + (a[i] << 31) + (uchar)(f[i] - 0.5f)
    + convert_int_sat(f[i] * 1e20f) + (int)16777218.0f;
}
]]

  local function told(name)
    local finding = found[name] and found[name][1] or {}
    return {finding.kind, finding.manner, finding.operands}
  end

  it("tells of results that OpenCL C leaves open, with their operands", function()
    assert.equal(1, status)
    assert.same({"arithmetic", "division", "100 / 0"}, told "zero")
    assert.same({"arithmetic", "division", "100 % 0"}, told "rest")
    assert.same({"arithmetic", "division", "7 / 0"}, told "vector")
    assert.same({"arithmetic", "overflow", "-2147483648 / -1"}, told "smallest")
    assert.same({"arithmetic", "conversion", "1.00000002e+20 to a signed integer of 32 bits"}, told "convert")
    assert.same({"arithmetic", "conversion", "-2 to an unsigned integer of 8 bits"}, told "negative")
    assert.matches("a division by zero: 100 / 0", found.zero[1].title, 1, true)
  end)

  it("takes what only data do that clue invented for a note", function()
    assert.same({"arithmetic", "division", "100 / 0"}, told "data")
    assert.equal("note", found.data[1].level)
  end)

  it("notes shifts by the width or more, and sums too large for their type", function()
    assert.same({"shift", "shift", "1 << 32, in 32 bits"}, told "shift")
    assert.equal("note", found.shift[1].level)
    assert.equal("inexact", found.sum[1].kind)
  end)

  it("says nothing where the result is well defined, or dropped", function() assert.is_nil(found.right) end)
end)

describe("clue check of parts of vectors", function()
  local found = check [[
kernel void other(global const float4 *a, global float *b) {
  const int l = get_local_id(0);
  local float4 t[8];
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float x = t[7 - l].x, z = t[7 - l].zx.x;
  t[l].y = l;
  b[get_global_id(0)] = x + z;
}
kernel void swizzled(global float4 *a) {
  const int i = get_global_id(0);
  a[i].yw = (float2)(1, 2);
  a[(i + 1) % 16].x += a[(i + 2) % 16].z;
}
kernel void same(global const float4 *a, global float *b) {
  const int l = get_local_id(0);
  local float4 t[8];
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float2 read = t[7 - l].yw;
  t[l].y = l;
  b[get_global_id(0)] = read.x;
}
kernel void three(global float *b) { vstore3((float3)(1, 2, 3), get_global_id(0), b); }
]]

  it("takes a part for no access of its neighbours", function()
    assert.is_nil(found.other)
    assert.is_nil(found.swizzled)
    assert.is_nil(found.three)
  end)

  it("finds races of the same part", function() assert.equal("race", found.same[1].kind) end)
end)

describe("clue check of what OpenCL C forbids", function()
  local found, status = check [[
int fib(int n) {
  int held[2];
  if (n < 2) return n;
  held[0] = fib(n - 1);
  held[1] = n;
  return held[0] + held[1];
}
int odd(int n);
int even(int n) { return n < 1 ? 1 : odd(n - 1); }
int odd(int n) { return n < 1 ? 0 : even(n - 1); }
int next(int n) { return n + 1; }
kernel void itself(global int *a) { a[get_global_id(0)] = fib(a[get_global_id(0)] & 3); a[0] = 1; }
kernel void through(global int *a) { a[get_global_id(0)] = even(5); }
kernel void twice(global int *a) { a[get_global_id(0)] = next(next(0)); }
kernel void print(global float4 *v) {
  int i = get_global_id(0);
  printf("%d %% %5.2f %v4f %v4hlf %s %p %c\n", i, v[i].x, v[i], v[i], "text", v, 'a');
  printf("%s\n", v[i].x);
  printf("%d\n", v[i].x);
  printf("%v2f\n", v[i]);
}
kernel void missing(global float *a) { printf("%f %ld\n", a[0]); }
kernel void sizes(global long4 *v) {
  short s = (short)v->x;
  printf("%d %hd %hhu %c %ld %lx %v4ld %v4d %v4hld\n", (int)v->x, s, (uchar)s, s, v->x, get_global_id(0), v[0], v[0],
         convert_int4(v[0]));
  printf("%d\n", get_global_id(0));
  printf("%lu\n", s);
  printf("%hd\n", v->y);
  printf("%v4hld\n", v[0]);
  printf("%v4hd\n", convert_char4(v[0]));
}
]]

  it("tells recursion with the line of the call, and nothing that follows from it", function()
    local list = found.itself
    assert.same({1, 1, "recursion", 4}, {status, #list, list[1].kind, list[1].first.line})
    assert.equal("'fib' calls itself, and OpenCL C does not allow recursion", list[1].title)
    assert.equal("'even' calls itself through odd, and OpenCL C does not allow recursion", found.through[1].title)
    assert.is_nil(found.through[2])
    assert.is_nil(found.twice)
  end)

  it("tells arguments of printf that do not fit, and no bounds of what printf then reads", function()
    local texts = {}
    for i, each in ipairs(found.print) do texts[i] = ("%s %d: %s"):format(each.kind, each.first.line, each.title) end
    assert.same({
      "printf 18: %s takes a string, but gets a floating-point number",
      "printf 19: %d takes an integer, but gets a floating-point number",
      "printf 20: %v2f takes a vector of 2 floating-point numbers, but gets a vector of 4 floating-point numbers",
    }, texts)
    assert.equal("%ld takes an integer, but gets no argument", found.missing[1].title)
  end)

  it("tells integers of another size than printf's conversion takes", function()
    local texts = {}
    for i, each in ipairs(found.sizes) do texts[i] = ("%d: %s"):format(each.first.line, each.title) end
    assert.same({
      "27: %d takes an integer of 32 bits, but gets one of 64",
      "28: %lu takes an integer of 64 bits, but gets one of 32",
      "29: %hd takes an integer of 32 bits, but gets one of 64",
      "30: %v4hld takes a vector of 4 integers of 32 bits, but gets one of 64",
      "31: %v4hd takes a vector of 4 integers of 16 bits, but gets one of 8",
    }, texts)
  end)
end)
