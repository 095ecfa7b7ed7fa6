-- The loop of a bench's worker: lines "OPERATION<TAB>COUNT" come in, and each is answered with nanoseconds per
-- operation. "list<TAB>0" is answered with the operations' names, separated by tabs; "end<TAB>0" ends the worker.
-- serve.py does the same for Python, workers.lua talks to both.
local now = require "clock"

-- The seconds of a batch. The work that it only enqueued ends before the next batch, but does not count.
local function seconds_of(run, count, settle)
  local start = now()
  local own = run(count)
  local seconds = now() - start
  if settle then settle() end
  return own or seconds
end

local function names_of(operations)
  local names = {}
  for name in pairs(operations) do names[#names + 1] = name end
  table.sort(names)
  return table.concat(names, "\t")
end

--- Measures operations until it is told to end.
-- @tparam table operations functions by name. Each takes a count and does its work so often. If it returns a number,
--   that is the time of its work in seconds, else the whole call's time counts.
-- @tparam[opt] function settle called after each batch: waits for what the batch enqueued
return function(operations, settle)
  print "ready"
  io.stdout:flush()
  for line in io.lines() do
    local name, count = line:match "^([^\t]+)\t(%d+)$"
    if name == "end" then return end
    if name == "list" then
      print(names_of(operations))
    else
      local run = operations[name] or error(("no operation is called '%s'"):format(tostring(name or line)), 0)
      count = tonumber(count)
      -- Caches, clocks and devices come back from the other worker.
      if count > 1 then seconds_of(run, math.floor(count / 8) + 1, settle) end
      print(("%.3f"):format(seconds_of(run, count, settle) / count * 1e9))
    end
    io.stdout:flush()
  end
end
