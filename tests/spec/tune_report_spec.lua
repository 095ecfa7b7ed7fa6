-- The page of `clue tune --report`: its contents, and what headless Chromium makes of it.
-- suite: whole
-- tools: chromium-headless-shell
local browser = require "browser"
local json = require "dkjson"
local page = require "clue.show.page"
local tuning = require "clue.result.tuning"
local support = require "support"
local view = require "clue.show.tune.view"

-- As clue writes it; of the 16 pairs of A and B, A = 8 fails.
local function document_of(how)
  local results = {}
  for a = 0, 3 do
    for b = 0, 3 do
      local good = a < 3
      results[#results + 1] = {configuration = {A = 2 ^ a, B = 2 ^ b, name = "x"}, objectives = {"time"},
        invalidity = good and "correct" or "runtime", correctness = good and 1 or 0, times = {runtimes = {}},
        measurements = good and {{name = "time", value = 8 / 2 ^ a + (b - 2) ^ 2, unit = "ms"}} or {},
        clue = {seconds_into_run = #results + 0.5, failure = not good and "needs <9> KiB" or nil}}
    end
  end
  local document = {schema_version = "1.0.0", metadata = {framework = "clue 1", device = "D"}, results = results,
    clue = {name = "scale", device = {name = "D", address = "0:0", driver = "3"}, strategy = "random", seed = 4,
            started = "2026-01-02T03:04:05Z", tune_params = {A = {1, 2, 4, 8}, B = {1, 2, 4, 8}, name = {"x"}},
            best = {{configuration = {A = 4, B = 4, name = "x"}, time = 2, runtimes = {2}, metrics = {}, ratio = 1,
                     ratio_low = 1, ratio_high = 1}}}}
  if how then how(document) end
  return (assert(json.decode(json.encode(document))))
end

local function text_of(document)
  return page.text(view.page(assert(tuning.of(document)), document))
end

-- Raises if an element is not closed, or closed in the wrong order.
local function assert_well_formed(text)
  local open = {}
  text = text:gsub("<!DOCTYPE html>", ""):gsub("(<script[^>]*>).-(</script>)", "%1%2")
    :gsub("(<style>).-(</style>)", "%1%2")
  for closing, tag, rest in text:gmatch "<(/?)([%w]+)([^<>]*)>" do
    if closing == "/" then
      assert.equal(table.remove(open), tag)
    elseif rest:sub(-1) ~= "/" and tag ~= "meta" and tag ~= "wbr" then
      open[#open + 1] = tag
    end
  end
  assert.same({}, open)
  assert.is_nil(text:gsub("<[^<>]*>", ""):find "[<>]")
end

describe("the page of clue tune", function()
  it("has the three charts in both widths, and the tables", function()
    local text, no_charts = text_of(document_of())
    assert.is_nil(no_charts)
    assert_well_formed(text)
    assert.equal(4, select(2, text:gsub('<svg class="wide"', "")))
    assert.equal(4, select(2, text:gsub('<svg class="narrow"', "")))
    for _, heading in ipairs {"Tuning scale</h1>", "Results</h2>", "The best, measured again by turns</h3>",
      "The best 12 of the search</h3>", "The best over time</h2>", "The effect of each parameter</h2>",
      "Two parameters together</h2>",
      "The best time in ms by A (down) and B (across). ", "Failed configurations</h2>", "The device</h2>"} do
      assert.is_truthy(text:find(heading, 1, true), heading)
    end
    assert.matches("On D. 16 configurations; 4 failed, in 15.5 s.", text, 1, true)
    assert.matches("Strategy random, seed 4.", text, 1, true)
    assert.matches('<td class="text">by the device</td><td>4</td><td class="text">needs &lt;9&gt; KiB</td>', text, 1,
      true)
  end)

  it("says first how many times as fast as the reference the best is, and shows the kernel and its call", function()
    local text = text_of(document_of(function(document)
      document.clue.reference = {A = 1, B = 1, name = "x"}
      document.clue.call = {kernel = "scale", source = "kernel void scale(global float *x) { x[0] *= A < B; }\n",
        defines = {B = 4, A = 4, wide = 1}, global_size = {64, 32}, local_size = {8, 4}}
    end))
    assert_well_formed(text)
    assert.matches('<p class="lead">The best is 6.00 times as fast as the reference, A=1 B=1: 12.0 ms.</p>', text, 1,
      true)
    local call = text:match 'id="call">(.-)</section>'
    for _, part in ipairs {"-D A=4 -D B=4 -D wide=1", "64 x 32", "8 x 4"} do
      assert.is_truthy(call:find(part, 1, true), part)
    end
    assert.matches("scale", call)
    assert.matches("&lt;", call)
    assert.not_matches("is [%d.]+ times as fast", text_of(document_of()))
  end)

  it("compares the best with the reference by turns, where both were measured so", function()
    local function lead(reference, low)
      return text_of(document_of(function(document)
        document.clue.reference = reference
        document.clue.best[2] = {configuration = {A = 4, B = 2, name = "x"}, time = 2.5, runtimes = {2.5}, metrics = {},
          ratio = 1.25, ratio_low = low, ratio_high = 1.5}
      end)):match '<p class="lead">(.-)</p>'
    end
    local second = {A = 4, B = 2, name = "x"} -- 1.50 times in the search
    assert.equal("The best is 1.25 times as fast as the reference, A=4 B=2: 2.50 ms.", lead(second, 1.1))
    assert.equal("The best is as fast as the reference, A=4 B=2: 2.50 ms.", lead(second, 0.9))
    assert.equal("The best is the reference, A=4 B=4.", lead({A = 4, B = 4, name = "x"}, 1.1))
  end)

  it("draws the value of each cell of the heat map, in the colour of its share of the best", function()
    local text = text_of(document_of())
    local map = text:match 'id="map".-<svg class="wide".-</svg>'
    for a = 0, 2 do
      for b = 0, 3 do
        assert.is_truthy(map:find((">%.2f</text>"):format(8 / 2 ^ a + (b - 2) ^ 2):gsub("10.00", "10.0")
          :gsub("12.00", "12.0"), 1, true), ("%d %d"):format(a, b))
      end
    end
    assert.equal(4, select(2, map:gsub(">failed</text>", "")))
    assert.equal(1, select(2, map:gsub("var%(%-%-heat%-8%)", ""))) -- only the best
    assert.equal(5, select(2, map:gsub("var%(%-%-heat%-2%)", ""))) -- 8.00, 9.00 and 12.0: up to 30 %
  end)

  it("keeps clue's own document, and not those of other tools", function()
    local document = document_of()
    local text = text_of(document)
    assert.same(document, json.decode(text:match '<script type="application/json" id="data">(.-)</script>'))
    assert.is_nil(text_of(document_of(function(other) other.clue = nil end)):find('id="data"', 1, true))
  end)

  it("refers to nothing outside itself", function()
    local text = text_of(document_of())
    for _, word in ipairs {"src=", "url%(", "@import", "<link", "<iframe", "<object"} do
      assert.not_matches(word, text:gsub('<script type="application/json".-</script>', ""), word)
    end
    for address in text:gmatch 'href="([^"]*)"' do assert.equal("#", address:sub(1, 1)) end
  end)

  it("passes no text that could do harm to gnuplot or to the page", function()
    local mark = support.temporary()
    local evil = ("'; system('touch %s'); `touch %s` <script>alert(1)</script>"):format(mark, mark)
    local text = text_of(document_of(function(document)
      document.clue.name, document.clue.device.name = evil, evil
      document.clue.tune_params[evil], document.clue.tune_params.name = {evil, "y"}, nil
      for i, result in ipairs(document.results) do
        result.configuration[evil] = i % 2 == 0 and evil or "y"
        result.objectives[1] = evil
        if result.measurements[1] then result.measurements[1].name = evil end
      end
    end))
    assert_well_formed(text)
    assert.is_nil(io.open(mark))
    assert.is_nil(text:find("<script>alert", 1, true))
  end)

  it("is written for runs with hardly anything in them", function()
    for _, change in ipairs {
      function(document) document.results = {} end, function(document) document.results = {document.results[1]} end,
      function(document) document.results = {document.results[13]} end,
      function(document) document.results, document.clue = {document.results[1], document.results[1]}, nil end,
    } do
      assert_well_formed((text_of(document_of(change))))
    end
  end)

  it("is written without charts if gnuplot is missing, and says so", function()
    local path, out = support.write(json.encode(document_of()), support.temporary ".json"), support.temporary ".html"
    local status, _, err = support.execute {"/bin/sh", "-c", 'PATH=/nowhere; exec "$@"', "sh", support.clue, "tune",
                                            "--show", path, "--report", out}
    assert.equal(0, status)
    assert.equal("clue tune: --report: written without charts: gnuplot is not installed; on Debian and "
      .. "Ubuntu: apt install gnuplot-nox\n", err)
    local text = support.read(out)
    assert.matches("<h3>No charts</h3><p>gnuplot is not installed", text, 1, true)
    assert_well_formed(text)
  end)

  it("is not written where it cannot be, which says why", function()
    local path = support.write(json.encode(document_of()), support.temporary ".json")
    local _, err = support.ended(1, support.run {"tune", "--show", path, "--report", "/nowhere/tune.html"})
    assert.equal("clue tune: --report: cannot write /nowhere/tune.html: No such file or directory\n", err)
  end)
end)

-- The page is the same in every build, so one build checks it.
local describe_in_browser = support.thorough and describe or function() end

describe_in_browser("the page of clue tune in a browser", function()
  it("says nothing on the console, and is not wider than a phone", function()
    local path = support.write(text_of(document_of()), support.temporary ".html")
    local frame = support.write(('<!DOCTYPE html><body><iframe src="file://%s" style="width:390px"></iframe>'
      .. '<script>addEventListener("load", () => { const page = document.querySelector("iframe").contentDocument;'
      .. 'document.body.append("WIDTH" + page.documentElement.scrollWidth + "CELLS"'
      .. '+ page.querySelectorAll("#map svg.narrow text").length + "END"); });</script>'):format(path),
      support.temporary ".html")
    -- not the exit status: the browser may crash as it ends, after it wrote the page
    local _, out, err = browser.open({"--dump-dom", "--virtual-time-budget=10000"}, frame)
    local width, cells = out:match "WIDTH(%d+)CELLS(%d+)END"
    assert.is_string(width, err)
    assert.not_matches("CONSOLE", err)
    assert.is_true(tonumber(width) <= 390, width)
    assert.is_true(tonumber(cells) >= 16 + 8, cells)
  end)
end)
