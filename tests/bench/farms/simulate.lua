-- Simulates a tuning by `clue farm`: how long some candidates take on 1 to 64 devices, and what the limit is.
--
--     luajit tests/bench/farms/simulate.lua [NAME=NUMBER ...]
--
-- Workers take chunks, as GNU parallel deals them out: the next job starts when a worker is free and the farm has
-- started the one before. A job costs its overhead (connection, start, reference answer), then compiles and measures
-- its candidates; their costs vary (log-normal). Then one worker measures the best again. Times in seconds:
local given = {
  candidates = 1000,
  compile = 0.5,    -- one candidate, by the driver's compiler
  measure = 0.1,    -- its runs and its verification
  spread = 0.5,     -- sigma of the logarithm of both
  overhead = 1.4,   -- of a job, on its worker: measured on an H200, see docs/reference/farm.md
  start = 0.006,    -- of a job, here: 180 jobs a second were measured with 16 cores
  final = 3,        -- the best, once more
  slow = 1,         -- how many times as long the slowest worker takes
  chunk = 0,        -- candidates of a job; 0: as clue farm chooses
  repeats = 200,
}
for _, word in ipairs(arg) do
  local name, value = word:match "^(%l+)=([%d.]+)$"
  if not given[name] then error(("'%s': give NAME=NUMBER, see the script's head"):format(word), 0) end
  given[name] = tonumber(value)
end

math.randomseed(1)

local function normal()
  return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end

-- Seconds of each candidate.
local function costs()
  local list, mean = {}, math.exp(given.spread ^ 2 / 2)
  for i = 1, given.candidates do
    list[i] = (given.compile + given.measure) * math.exp(given.spread * normal()) / mean
  end
  return list
end

-- As host/lua/farm/kind/tune.lua has it.
local function chunk_of(workers)
  if given.chunk > 0 then return given.chunk end
  return math.max(math.ceil(given.candidates / (workers * 3)), math.min(4, math.ceil(given.candidates / workers)))
end

-- Seconds until all is done, and how long the workers were at work with candidates.
local function run(workers)
  local list, size = costs(), chunk_of(workers)
  local free, farm, work = {}, 0, 0
  for i = 1, workers do free[i] = 0 end
  for first = 1, #list, size do
    local best = 1
    for i = 2, workers do
      if free[i] < free[best] then best = i end
    end
    local seconds = 0
    for i = first, math.min(first + size - 1, #list) do seconds = seconds + list[i] end
    work = work + seconds
    local begin = math.max(free[best], farm)
    farm = begin + given.start
    free[best] = begin + given.start + (given.overhead + seconds) * (best == 1 and given.slow or 1)
  end
  local last = 0
  for i = 1, workers do last = math.max(last, free[i]) end
  return last + given.overhead + given.final, work
end

print(("%d candidates, %g s to compile and %g s to measure each; a job costs %g s on its worker and %g s here"):format(
  given.candidates, given.compile, given.measure, given.overhead, given.start))
print "devices  chunk   jobs   seconds  times as fast  efficiency  workers busy with candidates"
local alone
for _, workers in ipairs {1, 2, 4, 8, 16, 32, 64} do
  local total, work = 0, 0
  for _ = 1, given.repeats do
    local seconds, busy = run(workers)
    total, work = total + seconds, work + busy
  end
  total, work = total / given.repeats, work / given.repeats
  alone = alone or total
  local size = chunk_of(workers)
  print(("%7d  %5d  %5d  %8.1f  %13.1f  %10.2f  %28.0f %%"):format(workers, size,
    math.ceil(given.candidates / size), total, alone / total, alone / total / workers,
    100 * work / (workers * total)))
end
