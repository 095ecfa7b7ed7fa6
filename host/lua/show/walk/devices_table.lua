--- The table of a walkthrough's steps on several devices: a line for each step, a group of columns for each device.
-- Columns are left out, the least important first, until it fits the terminal.
-- @module clue.show.walk.devices_table
local contest = require "clue.result.contest"
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"
local steps_table = require "clue.show.walk.steps_table"
local tables = require "clue.table"

local devices_table = {}

-- ---- cells ----

-- The time; without one, what happened instead, if no column says that.
local function time_of(row, layout)
  local time = steps_table.median(row)
  return time or not layout.result and row_of.verdict(row)
end

local function range_of(row)
  local summary = row_of.time(row)
  return summary and summary.count > 1 and figures.percent(summary.spread)
end

local function speed_of(row, unit)
  local speed = figures.number(row_of.speed(row))
  return speed and figures.marked(speed, row.times.extrapolated) .. (unit and "" or " " .. row_of.rate(row))
end

local function gain_of(row, layout)
  if not row.gain or layout.interval then return steps_table.gain(row) end
  return statistics.differs(row.gain) and figures.marked(figures.ratio(row.gain.ratio), row.gain.extrapolated) or "same"
end

-- ---- columns ----

-- The unit that all speeds have; nil if they differ.
local function common_unit(runs)
  local unit
  for _, run in ipairs(runs) do
    for _, row in ipairs(run.rows) do
      local own = row_of.rate(row)
      if own and unit and own ~= unit then return nil end
      unit = own or unit
    end
  end
  return unit
end

-- The columns of one device; each function takes its row.
local function columns_of(run, unit, layout)
  local columns, best = {}, {best = contest.winners(run.rows)}
  local over = steps_table.over(run.rows)
  local function add(feature, title, get, more)
    if feature and not layout[feature] then return end
    local column = {title = title, right = true, optional = true, get = get}
    for key, value in pairs(more or {}) do column[key] = value end
    columns[#columns + 1] = column
  end
  add(nil, "", function(row) return steps_table.mark(row, best) end, {optional = false, gap = 2})
  add(nil, run.device .. "\nms", function(row) return time_of(row, layout) end, {optional = false, gap = 1})
  add("range", "±%", range_of, {gap = 1})
  add(nil, unit or "speed", function(row) return speed_of(row, unit) end)
  add("peak", "% of\npeak", function(row) return steps_table.percent(row_of.share_of_peak(row, run.peak)) end)
  add(over and "first" or "none", over and "over\n" .. over, function(row)
    return not row_of.is_of_host(row) and steps_table.over_first(run.rows, row)
  end)
  add("gain", "gain", function(row) return gain_of(row, layout) end, {right = not layout.interval})
  add("over", "over", function(row) return row.gain and tostring(row.gain.over) end, {gap = 1})
  add("result", "result", row_of.verdict, {right = false})
  return columns
end

-- A line for each of some rows, which stand for all rows of their number.
local function side_by_side(runs, by_number, every, layout)
  local columns, unit = {{title = "#", right = true, get = function(row) return row.number end}}, common_unit(runs)
  if layout.name then
    local common = steps_table.common_beginning(every)
    columns[2] = {title = "step", get = function(row) return steps_table.short_name(row, layout.name, common) end}
  end
  for d, run in ipairs(runs) do
    for _, column in ipairs(columns_of(run, unit, layout)) do
      local get = column.get
      function column.get(row)
        local here = by_number[d][row.number]
        return here and (get(here))
      end
      columns[#columns + 1] = column
    end
  end
  return tables.of(columns, every)
end

-- ---- what fits ----

-- What is left out one after the other, and how long the names may be. What went wrong is told below the table.
local narrowing = {
  {range = false}, {result = false}, {name = 20}, {over = false}, {name = 14}, {interval = false}, {name = 11},
  {name = false}, {gain = false},
}

local layouts = tables.layouts({name = 40, range = true, result = true, over = true, interval = true, peak = true,
                                first = true, gain = true}, narrowing)

local function rows_of(runs)
  local by_number, seen, every = {}, {}, {}
  for d, run in ipairs(runs) do
    by_number[d] = {}
    for _, row in ipairs(run.rows) do
      by_number[d][row.number] = row
      if not seen[row.number] then every[#every + 1], seen[row.number] = row, true end
    end
  end
  return by_number, every
end

--- The lines of the table, if it fits.
-- @tparam {table,...} runs device (its address), rows, peak: the device's limits, if they are known
-- @tparam int width
-- @treturn ?{string,...} the titles, then a line for each step; nil if it does not fit
function devices_table.lines(runs, width)
  local by_number, every = rows_of(runs)
  local lines = tables.fitting(layouts, width, function(layout)
    return side_by_side(runs, by_number, every, layout)
  end)
  return tables.width(lines) <= width and lines or nil
end

return devices_table
