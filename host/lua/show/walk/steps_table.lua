--- The table of a walkthrough's steps: time, speed, share of the device's peak, gains; the author's speeds beside them
-- where there is room. Columns are left out, the least important first, until the table fits the terminal.
-- @module clue.show.walk.steps_table
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"
local tables = require "clue.table"

local steps_table = {}

local figure, ratio, marked, published = figures.number, figures.ratio, figures.marked, figures.published

-- ---- cells ----

--- The text for a row's gain, without what it is over.
-- @tparam table row
-- @treturn string|false
function steps_table.gain(row)
  return row.gain and marked(statistics.text(row.gain), row.gain.extrapolated) or false
end

local function base_of(row)
  return row.gain and tostring(row.gain.over) or false
end

--- The median time of a part.
-- @tparam table row
-- @tparam[opt] string part as for @{clue.result.row.time}
-- @treturn ?string milliseconds
function steps_table.median(row, part)
  local summary = row_of.time(row, part)
  return summary and marked(figures.milliseconds(summary.median), row.times.extrapolated)
end

local function range_of(row, part)
  local summary = row_of.time(row, part)
  return summary and summary.count > 1 and figures.percent(summary.spread)
end

local function speed_of(row, part)
  local value = figure(row_of.speed(row, part))
  return value and marked(value, part ~= "kernel" and row.times.extrapolated) or false
end

local function over_host(row)
  local value = row_of.over_host(row)
  return value and marked(ratio(value), row.host.extrapolated) or false
end

--- A share of a limit in percent.
-- @tparam ?number share
-- @treturn string|false
function steps_table.percent(share)
  if not share then return false end
  return (share >= 0.1 and "%.0f" or share >= 0.0005 and "%.1f" or "<%.1f"):format(math.max(share * 100, 0.1))
end

