--- What a sweep says below its tables, in the terminal and in the report: what could not run or is wrong, and the
-- summary.
-- Parameters with one meaning everywhere: entry, of a document; list, the results of a sweep.
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local point = require "clue.result.point"
local ranking = require "clue.show.sweep.ranking"
local results = require "clue.show.sweep.results"
local row_of = require "clue.result.row"

local troubles = {}

local function label_of(entry, each)
  return point.label(each.point, {size = entry.sweep.sizes ~= nil, names = results.names(entry)})
end

-- What a failed step said, without the places in Lua: its error, and a compiler's first message with the source line
-- and the caret.
local function said_by(row)
  local lines = {}
  for _, line in ipairs(row.failed and row.failed.lines or {}) do
    if line:find "^stack traceback" or #lines == 4 then break end
    lines[#lines + 1] = line
  end
  return lines
end

-- Where some rows of a step were measured; nothing if that is everywhere.
local function places(entry, same, of_step)
  local where = lists.map(same, function(it) return label_of(entry, it.each) end)
  if #same == of_step or where[1] == "" then return "" end
  return (" (%s)"):format(#where > 3 and counted(#where, "point") or table.concat(where, "; "))
end

--- What is wrong with rows, or why they were skipped. Rows of a step that have the same reason are told once.
-- @treturn {table,...} text: one line; said: the step's own messages
function troubles.of(entry, list)
  local bad, of_step = {}, {}
  for _, each in ipairs(list) do
    local row = each.row
    of_step[row.number] = (of_step[row.number] or 0) + 1
    local why = row.skipped and "skipped: " .. row.skipped or row.failed and row.failed.text
      or row.check and not row.check.verified and "WRONG: " .. row.check.text
    if why then
      local said = said_by(row)
      bad[#bad + 1] = {each = each, why = why, said = said, key = ("%s|%s|%s"):format(tostring(row.number), why,
        table.concat(said))}
    end
  end
  return lists.map(lists.grouped(bad, function(it) return it.key end), function(same)
    local row = same[1].each.row
    return {said = same[1].said, text = ("step %s, %s%s: %s"):format(tostring(row.number),
      row.name or "?", places(entry, same, of_step[row.number]), same[1].why)}
  end)
end

--- The fastest, and how many results are right. A library that nobody asked for and that is not installed is no
-- measurement.
-- @treturn string
function troubles.summary(entry, list)
  local verified, skipped, added = 0, 0, lists.set(entry.sweep.added or {})
  local asked = lists.filter(list, function(each) return not (each.row.skipped and added[each.row.number]) end)
  for _, each in ipairs(asked) do
    verified = verified + (row_of.is_verified(each.row) and 1 or 0)
    skipped = skipped + (each.row.skipped and 1 or 0)
  end
  local parts = {}
  local function unit_of(each) return (ranking.figure(each.row) or {}).unit or "" end
  for _, same in ipairs(lists.grouped(list, unit_of)) do
    local rivals, size = ranking.rivals(same)
    local best, figure = ranking.fastest(rivals)
    if best then
      local label = label_of(entry, best)
      parts[#parts + 1] = ("the fastest%s is step %s, %s%s: %s %s"):format(size and " at size " .. size or "",
        tostring(best.row.number), best.row.name or "?", label ~= "" and " (" .. label .. ")" or "",
        figures.number(figure.median), figure.unit)
    end
  end
  parts[#parts + 1] = ("%d of %s verified%s"):format(verified, counted(#asked, "measurement"),
    skipped > 0 and (", %d skipped"):format(skipped) or "")
  return table.concat(parts, "; ")
end

return troubles
