--- The table of a walkthrough's steps on several devices: a line for each step, a group of columns for each device.
local gains = require "clue.result.gain"
local block = require "clue.show.block"
local columns = require "clue.result.columns"
local contest = require "clue.result.contest"
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"

-- The gain; without its interval where there is no room.
local function gain_of(row, most)
  if not row.gain or most ~= "short" then return columns.text("gain", row) end
  return gains.word(row.gain) == "same" and "same"
    or figures.marked(figures.ratio(row.gain.ratio), row.gain.extrapolated)
end

-- What a device's columns show otherwise than a table of one device.
local own = {
  share_of_peak = function(column) column.narrow = nil end,
  gain = function(column)
    column.title, column.narrow = "gain", {{6, "short"}, {9, false}}
    function column.get(row, most) return gain_of(row, most) end
  end,
  gain_over = function(column) column.title, column.narrow = "over", {{4, false}} end,
  over_first = function(column)
    local get = column.get
    column.narrow = nil
    function column.get(row) return not row_of.is_of_host(row) and get(row) end
  end,
}

-- The columns of one device; each function takes its row.
local function columns_of(run, unit)
  local of = {rows = run.rows, peak = run.peak, unit = unit, judged = steps_table.judged(run.rows), all_verified = true,
              best = contest.winners(run.rows)}
  local list = {
    {title = "", right = true, gap = 2, get = function(row) return steps_table.mark(row, of) end},
    {title = run.device .. "\nms", right = true, gap = 1, get = steps_table.time_or_verdict},
    {title = "±%", right = true, gap = 1, optional = true, narrow = {{1, false}}, get = function(row)
      return columns.text(row_of.judged(row) .. "_range", row)
    end},
    {title = unit or "speed", right = true, optional = true,
     get = function(row) return steps_table.speed(row, unit) end},
  }
  for _, column in ipairs(columns.of_table(of)) do
    if own[column.name] then
      own[column.name](column)
      list[#list + 1] = column
    end
  end
  return list
end

-- The rows of each run by number, one row of each number, and the unit of all speeds.
local function rows_of(runs)
  local by_number, seen, every, all = {}, {}, {}, {}
  for d, run in ipairs(runs) do
    by_number[d] = {}
    for _, row in ipairs(run.rows) do
      by_number[d][row.number], all[#all + 1] = row, row
      if not seen[row.number] then every[#every + 1], seen[row.number] = row, true end
    end
  end
  return by_number, every, steps_table.common_unit(all)
end

--- The table.
-- @tparam {table,...} runs device (its address), rows, peak: the device's limits, if they are known
-- @tparam table otherwise blocks instead of it, in a terminal that is too narrow
-- @treturn table a block
return function(runs, otherwise)
  local by_number, every, unit = rows_of(runs)
  local list = {{title = "#", right = true, get = function(row) return row.number end},
                steps_table.name_column(every, {{3, 20}, {5, 14}, {7, 11}, {8, false}})}
  for d, run in ipairs(runs) do
    for _, column in ipairs(columns_of(run, unit)) do
      local get = column.get
      function column.get(row, most)
        local here = by_number[d][row.number]
        return here and (get(here, most))
      end
      list[#list + 1] = column
    end
  end
  return block.table {columns = list, rows = every, name = "all devices", otherwise = otherwise}
end
