-- What `clue peak` counts as the work of a run: operations and bytes, from the ranges that it starts and the texts of
-- its kernels. The device is the spec's own: it runs nothing, and every run takes as long as the spec says.
-- suite: quick
-- process: shared
local binding = require "clue.binding"
local series = require "clue.peak.series"
local number_of = require("clue.value").number

-- A device that records the last run. A run takes a second.
local function stand_of(kind, more)
  local self = {slow = false, units = 3, runs = {}}
  self.device = {kind = kind, max_compute_units = 3, local_mem_size = 32768, global_mem_cache_size = 2 ^ 20,
                 native_vector_width_float = 8, native_vector_width_int = 8, native_vector_width_double = 4,
                 has_double = function() return true end, has_extension = function() return true end}
  for name, value in pairs(more or {}) do self.device[name] = value end
  local function new_buffer(_, bytes) return {bytes = bytes, close = function() end} end
  self.context = {
    buffer = new_buffer, finish = function() end,
    program = function(_, source)
      return {kernel = function(_, name) return {name = name, source = source} end}
    end,
  }
  self.queue = {write_buffer = function() end, read_buffer = function() end, fill_buffer = function() end}
  function self.group_for() return 64 end
  function self.largest(_, most) return math.min(most, 2 ^ 26) end
  function self.put_periodic() end
  function self.is_periodic() return true end
  function self.run(_, kernel, global, group, ...)
    self.last = {kernel = kernel, global = global, group = group, arguments = {...}}
    return 1, "device"
  end
  return self
end

-- The limits of a module by name, each with the run whose amount it has.
local function limits_of(module, stand)
  local limits = {}
  require(module).run(stand, function(facts, measure)
    if not measure then return end
    local limit = measure()
    limit.run, limit.facts = stand.last, facts
    limits[facts.name] = limit
  end)
  return limits
end

-- How often a pattern is in a text.
local function times_in(text, pattern)
  return select(2, text:gsub(pattern, ""))
end

-- The text of one kernel, up to its end, with the macro before it.
local function text_of(kernel, before)
  local from = kernel.source:find("kernel void " .. kernel.name .. "(", 1, true)
  local text = kernel.source:sub(from):match "^(.-)\n}\n"
  local macro = before and kernel.source:sub(1, from):match(".*(#define STEP [^\n]*)\n")
  return text, macro
end

describe("the operations that clue peak counts", function()
  for _, kind in ipairs {"cpu", "gpu"} do
    it("are two for each lane of each multiply-add, on a " .. kind, function()
      local count = 0
      for name, limit in pairs(limits_of("clue.peak.compute", stand_of(kind))) do
        if limit.unit ~= "GHz" then
          local run = limit.run
          local text, macro = text_of(run.kernel, true)
          local in_a_step = times_in(macro, ";")
          local steps = times_in(text, "%f[%u]STEP%f[%s]") * tonumber(text:match "i < (%d+); i%+%+")
          local width = tonumber(text:match "const %l+(%d+) a = " or 1)
          local rounds = run.arguments[3]
          assert.equal(run.global * rounds * steps * in_a_step * width * 2, limit.amount, name)
          count = count + 1
        end
      end
      assert.is_true(count >= 18, count) -- three types or more, in five widths and at most
    end)
  end

  it("are not measured in a type that the device lacks, which is said", function()
    local function no() return false end
    local skipped, measured = {}, {}
    require("clue.peak.compute").run(stand_of("gpu", {has_double = no, has_extension = no}), function(facts, measure)
      if measure then measured[facts.type] = true else skipped[facts.name] = facts.skipped end
    end)
    assert.same({double = "no fp64", half = "no cl_khr_fp16"}, skipped)
    assert.same({float = true, int = true}, measured)
  end)
end)

