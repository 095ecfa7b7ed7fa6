-- The figures of the report, from rows made here: least and most, totals and kernels, traffic, units. That a browser
-- shows them is in report_spec.
-- suite: quick
-- process: shared
local block = require "clue.show.block"
local html = require "clue.show.page.element"
local labels = require "clue.show.page.labels"
local page = require "clue.show.page"
local plot_of = require("clue.show.page.plot").of
local plots = require "clue.show.report.plots"
local steps_table = require "clue.show.walk.steps_table"
local summary = require "clue.show.report.summary"

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

local function plain_of(text)
  return (text:gsub("<[^>]*>", "|"):gsub("|+", "|"))
end

-- The text of the table of rows, without what only browsers need.
local function table_of(list)
  local nodes = page.nodes(steps_table.block(list, {unit = "GFLOPS", judged = "kernel", peak = device.peak, best = {}}))
  local text = html.text(nodes[1])
  return text, plain_of(text)
end

-- The exact figure in a cell.
local function figure(text, is)
  return tonumber(text:match(('data%%-is="%s" data%%-value="([^"]*)"'):format(is)))
end

describe("the report's table", function()
  local exact, text = table_of {row(2)}

  it("has the median of a time, then its least and its most", function()
    assert.matches("|4.000| 2.000–8.000|", text, 1, true)
    assert.matches("|2.000| 1.000–4.000|", text, 1, true)
    assert.equal(0.004, figure(exact, "total_median_s"))
    assert.equal(0.002, figure(exact, "kernel_median_s"))
  end)

  it("has the speed by the total time, and that by the kernel's", function()
    assert.near(250, figure(exact, "speed_total"), 1e-9)
    assert.near(500, figure(exact, "speed_kernel"), 1e-9)
  end)

  it("has the share of the peak by the kernel's time, the speed-up over the host, and the gain", function()
    local with_host = row(3, {host = {seconds = 0.1}, gain = {over = 2, ratio = 2, low = 1.9, high = 2.1, pairs = 9}})
    local cells, words = table_of {row(2), with_host}
    assert.matches("|5.0|", words, 1, true) -- 500 of 10000 GFLOPS
    assert.equal(25, figure(cells, "over_host"))
    assert.equal(2, figure(cells, "gain"))
    assert.matches("2.00 (1.90-2.10)| over 2|", words, 1, true)
  end)
end)

describe("the table of the author's figures", function()
  it("has the steps of which he gives any", function()
    local given = row(3, {published = {{on = "his", rate = 50, unit = "GFLOPS"}}})
    local words = row(2, {published = {{on = "his", text = "8x to 600x"}}})
    assert.same({given}, steps_table.author_block({words, given, row(4)}, "GFLOPS").rows)
    assert.is_nil(steps_table.author_block({words}, "GFLOPS"))
  end)
end)

