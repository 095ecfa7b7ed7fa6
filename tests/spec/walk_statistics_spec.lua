-- Statistics of measured times, and their confidence.
-- suite: quick
-- process: shared
local binding = require "clue.binding"
local bottleneck = require "clue.result.bottleneck"
local columns = require "clue.result.columns"
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local measure = require "clue.walk.measure"
local replay = require "clue.run.replay"
local row = require "clue.result.row"
local statistics = require "clue.result.statistics"
local walk = require "clue.walk"

it("statistics give the least, the median, the largest and the spread", function()
  assert.same({min = 1, median = 2, max = 10, spread = 4.5, count = 3}, statistics.of {2, 10, 1})
  assert.equal(2.5, statistics.of({1, 2, 3, 4}).median)
  assert.is_nil(statistics.of {})
end)

-- n values from 1 on, and m values that are larger than all of them.
local function separate(n, m)
  local before, now = {}, {}
  for i = 1, n do before[i] = i end
  for i = 1, m do now[i] = 1000 + i end
  return before, now
end

-- How many of all ratios are below the interval.
local function below(before, now, low)
  local count = 0
  for _, earlier in ipairs(before) do
    for _, later in ipairs(now) do
      if earlier / later < low then count = count + 1 end
    end
  end
  return count
end

describe("a gain of runs that did not take turns", function()
  it("leaves out as many pairs as the tables of Mann and Whitney say", function()
    for sizes, critical in pairs {
      [{4, 4}] = 0, [{5, 5}] = 2, [{6, 6}] = 5, [{7, 7}] = 8, [{7, 9}] = 12, [{10, 10}] = 23, [{20, 20}] = 127,
    } do
      local before, now = separate(sizes[1], sizes[2])
      local gain = statistics.gain(before, now)
      assert.equal(critical, below(before, now, gain.low), table.concat(sizes, " "))
    end
  end)

  it("has no interval if there are too few runs", function()
    local gain = statistics.gain(separate(3, 3))
    assert.is_nil(gain.low)
    assert.is_nil(gain.high)
    assert.equal(3, gain.count)
  end)

  it("has an interval for many runs, too", function()
    local before, now = separate(40, 40)
    local out = below(before, now, statistics.gain(before, now).low)
    assert.is_true(out >= 590 and out <= 600, out) -- 596 in the exact table
  end)

  it("is the quotient of the medians, so that a reader can check it", function()
    assert.equal(2, statistics.gain({2, 2, 2, 2}, {1, 1, 1, 1}).ratio)
    assert.equal(0.5, statistics.gain({1, 1, 1, 100}, {2, 2, 2, 2}).ratio)
    assert.equal(3 / 5, statistics.gain({1, 2, 3, 9, 9}, {1, 1, 5, 5, 5}).ratio) -- the median of all ratios is 1
  end)

  it("lies within its interval, even in series of two clusters", function()
    local gain = statistics.gain({1, 1, 1, 1, 9, 9, 9}, {9, 9, 9, 1, 1, 1, 1})
    assert.equal(1, gain.ratio)
    for _, values in ipairs {{{1, 1, 1, 1, 9, 9, 9, 9, 9}, {5, 5, 5, 5}}, {{5, 5, 5, 5}, {1, 1, 1, 9, 9, 9, 9}}} do
      local it = statistics.gain(values[1], values[2])
      assert.is_true(it.low <= it.ratio and it.ratio <= it.high)
    end
  end)
end)

describe("a gain of runs that took turns", function()
  local function pairs_of(n)
    local before, now = {}, {}
    for i = 1, n do before[i], now[i] = i, 1 end
    return before, now
  end

  it("has an interval between the pairs that the binomial distribution gives", function()
    for n, out in pairs {[6] = 0, [8] = 0, [9] = 1, [11] = 1, [12] = 2, [15] = 3, [20] = 5} do
      local gain = statistics.paired_gain(pairs_of(n))
      assert.same({n, 1 + out, n - out}, {gain.count, gain.low, gain.high})
    end
  end)

  it("has no interval below six pairs", function()
    assert.is_nil(statistics.paired_gain(pairs_of(5)).low)
  end)

  it("is not changed by disturbances of both runs in a pair", function()
    local gain = statistics.paired_gain({2, 20, 2, 200, 2, 2}, {1, 10, 1, 100, 1, 1})
    assert.same({2, 2, 2}, {gain.ratio, gain.low, gain.high})
  end)
end)

