-- Which rows of a walkthrough are ranked against each other, in the verdict, the tables and the report; and the table
-- of several devices.
-- suite: quick
-- process: shared
local fastest = require "clue.result.fastest"
local devices_table = require("clue.show.walk.steps_table").devices
local page = require "clue.show.page"
local plots = require "clue.show.report.plots"
local row_of = require "clue.result.row"
local summary = require "clue.show.report.summary"
local tables = require "clue.table"
local terminal = require "clue.show.text"
local first_screen = require "clue.show.walk.first_screen"
local view = require "clue.show.walk.view"

local device = {ordinal = 0, address = "0:0", name = "a device", kind = "gpu", platform = "a platform", driver = "1.2",
                version = "OpenCL 3.0", loader = "", compute_units = 4, mhz = 1000, why = "the only GPU"}

-- A verified row of the device, which moves 1e9 bytes.
local function row(number, seconds, more)
  local it = {number = number, name = "a_step_" .. number, study = "memory", problem = "problem " .. number,
              device = device, check = {verified = true, text = "all"},
              times = {kernel = {seconds, seconds}, total = {2 * seconds, 2 * seconds}, bytes = 1e9, rate = "GB/s",
                       judged = "kernel", runs = 2}}
  for name, value in pairs(more or {}) do it[name] = value end
  return it
end

