--- The table of a walkthrough's steps on several devices: a line for each step, a group of columns for each device.
-- Columns are left out, the least important first, until it fits the terminal.
-- @module clue.show.walk.devices_table
local columns = require "clue.result.columns"
local contest = require "clue.result.contest"
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"
local steps_table = require "clue.show.walk.steps_table"
local tables = require "clue.table"

local devices_table = {}

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

-- The time; without one, what happened instead, if no column says that.
local function time_of(row, layout)
  return columns.text(row_of.judged(row) .. "_median_s", row) or not layout.result and row_of.verdict(row)
end

local function speed_of(row, unit)
  local speed = columns.text("speed_" .. row_of.judged(row), row)
  return speed and speed .. (unit and "" or " " .. row_of.rate(row))
end

local function gain_of(row, layout)
  if not row.gain or layout.interval then return columns.text("gain", row) end
  return statistics.differs(row.gain) and figures.marked(figures.ratio(row.gain.ratio), row.gain.extrapolated) or "same"
end

-- What a device's columns show otherwise than a table of one device.
local own = {
  gain = function(column, layout)
    column.title, column.right = "gain", not layout.interval
    function column.get(row) return gain_of(row, layout) end
  end,
  gain_over = function(column) column.title = "over" end,
  over_first = function(column)
    local get = column.get
    function column.get(row) return not row_of.is_of_host(row) and get(row) end
  end,
}

-- The columns of figures that a device has. The parts of the time and what it is beside the host are for one device.
local figures_of = {share_of_peak = true, over_first = true, gain = true, gain_over = true, result = true}

local function of_device(run, unit)
  return {rows = run.rows, peak = run.peak, unit = unit, judged = "total", all_verified = true}
end

-- The columns of one device; each function takes its row.
local function columns_of(run, unit, layout)
  local best = {best = contest.winners(run.rows)}
  local list = {
    {title = "", right = true, gap = 2, get = function(row) return steps_table.mark(row, best) end},
    {title = run.device .. "\nms", right = true, gap = 1, get = function(row) return time_of(row, layout) end},
    {title = "±%", right = true, gap = 1, optional = true, get = function(row)
      return layout.total_range and columns.text(row_of.judged(row) .. "_range", row)
    end},
    {title = unit or "speed", right = true, optional = true, get = function(row) return speed_of(row, unit) end},
  }
  for _, column in ipairs(columns.of_table(of_device(run, unit))) do
    if figures_of[column.name] and layout[column.name] then
      if own[column.name] then own[column.name](column, layout) end
      list[#list + 1] = column
    end
  end
  return list
end

-- A line for each of some rows, which stand for all rows of their number.
local function side_by_side(runs, by_number, every, layout)
  local list, unit = {{title = "#", right = true, get = function(row) return row.number end}}, common_unit(runs)
  if layout.step then
    local common = steps_table.common_beginning(every)
    list[2] = {title = "step", get = function(row) return steps_table.short_name(row, layout.step, common) end}
  end
  for d, run in ipairs(runs) do
    for _, column in ipairs(columns_of(run, unit, layout)) do
      local get = column.get
      function column.get(row)
        local here = by_number[d][row.number]
        return here and (get(here))
      end
      list[#list + 1] = column
    end
  end
  return tables.of(list, every)
end

-- ---- what fits ----

-- What is left out one after the other, and how long the names may be. What went wrong is told below the table.
local narrowing = {
  {total_range = false}, {result = false}, {step = 20}, {gain_over = false}, {step = 14}, {interval = false},
  {step = 11}, {step = false}, {gain = false},
}

local layouts = tables.layouts({step = 40, total_range = true, result = true, gain_over = true, interval = true,
                                share_of_peak = true, over_first = true, gain = true}, narrowing)

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
