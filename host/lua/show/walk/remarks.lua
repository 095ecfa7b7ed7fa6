--- What stands around the tables of a walkthrough: where it ran, what disturbed it, why steps were skipped or failed.
-- Parameters with one meaning everywhere: runs, each with device and rows.
local block = require "clue.show.block"
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local log_lines = require "clue.shared.log_lines"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"

local remarks = {}

-- ---- why steps were skipped or failed, and what is wrong with results ----

--- The numbers of some steps.
-- @tparam {table,...} rows of one device
-- @tparam {number|string,...} numbers of some of them
-- @treturn string "2 to 6, 9"
function remarks.listed(rows, numbers)
  local parts, i, wanted = {}, 1, lists.set(lists.map(numbers, tostring))
  while i <= #rows do
    local first = rows[i]
    if wanted[tostring(first.number)] then
      while rows[i + 1] and wanted[tostring(rows[i + 1].number)] do i = i + 1 end
      local last = rows[i].number
      parts[#parts + 1] = last == first.number and tostring(last)
        or ("%s%s%s"):format(first.number, rows[i - 1] == first and ", " or " to ", last)
    end
    i = i + 1
  end
  return table.concat(parts, ", ")
end

--- Some steps by their numbers.
-- @tparam {table,...} rows of one device
-- @tparam {number|string,...} numbers of some of them
-- @treturn string "step 5", "steps 2 to 6, 9"
function remarks.steps(rows, numbers)
  return (#numbers == 1 and "step " or "steps ") .. remarks.listed(rows, numbers)
end

-- The numbers of the steps that were skipped for the same reason as this one, which is the first; nil if it is not.
local function alike(rows, first)
  local numbers = lists.map(rows, function(row) return row.skipped == first.skipped and row.number or nil end)
  return numbers[1] == first.number and remarks.listed(rows, numbers) or nil
end

-- Its lines, which are told by their number. What a failed step said is quoted below it.
local function add_row(items, row, rows)
  local where = row.number .. ": "
  local skipped = row.skipped and alike(rows, row)
  if skipped then items[#items + 1] = ("%s: skipped: %s"):format(skipped, row.skipped) end
  if row.failed then items[#items + 1] = {where .. row.failed.text, quote = row.failed.lines or {}} end
  if row.check and not row.check.verified then items[#items + 1] = where .. "WRONG: " .. row.check.text end
end

--- Why steps were skipped or failed, and what is wrong; a line for all that were skipped for one reason. The last line
-- says how to look for what may be wrong in the first wrong step.
-- @tparam {table,...} rows
-- @treturn {text,...} items of a list of blocks
function remarks.problems(rows)
  local items, advice = {}, nil
  for _, row in ipairs(rows) do
    add_row(items, row, rows)
    advice = advice or row.check and row.check.advice
  end
  if advice then items[#items + 1] = "for races and accesses outside of memory: " .. advice end
  return items
end

--- Why a step has no source; nil if it has one, or runs on the host.
-- @tparam ?table row
-- @tparam int width
-- @treturn ?{string,...} lines: for example what the compiler says about it
function remarks.obstacle(row, width)
  if not (row and row_of.source(row) == "" and (row.skipped or row.failed)) then return nil end
  local lines = {("step %s, %s, %s"):format(row.number, row.name, row.failed and row.failed.text
    or "was skipped: " .. row.skipped)}
  for _, line in ipairs(log_lines.fitted(row.failed and row.failed.lines or {}, width)) do lines[#lines + 1] = line end
  return lines
end

-- ---- where it ran, and what disturbed it ----

--- A spread above this is reported below the tables.
remarks.wide_spread = 0.10

--- A field of the first row that has it.
-- @tparam {table,...} rows
-- @tparam string field
-- @return its value, nil if no row has it
function remarks.first_with(rows, field)
  for _, row in ipairs(rows) do
    if row[field] then return row[field] end
  end
end

--- The problem that all rows compute.
-- @tparam {table,...} rows
-- @treturn ?string nil if they differ
function remarks.common_problem(rows)
  local problem = remarks.first_with(rows, "problem")
  local differ = lists.any(rows, function(row) return row.problem and row.problem ~= problem end)
  return not differ and problem or nil
end

-- ---- where it ran ----

--- What was computed on which device, why this one, and how to choose another.
-- @tparam {table,...} runs with rows
-- @treturn {string,...} one line; for several devices, one for each
function remarks.where(runs)
  local lines, problem = {}, remarks.common_problem(runs[1].rows)
  for _, run in ipairs(runs) do
    local on = remarks.first_with(run.rows, "device")
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

--- Which steps were left out, since they are forms for another kind of device.
-- @treturn {string,...} a line for each run that left some out
function remarks.left_out(runs)
  return lists.map(runs, function(run)
    local numbers, on = lists.map(run.left_out or {}, tostring), remarks.first_with(run.rows, "device") or {}
    return numbers[1] and ("%sleft out, as forms for %s: %s; --steps runs them"):format(
      #runs > 1 and run.device .. ": " or "", on.kind == "cpu" and "GPUs" or "CPUs", table.concat(numbers, ", "))
  end)
end

-- ---- what disturbed it ----

local function wide_steps(rows, times_of)
  return lists.map(rows, function(row)
    local total = statistics.of(times_of(row))
    return total and total.spread > remarks.wide_spread and row.number or nil
  end)
end

local function judged_times(row) return row.times and row.times[row_of.judged(row)] end

-- "of steps 2 to 6 and of their host loops": whose times vary much; nil if none do.
local function wide(rows)
  local steps = wide_steps(rows, judged_times)
  local loops = wide_steps(rows, function(row) return row.host and row.host.times end)
  local parts = {}
  if #steps > 0 then parts[1] = "of " .. remarks.steps(rows, steps) end
  if #loops > 0 then
    local same = table.concat(steps, " ") == table.concat(loops, " ")
    parts[#parts + 1] = same and (#loops == 1 and "of its host loop" or "of their host loops")
      or (#loops == 1 and "of the host loop of " or "of the host loops of ") .. remarks.steps(rows, loops)
  end
  return #parts > 0 and table.concat(parts, " and ") or nil
end

local function median_text(seconds)
  return figures.milliseconds(statistics.median(seconds))
end

-- The rows of a run whose medians contradict their gains, with the medians in turn.
local function disturbed(rows, where)
  local lines = {}
  for _, row in ipairs(rows) do
    local gain, before = row.gain, row_of.base(rows, row)
    if gain and gain.disturbed and before then
      lines[#lines + 1] = ("! %s%s: in turn with step %s, it took %s ms and step %s %s ms; each by itself, %s and %s "
        .. "ms"):format(where, row.number, gain.over, median_text(gain.now), gain.over, median_text(gain.before),
          figures.milliseconds(row_of.seconds(row, gain.part)), figures.milliseconds(row_of.seconds(before, gain.part)))
    end
  end
  return lines
end

-- The rows of which runs were suspended.
local function suspended(rows, where)
  return lists.map(rows, function(row)
    local count = row.times and row.times.suspended
    return count and ("disturbed: %s%s was suspended (Ctrl-Z, SIGSTOP) during %s, which %s repeated and %s not count")
      :format(where, row.number, count == 1 and "a run" or count .. " runs", count == 1 and "was" or "were",
        count == 1 and "does" or "do")
  end)
end

-- In a line: whose gains the medians contradict.
local function disturbed_steps(rows, where)
  local numbers = lists.map(rows, function(row) return row.gain and row.gain.disturbed and row.number or nil end)
  return numbers[1] and ("!: other work disturbed %s%s: the gains are from runs in turn (--until-stable measures "
    .. "again)"):format(where, remarks.steps(rows, numbers))
end

--- The warnings of the first screen, a line each.
-- @treturn table a block
function remarks.brief(runs)
  local lines = {}
  for _, run in ipairs(runs) do
    local on = #runs > 1 and run.device .. ", " or ""
    lines[#lines + 1] = disturbed_steps(run.rows, on)
    for _, line in ipairs(suspended(run.rows, on .. "step ")) do lines[#lines + 1] = line end
    local steps = wide_steps(run.rows, function(row) return row_of.counts(row) and judged_times(row) or nil end)
    if steps[1] then
      lines[#lines + 1] = ("the times of %s%s vary by over %d %%"):format(on, remarks.steps(run.rows, steps),
        remarks.wide_spread * 100)
    end
    if lists.any(run.rows, function(row) return row.times and row.times.clock == "host" end) then
      lines[#lines + 1] = "†: by the host's clock"
    end
  end
  return block.list(lines, {class = "note"})
end

--- The warnings: rows whose medians contradict their gains, times that vary much, and steps that were suspended. Each
-- once.
-- @treturn table a block
function remarks.warnings(runs)
  local lines = lists.flat(runs, function(run)
    return disturbed(run.rows, #runs > 1 and run.device .. ", step " or "")
  end)
  local vary = lists.map(runs, function(run)
    local text = wide(run.rows)
    return text and #runs > 1 and ("%s on %s"):format(text, run.device) or text
  end)
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
  return block.list(lines, {class = "note"})
end

return remarks
