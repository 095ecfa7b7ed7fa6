-- What `clue walk` prints: the verdict, then the table, then the chart; notes only if asked for; in a terminal of any
-- width, and in colour.
-- suite: quick
-- builds: luajit lua54
-- process: shared
local figures = require "clue.shared.figures"
local remarks = require "clue.show.walk.remarks"
local cause = require "clue.result.cause"
local replay = require "clue.run.replay"
local statistics = require "clue.result.statistics"
local tables = require "clue.table"
local terminal = require "clue.show.text"
local view = require "clue.show.walk.view"

local device = {ordinal = 0, address = "0:0", name = "a device", kind = "gpu", platform = "a platform",
                version = "OpenCL 3.0", driver = "1.2.3", loader = "a loader", compute_units = 4, mhz = 1000,
                why = "the only GPU"}

local function times(seconds)
  local short = {seconds / 10, seconds / 10}
  return {upload = short, kernel = {seconds / 2, seconds / 2}, read = short, total = {seconds, seconds}, flops = 1e9,
          bytes = 1e6, rate = "GFLOPS", runs = 2}
end

local function row(number, seconds, more)
  local it = {number = number, name = "matr_mul_step_" .. number, change = "what step " .. number .. " changes",
              problem = "1000 by 1000, float", type = "float", device = device, check = {verified = true, text = "all"},
              times = times(seconds), host = {name = "loop", compiler = "gcc -O2", times = {1, 1}, seconds = 1},
              published = {{on = "CPU", seconds = 0.028, rate = 12.729, ratio = 12.5},
                           {on = "GPU", rate = 5160, text = "with TPB 64"}},
              notes = {"a finding of step " .. number}}
  for name, value in pairs(more or {}) do it[name] = value end
  return it
end

-- Six steps, the first one on the host, the last one wrong.
local function rows()
  local list = {row(1, 1), row(2, 0.5), row(3, 0.1), row(4, 0.2), row(5, 0.19), row(6, 0.01)}
  list[1].device, list[1].host, list[1].times.kernel = nil, nil, nil
  list[1].beside = {{name = "the same in optimised C", times = {0.002}, seconds = 0.002, compiler = "gcc -O3"}}
  list[3].gain = {over = 2, ratio = 5, low = 4.9, high = 5.1, pairs = 9}
  list[4].gain = {over = 3, ratio = 0.5, low = 0.49, high = 0.51, pairs = 9}
  list[5].gain = {over = 4, ratio = 1, low = 0.9, high = 1.1, pairs = 9}
  list[6].check = {verified = false, text = "C[0] is 1, should be 2"}
  return list
end

