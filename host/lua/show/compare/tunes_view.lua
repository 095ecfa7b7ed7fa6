--- Prints results of `clue tune` side by side in a terminal.
-- @module clue.show.compare.tunes_view
local duration = require("clue.text").duration
local figures = require "clue.shared.figures"
local point = require "clue.result.point"
local tables = require "clue.table"

local function add(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

local function wrapped(lines, text, width)
  add(lines, tables.wrap(text, width, "   "))
end

local function configuration(p)
  local names, words = {}, {}
  for name in pairs(p or {}) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do words[i] = ("%s=%s"):format(name, point.shown(p[name])) end
  return table.concat(words, " ")
end

local function metric_names(rows)
  local names, seen = {}, {}
  for _, row in ipairs(rows) do
    for name in pairs(row.metrics) do
      if not seen[name] then names[#names + 1], seen[name] = name, true end
    end
  end
  table.sort(names)
  return names
end

local function time_of(row)
  if not row.configuration then return "none works" end
  return row.seconds and duration(row.seconds) or "-"
end

local tune_layouts = {{label = 40, configuration = true, interval = true}, {label = 24, configuration = true,
  interval = true}, {label = 24, interval = true}, {label = 14, interval = true}, {label = 10}}

local function tune_columns(it, columns, layout)
  local list = {
    {title = "", right = true, get = function(row) return row.column end},
    {title = "device", get = function(row) return tables.cut(columns[row.column].name, layout.label) end},
    {title = "", optional = true, get = function(row) return columns[row.column].mark end},
    {title = "time", right = true, get = time_of},
  }
  local function put(column) list[#list + 1] = column end
  if layout.interval then
    put {title = "95 %", optional = true, get = function(row)
      return row.low and ("%s to %s"):format(duration(row.low), duration(row.high))
    end}
  end
  for _, name in ipairs(metric_names(it.rows)) do
    put {title = name, right = true, get = function(row) return figures.number(row.metrics[name]) end}
  end
  put {title = "evaluated", right = true, get = function(row) return row.evaluated end}
  put {title = "failed", right = true, get = function(row) return row.failed end}
  if layout.configuration then
    put {title = "configuration", get = function(row) return configuration(row.configuration) end}
  end
  return list
end

--- The results of a space.
-- @tparam table it of @{clue.show.compare.tunes.of}
-- @tparam {table,...} columns
-- @tparam int width
-- @treturn {string,...} lines
return function(it, columns, width)
  local lines, chosen = {}, nil
  local by = it.rows[1].objective ~= "time" and " by " .. it.rows[1].objective or ""
  wrapped(lines, ("%s: the best configuration%s on each device; 95 %%: the interval of the median time"):format(it.name,
    by), width)
  add(lines, tables.fitting(tune_layouts, width, function(layout)
    chosen = layout
    return tables.of(tune_columns(it, columns, layout), it.rows)
  end))
  for _, row in ipairs(not chosen.configuration and it.rows or {}) do
    if row.configuration then wrapped(lines, ("%d: %s"):format(row.column, configuration(row.configuration)), width) end
  end
  for _, row in ipairs(it.rows) do
    if row.configuration and not row.again then
      wrapped(lines, ("%d: the time is that of the search: the run ended before the best were measured again")
        :format(row.column), width)
    end
  end
  return lines
end
