-- clue tests/golden/render.lua VIEW: prints a document of tests/spec/sample_documents.lua as clue shows it.
-- COLUMNS is the width. tests/spec/golden_spec.lua compares the output with the texts beside this file.
package.path = "tests/spec/?.lua;tests/golden/?.lua;" .. package.path

local json = require "clue.shared.json"
local sample = require "sample_documents"
local save = require("clue.file").save
local show = require "clue.show.text"

local clue = os.getenv "CLUE" or os.getenv "PWD" .. "/build/clue"

-- What a subcommand says of documents, which it finds as A.json, B.json, ...
local function said(words, ...)
  local documents, text = {...}, nil
  require("clue.shared.paths").with_temporary_folder(function(folder)
    for i, document in ipairs(documents) do
      local name = ("%c.json"):format(64 + i)
      assert(save(folder .. "/" .. name, json.text(document, true)))
      words = words .. " " .. name
    end
    local pipe = assert(io.popen(("cd '%s' && %s %s 2>&1"):format(folder, clue, words)))
    text = pipe:read "*a"
    pipe:close()
  end)
  return text
end

local function run(...) io.write(said(...)) end

-- The README's picture: some steps of a walk on an H200, from its kept results: the verdict, and the bars.
local function print_picture()
  local pipe = assert(io.popen "gzip -dc docs/measurements/walk-h200-mql5.json.gz")
  local document = json.read(pipe:read "*a")
  pipe:close()
  local wanted, rows = {}, {}
  local run_of = document.walkthroughs[1].runs[1]
  for number in ("2 3 4 11 12 13 16 20"):gmatch "%d+" do wanted[number] = true end
  for _, row in ipairs(run_of.rows) do rows[#rows + 1] = wanted[tostring(row.number)] and row or nil end
  run_of.rows = rows
  local text = said("show --notes --color always", document)
  local verdict = text:match "^[^\n]*\n   [^\n]*\n" .. (text:match "^[^\n]*\n   [^\n]*\n(   [^\n]*\n)" or "")
  local bars = text:match "\n\n([^\n]*what it changes\n.-)\n\n"
  local lines = {"$ clue walk mql5 --steps 2-4,11-13,16,20 --notes"}
  for line in (verdict .. "\n" .. bars .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  io.write(require("terminal").svg(lines, tonumber(os.getenv "COLUMNS"), "clue walk mql5 on an H200"))
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

-- Devices that need no driver.
local function print_devices()
  require("fake_devices").install {
    {name = "NVIDIA CUDA", devices = {{name = "NVIDIA H200", type = "gpu", units = 132, mhz = 1980,
      memory = 150754820096, double = true, extensions = "cl_khr_fp16"}}},
    {name = "Clover", devices = {}},
    {name = "Portable Computing Language", devices = {{name = "pthread-AMD EPYC 9124", type = "cpu", units = 16,
      mhz = 3712, memory = 134754820096, double = true}}},
  }
  require("clue.command.devices").run {}
end

local function print_build()
  local function kernel(name, registers)
    return {name = name, arguments = {{type_name = "float*", name = "x", access_qualifier = "none",
      address_qualifier = "global", type_qualifier = ""}}, work_group_size = 1024, registers = registers}
  end
  local message = {kind = "warning", file = "sum.cl", line = 2, column = 7, text = "unused variable 'y'",
                   source = "  int y;"}
  show.print(require("clue.build.view").blocks {{title = "a program", built = {
    {device = {text = "0 (0:0) NVIDIA H200", driver = "570.1"}, result = {ok = true, seconds = 0.0125, options = "-w",
      messages = {message}, kernels = {kernel("sum", 32), kernel("mean"), {name = "half", failed = "has no binary"}}}},
    {device = {text = "1 (1:0) pthread-AMD EPYC 9124"}, result = {ok = false, failed = "it crashed (SIGSEGV)",
      lost = true, log = "one line\nanother\n", messages = {}}},
  }}}, {columns = 80})
end

local function print_check()
  local function deed(item, access)
    return {file = "sum.cl", line = 4, column = 3, text = "\tx[0] = i;", text_column = 2, access = access,
            global = {item}, ["local"] = {item}, group = {0}}
  end
  local race = {kind = "race", kernel = "sum", space = "global", first = deed(0, "write"), second = deed(1, "write"),
                times = 3, launches = 1, global = {64}, ["local"] = {8}, bytes = 4,
                object = {name = "x", argument = 1, space = "global", size = 256, offset = 0}}
  local view, result = require "clue.check.view", {findings = {race}, launches = 1, alone = 1, broken_schedules = {2},
    tries = {count = 4, broken = {}, cut = true}, assumed = {},
    unreached = {{file = "sum.cl", line = 9, to = 9}, {file = "sum.cl", line = 12, to = 14}},
    one_turn = {{file = "sum.cl", line = 6, to = 6}}}
  show.print({view.result(result), view.gaps(result), view.steps {{number = 2, name = "sum", size = "64", set = {},
    result = result}, {number = 3, name = "tiles", size = "64", set = {}, result = {findings = {}, launches = 2,
    unreached = {}, one_turn = {}, skipped = "it needs fp64"}}}}, {columns = 80})
end

local views = {
  devices = print_devices, build = print_build, check = print_check,
  columns = print_columns,
  picture = print_picture,
  walk = function() run("show", sample.walk()) end,
  walk_notes = function() run("show --notes", sample.walk()) end,
  walk_one = function() run("show --notes", sample.walk {devices = 1}) end,
  csv = function() run("show --csv /dev/stdout", sample.walk()) end,
  sweep = function() run("show", sample.sweep()) end,
  sweep_csv = function() run("show --csv /dev/stdout", sample.sweep()) end,
  compare = function() run("compare", sample.walk {seed = 1}, sample.walk {seed = 2}) end,
  compare_three = function() run("compare", sample.walk {seed = 1}, sample.walk {seed = 2}, sample.sweep()) end,
  compare_peaks = function() run("compare", sample.peak {seed = 1}, sample.peak {seed = 2}) end,
  peak = function() run("show", sample.peak()) end,
  step = function() run("show --step 4 --device 0", sample.walk {only = "product"}) end,
  tune = function() run("show", sample.tune()) end,
}

views[arg[1]]()
