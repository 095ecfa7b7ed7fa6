--- The first part of the report: what was run, the results, the machine and its devices.
-- @module clue.show.report.overview
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local data = require "clue.show.report.data"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local html = require "clue.show.report.html"
local page = require "clue.show.report.page"
local row_of = require "clue.result.row"
local rows = require "clue.show.report.rows"
local share = require "clue.result.share"

local overview = {}

local h = html.element

local function seconds_of(text)
  local year, month, day, hour, minute, second = tostring(text):match "^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)"
  return year and os.time {year = year, month = month, day = day, hour = hour, min = minute, sec = second}
end

local function duration(document)
  local from, to = seconds_of(document.started), seconds_of(document.finished)
  if not (from and to) or to < from then return nil end
  local seconds = to - from
  if seconds < 100 then return counted(seconds, "second") end
  return ("%d min %d s"):format(math.floor(seconds / 60), seconds % 60)
end

-- ---- the head ----

local function device_names(document)
  local names = {}
  for i, device in ipairs(document.devices or {}) do names[i] = device.name or device.address end
  return #names > 0 and table.concat(names, " and ") or "no device"
end

--- The title of the page.
-- @tparam table document
-- @treturn string
function overview.title(document)
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
    local words = {}
    for i, word in ipairs(type(list) == "table" and list or {}) do words[i] = word == "" and "''" or tostring(word) end
    if words[1] then parts[#parts + 1] = each[2] .. table.concat(words, ", ") end
  end
  return #parts > 0 and "Options: " .. table.concat(parts, ", ") .. "." or nil
end

--- The page's head.
-- @tparam table document
-- @treturn node
function overview.head(document)
  local steps = 0
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, run in ipairs(walkthrough.runs) do steps = steps + #run.rows end
  end
  local took, continued = duration(document), (document.resumed or {})[#(document.resumed or {})]
  return h("header", nil, h("h1", nil, overview.title(document)),
    h("p", {class = "lead"}, ("%s run on %s; begun "):format(counted(steps, "step"), device_names(document)),
      page.time(document.started), continued and ", continued " or took and ", took " .. took or "",
      continued and page.time(continued), "."),
    not document.finished and h("p", {class = "bad"}, "The run did not finish; these are the results so far."),
    h("p", {class = "muted"}, ("By clue %s. "):format(document.clue or "?"), options_text(document)))
end

-- ---- the summary ----

local function fastest_lines(best, run, peak)
  local row, author = best.row, best.author
  local speed = row_of.speed(row)
  local lines = {h("p", {class = "big", ["data-at"] = best.at, ["data-is"] = "speed-" .. row_of.judged(row),
    ["data-value"] = figures.exact(speed)}, figures.marked(figures.number(speed), row.times.extrapolated),
    " ", h("small", nil, best.unit))}
  local list = {h("li", nil, ("%sthe fastest%s: "):format(best.study and best.study .. ", " or "",
    best.problem and " at " .. best.problem or ""), h("a", {href = "#"
    .. best.link}, html.breakable(("step %s, %s"):format(tostring(row.number), row.name or "?"))))}
  if author then
    list[#list + 1] = h("li", nil, ("%s times the author's best (%s%s %s, step %s, %s)"):format(
      figures.ratio(speed / author.rate), figures.published(author.rate), author.computed and "*" or "", best.unit,
      tostring(author.number), author.on or "?"))
  end
  local times, first = row_of.over_first(run.rows, row)
  if times and first ~= row then
    list[#list + 1] = h("li", nil, ("%s times step %s"):format(figures.ratio(times), tostring(first.number)))
  end
  local part = row_of.share_of_peak(row, peak)
  if part then list[#list + 1] = h("li", nil, share.percent(part), " of the device's peak") end
  local over = row_of.over_host(row)
  if over then
    list[#list + 1] = h("li", nil, ("%s times the host loop"):format(
      figures.marked(figures.ratio(over), row.host.extrapolated)))
  end
  lines[2] = h("ul", nil, list)
  return lines
end

local function card(document, walkthrough, run, at, link)
  local device, index = data.device(document, run)
  local it, lines = data.summary(run), {}
  for _, best in ipairs(it.best) do
    best.at, best.link = ("%s/rows/%d"):format(at, best.place - 1), link(best.row)
    lines[#lines + 1] = fastest_lines(best, run, device.peak)
  end
  local counts = {h("span", {class = it.verified > 0 and "good" or "bad"}, ("%d of %s verified"):format(it.verified,
    counted(it.rows, "step")))}
  if it.skipped > 0 then counts[#counts + 1] = (", %d skipped"):format(it.skipped) end
  if #it.bad > 0 then
    counts[#counts + 1] = {", ", h("span", {class = "bad"}, ("%d failed or wrong"):format(#it.bad))}
  end
  local gain = it.gain and h("li", nil, ("largest gain: step %s, %s, %s times as fast as step %s"):format(
    tostring(it.gain.number), it.gain.name or "?", rows.gain_text(it.gain), tostring(it.gain.gain.over)))
  return h("div", {class = "card"}, h("h3", nil, h("a", {href = "#" .. walkthrough.anchor}, walkthrough.name)),
    h("p", {class = "on"}, overview.legend_mark("device", index), " ", device.name or device.address), lines,
    h("ul", nil, gain, h("li", nil, counts)))
end

local function bad_rows(document, each_run)
  local items = {}
  each_run(function(walkthrough, run, _, link)
    local device = data.device(document, run)
    for _, bad in ipairs(data.summary(run).bad) do
      local row = bad.row
      local why = row.failed and row.failed.text or row.check and row.check.text
      items[#items + 1] = h("li", nil, h("a", {href = "#" .. link(row)}, ("%s step %s, %s"):format(walkthrough.name,
        tostring(row.number), row.name or "?")), (" on %s: "):format(device.name or device.address),
        h("span", {class = "bad"}, bad.word), why and ": " .. why or "")
    end
  end)
  if #items == 0 then return nil end
  return h("div", {class = "alert"}, h("h3", nil, #items == 1 and "One step did not end as it should"
    or ("%d steps did not end as they should"):format(#items)), h("ul", nil, items))
end

--- The results of all runs.
-- @tparam table document
-- @tparam function each_run calls its argument with walkthrough, run, the run's place, link(row)
-- @tparam[opt] string no_charts why there are none
-- @treturn node
function overview.summary(document, each_run, no_charts)
  local cards = {}
  each_run(function(walkthrough, run, at, link)
    cards[#cards + 1] = card(document, walkthrough, run, at, link)
  end)
  return page.section("summary", "Results", bad_rows(document, each_run), page.no_charts(no_charts),
    h("div", {class = "cards"}, cards),
    h("p", {class = "note"}, "Speeds are by the total time, executing and reading back without upload; those in GB/s by"
      .. " the kernel's time alone; each is the median of all runs. Only steps with a verified result have one. ~: a "
      .. "part was run, and the whole computed from it; *: computed from the times that the author printed."))
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

local function device_block(device, index)
  return {h("h3", nil, overview.legend_mark("device", index), " ", device.name or device.address or "?"),
    page.facts {{"address", device.address and "--device " .. device.address .. " picks it again"},
      {"why this one", device.why}, {"kind", device.kind and device.kind:upper()},
      {"platform", device.platform and device.platform .. (device.platform_version and ", " .. device.platform_version
        or "")},
      {"driver", device.driver}, {"OpenCL", device.version}, {"loader", device.loader},
      {"compute units", whole(device.compute_units)}, {"clock", device.mhz and whole(device.mhz) .. " MHz"},
      {"measured limits", peak_text(device.peak)}}}
end

--- The machine and its devices.
-- @tparam table document
-- @treturn node
function overview.machine(document)
  local machine, devices = document.machine or {}, {}
  for i, device in ipairs(document.devices or {}) do devices[i] = device_block(device, i) end
  return page.section("machine", "The machine",
    page.facts {{"system", machine.system}, {"processor", machine.processor}, {"cores", whole(machine.cores)},
      {"memory", type(machine.memory) == "number" and figures.bytes(machine.memory) or machine.memory},
      {"Lua", machine.lua}}, devices)
end

-- ---- marks of the legends ----

local shapes = {
  '<circle cx="5" cy="5" r="4"/>', '<rect x="1.3" y="1.3" width="7.4" height="7.4"/>',
  '<path d="M5 .6L9.6 8.6H.4z"/>',
  '<path d="M5 9.4L9.6 1.4H.4z"/>', '<path d="M5 .2L9.8 5L5 9.8L.2 5z"/>',
  '<path d="M5 .2L9.6 3.6L7.8 9H2.2L.4 3.6z"/>',
}

--- The mark of a device or of an author's machine in the charts.
-- @tparam string kind "device" or "author"
-- @tparam int index
-- @treturn node
function overview.legend_mark(kind, index)
  local colour = ("var(--%s-%d)"):format(kind, (index - 1) % 8 + 1)
  local paint = kind == "device" and ('fill="%s"'):format(colour)
    or ('fill="none" stroke="%s" stroke-width="1.6"'):format(colour)
  return html.raw(('<svg class="mark" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" %s>%s</svg>')
    :format(paint, shapes[(index - 1) % #shapes + 1]))
end

return overview
