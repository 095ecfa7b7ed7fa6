--- What `clue check` found, as compilers print messages: the place, the source line, a caret.
-- Parameters with one meaning everywhere: result, what a check found.
local block = require "clue.show.block"
local caret = require("clue.text").caret
local counted = require("clue.text").count
local findings = require "clue.check.findings"
local lists = require "clue.shared.list"
local visible = require("clue.text").visible

local view = {}

local function line(text)
  return block.paragraph(text, {indent = "    ", close = true})
end

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

-- The source line and a caret below it.
local function source_of(deed)
  if not deed.text then return nil end
  local source = deed.text:gsub("\r$", "")
  return block.code(visible(source) .. "\n" .. caret(source, deed.text_column or 1), {indent = "    ", close = true})
end

local does = {read = "reads it", write = "writes it", atomic = "changes it by an atomic function",
              barrier = "is at this barrier", copy = "makes this copy", wait = "waits here", convert = "converts it",
              compute = "computes it"}

local function deed_of(deed, with_label)
  local at = label(deed)
  if deed.access == "absent" then return line(("  %s has ended, or waits elsewhere"):format(who(deed))) end
  return {line(("  %s%s %s"):format(with_label and at and at .. ": " or "", who(deed), does[deed.access] or "is here")),
    with_label and source_of(deed)}
end

local function place_of(finding)
  if not finding.object then return nil end
  local place = findings.place(finding)
  return line(("  %s%s"):format(findings.object(finding), place and ": " .. place or ""))
end

local function times(finding)
  local often = counted(finding.times, "time")
  if finding.launches < 2 then return often end
  return ("%s in %d launches"):format(often, finding.launches)
end

local function launch_of(finding)
  local only = finding.with and "; only with " .. finding.with or ""
  if finding.schedule then only = ("%s; only with schedule %d"):format(only, finding.schedule) end
  return line(("  %s; kernel '%s', range %s, groups of %s%s"):format(times(finding), finding.kernel,
    sizes(finding.global), sizes(finding["local"]), only))
end

local function finding_blocks(finding)
  local first, second, title = finding.first, finding.second, findings.title(finding)
  if finding.kind == "call" then
    return {line(("%s: error: %s"):format(finding.where or "clue", title)),
      finding.times > 1 and line("  " .. times(finding))}
  end
  if finding.kind == "result" then return line("error: " .. title) end
  local remedy = findings.remedy(finding)
  return {
    line(("%s: %s: %s: %s"):format(label(first) or ("kernel '%s'"):format(finding.kernel), findings.level(finding),
      finding.kind, title)),
    source_of(first), place_of(finding),
    (first.global or first.group and finding.kind ~= "divergence") and deed_of(first),
    second and deed_of(second, label(second) ~= label(first)),
    finding.text and line("  " .. finding.text), launch_of(finding), remedy and line("  to do: " .. remedy),
  }
end

--- How many findings there are.
-- @tparam {table,...} list
-- @treturn int errors
-- @treturn int notes
function view.counts(list)
  local errors = #lists.filter(list, findings.counts)
  return errors, #list - errors
end

--- All of a script's findings, and a summary.
-- @treturn table blocks
function view.result(result)
  local tries = result.tries.count
  local blocks = lists.map(result.findings, function(finding) return {finding_blocks(finding), block.gap()} end)
  local errors, notes = view.counts(result.findings)
  return {blocks, line(("%s, %s in %s%s"):format(counted(errors, "error"), counted(notes, "note"),
    counted(result.launches, "launch"), tries > 0 and (" and %d tries"):format(tries) or ""))}
end

-- "scan.lua:9, scan.lua:14-16"
local function lines_of(places)
  return table.concat(lists.map(places, function(it)
    return ("%s:%d%s"):format(it.file, it.line, it.to > it.line and "-" .. it.to or "")
  end), ", ")
end

-- What code these launches did not show.
local function unseen(result)
  local lines = {}
  if result.unreached[1] then
    lines[1] = ("no work-item came to %s: nothing is known of what stands there; other sizes, numbers or data may "
      .. "lead there"):format(lines_of(result.unreached))
  end
  if result.one_turn[1] then
    lines[#lines + 1] = ("%s at %s had one turn in each group: a missing barrier between two turns would not show; "
      .. "give a larger size, or a smaller tile"):format(result.one_turn[2] and "the loops" or "the loop",
      lines_of(result.one_turn))
  end
  return lines
end

