-- Measures what a job of `clue farm` costs besides its work: jobs that do nothing, on the workers of a file of hosts.
--
--     CLUE=build/clue luajit tests/bench/farms/overhead.lua HOSTS [OPTION OF CLUE FARM ...]
--
-- Prints the seconds of a job (from the start of its connection to its end), those between the starts of two jobs of
-- one worker, which have GNU parallel's part in them, and how many jobs a second all workers end. With more workers
-- than processors here, the last is the most that one farm starts.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
local clue = os.getenv "CLUE" or here .. "/../../../build/clue"
package.path = ("%s/../parts/?.lua;/usr/share/lua/5.1/?.lua;%s"):format(here, package.path)
local json = require "dkjson"
local statistics = require "statistics"

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local words = {}
for i, word in ipairs(arg) do words[i] = quoted(word) end
if not words[1] then error("give a file of hosts", 0) end

local pipe = assert(io.popen "mktemp -d")
local folder = pipe:read "*l"
pipe:close()
local script = assert(io.open(folder .. "/nothing.lua", "w"))
script:write "input.int('_n', 0) input.int('_m', 0) function OnStart() end"
script:close()

-- 160 jobs
local status = os.execute(("%s farm sweep %s/nothing.lua --any-device --set n=1..16+1 --set m=1..10+1 "
  .. "--results %s/farm --hosts %s >%s/out"):format(quoted(clue), folder, folder, table.concat(words, " "), folder))
if status ~= 0 and status ~= true then error("clue farm failed", 0) end

local seconds = {}
for line in io.lines(folder .. "/farm/events") do
  local event = json.decode(line)
  if event.done then seconds[#seconds + 1] = event.seconds end
end

-- GNU parallel's log: sequence, worker, start, seconds, ...
local starts, all = {}, {}
for line in io.lines(folder .. "/farm/1.joblog") do
  local worker, start, runtime = line:match "^%d+\t([^\t]*)\t%s*([%d.]+)\t%s*([%d.]+)"
  if worker then
    starts[worker] = starts[worker] or {}
    table.insert(starts[worker], tonumber(start))
    table.insert(all, {start = tonumber(start), finish = tonumber(start) + tonumber(runtime)})
  end
end

local gaps, first, last, workers = {}, math.huge, 0, 0
for _, list in pairs(starts) do
  workers = workers + 1
  table.sort(list)
  for i = 2, #list do gaps[#gaps + 1] = list[i] - list[i - 1] end
end
for _, each in ipairs(all) do first, last = math.min(first, each.start), math.max(last, each.finish) end

local function show(name, values)
  print(("%-34s median %.3f s, 10 %% to 90 %%: %.3f to %.3f s"):format(name, statistics.median(values),
    statistics.quantile(values, 0.1), statistics.quantile(values, 0.9)))
end

print(("%d jobs, %d workers"):format(#seconds, workers))
show("a job", seconds)
show("from start to start of one worker", gaps)
print(("all workers: %.2f jobs a second"):format(#all / (last - first)))
os.execute("rm -rf " .. quoted(folder))