describe("a gain in words", function()
  it("is a ratio with its interval", function()
    assert.equal("2.05 (1.98-2.11)", gains.text {ratio = 2.05, low = 1.98, high = 2.11})
    assert.equal("12.3 (9.90-15.0)", gains.text {ratio = 12.3, low = 9.9, high = 15})
    assert.equal("0.50 (0.40-0.60)", gains.text {ratio = 0.5, low = 0.4, high = 0.6})
    assert.equal("1.95", gains.text {ratio = 1.95})
  end)

  it("is 'no difference' if it is within the noise, or too small to matter", function()
    assert.equal("no difference", gains.text {ratio = 1.02, low = 0.99, high = 1.05})
    assert.equal("no difference", gains.text {ratio = 1.005, low = 1.004, high = 1.006})
    assert.equal("no difference", gains.text {ratio = 1.02, low = 1.004, high = 1.04}) -- prints as 1.00-1.04
    assert.equal("1.02 (1.01-1.04)", gains.text {ratio = 1.02, low = 1.006, high = 1.04})
  end)

  it("is 'unclear' if the noise may hide a gain of over 10 %", function()
    assert.equal("no difference", gains.text {ratio = 1.02, low = 0.896, high = 1.104}) -- prints as 0.90-1.10
    assert.equal("unclear 0.99-1.11", gains.text {ratio = 1.02, low = 0.99, high = 1.106})
    assert.equal("unclear 0.89-1.01", gains.text {ratio = 0.95, low = 0.894, high = 1.01})
    assert.equal("unclear 0.70-1.30", gains.text {ratio = 1.005, low = 0.7, high = 1.3})
    assert.equal("unclear", gains.verdict {ratio = 1.2, low = 0.9, high = 1.5})
  end)

  it("is a ratio alone if there are too few runs, however near to 1 it is", function()
    assert.equal("1.00", gains.text {ratio = 0.997})
    assert.equal("1.00", gains.text({ratio = 0.997}))
    assert.equal("too few runs to know", gains.verdict {ratio = 0.997})
  end)

  it("names the side that is better", function()
    assert.equal("B faster", gains.verdict {ratio = 1.5, low = 1.4, high = 1.6})
    assert.equal("A better", gains.verdict({ratio = 0.5, low = 0.4, high = 0.6}, "better"))
    assert.equal("no difference", gains.verdict {ratio = 1.02, low = 0.99, high = 1.05})
    assert.is_nil(gains.verdict(nil))
  end)
end)

-- A row of a step that took some seconds in runs of its own.
local function row_of_runs(number, seconds)
  return {number = number, problem = "p", check = {verified = true},
          times = {total = {seconds, seconds, seconds}, flops = 1e9, rate = "GFLOPS"}}
end

describe("a gain beside the medians of its rows", function()
  local before, now = row_of_runs(8, 0.009996), row_of_runs(9, 0.01753)

  it("is marked if they contradict it: something disturbed a row", function()
    local gain = row.gain(before, now, {13.1, 13.2, 13, 13.1, 13.3, 13.1}, {10, 10.1, 10, 10, 10.2, 10})
    assert.near(1.31, gain.ratio, 0.01)
    assert.is_true(gain.disturbed)
  end)

  it("is not marked if they agree within a tenth, or if the gain is as uncertain", function()
    local agreeing = row.gain(before, now, {10, 10, 10, 10, 10, 10}, {17, 17, 17, 17, 17, 17})
    assert.is_nil(agreeing.disturbed)
    assert.is_nil(row.gain(before, now, {10, 5, 30, 10, 20, 8}, {17, 17, 20, 17, 9, 17}).disturbed)
    assert.is_nil(row.gain(before, now).disturbed)
  end)

  it("is judged again for rows of an older file", function()
    local gain = {over = 8, ratio = 1.31, low = 1.2, high = 1.4, pairs = 9}
    now.gain = gain
    row.judge_gain({before, now}, now)
    assert.is_true(gain.disturbed)
    gain.ratio, gain.low, gain.high = 0.57, 0.5, 0.6
    row.judge_gain({before, now}, now)
    assert.is_nil(gain.disturbed)
    now.gain = nil
  end)

  it("is over the first row of the same problem in its own column", function()
    local other, host = row_of_runs(2, 1), row_of_runs(1, 1)
    other.problem = "q"
    for _, each in ipairs {other, before, now} do each.device = {} end
    local rows = {host, other, before, now}
    local ratio, first = row.over_first(rows, now)
    assert.equal(before, first)
    assert.near(0.57, ratio, 0.001)
    assert.equal(1, (row.over_first(rows, before)))
    assert.equal(host, select(2, row.over_first(rows, host)))
  end)
end)