describe("the operations of tensor cores that clue peak counts", function()
  local wgmma = require "clue.gemm.wgmma"
  local built = wgmma.built
  after_each(function() wgmma.built = built end)

  local function on_capability(major, minor)
    function wgmma.built(_, source, _, name) return {name = name, source = source} end
    return limits_of("clue.peak.tensor",
      stand_of("gpu", {compute_capability_major_nv = major, compute_capability_minor_nv = minor}))
  end

  it("are two for each multiply-add of each instruction's matrices", function()
    local limits = on_capability(9, 0)
    for _, name in ipairs {"half", "TF32", "double", "char"} do
      local limit = limits["tensor cores, " .. name]
      local m, n, k = limit.run.kernel.source:match "mma%.sync%.aligned%.m(%d+)n(%d+)k(%d+)%."
      local sums = limit.run.kernel.source:match " c%[(%d+)%]%[4%];"
      local rounds = limit.run.arguments[3]
      assert.equal(limit.run.global / 32 * number_of(rounds) * sums * m * n * k * 2, limit.amount, name)
      assert.equal(name == "char" and "GOPS" or "GFLOPS", limit.unit)
    end
    for name, depth in pairs {half = 16, TF32 = 8} do
      local limit = limits[("tensor cores, %s by wgmma"):format(name)]
      local m, n, k = limit.run.kernel.source:match "wgmma%.mma_async%.sync%.aligned%.m(%d+)n(%d+)k(%d+)%."
      local products = times_in(limit.run.kernel.source, "\n +WGMMA_PRODUCT%(c")
      local rounds = number_of(limit.run.arguments[3])
      assert.equal(depth, tonumber(k))
      assert.equal(limit.run.global / 128 * rounds * products * m * n * k * 2, limit.amount)
      assert.equal(256, limit.run.group)
    end
  end)

  it("are of what a device has: double and wgmma from 9.0 on, none before 8.0", function()
    local limits = on_capability(8, 6)
    assert.is_nil(limits["tensor cores, half by wgmma"])
    assert.truthy(limits["tensor cores, half"])
    assert.same({}, on_capability(7, 5))
    assert.same({}, limits_of("clue.peak.tensor", stand_of "gpu"))
  end)
end)

