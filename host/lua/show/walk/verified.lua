--- Prints what `clue walk --verify` found: a line a step, and a sentence that sums up.
-- @module clue.show.walk.verified
local counted = require("clue.text").count
local find_device = require("clue.result.device").find
local problems = require "clue.show.walk.problems"
local row_of = require "clue.result.row"
local tables = require "clue.table"

local verified = {}

local WIDTH = 80 -- of what is no terminal

local columns = {{title = "", right = true}, {title = ""}, {title = ""}, {title = ""}}
local without_text = {columns[1], columns[2], columns[3]}

-- A line a step. Only what is wrong may get more, and what a failed step wrote last.
local function write(rows, out)
  local width, cells = out:columns(WIDTH), {}
  for i, row in ipairs(rows) do cells[i] = {row.number, row.name, (row_of.verdict(row)), row_of.why(row)} end
  local lines, short = tables.lines(columns, cells), tables.lines(without_text, cells)
  for i, row in ipairs(rows) do
    local line, more = lines[i + 1], {} -- the first has the titles
    if not select(2, row_of.verdict(row)) and tables.width {line} > width then
      line, more = short[i + 1], tables.wrap("     " .. row_of.why(row), width, "     ")
    end
    out:write(tables.cut(line, width), "\n")
    for _, part in ipairs(more) do out:write(part, "\n") end
    for _, message in ipairs(problems.messages(row, width, "     | ")) do out:write(message, "\n") end
  end
end

-- "0:0 pthread-AMD EPYC", for the devices of rows
local function called(doc, address)
  local device = find_device(doc, address)
  return device and ("%s %s"):format(address, device.name) or address
end

--- Prints the steps of a walkthrough.
-- @tparam table entry of a document's walkthroughs
-- @tparam table doc the document; if it may have several walkthroughs or devices, a line says which these are
-- @tparam table out of @{clue.output}
function verified.print(entry, doc, out)
  local several = doc.options.all or #entry.runs > 1
  for _, run in ipairs(entry.runs) do
    local on = ("%s on %s"):format(entry.name, called(doc, run.device))
    if several then out:write(tables.cut(on, out:columns(WIDTH)), "\n") end
    write(run.rows, out)
  end
end

-- How many rows have each verdict, with the verdicts in the order in which they came.
local function verdicts_of(rows)
  local counts, order = {verified = 0}, {}
  for _, row in ipairs(rows) do
    local word = row_of.verdict(row)
    if not counts[word] then order[#order + 1] = word end
    counts[word] = (counts[word] or 0) + 1
  end
  return counts, order
end

local function sentence(rows, on)
  local counts, order = verdicts_of(rows)
  local text = ("%d of %s verified"):format(counts.verified, counted(#rows, "step"))
  for _, word in ipairs(order) do text = ("%s, %d %s"):format(text, counts[word], word) end
  return text .. (on ~= "" and ", on " .. on or "")
end

--- Prints the sentence that sums up.
-- @tparam table doc
-- @tparam table out of @{clue.output}
function verified.sum_up(doc, out)
  local rows, names = {}, {}
  for _, entry in ipairs(doc.walkthroughs) do
    for _, run in ipairs(entry.runs) do
      for _, row in ipairs(run.rows) do rows[#rows + 1] = row end
    end
  end
  for i, device in ipairs(doc.devices) do names[i] = called(doc, device.address) end
  for _, line in ipairs(tables.wrap(sentence(rows, table.concat(names, ", ")), out:columns(WIDTH))) do
    out:write(line, "\n")
  end
end

--- Prints rows.
-- @tparam {table,...} rows
-- @tparam table out of @{clue.output}
verified.print_rows = write

return verified
