--- What stands around the walkthroughs in a report: what was run, the results of all in short, the machine.
-- Parameters with one meaning everywhere: document, of a walk.
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local block = require "clue.show.block"
local counted = require("clue.text").count
local documents = require "clue.result.document"
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local first_screen = require "clue.show.walk.first_screen"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"

local summary = {}

-- ---- the head ----

local function duration(document)
  local from, to = documents.seconds(document.started), documents.seconds(document.finished)
  if not (from and to) or to < from then return nil end
  local seconds = to - from
  if seconds < 100 then return counted(seconds, "second") end
  return ("%d min %d s"):format(math.floor(seconds / 60), seconds % 60)
end

local function time_of(text)
  return type(text) == "string" and {time = text:gsub("T", " "):gsub("Z$", " UTC")} or "at an unknown time"
end

local function device_names(document)
  local names = lists.map(document.devices or {}, function(device) return device.name or device.address end)
  return #names > 0 and table.concat(names, " and ") or "no device"
end

--- The title of the page.
function summary.title(document)
  local list = document.walkthroughs
  if #list == 1 then return list[1].title or list[1].name end
  return counted(#list, "optimisation walkthrough") .. ", replayed"
end

local function options_text(document)
  local parts = {}
  for _, name in ipairs {"size", "type", "device", "repeats", "steps"} do
    local value = (document.options or {})[name]
    if value ~= nil and type(value) ~= "table" then
      parts[#parts + 1] = name .. " " .. (type(value) == "number" and figures.exact(value) or tostring(value))
    end
  end
  for _, each in ipairs {{"set", ""}, {"build_options", "compiler options "}} do
    local list = (document.options or {})[each[1]]
    local words = lists.map(type(list) == "table" and list or {}, function(word)
      return word == "" and "''" or tostring(word)
    end)
    if words[1] then parts[#parts + 1] = each[2] .. table.concat(words, ", ") end
  end
  return #parts > 0 and "Options: " .. table.concat(parts, ", ") .. "." or nil
end

-- "4 steps", without those that were skipped; and how many results, if they ran at several sizes or devices.
local function what_ran(document)
  local ran = lists.filter(row_of.all(document.walkthroughs), function(each) return not each.row.skipped end)
  local steps = lists.distinct(lists.map(ran, function(each)
    return ("%s %s"):format(each.walkthrough.name, tostring(each.row.number))
  end))
  local text = counted(#steps, "step")
  return #ran > #steps and ("%s (%s)"):format(text, counted(#ran, "result")) or text
end

--- The page's head.
-- @treturn table blocks
function summary.head(document)
  local took, continued = duration(document), (document.resumed or {})[#(document.resumed or {})]
  return {
    block.paragraph({("%s run on %s; begun "):format(what_ran(document), device_names(document)),
      time_of(document.started), continued and {", continued ", time_of(continued)} or took and ", took " .. took or "",
      "."}, {class = "lead"}),
    not document.finished and block.paragraph("The run did not finish; these are the results so far.", {class = "bad"}),
    block.paragraph(("By clue %s. %s"):format(document.clue or "?", options_text(document) or ""), {class = "muted"}),
  }
end

-- ---- the results in short ----

local function best_of_author(run, study, unit)
  local best
  for _, row in ipairs(run.rows) do
    for _, theirs in ipairs(row.study == study and row.published or {}) do
      local rate = row_of.published_rate(theirs, row_of.rate(row) or unit)
      if rate and (row_of.rate(row) or unit) == unit and (not best or rate > best.rate) then
        best = {rate = rate, on = theirs.on, number = row.number, computed = theirs.computed}
      end
    end
  end
  return best
end

local function largest_gain(run)
  return (lists.best(run.rows, function(row) return gains.word(row.gain) == "better" and row.gain.ratio end))
end

--- The fastest steps of a run, each with the author's best of its study and unit.
-- @tparam table run of the document
-- @treturn {table,...} as from @{clue.result.fastest.named}, with author: rate, on, number, computed
function summary.best(run)
  return lists.map(fastest.named(run.rows), function(best)
    best.author = best_of_author(run, best.study, best.unit)
    return best
  end)
end

-- The rows that failed or are wrong.
local function bad_of(run)
  return lists.filter(run.rows, function(row) return not select(2, row_of.verdict(row)) end)
end

-- The fastest step, or those that are equally fast.
local function winners_of(best, how)
  local rows = first_screen.winners(best)
  return lists.map(rows, function(row, i)
    return {i > 1 and " and " or "", {to = "#" .. how.link(row), ("step %s, %s"):format(tostring(row.number),
      row.name or "?")}, i == #rows and (i > 1 and ", equally fast" or "") .. first_screen.unless(best) or ""}
  end)
end

local function fastest_of(best, run, walkthrough, how)
  local row, author = best.row, best.author
  local speed = row_of.speed(row)
  local items = {{("%sthe fastest%s: "):format(best.study and best.study .. ", " or "",
    best.problem and " at " .. best.problem or ""), winners_of(best, how)}}
  if author then
    local part = row_of.whole(row)
    items[2] = ("by the %s, %s times the author's best (%s%s %s, step %s, %s)"):format(part,
      figures.ratio(row_of.speed(row, part) / author.rate), figures.published(author.rate),
      author.computed and "*" or "", best.unit, tostring(author.number), author.on or "?")
    items[3] = ("here: %s; %s"):format(row.problem or "?", first_screen.author(run.rows, walkthrough, author.on) or "")
  end
  for _, text in ipairs(first_screen.beside(best, run.rows, run.peak)) do items[#items + 1] = text end
  return {block.paragraph({is = "speed_" .. row_of.judged(row), value = figures.exact(speed), at = how.at(run, row),
    figures.marked(figures.number(speed), row.times.extrapolated), " " .. best.unit}, {class = "big"}),
    block.list(items)}
end

local function card(walkthrough, run, how)
  local blocks = {
    block.heading({to = "#" .. walkthrough.anchor, walkthrough.name}),
    block.heading(run.name, {level = 4, mark = {"device", run.index}}),
  }
  for _, best in ipairs(summary.best(run)) do blocks[#blocks + 1] = fastest_of(best, run, walkthrough, how) end
  local gain, is_good = largest_gain(run), not bad_of(run)[1] and lists.any(run.rows, row_of.is_verified)
  local is_unsure = lists.any(run.rows, function(row)
    local word = gains.word(row.gain)
    return word == "unsure" or word == "unclear"
  end)
  blocks[#blocks + 1] = block.list {
    gain and ("largest gain: step %s, %s, %s times as fast as step %s"):format(tostring(gain.number), gain.name or "?",
      gains.text(gain.gain), tostring(gain.gain.over))
      or {class = "muted", is_unsure and "too few runs to be certain of a gain" or "no step gains over another one"},
    {class = is_good and "good" or "bad", first_screen.counts(run.rows)},
  }
  return blocks
end

local function bad_rows(walkthrough, run, how)
  return lists.map(bad_of(run), function(row)
    local why = row_of.why(row)
    return {{to = "#" .. how.link(row), ("%s step %s, %s"):format(walkthrough.name, tostring(row.number),
      row.name or "?")}, (" on %s: "):format(run.name), {class = "bad", (row_of.verdict(row))},
      why and ": " .. why or ""}
  end)
end

--- The results of all runs in short.
-- @tparam {table,...} all walkthrough, runs, how: see @{clue.show.walk.view.blocks}
-- @treturn table a section
function summary.results(all)
  local cards, bad, is_published = {}, {}, false
  for _, it in ipairs(all) do
    for _, run in ipairs(it.runs) do
      is_published = is_published or steps_table.has_figures(run.rows)
      cards[#cards + 1] = card(it.walkthrough, run, it.how)
      for _, item in ipairs(bad_rows(it.walkthrough, run, it.how)) do bad[#bad + 1] = item end
    end
  end
  return block.section {id = "summary", title = "Results", blocks = {
    bad[1] and block.alert({block.list(bad)}, {title = #bad == 1 and "One step did not end as it should"
      or ("%d steps did not end as they should"):format(#bad)}),
    block.cards {list = cards},
    block.paragraph(("Speeds are by the kernel's time, the median of all runs. The %s are compared with the total: "
      .. "executing and reading back, without upload. Only steps with a verified result have a speed. ~: a part was "
      .. "run, and the whole computed from it%s."):format(is_published and "author's figures, and the host's loops," or
      "host's loops", is_published and "; *: computed from the times that the author printed" or ""), {class = "note"}),
  }}
end

-- ---- the machine ----

local function whole(value)
  return type(value) == "number" and figures.exact(value) or value
end

local function peak_text(peak)
  if not peak then return "not measured, so there is no roofline; `clue peak` measures them" end
  local parts = {}
  for _, kind in ipairs {"half", "float", "double", "int"} do
    local value = (peak.flops or {})[kind]
    if type(value) == "number" then
      parts[#parts + 1] = ("%s %s %s"):format(kind, figures.number(value * 1e-9), arithmetic_unit(kind))
    end
  end
  for _, kind in ipairs {"read", "write", "copy"} do
    local value = (peak.bandwidth or {})[kind]
    if type(value) == "number" then parts[#parts + 1] = ("%s %s GB/s"):format(kind, figures.number(value * 1e-9)) end
  end
  if type(peak.local_bandwidth) == "number" then
    parts[#parts + 1] = ("local memory %s GB/s"):format(figures.number(peak.local_bandwidth * 1e-9))
  end
  return table.concat(parts, ", ")
end

local function device_blocks(device, index)
  return {block.heading(device.name or device.address or "?", {mark = {"device", index}}), block.facts {list = {
    {"address", device.address and "--device " .. device.address .. " picks it again"},
    {"why this one", device.why}, {"kind", device.kind and device.kind:upper()},
    {"platform", device.platform and device.platform .. (device.platform_version and ", " .. device.platform_version
      or "")},
    {"driver", device.driver}, {"OpenCL", device.version}, {"loader", device.loader},
    {"compute units", whole(device.compute_units)}, {"clock", device.mhz and whole(device.mhz) .. " MHz"},
    {"measured limits", peak_text(device.peak)}}}}
end

--- The machine and its devices.
-- @treturn table a section
function summary.machine(document)
  local machine, devices = document.machine or {}, lists.map(document.devices or {}, device_blocks)
  return block.section {id = "machine", title = "The machine", contents = "The machine", blocks = {
    block.facts {list = {{"system", machine.system}, {"processor", machine.processor}, {"cores", whole(machine.cores)},
      {"memory", type(machine.memory) == "number" and figures.bytes(machine.memory) or machine.memory},
      {"Lua", machine.lua}}}, devices}}
end

return summary