describe("the share of the device's limit", function()
  local peak = {flops = {float = 4e11, double = 2e11}, bandwidth = {read = 1e9, copy = 2e9}}

  it("is by the kernel's time and the row's type, or by the fastest way to use memory", function()
    local it = row_of_runs(2, 0.1)
    it.device, it.times.kernel, it.type = {}, {0.01, 0.01, 0.01}, "float"
    assert.near(0.25, row.share_of_peak(it, peak), 1e-9)
    it.type = "double"
    assert.near(0.5, row.share_of_peak(it, peak), 1e-9)
    it.type, it.times.rate = "int", "GOPS"
    assert.near(0.4, row.share_of_peak(it, {flops = {int = 2.5e11}}), 1e-9)
    assert.equal("40", columns.text("share_of_peak", it, {peak = {flops = {int = 2.5e11}}}))
    assert.equal(">100", columns.text("share_of_peak", it, {peak = {flops = {int = 5e10}}}))
    assert.equal("over 100 %", figures.share(1.52))
    it.times.rate, it.times.bytes = "GB/s", 1e7
    assert.near(0.5, row.share_of_peak(it, peak), 1e-9)
    it.times.together = true -- by several devices, whose kernels' times are added: the share of each
    assert.near(0.5, row.share_of_peak(it, peak), 1e-9)
  end)

  it("is unknown for the host, for what is not verified, and without a limit", function()
    local it = row_of_runs(2, 0.1)
    assert.is_nil(row.share_of_peak(it, peak))
    it.device = {}
    assert.is_nil(row.share_of_peak(it, nil))
    it.type = "int"
    assert.is_nil(row.share_of_peak(it, peak))
    it.type = nil -- not that of float
    assert.is_nil(row.share_of_peak(it, peak))
    it.type, it.check.verified = "float", false
    assert.is_nil(row.share_of_peak(it, peak))
  end)

  it("is unknown for work that devices which differ did together", function()
    local it = row_of_runs(2, 0.1)
    it.device, it.type = {}, "float"
    assert.is_number(row.share_of_peak(it, peak))
    assert.equal(4e11, row.most_flops(it, peak))
    it.unlike = true
    assert.is_nil(row.share_of_peak(it, peak))
    assert.is_nil(row.most_flops(it, peak))
    it.times.rate, it.times.bytes = "GB/s", 1e7
    assert.is_nil(row.share_of_peak(it, peak))
    it.unlike = nil
    assert.is_number(row.share_of_peak(it, peak))
  end)
end)

it("the fastest row is a step on the device, unless there is none", function()
  local host, copy, step = row_of_runs(1, 0.1), row_of_runs(2, 0.2), row_of_runs(3, 0.4)
  copy.device, copy.limit, step.device = {}, true, {}
  assert.equal(step, fastest.of({host, copy, step})[1].row)
  assert.equal(copy, fastest.of({host, copy})[1].row)
  assert.equal(host, fastest.of({host})[1].row)
end)

