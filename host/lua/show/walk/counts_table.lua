--- The table of a walk with
-- --counts: what each step asks of memory, and the limit that this sets.
-- @module clue.show.walk.counts_table
local bounds = require "clue.result.bounds"
local figures = require "clue.shared.figures"
local kernels = require "clue.result.counts"
local row_of = require "clue.result.row"
local tables = require "clue.table"

local counts_table = {}

local function of_counts(name, write)
  return function(row)
    local value = kernels.ratios(row.counts.sums, row.counts.flops)[name]
    return value and (write or figures.ratio)(value)
  end
end

-- The limit that makes a step take the longest, by what it declares; nil if one of them is unknown. What was
-- counted at a small size sets none: loads that a compiler merges, and tiles that a small problem fills in part, made
-- steps up to 30 times faster than their requests in proportion.
local function limit_of(row, peak)
  local times = row.times or {}
  local bytes = not row.moves and times.bytes or nil -- of global memory only
  if not peak or row.unlike or times.flops and not row_of.most_flops(row, peak) then return nil end
  return bounds.of(peak, {type = row.type, operations = times.flops, bytes = bytes})[1]
end

-- What is left out one after the other, and how long the names may be.
local layouts = tables.layouts({name = 22, accesses = true, moved = true, limit = true, lanes = true}, {
  {name = 16}, {moved = false}, {name = 11}, {accesses = false}, {lanes = false}, {limit = false},
})

local function columns_of(peak, layout)
  local function kernel_seconds(row) return row_of.seconds(row, row.times and row.times.kernel and "kernel" or nil) end
  local columns = {
    {title = "#", right = true, get = function(row) return tostring(row.number) end},
    {title = "step", get = function(row) return tables.cut(row.name or "?", layout.name) end},
  }
  local function add(feature, title, get, more)
    if feature and not layout[feature] then return end
    local column = {title = title, right = true, get = get}
    for key, value in pairs(more or {}) do column[key] = value end
    columns[#columns + 1] = column
  end
  local optional = {optional = true}
  add("accesses", "accesses\nan oper-\nation", of_counts "accesses", optional)
  add(nil, "sectors\na re-\nquest", of_counts "sectors")
  add(nil, "asked\nby\nused", of_counts "asked")
  add("moved", "groups\nmove\nby used", of_counts "moved")
  add(nil, "passes\na local\nrequest", of_counts "passes", optional)
  add("lanes", "lanes\nthat\nwork %", of_counts("lanes", figures.percent))
  add("limit", "limited\nby", function(row) return (limit_of(row, peak) or {}).name end,
    {optional = true, right = false})
  add("limit", "to\nms", function(row)
    local limit = limit_of(row, peak)
    return limit and figures.milliseconds(limit.seconds)
  end, optional)
  add("limit", "took\ntimes\nthat", function(row)
    local limit, seconds = limit_of(row, peak), kernel_seconds(row)
    return limit and seconds and figures.ratio(seconds / limit.seconds)
  end, optional)
  return columns
end

--- The lines of the table.
-- @tparam {table,...} rows
-- @tparam ?table peak the device's limits
-- @tparam int width
-- @treturn {string,...} none if no row has counts
function counts_table.lines(rows, peak, width)
  local list, size = {}, nil
  for _, row in ipairs(rows) do
    if row.counts then
      list[#list + 1] = row
      size = row.counts.size or size
    end
  end
  if not list[1] then return {} end
  local lines = tables.wrap(("counted on a simulator%s, for warps of 32 work-items, as GPUs run them:"):format(
    size and " at the size " .. size or ""), width, "  ")
  for _, line in ipairs(tables.fitting(layouts, width, function(layout)
    return tables.of(columns_of(peak, layout), list, "-")
  end)) do
    lines[#lines + 1] = line
  end
  return lines
end

--- What the counts say of the steps, a sentence each: the weightiest.
-- @tparam {table,...} rows
-- @treturn {string,...}
function counts_table.findings(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    local first = row.counts and row.counts.findings[1]
    if first then lines[#lines + 1] = ("%s: %s"):format(tostring(row.number), first) end
  end
  return lines
end

return counts_table
