--- How the rows of a walkthrough look in a terminal: times, speeds beside the author's, what changed, what was found.
-- @module clue.walk.view
local binding = require "clue.binding"
local chart = require "clue.chart"
local statistics = require "clue.walk.statistics"
local tables = require "clue.table"

local view = {}

--- A spread above this is said below the table.
view.wide_spread = 0.10

-- ---- figures ----

-- Four digits that matter, no more.
local function figure(value)
  if not value then return nil end
  if value >= 1000 then return ("%.0f"):format(value) end
  if value >= 100 then return ("%.1f"):format(value) end
  if value >= 10 then return ("%.2f"):format(value) end
  return ("%.3f"):format(value)
end

local function times_as_fast(value)
  return (value >= 10 and "%.1f" or value >= 0.1 and "%.2f" or "%.1g"):format(value)
end

-- What is extrapolated, or computed from that, is marked.
local function told(value, extrapolated, write)
  return value and (extrapolated and "~" or "") .. (write or figure)(value) or false
end

local function percent(spread)
  return spread > 9.99 and ">999" or ("%.0f"):format(spread * 100)
end

local function median(samples)
  local summary = statistics.of(samples)
  return summary and summary.median
end

local function any(rows, test)
  for _, row in ipairs(rows) do
    if test(row) then return true end
  end
  return false
end

--- One word for what came of a row, and whether that is as it should be.
-- @tparam table row
-- @treturn string "verified", "WRONG", "skipped", "crashed", "time limit", ...
-- @treturn bool
function view.verdict(row)
  if row.failed then return row.failed.word, false end
  if row.skipped then return "skipped", true end
  if row.check and row.check.verified then return "verified", true end
  return row.check and "WRONG" or "unchecked", false
end

-- Only what was found right is compared.
local function counts(row)
  return row.times and (row.aside or view.verdict(row) == "verified")
end

local function seconds(row)
  return counts(row) and median(row.times.total)
end

local function gflops(row, part)
  local time = counts(row) and row.times.flops and median(row.times[part])
  return time and time > 0 and row.times.flops / time * 1e-9 or nil
end

-- ---- the times ----

local parts = {{"upload", "upload ms"}, {"kernel", "kernel ms"}, {"read", "read ms"}, {"total", "total ms"}}
local every_part = {upload = true, kernel = true, read = true, total = true}

-- What a terminal's width decides: whether the steps' names stand in the table, which parts show least and spread.
local layouts = {
  {names = true, least = every_part, spread = every_part},
  {names = false, least = every_part, spread = every_part},
  {names = false, least = {total = true}, spread = {kernel = true, total = true}},
}

