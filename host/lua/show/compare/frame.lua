--- What stands above and below the tables of a comparison: files, devices, how their runs differ; what is lost, the
-- summary, what the comparison cannot know.
local block = require "clue.show.block"
local compared = require "clue.show.compare.compared"
local counted = require("clue.text").count
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local rows_of = require "clue.show.compare.rows"
local tables = require "clue.table"

local frame, named = {}, compared.named

local function text_of(value)
  return type(value) == "string" and value ~= "" and value or "?"
end

local function date_of(column)
  return (type(column.started) == "string" and column.started or "at an unknown time")
    .. (column.finished and "" or " (did not finish)")
end

-- The numbers of the columns, by what a fact is there.
local function by_value(fact)
  local numbers = lists.map(fact.values, function(_, c) return c end)
  return lists.grouped(numbers, function(c) return fact.values[c] end)
end

-- A line for each condition, as "--set: columns 1 and 3: tile=8; column 2: tile=16".
local function condition_items(columns, list)
  return lists.map(list, function(fact)
    local parts = lists.map(by_value(fact), function(same)
      return ("%s: %s"):format(named(columns, same), same.key)
    end)
    return ("  %s: %s"):format(fact.what, table.concat(parts, "; "))
  end)
end

-- ---- a pair ----

-- The facts in which A and B differ.
local function facts_table(columns, list)
  return block.table {name = "differences", rows = list, indent = "  ", otherwise = {
    block.list(condition_items(columns, list), {indent = "     ", close = true}),
  }, columns = {{title = "", head = true, get = function(fact) return fact.what end},
                {title = "A", get = function(fact) return fact.values[1] end},
                {title = "B", get = function(fact) return fact.values[2] end}}}
end

local function of_pair(it)
  local items = lists.map(it.columns, function(column)
    return ("%s: %s, %s of clue %s, %s"):format(column.letter, column.path, it.kind, text_of(column.clue),
      date_of(column))
  end)
  return block.tight {block.list(items), #it.conditions > 0 and facts_table(it.columns, it.conditions)
    or block.paragraph "  the same clue, on the same kind of machine"}
end

local function device_text(device)
  return ("%s (%s)"):format(device.name or "a device that the file does not describe", device.address or "?")
end

--- Which devices a table of a pair compares.
-- @tparam {table,...} columns of the table
-- @tparam boolean alone whether only one of the two has what the table shows
-- @treturn table blocks
function frame.devices(columns, alone)
  local a, b = columns[1].device, columns[2].device
  for _, column in ipairs(a and b and {} or columns) do
    local text = alone and "  only in %s, on device %s" or "  only in %s: device %s"
    if column.device then return block.paragraph(text:format(column.letter, device_text(column.device))) end
  end
  local text = a.name ~= b.name and ("against %s"):format(device_text(b)) or a.address == b.address and "in both"
    or ("in A, %s in B"):format(b.address or "?")
  return block.tight {block.paragraph(("  device %s %s"):format(device_text(a), text)),
                      facts_table(columns, compared.devices {a, b})}
end

-- ---- many columns ----

local columns_of_table = {
  {title = "", right = true, get = function(column) return column.number end},
  {title = "device", head = true, get = function(column) return column.name end},
  {title = "", get = function(column) return column.address end, gap = 1},
  {title = "driver", get = function(column) return text_of(column.device.driver) end},
  {title = "clue", get = function(column) return text_of(column.clue) end},
  {title = "started", get = date_of},
  {title = "file", get = function(column) return column.path end},
}

-- What each column is, if there is no room for a table.
local function column_items(columns)
  return lists.map(columns, function(column)
    return ("%d: %s (%s), driver %s, clue %s, %s, %s"):format(column.number, column.name, column.address,
      text_of(column.device.driver), text_of(column.clue), date_of(column), column.path)
  end)
end

local function same_device_items(columns)
  return lists.map(columns, function(column)
    if not column.same or column.same[1] ~= column then return nil end
    local numbers = lists.map(column.same, function(each) return each.number end)
    local marks = lists.map(column.same, function(each) return each.mark end)
    return ("%s are of devices of the same name, %s, and told apart as %s"):format(named(columns, numbers, "result"),
      column.name, table.concat(marks, ", "))
  end)
end

