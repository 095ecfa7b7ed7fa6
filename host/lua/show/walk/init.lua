--- Shows a document of `clue walk` in the terminal: after the run that made it, and again by `clue show`. Also lists
-- the walkthroughs.
local block = require "clue.show.block"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local of_run = require("clue.result.device").of_run
local output = require "clue.output"
local step = require "clue.show.walk.step"
local terminal = require "clue.show.text"
local verified = require "clue.show.walk.verified"
local view = require "clue.show.walk.view"

local shown = {}

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
  if options.verify then return terminal.print(verified.blocks(entry, doc), {columns = 80}) end
  local runs = {}
  for _, run in ipairs(entry.runs or {}) do
    if #run.rows > 0 then runs[#runs + 1] = of_run(doc, run) end
  end
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
  if doc.options and doc.options.verify then terminal.print(verified.sum(doc), {columns = 80}) end
end

--- The list of the walkthroughs, which `clue walk` prints without a name.
-- @tparam {table,...} walkthroughs of @{clue.run.catalogue}
-- @treturn table blocks
function shown.listing(walkthroughs)
  local blocks = {}
  for i, it in ipairs(walkthroughs) do
    blocks[i] = block.list({
      ("  %s; %s: %s"):format(origin(it), counted(#it.steps, "step"), it.about),
      ("  hardware: %s"):format(it.hardware),
      ("  headline: %s"):format(it.headline),
    }, {title = ("%s: %s"):format(it.name, it.title), indent = "    ", close = true})
  end
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
