--- Many results, as of a class: a row for each file or for each device, and how it stands beside the median of all. A
-- row of the comparison then gets `standing`: least, median, most and count of the results, and who has the best.
local block = require "clue.show.block"
local csv = require "clue.show.walk.csv"
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local numbers = require "clue.number"
local rows_of = require "clue.show.compare.rows"
local statistics = require "clue.result.statistics"
local tables = require "clue.table"

local standing = {}

--- From how many results on a comparison is by file if nothing else is said: their columns would not fit.
standing.many = 7

-- ---- who stands where ----

local keys = {
  file = function(column) return column.file_name end,
  device = function(column) return column.name end,
}

-- The figures of some columns in a row that counts; a host's own loop says nothing of devices.
local function values_of(row, group)
  return lists.map(row.host and {} or group, function(column)
    local cell = row.cells[column.number]
    local value = cell and cell.verified and cell.value
    return value and value > 0 and value < math.huge and value or nil
  end)
end

local function stand(row, groups)
  local all, best = {}, nil
  for _, group in ipairs(groups) do
    local value = (statistics.of(values_of(row, group)) or {}).median
    group.values[row] = value
    all[#all + 1] = value
    local better = value and (not best or row.less and value < best.values[row] or value > best.values[row]
      and not row.less)
    if better then best = group end
  end
  local summary = statistics.of(all)
  row.standing = best and {least = summary.min, median = summary.median, most = summary.max, count = summary.count,
                           best = best.name}
end

-- How many times as good as the median a group is: the geometric mean over its rows.
local function ratio_of(group, rows)
  local ratios = lists.map(rows, function(row)
    local value, all = group.values[row], row.standing
    return value and all.count > 1 and (row.less and all.median / value or value / all.median) or nil
  end)
  return statistics.geometric_mean(ratios), #ratios
end

--- Adds to a table of a comparison how its results stand.
-- @tparam table it of @{clue.show.compare}; gets by, and groups: {name, device, columns, ratio (to the median; nil if
--   nothing is verified), rows: over how many, place: 1 for the best}, in the order of their names
-- @tparam string by "file" or "device"
function standing.add(it, by)
  it.by, it.groups = by, {}
  for _, group in ipairs(lists.grouped(it.columns, keys[by])) do
    group.name, group.device, group.values = group.key, group[1].name, {}
    it.groups[#it.groups + 1] = group
  end
  table.sort(it.groups, function(a, b) return a.name < b.name end)
  for _, row in ipairs(it.rows) do stand(row, it.groups) end
  local order = {}
  for _, group in ipairs(it.groups) do
    group.ratio, group.rows = ratio_of(group, it.rows)
    order[#order + 1] = group.ratio
  end
  table.sort(order, function(a, b) return a > b end)
  for _, group in ipairs(it.groups) do
    for place, ratio in ipairs(order) do
      if ratio == group.ratio then group.place = group.place or place end
    end
  end
end

-- ---- what is shown ----

-- A device's name without marks, PoCL's prefix and a processor's frequency: "Intel Core i5-8250U". PoCL's prefix has
-- the compiler's name of the processor: "cpu-haswell-Intel", "pthread-skylake-avx512-AMD".
local function plain(name)
  name = name:gsub("^%l+%-[%l%d-]*%-(%u)", "%1")
  for _, what in ipairs {"^pthread%-", "^cpu%-", "%(%a+%)", " @ [%d.]+GHz$", " CPU$"} do name = name:gsub(what, "") end
  return name
end

-- Names of devices, plain, without what they have in common with all that begin alike: "NVIDIA GeForce RTX 3060" is
-- "…RTX 3060" beside "NVIDIA GeForce GTX 1650".
local function short_names(groups)
  local names, short = lists.map(groups, function(group) return group.device end), {}
  local distinct = lists.grouped(names, plain)
  for _, alike in ipairs(lists.grouped(distinct, function(same) return same.key:match "^%w*" end)) do
    local common = alike[1].key
    for _, same in ipairs(alike) do
      while same.key:sub(1, #common) ~= common do common = common:sub(1, -2) end
    end
    common = common:match "^.*[^%w]" or ""
    for _, same in ipairs(alike) do
      local text = #alike > 1 and #common > 3 and "…" .. same.key:sub(#common + 1) or same.key
      for _, name in ipairs(same) do short[name] = text end
    end
  end
  return short
end

-- How devices are called in a column of so many characters: all in full, or all short. A page that is as narrow as a
-- telephone has the short names, too.
local function caller(groups)
  local short, longest = short_names(groups), 0
  for name in pairs(short) do longest = math.max(longest, #name) end
  return function(name, most)
    local page = short[name] == name and name
      or {{class = "wide", name}, {class = "narrow", short[name]}}
    return {tables.cut(longest > most and short[name] or name, most), page = page}
  end
end

local function groups_table(it)
  local called, _, widest = caller(it.groups), lists.best(it.groups, function(group) return group.ratio end)
  local list = {
    {title = it.by, head = true, most = 40, narrow = {{2, 24}, {4, 14}}, get = function(group, most)
      return it.by == "device" and called(group.name, most) or {tables.cut(group.name, most), page = group.name}
    end},
  }
  if it.by == "file" then
    list[#list + 1] = {title = "device", most = 32, narrow = {{1, 24}, {3, 16}}, get = function(group, most)
      return called(group.device, most)
    end}
  else
    list[#list + 1] = {title = "results", right = true, get = function(group) return #group end}
  end
  local what = it.walkthrough and "steps" or "limits"
  for _, column in ipairs {
    {title = what, right = true, get = function(group) return group.rows end},
    {title = "place", right = true, get = function(group) return group.place end},
    {title = "times the\nmedian", right = true, get = function(group) return figures.ratio(group.ratio) or "-" end},
    {title = "", optional = true, bar = 24, narrow = {{5, false}}, get = function(group)
      return group.ratio and {"", bar = group.ratio / widest}
    end},
  } do list[#list + 1] = column end
  return block.table {name = it.walkthrough or "limits", class = "rows standing", columns = list, rows = it.groups}
end

local function rows_table(it)
  local rows, called = lists.map(it.rows, function(row) return row.standing and row or nil end), caller(it.groups)
  local function figure(title, name)
    return {title = title, right = true, get = function(row) return figures.number(row.standing[name]) end}
  end
  local name = (it.walkthrough or "limits") .. ", over all results"
  return block.table {name = name, class = "rows standing", rows = rows, columns = {
    {title = "#", right = true, optional = true, get = function(row) return row.number end},
    {title = it.walkthrough and "step" or "limit", head = true, most = 36, narrow = {{1, 24}, {3, 16}},
     get = function(row, most) return {tables.cut(rows_of.name(row), most), page = rows_of.name(row)} end},
    {title = "at", optional = true, get = function(row) return row.at end},
    {title = "unit", get = function(row) return row.unit end},
    figure("least", "least"), figure("median", "median"), figure("most", "most"),
    {title = "of", right = true, get = function(row) return row.standing.count end},
    {title = "the best is", most = 24, narrow = {{2, 12}}, get = function(row, most)
      local best = row.standing.best
      return it.by == "device" and called(best, most) or {tables.cut(best, most), page = best}
    end},
  }}
end

local EXPLAINED = "times the median: how many times as %s as the median of the same %s: geometric mean over what is "
  .. "verified%s"

--- How the results of a table stand, in blocks.
-- @tparam table it with groups
-- @tparam string heading
-- @tparam int place of the table
-- @treturn table block
function standing.blocks(it, heading, place)
  local with_host = lists.any(it.rows, function(row) return row.host end)
  local differ = lists.any(it.rows, function(row) return row.differ end)
  local notes = {EXPLAINED:format(it.walkthrough and "fast" or "good", it.walkthrough and "step" or "limit",
    with_host and "; the host's own loops do not count" or "")}
  if it.by == "device" and #it.groups == 1 then
    notes[#notes + 1] = "all results are of one kind of device: without --by device, each has a row"
  end
  if differ then
    notes[#notes + 1] = "the results are of different problems, so speeds are compared: --size gives all the same"
  end
  return block.section {id = ("table-%d"):format(place), title = heading, contents = heading, blocks = {
    it.walkthrough and block.only("text", {block.paragraph(heading, {close = true})}),
    block.tight {groups_table(it), block.list(notes)},
    rows_table(it),
  }}
end

--- What is verified in some results and not in others, a line for each result.
-- @tparam {table,...} list of @{clue.show.compare.rows.lost}
-- @tparam {table,...} columns
-- @treturn {string,...}
function standing.lost(list, columns)
  return lists.map(lists.grouped(list, function(lost) return tostring(lost.column) end), function(same)
    local words = lists.map(same, function(lost)
      return ("%s (%s)"):format(rows_of.words(lost.row), lost.cell.verdict)
    end)
    return ("!! %s: %s, verified elsewhere"):format(columns[same[1].column].file_name, table.concat(words, ", "))
  end)
end

-- ---- files ----

--- A table for a document.
-- @tparam table it with groups
-- @treturn {table,...} a list of name, device, columns (their numbers), ratio, rows, place
function standing.documents(it)
  return lists.map(it.groups, function(group)
    local columns = lists.map(group, function(column) return column.number end)
    return {name = group.name, device = group.device, columns = columns, ratio = group.ratio, rows = group.rows,
            place = group.place}
  end)
end

--- The tables of a comparison as comma-separated values: a line for each result of each step or limit.
-- @tparam {table,...} list with groups
function standing.csv(list)
  local lines = {csv.line {"walkthrough", "number", "name", "at", "unit", "file", "device", "verdict", "value",
                           "median", "times_the_median"}}
  for _, it in ipairs(list) do
    for _, row in ipairs(it.rows) do
      for _, column in ipairs(it.columns) do
        local cell = row.cells[column.number] or {verdict = "none"}
        local value, middle = cell.verified and cell.value or nil, row.standing and row.standing.median
        lines[#lines + 1] = csv.line({it.walkthrough, row.number, row.name, row.at, row.unit, column.file_name,
          column.name, cell.verdict, value, middle,
          value and middle and numbers.text("%.9g", row.less and middle / value or value / middle)}, 11)
      end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return standing