describe("the speed of a row", function()
  -- 1e9 operations in 1, 2 and 4 s by the kernel's time, and in twice as long in total.
  local it_has = {number = 2, problem = "p", check = {verified = true}, device = {},
                  times = {kernel = {2, 4, 1}, total = {8, 2, 4}, flops = 1e9, bytes = 4e9, rate = "GFLOPS"}}

  it("is by the median of its runs, for each part, and by the kernel's if it has one", function()
    assert.equal(2, row.seconds(it_has))
    assert.near(0.5, row.speed(it_has), 1e-12)
    assert.near(0.25, row.speed(it_has, "total"), 1e-12)
    assert.near(0.5, row.speed(it_has, "kernel"), 1e-12)
  end)

  it("has its least by the slowest run and its most by the fastest", function()
    local speeds = row.speeds(it_has, "kernel")
    assert.near(0.5, speeds.median, 1e-12)
    assert.near(0.25, speeds.least, 1e-12)
    assert.near(1, speeds.most, 1e-12)
    assert.near(2, row.speeds(it_has, "kernel", "GB/s").median, 1e-12)
  end)

  it("is compared with the host's seconds, and with an earlier row's: more than 1 is faster", function()
    local slower = row_of_runs(1, 12)
    assert.near(3, row.gain(slower, it_has).ratio, 1e-12)
    it_has.host = {seconds = 20}
    assert.equal(5, row.over_host(it_has))
    it_has.host = nil
  end)

  it("is compared by the kernel's time if both rows have one, else by the total, as host loops are", function()
    local faster = {number = 3, problem = "p", check = {verified = true}, device = {},
                    times = {kernel = {0.5}, total = {4}, flops = 1e9, rate = "GFLOPS"}}
    local gain = row.gain(it_has, faster)
    assert.same({"kernel", 4}, {gain.part, gain.ratio})
    assert.near(4, (row.over_first({it_has, faster}, faster)), 1e-12)
    gain = row.gain(row_of_runs(1, 12), faster)
    assert.same({"total", 3}, {gain.part, gain.ratio})
    faster.host = {seconds = 20}
    assert.equal(5, row.over_host(faster))
    assert.equal("total", row.whole(faster))
  end)

  it("is by the total if several devices ran its kernels together, whose sum is no time", function()
    local all = {number = 4, times = {kernel = {9}, total = {5}, together = true, flops = 1e9, rate = "GFLOPS"}}
    assert.equal("total", row.judged(all))
  end)

  it("is compared by the kernel's time of what only moves data, with the host, too", function()
    local copy = {number = 2, problem = "p", check = {verified = true}, host = {seconds = 3},
                  times = {kernel = {1}, total = {9}, bytes = 1e9, rate = "GB/s"}}
    assert.equal(3, row.over_host(copy))
    local transfer = {number = 3, problem = "p", check = {verified = true}, times = {total = {9}, rate = "GB/s"}}
    assert.is_false(row.comparable(copy, transfer))
  end)
end)

describe("a row of an older document", function()
  local complete = require("clue.result.document").complete

  local function rows_of_2012()
    local before, now = row_of_runs(2, 4), row_of_runs(3, 3)
    for _, each in ipairs {{before, 2}, {now, 0.5}} do
      each[1].times.kernel, each[1].times.judged = {each[2], each[2], each[2], each[2]}, "total"
    end
    now.gain = {over = 2, ratio = 1.3, low = 1.2, high = 1.4, pairs = 7, before = {4}, now = {3}, disturbed = true}
    return before, now
  end

  it("has the gain of its kernels instead of that of the totals", function()
    local before, now = rows_of_2012()
    complete {before, now}
    assert.same({over = 2, part = "kernel", ratio = 4, low = 4, high = 4}, now.gain)
  end)

  it("keeps a gain over what has no kernel, one of today, and one over the other side of a sweep", function()
    local before, now = rows_of_2012()
    before.times.kernel = nil
    complete {before, now}
    assert.same({"total", 1.3, 7}, {now.gain.part, now.gain.ratio, now.gain.pairs})
    before, now = rows_of_2012()
    now.gain.part = "kernel"
    complete {before, now}
    assert.same({"kernel", 1.3}, {now.gain.part, now.gain.ratio})
    before, now = rows_of_2012()
    now.gain.over = "A"
    complete {before, now}
    assert.same({"total", 1.3}, {now.gain.part, now.gain.ratio})
  end)

  it("is by the total if several devices worked together", function()
    local _, now = rows_of_2012()
    now.gain, now.efficiency = nil, {strong = {}}
    complete {now}
    assert.equal("total", row.judged(now))
  end)
end)

