-- `clue walk` with several sizes, parameters of steps, or options for the compiler.
-- suite: whole
-- cost: 25
local json = require "dkjson"
local ranking = require "clue.show.sweep.ranking"
local results = require "clue.show.sweep.results"
local support = require "support"
local read_values = require("clue.run.parameters").values
local walks = require "walk_support"

local function words_of(text) return support.words({"walk"}, text) end

-- Runs `clue walk`. Returns what support.run does, and the document.
local function sweep(text, env)
  local path = support.temporary ".json"
  local words = words_of(text .. " --repeat 2 --json " .. path)
  local status, out, err = support.run(words, env or walks.interpreted())
  return status, out, err, json.decode(support.read(path) or "null")
end

-- "size 16, tile 2: 5 6" for each run of a document.
local function points_of(document)
  local point, lines = require "clue.result.point", {}
  for i, run in ipairs(document.walkthroughs[1].runs) do
    local numbers = {}
    for r, row in ipairs(run.rows) do numbers[r] = tostring(row.number) end
    lines[i] = point.label(run.point) .. ": " .. table.concat(numbers, " ")
  end
  return lines
end

describe("a list of values", function()
  it("is values with commas, and ranges", function()
    assert.same({"7"}, read_values("7", 8))
    assert.same({"256", "64x32", "8"}, read_values("256,64x32,8", 8))
    assert.same({"256", "512", "1024"}, read_values("256..2000*2", 8))
    assert.same({"3", "8", "13", "1"}, read_values("3..13+5,1", 8))
    assert.same({"0", "1"}, read_values("0..1+1", 8))
    assert.same({"8", "0", "16x08"}, read_values("08,00,16x08", 8))
    assert.same({"1000", "10x200", "1e-3", "0x1e3"}, read_values("1e3,1e1x2e2,1e-3,0x1e3", 8))
    assert.same({"1", "100", "10000"}, read_values("1..1e4*1e2", 8))
  end)

  it("is refused with the accepted forms", function()
    for text, says in pairs {
      ["1..4"] = "'1..4' is no range", ["4..1+1"] = "begins above its end", ["0..4*2"] = "never ends",
      ["1..4*1"] = "never ends", ["1..4+0"] = "never ends", ["1,,2"] = "empty value", [""] = "empty value",
      ["2,1..4*2"] = "has 2 twice", ["8,08"] = "'8,08' has 8 twice",
    } do
      local list, why = read_values(text, 256)
      assert.is_nil(list, text)
      assert.matches(says, why, 1, true)
      assert.matches("a list (256,512), FIRST..LAST*FACTOR (256..1024*2) or FIRST..LAST+STEP (256..1024+256)", why, 1,
        true)
    end
    assert.matches("more than 64 values", select(2, read_values("1..100+1", 8)), 1, true)
  end)
end)

