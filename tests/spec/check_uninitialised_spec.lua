-- `clue check` follows unwritten values through copies and computations, and tells of them where they decide something.
-- suite: quick
local support = require "support"

local common = [[
typedef struct { char c; int n; float3 at; } padded;
float half_of(float x) { float y = x * 0.5f; return y; }
float second(float x, float y) { return y; }
int number_of(padded p) { return p.n; }
int number_of_copy(padded p) { return number_of(p); }
]]

-- Each kernel by its name: out, and what it does with it.
local wrong = {
  masked = "int | local int held[8]; out[i] = held[l] & 3;",
  shifted = "int | local int held[8]; out[i] = held[l] << 2;",
  branch = "int | local int held[8]; if (held[l] & 1) out[i] = 1;",
  address = "int | int at[2]; out[at[1] & 7] = i;",
  switch = "int | int k; switch (k) { case 0: out[i] = 1; break; default: break; }",
  by_function = "float | float x; out[i] = half_of(x);",
  by_builtin = "float | float x; out[i] = sin(x);",
  by_pointer = "float | float x, c; float s = sincos(x, &c); out[i] = c;",
  loaded = "float | float x[8]; x[0] = 1; float4 v = vload4(0, x); out[i] = v.y;",
  stored = "float | float x[4]; float4 v; v.x = 1; vstore4(v, 0, x); out[i] = x[1];",
  member = "padded | padded p; p.c = 1; out[i] = p;",
  copied = "int | padded p, q; p.c = 1; q = p; out[i] = q.n;",
  by_value = "int | padded p; p.c = 1; out[i] = number_of(p);",
  by_value_again = "int | local padded p; out[i] = number_of_copy(p);",
  lane = "float4 | float4 v; v.x = 1; v.y = 2; v.z = 3; out[i] = v;",
  swizzle = "float2 | float4 v; v.xy = (float2)(1, 2); out[i] = v.yz;",
  chosen = "int | int c; out[i] = c ? 1 : 2;",
  both = "int | int c, d = 1; out[i] = d && c;",
  counter = "int | local int n; atomic_inc(&n); barrier(CLK_LOCAL_MEM_FENCE); out[i] = n;",
  ticket = "int | local int n; out[atomic_inc(&n) & 7] = i;",
  compared = "int | local int n; if (atomic_max(&n, 3) > 2) out[i] = 1;",
  asynchronous = "float | local float t[8]; event_t e = async_work_group_copy(out + i - l, t, 8, 0); "
    .. "wait_group_events(1, &e);",
  event = "float | local float t[8]; event_t e; async_work_group_copy(t, out, 8, 0); wait_group_events(1, &e);",
  ones = "int | int x; out[i] = x | 1;",
  bytes = "int | uchar4 v; v.x = 1; out[i] = as_int(v);",
  product = "float | float3 v; v.x = v.y = 1; out[i] = dot(v, v);",
  image = "image | float4 v; v.x = 1; write_imagef(out, (int2)(i, 0), v);",
}

