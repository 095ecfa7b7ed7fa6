--- The report's table of all rows: times, speeds, gains, the author's figures, results.
--
-- In a cell with a figure, data-is names the figure and data-value has its exact value; data-at of its row is its
-- place in the embedded document. The report's spec reads them.
-- @module clue.show.report.rows
local columns = require "clue.result.columns"
local figures = require "clue.shared.figures"
local html = require "clue.show.report.html"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"

local rows = {}

local h = html.element

-- ---- cells ----

local function empty()
  return h("td", nil, "")
end

-- A figure that shares its cell with others.
local function figure(is, value, ...)
  return h("span", {["data-is"] = is, ["data-value"] = figures.exact(value)}, ...)
end

local function cell(is, value, text, ...)
  return h("td", {["data-is"] = is, ["data-value"] = figures.exact(value)}, text, ...)
end

local function below(...)
  return h("span", {class = "range"}, ...)
end

local function range_text(least, most, write)
  return below(" ", write(least), "–", write(most))
end

local function time_parts(row, part)
  local times = row_of.time(row, part)
  if not times then return nil end
  return times, figures.marked(figures.milliseconds(times.median), row.times.extrapolated),
    times.count > 1 and range_text(times.min, times.max, figures.milliseconds)
end

-- The total with its range, and below it the number of runs.
local function total_cell(row)
  local times, text, range = time_parts(row, "total")
  local runs = row.times and row.times.runs
  if not (times or runs) then return empty() end
  return h("td", nil, times and figure("total", times.median, text, range),
    runs and below(figure("runs", runs, figures.exact(runs)), runs == 1 and " run" or " runs"))
end

