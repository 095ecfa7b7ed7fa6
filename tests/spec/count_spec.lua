-- `clue count`: kernels whose counts are known by arithmetic.
-- suite: quick
local json = require "dkjson"
local support = require "support"

-- Runs a kernel once and gives what was counted of it.
-- how: source, kernel (its name), global, group (nil: none given), arguments (Lua, after the queue and sizes)
local function count(how)
  local script = support.write(([==[
    local cl = require "clue"
    local context = cl.context()
    local queue = context:queue()
    local kernel = context:program([=[
%s
    ]=]%s):kernel "%s"
    local a, b, c = context:buffer(2^16), context:buffer(2^16), context:buffer(2^16)
    queue:fill_buffer(a, 0, "uint")
    kernel(queue, %s, %s, %s)
    queue:finish()
  ]==]):format(how.source, how.options and (', "%s"'):format(how.options) or "", how.kernel, how.global,
    how.group or "nil", how.arguments or "a, b, c"))
  local out, _, document = support.ended(0, support.document {"count", script})
  assert.equal("clue count 1", document.format)
  assert.equal(1, #document.runs[1].kernels)
  return document.runs[1].kernels[1], out
end

-- The one site of an access of an object.
local function site(kernel, access, object)
  local found
  for _, each in ipairs(kernel.sites) do
    if each.access == access and each.object == object then
      assert.is_nil(found, ("two sites: %s %s"):format(access, object))
      found = each
    end
  end
  assert(found, ("no site: %s %s"):format(access, object))
  return found
end

local n = 32

-- c = a b, with dimension 0 along the columns or along the rows of c.
local function product(column, row)
  return count {
    kernel = "product", global = "{32, 32}", group = "{32, 2}", source = ([[
      kernel void product(global const float *a, global const float *b, global float *c) {
        const int column = get_global_id(%d), row = get_global_id(%d);
        float sum = 0;
        for (int k = 0; k < 32; k++)
          sum += a[row * 32 + k] * b[k * 32 + column];
        c[row * 32 + column] = sum;
      }]]):format(column, row),
  }
end

-- A tile of 32 x 32 floats, written by rows and read by columns.
local function tile(width)
  return count {
    kernel = "tile", global = "{32, 32}", group = "{32, 32}", source = ([[
      kernel void tile(global const float *a, global float *b) {
        local float held[32][%d];
        const int x = get_local_id(0), y = get_local_id(1);
        held[y][x] = a[y * 32 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        b[y * 32 + x] = held[x][y];
      }]]):format(width), arguments = "a, b",
  }
end

describe("clue count", function()
  it("counts a matrix product whose neighbours take neighbouring columns", function()
    local kernel = product(0, 1)
    assert.same({n, n}, kernel.global)
    assert.equal(n * n, kernel.items)
    assert.equal(n / 2, kernel.groups)
    assert.equal(2 * n ^ 3, kernel.operations.float)
    assert.equal(0, kernel.operations.special)
    local a, b, c = site(kernel, "load", "a"), site(kernel, "load", "b"), site(kernel, "store", "c")
    assert.equal(n ^ 3, a.accesses)
    assert.equal(4 * n ^ 3, a.bytes)
    assert.equal(n ^ 3 / 32, a.warp.requests)
    assert.equal(n ^ 3 / 32, a.warp.sectors) -- all lanes read the same element
    assert.equal(n ^ 3 / 32, a.warp.least_sectors)
    assert.equal(4 * n ^ 3 / 32, b.warp.sectors) -- 32 floats side by side
    assert.equal(n ^ 3 / 32, b.warp.lines)
    assert.equal(n ^ 3 / 64, b.wavefront.requests)
    assert.equal(n ^ 2, c.accesses)
    assert.equal(4 * n ^ 2 / 32, c.warp.sectors)
    assert.equal("store", c.access)
    assert.equal("global", c.space)
    for _, buffer in ipairs(kernel.buffers) do
      assert.equal(buffer.name == "c" and 0 or 4 * n * n, buffer.read)
      assert.equal(buffer.name == "c" and 4 * n * n or 0, buffer.written)
      -- A group of two rows reads two rows of a and all of b, each sector once.
      local per_group = buffer.name == "b" and n * n * 4 / 32 or 2 * n * 4 / 32
      assert.equal(n / 2 * per_group, buffer.group_sectors)
    end
  end)

  it("counts a matrix product whose neighbours take neighbouring rows", function()
    local kernel, out = product(1, 0)
    local a, b, c = site(kernel, "load", "a"), site(kernel, "load", "b"), site(kernel, "store", "c")
    assert.equal(32 * n ^ 3 / 32, a.warp.sectors)
    assert.equal(4 * n ^ 3 / 32, a.warp.least_sectors)
    assert.equal(32 * n ^ 3 / 32, a.warp.lines)
    assert.equal(n ^ 3 / 32, b.warp.sectors)
    assert.equal(32 * n ^ 2 / 32, c.warp.sectors)
    assert.matches("reads a: 32.0 sectors a request where 4.00 would do", out, 1, true)
  end)

  it("counts the passes of padded and unpadded tiles", function()
    local kernel, out = tile(32)
    assert.equal(32, site(kernel, "store", "held").warp.passes) -- a warp writes a row: 32 banks
    assert.equal(32 * 32, site(kernel, "load", "held").warp.passes) -- and reads a column: one bank
    assert.equal(32, site(kernel, "load", "held").warp.least_passes)
    assert.equal(0, site(kernel, "load", "held").warp.sectors)
    assert.equal(1024, kernel.barriers)
    assert.matches("bank conflicts, 32.0 passes a request where 1.00 would do", out, 1, true)
    local padded, text = tile(33)
    assert.equal(32, site(padded, "load", "held").warp.passes)
    assert.is_nil(text:find "bank conflicts")
  end)

  it("names the kernel that the time limit ends", function()
    local path = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local kernel = context:program "kernel void spin(global float *a) { while (1) a[0] += 1; }":kernel "spin"
      kernel(queue, 64, 64, context:buffer(4))
      queue:finish()
    ]==], support.temporary ".lua")
    local _, err = support.ended(1, support.run {"count", "--time-limit", "1", path})
    assert.matches("stopped after 1 s (--time-limit), after 0 of 1 groups of kernel 'spin'\n", err, 1, true)
  end)

  it("says what to do about what it finds", function()
    local function to_do(how)
      local _, out = count(how)
      return (out:gsub("\n      +", " "))
    end
    local by_rows = to_do {kernel = "f", global = "{32, 32}", group = "{32, 2}", arguments = "a, b", source = [[
      kernel void f(global const float *a, global float *b) {
        const int row = get_global_id(0);
        float sum = 0;
        for (int k = 0; k < 32; k++) sum += a[row * 32 + k];
        b[get_global_id(1) * 32 + row] = sum;
      }]]}
    assert.matches("\n    to do: neighbours in dimension 0 are 32 elements apart: exchange the dimensions\n", by_rows)
    assert.matches("each group reads the same sectors of a 16.0 times\n    to do: read it once into local memory",
      by_rows, 1, true)
    local fields = to_do {kernel = "f", global = 64, group = 64, arguments = "a, b", source = [[
      typedef struct {float x, y, z, w;} body;
      kernel void f(global const body *a, global float *b) { b[get_global_id(0)] = a[get_global_id(0)].x; }]]}
    assert.matches("to do: neighbours are 4 elements apart: give each field an array of its own", fields, 1, true)
    local banks = to_do {kernel = "f", global = "{32, 32}", group = "{32, 8}", arguments = "a", source = [[
      kernel void f(global float *a) {
        local float tile[32][32];
        const int x = get_local_id(0), y = get_local_id(1);
        tile[x][y] = a[x];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[get_global_id(1) * 32 + x] = tile[y][x];
      }]]}
    assert.matches("to do: neighbours are 32 words apart: pad the row by one\n", banks, 1, true)
    local idle = to_do {kernel = "f", global = 24, group = 24, arguments = "a",
      source = "kernel void f(global float *a) { a[get_global_id(0)] = 1; }"}
    assert.matches("to do: make groups of a multiple of 32 work-items\n", idle, 1, true)
    local narrow = to_do {kernel = "f", global = "{32, 32}", group = "{1, 32}", arguments = "a",
      source = "kernel void f(global float *a) { a[get_global_id(1) * 64 + get_global_id(0)] = 1; }"}
    assert.matches("to do: groups are only 1 wide in dimension 0: make them 32 wide", narrow, 1, true)
    for body, remedy in pairs {
      ["vstore4((float4)(1), get_global_id(0), a);"] = "vloadN and vstoreN take each element in a request of its own",
      ["b[get_global_id(0)] = vload8(get_global_id(0), a).x;"] = "vloadN and vstoreN take each element",
      ["((global float8 *)a)[get_global_id(0)] = 1;"] = "a work-item takes 32 bytes, 16 in a request",
      ["((global uchar *)a)[get_global_id(0) + 1] = 1;"] = "what neighbours take begins inside a sector",
    } do
      local wide = to_do {kernel = "f", global = 64, group = 64, arguments = "a, b",
        source = ("kernel void f(global float *a, global float *b) { %s }"):format(body)}
      assert.is_nil(wide:find("reads the same sectors", 1, true))
      assert.matches(" would do\n    to do: " .. remedy, wide, 1, true)
    end
  end)

  it("counts strided copies", function()
    for _, case in ipairs {{1, 4}, {2, 8}, {3, 12}, {8, 32}, {64, 32}} do
      local kernel = count {
        kernel = "strided", global = "64", group = "64", arguments = "a, b", source = ([[
          kernel void strided(global const int *a, global int *b) {
            const int i = get_global_id(0) * %d;
            b[i] = a[i];
          }]]):format(case[1]),
      }
      assert.equal(2 * case[2], site(kernel, "load", "a").warp.sectors, case[1])
      assert.equal(2 * case[2], site(kernel, "store", "b").warp.sectors, case[1])
      assert.equal(8, site(kernel, "load", "a").warp.least_sectors, case[1])
    end
  end)

  it("counts vectors through pointers, vload and local memory", function()
    local kernel = count {
      kernel = "vectors", global = "64", group = "64", arguments = "a, b, c", source = [[
        kernel void vectors(global const float4 *a, global const float *b, global float4 *c) {
          local float4 held[64];
          const int i = get_global_id(0);
          held[i] = a[i] + vload4(i, b);
          barrier(CLK_LOCAL_MEM_FENCE);
          c[i] = held[63 - i];
        }]],
    }
    for _, each in ipairs {site(kernel, "load", "a"), site(kernel, "store", "c")} do
      assert.equal(64, each.accesses)
      assert.equal(16 * 64, each.bytes)
      assert.equal(2, each.warp.requests)
      assert.equal(2 * 16, each.warp.sectors)
      assert.equal(2 * 16, each.warp.least_sectors)
      assert.equal(2 * 4, each.warp.lines)
    end
    local b = site(kernel, "load", "b") -- floats may lie anywhere: four loads of 4 bytes, which are 16 apart
    assert.equal(4 * 64, b.accesses)
    assert.equal(16 * 64, b.bytes)
    assert.equal(4 * 2, b.warp.requests)
    assert.equal(4 * 2 * 16, b.warp.sectors)
    assert.equal(4 * 2 * 4, b.warp.least_sectors)
    assert.equal(4 * 64, kernel.operations.float)
    assert.equal(2 * 4, site(kernel, "load", "held").warp.passes) -- 128 words of 32 banks
    assert.equal(2 * 4, site(kernel, "load", "held").warp.least_passes)
  end)

  -- As NVIDIA's compiler loads for an H200.
  it("takes of a vector what is used of it, in aligned pieces, wherever elements are used apart", function()
    for value, pieces in pairs {
      ["v.x + v.y + v.z + v.w"] = {16}, ["v.x + v.y * v.z"] = {16}, ["v.x * v.y"] = {8}, ["v.z - v.w"] = {8},
      ["v.x"] = {4}, ["v.w"] = {4}, ["v.x + v.w"] = {4, 4}, ["dot(v, v)"] = {16}, ["dot(v.zw, v.wz)"] = {8},
    } do
      local kernel = count {
        kernel = "apart", global = "32", group = "32", arguments = "a, b", source = ([[
          kernel void apart(global const float4 *a, global float *b) {
            local float4 held[32];
            const int i = get_global_id(0);
            held[i] = a[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            float4 v = a[i];
            b[i] = %s;
            v = held[31 - i];
            b[i + 32] = %s;
          }]]):format(value, value),
      }
      local bytes, sites = 0, {}
      for _, each in ipairs(pieces) do bytes = bytes + 32 * each end
      for _, each in ipairs(kernel.sites) do
        if each.access == "load" then sites[each.text:match "^float4 v = a" and "global" or each.space] = each end
      end
      local from, of = sites["global"], sites["local"]
      assert.same({32 * #pieces, bytes, #pieces, 16 * #pieces},
        {from.accesses, from.bytes, from.warp.requests, from.warp.sectors}, value)
      assert.same({32 * #pieces, bytes, #pieces, 4 * #pieces},
        {of.accesses, of.bytes, of.warp.requests, of.warp.passes}, value)
    end
  end)

  it("loads and stores all of a vector of which one element is written", function()
    local kernel = count {
      kernel = "one", global = "32", group = "32", arguments = "a", source = [[
        kernel void one(global float4 *a) {
          local float4 held[32];
          const int i = get_local_id(0);
          held[i].w = i;
          a[i].y = i;
        }]],
    }
    for _, access in ipairs {"load", "store"} do
      local a, held = site(kernel, access, "a"), site(kernel, access, "held")
      assert.same({32, 512, 1, 16}, {a.accesses, a.bytes, a.warp.requests, a.warp.sectors}, access)
      assert.same({32, 512, 1, 4}, {held.accesses, held.bytes, held.warp.requests, held.warp.passes}, access)
    end
  end)

  it("lets lanes share the words of a vector in local memory", function()
    local kernel = count {
      kernel = "shared", global = "64", group = "64", arguments = "a, c", source = [[
        kernel void shared(global const float4 *a, global float4 *c) {
          local float4 held[64];
          const int i = get_global_id(0);
          held[i] = a[i];
          barrier(CLK_LOCAL_MEM_FENCE);
          c[i] = held[get_group_id(0)];
        }]],
    }
    local held = site(kernel, "load", "held")
    assert.equal(2 * 2, held.warp.passes) -- a pass for each half of a warp
    assert.equal(2 * 2, held.warp.least_passes)
    assert.equal(held.warp.passes, held.wavefront.passes)
  end)

  it("counts an access of more than 16 bytes as several", function()
    local kernel = count {
      kernel = "wide", global = "64", group = "64", arguments = "a, b, c", source = [[
        kernel void wide(global const float8 *a, global const float *b, global float16 *c) {
          const int i = get_global_id(0);
          c[i] = (float16)(a[i], vload8(0, b + i));
        }]],
    }
    local a, c = site(kernel, "load", "a"), site(kernel, "store", "c")
    assert.equal(2 * 64, a.accesses)
    assert.equal(32 * 64, a.bytes)
    assert.equal(2 * 2, a.warp.requests)
    assert.equal(2 * 2 * 32, a.warp.sectors) -- half of each sector
    assert.equal(2 * 2 * 16, a.warp.least_sectors)
    assert.equal(2 * 2 * 8, a.warp.lines)
    assert.equal(4 * 2 * 32, c.warp.sectors)
    assert.equal(8 * 64, site(kernel, "load", "b").accesses)
    for _, buffer in ipairs(kernel.buffers) do -- what the group moves is once each sector still
      assert.equal(({a = 64, b = 9, c = 128})[buffer.name], buffer.group_sectors)
    end
  end)

  it("counts copies of structures by what they are aligned to", function()
    local kernel = count {
      kernel = "structures", global = "32", group = "32", arguments = "a, b", source = [[
        typedef struct { int parts[6]; } six;
        kernel void structures(global const six *a, global six *b) { b[get_global_id(0)] = a[get_global_id(0)]; }]],
    }
    local a = site(kernel, "load", "a")
    assert.equal(24 * 32, a.bytes)
    assert.equal(6 * 32, a.accesses)
    assert.equal(6, a.warp.requests)
    assert.equal(6 * 24, a.warp.sectors) -- lanes are 24 bytes apart
  end)

  it("lets lanes that update a word wait for each other, but not those that only count in it", function()
    local kernel, out = count {
      kernel = "update", global = "32", group = "32", arguments = "a", source = [[
        kernel void update(global uint *a) {
          local uint bins[4];
          const uint l = get_local_id(0);
          if (l < 4) bins[l] = 0;
          barrier(CLK_LOCAL_MEM_FENCE);
          atomic_inc(bins + l % 4);
          atomic_add(bins + l % 4, 1);
          atomic_add(bins + l % 4, l);
          a[l] = atomic_inc(bins + l % 2);
        }]],
    }
    local passes = {}
    for _, each in ipairs(kernel.sites) do
      if each.access == "atomic" then passes[#passes + 1] = each.warp.passes end
    end
    assert.same({1, 1, 8, 16}, passes)
    assert.matches("updates local bins: lanes wait for a bank or for each other, 16.0 passes a request where 1.00 "
      .. "would do", out:gsub("\n%s*", " "), 1, true)
  end)

  it("lets a group move what it reads and what it writes", function()
    local kernel = count {
      kernel = "twice", global = "64", group = "32", arguments = "a",
      source = "kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }",
    }
    assert.equal(4 * 64, kernel.buffers[1].read)
    assert.equal(4 * 64, kernel.buffers[1].written)
    assert.equal((4 * 64 + 4 * 64) / 32, kernel.buffers[1].group_sectors)
  end)

  it("counts operations of functions by their meaning", function()
    local kernel, out = count {
      kernel = "functions", global = "32", group = "32", arguments = "a, b", source = [[
        kernel void functions(global float4 *a, global double *b) {
          const int i = get_global_id(0);
          const float4 x = a[i];
          b[i] = fma(b[i], b[i], 1.0);
          a[i] = (float4)(dot(x, x), mad(x.x, x.y, x.z), sqrt(x.x), x.y / x.z);
        }]],
    }
    assert.equal(32 * 2, kernel.operations.double)
    assert.equal(32 * (7 + 2 + 1 + 1), kernel.operations.float)
    assert.equal(32 * 2, kernel.operations.special)
    assert.matches("\n  float and double operations a byte: ", out, 1, true)
  end)

  it("counts what the source computes with elements of vectors, though the compiler takes whole ones", function()
    local kernel = count {
      kernel = "length", global = "32", group = "32", arguments = "a, b", source = [[
        kernel void length(global const float4 *a, global float4 *b) {
          const int i = get_global_id(0);
          const float4 d = a[i] - b[i];
          b[i] = d * (d.x * d.x + d.y * d.y + d.z * d.z);
        }]],
    }
    assert.equal(32 * (4 + 5 + 4), kernel.operations.float)
  end)

  it("counts divergent branches, and the lanes that work", function()
    local function branch(condition)
      return count {
        kernel = "branch", global = "256", group = "64", arguments = "a", source = ([[
          kernel void branch(global volatile int *a) {
            const int i = get_global_id(0);
            if (%s) { a[i] = 1; a[i] = 2; a[i] = 3; a[i] = 4; } else { a[i + 256] = 5; }
          }]]):format(condition),
      }
    end
    local inside = branch "i & 1"
    assert.equal(8, inside.warp.branches)
    assert.equal(8, inside.warp.divergent)
    assert.equal(4, inside.wavefront.divergent)
    assert.is_true(inside.warp.lanes < 0.8 * 32 * inside.warp.instructions)
    local between = branch "i & 32" -- all lanes of a warp agree, not those of a wavefront
    assert.equal(8, between.warp.branches)
    assert.equal(0, between.warp.divergent)
    assert.equal(4, between.wavefront.divergent)
    assert.equal(32 * between.warp.instructions, between.warp.lanes)
    assert.equal(0, branch("get_group_id(0) == 0").wavefront.divergent)
  end)

  it("chooses groups for sizes in an array as for those in a list", function()
    for _, global in ipairs {"{64, 8}", "cl.array.uint {64, 8}"} do
      local kernel = count {kernel = "f", global = global, arguments = "a", source = [[
        kernel void f(global int *a) { a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1; }]]}
      assert.same({{64, 8}, 2}, {kernel.global, kernel.groups}, global)
    end
  end)

  it("counts idle lanes of groups that are no whole warps", function()
    local kernel = count {
      kernel = "few", global = "80", group = "8", arguments = "a", source = [[
        kernel void few(global int *a) { a[get_global_id(0)] = 1; }]],
    }
    assert.equal(10, kernel.warp.count)
    assert.equal(8 * kernel.warp.instructions, kernel.warp.lanes)
    assert.equal(10, site(kernel, "store", "a").warp.requests)
  end)

  it("matches lanes by iteration, not by order of arrival", function()
    -- Odd lanes run the inner loop twice, even lanes once; the first index says which iteration it is.
    local kernel = count {
      kernel = "loops", global = "32", group = "32", arguments = "a, b", source = [[
        kernel void loops(global const int *a, global int *b) {
          const int i = get_global_id(0);
          int sum = 0;
          for (int outer = 0; outer < 3; outer++)
            for (int inner = 0; inner <= (i & 1); inner++)
              sum += a[(outer * 2 + inner) * 32 + i];
          b[i] = sum;
        }]],
    }
    local a = site(kernel, "load", "a")
    assert.equal(3 * 32 + 3 * 16, a.accesses)
    assert.equal(3 * 2, a.warp.requests)
    assert.equal(3 * 2 * 4, a.warp.sectors)
  end)

  it("keeps calls of one function from two places apart", function()
    local kernel = count {
      kernel = "calls", global = "32", group = "32", arguments = "a, b", source = [[
        __attribute__((noinline)) int element(global const int *p, int i) { return p[i]; }
        kernel void calls(global const int *a, global int *b) {
          const int i = get_global_id(0);
          b[i] = element(a, i) + element(a, i + 1024);
        }]],
    }
    local a = site(kernel, "load", "a")
    assert.equal(64, a.accesses)
    assert.equal(2, a.warp.requests)
    assert.equal(2 * 4, a.warp.sectors)
  end)

  it("counts a vector that is made of elements as one access", function()
    local kernel = count {
      kernel = "made", global = "64", group = "64", arguments = "a, b, c", source = [[
        kernel void made(global float4 *a, global float3 *b, global float8 *c) {
          const int i = get_global_id(0);
          local float4 held[64];
          held[i] = (float4)(i, i * 2, i * 3, i * 4);
          barrier(CLK_LOCAL_MEM_FENCE);
          a[i] = (float4)(held[63 - i].x, i, 3, 4); // the constants are stored before the others
          b[i] = held[i].xyz * 2.0f;
          c[i] = (float8)(i, i * 2, 3, 4, i, i, i, i);
          a[i + 64].xz = (float2)(i, 1); // two elements of four
        }]],
    }
    local function counts(object)
      local sums = {0, 0, 0, 0}
      for _, each in ipairs(kernel.sites) do
        if each.access == "store" and each.object == object then
          for i, value in ipairs {each.accesses, each.bytes, each.warp.requests, each.warp.sectors} do
            sums[i] = sums[i] + value
          end
        end
      end
      return sums
    end
    assert.same({64 + 2 * 64, 1024 + 512, 2 + 4, 2 * 16 + 4 * 16}, counts "a")
    assert.same({2 * 64, 768, 2 * 2, 2 * (16 + 16)}, counts "b") -- x and y, then z
    assert.same({2 * 64, 2048, 4, 4 * 32}, counts "c")
    assert.same({64, 1024}, {site(kernel, "store", "held").accesses, site(kernel, "store", "held").bytes})
    assert.equal(2 * 4, site(kernel, "store", "held").warp.passes)
  end)

  it("counts private arrays, constant memory and atomics", function()
    local kernel, out = count {
      kernel = "spaces", global = "64", group = "64", arguments = "a, b, c", source = [[
        kernel void spaces(global int *a, constant int *b, global int *c) {
          const int i = get_global_id(0);
          int own[16];
          for (int k = 0; k < 16; k++) own[k] = b[k];
          c[i] = own[a[i] & 15];
          atomic_inc(a);
        }]],
    }
    assert.equal("constant", site(kernel, "load", "b").space)
    assert.equal(2 * 16, site(kernel, "load", "b").warp.requests)
    assert.equal(2 * 16, site(kernel, "load", "b").warp.sectors)
    assert.equal(64 * 16, site(kernel, "store", "own").accesses)
    assert.equal("private", site(kernel, "store", "own").space)
    assert.is_nil(site(kernel, "store", "own").warp)
    assert.equal(64, site(kernel, "atomic", "a").accesses)
    assert.equal(2, site(kernel, "atomic", "a").warp.sectors)
    assert.same({{name = "own", bytes = 64}}, kernel.private_arrays)
    assert.matches("private own: 64 bytes of each work%-item", out)
    -- Sectors: 32 of b, 8 of a, 8 of c, and the atomics' 2, read and written. Bytes used: 64, 256, 256 and 4.
    assert.matches(("requests ask for 1.6 KiB (%.2f times)"):format((32 + 8 + 8 + 4) * 32 / (64 + 256 + 256 + 4)),
      out:gsub("\n%s*", " "), 1, true)
  end)

  it("counts images apart from global memory, and no sectors of them", function()
    local script = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      local kernel = context:program [=[
        kernel void copy(read_only image2d_t from, sampler_t how, write_only image2d_t to, global float *sum) {
          const int2 at = {get_global_id(0), get_global_id(1)};
          const float4 value = read_imagef(from, how, at);
          write_imagef(to, at, value);
          sum[at.y * 32 + at.x] = value.x;
        }]=]:kernel "copy"
      local function image() return context:image{width = 32, height = 2, order = "r", channel = "float"} end
      local how = context:sampler{normalized_coords = false, addressing_mode = "clamp", filter_mode = "nearest"}
      kernel(context:queue(), {32, 2}, {32, 1}, image(), how, image(), context:buffer(256))
    ]==], support.temporary ".lua")
    local out, _, document = support.ended(0, support.document {"count", script})
    local kernel = document.runs[1].kernels[1]
    local reads, writes = site(kernel, "load", "from"), site(kernel, "store", "to")
    assert.same({"image", 64, 256, 2, 0}, {reads.space, reads.accesses, reads.bytes, reads.warp.requests,
                                           reads.warp.sectors})
    assert.same({"image", 64, 2, 0}, {writes.space, writes.accesses, writes.warp.requests, writes.warp.sectors})
    assert.matches("reads image from +64 +256 +2\n", out)
    assert.matches("global memory: 256 bytes used (0 bytes read, 256 bytes written)", out, 1, true)
    assert.matches("images: 512 bytes used (256 bytes read, 256 bytes written)", out, 1, true)
  end)

  it("tells the accesses of one line apart", function()
    local _, out = count {kernel = "f", global = 64, group = 32, source = [[
      kernel void f(global const float *a, global float *b, global float *c) {
        const int i = get_global_id(0);
        c[i] = a[i] + a[i + 1] + *(a + 2 * i) + b[i];
      }]]}
    for _, what in ipairs {"reads a%[i%] ", "reads a%[i %+ 1%] ", "reads a, column %d+ ", "reads b ", "writes c "} do
      assert.matches(what, out)
    end
    _, out = count {kernel = "f", global = 64, group = 32, arguments = "a, b) kernel(queue, 64, 32, a, b", source = [[
      kernel void f(global const float *a, global float *b) {
        const int i = get_global_id(0) * 32;
        b[i] = a[i] + a[i + 1];
      }]]}
    assert.matches("all of 2 launches", out, 1, true)
    assert.matches("reads a%[i%] .*reads a%[i %+ 1%] ", out)
    assert.equal(3, select(2, out:gsub("32.0 sectors a request where 4.00", "")))
    assert.equal(1, select(2, out:gsub("to do: neighbours in dimension 0 are 32 elements apart", ""))) -- of all three
  end)

  it("counts copies by whole groups", function()
    local kernel = count {
      kernel = "copies", global = "64", group = "32", arguments = "a, b", source = [[
        kernel void copies(global const float *a, global float *b) {
          local float held[128];
          event_t copied = async_work_group_copy(held, a + get_group_id(0) * 128, 128, 0);
          wait_group_events(1, &copied);
          b[get_global_id(0)] = held[get_local_id(0) * 4];
        }]],
    }
    local loads
    for _, each in ipairs(kernel.sites) do
      if each.access == "load" and each.space == "global" then loads = each end
    end
    assert.equal("a", loads.object)
    assert.matches("async_work_group_copy", loads.text, 1, true)
    assert.matches("async_work_group_copy", site(kernel, "store", "held").text, 1, true)
    assert.equal(2 * 128, loads.accesses)
    assert.equal(2 * 4, loads.warp.requests)
    assert.equal(2 * 4 * 4, loads.warp.sectors)
    assert.equal(2 * 4, site(kernel, "load", "held").warp.passes) -- a stride of 4 words: 4 lanes a bank
  end)

  it("chooses the groups that a call leaves to the driver, and keeps to those that a kernel requires", function()
    local source = [[
      kernel void any(global int *a) { a[get_global_id(0)] = 1; }
      kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *a) { a[get_global_id(1)] = 1; }]]
    local function group(kernel, global)
      return count({kernel = kernel, global = global, arguments = "a", source = source})["local"]
    end
    assert.same({256}, group("any", "1024"))
    assert.same({96, 2}, group("any", "{96, 10}"))
    assert.same({97}, group("any", "97"))
    assert.same({160}, group("any", "480")) -- whole warps; 240 would be the largest
    assert.same({4, 2}, group("fixed", "{8, 8}"))
  end)

  it("names the script's own lines", function()
    local path = support.write([[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local kernel = context:program([=[
kernel void twice(global float *x)
{
    x[get_global_id(0)] *= 2;
}
]=]):kernel "twice"
kernel(queue, 64, nil, context:buffer(256))
]], support.temporary ".lua")
    local out = support.ended(0, support.run {"count", "--lines", path})
    local name = path:match "[^/]*$":gsub("%p", "%%%0")
    assert.matches(name .. ":7 +reads x +64 ", out)
    assert.matches(name .. ":7 +writes x +64 ", out)
    assert.matches(name .. ":7 .- x%[get_global_id%(0%)%] %*= 2;\n", out)
  end)

  it("says what was simulated and that a smaller size serves if it takes long", function()
    local script = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      local kernel = context:program [=[
        kernel void f(global int *x) { for (int i = 0; i < 20; i++) x[get_global_id(0)] += i; }]=]:kernel "f"
      kernel(context:queue(), 64, 4, context:buffer(256))
    ]==], support.temporary ".lua")
    local status, out, err = support.run({"count", script}, {LUA_INIT = "require('clue.run.counted').patience = 0"})
    assert.equal(0, status, err)
    assert.matches("kernel f: 64 work%-items", out)
    assert.matches("^clue count: 0 launches simulated, and %d+ of 16 groups of kernel 'f' in %d+ s; a smaller size has "
      .. "the same counts for each work%-item, and %-%-fit formulas for a larger one\n$", err)
  end)

  it("calls once what a script measures by cl.time and cl.compare", function()
    local script = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local kernel = context:program "kernel void f(global int *x) { x[get_global_id(0)] = 1; }":kernel "f"
      local x = context:buffer(256)
      local function run() return kernel(queue, 64, 64, x) end
      print(#cl.time(run, {rounds = 8}).samples, cl.compare(run, run).pairs)
      cl.time(function() run():wait() end)
    ]==], support.temporary ".lua")
    local out = support.ended(0, support.run {"count", script})
    assert.matches("^8\t7\n", out)
    assert.matches("kernel f: 64 work-items in groups of 64, 4 groups, all of 4 launches together\n", out, 1, true)
  end)

  it("finds formulas over an input #later", function()
    local script = support.write([[
local cl = require "clue"
input.int("_size", 16, "rows and columns")
function OnStart()
  local context = cl.context()
  local kernel = context:program([=[
kernel void product(global const float *a, global const float *b, global float *c, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[get_global_id(1) * n + k] * b[k * n + get_global_id(0)];
    c[get_global_id(1) * n + get_global_id(0)] = sum;
}
]=]):kernel "product"
  local bytes = 4 * _size * _size
  kernel(context:queue(), {_size, _size}, {16, 1}, context:buffer(bytes), context:buffer(bytes),
    context:buffer(bytes), _size)
end
]], support.temporary ".lua")
    local out = support.ended(0, support.run {"count", "--fit", "size=16,32,48", script})
    assert.matches("operations +8192 +65536 +221184  ~2 n%^3\n", out)
    assert.matches("bytes used +3072 +12288 +27648  ~12 n%^2\n", out)
    assert.matches("global sectors +800 +6272 +21024  ~3/16 n%^3 %+ n%^2/8\n", out)
  end)

  it("finds formulas for kernels by their names and groups, and says which were not launched at every size", function()
    local script = support.write([[
local cl = require "clue"
input.int("n", 16, "size")
function OnStart()
  local context = cl.context()
  local queue, x = context:queue(), context:buffer(2^12)
  local program = context:program [=[
    kernel void late(global float *x) { x[get_global_id(0)] = 1; }
    kernel void thrice(global float *x) { for (int i = 0; i < 3; i++) x[get_global_id(0)] *= 3; }]=]
  if n > 20 then program:kernel "late"(queue, n, nil, x) end
  if n > 40 then program:kernel "thrice"(queue, n, 2, x) end
  program:kernel "thrice"(queue, n, nil, x)
  program:kernel "thrice"(queue, 2 * n, 4, x)
end
]], support.temporary ".lua")
    local out = support.ended(0, support.run {"count", "--fit", "n=16,32,64", script})
    assert.matches("  kernel late: not launched with n = 16, so it has no formulas\n", out, 1, true)
    assert.matches("  kernel thrice in groups of 2: not launched with n = 16, 32, so it has no formulas\n", out, 1,
      true)
    assert.matches("  kernel thrice in groups of 4  n = 16 [^\n]*\n  operations +96 +192 +384  ~6 n\n", out)
    assert.matches("  kernel thrice in groups of 16: not launched with n = 32, 64,", out, 1, true)
    -- as many of the name in each run, whatever their groups
    out = select(2, support.run {"count", "--fit", "n=24,32,36", script})
    assert.matches("  kernel late +n = 24 +n = 32 +n = 36 +over n\n", out)
    assert.matches("  kernel thrice, number 1 +n = 24 [^\n]*\n  operations +72 +96 +108  ~3 n\n", out)
    assert.matches("  kernel thrice, number 2 +n = 24 [^\n]*\n  operations +144 +192 +216  ~6 n\n", out)
  end)

  it("finds no formulas if a run of a size failed, and says which", function()
    local script = support.write([[
input.int("n", 16, "size")
local cl = require "clue"
function OnStart()
  local context = cl.context()
  local program = context:program "kernel void one(global int *a) { a[0] = 1; }"
  program:kernel "one"(context:queue(), n, nil, context:buffer(4))
  assert(n ~= 32, "32 is too much")
end
]], support.temporary ".lua")
    local out, err = support.ended(1, support.run {"count", "--fit", "n=16,32,64", script})
    assert.is_nil(out:find("over n", 1, true))
    assert.matches(script .. " --n 32 failed with exit status 1\n", err, 1, true)
    assert.matches("32 is too much", err, 1, true)
  end)

  it("names no operations of a kernel that has none", function()
    local _, out = count {kernel = "copy", global = "64", arguments = "a, b", source = [[
      kernel void copy(global const int *a, global int *b) { b[get_global_id(0)] = 3; }]]}
    assert.matches("  256 instructions, 4.000 a work-item\n", out, 1, true)
  end)

  it("says how long each limit of a device would take", function()
    local peak = support.write(json.encode {
      format = "clue peak 1", device = {name = "A card", kind = "gpu"}, limits = {}, machine = {},
      flops = {int = 1e9}, bandwidth = {copy = 1e9}, local_bandwidth = 128e9,
    }, support.temporary ".json")
    local script = support.write([[
local cl = require "clue"
local context = cl.context()
local kernel = context:program "kernel void far(global int *a) { a[get_global_id(0) * 32] = 1; }":kernel "far"
kernel(context:queue(), 64, 64, context:buffer(2^16))
]], support.temporary ".lua")
    local out = support.ended(0, support.run {"count", "--peak", peak, script})
    -- 64 lines at 10^9 a second; 256 bytes at 10^9.
    assert.matches("on A card each limit alone would take: memory 0.2560 us, arithmetic 0.06400 us, requests",
      out, 1, true)
    assert.matches("bound by memory", out, 1, true)
    local list = support.write(json.encode {format = "clue peak 1", machine = {}, devices = {
      {device = {name = "One"}, limits = {}, flops = {int = 1e9}}, {device = {name = "Two"}, limits = {}},
      {device = {name = "Three"}, limits = {}, flops = {half = 1e9}},
    }}, support.temporary ".json")
    out = support.ended(0, support.run {"count", "--peak", list, script})
    assert.matches("on One each limit alone would take: arithmetic 0.06400 us\n  bound by arithmetic\n  on Three: "
      .. "--peak has no limit of what this kernel does\n", out, 1, true)
  end)

  it("says that passes are those of NVIDIA's GPUs where they may be another device's", function()
    local script = support.write([[
local cl = require "clue"
local context = cl.context()
local kernel = context:program [=[
  kernel void turn(global int *a) {
    local int held[64];
    held[get_local_id(0)] = a[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_local_id(0)] = held[63 - get_local_id(0)];
  }]=]:kernel "turn"
kernel(context:queue(), 64, 64, context:buffer(2^16))
]], support.temporary ".lua")
    local function shown(vendor)
      local peak = support.write(json.encode {
        format = "clue peak 1", device = {name = "A card", kind = "gpu", vendor = vendor}, limits = {}, machine = {},
        local_bandwidth = 128e9,
      }, support.temporary ".json")
      local out = support.ended(0, support.run {"count", "--peak", peak, script})
      return (out:gsub("\n%s*", " "))
    end
    local other = "its local memory may take other passes: they are counted as NVIDIA's GPUs take them"
    assert.matches(other, shown "Advanced Micro Devices, Inc.", 1, true)
    assert.is_nil(shown("NVIDIA Corporation"):find(other, 1, true))
    local out = support.ended(0, support.run {"count", "--wavefront", script})
    assert.matches("passes are those of NVIDIA's GPUs, for each 32 lanes; AMD's may share words otherwise",
      out:gsub("\n%s*", " "), 1, true)
  end)

  it("refuses what it cannot count, and says why", function()
    local function refused(words, expected, status)
      local code, _, err = support.run(words)
      assert.equal(status or 2, code, err)
      assert.matches(expected, err)
    end
    local empty = support.write("print 'nothing'\n", support.temporary ".lua")
    refused({"count"}, "which script, or which walkthrough%?")
    refused({"count", "nowhere.lua"}, "nowhere.lua: No such file")
    refused({"count", "k.cl"}, -- as for clue walk
      "there is no walkthrough 'k.cl': kernels' files are for `clue build`, `clue asm` and `clue check`")
    refused({"walk", "a.lua"}, "there is no walkthrough 'a.lua': `clue a.lua` runs a script")
    refused({"count", "nowhere"}, "clue count: there is no walkthrough 'nowhere'; there are: amd, ")
    refused({"count", "--fit", "n=16,32,64", empty}, "%-%-fit: .* has no input 'n': declare it, input.int%(\"n\", 16%)")
    refused({"count", "--fit", "size=1,2", empty}, "three sizes or more, such as size=32,48,64")
    refused({"count", "--fit", "size=8,16,8e0", empty}, "%-%-fit 'size=8,16,8e0': 8 is there twice; formulas need diff")
    refused({"count", "--steps", "3", empty}, "%-%-steps is for walkthroughs")
    refused({"count", "--fit", "size=1,2,3", "mql5"}, "%-%-fit is for scripts")
    refused({"count", "mql5", "--steps", "99"},
      "give numbers from 1 to 24, such as 2%-5 or 1,4,7%-9; also 9v, 10d, 16b\n")
    refused({"count", "mql5", "--size=-3"}, "clue count: %-%-size: ")
    refused({"count", "submatrix", "--set", "tile=2,4"}, "%-%-set tile: it has 2 values, and steps are counted with "
      .. "one; `clue walk %-%-set` compares several\n")
    refused({"count", "submatrix", "--set", "til=2"}, "%-%-set til: no chosen step has it; they have: tile %(steps 5, ")
    refused({"count", "submatrix", "--set", "tile=x"}, "%-%-set tile: 'x' is nothing for step 5, tiles: it takes 0 to")
    refused({"count", "mql5", "--type", "int"}, "%-%-type int: the steps of 'mql5' take float, double")
    refused({"count", "submatrix", "--type", "int"}, "%-%-type int: the steps of 'submatrix' know one type only")
    refused({"count", "--set", "tile=2", empty}, "%-%-set is for walkthroughs; a script's own options follow it")
    refused({"count", "--type", "double", empty}, "%-%-type is for walkthroughs; a script's own options follow it")
    refused({"count", "submatrix", "--set", "tile"}, "%-%-set 'tile': it must be NAME=VALUES, such as tile=8,16,32")
    refused({"count", empty}, "it launched no kernel", 1)
    local one = support.write([[
local cl = require "clue"
local context = cl.context()
context:program "kernel void set(global int *a) { a[0] = 1; }":kernel "set"(context:queue(), 1, 1, context:buffer(4))
]], support.temporary ".lua")
    refused({"count", "--kernel", "get", one}, "%-%-kernel: " .. one:gsub("%p", "%%%0") .. " launched no kernel 'get'; "
      .. "it launched: set\n", 1)
    refused({"count", "mql5", "--steps", "4", "--size", "16", "--kernel", "get"}, "%-%-kernel: the chosen steps "
      .. "launched no kernel 'get'; it launched: matr_mul_sum_local\n", 1)
    local bare = support.write('{"format": "clue peak 1", "device": {"name": "A"}, "limits": []}',
      support.temporary ".json")
    refused({"count", "--peak", bare, one}, "has no rate of arithmetic or memory: measure them, clue peak %-%-only ")
    refused({"count", "--json", "/nowhere/file.json", one},
      "%-%-json: cannot write /nowhere/file.json: No such file or directory", 1)
    local failing = support.write("error 'no luck'\n", support.temporary ".lua")
    refused({"count", failing}, "no luck.*failed with exit status 1\n$", 1)
  end)

  it("says what it needs if its plugin was not built", function()
    local script = support.write("print 'nothing'\n", support.temporary ".lua")
    for _, words in ipairs {{"count", script}, {"count", "mql5", "--steps", "2"}} do
      local err = support.refused(1, support.run(words, {LUA_INIT = "require('clue.paths').plugins = '/nowhere'"}))
      assert.equal("clue count: this clue was built without its plugin for Oclgrind; the build makes it where a C++ "
        .. "compiler, Oclgrind's headers and LLVM's are installed (Debian: apt install g++ liboclgrind-dev "
        .. "llvm-14-dev)\n", err)
    end
  end)

  it("counts a walkthrough's steps, each once, without measuring", function()
    local out, _, document = support.ended(0, support.document {"count", "mql5", "--steps", "4-6", "--size", "32"})
    assert.matches(" 4 +sum_local ", out)
    local runs = document.runs
    assert.equal(3, #runs)
    assert.same({verified = true, text = "exact on whole numbers"}, runs[1].check)
    local four, six = runs[1].kernels[1], runs[3].kernels[1]
    assert.equal(1, four.launches)
    assert.equal(2 * 32 ^ 3, four.operations.float)
    -- Neighbours are neighbouring rows: they share an element of b, and read a a row apart.
    assert.equal(32 ^ 3, site(four, "load", "b").warp.sectors * 32)
    assert.equal(32 ^ 3, site(four, "load", "a").warp.sectors)
    assert.matches("04_sum_local.lua$", site(four, "load", "a").file)
    assert.same({{name = "own", bytes = 4 * 32}}, six.private_arrays)
  end)

  local function counted(...)
    return (select(3, support.ended(0, support.document {"count", ...})))
  end

  it("counts the steps that have a parameter, with its value #later", function()
    local document = counted("submatrix", "--set", "TILE=16", "--set", "wpt=4", "--size", "32") -- in any case
    assert.same({"TILE=16", "wpt=4"}, document.set)
    assert.same({5, 6}, {document.runs[1].number, document.runs[2].number})
    assert.same({16, 16}, document.runs[1].kernels[1]["local"])
    assert.same({16, 4}, document.runs[2].kernels[1]["local"])
    assert.equal(2, #counted("submatrix", "--steps", "4,5", "--set", "tile=16", "--size", "32").runs)
  end)

  -- Oclgrind would tell of each such access, and then end in std::bad_alloc.
  it("stops where a kernel reads or writes outside of its memory, and names the command that tells why", function()
    local function stopped(source)
      local script = support.write(([==[
        local cl = require "clue"
        local context = cl.context()
        local kernel = context:program [=[
%s]=]:kernel "f"
        kernel(context:queue(), 64, 32, context:buffer(256), context:buffer(256))
      ]==]):format(source), support.temporary ".lua")
      local status, out, err = support.run {"count", script, "--size", "a b"}
      assert.same({1, ""}, {status, out})
      return (err:gsub(script:gsub("%p", "%%%0"), "S"))
    end
    assert.equal("clue count: S stopped: kernel 'f' reads outside of 'x' at S:4:75, so there is nothing to count; to "
      .. "see what is wrong: clue check S --size 'a b'\n",
      stopped "kernel void f(global const int *x, global int *y) { y[get_global_id(0)] = x[get_global_id(0) - 1]; }")
    assert.matches("kernel 'f' writes outside of 'tile' at S:4:", stopped
      "kernel void f(global int *x, global int *y) { local int tile[4]; tile[get_local_id(0)] = 1; x[0] = tile[0]; }",
      1, true)
    local script = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      context:program "kernel void f(global int *x, int n) { int y[2][4]; y[0][n] = 1; x[0] = y[1][1]; }":kernel "f"(
        context:queue(), 1, 1, context:buffer(4), 5)
    ]==], support.temporary ".lua")
    local status, out, err = support.run {"count", script}
    assert.same({0, ("clue count: %s: the simulator says 'Index (5) exceeds static array size (4)'; to see where: clue "
      .. "check %s\n"):format(script, script)}, {status, err})
    assert.matches("kernel f: 1 work%-items", out)
    status, out, err = support.run {"count", "./tests/specimens/ends", "--steps", "2", "--size", "32"}
    assert.matches("^step 2, crash: stopped: ", out)
    assert.equal(1, status)
    assert.equal("clue count: step 2 stopped: kernel 'far' writes outside of 'a' at "
      .. "./tests/specimens/ends/02_crash.lua:12:90, so there is nothing to count; to see what is wrong: clue check "
      .. "./tests/specimens/ends/02_crash.lua --size 32\n", err)
  end)

  it("says that a step's result is wrong", function()
    local _, err = support.ended(1, support.run {"count", "./tests/specimens/ends", "--steps", "1,4"})
    assert.equal("clue count: step 4: its result is wrong: exact on whole numbers: C[15][15] is 40, should be 39\n",
      err)
  end)

  it("shows the kernels of a walkthrough's steps if an option is about kernels #later", function()
    local words = {"count", "submatrix", "--set", "tile=8", "--size", "16"}
    local function shown(...)
      return (support.ended(0, support.run(support.words(words, {...}))))
    end
    assert.is_nil(shown():find("kernel submatrix", 1, true))
    assert.matches("step 5, tiles\nkernel submatrix: .* integer +source\n", shown "--lines")
    assert.matches("step 5, tiles\nkernel submatrix: ", shown("--kernel", "submatrix"))
    assert.matches("step 5, tiles\nkernel submatrix: .* reads a", shown "--pictures")
  end)

  it("counts with a size of groups where a step leaves it to the driver, and with a type", function()
    local kernel = counted("mql5", "--steps", "4", "--size", "32", "--set", "group=8x4", "--type", "double")
      .runs[1].kernels[1]
    assert.same({8, 4}, kernel["local"])
    assert.equal(2 * 32 ^ 3, kernel.operations.double)
  end)
end)

it("what a kernel's groups move is 32 bytes for each sector that a group uses of a buffer", function()
  local kernels = require "clue.result.counts"
  assert.equal(32 * (10 + 3), kernels.traffic_of_groups {buffers = {{group_sectors = 10}, {group_sectors = 3}}})
end)
