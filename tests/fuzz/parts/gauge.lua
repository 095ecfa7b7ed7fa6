--- What a process holds at a moment, and whether it grew: for soak.lua.
local binding = require "clue.binding"

local gauge = {}

--- What may grow, after the first third of the samples. Handles, descriptors and threads may not grow at all. The
-- memory of the process may grow by so many bytes on the driver that does nothing; with other drivers also by what they
-- keep, for each program that was built. In a short run it may grow by more, since the heap takes some laps until it
-- holds 60,000 objects without growing, and so do the drivers' pools.
gauge.memory, gauge.memory_of_driver, gauge.memory_of_build = 2 ^ 20, 8 * 2 ^ 20, 4096
gauge.memory_of_short_run, gauge.memory_of_driver_in_short_run = 8 * 2 ^ 20, 32 * 2 ^ 20

local SHORT = 20 -- laps

local MOST_LINES = 12

local MOST_DESCRIPTORS = 1024

local function status_field(text, name)
  return tonumber(text:match(name .. ":%s*(%d+)"))
end

-- Lua cannot list a folder, and a program that could would be given descriptors for it.
local function descriptors()
  local count = 0
  for number = 0, MOST_DESCRIPTORS - 1 do
    local file = io.open("/proc/self/fdinfo/" .. number)
    if file then
      count = count + 1
      file:close()
    end
  end
  return count
end

--- Collects garbage, and measures.
-- @tparam number cycles done so far
-- @tparam number seconds passed so far
-- @treturn table memory (bytes), lua (bytes), handles, descriptors, threads, cycles, seconds
function gauge.sample(cycles, seconds)
  for _ = 1, 3 do collectgarbage() end -- objects that others keep alive are collected after those
  local file = assert(io.open "/proc/self/status")
  local text = file:read "*a"
  file:close()
  return {memory = status_field(text, "VmRSS") * 1024, threads = status_field(text, "Threads"),
          lua = collectgarbage "count" * 1024, handles = binding.handle_count(), descriptors = descriptors(),
          cycles = cycles, seconds = seconds}
end

--- Prints some of the samples, the first and the last among them.
-- @tparam {table,...} samples
function gauge.print_table(samples)
  print "   lap  seconds      cycles  cycles/s  memory KiB  Lua KiB  handles  descriptors  threads"
  local step = math.max(1, math.ceil(#samples / MOST_LINES))
  for i, s in ipairs(samples) do
    if i == 1 or i == #samples or i % step == 0 then
      print(("%6d %8.1f %11.0f %9.0f %11.0f %8.0f %8d %12d %8d"):format(i, s.seconds, s.cycles,
        s.cycles / math.max(s.seconds, 1e-9), s.memory / 1024, s.lua / 1024, s.handles, s.descriptors, s.threads))
    end
  end
end

--- Prints how many objects of each kind were made one by one.
-- @tparam {[string]=number} made
function gauge.print_counts(made)
  local words = {}
  for name, count in pairs(made) do words[#words + 1] = ("%s %d"):format(name, count) end
  table.sort(words)
  print("one by one: " .. table.concat(words, ", "))
end

-- The least of a field in samples from first to last: the heap's peaks do not count.
local function least(samples, field, first, last)
  local found = math.huge
  for i = first, last do found = math.min(found, samples[i][field]) end
  return found
end

--- Says what grew since the first third, and whether that is within the bounds.
-- @tparam {table,...} samples at least 3
-- @tparam table done builds, objects; own: whether no driver's memory is in it
-- @treturn boolean
function gauge.judge(samples, done)
  local first = math.ceil(#samples / 3)
  local middle, flat = math.max(first, math.ceil(2 * #samples / 3)), true
  local after = done.builds * (#samples - first) / #samples
  local bounds = {handles = 0, descriptors = 0, threads = 0, lua = 2 * gauge.memory, memory = gauge.memory}
  local short = #samples < SHORT
  if short then bounds.memory = gauge.memory_of_short_run end
  if not done.own then
    bounds.memory = bounds.memory + gauge.memory_of_build * after
      + (short and gauge.memory_of_driver_in_short_run or gauge.memory_of_driver)
  end
  for _, field in ipairs {"memory", "lua", "handles", "descriptors", "threads"} do
    local growth = least(samples, field, math.min(middle + 1, #samples), #samples)
      - least(samples, field, first, middle)
    local bytes = field == "memory" or field == "lua"
    local unit = bytes and " KiB" or ""
    local wrong = growth > bounds[field]
    print(("%s grew by %.0f%s after the first third; the bound is %.0f%s%s"):format(field,
      bytes and growth / 1024 or growth, unit, bytes and bounds[field] / 1024 or bounds[field], unit,
      wrong and ": TOO MUCH" or ""))
    flat = flat and not wrong
  end
  print(("%.0f cycles, %.0f objects, %d laps in %.1f s: %s"):format(samples[#samples].cycles, done.objects, #samples,
    samples[#samples].seconds, flat and "flat" or "GREW"))
  return flat
end

return gauge
