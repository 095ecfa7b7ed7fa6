--- Prints results side by side in a terminal.
-- @module clue.show.compare.many_view
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local fold = require "clue.show.compare.fold"
local grouped = require "clue.shared.grouped"
local peaks = require "clue.show.compare.peaks"
local steps_table = require "clue.show.walk.steps_table"
local tables = require "clue.table"

local view = {}

--- What results side by side cannot know; printed below them.
view.caution = "caution: each result is a run of its own, and its figures are medians. How they vary within a run says "
  .. "nothing of other devices: a small difference between two of them may be none. Measure again before you choose"

local function add(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

local function wrapped(lines, text, width, indent)
  add(lines, tables.wrap(text, width, indent or "   "))
end

-- ---- the head ----

local function date_of(column)
  local text = type(column.started) == "string" and column.started or "at an unknown time"
  return text .. (column.finished and "" or " (did not finish)")
end

local function text_of(value)
  return type(value) == "string" and value ~= "" and value or "?"
end

local head_columns = {
  {title = "", right = true, get = function(column) return column.number end},
  {title = "device", get = function(column) return column.name end},
  {title = "", get = function(column) return column.address end, gap = 1},
  {title = "driver", get = function(column) return text_of(column.device.driver) end},
  {title = "clue", get = function(column) return text_of(column.clue) end},
  {title = "started", get = date_of},
  {title = "file", get = function(column) return column.path end},
}

-- "columns 1, 2 and 3", "column 2".
local function named_columns(numbers, what)
  local words = {}
  what = what or "column"
  for i, number in ipairs(numbers) do words[i] = tostring(number) end
  if #words == 1 then return ("%s %s"):format(what, words[1]) end
  return ("%ss %s and %s"):format(what, table.concat(words, ", ", 1, #words - 1), words[#words])
end

local function numbers_of(columns)
  local numbers = {}
  for i, column in ipairs(columns) do numbers[i] = column.number end
  return numbers
end

local function same_device_lines(lines, columns, width)
  for _, column in ipairs(columns) do
    if column.same and column.same[1] == column then
      local marks = {}
      for i, each in ipairs(column.same) do marks[i] = each.mark end
      wrapped(lines, ("%s are of devices of the same name, %s, and told apart as %s"):format(
        named_columns(numbers_of(column.same), "result"), column.name, table.concat(marks, ", ")), width)
    end
  end
end

-- A line for each condition, as "--set: columns 1 and 3: tile=8; column 2: tile=16".
local function condition_lines(lines, differences, width)
  if #differences > 0 then lines[#lines + 1] = "the runs differ in" end
  for _, fact in ipairs(differences) do
    local numbers, parts = {}, {}
    for c in ipairs(fact.values) do numbers[c] = c end
    for i, same in ipairs(grouped(numbers, function(c) return fact.values[c] end)) do
      parts[i] = ("%s: %s"):format(named_columns(same), same.key)
    end
    wrapped(lines, ("  %s: %s"):format(fact.what, table.concat(parts, "; ")), width, "     ")
  end
end

--- Describes the columns.
-- @tparam {table,...} columns of @{clue.show.compare.columns}
-- @tparam string kind "clue walk"
-- @tparam {table,...} differences of @{clue.show.compare.conditions.of_columns}
-- @tparam int width
-- @treturn {string,...} lines
function view.head(columns, kind, differences, width)
  local lines = {}
  wrapped(lines, ("%s: %s side by side, each measured by itself"):format(kind, counted(#columns, "result")), width)
  local beside = tables.of(head_columns, columns)
  if tables.width(beside) <= width then
    add(lines, beside)
  else
    for _, column in ipairs(columns) do
      wrapped(lines, ("%d: %s (%s), driver %s, clue %s, %s, %s"):format(column.number, column.name, column.address,
        text_of(column.device.driver), text_of(column.clue), date_of(column), column.path), width)
    end
  end
  same_device_lines(lines, columns, width)
  condition_lines(lines, differences, width)
  return lines
end

-- ---- a table of steps or limits ----

local function cell_text(cell)
  if not cell then return "-" end
  local text = cell.verified and figures.number(cell.value)
  if not text then return cell.verdict end
  return (cell.best and ">" or "") .. figures.marked(text, cell.extrapolated)
end

local function name_of(row)
  local name = row.study and ("%s: %s"):format(row.study, row.name or "") or row.name or ""
  return row.host and name .. " (host)" or name
end

-- What stands in a line of the table: texts, and the cells' texts.
local function things_of(rows, ratios, count, what)
  local things = {}
  for i, row in ipairs(rows) do
    things[i] = {number = row.number, name = name_of(row), at = row.at, unit = row.unit or "",
                 part = row.unit and row.part, cells = {}}
    for c = 1, count do things[i].cells[c] = cell_text(row.cells[c]) end
  end
  local mean = {name = "ratio to 1", cells = {}, closing = true}
  local over = {name = ("over %ss"):format(what), cells = {}, closing = true}
  for c, each in ipairs(ratios) do
    mean.cells[c] = figures.marked(figures.ratio(each.ratio), each.extrapolated) or "-"
    over.cells[c] = tostring(each.rows)
  end
  add(things, {{name = "", cells = {}, closing = true}, mean, over})
  return things
end

local layouts = {{name = 40, label = 24}, {name = 28, label = 12}, {name = 28, label = 9}, {name = 20, label = 9}}

local function short(thing, most, common)
  return thing.closing and thing.name or steps_table.short_name(thing, most, common)
end

-- The device, unless all have the same, and what tells columns of one device apart.
local function title_lines(columns)
  local all_same = columns[1].same and #columns[1].same == #columns
  local any_same = false
  for _, column in ipairs(columns) do any_same = any_same or column.same ~= nil end
  return function(column, most)
    local lines = {tostring(column.number)}
    if not all_same then lines[2] = tables.cut(column.name, most) end
    if any_same then lines[#lines + 1] = tables.cut(column.mark or "", most) end
    return table.concat(lines, "\n")
  end
end

local function drawing(columns, things, title)
  local common, title_of_column = steps_table.common_beginning(things), title_lines(columns)
  return function(layout)
    local fixed = {
      {title = "#", right = true, optional = true, get = function(thing) return thing.number end},
      {title = title, get = function(thing) return short(thing, layout.name, common) end},
      {title = "at", optional = true, get = function(thing) return thing.at end},
      {title = "unit", optional = true, get = function(thing) return thing.unit end},
      {title = "time", optional = true, get = function(thing) return thing.part end},
    }
    local list = {}
    for c, column in ipairs(columns) do
      list[c] = {title = title_of_column(column, layout.label), right = true,
                 get = function(thing) return thing.cells[c] end}
    end
    return fixed, list
  end
end

-- What the closing lines are.
local function closing_text(rows, ratios, what, better)
  local with_host, most = false, 0
  for _, row in ipairs(rows) do with_host = with_host or row.host end
  for c, each in ipairs(ratios) do most = c > 1 and math.max(most, each.rows) or most end
  if most == 0 then return ("ratio to 1: no %s is verified in column 1 and in another one"):format(what) end
  return ("ratio to 1: the geometric mean of the ratios to column 1, over the %ss that are verified in both%s; above "
    .. "1: %s than column 1"):format(what, with_host and ", without the host's own" or "", better)
end

-- Which columns of a row computed which problem; with the size, if the words do not tell it.
local function problems(row, count)
  local measured, parts = {}, {}
  for c = 1, count do
    local cell = row.cells[c]
    if cell and cell.value then measured[#measured + 1] = {number = c, problem = cell.problem, size = cell.size} end
  end
  local by_words = grouped(measured, function(it) return it.problem end)
  local groups = #by_words > 1 and by_words or grouped(measured, function(it)
    return ("%s (%s)"):format(it.problem, it.size)
  end)
  for i, each in ipairs(groups) do parts[i] = ("%s computed %s"):format(named_columns(numbers_of(each)), each.key) end
  return table.concat(parts, "; ")
end

-- "step 5", "steps 5, 6".
local function named_steps(rows)
  local numbers = {}
  for i, row in ipairs(rows) do numbers[i] = tostring(row.number) end
  return ("%s %s"):format(#numbers == 1 and "step" or "steps", table.concat(numbers, ", "))
end

-- Which steps are of different problems.
local function problem_lines(lines, rows, count, width)
  local differ = {}
  for _, row in ipairs(rows) do differ[#differ + 1] = row.differ and row or nil end
  for _, same in ipairs(grouped(differ, function(row) return problems(row, count) end)) do
    wrapped(lines, ("%s: speeds of different problems: %s"):format(named_steps(same), same.key), width)
  end
  for _, row in ipairs(rows) do
    if row.apart then
      wrapped(lines, ("step %s: the problems differ, and no speed can be compared: this row is for %s"):format(
        tostring(row.number), row.problem == "" and "an unknown one" or row.problem), width)
    end
  end
end

-- Which columns built other kernels.
local function kernel_lines(lines, rows, width)
  local changed = {}
  for _, row in ipairs(rows) do changed[#changed + 1] = row.kernels and row or nil end
  local function words(row)
    local parts = {}
    for i, numbers in ipairs(row.kernels) do parts[i] = named_columns(numbers) end
    return table.concat(parts, "; ")
  end
  for _, same in ipairs(grouped(changed, words)) do
    wrapped(lines, ("%s: the kernel or its build options differ: %s"):format(named_steps(same), same.key), width)
  end
end

local function clock_lines(lines, rows, count, width)
  local numbers = {}
  for c = 1, count do
    for _, row in ipairs(rows) do
      if row.cells[c] and row.cells[c].host_clock then
        numbers[#numbers + 1] = c
        break
      end
    end
  end
  if numbers[1] then
    wrapped(lines, ("%s: kernel times are by the host clock, since the device's timer cannot be trusted"):format(
      named_columns(numbers)), width)
  end
end

-- The problem of all steps, if it is one.
local function title_of(it)
  local alike = grouped(it.rows, function(row) return row.differ and "" or row.problem end)
  local names = {it.walkthrough}
  for i, copy in ipairs(it.copies or {}) do
    names[i + 1] = ("in column %d its copy %s"):format(copy.column, copy.name)
  end
  return table.concat(names, ", ") .. (#alike == 1 and alike[1].key ~= "" and ": " .. alike[1].key or "")
end

local function has_best(rows)
  for _, row in ipairs(rows) do
    for _, cell in pairs(row.cells) do
      if cell.best then return true end
    end
  end
  return false
end

local function table_lines(lines, it, columns, words, width)
  local things = things_of(it.rows, it.ratios, #columns, words.what)
  add(lines, fold(layouts, drawing(columns, things, words.what), things, width))
  wrapped(lines, closing_text(it.rows, it.ratios, words.what, words.better)
    .. (has_best(it.rows) and "; >: the best of a row" or ""), width)
end

--- A walkthrough.
-- @tparam table it of @{clue.show.compare.side_by_side.walks}
-- @tparam {table,...} columns
-- @tparam int width
-- @treturn {string,...} lines
function view.walkthrough(it, columns, width)
  local lines = {}
  wrapped(lines, title_of(it), width)
  table_lines(lines, it, columns, {what = "step", better = "faster"}, width)
  problem_lines(lines, it.rows, #columns, width)
  kernel_lines(lines, it.rows, width)
  clock_lines(lines, it.rows, #columns, width)
  return lines
end

--- The lines for steps or limits that are verified in one column and wrong or failed in another.
-- @tparam {table,...} lost of @{clue.show.compare.side_by_side.lost}
-- @tparam ?string walkthrough its name; nil for limits
-- @tparam int width
-- @treturn {string,...}
function view.lost(lost, walkthrough, width)
  local lines = {}
  for _, it in ipairs(lost) do
    local what = walkthrough and ("%s step %s %s"):format(walkthrough, tostring(it.row.number), it.row.name or "")
      or name_of(it.row)
    wrapped(lines, ("!! %s%s: %s in column %d, verified in %s%s"):format(what, it.row.at and " at " .. it.row.at or "",
      it.cell.verdict, it.column, named_columns(it.verified), it.cell.why and ": " .. it.cell.why or ""), width)
  end
  return lines
end

--- The limits.
-- @tparam table it of @{clue.show.compare.side_by_side.peaks}
-- @tparam {table,...} columns
-- @tparam int width
-- @treturn {string,...} lines
function view.limits(it, columns, width)
  local lines = {}
  table_lines(lines, it, columns, {what = "limit", better = "better"}, width)
  for _, column in ipairs(columns) do
    for _, failure in ipairs(peaks.failures(column.of)) do
      wrapped(lines, ("column %d: the limits of %s: %s"):format(column.number, failure.group, failure.word), width)
    end
  end
  return lines
end

return view
