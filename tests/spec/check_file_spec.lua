-- `clue check` of a .cl file: it makes each kernel's arguments, and what cannot be launched costs no other kernel.
-- suite: quick
local support = require "support"

local function source(text)
  return support.write(text, support.temporary ".cl")
end

-- Checks a file: its exit status, the run's document, both outputs.
local function check(...)
  local status, out, err, document = support.document {"check", ...}
  return status, document and document.runs[1], out, err
end

-- "race first": the kinds and kernels of what counts.
local function errors(run)
  local list = {}
  for _, finding in ipairs(run.findings) do
    if finding.level == "error" then list[#list + 1] = finding.kind .. " " .. finding.kernel end
  end
  return list
end

-- What is refused.
local function refusal(...)
  local _, err = support.ended(2, support.run {"check", ...})
  return err
end

local RACE = "kernel void %s(global int *a) { a[0] = get_global_id(0); }\n"

describe("clue check of a .cl file makes", function()
  it("constant memory that the simulator takes", function()
    local status, run, out = check("--tries", "0", source(
      "kernel void f(constant int *table, constant float4 *more, global int *a) {\n"
      .. "  a[get_global_id(0)] = table[get_global_id(0)] + more[0].x;\n}\n" .. RACE:format "second"))
    assert.equal(1, status, out)
    assert.same({"race second"}, errors(run))
    assert.matches("table: 16384 elements*, more: 4096 elements*", out, 1, true)
    local _, _, past = check("--tries", "0", "--global", "8", "--arg", "table=8", source(
      "kernel void f(constant int *table, global int *a) { a[get_global_id(0)] = table[get_global_id(0) + 1]; }"))
    assert.matches("argument 0 'table' (constant memory): element 8 of 8", past, 1, true)
  end)

  it("structs of zero bytes or of given fields, by the compiler's own layout", function()
    local path = source([[
#define COUNT 3
typedef struct { char kind; float4 at[COUNT]; struct { short x; uint width; } size; float scale; } area;
typedef float real;
enum way { UP, DOWN };
kernel void f(global int *a, area s, real by, enum way how) {
  a[s.size.width * get_global_id(0)] = get_global_id(0) + s.scale + by + how;
}
]])
    local status, run, out, err = check("--tries", "0", path)
    assert.equal(1, status, err)
    assert.same({"race f"}, errors(run))
    assert.matches("s: 80 zero bytes*, by: 1*, how: 64*", out, 1, true)
    local other, _, shown = check("--tries", "0", "--arg", "s.size.width=2", "--arg", "s.scale=0.5", path)
    assert.equal(0, other, shown)
    assert.matches("s: size.width = 2, scale = 0.5, by: 1*", shown, 1, true)
    assert.equal("clue check: --arg s.no: area has no such field of numbers\n", refusal("--arg", "s.no=2", path))
    assert.equal("clue check: --arg s: it is a struct, which takes --arg s.FIELD=NUMBER\n", refusal("--arg", "s=2",
      path))
  end)

  it("as many elements of structs as --arg says", function()
    local status, run, out = check("--tries", "0", "--arg", "to=60", source(
      "typedef struct { int x, y, z; } three;\nkernel void f(global three *to) { to[get_global_id(0)].z = 1; }\n"))
    assert.equal(1, status, out)
    assert.same({"bounds f"}, errors(run))
    assert.equal(60 * 12, run.findings[1].object.size)
  end)

  it("images of every kind, whose pixels differ, and samplers", function()
    for kind, read in pairs {image1d_t = "read_imagef(x, s, (int)i)",
                             image1d_array_t = "read_imagef(x, s, (int2)(i, 0))",
                             image2d_t = "read_imagef(x, s, (int2)(i, 0))",
                             image2d_array_t = "read_imagef(x, s, (int4)(i, 0, 0, 0))",
                             image3d_t = "read_imagef(x, s, (int4)(i, 0, 0, 0))",
                             image1d_buffer_t = "read_imagef(x, (int)i)"} do
      local status, run, out, err = check("--tries", "0", source(([[
const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void f(read_only %s x, global float *a) { int i = get_global_id(0) %% 8; a[0] = (%s).x; }
]]):format(kind, read)))
      assert.equal(1, status, kind .. out .. err)
      assert.same({"race f"}, errors(run), kind)
    end
    local status, run, out, err = check(source [[
kernel void turn(read_only image2d_t from, write_only image2d_t to, global uint *a, const sampler_t how) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, at, read_imageui(from, how, at));
}]])
    assert.equal(0, status, out .. err)
    assert.equal(1, run.launches)
    assert.matches("from: 64 x 64 pixels, rgba uint*, to: 64 x 64 pixels, rgba uint*", out, 1, true)
  end)
