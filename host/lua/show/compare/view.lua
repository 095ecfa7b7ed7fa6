--- The tables of a comparison in blocks, and what is to be said below them.
--
-- A pair has times with their ranges, and B's gain over A with its interval. Otherwise a cell is a speed, and the last
-- lines have the mean ratios to the first column.
-- Parameters with one meaning everywhere: it, a table of a comparison; is_pair, whether it is of A and B.
local block = require "clue.show.block"
local columns_of_rows = require "clue.result.columns"
local figures = require "clue.shared.figures"
local frame = require "clue.show.compare.frame"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local named = require("clue.show.compare.compared").named
local point = require "clue.result.point"
local rows_of = require "clue.show.compare.rows"
local steps_table = require "clue.show.walk.steps_table"

local view = {}

local function value_text(cell)
  local text = cell.verified and figures.number(cell.value)
  return text and figures.marked(text, cell.extrapolated)
end

-- ---- the columns of all tables ----

-- Those that name a row. narrow: of its name.
local function first_columns(it, is_pair, narrow)
  local common = steps_table.common_beginning(it.rows)
  return {
    {title = "#", right = true, optional = true, get = function(row)
      return row.number ~= nil and (is_pair and row.kernels and "*" or "") .. rows_of.called(row, "number", "|")
    end},
    {title = it.walkthrough and "step" or "limit", head = true, most = 40, narrow = narrow, get = function(row, most)
      local name = row.closing or rows_of.name(row)
      return {row.closing or steps_table.short_name({name = name}, most, common), page = name}
    end},
    {title = "at", optional = true, get = function(row) return row.at end},
    {title = "unit", optional = true, get = function(row) return (not is_pair or not it.walkthrough) and row.unit end},
    {title = "time", optional = true, get = function(row) return row.unit and row.part end},
  }
end

-- The further figures of a column.
local function add_compared(list, c, column, rank, fold)
  for _, entry in ipairs(columns_of_rows.compared()) do
    list[#list + 1] = {title = entry.compared, right = true, gap = 1, optional = true, narrow = {{rank, false}},
                       fold = fold, get = function(row)
      local cell = row.cells[c]
      return cell and cell[entry.name] and columns_of_rows.text(entry.name, cell.row, {peak = column.device.peak})
    end}
  end
end

-- ---- a pair ----

-- The figures of one side.
local function add_side(list, it, c)
  local letter = it.columns[c].letter
  local function add(title, get, gap, rank)
    list[#list + 1] = {title = title, right = true, optional = it.walkthrough ~= nil, gap = gap,
                       narrow = rank and {{rank, false}}, get = function(row) return get(row.cells[c], row) end}
  end
  if not it.walkthrough then return add(letter, value_text) end
  add(letter .. "\nms", function(cell)
    return cell.seconds and figures.marked(figures.milliseconds(cell.seconds), cell.extrapolated)
  end)
  add("range%", function(cell) return cell.spread and figures.percent(cell.spread) end, 1, 1)
  add(letter .. "\nspeed", function(cell, row)
    return row.differ and cell.value and ("%s %s"):format(value_text(cell), row.unit)
  end)
  add_compared(list, c, it.columns[c], 2)
end

-- What became of the two: the verdict on their gain, or those on each.
local function result_of(row, better)
  local a, b, word = row.cells[1], row.cells[2], gains.word(row.gain)
  if a.verified and b.verified then
    return {gains.verdict(row.gain, better), class = word}
  end
  local text = a.verdict == b.verdict and a.verdict or a.verdict .. ", then " .. b.verdict
  if not (a.verified or b.verified) then return {text, class = a.well and b.well and "skip" or "bad"} end
  return {"!! " .. text, class = "bad"}
end

