--- Compares two files: matches them, prints what differs, and makes the document of --json.
-- @module clue.show.compare.two
local conditions = require "clue.show.compare.conditions"
local counted = require("clue.text").count
local json = require "clue.shared.json"
local narrow = require "clue.show.compare.narrow"
local output = require "clue.output"
local peaks = require "clue.show.compare.peaks"
local row_of = require "clue.result.row"
local tables = require "clue.table"
local view = require "clue.show.compare.view"
local walks = require "clue.show.compare.walks"

local print_lines = output.print_lines

-- ---- walkthroughs ----

local function count(sections)
  local counts = {rows = 0, neither = 0, faster = 0, slower = 0, same = 0, unsure = 0, lost = {}, won = {}, alone = 0}
  for _, section in ipairs(sections) do
    counts.alone = counts.alone + #section.only_a + #section.only_b
    for _, pair in ipairs(section.pairs) do
      counts.rows = counts.rows + 1
      local where = ("%s step %s %s%s on %s"):format(section.walkthrough, tostring(pair.number), pair.name or "",
        pair.point and " at " .. pair.point or "", section.b.name or section.b.address)
      if pair.lost then table.insert(counts.lost, {where = where, pair = pair}) end
      if pair.won then table.insert(counts.won, {where = where, pair = pair}) end
      local word = view.word(pair.gain)
      local what = word == "B faster" and "faster" or word == "A faster" and "slower" or word == "unsure" and "unsure"
        or word and "same"
      if what then counts[what] = counts[what] + 1 end
      if not (pair.a.verified or pair.b.verified) then counts.neither = counts.neither + 1 end
    end
  end
  return counts
end

local function shout(counts, width)
  local function say(text) print_lines(tables.wrap(text, width, "   ")) end
  for _, entry in ipairs(counts.lost) do
    local why = row_of.why(entry.pair.b.row)
    say(("!! NO LONGER VERIFIED: %s: %s in B%s"):format(entry.where, entry.pair.b.verdict, why and ": " .. why or ""))
  end
  for _, entry in ipairs(counts.won) do
    local why = row_of.why(entry.pair.a.row)
    say(("!! VERIFIED ONLY IN B: %s: %s in A%s"):format(entry.where, entry.pair.a.verdict, why and ": " .. why or ""))
  end
end

