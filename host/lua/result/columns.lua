--- The figures of a walkthrough's row, an entry each. Made from this list are the terminal's table of `--notes`, the
-- report, the CSV and the page on it (docs/reference/sweeps.md): a new figure is one more entry. The short table that
-- a plain `clue walk` shows first (@{clue.show.walk.first_screen}) and the one of all times choose their columns, and
-- have their texts from here.
--
-- An entry has name (in the CSV; nil: it is not there) and value(it), what the CSV has: a number, a text or nil. To be
-- in tables, it has title, its heading in the terminal (a text of one or two lines, or title(of)), and text(it), what
-- stands in a cell; without one, four digits of its value. Its place among the others is `place`, and `rank` tells when
-- it is left out of a terminal's table that is too wide: the lowest first, without one never. Pages have `range` and
-- `below` below it, `page_text` instead of it, and `class` for its colour, which terminals have as well; `only` is
-- "text" for what pages show elsewhere. `compared` is its heading in comparisons, if `clue compare` and its document
-- have it. `about` is the sentence of the reference.
--
-- `it` is {row, rows: all that the table shows of the run, run, walkthrough, peak: the device's limits if known, judged
-- and unit, of the table, all_verified}; `of` has the same without a row.
--
-- Parameters with one meaning everywhere: row, of a run.
local counts = require "clue.result.counts"
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local point = require "clue.result.point"
local row_of = require "clue.result.row"

local columns = {}

local figure, marked, ratio = figures.number, figures.marked, figures.ratio

--- All entries, in the order of the CSV.
columns.list = {}