-- What is printed in so many columns.
local function printed(list, how, columns, colour)
  local parts, out = {}, {}
  function out.columns(_, otherwise) return columns or otherwise end
  function out.colour() return colour or false end
  function out.write(_, ...)
    for _, part in ipairs {...} do parts[#parts + 1] = part end
  end
  function out.write_painted(_, text, paint) parts[#parts + 1] = paint(text) end
  how = how or {name = "product", notes = true}
  terminal.print(view.blocks({{device = "0:0", rows = list, peak = how.peak}}, how), {out = out, columns = 132})
  return table.concat(parts)
end

local function place_of(text, part)
  return text:find(part, 1, true) or error(("no '%s' in:\n%s"):format(part, text))
end

describe("a figure of a source", function()
  it("has the digits that the source prints", function()
    for text, value in pairs {["0.028"] = 0.028, ["3"] = 3, ["12.729"] = 12.729, ["1.18"] = 1.18, ["5160"] = 5160} do
      assert.equal(text, figures.published(value))
    end
    assert.is_nil(figures.published(nil))
  end)

  it("is a time where the author gives no speed", function()
    local list = rows()
    for _, each in ipairs(list) do each.published = {{on = "Ryzen", seconds = 0.367}} end
    assert.matches("author's\n[^\n]*Ryzen\n[^\n]* s[ \n]", (printed(list, nil, 200)))
    assert.matches("\n 2[^\n]* 0.367 ", (printed(list, nil, 200)))
  end)

  it("is printed like that in the tables", function()
    assert.matches("12.729 +5160", (printed(rows(), nil, 200)))
    assert.matches("\n *2 +0.028 12.729 +12.5 +5160\n", printed(rows(), {notes = true}, 132))
  end)
end)

describe("the walk's output", function()
  it("begins with the verdict, in one sentence: the fastest step on the device, and what is not verified", function()
    local text = printed(rows(), {name = "product", peak = {flops = {float = 1e11}, bandwidth = {}}}, 300)
    assert.equal("product: step 3, matr_mul_step_3, is the fastest: 20.00 GFLOPS (5.00 times step 2, in total 10.0 "
      .. "times its host loop, 20 % of the device's peak); 5 of 6 steps verified (step 6 WRONG)", text:match "^[^\n]*")
  end)

  it("names neither the host's loop nor a limit as the fastest", function()
    local list = rows()
    list[1].times, list[5].times, list[5].limit = times(0.0001), times(0.0002), true
    list[1].times.kernel = nil
    assert.matches("^product: step 3, ", printed(list, nil, 300))
  end)

  it("goes on with the table and the chart; what is wrong comes last", function()
    local text = printed(rows(), nil, 100)
    local verdict, on = place_of(text, "is the fastest"), place_of(text, "on a device, driver 1.2.3: the only GPU")
    local titles, bars = place_of(text, "over"), place_of(text, "█")
    assert.is_true(verdict < on and on < titles and titles < bars and bars < place_of(text, "6: WRONG: C[0] is 1"))
    assert.matches("`clue devices` lists all", (text:gsub("%s+", " ")), 1, true)
    assert.equal(1, select(2, printed(rows(), {name = "product"}, 100):gsub("driver 1.2.3", "")))
  end)

  it("has notes only if asked for, and then says what all columns mean", function()
    local text = printed(rows(), {name = "product", hint = "clue walk product"}, 132)
    local with = printed(rows(), {notes = true, title = "The title"}, 132)
    for _, part in ipairs {"a finding of step 2", "with TPB 64", "gcc -O2", "a loader", "kernel: the device's work",
                           "The title", " 2 matr_mul_step_2: what step 2 changes", "upload ms"} do
      assert.is_nil(text:find(part, 1, true), part)
      place_of(with, part)
    end
    assert.matches("\nclue walk product %-%-notes +all times", text)
    assert.not_matches("--notes", with, 1, true)
  end)

  it("marks kernel times that are by the host's clock", function()
    local list = rows()
    list[2].times.clock = "host"
    local text = printed(list, nil, 200)
    assert.matches("\n +2 +matr_mul_step_2 +50.00 .-250.0† ", text:match "\n +2 +matr_mul_step_2 [^\n]*")
    assert.not_matches("\n[^\n]*3[^\n]+†", text)
  end)

  it("says over what each gain is, and how much faster than the first step each is", function()
    local text = printed(rows(), nil, 132)
    assert.matches("\n 3[^\n]+ 5.00 +5.00 %(4.90%-5.10%) +2 ", (text:gsub(">", " ")))
    assert.matches("\n 4[^\n]+ 2.50 +0.50 %(0.49%-0.51%) +3 ", text)
    assert.matches("\n[^\n]* over +gain +over its[^\n]*\n[^\n]* step 2 +%(95 %% interval%) +over +host loop", text)
  end)

  it("keeps the host's rows apart, so that they do not squash the bars", function()
    local list = rows()
    local text = printed(list, nil, 80)
    assert.matches("on the host +total ms", text)
    assert.matches("\n *1%+ +the same in optimised C +2.000 +500.0\n", text)
    local longest = 0
    for line in text:gmatch "[^\n]+" do longest = math.max(longest, select(2, line:gsub("█", ""))) end
    assert.equal(24, longest) -- step 3 fills the chart, though the host's loop is fifty times as fast
    assert.not_matches("\n *1 [^\n]*█", text)
  end)

  it("marks the fastest row in the table and in the chart, with and without colours", function()
    local _, marks = printed(rows(), nil, 80):gsub("\n>3 ", "")
    assert.equal(2, marks)
    local _, bold = printed(rows(), nil, 80, true):gsub("\n\27%[1m>3 [^\n]*\27%[0m\n", "")
    assert.equal(2, bold)
    assert.equal(1, select(2, printed(rows(), {name = "product"}, 80):gsub("\n> *3 ", "")))
  end)

  it("is green for better and red for worse on a terminal that shows colours, and plain elsewhere", function()
    local text = printed(rows(), nil, 132, true)
    place_of(text, "\27[32m5.00 (4.90-5.10)\27[0m")
    place_of(text, "\27[31m0.50 (0.49-0.51)\27[0m")
    assert.is_nil(text:find("mno difference", 1, true))
    assert.is_nil(printed(rows(), nil, 132):find("\27", 1, true))
  end)

  it("paints each bar as one, and no other character", function()
    local list = rows()
    list[2].change = ("x"):rep(200)
    local text = printed(list, nil, 80, true)
    assert.matches("\27%[36m[█▏▎▍▌▋▊▉]+\27%[0m", text)
    assert.not_matches("\27%[0m\27%[36m", text)
    assert.matches("xxx…\n", text)
  end)

  for _, columns in ipairs {60, 80, 100, 132, 200} do
    it(("fits %d columns"):format(columns), function()
      for _, how in ipairs {{name = "product", hint = "clue walk product"},
                            {name = "product", peak = {flops = {float = 1e11}}}} do
        for line in printed(rows(), how, columns):gmatch "[^\n]+" do
          assert.is_true(tables.width {line} <= columns, line)
        end
      end
    end)
  end

  it("shortens the bars of variants, then their common words, so that they fit", function()
    local list = rows()
    list[3].sweep = {}
    for i = 1, 3 do
      list[3].sweep[i] = {value = i, times = times(i),
        label = ("8 x 1 items, 16 bodies an item, no tiles, unrolled by %d"):format(i)}
    end
    assert.matches("\n8 x 1 items, [^\n]+ unrolled by 1 [^\n]+ █████", printed(list, nil, 132))
    local bars = printed(list, nil, 92)
    assert.matches("\n8 x 1 items, [^\n]+ unrolled by 1 [^\n]+ ██████████\n", bars)
    local text = printed(list, nil, 72)
    assert.matches("\n… 1 [^\n]+ ██████████\n", text)
    for line in text:match("\n3: variant[^\n]*\n.*"):gmatch "[^\n]+" do
      if line:find "^…" then assert.is_true(tables.width {line} <= 72, line) end
    end
  end)

  for _, columns in ipairs {60, 80, 132} do
    it(("fits %d columns with its counts"):format(columns), function()
      local list = rows()
      local sums = {accesses = 2e6, requests = 100, sectors = 1600, least = 12800, of_groups = 25600, passes = 99,
                    local_requests = 33, lanes = 30, slots = 40}
      for _, each in ipairs(list) do
        each.name = "a_name_that_is_longer_than_others"
        each.counts = {size = "64", flops = 4e6, sums = sums, findings = {}, kernels = {}}
      end
      local text = printed(list, {name = "product", peak = {flops = {float = 1e11}}}, columns)
      for line in text:gmatch "[^\n]+" do assert.is_true(tables.width {line} <= columns, line) end
      assert.matches("sectors", text, 1, true)
      assert.equal(columns >= 80, text:find("groups", 1, true) ~= nil)
      for line in printed(list, {name = "product", hint = "clue walk product"}, columns):gmatch "[^\n]+" do
        assert.is_true(tables.width {line} <= columns, line)
      end
    end)
  end

  it("shortens the names by what all begin with, if there is no room for them", function()
    local text = printed(rows(), nil, 72)
    assert.matches("\n>3 +…3 ", text)
    assert.not_matches("\n>3 +matr_mul", text)
  end)

  it("leaves out the column of results if all are verified and there is no room", function()
    local list = rows()
    assert.matches("\n 6 [^\n]+WRONG", printed(list, nil, 80))
    list[6] = nil
    assert.not_matches("\n 5 [^\n]+verified", printed(list, nil, 80))
    assert.matches("\n 5 [^\n]+verified", printed(list, nil, 200))
  end)
end)

-- Counts of a kernel for so many operations, whose sectors are in as many lines.
local function counts_of(more)
  local sums = {accesses = 1000, requests = 100, sectors = 800, passes = 64, lanes = 3200, slots = 3200}
  for name, value in pairs(more) do sums[name] = value end
  local site = {space = "global", accesses = sums.accesses, bytes = 4 * sums.accesses,
                warp = {requests = sums.requests, sectors = sums.sectors, lines = sums.sectors}}
  return {size = "64", flops = 3200, sums = sums, findings = {}, kernels = {{sites = {site}}}}
end

describe("the first screen", function()
  local how = {name = "product", hint = "clue walk product", about = {year = 2012,
    figures = "the author's figures: 2000 x 2000, float; * computed",
    hardware = "an old CPU ('CPU'), a Radeon HD 4870 ('GPU')"}}

  it("says whose gains are not by the time of the table", function()
    local list = rows()
    assert.is_nil(printed(list, how, 100):find("by the total, since", 1, true))
    list[2].gain = {over = 1, ratio = 2, part = "total"}
    assert.matches("\nthe gain of step 2 is by the total, since a loop of the host's has no kernel\n",
      printed(list, how, 100))
    list[3].gain.part = "total"
    assert.matches("\nthe gains of steps 2, 3 are by the total, since", printed(list, how, 100))
  end)

  it("has a verdict, a table of seven columns in 80 characters, and two commands", function()
    local text = printed(rows(), how, 80)
    assert.matches("\n *# +step +ms +GFLOPS +gain +over +GPU\n", text)
    assert.matches("\n *1 +matr_mul_step_1 %(host%) +1000 +1.000 ", text)
    assert.matches("\n>3 +matr_mul_step_3 +50.00 +20.00 +5.00 %(4.90%-5.10%) +2 +5160\n", text)
    assert.matches("\n *6 +matr_mul_step_6 +WRONG ", text)
    assert.matches("\nclue walk product %-%-explain 3 +[^\n]+\nclue walk product %-%-notes +", text)
    assert.is_true(select(2, text:gsub("\n", "")) <= 40)
    assert.is_nil(text:find("█", 1, true))
  end)

  it("says what the author's figures are of", function()
    assert.matches("\nthe author's GPU, a Radeon HD 4870, 2012, by the total: 2000 x 2000, float\n",
      printed(rows(), how, 100), 1, true)
    local none = rows()
    for _, each in ipairs(none) do each.published = {{on = "GPU"}} end
    assert.is_nil(printed(none, how, 100):find("the author's GPU", 1, true))
  end)

  it("names the greatest gains of steps on the device, with what was counted or with what they change", function()
    local list = rows()
    list[2].gain = {over = 1, ratio = 500, low = 490, high = 510}
    local text = printed(list, how, 200)
    assert.matches("\nstep 3 is 5.00 times as fast as step 2: what step 3 changes\n", text)
    assert.is_nil(text:find("step 2 is 500", 1, true)) -- that was the host
    list[2].counts, list[3].counts = counts_of {sectors = 1600}, counts_of {sectors = 400}
    assert.matches("\nstep 3 is 5.00 times as fast as step 2: sectors of global memory 16.0 to 4.00 for 32 operations "
      .. "(what step 3 changes)\n", printed(list, how, 200), 1, true)
  end)

  it("names what fell most by its cost: on a GPU passes before sectors, on a CPU accesses or instructions", function()
    local before = counts_of {sectors = 800, passes = 600, lanes = 3200, slots = 6400, accesses = 3200}
    local now = counts_of {sectors = 400, passes = 200, lanes = 1600, slots = 6400, accesses = 3000}
    assert.same({what = "passes of local memory", before = 6, now = 2, per = "for 32 operations"},
      cause.of(before, now, "gpu"))
    assert.same({what = "instructions", before = 1, now = 0.5, per = "for an operation"}, cause.of(before, now, "cpu"))
    local far = counts_of {lanes = 3200, slots = 6400, accesses = 3200, of_groups = 6400}
    local near = counts_of {lanes = 3200, slots = 6400, accesses = 3200, of_groups = 3200}
    assert.same({what = "bytes that groups move", before = 2, now = 1, per = "for an operation"},
      cause.of(far, near, "cpu"))
    local less = counts_of {sectors = 400, passes = 500, lanes = 1600, slots = 6400}
    assert.equal("sectors of global memory", cause.of(before, less, "gpu").what) -- 400 lines are 200 passes
    assert.same({}, cause.of(now, before, "gpu"))
    now.size = "32"
    assert.is_nil(cause.of(before, now, "gpu"))
    assert.is_nil(cause.of(before, nil, "gpu"))
  end)

  it("says so if nothing that was counted fell, and takes what the run counted", function()
    local list = rows()
    list[3].gain.cause = {}
    assert.matches("as step 2: nothing that was counted fell (what", printed(list, how, 200), 1, true)
    list[3].gain.cause = {what = "instructions", before = 3, now = 2, per = "for an operation"}
    assert.matches("as step 2: instructions 3.00 to 2.00 for an operation, which explains at most 1.50 times (what",
      printed(list, how, 200), 1, true)
  end)

  it("says which steps were left out, since they are forms for another kind of device", function()
    local parts = {}
    local out = {columns = function() return 200 end, colour = function() return false end,
                 write_painted = function(_, line, paint) parts[#parts + 1] = paint(line) end}
    terminal.print(view.blocks({{device = "0:0", rows = rows(), left_out = {17, "16b"}}}, how), {out = out})
    assert.matches("\nleft out, as forms for CPUs: 17, 16b; --steps runs them\n", table.concat(parts), 1, true)
  end)

  it("has the warnings in a line each", function()
    local list = rows()
    list[4].gain.before, list[4].gain.now, list[4].gain.disturbed = {1}, {1}, true
    list[4].times.kernel, list[2].times.clock = {1, 2}, "host"
    local text = printed(list, how, 200)
    assert.matches("\n!: other work disturbed step 4: ", text, 1, true)
    assert.matches("\nthe times of step 4 vary by over 10 %\n", text, 1, true)
    assert.matches("\n†: by the host's clock\n", text, 1, true)
    assert.is_nil(text:find("in turn with step", 1, true))
    list[4].gain, list[4].check = nil, {verified = false, text = "3 of 9 differ"} -- so its time is not shown
    assert.not_matches("the times of", printed(list, how, 200))
  end)
end)

describe("the warnings", function()
  it("give the medians in turn where the rows' own contradict the gain", function()
    local before, now = row(8, 0.009996), row(9, 0.01753)
    now.gain = {over = 8, ratio = 1.31, low = 1.2, high = 1.4, pairs = 6, before = {0.0131, 0.0131, 0.0131},
                now = {0.01, 0.01, 0.01}, disturbed = true, part = "kernel"}
    local text = printed({before, now}, nil, 300)
    assert.matches("\n!>9 ", text)
    assert.matches("^product: step 9, [^ ]*, is the fastest: 114.1 GFLOPS %(in turn 1.31 times step 8, ", text)
    place_of(text, "! 9: in turn with step 8, it took 10.00 ms and step 8 13.10 ms; each by itself, 8.765 and 4.998 ms"
      .. "\n")
    assert.equal(1, select(2, text:gsub("%-%-until%-stable measures them again", "")))
  end)

  it("say once which times vary much, for the steps and their host loops together", function()
    local list = {row(2, 1), row(3, 1), row(4, 1), row(5, 1)}
    for _, number in ipairs {1, 2, 4} do
      list[number].times.kernel, list[number].host.times = {1, 2}, {1, 2}
    end
    assert.same({"the times of steps 2, 3, 5 and of their host loops vary by over 10 %: another run may differ by as "
      .. "much (--until-stable runs more)"}, remarks.warnings({{rows = list}}).items)
    list[3].times.kernel = {1, 2}
    assert.matches("of steps 2 to 5 and of the host loops of steps 2, 3, 5 vary",
      remarks.warnings({{rows = list}}).items[1])
    assert.same({}, remarks.warnings({{rows = {row(2, 1)}}}).items)
    assert.matches("^the times of step 2 and of its host loop vary by over 10 %%: ",
      remarks.warnings({{rows = {list[1]}}}).items[1])
  end)
end)

describe("a measurement until it is stable", function()
  it("needs as many values as make their median certain to 5 %", function()
    assert.is_false(statistics.are_stable({1, 1, 1, 1, 1}, 0))
    assert.is_true(statistics.are_stable({1, 1, 1, 1, 1, 1}, 0))
    assert.is_false(statistics.are_stable({1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, 0))
    assert.is_true(statistics.are_stable({1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, statistics.most_seconds)) -- but not for ever
  end)

  -- A step that was disturbed by itself, and takes so many seconds now.
  local function session(number, disturbed, seconds)
    local it = {row = row(number, disturbed), ready = true}
    function it.once_more() return {upload = 0.1, kernel = seconds / 2, read = 0.1, total = seconds} end
    return it
  end

  it("measures again two steps whose medians contradict their gain, until they agree", function()
    local before, now, compared = session(8, 1, 1.3), session(9, 2, 1), 0
    local function compare()
      compared = compared + 1
      now.row.gain = {over = 8, ratio = 1.3, low = 1.29, high = 1.31, pairs = 6}
      now.row.gain.disturbed = math.abs(now.row.times.total[1] - 1) > 0.1 or nil
    end
    compare()
    assert.is_true(now.row.gain.disturbed)
    replay.settle(before, now, {before.row, now.row}, compare, function() end)
    assert.is_nil(now.row.gain.disturbed)
    assert.equal(2, compared)
    assert.same({1, 1, 1, 1, 1, 1}, now.row.times.total)
    assert.equal(6, now.row.times.runs)
    assert.equal(1.3, before.row.times.total[1])
  end)

  it("gives up after some attempts, and if a step cannot run again", function()
    local before, now, compared = session(8, 1, 1), session(9, 2, 1), 0
    now.row.gain = {over = 8, ratio = 1.3, pairs = 6, disturbed = true}
    replay.settle(before, now, {}, function() compared = compared + 1 end, function() end)
    assert.equal(replay.attempts, compared)
    before.ready = false
    replay.settle(before, now, {}, function() compared = compared + 1 end, function() end)
    assert.equal(replay.attempts, compared)
  end)
end)
