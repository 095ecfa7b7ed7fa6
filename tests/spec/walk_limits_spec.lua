-- The limits of a device that a walk shows beside its steps: kept for each device and driver, the higher ones.
-- suite: whole
local limits = require "clue.run.kept_limits"
local support = require "support"

-- Runs Lua in a clue that keeps its caches in a folder of its own. Returns what it prints.
local function run(folder, program, off)
  local out = support.ended(0, support.run({"-e", "local limits = require 'clue.run.kept_limits' " .. program},
    {CLUE_CACHE_DIR = folder, CLUE_NO_CACHE = off or ""}))
  return (out:gsub("\n$", ""))
end

local device = "local device = {platform = 'P', name = 'a/b device', driver = '1.0', compute_units = 4, kind = 'gpu'} "

describe("the limits of a device", function()
  it("are kept, the higher ones, for each device and driver", function()
    local folder = support.folder()
    local keep = device .. "limits.keep(device, {flops = {float = %d}, bandwidth = {read = %d}, local_bandwidth = %d, "
      .. "finished = 'now'}) "
    local show = device .. "local it = limits.known(device, {'float'}) "
      .. "print(it and ('%.0f %.0f'):format(it.flops.float, it.bandwidth.read))"
    assert.equal("nil", run(folder, show))
    run(folder, keep:format(100, 20, 7))
    assert.equal("100 20", run(folder, show))
    run(folder, keep:format(70, 30, 6))
    assert.equal("100 30", run(folder, show))
    assert.equal("nil", run(folder, (show:gsub("'1.0'", "'2.0'"))))
    assert.equal("nil", run(folder, (show:gsub("'float'}", "'double'}"))))
  end)

  it("are the shorter ones of times", function()
    local folder = support.folder()
    local keep = device .. "local it = limits.keep(device, {launch = %s, loads = {near = %s, memory = %s}, "
      .. "cache_bandwidth = %s, cache_stores = 6}) "
      .. "print(it.launch, it.loads.near, it.loads.memory, it.cache_bandwidth + it.cache_stores)"
    assert.equal("3\t5\tnil\t14", run(folder, keep:format(3, 5, "nil", 8)))
    assert.equal("2\t5\t9\t14", run(folder, keep:format(2, 6, 9, 7)))
    assert.equal("2\t5\t9\t14", run(folder, keep:format("nil", "nil", "nil", "nil")))
  end)

  it("are measured again on a GPU whose local memory nobody tried to measure", function()
    local folder = support.folder()
    local keep = device .. "limits.keep(device, {flops = {float = 5}, bandwidth = {read = 6}, tried_local = %s}) "
      .. "print(limits.known(device, {'float'}) ~= nil)"
    assert.equal("false", run(folder, keep:format "nil"))
    assert.equal("true", run(folder, keep:format "true"))
  end)

  it("are neither read nor kept with CLUE_NO_CACHE, and a damaged file counts as none", function()
    local folder = support.folder()
    local keep = device .. "print(limits.keep(device, {flops = {float = 5}, bandwidth = {read = 6}, "
      .. "local_bandwidth = 7}).flops.float, "
      .. "limits.known(device, {'float'}), limits.are_kept(device))"
    assert.equal("5\tnil\tfalse", run(folder, keep, "1"))
    assert.matches("^5\ttable: .-\ttrue$", run(folder, keep))
    local _, path = support.execute {"sh", "-c", "ls " .. support.quote(folder) .. "/limits/*"}
    support.write('{"format": "clue limits 3"}', (path:gsub("\n", "")))
    assert.equal("nil", run(folder, device .. "print(limits.known(device, {'float'}))"))
  end)

  it("are those of the types that a run's rows have", function()
    local function row(kind) return {type = kind, device = {}, check = {verified = true},
                                     times = {total = {1}, kernel = {0.5}, flops = 1e9, rate = "GFLOPS"}} end
    assert.same({"double", "int"}, limits.types_of {rows = {row(nil), row "double", row "int", row "long"}})
    assert.same({"float"}, limits.types_of {rows = {row(nil)}}) -- to measure something beside the memory
    assert.is_nil(limits.types_of {rows = {{type = "float", skipped = "no fp64", device = {}}}})
  end)

  it("of one walkthrough are not those of the next one, which may have other types", function()
    assert.equal("true\tfalse\ntrue", run(support.folder(), device .. [[
      local function measure(flops)
        device.peak = limits.keep(device, {flops = flops, bandwidth = {read = 6}, tried_local = true})
      end
      measure {float = 5}
      print(limits.known(device, {"float"}) ~= nil, limits.known(device, {"double"}) ~= nil)
      measure {double = 4}
      print(limits.known(device, {"float", "double"}) ~= nil)]], "1"))
  end)

  it("are too low if a step computes faster", function()
    local run_of = {rows = {{type = "float", device = {}, check = {verified = true},
                             times = {total = {1}, kernel = {0.5}, flops = 1e9, rate = "GFLOPS"}}}}
    assert.is_true(limits.is_exceeded(run_of, {flops = {float = 1.9e9}, bandwidth = {}}))
    assert.is_false(limits.is_exceeded(run_of, {flops = {float = 2.1e9}, bandwidth = {}}))
  end)

  it("are measured once for a walk, which then shows the share of them", function()
    local folder = support.folder()
    local function walk(off, ...)
      local out, _, document = support.ended(0, support.document({"walk", "mql5", "--steps", "2,4", "--size", "16",
        "--repeat", "1", ...}, support.drivers("pocl", {CLUE_CACHE_DIR = folder, CLUE_NO_CACHE = off or ""})))
      return out, document.devices[1].peak, document.walkthroughs[1].runs[1].rows[1].device
    end
    assert.not_matches("device's peak", support.flat((walk "1")), 1, true)
    local out, peak, facts = walk("1", "--report", support.temporary ".html") -- which has rooflines
    assert.matches("%% of the device's peak%)", support.flat(out))
    assert.is_true(peak.flops.float > 0)
    assert.is_nil(facts.peak) -- once in the document
    assert.matches("%% of the device's peak%)", support.flat((walk())))
    assert.matches("%% of\n?", (walk()))
    local _, files = support.execute {"sh", "-c", "ls " .. support.quote(folder) .. "/limits"}
    assert.equal(1, select(2, files:gsub("\n", "")))
  end)

  it("are those of the results that --resume continues", function()
    local path = support.temporary ".json"
    local function walk(...)
      return support.flat((support.ended(0, support.run(support.words({"walk", "mql5", "--size", "16", "--repeat", "1",
        "--json", path}, {...}), support.drivers("pocl", {CLUE_NO_CACHE = "1"})))))
    end
    walk("--steps", "2", "--report", support.temporary ".html")
    assert.matches("%% of the device's peak%)", walk("--steps", "2,4", "--resume"))
  end)

  it("stand beside what a run launches, by either layer", function()
    local function launches(...)
      local words = support.words({"walk", "--repeat", "1"}, {...})
      local _, _, document = support.ended(0, support.document(words, support.drivers("pocl", {CLUE_NO_CACHE = "1"})))
      return document.walkthroughs[1].runs[1].rows[1].times.launches
    end
    assert.same({{kernel = "matr_mul_sum_local", launches = 1, items = 400, local_memory = 0}},
      launches("mql5", "--steps", "4", "--size", "20"))
    assert.same({{kernel = "add", launches = 2, items = 5 * 256 + 256, group = 256, local_memory = 1024}},
      launches("reduce", "--steps", "1", "--size", "1100"))
  end)
end)