local function add(entry)
  columns.list[#columns.list + 1] = entry
  entry.text = entry.text or function(it) return figure(entry.value(it)) end
  columns[entry.name or entry.key] = entry
end

-- A field of one of the row's tables: gain.ratio.
local function field_of(of, field)
  return function(it) return (it.row[of] or {})[field] end
end

-- ---- which row it is ----

local which = "which row it is"

add {name = "walkthrough", about = which, value = function(it) return it.walkthrough.name end}
add {name = "device", about = which, value = function(it) return it.run.device end}
add {name = "step", about = which, value = function(it) return it.row.number end}
for _, name in ipairs {"name", "study", "problem"} do
  add {name = name, about = which, value = function(it) return it.row[name] end}
end
add {
  name = "result", about = "`verified`, `WRONG`, `skipped`, or how it failed",
  value = function(it) return (row_of.verdict(it.row)) end,
  title = "result", place = 90, rank = function(of) return of.all_verified and 4 or nil end, left = true,
  text = function(it) return (row_of.verdict(it.row)) end, only = "text",
}

local marks = {verified = {"✓ verified", "good"}, skipped = {"skipped", "skip"}}

--- The verdict on a row, marked.
-- @treturn table a text of blocks, see @{clue.show.block}
function columns.mark(row)
  local word = row_of.verdict(row)
  local mark = marks[word] or {"✗ " .. word, "bad"}
  return {class = mark[2], mark[1]}
end

-- ---- speeds ----

local speeds = "the unit of the speeds, and the speeds by each part of the time"

local function speed_text(part)
  return function(it)
    local value = figure(row_of.speed(it.row, part))
    return value and marked(value, part ~= "kernel" and it.row.times.extrapolated)
  end
end

-- The speed by the part by which a table's rows are judged comes first, the other one beside it: on a page, below.
local function add_speed(part, other)
  local function is_first(of) return of.judged == part end
  add {
    name = "speed_" .. part, about = speeds, value = function(it) return row_of.speed(it.row, part) end,
    title = function(of) return part .. "\n" .. of.unit end,
    place = function(of) return is_first(of) and 30 or 31 end,
    rank = function(of) return not is_first(of) and 5 or nil end, text = speed_text(part),
    only = function(of) return not is_first(of) and "text" or nil end,
    shown = function(of) return is_first(of) or of.unit ~= "GB/s" end, -- reading back moves nothing on the device
    below = function(it)
      local value = it.unit ~= "GB/s" and row_of.speed(it.row, other)
      return value and {class = "range", other .. " ", {is = "speed_" .. other, value = figures.exact(value),
                                                        figure(value)}}
    end,
  }
end

local function is_judged(part) return function(of) return of.judged == part end end

add {name = "rate", about = speeds, value = function(it) return row_of.rate(it.row) end}
add_speed("total", "kernel")
add_speed("kernel", "total")

-- ---- times ----

local work = "the work of one run, how many runs, whose clock timed the kernels"

for _, name in ipairs {"flops", "bytes"} do add {name = name, about = work, value = field_of("times", name)} end
add {name = "runs", about = work, value = field_of("times", "runs"), title = "\nn", place = 80, rank = 1, only = "text",
     text = field_of("times", "runs")}
add {name = "clock", about = work, value = field_of("times", "clock")}

local ranks = {upload = 2, read = 3, kernel = 10, total = 12}

--- What marks a kernel's time that is by the host's clock.
columns.host_clock = "†"

-- The median of a part, in milliseconds.
local function median_text(part)
  return function(it)
    local summary = row_of.time(it.row, part)
    return summary and marked(figures.milliseconds(summary.median), it.row.times.extrapolated)
      .. (part == "kernel" and it.row.times.clock == "host" and columns.host_clock or "")
  end
end

-- The least and the largest time of a part.
local function range_text(part)
  return function(it)
    local summary = row_of.time(it.row, part)
    return summary and summary.count > 1
      and figures.range(summary.min, summary.max, figures.milliseconds)
  end
end

for place, part in ipairs(row_of.parts) do
  for _, name in ipairs {"min", "median", "max"} do
    local is_shown = name == "median"
    add {
      name = ("%s_%s_s"):format(part, name), about = "least, median and largest time of each part",
      value = function(it) return (row_of.time(it.row, part) or {})[name] end,
      title = is_shown and part .. "\nms", place = 10 + 2 * place,
      rank = function(of) return of.judged ~= part and ranks[part] or nil end, text = median_text(part),
      range = is_shown and range_text(part), only = (part == "upload" or part == "read") and "text" or nil,
    }
  end
  add {
    key = part .. "_range", title = "\n±%", place = 11 + 2 * place, rank = 8, gap = 1, shown = is_judged(part),
    text = function(it)
      local summary = row_of.time(it.row, part)
      return summary and summary.count > 1 and figures.percent(summary.spread)
    end,
  }
end

add {
  name = "kernel_part", about = "the part of the total that the kernel takes; the rest is transfers and calls",
  value = function(it)
    local kernel, total = row_of.seconds(it.row, "kernel"), row_of.seconds(it.row, "total")
    return kernel and total and kernel / total
  end,
  title = "% in\nkernel", place = 29, rank = 0, only = "text",
  text = function(it)
    local part = columns.value("kernel_part", it.row, it)
    return part and ("%.0f"):format(part * 100)
  end,
}

-- ---- beside other rows ----

local host = "the host loop's time, and how many times as fast the step is"

add {name = "host_s", about = host, value = field_of("host", "seconds")}
add {
  name = "over_host", about = host, value = function(it) return row_of.over_host(it.row) end,
  title = "over its\nhost loop", place = 60, rank = 11,
  text = function(it)
    local value = row_of.over_host(it.row)
    return value and marked(ratio(value), it.row.host.extrapolated)
  end,
}

local gain = "the gain, over which step, by which part of the time, its 95 % interval, from how many pairs of runs"

add {
  name = "gain", about = gain, value = field_of("gain", "ratio"),
  title = "gain\n(95 % interval)", place = 50, left = true, class = function(it) return gains.word(it.row.gain) end,
  page_text = function(it, text) return {text, {class = "muted", " over " .. tostring(it.row.gain.over)}} end,
  text = function(it)
    return it.row.gain and marked(gains.text(it.row.gain), it.row.gain.extrapolated)
  end,
}
add {name = "gain_over", about = gain, value = field_of("gain", "over"), title = "\nover", place = 51, gap = 1,
     only = "text", text = function(it) return it.row.gain and tostring(it.row.gain.over) end}
for _, name in ipairs {"part", "low", "high", "pairs"} do
  add {name = "gain_" .. name, about = gain, value = field_of("gain", name)}
end
add {
  name = "disturbed", about = "1 if the medians contradict the gain, 0 if not; empty without a gain",
  value = function(it) return it.row.gain and (it.row.gain.disturbed and 1 or 0) end,
}

local first = "how many times as fast as the first step of the same problem, and the number of that"

-- Whether a row is the first one of others.
local function is_first_of_others(rows, row)
  return lists.any(rows, function(other)
    return other ~= row and select(2, row_of.over_first(rows, other)) == row
  end)
end

-- Over which rows the others' speed-ups are, the first ones of their problems: "step 2", or "first" if these differ;
-- nil if there are none.
local function over(rows)
  local number
  for _, row in ipairs(rows) do
    local _, its_first = row_of.over_first(rows, row)
    if its_first and its_first ~= row then
      if number and number ~= its_first.number then return "first" end
      number = its_first.number
    end
  end
  return number and "step " .. tostring(number) or nil
end

add {
  name = "over_first", about = first, value = function(it) return (row_of.over_first(it.rows, it.row)) end,
  title = function(of) return "over\n" .. over(of.rows) end, place = 41, rank = 14,
  shown = function(of) return over(of.rows) ~= nil end,
  text = function(it)
    local value, its_first = row_of.over_first(it.rows, it.row)
    if not value or its_first == it.row and not is_first_of_others(it.rows, it.row) then return nil end
    return marked(ratio(value), it.row.times.extrapolated)
  end,
}
add {
  name = "first", about = first,
  value = function(it)
    local _, its_first = row_of.over_first(it.rows, it.row)
    return its_first and its_first.number
  end,
}
add {
  name = "share_of_peak",
  about = "the part of the device's limit that it reaches, above 1 if it is faster; empty if that is unknown, as in "
    .. "sweeps",
  value = function(it) return row_of.share_of_peak(it.row, it.peak) end,
  title = "% of\npeak", place = 40, rank = 16, compared = "peak%",
  text = function(it)
    local share = row_of.share_of_peak(it.row, it.peak)
    if not share then return nil end
    if share > 1 then return ">100" end
    return (share >= 0.1 and "%.0f" or share >= 0.0005 and "%.1f" or "<%.1f"):format(math.max(share * 100, 0.1))
  end,
}

-- ---- what was counted ----

local function add_count(name, about, get)
  add {name = name, about = about, value = function(it) return it.row.counts and get(it.row.counts) end}
end

local function ratio_of(name)
  return function(of) return counts.ratios(of.sums, of.flops)[name] end
end

add_count("counted_size", "with `--counts`: the size at which it was counted", function(of) return of.size end)
add_count("accesses_per_operation", "accesses of global memory for each operation", ratio_of "accesses")
add_count("sectors_per_request", "32-byte sectors of a warp's request", ratio_of "sectors")
add_count("passes_per_local_request",
  "passes that local memory's banks need for a request; above 1, there are bank conflicts", ratio_of "passes")
add_count("lanes_working", "the part of the warps' lanes that works", ratio_of "lanes")

local traffic = "of global memory: what is used at all, the sectors of all requests, what groups move"

for _, each in ipairs {{"used", "least"}, {"asked", "asked"}, {"moved", "of_groups"}} do
  add_count("bytes_" .. each[1], traffic, function(of) return of.sums[each[2]] end)
end
add {
  name = "point", about = "of a sweep, the values of its point",
  value = function(it) return it.run.point and point.label(it.run.point) end,
}

-- ---- in tables ----

local function resolved(value, of)
  if type(value) == "function" then return value(of) end
  return value
end

local function at(row, of) return setmetatable({row = row}, {__index = of}) end

-- What stands in a cell: see @{clue.show.block.table}.
local function cell_of(entry, it)
  local text, below = entry.text(it), entry.below and entry.below(it)
  if not (text or below) then return nil end
  local value = entry.name and entry.value(it)
  return {text, is = text and entry.name, value = type(value) == "number" and figures.exact(value) or nil,
          range = entry.range and entry.range(it), below = below,
          class = entry.class and entry.class(it),
          page = entry.page_text and entry.page_text(it, text)}
end

--- The columns that a table may have, in their order.
-- @tparam table of unit, judged, rows, peak, all_verified: see the module's head
-- @treturn {table,...} with name, for @{clue.show.block.table}
function columns.of_table(of)
  local list = {}
  for _, entry in ipairs(columns.list) do
    if entry.title and (not entry.shown or entry.shown(of)) then
      local rank = resolved(entry.rank, of)
      list[#list + 1] = {name = entry.name or entry.key, title = resolved(entry.title, of),
                         place = resolved(entry.place, of),
                         right = not entry.left, gap = entry.gap, narrow = rank and {{rank, false}} or nil,
                         optional = true, only = entry.key and "text" or resolved(entry.only, of),
                         get = function(row) return cell_of(entry, at(row, of)) end}
    end
  end
  table.sort(list, function(a, b) return a.place < b.place end)
  return list
end

--- The figures that comparisons have.
-- @treturn {table,...} entries, with name
function columns.compared()
  return lists.filter(columns.list, function(entry) return entry.compared end)
end

--- A figure of a row, as the CSV has it.
-- @tparam string name of an entry
-- @tparam[opt] table of see the module's head
-- @return a number, a text or nil
function columns.value(name, row, of)
  return columns[name].value(at(row, of))
end

--- The text of a figure, as tables show it.
-- @tparam string name of an entry
-- @tparam[opt] table of see the module's head
-- @treturn ?string
function columns.text(name, row, of)
  return columns[name].text(at(row, of))
end

return columns