describe("the bytes that clue peak counts", function()
  it("are what the kernels of global memory read and write", function()
    local limits = limits_of("clue.peak.global", stand_of "cpu")
    for _, way in ipairs {"read", "write", "copy"} do
      for _, width in ipairs {1, 2, 4, 8, 16} do
        local name = ("%s float%s"):format(way, width > 1 and width or "")
        local limit = limits[name]
        local text = text_of(limit.run.kernel)
        local turns = tonumber(text:match "i < (%d+); i%+%+")
        local accesses = turns * times_in(text, way == "write" and "to%[at%] = value" or "from%[at%]")
        local sides = way == "copy" and 2 or 1
        assert.equal(limit.run.global * accesses * 4 * width * sides, limit.amount, name)
      end
    end
  end)

  it("are what the kernels of local memory read", function()
    for name, limit in pairs(limits_of("clue.peak.local_memory", stand_of "gpu")) do
      local text = text_of(limit.run.kernel)
      local width = tonumber(name:match "float(%d+)" or 1)
      local reads = times_in(text:match "for %b() {(.-)}", "memory%[")
      assert.equal(16, reads)
      assert.equal(limit.run.global * limit.run.arguments[4] * reads * 4 * width, limit.amount, name)
    end
  end)

  it("are what all work-items read of a cache, again and again", function()
    local limit = limits_of("clue.peak.caches", stand_of "gpu")["read 4 MiB again"]
    local reads = times_in(text_of(limit.run.kernel), "from%[at & last%]")
    assert.equal(limit.run.global * limit.run.arguments[4] * reads * 16, limit.amount)
    assert.equal(2 ^ 22 / 16 - 1, limit.run.arguments[3])
  end)

  it("are, of stores to a cache, one for each work-item and round, to a line of its own", function()
    local limit = limits_of("clue.peak.caches", stand_of "gpu")["write 4 MiB, a word a line"]
    assert.equal(1, times_in(text_of(limit.run.kernel), "to%[%(line & last%) %* 32%] = "))
    assert.equal(limit.run.global * limit.run.arguments[3], limit.amount)
    assert.same({2 ^ 22 / 128 - 1, "G/s"}, {limit.run.arguments[2], limit.unit})
  end)

  it("are those that a transfer moves", function()
    local stand, moved = stand_of "cpu", nil
    local function pass_time() -- the clock need not see a transfer that does nothing
      local begun = binding.now()
      while binding.now() == begun do end
    end
    local function move(_, _, data, where)
      pass_time()
      if where then moved = (where.count or #data) * 4 end
    end
    stand.queue.write_buffer, stand.queue.read_buffer = move, move
    function stand.queue.map_buffer() return require("clue.array").float(2 ^ 18) end
    stand.queue.unmap = pass_time
    function stand.largest() return 2 ^ 20 end
    require("clue.peak.transfer").run(stand, function(facts, measure)
      local limit = measure()
      assert.equal(moved, limit.amount, facts.name)
      assert.equal("GB/s", limit.unit)
    end)
    assert.equal(2 ^ 20, moved)
  end)
end)

describe("the time of a load that clue peak measures", function()
  it("is that of a run by its loads, one after the other", function()
    for name, limit in pairs(limits_of("clue.peak.caches", stand_of "gpu")) do
      if limit.unit == "ns" then
        assert.same({1, 1, limit.amount}, {limit.run.global, limit.run.group, limit.run.arguments[3]}, name)
        assert.near(1e9 / limit.amount, series.summarise(limit).best, 1e-9)
      end
    end
  end)

  it("goes through all lines of a list before it comes back", function()
    local line_after = require("clue.peak.caches").line_after
    local seen, line = {}, 0
    for i = 0, 127 do
      assert.is_nil(seen[line])
      seen[line] = true
      assert.equal(line, line_after(128, i))
      line = (line * 1664525 + 1013904223) % 128
    end
    assert.equal(0, line)
    assert.equal(line_after(2 ^ 20, 12345), line_after(2 ^ 20, 12345 + 2 ^ 20))
  end)
end)

describe("the latency that clue peak measures", function()
  local now, clock, replaced = binding.now, 0, {}
  before_each(function()
    for _, name in ipairs {"now", "kernel_execute", "kernel_wait", "buffer_read"} do replaced[name] = binding[name] end
    binding.now = function() return clock end
    -- To enqueue takes a microsecond, to wait 10, to read 100.
    local function taking(seconds)
      return function()
        clock = clock + seconds
        return true
      end
    end
    binding.kernel_execute, binding.kernel_wait, binding.buffer_read = taking(1e-6), taking(1e-5), taking(1e-4)
  end)
  after_each(function()
    for name, original in pairs(replaced) do binding[name] = original end
    assert.equal(now, binding.now)
  end)

  it("is that of one kernel", function()
    local stand, found = stand_of "cpu", {}
    local counter = {handle = 1, set_args = function() end}
    function stand.context.program() return {kernel = function() return counter end} end
    require("clue.peak.latency").run(stand, function(facts, measure)
      if facts.name == "enqueue to start" or facts.name == "empty kernel" then return end
      found[facts.name] = series.summarise(measure())
    end)
    assert.near(1, found["enqueue"].value, 1e-6)
    assert.near(11, found["enqueue and wait"].value, 1e-6)
    assert.near(100, found["read 4 bytes"].value, 1e-6)
  end)
end)

it("a limit of clue peak has the value of its median time, and the best of its fastest run", function()
  local limit = series.summarise {times = {3, 1, 2}, amount = 12e9, unit = "GFLOPS"}
  assert.same({6, 12, 1}, {limit.value, limit.best, limit.spread})
  limit = series.summarise {times = {3e-6, 1e-6, 2e-6}, unit = "us"}
  assert.near(2, limit.value, 1e-9)
  assert.near(1, limit.best, 1e-9)
end)
