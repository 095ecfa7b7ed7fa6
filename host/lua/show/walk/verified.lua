--- What `clue walk --verify` found: a line a step, and a sentence that sums up.
local block = require "clue.show.block"
local counted = require("clue.text").count
local find_device = require("clue.result.device").find
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local verified = {}

local SHORT = 34 -- characters of a reason that stands in the line of a step

local function is_below(row)
  return not select(2, row_of.verdict(row)) and #(row_of.why(row) or "") > SHORT
end

-- Below its line: a long reason why a step is wrong or failed, and what a failed one wrote last.
local function under(row)
  local items = {}
  if is_below(row) then items[1] = "     " .. row_of.why(row) end
  if row.failed and (row.failed.lines or {})[1] then
    items[1] = items[1] or ""
    items[1] = {items[1], quote = row.failed.lines}
  end
  return items
end

--- Rows, a line each.
-- @tparam {table,...} rows
-- @treturn table a block
function verified.rows(rows)
  return block.table {rows = rows, name = "the steps", cut = true, under = under, close = true, columns = {
    {title = "", right = true, get = function(row) return row.number end},
    {title = "", get = function(row) return row.name end},
    {title = "", get = function(row) return (row_of.verdict(row)) end},
    {title = "", get = function(row) return not is_below(row) and row_of.why(row) end},
  }}
end

-- "0:0 pthread-AMD EPYC", for the devices of rows
local function called(doc, address)
  local device = find_device(doc, address)
  return device and ("%s %s"):format(address, device.name) or address
end

--- The steps of a walkthrough.
-- @tparam table entry of a document's walkthroughs
-- @tparam table doc the document; if it may have several walkthroughs or devices, a line says which these are
-- @treturn table blocks
function verified.blocks(entry, doc)
  local several, blocks = doc.options.all or #entry.runs > 1, {}
  for i, run in ipairs(entry.runs) do
    local title = ("%s on %s"):format(entry.name, called(doc, run.device))
    blocks[i] = {several and block.code(title, {cut = true, close = true}), verified.rows(run.rows)}
  end
  return blocks
end

--- The sentence that sums up.
-- @tparam table doc
-- @treturn table a block
function verified.sum(doc)
  local rows = lists.map(row_of.all(doc.walkthroughs), function(each) return each.row end)
  local names = lists.map(doc.devices, function(device) return called(doc, device.address) end)
  local right, others = 0, ""
  for _, same in ipairs(lists.grouped(rows, row_of.verdict)) do
    if same.key == "verified" then right = #same else others = ("%s, %d %s"):format(others, #same, same.key) end
  end
  local text = ("%d of %s verified%s"):format(right, counted(#rows, "step"), others)
  return block.paragraph(text .. (names[1] and ", on " .. table.concat(names, ", ") or ""), {indent = "", close = true})
end

return verified
