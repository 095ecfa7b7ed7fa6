--- The report's table of all rows: times, speeds, gains, the author's figures, results.
--
-- In a cell with a figure, data-is names the figure and data-value has its exact value; data-at of its row is its
-- place in the embedded document. The report's spec reads them.
-- @module clue.report.rows
local figures = require "clue.shared.figures"
local html = require "clue.report.html"
local row_of = require "clue.walk.row"
local statistics = require "clue.walk.statistics"

local rows = {}

local h = html.element

-- ---- cells ----

local function empty()
  return h("td", nil, "")
end

local function cell(is, value, text, ...)
  return h("td", {["data-is"] = is, ["data-value"] = figures.exact(value)}, text, ...)
end

local function range_text(least, most, write)
  return h("span", {class = "range"}, " ", write(least), "–", write(most))
end

local function time_cell(row, part)
  local times = row_of.time(row, part)
  if not times then return empty() end
  local text = figures.marked(figures.milliseconds(times.median), row.times.extrapolated)
  return cell(part, times.median, text, times.count > 1 and range_text(times.min, times.max, figures.milliseconds))
end

local function speed_cell(row, part)
  local speed = row_of.speed(row, part)
  if not speed then return empty() end
  return cell("speed-" .. part, speed, figures.marked(figures.number(speed), row.times.extrapolated))
end

local function host_cell(row)
  local ratio = row_of.over_host(row)
  if not ratio then return empty() end
  return cell("over-host", ratio, figures.marked(figures.ratio(ratio), row.host.extrapolated or row.times.extrapolated))
end

--- A row's gain, in words and figures.
-- @tparam table row
-- @treturn string nil if there is none
function rows.gain_text(row)
  local gain = row.gain
  if not (gain and gain.ratio) then return nil end
  return statistics.text(gain, gain.pairs and " (too few runs)" or " (medians alone)", "–")
end

local function gain_cell(row)
  local text = rows.gain_text(row)
  if not text then return empty() end
  return h("td", {["data-is"] = "gain", ["data-value"] = figures.exact(row.gain.ratio),
                  class = row_of.gain_word(row) == "same" and "nodiff" or false}, text,
           row.over and h("span", {class = "range"}, (" over %s"):format(tostring(row.gain.over))))
end

local function author_cell(row, on, unit)
  local theirs, place = row_of.published(row, on)
  if not theirs then return empty() end
  local rate, star = theirs.rate, theirs.computed and "*" or ""
  local text = rate and figures.published(rate) .. star
    .. ((theirs.unit or unit) ~= unit and " " .. (theirs.unit or "") or "")
  local more = {}
  if theirs.seconds then more[#more + 1] = figures.published(theirs.seconds) .. " s" end
  if theirs.ratio then more[#more + 1] = figures.published(theirs.ratio) .. "×" .. (rate and "" or star) end
  if theirs.text then more[#more + 1] = theirs.text end
  local extra = #more > 0 and h("span", {class = "range"}, rate and " " or "", table.concat(more, ", "))
  if rate then return cell("published-" .. place - 1, rate, text, extra) end
  return h("td", {class = "author"}, extra)
end

local marks = {verified = {"good", "✓ verified"}, skipped = {"skip", "skipped"}}

--- The verdict on a row, marked.
-- @tparam table row
-- @treturn node
function rows.verdict(row)
  local word = row_of.verdict(row)
  local mark = marks[word] or {"bad", "✗ " .. word}
  return h("span", {class = mark[1]}, mark[2])
end

-- ---- lines ----

-- The total has a column of its own, before the speeds that follow from it.
local function other_parts(list)
  local parts = row_of.measured(list)
  if parts[#parts] == "total" then parts[#parts] = nil end
  return parts
end

local function head(columns, authors, unit)
  local cells = {h("th", {scope = "col", class = "text"}, "#"), h("th", {scope = "col", class = "text"}, "step")}
  local function add(text) cells[#cells + 1] = h("th", {scope = "col"}, text) end
  cells[#cells + 1] = h("th", {scope = "col", class = "text"}, "result")
  add "total, ms"
  add("speed" .. (unit and ", " .. unit or ""))
  add "of the kernel alone"
  add "over the host loop"
  add "gain"
  for _, on in ipairs(authors) do add("author: " .. on) end
  for _, part in ipairs(columns) do add((part == "read" and "read back" or part) .. ", ms") end
  add "runs"
  return h("thead", nil, h("tr", nil, cells))
end

local function line(row, columns, of, at)
  local cells = {}
  cells[#cells + 1] = h("td", {class = "text", ["data-is"] = "verdict"}, rows.verdict(row))
  cells[#cells + 1] = time_cell(row, "total")
  cells[#cells + 1] = speed_cell(row, "total")
  cells[#cells + 1] = speed_cell(row, "kernel")
  cells[#cells + 1] = host_cell(row)
  cells[#cells + 1] = gain_cell(row)
  for _, on in ipairs(of.authors) do cells[#cells + 1] = author_cell(row, on, row_of.rate(row) or of.unit) end
  for _, part in ipairs(columns) do cells[#cells + 1] = time_cell(row, part) end
  cells[#cells + 1] = row.times and row.times.runs and cell("runs", row.times.runs, figures.exact(row.times.runs))
    or empty()
  return h("tr", {class = row == of.best and "best" or false, ["data-at"] = at},
    h("td", {class = "text"}, tostring(row.number)),
    h("th", {scope = "row", class = "text name"}, h("a", {href = "#" .. of.link(row)},
      html.breakable(row.name or "?"))), cells)
end

-- A further host loop is placed below its step.
local function host_line(beside, columns, authors)
  local function marked(text) return figures.marked(text, beside.times.extrapolated) end
  local seconds, speed = row_of.seconds(beside), row_of.speed(beside)
  local cells = {h("td", {class = "text"}, "host"), seconds and h("td", nil, marked(figures.milliseconds(seconds)))
    or empty()}
  cells[#cells + 1] = h("td", nil, speed and marked(figures.number(speed)) or "")
  for _ = 1, 3 + #authors + #columns do cells[#cells + 1] = empty() end
  cells[#cells + 1] = h("td", nil, tostring(beside.times.runs))
  return h("tr", {class = "aside"}, h("td", {class = "text"}, beside.number),
    h("th", {scope = "row", class = "text name"}, beside.name or "host loop"), cells)
end

--- The table of one run's rows of one unit.
-- @tparam {{row,place},...} list rows, and their places in the run (from 0)
-- @tparam table of name: of the table; caption: the visible one; unit: of the speeds; authors: the author's
--   machines; at: the run's place in the document; best: the fastest row; link(row): id of its step
-- @treturn node
function rows.table(list, of)
  local all, lines = {}, {}
  for i, entry in ipairs(list) do all[i] = entry[1] end
  local columns = other_parts(all)
  for _, entry in ipairs(list) do
    local row = entry[1]
    lines[#lines + 1] = line(row, columns, of, ("%s/rows/%d"):format(of.at, entry[2]))
    for _, beside in ipairs(row_of.beside(row)) do lines[#lines + 1] = host_line(beside, columns, of.authors) end
  end
  return h("div", {class = "scroll", role = "region", tabindex = "0", ["aria-label"] = of.name},
    h("table", nil, of.caption and h("caption", nil, of.caption), head(columns, of.authors, of.unit),
      h("tbody", nil, lines)))
end

return rows
