--- What the report says of a document of `clue walk --json`: speeds, gains, groups of steps that share an axis.
-- @module clue.report.data
local statistics = require "clue.walk.statistics"
local row_of = require "clue.walk.row"

local data = {}

--- Seconds: median, least and largest.
-- @tparam table row
-- @tparam string part "upload", "kernel", "read" or "total"
-- @treturn table nil where the row has none
function data.times(row, part)
  local values = row.times and row.times[part]
  local of = statistics.of(values)
  if not of then return nil end
  local most = 0
  for _, value in ipairs(values) do most = math.max(most, value) end
  return {median = of.median, least = of.min, most = most, count = of.count, spread = of.spread}
end

--- The unit of a row's speed.
-- @tparam table row
-- @treturn string "GFLOPS" or "GB/s"; nil: it has none
function data.unit(row)
  local times = row.times
  return times and (times.rate or times.flops and "GFLOPS" or times.bytes and "GB/s") or nil
end

local function work(times, unit)
  return unit == "GB/s" and times.bytes or unit ~= "GB/s" and times.flops or nil
end

--- The part that a row is judged by, "total" or "kernel".
-- @tparam table row
-- @treturn string
data.judged = row_of.judged

--- A speed, in the row's unit. Only what was verified has one.
-- @tparam table row
-- @tparam[opt] string part "total" or "kernel"; without: the one that the row is judged by
-- @treturn table value (by the median), least, most; nil
function data.speed(row, part)
  if row_of.verdict(row) ~= "verified" then return nil end
  return data.speed_of(row.times, data.unit(row), part or row_of.judged(row))
end

--- A speed of any times: of a variant, of a host loop.
-- @tparam table times
-- @tparam string unit
-- @tparam string part
-- @treturn table as of @{speed}
function data.speed_of(times, unit, part)
  local seconds = data.times({times = times}, part)
  local amount = times and unit and work(times, unit)
  if not (seconds and amount and seconds.least > 0) then return nil end
  return {value = amount / seconds.median * 1e-9, least = amount / seconds.most * 1e-9,
          most = amount / seconds.least * 1e-9}
end

--- How many times as fast as the host loop.
-- @tparam table row
-- @treturn number nil where there is no host loop, or the row is not verified
function data.over_host(row)
  local total = row_of.verdict(row) == "verified" and data.times(row, "total")
  if not (total and row.host and row.host.seconds and total.median > 0) then return nil end
  return row.host.seconds / total.median
end

--- What is said of a gain.
-- @tparam table gain as a row has it
-- @treturn string "same": no difference; "better", "worse"; "unsure": too few runs; nil where there is none
function data.gain_word(gain)
  if not (gain and gain.ratio) then return nil end
  if not statistics.differs(gain) then return "same" end
  if not gain.low then return "unsure" end
  return gain.ratio > 1 and "better" or "worse"
end

-- ---- devices and author's machines ----

--- The device of a run.
-- @tparam table document
-- @tparam table run
-- @treturn table
-- @treturn int its place among the document's devices
function data.device(document, run)
  for i, device in ipairs(document.devices or {}) do
    if device.address == run.device then return device, i end
  end
  local first = run.rows[1]
  return first and first.device or {address = run.device, name = run.device}, #(document.devices or {}) + 1
end