--- What the check could not see in these launches.
-- @treturn table blocks
function view.gaps(result)
  local lines, atomics = {}, false
  local function add(text, ...) lines[#lines + 1] = text:format(...) end
  for _, finding in ipairs(result.findings) do atomics = atomics or finding.kind == "only atomics" end
  if result.alone > 0 then
    add("%s had groups of one work-item, so no races within a group could appear: give a size that divides the range, "
      .. "or --group", counted(result.alone, "launch"))
  end
  for _, try in ipairs(result.tries.broken) do
    add("kernel '%s', only with %s: %s", try.kernel, try.text, try.broken)
  end
  for _, schedule in ipairs(result.broken_schedules) do
    add("with schedule %d, it failed or did not end", schedule)
  end
  for _, text in ipairs(unseen(result)) do add("%s", text) end
  if result.tries.cut then add "the time limit ended the tries with other values (--time-limit)" end
  if atomics then
    add "races between groups that exchange data through atomics are told as notes only (clue help checking.md)"
  end
  return block.list(lines, {close = true})
end

-- ---- what was assumed ----

-- Whether something about a launch was not given.
local function is_assumed(of)
  return not (of.range_given and of.group_given)
    or lists.any(of.arguments, function(each) return not each.given end)
end

local function assumed_text(of)
  local parts = lists.map(of.arguments, function(each)
    return ("%s: %s%s"):format(each.name, each.text, each.given and "" or "*")
  end)
  return ("kernel '%s', range %s%s, groups of %s%s%s"):format(of.kernel, sizes(of.global),
    of.range_given and "" or "*", sizes(of.group), of.group_given and "" or "*",
    parts[1] and "; " .. table.concat(parts, ", ") or "")
end

--- How the kernels of a .cl file were launched.
-- @treturn table blocks
function view.assumed(result)
  local lines, tries = {}, result.tries.count
  if not result.assumed[1] then return lines end
  for i, each in ipairs(result.assumed) do lines[i] = assumed_text(each) end
  if lists.any(result.assumed, is_assumed) then
    lines[#lines + 1] = "  * assumed; --global, --local and --arg NAME=VALUE say what is right"
  end
  if tries > 0 then
    lines[#lines + 1] = ("  and %d tries with other numbers, data and groups (--tries 0: none)"):format(tries)
  end
  return block.list(lines, {indent = "    "})
end

-- ---- steps ----

-- The columns of the kinds that most findings have.
local kinds = {{"races", "race"}, {"bounds", "bounds"}, {"unwritten", "uninitialised"}, {"diverge", "divergence"}}

local function of_kind(list, kind)
  return #lists.filter(list, function(finding) return finding.kind == kind end)
end

local function other_errors(list)
  local count = view.counts(list)
  for _, each in ipairs(kinds) do count = count - of_kind(list, each[2]) end
  return count
end

-- How many findings of a step get() counts in its list.
local function figure(title, get)
  return {title = title, right = true, get = function(entry)
    local count = get(entry.result.findings)
    return count == 0 and "-" or count
  end}
end

local columns = {
  {title = "", right = true, get = function(entry) return entry.number end},
  {title = "step", get = function(entry) return entry.name end},
  {title = "size", optional = true, get = function(entry) return entry.size end},
  {title = "launches", right = true, get = function(entry) return entry.result.launches end},
}
for _, each in ipairs(kinds) do
  columns[#columns + 1] = figure(each[1], function(list) return of_kind(list, each[2]) end)
end
columns[#columns + 1] = figure("others", other_errors)
columns[#columns + 1] = figure("notes", function(list) return select(2, view.counts(list)) end)
columns[#columns + 1] = {title = "", get = function(entry)
  local result = entry.result
  return result.skipped and "not run: " .. result.skipped or result.failed
end}

--- The findings of some steps, and a line for each step.
-- @tparam {table,...} entries number, name, size, set (values of parameters, a list of texts) and result of each
-- @treturn table blocks
function view.steps(entries)
  local size, several = entries[1].size, false
  for _, entry in ipairs(entries) do several = several or entry.size ~= size end
  local list = lists.filter(columns, function(column) return several or column.title ~= "size" end)
  local blocks = lists.map(entries, function(entry)
    return lists.map(entry.result.findings, function(finding)
      return {line(("step %s, %s:"):format(tostring(entry.number), entry.name)), finding_blocks(finding), block.gap()}
    end)
  end)
  local heading = lists.joined({("size %s"):format(tostring(size))},
    lists.distinct(lists.flat(entries, function(entry) return entry.set end)))
  local gaps = lists.flat(entries, function(entry)
    local step = ("step %s: "):format(tostring(entry.number))
    return lists.map(unseen(entry.result), function(text) return step .. text end)
  end)
  return {blocks, not several and size and line(table.concat(heading, ", ")),
    block.table {name = "the steps", columns = list, rows = entries, close = true}, block.list(gaps, {close = true})}
end

return view
