--- Shows a document of `clue walk` in the terminal: after the run that made it, and again by `clue show`. Also lists
-- the walkthroughs.
local block = require "clue.show.block"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local find_device = require("clue.result.device").find
local lists = require "clue.shared.list"
local of_run = require("clue.result.device").of_run
local output = require "clue.output"
local row_of = require "clue.result.row"
local step = require "clue.show.walk.step"
local terminal = require "clue.show.text"
local view = require "clue.show.walk.view"

local shown = {}

-- ---- what `clue walk --verify` found: a line a step, and a sentence that sums up ----

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

--- Rows that were only verified, a line each.
-- @tparam {table,...} rows
-- @treturn table a block
function shown.verified_rows(rows)
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

-- The steps of a walkthrough. If the document may have several walkthroughs or devices, a line says which these are.
local function verified_blocks(entry, doc)
  local several, blocks = doc.options.all or #entry.runs > 1, {}
  for i, run in ipairs(entry.runs) do
    local title = ("%s on %s"):format(entry.name, called(doc, run.device))
    blocks[i] = {several and block.code(title, {cut = true, close = true}), shown.verified_rows(run.rows)}
  end
  return blocks
end

--- The sentence that sums up what was verified.
-- @tparam table doc
-- @treturn table a block
function shown.verified_sum(doc)
  local rows = lists.map(row_of.all(doc.walkthroughs), function(each) return each.row end)
  local names = lists.map(doc.devices, function(device) return called(doc, device.address) end)
  local right, others = 0, ""
  for _, same in ipairs(lists.grouped(rows, row_of.verdict)) do
    if same.key == "verified" then right = #same else others = ("%s, %d %s"):format(others, #same, same.key) end
  end
  local text = ("%d of %s verified%s"):format(right, counted(#rows, "step"), others)
  return block.paragraph(text .. (names[1] and ", on " .. table.concat(names, ", ") or ""), {indent = "", close = true})
end

-- ---- a document ----

-- Who published a walkthrough, when and in which language, as far as that is told.
local function origin(of)
  local parts = {of.author or "unknown"}
  parts[#parts + 1] = figures.year(of.year)
  parts[#parts + 1] = of.language
  return table.concat(parts, ", ")
end

--- Prints one of its walkthroughs.
-- @tparam table doc
-- @tparam table entry of its walkthroughs
-- @tparam[opt] table how notes: true to print all; hint: the command to say how to get it
function shown.print_entry(doc, entry, how)
  how = how or {}
  local options = doc.options or {}
  if options.verify then return terminal.print(verified_blocks(entry, doc), {columns = 80}) end
  local runs = lists.map(entry.runs or {}, function(run) return #run.rows > 0 and of_run(doc, run) or nil end)
  local name = entry.from and ("%s, a copy of %s"):format(entry.name, entry.from) or entry.name
  local title = ("%s (%s)"):format(entry.title or "?", origin(entry))
  if entry.sweep then
    terminal.print(require("clue.show.sweep.view").blocks(doc, entry, nil, {name = name, title = title}))
  elseif #runs > 0 then
    local whole = not (options.steps or options.all)
    terminal.print(view.blocks(runs, {name = name, title = title, figures = entry.figures, notes = how.notes,
                                  hint = how.hint, about = entry, entry = whole and entry or nil}),
                   {columns = how.notes and 132 or 80})
  end
  if options.all then output.print() end
end

--- Prints all of it.
-- @tparam table doc
-- @tparam[opt] table how as for @{print_entry}
function shown.print(doc, how)
  for _, entry in ipairs(doc.walkthroughs) do shown.print_entry(doc, entry, how) end
  if doc.options and doc.options.verify then terminal.print(shown.verified_sum(doc), {columns = 80}) end
end

--- The list of the walkthroughs, which `clue walk` prints without a name.
-- @tparam {table,...} walkthroughs of @{clue.run.catalogue}
-- @treturn table blocks
function shown.listing(walkthroughs)
  local blocks = lists.map(walkthroughs, function(it)
    return block.list({
      ("  %s; %s: %s"):format(origin(it), counted(#it.steps, "step"), it.about),
      ("  hardware: %s"):format(it.hardware),
      ("  headline: %s"):format(it.headline),
    }, {title = ("%s: %s"):format(it.name, it.title), indent = "    ", close = true})
  end)
  return {blocks, block.gap(), block.paragraph("`clue walk NAME` replays one, `clue walk --all` all of them; "
    .. "`clue walk --help` lists the options.", {close = true})}
end

--- Prints the explanation of a step, and what was found of it.
-- @tparam table row
-- @tparam ?string text the head of its script
-- @tparam ?table peak the device's limits
-- @tparam[opt] table how source: false to leave its source out
function shown.print_step(row, text, peak, how)
  local entries = {{row = row, on = row.device and row.device.name, peak = peak}}
  terminal.print({step.explanation(text, entries), step.parts(entries, how)}, {most = 100})
end

return shown
