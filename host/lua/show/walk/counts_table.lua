--- The table of a walk with `--counts`: what each step asks of memory, and the limit that this sets.
-- @module clue.show.walk.counts_table
local block = require "clue.show.block"
local bounds = require "clue.result.bounds"
local counts_view = require "clue.show.count.view"
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local tables = require "clue.table"

-- The limit that makes a step take the longest, by what it declares; nil if one of them is unknown. What was
-- counted at a small size sets none: loads that a compiler merges, and tiles that a small problem fills in part, made
-- steps up to 30 times faster than their requests in proportion.
local function limit_of(row, peak)
  local times = row.times or {}
  local bytes = not row.moves and times.bytes or nil -- of global memory only
  if not peak or row.unlike or times.flops and not row_of.most_flops(row, peak) then return nil end
  return bounds.of(peak, {type = row.type, operations = times.flops, bytes = bytes})[1]
end

local function kernel_seconds(row)
  return row_of.seconds(row, row.times and row.times.kernel and "kernel" or nil)
end

local function columns_of(peak)
  local function of_limit(get)
    return function(row)
      local limit = limit_of(row, peak)
      return limit and get(limit, row)
    end
  end
  local list = {
    {title = "#", right = true, get = function(row) return tostring(row.number) end},
    {title = "step", most = 22, narrow = {{1, 16}, {3, 11}}, get = function(row, most)
      return {tables.cut(row.name or "?", most), page = row.name or "?"}
    end},
  }
  for _, column in ipairs(counts_view.step_columns(function(row) return row.counts end)) do list[#list + 1] = column end
  for _, column in ipairs {
    {title = "limited\nby", optional = true, narrow = {{6, false}}, get = of_limit(function(limit)
      return limit.name
    end)},
    {title = "to\nms", right = true, optional = true, narrow = {{6, false}}, get = of_limit(function(limit)
      return figures.milliseconds(limit.seconds)
    end)},
    {title = "took\ntimes\nthat", right = true, optional = true, narrow = {{6, false}}, get = of_limit(
      function(limit, row)
        local seconds = kernel_seconds(row)
        return seconds and figures.ratio(seconds / limit.seconds)
      end)},
  } do list[#list + 1] = column end
  return list
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

--- The table, and what the counts say of each step.
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
    block.table {columns = columns_of(peak), rows = list, empty = "-", name = "what was counted"},
    block.list(findings_of(list)),
  }
end
