-- What `clue check` tells of code that its launches did not show.
-- suite: quick
local support = require "support"

-- A script with one program, and its launches.
local function script(source, launches)
  return support.write(([==[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local program = context:program [[
%s]]
%s]==]):format(source, launches), support.temporary ".lua")
end

-- Options before the script, which gets all words after it.
local function argv(name, path, ...)
  local words = {name, ...}
  words[#words + 1] = path
  return words
end

-- What was not reached, and the loops with one turn, as "4" or "4-6" of a file; and what it printed.
local function check(path, ...)
  local _, out, _, document = support.document(argv("check", path, ...))
  local found = {}
  for i, name in ipairs {"unreached", "one_turn"} do
    local list = {}
    for k, it in ipairs(document.runs[1][name] or {}) do
      assert.equal(path, it.file)
      list[k] = it.to > it.line and ("%d-%d"):format(it.line, it.to) or tostring(it.line)
    end
    found[i] = table.concat(list, " ")
  end
  return found[1], found[2], out
end

describe("clue check names lines that no work-item came to", function()
  local guarded = [[
kernel void f(global int *a, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  if (n > 100) {
    a[i] = 1;

    a[i] += 2;
  } else {
    a[i] = 3;
  }
}
]]

  it("from the first to the last of each piece", function()
    local path = script(guarded, "program.f(queue, 8, 8, context:buffer(32), cl.int(8))")
    local unreached, _, out = check(path)
    assert.equal("8 10-12", unreached)
    local told = "\nno work-item came to %s:8, %s:10-12: nothing is known of what stands there; other "
      .. "sizes, numbers or data may lead there\n"
    assert.matches(told:format(path, path), out, 1, true)
  end)

  it("of all launches together", function()
    assert.equal("10-12", check(script(guarded, [[
      program.f(queue, 8, 8, context:buffer(32), cl.int(8))
      program.f(queue, 16, 8, context:buffer(64), cl.int(9))
    ]])))
    assert.equal("", check(script(guarded, [[
      program.f(queue, 16, 8, context:buffer(64), cl.int(9))
      program.f(queue, 128, 8, context:buffer(512), cl.int(128))
    ]])))
  end)

  it("of all tries together", function()
    local path = support.write(guarded, support.temporary ".cl")
    assert.equal("", check(path))
    assert.equal("4 6-8", check(path, "--tries", "0"))
    assert.equal("4 10", check(path, "--arg", "n=128", "--global", "128", "--tries", "0"))
  end)

  it("of functions that were called, by whichever kernel", function()
    local source = [[
static int half_of(int x) {
  if (x < 0)
    return -(-x / 2);
  return x / 2;
}
static int unused(int x) {
  return x + 1;
}
kernel void f(global int *a) {
  a[get_global_id(0)] = half_of(4);
}
kernel void g(global int *a, int x) {
  a[get_global_id(0)] = x > 9 ? unused(x) : half_of(x);
}
]]
    local f = "program.f(queue, 8, 8, context:buffer(32))\n"
    assert.equal("7", check(script(source, f)))
    assert.equal("", check(script(source, f .. "program.g(queue, 8, 8, context:buffer(32), cl.int(-1))")))
  end)

  it("but not of clue's own kernels", function()
    local path = support.write([==[
      local cl = require "clue"
      local context = cl.context()
      local a = context:buffer(cl.array.float(9))
      local queue = context:queue()
      context:gemm "float"(queue, 3, 3, 3, a, a, context:buffer(36))
      context:scan("float", "sum")(queue, a, context:buffer(36))
    ]==], support.temporary ".lua")
    local unreached, one_turn, out = check(path)
    assert.same({"", ""}, {unreached, one_turn})
    assert.matches("^0 errors, 0 notes in %d+ launch[es]*\n$", out)
  end)
end)

describe("clue check names loops with a barrier that had one turn", function()
  local tiled = [[
kernel void f(global const float *a, global float *b, int n) {
  local float tile[8];
  const int l = get_local_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += 8) {
    tile[l] = a[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 4; reach > 0; reach /= 2) {
      if (l < reach)
        tile[l] += tile[l + reach];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum += tile[0];
  }
  b[get_global_id(0)] = sum;
}
]]
  local launch = "program.f(queue, 16, 8, context:buffer(cl.array.float(64)), context:buffer(64), cl.int(%d))\n"

  it("in each group, since the race between its turns did not show", function()
    local path = script(tiled, launch:format(8))
    local _, one_turn, out = check(path)
    assert.equal("9", one_turn)
    local told = "0 errors, 0 notes in 1 launch\nthe loop at %s:9 had one turn in each group: a missing barrier "
    assert.matches(told:format(path), out, 1, true)
  end)

  it("and is silent once another launch had two, which show the race", function()
    local _, one_turn, out = check(script(tiled, launch:format(8) .. launch:format(16)))
    assert.equal("", one_turn)
    assert.matches("error: race: work%-items of one group access 'tile'.*\n1 error, 0 notes in 2 launches\n$", out)
  end)
end)

it("says it of each step of a walkthrough", function()
  local _, out = support.document {"check", "devices", "--steps", "3", "--size", "nbody=9"}
  assert.matches("\nstep 3: the loop at %S+/03_nbody.lua:31 had one turn in each group: ", out)
end)