-- As for condition_items, without who has what if that takes more than three names: machines of a class differ.
local function by_items(columns, list)
  return lists.map(list, function(fact)
    local parts = lists.map(by_value(fact), function(same)
      local names = lists.map(same, function(c) return columns[c].file_name end)
      return ("%s: %s"):format(same.key, #same > 3 and counted(#same, "result") or table.concat(names, ", "))
    end)
    return #parts <= 3 and ("  %s: %s"):format(fact.what, table.concat(parts, "; ")) or nil
  end)
end

local function of_many_by(it)
  local unfinished = lists.map(it.columns, function(column) return not column.finished and column.file_name or nil end)
  return block.tight {
    block.paragraph(("%s: %s, each measured by itself"):format(it.kind, counted(#it.columns, "result"))),
    block.list(by_items(it.columns, it.conditions), {title = "the runs differ in", indent = "     "}),
    unfinished[1] and block.paragraph("did not finish: " .. table.concat(unfinished, ", ")),
  }
end

--- Describes the columns.
-- @tparam table it comparison
-- @treturn table blocks
function frame.head(it)
  if it.is_pair then return of_pair(it) end
  if it.by then return of_many_by(it) end
  return block.tight {
    block.paragraph(("%s: %s side by side, each measured by itself"):format(it.kind, counted(#it.columns, "result"))),
    block.table {name = "the columns", columns = columns_of_table, rows = it.columns,
                 otherwise = {block.list(column_items(it.columns), {close = true})}},
    block.list(same_device_items(it.columns)),
    block.list(condition_items(it.columns, it.conditions), {title = "the runs differ in", indent = "     "}),
  }
end

--- The titles of columns: the device, unless all have the same, and what tells columns of one device apart.
-- @tparam {table,...} columns
-- @treturn function takes a column and the most characters of a line (nil: any), returns lines
function frame.titles(columns)
  local all_same = columns[1].same and #columns[1].same == #columns
  local any_same = lists.any(columns, function(column) return column.same end)
  return function(column, most)
    local lines = {tostring(column.number)}
    if not all_same then lines[2] = tables.cut(column.name, most or math.huge) end
    if any_same then lines[#lines + 1] = tables.cut(column.mark or "", most or math.huge) end
    return table.concat(lines, "\n")
  end
end

-- ---- below all tables ----

--- What is verified in one column and not in another.
-- @tparam table lost of @{clue.show.compare.rows.lost}
-- @tparam table it the table
-- @tparam boolean is_pair
-- @treturn string
function frame.lost(lost, it, is_pair)
  local where = (it.walkthrough and it.walkthrough .. " " or "") .. rows_of.words(lost.row)
  local what = ("%s in %s"):format(lost.cell.verdict, named(it.columns, {lost.column}))
  local why = lost.cell.why and ": " .. lost.cell.why or ""
  if not is_pair then
    return ("!! %s: %s, verified in %s%s"):format(where, what, named(it.columns, lost.verified), why)
  end
  local device = it.columns[2].device
  return ("!! %s: %s%s: %s%s"):format(lost.verified[1] == 1 and "NO LONGER VERIFIED" or "VERIFIED ONLY IN B", where,
    it.walkthrough and " on " .. (device.name or device.address) or "", what, why)
end

-- What became of a row of a pair; nil if both are right, and one has no times.
local function fate_of(row)
  local a, b = row.cells[1], row.cells[2]
  if not (a and b) then return "alone" end
  if a.verified and b.verified then return gains.word(row.gain) end
  return a.verified and "lost" or b.verified and "won" or "neither"
end

--- How many rows of a pair became what.
-- @tparam table comparison
-- @treturn string
function frame.summary(comparison)
  local is_walk, both, counts, parts = comparison.kind == "clue walk", 0, {alone = 0}, {}
  for _, it in ipairs(comparison.tables) do
    for _, row in ipairs(it.rows) do
      local fate = fate_of(row) or "untimed"
      counts[fate], both = (counts[fate] or 0) + 1, both + (fate ~= "alone" and 1 or 0)
    end
  end
  local what = is_walk and "step" or "limit"
  if both == 0 then return ("no %s is in both"):format(what) end
  for _, each in ipairs {{"better", is_walk and "faster in B" or "better in B"},
                         {"worse", is_walk and "slower in B" or "worse in B"}, {"same", "without difference"},
                         {"unclear", "unclear"},
                         {"unsure", "with too few runs to know (each side needs four)"},
                         {"lost", "NO LONGER VERIFIED"}, {"won", "verified only in B"},
                         {"neither", "not verified in either"}, {"untimed", "without times in both"}} do
    local number = counts[each[1]]
    parts[#parts + 1] = number and ("%d %s"):format(number, each[2])
  end
  return ("%s in both: %s%s"):format(counted(both, what), table.concat(parts, ", "),
    counts.alone > 0 and ("; %d in one only"):format(counts.alone) or "")
end

local cautions = {
  [true] = "caution: each file is one run, and the intervals only show how times vary within a run. The next run may "
    .. "differ by more (clocks, memory layout, other work on the machine): repeat both before trusting a small gain",
  [false] = "caution: each result is a run of its own, and its figures are medians. How they vary within a run says "
    .. "nothing of other devices: a small difference between two of them may be none. Measure again before you choose",
}

--- What a comparison cannot know.
-- @tparam boolean is_pair
-- @treturn string
function frame.caution(is_pair)
  return cautions[is_pair]
end

return frame
