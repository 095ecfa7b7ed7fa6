-- Work over several devices: shares of a total, the sizes of chunks (simulated), and workers on one device twice.
-- several_devices_spec.lua has those on two devices and on two platforms.
-- suite: quick
-- process: shared
-- drivers: pocl
local cl = require "clue"
local objects = require "objects"
local plan = require "clue.several_devices.plan"
local rest_of = require "clue.several_devices.rest"

local array, refusal = cl.array, objects.refusal

-- ---- cl.split ----

describe("cl.split", function()
  local random = math.random

  setup(function()
    objects.context()
    math.randomseed(1)
  end)

  local function devices(count)
    local list = {}
    for i = 1, count do list[i] = 0 end
    return list
  end

  local function counts(shares)
    local list = {}
    for i, share in ipairs(shares) do list[i] = share.count end
    return list
  end

  -- What holds for all shares: they follow each other and are the total, in multiples but for the last.
  local function assert_whole(shares, total, multiple)
    local next_first = 0
    for _, share in ipairs(shares) do
      assert.equal(next_first, share.first)
      assert.is_true(share.count >= 0)
      assert.is_true(share.count == 0 or share.first % multiple == 0)
      next_first = share.first + share.count
    end
    assert.equal(total, next_first)
  end

  it("gives equal parts, each a device, a first item and a count", function()
    local shares = cl.split(10, devices(3))
    assert.same({3, 4, 3}, counts(shares))
    assert.is_true(cl.device.is(shares[1].device))
    assert.equal(0, shares[1].device.ordinal)
    assert.same({10}, counts(cl.split(10, 0)))
  end)

  it("gives parts in proportion to rates", function()
    assert.same({75, 25}, counts(cl.split(100, devices(2), {by = "rate", rates = {3, 1}})))
    assert.same({0, 100, 0}, counts(cl.split(100, devices(3), {rates = {0, 0.5, 0}})))
    local order = 0
    assert.same({20, 40, 40}, counts(cl.split(100, devices(3), {rates = function(device)
      assert.equal(0, device.ordinal)
      order = order + 1
      return order == 1 and 10 or 20
    end})))
  end)

  it("holds its promises for random totals, rates and multiples", function()
    for _ = 1, 1000 do
      local count, total = random(1, 9), random(0, 10 ^ random(0, 9))
      local multiple = random(1, 3) == 1 and random(1, 200) or 1
      local rates, sum = {}, 0
      for i = 1, count do
        rates[i] = random(1, 4) == 1 and i < count and 0 or random() * 10 ^ random(-3, 6)
        sum = sum + rates[i]
      end
      local shares = cl.split(total, devices(count), {rates = rates, multiple = multiple})
      assert_whole(shares, total, multiple)
      for i, share in ipairs(shares) do
        assert.is_true(math.abs(share.count - total * rates[i] / sum) <= 2 * multiple)
        if rates[i] == 0 and multiple == 1 then assert.equal(0, share.count) end
      end
    end
  end)

  it("gives even parts that differ by at most one multiple", function()
    for _ = 1, 200 do
      local count, total, multiple = random(1, 9), random(0, 5000), random(1, 70)
      local shares = cl.split(total, devices(count), {by = "even", multiple = multiple})
      assert_whole(shares, total, multiple)
      for _, share in ipairs(shares) do
        assert.is_true(math.abs(share.count - total / count) <= 2 * multiple)
      end
    end
  end)

  it("refuses what it cannot divide, and says why", function()
    assert.matches("cl.split: total must be a whole number of 0 or more, got %-1", refusal(cl.split, -1, 0))
    assert.matches("rates must be a list of 2 numbers, one for each device, not of 1",
      refusal(cl.split, 5, {0, 0}, {rates = {1}}), 1, true)
    for _, wrong in ipairs {-1, 0 / 0, math.huge, "3"} do
      assert.matches("cl.split: rates[2] must be a number of 0 or more, got",
        refusal(cl.split, 5, {0, 0}, {rates = {1, wrong}}), 1, true)
    end
    assert.matches("the sum of all rates must be above 0", refusal(cl.split, 5, {0, 0}, {rates = {0, 0}}))
    assert.matches('by = "rate" needs rates', refusal(cl.split, 5, 0, {by = "rate"}), 1, true)
    assert.matches('rates are for by = "rate"', refusal(cl.split, 5, 0, {by = "even", rates = {1}}), 1, true)
    assert.matches("rates must be a list with a rate for each device, or a function of a device, got 3; the rates "
      .. "field of what workers:run() returns is one", refusal(cl.split, 5, 0, {rates = 3}), 1, true)
    assert.matches("or a list of these, got struct types$",
      refusal(cl.split, 5, cl.structs "typedef struct { int a; } t;"))
    assert.matches('there is no way to split "fair"', refusal(cl.split, 5, 0, {by = "fair"}), 1, true)
    assert.matches("what rates() returned must be a number", refusal(cl.split, 5, 0, {rates = function() end}), 1, true)
    assert.matches("multiple must be a whole number of 1 or more", refusal(cl.split, 5, 0, {multiple = 0}))
    assert.matches("on must name a device at least", refusal(cl.split, 5, {}))
    assert.matches("on%[2%] must be a text", refusal(cl.split, 5, {0, {}}))
    assert.matches("no device 99", refusal(cl.split, 5, "99"))
  end)
end)

