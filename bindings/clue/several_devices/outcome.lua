--- What is told of a run over several devices: its result, and devices that failed.
-- @module clue.several_devices.outcome
local error_object = require "clue.error"
local options = require "clue.options"
local output = require "clue.output"
local text = require "clue.text"

local outcome = {}

-- ---- failures ----

--- How many devices are left.
-- @tparam {table,...} all
-- @treturn number
function outcome.alive(all)
  local count = 0
  for _, each in ipairs(all) do
    if not each.lost then count = count + 1 end
  end
  return count
end

-- The same failure on every device is told once.
local function failures(all)
  local lines, same = {}, true
  for i, each in ipairs(all) do
    lines[i] = ("\n  %s: %s"):format(tostring(each.worker.device), tostring(each.lost))
    same = same and tostring(each.lost) == tostring(all[1].lost)
  end
  return same and " " .. tostring(all[1].lost) or table.concat(lines)
end

--- Raises because no device is left: the failure itself, if there is one device.
-- @tparam {table,...} all
function outcome.none_left(all)
  local first = all[1].lost
  if #all == 1 then error(first, 0) end
  local record = error_object.is(first) and first or {}
  error(error_object.new {code = record.code, name = record.name, call = record.call, log = record.log,
    text = ("all %s failed:%s"):format(text.count(#all, "device"), failures(all))}, 0)
end

-- "items 0 to 99 and 300 to 399"
local function items(chunks)
  local words = {}
  for i, chunk in ipairs(chunks) do words[i] = ("%.0f to %.0f"):format(chunk.first, chunk.first + chunk.count - 1) end
  return "items " .. table.concat(words, " and ")
end

--- Tells on stderr that a device failed. Raises if no other is left.
-- @tparam {table,...} all
-- @tparam table self the one that failed
-- @tparam {table,...} back the chunks that it gave back
function outcome.tell(all, self, back)
  local left = outcome.alive(all)
  if left == 0 then outcome.none_left(all) end
  if options.quiet then return end
  local gave = #back > 0 and ", which gave back " .. items(back) or ""
  output.say(("clue: lost %s%s; the work goes on on %s: %s"):format(tostring(self.worker.device), gave,
    text.count(left, "device"), tostring(self.lost)))
end

-- ---- the result ----

local result = {}

local function line(each, total)
  local rate = each.rate and ("%.4g items/s"):format(each.rate) or "no rate"
  return ("\n  %s: %.0f items (%.3g %%) in %s, %s%s"):format(each.device:describe(), each.items,
    100 * each.items / math.max(1, total), text.count(each.chunks, "chunk"), rate, each.error and "; failed" or "")
end

function result:__tostring()
  local lines = {}
  for i, each in ipairs(self.devices) do lines[i] = line(each, self.total) end
  return ("%.0f items in %s on %s%s"):format(self.total, text.duration(self.seconds),
    text.count(#self.devices, "device"), table.concat(lines))
end

--- Makes what workers:run() returns.
-- @tparam table run state, work, seconds
-- @treturn table
function outcome.new(run)
  local self = {seconds = run.seconds, total = run.work.total, rates = {}, devices = {}}
  for i, each in ipairs(run.state.all) do
    local rate = not each.lost and each.rate or nil
    self.rates[i] = rate or 0
    self.devices[i] = {device = each.worker.device, items = each.done, chunks = each.chunks, busy = each.busy,
                       rate = rate, error = each.lost or nil}
  end
  return setmetatable(self, result)
end

return outcome
