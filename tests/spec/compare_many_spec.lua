-- `clue compare` of many results: side by side, a column for each device.
-- suite: whole
-- tools: chromium-headless-shell
local browser = require "browser"
local json = require "dkjson"
local sample = require "sample_documents"
local support = require "support"

local file, has, has_not, row_of = sample.file, support.has, support.has_not, sample.row

local function side_by_side(documents, more, env)
  local words = {"compare"}
  for _, document in ipairs(documents) do words[#words + 1] = file(document) end
  return support.run(support.words(words, more), env or {COLUMNS = "200"})
end

-- A file of one of the sample's two devices, whose limits are not known.
local function walk_of(device, how)
  local document = sample.walk(how)
  for _, walkthrough in ipairs(document.walkthroughs) do walkthrough.runs = {walkthrough.runs[device]} end
  document.devices = {document.devices[device]}
  document.devices[1].peak = nil
  return document
end

-- The unit of a row, the part of the time, and what stands in the columns of the first three results.
local function has_cells(expected, out, row)
  assert.matches(expected, support.cells(out, row, "unit", "time", "1", "2", "3"))
end

local function all_times(row, factor)
  for _, part in ipairs {"upload", "kernel", "read", "total"} do
    for i, seconds in ipairs(row.times[part] or {}) do row.times[part][i] = seconds * factor end
  end
end

-- A class: the same walk on five kinds of device, each file of the name that it would have.
local function class()
  local folder, words = support.folder(), {"compare"}
  for i, person in ipairs {"ida", "ben", "anna", "carla", "emil", "david", "frida"} do
    local document = walk_of(1, {only = "copies", scale = i})
    document.devices[1].name = ("NVIDIA GeForce RTX 306%d with Max-Q"):format(i % 5)
    words[#words + 1] = file(document, ("%s/%s.json"):format(folder, person))
  end
  return words, folder
end

local function compared(more, columns)
  local words = support.words(class(), more)
  local status, out, err = support.run(words, {COLUMNS = columns or "132"})
  assert.equal("0", status .. err)
  return out
end

describe("clue compare of a class", function()
  it("has a row for each file, by name, with its place and how it stands beside the median", function()
    local out = compared()
    has(out, "clue walk: 7 results, each measured by itself")
    assert.matches("\nanna +…3063 with Max%-Q +5 +3 +1%.%d+ ", out)
    assert.matches("\nanna .*\nben .*\ncarla .*\ndavid .*\nemil .*\nfrida .*\nida ", out)
    assert.matches("\ncarla [^\n]+ 4 +1%.00 ", out) -- the one in the middle
    assert.matches("\nida [^\n]+ 1 +4%.%d+ ", out)
    assert.matches("\n1  transpose: read_rows +GB/s +[%d.]+ +[%d.]+ +[%d.]+ +7  ida\n", out)
  end)

  it("names files of one run, which somebody handed in twice", function()
    has_not(compared(), "the same run")
    local words, folder = class()
    support.write(support.read(folder .. "/ben.json"), folder .. "/gina.json")
    words[#words + 1] = folder .. "/gina.json"
    has(support.ended(0, support.run(words)), "\nthe same run, to the last digit, is in ben and gina\n")
  end)

  it("leaves out what the devices' names have in common where they do not fit", function()
    assert.matches("\nanna +…3063 [^\n]+\nben +…3062", compared(nil, "80"))
    local folder, words = support.folder(), {"compare"}
    for i, name in ipairs {"5-8250U", "7-9750H", "3-7100", "5-8250U", "5-8250U", "5-8250U", "5-8250U"} do
      local document = walk_of(1, {only = "copies"})
      document.devices[1].name = ("pthread-Intel(R) Core(TM) i%s CPU @ %d.60GHz"):format(name, i)
      words[#words + 1] = file(document, ("%s/%d.json"):format(folder, i))
    end
    assert.matches("\n1 +…i5%-8250U +5 [^\n]+\n2 +…i7%-9750H +5 ", select(2, support.run(words, {COLUMNS = "80"})))
  end)

  it("leaves out the compiler's name of a processor, which PoCL puts first", function()
    local folder, words = support.folder(), {"compare"}
    for i = 1, 7 do
      local document = walk_of(1, {only = "copies"})
      document.devices[1].name = "pthread-skylake-avx512-AMD EPYC"
      words[#words + 1] = file(document, ("%s/%d.json"):format(folder, i))
    end
    assert.matches("\n1 +AMD EPYC +5 ", select(2, support.run(words, {COLUMNS = "80"})))
  end)

  it("has a row for each kind of device, with the median of its results", function()
    local out = compared {"--by", "device"}
    assert.matches("\nNVIDIA GeForce RTX 3060 with Max%-Q +1  +5 ", out)
    assert.matches("\nNVIDIA GeForce RTX 3061 with Max%-Q +2  +5 ", out)
    local of_one = "all results are of one kind of device: without --by device, each has a row"
    assert.is_nil(out:find(of_one, 1, true))
    local same = walk_of(1, {only = "copies"})
    has(select(2, side_by_side({same, same, same}, {"--by", "device"})), of_one)
  end)

  it("has a column for each with --by step, and a row for each of three files with --by file", function()
    has(compared({"--by", "step"}, "400"), "7 results side by side")
    local one = walk_of(1, {only = "copies"})
    has(select(2, side_by_side({one, one, one, one}, {"--by", "step"})),
      "results 1 to 4 are of devices of the same name")
    local slow = walk_of(1, {only = "copies"})
    local _, out = side_by_side({slow, walk_of(1, {only = "copies", scale = 2}), slow}, {"--by", "file"})
    has(out, "times the")
  end)

  it("counts what is not verified nowhere, and says where nothing is", function()
    local broken = walk_of(1, {only = "copies"})
    for _, row in ipairs(broken.walkthroughs[1].runs[1].rows) do row.check.verified = false end
    local well = walk_of(1, {only = "copies"})
    local _, out = side_by_side({broken, well, walk_of(1, {only = "copies", scale = 2})}, {"--by", "file"})
    assert.matches("  0 +%-\n", out)
    assert.matches("\n!! [^:]+: step 1 read_rows %(WRONG%), [^\n]+, verified elsewhere\n", out)
    assert.matches("read_rows +GB/s +[%d.]+ +[%d.]+ +[%d.]+ +2 ", out)
  end)

  it("writes every result as comma-separated values, a document and a page", function()
    local folder = support.folder()
    compared {"--csv", folder .. "/c.csv", "--json", folder .. "/c.json"}
    local lines = {}
    for line in support.read(folder .. "/c.csv"):gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.equal(1 + 7 * 5, #lines)
    assert.equal("walkthrough,number,name,at,unit,file,device,verdict,value,median,times_the_median", lines[1])
    assert.matches("^copies,1,read_rows,,GB/s,ida,NVIDIA GeForce RTX 3061 with Max%-Q,verified,[%d.]+,[%d.]+,4",
      lines[2])
    local document = json.decode(support.read(folder .. "/c.json"))
    assert.equal("file", document.tables[1].by)
    assert.equal("anna", document.tables[1].groups[1].name)
    assert.equal(3, document.tables[1].groups[1].place)
    assert.equal(7, document.tables[1].rows[1].standing.count)
    compared {"--html", folder .. "/c.html"}
    assert.matches("times the", support.read(folder .. "/c.html"), 1, true)
  end)

  it("leaves out a farm's plan, which farm/*.json names beside the results", function()
    local plan = support.write('{\n  "format":"clue farm 1"\n}', support.folder() .. "/plan.json")
    local one, other = file(walk_of(1)), file(walk_of(2))
    local out = support.ended(0, support.run {"compare", one, other, plan})
    assert.equal(support.ended(0, support.run {"compare", one, other}), out)
    local _, _, why = support.run {"compare", plan}
    assert.matches("its format is 'clue farm 1'", why, 1, true)
  end)

  it("has all columns of twenty on a page of 390 points, with short names of the devices", function()
    local folder = support.folder()
    support.ended(0, support.run {"tests/specimens/class.lua", folder})
    support.ended(0, support.execute({"sh", "-c", 'cd "$1" && exec "$0" compare *.json --html class.html',
      support.clue, folder}))
    local page = support.write(('<body><iframe src="file://%s/class.html" style="width:390px;height:2000px"></iframe>'
      .. "<script>onload = () => { const of = document.querySelector('iframe').contentDocument;"
      .. "const widths = [...of.querySelectorAll('.scroll')].map(e => e.scrollWidth - e.clientWidth).join();"
      .. "document.body.append('BEYOND ' + widths + ' ' + of.querySelector('tbody tr:nth-child(6)').innerText) }"
      .. "</script>"):format(folder), support.temporary ".html")
    local out = support.ended(0, browser.open({"--dump-dom", "--virtual-time-budget=10000"}, page))
    assert.matches("BEYOND 0,0 frida%s+…RTX 3060%s+5%s+1%s+5.27", out)
  end)

  it("refuses --by for tunes and a word that it does not know, and --csv for two files", function()
    local a, b = file(sample.tune()), file(sample.tune())
    local _, _, why = support.run {"compare", "--by", "file", a, b}
    assert.matches("--by is for files of clue walk and clue peak", why, 1, true)
    assert.equal(2, (support.run {"compare", "--by", "name", a, b}))
    local one, other = file(walk_of(1)), file(walk_of(2))
    local _, err = support.ended(2, support.run {"compare", one, other, "--csv", support.temporary ".csv"})
    assert.matches("--csv is for three files or more", err, 1, true)
  end)
end)

describe("clue compare of three walks", function()
  local slow = walk_of(1, {only = "copies"})
  local fast, half = walk_of(1, {only = "copies", scale = 0.5}), walk_of(1, {only = "copies", scale = 2})
  fast.devices[1].name, half.devices[1].name = "a fast one", "a slow one"

  it("prints a row for each step and a column for each device, in the step's own unit, and marks the best", function()
    local out = support.clean(side_by_side {slow, fast, half})
    assert.matches("\n#  step +unit +time +pthread%S+ [^\n]-a fast one [^\n]-a slow one", out)
    has_cells("^GB/s | kernel | 3%.7%d+ | >7%.%d+ | 1%.%d+$", out, "1  transpose: read_rows")
    has_cells("^GB/s | kernel | [%d.]+ | >[%d.]+ | [%d.]+$", out, "5  vectors: float4")
    has(out, ">: the best of a row")
    has_not(out, "step in both")
  end)

  it("closes with the geometric mean of the ratios to the first column, and over how many steps", function()
    local other = walk_of(1, {only = "copies"})
    for i, factor in ipairs {0.5, 2, 0.25, 1, 1} do all_times(row_of(other, 1, 1, i), factor) end
    row_of(other, 1, 1, 5).check.verified = false
    local _, out = side_by_side {slow, other, half}
    assert.matches("\n +ratio to 1 +1%.00 +1%.41 +0%.50\n +over steps +5 +4 +5\n", out) -- (2 / 2 * 4 * 1) ^ (1 / 4)
    has(out, "ratio to 1: the geometric mean of the ratios to column 1, over the steps that are verified in both; "
      .. "above 1: faster than column 1")
  end)

  it("says in the head what each column is", function()
    local newer = walk_of(2, {only = "copies"})
    newer.clue, newer.started, newer.finished = "0.5.0", "2026-11-25T08:00:00Z", nil
    local _, out = side_by_side {slow, fast, newer}
    has(out, "clue walk: 3 results side by side, each measured by itself\n")
    assert.matches("\n1  pthread[^\n]+ 0:0  3%.1%+debian +0%.4%.0 +2026%-11%-21T12:00:00Z +%S+%.json\n", out)
    assert.matches("\n3  NVIDIA H200 +1:0  570%.86%.15 +0%.5%.0 +2026%-11%-25T08:00:00Z %(did not finish%)", out)
    has(out, "caution: each result is a run of its own")
    has_not(out, "interval")
  end)

  it("calls columns of one device by their files", function()
    local folder = support.folder()
    local paths = {file(slow, folder .. "/monday.json"), file(walk_of(2, {only = "copies"}), folder .. "/card.json"),
                   file(slow, folder .. "/tuesday.json")}
    local _, out = support.run({"compare", paths[1], paths[2], paths[3]}, {COLUMNS = "250"})
    assert.matches("results 1 and 3 are of devices of the same name, pthread[^\n]+, and told apart as monday, "
      .. "tuesday\n", out)
    assert.matches("^3%.7%d+ | 3%.7%d+$", support.cells(out, "1  transpose: read_rows", "monday", "tuesday"))
  end)

  it("gives a verdict, and no number, where a result is not verified", function()
    local other = walk_of(1, {only = "copies"})
    row_of(other, 1, 1, 1).check = {verified = false, text = "C[0] is 1"}
    row_of(other, 1, 1, 2).failed = {word = "crashed", text = "SIGSEGV"}
    row_of(other, 1, 1, 3).skipped = "no local memory"
    table.remove(other.walkthroughs[1].runs[1].rows, 4)
    local out = support.ended(1, side_by_side {slow, other, fast})
    has_cells("| [%d.]+ | WRONG | >[%d.]+$", out, "1  transpose: read_rows")
    has_cells("| [%d.]+ | crashed | >[%d.]+$", out, "2  transpose: tile")
    has_cells("| [%d.]+ | skipped | >[%d.]+$", out, "3  transpose: padded")
    has_cells("| [%d.]+ | %- | >[%d.]+$", out, "4  vectors: float1")
    assert.matches("\n +over steps +5 +1 +5\n", out)
    has(out, "!! copies step 1 read_rows: WRONG in column 2, verified in columns 1 and 3: C[0] is 1\n")
    has(out, "!! copies step 2 tile: crashed in column 2, verified in columns 1 and 3: SIGSEGV\n")
  end)

  it("fails only if the first column is the one that is right", function()
    local wrong = walk_of(1, {only = "copies"})
    row_of(wrong, 1, 1, 1).check = {verified = false, text = "C[0] is 1"}
    local out = support.ended(0, side_by_side {wrong, slow, fast})
    has(out, "!! copies step 1 read_rows: WRONG in column 1, verified in columns 2 and 3")
    local skipped = walk_of(1, {only = "copies"})
    row_of(skipped, 1, 1, 1).skipped = "no fp64"
    assert.equal(0, (side_by_side {slow, skipped, fast}))
  end)

  it("gives times where there is no speed: the least is the best", function()
    local documents = {walk_of(1, {only = "copies"}), walk_of(1, {only = "copies", scale = 0.5}),
                       walk_of(1, {only = "copies", scale = 2})}
    for _, document in ipairs(documents) do
      for i = 1, 5 do row_of(document, 1, 1, i).times.rate = nil end
    end
    local _, out = side_by_side(documents)
    has_cells("^ms | kernel | [%d.]+ | >[%d.]+ | [%d.]+$", out, "1  transpose: read_rows")
    assert.matches("\n +ratio to 1 +1%.00 +2%.%d+ +0%.%d+\n", out)
  end)

  it("compares speeds of different problems, and says which they are", function()
    local _, out = side_by_side {walk_of(1, {only = "product"}), walk_of(2, {only = "product"}), slow}
    has_cells("^GFLOPS | kernel | 33%.%d+ | >%d+ | %-$", out, "4  tiles")
    has(out, "steps 1, 2, 3, 4, 8: speeds of different problems: column 1 computed A 480 x 480 times B 480 x 480, "
      .. "float; column 2 computed A 4096 x 4096 times B 4096 x 4096, float\n")
  end)

  it("gives different problems without speeds a row each", function()
    local documents = {}
    for i = 1, 3 do
      documents[i] = walk_of(1, {only = "copies", scale = i})
      row_of(documents[i], 1, 1, 1).times.rate = nil
    end
    local row = row_of(documents[2], 1, 1, 1)
    row.size, row.problem = {side = 9}, "a small matrix of floats"
    local _, out = side_by_side(documents)
    has_cells("^ms | kernel | >[%d.]+ | %- | [%d.]+$", out, "1  transpose: read_rows")
    assert.matches("\n1  transpose: read_rows[^\n]+\n1  transpose: read_rows +ms +kernel +%- +[%d.]+ [^\n]-%-", out)
    has(out, "step 1: the problems differ, and no speed can be compared: this row is for a small matrix of floats\n")
  end)

  it("leaves the host's own loops out of the mean, and marks what is extrapolated", function()
    local _, out = side_by_side {walk_of(1, {only = "product"}), walk_of(2, {only = "product"}), slow}
    has_cells("^GFLOPS | total | 1%.100 | ~1%.100 | %-$", out, "1  loops (host)")
    has(out, "the steps that are verified in both, without the host's own")
    assert.matches("\n +over steps +4 +4 +0\n", out)
    assert.matches("\n +ratio to 1 +1%.00 +2%d%d +%-\n", out)
  end)

  it("has a line for each condition in which the runs differ, as for two files", function()
    local first, second = walk_of(1, {only = "copies"}), walk_of(1, {only = "copies"})
    local third = walk_of(1, {only = "copies"})
    first.options = {set = {"tile=8", "wpt=2"}, repeats = 5}
    second.options = {set = {"wpt=2", "tile=8"}, until_stable = true, size = "64", type = "int", repeats = 5}
    third.options = {set = {"tile=16"}, build_options = {"-cl-fast-relaxed-math"}, environment = "-w", repeats = 5}
    third.devices[1].driver, third.machine.cores, third.clue = "4.0", 8, "0.5.0"
    local path = support.temporary ".json"
    local _, out = side_by_side({first, second, third}, {"--json", path})
    for _, line in ipairs {"clue: columns 1 and 2: 0.4.0; column 3: 0.5.0", "cores: columns 1 and 2: 2; column 3: 8",
                           "--size: columns 1 and 3: -; column 2: 64", "--type: columns 1 and 3: -; column 2: int",
                           "--set: columns 1 and 2: tile=8 wpt=2; column 3: tile=16",
                           "--options: columns 1 and 2: -; column 3: -cl-fast-relaxed-math",
                           "CLUE_BUILD_OPTIONS: columns 1 and 2: -; column 3: -w",
                           "--until-stable: columns 1 and 3: -; column 2: yes",
                           "driver: columns 1 and 2: 3.1+debian; column 3: 4.0"} do
      has(out, "\n  " .. line .. "\n")
    end
    has_not(out, "--repeat")
    local found = {}
    local document = json.decode(support.read(path))
    for _, fact in ipairs(document.conditions) do found[fact.what] = fact.values end
    assert.same({"-", "64", "-"}, found["--size"])
    assert.same({"3.1+debian", "3.1+debian", "4.0"}, found.driver)
    assert.same({"tile=16"}, document.columns[3].options.set)
    _, out = side_by_side({first, third}, {"--json", path})
    assert.matches("\n  %-%-set +tile=8 wpt=2 +tile=16\n", out)
    _, out = side_by_side({first, second}, {"--json", path})
    assert.matches("\n  %-%-until%-stable +%- +yes\n", out)
    document = json.decode(support.read(path))
    assert.same({"--size", "-", "64"}, {document.conditions[1].what, document.conditions[1].values[1],
      document.conditions[1].values[2]})
    assert.is_true(document.columns[2].options.until_stable)
  end)

  it("does not call the drivers of different devices a condition", function()
    local _, out = side_by_side {walk_of(1, {only = "copies"}), walk_of(2, {only = "copies"}), fast}
    has_not(out, "the runs differ in")
    has_not(out, "driver:")
  end)

  it("takes copies of a walkthrough under another name, unless a column has both", function()
    local copy, both = walk_of(1, {only = "copies", scale = 0.5}), walk_of(1, {only = "copies"})
    copy.walkthroughs[1].name, copy.walkthroughs[1].from, copy.walkthroughs[1].title = "mine", "copies", "Mine"
    local path = support.temporary ".json"
    local _, out = side_by_side({slow, copy, half}, {"--json", path})
    has(out, "\ncopies, in column 2 its copy mine: a matrix of floats\n")
    has_cells("| [%d.]+ | >[%d.]+ | [%d.]+$", out, "5  vectors: float4")
    assert.same({{column = 2, name = "mine"}}, json.decode(support.read(path)).tables[1].copies)
    both.walkthroughs[2] = copy.walkthroughs[1]
    _, out = side_by_side {slow, both, fast}
    has(out, "\ncopies: a matrix of floats\n")
    has(out, "\nmine: a matrix of floats\n")
  end)

  it("takes an edited step of a copy for the original's, as for two files", function()
    local original, copy = walk_of(1, {only = "product"}), walk_of(1, {only = "product", scale = 0.5})
    copy.walkthroughs[1].name, row_of(copy, 1, 1, 4).name = "mine", "my_tiles"
    local path = support.temporary ".json"
    local _, out = side_by_side({original, walk_of(1, {only = "product"}), copy}, {"--json", path})
    has(out, "\nproduct, in column 3 its copy mine: A 480 x 480 times B 480 x 480, float\n")
    has_cells("^GFLOPS | kernel | [%d.]+ | [%d.]+ | >[%d.]+$", out, "4  tiles | my_tiles")
    assert.equal("my_tiles", json.decode(support.read(path)).tables[1].rows[4].cells[3].name)
  end)

  it("says which columns built another kernel", function()
    local other = walk_of(1, {only = "copies"})
    for _, step in ipairs {2, 4} do
      row_of(other, 1, 1, step).programs[1].options = "-cl-fast-relaxed-math"
    end
    local path = support.temporary ".json"
    local _, out = side_by_side({slow, other, fast}, {"--json", path})
    has(out, "\nsteps 2, 4: the kernel or its build options differ: columns 1 and 3; column 2\n")
    local rows = json.decode(support.read(path)).tables[1].rows
    assert.same({{1, 3}, {2}}, rows[2].kernels)
    assert.is_nil(rows[1].kernels)
  end)

  it("gives the points of a sweep the figures that the sweep prints: those of the kernel", function()
    local sweeps = {sample.sweep(), sample.sweep(), sample.sweep()}
    for _, sweep in ipairs(sweeps) do
      for _, run in ipairs(sweep.walkthroughs[1].runs) do
        for _, row in ipairs(run.rows) do
          row.times.kernel, row.times.total = {0.001, 0.001, 0.001}, {0.004, 0.004, 0.004}
          row.times.flops, row.times.rate = 2e9, "GFLOPS"
        end
      end
    end
    local _, out = side_by_side(sweeps)
    has_cells("^GFLOPS | kernel | >2000 | >?%d+ | >2000$", out, "4  tiles  512, tile 16")
    local path = support.temporary ".json"
    _, out = side_by_side({sweeps[1], sweeps[2]}, {"--json", path})
    assert.matches("\n4  tiles +512, tile 16 +kernel +1%.000 ", out)
    assert.equal("kernel", json.decode(support.read(path)).tables[1].rows[1].part)
  end)

  it("matches the points of sweeps", function()
    local _, out = side_by_side {sample.sweep(), sample.sweep {seed = 3}, sample.sweep {seed = 4, scale = 0.5}}
    has_cells("^GFLOPS | kernel | [%d.]+ | [%d.]+ | >[%d.]+$", out, "4  tiles  512, tile 16")
    assert.matches("\n +over steps +9 +9 +9\n", out)
  end)

  it("matches sweeps of different sizes where that leaves no choice, as for two files", function()
    local sweeps = {}
    for i, size in ipairs {"256", "512", "1024"} do
      sweeps[i] = sample.sweep {sizes = {size}}
      sweeps[i].walkthroughs[1].sweep.sizes = nil
    end
    local _, out = side_by_side(sweeps)
    assert.matches("\n4  tiles +256, tile 8 | 512, tile 8 | 1024, tile 8 +GFLOPS +kernel +>?[%d.]+ ", out)
    assert.matches("\n +over steps +3 +3 +3\n", out)
  end)

  it("judges the steps of a walk beside a sweep by the kernel's time, as the sweep's", function()
    local walk = walk_of(1, {only = "product"})
    local _, out = side_by_side {walk, walk_of(1, {only = "product", seed = 2}), sample.sweep {devices = 1}}
    has_cells("^GFLOPS | kernel | >?[%d.]+ | >?[%d.]+ | %-$", out, "4  tiles")
    assert.matches("\n4  tiles +512, tile 16 +GFLOPS +kernel +%- +%- +[%d.]+", out)
  end)

  it("says whose clock timed the kernels", function()
    local other = walk_of(1, {only = "copies"})
    for i = 1, 5 do row_of(other, 1, 1, i).times.clock = "host" end
    local _, out = side_by_side {slow, fast, other}
    has(out, "column 3: kernel times are by the host clock, since the device's timer cannot be trusted\n")
  end)

  for _, width in ipairs {60, 80, 132} do
    it(("fits %d columns, in blocks if need be"):format(width), function()
      local documents = {}
      for i = 1, 5 do documents[i] = sample.walk {seed = i} end
      local _, out = side_by_side(documents, {"--by", "step"}, {COLUMNS = tostring(width)})
      for line in out:gmatch "[^\n]+" do
        local characters = line:gsub("[\128-\191]", "")
        assert.is_true(#characters <= width or line:find "/" ~= nil, line)
      end
      local blocks = select(2, out:gsub("\n#  step +unit +", ""))
      assert.is_true(width == 132 or blocks > 3, out) -- more than a block for each walkthrough
      for number = 1, 10 do assert.matches("\n *[%d ]* " .. number .. "[ \n]", out) end
    end)
  end
end)

describe("clue compare of one file", function()
  it("takes the devices of a file as columns", function()
    local out = support.ended(0, side_by_side {sample.walk()})
    has(out, "clue walk: 2 results side by side")
    assert.matches("\n#  step +unit +time +pthread%S+ [^\n]-peak%% +NVIDIA H200 [^\n]-peak%%\n", out)
    assert.matches("^GB/s | kernel | [%d.]+ | 85 | >[%d.]+ | 98$",
      support.cells(out, "5  vectors: float4", "unit", "time", "1", "peak%", "2", "peak%"))
  end)

  it("refuses a file with one device", function()
    local err = support.refused(1, side_by_side {walk_of(2)})
    has(err, "has the results of one device, NVIDIA H200: give a second file\n")
    local empty = sample.walk()
    empty.walkthroughs = {}
    has(select(3, side_by_side {empty}), "has no results\n")
  end)
end)

describe("clue compare of three files of limits", function()
  it("prints a row for each limit: a rate is better if it is larger, a time if it is smaller", function()
    local broken = sample.peak {seed = 4}
    broken.limits[2].wrong = "an element is 3, should be 4"
    broken.limits[3] = {group = "global", name = "copy", skipped = "no memory"}
    table.remove(broken.limits, 1)
    local out, err = support.ended(1, side_by_side {sample.peak(), sample.peak {seed = 3, scale = 1.25}, broken})
    assert.equal("", err)
    has(out, "!! compute: double2: WRONG in column 3, verified in columns 1 and 2: an element is 3, should be 4\n")
    assert.matches("\ncompute: float4 +GFLOPS +>60200 +48160 +%-\n", out)
    assert.matches("\ncompute: double2 +GFLOPS +>31000 +24800 +WRONG\n", out)
    assert.matches("\nglobal: copy +GB/s +>3800 +3040 +skipped\n", out)
    assert.matches("\nlatency: launch +us +>4%.100 +5%.125 +>4%.100\n", out) -- both best: they are printed alike
    assert.matches("\nratio to 1 +1%.00 +0%.80 +1%.00\nover limits +4 +4 +1\n", out)
    has(out, "over the limits that are verified in both; above 1: better than column 1")
  end)

  it("keeps the limits of a group together, also those that a later file adds", function()
    local more = sample.peak()
    table.insert(more.limits, 3, {group = "compute", name = "half8", unit = "GFLOPS", value = 90000, times = {1}})
    local _, out = side_by_side {sample.peak(), more, sample.peak()}
    assert.matches("\ncompute: double2[^\n]+\ncompute: half8 +GFLOPS +%- +90000 +%-\nglobal: copy ", out)
  end)

  it("takes one file with several devices", function()
    local both = {format = "clue peak 1", clue = "0.4.0", devices = {sample.peak(), sample.peak {scale = 2}}}
    both.devices[1].device.address, both.devices[1].device.name = "0:0", "a CPU"
    local out = support.ended(0, side_by_side {both})
    assert.matches("\ncompute: float4 +GFLOPS +>60200 +30100\n", out)
  end)
end)

describe("clue compare of results of clue tune", function()
  it("prints a row for each device: time, interval, metrics, counts, configuration", function()
    local out = support.clean(side_by_side {sample.tune {device = 1, scale = 3}, sample.tune()})
    has(out, "tiles: the best configuration on each device; 95 %: the interval of the median time\n")
    assert.matches("\n1  pthread[^\n]+ 15%.0 ms  %S+ ms to 15%.%d ms +6%.667 +6 +1  BLOCK=32 PAD=1 VEC=2\n", out)
    assert.matches("\n2  NVIDIA H200 +5%.00 ms  %S+ ms to 5%.%d+ ms +20%.00 +6 +1  BLOCK=32 PAD=1 VEC=2\n", out)
    assert.matches("\n2  NVIDIA H200 +1:0  570%.86%.15 +0%.4%.0 +2026%-11%-21T12:00:00Z", out)
  end)

  it("says so if a run ended early, or if nothing works", function()
    local _, out = side_by_side {sample.tune {best = false}, sample.tune {none = true, device = 1}}
    assert.matches("\n1  NVIDIA H200 +%d%.%d+ ms +6 +1", out)
    has(out, "1: the time is that of the search: the run ended before the best were measured again\n")
    assert.matches("\n2  pthread[^\n]+ none works +6 +6\n", out)
  end)

  it("keeps spaces apart, and folds the configurations", function()
    local _, out = side_by_side({sample.tune(), sample.tune {device = 1, name = "other"}, sample.tune {seed = 3}}, nil,
      {COLUMNS = "70"})
    has(out, "\ntiles: the best")
    has(out, "\nother: the best")
    assert.matches("\n3: BLOCK=32 PAD=1 VEC=2\n", out)
    has(out, "results 1 and 3 are of devices of the same name, NVIDIA H200")
  end)

  it("keeps objectives apart", function()
    local other = sample.tune {seed = 3}
    for _, result in ipairs(other.results) do result.objectives = {"GFLOPS"} end
    local _, out = side_by_side {sample.tune(), other}
    has(out, "\ntiles: the best configuration on each device;")
    has(out, "\ntiles: the best configuration by GFLOPS on each device;")
  end)

  it("says where the spaces and the strategies differ", function()
    local other = sample.tune {seed = 3}
    other.clue.tune_params.BLOCK, other.clue.strategy = {8, 16}, "greedy"
    local _, out = side_by_side {sample.tune(), other}
    has(out, "\n  tune_params: column 1: BLOCK=8,16,32 PAD=1 VEC=1,2; column 2: BLOCK=8,16 PAD=1 VEC=1,2\n")
    has(out, "\n  --strategy: column 1: random; column 2: greedy\n")
  end)

  it("refuses another tuner's, and what clue would not have written", function()
    local other, broken = sample.tune(), sample.tune()
    other.clue = nil
    broken.clue.best[1].runtimes[2] = "fast"
    local _, err = support.ended(1, side_by_side {other, broken})
    has(err, "T4 results of another tuner; give those that `clue tune` wrote\n")
    has(err, "not as clue wrote it: clue.best[0].runtimes is not a list of numbers\n")
    has(select(3, side_by_side {sample.tune()}), "has the results of one device, NVIDIA H200: give a second file\n")
    has(select(3, side_by_side {sample.tune(), sample.walk()}), "give two files of the same command")
  end)
end)

describe("clue compare's document of many results", function()
  local function written(documents)
    local path = support.temporary ".json"
    side_by_side(documents, {"--json", path})
    return json.decode(support.read(path))
  end

  it("has the columns, a cell for each, and the ratios", function()
    local other = walk_of(2, {only = "copies"})
    row_of(other, 1, 1, 1).check = {verified = false, text = "C[0] is 1"}
    local document = written {walk_of(1, {only = "copies"}), other, walk_of(1, {only = "copies", scale = 0.5})}
    assert.equal("clue compare 2", document.format)
    assert.equal("clue walk", document.kind)
    assert.equal("570.86.15", document.columns[2].device.driver)
    assert.equal("0.4.0", document.columns[3].clue)
    local rows = document.tables[1].rows
    assert.equal("copies", document.tables[1].walkthrough)
    assert.same({"WRONG", "C[0] is 1"}, {rows[1].cells[2].verdict, rows[1].cells[2].why})
    assert.is_nil(rows[1].cells[2].value)
    assert.equal("GB/s", rows[2].unit)
    assert.is_true(rows[2].cells[2].best and rows[2].cells[2].value > rows[2].cells[3].value)
    assert.equal(4, document.tables[1].ratios[2].rows)
    assert.is_true(math.abs(document.tables[1].ratios[3].ratio - 2) < 0.1)
  end)

  it("has the limits, and the best configurations", function()
    local limits = written {sample.peak(), sample.peak {scale = 2}, sample.peak {scale = 3}}
    assert.same({"compute", "float4", 60200}, {limits.tables[1].rows[1].study, limits.tables[1].rows[1].name,
      limits.tables[1].rows[1].cells[1].value})
    local row = written({sample.tune(), sample.tune {scale = 2}}).tables[1].rows[2]
    assert.same({2, 6, 1, 32}, {row.column, row.evaluated, row.failed, row.configuration.BLOCK})
    assert.is_true(row.low <= row.seconds and row.seconds <= row.high)
  end)

  it("fails if it cannot be written", function()
    for _, option in ipairs {"--json", "--csv"} do
      local _, err = support.ended(1, side_by_side({sample.walk()}, {option, "/nowhere/x"}))
      assert.matches(("clue compare: %s: cannot write /nowhere/x: No such file"):format(option), err, 1, true)
    end
  end)
end)

describe("clue compare of many files, used wrongly,", function()
  it("refuses options for two files", function()
    for _, option in ipairs {"--device-a", "--device-b", "--step-a", "--step-b"} do
      local err = support.refused(2, side_by_side({sample.peak(), sample.peak(), sample.peak()}, {option, "1"}))
      has(err, option .. " goes with two files;")
    end
    has(select(3, side_by_side({sample.walk()}, {"--device-a", "cpu"})), "goes with two files: give this one twice;")
    assert.equal(2, (side_by_side({sample.tune(), sample.tune()}, {"--device-a", "cpu"})))
  end)

  it("refuses one file twice, also under another path", function()
    local a, b = file(sample.walk()), file(sample.walk())
    local err = support.refused(2, support.run {"compare", a, b, a})
    has(err, a .. " is given twice;")
    local other = a:gsub("([^/]+)$", "./%1")
    has(select(3, support.run {"compare", a, b, other}), ("%s and %s are the same file;"):format(a, other))
    local tuned = file(sample.tune())
    assert.equal(2, (support.run {"compare", tuned, tuned}))
  end)

  it("names every file that cannot be read", function()
    local err = support.refused(1, side_by_side {"", "x", sample.walk(), {format = "clue compare 2"}})
    has(err, "is empty")
    has(err, "not JSON")
    has(err, "its format is 'clue compare 2'")
    for line in err:gmatch("[^\n]+") do assert.matches("^clue compare: ", line) end
  end)

  it("refuses files of different commands", function()
    local err = support.refused(1, side_by_side {sample.walk(), sample.peak(), sample.walk()})
    has(err, "is from clue peak: give files of the same command\n")
  end)
end)