-- The kernel, the upload and the read-back, one below the other.
local function parts_cell(row)
  local lines = {}
  for _, part in ipairs {{"kernel", "kernel "}, {"upload", "up "}, {"read", "back "}} do
    local times, text, range = time_parts(row, part[1])
    if times then
      lines[#lines + 1] = h("span", {class = "line"}, part[2], figure(part[1], times.median, text, range))
    end
  end
  return h("td", {class = "parts"}, lines)
end

local function speed_of(row, part)
  local speed = row_of.speed(row, part)
  return speed and figure("speed-" .. part, speed, figures.marked(figures.number(speed), row.times.extrapolated))
end

local function speed_cell(row)
  local kernel = speed_of(row, "kernel")
  return h("td", nil, speed_of(row, "total"), kernel and below("kernel ", kernel))
end

local function first_cell(row, text, of)
  local _, first = row_of.over_first(of.rows, row)
  return h("td", nil, text, first ~= row and below(("step %s"):format(tostring(first.number))))
end

--- A row's gain, in words and figures.
-- @tparam table row
-- @treturn string nil if there is none
function rows.gain_text(row)
  local gain = row.gain
  if not (gain and gain.ratio) then return nil end
  return statistics.text(gain, gain.pairs and " (too few runs)" or " (medians alone)", "–")
end

--- What other work did to a row: the medians in turn, where those in the table contradict the gain.
-- @tparam table row
-- @treturn ?string
function rows.disturbed_text(row)
  local gain = row.gain
  if not (gain and gain.disturbed and gain.before and gain.now) then return nil end
  local function median(seconds) return figures.milliseconds(statistics.median(seconds)) end
  return ("disturbed: in turn, %s ms, and step %s %s ms"):format(median(gain.now), tostring(gain.over),
    median(gain.before))
end

local class_of_word = {same = "nodiff", better = "good-gain", worse = "bad-gain"}

local function gain_cell(row)
  local disturbed = rows.disturbed_text(row)
  return h("td", {["data-is"] = "gain", ["data-value"] = figures.exact(row.gain.ratio),
                  class = "gain " .. (class_of_word[row_of.gain_word(row)] or "")}, rows.gain_text(row),
           below((" over %s"):format(tostring(row.gain.over))),
           disturbed and h("span", {class = "disturbed"}, " ", disturbed))
end

-- One of the author's machines, in its own line.
local function author_line(theirs, place, unit)
  local rate, star = theirs.rate, theirs.computed and "*" or ""
  local text = rate and figures.published(rate) .. star
    .. ((theirs.unit or unit) ~= unit and " " .. (theirs.unit or "") or "")
  local more = {}
  if theirs.seconds then more[#more + 1] = figures.published(theirs.seconds) .. " s" end
  if theirs.ratio then more[#more + 1] = figures.published(theirs.ratio) .. "×" .. (rate and "" or star) end
  if theirs.text then more[#more + 1] = theirs.text end
  return h("span", {class = "line"}, (theirs.on or "?") .. ": ",
    rate and figure("published-" .. place - 1, rate, text) or false,
    #more > 0 and below(rate and " " or "", table.concat(more, ", ")))
end

local function author_cell(row, of)
  local lines, unit = {}, row_of.rate(row) or of.unit
  for place, theirs in ipairs(row.published or {}) do lines[place] = author_line(theirs, place, unit) end
  return h("td", {class = "author"}, lines)
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

-- Figures whose cells have more than the figure, by a function of the row, its text and `of`.
local own_cells = {over_first = first_cell, gain = gain_cell}

local function figure_column(entry)
  local function text_of(row, of) return columns.text(entry.name, row, of) end
  return {title = entry.page, has = text_of, cell = function(row, of)
    local text = text_of(row, of)
    if not text then return empty() end
    if own_cells[entry.name] then return own_cells[entry.name](row, text, of) end
    return cell(entry.name, columns.value(entry.name, row, of), text)
  end}
end

-- The columns behind the speeds: title, class; has(row, of): whether the table has the column because of this row;
-- cell(row, of).
local chosen = {}
for i, entry in ipairs(columns.of_page()) do chosen[i] = figure_column(entry) end
chosen[#chosen + 1] = {title = "the author's", class = "author", has = function(row)
  return row.published and #row.published > 0
end, cell = author_cell}
chosen[#chosen + 1] = {title = "its parts, ms", has = function(row)
  return row_of.time(row, "kernel") or row_of.time(row, "upload") or row_of.time(row, "read")
end, cell = parts_cell}

local function columns_of(of)
  local list = {}
  for _, column in ipairs(chosen) do
    if row_of.any(of.rows, function(row) return column.has(row, of) end) then list[#list + 1] = column end
  end
  return list
end

-- The cells of a line from the speed on, by a function that makes each.
local function chosen_cells(list, make)
  local cells = {}
  for i, column in ipairs(list) do cells[i] = make(column) end
  return cells
end

local function head(list, unit)
  local function add(text, class) return h("th", {scope = "col", class = class or false}, text) end
  return h("thead", nil, h("tr", nil, h("th", {scope = "col", class = "text"}, "#"),
    h("th", {scope = "col", class = "text"}, "step"), add "total, ms", add("speed" .. (unit and ", " .. unit or "")),
    chosen_cells(list, function(column) return add(column.title, column.class) end)))
end

local function line(row, list, of, at)
  return h("tr", {class = of.best[row] and "best" or false, ["data-at"] = at},
    h("td", {class = "text"}, tostring(row.number)),
    h("th", {scope = "row", class = "text name"}, h("a", {href = "#" .. of.link(row)},
      html.breakable(row.name or "?")), h("span", {class = "verdict", ["data-is"] = "verdict"}, rows.verdict(row))),
    total_cell(row), speed_cell(row), chosen_cells(list, function(column) return column.cell(row, of) end))
end

-- A further host loop is placed below its step.
local function host_line(beside, list)
  local function marked(text) return figures.marked(text, beside.times.extrapolated) end
  local seconds, speed = row_of.seconds(beside), row_of.speed(beside)
  return h("tr", {class = "aside"}, h("td", {class = "text"}, beside.number),
    h("th", {scope = "row", class = "text name"}, beside.name or "host loop"),
    h("td", nil, seconds and marked(figures.milliseconds(seconds)),
      below(("%s runs"):format(tostring(beside.times.runs)))),
    h("td", nil, speed and marked(figures.number(speed)) or ""), chosen_cells(list, empty))
end

--- The table of one run's rows of one unit.
-- @tparam {{row,place},...} list rows, and their places in the run (from 0)
-- @tparam table of name: of the table; caption: the visible one; unit: of the speeds; peak: the device's limits, if
--   known; at: the run's place in the document; best: the set of the fastest rows; link(row): id of its step
-- @treturn node
function rows.table(list, of)
  local lines = {}
  of.rows = {}
  for i, entry in ipairs(list) do of.rows[i] = entry[1] end
  local shown = columns_of(of)
  for _, entry in ipairs(list) do
    local row = entry[1]
    lines[#lines + 1] = line(row, shown, of, ("%s/rows/%d"):format(of.at, entry[2]))
    for _, beside in ipairs(row_of.beside(row)) do lines[#lines + 1] = host_line(beside, shown) end
  end
  return h("div", {class = "scroll", role = "region", tabindex = "0", ["aria-label"] = of.name},
    h("table", {class = "rows"}, of.caption and h("caption", nil, of.caption), head(shown, of.unit),
      h("tbody", nil, lines)))
end

return rows
