--- The tables of a walkthrough's steps: time, speed, share of the device's peak, gains; the author's speeds beside
-- them.
-- Parameters with one meaning everywhere: rows, those of a table; row, one of them.
local block = require "clue.show.block"
local columns = require "clue.result.columns"
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"
local tables = require "clue.table"

local steps_table = {}

local published = figures.published

-- ---- what is no figure ----

--- How many characters all names begin with, up to a "_": "matr_mul_".
-- @treturn int
function steps_table.common_beginning(rows)
  local common = #rows > 1 and rows[1].name and rows[1].name:match "^(.*_)" or ""
  for _, row in ipairs(rows) do
    while common ~= "" and (row.name or ""):sub(1, #common) ~= common do common = common:match "^(.*_)[^_]*_$" or "" end
  end
  return #common
end

--- A row's name in at most so many characters: what all names begin with is left out first.
-- @tparam int most characters
-- @tparam int common of @{common_beginning}
function steps_table.short_name(row, most, common)
  local name = row.name or "?"
  if #name <= most then return name end
  return tables.cut(common > 3 and "…" .. name:sub(common + 1) or name, most)
end

--- The part of the time by which a table's rows are judged.
-- @treturn string "kernel" if that is so of one of them, else "total"
function steps_table.judged(rows)
  return lists.any(rows, function(row) return row_of.judged(row) == "kernel" end) and "kernel" or "total"
end

--- The time that a row is judged by; if it does not count, what happened instead.
-- @treturn string
function steps_table.time_or_verdict(row)
  return row_of.counts(row) and columns.text(row_of.judged(row) .. "_median_s", row) or (row_of.verdict(row))
end

--- The mark before a row: the fastest one, or one whose figures contradict each other.
-- @tparam table of best: the set of the fastest rows, of @{clue.result.fastest.winners}
-- @treturn string
function steps_table.mark(row, of)
  return (row.gain and row.gain.disturbed and "!" or "") .. (of.best[row] and ">" or "")
end

-- The column of the rows' names; link(row): where a page has more of the step.
local function name_column(rows, narrow, link)
  local common = steps_table.common_beginning(rows)
  return {title = "step", head = true, optional = true, most = 40, narrow = narrow, get = function(row, most)
    return {steps_table.short_name(row, most, common), page = row.name or "?", to = link and "#" .. link(row),
            below = {class = "verdict", {is = "verdict", columns.mark(row)}}}
  end}
end

-- ---- the author's figures ----

--- The author's machines.
-- @treturn {table,...} on: a machine's name; seconds, rate, ratio: true for those figures that he gives
function steps_table.authors(rows)
  local authors = {}
  for _, row in ipairs(rows) do
    for _, theirs in ipairs(row.published or {}) do
      local author = authors[theirs.on or ""]
      if not author then
        author = {on = theirs.on or "?"}
        authors[#authors + 1], authors[theirs.on or ""] = author, author
      end
      for _, field in ipairs {"seconds", "rate", "ratio"} do author[field] = author[field] or theirs[field] ~= nil end
    end
  end
  return authors
end

--- Whether the author gives numbers for any of these steps.
function steps_table.has_figures(rows)
  return lists.any(steps_table.authors(rows), function(author) return author.seconds or author.rate or author.ratio end)
end

local author_columns = {
  {field = "seconds", title = "s", write = function(theirs) return published(theirs.seconds) end},
  {field = "rate", write = function(theirs, unit) return row_of.published_text(theirs, nil, unit) end},
  {field = "ratio", title = "/host", write = function(theirs) return published(theirs.ratio) end},
}

-- The columns of one of the author's machines, whose name is above the first of them.
local function add_author(list, author, unit, how)
  local first = true
  for _, column in ipairs(author_columns) do
    if author[column.field] and how[column.field] then
      local whose = first and "author's\n" .. author.on:gsub(", ", ",\n") or ""
      list[#list + 1] = {
        title = how.titles and whose .. "\n" .. (column.title or unit) or whose, only = how.only, right = true,
        narrow = how.narrow, gap = not first and 1 or nil, optional = true, get = function(row)
          local theirs = row_of.published(row, author.on)
          return theirs and theirs[column.field] and column.write(theirs, unit)
        end,
      }
      first = false
    end
  end
end

-- One of the author's machines, as a page has it below the others.
local function author_line(theirs, place, unit)
  local more = {}
  if theirs.seconds then more[#more + 1] = published(theirs.seconds) .. " s" end
  if theirs.ratio then more[#more + 1] = published(theirs.ratio) .. "×" .. (theirs.computed and "*" or "") end
  if theirs.text then more[#more + 1] = theirs.text end
  return {class = "line", (theirs.on or "?") .. ": ", theirs.rate and {is = "published-" .. place - 1,
    value = figures.exact(theirs.rate), row_of.published_text(theirs, nil, unit)} or "",
    {class = "muted", (theirs.rate and more[1] and " " or "") .. table.concat(more, ", ")}}
end

-- In a terminal the speed, or the time if there is none, of each machine; on a page all figures.
local function add_authors(list, rows, unit)
  for _, author in ipairs(steps_table.authors(rows)) do
    add_author(list, author, unit, {rate = author.rate, seconds = not author.rate, titles = not author.rate,
                                    only = "text", narrow = {{7, false}}})
  end
  list[#list + 1] = {title = "the author's", only = "page", class = "author", optional = true, get = function(row)
    local lines = lists.map(row.published or {}, function(theirs, place) return author_line(theirs, place, unit) end)
    return lines[1] and {lines}
  end}
end

-- ---- the table ----

-- When the names become shorter, in the order of the columns' ranks.
local shorter = {{6, 20}, {9, 16}, {13, 11}, {15, false}}

--- The table of the rows of one unit, or of rows without any speed.
-- @tparam table of unit ("" for none); judged: the part of the time that they are judged by; best: the set of
--   the fastest rows; peak: the device's limits, if known; all_verified: whether the column of results may be left out;
--   name: for readers who cannot see it; for pages also link(row) and at(row), its place in the document
-- @treturn table a block
function steps_table.block(rows, of)
  of.rows = rows
  local list = {
    {title = "", right = true, only = "text", get = function(row) return steps_table.mark(row, of) end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    name_column(rows, shorter, of.link),
  }
  for _, column in ipairs(columns.of_table(of)) do
    if column.name == "runs" then add_authors(list, rows, of.unit) end
    list[#list + 1] = column
  end
  return block.table {columns = list, rows = rows, name = of.name, class = "rows", look = function(row)
    return {class = of.best[row] and "best", at = of.at and of.at(row)}
  end}
end

-- ---- the host's loops ----

--- The table of the host's loops, which are measured beside the steps.
-- @tparam table of as for @{block}
-- @treturn table a block
function steps_table.host_block(rows, of)
  local it = {rows = rows}
  local function figure(name)
    return function(row)
      local text, value = columns.text(name, row, it), columns.value(name, row, it)
      return text and {text, is = columns[name].name, value = value and figures.exact(value),
                       range = name == "total_median_s" and columns[name].range {row = row}}
    end
  end
  return block.table {rows = rows, name = "loops of the host", class = "rows", columns = {
    {title = "", right = true, only = "text", get = function() return false end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    {title = "on the host", head = true, most = 92, narrow = {{1, 60}, {2, 32}, {3, 12}}, get = function(row, most)
      return {tables.cut(row.name or "?", most), page = row.name or "?",
              to = of.link and not row.aside and "#" .. of.link(row)}
    end},
    {title = "total ms", right = true, get = figure "total_median_s"},
    {title = "±%", right = true, gap = 1, only = "text", get = function(row)
      return columns.text("total_range", row, it)
    end},
    {title = of.unit, right = true, get = figure "speed_total"},
    {title = "", page = "result", get = function(row)
      local is_shown = not row.aside and not row_of.is_verified(row)
      return not row.aside and {is_shown and row_of.verdict(row), page = columns.mark(row), is = "verdict"}
    end},
  }, look = function(row)
    return {class = row.aside and "aside", at = of.at and not row.aside and of.at(row)}
  end}
end

--- The unit of all speeds.
-- @treturn ?string nil if they differ
function steps_table.common_unit(rows)
  local unit
  for _, row in ipairs(rows) do
    local own = row_of.rate(row)
    if own and unit and own ~= unit then return nil end
    unit = own or unit
  end
  return unit
end

--- A row's speed by the part of its time that it is judged by.
-- @tparam ?string unit of all speeds, which a title tells; nil: each tells its own
-- @treturn ?string
function steps_table.speed(row, unit)
  local speed = columns.text("speed_" .. row_of.judged(row), row)
  return speed and speed .. (unit and "" or " " .. row_of.rate(row))
end

--- The table of all figures that the author gives.
-- @tparam string unit
-- @treturn ?table a block; nil if he gives no numbers
function steps_table.author_block(rows, unit)
  local list, own = {{title = "", right = true, get = function() return false end},
                     {title = "#", right = true, gap = 0, get = function(row) return row.number end}}, {}
  for _, author in ipairs(steps_table.authors(rows)) do
    add_author(own, author, unit, {seconds = true, rate = true, ratio = true, titles = true})
  end
  local theirs = lists.filter(rows, function(row)
    return lists.any(own, function(column) return column.get(row) end)
  end)
  return theirs[1] and block.table {columns = lists.joined(list, own), rows = theirs, name = "the author's figures"}
end

-- ---- several devices ----

-- The gain; without its interval where there is no room.
local function gain_of(row, most)
  if not row.gain or most ~= "short" then return columns.text("gain", row) end
  local word = gains.word(row.gain)
  return (word == "same" or word == "unclear") and word
    or figures.marked(figures.ratio(row.gain.ratio), row.gain.extrapolated)
end

-- What a device's columns show otherwise than a table of one device.
local own = {
  share_of_peak = function(column) column.narrow = nil end,
  gain = function(column)
    column.title, column.narrow = "gain", {{6, "short"}, {9, false}}
    function column.get(row, most) return gain_of(row, most) end
  end,
  gain_over = function(column) column.title, column.narrow = "over", {{4, false}} end,
  over_first = function(column)
    local get = column.get
    column.narrow = nil
    function column.get(row) return not row_of.is_of_host(row) and get(row) end
  end,
}

-- The columns of one device; each function takes its row.
local function columns_of(run, unit)
  local of = {rows = run.rows, peak = run.peak, unit = unit, judged = steps_table.judged(run.rows), all_verified = true,
              best = fastest.winners(run.rows)}
  local list = {
    {title = "", right = true, gap = 2, get = function(row) return steps_table.mark(row, of) end},
    {title = run.device .. "\nms", right = true, gap = 1, get = steps_table.time_or_verdict},
    {title = "±%", right = true, gap = 1, optional = true, narrow = {{1, false}}, get = function(row)
      return columns.text(row_of.judged(row) .. "_range", row)
    end},
    {title = unit or "speed", right = true, optional = true,
     get = function(row) return steps_table.speed(row, unit) end},
  }
  for _, column in ipairs(columns.of_table(of)) do
    if own[column.name] then
      own[column.name](column)
      list[#list + 1] = column
    end
  end
  return list
end

-- The rows of each run by number, one row of each number, and the unit of all speeds.
local function rows_by_number(runs)
  local by_number, all = {}, lists.flat(runs, function(run) return run.rows end)
  for d, run in ipairs(runs) do
    by_number[d] = {}
    for _, row in ipairs(run.rows) do by_number[d][row.number] = row end
  end
  return by_number, lists.distinct(all, function(row) return row.number end), steps_table.common_unit(all)
end

--- The table of the steps on several devices: a line for each step, a group of columns for each device.
-- @tparam {table,...} runs device (its address), rows, peak: the device's limits, if they are known
-- @tparam table otherwise blocks instead of it, in a terminal that is too narrow
-- @treturn table a block
function steps_table.devices(runs, otherwise)
  local by_number, every, unit = rows_by_number(runs)
  local list = {{title = "#", right = true, get = function(row) return row.number end},
                name_column(every, {{3, 20}, {5, 14}, {7, 11}, {8, false}})}
  for d, run in ipairs(runs) do
    for _, column in ipairs(columns_of(run, unit)) do
      local get = column.get
      function column.get(row, most)
        local here = by_number[d][row.number]
        return here and (get(here, most))
      end
      list[#list + 1] = column
    end
  end
  return block.table {columns = list, rows = every, name = "all devices", otherwise = otherwise}
end

return steps_table