end)

describe("clue check of a .cl file goes on", function()
  it("after a kernel that cannot be launched, which it names", function()
    local status, run, _, err = check("--tries", "0", source(RACE:format "first"
      .. "kernel void second(global int *a, image2d_depth_t x) { a[0] = 1; }\n" .. RACE:format "third"))
    assert.equal(1, status, err)
    assert.same({"race first", "race third"}, errors(run))
    assert.matches("kernel 'second' was not launched: argument 'x': a value of type image2d_depth_t cannot be assumed; "
      .. "write a script that makes it\n$", err)
    assert.equal("second", run.unlaunched[1].kernel)
    status, run = check("--tries", "0", source(
      "kernel void f(global int *a, image2d_depth_t x) { a[0] = 1; }\n"
      .. "kernel void g(global int *a) { a[get_global_id(0)] = 1; }\n"))
    assert.equal(3, status)
    assert.same({}, errors(run))
  end)

  it("after a kernel that needs too much, or does not end #later", function()
    local status, run, _, err = check("--time-limit", "6", source(
      "kernel void large(global int *a) { local int held[20000]; held[0] = 1; a[0] = held[0]; }\n"
      .. "kernel void endless(global volatile int *a) { while (a[0] >= 0) ; }\n" .. RACE:format "last"))
    assert.equal(1, status, err)
    assert.same({"race last"}, errors(run))
    assert.matches("kernel 'large' was not launched: ", err, 1, true)
    assert.matches("stopped after [%d.]+ s %(%-%-time%-limit%), in kernel 'endless', range 64\n", err)
  end)
end)

