--- The verdict on a walkthrough's run: which step is the fastest, and how many are right.
-- Parameters with one meaning everywhere: rows, those of one device.
local counted = require("clue.text").count
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local remarks = require "clue.show.walk.remarks"
local row_of = require "clue.result.row"

local verdict = {}

local any = lists.any

--- How a row's speed is beside others.
-- @tparam table row with a speed
-- @tparam ?table peak the device's limits
-- @tparam[opt] {table,...} equal rows that are as fast, beside which it has no ratio
-- @treturn {string,...} "10.0 times step 2", "in total 27.1 times its host loop", "23 % of the device's peak"
function verdict.beside(row, rows, peak, equal)
  local parts, is_equal = {}, lists.set(equal or {})
  local first, over = row_of.over_first(rows, row)
  if row.gain and row.gain.pairs and over and row.gain.over == over.number then first = row.gain.ratio end
  if first and over ~= row and not is_equal[over] then
    parts[#parts + 1] = ("%s times step %s"):format(figures.marked(figures.ratio(first), row.times.extrapolated),
      over.number)
  end
  local host = figures.ratio(row_of.over_host(row))
  if host then
    local part = row_of.whole(row) ~= row_of.judged(row) and "in total " or ""
    parts[#parts + 1] = ("%s%s times its host loop"):format(part, figures.marked(host, row.host.extrapolated))
  end
  local part = row_of.share_of_peak(row, peak)
  if part then
    parts[#parts + 1] = ("%s of the device's peak"):format(figures.share(part))
  end
  return parts
end

--- The steps that won a contest.
-- @tparam table it of @{clue.result.fastest.of}
-- @treturn {table,...} rows, in their order: one, or those that are equally fast
function verdict.winners(it)
  local is_equal = lists.set(it.equal)
  return lists.filter(it.rows, function(row) return row == it.row or is_equal[row] end)
end

-- "step 6, sums"; "steps 4, tiles, and 8, wide," and whether these are several.
local function named(it)
  local names = lists.map(verdict.winners(it), function(row)
    return ("%s, %s"):format(tostring(row.number), row.name or "?")
  end)
  if #names == 1 then return "step " .. names[1], false end
  return ("steps %s, and %s,"):format(table.concat(names, ", ", 1, #names - 1), names[#names]), true
end

-- "step 6, sums, is the fastest"; "steps 4, tiles, and 8, wide, are equally fast, and the fastest"
local function winner(it)
  local names, are_several = named(it)
  local beats = it.entrants > #it.equal + 1
  if not are_several then return names .. (beats and ", is the fastest" or "") end
  return names .. " are equally fast" .. (beats and ", and the fastest" or "")
end

local function sentence(it, rows, peak)
  local row = it.row
  local beside = table.concat(verdict.beside(row, rows, peak, it.equal), ", ")
  return ("%s%s: %s %s%s"):format(winner(it), it.problem and " at " .. it.problem or "",
    figures.number(row_of.speed(row)), it.unit, beside ~= "" and (" (%s)"):format(beside) or "")
end

--- Which step is the fastest, of each problem that several steps solve.
-- @tparam {table,...} rows of one study
-- @tparam ?table peak the device's limits
-- @treturn ?string "step 6, sums, is the fastest: 2.384 GFLOPS (1.6 times step 2, 7 % of the device's peak)"
function verdict.fastest(rows, peak)
  local all, parts = fastest.of(rows), lists.map(fastest.named(rows), function(it) return sentence(it, rows, peak) end)
  if parts[1] then return table.concat(parts, "; ") end
  return #all > 1 and ("each of %d steps has a problem of its own, so none is the fastest"):format(#all) or nil
end

--- The fastest step of each study, in a line.
-- @tparam {table,...} studies key; for each device rows
-- @treturn {string,...} "vectors: step 5, float4, 17.80 GB/s"
function verdict.of_studies(studies)
  local lines = {}
  for _, study in ipairs(studies) do
    for _, it in ipairs(fastest.named(study[1].rows)) do
      local names, are_several = named(it)
      lines[#lines + 1] = ("%s%s: %s%s %s %s"):format(study.key ~= "" and study.key or "other steps",
        it.problem and " at " .. it.problem or "", names, are_several and " equally fast," or ",",
        figures.number(row_of.speed(it.row)), it.unit)
    end
  end
  return lines
end

--- Why all steps were skipped.
-- @treturn ?string nil if a step ran, or the reasons differ
function verdict.reason(rows)
  local reason = rows[1] and rows[1].skipped
  return reason and not any(rows, function(row) return row.skipped ~= reason end) and reason or nil
end

--- How many rows are right, and what the others are.
-- @treturn string "5 of 8 steps verified (2 crashed; 5 to 7 skipped)"; with the reason if it is the same for all
function verdict.counts(rows)
  local others = lists.filter(rows, function(row) return not row_of.is_verified(row) end)
  local right = #rows - #others
  local parts = lists.map(lists.grouped(others, row_of.verdict), function(same)
    local numbers = lists.map(same, function(row) return row.number end)
    return ("%s %s"):format(remarks.listed(rows, numbers), same.key)
  end)
  local reason = verdict.reason(rows)
  if reason then parts[1] = parts[1] .. ": " .. reason end
  local text = ("%d of %s verified"):format(right, counted(#rows, "step"))
  if right == 0 and any(rows, function(row) return row.skipped end) then text = text .. ": none could run here" end
  return #parts > 0 and ("%s (%s)"):format(text, table.concat(parts, "; ")) or text
end

--- The verdict on a run: one sentence; and, for a walkthrough that goes beyond its author, how far he was.
-- @tparam[opt] table how name: of the walkthrough; device: its address, if there are several; peak: its limits;
--   studies: true if the fastest step of each study is named elsewhere
-- @treturn {string,...}
function verdict.lines(rows, how)
  how = how or {}
  local first = not how.studies and verdict.fastest(rows, how.peak)
  local text = (first and first .. "; " or "") .. verdict.counts(rows)
  local where = {}
  where[1] = how.name
  where[#where + 1] = how.device
  local lines = fastest.share_lines(rows)
  table.insert(lines, 1, #where > 0 and ("%s: %s"):format(table.concat(where, " on "), text)
    or (text:gsub("^%l", string.upper)))
  return lines
end

return verdict
