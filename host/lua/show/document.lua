--- Shows a document of `clue walk` in the terminal: after the run that made it, and again by `clue show`.
local find_device = require("clue.result.device").find
local listing = require "clue.show.walk.listing"
local output = require "clue.output"
local sweep_view = require "clue.show.sweep.view"
local tables = require "clue.table"
local terminal = require "clue.show.text"
local verified = require "clue.show.walk.verified"
local view = require "clue.show.walk.view"

local shown = {}

--- Prints one of its walkthroughs.
-- @tparam table doc
-- @tparam table entry of its walkthroughs
-- @tparam[opt] table how notes: true to print all; hint: the command to say how to get it
function shown.print_entry(doc, entry, how)
  how = how or {}
  local options = doc.options or {}
  if options.verify then return terminal.print(verified.blocks(entry, doc), {columns = 80}) end
  local runs = {}
  for _, run in ipairs(entry.runs or {}) do
    local device = find_device(doc, run.device)
    if #run.rows > 0 then
      runs[#runs + 1] = {device = run.device, rows = run.rows, left_out = run.left_out,
                         peak = device and device.peak}
    end
  end
  local name = entry.from and ("%s, a copy of %s"):format(entry.name, entry.from) or entry.name
  local title = ("%s (%s, %s)"):format(entry.title or "?", entry.author or "unknown", listing.year_and_language(entry))
  if entry.sweep then
    output.print_lines(tables.wrap(("%s: %s"):format(name, title), output.out:columns(100), "   "))
    terminal.print(sweep_view.blocks(doc, entry))
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
  if doc.options and doc.options.verify then terminal.print(verified.sum(doc), {columns = 80}) end
end

return shown
