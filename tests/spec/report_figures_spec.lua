-- The figures of the report, from rows made here: least and most, totals and kernels, traffic, units. That a browser
-- shows them is in report_spec.
-- suite: quick
-- process: shared
local html = require "clue.show.report.html"
local overview = require "clue.show.report.overview"
local plots = require "clue.show.report.plots"
local roofline = require "clue.show.report.roofline"
local data = require "clue.show.report.data"
local rows = require "clue.show.report.rows"
local series = require "clue.show.report.series"

local device = {address = "0:0", name = "a device", kind = "gpu",
                peak = {flops = {float = 1e13, double = 4e12, int = 3e12},
                        bandwidth = {read = 2e12, write = 1e12, copy = 5e11}}}

-- Kernel times of 1, 2 and 4 ms for 1e9 operations and 1e8 bytes: 500 GFLOPS by the median, 250 to 1000. In total each
-- takes twice as long.
local function row(number, more)
  local it = {number = number, name = "step", problem = "p", type = "float", device = {}, check = {verified = true},
              times = {kernel = {0.002, 0.001, 0.004}, total = {0.004, 0.002, 0.008}, flops = 1e9, bytes = 1e8,
                       rate = "GFLOPS", runs = 3, clock = "device"}}
  for name, value in pairs(more or {}) do it[name] = value end
  return it
end

local function document_of(list)
  local walkthrough = {name = "own", anchor = "own", runs = {{device = "0:0", rows = list}}}
  return {devices = {device}, walkthroughs = {walkthrough}}, walkthrough
end

-- The text of the table of rows, without what only browsers need.
local function table_of(list)
  local entries = {}
  for i, each in ipairs(list) do entries[i] = {each, i - 1} end
  local text = html.text(rows.table(entries, {name = "rows", unit = "GFLOPS", peak = device.peak, at = "x", best = {},
                                              link = function() return "step" end}))
  return text, (text:gsub("<[^>]*>", "|"):gsub("|+", "|"))
end

-- The exact figure in a cell.
local function figure(text, is)
  return tonumber(text:match(('data%%-is="%s" data%%-value="([^"]*)"'):format(is:gsub("%-", "%%-"))))
end

describe("the report's table", function()
  local exact, text = table_of {row(2)}

  it("has the median of a time, then its least and its most", function()
    assert.matches("|4.000| 2.000–8.000|", text, 1, true)
    assert.matches("|kernel |2.000| 1.000–4.000|", text, 1, true)
    assert.equal(0.004, figure(exact, "total"))
    assert.equal(0.002, figure(exact, "kernel"))
  end)

  it("has the speed by the total time, and that by the kernel's", function()
    assert.near(250, figure(exact, "speed-total"), 1e-9)
    assert.near(500, figure(exact, "speed-kernel"), 1e-9)
  end)

  it("has the share of the peak by the kernel's time, the speed-up over the host, and the gain", function()
    local with_host = row(3, {host = {seconds = 0.1}, gain = {over = 2, ratio = 2, low = 1.9, high = 2.1, pairs = 9}})
    local cells, words = table_of {row(2), with_host}
    assert.matches("|5.0|", words, 1, true) -- 500 of 10000 GFLOPS
    assert.equal(25, figure(cells, "over_host"))
    assert.equal(2, figure(cells, "gain"))
    assert.matches("2.00 (1.90–2.10)| over 2|", words, 1, true)
  end)
end)

describe("the report's charts", function()
  it("have the median, the least and the most of each speed, in this order", function()
    local document, walkthrough = document_of {row(2), row(3)}
    local plot = plots.speed(document, walkthrough, data.groups(walkthrough)[1])
    local point = plot.series[1].points[1]
    assert.near(250, point.y, 1e-9)
    assert.near(125, point.least, 1e-9)
    assert.near(500, point.most, 1e-9)
    assert.equal("$s1 << EOD\n1 250 125 500\nEOD\n", series.block("s1", {{x = 1, y = 250, least = 125, most = 500}}))
    assert.equal("$s1 << EOD\n1 250 250 250\nEOD\n", series.block("s1", {{x = 1, y = 250}}))
    local least, most = series.extent(plot.series)
    assert.near(125, least, 1e-9)
    assert.near(500, most, 1e-9)
  end)
end)

describe("the report's roofline", function()
  -- The data of a block of gnuplot's script, as numbers.
  local function block(script, name)
    local numbers = {}
    for number in script:match("%$" .. name .. " << EOD\n(.-)EOD"):gmatch "%S+" do
      numbers[#numbers + 1] = tonumber(number)
    end
    return numbers
  end

  local function script_of(of)
    local document, walkthrough = document_of {of}
    return roofline.plot(document, walkthrough.runs[1]).script {width = 800, height = 400, font = 10, name = "wide"}
  end

  it("has each step at its operations a byte, with the speeds of its kernel", function()
    assert.same({10, 500, 250, 1000}, block(script_of(row(2)), "s1"))
  end)

  it("takes the counted traffic in proportion to the work, if that is more than the least", function()
    local counts = {flops = 1e6, sums = {of_groups = 4e5}} -- a thousandth of the work
    assert.same({2.5, 500, 250, 1000}, block(script_of(row(2, {counts = counts})), "s1"))
    counts.sums.of_groups = 1e4
    assert.same({10, 500, 250, 1000}, block(script_of(row(2, {counts = counts})), "s1"))
  end)

  it("counts whole numbers as operations, not as FLOP", function()
    local script = script_of(row(2, {type = "int"}))
    assert.matches("'int 3000 GOPS'", script, 1, true)
    assert.matches("'float 10000 GFLOPS'", script, 1, true)
    assert.matches("operations per byte", script, 1, true)
    assert.matches("GFLOPS or GOPS", script, 1, true)
    assert.matches("'FLOP per byte'", (script_of(row(2))), 1, true)
  end)

  it("bends where the bandwidth's line meets the limit of arithmetic", function()
    local roof = block(script_of(row(2)), "roof1") -- three points: x, y
    assert.near(2000, roof[2] / roof[1], 1e-3) -- GB/s, the highest of the bandwidths
    assert.same({5, 10000, 10000}, {roof[3], roof[4], roof[6]})
  end)
end)

describe("the report's overview", function()
  local function text_of(node)
    return (html.text(node):gsub("<[^>]*>", "|"):gsub("|+", "|"))
  end

  it("says how many times as fast as the author's best the fastest step is", function()
    local document, walkthrough = document_of {row(2), row(3, {published = {{on = "his", rate = 50, unit = "GFLOPS"}}})}
    local text = text_of(overview.summary(document, function(call)
      call(walkthrough, walkthrough.runs[1], "at", function() return "step" end)
    end))
    assert.matches("5.00 times the author&#39;s best (50 GFLOPS, step 3, his)", text, 1, true)
    assert.matches("2 of 2 steps verified", text, 1, true)
  end)

  it("has the device's limits in their units", function()
    local text = text_of(overview.machine((document_of {row(2)})))
    assert.matches("float 10000 GFLOPS, double 4000 GFLOPS, int 3000 GOPS, read 2000 GB/s, write 1000 GB/s, "
      .. "copy 500.0 GB/s", text, 1, true)
  end)
end)
