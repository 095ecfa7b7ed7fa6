--- The first screen of a walk: the verdict (which step is the fastest, and how many are right), a table of seven
-- columns, the greatest gains with what was counted of them, and the commands that show more.
-- Parameters with one meaning everywhere: rows, those of one device.
local block = require "clue.show.block"
local cause = require "clue.result.cause"
local counted = require("clue.text").count
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local remarks = require "clue.show.walk.remarks"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"
local turns = require "clue.result.turns"

local first_screen = {}

-- ---- the verdict ----

-- How many times as fast as the first step a row is, and whether that is of runs in turn and not what the speeds say,
-- which are medians of each step by itself.
local function over_first(rows, row)
  local by_medians, first = row_of.over_first(rows, row)
  local gain = first and turns.between(rows)(row, first)
  local contradicted = row_of.contradict(gain, by_medians)
  if contradicted or gain and gain.length == 1 then return gain.ratio, first, contradicted end
  return by_medians, first, false
end

--- How the speed of the fastest is beside others. It has no ratio to steps that are, or may be, as fast.
-- @tparam table it of @{clue.result.fastest.of}
-- @tparam ?table peak the device's limits
-- @treturn {string,...} "10.0 times step 2" ("in turn 10.0 times ..." if the medians say otherwise), "in total 27.1
--   times its host loop", "23 % of the device's peak"
function first_screen.beside(it, rows, peak)
  local row, parts, may_be_equal = it.row, {}, lists.set(lists.joined(it.equal, it.unclear))
  local first, over, in_turn = over_first(rows, row)
  if first and over ~= row and not may_be_equal[over] then
    parts[#parts + 1] = ("%s%s times step %s"):format(in_turn and "in turn " or "",
      figures.marked(figures.ratio(first), row.times.extrapolated), over.number)
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
function first_screen.winners(it)
  local is_equal = lists.set(it.equal)
  return lists.filter(it.rows, function(row) return row == it.row or is_equal[row] end)
end

