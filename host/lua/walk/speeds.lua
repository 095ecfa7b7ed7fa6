--- The speeds of a walkthrough's rows, beside their host loops, the steps before and the author's figures.
-- @module clue.walk.speeds
local chart = require "clue.shared.chart"
local figures = require "clue.shared.figures"
local row_of = require "clue.walk.row"
local statistics = require "clue.walk.statistics"
local tables = require "clue.table"

local speeds = {}

local figure, ratio, marked, published = figures.number, figures.ratio, figures.marked, figures.published

local function is_extrapolated(row)
  return row.times.extrapolated or false
end

--- The text for a row's gain. If its walkthrough names the row that it is compared with, so does the text.
-- @tparam table row
-- @treturn string|false
function speeds.gain(row)
  if not row.gain then return false end
  local over = row.over and (" over %s"):format(row.gain.over) or ""
  return marked(statistics.text(row.gain), row.gain.extrapolated) .. over
end

local function over_host(row)
  local value = row_of.over_host(row)
  return value and marked(ratio(value), row.host.extrapolated) or false
end

local function speed_of(row, part)
  local value = figure(row_of.speed(row, part))
  return value and marked(value, part == "total" and is_extrapolated(row)) or false
end

-- The machines for which the author gives figures, and which of them: {on, seconds = true, rate = true, ratio =
-- true}.
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

local author_columns = {
  {field = "seconds", title = function() return "s" end, write = function(theirs) return published(theirs.seconds) end},
  {field = "rate", title = function(unit) return unit end, write = function(theirs, unit)
    return published(theirs.rate) .. (theirs.unit and theirs.unit ~= unit and " " .. theirs.unit or "")
      .. (theirs.computed and "*" or "")
  end},
  {field = "ratio", title = function() return "/host" end, write = function(theirs) return published(theirs.ratio) end},
}

-- The columns of one of the author's machines. Its name is above the first of them.
local function add_author_columns(columns, author, unit, with_seconds)
  local first = true
  for _, column in ipairs(author_columns) do
    if author[column.field] and (with_seconds or column.field ~= "seconds") then
      local whose = first and "author's " .. author.on:gsub(", ", ",\n") or ""
      columns[#columns + 1] = {
        title = whose .. "\n" .. column.title(unit), right = true, gap = not first and 1 or nil, get = function(row)
          local theirs = row_of.published(row, author.on)
          return theirs and theirs[column.field] and column.write(theirs, unit)
        end,
      }
      first = false
    end
  end
end

local function speed_lines(rows, layout)
  local unit, largest = layout.unit, 0
  for _, row in ipairs(rows) do largest = math.max(largest, row_of.speed(row) or 0) end
  local columns = {
    {title = "#", right = true, get = function(row) return row.number end},
    {title = unit .. "\ntotal", right = true, get = function(row) return speed_of(row, "total") end},
    {title = "\nkernel", right = true, get = function(row) return speed_of(row, "kernel") end},
    {title = "over\nhost", right = true, optional = true, get = over_host},
    {title = "gain\n(95 % interval)", optional = true, get = speeds.gain},
  }
  for _, author in ipairs(authors_of(rows)) do add_author_columns(columns, author, unit, layout.seconds) end
  if layout.bar then
    columns[#columns + 1] = {title = unit .. " " .. layout.judged, get = function(row)
      return chart.bar(row_of.speed(row) or 0, largest, layout.bar)
    end}
  end
  return tables.of(columns, rows)
end

local function of_unit(rows, unit)
  local chosen = {}
  for _, row in ipairs(rows) do
    if row_of.rate(row) == unit then chosen[#chosen + 1] = row end
  end
  return chosen
end

--- The table of the rows of one unit. The author's seconds and the bars take the remaining width.
-- @tparam {table,...} rows of any unit
-- @tparam string unit
-- @tparam int width
-- @treturn {string,...} lines
function speeds.lines(rows, unit, width)
  rows = of_unit(rows, unit)
  local lines
  for _, seconds in ipairs {true, false} do
    local layout = {unit = unit, seconds = seconds, judged = row_of.judged(rows[1])}
    lines = speed_lines(rows, layout)
    layout.bar = math.min(40, width - tables.width(lines) - 2)
    if layout.bar >= 8 then return speed_lines(rows, layout) end
  end
  return lines
end

return speeds
