--- The lines around the tables of a walkthrough: the verdict, where it ran, what disturbed it; and the notes: what
-- changed, how to read the columns, what was found.
-- @module clue.show.walk.remarks
local contest = require "clue.result.contest"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local grouped = require "clue.shared.grouped"
local problems = require "clue.show.walk.problems"
local row_of = require "clue.result.row"
local share = require "clue.result.share"
local statistics = require "clue.result.statistics"

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

-- ---- the verdict ----

local function times_text(row, rows, peak)
  local parts = {}
  local first, over = row_of.over_first(rows, row)
  if first and over ~= row then
    parts[#parts + 1] = ("%s times step %s"):format(figures.marked(figures.ratio(first), row.times.extrapolated),
      over.number)
  end
  local host = figures.ratio(row_of.over_host(row))
  if host then parts[#parts + 1] = ("%s times its host loop"):format(figures.marked(host, row.host.extrapolated)) end
  local part = row_of.share_of_peak(row, peak)
  if part then
    parts[#parts + 1] = ("%s of the device's peak"):format(share.percent(part))
  end
  return #parts > 0 and " (" .. table.concat(parts, ", ") .. ")" or ""
end

local function sentence(it, rows, peak)
  local row, wins = it.row, it.entrants > 1
  return ("step %s, %s%s%s: %s %s%s"):format(row.number, row.name or "?", wins and ", is the fastest" or "",
    it.problem and " at " .. it.problem or "", figures.number(row_of.speed(row)), it.unit,
    times_text(row, rows, peak))
end

--- Which step is the fastest, of each problem that several steps solve.
-- @tparam {table,...} rows of one study
-- @tparam ?table peak the device's limits
-- @treturn ?string "step 6, sums, is the fastest: 2.384 GFLOPS (1.6 times step 2, 7 % of the device's peak)"
function remarks.fastest(rows, peak)
  local all, parts = contest.of(rows), {}
  for i, it in ipairs(contest.named(rows)) do parts[i] = sentence(it, rows, peak) end
  if parts[1] then return table.concat(parts, "; ") end
  return #all > 1 and ("each of %d steps has a problem of its own, so none is the fastest"):format(#all) or nil
end

--- Why all steps were skipped.
-- @tparam {table,...} rows of one device
-- @treturn ?string nil if a step ran, or the reasons differ
function remarks.reason(rows)
  local reason = rows[1] and rows[1].skipped
  return reason and not any(rows, function(row) return row.skipped ~= reason end) and reason or nil
end

-- "5 of 8 steps verified (2 crashed; 5 to 7 skipped)"; with the reason if it is the same for all.
local function counts_text(rows)
  local right, others = 0, {}
  for _, row in ipairs(rows) do
    local word = row_of.verdict(row)
    if word == "verified" then
      right = right + 1
    else
      others[#others + 1] = {number = row.number, word = word}
    end
  end
  local parts = {}
  for i, same in ipairs(grouped(others, function(other) return other.word end)) do
    local numbers = {}
    for n, other in ipairs(same) do numbers[n] = other.number end
    parts[i] = ("%s %s"):format(problems.listed(rows, numbers), same.key)
  end
  local reason = remarks.reason(rows)
  if reason then parts[1] = parts[1] .. ": " .. reason end
  local text = ("%d of %s verified"):format(right, counted(#rows, "step"))
  if right == 0 and any(rows, function(row) return row.skipped end) then text = text .. ": none could run here" end
  return #parts > 0 and ("%s (%s)"):format(text, table.concat(parts, "; ")) or text
end

--- The verdict on a run: one sentence; and, for a walkthrough that goes beyond its author, how far he was.
-- @tparam {table,...} rows of one device
-- @tparam[opt] table how name: of the walkthrough; device: its address, if there are several; peak: its limits;
--   studies: true if the fastest step of each study is named elsewhere
-- @treturn {string,...}
function remarks.verdict(rows, how)
  how = how or {}
  local fastest = not how.studies and remarks.fastest(rows, how.peak)
  local text = (fastest and fastest .. "; " or "") .. counts_text(rows)
  local where = {}
  where[1] = how.name
  where[#where + 1] = how.device
  local lines = share.lines(rows)
  table.insert(lines, 1, #where > 0 and ("%s: %s"):format(table.concat(where, " on "), text)
    or (text:gsub("^%l", string.upper)))
  return lines
end

-- ---- where it ran ----

--- What was computed on which device, why this one, and how to choose another.
-- @tparam {table,...} runs with rows
-- @treturn {string,...} one line; for several devices, one for each
function remarks.where(runs)
  local lines, problem = {}, common_problem(runs[1].rows)
  for _, run in ipairs(runs) do
    local on = first_with(run.rows, "device")
    if on and #runs > 1 then
      lines[#lines + 1] = ("%s: %s, driver %s"):format(on.address, on.name, on.driver)
    elseif on then
      return {("%s%s, driver %s: %s; --device %s picks it again, `clue devices` lists all"):format(
        problem and problem .. ", on " or "on ", on.name, on.driver, on.why, on.address)}
    end
  end
  if problem then table.insert(lines, 1, problem) end
  return lines
end

-- ---- what disturbed it ----

local function wide_steps(rows, times_of)
  local numbers = {}
  for _, row in ipairs(rows) do
    local total = statistics.of(times_of(row))
    if total and total.spread > remarks.wide_spread then numbers[#numbers + 1] = row.number end
  end
  return numbers
end

-- "of steps 2 to 6 and of their host loops": whose times vary much; nil if none do.
local function wide(rows)
  local steps = wide_steps(rows, function(row) return row.times and row.times[row_of.judged(row)] end)
  local loops = wide_steps(rows, function(row) return row.host and row.host.times end)
  local parts = {}
  if #steps > 0 then parts[1] = (#steps == 1 and "of step " or "of steps ") .. problems.listed(rows, steps) end
  if #loops > 0 then
    local same = table.concat(steps, " ") == table.concat(loops, " ")
    parts[#parts + 1] = same and "of their host loops"
      or (#loops == 1 and "of the host loop of step " or "of the host loops of steps ") .. problems.listed(rows, loops)
  end
  return #parts > 0 and table.concat(parts, " and ") or nil
end

local function median_text(seconds)
  return figures.milliseconds(statistics.median(seconds))
end

-- The rows of a run whose medians contradict their gains, with the medians in turn.
local function disturbed(rows, where)
  local lines, by_number = {}, {}
  for _, row in ipairs(rows) do
    local gain, before = row.gain, row.gain and by_number[row.gain.over]
    by_number[row.number] = row
    if gain and gain.disturbed and before then
      lines[#lines + 1] = ("! %s%s: in turn with step %s, it took %s ms and step %s %s ms; each by itself, %s and %s "
        .. "ms"):format(where, row.number, gain.over, median_text(gain.now), gain.over, median_text(gain.before),
          figures.milliseconds(row_of.seconds(row)), figures.milliseconds(row_of.seconds(before)))
    end
  end
  return lines
end

-- The rows of which runs were suspended.
local function suspended(rows, where)
  local lines = {}
  for _, row in ipairs(rows) do
    local count = row.times and row.times.suspended
    if count then
      lines[#lines + 1] = ("disturbed: %s%s was suspended (Ctrl-Z, SIGSTOP) during %s, which %s repeated and %s "
        .. "not count"):format(where, row.number, count == 1 and "a run" or count .. " runs", count == 1 and "was" or
          "were", count == 1 and "does" or "do")
    end
  end
  return lines
end

--- The warnings: rows whose medians contradict their gains, times that vary much, and steps that were suspended. Each
-- once.
-- @tparam {table,...} runs with device and rows
-- @treturn {string,...}
function remarks.warnings(runs)
  local lines, vary = {}, {}
  for _, run in ipairs(runs) do
    for _, line in ipairs(disturbed(run.rows, #runs > 1 and run.device .. ", step " or "")) do
      lines[#lines + 1] = line
    end
    local text = wide(run.rows)
    if text then vary[#vary + 1] = #runs > 1 and ("%s on %s"):format(text, run.device) or text end
  end
  if #lines > 0 then
    table.insert(lines, 1, "!: other work disturbed these steps. Their gains are from runs in turn, which the medians "
      .. "in the table contradict; --until-stable measures them again until both agree.")
  end
  for _, run in ipairs(runs) do
    for _, line in ipairs(suspended(run.rows, #runs > 1 and run.device .. ", step " or "step ")) do
      lines[#lines + 1] = line
    end
  end
  if #vary > 0 then
    lines[#lines + 1] = ("the times %s vary by over %d %%: another run may differ by as much (--until-stable runs "
      .. "more)"):format(table.concat(vary, ", and "), remarks.wide_spread * 100)
  end
  return lines
end

-- ---- the notes ----

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

--- All that is known of the device, and the compilers of the host's loops.
-- @tparam {table,...} rows of one device
-- @treturn {string,...}
function remarks.machine(rows)
  local on, lines = first_with(rows, "device"), {}
  if on then
    lines[1] = ("device %d (%s): %s [%s], %s, %d MHz; %s, %s, driver %s%s"):format(on.ordinal, on.address, on.name,
      on.kind:upper(), counted(on.compute_units, "compute unit"), on.mhz, on.platform, on.version, on.driver,
      on.loader ~= "" and ", loader " .. on.loader or "")
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

local function notes_of(row)
  local lines, where = {}, row.number .. ": "
  for _, theirs in ipairs(row.published or {}) do
    if theirs.text then lines[#lines + 1] = ("%sthe author's %s: %s"):format(where, theirs.on, theirs.text) end
  end
  if row.note_of_author then lines[#lines + 1] = where .. "the author: " .. row.note_of_author end
  for _, note in ipairs(row.notes or {}) do lines[#lines + 1] = where .. note end
  return lines
end

--- The notes on the rows, one by one.
-- @tparam {table,...} rows
-- @treturn {string,...}
function remarks.notes(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    for _, line in ipairs(notes_of(row)) do lines[#lines + 1] = line end
  end
  if #rows == 1 then
    for _, line in ipairs(rows[1].sample or {}) do lines[#lines + 1] = line end
  end
  return lines
end

local function is_extrapolated(row)
  return row.host and row.host.extrapolated or row.times and row.times.extrapolated
end

--- How to read the tables.
-- @tparam {table,...} rows
-- @tparam[opt] table how figures: remarks on the author's figures; peak: whether shares of the device's limits are
--   known
-- @treturn {string,...}
function remarks.legend(rows, how)
  local lines = {}
  how = how or {}
  local function add_if(test, line)
    if test and line then lines[#lines + 1] = line end
  end
  if not any(rows, function(row) return row.times end) then return lines end
  lines[1] = "total: executing and reading back, without upload; ±%: (largest - least) / median; n: runs; >: the "
    .. "fastest"
  add_if(any(rows, function(row) return row.gain end), "gain over: how many times as fast as the last verified step "
    .. "above, or as the step that the walkthrough names, with its 95 % interval, from runs of both in turn; 'no "
    .. "difference': 1 lies within it, or the gain is under 1 %")
  add_if(any(rows, function(row) return row_of.over_host(row) end), "over its host loop: the same work in C on one "
    .. "core, in the memory layout of the step")
  add_if(how.peak, "% of peak: the kernel's part of the fastest multiply-adds of its type, or of the fastest use of "
    .. "global memory, that `clue peak` measures here; what caches hold may exceed that of memory")
  add_if(how.peak and any(rows, function(row) return row.moves end), "of a step that reads local memory, % of peak is "
    .. "of the fastest local memory, once `clue peak` has measured that; transfers from and to the host have none")
  add_if(not how.peak and any(rows, function(row) return row.device and row_of.speed(row) end),
    "`clue peak` measures the device's limits; once they are known, the table shows the part of them that each step "
    .. "reaches")
  add_if(any(rows, function(row) return row_of.judged(row) == "kernel" end),
    "gains and bars in GB/s use the kernel's time, since reading back moves nothing on the device")
  add_if(any(rows, function(row) return row.gain and not row.gain.low end),
    "a gain without an interval is by medians: fewer than six pairs of runs, or a part was computed")
  add_if(any(rows, is_extrapolated),
    "~: a part of the host loop was run for a second or more, and the whole computed from it")
  add_if(any(rows, function(row) return row.times and row.times.clock == "host" end),
    "kernel times are by the host clock: the device's profiling timer cannot be trusted")
  add_if(any(rows, function(row) return row.published end), how.figures)
  return lines
end

return remarks
