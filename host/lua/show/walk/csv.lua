--- The rows of `clue walk` as comma-separated values: a line for each, with all figures of the terminal's tables.
--
-- Times are in seconds, shares are fractions of 1. What a row does not have is empty. A text that begins like a formula
-- (= + - @) has an apostrophe before it. See @{clue.result.columns}.
local columns = require "clue.result.columns"
local numbers = require "clue.number"
local of_run = require("clue.result.device").of_run
local row_of = require "clue.result.row"
local visible = require("clue.text").visible
local write = require("clue.shared.paths").write

local csv = {}

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

--- A line of a file.
-- @tparam {any,...} values texts and numbers; nil is empty
-- @tparam[opt] int count of the values
function csv.line(values, count)
  local cells = {}
  for i = 1, count or #values do cells[i] = cell(values[i]) end
  return table.concat(cells, ",")
end

local function line(value_of)
  local values, count = {}, 0
  for _, column in ipairs(columns.list) do
    if column.name then
      count = count + 1
      values[count] = value_of(column)
    end
  end
  return csv.line(values, count)
end

--- All rows of a document.
-- @tparam table document of @{clue.result.document}
-- @treturn string a line with the columns' names, then a line for each row
function csv.text(document)
  local lines = {line(function(column) return column.name end)}
  for _, it in ipairs(row_of.all(document.walkthroughs)) do
    it.rows, it.peak = it.run.rows, of_run(document, it.run).peak
    lines[#lines + 1] = line(function(column) return column.value(it) end)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Writes them to a file. Raises if that fails.
-- @tparam string path
-- @tparam table document
function csv.save(path, document)
  write(path, csv.text(document))
end

return csv
