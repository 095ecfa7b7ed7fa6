-- `clue compare`, as users run it.
-- suite: whole
-- builds: luajit lua54
local compare_module = require "clue.show.compare"
local figures = require "clue.result.columns"
local json = require "dkjson"
local lists = require "clue.shared.list"
local sample = require "sample_documents"
local support = require "support"
local text = require "clue.show.text"

local file, has, has_not, row_of = sample.file, support.has, support.has_not, sample.row

local function compare(a, b, more, env)
  return support.run(support.words({"compare", file(a), file(b)}, more), env)
end

local function has_cells(expected, ...) assert.matches(expected, support.cells(...)) end

describe("clue compare", function()
  it("lists what became faster, with the gain and its confidence interval", function()
    local out = support.clean(compare(sample.walk(), sample.walk {seed = 5, scale = 0.8}, nil, {COLUMNS = "200"}))
    has(out, "the same clue, on the same kind of machine")
    has(out, "device NVIDIA H200 (1:0) in both")
    has_cells("^kernel | 6%.%d+ | %d+ | 23 | 5%.%d+ | %d+ | 29 | 1%.2%d %(1%.2%d%-1%.2%d%) | 1%.2%d %([%d.-]+%) "
      .. "| B faster$", out, "4  tiles", "time", "ms", "range%", "peak%", "ms", "range%", "peak%", "(95 %)",
      "in total", "result")
    has_cells("^unclear$", out, "3  sum_local", "result")
    has_cells("^total | [%d.]+ | [%d.]+ | 1%.00 | too few runs to know$", out, "1  loops (host)", "time", "ms", "ms",
      "(95 %)", "result")
    has(out, "caution: each file is one run")
  end)

  it("compares the time by which a step is judged, such as the kernel's time", function()
    local before, now = sample.walk {only = "copies"}, sample.walk {only = "copies"}
    local total = row_of(now, 1, 1, 2).times.total
    for i = 1, #total do total[i] = total[i] * 10 end
    local _, out = compare(before, now)
    assert.matches("\n2 +transpose: tile +kernel [^\n]+ no difference\n", out)
    has_not(out, "faster")
  end)

  it("finds no difference between equal times, or between a run and itself", function()
    local _, out = compare(sample.walk(), sample.walk {seed = 77})
    has_not(out, "faster")
    has(out, "no difference")
    local status, itself = compare(sample.walk(), sample.walk())
    assert.equal(0, status)
    has_not(itself, "faster")
  end)

  it("finds no difference if the interval, as it is printed, reaches 1", function()
    for spread, words in pairs {[45e-4] = "1%.02 %(1%.01%-1%.03%)[^\n]+ B faster",
                                [55e-4] = "1%.02 %(1%.00%-1%.04%)[^\n]+ no difference"} do -- from 1.0034
      local before, now = sample.walk {only = "copies"}, sample.walk {only = "copies"}
      local was, is = row_of(before, 1, 1, 1).times, row_of(now, 1, 1, 1).times
      was.kernel, is.kernel = {}, {} -- by which these steps are judged
      for i = 1, 7 do was.kernel[i], is.kernel[i] = 1.02 + i * spread, 1 + i * spread end
      assert.matches("\n1 +[^\n]+ " .. words, (select(2, compare(before, now))))
      assert.matches(words:find "no" and "1%.00%)[^\n]+ no difference" or "A faster", (select(2, compare(now, before))))
    end
  end)

  it("swaps faster and slower when its files are swapped", function()
    local slow, fast = sample.walk {only = "copies"}, sample.walk {only = "copies", seed = 5, scale = 0.5}
    has(select(2, compare(slow, fast)), "10 steps in both: 10 faster in B\n")
    has(select(2, compare(fast, slow)), "10 steps in both: 10 slower in B\n")
  end)

  it("fails with a loud line for each result that is no longer verified #once", function()
    local before, now = sample.walk(), sample.walk()
    row_of(now, 1, 2, 4).check = {verified = false, text = "C[0][0] is 1, should be 2"}
    row_of(now, 2, 1, 1).failed = {word = "crashed", text = "SIGSEGV"}
    row_of(now, 2, 1, 2).skipped = "no local memory"
    local out = support.ended(1, compare(before, now, nil, {COLUMNS = "200"}))
    has(out, "!! NO LONGER VERIFIED: product step 4 tiles on NVIDIA H200: WRONG in B: C[0][0] is 1, should be 2\n")
    has(out, "!! NO LONGER VERIFIED: copies step 1 read_rows on pthread")
    has(out, "crashed in B: SIGSEGV\n")
    has(out, "skipped in B: no local memory\n")
    has(out, "3 NO LONGER VERIFIED")
    assert.matches("\n4 +tiles[^\n]+!! verified, then WRONG\n", out)
    local back, other = compare(now, before, nil, {COLUMNS = "200"})
    assert.equal(0, back)
    has(other, "!! VERIFIED ONLY IN B: product step 4 tiles on NVIDIA H200: WRONG in A: C[0][0] is 1, should be 2\n")
  end)

  it("does not compare the times of wrong results", function()
    local before = sample.walk {only = "copies", devices = 1}
    local now = sample.walk {only = "copies", devices = 1, scale = 0.1}
    row_of(now, 1, 1, 3).check.verified = false
    local out = support.ended(1, compare(before, now))
    has(out, "5 steps in both: 4 faster in B, 1 NO LONGER VERIFIED\n")
  end)

  it("compares two devices, and lists how they differ", function()
    local cpu, gpu = sample.walk {only = "copies"}, sample.walk {only = "copies"}
    table.remove(cpu.walkthroughs[1].runs, 2)
    table.remove(gpu.walkthroughs[1].runs, 1)
    for _, row in ipairs(gpu.walkthroughs[1].runs[1].rows) do row.size = cpu.walkthroughs[1].runs[1].rows[1].size end
    local out = support.ended(0, compare(cpu, gpu))
    assert.matches("\n  device pthread%S+ EPYC <9V74> & \"friends\" %(0:0%) against NVIDIA H200 %(1:0%)\n", out)
    assert.matches("\n  driver +3%.1%+debian +570%.86%.15\n", out)
    assert.matches("\n  platform +Portable Computing Language +NVIDIA CUDA\n", out)
    has(out, "5 steps in both")
  end)

  it("takes one of several devices, even both sides from one file", function()
    local path = file(sample.walk {only = "product"})
    local words = {"compare", path, path, "--device-a", "0:0", "--device-b", "h200"}
    local out = support.ended(0, support.run(words, {COLUMNS = "200"}))
    assert.matches("%(0:0%) against NVIDIA H200 %(1:0%)\n", out)
    has_not(out, "only in A: device")
    words[5] = "voodoo"
    local refused, _, err = support.run(words)
    assert.equal(1, refused)
    assert.matches("has no device 'voodoo'; there is: 0:0 pthread[^\n]*, 1:0 NVIDIA H200\n", err)
  end)

  it("recognises a device whose ordinal changed", function()
    local before, now = sample.walk {only = "copies"}, sample.walk {only = "copies"}
    now.devices[1].address, now.devices[2].address = "1:0", "0:0"
    now.walkthroughs[1].runs[1].device, now.walkthroughs[1].runs[2].device = "1:0", "0:0"
    local out = select(2, compare(before, now))
    has(out, "device NVIDIA H200 (1:0) in A, 0:0 in B\n")
    has_not(out, "against")
  end)

  it("says by which words a device is meant, and takes no other one #once", function()
    local path = file(sample.walk {only = "copies"})
    local function chosen(a, b)
      return support.run({"compare", path, path, "--device-a", a, "--device-b", b}, {COLUMNS = "200"})
    end
    for _, pair in ipairs {{"0:0", "1:0"}, {"0", "1"}, {"cpu", "GPU"}, {"pthread", "h200"}} do
      local out = support.ended(0, chosen(pair[1], pair[2]))
      assert.matches("%(0:0%) against NVIDIA H200 %(1:0%)\n", out)
    end
    local out, err = support.ended(1, chosen("2", "1")) -- no part of the name H200
    assert.equal("", out)
    has(err, "has no device '2'; there is: 0:0")
    out, err = support.ended(1, chosen("0:0", "d"))
    assert.equal("", out)
    has(err, ("'d' fits several devices of %s: 0:0 pthread"):format(path))
    local one = file(sample.peak())
    out, err = support.ended(1, support.run {"compare", one, one, "--device-a", "voodoo"})
    assert.equal("", out)
    has(err, "has no device 'voodoo'; there is: 1:0 NVIDIA H200\n")
    assert.equal(0, (support.run {"compare", one, one, "--device-a", "h200"}))
  end)

  it("says which file is missing", function()
    local _, err = support.ended(2, support.run {"compare"})
    assert.equal("clue compare: missing A.json: the earlier run, or the first column; - for standard input; `clue "
      .. "compare --help` lists the options\n", err)
  end)

  it("does not replace a file that it compares", function()
    local a, b = file(sample.walk()), file(sample.walk())
    local before = support.read(b)
    local err = support.refused(2, support.run {"compare", a, b, "--json", (b:gsub("([^/]+)$", "./%1"))})
    has(err, "clue compare: --json would replace ")
    assert.equal(before, support.read(b))
  end)

  it("says that only one file has a walkthrough, not a device", function()
    local _, out = compare(sample.walk {only = "copies", devices = 1}, sample.walk {only = "product", devices = 1})
    assert.matches("\ncopies\n  only in A, on device pthread[^\n]+%(0:0%)\n", out)
    assert.matches("\nproduct\n  only in B, on device pthread[^\n]+%(0:0%)\n", out)
  end)

  it("lists differences in clue, machine and driver", function()
    local now = sample.walk()
    now.clue, now.machine.cores, now.devices[1].driver = "0.5.0", 8, "4.0"
    local out = select(2, compare(sample.walk(), now))
    assert.matches("\n  clue +0%.4%.0 +0%.5%.0\n", out)
    assert.matches("\n  cores +2 +8\n", out)
    assert.matches("\n  driver +3%.1%+debian +4%.0\n", out)
    has_not(out, "the same clue")
  end)

  it("fails also if the step that is no longer verified computed another problem", function()
    local before, now = sample.walk {only = "copies", devices = 1}, sample.walk {only = "copies", devices = 1}
    local row = row_of(now, 1, 1, 3)
    row.size.side, row.check = 9, {verified = false, text = "C[0] is 1"}
    local out = support.ended(1, compare(before, now, nil, {COLUMNS = "200"}))
    has(out, "!! NO LONGER VERIFIED: copies step 3 padded on pthread")
    has_not(out, "only in")
  end)

  it("tells steps that neither side verified from those without times", function()
    local document = sample.walk {only = "copies", devices = 1}
    row_of(document, 1, 1, 1).check = {verified = false, text = "C[0] is 1"}
    row_of(document, 1, 1, 2).skipped = "no local memory"
    has(select(2, compare(document, document)), "5 steps in both: 3 without difference, 2 not verified in either\n")
  end)

  it("tells the sizes where the words for the problems are the same", function()
    local _, out = support.run({"compare", file(sample.walk {only = "copies"}), file(sample.walk {only = "copies"}),
      "--device-a", "cpu", "--device-b", "gpu"}, {COLUMNS = "200"})
    has(out, "speeds of different problems: A computed a matrix of floats (side=4096); B computed a matrix of floats "
      .. "(side=32768)\n")
  end)

  it("marks what is computed from something extrapolated", function()
    local _, out = support.run({"compare", file(sample.walk {only = "product"}), file(sample.walk {only = "product"}),
      "--device-a", "cpu", "--device-b", "gpu"}, {COLUMNS = "200"})
    has_cells("^1%.100 GFLOPS | ~1%.100 GFLOPS | ~1%.00 | too few runs to know$", out, "1  loops (host)", "speed",
      "speed", "(95 %)", "result")
  end)

  it("says whose clock timed the kernels", function()
    local now = sample.walk {only = "copies", devices = 1}
    row_of(now, 1, 1, 3).times.clock = "host"
    local _, out = compare(sample.walk {only = "copies", devices = 1}, now)
    has(out, "\nB: kernel times are by the host clock, since the device's timer cannot be trusted\n")
  end)

  it("marks a step whose kernel or build options changed", function()
    local now = sample.walk()
    row_of(now, 1, 1, 2).programs[1].options = "-cl-fast-relaxed-math"
    local out = select(2, compare(sample.walk(), now))
    assert.matches("\n%*2 +one_item_per_element", out)
    has(out, "*: the kernel or its build options differ")
  end)

  it("compares the speeds of different problems, not their times", function()
    local now = sample.walk {devices = 1, only = "product"}
    local row = row_of(now, 1, 1, 4)
    row.size, row.problem, row.times.flops = {m = 960}, "A 960 x 480 times B 480 x 480, float", row.times.flops * 2
    for part, times in pairs(row.times) do
      for i = 1, type(times) == "table" and part ~= "read" and #times or 0 do times[i] = times[i] * 4 end
    end
    local document = support.temporary ".json"
    local out = support.ended(0, compare(sample.walk {devices = 1, only = "product"}, now, {"--json", document},
      {COLUMNS = "300"}))
    has_cells("^6%.%d+ | 33%.%d+ GFLOPS | 23 | 26%.%d+ | 16%.%d+ GFLOPS | 11 | 0%.50 %(0%.%d+%-0%.%d+%) | A faster$",
      out, "4  tiles", "ms", "speed", "peak%", "ms", "speed", "peak%", "(95 %)", "result")
    has_cells("^unclear$", out, "3  sum_local", "result")
    has(out, "step 4: speeds of different problems: A computed A 480 x 480 times B 480 x 480, float; B computed "
      .. "A 960 x 480 times B 480 x 480, float\n")
    local pair = json.decode(support.read(document)).tables[1].rows[4]
    assert.equal("GFLOPS", pair.unit)
    assert.is_true(math.abs(pair.cells[1].value / pair.cells[2].value - 2) < 0.1)
    assert.equal("A 960 x 480 times B 480 x 480, float", pair.cells[2].problem)
  end)

  it("does not compare different problems without speeds, and lists steps that only one file has", function()
    local now = sample.walk {devices = 1}
    local row = row_of(now, 1, 1, 2)
    row.size.m, row.problem, row.times.rate = 2000, "A 2000 x 480 times B 480 x 480, float", nil
    table.remove(now.walkthroughs[2].runs[1].rows, 5)
    table.remove(now.walkthroughs, 3)
    local out = support.ended(0, compare(sample.walk(), now, nil, {COLUMNS = "300"}))
    has(out, "only in A: step 2 one_item_per_element (A 480 x 480 times B 480 x 480, float); B has it for another "
      .. "problem: A 2000 x 480 times B 480 x 480, float\n")
    has(out, "only in B: step 2 one_item_per_element (A 2000 x 480 times B 480 x 480, float); A has it")
    has(out, "only in A: step 5 float4 (a matrix of floats)\n")
    has(out, "only in A: device NVIDIA H200 (1:0)\n")
  end)

  it("compares a copy of a walkthrough under another name, and an edited step under another name", function()
    local copy = sample.walk {devices = 1, only = "product", seed = 3}
    copy.walkthroughs[1].name = "mine"
    local row = row_of(copy, 1, 1, 4)
    row.name, row.programs[1].source = "my_tiles", "kernel void product() {}\n"
    local original = sample.walk {devices = 1}
    local _, out = compare(original, copy, nil, {COLUMNS = "300"})
    has(out, "\nproduct against mine")
    assert.matches("\n *%*4 +tiles | my_tiles +kernel +6%.%d+ [^\n]+ no difference\n", out)
    has(out, "8 steps in both")
    copy.walkthroughs[1].title = "My own title" -- it is the only other one, and has steps of the original
    table.remove(original.walkthroughs, 2)
    table.remove(original.walkthroughs, 2)
    has(select(2, compare(original, copy)), "8 steps in both")
    for _, each in ipairs(copy.walkthroughs[1].runs[1].rows) do each.name = "other_" .. each.number end
    has(select(2, compare(original, copy)), "no step is in both")
  end)

  it("compares one step with another one, even from the same file", function()
    local path = file(sample.walk {devices = 1, only = "product"})
    local words = {"compare", path, path, "--step-a", "2", "--step-b", "4"}
    local out = support.ended(0, support.run(words, {COLUMNS = "200"}))
    has_cells("^66%.%d+ | 2%.3 | 6%.%d+ | 23 | %d+%.%d+ %([%d.-]+%) | B faster$", out,
      "*2|4  one_item_per_element | tiles  kernel", "ms", "peak%", "ms", "peak%", "(95 %)", "result")
    has(out, "1 step in both: 1 faster in B\n")
    words[7] = "40"
    local refused, _, err = support.run(words)
    assert.equal(1, refused)
    assert.matches("has no step '40'; there are: 1 loops, 2 one_item_per_element", err, 1, true)
    assert.equal(2, (compare(sample.peak(), sample.peak(), {"--step-a", "1"})))
  end)

  it("compares the points of sweeps", function()
    local before, now = sample.sweep {devices = 1}, sample.sweep {devices = 1, scale = 0.5, seed = 4}
    local out = support.ended(0, compare(before, now, nil, {COLUMNS = "200"}))
    assert.matches("\n4 +tiles +512, tile 16 +kernel +[^\n]+ 2%.%d+ %([^\n]+ B faster\n", out)
    assert.matches("\n4 +tiles +512, tile 8 +kernel +[^\n]+ no difference\n", out)
    has(out, "9 steps in both: 3 faster in B, 6 without difference\n")
  end)

  it("compares sweeps of different sizes by speed, where that leaves no choice", function()
    local small, large = sample.sweep {sizes = {"256"}}, sample.sweep {sizes = {"512"}}
    small.walkthroughs[1].sweep.sizes, large.walkthroughs[1].sweep.sizes = nil, nil
    local _, out = compare(small, large, nil, {COLUMNS = "200"})
    assert.matches("\n4 +tiles +256, tile 8 | 512, tile 8 +kernel [^\n]+ no difference\n", out)
    has(out, "3 steps in both: 3 without difference\n")
    _, out = compare(sample.sweep {sizes = {"256", "512"}}, sample.sweep {sizes = {"1024", "2048"}})
    has(out, "only in A: step 4 tiles at 256, tile 8 (A 256 x 256 times B, float)")
    has(out, "no step is in both")
  end)

  it("notes that a run did not finish", function()
    local now = sample.walk()
    now.finished = nil
    has(select(2, compare(sample.walk(), now)), "(did not finish)")
  end)

  it("writes the comparison as JSON", function()
    local path = support.temporary ".json"
    support.ended(0, compare(sample.walk(), sample.walk {seed = 5, scale = 0.8}, {"--json", path}))
    local document = assert(json.decode(support.read(path)))
    assert.equal("clue compare 2", document.format)
    assert.equal("clue walk", document.kind)
    assert.same({"0.4.0", "B"}, {document.columns[2].clue, document.columns[2].mark})
    assert.equal("NVIDIA H200", document.tables[2].devices[2].name)
    local pair = document.tables[1].rows[4]
    assert.equal("tiles", pair.name)
    assert.same({"better", "verified"}, {pair.gain.word, pair.cells[1].verdict})
    assert.near(0.23, pair.cells[1].share_of_peak, 0.01)
    assert.is_true(pair.gain.low < 1.25 and pair.gain.high > 1.24 and pair.gain.ratio > 1.2)
    assert.equal(7, pair.gain.count)
    assert.is_nil(pair.cells[1].row)
  end)

  it("has the figures that the columns' table wants compared", function()
    figures.runs.compared = "how often"
    local files = {}
    for i = 1, 3 do
      files[i] = {path = i .. ".json", kind = "clue walk",
                  document = sample.walk {only = "copies", devices = 1, seed = i}}
    end
    local two, three = compare_module.two({files[1], files[2]}, {}), compare_module.many(files, "step")
    for _, it in ipairs {two, three} do
      local lines = lists.map(text.lines({compare_module.blocks(it)}, 200), function(line) return line[1] end)
      assert.matches("how often", table.concat(lines, "\n"))
      assert.equal(7, compare_module.document(it).tables[1].rows[1].cells[2].runs)
    end
    figures.runs.compared = nil
  end)

  it("writes the comparison as a page #once", function()
    local path = support.temporary ".html"
    local status, out, err = compare(sample.walk(), sample.walk {seed = 5, scale = 0.8}, {"--html", path})
    assert.same({0, "", ""}, {status, out, err})
    local page = support.read(path)
    assert.matches("^<!DOCTYPE html>", page)
    has(page, "B faster")
    has(page, "&lt;9V74&gt; &amp; &quot;friends&quot;")
    has(page, "caution: each file is one run")
    assert.matches('"format":"clue compare 2"', page)
    local a = file(sample.walk())
    out = select(3, support.run {"compare", a, file(sample.walk()), "--html", a})
    has(out, ("--html would replace %s, which is read: give it another file"):format(a))
    status, out, err = compare(sample.walk(), sample.walk(), {"--html", "/nowhere/x.html"})
    assert.same({1, ""}, {status, out})
    assert.matches("^clue compare: %-%-html: cannot write /nowhere/x%.html", err)
  end)

  it("marks a step that is faster than the device's peak", function()
    local before, now = sample.walk {only = "copies"}, sample.walk {only = "copies", scale = 0.5}
    local _, out = compare(before, now, nil, {COLUMNS = "200"})
    has_cells("^85 | >100$", out, "5  vectors: float4", "peak%", "peak%")
  end)

  it("fails if the JSON cannot be written", function()
    local _, err = support.ended(1, compare(sample.walk(), sample.walk(), {"--json", "/nowhere/x.json"}))
    assert.matches("^clue compare: %-%-json: cannot write /nowhere/x%.json: No such file", err)
  end)

  for _, width in ipairs {80, 100, 132} do
    it(("fits %d columns"):format(width), function()
      local _, out = compare(sample.walk(), sample.walk {seed = 5}, nil, {COLUMNS = tostring(width)})
      for line in out:gsub("…", "."):gmatch("[^\n]+") do
        assert.is_true(#line <= width or line:find "^[AB]: /" ~= nil, line)
      end
    end)
  end
end)

describe("clue compare of limits", function()
  it("names the better device, for rates and for times", function()
    local out = support.clean(compare(sample.peak(), sample.peak {seed = 3, scale = 1.25}))
    assert.matches("\ncompute: float4 +GFLOPS +60200 +48160 +0%.80 %(0%.%d+%-0%.%d+%) +A better\n", out)
    assert.matches("\nlatency: launch +us +4%.100 +5%.125 +0%.80 %(0%.%d+%-0%.%d+%) +A better\n", out)
    has(out, "4 limits in both: 4 worse in B\n")
    assert.matches("\n +B's gain\nlimit +unit +A +B +%(95 %%%) +result\n", out) -- not "B over A": 5.125 us is more
  end)

  it("allows runs that measured different amounts of work", function()
    local now = sample.peak {seed = 3}
    for _, limit in ipairs(now.limits) do
      for i, time in ipairs(limit.times) do limit.times[i] = time * 10 end
    end
    has(select(2, compare(sample.peak(), now)), "4 limits in both: 4 without difference\n")
  end)

  it("takes one of several devices from one file", function()
    local both = {format = "clue peak 1", devices = {sample.peak(), sample.peak {scale = 2}}}
    both.devices[1].device.address, both.devices[1].device.name = "0:0", "a CPU"
    local path = file(both)
    local out = support.ended(0, support.run {"compare", path, path, "--device-a", "cpu", "--device-b", "h200"})
    has(out, "4 limits in both: 4 worse in B\n")
    local refused, _, err = support.run {"compare", path, path}
    assert.equal(1, refused)
    has(err, "has the limits of several devices: choose one with --device-a: 0:0 a CPU, 1:0 NVIDIA H200\n")
    refused, _, err = support.run {"compare", path, path, "--device-a", "cpu", "--device-b", "voodoo"}
    assert.equal(1, refused)
    has(err, "has no device 'voodoo'; there is: 0:0 a CPU, 1:0 NVIDIA H200\n")
  end)

  it("does not compare a file with itself", function()
    local path = file(sample.walk())
    local refused, out, err = support.run {"compare", path, path}
    assert.same({2, ""}, {refused, out})
    has(err, path .. " is given twice: --step-b or --device-b chooses with what of it to compare;")
  end)

  it("names a limit that only one file has", function()
    local now = sample.peak()
    table.remove(now.limits, 2)
    has(select(2, compare(sample.peak(), now)), "only in A: compute: double2, 31000 GFLOPS\n")
  end)

  it("gives a verdict, and no figure, for a limit that is not verified, and fails if it was", function()
    local now = sample.peak()
    now.limits[2].wrong = "an element is 3, should be 4"
    now.limits[3] = {group = "global", name = "copy", skipped = "no memory"}
    now.failures = {{group = "latency", word = "crashed", text = "SIGSEGV"}}
    local path = support.temporary ".json"
    local out = support.ended(1, compare(sample.peak(), now, {"--json", path}, {COLUMNS = "200"}))
    assert.matches("\ncompute: double2 +GFLOPS +31000 +!! verified, then WRONG\n", out)
    assert.matches("\nglobal: copy +GB/s +3800 +!! verified, then skipped\n", out)
    has(out, "\nB: the limits of latency: crashed\n")
    has(out, "!! NO LONGER VERIFIED: compute: double2: WRONG in B: an element is 3, should be 4\n")
    has(out, "2 NO LONGER VERIFIED\n")
    has_not(out, "only in")
    local document = json.decode(support.read(path))
    local cells = document.tables[1].rows[2].cells
    assert.same({31000, nil, "WRONG"}, {cells[1].value, cells[2].value, cells[2].verdict})
    assert.same({{group = "latency", word = "crashed"}}, document.columns[2].failures)
    assert.equal(0, (compare(now, sample.peak())))
  end)
end)

describe("clue compare of a file that is not a run", function()
  local right = sample.walk {only = "copies"}

  local function refused(a, b, ...)
    local err = support.refused(1, compare(a, b))
    for _, part in ipairs {...} do has(err, part) end
    for line in err:gmatch("[^\n]+") do assert.matches("^clue compare: ", line) end
  end

  local function changed(change)
    local document = sample.walk {only = "copies"}
    change(document)
    return document
  end

  it("names a missing file", function()
    local err = support.refused(1, support.run {"compare", "/nowhere/a.json", file(right)})
    assert.equal("clue compare: /nowhere/a.json: No such file or directory\n", err)
    assert.equal(1, (support.run {"compare", "/tmp", file(right)}))
  end)

  it("says that a file is not JSON, and names the line", function()
    refused("{\n\"format\": oops}", right, "not JSON (line 2", "give files that `clue walk --json`")
    refused(right, "", "is empty: was the run that should have written it stopped?")
    refused(json.encode(right):sub(1, 2000), right, "not JSON (line 1")
    refused("42", right, "not JSON")
    refused("null", right, "not JSON")
    refused(json.encode(right) .. "{}", right, "there must be the end")
  end)

  it("reports the faults of both files at once", function()
    refused("", "x", "is empty", "not JSON")
  end)

  it("gives a remedy for a file of an older or a newer clue", function()
    refused({walkthrough = "mql5", rows = {}}, right, "written by an older clue", "clue walk mql5 --json FILE")
    refused(changed(function(it) it.format = "clue walk 1" end), right, "written by an older clue; this one reads "
      .. "'clue walk 2': run `clue walk NAME --json FILE` again")
    refused(right, changed(function(it) it.format = "clue walk 3" end), "written by a newer clue")
  end)

  it("recognises other programs' files", function()
    refused({1, 2}, right, "this JSON is not from")
    refused({format = "T4"}, right, "its format is 'T4'")
    refused({format = "clue compare 2"}, right, "its format is 'clue compare 2'")
    refused({format = "clue walk 2"}, right, "without walkthroughs: was the file changed?")
  end)

  it("names the field that clue would not have written #once", function()
    local changes = {
      {"walkthroughs[0].runs[0].rows[1].times.total is not a list of numbers",
       function(it) row_of(it, 1, 1, 2).times.total[1] = "fast" end},
      {"walkthroughs[0].runs[0].rows[0].number is missing", function(it) row_of(it, 1, 1, 1).number = nil end},
      {"walkthroughs[0].name is missing", function(it) it.walkthroughs[1].name = nil end},
      {"walkthroughs[0].runs[1].device is missing", function(it) it.walkthroughs[1].runs[2].device = nil end},
      {"walkthroughs[0].runs[0].rows[1].times.kernel is not a list of numbers",
       function(it) row_of(it, 1, 1, 2).times.kernel = {1, json.null, 2} end},
      {"walkthroughs[0].runs[0].rows[1].times.upload is not a list",
       function(it) row_of(it, 1, 1, 2).times.upload = 7 end},
      {"walkthroughs[0].runs[0].rows[1].times.judged is not a part of a run",
       function(it) row_of(it, 1, 1, 2).times.judged = "host" end},
      {"walkthroughs[0].runs[0].rows[1].times.flops is not a number",
       function(it) row_of(it, 1, 1, 2).times.flops = "many" end},
      {"walkthroughs[0].runs[0].rows[1].gain is not a table", function(it) row_of(it, 1, 1, 2).gain = 2 end},
      {"walkthroughs[0].runs[0].rows[1].gain.ratio is not a number",
       function(it) row_of(it, 1, 1, 2).gain = {over = 1, ratio = "2"} end},
      {"walkthroughs[0].runs[0].rows[1].gain has only one end of an interval",
       function(it) row_of(it, 1, 1, 2).gain = {over = 1, ratio = 2, low = 1} end},
      {"walkthroughs[0].runs[0].rows[1].counts.sums is missing",
       function(it) row_of(it, 1, 1, 2).counts = {flops = 2} end},
      {"walkthroughs[0].runs[0].rows[1].counts.sums.asked is not a number",
       function(it) row_of(it, 1, 1, 2).counts = {sums = {asked = "all"}} end},
      {"it.machine is not a table", function(it) it.machine = "mine" end},
      {"walkthroughs is not a list", function(it) it.walkthroughs = {a = 1} end},
    }
    for _, change in ipairs(changes) do
      refused(changed(change[2]), right, "not as clue wrote it: " .. change[1])
    end
  end)

  it("does not compare a walkthrough with limits", function()
    refused(right, sample.peak(), "is from clue walk", "is from clue peak: give two files of the same command")
  end)

  it("says that nothing is in both files, without failing", function()
    local out = support.ended(0, compare(sample.walk {only = "copies"}, sample.walk {only = "product"}))
    has(out, "no step is in both")
  end)
end)

describe("clue compare's command line", function()
  it("counts one limit as one", function()
    local one = sample.peak()
    one.limits = {one.limits[1]}
    has(select(2, compare(one, one)), "1 limit in both: 1 without difference\n")
  end)

  it("takes - for standard input", function()
    local path = file(sample.walk())
    local out = support.ended(0, support.run({"compare", path, "-"}, nil, support.read(path)))
    has(out, "B: /dev/stdin, clue walk")
  end)

  it("refuses unknown options, and no file at all", function()
    for _, options in ipairs {{}, {"--what", "a", "b"}, {"--json"}} do
      local words = support.words({"compare"}, options)
      local err = support.refused(2, support.run(words))
      assert.matches("^clue compare: .+`clue compare %-%-help` lists the options\n$", err)
    end
  end)
end)

describe("rows of different problems", function()
  local comparison = require "clue.show.compare"

  local function document(type_name, seconds)
    local row = {number = 2, name = "step", problem = "A 8 x 8", size = {n = 8}, type = type_name, device = {},
                 check = {verified = true}, times = {total = {seconds}, flops = 1e9, rate = "GFLOPS", judged = "total"}}
    return {devices = {}, walkthroughs = {{name = "own", runs = {{device = "0:0", rows = {row}}}}}}
  end

  local function row_of_two(a, b)
    local files = {{document = a, kind = "clue walk", path = "a"}, {document = b, kind = "clue walk", path = "b"}}
    return comparison.two(files, {}).tables[1].rows[1]
  end

  it("are compared by their speeds, if only the type differs, too", function()
    local row = row_of_two(document("float", 1), document("double", 2))
    assert.same({true, "GFLOPS", 1, 0.5}, {row.differ, row.unit, row.cells[1].value, row.cells[2].value})
    assert.equal("A 8 x 8, double", row.cells[2].problem)
    assert.is_nil(row_of_two(document("float", 1), document("float", 2)).differ)
  end)
end)