-- What is printed for runs, in so many columns.
local function printed(runs, columns)
  local parts, out = {}, {}
  function out.columns() return columns end
  function out.colour() return false end
  function out.write(_, ...)
    for _, part in ipairs {...} do parts[#parts + 1] = part end
  end
  function out.write_painted(_, text, paint) parts[#parts + 1] = paint(text) end
  terminal.print(view.blocks(runs, {name = "studies", hint = "clue walk studies"}), {out = out, columns = 132})
  return table.concat(parts)
end

-- A run's card on a report's page.
local function card(rows)
  local how = {link = function() return "a" end, at = function() return 1 end}
  return page.text {title = "studies", head = {}, blocks = {summary.results {
    {walkthrough = {name = "studies", anchor = "studies"}, runs = {{index = 1, name = "a device", rows = rows}},
     how = how}}}}
end

describe("a contest", function()
  it("has the rows of one study, unit and problem", function()
    local same = {problem = "a histogram"}
    local rows = {row(1, 0.01), row(2, 0.02, same), row(3, 0.01, same), row(4, 0.1, {study = "other"})}
    assert.equal("step 3, a_step_3, is the fastest at a histogram: 100.0 GB/s (2.00 times step 2)",
      first_screen.fastest {rows[1], rows[2], rows[3]})
    local set = fastest.winners(rows)
    assert.same({nil, nil, true, nil}, {set[rows[1]], set[rows[2]], set[rows[3]], set[rows[4]]})
  end)

  it("has no winner if each step has a problem of its own", function()
    local rows = {row(1, 0.01), row(2, 0.02)}
    assert.equal("each of 2 steps has a problem of its own, so none is the fastest", first_screen.fastest(rows))
    assert.same({}, fastest.winners(rows))
    assert.same({}, summary.best {rows = rows})
    local text = printed({{device = "0:0", rows = rows}}, 100)
    assert.not_matches("█", text, 1, true)
    assert.not_matches("\n>", text, 1, true)
  end)

  it("has products of all sizes", function()
    local rows = {row(1, 0.02, {size = {m = 1, k = 2, n = 3}}), row(2, 0.01, {size = {m = 9, k = 9, n = 9}})}
    assert.equal("step 2, a_step_2, is the fastest: 100.0 GB/s", first_screen.fastest(rows))
  end)

  it("is what a line of the report's charts stays in", function()
    local rows = {row(1, 0.01), row(2, 0.02, {problem = "all"}), row(3, 0.04, {problem = "all"})}
    local walkthrough = {name = "own", runs = {{device = "0:0", rows = rows}}}
    local group = plots.groups(walkthrough)[1]
    local plot = plots.speed({devices = {device}, walkthroughs = {walkthrough}}, walkthrough, group)
    local apart = {}
    for i, point in ipairs(plot.series[1].points) do apart[i] = point.apart or false end
    assert.same({false, true, false}, apart)
  end)

  it("leaves out limits, unless there is nothing else", function()
    local same = {problem = "all"}
    local rows = {row(1, 0.001, {problem = "all", limit = true}), row(2, 0.02, same), row(3, 0.01, same)}
    assert.equal(3, fastest.of(rows)[1].row.number)
    assert.equal(2, fastest.of(rows)[1].entrants)
    assert.equal(1, fastest.of({rows[1]})[1].row.number)
  end)

  it("is one of each study in the report", function()
    local function of(study, number, seconds)
      return row(number, seconds, {study = study, problem = study, published = {{on = "GPU", rate = number}}})
    end
    local best = summary.best {rows = {of("copies", 1, 0.02), of("copies", 2, 0.01), of("transfers", 3, 1),
                                      of("transfers", 4, 2)}}
    assert.same({2, 3}, {best[1].row.number, best[2].row.number})
    assert.same({2, 4}, {best[1].author.number, best[2].author.number})
  end)
end)

describe("a step that is as fast as the fastest", function()
  it("is named and marked with it", function()
    local rows = {row(1, 0.02), row(2, 0.01), row(3, 0.0101), row(4, 0.02)}
    for _, each in ipairs(rows) do each.problem = "all" end
    rows[3].gain = {over = 2, ratio = 0.99, low = 0.97, high = 1.01, pairs = 9}
    assert.matches("^steps 2, a_step_2, and 3, a_step_3, are equally fast, and the fastest: 100.0 GB/s",
      first_screen.fastest(rows))
    assert.same({[rows[2]] = true, [rows[3]] = true}, fastest.winners(rows))
    local two = {rows[2], rows[3]} -- the first step is one of them: no "times step 2"
    assert.equal("steps 2, a_step_2, and 3, a_step_3, are equally fast: 100.0 GB/s", first_screen.fastest(two))
    local slower_first = card {rows[3], rows[2]}
    assert.matches("equally fast", slower_first, 1, true)
    assert.not_matches("times step", slower_first, 1, true)
    assert.matches("2.00 times step 1", card(rows), 1, true)
    rows[4].gain = {over = 3, ratio = 1.02, low = 1.01, high = 1.03, pairs = 9} -- over one of the two
    assert.matches("^steps 2, a_step_2, and 4, a_step_4, are equally fast, and ", first_screen.fastest(rows))
    rows[4].gain = nil
    rows[3].gain = {over = 2, ratio = 0.9, low = 0.88, high = 0.92, pairs = 9}
    assert.matches("^step 2, a_step_2, is the fastest: ", first_screen.fastest(rows))
  end)

  -- Medians of a busy machine: step 3 ran beside other work, the turns of both did not.
  local function disturbed(gain)
    local rows = {row(1, 0.02), row(2, 0.01), row(3, 0.014), row(4, 0.02)}
    for _, each in ipairs(rows) do each.problem, each.published = "all", {{on = "GPU", rate = 1}} end
    rows[2].gain = {over = 1, ratio = 2, low = 1.9, high = 2.1, pairs = 9}
    gain.over, gain.pairs = 2, 9
    rows[3].gain = gain
    rows[4].gain = {over = 3, ratio = 0.5, low = 0.4, high = 0.6, pairs = 9}
    return rows
  end

  it("is so by its gain, whatever the medians are", function()
    local rows = disturbed {ratio = 0.99, low = 0.92, high = 1.07}
    assert.matches("^steps 2, a_step_2, and 3, a_step_3, are equally fast, and the fastest: 100.0 GB/s",
      first_screen.fastest(rows))
    assert.same({[rows[2]] = true, [rows[3]] = true}, fastest.winners(rows))
    assert.same({"other steps: steps 2, a_step_2, and 3, a_step_3, equally fast, 100.0 GB/s"},
      first_screen.of_studies {{key = "", {rows = rows}}})
    local text = printed({{device = "0:0", rows = rows}}, 100)
    assert.matches("steps 2, a_step_2, and 3, a_step_3, are equally fast", text)
  end)

  it("is named as one that may be faster if the runs in turn vary too much to tell", function()
    local rows = disturbed {ratio = 0.99, low = 0.7, high = 1.3}
    assert.matches("^step 2, a_step_2, is the fastest, unless step 3 is faster: 100.0 GB/s",
      first_screen.fastest(rows))
    assert.same({[rows[2]] = true}, fastest.winners(rows))
    assert.same({"other steps: step 2, a_step_2, 100.0 GB/s, unless step 3 is faster"},
      first_screen.of_studies {{key = "", {rows = rows}}})
    assert.matches(", unless step 3 is faster", card(rows), 1, true)
    local text = printed({{device = "0:0", rows = rows}}, 100)
    assert.matches("unclear 0.70-1.30", text, 1, true)
    assert.not_matches("equally fast", text)
    assert.not_matches("times step 2", first_screen.fastest {rows[2], rows[3]}, 1, true)
  end)

  it("gives way to one that gains over it", function()
    local rows = disturbed {ratio = 1.2, low = 1.1, high = 1.3}
    assert.matches("^step 3, a_step_3, is the fastest: 71.43 GB/s %(in turn 2.40 times step 1%)",
      first_screen.fastest(rows))
    assert.same({[rows[3]] = true}, fastest.winners(rows))
    rows = disturbed {ratio = 0.9, low = 0.8, high = 0.95}
    rows[4].times.kernel, rows[4].gain.over = {0.001, 0.001}, 2
    assert.matches("^step 2, a_step_2, is the fastest: ", first_screen.fastest(rows))
  end)

  it("gives way to one that gains over it by way of a third, with which both took turns", function()
    local rows = disturbed {ratio = 0.84, low = 0.83, high = 0.85}
    rows[4].beyond, rows[4].gain = true, {over = 3, ratio = 1.41, low = 1.35, high = 1.45, pairs = 9}
    assert.matches("^step 4, a_step_4, is the fastest: 50.00 GB/s %(in turn 2.37 times step 1%)",
      first_screen.fastest(rows))
    assert.same({[rows[4]] = true}, fastest.winners(rows))
    assert.same({"by kernel time, the author reached 84 % (step 2) of the fastest here (step 4, a_step_4: "
      .. "50.00 GB/s)"}, fastest.share_lines(rows))
    rows[4].gain.part = "total" -- of another part of the time
    assert.matches("^step 2, a_step_2, is the fastest: ", first_screen.fastest(rows))
  end)

  it("is told from those far from it in turns by the times of each by itself", function()
    local rows = disturbed {ratio = 0.9, low = 0.7, high = 0.95}
    rows[4].gain = {over = 3, ratio = 1.1, low = 0.8, high = 1.4, pairs = 9}
    for seconds, said in pairs {[0.0101] = "step 2, a_step_2, is the fastest, unless step 4 is faster: ",
                                [0.02] = "step 2, a_step_2, is the fastest: "} do
      for _, each in ipairs {rows[2], rows[4]} do each.times.kernel = {} end
      for i = 1, 9 do
        rows[2].times.kernel[i] = 0.01 + (i - 5) * 1e-4
        rows[4].times.kernel[i] = seconds + (i - 5) * 1e-4
      end
      assert.matches(said, first_screen.fastest(rows), 1, true)
    end
  end)

  it("says of a gain over the first step that it is of runs in turn where the speeds say otherwise", function()
    local rows = disturbed {}
    for ratio, said in pairs {[1.4] = "1.40", [2] = "in turn 2.00"} do -- 1.43 by the medians
      rows[2].gain = {over = 3, ratio = 0.5, low = 0.4, high = 0.6}
      rows[3].gain = {over = 1, ratio = ratio, low = ratio - 0.1, high = ratio + 0.1}
      assert.matches(("GB/s (%s times step 1)"):format(said), first_screen.fastest(rows), 1, true)
    end
  end)
end)

describe("the share of the device's peak", function()
  local peak = {flops = {}, bandwidth = {copy = 200e9, read = 200e9}, local_bandwidth = 1000e9}

  it("is that of the memory that a step uses", function()
    local function share(...) return ("%.3f"):format(row_of.share_of_peak(...)) end
    assert.equal("0.500", share(row(1, 0.01), peak))
    assert.equal("0.100", share(row(1, 0.01, {moves = "local memory"}), peak))
    assert.is_nil(row_of.share_of_peak(row(1, 0.01, {moves = "local memory"}), {bandwidth = peak.bandwidth}))
    assert.is_nil(row_of.share_of_peak(row(1, 0.01, {moves = "between host and device"}), peak))
  end)

  it("is that of tensor cores for the best of clue and for libraries, which may use them", function()
    local peak_of = {flops = {double = 10e9, float = 40e9}, tensor = {double = 20e9, TF32 = 90e9}}
    local function most(more) return row_of.most_flops(more, peak_of) end
    assert.same({10e9, 20e9, 40e9}, {most {type = "double"}, most {type = "double", best = true},
                                     most {type = "float", best = true}})
    assert.is_nil(most {type = "half", best = true})
  end)
end)

describe("the table of several devices", function()
  local function rows()
    local list = {row(1, 0.02, {problem = "all"}), row(2, 0.01, {problem = "all"}), row(3, 0.04, {problem = "all"})}
    list[2].gain = {over = 1, ratio = 2, low = 1.9, high = 2.1, pairs = 9}
    list[3].gain = {over = 1, ratio = 1, low = 0.9, high = 1.1, pairs = 9}
    return list
  end
  local function two()
    return {{device = "0:0", rows = rows(), peak = {flops = {}, bandwidth = {copy = 200e9}}},
            {device = "1:0", rows = rows()}}
  end

  -- Its lines; none if it does not fit.
  local function lines_of(runs, width)
    local lines = {}
    for i, line in ipairs(terminal.lines(devices_table(runs, {}), width)) do lines[i] = line[1] end
    return lines
  end

  it("has the share of the peak where it is known, and the speed-up over the first step", function()
    local lines = lines_of(two(), 200)
    assert.matches("0:0 +%% of +over +1:0 +over$", lines[1])
    assert.matches("^# +step +ms ±%% +GB/s +peak +step 1 +gain +over +ms ±%% +GB/s +step 1 +gain", lines[2])
    assert.matches("^1 +a_step_1 +20.00 +0 +50.00 +25 +1.00 +20.00 ", lines[3])
    assert.matches("^2 +a_step_2 +> 10.00 +0 +100.0 +50 +2.00 +2.00 %(1.90%-2.10%) +1 +> 10.00 ", lines[4])
  end)

  for _, columns in ipairs {80, 100, 132} do
    it(("keeps both in %d columns"):format(columns), function()
      local lines = lines_of(two(), columns)
      assert.is_true(tables.width(lines) <= columns)
      assert.matches("peak +step 1 .* step 1 ", lines[2])
    end)
  end

  it("shortens gains before it leaves out names", function()
    local lines = lines_of(two(), 80)
    assert.matches("^2 +a_step_2 +> 10.00 +100.0 +50 +2.00 +2.00 +> 10.00 ", lines[4])
    assert.matches("^3 +a_step_3 +40.00 +25.00 +1[23] +0.50 +same ", lines[5]) -- 12.5, which Luas round differently
  end)

  it("has no speed-up over a step that is the first of nobody else", function()
    local runs = two()
    runs[1].rows[4], runs[2].rows[4] = row(4, 0.02), row(4, 0.02)
    assert.matches("^4 +a_step_4 +20.00 +50.00 +25 +20.00 +50.00$", lines_of(runs, 100)[6])
  end)

  it("says what happened to a step without a time, in the place of its time", function()
    local runs = two()
    runs[2].rows[3] = {number = 3, name = "a_step_3", study = "memory", skipped = "no fp64"}
    assert.matches("^3 .* skipped$", lines_of(runs, 80)[5])
  end)

  it("is one for each device where they do not fit beside each other", function()
    local runs = two()
    assert.same({}, lines_of(runs, 45))
    local text = printed(runs, 45)
    assert.matches("\non 0:0\n.*\n>2 .*\non 1:0\n.*\n>2 ", text)
  end)

  it("is one for each study, below who is the fastest in it on each device", function()
    local runs = two()
    for _, run in ipairs(runs) do
      run.rows[4] = row(4, 0.5, {study = "other", problem = "x"})
    end
    runs[2].rows[4] = {number = 4, name = "a_step_4", failed = {word = "crashed", text = "it crashed", lines = {}}}
    local text = printed(runs, 132)
    assert.matches("^studies on 0:0: 4 of 4 steps verified\n", text)
    assert.matches("\n%-%- memory %-%-\n0:0: step 2, a_step_2, is the fastest: 100.0 GB/s %(2.00 times step 1, 50 %% ",
      text)
    assert.matches("\n1:0: step 2, a_step_2, is the fastest: 100.0 GB/s %(2.00 times step 1%)\n", text)
    assert.matches("\n%-%- other %-%-\n0:0: step 4, a_step_4: 2.000 GB/s .-\n4 +a_step_4 +[^\n]*crashed\n", text)
  end)
end)