describe("clue walk --size with several sizes", function()
  it("shows the speed of each step and host loop against the size, as a table and a chart", function()
    local out, _, document = support.ended(0, sweep "mql5 --steps 4,8 --size 8..16*2,20")
    assert.matches("GFLOPS at size +8 +16 +20\n", out)
    assert.matches("\na +4 matr_mul_sum_local +[%d.e-]+[* ] +[%d.e-]+[* ] +[%d.e-]+[* ]?\n", out)
    assert.matches("\nb +8 matr_mul_vect ", out)
    assert.matches("\n%a +host: linear_columns +~?[%d.]+", out)
    assert.matches("GFLOPS against size", out, 1, true)
    assert.matches("\n +8 .* 16 .*20 size\n", out)
    local _, marks = out:match("GFLOPS against size.-\n\n"):gsub("a", "")
    assert.is_true(marks >= 3) -- "against", and a point for each size unless others cover it
    local entry = document.walkthroughs[1]
    assert.same({"8", "16", "20"}, entry.sweep.sizes)
    for i, size in ipairs {8, 16, 20} do
      assert.equal(tostring(size), entry.runs[i].point.size)
      assert.equal(size, entry.runs[i].rows[1].size.m)
    end
  end)

  it("adds the walkthrough's libraries, and says why one cannot run", function()
    local _, out, _, document = sweep "mql5 --steps 4 --size 8,16"
    assert.same({"8: 4 21 22 23", "16: 4 21 22 23"}, points_of(document))
    assert.matches("step 23, cublas: skipped: cuBLAS computes on NVIDIA's devices only", out, 1, true)
    -- The libraries are not among what was asked for.
    assert.matches("; 2 of 2 measurements verified ", support.flat(out), 1, true)
  end)

  it("counts a library as skipped that was asked for", function()
    local _, out = sweep "mql5 --steps 4,23 --size 8,16"
    assert.matches("; 2 of 4 measurements verified, 2 skipped ", support.flat(out), 1, true)
  end)

  it("has a line for a library that is installed", function()
    local env = support.drivers("pocl", {LD_LIBRARY_PATH = support.libraries(support.built "library")})
    local out = support.ended(0, sweep("mql5 --steps 21 --size 8,16", env))
    assert.matches("\na +21 openblas +[%d.e-]+[* ] +[%d.e-]+", out)
    assert.matches("\nb +host: linear_rows ", out)
  end)

  it("says which step computed less than asked", function()
    local _, out = sweep("dcltk --steps 1,4 --size 16,200", support.drivers "pocl")
    assert.matches("\nstep 1 at 200 computed only A %d", out)
    assert.not_matches("step 4 at", out, 1, true)
  end)

  it("shows each device by itself", function()
    local two = support.drivers("pocl", {POCL_DEVICES = "pthread pthread"})
    local out, _, document = support.ended(0, sweep("mql5 --steps 4 --size 8,16 --device all", two))
    assert.equal(4, #document.walkthroughs[1].runs)
    assert.equal(2, #document.devices)
    assert.equal(2, select(2, out:gsub("GFLOPS against size", "")))
    assert.matches("^mql5 on 0:0: the fastest is step 4, .*\nmql5 on 0:1: the fastest is step 4, ", out)
    assert.matches(" 0:1: the fastest is step 4, [^;]*; 2 of 2 measurements verified ", support.flat(out))
  end)

  it("takes the sizes that a walkthrough takes", function()
    local _, err = support.ended(2, sweep "mql5 --size 8,3x4")
    assert.matches("--size: size '3x4' is neither N nor MxKxN", err, 1, true)
    local _, _, _, document = sweep "amd --steps 1 --size mapping=8,vectors=9"
    assert.is_nil(document.walkthroughs[1].sweep)
  end)
end)

describe("clue walk --set", function()
  it("runs all combinations, each step with the parameters that it has", function()
    local _, _, document = support.ended(0, sweep "submatrix --set tile=2,4 --set wpt=1,2 --size 8")
    assert.same({"8, tile 2: 5", "8, tile 2, wpt 1: 6", "8, tile 2, wpt 2: 6", "8, tile 4: 5", "8, tile 4, wpt 1: 6",
                 "8, tile 4, wpt 2: 6"}, points_of(document))
    assert.same({{name = "tile", values = {2, 4}}, {name = "wpt", values = {1, 2}}},
      document.walkthroughs[1].sweep.parameters)
    local _, _, tile, wpt = document.walkthroughs[1].runs[6].rows[1].programs[1].options:find "TILE=(%d).*WPT=(%d)"
    assert.same({"4", "2"}, {tile, wpt})
  end)

  it("prints a table for each step, and a heat map of two parameters", function()
    local _, out = sweep "submatrix --set tile=2,4 --set wpt=1,2 --size 8"
    assert.matches("%-%- step 5, tiles %-%-\n\n[^\n]+\ntile +median +range%% +GOPS +best\n +2 ", out)
    assert.matches("\ntile +wpt +median [^\n]+\n +2 +1 +[%d.]+ [^\n]+\n +2 +2 ", out)
    assert.matches(" 100 %% +█", out)
    assert.matches("the best GOPS by %a+ %(down%) and %a+ %(across%)\n%a+ +%d +%d\n", out)
    assert.matches("^submatrix: the fastest is step %d, %S+ %(tile %d.-; 6 of 6 measurements verified ",
      support.flat(out))
  end)

  it("tells combinations that a step cannot have, which are no failures", function()
    local out = support.ended(0, sweep "submatrix --set tile=4 --set wpt=2,3 --steps 6 --size 8")
    assert.matches("step 6, more_per_item (tile 4, wpt 3): skipped: wpt 3 does not divide tile 4", out, 1, true)
  end)

  it("runs named steps without the parameter once, to compare with", function()
    local out, _, document = support.ended(0, sweep "submatrix --set tile=2,4 --steps 4,5 --size 8")
    assert.same({"8: 4", "8, tile 2: 5", "8, tile 4: 5"}, points_of(document))
    assert.matches("to compare with: step 4, naive: ", out, 1, true)
  end)

  it("sets one value in an ordinary walk, and for --source", function()
    local _, out, _, document = sweep "submatrix --set tile=2 --set wpt=1 --size 8"
    assert.is_nil(document.walkthroughs[1].sweep)
    assert.same({"tile=2", "wpt=1"}, document.options.set)
    assert.matches("gain", out, 1, true)
    local status, source = support.run(words_of "submatrix --set tile=4 --set wpt=2 --source 6 --size 8",
      walks.interpreted())
    assert.equal(0, status)
    assert.matches("#define TILE 4\n#define VARIANT 3\n#define WPT 2\n", source, 1, true)
  end)

  it("knows the names of other authors", function()
    local _, _, document = support.ended(0, sweep "hello --set tpb=16,32 --steps 1 --size 64")
    assert.matches("TPB=32", document.walkthroughs[1].runs[2].rows[1].programs[1].options .. "TPB=32", 1, true)
    assert.same({"64, tpb 16: 1", "64, tpb 32: 1"}, points_of(document))
  end)

  it("gives work-groups a size where a step leaves it to the driver", function()
    local out = support.ended(0, sweep "mql5 --set group=4,4x2,3 --steps 1,2,12 --size 8")
    assert.matches("\ngroup +median [^\n]+\n +4 +[%d.]+ [^\n]+\n +4x2 +[%d.]+ [^\n]+\n +3 +skipped\n", out)
    assert.matches("step 2, [^\n]+group 3%): skipped: .-local size 3 does not divide", (out:gsub("\n +", " ")))
    assert.matches("step 1, loops: skipped: it launches no kernel", out, 1, true)
    assert.matches("step 12, local_tiles: skipped: its launches have work-groups of their own", out, 1, true)
    local folder = walks.copied("mql5", "2")
    walks.change(folder .. "/02_one_item_per_element.lua", "{p.m, p.n})", "{p.m, p.n}, {1, 1})")
    out = select(2, sweep(folder .. " --set group=4 --size 8")):gsub("\n +", " ")
    assert.matches("(step 2 skipped: its launches have work-groups of their own", out, 1, true)
    out = select(2, sweep "submatrix --set group=3,4 --steps 4,5 --size 8"):gsub("\n +", " ")
    assert.matches("step 4, naive %(group 3%): skipped: .-local size 3 does not divide global size 8", out)
    assert.matches("step 5, tiles: skipped: its launches have work-groups of their own: --set group is for steps that "
      .. "leave them to the driver", out, 1, true)
  end)

  it("is refused with what the steps have", function()
    support.refuses({"walk"}, {
      ["submatrix --set til=3"] = "--set til: no chosen step has it; they have: tile (steps 5, 6), wpt (step 6), group",
      ["submatrix --set wpt=2,4 --steps 5"] = "--set wpt: no chosen step has it; the step has: tile (step 5), group",
      ["hello --set unroll=2"] = "t or tpb or group (steps ",
      ["submatrix --set tile=0,65"] = "--set tile: '65' is nothing for step 5, tiles: it takes 0 to 64",
      ["submatrix --set tile=x"] = "'x' is nothing for step 5",
      ["submatrix --set tile"] = "--set 'tile': it must be NAME=VALUES, such as tile=8,16,32",
      ["submatrix --set tile=1..4"] = "--set tile: '1..4' is no range; give one value, a list (8,16)",
      ["submatrix --set tile=2 --set tile=4"] = "--set tile is there twice",
      ["submatrix --set size=4"] = "--set size: use --size",
      ["submatrix --set group=0"] = "'0' is no size of a work-group: give 64, 16x16 or 8x8x4",
      ["submatrix --set tile=1..60+1 --set wpt=1..60+1"] = "make 3600 points; at most 1000 run",
      ["submatrix --set tile=2,4 --explain 6"] = "--explain shows one run: give one --size, one value",
    }, walks.interpreted())
  end)
end)

it("a step that cannot be read is named where no step has a parameter", function()
  local folder = support.folder()
  support.write("return {title = 'Mine', size = 'count'}\n", folder .. "/walkthrough.lua")
  support.write("this is no Lua\n", folder .. "/01_broken.lua")
  local _, err = support.ended(2, support.run({"walk", folder .. "/", "--set", "tile=2,4"}, walks.interpreted()))
  assert.matches("--set tile: no chosen step has it; .*step 1 cannot be read: .*01_broken.lua:1: ", err)
end)

describe("clue walk --options", function()
  it("given twice, compares both by turns", function()
    local path = support.temporary ".json"
    local out = support.ended(0, support.run({"walk", "submatrix", "--steps", "4", "--size", "8", "--json", path,
      "--repeat", "6", "--options", "", "--options", "-D ANSWER=42 -w"}, walks.interpreted()))
    assert.matches("A: no further options\nB: -D ANSWER=42 -w\n", out, 1, true)
    assert.matches("B's gain: how many times as fast as A", out, 1, true)
    assert.not_matches("B over A", out, 1, true) -- a larger time of B would make that a number below 1
    assert.matches("\n4 +naive +kernel +[%d.]+ +[%d.]+ +[%d.]+ %([%d.]+%-[%d.]+%) +%a", out)
    local document = json.decode(support.read(path))
    local runs = document.walkthroughs[1].runs
    assert.same({side = "A", options = "", size = "8"}, runs[1].point)
    assert.same({side = "B", options = "-D ANSWER=42 -w", size = "8"}, runs[2].point)
    assert.not_matches("ANSWER", runs[1].rows[1].programs[1].options, 1, true)
    assert.matches("-D ANSWER=42 -w", runs[2].rows[1].programs[1].options, 1, true)
    local gain = runs[2].rows[1].gain
    assert.equal("A", gain.over)
    assert.equal(6, gain.pairs)
    assert.equal(6, #gain.before)
  end)

  it("given once, builds every step with them, after those of the environment", function()
    local env = walks.interpreted()
    env.CLUE_BUILD_OPTIONS = "-D FIRST"
    local _, _, _, document = sweep("submatrix --steps 4 --size 8 --options -w", env)
    assert.matches("-D FIRST -w", document.walkthroughs[1].runs[1].rows[1].programs[1].options, 1, true)
    assert.same({"-w"}, document.options.build_options)
  end)

  it("is refused if given three times, or twice the same", function()
    local function refused(says, ...)
      local words = {"walk", "submatrix"}
      for _, given in ipairs {...} do words = support.words(words, {"--options", given}) end
      local _, err = support.ended(2, support.run(words, walks.interpreted()))
      assert.matches(says, err, 1, true)
    end
    refused("--options: give it once, or twice to compare; it is there 3 times", "-w", "", "-g")
    refused("--options: both are '-w'", "-w", "-w")
  end)
end)

-- A result of a step at a point: its kernel has this speed, and with the transfers it takes twice as long.
local function result(at, gflops, more)
  local row = support.with({number = 1, name = "tiles", check = {verified = true},
               times = {kernel = {1 / gflops}, total = {2 / gflops}, flops = 1e9, rate = "GFLOPS"}}, more)
  return {point = at, row = row}
end

-- A walkthrough's entry in a document with these parameters.
local function swept(sizes, ...)
  return {sweep = {sizes = sizes, parameters = {...}}}
end

describe("a result of a sweep", function()
  it("has the speed of its kernel, if it has one", function()
    assert.equal(50, ranking.figure(result({}, 50).row).median)
    local host = result({}, 50)
    host.row.times.kernel = nil
    assert.equal(25, ranking.figure(host.row).median)
  end)

  it("is fastest where its median is the least", function()
    local list = {result({}, 20), result({}, 30), result({}, 10)}
    assert.equal(list[2], ranking.fastest(list))
    list[2].row.check.verified = false
    assert.equal(list[1], ranking.fastest(list))
  end)

  it("has its time if it counts neither operations nor bytes; the least is the best", function()
    local function timed(at, seconds)
      return result(at, 1, {host = {name = "rows", seconds = 1},
        times = {kernel = {seconds}, total = {2 * seconds}}})
    end
    local entry = swept({"8", "16"}, {name = "tile", values = {2, 4}}, {name = "wpt", values = {1, 2}})
    local list = {timed({size = "8", set = {tile = 2, wpt = 1}}, 0.004), timed({size = "8", set = {tile = 4, wpt = 1}},
      0.001), timed({size = "8", set = {tile = 4, wpt = 2}}, 0.002), result({size = "8"}, 50)}
    local best, figure = ranking.fastest(list)
    assert.equal(list[2], best)
    assert.same({1, "ms"}, {figure.median, figure.unit})
    assert.equal(0.25, ranking.fraction(ranking.figure(list[1].row), figure))
    assert.is_nil(ranking.fraction(ranking.figure(list[4].row), figure))
    local charts = results.curves(entry, list)
    assert.same({"ms", "GFLOPS"}, {charts[1].unit, charts[2].unit})
    assert.equal(1000, charts[1].lines[4].points[1].y) -- the host loop
    assert.same({}, results.remarks(charts[1]))
    local run = results.as_tuned(results.by_step(entry, {list[1], list[2], list[3]})[1])
    assert.same({"time", false, 1}, {run.objective, run.more, run.best.value})
    local group = {list[1], list[2], timed({size = "16", set = {tile = 4, wpt = 1}}, 0.005)}
    local share = ranking.shares(group) -- times of different sizes are not compared
    assert.same({0.25, 1, 1}, {share(group[1]), share(group[2]), share(group[3])})
    local rivals, size = ranking.rivals(group)
    assert.same({{group[3]}, "16"}, {rivals, size})
    assert.equal("the fastest is step 1, tiles (8, tile 4, wpt 1): 1.000 ms; the fastest is step 1, tiles (8): 50.00 "
      .. "GFLOPS; 4 of 4 measurements verified", results.summary(entry, list))
  end)

  it("of one's own step that counts no work is in the table, the chart and the heat map", function()
    local copy = walks.copied("mql5", "4")
    local step = copy .. "/04_sum_local.lua"
    walks.change(step, "flops = p.flops, bytes = p:bytes(), ", "")
    walks.change(step, 'product.inputs(input, "480")', 'product.inputs(input, "480") input.int("_tile", 1, "a tile") '
      .. 'input.int("_wpt", 1, "of an item")')
    local out = support.ended(0, sweep(copy .. " --steps 4 --size 4,16"))
    assert.matches("\n +ms at size +4 +16 *\na +4 matr_mul_sum_local +[%d.]+%*? +[%d.]+%*? *\n", out)
    assert.matches("ms against size", out, 1, true)
    out = support.flat(out)
    assert.matches("ms: the step counts neither operations nor bytes, so the least is the best", out, 1, true)
    assert.matches("the fastest at size 16 is step 4, matr_mul_sum_local %(16%): [%d.]+ ms", out)
    out = support.ended(0, sweep(copy .. " --set tile=1,2 --set wpt=1,2 --size 4"))
    assert.matches("kernel ms +of the *\ntile +wpt +median +range%% +best *\n +1 +1 +[%d.]+ +%d+ +%d+ %% +\226\150",
      out) -- any eighth of a bar: how long it is depends on what else the machine did
    assert.matches("the best time in %a+ by %a+ %(down%)", out)
  end)

  it("is named if it is wrong, with its point", function()
    local entry = swept(nil, {name = "tile", values = {2, 4}})
    local list = {result({set = {tile = 2}}, 10),
                  result({set = {tile = 4}}, 20, {check = {verified = false, text = "3 of 9 differ"}})}
    assert.same({{said = {}, text = "step 1, tiles (tile 4): WRONG: 3 of 9 differ"}}, results.troubles(entry, list))
    assert.equal("the fastest is step 1, tiles (tile 2): 10.00 GFLOPS; 1 of 2 measurements verified",
      (results.summary(entry, list)))
  end)

  it("leaves each step the curve that is best at the largest size", function()
    local entry, list = swept({"8", "16"}, {name = "tile", values = {}}), {}
    for tile = 1, 17 do
      entry.sweep.parameters[1].values[tile] = tile
      list[#list + 1] = result({size = "8", set = {tile = tile}}, 10 + tile)
      list[#list + 1] = result({size = "16", set = {tile = tile}}, 30 - tile)
    end
    local chart = results.curves(entry, list)[1]
    assert.equal(16, chart.left_out)
    assert.equal(1, #chart.lines)
    assert.equal("1 tiles, tile 1", chart.lines[1].name)
  end)

  it("marks the host loops whose times are extrapolated", function()
    local entry = swept {"8", "16"}
    local list = {result({size = "8"}, 10, {host = {name = "rows", seconds = 1}}),
                  result({size = "16"}, 10, {host = {name = "rows", seconds = 2, extrapolated = true}})}
    local line = results.curves(entry, list)[1].lines[2]
    assert.equal("host: rows", line.name)
    assert.same({1, 0.5}, {line.points[1].y, line.points[2].y})
    assert.is_nil(line.points[1].extrapolated)
    assert.is_true(line.points[2].extrapolated)
  end)
end)

describe("a sweep", function()
  it("has no counts, and says so", function()
    local _, err = support.ended(2, support.run(words_of "submatrix --set tile=2,4 --counts", walks.interpreted()))
    assert.matches("--counts is for one run: give one --size, one value for each --set, and --options once; `clue "
      .. "count --set` counts with other values", err, 1, true)
    _, err = support.ended(2, support.run(words_of "submatrix --set tile=2,4 --notes", walks.interpreted()))
    assert.matches("--notes is for one run: give one --size, one value for each --set, and", err, 1, true)
  end)

  it("is continued by --resume: only points that are missing or not right run again", function()
    local path = support.temporary ".json"
    local words = words_of("submatrix --set tile=2,4,8 --steps 5 --size 8 --repeat 1 --resume --json " .. path)
    assert.equal(0, (support.run(words, walks.interpreted())))
    local document = json.decode(support.read(path))
    local runs = document.walkthroughs[1].runs
    runs[1].rows[1].times.kernel, runs[1].rows[1].times.total = {12345}, {12345}
    runs[2].rows[1].check.verified = false
    table.remove(runs, 3)
    support.write(json.encode(document), path)
    support.ended(0, support.run(words, walks.interpreted()))
    local after = json.decode(support.read(path))
    assert.same({"8, tile 2: 5", "8, tile 4: 5", "8, tile 8: 5"}, points_of(after))
    assert.same({12345}, after.walkthroughs[1].runs[1].rows[1].times.total)
    assert.is_true(after.walkthroughs[1].runs[2].rows[1].check.verified)
    words[3] = "--set"
    words[4] = "tile=2,4"
    local refused, _, says = support.run(words, walks.interpreted())
    assert.equal(2, refused)
    assert.matches("it was made with --set tile=2,4,8, and this run is with --set tile=2,4", says, 1, true)
  end)

  it("keeps its rows if it is interrupted", function()
    local path = support.temporary ".json"
    -- as in walk_spec.lua: the endless step is found in the list of processes
    local out = support.ended(130, support.execute {"sh", "-c", [[
      env --default-signal=INT "$0" walk tests/specimens/ends/ --steps 1,3 --options "" --options -w --json "$1" &
    ]] .. walks.await_process "$0 [^ ]*ends/03_endles[s]" .. [[
      sleep 0.3
      kill -INT $!
      wait $!]], support.clue, path})
    assert.matches("\nB: -w\n", out, 1, true)
    assert.matches("2 of 2 measurements verified", out, 1, true)
    assert.same({"no options: 1", "-w: 1"}, points_of(json.decode(support.read(path))))
  end)

  it("has a column for its points in the CSV", function()
    local path = support.temporary ".csv"
    support.run(words_of("submatrix --set tile=2,4 --steps 5 --size 8 --repeat 1 --csv " .. path), walks.interpreted())
    local text = support.read(path)
    assert.matches("^[^\n]+,bytes_moved,point\n", text)
    assert.matches('\nsubmatrix,0:0,5,tiles,[^\n]+,"8, tile 4"\n', text)
  end)
end)