describe("the report's charts", function()
  it("have the median, the least and the most of each speed, in this order", function()
    local document, walkthrough = document_of {row(2), row(3)}
    local plot = plots.speed(document, walkthrough, plots.groups(walkthrough)[1])
    local point = plot.series[1].points[1]
    assert.near(500, point.y, 1e-9)
    assert.near(250, point.least, 1e-9)
    assert.near(1000, point.most, 1e-9)
    assert.matches("a device: 250.0 to 1000.", plot_of(plot).description, 1, true)
  end)

  it("have the speeds by the total beside the author's figures, which are totals", function()
    local document, walkthrough = document_of {row(2), row(3)}
    local plot = plots.speed(document, walkthrough, plots.groups(walkthrough)[1])
    assert.equal(1, #plot.series)
    assert.matches("^By the kernel's time%. Bars: ", plot.caption)
    walkthrough.runs[1].rows[1].published = {{on = "his machine", rate = 7}}
    plot = plots.speed(document, walkthrough, plots.groups(walkthrough)[1])
    assert.matches("^By the kernel's time; the author's figures are totals%. Bars: ", plot.caption)
    local series = plot.series
    assert.same({"a device", "a device, total", "the author's his machine"}, {series[1].name, series[2].name,
      series[3].name})
    assert.near(250, series[2].points[1].y, 1e-9)
  end)

  it("give gnuplot these figures, in this order", function()
    local function script_of(point)
      return plot_of {kind = "plot", title = "", x = {title = ""}, y = {title = ""}, series = {{kind = "device",
        index = 1, points = {point}}}}.script {width = 800, height = 400, font = 10, name = "wide"}
    end
    assert.matches("$s1 << EOD\n1 250 125 500\nEOD\n", script_of {x = 1, y = 250, least = 125, most = 500}, 1, true)
    assert.matches("$s1 << EOD\n1 250 250 250\nEOD\n", script_of {x = 1, y = 250}, 1, true)
  end)
end)

describe("the report's roofline", function()
  -- The data of a block of gnuplot's script, as numbers.
  local function data_of(script, name)
    local numbers = {}
    for number in script:match("%$" .. name .. " << EOD\n(.-)EOD"):gmatch "%S+" do
      numbers[#numbers + 1] = tonumber(number)
    end
    return numbers
  end

  local function script_of(of)
    local document, walkthrough = document_of {of}
    return plot_of(plots.roofline(document, walkthrough.runs[1])).script {width = 800, height = 400, font = 10,
                                                                        name = "wide"}
  end

  it("has each step at its operations a byte, with the speeds of its kernel", function()
    assert.same({10, 500, 250, 1000}, data_of(script_of(row(2)), "s2"))
  end)

  it("takes the counted traffic in proportion to the work, if that is more than the least", function()
    local counts = {flops = 1e6, sums = {of_groups = 4e5}} -- a thousandth of the work
    assert.same({2.5, 500, 250, 1000}, data_of(script_of(row(2, {counts = counts})), "s2"))
    counts.sums.of_groups = 1e4
    assert.same({10, 500, 250, 1000}, data_of(script_of(row(2, {counts = counts})), "s2"))
  end)

  it("counts whole numbers as operations, not as FLOP", function()
    local script = script_of(row(2, {type = "int"}))
    assert.matches('"int 3000 GOPS"', script, 1, true)
    assert.matches('"float 10000 GFLOPS"', script, 1, true)
    assert.matches("operations per byte", script, 1, true)
    assert.matches("GFLOPS or GOPS", script, 1, true)
    assert.matches('"FLOP per byte"', (script_of(row(2))), 1, true)
  end)

  it("has no step above the roof: a faster one raises the top, and is left out where only caches serve it", function()
    local function plot(...)
      local document, walkthrough = document_of {...}
      return plots.roofline(document, walkthrough.runs[1])
    end
    local it = plot(row(2, {times = {kernel = {5e-5}, total = {1e-3}, flops = 1e9, bytes = 1e6, rate = "GFLOPS"}}))
    assert.equal(20000, it.series[1].points[2].y)
    assert.equal("float at least 20000 GFLOPS", it.labels[1].text)
    it = plot(row(2), row(3, {times = {kernel = {1e-3}, total = {1e-3}, flops = 1e9, bytes = 1e10, rate = "GFLOPS"}}))
    assert.equal(1, #it.series[#it.series].points)
    assert.matches("Not here, since caches serve them faster than memory could: 3.", it.caption, 1, true)
  end)

  it("has one label for steps near each other, whatever lies between them in one direction", function()
    local document, walkthrough = document_of {row(2), row(3, {times = {kernel = {0.2}, total = {0.3}, flops = 1e9,
      bytes = 0.98e8, rate = "GFLOPS"}}), row(4, {times = {kernel = {0.002}, total = {0.3}, flops = 1e9,
      bytes = 0.96e8, rate = "GFLOPS"}})}
    local script = plot_of(plots.roofline(document, walkthrough.runs[1])).script {width = 800, height = 400, font = 10,
                                                                                name = "wide"}
    local found = {}
    for label in script:gmatch 'set label "([%d ]+)"' do found[#found + 1] = label end
    assert.same({"2 4", "3"}, found)
  end)

  it("has no labels that lie on each other", function()
    local state = 1
    local list = {{limit = true, y = 900, text = "float 900.0 GFLOPS"}, {limit = true, y = 880, text = "half"}}
    for i = 3, 40 do
      state = state * 16807 % 2147483647
      list[i] = {x = 1.2 ^ (state % 30), y = 1.3 ^ (state % 26), text = tostring(i)}
    end
    for _, width in ipairs {360, 880} do
      local fitted, words = labels.fitted(list, {x = {least = 0.5, most = 400, logarithmic = true},
        y = {least = 0.5, most = 2000, logarithmic = true}, size = {width = width, height = 300, font = 12}}), 0
      for i, a in ipairs(fitted) do
        local named = a.text:gsub(" %+(%d+)$", function(more) -- so many others, where there is no room
          words = words + tonumber(more)
          return ""
        end)
        words = words + select(2, named:gsub("%f[%d]%d+%f[^%d]", ""))
        for _, limit in ipairs(fitted) do
          local is_on_line = limit.limit and not a.limit and a.bottom < limit.bottom and limit.bottom < a.top
          assert.is_falsy(is_on_line, a.text .. " lies on the line of " .. limit.text)
        end
        assert.is_true(a.left >= 0 and a.right <= width - 90 + 0.01, a.text .. " is not in the chart")
        for j = i + 1, #fitted do
          local b = fitted[j]
          assert.is_false(a.left < b.right and b.left < a.right and a.bottom < b.top and b.bottom < a.top,
            a.text .. " and " .. b.text)
        end
      end
      assert.is_true(words >= 38, words)
    end
  end)

  it("has no label that all but touches the mark of another", function()
    local function fitted(apart) -- marks so many pixels from each other
      return labels.fitted({{x = 100, y = 50, text = "19"}, {x = 100 + apart, y = 50, text = "7"}},
        {x = {least = 0, most = 300}, y = {least = 0, most = 100}, size = {width = 390, height = 160, font = 10}})
    end
    for apart = 16, 40 do
      local label = fitted(apart)[1]
      local gap = 100 + apart - 4 - label.right -- to the other's mark
      assert.is_true(label.text == "19" and (gap >= 2 or label.is_left), apart)
    end
    assert.equal("19 7", fitted(3)[1].text)
    assert.is_falsy(fitted(40)[1].is_left)
  end)

  it("bends where the bandwidth's line meets the limit of arithmetic", function()
    local roof = data_of(script_of(row(2)), "s1") -- three points: x, y, least, most
    assert.near(2000, roof[2] / roof[1], 1e-3) -- GB/s, the highest of the bandwidths
    assert.same({5, 10000, 10000}, {roof[5], roof[6], roof[10]})
  end)
end)

describe("a page", function()
  it("tells a dashed line's marks from those of the same device's other line", function()
    local points = {{x = 1, y = 1}, {x = 2, y = 2}}
    local it = block.plot {title = "both", x = {title = "x"}, y = {title = "y"}, legend = true, series = {
      {kind = "device", index = 1, name = "a", points = points},
      {kind = "device", index = 1, name = "b", points = points, dashed = true},
    }}
    local script = plot_of(it).script {width = 800, height = 400, font = 10, name = "wide"}
    assert.matches("pointtype 7 .*pointtype 6 ", script)
    assert.not_equal(html.text(html.mark("device", 1)), html.text(html.mark("device", 1, true)))
  end)

  it("draws what places cost as boxes as high as the costs", function()
    local list = {total = 10, {text = "a.cl:1 reads a", cycles = 6}, {text = "a.cl:2 reads b", cycles = 3.6},
                  {text = "a.cl:3 writes c", cycles = 0.3}, {text = "a.cl:4 reads d", cycles = 0.1}}
    local text = html.text(page.nodes({block.stack {list = list, per = "for 32 operations", most = 20}})[1])
    local heights = {}
    for height in text:gmatch '<rect [^>]*height="([%d.]+)"' do heights[#heights + 1] = tonumber(height) + 1 end
    assert.same({45, 27, 3}, heights)
    assert.matches("a.cl:1 reads a: 6.00.*a.cl:2 reads b: 3.60.*2 more places: 0.40", text)
    assert.matches("Cycles of a GPU&#39;s compute unit for memory, for 32 operations: 10.0. In", text, 1, true)
    assert.same({{}}, page.nodes {block.stack {list = {total = 0}, per = "", most = 0}})
  end)
end)

describe("the report's summary", function()
  local function text_of(blocks)
    local parts = {}
    for i, node in ipairs(page.nodes(blocks)) do parts[i] = html.text(node) end
    return plain_of(table.concat(parts))
  end

  local function results_of(walkthrough)
    local run = {rows = walkthrough.runs[1].rows, name = "a device", index = 1}
    local how = {link = function() return "step" end, at = function() return "at" end}
    return text_of(summary.results {{walkthrough = walkthrough, runs = {run}, how = how}})
  end

  it("says how many times as fast as the author's best the fastest step is", function()
    local _, walkthrough = document_of {row(2), row(3, {published = {{on = "his", rate = 50, unit = "GFLOPS"}}})}
    local text = results_of(walkthrough)
    assert.matches("5.00 times the author&#39;s best (50 GFLOPS, step 3, his)", text, 1, true)
    assert.matches("2 of 2 steps verified", text, 1, true)
    assert.matches("The author&#39;s figures, and the host&#39;s loops, are compared", text, 1, true)
  end)

  it("is silent on an author who gives no figures", function()
    local _, walkthrough = document_of {row(2), row(3, {published = {{on = "his", text = "a chart"}}})}
    local text = results_of(walkthrough)
    assert.is_nil(text:find("author", 1, true), text)
    assert.matches("The host&#39;s loops are compared with the total", text, 1, true)
  end)

  it("names the author's machine whose best it is, whatever the device's kind", function()
    local _, walkthrough = document_of {row(2, {device = {kind = "cpu"}}), row(3, {device = {kind = "cpu"},
      published = {{on = "CPU", rate = 5, unit = "GFLOPS"}, {on = "GPU", rate = 50, unit = "GFLOPS"}}})}
    walkthrough.figures, walkthrough.hardware = "the author's figures: at 2000", "a processor ('CPU'), a card ('GPU')"
    local text = results_of(walkthrough)
    assert.matches("(50 GFLOPS, step 3, GPU)", text, 1, true)
    assert.matches("the author&#39;s GPU, a card, by the total: at 2000", text, 1, true)
  end)

  it("counts the steps that ran, once for all sizes and devices, and no skipped ones", function()
    local document = document_of {row(2), row(3), row(9, {skipped = "no fp64"})}
    assert.matches("2 steps run on", text_of(summary.head(document)), 1, true)
    local runs = document.walkthroughs[1].runs
    runs[2] = runs[1] -- as at another size
    assert.matches("2 steps (4 results) run on", text_of(summary.head(document)), 1, true)
  end)

  it("has the device's limits in their units", function()
    assert.matches("float 10000 GFLOPS, double 4000 GFLOPS, int 3000 GOPS, read 2000 GB/s, write 1000 GB/s, "
      .. "copy 500.0 GB/s", text_of(summary.machine((document_of {row(2)}))), 1, true)
  end)
end)
