-- `clue check --schedules`: what atomic functions order depends on who comes first, so it is tried in several orders.
-- suite: quick
local support = require "support"

local function check(source, ...)
  local status, out, err, document = support.document(support.words(
    {"check", "--global", "16", "--local", "8", "--tries", "0", ...}, {support.write(source, support.temporary ".cl")}))
  assert.is_table(document, err)
  return document.runs[1], out, status
end

local queue = [[
kernel void f(volatile global int *next, global int *out, int n) {
  for (int t = atomic_inc(next); t < n; t = atomic_inc(next)) out[t / 2] = t;
}
]]

describe("clue check with other schedules", function()
  it("finds what two work-items do with the tickets that one takes by default", function()
    local run, out, status = check(queue)
    local finding = run.findings[1]
    assert.equal(1, status)
    assert.equal(3, run.schedules)
    assert.same({"race", "out"}, {finding.kind, finding.object.name})
    assert.is_number(finding.schedule)
    assert.matches(("; only with schedule %d"):format(finding.schedule), out, 1, true)
    assert.equal(0, select(3, check(queue, "--schedules", "0")))
  end)

  it("finds the same each time", function()
    local function deeds()
      local finding = check(queue, "--schedules", "2").findings[1]
      return {finding.schedule, finding.times, finding.first.global, finding.second.global, finding.object.offset}
    end
    assert.same(deeds(), deeds())
  end)

  it("begins groups in other orders", function()
    local run = check([[
kernel void f(global int *out, volatile global int *first) {
  if (get_local_id(0) != 0) return;
  if (atomic_inc(first) == 0) out[get_group_id(0) * 1000000000] = 1;
}
]])
    assert.same({"assumed size"}, {run.findings[1].kind})
    assert.equal(1, run.findings[1].schedule)
  end)

  it("does so in two dimensions, and counts each launch and finding once", function()
    local run = check([[
kernel void f(global int *sum, global int *seen) {
  atomic_inc(sum);
  seen[0] = get_global_id(0);
  if (get_global_id(1) * 16 + get_global_id(0) == 255) seen[1] = 1;
}
]], "--global", "16x16", "--local", "4x4")
    assert.equal(1, run.launches)
    assert.equal(1, #run.findings)
    assert.is_nil(run.findings[1].schedule)
  end)

  it("runs scripts only once where nobody uses atomic functions, and shows their output once", function()
    local script = [==[
local cl = require "clue"
local queue = cl.context():queue()
local source = [[kernel void f(global int *a) { a[get_global_id(0)] = 1; }
kernel void g(volatile global int *a) { atomic_inc(a); }]]
local kernel = queue.context:program(source):kernel(arg[1])
kernel(queue, 16, 8, queue.context:buffer(cl.array.int(16)))
queue:finish()
print "done"
]==]
    for name, schedules in pairs {f = 0, g = 3} do
      local out, _, document = support.ended(0, support.document {"check", support.write(script), name})
      assert.equal(1, select(2, out:gsub("done", "")))
      assert.equal(schedules, document.runs[1].schedules or 0)
    end
  end)
end)

describe("clue check of atomic functions", function()
  it("takes one whose value nobody uses for no look at what others did", function()
    local run = check([[
kernel void blind(global int *x, volatile global int *counter) {
  if (get_local_id(0) != 0) return;
  if (get_group_id(0) == 0) { x[0] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(counter); }
  else { atomic_inc(counter); x[0] = 2; }
}
kernel void looks(global int *x, volatile global int *counter) {
  if (get_local_id(0) != 0) return;
  if (get_group_id(0) == 0) { x[0] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(counter); }
  else if (atomic_add(counter, 0) > 0) x[0] = 2;
}
]], "--schedules", "0")
    local kinds = {}
    for _, finding in ipairs(run.findings) do kinds[finding.kernel] = finding.kind end
    assert.same({blind = "race", looks = "only atomics"}, kinds)
  end)

  it("takes one for no order of what was written without a fence before it", function()
    local last = [[
kernel void %s(volatile global int *done, global int *part) {
  local bool is_last;
  %s
  if (get_local_id(0) == 0) is_last = atomic_inc(done) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_last && get_local_id(0) == 0) part[64] = part[0];
}
]]
    local write, text = "if (get_local_id(0) == 0) part[get_group_id(0)] = get_group_id(0) + 1;", {}
    for name, body in pairs {
      plain = write, fenced = write .. " mem_fence(CLK_GLOBAL_MEM_FENCE);",
      write_fenced = write .. " write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);",
      too_early = "mem_fence(CLK_GLOBAL_MEM_FENCE); " .. write, of_local = write .. " mem_fence(CLK_LOCAL_MEM_FENCE);",
      by_barrier = "part[get_global_id(0)] = 3 + get_global_id(0); barrier(CLK_GLOBAL_MEM_FENCE);",
      by_another = "if (get_local_id(0) == 7) part[get_group_id(0)] = get_group_id(0) + 1; "
        .. "mem_fence(CLK_GLOBAL_MEM_FENCE);",
    } do text[#text + 1] = last:format(name, body) end
    local run = check(table.concat(text), "--schedules", "0", "--tries", "0", "--arg", "done=1", "--arg", "part=128")
    local kinds = {}
    for _, finding in ipairs(run.findings) do
      kinds[finding.kernel] = finding.kind
      if finding.kernel == "plain" then
        assert.is_true(finding.unfenced == 1)
        assert.matches("put mem_fence(CLK_GLOBAL_MEM_FENCE) between the two", finding.remedy, 1, true)
      end
    end
    assert.same({plain = "race", too_early = "race", of_local = "race", by_another = "race", fenced = "only atomics",
                 write_fenced = "only atomics", by_barrier = "only atomics"}, kinds)
  end)

  it("goes on where work-items wait for each other", function()
    local run = check([[
kernel void later(volatile global int *flag, global int *out) {
  local int ready;
  const int l = get_local_id(0);
  if (l == 0) atomic_xchg(&ready, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) { while (atomic_add(&ready, 0) != 7) ; } else atomic_inc(&ready);
  out[get_global_id(0)] = l;
}
kernel void groups(volatile global int *flags, global int *out) {
  if (get_local_id(0) == 0) {
    if (get_group_id(0) == 0) while (atomic_add(flags + 16, 0) == 0) ;
    else atomic_xchg(flags + 16, 1);
  }
  out[get_global_id(0)] = 1;
}
]], "--time-limit", "30")
    assert.equal(2, run.launches)
    assert.is_nil(run.failed)
    assert.same({}, run.findings)
  end)
end)
