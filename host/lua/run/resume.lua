--- `clue walk --resume`: which results of an earlier document still count, and how new ones join it.
local catalogue = require "clue.run.catalogue"
local find_device = require("clue.result.device").find
local list = require("clue.shared.json").list
local lists = require "clue.shared.list"
local point = require "clue.result.point"
local row_of = require "clue.result.row"

local resume = {}

-- ---- whether it can be continued ----

-- An option's values as they were given.
local function words_of(value)
  if type(value) ~= "table" then return value and point.shown(value) end
  local words = {}
  for i, word in ipairs(value) do words[i] = word == "" and "''" or point.shown(word) end
  return words[1] and table.concat(words, " ") or nil
end

local function option(name, field)
  return function(doc)
    local text = words_of((doc.options or {})[field])
    return not text and "without " .. name or text == "true" and "with " .. name or ("with %s %s"):format(name, text)
  end
end

-- What decides over all measurements, in words.
local decisive = {
  option("--size", "size"), option("--type", "type"), option("--repeat", "repeats"),
  option("--until-stable", "until_stable"), option("--verify", "verify"),
  option("--set", "set"), option("--options", "build_options"),
  option("CLUE_BUILD_OPTIONS", "environment"),
  function(doc) return "by clue " .. tostring(doc.clue) end,
  function(doc)
    local machine = doc.machine or {}
    return ("on %s cores of %s"):format(point.shown(machine.cores or "?"), tostring(machine.processor or "?"))
  end,
}

local function called(device)
  return ("%s, driver %s"):format(tostring(device.name), tostring(device.driver))
end

--- Why an earlier document cannot be continued.
-- @tparam table earlier
-- @tparam table doc the document of this run
-- @tparam {table,...} devices of this run: address, name, driver
-- @treturn ?string
function resume.mismatch(earlier, doc, devices)
  for _, get in ipairs(decisive) do
    local before, now = get(earlier), get(doc)
    if before ~= now then return ("it was made %s, and this run is %s"):format(before, now) end
  end
  for _, now in ipairs(devices) do
    local before = find_device(earlier, now.address)
    if before and called(before) ~= called(now) then
      return ("its device %s is %s, and now %s"):format(now.address, called(before), called(now))
    end
  end
end

--- An earlier document's rows of a walkthrough on a device that need not be measured again: those that failed, are
-- wrong, or come from a step that was edited are left out.
-- @tparam ?table earlier
-- @tparam table walkthrough of @{clue.run.catalogue}
-- @tparam string address of the device
-- @tparam[opt] table at the point of a sweep, see @{clue.result.point}
-- @treturn table rows by the number of their step
function resume.rows(earlier, walkthrough, address, at)
  local rows, key, steps = {}, point.key(at), lists.by(walkthrough.steps, "number")
  local function counts(row)
    local step = steps[row.number]
    return step and row.script == catalogue.digest(step) and select(2, row_of.verdict(row))
  end
  for _, each in ipairs(row_of.all(earlier and earlier.walkthroughs)) do
    local is_it = each.walkthrough.name == walkthrough.name and each.run.device == address
      and point.key(each.run.point) == key
    if is_it and counts(each.row) then rows[each.row.number] = each.row end
  end
  return rows
end

-- ---- joining ----

-- Adds to a list what only an earlier one has; what both have is joined. key(entry) tells which are the same.
local function joined(earlier, now, key, join)
  local all, old = list {}, lists.by(earlier or {}, key)
  for _, entry in ipairs(now or {}) do
    local before = old[key(entry)]
    old[key(entry)] = nil
    all[#all + 1] = before and join(before, entry) or entry
  end
  for _, entry in ipairs(earlier or {}) do
    if old[key(entry)] == entry then all[#all + 1] = entry end
  end
  return all
end

-- Rows in the order of the walkthrough's steps.
local function join_runs(before, now, places)
  local rows = joined(before.rows, now.rows, function(row) return row.number end, function(_, row) return row end)
  local order = {}
  for i, row in ipairs(rows) do order[row] = (places[row.number] or 0) * 2 ^ 20 + i end
  table.sort(rows, function(a, b) return order[a] < order[b] end)
  return lists.with(now, {rows = rows})
end

local function join_entries(before, now)
  local places = {}
  for i, step in ipairs(now.steps) do places[step.number] = i end
  local function key(run) return tostring(run.device) .. " " .. point.key(run.point) end
  return lists.with(now, {runs = joined(before.runs, now.runs, key, function(a, b) return join_runs(a, b, places) end)})
end

local function join_devices(before, now)
  return now.peak and now or lists.with(now, {peak = before.peak})
end

-- Options that say which results are in a document, not how they were measured.
local selecting = {"steps", "all", "device"}

--- An earlier document with the results of this run: a step measured again takes the place of its earlier row, and
-- nothing else is lost.
-- @tparam ?table earlier
-- @tparam table doc the document of this run
function resume.joined(earlier, doc)
  if not earlier then return doc end
  local options, resumed = lists.with(doc.options, {}), list {}
  for _, name in ipairs(selecting) do
    if options[name] ~= (earlier.options or {})[name] then options[name] = nil end
  end
  for _, moment in ipairs(earlier.resumed or {}) do resumed[#resumed + 1] = moment end
  resumed[#resumed + 1] = doc.started
  return lists.with(doc, {
    started = earlier.started, resumed = resumed, options = options,
    devices = joined(earlier.devices, doc.devices, function(device) return tostring(device.address) end,
      join_devices),
    walkthroughs = joined(earlier.walkthroughs, doc.walkthroughs, function(entry) return entry.name end, join_entries),
  })
end

return resume
