--- The table of a walkthrough's steps: time, speed, share of the device's peak, gains; the author's speeds beside them
-- where there is room. Columns are left out, the least important first, until the table fits the terminal.
-- @module clue.show.walk.steps_table
local columns = require "clue.result.columns"
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local tables = require "clue.table"

local steps_table = {}

local published = figures.published

-- ---- what is no figure ----

--- How many characters all names begin with, up to a "_": "matr_mul_".
-- @tparam {table,...} rows
-- @treturn int
function steps_table.common_beginning(rows)
  local common = #rows > 1 and rows[1].name and rows[1].name:match "^(.*_)" or ""
  for _, row in ipairs(rows) do
    while common ~= "" and (row.name or ""):sub(1, #common) ~= common do common = common:match "^(.*_)[^_]*_$" or "" end
  end
  return #common
end

--- A row's name in at most so many characters: what all names begin with is left out first.
-- @tparam table row
-- @tparam int most characters
-- @tparam int common of @{common_beginning}
-- @treturn string
function steps_table.short_name(row, most, common)
  local name = row.name or "?"
  if #name <= most then return name end
  return tables.cut(common > 3 and "…" .. name:sub(common + 1) or name, most)
end

--- The mark before a row: the fastest one, or one whose figures contradict each other.
-- @tparam table row
-- @tparam table of best: the set of the fastest rows, of @{clue.result.contest.winners}
-- @treturn string
function steps_table.mark(row, of)
  return (row.gain and row.gain.disturbed and "!" or "") .. (of.best[row] and ">" or "")
end

-- ---- columns ----

-- The machines for which the author gives figures, and which of them: {on, seconds = true, rate = true, ratio = true}.
local function authors_of(rows)
  local authors = {}
  for _, row in ipairs(rows) do
    for _, theirs in ipairs(row.published or {}) do
      local author = authors[theirs.on]
      if not author then
        author = {on = theirs.on}
        authors[#authors + 1], authors[theirs.on] = author, author
      end
      for _, field in ipairs {"seconds", "rate", "ratio"} do author[field] = author[field] or theirs[field] ~= nil end
    end
  end
  return authors
end

local function author_rate(theirs, unit)
  return published(theirs.rate) .. (theirs.unit and unit and theirs.unit ~= unit and " " .. theirs.unit or "")
    .. (theirs.computed and "*" or "")
end

local author_columns = {
  {field = "seconds", title = "s", write = function(theirs) return published(theirs.seconds) end},
  {field = "rate", write = author_rate},
  {field = "ratio", title = "/host", write = function(theirs) return published(theirs.ratio) end},
}

-- The columns of one of the author's machines, whose name is above the first of them.
local function add_author(list, author, unit, fields)
  local first = true
  for _, column in ipairs(author_columns) do
    if author[column.field] and fields[column.field] then
      local whose = first and "author's\n" .. author.on:gsub(", ", ",\n") or ""
      list[#list + 1] = {
        title = fields.seconds and whose .. "\n" .. (column.title or unit) or whose,
        right = true, gap = not first and 1 or nil, optional = true, get = function(row)
          local theirs = row_of.published(row, author.on)
          return theirs and theirs[column.field] and column.write(theirs, unit)
        end,
      }
      first = false
    end
  end
end

-- ---- the table ----

-- The columns of figures, and what does not come from one row: its mark, its name in the space there is, the author's.
local function columns_of(rows, of, layout)
  local list, common = {}, steps_table.common_beginning(rows)
  local function add(column)
    if layout[column.name] ~= false then list[#list + 1] = column end
  end
  add {title = "", right = true, get = function(row) return steps_table.mark(row, of) end}
  add {title = "#", right = true, gap = 0, get = function(row) return row.number end}
  add {name = "step", title = "step", optional = true, get = function(row)
    return steps_table.short_name(row, layout.step, common)
  end}
  for _, column in ipairs(columns.of_table(of)) do
    if column.name == "runs" and layout.author then
      for _, author in ipairs(authors_of(rows)) do
        add_author(list, author, of.unit, author.rate and {rate = true} or {seconds = true})
      end
    end
    add(column)
  end
  return list
end

-- When the names become shorter, and when the author's figures are left out, in the order of the columns' ranks.
local between = {{6, "step", 20}, {7, "author", false}, {9, "step", 16}, {13, "step", 11}, {15, "step", false}}

-- The layouts of a table, the widest first: for each column, whether it is there, and how long names are.
local function layouts_of(list)
  local changes, narrowing, widest = {}, {}, {step = 40, author = true}
  for _, each in ipairs(between) do changes[#changes + 1] = each end
  for _, column in ipairs(list) do
    widest[column.name] = true
    if column.rank then changes[#changes + 1] = {column.rank, column.name, false} end
  end
  table.sort(changes, function(a, b) return a[1] < b[1] end)
  for i, change in ipairs(changes) do narrowing[i] = {[change[2]] = change[3]} end
  return tables.layouts(widest, narrowing)
end

--- The table of the rows of one unit, or of rows without any speed.
-- @tparam {table,...} rows
-- @tparam table of unit ("" for none); judged: the part of the time that they are judged by; best: the set of
--   the fastest rows; peak: the device's limits, if known; all_verified: whether the column of results may be left out
-- @tparam int width
-- @treturn {string,...} lines: the titles, then the rows
function steps_table.lines(rows, of, width)
  of.rows = rows
  return tables.fitting(layouts_of(columns.of_table(of)), width, function(layout)
    return tables.of(columns_of(rows, of, layout), rows)
  end)
end

-- ---- the host's loops ----

--- The table of the host's loops, which are measured beside the steps.
-- @tparam {table,...} rows
-- @tparam string unit
-- @tparam int width
-- @treturn {string,...} lines
function steps_table.host_lines(rows, unit, width)
  local lines = tables.of({
    {title = "", right = true, get = function() return false end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    {title = "on the host", get = function(row) return tables.cut(row.name or "?", math.max(12, width - 40)) end},
    {title = "total ms", right = true, get = function(row) return columns.text("total_median_s", row) end},
    {title = "±%", right = true, gap = 1, get = function(row) return columns.text("total_range", row) end},
    {title = unit, right = true, get = function(row) return columns.text("speed_total", row) end},
    {title = "", get = function(row) return not row.aside and not row_of.is_verified(row) and row_of.verdict(row) end},
  }, rows)
  return lines
end

-- ---- the author's figures ----

--- The table of all figures that the author gives.
-- @tparam {table,...} rows
-- @tparam string unit
-- @treturn {string,...} lines; none if he gives no numbers
function steps_table.author_lines(rows, unit)
  local list = {{title = "", right = true, get = function() return false end},
                   {title = "#", right = true, gap = 0, get = function(row) return row.number end}}
  for _, author in ipairs(authors_of(rows)) do
    add_author(list, author, unit, {seconds = true, rate = true, ratio = true})
  end
  local theirs = {}
  for _, row in ipairs(rows) do
    if row.published then theirs[#theirs + 1] = row end
  end
  return #list > 2 and #theirs > 0 and tables.of(list, theirs) or {}
end

return steps_table
