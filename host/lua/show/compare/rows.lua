--- The rows of a comparison: a step, or a limit, of each column.
--
-- A row is {number, name, study, at (the point of a sweep), problem, unit (nil if no cell has a value), part (of the
-- time), less: whether the least value is the best, host: whether it is a loop of the host's, count: of columns,
-- differ: whether its cells are of different problems, others: as from @{clue.result.match.rows}, kernels: lists of
-- columns with one kernel and its build options, if they differ, cells = {[column] = cell}}, and for two files gain and
-- total_gain, of
-- @{clue.result.gain}: the gain of B over A, and where that is of kernels, the one of the total.
--
-- A cell is {verdict, verified, well: whether the verdict is as it should be, why: in words, row, number and name (of
-- the step), problem, size}; and if it is verified, value: in the row's unit, seconds, spread, extrapolated,
-- host_clock, best: whether it is the best of the row, and the figures of @{clue.result.columns.compared}.
--
-- Parameters with one meaning everywhere: it, a row of a comparison; list, rows; count, of columns.
local columns_of_rows = require "clue.result.columns"
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local match = require "clue.result.match"
local point = require "clue.result.point"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"

local rows = {}

-- ---- what the steps of a row have in common ----

-- The part of the time that all rows are judged by; the total, which all have, if they differ.
local function part_of(measured)
  local part
  for _, row in ipairs(measured) do
    part = part or row_of.judged(row)
    if row_of.judged(row) ~= part then return "total" end
  end
  return part or "total"
end

-- The unit of the speeds, if all have one.
local function rate_of(measured, part)
  local rate = measured[1] and row_of.rate(measured[1])
  for _, row in ipairs(measured) do
    if row_of.rate(row) ~= rate or row_of.speed(row, part) == nil then return nil end
  end
  return rate
end

local function computed_different_problems(measured)
  return #lists.grouped(measured, function(row) return point.problem_key(row) or "" end) > 1
end

