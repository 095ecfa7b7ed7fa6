--- Caches: how long a load takes from the nearest one, from the one that all compute units share and from memory, and
-- how fast all of them read the shared one and store to it.
--
-- A load is timed by a work-item that needs what it reads to know where to read next: a list of lines of 128 bytes, in
-- an order that no prefetching guesses. The list goes through all lines before it comes back, and each run goes on
-- where the last one ended. So lists of some sizes stay in one cache and in no nearer one: 16 KiB in the nearest, 4 MiB
-- in the shared one of all GPUs of the last ten years, 128 MiB in memory.
local cl = require "clue"
local series = require "clue.peak.series"

local caches = {}

local LINE = 128

-- The next line of line i is i * FACTOR + TERM, which visits all of a power of two.
local FACTOR, TERM = 1664525, 1013904223

local source = ([[
kernel void link(global uint *next, const uint last) {
  const uint i = get_global_id(0);
  next[i * 32] = ((i * %du + %du) & last) * 32;
}

kernel void follow(global const uint *next, global uint *place, const uint loads) {
  uint at = place[0];
  for (uint i = 0; i < loads; i++) at = next[at];
  place[0] = at;
}

/* All groups read all vectors of a buffer again and again, each from a place of its own. */
kernel void again(global const float4 *from, global float *to, const uint last, const uint rounds) {
  uint at = get_group_id(0) * 1021 * 64 + get_local_id(0);
  float4 sum = 0;
  for (uint i = 0; i < rounds; i++) {
    sum += from[at & last]; at += get_local_size(0);
    sum += from[at & last]; at += get_local_size(0);
    sum += from[at & last]; at += get_local_size(0);
    sum += from[at & last]; at += get_local_size(0);
    sum += from[at & last]; at += get_local_size(0);
    sum += from[at & last]; at += get_local_size(0);
    sum += from[at & last]; at += get_local_size(0);
    sum += from[at & last]; at += get_local_size(0);
  }
  to[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

/* Each work-item stores one word of a line, another line than its neighbours do, as a column of a matrix is stored. */
kernel void scatter(global uint *to, const uint last, const uint rounds) {
  uint line = get_global_id(0);
  for (uint i = 0; i < rounds; i++) {
    to[(line & last) * 32] = line & 255;
    line += get_global_size(0);
  }
}
]]):format(FACTOR, TERM)

-- ---- a list of lines ----

--- The line after so many steps from line 0: the map of two, four, ... steps is of the same form.
-- @tparam number lines a power of two, at most 2^20: so all products are exact
-- @tparam number steps
-- @treturn number
function caches.line_after(lines, steps)
  local factor, term, at = FACTOR % lines, TERM % lines, 0
  while steps > 0 do
    if steps % 2 == 1 then at = (at * factor + term) % lines end
    factor, term, steps = factor * factor % lines, (factor * term + term) % lines, math.floor(steps / 2)
  end
  return at
end

local function measure_loads(stand, program, bytes)
  local lines, loads, place = bytes / LINE, 0, cl.array.uint(1)
  local link, next_line, at = program:kernel "link", stand.context:buffer(bytes), stand.context:buffer(4)
  stand:run(link, lines, math.min(lines, stand:group_for(link)), next_line, lines - 1)
  stand.queue:write_buffer(at, place)
  local kernel = program:kernel "follow"
  local function run(steps)
    loads = loads + steps
    return stand:run(kernel, 1, 1, next_line, at, steps)
  end
  local measured = series.measure {
    unit = "ns", least = stand.slow and 64 or 4096, most = stand.slow and 64 or 2 ^ 24, run = run,
    choose = not stand.slow and function() run(math.min(lines, 2 ^ 16)) end or nil, -- what fits a cache is in it now
    amount = function(steps) return steps end,
    check = function()
      stand.queue:read_buffer(at, place)
      local line = caches.line_after(lines, loads)
      return place[0] == line * 32, ("place %.0f instead of %.0f"):format(place[0], line * 32)
    end,
  }
  next_line:close()
  at:close()
  return measured
end

-- ---- the bandwidth of the shared cache ----

-- Groups for each compute unit, and the most rounds: more sums would not be exact in float.
local groups_of_unit, most_rounds, reads = 8, 1024, 8

-- The sums of a group's items, whose loads begin at a multiple of 64 vectors; memory repeats 0, 1, ... 255.
local function sums(group, rounds)
  local results = {}
  for item = 0, group - 1 do
    local sum = 0
    for k = 0, 63 do sum = sum + 4 * ((k * group + item) * 4 % 256) + 6 end
    results[item + 1] = sum * (rounds * reads / 64)
  end
  return results
end

local function ramp()
  local values = {}
  for i = 0, 255 do values[i + 1] = i end
  return values
end

local function measure_again(stand, program, bytes)
  local kernel = program:kernel "again"
  local group, units = stand:group_for(kernel), stand.units
  local items = units * groups_of_unit * group
  local from, to = stand.context:buffer(bytes), stand.context:buffer(items * 4)
  stand:put_periodic(from, "float", bytes / 4, ramp())
  stand.queue:fill_buffer(to, cl.float(-1))
  local measured = series.measure {
    unit = "GB/s", least = 8, most = stand.slow and 8 or most_rounds,
    run = function(rounds) return stand:run(kernel, items, group, from, to, bytes / 16 - 1, rounds) end,
    amount = function(rounds) return items * rounds * reads * 16 end,
    check = function(rounds) return stand:is_periodic(to, "float", items, sums(group, rounds)) end,
  }
  from:close()
  to:close()
  return measured
end

-- ---- stores to the shared cache ----

-- The words of so many lines, which repeat: the first of each is its number.
local function stored()
  local words = {}
  for line = 0, 255 do
    for word = 0, LINE / 4 - 1 do words[#words + 1] = word == 0 and line or 0 end
  end
  return words
end

local function measure_stores(stand, program, bytes)
  local kernel = program:kernel "scatter"
  local group, units = stand:group_for(kernel), stand.units
  local items, lines = units * groups_of_unit * group, bytes / LINE
  local to = stand.context:buffer(bytes)
  stand.queue:fill_buffer(to, cl.uint(0))
  local measured = series.measure {
    unit = "G/s", least = math.max(8, lines / items), most = stand.slow and 8 or most_rounds,
    run = function(rounds) return stand:run(kernel, items, group, to, lines - 1, rounds) end,
    amount = function(rounds) return items * rounds end,
    check = function() return stand:is_periodic(to, "uint", bytes / 4, stored()) end,
  }
  to:close()
  return measured
end

-- ---- all of it ----

local limits = {
  {name = "read 4 MiB again", way = "again", bytes = 2 ^ 22, measure = measure_again, shared = true},
  {name = "write 4 MiB, a word a line", way = "stores", bytes = 2 ^ 22, measure = measure_stores, shared = true},
  {name = "load, 16 KiB", way = "near", bytes = 2 ^ 14, measure = measure_loads},
  {name = "load, 4 MiB", way = "shared", bytes = 2 ^ 22, measure = measure_loads},
  {name = "load, 128 MiB", way = "memory", bytes = 2 ^ 27, measure = measure_loads},
}

--- Measures the caches.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit see @{clue.peak.compute.run}; facts.way: "again" (bytes a second of the shared cache),
--   "stores" (to a line each, a second), "near", "shared" or "memory" (seconds of a load)
function caches.run(stand, each_limit)
  local program
  for _, each in ipairs(limits) do
    each_limit({way = each.way, name = each.name}, function()
      if each.shared and stand.device.kind == "cpu" then return {skipped = "each core has caches of its own"} end
      if stand.slow and each.bytes > 2 ^ 22 then return {skipped = "kernels are interpreted"} end
      local bytes = stand:largest(each.bytes)
      if bytes < each.bytes then return {skipped = "too little memory"} end
      program = program or stand.context:program(source)
      return each.measure(stand, program, bytes)
    end)
  end
end

return caches
