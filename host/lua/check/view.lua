--- Prints what `clue check` found, as compilers print messages: the place, the source line, a caret.
-- @module clue.check.view
local counted = require("clue.text").count
local findings = require "clue.check.findings"
local output = require "clue.output"
local tables = require "clue.table"
local visible = require("clue.text").visible

local view = {}

-- ---- one finding ----

local function sizes(list)
  return table.concat(list, " x ")
end

local function numbers(list)
  return #list == 1 and tostring(list[1]) or "(" .. table.concat(list, ", ") .. ")"
end

-- "work-item 3 (local 3 of group 0)"
local function who(deed)
  if not deed.global then return ("group %s as a whole"):format(numbers(deed.group)) end
  return ("work-item %s (local %s of group %s)"):format(numbers(deed.global), numbers(deed["local"]),
    numbers(deed.group))
end

local function label(deed)
  if not deed.line then return nil end
  return ("%s:%d:%d"):format(deed.file, deed.line, deed.column)
end

-- The source line and a caret below it. Tabs before the caret stay tabs, so that it stands below its character.
local function print_source(deed)
  if not deed.text then return end
  local text = deed.text:gsub("\r$", "")
  local before = text:sub(1, (deed.text_column or 1) - 1):gsub("[^\t]", " ")
  output.print("    " .. visible(text))
  output.print("    " .. before .. "^")
end

local does = {read = "reads it", write = "writes it", atomic = "changes it by an atomic function",
              barrier = "is at this barrier", copy = "makes this copy", convert = "converts it",
              compute = "computes it"}

local function print_deed(deed, with_label)
  local at = label(deed)
  if deed.access == "absent" then
    output.print(("  %s has ended, or waits elsewhere"):format(who(deed)))
    return
  end
  output.print(("  %s%s %s"):format(with_label and at and visible(at) .. ": " or "", who(deed),
    does[deed.access] or "is here"))
  if with_label then print_source(deed) end
end

local function print_place(finding)
  if not finding.object then return end
  local place = findings.place(finding)
  output.print(("  %s%s"):format(visible(findings.object(finding)), place and ": " .. place or ""))
end

local function times(finding)
  local often = counted(finding.times, "time")
  if finding.launches < 2 then return often end
  return ("%s in %d launches"):format(often, finding.launches)
end

local function print_launch(finding)
  local only = finding.with and "; only with " .. visible(finding.with) or ""
  if finding.schedule then only = ("%s; only with schedule %d"):format(only, finding.schedule) end
  output.print(("  %s; kernel '%s', range %s, groups of %s%s"):format(times(finding), visible(finding.kernel),
    sizes(finding.global), sizes(finding["local"]), only))
end

local function print_call(finding)
  output.print(visible(("%s: error: %s"):format(finding.where or "clue", findings.title(finding))))
  if finding.times > 1 then output.print("  " .. times(finding)) end
end

local function launches(count)
  return count == 1 and "1 launch" or count .. " launches"
end

--- Prints a finding.
-- @tparam table finding
function view.finding(finding)
  if finding.kind == "call" then return print_call(finding) end
  if finding.kind == "result" then return output.print(visible("error: " .. findings.title(finding))) end
  local level = findings.level(finding)
  output.print(visible(("%s: %s: %s: %s"):format(label(finding.first) or ("kernel '%s'"):format(finding.kernel), level,
    finding.kind, findings.title(finding))))
  print_source(finding.first)
  print_place(finding)
  if finding.kind ~= "divergence" or finding.first.global then print_deed(finding.first) end
  if finding.second then print_deed(finding.second, label(finding.second) ~= label(finding.first)) end
  if finding.text then output.print("  " .. visible(finding.text)) end
  print_launch(finding)
  local remedy = findings.remedy(finding)
  if remedy then output.print("  to do: " .. remedy) end
end

--- How many findings there are.
-- @tparam {table,...} list
-- @treturn int errors
-- @treturn int notes
function view.counts(list)
  local errors = 0
  for _, finding in ipairs(list) do errors = errors + (findings.counts(finding) and 1 or 0) end
  return errors, #list - errors
end