describe("a gain of two steps in turn", function()
  -- A step that can run again and takes so many seconds; the log shows the order.
  local function session(number, seconds, log)
    return {row = row_of_runs(number, seconds), ready = true, once_more = function()
      log[#log + 1] = number
      return {total = seconds}
    end}
  end

  it("gives each step its own time, whichever ran first", function()
    local log = {}
    local before, now = session(2, 6, log), session(3, 2, log)
    replay.compare(before, now, {before.row, now.row}, {repeats = 6}, function() end)
    local gain = now.row.gain
    assert.same({over = 2, part = "total", ratio = 3, low = 3, high = 3, pairs = 6, before = {6, 6, 6, 6, 6, 6},
                 now = {2, 2, 2, 2, 2, 2}}, gain)
    assert.same({2, 3, 2, 3, 3, 2, 2, 3, 3, 2, 2, 3, 3, 2}, log) -- the first pair does not count
  end)

  it("has more runs if short ones vary, until it is certain or a moment has passed", function()
    local log = {}
    local before, now = session(2, 6, log), session(3, 2, log)
    replay.compare(before, now, {before.row, now.row}, {}, function() end)
    assert.equal(replay.most_pairs, now.row.gain.pairs)
    function before.once_more() -- other work disturbs the first dozen
      log[#log + 1] = 2
      return {total = #log < 60 and 6 * (1 + #log % 3) or 6}
    end
    replay.compare(before, now, {before.row, now.row}, {}, function() end)
    assert.is_true(now.row.gain.pairs > 30)
    assert.same({3, 3, 3}, {now.row.gain.ratio, now.row.gain.low, now.row.gain.high})
    finally(function() replay.moment = 0.5 end)
    replay.moment = 0
    replay.compare(before, now, {before.row, now.row}, {}, function() end)
    assert.equal(replay.most_pairs, now.row.gain.pairs)
  end)

  it("is by medians, as the verdict on the fastest is, if they are too few for an interval", function()
    local log = {}
    for repeats = 1, 5 do
      local before, now = session(2, 6, log), session(3, 5, log)
      replay.compare(before, now, {before.row, now.row}, {repeats = repeats}, function() end)
      assert.same({over = 2, part = "total", ratio = 1.2}, now.row.gain)
    end
    assert.same({}, log) -- none is run for nothing
    local before, now = row_of_runs(2, 6), row_of_runs(3, 5)
    assert.same({over = 2, part = "total", ratio = 1.2}, row.gain(before, now, {5, 5, 5}, {6, 6, 6}))
  end)

  it("of an older document that is certain of nothing neither leads the verdict nor contradicts it", function()
    local before, now = row_of_runs(2, 6), row_of_runs(3, 5)
    for _, each in ipairs {before, now} do each.times.flops, each.times.rate = 1e9, "GFLOPS" end
    now.gain = {over = 2, part = "total", ratio = 0.5, pairs = 1, before = {1}, now = {2}, disturbed = true}
    require("clue.result.document").complete {before, now}
    assert.is_nil(now.gain.disturbed)
    assert.matches("^step 3, .*1%.20 times step 2", require("clue.show.walk.first_screen").fastest {before, now})
  end)
end)

describe("times by the host's clock", function()
  local now, clock = binding.now, 0
  before_each(function()
    clock = 0
    binding.now = function() return clock end
  end)
  after_each(function() binding.now = now end)

  local function taking(seconds)
    return function() clock = clock + seconds end
  end

  it("of a run are apart for each part, and the total does not have the upload", function()
    local once = measure.once_more {upload = taking(1), reset = taking(10), execute = taking(100), read = taking(1000)}
    assert.equal(1, once.upload)
    assert.equal(1000, once.read)
    assert.equal(1100, once.total)
  end)

  it("of a host loop are those of all its iterations, if only a part was run", function()
    local done = 0
    local function slice(_, count)
      done = done + count
      clock = clock + 0.25 * count
    end
    local times, extrapolated = walk.time_slices(1000, slice)
    assert.is_true(extrapolated)
    assert.same({250}, times)
    assert.is_true(done < 20)
    times, extrapolated = walk.time_slices(2, slice, {repeats = 3})
    assert.is_false(extrapolated)
    assert.same({0.5, 0.5, 0.5}, times)
  end)
end)

describe("what each of a device's limits would make some work take", function()
  it("is arithmetic by its type, memory by the highest bandwidth, and requests of 128 bytes", function()
    local peak = {flops = {float = 1e9, double = 5e8}, bandwidth = {read = 1e9, copy = 2e9}, local_bandwidth = 64e9}
    local list = bottleneck.bounds(peak, {type = "double", operations = 1e9, bytes = 2e9, passes = 2e9})
    assert.same({{name = "requests", seconds = 4}, {name = "arithmetic", seconds = 2}, {name = "memory", seconds = 1}},
      list)
  end)
end)

describe("what limits a step", function()
  -- 1e9 operations in a second at most, and as many bytes; 1e6 passes, and 1.5625e7 instructions of warps.
  local peak = {flops = {float = 1e9}, bandwidth = {read = 1e9}, local_bandwidth = 128e6}

  local function site(space, access, warp)
    return {space = space, access = access, accesses = 1, bytes = 4, warp = warp}
  end

  -- A kernel that took so many seconds for a thousand times the work that was counted.
  local function limited(seconds, more)
    local warp = {instructions = 0, width = 32, lanes = 0}
    local buffer = {read = more.read or 0, written = 0, group_sectors = more.group_sectors or 0}
    local kernel = {kernel = "add", warp = warp, buffers = {buffer}, sites = more.sites or {},
                    operations = {float = more.operations}}
    return {number = 2, type = "float", device = {kind = more.kind or "gpu", compute_units = 10},
            check = {verified = true}, counts = {flops = 1e5, sums = {}, kernels = {kernel}},
            times = {kernel = {seconds}, total = {9}, flops = 1e8, bytes = 1e7, rate = "GFLOPS",
                     launches = more.launch and {more.launch}}}
  end

  local function passes(count) return {site("local", "load", {requests = 1, passes = count})} end

  it("is the limit that alone would take most of the time, by counts in proportion to the work", function()
    local it = bottleneck.of(limited(1, {sites = passes(700)}), peak)
    assert.same({"local memory", 0.1, 0.7, 0.01}, {it.nearest, it.arithmetic, it["local memory"], it.memory})
  end)

  local function asked(lines, requests) return {requests = requests or 1, sectors = 1, lines = lines} end

  it("is the unit of loads and stores, through which local memory and requests pass", function()
    local it = bottleneck.of(limited(1, {sites = {site("global", "store", asked(1800))}}), peak)
    assert.same({"requests", 0.9}, {it.nearest, it.requests})
    local both = {site("global", "load", asked(400)), passes(300)[1]}
    it = bottleneck.of(limited(1, {sites = both}), peak)
    assert.same({"local memory", 0.5, nil}, {it.nearest, it["local memory"], it.requests})
    both[2].warp.passes = 100
    it = bottleneck.of(limited(0.5, {sites = both}), peak)
    assert.same({"requests", nil}, {it.nearest, it["local memory"]})
    assert.near(0.3, it.requests, 1e-9)
  end)

  it("takes a pass for four bytes of each lane at least", function()
    for bytes, passes_of_request in pairs {[1] = 1, [4] = 1, [8] = 2, [16] = 4, [32] = 4} do
      local load = site("global", "load", asked(100, 100))
      load.bytes = bytes
      assert.near(passes_of_request / 10, bottleneck.of(limited(1, {sites = {load}}), peak).requests, 1e-9)
    end
  end)

  it("counts the instructions that no compiler saves: multiply-adds and requests", function()
    local sites = {site("local", "load", {requests = 7000, passes = 0}), site("global", "load", asked(0, 5000))}
    local it = bottleneck.of(limited(2, {sites = sites}), {flops = peak.flops})
    assert.near((1e8 / 2 / 32 + 12e6) / 1.5625e7, it.instructions, 1e-9)
    assert.equal("arithmetic", bottleneck.of(limited(0.15, {sites = {site("local", "load", {requests = 1})}}),
      {flops = peak.flops}).nearest) -- which is most of the instructions
    sites[1].warp.requests, sites[2].warp.requests = 1000, 0
    assert.equal("instructions", bottleneck.of(limited(0.25, {sites = sites}), {flops = peak.flops}).nearest)
  end)

  it("goes by what was executed where most of the small problem's tiles was outside it", function()
    local function passes_of(operations)
      return bottleneck.of(limited(9, {sites = passes(700), operations = operations}), peak)["local memory"]
    end
    assert.near(0.7, passes_of(1.4e5), 1e-9)
    assert.near(0.7 / 4, passes_of(4e5), 1e-9)
  end)

  it("counts the units that a launch keeps busy", function()
    local function passes_of(groups)
      local launch = {kernel = "add", launches = 2, items = 2 * groups * 64, group = 64}
      return bottleneck.of(limited(9, {sites = passes(700), launch = launch}), peak)["local memory"]
    end
    assert.near(0.7, passes_of(10), 1e-9)
    assert.near(7, passes_of(1), 1e-9)
    assert.near(0.7 * 20 / 11, passes_of(11), 1e-9) -- one unit has two groups
  end)

  it("is the cache that all units share, by the sectors that each group fetches once", function()
    local rates = {flops = peak.flops, cache_bandwidth = 1e6}
    local it = bottleneck.of(limited(1, {group_sectors = 25}), rates)
    assert.same({"cache", 0.8}, {it.nearest, it.cache})
    local stores = {site("global", "store", asked(30)), site("global", "load", asked(900))}
    rates.cache_stores = 5e4
    assert.equal(0.6, bottleneck.of(limited(1, {sites = stores}), rates).cache)
    assert.equal(0.8, bottleneck.of(limited(1, {sites = stores, group_sectors = 25}), rates).cache) -- the slower way
  end)

  it("is the latency of loads, each from the nearest place that may have it, over the warps at once", function()
    local waiting = {flops = peak.flops, loads = {near = 1e-3, shared = 3e-3, memory = 9e-3}}
    local launch = {kernel = "add", launches = 2, items = 2 * 6400, group = 64, at_once = 50}
    local function latency(more)
      more.sites = {site("global", "load", {requests = 20, sectors = 80, lines = 20}),
                    site("global", "store", {requests = 9, lines = 9})}
      more.launch = launch
      return bottleneck.of(limited(9, more), waiting).latency
    end
    local loads = 20 * 1000
    assert.near(loads * 1e-3 / 50, latency {}, 1e-9) -- all from the unit's cache
    assert.near(loads * 2e-3 / 50, latency {group_sectors = 40}, 1e-9) -- half of them from another group
    assert.near(loads * (2e-3 + 6e-3 / 4) / 50, latency {group_sectors = 40, read = 640}, 1e-9)
    assert.near(loads * 9e-3 / 50, latency {group_sectors = 900, read = 64000}, 1e-9) -- never more than all
    launch.items = 2 * 640 -- 20 warps, fewer than there is room for
    assert.near(loads * 1e-3 / 20, latency {}, 1e-9)
    launch.at_once = nil
    assert.is_nil(latency {})
  end)

  it("is latency if nothing else is and a warp has a few loads at once", function()
    local launch = {kernel = "add", launches = 1, items = 32, at_once = 50}
    local function of(seconds, more)
      more = more or {}
      more.sites, more.launch = {site("global", "load", {requests = 20, sectors = 80, lines = 20})}, launch
      return bottleneck.of(limited(seconds, more), {flops = peak.flops, loads = {near = 1e-3, shared = 1, memory = 1},
                                                    local_bandwidth = more.local_bandwidth})
    end
    assert.same({"latency", 4, true}, {of(5).nearest, of(5).loads, of(5).refuted.latency})
    assert.same({"latency"}, {of(25).nearest, of(25).loads}) -- one after the other, for four fifths of the time
    assert.is_nil(of(2).nearest) -- ten loads
    assert.is_nil(of(50).nearest)
    assert.equal("requests", of(25, {local_bandwidth = 128e6 / 1000}).nearest) -- a floor, though latency is nearer
  end)

  it("is the launches, on any device", function()
    local launch = {kernel = "add", launches = 500, items = 5000}
    local it = bottleneck.of(limited(1, {kind = "cpu", launch = launch}), {flops = peak.flops, launch = 1.5e-3})
    assert.same({"launch", 0.75}, {it.nearest, it.launch})
  end)

  it("is none of them if all explain less than half of it", function()
    local it = bottleneck.of(limited(1, {sites = passes(400)}), peak)
    assert.is_nil(it.nearest)
    assert.equal(0.4, it["local memory"])
  end)

  it("is no limit that would take longer than the kernel took", function()
    local it = bottleneck.of(limited(0.15, {sites = passes(700)}), peak)
    assert.same({"arithmetic", {["local memory"] = true}}, {it.nearest, it.refuted})
  end)

  it("is not what warps do, on a CPU; and unknown without limits, times or a device", function()
    local it = bottleneck.of(limited(0.11, {sites = passes(100), kind = "cpu"}), peak)
    assert.same({"arithmetic", nil}, {it.nearest, it["local memory"]})
    assert.is_nil(bottleneck.of(limited(1, {}), nil))
    assert.is_nil(bottleneck.of({number = 1, times = {total = {1}}}, peak))
  end)
end)

it("a fraction in percent is whole, and short if it is large", function()
  assert.same({"0", "25", "100", "999", ">999"}, {figures.percent(0.004), figures.percent(0.25), figures.percent(1),
    figures.percent(9.99), figures.percent(10)})
end)