local function pair_table(it, rows)
  local list = first_columns(it, true, {{3, 28}, {5, 20}, {6, 12}, {7, false}})
  for c = 1, 2 do add_side(list, it, c) end
  local function add_gain(field, title, narrow)
    list[#list + 1] = {title = title, optional = narrow ~= nil, narrow = narrow, get = function(row)
      return row[field] and figures.marked(gains.figures(row[field]), row.cells[1].extrapolated
        or row.cells[2].extrapolated)
    end}
  end
  add_gain("gain", "B's gain\n(95 %)")
  add_gain("total_gain", "\nin total", {{4, false}})
  list[#list + 1] = {title = "result", get = function(row)
    return result_of(row, it.walkthrough and "faster" or "better")
  end}
  return block.table {name = it.walkthrough or "limits", columns = list, rows = rows}
end

-- The steps or limits that only A or only B has.
local function alone_items(it)
  local items = {}
  for c, column in ipairs(it.columns) do
    local other = it.columns[3 - c]
    for _, row in ipairs(other.device and column.device and it.rows or {}) do
      local elsewhere = row.others[1] and row.others[1][3 - c]
      if not row.cells[3 - c] then
        items[#items + 1] = ("  only in %s: %s%s%s"):format(column.letter, rows_of.words(row), not it.walkthrough
          and (", %s %s"):format(value_text(row.cells[c]) or "-", row.unit or "")
          or row.problem ~= "" and " (" .. row.problem .. ")" or "", elsewhere
          and ("; %s has it for another problem: %s"):format(other.letter, point.problem(elsewhere)) or "")
      end
    end
  end
  return items
end

-- ---- many columns ----

local function cell_of(cell)
  if not cell then return "-" end
  local text = value_text(cell)
  if not text then return {cell.verdict, class = cell.well and "skip" or "bad"} end
  return {(cell.best and ">" or "") .. text, class = cell.best and "better" or nil}
end

-- The lines below the rows.
local function closing_rows(it, what)
  local mean, over = {}, {}
  for c, each in ipairs(it.ratios) do
    mean[c], over[c] = figures.marked(figures.ratio(each.ratio), each.extrapolated) or "-", tostring(each.rows)
  end
  return {{closing = "", cells = {}}, {closing = "ratio to 1", texts = mean, cells = {}},
          {closing = ("over %ss"):format(what), texts = over, cells = {}}}
end

local function many_table(it, what)
  local list, title = first_columns(it, false, {{2, 28}, {4, 20}}), frame.titles(it.columns)
  for c, column in ipairs(it.columns) do
    list[#list + 1] = {title = function(most) return title(column, most) end, right = true, most = 24, fold = c,
                       narrow = {{2, 12}, {3, 9}}, get = function(row)
      if row.closing then return row.texts and row.texts[c] end
      return cell_of(row.cells[c])
    end}
    add_compared(list, c, column, 1, c)
  end
  local rows = lists.joined(it.rows, closing_rows(it, what))
  return block.table {name = it.walkthrough or "limits", columns = list, rows = rows}
end

-- What the closing lines are.
local function closing_text(it, what)
  local with_host, has_best, most = false, false, 0
  for _, row in ipairs(it.rows) do
    with_host = with_host or row.host
    for _, cell in pairs(row.cells) do has_best = has_best or cell.best end
  end
  for c, each in ipairs(it.ratios) do most = c > 1 and math.max(most, each.rows) or most end
  local best = has_best and "; >: the best of a row" or ""
  if most == 0 then return ("ratio to 1: no %s is verified in column 1 and in another one%s"):format(what, best) end
  return ("ratio to 1: the geometric mean of the ratios to column 1, over the %ss that are verified in both%s; above "
    .. "1: %s than column 1%s"):format(what, with_host and ", without the host's own" or "",
    it.walkthrough and "faster" or "better", best)
end

-- ---- what is told of rows ----

