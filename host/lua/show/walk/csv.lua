--- The rows of `clue walk` as comma-separated values: a line for each, with all figures of the terminal's tables.
--
-- Times are in seconds, shares are fractions of 1. What a row does not have is empty. A text that begins like a formula
-- (= + - @) has an apostrophe before it. docs/reference/sweeps.md lists the columns.
-- @module clue.show.walk.csv
local kernels = require "clue.result.counts"
local numbers = require "clue.number"
local point = require "clue.result.point"
local row_of = require "clue.result.row"
local save = require "clue.save"
local visible = require("clue.text").visible

local csv = {}

-- ---- the columns ----

-- Each is a name, and a function of an entry: walkthrough, run, row, peak (the device's limits, if they are known).
local columns = {}

local function add(name, get)
  columns[#columns + 1] = {name = name, get = get}
end

local function add_field(name, of, field)
  add(name, function(entry) return (entry.row[of] or {})[field] end)
end

local function add_count(name, get)
  add(name, function(entry)
    local counts = entry.row.counts
    return counts and get(counts)
  end)
end

add("walkthrough", function(entry) return entry.walkthrough.name end)
add("device", function(entry) return entry.run.device end)
add("step", function(entry) return entry.row.number end)
for _, name in ipairs {"name", "study", "problem"} do
  add(name, function(entry) return entry.row[name] end)
end
add("result", function(entry) return (row_of.verdict(entry.row)) end)
add("rate", function(entry) return row_of.rate(entry.row) end)
for _, part in ipairs {"total", "kernel"} do
  add("speed_" .. part, function(entry) return row_of.speed(entry.row, part) end)
end
for _, name in ipairs {"flops", "bytes", "runs", "clock"} do add_field(name, "times", name) end
for _, part in ipairs(row_of.parts) do
  for _, name in ipairs {"min", "median", "max"} do
    add(("%s_%s_s"):format(part, name), function(entry) return (row_of.time(entry.row, part) or {})[name] end)
  end
end
add_field("host_s", "host", "seconds")
add("over_host", function(entry) return row_of.over_host(entry.row) end)
add_field("gain", "gain", "ratio")
for _, name in ipairs {"over", "low", "high", "pairs"} do add_field("gain_" .. name, "gain", name) end
add("disturbed", function(entry)
  local gain = entry.row.gain
  return gain and (gain.disturbed and 1 or 0)
end)
add("over_first", function(entry) return (row_of.over_first(entry.run.rows, entry.row)) end)
add("first", function(entry)
  local _, first = row_of.over_first(entry.run.rows, entry.row)
  return first and first.number
end)
add("share_of_peak", function(entry) return row_of.share_of_peak(entry.row, entry.peak) end)
add_count("counted_size", function(counts) return counts.size end)
for _, each in ipairs {{"accesses_per_operation", "accesses"}, {"sectors_per_request", "sectors"},
                       {"passes_per_local_request", "passes"}, {"lanes_working", "lanes"}} do
  add_count(each[1], function(counts) return kernels.ratios(counts.sums, counts.flops)[each[2]] end)
end
add_count("bytes_used", function(counts) return counts.sums.least end)
add_count("bytes_asked", function(counts) return counts.sums.asked end)
add_count("bytes_moved", function(counts) return counts.sums.of_groups end)
add("point", function(entry) return entry.run.point and point.label(entry.run.point) end) -- of a sweep

-- ---- the text ----

-- Spreadsheets compute a text that begins like a formula, which can read and send what is on the machine. They take one
-- after an apostrophe as text.
local function plain(text)
  return text:find "^[=+@\t\r-]" and "'" .. text or text
end

local function cell(value)
  if value == nil then return "" end
  local text = type(value) == "number" and numbers.text("%.9g", value) or plain(visible(tostring(value)))
  if text:find '[",\r\n]' then return '"' .. text:gsub('"', '""') .. '"' end
  return text
end

local function line(text_of)
  local cells = {}
  for i, column in ipairs(columns) do cells[i] = cell(text_of(column)) end
  return table.concat(cells, ",")
end

local function peak_of(document, run)
  for _, device in ipairs(document.devices or {}) do
    if device.address == run.device then return device.peak end
  end
end

--- All rows of a document.
-- @tparam table document of @{clue.result.document}
-- @treturn string a line with the columns' names, then a line for each row
function csv.text(document)
  local lines = {line(function(column) return column.name end)}
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, run in ipairs(walkthrough.runs or {}) do
      local peak = peak_of(document, run)
      for _, row in ipairs(run.rows or {}) do
        local entry = {walkthrough = walkthrough, run = run, row = row, peak = peak}
        lines[#lines + 1] = line(function(column) return column.get(entry) end)
      end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Writes them to a file. Raises if that fails.
-- @tparam string path
-- @tparam table document
function csv.save(path, document)
  local saved, why = save(path, csv.text(document))
  if not saved then error("cannot write " .. why, 0) end
end

return csv
