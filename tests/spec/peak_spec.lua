-- `clue peak`: consistent figures, checked results, and devices that misbehave.
-- suite: whole
-- cost: 40
local figures = require "clue.shared.figures"
local support = require "support"

-- Exit status, output, errors and the decoded document of `clue peak`. PoCL is set to report 1 GiB of memory, so that
-- buffers of 128 MiB are enough: larger ones only take longer. Nor do more cores than one find more, or more runs than
-- the fewest.
local function peak(args, env)
  env = env or support.drivers "pocl"
  env.POCL_MEMORY_LIMIT, env.POCL_MAX_PTHREAD_COUNT, env.LP_NUM_THREADS = "1", "1", "1"
  env.LUA_INIT = support.cold
  return support.document(support.words({"peak"}, args), env)
end

-- The limits of a document, by group and name.
local function by_name(document)
  local limits = {}
  for _, limit in ipairs(document.limits) do limits[limit.group .. ": " .. limit.name] = limit end
  return limits
end

local function expect_sound(limit)
  local name = limit.group .. ": " .. limit.name
  assert.is_nil(limit.wrong, name .. ": " .. tostring(limit.wrong))
  assert.is_nil(limit.failed, name .. ": " .. tostring(limit.failed))
  if limit.skipped then return end
  assert.is_true(#limit.times >= 5, name)
  -- Both moments of 'enqueue to start' may be in one step of the device's timer, which is a microsecond on Oclgrind.
  local least = limit.name == "enqueue to start" and 0 or 1e-12
  for _, seconds in ipairs(limit.times) do assert.is_true(seconds >= least, name) end
  assert.is_true(limit.value >= least and limit.spread >= 0, name)
  if limit.unit == "us" or limit.unit == "ns" then
    assert.is_true(limit.best <= limit.value, name)
  else
    assert.is_true(limit.best >= limit.value, name)
    assert.is_true(limit.amount > 0, name)
  end
end

-- A driver behind a layer that makes it misbehave. With two compute units, half of the groups of each run are left out.
local function misbehaving(how)
  return support.drivers("oclgrind", {OPENCL_LAYERS = support.built "layer/misbehave.so", CLUE_MISBEHAVE = how,
                                      OCLGRIND_COMPUTE_UNITS = "2"})
end

local vectors = {"", "2", "4", "8", "16"}

describe("clue peak", function()
  it("measures all groups on PoCL's device, with consistent figures", function()
    local out, _, document = support.ended(0, peak {})
    assert.equal("clue peak 1", document.format)
    assert.equal("0:0", document.device.address)
    assert.equal("cpu", document.device.kind)
    assert.same({}, document.failures)
    for _, limit in ipairs(document.limits) do expect_sound(limit) end
    local limits = by_name(document)
    for _, vector in ipairs(vectors) do
      for _, type in ipairs {"float", "double", "int"} do assert.truthy(limits["compute: " .. type .. vector]) end
      for _, way in ipairs {"read", "write", "copy"} do
        assert.equal("GB/s", limits[("global: %s float%s"):format(way, vector)].unit)
      end
      assert.truthy(limits["local: read float" .. vector])
    end
    for _, name in ipairs {"write, pageable", "read, pageable", "write, pinned", "read, pinned"} do
      assert.equal("host", limits["transfer: " .. name].clock)
    end
    assert.equal("no cl_khr_fp16", limits["compute: half"].skipped)
    assert.is_nil(document.flops.half)
    -- With one chain, sixteen lanes are much faster than one, however busy the machine is.
    assert.is_true(limits["compute: float16"].best > 2 * limits["compute: float"].best)
    for _, type in ipairs {"float", "double", "int"} do
      local at_most = limits[("compute: %s, at most"):format(type)]
      -- With sixteen lanes in one chain, a core waits in most cycles.
      assert.is_true(at_most.best > 1.5 * limits["compute: " .. type .. "8"].best, type)
      assert.is_true(at_most.chains >= 12 and at_most.width > 1, type)
      assert.is_true(document.flops[type] >= at_most.best * 0.999e9)
      -- No core yet has more than four units of 16 lanes.
      assert.is_true(at_most.per_cycle > 0 and at_most.per_cycle < 130, type .. ": " .. at_most.per_cycle)
    end
    local clock = limits["compute: clock of a core"].best
    assert.is_true(clock > 0.2 and clock < 10, clock)
    assert.is_true(document.bandwidth.read >= limits["global: read float4"].best * 0.999e9)
    assert.is_true(document.local_bandwidth > 0)
    assert.is_true(limits["latency: enqueue and wait"].best >= limits["latency: enqueue"].best / 2)
    local function said(number) return "(" .. number:gsub("%p", "%%%0") .. ")" end
    local best = {}
    for _, limit in ipairs(document.limits) do
      local name = limit.way and limit.group == "global" and limit.way or limit.group == "compute" and limit.type
        or limit.name
      if limit.value then best[name] = math.max(best[name] or 0, limit.value) end
    end
    local flat = support.flat(out)
    assert.matches((" arithmetic: %s GFLOPS in float, %s GFLOPS in double, "):format(said(figures.number(best.float)),
      said(figures.number(best.double))), flat)
    assert.matches((" memory: reads %s GB/s, writes %s GB/s, copies %s GB/s, a work%%-group's local memory [%%d.]+ "
      .. "GB/s transfers: to the device [%%d.]+ GB/s, back [%%d.]+ GB/s, a kernel that you start and wait for costs "
      .. "%s us besides its work limit "):format(said(figures.number(best.read)), said(figures.number(best.write)),
      said(figures.number(best.copy)), said(figures.number(best["enqueue and wait"]))), flat)
    for _, term in ipairs {"range: ", "pinned: ", "at most: ", "GB/s: ", "local memory: ", "enqueue: "} do
      assert.matches(" " .. term, flat, 1, true)
    end
    for _, says in ipairs {"compute (multiply-adds, two operations each)", " a cycle and unit", "GFLOPS",
                           "no cl_khr_fp16"} do
      assert.matches(says, out, 1, true)
    end
  end)

  it("uses the host's clock on rusticl", function()
    local out, _, document = support.ended(0, peak({"--only", "latency,local"}, support.drivers "rusticl"))
    local limits = by_name(document)
    for _, limit in ipairs(document.limits) do
      expect_sound(limit)
      if limit.times then assert.equal("host", limit.clock, limit.name) end
    end
    assert.equal("the device's timer cannot be trusted", limits["latency: enqueue to start"].skipped)
    assert.is_nil(limits["global: read float"])
    assert.matches("host clock", out, 1, true)
  end)

  -- The check for uninitialised values is off: Oclgrind 21.10 crashes in it at any sum of two vectors.
  it("is right on an interpreter, which is a thousand times slower, and has no races", function()
    -- Each child overwrites the log.
    for _, group in ipairs {"compute", "global", "local", "caches", "transfer", "latency"} do
      local log = support.temporary()
      local _, _, document = support.ended(0, peak({"--only", group},
        support.drivers("oclgrind", {OCLGRIND_DATA_RACES = "1", OCLGRIND_LOG = log})))
      assert.equal("", support.read(log))
      for _, limit in ipairs(document.limits) do expect_sound(limit) end
      if group == "compute" then
        assert.is_true(document.flops.float < 1e9)
        assert.is_nil(by_name(document)["compute: float, at most"].per_cycle) -- Oclgrind reports 1 MHz
      end
    end
  end)

  it("measures several devices, one after the other", function()
    local status, out, err, document = peak({"--device", "all", "--only", "latency"},
      support.drivers("null", {CLUE_NULL_DEVICES = "2"}))
    assert.equal(1, status, out .. err) -- that driver's kernels do nothing
    assert.equal(2, #document.devices)
    for i, each in ipairs(document.devices) do
      assert.equal("0:" .. i - 1, each.device.address)
      assert.equal("clue peak 1", each.format)
    end
    assert.matches("device 1 (0:1)", out, 1, true)
  end)

  it("rejects the results of a device that does nothing", function()
    local out, _, document = support.ended(1, peak({}, support.drivers "null"))
    assert.same({}, document.limits)
    assert.equal(7, #document.failures)
    assert.matches("\ncompute; tensor; global; local; caches; transfer; latency: a first kernel gives wrong "
      .. "results\n$", out)
  end)

  it("notices a device that leaves half of the work undone", function()
    local out, _, document = support.ended(1, peak({"--only", "compute,global,local"}, misbehaving "half"))
    for _, limit in ipairs(document.limits) do
      assert.truthy(limit.wrong or limit.skipped, limit.group .. ": " .. limit.name)
    end
    assert.is_nil(next(document.flops))
    assert.is_nil(next(document.bandwidth))
    assert.is_nil(document.local_bandwidth)
    assert.matches("WRONG: element", out, 1, true)
  end)

  it("notices a transfer with one wrong byte", function()
    local status, _, _, document = peak({"--only", "transfer"}, misbehaving "flip")
    assert.equal(1, status)
    for _, limit in ipairs(document.limits) do assert.truthy(limit.wrong, limit.name) end
  end)

  it("names the group that crashed, and keeps the other groups and its results before the crash", function()
    local out, _, document = support.ended(1, peak({"--only", "transfer,latency"}, misbehaving "crash"))
    assert.equal(1, #document.failures)
    assert.equal("transfer", document.failures[1].group)
    assert.equal("crashed", document.failures[1].word)
    assert.matches("transfer, at write, pinned: crashed: killed by SIGSEGV", out, 1, true)
    local limits = by_name(document)
    assert.truthy(limits["transfer: write, pageable"].value)
    assert.truthy(limits["latency: enqueue and wait"].value)
  end)

  it("ends a group that hangs when its time is up, and keeps its results until then", function()
    local status, out, _, document = peak({"--only", "transfer,latency", "--time-limit", "10"}, misbehaving "hang")
    assert.equal(1, status)
    assert.equal("time limit", document.failures[1].word)
    assert.matches("transfer, at write, pinned: stopped after 10 s (--time-limit)", out, 1, true)
    assert.truthy(by_name(document)["transfer: write, pageable"].value)
    assert.truthy(by_name(document)["latency: enqueue and wait"].value)
  end)

  it("refuses wrong use with one message and exit status 2", function()
    support.refuses({"peak"}, {
      ["--only memory"] = "--only: 'memory' is not a group: give some of compute, tensor, global, local, caches, "
        .. "transfer, latency",
      ["--only compute,"] = "--only: ''",
      ["--time-limit 0"] = "--time-limit: '0' must be seconds, more than 0",
      ["--time-limit soon"] = "--time-limit: 'soon'",
      ["--jsno x"] = "--jsno",
      ["everything"] = "too many arguments",
    })
  end)

  it("lists the devices if there is no such device, or says that there is none", function()
    local err = support.refused(1, support.run {"peak", "--device", "no such thing"})
    assert.matches("no such thing", err, 1, true)
    assert.matches("0:0", err, 1, true)
    local without, _, advice = support.run({"peak"}, support.drivers "none")
    assert.equal(1, without)
    assert.matches("there is no OpenCL device", advice, 1, true)
  end)

  it("does not begin if its results cannot be written", function()
    local err = support.refused(1, support.run {"peak", "--only", "latency", "--json", "/nowhere/peak.json"})
    assert.matches("--json: cannot write", err, 1, true)
  end)

  it("keeps the results that are there, and says so", function()
    local path = support.write("earlier results", support.temporary ".json")
    local _, _, err = support.run({"peak", "--only", "latency", "--json", path}, support.drivers "oclgrind")
    assert.matches(("clue: %s had results: %s.old keeps them\n"):format(path, path), err, 1, true)
    assert.equal("earlier results", support.read(path .. ".old"))
  end)
end)

describe("the expected result of chains of multiply-adds", function()
  local chains = require "clue.peak.chains"
  local one, four = {width = 1, count = 1}, {width = 4, count = 3}

  it("is the number of their steps, in floating point", function()
    local float = chains.types[1]
    assert.equal(2048, chains.expected(float, one, 1)[1])
    assert.equal(2 * 2048 + 15, chains.expected(float, one, 2)[16])
    -- Twelve chains of 512 steps: lanes begin at 0 to 3, and each chain begins 1 higher.
    assert.equal(12 * 512 + 3 * (0 + 1 + 2 + 3) + 4 * (0 + 1 + 2), chains.expected(float, four, 1)[1])
  end)

  it("is, for half, the number where adding one no longer changes it", function()
    assert.equal(2048, chains.expected(chains.types[4], one, 1)[1])
    assert.equal(2048, chains.expected(chains.types[4], one, 16)[16])
  end)

  it("is exact in whole numbers", function()
    local short = {c = "uint", steps = 3, a = 3}
    -- From 0: 3, 12, 39. From 1: 6, 21, 66.
    assert.equal(39, chains.expected(short, one, 1)[1])
    assert.equal(66, chains.expected(short, one, 1)[2])
    -- From 1, by 2^31 + 1: 2, 2^32 + 2 + 2^31 + 1, modulo 2^32.
    assert.equal(2 ^ 31 + 3, chains.expected({c = "uint", steps = 2, a = 2 ^ 31 + 1}, one, 1)[2])
  end)
end)