-- Adds a line for the rows for which words gives the same text: "steps 5, 6: ...".
local function add_told(items, rows, text, words)
  local told = lists.map(rows, function(row) return words(row) and row or nil end)
  for _, same in ipairs(lists.grouped(told, words)) do
    local numbers = lists.map(same, function(row) return tostring(row.number) end)
    items[#items + 1] = text:format(#numbers == 1 and "step" or "steps", table.concat(numbers, ", "), same.key)
  end
end

-- Which columns of a row computed which problem; with the size, if the words do not tell it.
local function problems_of(row, columns)
  local measured = lists.map(columns, function(_, c) return row.cells[c] and row.cells[c].value and c or nil end)
  local groups = lists.grouped(measured, function(c) return row.cells[c].problem end)
  if #groups == 1 then
    groups = lists.grouped(measured, function(c) return ("%s (%s)"):format(row.cells[c].problem, row.cells[c].size) end)
  end
  return table.concat(lists.map(groups, function(same)
    return ("%s computed %s"):format(named(columns, same), same.key)
  end), "; ")
end

local function kernels_of(row, columns)
  return table.concat(lists.map(row.kernels, function(numbers) return named(columns, numbers) end), "; ")
end

-- The columns whose kernel times, where some are shown, are by the host's clock.
local function add_clocks(items, it)
  local numbers = lists.map(it.columns, function(_, c)
    return lists.any(it.rows, function(row)
      return row.part == "kernel" and row.cells[c] and row.cells[c].host_clock
    end) and c or nil
  end)
  if numbers[1] then
    items[#items + 1] = ("%s: kernel times are by the host clock, since the device's timer cannot be trusted"):format(
      named(it.columns, numbers))
  end
end

local function remarks_of(it, rows, is_pair)
  local items, columns = {}, it.columns
  add_told(items, rows, "%s %s: speeds of different problems: %s", function(row)
    return row.differ and problems_of(row, columns)
  end)
  if not is_pair then
    add_told(items, rows, "%s %s: the problems differ, and no speed can be compared: this row is for %s", function(row)
      return row.others[1] and (row.problem == "" and "an unknown one" or row.problem)
    end)
    add_told(items, rows, "%s %s: the kernel or its build options differ: %s", function(row)
      return row.kernels and kernels_of(row, columns)
    end)
  end
  add_clocks(items, it)
  if is_pair and lists.any(rows, function(row) return row.kernels end) then
    items[#items + 1] = "*: the kernel or its build options differ"
  end
  for c, column in ipairs(it.walkthrough and {} or columns) do
    for _, failure in ipairs(rows_of.failures(column.of)) do
      items[#items + 1] = ("%s: the limits of %s: %s"):format(named(columns, {c}), failure.group, failure.word)
    end
  end
  return items
end

-- ---- a table with what belongs to it ----

--- What a table is about: the walkthrough, and the problem of all rows that have figures, if it is one.
-- @tparam {table,...} rows of it
-- @treturn string
function view.heading(it, rows, is_pair)
  local text = it.walkthrough or "limits"
  for _, copy in ipairs(it.copies or {}) do
    text = text .. (is_pair and " against " or (", in column %d its copy "):format(copy.column)) .. copy.name
  end
  local measured = lists.filter(rows, function(row) return row.unit end)
  local alike = lists.grouped(measured, function(row) return row.differ and "" or row.problem or "" end)
  return text .. (#alike == 1 and alike[1].key ~= "" and ": " .. alike[1].key or "")
end

--- A table of a comparison, and what is to be said of it.
-- @tparam int place of the table
-- @treturn table block
function view.table(it, is_pair, place)
  local what = it.walkthrough and "step" or "limit"
  local rows = lists.filter(it.rows, function(row) return not is_pair or row.cells[1] and row.cells[2] end)
  local heading = view.heading(it, rows, is_pair)
  local device = is_pair and (it.columns[2].device or it.columns[1].device).name
  return block.section {id = ("table-%d"):format(place), title = heading, contents = heading
    .. (device and " on " .. device or ""), blocks = {
    it.walkthrough and block.only("text", {block.paragraph(heading, {close = true})}),
    is_pair and frame.devices(it.columns, it.alone),
    block.tight {is_pair and pair_table(it, rows) or many_table(it, what),
                 block.list(is_pair and alone_items(it) or {closing_text(it, what)}),
                 block.list(remarks_of(it, rows, is_pair))},
  }}
end

return view
