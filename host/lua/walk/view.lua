--- How the rows of a walkthrough look in a terminal: times, speeds beside the author's, what changed, what was found.
-- @module clue.walk.view
local binding = require "clue.binding"
local chart = require "clue.chart"
local statistics = require "clue.walk.statistics"
local tables = require "clue.table"

local view = {}

--- A spread above this is said below the table.
view.wide_spread = 0.10

-- Four digits that matter, no more.
local function figure(value)
  if not value then return nil end
  if value >= 1000 then return ("%.0f"):format(value) end
  if value >= 100 then return ("%.1f"):format(value) end
  if value >= 10 then return ("%.2f"):format(value) end
  return ("%.3f"):format(value)
end

-- How many times as fast.
local function times_as_fast(value)
  return (value >= 10 and "%.1f" or value >= 0.1 and "%.2f" or "%.1g"):format(value)
end

local function told(value, extrapolated)
  return value and (extrapolated and "~" or "") .. figure(value)
end

local function median(samples)
  local summary = statistics.of(samples)
  return summary and summary.median
end

--- Seconds of a row: the median of its totals.
-- @tparam table row
-- @treturn ?number nil where it was not measured
function view.seconds(row)
  return row.times and median(row.times.total)
end

local function gflops(row, part)
  local seconds = row.times and median(row.times[part])
  return seconds and seconds > 0 and row.times.flops / seconds * 1e-9 or nil
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