local right = {
  two_parts = "float4 | float4 v; v.xy = (float2)(1, 2); v.zw = v.xy; out[i] = v;",
  one_part = "float | float4 v; v.y = 3; out[i] = v.y;",
  three_in_local = "float3 | local float3 t[8]; t[l] = (float3)(1, 2, 3); barrier(CLK_LOCAL_MEM_FENCE); "
    .. "out[i] = t[7 - l];",
  three_sums = "float4 | float3 my = (float3)(1, 2, 3); my += my * 2; out[i] = (float4)(my, 1);",
  three_in_struct = "float | struct { float3 at; float w; } p; p.at = (float3)(1, 2, 3); p.w = 2; float3 q = p.at; "
    .. "out[i] = q.y * p.w;",
  low = "float4 | float8 v; v.lo = (float4)(1); out[i] = v.lo;",
  one_by_one = "float | float4 v; for (int k = 0; k < 4; k++) ((float *)&v)[k] = k; out[i] = v.x + v.w;",
  padding = "padded | padded p; p.c = 1; p.n = 2; p.at = (float3)(1, 2, 3); out[i] = p;",
  unused = "float | float x; float y = second(x, 2); out[i] = y;",
  masked = "int | int x; out[i] = (x & 0) + 1;",
  ones = "int | int x; out[i] = x | -1;",
  bytes = "int | int x; ((uchar *)&x)[0] = 7; out[i] = x & 255;",
  shifted = "int | ushort2 v; v.y = 3; out[i] = as_int(v) >> 16;",
  border = "float | local float t[8]; if (l < 4) t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); "
    .. "float mine[2]; mine[0] = t[l]; mine[1] = t[7 - l]; out[i] = l < 4 ? mine[0] : mine[1];",
  counted = "int | local int n; atomic_inc(&n); atomic_cmpxchg(&n, 1, 2); atomic_or(&n, 3); out[i] = i;",
  exchanged = "int | local int n; atomic_xchg(&n, 0); barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&n); "
    .. "barrier(CLK_LOCAL_MEM_FENCE); out[i] = n;",
  by_pointer = "float | float c; float s = sincos(1.0f, &c); out[i] = c + s;",
  stored = "float | float x[4]; vstore3((float3)(1, 2, 3), 0, x); float3 v = vload3(0, x); out[i] = v.x + v.z;",
  even = "float | float8 v; v.even = (float4)(1); v.s0 += 1; out[i] = v.s0 + v.s6;",
  by_function = "float | float x; x = half_of(2); x = half_of(x); out[i] = x;",
  both = "int | int c, d = 0; out[i] = d && c;",
  later = "int | int k; if (l > 2) k = l; if (l > 2) out[i] = k;",
  half_a_matrix = "int | int a[4][4]; for (int y = 0; y < 4; y++) for (int x = 0; x <= y; x++) a[y][x] = y; "
    .. "int s = 0; for (int y = 0; y < 4; y++) s += a[y][0]; out[i] = s;",
  of_union = "float | union { float f; int4 n; } u, v; u.f = 1; v = u; out[i] = v.f;",
  copied = "int | padded p, q; p.c = 1; q = p; out[i] = q.c;",
  by_value = "int | padded p; p.n = 1; out[i] = number_of(p) + number_of_copy(p);",
  asynchronous = "int | local int t[8]; event_t e = async_work_group_copy(t, out + 64, 8, 0); "
    .. "wait_group_events(1, &e); out[i] = t[l];",
  halves = "float16 | float16 m; m.lo = (float8)(1); m.hi = m.lo; out[i] = m;",
  truth = "int | bool b[2]; b[0] = i > 3; out[i] = b[0];",
  image = "image | float4 v; v.xyz = (float3)(1); v.w = 1; write_imagef(out, (int2)(i, 0), v);",
}

local function kernel_of(name, entry)
  local type_name, body = entry:match "^(%w+) | (.*)$"
  local out = type_name == "image" and "write_only image2d_t" or ("global %s *"):format(type_name)
  return ("kernel void f_%s(%s out) { const int i = get_global_id(0), l = get_local_id(0); %s }\n"):format(name, out,
    body)
end

-- What was found in the kernels of a list: by the kernel's name, the kinds.
local function check(entries)
  local text = {common}
  for name, entry in pairs(entries) do text[#text + 1] = kernel_of(name, entry) end
  local path = support.write(table.concat(text), support.temporary ".cl")
  local _, _, err, document = support.document {"check", "--global", "16", "--local", "8", path}
  local found = {}
  assert.equal(select(2, table.concat(text):gsub("kernel void", "")), document and document.runs[1].launches, err)
  for _, finding in ipairs(document.runs[1].findings) do
    local name = finding.kernel:gsub("^f_", "")
    found[name] = (found[name] and found[name] .. ", " or "") .. finding.kind
  end
  return found
end

describe("clue check of unwritten values", function()
  it("tells of each that decides about a branch, an address or a result", function()
    local found = check(wrong)
    for name in pairs(wrong) do assert.matches("uninitialised", found[name] or "nothing", name) end
  end)

  it("tells of none that is only copied, masked away, or part of a vector that nobody uses", function()
    assert.same({}, check(right))
  end)
end)
