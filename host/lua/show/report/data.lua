--- What the report takes from a document of `clue walk --json`: authors, groups of steps with a common axis, the
-- summary of a run.
-- Parameters with one meaning everywhere: run, of the document.
local fastest = require "clue.result.fastest"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local data = {}

--- An author's speed in a unit.
-- @tparam table theirs
-- @tparam string unit
-- @treturn number nil if he gives none in this unit
function data.published_rate(theirs, unit)
  return theirs and theirs.rate and (theirs.unit or unit) == unit and theirs.rate or nil
end

-- ---- groups of steps ----

-- The unit that most of a study's steps have, for steps without a speed.
local function units_by_study(walkthrough)
  local units = {}
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local study = row.study or ""
      units[study] = units[study] or row_of.rate(row)
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

--- The steps that share an axis: those of one study and one unit.
-- @tparam table walkthrough
-- @treturn {table,...} study ("" if there is none), unit, steps: {number, name} in order; place(row): a row's place
--   among them, nil if it belongs to another group
function data.groups(walkthrough)
  local groups, units = {}, units_by_study(walkthrough)
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local study = row.study or ""
      local unit = row_of.rate(row) or units[study]
      if unit then
        local group = group_for(groups, study, unit)
        if not group.places[row_of.key(row)] then
          group.steps[#group.steps + 1] = {number = row.number, name = row.name}
          group.places[row_of.key(row)] = #group.steps
        end
      end
    end
  end
  for _, group in ipairs(groups) do
    function group.place(row)
      local mine = (row.study or "") == group.study and (row_of.rate(row) or group.unit) == group.unit
      return mine and group.places[row_of.key(row)] or nil
    end
  end
  return groups
end

--- The rows of a run, by study.
-- @treturn {table,...} key; a list of one table with rows, as for @{clue.show.walk.verdict.of_studies}
function data.studies(run)
  return lists.map(lists.grouped(run.rows, function(row) return row.study or "" end), function(rows)
    return {key = rows.key, {rows = rows}}
  end)
end

-- ---- the summary ----

local function best_of_author(run, study, unit)
  local best
  for _, row in ipairs(run.rows) do
    for _, theirs in ipairs(row.study == study and row.published or {}) do
      local rate = data.published_rate(theirs, row_of.rate(row) or unit)
      if rate and (row_of.rate(row) or unit) == unit and (not best or rate > best.rate) then
        best = {rate = rate, on = theirs.on, number = row.number, computed = theirs.computed}
      end
    end
  end
  return best
end

local function largest_gain(run)
  local largest
  for _, row in ipairs(run.rows) do
    if gains.word(row.gain) == "better" and (not largest or row.gain.ratio > largest.gain.ratio) then
      largest = row
    end
  end
  return largest
end

local function place_of(run, row)
  for place, each in ipairs(run.rows) do
    if each == row then return place end
  end
end

--- The summary of a walkthrough on a device.
-- @treturn table verified, skipped: counts; bad: rows that failed or are wrong; rows: count; gain: the row with the
--   largest gain; best: of @{clue.result.fastest.named}, with place (of the row) and author: {rate, on, number}
function data.summary(run)
  local result = {verified = 0, skipped = 0, bad = {}, rows = #run.rows, best = {}}
  for _, row in ipairs(run.rows) do
    local word, good = row_of.verdict(row)
    if word == "verified" then result.verified = result.verified + 1 end
    if word == "skipped" then result.skipped = result.skipped + 1 end
    if not good then result.bad[#result.bad + 1] = {row = row, word = word} end
  end
  for i, best in ipairs(fastest.named(run.rows)) do
    best.author, best.place = best_of_author(run, best.study, best.unit), place_of(run, best.row)
    result.best[i] = best
  end
  result.gain = largest_gain(run)
  return result
end

return data
