--- The tables of a walk with `--counts`: what each step asks of memory, and which of the device's limits it is near.
local block = require "clue.show.block"
local bottleneck = require "clue.result.bottleneck"
local counts_view = require "clue.show.count.view"
local figures = require "clue.shared.figures"
local tables = require "clue.table"

local number_column = {title = "#", right = true, get = function(row) return tostring(row.number) end}

local function step_column(narrow, optional)
  return {title = "step", optional = optional, most = 22, narrow = narrow, get = function(row, most)
    return {tables.cut(row.name or "?", most), page = row.name or "?"}
  end}
end

local function columns()
  local list = {number_column, step_column {{1, 16}, {3, 11}}}
  for _, column in ipairs(counts_view.step_columns(function(row) return row.counts end)) do list[#list + 1] = column end
  return list
end

-- The time that each limit alone would take beside the measured one, and the nearest limit.
local function limits_of(rows, peak)
  local of, list = {}, {}
  for _, row in ipairs(rows) do
    of[row] = bottleneck.of(row, peak)
    if of[row] then list[#list + 1] = row end
  end
  local its = {
    number_column, step_column({{1, 16}, {2, 11}, {3, false}}, true),
    {title = "kernel\nms", right = true, get = function(row) return figures.milliseconds(of[row].measured) end},
  }
  for place, name in ipairs(bottleneck.names) do
    its[#its + 1] = {title = name:gsub(" ", "\n"), right = true, optional = true, narrow = {{3 + place, false}},
      get = function(row)
        local seconds = of[row][name]
        return seconds and (of[row].refuted[name] and "(%s)" or "%s"):format(figures.milliseconds(seconds))
      end}
  end
  its[#its + 1] = {title = "nearest", get = function(row) return bottleneck.text(of[row]) end}
  return list[1] and {
    block.paragraph("the time in ms that each limit alone would take, as counted, in proportion to the work; in "
      .. "brackets: more than the kernel took, so caches or the compiler save it:", {indent = "  ", close = true}),
    block.table {columns = its, rows = list, empty = "-", name = "the limits of each step"}}
end

-- What the counts say of the steps, a sentence each: the weightiest.
local function findings_of(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    local first = row.counts.findings[1]
    if first then lines[#lines + 1] = ("%s: %s"):format(tostring(row.number), first) end
  end
  return lines
end

--- The tables, and what the counts say of each step.
-- @tparam {table,...} rows
-- @tparam ?table peak the device's limits
-- @treturn table blocks; none if no row has counts
return function(rows, peak)
  local list, size = {}, nil
  for _, row in ipairs(rows) do
    if row.counts then
      list[#list + 1] = row
      size = row.counts.size or size
    end
  end
  if not list[1] then return {} end
  return {
    block.paragraph(("counted on a simulator%s, for warps of 32 work-items, as GPUs run them:"):format(
      size and " at the size " .. size or ""), {indent = "  ", close = true}),
    block.table {columns = columns(), rows = list, empty = "-", name = "what was counted"},
    limits_of(list, peak), block.list(findings_of(list)),
  }
end