local function summary(counts)
  if counts.rows == 0 then return "no step is in both" end
  local parts = {}
  local function part(number, text) if number > 0 then parts[#parts + 1] = ("%d %s"):format(number, text) end end
  part(counts.faster, "faster in B")
  part(counts.slower, "slower in B")
  part(counts.same, "without difference")
  part(counts.unsure, "with too few runs to know (each side needs four)")
  part(#counts.lost, "NO LONGER VERIFIED")
  part(#counts.won, "verified only in B")
  part(counts.neither, "not verified in either")
  local rest = counts.rows - counts.faster - counts.slower - counts.same - counts.unsure - counts.neither
    - #counts.lost - #counts.won
  part(rest, "without times in both")
  return ("%s in both: %s%s"):format(counted(counts.rows, "step"), table.concat(parts, ", "),
    counts.alone > 0 and ("; %d in one only"):format(counts.alone) or "")
end

local function compare_walks(files, a, b, differences, width, how)
  local sections = walks.compare(a, b, how)
  print_lines(view.head(files, a, b, "clue walk", differences, width))
  for _, section in ipairs(sections) do
    output.print ""
    print_lines(view.section(section, width))
  end
  output.print ""
  local counts = count(sections)
  shout(counts, width)
  print_lines(tables.wrap(summary(counts), width))
  return {sections = sections, summary = summary(counts)}, #counts.lost > 0 and 1 or 0
end

-- ---- limits ----

local function compare_peaks(files, a, b, differences, width)
  local both, only_a, only_b = peaks.compare(a, b)
  print_lines(view.head(files, a, b, "clue peak", differences, width))
  print_lines(view.devices(a.device or {}, b.device or {}, width))
  output.print ""
  local failures = {a = peaks.failures(a), b = peaks.failures(b)}
  print_lines(view.limits(both, only_a, only_b, failures, width))
  local better, worse, lost = 0, 0, 0
  output.print ""
  for _, pair in ipairs(both) do
    local word = view.word(pair.gain)
    better, worse = better + (word == "B faster" and 1 or 0), worse + (word == "A faster" and 1 or 0)
    if pair.lost then
      lost = lost + 1
      print_lines(tables.wrap(("!! NO LONGER VERIFIED: %s %s: %s in B%s"):format(pair.group or "", pair.name or "",
        pair.b.verdict, pair.b.why and ": " .. pair.b.why or ""), width, "   "))
    end
  end
  local text = #both == 0 and "no limit is in both"
    or ("%s in both: %d better in B, %d better in A%s"):format(counted(#both, "limit"), better, worse,
      lost > 0 and (", %d NO LONGER VERIFIED"):format(lost) or "")
  output.print(text)
  return {limits = both, only_a = only_a, only_b = only_b, failures = failures, summary = text}, lost > 0 and 1 or 0
end

-- ---- the document ----

-- Leaves out the rows, which are in the compared files.
local function without_rows(section)
  for _, pair in ipairs(json.list(section.pairs)) do pair.a.row, pair.b.row = nil, nil end
  json.list(section.only_a)
  json.list(section.only_b)
end

-- The limits have their values as a and b.
local function flat(pair)
  pair.verdict, pair.why = {a = pair.a.verdict, b = pair.b.verdict}, {a = pair.a.why, b = pair.b.why}
  if not next(pair.why) then pair.why = nil end
  pair.a, pair.b = pair.a.value, pair.b.value
end

local function document_of(files, a, b, kind, result)
  local function about(path, document)
    return {file = path, clue = document.clue, started = document.started, finished = document.finished,
            machine = document.machine, options = document.options, devices = document.devices or {document.device}}
  end
  result.format, result.kind, result.caution = "clue compare 1", kind, view.caution
  result.a, result.b = about(files.a, a), about(files.b, b)
  for _, section in ipairs(result.sections or {}) do without_rows(section) end
  for _, pair in ipairs(result.limits or {}) do flat(pair) end
  for _, list in pairs(result.failures or {}) do json.list(list) end
  for _, name in ipairs {"conditions", "sections", "limits", "only_a", "only_b"} do
    if result[name] then json.list(result[name]) end
  end
  return result
end

-- ---- the comparison ----

-- As @{clue.show.compare.conditions.of_runs} takes it.
local function run_of(document)
  return {of = document, clue = document.clue, machine = document.machine}
end

local kinds = {["clue walk"] = compare_walks, ["clue peak"] = compare_peaks}

local function narrow_both(options, files, a, b, refuse)
  local one, why_a = narrow.device(a, options.device_a, files.a, "--device-a")
  local other, why_b = narrow.device(b, options.device_b, files.b, "--device-b")
  if not one then refuse(why_a) end
  if not other then refuse(why_b) end
  return one and other and one, other
end

-- Whether one step of each is compared.
local function has_step(options)
  return (options.step_a or options.step_b) ~= nil
end

local function narrow_steps(options, files, a, b, refuse)
  local number = options.step_a or options.step_b
  for _, each in ipairs {{a, number, files.a}, {b, options.step_b or number, files.b}} do
    local found, why = narrow.step(each[1], each[2], each[3])
    if not found then return refuse(why, false) end
  end
  return true
end

--- Compares, and prints it.
-- @tparam table options device_a, device_b, step_a, step_b
-- @tparam table a of @{clue.show.compare.files}: path, document, kind
-- @tparam table b likewise, of the same kind
-- @tparam function refuse refuse(text, ...) reports and returns the values after the text
-- @treturn int the exit status: 0; 1 if something that was verified in A is not verified in B, or a device or step is
--   missing; 2 for wrong use
-- @treturn ?table the document; nil if nothing was compared
return function(options, a, b, refuse)
  local kind, files, width = a.kind, {a = a.path, b = b.path}, output.out:columns(132)
  local one, other = narrow_both(options, files, a.document, b.document, refuse)
  if not one then return 1 end
  if has_step(options) then
    if kind ~= "clue walk" then return refuse("--step-a and --step-b are for files of clue walk", 2) end
    if not narrow_steps(options, files, one, other, refuse) then return 1 end
  end
  local differences = conditions.of_runs {run_of(one), run_of(other)}
  local result, status = kinds[kind](files, one, other, differences, width, {any = has_step(options)})
  result.conditions = differences
  print_lines(tables.wrap(view.caution, width, "   "))
  return status, document_of(files, one, other, kind, result)
end