-- The parts that at least one row measured.
local function measured_parts(rows)
  local measured = {}
  for _, part in ipairs(parts) do
    if any(rows, function(row) return row.times and row.times[part[1]] end) then measured[#measured + 1] = part end
  end
  return measured
end

local function times_columns(measured, layout)
  local columns = {{title = "#", right = true}}
  if layout.names then columns[2] = {title = "step"} end
  for _, part in ipairs(measured) do
    columns[#columns + 1] = {title = part[2] .. "\nmedian", right = true}
    if layout.least[part[1]] then columns[#columns + 1] = {title = "min", right = true, gap = 1} end
    if layout.spread[part[1]] then columns[#columns + 1] = {title = "range%", right = true, gap = 1} end
  end
  columns[#columns + 1] = {title = "n", right = true}
  columns[#columns + 1] = {title = "result"}
  return columns
end

local function add_time(cells, times, part, layout)
  local summary = statistics.of(times and times[part])
  local several = summary and summary.count > 1
  cells[#cells + 1] = summary and told(summary.median * 1000, times.extrapolated) or false
  if layout.least[part] then cells[#cells + 1] = several and figure(summary.min * 1000) or false end
  if layout.spread[part] then cells[#cells + 1] = several and percent(summary.spread) or false end
end

local function times_lines(rows, measured, layout)
  local lines = {}
  for i, row in ipairs(rows) do
    local cells = {row.number}
    if layout.names then cells[2] = row.name end
    for _, part in ipairs(measured) do add_time(cells, row.times, part[1], layout) end
    cells[#cells + 1] = row.times and row.times.runs or false
    cells[#cells + 1] = not row.aside and view.verdict(row) or false
    lines[i] = cells
  end
  return tables.lines(times_columns(measured, layout), lines)
end

local function times_table(rows, width)
  local measured, lines = measured_parts(rows), nil
  for _, layout in ipairs(layouts) do
    lines = times_lines(rows, measured, layout)
    if tables.width(lines) <= width then break end
  end
  return lines
end

-- ---- the speeds ----

local function is_extrapolated(row)
  return row.times.extrapolated or false
end

local function gain_over(previous, row)
  local before, now = previous and seconds(previous), seconds(row)
  if not (before and now and now > 0) then return false end
  return told(before / now, is_extrapolated(previous) or is_extrapolated(row), times_as_fast)
end

local function ratio_over_host(row)
  local now = seconds(row)
  if not (row.host and now and now > 0) then return false end
  return told(row.host.seconds / now, row.host.extrapolated, times_as_fast)
end

-- The author's seconds, GFLOPS and ratio over his host loop; a star where they are computed from what he printed.
local function add_published(cells, theirs, with_seconds)
  local star = theirs.computed and "*" or ""
  if with_seconds then cells[#cells + 1] = theirs.seconds and ("%.3f"):format(theirs.seconds) or false end
  cells[#cells + 1] = theirs.gflops and ("%.3f%s"):format(theirs.gflops, star) or false
  cells[#cells + 1] = theirs.ratio and ("%.1f"):format(theirs.ratio) or false
end

local function speed_columns(with_seconds)
  local columns = {
    {title = "#", right = true}, {title = "GFLOPS\ntotal", right = true}, {title = "\nkernel", right = true},
    {title = "over\nhost", right = true}, {title = "gain", right = true},
  }
  for _, whose in ipairs {"author's CPU", "author's GPU"} do
    if with_seconds then columns[#columns + 1] = {title = whose .. "\ns", right = true} end
    columns[#columns + 1] = {title = (with_seconds and "" or whose) .. "\nGFLOPS", right = true, gap = 1}
    columns[#columns + 1] = {title = "/host", right = true, gap = 1}
  end
  columns[#columns + 1] = {title = "GFLOPS total"}
  return columns
end

local function speed_lines(rows, with_seconds, largest, bar)
  local lines, previous = {}, nil
  for i, row in ipairs(rows) do
    local article = row.article or {}
    local cells = {row.number, counts(row) and told(gflops(row, "total"), is_extrapolated(row)) or false,
                   figure(gflops(row, "kernel")) or false, ratio_over_host(row),
                   not row.aside and gain_over(previous, row)}
    add_published(cells, article.cpu or article.host or {}, with_seconds)
    add_published(cells, article.gpu or {}, with_seconds)
    cells[#cells + 1] = chart.bar(gflops(row, "total") or 0, largest, bar)
    lines[i] = cells
    if not row.aside and counts(row) then previous = row end
  end
  return tables.lines(speed_columns(with_seconds), lines)
end

local function speed_table(rows, width)
  local largest = 0
  for _, row in ipairs(rows) do largest = math.max(largest, gflops(row, "total") or 0) end
  if largest == 0 then return {} end
  local with_seconds = width >= 100
  return speed_lines(rows, with_seconds, largest, math.max(6, math.min(40, width - (with_seconds and 86 or 74))))
end

-- ---- what stands above and below the tables ----

local function first_with(rows, field)
  for _, row in ipairs(rows) do
    if row[field] then return row[field] end
  end
end

local function head(rows)
  local lines, size, on = {}, first_with(rows, "size"), first_with(rows, "device")
  if size then
    lines[1] = ("A %d x %d times B %d x %d, %s"):format(size.m, size.k, size.k, size.n, first_with(rows, "type"))
  end
  if on then
    lines[#lines + 1] = ("device %d (%s): %s [%s], %d compute units, %d MHz"):format(on.ordinal, on.address, on.name,
      on.kind:upper(), on.compute_units, on.mhz)
    lines[#lines + 1] = ("  %s, %s, driver %s%s"):format(on.platform, on.version, on.driver,
      on.loader ~= "" and ", loader " .. on.loader or "")
    lines[#lines + 1] = ("  %s; --device %s picks it again"):format(on.why, on.address)
  end
  local host, optimised = first_with(rows, "host"), first_with(rows, "optimised")
  if host then lines[#lines + 1] = "host loops: one core, " .. host.compiler end
  if optimised then lines[#lines + 1] = "1+: one core, " .. optimised.compiler end
  return lines
end

-- A line for each row: its number, its name, what changed.
local function changes(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("%2s %s%s"):format(row.number, row.name, row.change and ": " .. row.change or "")
  end
  return lines
end

local function row_notes(row)
  local lines, where = {}, row.number .. ": "
  if row.skipped then lines[1] = where .. "skipped: " .. row.skipped end
  if row.failed then
    lines[#lines + 1] = where .. row.failed.text
    for _, line in ipairs(row.failed.lines or {}) do lines[#lines + 1] = "     | " .. line end
  end
  if row.check and not row.check.verified then lines[#lines + 1] = where .. "WRONG: " .. row.check.text end
  if row.article and row.article.note then lines[#lines + 1] = where .. "the author: " .. row.article.note end
  for _, note in ipairs(row.notes or {}) do lines[#lines + 1] = where .. note end
  return lines
end

local function notes(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    for _, line in ipairs(row_notes(row)) do lines[#lines + 1] = line end
  end
  if #rows == 1 then
    for _, line in ipairs(rows[1].sample or {}) do lines[#lines + 1] = line end
  end
  return lines
end

local function wide(rows, what, times_of)
  local steps = {}
  for _, row in ipairs(rows) do
    local total = statistics.of(times_of(row))
    if total and total.spread > view.wide_spread then steps[#steps + 1] = tostring(row.number) end
  end
  if #steps == 0 then return nil end
  return ("the range of %s is over %d %% for %s %s: another run may differ as much"):format(what,
    view.wide_spread * 100, #steps == 1 and "step" or "steps", table.concat(steps, ", "))
end

local function legend(rows, figures)
  local lines = {}
  if not any(rows, function(row) return row.times end) then return lines end
  lines[1] = "total: executing and reading back, as the author counts, without upload"
  lines[2] = "range%: (largest - least) / median; gain: over the last row above that was found right"
  if any(rows, function(row) return row.host and row.host.extrapolated or row.times and row.times.extrapolated end) then
    lines[#lines + 1] = "~: a part of the host loop was run for a second or more, the whole computed from it"
  end
  if any(rows, function(row) return row.times and row.times.clock == "host" end) then
    lines[#lines + 1] = "kernel times by the host clock: the device's profiling timer cannot be believed"
  end
  lines[#lines + 1] = wide(rows, "the total", function(row) return row.times and row.times.total end)
  lines[#lines + 1] = wide(rows, "the host loop", function(row) return row.host and row.host.times end)
  lines[#lines + 1] = figures
  return lines
end

local function summary(rows)
  local right, best = 0, nil
  for _, row in ipairs(rows) do
    if view.verdict(row) == "verified" then
      right = right + 1
      if gflops(row, "total") and (not best or gflops(row, "total") > gflops(best, "total")) then best = row end
    end
  end
  local text = ("%d of %d steps verified"):format(right, #rows)
  if right == 0 and any(rows, function(row) return row.skipped end) then text = text .. ": none could run here" end
  if not best then return {text} end
  local ratio = ratio_over_host(best)
  return {("%s; the fastest is %s, %s GFLOPS%s"):format(text, best.number, figure(gflops(best, "total")),
    ratio and (", %s times its host loop"):format(ratio) or "")}
end

-- ---- printing ----

local function paint(line, colour)
  if not colour then return line end
  line = line:gsub("%f[%w]verified%f[%W]", "\27[32m%0\27[0m")
  return (line:gsub("%f[%w]WRONG%f[%W]", "\27[1;31m%0\27[0m"):gsub("[█▏▎▍▌▋▊▉]+", "\27[36m%0\27[0m"))
end

-- The optimised host loop stands beside the first step as a row of its own.
local function with_host_rows(rows)
  local all = {}
  for _, row in ipairs(rows) do
    all[#all + 1] = row
    local host = row.times and row.optimised
    if host then
      local times = {total = host.times, runs = #host.times, flops = row.times.flops, extrapolated = host.extrapolated}
      all[#all + 1] = {number = row.number .. "+", name = "the same product by optimised C on one core",
                       times = times, host = row.host, aside = true}
    end
  end
  return all
end

--- Prints rows as tables.
-- @tparam {table,...} rows as @{clue.walk.report} takes them, each with number and name; failed = {word, text, lines}
--   where a step did not end as it should
-- @tparam file out
-- @tparam[opt] string figures what is to be known of the author's figures
function view.print_rows(rows, out, figures)
  local descriptor = out == io.stderr and 2 or 1
  local width, colour = binding.terminal_width(descriptor) or 132, binding.terminal_colour(descriptor)
  local function block(lines, indent)
    for _, line in ipairs(lines) do
      for _, part in ipairs(indent and tables.width {line} > width and tables.wrap(line, width, indent) or {line}) do
        out:write(paint(part, colour), "\n")
      end
    end
    if #lines > 0 then out:write("\n") end
  end
  local all = with_host_rows(rows)
  block(head(rows), "  ")
  block(changes(all), "   ")
  block(times_table(all, width))
  block(speed_table(all, width))
  block(notes(rows), "   ")
  block(legend(rows, figures), "   ")
  block(summary(rows), "   ")
end

return view