--- Prints all of a script's findings, and a summary.
-- @tparam table result of @{clue.check.run}
function view.result(result)
  for _, finding in ipairs(result.findings) do
    view.finding(finding)
    output.print ""
  end
  local errors, notes = view.counts(result.findings)
  local tries = result.tries.count
  output.print(("%s, %s in %s%s"):format(counted(errors, "error"), counted(notes, "note"), launches(result.launches),
    tries > 0 and (" and %d tries"):format(tries) or ""))
end

--- Prints what the check could not see in these launches.
-- @tparam table result
function view.gaps(result)
  local atomics = false
  for _, finding in ipairs(result.findings) do atomics = atomics or finding.kind == "only atomics" end
  if result.alone > 0 then
    output.print(("%s had groups of one work-item, so no races within a group could appear: give a size that divides "
      .. "the range, or --group"):format(launches(result.alone)))
  end
  local tries = result.tries
  for _, try in ipairs(tries.broken) do
    output.print(visible(("kernel '%s', only with %s: %s"):format(try.kernel, try.text, try.broken)))
  end
  for _, schedule in ipairs(result.broken_schedules) do
    output.print(("with schedule %d, it failed or did not end"):format(schedule))
  end
  if tries.cut then output.print "the time limit ended the tries with other values (--time-limit)" end
  if atomics then
    output.print("races between groups that exchange data through atomics are told as notes only "
      .. "(clue help checking.md)")
  end
end

-- ---- what was assumed ----

local function assumed_text(of)
  local parts = {}
  for i, each in ipairs(of.arguments) do
    parts[i] = ("%s: %s%s"):format(each.name, each.text, each.given and "" or "*")
  end
  return ("kernel '%s', range %s%s, groups of %s%s%s"):format(of.kernel, sizes(of.global),
    of.range_given and "" or "*", sizes(of.group), of.group_given and "" or "*",
    parts[1] and "; " .. table.concat(parts, ", ") or "")
end

--- Prints how the kernels of a .cl file were launched.
-- @tparam table result
function view.assumed(result)
  if not result.assumed[1] then return end
  for _, each in ipairs(result.assumed) do output.print(visible(assumed_text(each))) end
  output.print "  * assumed; --global, --local and --arg NAME=VALUE say what is right"
  local tries = result.tries.count
  if tries > 0 then
    output.print(("  and %d tries with other numbers, data and groups (--tries 0: none)"):format(tries))
  end
  output.print ""
end

-- ---- steps ----

-- The columns after the step's name, and the kinds that they count.
local columns = {{"races", "race"}, {"bounds", "bounds"}, {"unwritten", "uninitialised"}, {"diverge", "divergence"}}

-- How many findings each column counts: those kinds, other errors, notes.
local function figures(list)
  local by_kind, others = {}, 0
  for _, finding in ipairs(list) do by_kind[finding.kind] = (by_kind[finding.kind] or 0) + 1 end
  local errors, notes = view.counts(list)
  local row = {}
  for i, column in ipairs(columns) do
    row[i] = by_kind[column[2]] or 0
    others = others + row[i]
  end
  row[#row + 1], row[#row + 2] = errors - others, notes
  for i, number in ipairs(row) do row[i] = number == 0 and "-" or number end
  return row
end

local function step_row(entry, with_size)
  local result = entry.result
  local row = {entry.number, entry.name}
  if with_size then row[3] = entry.size or "" end
  row[#row + 1] = result.launches
  for _, figure in ipairs(figures(result.findings)) do row[#row + 1] = figure end
  row[#row + 1] = result.skipped and "not run: " .. result.skipped or result.failed or ""
  return row
end

local function has_several_sizes(entries)
  for _, entry in ipairs(entries) do
    if entry.size ~= entries[1].size then return true end
  end
  return false
end

--- Prints a line for each step.
-- @tparam {table,...} entries number, name, size and result of each
function view.steps(entries)
  local several = has_several_sizes(entries)
  local head = {{title = "", right = true}, {title = "step"}}
  if several then head[3] = {title = "size"} end
  for _, title in ipairs {"launches", "races", "bounds", "unwritten", "diverge", "others", "notes"} do
    head[#head + 1] = {title = title, right = true}
  end
  head[#head + 1] = {title = ""}
  local rows = {}
  for i, entry in ipairs(entries) do rows[i] = step_row(entry, several) end
  if not several and entries[1].size then output.print("size " .. entries[1].size) end
  output.print_lines(tables.lines(head, rows))
end

return view
