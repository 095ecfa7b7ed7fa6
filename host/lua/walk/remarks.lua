--- The lines above and below the tables of a walkthrough: what was run where, what changed, what was found.
-- @module clue.walk.remarks
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local grouped = require "clue.shared.grouped"
local row_of = require "clue.walk.row"
local share = require "clue.walk.share"
local statistics = require "clue.walk.statistics"

local remarks = {}

local any = row_of.any

--- A spread above this is reported below the tables.
remarks.wide_spread = 0.10

local function first_with(rows, field)
  for _, row in ipairs(rows) do
    if row[field] then return row[field] end
  end
end

-- The problem that all rows compute; nil if they differ.
local function common_problem(rows)
  local problem = first_with(rows, "problem")
  return not any(rows, function(row) return row.problem and row.problem ~= problem end) and problem or nil
end

-- A line for each compiler of the host loops: "host loops, one core, 2+: gcc ...".
local function host_compilers(rows)
  local lines, loops = {}, {}
  local function add(number, host)
    if (host.compiler or "") ~= "" then loops[#loops + 1] = {number = number, compiler = host.compiler} end
  end
  for _, row in ipairs(rows) do
    if row.host then add("host", row.host) end
    for i, host in ipairs(row.beside or {}) do add(row.number .. ("+"):rep(i), host) end
  end
  for i, same in ipairs(grouped(loops, function(loop) return loop.compiler end)) do
    local numbers = {}
    for n, loop in ipairs(grouped(same, function(loop) return loop.number end)) do numbers[n] = loop.key end
    lines[i] = ("%s: %s"):format(table.concat(numbers, ", "):gsub("^host", "host loops, one core"), same.key)
  end
  return lines
end

--- What was run, and where.
-- @tparam {table,...} rows of one device
-- @treturn {string,...}
function remarks.head(rows)
  local on, lines = first_with(rows, "device"), {common_problem(rows)}
  if on then
    lines[#lines + 1] = ("device %d (%s): %s [%s], %s, %d MHz"):format(on.ordinal, on.address, on.name,
      on.kind:upper(), counted(on.compute_units, "compute unit"), on.mhz)
    lines[#lines + 1] = ("  %s, %s, driver %s%s"):format(on.platform, on.version, on.driver,
      on.loader ~= "" and ", loader " .. on.loader or "")
    lines[#lines + 1] = ("  %s; --device %s picks it again"):format(on.why, on.address)
  end
  for _, line in ipairs(host_compilers(rows)) do lines[#lines + 1] = line end
  return lines
end

--- A line for each row: its number, its name, and the change.
-- @tparam {table,...} rows
-- @treturn {string,...}
function remarks.changes(rows)
  local lines, common = {}, common_problem(rows)
  for _, row in ipairs(rows) do
    local problem = row.problem and row.problem ~= common and (" [%s]"):format(row.problem) or ""
    local change = row.change and ": " .. row_of.change(row) or ""
    lines[#lines + 1] = ("%2s %s%s%s"):format(row.number, row.name, change, problem)
  end
  return lines
end

local function add_published_texts(lines, row, where)
  for _, theirs in ipairs(row.published or {}) do
    if theirs.text then lines[#lines + 1] = ("%sthe author's %s: %s"):format(where, theirs.on, theirs.text) end
  end
  if row.note_of_author then lines[#lines + 1] = where .. "the author: " .. row.note_of_author end
end

local function row_notes(row)
  local lines, where = {}, row.number .. ": "
  if row.skipped then lines[1] = where .. "skipped: " .. row.skipped end
  if row.failed then
    lines[#lines + 1] = where .. row.failed.text
    for _, line in ipairs(row.failed.lines or {}) do lines[#lines + 1] = "     | " .. line end
  end
  if row.check and not row.check.verified then lines[#lines + 1] = where .. "WRONG: " .. row.check.text end
  add_published_texts(lines, row, where)
  for _, note in ipairs(row.notes or {}) do lines[#lines + 1] = where .. note end
  return lines
end

--- The notes on the rows, one by one.
-- @tparam {table,...} rows
-- @treturn {string,...}
function remarks.notes(rows)
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
  local steps, seen = {}, {}
  for _, row in ipairs(rows) do
    local total, number = statistics.of(times_of(row)), tostring(row.number)
    if total and total.spread > remarks.wide_spread and not seen[number] then
      steps[#steps + 1], seen[number] = number, true
    end
  end
  if #steps == 0 then return nil end
  return ("the range of %s is over %d %% for %s %s: another run may differ by as much"):format(what,
    remarks.wide_spread * 100, #steps == 1 and "step" or "steps", table.concat(steps, ", "))
end

local function is_extrapolated(row)
  return row.host and row.host.extrapolated or row.times and row.times.extrapolated
end

--- How to read the tables.
-- @tparam {table,...} rows
-- @tparam[opt] string author_figures remarks on the author's figures
-- @treturn {string,...}
function remarks.legend(rows, author_figures)
  local lines = {}
  local function add_if(test, line)
    if test and line then lines[#lines + 1] = line end
  end
  if not any(rows, function(row) return row.times end) then return lines end
  lines[1] = "total: executing and reading back, without upload; range%: (largest - least) / median"
  add_if(any(rows, function(row) return row.gain end), "gain: over the last verified row above, or over the named"
    .. " one, with its 95 % interval, from runs of both in turn; 'no difference': 1 lies within it, or the gain is"
    .. " under 1 %")
  add_if(any(rows, function(row) return row_of.judged(row) == "kernel" end),
    "gains and bars in GB/s use the kernel's time, since reading back moves nothing on the device")
  add_if(any(rows, function(row) return row.gain and not row.gain.low end),
    "a gain without an interval is by medians: fewer than six pairs of runs, or a part was computed")
  add_if(any(rows, is_extrapolated),
    "~: a part of the host loop was run for a second or more, and the whole computed from it")
  add_if(any(rows, function(row) return row.times and row.times.clock == "host" end),
    "kernel times are by the host clock: the device's profiling timer cannot be trusted")
  add_if(true, wide(rows, "the time", function(row) return row.times and row.times[row_of.judged(row)] end))
  add_if(true, wide(rows, "the host loop", function(row) return row.host and row.host.times end))
  add_if(any(rows, function(row) return row.published end), author_figures)
  return lines
end

--- The summary of a run.
-- @tparam {table,...} rows of one device
-- @tparam[opt] string device its address, if there are several
-- @treturn {string,...} one line; another one if the walkthrough goes beyond its author
function remarks.summary(rows, device)
  local right = 0
  for _, row in ipairs(rows) do
    if row_of.is_verified(row) then right = right + 1 end
  end
  local text = ("%s%d of %s verified"):format(device and device .. ": " or "", right, counted(#rows, "step"))
  if right == 0 and any(rows, function(row) return row.skipped end) then text = text .. ": none could run here" end
  local word = "; the fastest is"
  for _, best in ipairs(row_of.units(rows)) do
    if best.row then
      local over = figures.ratio(row_of.over_host(best.row))
      text = ("%s%s %s, %s %s%s"):format(text, word, best.row.number, figures.number(row_of.speed(best.row)), best.unit,
        over and (", %s times its host loop"):format(over) or "")
      word = "; by bytes"
    end
  end
  local lines = share.lines(rows)
  table.insert(lines, 1, text)
  return lines
end

return remarks