-- ---- the sizes of chunks ----

-- Lets devices of some rates do a total by clue.several_devices.plan, without OpenCL. A chunk costs `cost`
-- seconds besides. Returns the seconds until all were done, and how many items each did. Checks that each item is done
-- once.
local function simulate(rates, total, options)
  options = options or {}
  local all, now, clock = {}, 0, {}
  for i in ipairs(rates) do all[i], clock[i] = {queued = 0, flight = {}, items_done = 0}, 0 end
  local work, seen = rest_of.new(total, options.multiple or 1, options.most), 0
  local known = options.known
  for i, each in ipairs(all) do
    if known then
      plan.done(each, 1, 1)
      plan.done(each, total, total / rates[i] + (options.cost or 0))
      each.rate, each.overhead = rates[i], options.cost or 0
    end
  end
  local function serve()
    local given
    repeat
      given = false
      for i, each in ipairs(all) do
        if #each.flight < 2 and work.rest > 0 then
          local count = plan.next(all, each, work, now)
          if count > 0 then
            local _, taken = work:take(count)
            if #each.flight == 0 then each.since, clock[i] = now, now end
            clock[i] = clock[i] + (options.cost or 0) + taken / rates[i]
            each.flight[#each.flight + 1], each.queued = {count = taken, ends = clock[i]}, each.queued + taken
            given = true
          end
        end
      end
    until not given
  end
  local chunks = 0
  while true do
    serve()
    local first
    for _, each in ipairs(all) do
      if each.flight[1] and (not first or each.flight[1].ends < first.flight[1].ends) then first = each end
    end
    if not first then break end
    local chunk = table.remove(first.flight, 1)
    now, chunks = chunk.ends, chunks + 1
    first.queued, first.items_done = first.queued - chunk.count, first.items_done + chunk.count
    plan.done(first, chunk.count, now - first.since)
    first.since, seen = now, seen + chunk.count
  end
  assert.equal(0, work.rest)
  assert.equal(total, seen)
  return now, all, chunks
end

local function sum_of(rates)
  local sum = 0
  for _, rate in ipairs(rates) do sum = sum + rate end
  return sum
end

describe("chunks", function()
  it("end together on devices whose rates are known, however unequal these are", function()
    for _, rates in ipairs {{1e6, 1e6}, {1e6, 3e5}, {1e6, 1e4}, {2e6, 1e6, 5e5, 1e3}, {1e6, 1e2}} do
      local seconds = simulate(rates, 1e6, {known = true})
      local ideal = 1e6 / sum_of(rates)
      assert.is_true(seconds < 1.03 * ideal, ("%g: %g, ideal %g"):format(rates[2], seconds, ideal))
    end
  end)

  it("end nearly together if the rates must be learnt", function()
    for _, rates in ipairs {{1e6, 1e6}, {1e6, 3e5}, {1e4, 1e6}, {2e6, 1e6, 5e5}} do
      local seconds, _, chunks = simulate(rates, 1e6)
      assert.is_true(seconds < 1.06 * 1e6 / sum_of(rates), seconds)
      assert.is_true(chunks < 40 * #rates, chunks)
    end
  end)

  it("cost a slow device's companion nothing: it is not waited for", function()
    for _, slow in ipairs {1e5, 1e4, 2e3} do
      local alone = 1e6 / 1e6
      assert.is_true(simulate({1e6, slow}, 1e6, {known = true}) <= alone, slow)
      assert.is_true(simulate({1e6, slow}, 1e6) <= 1.02 * alone, slow)
    end
  end)

  it("leave a device out that one multiple alone would make last", function()
    local seconds, all = simulate({1e6, 10}, 1e4, {known = true, multiple = 100})
    assert.is_true(seconds < 1.01 * 1e-2)
    assert.equal(0, all[2].items_done)
  end)

  it("are multiples, and no larger than most", function()
    local work = rest_of.new(1003, 10, 50)
    local all = {}
    for i, rate in ipairs {5, 50} do
      all[i] = {queued = 0, since = 0, rate = rate, overhead = 0, largest = 1000, flight = {}}
    end
    while work.rest > 0 do
      local count = plan.next(all, all[2], work, 0)
      assert.is_true(count <= 50 and (count % 10 == 0 or count == work.rest))
      if count == 0 then break end
      work:take(count)
    end
  end)

  it("are few for one device: halves of the rest, down to a small part of the whole", function()
    for _, known in ipairs {true, false} do
      local _, _, chunks = simulate({1e6}, 1e6, {known = known})
      assert.is_true(chunks > 3 and chunks < 10, chunks)
    end
  end)

  it("are one for each device where starting a chunk takes a large part of the time", function()
    local seconds, _, chunks = simulate({1e6, 1e6}, 1e6, {known = true, cost = 0.1})
    assert.equal(2, chunks)
    assert.is_true(seconds < 0.61)
    seconds, _, chunks = simulate({1e6, 2e5}, 1e6, {known = true, cost = 0.1})
    assert.is_true(chunks <= 3, chunks)
    assert.is_true(seconds < 1.03 * (1 + 0.1 * 1.2) / 1.2, seconds)
  end)

  it("soon become so where that must be learnt", function()
    local seconds = simulate({1e6, 1e6}, 1e6, {cost = 0.02})
    assert.is_true(seconds < 0.8, seconds)
  end)

  it("are one multiple where there is less than that to do", function()
    for _, rates in ipairs {{1e6}, {1e6, 1e3}, {1, 1, 1}} do
      for _, known in ipairs {true, false} do
        local _, _, chunks = simulate(rates, 3, {multiple = 256, known = known})
        assert.equal(1, chunks)
      end
    end
  end)

  it("hold their promises for random rates, totals and costs", function()
    math.randomseed(2)
    for _ = 1, 300 do
      local rates = {}
      for i = 1, math.random(1, 6) do rates[i] = 10 ^ (6 * math.random()) end
      simulate(rates, math.random(0, 1e5), {multiple = math.random(1, 50), known = math.random(2) == 1,
        cost = math.random() * 1e-3})
    end
  end)
end)

it("items that were given back come first, in pieces as they are wanted, and no item is lost", function()
  local work = rest_of.new(100, 1)
  assert.same({0, 30}, {work:take(30)})
  assert.same({30, 10}, {work:take(10)})
  work:back(10, 5)
  assert.equal(65, work.rest)
  assert.same({10, 3}, {work:take(3)})
  assert.same({13, 2}, {work:take(60)})
  assert.same({40, 60}, {work:take(60)})
  assert.equal(0, work.rest)
end)

-- ---- workers ----

local SOURCE = [[
kernel __attribute__((reqd_work_group_size(1, 1, 1))) // PoCL compiles a kernel anew for each size of its groups
void mark(global uint *x, uint first) { x[first + get_global_id(0)] = 3 * (first + (uint)get_global_id(0)) + 1; }
]]

-- A setup whose chunks write 3 i + 1 to item i of `results`. change(worker, first, count) may raise.
local function marking(results, change)
  return function(worker)
    local mark = worker.context:program(SOURCE):kernel "mark"
    local x = worker.context:buffer(results:bytes() + 4)
    return function(first, count)
      if change then change(worker, first, count) end
      mark(worker.queue, count, 1, x, first)
      return worker.queue:read_buffer(x, results, {offset = 4 * first, first = first, count = count, blocking = false})
    end
  end
end

local function assert_marked(results, count)
  for i = 0, count - 1 do
    if results[i] ~= 3 * i + 1 then assert.equal(3 * i + 1, results[i], "item " .. i) end
  end
end

describe("workers", function()
  setup(function() objects.context() end)

  it("do every item once", function()
    local results, times = array.uint(10007), array.uint(10007)
    local workers = cl.workers({0, 0}, marking(results))
    for _ = 1, 2 do
      results:fill(0)
      times:fill(0)
      local done = workers:run(10007, {on_chunk = function(worker, first, count, slot)
        assert.is_true(slot == 1 or slot == 2)
        assert.equal(0, worker.device.ordinal)
        for i = first, first + count - 1 do times[i] = times[i] + 1 end
      end})
      assert_marked(results, 10007)
      for i = 0, 10006 do assert.equal(1, times[i]) end
      assert.equal(10007, done.devices[1].items + done.devices[2].items)
      assert.equal(2, #done.rates)
      assert.matches("^10007 items in .- on 2 devices\n  0 %(", tostring(done))
    end
  end)

  it("do nothing, one item, and fewer items than devices", function()
    local results = array.uint(8)
    local workers = cl.workers({0, 0, 0}, marking(results))
    assert.equal(0, workers:run(0).total)
    for _, total in ipairs {1, 2, 3} do
      results:fill(0)
      assert.equal(total, workers:run(total).total)
      assert_marked(results, total)
      assert.equal(0, results[total])
    end
  end)

  it("take whole multiples, and at most as many as given", function()
    local results = array.uint(1003)
    cl.each_device(1003, {0, 0}, marking(results, function(_, first, count)
      assert.equal(0, first % 8)
      assert.is_true(count <= 64 and (count % 8 == 0 or first + count == 1003))
    end), {multiple = 8, most = 64})
    assert_marked(results, 1003)
  end)

  it("may share a context, with its programs and buffers", function()
    local context, results = objects.context(), array.uint(500)
    local mark, x = context:program(SOURCE):kernel "mark", context:buffer(2000)
    local seen = {}
    cl.each_device(500, {context, context}, function(worker)
      seen[worker.index] = worker.context == context
      return function(first, count)
        mark(worker.queue, count, 1, x, first) -- returns nothing: what is enqueued on the queue is the chunk
        worker.queue:read_buffer(x, results, {offset = 4 * first, first = first, count = count, blocking = false})
      end
    end)
    assert.same({true, true}, seen)
    assert_marked(results, 500)
    assert.equal(2000, context:buffer(2000).size) -- the context was not freed
  end)

  it("wait for all events that a chunk returns", function()
    local results = array.uint(300)
    cl.each_device(300, 0, function(worker)
      local mark, x = worker.context:program(SOURCE):kernel "mark", worker.context:buffer(1200)
      local other = worker.context:queue()
      return function(first, count)
        local marked = mark(worker.queue, count, 1, x, first)
        return {marked, other:after(marked):read_buffer(x, results, {offset = 4 * first, first = first, count = count,
          blocking = false})}
      end
    end, {most = 50})
    assert_marked(results, 300)
  end)

  it("that fail give their chunks back, and the others do them", function()
    local results, calls = array.uint(5000), 0
    local workers, done
    repeat -- one that was slow at its first chunk, as on a busy machine, may get no other
      results:fill(0)
      workers = cl.workers({0, 0}, marking(results, function(worker)
        calls = calls + (worker.index == 1 and 1 or 0)
        if worker.index == 1 and calls > 2 then error "planted" end
      end))
      done = workers:run(5000)
      assert_marked(results, 5000)
    until calls > 2
    assert.matches("several_spec.lua:%d+: planted$", done.devices[1].error)
    assert.is_nil(done.devices[2].error)
    assert.equal(5000, done.devices[1].items + done.devices[2].items)
    assert.equal(0, done.rates[1])
    results:fill(0)
    assert.equal(0, workers:run(5000).devices[1].items) -- it stays out
    assert_marked(results, 5000)
  end)

  it("that fail while they are prepared are left out", function()
    local results = array.uint(100)
    local function prepare(worker)
      if worker.index == 2 then error "no luck" end
      return marking(results)(worker)
    end
    local done = cl.each_device(100, {0, 0}, prepare)
    assert.matches("no luck", done.devices[2].error)
    assert_marked(results, 100)
  end)

  it("are an error if all fail, which names the line of each", function()
    local function failing() error "always" end
    local workers = cl.workers({0, 0}, marking(array.uint(100), failing))
    local message = refusal(workers.run, workers, 100)
    assert.matches("^all 2 devices failed: .-several_spec.lua:%d+: always$", message)
    assert.equal(message, refusal(workers.run, workers, 100))
    assert.matches("^all 2 devices failed:\n  device 0 .-: .-:%d+: 1\n  device 0 .-: .-:%d+: 2$",
      refusal(cl.each_device, 9, {0, 0}, function(worker) error(tostring(worker.index)) end))
    local done, problem = pcall(cl.each_device, 9, 0, function() error({"an object"}) end)
    assert.is_false(done)
    assert.same({"an object"}, problem) -- one device: its own error
  end)

  it("that raise nothing at all are an error, too", function()
    assert.is_false((pcall(cl.each_device, 9, 0, function() error() end)))
  end)

  it("pass on an error of on_chunk, after what was enqueued has ended", function()
    local results = array.uint(1000)
    local workers = cl.workers({0, 0}, marking(results))
    local done, problem = pcall(workers.run, workers, 1000, {on_chunk = function() error "enough" end})
    assert.is_false(done)
    assert.matches("several_spec.lua:%d+: enough$", problem)
    assert.equal(1000, workers:run(1000).total)
    assert_marked(results, 1000)
  end)

  it("refuse what is wrong, and name the function", function()
    assert.matches("cl.workers: setup must be a function, got nil", refusal(cl.workers, 0))
    assert.matches("several_spec.lua:%d+ must return the function of a chunk, got nil",
      refusal(cl.workers, 0, function() end))
    assert.matches("several_spec.lua:%d+ must return the event of its last command, a list .-, or nothing, got 3",
      refusal(cl.each_device, 9, 0, function() return function() return 3 end end))
    local workers = cl.workers(0, marking(array.uint(9)))
    assert.matches("workers:run: total must be a whole number", refusal(workers.run, workers, 1.5))
    assert.matches("most must be a multiple of 4", refusal(workers.run, workers, 9, {multiple = 4, most = 6}))
    assert.matches("call it with a colon", refusal(workers.run, 9))
    assert.matches("workers:close: call it with a colon: workers expected before it, got nil", refusal(workers.close))
    workers:close()
    workers:close()
    assert.matches("the workers were closed", refusal(workers.run, workers, 9))
  end)

  it("refuse a chunk whose event is closed by a later one", function()
    local open
    assert.matches("the event of a chunk was closed before its end", refusal(cl.each_device, 9, 0, function(worker)
      return function()
        if open then open:close() end
        open = worker.queue:marker()
        return open
      end
    end, {most = 1}))
  end)

  it("cannot run again from within a chunk, nor be closed", function()
    local workers
    workers = cl.workers(0, function() return function() workers:close() end end)
    assert.equal("workers:close: these workers are running: they can be closed afterwards",
      refusal(workers.run, workers, 9))
    workers = cl.workers(0, function() return function() return workers:run(9) end end)
    assert.matches("these workers are running", refusal(workers.run, workers, 9))
    assert.matches("these workers are running", refusal(workers.run, workers, 9)) -- of the device that failed
  end)
end)