describe("clue check of a .cl file finds its words and places:", function()
  local function printed(...) return (support.ended(1, support.run {"check", "--tries", "0", ...})) end

  it("the line that stands below a #line, with the name that it gives", function()
    local path = source("#define UNUSED 1\n#line 1\nkernel void f(global int *a) {\n  a[0] = get_global_id(0);\n}\n")
    assert.matches(path .. ":2:8: error: race: work-items of one group write 'a', and nothing orders them\n"
      .. "      a[0] = get_global_id(0);\n           ^\n", printed(path), 1, true)
    assert.matches("\nmodel.cl:7:37: error: race: [^\n]*\n    kernel void f%(",
      printed(source('#line 7 "model.cl"\n' .. RACE:format "f")))
  end)

  it("a barrier between two lines below a #line", function()
    local out = printed("--global", "1.6e1", "--local", "8", source [[
// one line more than the compiler counts
// and another
#line 1
kernel void f(global int *b) {
  local int t[8];
  const int l = get_local_id(0);
  for (int i = 0; i < 2; i++) {
    t[l] = l + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = t[7 - l];
  }
}
]])
    assert.matches("to do: a barrier stands between the two lines", out, 1, true)
  end)

  it("lines of headers, which -I finds", function()
    local header = support.write("void put(global int *a) {\n  a[0] = get_global_id(0);\n}\n", support.temporary ".h")
    local folder, name = header:match "^(.*)/([^/]*)$"
    local path = support.write(("#include <%s>\nkernel void f(global int *a) { put(a); }\n"):format(name),
      support.temporary() .. "-elsewhere.cl")
    for _, words in ipairs {{"-I", folder}, {"--options", "-I " .. folder}} do
      assert.matches("/" .. name .. ":2:8: error: race: [^\n]*\n      a%[0%] = get_global_id%(0%);\n",
        printed(words[1], words[2], path))
    end
  end)

  it("lines of headers in another folder beside the one where it runs", function()
    local here, folder = support.folder(), support.folder()
    support.write("void put(global int *a) {\n  a[0] = get_global_id(0);\n}\n", folder .. "/put.h")
    local path = support.write("#include <put.h>\nkernel void f(global int *a) { put(a); }\n", here .. "/f.cl")
    local command = ("cd %s && exec %s check --tries 0 -I %s %s"):format(support.quote(here),
      support.quote(support.clue), support.quote(folder), support.quote(path))
    local _, out = support.execute {"sh", "-c", command}
    assert.matches(folder .. "/put.h:2:8: error: race: ", out, 1, true)
    assert.matches("\n      a[0] = get_global_id(0);\n", out, 1, true)
  end)

  it("several --options, joined as by clue build, and -D", function()
    local path = source "kernel void f(global int *a) { a[A] = B + get_global_id(0); }\n"
    printed("--options", "-D A=1", "--options", "-D B=2", path)
    printed(path, "-D", "A=1", "-DB")
    local _, _, err = support.run {"check", "-D", "A=1", "mql5"}
    assert.matches("-D is for .cl files", err, 1, true)
  end)

  it("a misspelt qualifier, which it names with the file and what was meant", function()
    local path = source "\n__kernal void f(global int *a) { }\n"
    local out, err = support.ended(1, support.run {"check", path})
    assert.equal(path .. ":2:1: error: unknown type name '__kernal'\n", err:match "^[^\n]*\n")
    assert.matches("first at line 2 of " .. path .. ": unknown type name '__kernal'; is '__kernel' meant?\n", out, 1,
      true)
    local shown = support.ended(1, support.run {"build", path})
    assert.matches("\n  it does not compile: is '__kernel' meant?\n", shown, 1, true)
  end)

  it("no kernel, and says what to write", function()
    local path = source "float f(float a) { return a; }\n"
    local _, err = support.ended(3, support.run {"check", path})
    assert.equal(("clue check: %s: it has no kernel: write 'kernel' before a function that shall be one, or give the "
      .. "-D that its #if asks for\n"):format(path), err)
  end)

  it("any file that has a kernel", function()
    for _, ending in ipairs {".opencl", ".ocl", ".c", ".txt", ""} do
      printed(support.write(RACE:format "f", support.temporary(ending)))
    end
    local other = support.write("// kernel void f() { }\nint main() { }\n", support.temporary ".c")
    assert.equal(("clue check: %s: it is neither a script (.lua) nor a source with a kernel\n"):format(other),
      refusal(other))
  end)

  it("a null pointer that is no argument", function()
    for space, text in pairs {["local"] = "local int *p = 0; p[l] = 1;", private = "int *p = 0; l = p[1];",
                              global = "global int *p = 0; p[l] = 1;"} do
      local out = printed(source(("kernel void f(global int *a) { int l = get_local_id(0); %s }\n"):format(text)))
      assert.matches("error: bounds: 'p' is a null pointer\n", out, 1, true)
      assert.matches(("\n  pointer 'p' to %s memory\n"):format(space), out, 1, true)
      assert.matches("\n  to do: let the pointer lead to memory before it is used\n", out, 1, true)
    end
  end)

  it("'inexact' only of what may be a sum", function()
    local _, run = check("--tries", "0", source [[
kernel void product(global int *a) { a[get_global_id(0)] = (int)(a[1] * 17000000.0f); }
kernel void sum(global int *a) { float s = 1e7f; s += a[1] * 1e7f; a[get_global_id(0) + 2] = (int)s; }
]])
    local found = {}
    for _, finding in ipairs(run.findings) do
      if finding.kind == "inexact" then found[#found + 1] = finding.kernel end
    end
    assert.same({"sum"}, found)
  end)
end)

describe("clue check of copies by the group", function()
  -- Each kernel begins a copy to t, or from it, in line 4 or 5, and waits for it later.
  local function races(...)
    local list = {}
    for _, part in ipairs {...} do
      list[#list + 1] = ([[
kernel void f%d(global int *a, global int *o, local int *t) {
  const int l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n;
  event_t e;
%s
  wait_group_events(1, &e);
  o[first + l] += t[n - 1 - l];
}
]]):format(#list + 1, part)
    end
    local _, run, out = check("--tries", "0", source(table.concat(list)))
    return errors(run), run.findings, out
  end
  local COPY, BARRIER = "  e = async_work_group_copy(t, a + first, n, 0);\n", "  barrier(CLK_LOCAL_MEM_FENCE);\n"

  it("knows that they go on until the wait, whatever barriers there are before", function()
    local found, list, out = races(COPY .. "  t[l] = 5;\n" .. BARRIER, -- overwritten
      "  t[l] = l;\n" .. BARRIER .. COPY .. "  o[first + l] = t[l];\n" .. BARRIER, -- read too late
      "  t[l] = l;\n" .. BARRIER .. COPY .. BARRIER .. "  o[first + l] = t[l];\n" .. BARRIER, -- and too early
      COPY .. "  e = async_work_group_copy(t + 4, a + first, n, e);\n", -- to the same place
      "  t[l] = l;\n" .. BARRIER .. "  e = async_work_group_copy(a + first, t, n, 0);\n  t[l] = 3;\n" .. BARRIER)
    assert.same({"race f1", "race f2", "race f3", "race f4", "race f5"}, found)
    local other = list[1].first.line == 5 and list[1].second or list[1].first
    assert.equal(4, other.line, out)
    assert.is_nil(other.global)
    assert.equal("a copy by the group goes on until wait_group_events: access 't' before the copy begins, with "
      .. "barrier(CLK_LOCAL_MEM_FENCE) between, or after the wait", list[1].remedy)
  end)

  it("knows that the wait is no barrier for what work-items do", function()
    local wait, apart = "  wait_group_events(1, &e);\n", "  e = async_work_group_copy(t + n, a + first, n, 0);\n"
    local read = "  o[first + l] = t[n - 1 - l];\n"
    local found, list = races(COPY .. wait .. read .. apart .. wait .. COPY, -- some read t yet
      "  t[l] = l;\n" .. apart) -- work-items read t[n - 1 - l] behind the wait
    assert.same({"race f1", "race f2"}, found)
    for _, each in ipairs(list) do
      assert.equal("wait_group_events is no barrier, it waits for copies only: put barrier(CLK_LOCAL_MEM_FENCE) "
        .. "between the two, where every work-item of the group comes by", each.remedy)
    end
    assert.same({}, (races(COPY .. wait .. read .. BARRIER .. apart .. wait .. COPY,
      "  t[l] = l;\n" .. BARRIER .. apart, COPY .. wait .. COPY))) -- a copy comes before one after its wait
  end)

  it("knows those of one group apart, whose addresses may be alike in local and in global memory", function()
    local both = "  local int u[64];\n  e = async_work_group_copy(u, a + first, n, 0);\n  t[l] = l;\n" .. BARRIER
      .. "%s  event_t f = async_work_group_copy(o + first, t, n, 0);\n  wait_group_events(1, &f);\n"
      .. "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    assert.same({}, (races(both:format "")))
    assert.same({"race f1"}, (races(both:format "  a[first + l] = 1;\n  barrier(CLK_GLOBAL_MEM_FENCE);\n")))
  end)

  it("tells a copy that nobody has waited for from one that began after a wait", function()
    local _, list = races("  event_t f = async_work_group_copy(t + n, a + first, n, 0);\n" .. COPY .. "  t[l] = 3;\n"
      .. "  wait_group_events(1, &f);\n")
    assert.matches("^a copy by the group goes on until wait_group_events", list[1].remedy)
  end)

  it("finds nothing before they begin, after the wait, and in other memory", function()
    assert.same({}, (races(COPY, "  t[l] = l;\n" .. BARRIER .. COPY,
      COPY .. "  e = async_work_group_copy(t + n, a, n, e);\n" .. BARRIER .. "  t[2 * n + l] = l;\n",
      COPY .. "  wait_group_events(1, &e);\n" .. BARRIER .. COPY,
      "  e = async_work_group_strided_copy(t, a + get_group_id(0), n, get_num_groups(0), 0);\n",
      "  t[l] = l;\n" .. BARRIER .. "  e = async_work_group_strided_copy(a + get_group_id(0), t, n, "
      .. "get_num_groups(0), 0);\n")))
  end)
end)