-- The optimised host loop stands beside the first step as a row of its own.
local function with_host_rows(rows)
  local all = {}
  for _, row in ipairs(rows) do
    all[#all + 1] = row
    if row.optimised then
      local times = {total = row.optimised.times, runs = #row.optimised.times, flops = row.times.flops,
                     extrapolated = row.optimised.extrapolated}
      all[#all + 1] = {name = "the same product by optimised C on one core", times = times, host = row.host,
                       aside = true}
    end
  end
  return all
end

local parts = {{"upload", "upload ms"}, {"kernel", "kernel ms"}, {"read", "read ms"}, {"total", "total ms"}}

-- What a terminal's width decides: whether the steps' names stand in the table, and which parts show their least.
local layouts = {
  {names = true, least = {upload = true, kernel = true, read = true, total = true}},
  {names = false, least = {upload = true, kernel = true, read = true, total = true}},
  {names = false, least = {total = true}},
}

local function time_cells(cells, times, part, with_least)
  local summary = statistics.of(times and times[part])
  local several = summary and summary.count > 1
  cells[#cells + 1] = summary and told(summary.median * 1000, times.extrapolated) or false
  if with_least then cells[#cells + 1] = several and figure(summary.min * 1000) or false end
  cells[#cells + 1] = several and ("%.0f"):format(math.min(999, summary.spread * 100)) or false
end

local function any(rows, test)
  for _, row in ipairs(rows) do
    if test(row) then return true end
  end
  return false
end

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
    columns[#columns + 1] = {title = "±%", right = true, gap = 1}
  end
  columns[#columns + 1] = {title = "n", right = true}
  columns[#columns + 1] = {title = "result"}
  return columns
end

local function times_lines(rows, measured, layout)
  local lines = {}
  for i, row in ipairs(rows) do
    local cells = {row.number or "C"}
    if layout.names then cells[2] = row.name end
    for _, part in ipairs(measured) do time_cells(cells, row.times, part[1], layout.least[part[1]]) end
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

local function gain_over(previous, row)
  local before, now = previous and view.seconds(previous), view.seconds(row)
  return before and now and now > 0 and before / now or nil
end

local function ratio_over_host(row)
  local seconds = view.seconds(row)
  return row.host and seconds and seconds > 0 and row.host.seconds / seconds or nil
end

local function published(row, run)
  local theirs = row.article and row.article[run] or {}
  return theirs.gflops and ("%.3f"):format(theirs.gflops) or false,
    theirs.ratio and ("%.1f"):format(theirs.ratio) or false
end

local function speed_cells(row, previous, largest, width)
  local total = gflops(row, "total")
  local cpu, cpu_ratio = published(row, "cpu")
  local gpu, gpu_ratio = published(row, "gpu")
  if row.article and row.article.host then cpu = ("%.3f"):format(row.article.host.gflops) end
  local ratio, gain = ratio_over_host(row), gain_over(previous, row)
  return {row.number or "C", told(total, row.times and row.times.extrapolated) or false,
    figure(gflops(row, "kernel")) or false,
    ratio and (row.host.extrapolated and "~" or "") .. times_as_fast(ratio) or false,
    not row.aside and gain and times_as_fast(gain) or false, cpu, cpu_ratio, gpu, gpu_ratio,
    chart.bar(total or 0, largest, width)}
end

local speed_columns = {
  {title = "#", right = true}, {title = "GFLOPS\ntotal", right = true}, {title = "\nkernel", right = true},
  {title = "over\nhost", right = true}, {title = "gain", right = true},
  {title = "author's CPU\nGFLOPS", right = true}, {title = "/host", right = true, gap = 1},
  {title = "author's GPU\nGFLOPS", right = true}, {title = "/host", right = true, gap = 1},
  {title = "total"},
}

local function speed_table(rows, width)
  local largest, lines, previous = 0, {}, nil
  if not any(rows, function(row) return row.times end) then return {} end
  for _, row in ipairs(rows) do largest = math.max(largest, gflops(row, "total") or 0) end
  for i, row in ipairs(rows) do
    lines[i] = speed_cells(row, previous, largest, math.max(6, math.min(40, width - 73)))
    if not row.aside then previous = row end
  end
  return tables.lines(speed_columns, lines)
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
  local host = first_with(rows, "host")
  if host then lines[#lines + 1] = "host loops: one core, " .. host.compiler end
  local optimised = first_with(rows, "optimised")
  if optimised then lines[#lines + 1] = "C: one core, " .. optimised.compiler end
  return lines
end

local function row_notes(row)
  local lines, where = {}, ("%s: "):format(row.number or row.name)
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

local function wide(rows)
  local steps = {}
  for _, row in ipairs(rows) do
    local total = statistics.of(row.times and row.times.total)
    if total and total.spread > view.wide_spread then steps[#steps + 1] = tostring(row.number or row.name) end
  end
  if #steps == 0 then return nil end
  return ("the total's spread is over %d %% for %s %s: another run may differ as much"):format(view.wide_spread * 100,
    #steps == 1 and "step" or "steps", table.concat(steps, ", "))
end

local function legend(rows)
  local lines = {}
  if not any(rows, function(row) return row.times end) then return lines end
  lines[1] = "total: executing and reading back, as the author counts, without upload; ±%: (largest - least) / median"
  if any(rows, function(row) return row.host and row.host.extrapolated or row.times and row.times.extrapolated end) then
    lines[#lines + 1] = "~: a part of the host loop was run for a second or more, the whole computed from it"
  end
  if any(rows, function(row) return row.times and row.times.clock == "host" end) then
    lines[#lines + 1] = "kernel times by the host clock: the device's profiling timer cannot be believed"
  end
  lines[#lines + 1] = wide(rows)
  return lines
end

local function summary(rows)
  local right, best, lines = 0, nil, {}
  for _, row in ipairs(rows) do
    if view.verdict(row) == "verified" then
      right = right + 1
      if row.times and (not best or gflops(row, "total") > gflops(best, "total")) then best = row end
    end
  end
  lines[1] = ("%d of %d steps verified"):format(right, #rows)
  if best then
    local ratio = ratio_over_host(best)
    lines[1] = lines[1] .. ("; the fastest is %s, %s GFLOPS%s"):format(best.number, figure(gflops(best, "total")),
      ratio and (", %s%s times its host loop"):format(best.host.extrapolated and "~" or "", times_as_fast(ratio)) or "")
  end
  return lines
end

local function paint(line, colour)
  if not colour then return line end
  line = line:gsub("%f[%w]verified%f[%W]", "\27[32m%0\27[0m")
  return (line:gsub("%f[%w]WRONG%f[%W]", "\27[1;31m%0\27[0m"):gsub("[█▏▎▍▌▋▊▉]+", "\27[36m%0\27[0m"))
end

-- A line for each row: its number, its name, what changed.
local function changes(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    lines[#lines + 1] = row.aside and (" C %s"):format(row.name)
      or ("%2d %s%s"):format(row.number, row.name, row.change and ": " .. row.change or "")
  end
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

--- Prints rows as tables.
-- @tparam {table,...} rows as @{clue.walk.report} takes them, or failed = {word, text, lines}
-- @tparam file out
function view.print_rows(rows, out)
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
  block(legend(rows), "   ")
  block(summary(rows), "   ")
end

return view
