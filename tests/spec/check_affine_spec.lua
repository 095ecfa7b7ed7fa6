-- `clue check` of a .cl file finds numbers that no try has, from addresses that are affine, and proves them.
-- suite: quick
local support = require "support"

-- Findings as "error race a, with x = 185", and how many tries there were.
local function check(text, ...)
  local _, _, _, document = support.document {"check", "--schedules", "0",
    support.write(text, support.temporary ".cl"), ...}
  local list, result = {}, document.runs[1]
  for i, finding in ipairs(result.findings) do
    list[i] = ("%s %s %s%s"):format(finding.level, finding.kind, finding.object.name,
      finding.with and ", with " .. finding.with or "")
  end
  return list, result.tries
end

describe("clue check", function()
  it("finds the number with which two work-items meet", function()
    assert.same({"error race a, with x = 185"}, (check([[
kernel void f(global float *a, int x) {
  const int i = get_global_id(0);
  if (i == 15) a[i + x] = i;
  if (i == 200) a[i] = i;
}]], "--global", "512", "--local", "256")))
  end)

  it("follows variables, functions, pointers, vectors and loops", function()
    for _, text in ipairs {
      "int to = i; to += x; to -= 2; if (i == 3) a[to] = 1; if (i == 40) a[i] = 2;",
      "if (i == 3) a[place(i, x)] = 1; if (i == 40) a[i + 2] = 2;",
      "global int *to = a + x; to++; if (i == 3) to[i] = 1; if (i == 40) a[i + 3] = 2;",
      "if (i == 3) vstore4((int4)(i), x, a); if (i == 40) a[i * 4 - 8] = 2;",
      "for (int k = 0; k < 4; k++) if (i == 3) a[i + k + x] = 1; if (i == 40) a[i + 4] = 2;",
      "int sum = 0; for (int k = 0; k < x; k++) sum += k; if (i == 3) a[i + x] = sum; if (i == 40) a[i + 2] = 2;",
      "if (i == 3) atomic_inc(a + i + x); if (i == 40) a[i + 2] = 2;",
    } do
      local found = check("int place(int i, int by) { return by + i + 0; }\n"
        .. "kernel void f(global int *a, int x) { const int i = get_global_id(0); " .. text .. " }")
      assert.equal(1, #found, text)
      assert.matches("^error race a, with x = %d+$", found[1], nil, nil, text)
    end
  end)

  it("says nothing where an address is not affine, a barrier lies between, or the way is another", function()
    for _, text in ipairs {
      "if (i == 3) a[i + x * x] = 1; if (i == 40) a[i + 13] = 2;",
      "if (l == 3) t[x & 63] = 1; barrier(CLK_LOCAL_MEM_FENCE); if (l == 5) t[l + 8] = 2;",
      "if (l == 3 && x >= 0 && x < 64) t[l + x] = 1; barrier(CLK_LOCAL_MEM_FENCE); if (l == 5) t[l + 8] = 2;",
      "if (i == 3 && x < 30) a[i + x] = 1; if (i == 40) a[i] = 2;",
    } do
      assert.same({}, (check("kernel void f(global int *a, int x) { local int t[256]; const int i = get_global_id(0), "
        .. "l = get_local_id(0); " .. text .. " }")), text)
    end
  end)

  it("tells where a number leads out of memory of a known length, as a note", function()
    local text = [[
kernel void f(global int *a, int x) {
  local int held[64];
  if (x >= 0 && x < 60) held[get_local_id(0) + x] = 1;
}]]
    assert.same({"note bounds held, with x = 57"}, (check(text)))
    text = "kernel void f(global int *a, uint x) { if (x < 64) a[get_global_id(0) + x] = 1; }"
    assert.same({}, (check(text)))
    assert.same({"note bounds a, with x = 37"}, (check(text, "--arg", "a=100")))
  end)

  it("launches nothing more where a try has shown it", function()
    local found, tries = check "kernel void f(global int *a, int x) { a[get_global_id(0)] += a[get_global_id(0) + x]; }"
    assert.same({"error race a, with x = 1"}, found)
    local _, without = check "kernel void f(global int *a, int x) { a[get_global_id(0)] += x; }"
    assert.equal(without, tries)
  end)
end)