-- The columns by what they built, if it is not the same for all that built something.
local function kernels_of(group, count)
  local built = {}
  for c = 1, count do
    local source = group[c] and row_of.source(group[c]) or ""
    if source ~= "" then built[#built + 1] = {column = c, source = source} end
  end
  local list = lists.map(lists.grouped(built, function(it) return it.source end), function(same)
    return lists.map(same, function(it) return it.column end)
  end)
  return #list > 1 and list or nil
end

-- ---- cells ----

local function cell_of(row, column, it)
  local verdict, well = row_of.verdict(row)
  local cell = {row = row, verdict = verdict, verified = row_of.is_verified(row), well = well, why = row_of.why(row),
                number = row.number, name = row.name, problem = point.problem(row), size = point.size(row)}
  local time = row_of.counts(row) and row_of.time(row, it.part)
  if not time then return cell end
  cell.seconds, cell.spread = time.median, time.count > 1 and time.spread or nil
  cell.extrapolated = row.times.extrapolated or nil
  cell.value = it.rate and row_of.speed(row, it.part) or not it.rate and cell.seconds * 1000 or nil
  cell.host_clock = row_of.time(row, "kernel") ~= nil and row.times.clock == "host" or nil
  for _, entry in ipairs(columns_of_rows.compared()) do
    cell[entry.name] = columns_of_rows.value(entry.name, row, {peak = column.device.peak})
  end
  return cell
end

local function is_figure(value)
  return value and value > 0 and value < math.huge
end

-- Marks the best of a row; also others that are printed with the same figure.
local function mark_best(it, count)
  local best, measured = nil, 0
  for c = 1, count do
    local value = it.cells[c] and it.cells[c].value
    if is_figure(value) then
      measured = measured + 1
      if not best or (it.less and value < best or not it.less and value > best) then best = value end
    end
  end
  if it.host or measured < 2 then return end
  for c = 1, count do
    local cell = it.cells[c]
    if cell and is_figure(cell.value) and figures.number(cell.value) == figures.number(best) then cell.best = true end
  end
end

-- ---- gains ----

-- Nanoseconds for each operation, or for each byte, of every run.
local function relative(row, part)
  local work = row_of.work(row)
  local times = work and work > 0 and row.times[part]
  if not times then return nil end
  return lists.map(times, function(seconds) return seconds / work * 1e9 end)
end

local function add_gains(it, a, b)
  if not (row_of.counts(a) and row_of.counts(b)) then return end
  local times_of = it.differ and relative or function(row, part) return row.times[part] end
  it.gain = gains.of(times_of(a, it.part), times_of(b, it.part))
  it.total_gain = it.part == "kernel" and gains.of(times_of(a, "total"), times_of(b, "total")) or nil
end

-- ---- rows of walkthroughs ----

local function row_from(entry, columns, is_pair)
  local count, measured, group = #columns, {}, entry.rows
  for c = 1, count do measured[#measured + 1] = group[c] and row_of.counts(group[c]) and group[c] or nil end
  local any = match.first(group, count)
  local told = measured[1] or any
  for c = 1, count do told = point.problem_key(told) and told or group[c] or told end
  local part = part_of(measured)
  local it = {number = any.number, name = any.name, study = any.study, at = entry.at, others = entry.others,
              problem = point.problem(told), part = measured[1] and part, differ = computed_different_problems(measured)
              or nil, kernels = kernels_of(group, count), count = count, rate = rate_of(measured, part), cells = {}}
  it.unit, it.less = measured[1] and (it.rate or "ms"), not it.rate or nil
  it.host = lists.any(measured, row_of.is_of_host) or nil
  for c = 1, count do it.cells[c] = group[c] and cell_of(group[c], columns[c], it) end
  mark_best(it, count)
  if is_pair and group[1] and group[2] then add_gains(it, group[1], group[2]) end
  return it
end

--- The rows of some runs.
-- @tparam {table,...} runs for each column, its runs of a walkthrough
-- @tparam {table,...} columns of @{clue.show.compare.compared}
-- @tparam table how any, copies: as for @{clue.result.match.rows}; is_pair: true for two files
-- @treturn {table,...}
function rows.of(runs, columns, how)
  local documents = lists.map(columns, function(column) return column.of end)
  return lists.map(match.rows(runs, documents, how), function(entry) return row_from(entry, columns, how.is_pair) end)
end

-- ---- what all rows tell ----

-- How many times as fast, or as good, as the first column another one is in a row. Problems that differ have speeds.
local function ratio_in(it, c)
  local first, other = it.cells[1], it.cells[c]
  if it.host or not (first and other and is_figure(first.value) and is_figure(other.value)) then return nil end
  if it.differ then return other.value / first.value end
  if is_figure(first.seconds) and is_figure(other.seconds) then return first.seconds / other.seconds end
  return it.less and first.value / other.value or not it.less and other.value / first.value or nil
end

--- The geometric mean of the ratios to the first column, over the rows that both have.
-- @treturn {table,...} for each column: column, rows (over how many), ratio (nil: over none), extrapolated
function rows.ratios(list, count)
  local all = {}
  for c = 1, count do
    local having = lists.filter(list, function(it) return ratio_in(it, c) end)
    local ratios = lists.map(having, function(it) return ratio_in(it, c) end)
    local is_extrapolated = lists.any(having, function(it)
      return it.cells[1].extrapolated or it.cells[c].extrapolated
    end)
    all[c] = {column = c, rows = #ratios, ratio = statistics.geometric_mean(ratios),
              extrapolated = is_extrapolated or nil}
  end
  return all
end

--- The rows with a verified result in one column and none in another.
-- @tparam boolean is_pair whether they are of two files: then also what was skipped counts
-- @treturn {table,...} row, column (the number), cell; verified: the numbers of the columns where it is verified
function rows.lost(list, count, is_pair)
  local all = {}
  for _, it in ipairs(list) do
    local verified = {}
    for c = 1, count do
      if it.cells[c] and it.cells[c].verified then verified[#verified + 1] = c end
    end
    for c = 1, verified[1] and count or 0 do
      local cell = it.cells[c]
      if cell and not cell.verified and (is_pair or not cell.well) then
        all[#all + 1] = {row = it, column = c, cell = cell, verified = verified}
      end
    end
  end
  return all
end

-- ---- a row in words ----

--- What the columns call a row, once if all call it the same.
-- @tparam string field number or name
-- @tparam string between two of them
-- @treturn string
function rows.called(it, field, between)
  if it.number == nil then return it[field] or "" end
  local words = {}
  for c = 1, it.count do words[#words + 1] = it.cells[c] and tostring(it.cells[c][field] or "") or nil end
  return table.concat(lists.distinct(words), between)
end

--- The name of a row.
-- @treturn string "compute: float4", "loops (host)"
function rows.name(it)
  local name = rows.called(it, "name", " | ")
  name = it.study and ("%s: %s"):format(it.study, name) or name
  return it.host and name .. " (host)" or name
end

--- A row in a sentence.
-- @treturn string "step 4 tiles at 512", "compute: float4"
function rows.words(it)
  local words = it.number ~= nil and ("step %s %s"):format(tostring(it.number), it.name or "") or rows.name(it)
  return words .. (it.at and " at " .. it.at or "")
end

-- ---- limits ----

-- Whether a limit is a time: a larger rate is better, but a smaller time.
local function is_time(unit)
  return unit == "us" or unit == "ms" or unit == "s" or unit == "ns"
end

-- Seconds for the same work in both runs. They may have measured different amounts of work, so each time is scaled by
-- the median, which the limit's value stands for.
local function scaled(limit)
  local middle = limit.times and #limit.times > 0 and statistics.median(limit.times)
  local unit = is_time(limit.unit) and limit.value or 1 / limit.value
  if not (middle and middle > 0) then return {unit} end
  return lists.map(limit.times, function(time) return time / middle * unit end)
end

-- What became of a limit in one word, and why in others. unit: of the others.
local function verdict_of(limit, unit)
  local why = limit.wrong or limit.failed or limit.skipped
  local word = limit.wrong and "WRONG" or limit.failed and "failed" or limit.skipped and "skipped"
  if not word and not is_figure(limit.value) then word = "no figure" end
  if not word and limit.unit ~= unit then word = ("in %s"):format(limit.unit or "no unit") end
  return word or "verified", type(why) == "string" and why or nil
end

local function limit_cell(limit, unit)
  local verdict, why = verdict_of(limit, unit)
  local verified = verdict == "verified"
  return {verdict = verdict, why = why, verified = verified, well = verified or verdict == "skipped",
          value = verified and limit.value or nil}
end

local function limit_row(group, columns)
  local count = #columns
  local first = match.first(group, count)
  local it = {study = first.group, name = first.name, count = count, others = {}, cells = {}}
  for c = 1, count do -- a limit that was skipped has no unit
    it.unit = it.unit or group[c] and group[c].unit
    it.cells[c] = group[c] and limit_cell(group[c], it.unit)
  end
  it.less = is_time(it.unit) or nil
  mark_best(it, count)
  local a, b = it.cells[1], it.cells[2]
  if columns[1].letter and a and b and a.verified and b.verified then
    it.gain = gains.of(scaled(group[1]), scaled(group[2]))
  end
  return it
end

--- The rows of some columns, those of one group beside each other.
-- @tparam {table,...} columns of documents of `clue peak`
-- @treturn {table,...} rows, with the group as the study
function rows.of_limits(columns)
  local function name(limit) return ("%s %s"):format(limit.group or "", limit.name or "") end
  local groups = match.by_key(lists.map(columns, function(column) return column.of.limits or {} end), name)
  local list = lists.map(groups, function(group) return limit_row(group, columns) end)
  return lists.flat(lists.grouped(list, function(it) return it.study or "" end), function(same) return same end)
end

--- The groups of limits that did not come to their end.
-- @tparam table document of one device
-- @treturn {table,...} group, word: texts
function rows.failures(document)
  local list = {}
  for _, failure in ipairs(type(document.failures) == "table" and document.failures or {}) do
    if type(failure) == "table" and type(failure.group) == "string" then
      list[#list + 1] = {group = failure.group, word = type(failure.word) == "string" and failure.word or "?"}
    end
  end
  return list
end

return rows