--- How many characters all names begin with, up to a "_": "matr_mul_".
-- @tparam {table,...} rows
-- @treturn int
function steps_table.common_beginning(rows)
  local common = #rows > 1 and rows[1].name and rows[1].name:match "^(.*_)" or ""
  for _, row in ipairs(rows) do
    while common ~= "" and (row.name or ""):sub(1, #common) ~= common do common = common:match "^(.*_)[^_]*_$" or "" end
  end
  return #common
end

--- A row's name in at most so many characters: what all names begin with is left out first.
-- @tparam table row
-- @tparam int most characters
-- @tparam int common of @{common_beginning}
-- @treturn string
function steps_table.short_name(row, most, common)
  local name = row.name or "?"
  if #name <= most then return name end
  return tables.cut(common > 3 and "…" .. name:sub(common + 1) or name, most)
end

--- The mark before a row: the fastest one, or one whose figures contradict each other.
-- @tparam table row
-- @tparam table of best: the set of the fastest rows, of @{clue.result.contest.winners}
-- @treturn string
function steps_table.mark(row, of)
  return (row.gain and row.gain.disturbed and "!" or "") .. (of.best[row] and ">" or "")
end

-- Whether a row is the first one of others.
local function is_first_of_others(rows, row)
  return row_of.any(rows, function(other)
    return other ~= row and select(2, row_of.over_first(rows, other)) == row
  end)
end

--- How many times as fast as the first row of its problem a row is.
-- @tparam {table,...} rows
-- @tparam table row one of them
-- @treturn string|false false also if it is the only one of its problem
function steps_table.over_first(rows, row)
  local value, first = row_of.over_first(rows, row)
  if not value or first == row and not is_first_of_others(rows, row) then return false end
  return marked(ratio(value), row.times.extrapolated)
end

-- ---- columns ----

-- The machines for which the author gives figures, and which of them: {on, seconds = true, rate = true, ratio = true}.
local function authors_of(rows)
  local authors = {}
  for _, row in ipairs(rows) do
    for _, theirs in ipairs(row.published or {}) do
      local author = authors[theirs.on]
      if not author then
        author = {on = theirs.on}
        authors[#authors + 1], authors[theirs.on] = author, author
      end
      for _, field in ipairs {"seconds", "rate", "ratio"} do author[field] = author[field] or theirs[field] ~= nil end
    end
  end
  return authors
end

local function author_rate(theirs, unit)
  return published(theirs.rate) .. (theirs.unit and unit and theirs.unit ~= unit and " " .. theirs.unit or "")
    .. (theirs.computed and "*" or "")
end

local author_columns = {
  {field = "seconds", title = "s", write = function(theirs) return published(theirs.seconds) end},
  {field = "rate", write = author_rate},
  {field = "ratio", title = "/host", write = function(theirs) return published(theirs.ratio) end},
}

-- The columns of one of the author's machines, whose name is above the first of them.
local function add_author(columns, author, unit, fields)
  local first = true
  for _, column in ipairs(author_columns) do
    if author[column.field] and fields[column.field] then
      local whose = first and "author's\n" .. author.on:gsub(", ", ",\n") or ""
      columns[#columns + 1] = {
        title = fields.seconds and whose .. "\n" .. (column.title or unit) or whose,
        right = true, gap = not first and 1 or nil, optional = true, get = function(row)
          local theirs = row_of.published(row, author.on)
          return theirs and theirs[column.field] and column.write(theirs, unit)
        end,
      }
      first = false
    end
  end
end

--- Over which rows the others' speed-ups are: the first ones of their problems.
-- @tparam {table,...} rows
-- @treturn ?string "step 2", or "first" if they are over different ones; nil if there are none
function steps_table.over(rows)
  local numbers = {}
  for _, row in ipairs(rows) do
    local _, first = row_of.over_first(rows, row)
    if first and first ~= row then numbers[#numbers + 1] = tostring(first.number) end
  end
  for _, number in ipairs(numbers) do
    if number ~= numbers[1] then return "first" end
  end
  return numbers[1] and "step " .. numbers[1] or nil
end

local function columns_of(rows, of, layout)
  local columns, judged = {}, of.judged
  local over, common = steps_table.over(rows), steps_table.common_beginning(rows)
  local function add(feature, title, get, more)
    if feature and not layout[feature] then return end
    local column = {title = title, right = true, optional = true, get = get}
    for key, value in pairs(more or {}) do column[key] = value end
    columns[#columns + 1] = column
  end
  add(nil, "", function(row) return steps_table.mark(row, of) end, {right = true, optional = false})
  add(nil, "#", function(row) return row.number end, {gap = 0, optional = false})
  add("name", "step", function(row) return steps_table.short_name(row, layout.name, common) end, {right = false})
  for _, part in ipairs {"upload", "kernel", "read", "total"} do
    local feature = part ~= judged and part or nil
    add(feature, part .. "\nms", function(row) return steps_table.median(row, part) end)
    if part == judged then add("range", "\n±%", function(row) return range_of(row, part) end, {gap = 1}) end
  end
  add(nil, judged .. "\n" .. of.unit, function(row) return speed_of(row, judged) end)
  if judged ~= "kernel" then
    add("kernel_speed", "kernel\n" .. of.unit, function(row) return speed_of(row, "kernel") end)
  end
  add("peak", "% of\npeak", function(row) return steps_table.percent(row_of.share_of_peak(row, of.peak)) end)
  add(over and "first" or "none", over and "over\n" .. over, function(row) return steps_table.over_first(rows, row) end)
  add("gain", "gain\n(95 % interval)", steps_table.gain, {right = false})
  add("gain", "\nover", base_of, {gap = 1})
  add("host", "over its\nhost loop", over_host)
  for _, author in ipairs(layout.author and authors_of(rows) or {}) do
    add_author(columns, author, of.unit, author.rate and {rate = true} or {seconds = true})
  end
  add("runs", "\nn", function(row) return row.times and row.times.runs end)
  add(of.all_verified and "result" or nil, "result", row_of.verdict, {right = false})
  return columns
end

-- What is left out one after the other, and how long the names may be.
local narrowing = {
  {runs = false}, {upload = false}, {read = false}, {result = false}, {kernel_speed = false}, {name = 20},
  {author = false}, {range = false}, {name = 16}, {kernel = false}, {host = false}, {total = false}, {name = 11},
  {first = false}, {name = false}, {peak = false},
}

local layouts = tables.layouts({
  name = 40, upload = true, kernel = true, read = true, total = true, range = true, kernel_speed = true, peak = true,
  first = true, gain = true, host = true, author = true, runs = true, result = true,
}, narrowing)

--- The table of the rows of one unit, or of rows without any speed.
-- @tparam {table,...} rows
-- @tparam table of unit ("" for none); judged: the part of the time that they are judged by; best: the set of
--   the fastest rows; peak: the device's limits, if known; all_verified: whether the column of results may be left out
-- @tparam int width
-- @treturn {string,...} lines: the titles, then the rows
function steps_table.lines(rows, of, width)
  return tables.fitting(layouts, width, function(layout) return tables.of(columns_of(rows, of, layout), rows) end)
end

-- ---- the host's loops ----

--- The table of the host's loops, which are measured beside the steps.
-- @tparam {table,...} rows
-- @tparam string unit
-- @tparam int width
-- @treturn {string,...} lines
function steps_table.host_lines(rows, unit, width)
  local lines = tables.of({
    {title = "", right = true, get = function() return false end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    {title = "on the host", get = function(row) return tables.cut(row.name or "?", math.max(12, width - 40)) end},
    {title = "total ms", right = true, get = function(row) return steps_table.median(row, "total") end},
    {title = "±%", right = true, gap = 1, get = function(row) return range_of(row, "total") end},
    {title = unit, right = true, get = function(row) return speed_of(row, "total") end},
    {title = "", get = function(row) return not row.aside and not row_of.is_verified(row) and row_of.verdict(row) end},
  }, rows)
  return lines
end

-- ---- the author's figures ----

--- The table of all figures that the author gives.
-- @tparam {table,...} rows
-- @tparam string unit
-- @treturn {string,...} lines; none if he gives no numbers
function steps_table.author_lines(rows, unit)
  local columns = {{title = "", right = true, get = function() return false end},
                   {title = "#", right = true, gap = 0, get = function(row) return row.number end}}
  for _, author in ipairs(authors_of(rows)) do
    add_author(columns, author, unit, {seconds = true, rate = true, ratio = true})
  end
  local theirs = {}
  for _, row in ipairs(rows) do
    if row.published then theirs[#theirs + 1] = row end
  end
  return #columns > 2 and #theirs > 0 and tables.of(columns, theirs) or {}
end

return steps_table
