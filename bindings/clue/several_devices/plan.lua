--- How many items a device gets next: guided self-scheduling by measured rates. Knows no OpenCL, so that specs can
-- simulate it.
--
-- A chunk takes as long as its items by the device's rate, and an overhead. From both, the
-- moment follows at which all devices can end together. A device gets half of what it can do until then, so chunks
-- are large first and small at the end; but all of it at once if a half would be short compared with its overhead, or
-- with the whole run. A device that cannot end anything until then gets nothing. So a slow device never ends last.
--
-- A device of unknown rate begins with a tiny chunk. Each chunk is at most four times as large as the largest one that
-- it has done, since a small chunk says little about the rate of large ones. The first chunk of all is not counted once
-- there is a second one, since drivers compile and reserve memory then.
--
-- A device here has rate (items a second; nil: unknown), overhead (seconds), largest (items of the largest chunk done),
-- queued and flight (items and chunks in flight), since (when the first of these began) and lost (true if it failed).
-- @module clue.several_devices.plan

local plan = {}

local PROBE = 1024 -- the first chunk of a device of unknown rate is the total by this and the number of devices
local GROWTH = 4 -- times the largest chunk done
local GRAIN = 64 -- a half that takes less than this part of the whole run is not worth a chunk
local OVERHEADS = 20 -- a half is not worth a chunk if both take less than so many overheads

--- How long a device has work for.
-- @tparam table self a device
-- @tparam number now seconds
-- @treturn number seconds from now
function plan.busy(self, now)
  if self.queued == 0 then return 0 end
  return math.max(0, self.queued / self.rate + #self.flight * self.overhead - (now - self.since))
end

local function known(all)
  local list, alive = {}, 0
  for _, each in ipairs(all) do
    if not each.lost then
      alive = alive + 1
      list[#list + 1] = each.rate and each or nil
    end
  end
  return list, alive
end

-- The moment at which these devices can end a rest together. Those that have work until later take no part.
local function end_of(list, rest, now)
  local moment = math.huge
  while true do
    local sum, items, before = 0, rest, moment
    for _, each in ipairs(list) do
      local ready = plan.busy(each, now) + each.overhead
      if ready < before then sum, items = sum + each.rate, items + ready * each.rate end
    end
    if sum > 0 then moment = items / sum end
    if moment >= before or sum == 0 then return moment end
  end
end

-- Whether no other device would end the rest earlier, if it did all of it.
local function is_first(list, self, rest, now)
  local function time(each) return plan.busy(each, now) + each.overhead + rest / each.rate end
  local own = time(self)
  for _, each in ipairs(list) do
    if each ~= self and time(each) < own then return false end
  end
  return true
end

local function rounded(count, multiple)
  return math.floor(count / multiple + 0.5) * multiple
end

-- The first chunk of a device of unknown rate; the next one waits for its end. A device alone has nobody to wait for.
local function probe(self, work, alive)
  if alive > 1 and self.queued > 0 then return 0 end
  local wanted = work.total / (PROBE * alive)
  if alive == 1 then wanted = work.rest / 2 >= work.total / GRAIN and work.rest / 2 or work.rest end
  return math.max(work.multiple, rounded(wanted, work.multiple))
end

-- A chunk of a device of known rate.
local function guided(list, self, work, now, alive)
  local rate, sum = self.rate, 0
  for _, each in ipairs(list) do sum = sum + each.rate end
  local left = end_of(list, work.rest, now) - plan.busy(self, now)
  local wanted = (left - self.overhead) * rate
  local is_short = left / 2 < work.total / sum / GRAIN or left < OVERHEADS * self.overhead
  if not is_short then wanted = wanted / 2 end
  if alive > 1 then wanted = math.min(wanted, GROWTH * self.largest) end
  wanted = rounded(wanted, work.multiple)
  if wanted > 0 then return wanted end
  return is_first(list, self, work.rest, now) and work.multiple or 0
end

--- How many items a device gets now.
-- @tparam {table,...} all devices
-- @tparam table self one of them, which is not lost
-- @tparam table work total; rest: what nobody has yet, above 0; multiple; most: the largest chunk, or nil
-- @tparam number now seconds
-- @treturn number items, at most the rest; 0: none now
function plan.next(all, self, work, now)
  local list, alive = known(all)
  local count = self.rate and guided(list, self, work, now, alive) or not self.rate and probe(self, work, alive) or 0
  return math.min(count, work.rest, work.most or work.rest)
end

-- Rate and overhead from the sums over chunks and the quickest chunk: the line through that and the mean of all. Where
-- all chunks were about as large, there is no line, and no overhead is known.
local function fit(self)
  local plain, quick = self.items / self.seconds, self.quick
  local more = self.items - self.parts * quick.items
  if more < self.parts * quick.items / 2 then return plain, math.min(self.overhead or 0, quick.seconds / 2) end
  local rate = math.min(more / math.max(self.seconds - self.parts * quick.seconds, 1e-9), 10 * plain)
  local overhead = quick.seconds - quick.items / rate
  if overhead <= 0 then return plain, 0 end
  return rate, overhead
end

--- Takes the end of chunks into a device's rate and overhead. What it did before counts half after each large chunk:
-- small ones say less, and must not outweigh it.
-- @tparam table self a device
-- @tparam number items
-- @tparam number seconds that the device worked on them
-- @tparam[opt=1] number chunks how many there were
function plan.done(self, items, seconds, chunks)
  chunks, seconds = chunks or 1, math.max(seconds, 1e-7)
  local fades = items >= (self.largest or 0) / 2 and 0.5 or 1
  if (self.samples or 0) <= 1 then fades, self.quick = 0, nil end
  self.samples = (self.samples or 0) + chunks
  self.items = fades * (self.items or 0) + items
  self.seconds = fades * (self.seconds or 0) + seconds
  self.parts = fades * (self.parts or 0) + chunks
  if not self.quick or seconds / chunks < self.quick.seconds then
    self.quick = {items = items / chunks, seconds = seconds / chunks}
  end
  self.rate, self.overhead = fit(self)
  self.largest = math.max(self.largest or 0, items)
end

return plan