--- The author's machines of a walkthrough, in the order in which they occur.
-- @tparam table walkthrough
-- @treturn {string,...}
function data.authors(walkthrough)
  local seen, list = {}, {}
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      for _, theirs in ipairs(row.published or {}) do
        if theirs.on and not seen[theirs.on] then
          seen[theirs.on] = true
          list[#list + 1] = theirs.on
        end
      end
    end
  end
  return list
end

--- What an author published of a row on one of his machines.
-- @tparam table row
-- @tparam string on
-- @treturn table nil
-- @treturn int its place in the row's list
function data.published(row, on)
  for i, theirs in ipairs(row.published or {}) do
    if theirs.on == on then return theirs, i end
  end
end

--- An author's speed in a unit.
-- @tparam table theirs
-- @tparam string unit
-- @treturn number nil where he gives none in it
function data.published_rate(theirs, unit)
  return theirs and theirs.rate and (theirs.unit or unit) == unit and theirs.rate or nil
end

-- ---- groups of steps ----

local function key(row)
  return tostring(row.number) .. "|" .. tostring(row.name)
end

-- The unit that a study's steps mostly have, for those that did not come to any.
local function units_by_study(walkthrough)
  local units = {}
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local study = row.study or ""
      units[study] = units[study] or data.unit(row)
    end
  end
  return units
end

local function group_for(groups, study, unit)
  for _, group in ipairs(groups) do
    if group.study == study and group.unit == unit then return group end
  end
  local group = {study = study, unit = unit, steps = {}, places = {}}
  groups[#groups + 1] = group
  return group
end

--- The steps that share an axis: of one study and one unit.
-- @tparam table walkthrough
-- @treturn {table,...} study ("" where there is none), unit, steps: {number, name} in order; place(row): where a row
--   stands among them, nil where it is of another group
function data.groups(walkthrough)
  local groups, units = {}, units_by_study(walkthrough)
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local study = row.study or ""
      local unit = data.unit(row) or units[study]
      if unit then
        local group = group_for(groups, study, unit)
        if not group.places[key(row)] then
          group.steps[#group.steps + 1] = {number = row.number, name = row.name}
          group.places[key(row)] = #group.steps
        end
      end
    end
  end
  for _, group in ipairs(groups) do
    function group.place(row)
      local mine = (row.study or "") == group.study and (data.unit(row) or group.unit) == group.unit
      return mine and group.places[key(row)] or nil
    end
  end
  return groups
end

-- ---- the summary ----

local function best_of_author(run, unit)
  local best
  for _, row in ipairs(run.rows) do
    for _, theirs in ipairs(row.published or {}) do
      local rate = data.published_rate(theirs, data.unit(row) or unit)
      if rate and (data.unit(row) or unit) == unit and (not best or rate > best.rate) then
        best = {rate = rate, on = theirs.on, number = row.number, computed = theirs.computed}
      end
    end
  end
  return best
end

local function fastest_row(run, unit)
  local fastest, best, place
  for i, row in ipairs(run.rows) do
    local speed = data.unit(row) == unit and data.speed(row)
    if speed and (not best or speed.value > best) then fastest, best, place = row, speed.value, i end
  end
  return fastest, place
end

local function largest_gain(run)
  local largest
  for _, row in ipairs(run.rows) do
    if data.gain_word(row.gain) == "better" and (not largest or row.gain.ratio > largest.gain.ratio) then
      largest = row
    end
  end
  return largest
end

--- What came of a walkthrough on a device.
-- @tparam table run
-- @treturn table verified, skipped: counts; bad: rows that did not end as they should; rows: count; gain: the row of
--   the largest; best: list of {unit, row, place, author: {rate, on, number}}, one for each unit of speed
function data.summary(run)
  local result, seen = {verified = 0, skipped = 0, bad = {}, rows = #run.rows, best = {}}, {}
  for _, row in ipairs(run.rows) do
    local word, good = row_of.verdict(row)
    if word == "verified" then result.verified = result.verified + 1 end
    if word == "skipped" then result.skipped = result.skipped + 1 end
    if not good then result.bad[#result.bad + 1] = {row = row, word = word} end
    local unit = data.unit(row)
    if unit and not seen[unit] then
      seen[unit] = true
      local fastest, place = fastest_row(run, unit)
      if fastest then
        table.insert(result.best, {unit = unit, row = fastest, place = place, author = best_of_author(run, unit)})
      end
    end
  end
  result.gain = largest_gain(run)
  return result
end

return data
