-- What a step is compared with: the fastest of clue peak's kernels in each turn, whatever a disturbance made of one.
-- suite: quick
-- process: shared
local ceiling = require "clue.walk.ceiling"
local global = require "clue.peak.global"
local measure = require "clue.walk.measure"
local stand = require "clue.peak.stand"

local run, new = global.run, stand.new

-- Lets clue peak find these speeds in GB/s, turn by turn, for the widths of reading.
local function peak_finds(turns)
  local turn = 0
  stand.new = function() return {} end
  global.run = function(_, each_limit)
    turn = turn + 1
    for _, width in ipairs {"float4", "float8", "float16"} do
      local speed = turns[math.min(turn, #turns)][width]
      each_limit({way = "read", name = "read " .. width}, function()
        return {times = {1 / speed}, amount = 1e9, unit = "GB/s"}
      end)
      each_limit({way = "copy", name = "copy " .. width}, function() error "this way was not asked for" end)
    end
  end
end

-- A step that reads 10 GB in one second. Nothing of it moves between the host and the device.
local function moves() error "the work on the device alone is timed" end
local step = {bytes = 1e10, execute = function() return 1 end, upload = moves, read = moves, last_parts = {kernel = 1}}
local context = {device = {global_mem_cache_size = 0}}

describe("the limit that a step is compared with", function()
  after_each(function() global.run, stand.new = run, new end)

  it("is that of the fastest width, even if all faster ones were disturbed in the first turn", function()
    local right = {float4 = 20, float8 = 30, float16 = 40}
    local disturbed = {float4 = 20, float8 = 3, float16 = 4}
    peak_finds {disturbed, right}
    assert.equal("0.25 (0.25-0.5) of the speed of clue peak's fastest reading kernel (read float16, 40 GB/s), "
      .. "in 6 turns", ceiling.reading(context, step))
  end)

  it("has the name that most turns give", function()
    peak_finds {{float4 = 20, float8 = 19, float16 = 18}, {float4 = 18, float8 = 20, float16 = 19}}
    assert.matches("(read float8, 20 GB/s)", ceiling.reading(context, step), 1, true)
  end)

  it("is none if the kernel of clue peak computes something wrong", function()
    stand.new = function() return {} end
    global.run = function(_, each_limit)
      each_limit({way = "read", name = "read float"}, function()
        return {times = {1}, unit = "us", wrong = "3, not 4"}
      end)
    end
    assert.has_error(function() ceiling.reading(context, step) end, "clue peak's kernel read float: 3, not 4")
  end)

  it("is not given if caches may hold the data", function()
    assert.matches("caches may hold the data", ceiling.reading(context, {bytes = 2 ^ 21}), 1, true)
    assert.matches("caches may hold the data", ceiling.reading({device = {global_mem_cache_size = 2 ^ 30}},
      {bytes = 2 ^ 31}), 1, true)
  end)
end)

-- What clue peak needs of a device; counts the times that it moves data between device and host.
local function counting_stand()
  local moved = {filled = 0, read = 0}
  local memory = {close = function() end}
  return moved, {
    context = {buffer = function() return memory end,
               program = function() return {kernel = function(_, name) return name end} end},
    queue = {fill_buffer = function() end}, device = {kind = "cpu"},
    group_for = function() return 16 end, largest = function(_, most) return most end,
    run = function() return 0.03, "host" end,
    put_periodic = function() moved.filled = moved.filled + 1 end,
    is_periodic = function()
      moved.read = moved.read + 1
      return true
    end,
  }
end

describe("turns of a step and a limit", function()
  it("fill the limit's buffers once, and read its results once for each kernel", function()
    local moved, fake = counting_stand()
    local kept, names = {}, 0
    for _ = 1, 4 do
      global.run(fake, function(facts, measured)
        if facts.way ~= "read" then return end
        names = names + 1
        assert.is_nil(measured().wrong)
      end, kept)
    end
    global.release(kept)
    assert.same({20, 5}, {names, moved.read})
    local filled = moved.filled
    global.run(fake, function(facts, measured) if facts.name == "read float" then measured() end end)
    assert.same({6, filled + 1}, {moved.read, moved.filled}) -- without what was kept, all is done again
  end)

  it("leave out transfers of a step whose kernels tell their time", function()
    local calls = {}
    local function part(name) return function() calls[#calls + 1] = name end end
    local spec = {upload = part "upload", reset = part "reset", read = part "read",
                  execute = function() return 1, "device" end}
    measure.untimed(spec)
    assert.same({"upload", "reset", "read"}, calls)
    assert.equal(1, measure.again(spec).kernel)
    assert.same({"upload", "reset", "read", "reset"}, calls)
  end)
end)