-- "step 6, sums"; "steps 4, tiles, and 8, wide," and whether these are several.
local function named(it)
  local names = lists.map(first_screen.winners(it), function(row)
    return ("%s, %s"):format(tostring(row.number), row.name or "?")
  end)
  if #names == 1 then return "step " .. names[1], false end
  return ("steps %s, and %s,"):format(table.concat(names, ", ", 1, #names - 1), names[#names]), true
end

--- Which steps may be faster than the fastest.
-- @tparam table it of @{clue.result.fastest.of}
-- @treturn string ", unless step 3 is faster", or ""
function first_screen.unless(it)
  local numbers = lists.map(it.unclear, function(row) return row.number end)
  if not numbers[1] then return "" end
  return (", unless %s %s faster"):format(remarks.steps(it.rows, numbers), #numbers == 1 and "is" or "are")
end

-- "step 6, sums, is the fastest"; "steps 4, tiles, and 8, wide, are equally fast, and the fastest"
local function winner(it)
  local names, are_several = named(it)
  local beats = it.entrants > #it.equal + 1
  if not are_several then return names .. (beats and ", is the fastest" or "") .. first_screen.unless(it) end
  return names .. " are equally fast" .. (beats and ", and the fastest" or "") .. first_screen.unless(it)
end

local function sentence(it, rows, peak)
  local beside = table.concat(first_screen.beside(it, rows, peak), ", ")
  return ("%s%s: %s %s%s"):format(winner(it), it.problem and " at " .. it.problem or "",
    figures.number(row_of.speed(it.row)), it.unit, beside ~= "" and (" (%s)"):format(beside) or "")
end

--- Which step is the fastest, of each problem that several steps solve.
-- @tparam {table,...} rows of one study
-- @tparam ?table peak the device's limits
-- @treturn ?string "step 6, sums, is the fastest: 2.384 GFLOPS (1.6 times step 2, 7 % of the device's peak)"
function first_screen.fastest(rows, peak)
  local all, parts = fastest.of(rows), lists.map(fastest.named(rows), function(it) return sentence(it, rows, peak) end)
  if parts[1] then return table.concat(parts, "; ") end
  return #all > 1 and ("each of %d steps has a problem of its own, so none is the fastest"):format(#all) or nil
end

--- The fastest step of each study, in a line.
-- @tparam {table,...} studies key; for each device rows
-- @treturn {string,...} "vectors: step 5, float4, 17.80 GB/s"
function first_screen.of_studies(studies)
  return lists.flat(studies, function(study)
    return lists.map(fastest.named(study[1].rows), function(it)
      local names, are_several = named(it)
      return ("%s%s: %s%s %s %s%s"):format(study.key ~= "" and study.key or "other steps",
        it.problem and " at " .. it.problem or "", names, are_several and " equally fast," or ",",
        figures.number(row_of.speed(it.row)), it.unit, first_screen.unless(it))
    end)
  end)
end

--- Why all steps were skipped.
-- @treturn ?string nil if a step ran, or the reasons differ
function first_screen.reason(rows)
  local reason = rows[1] and rows[1].skipped
  return reason and not lists.any(rows, function(row) return row.skipped ~= reason end) and reason or nil
end

--- How many rows are right, and what the others are.
-- @treturn string "5 of 8 steps verified (step 2 crashed; steps 5 to 7 skipped)"; with the reason if it is the same
--   for all
function first_screen.counts(rows)
  local others = lists.filter(rows, function(row) return not row_of.is_verified(row) end)
  local right = #rows - #others
  local parts = lists.map(lists.grouped(others, row_of.verdict), function(same)
    local numbers = lists.map(same, function(row) return row.number end)
    return ("%s %s"):format(remarks.steps(rows, numbers), same.key)
  end)
  local reason = first_screen.reason(rows)
  if reason then parts[1] = parts[1] .. ": " .. reason end
  local text = ("%d of %s verified"):format(right, counted(#rows, "step"))
  local any_skipped = lists.any(rows, function(row) return row.skipped end)
  if right == 0 and any_skipped then text = text .. ": none could run here" end
  return #parts > 0 and ("%s (%s)"):format(text, table.concat(parts, "; ")) or text
end

--- The verdict on a run: one sentence; and, for a walkthrough that goes beyond its author, how far he was.
-- @tparam[opt] table how name: of the walkthrough; device: its address, if there are several; peak: its limits;
--   studies: true if the fastest step of each study is named elsewhere
-- @treturn {string,...}
function first_screen.verdict(rows, how)
  how = how or {}
  local first = not how.studies and first_screen.fastest(rows, how.peak)
  local text = (first and first .. "; " or "") .. first_screen.counts(rows)
  local where = {}
  where[1] = how.name
  where[#where + 1] = how.device
  local lines = fastest.share_lines(rows)
  table.insert(lines, 1, #where > 0 and ("%s: %s"):format(table.concat(where, " on "), text)
    or (text:gsub("^%l", string.upper)))
  return lines
end

-- ---- the table ----

local function gain_of(row, most)
  if not row.gain then return nil end
  local word, long = gains.word(row.gain), figures.marked(gains.text(row.gain), row.gain.extrapolated)
  if word == "same" then return {long, class = word} end
  if word == "unclear" then return {most == "short" and word or long, class = word} end
  local ratio = figures.marked(figures.ratio(row.gain.ratio), row.gain.extrapolated)
  return {most == "short" and ratio or long, class = word, page = ratio, range = gains.range(row.gain)}
end

-- The author's machine beside which a device stands: the one named after its kind, else that of his best speed, or any.
local function author_of(rows)
  local best, most, of_kind = nil, 0, nil
  for _, row in ipairs(rows) do
    for _, theirs in ipairs(row.published or {}) do
      if row.device and theirs.on == (row.device.kind or ""):upper() then of_kind = theirs.on end
      if not best or (theirs.rate or 0) > most then best, most = theirs.on, theirs.rate or 0 end
    end
  end
  return of_kind or best
end

-- His speed; his time if he gives none.
local function authors_speed(row, machine, unit)
  local theirs = row_of.published(row, machine) or {}
  if not theirs.rate then return theirs.seconds and figures.published(theirs.seconds) .. " s" end
  return row_of.published_text(theirs, row_of.rate(row), unit)
end

-- Where others run on a device, loops of the host's are told apart.
local function name_of(row, on_device)
  return (row.name or "?") .. (on_device and row_of.is_of_host(row) and " (host)" or "")
end

--- The table of a run's steps.
-- @tparam[opt] table how for pages: link(row), name
-- @treturn table a block
function first_screen.table(rows, how)
  how = how or {}
  local unit, machine, best = steps_table.common_unit(rows), author_of(rows), fastest.winners(rows)
  local part = steps_table.judged(rows)
  local common = steps_table.common_beginning(rows)
  local on_device = lists.any(rows, function(row) return row.device end)
  local list = {
    {title = "", right = true, only = "text", get = function(row) return steps_table.mark(row, {best = best}) end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    {title = "step", head = true, most = 26, narrow = {{1, 20}, {3, 14}, {5, 9}}, get = function(row, most)
      local name = name_of(row, on_device)
      return {steps_table.short_name({name = name}, most, common), page = name,
              to = how.link and "#" .. how.link(row)}
    end},
    {title = part .. "\nms", right = true, get = steps_table.time_or_verdict},
    {title = unit or "speed", right = true, optional = true,
     get = function(row) return steps_table.speed(row, unit) end},
    {title = "gain", optional = true, narrow = {{2, "short"}}, get = gain_of},
    {title = "over", right = true, gap = 1, optional = true, get = function(row)
      return row.gain and tostring(row.gain.over)
    end},
    machine and {title = "author's\n" .. machine:match "^[^,]*", right = true, optional = true, narrow = {{4, false}},
      get = function(row) return authors_speed(row, machine, unit) end},
  }
  return block.table {columns = list, rows = rows, name = how.name or "the steps", class = "first",
    look = function(row) return {class = best[row] and "best"} end}
end

--- What the author's figures are of: his machine, when, at which sizes.
-- @tparam table about the walkthrough: figures, hardware, year
-- @tparam[opt] string machine his, as his figures name it (default: the one beside which the rows' device stands)
-- @treturn ?string "the author's GPU, a Radeon HD 4870, 2012, by the total: 2000 x 2000 x 2000, float"; nil where no
--   row has such a figure
function first_screen.author(rows, about, machine)
  machine = machine or author_of(rows)
  local has_figures = lists.any(rows, function(row) return authors_speed(row, machine) end)
  if not (has_figures and about.figures) then return nil end
  local parts = {"the author's " .. machine:match "^[^,]*"}
  parts[2] = (about.hardware or ""):match("([^,]-) %('" .. machine:gsub("%p", "%%%0") .. "'%)")
  parts[#parts + 1] = figures.year(about.year)
  local said = about.figures:match("^[^;]*"):gsub("^the author's figures:? ", ""):gsub("^are ", "")
  return ("%s, by the total: %s"):format(table.concat(parts, ", "):gsub(",  ", ", "), said)
end

-- ---- the gains ----

--- Whose gains are by another time than that of the table: those over a loop of the host's, which has no kernel.
-- @treturn ?string "the gain of step 2 is by the total, since a loop of the host's has no kernel"
function first_screen.of_host(rows)
  local numbers = lists.map(rows, function(row)
    return row.gain and row.gain.part == "total" and row_of.judged(row) ~= "total" and row.number or nil
  end)
  return numbers[1] and ("the gain%s of %s by the total, since a loop of the host's has no kernel"):format(
    numbers[2] and "s" or "", remarks.steps(rows, numbers) .. (numbers[2] and " are" or " is")) or nil
end

--- The greatest gains, each with its cause if that was counted, and with what the step changes.
-- @treturn {string,...}
function first_screen.gains(rows)
  return lists.map(cause.greatest(rows), function(row)
    local why, change = cause.text(rows, row), row.change and (row.change:gsub("%s+", " "))
    local text = why and change and ("%s (%s)"):format(why, change) or why or change
    return ("step %s is %s times as fast as step %s%s"):format(tostring(row.number), figures.ratio(row.gain.ratio),
      tostring(row.gain.over), text and ": " .. text or "")
  end)
end

-- ---- what shows more ----

--- The commands for more.
-- @tparam string again "clue walk NAME" or "clue show FILE"
-- @treturn table a block
function first_screen.more(rows, again)
  local shows = steps_table.has_figures(rows) and "all times, the author's figures, lessons" or "all times, lessons"
  local top, list = cause.greatest(rows)[1], {{again .. " --notes", shows}}
  if top then
    local number, option = tostring(top.number), again:find "^clue show " and "step" or "explain"
    table.insert(list, 1, {("%s --%s %s"):format(again, option, number),
                           ("why step %s is faster: counts, code"):format(number)})
  end
  return block.table {name = "commands", rows = list, columns = {
    {title = "", get = function(each) return each[1] end}, {title = "", get = function(each) return each[2] end},
  }, otherwise = block.list {list[1][1], list[2] and list[2][1]}}
end

return first_screen
