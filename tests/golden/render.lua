-- clue tests/golden/render.lua VIEW: prints a document of tests/spec/sample_documents.lua as clue shows it.
-- COLUMNS is the width. tests/spec/golden_spec.lua compares the output with the texts beside this file.
package.path = "tests/spec/?.lua;" .. package.path

local json = require "clue.shared.json"
local output = require "clue.output"
local sample = require "sample_documents"
local save = require "clue.save"

local clue = os.getenv "CLUE" or os.getenv "PWD" .. "/build/clue"

-- Prints what a subcommand says of documents, which it finds as A.json, B.json, ...
local function run(words, ...)
  local documents = {...}
  require "clue.shared.temporary"(function(folder)
    for i, document in ipairs(documents) do
      local name = ("%c.json"):format(64 + i)
      assert(save(folder .. "/" .. name, json.text(document, true)))
      words = words .. " " .. name
    end
    local pipe = assert(io.popen(("cd '%s' && %s %s 2>&1"):format(folder, clue, words)))
    io.write((pipe:read "*a"))
    pipe:close()
  end)
end

local function walk(how, notes)
  local doc = sample.walk(how)
  local limits, listing = require "clue.run.limits", require "clue.show.walk.listing"
  local view = require "clue.show.walk.view"
  for _, entry in ipairs(doc.walkthroughs) do
    local runs = {}
    for i, each in ipairs(entry.runs) do
      local device = limits.device_of(doc, each)
      runs[i] = {device = each.device, rows = each.rows, peak = device and device.peak}
    end
    view.print(runs, output.out, {name = entry.name, title = ("%s (%s, %s)"):format(entry.title, entry.author,
      listing.year_and_language(entry)), figures = entry.figures, notes = notes, hint = true, entry = entry})
  end
end

-- The table of figures in docs/reference/sweeps.md: a line for those of one sentence.
local function print_columns()
  local lines = {}
  for _, entry in ipairs(require("clue.result.columns").list) do
    local last = lines[#lines]
    if entry.name and last and last.about == entry.about then
      last.names[#last.names + 1] = entry.name
    elseif entry.name then
      lines[#lines + 1] = {about = entry.about, names = {entry.name}}
    end
  end
  print "| columns | what |\n| --- | --- |"
  for _, line in ipairs(lines) do print(("| `%s` | %s |"):format(table.concat(line.names, "`, `"), line.about)) end
end

local views = {
  columns = print_columns,
  walk = function() walk() end,
  walk_notes = function() walk(nil, true) end,
  walk_one = function() walk({devices = 1}, true) end,
  csv = function() io.write(require("clue.show.walk.csv").text(sample.walk())) end,
  sweep = function() require("clue.show.sweep.view").print(sample.sweep().walkthroughs[1], output.out) end,
  sweep_csv = function() io.write(require("clue.show.walk.csv").text(sample.sweep())) end,
  compare = function() run("compare", sample.walk {seed = 1}, sample.walk {seed = 2}) end,
  compare_three = function() run("compare", sample.walk {seed = 1}, sample.walk {seed = 2}, sample.sweep()) end,
  compare_peaks = function() run("compare", sample.peak {seed = 1}, sample.peak {seed = 2}) end,
  tune = function() run("tune --show", sample.tune()) end,
}

views[arg[1]]()
