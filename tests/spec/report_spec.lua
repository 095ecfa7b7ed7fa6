-- The report of `clue walk --report`, in headless Chromium: what it shows, and that it uses no network.
-- suite: whole
-- cost: 30
-- builds: luajit lua54
-- tools: chromium-headless-shell
local browser = require "browser"
local chart = require "clue.show.page.gnuplot"
local child = require "clue.shared.child"
local columns = require "clue.result.columns"
local drawn = require "clue.show.text"
local difference = require "clue.show.walk.difference"
local json = require "dkjson"
local page_of = require "clue.show.page"
local plot_of = require("clue.show.page.plot").of
local plots = require "clue.show.report.plots"
local report = require "clue.show.report"
local sample = require "sample_documents"
local support = require "support"
local sweep_view = require "clue.show.sweep.view"

local function write(document)
  local path = support.temporary ".html"
  assert.is_nil(page_of.write(path, report.page(document)))
  return path
end

-- A document as it is read from a file, so that numbers and empty lists are as JSON makes them.
local function document_of(how)
  return assert(json.decode(json.encode(sample.walk(how))))
end

local function unescaped(text)
  return (text:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&amp;", "&"))
end

local frames = {
  {"wide light", 1400, "light"}, {"wide dark", 1400, "dark"}, {"narrow light", 390, "light"},
  {"narrow dark", 390, "dark"}, {"half a screen", 1015, "light"}, {"a small screen", 800, "light"},
  {"wide light opened", 1400, "light", true}, {"narrow dark opened", 390, "dark", true},
}

-- Makes all checks in one start of the browser, with the report in a frame for each width and colour scheme.
local function check(path, which)
  local parts = {"<!DOCTYPE html><body>"}
  for _, frame in ipairs(which or frames) do
    parts[#parts + 1] = ('<iframe data-name="%s"%s src="file://%s" style="border:0;width:%dpx;height:2000px;'
      .. 'color-scheme:%s"></iframe>'):format(frame[1], frame[4] and " data-open" or "", path, frame[2], frame[3])
  end
  parts[#parts + 1] = "<script>" .. support.read "tests/specimens/report/check.js" .. "</script>"
  local page = support.write(table.concat(parts, "\n"), support.temporary ".html")
  local out, err = support.ended(0, browser.open({"--dump-dom", "--virtual-time-budget=30000"}, page))
  local text = out:match "RESULTS(%[.*%])END</pre>"
  assert.is_string(text, err)
  local results = {}
  for _, result in ipairs(json.decode(unescaped(text))) do results[result.name] = result end
  return results, err
end

-- The page is the same in every build, so one build checks it.
local describe_in_browser = support.thorough and describe or function() end

describe_in_browser("the report in a browser", function()
  local document, path, results, said

  setup(function()
    document = document_of()
    path = write(document)
    results, said = check(path)
  end)

  for _, frame in ipairs(frames) do
    it(("is right and legible: %s"):format(frame[1]), function()
      local result = results[frame[1]]
      assert.same({}, result.faults)
      assert.equal(30, result.rows)
      assert.is_true(result.widest <= frame[2])
      if frame[2] >= 800 then assert.same({}, result.cut) end
      assert.is_true(result.charts >= 8, result.charts)
      assert.is_true(result.marks >= 20, result.marks)
      assert.same({}, result.requests)
    end)
  end

  it("follows the reader's colour scheme", function()
    assert.equal("rgb(255, 255, 255)", results["wide light"].paper)
    assert.equal("rgb(20, 23, 27)", results["wide dark"].paper)
  end)

  it("says nothing on the console", function()
    assert.not_matches("CONSOLE", said)
  end)

  it("names its language, and every heading of a table has a scope", function()
    assert.equal("en", results["wide light"].lang)
    assert.equal(0, results["wide light"].headless)
  end)

  it("shows every kernel and difference", function()
    assert.is_true(results["wide light"].kernels >= 10)
    assert.is_true(results["wide light"].differences >= 5)
  end)

  it("is printed with the steps opened", function()
    local pdf = support.temporary ".pdf"
    support.ended(0, browser.open({"--no-pdf-header-footer", "--print-to-pdf=" .. pdf}, path))
    local pages = select(2, support.read(pdf):gsub("/Type ?/Page[^s]", ""))
    assert.is_true(pages >= 20, pages)
  end)
end)

describe_in_browser("the checks of the report", function()
  local spoilers = {
    {'(data%-is="total_median_s" data%-value="[^"]*">)%d', "%17"},
    {'(data%-is="kernel_median_s" data%-value=")', "%19"}, {"✓ verified", "WRONG"},
    {"translate%((%d+)%.%d+,%d+", "translate(%1,99", 60},
    {"<nav", '<div style="width:500px">x</div><img src="https://example.invalid/x.png"><p style="color:#eee">pale</p>'
      .. '<p id="data2"><a href="#nowhere">x</a></p><script>undefinedFunction()</script><nav'},
  }

  it("find what is wrong, too wide, too pale, loaded from the network, or fails", function()
    local text = support.read(write(document_of {only = "copies"}))
    for _, spoiler in ipairs(spoilers) do
      local count
      text, count = text:gsub(spoiler[1], spoiler[2], spoiler[3] or 1)
      assert.is_true(count > 0, spoiler[1])
    end
    local results, said = check(support.write(text, support.temporary ".html"), {frames[3]})
    local result = results["narrow light"]
    local faults = table.concat(result.faults, "\n")
    for _, fault in ipairs {"total_median_s shows", "kernel_median_s has data%-value",
                            "verdict 'WRONG' is not verified", "a mark at",
                            "the page is 5%d%d wide", "'pale': [^\n]* is 1%.", "#nowhere leads nowhere"} do
      assert.matches(fault, faults)
    end
    assert.equal("https://example.invalid/x.png", result.requests[1])
    assert.matches("CONSOLE", said)
  end)
end)

describe_in_browser("the report of a sweep in a browser", function()
  it("is right and legible", function()
    for _, how in ipairs {{}, {without_sizes = true}, {without_parameters = true}, {sides = true}} do
      local results, said = check(write(assert(json.decode(json.encode(sample.sweep(how))))))
      for name, result in pairs(results) do
        for _, fault in ipairs(result.faults) do -- the check does not know of the cells below a heat map's numbers
          local of_map = fault:find "^text '[%d.]+': "
            or fault:find "by size %(down%) and tile %(across%): '[%d.]+' is too small"
          assert.is_truthy(of_map, name .. ": " .. fault)
        end
      end
      assert.not_matches("CONSOLE", said)
    end
  end)
end)

describe("the report of a sweep", function()
  local function text_of(how) return support.read(write(assert(json.decode(json.encode(sample.sweep(how)))))) end
  local function plain(text) return unescaped((text:gsub("<script.-</script>", ""):gsub("<[^>]*>", "|"))) end

  it("shows speed against size, with host loops, and the best of each pair of values", function()
    local text = text_of()
    assert.matches("<title id=\"c1%-t\">GFLOPS against size</title>", text)
    assert.matches("The best GFLOPS by size (down) and tile (across)", text, 1, true)
    local shown = plain(text)
    assert.matches("GFLOPS at size|+256|+512|+1024|", shown)
    assert.matches("4 |?tiles, tile 16|+[%d.]+", shown)
    assert.matches("host: serial loop|+0.5000|+~0.5000", shown, 1)
    assert.matches("size 256, 512, 1024; tile 8, 16", shown, 1, true)
    assert.matches("The fastest is step 4, tiles", shown, 1, true)
  end)

  it("shows a step against its only parameter", function()
    local text = text_of {without_sizes = true}
    assert.matches("GFLOPS of step 4 against tile", text, 1, true)
    assert.matches("|16|+[%d.]+|+ [%d.–]+|+[%d.]+|+100 %%|", plain(text))
  end)

  it("shows of options against options the same times as the terminal, those in turn, and the verdict", function()
    local function shown_of(gain)
      local swept = sample.sweep {sides = true}
      local runs, more = swept.walkthroughs[1].runs, {over = "A", part = "total", before = {0.002, 0.002},
        now = {0.004, 0.004}}
      for name, value in pairs(gain) do more[name] = value end
      runs[2].rows[1].gain, swept.options.build_options = more, {"", "-w"}
      local lines = {}
      for l, line in ipairs(drawn.lines(sweep_view.blocks(swept, swept.walkthroughs[1]), 100)) do
        lines[l] = line[1] .. "\n"
      end
      local text = support.read(write(assert(json.decode(json.encode(swept)))))
      return plain(text), table.concat(lines), text
    end
    local page, terminal, text = shown_of {ratio = 0.5, low = 0.4, high = 0.6, pairs = 7, disturbed = true}
    assert.matches("|2.000|+ 2.000–2.000|+4.000|+ 4.000–4.000|+0.50|+ 0.40–0.60|+A faster, disturbed|", page)
    assert.matches(" 2.000 +4.000 +0.50 %(0.40%-0.60%) +A faster, disturbed\n", terminal)
    for _, it in ipairs {page, (terminal:gsub("%s+", " "))} do
      assert.matches("other work disturbed it: by itself, A took 2%d%d%.%d ms and B 2%d%d%.%d ms", it)
      assert.matches("A: no further options", (it:gsub("|", "")), 1, true)
    end
    assert.matches("compiler options &#39;&#39;, -w", text:match "Options: [^<]*", 1, true)
    page, terminal = shown_of {ratio = 0.5, pairs = 2}
    assert.matches("|too few runs to know|", page, 1, true)
    assert.matches("too few runs to know\n", terminal)
  end)

  it("shows the times of steps that count no work", function()
    for _, how in ipairs {{}, {without_sizes = true}} do
      local swept = sample.sweep(how)
      for _, run in ipairs(swept.walkthroughs[1].runs) do
        local times = run.rows[1].times
        times.rate, times.flops, times.bytes = nil, nil, nil
      end
      local text = support.read(write(assert(json.decode(json.encode(swept)))))
      local shown = plain(text)
      assert.not_matches("GFLOPS against", text, 1, true)
      assert.matches("ms: the step counts neither operations nor bytes, so the least is the best", shown, 1, true)
      assert.matches("the fastest[^|]* is step 4, tiles %([^)]*%): [%d.]+ ms", shown)
      assert.matches(how.without_sizes and "ms of step 4 against tile" or "ms against size", text, 1, true)
      assert.not_matches("The best time", text, 1, true) -- times of different sizes are not compared
    end
  end)

  it("tells the parameters and options of the compiler", function()
    local document = document_of {only = "copies"}
    document.options.set, document.options.build_options = {"tile=8"}, {"-w"}
    local text = support.read(write(document))
    assert.matches("tile=8", text:match "Options: [^<]*", 1, true)
    assert.matches("compiler options -w", text:match "Options: [^<]*", 1, true)
  end)

  it("has no headline twice", function()
    for _, options in ipairs {{only = "product"}, {only = "copies"}, {}} do
      local seen = {}
      for headline in support.read(write(document_of(options))):gmatch "<h[12][^>]*>(.-)</h[12]>" do
        assert.is_nil(seen[headline], headline)
        seen[headline] = true
      end
    end
  end)

  it("shows options against options", function()
    local shown = plain(text_of {sides = true})
    assert.matches("B[^|]*s gain [^|]*|+3|+sum_|*local|+512|+kernel|+[%d.]+|", shown)
    assert.matches("|1.25|+ 1.20–1.30|+B faster|", shown)
  end)
end)

describe("the report's file", function()
  it("does not say that no step gains where the runs are too few to be certain", function()
    local document = document_of()
    for _, row in ipairs(document.walkthroughs[1].runs[1].rows) do
      if row.gain then row.gain.low, row.gain.high = nil, nil end
    end
    local text = support.read(write(document))
    assert.matches("too few runs to be certain of a gain", text, 1, true)
    assert.matches("largest gain: step", support.read(write(document_of())), 1, true)
  end)

  local document, text

  setup(function()
    document = document_of()
    text = support.read(write(document))
  end)

  it("contains the whole document", function()
    local embedded = text:match '<script type="application/json" id="data">(.-)</script>'
    assert.same(document, json.decode(embedded))
  end)

  it("never uses a document's text as markup", function()
    assert.is_nil(text:find("<script>alert", 1, true))
    assert.is_nil(text:find("<9V74>", 1, true))
    assert.is_nil(text:find("<plain>", 1, true))
    assert.is_truthy(text:find("&lt;script&gt;alert(1)&lt;/script&gt;", 1, true))
  end)

  it("refers to nothing outside itself", function()
    for _, word in ipairs {"src=", "url%(", "@import", "<link", "<iframe", "<object"} do
      assert.not_matches(word, text:gsub('<script type="application/json".-</script>', ""), word)
    end
    for address in text:gmatch 'href="([^"]*)"' do assert.equal("#", address:sub(1, 1)) end
  end)

  it("shows the kernel as built and every line of its difference", function()
    local before = document.walkthroughs[1].runs[1].rows[2].programs[1].source
    local after = document.walkthroughs[1].runs[1].rows[3].programs[1].source
    local shown = unescaped(text:match "What differs from the kernel of step 2</h4>(.-)</pre>":gsub("<[^>]*>", ""))
    for _, line in ipairs(difference.lines(before, after)) do
      assert.is_truthy(shown:find((line[1] == "=" and " " or line[1]) .. " " .. line[2], 1, true), line[2])
    end
    local kernel = text:match 'id="w1%-3".-<pre tabindex="0"><code>(.-)</code></pre>'
    assert.is_truthy(unescaped(kernel:gsub("<[^>]*>", "")):find(after, 1, true))
  end)

  it("shows the difference from the kernel of the step that it is compared with", function()
    local run = document.walkthroughs[1].runs[1]
    local other = document_of()
    local row = other.walkthroughs[1].runs[1].rows[3]
    row.over, row.programs[1].source, row.gain.over = 1, "kernel void three() {}\n", 1
    other.walkthroughs[1].runs[1].rows[1].programs = {{source = "kernel void one() {}\n", kernels = {}}}
    local page = support.read(write(other))
    local step = page:match(('id="w1%%-%s".-</details>'):format(run.rows[3].number))
    assert.matches("What differs from the kernel of step 1</h4>", step, 1, true)
    assert.matches("over 1</span>", page, 1, true)
  end)

  it("begins with the results", function()
    assert.is_true(text:find("4 steps did not end as they should", 1, true) < text:find('id="machine"', 1, true))
    assert.matches("the fastest: ", text)
    assert.matches("times the author&#39;s best", text)
    assert.matches("no difference", text)
  end)

  it("shows the charts before the facts about the machine", function()
    assert.is_true(text:find("<figure", 1, true) < text:find('id="machine"', 1, true))
    assert.is_true(text:find('href="#w1"', 1, true) < text:find('href="#machine"', 1, true))
  end)

  it("draws no line across steps without a mark, nor from the host's loop to the device", function()
    local example = document_of {only = "product", devices = 1}
    local walkthrough = example.walkthroughs[1]
    local script = plot_of(plots.speed(example, walkthrough, plots.groups(walkthrough)[1])).script(chart.sizes[1])
    local places = {}
    for line in script:match "%$s1 << EOD\n(.-)EOD":gmatch "([^\n]*)\n" do
      places[#places + 1] = line == "" and "|" or ("%.0f"):format(tonumber(line:match "^%S+"))
    end
    assert.equal("1 | 2 3 4 | 8", table.concat(places, " ")) -- 5 was skipped, 6 did not end, 7 is wrong
  end)

  it("says beside a gain which medians the runs in turn had, if the rows' own contradict it", function()
    local other = document_of {only = "product", devices = 1}
    local gain = other.walkthroughs[1].runs[1].rows[3].gain
    gain.disturbed, gain.before, gain.now = true, {0.25, 0.25}, {0.1, 0.1}
    assert.matches("! 3: in turn with step 2, it took 100.0 ms and step 2 250.0 ms; each by itself, ",
      support.read(write(other)), 1, true)
  end)

  it("says what part of the device's peak each step reaches", function()
    local run = document.walkthroughs[1].runs[1]
    local shown = columns.text("share_of_peak", run.rows[2], {peak = document.devices[1].peak})
    assert.matches((' data%%-is="share_of_peak" data%%-value="[^"]*">%s</td>'):format((shown:gsub("%p", "%%%0"))), text)
    assert.matches("%% of the device&#39;s peak</li>", text)
  end)

  it("labels a step's variants below the axis: their common beginning once, long names by number", function()
    assert.matches(">groups of</text>", text)
    assert.matches(">64</text>", text)
    assert.matches("<li>8 bodies an item, no tiles &lt;rsqrt&gt;</li><li>16 bodies an item, native_rsqrt</li>", text)
  end)

  it("says which variant a step counts with", function()
    assert.matches("The step counts with its fastest variant.", text, 1, true)
    local other = document_of()
    for _, walkthrough in ipairs(other.walkthroughs) do
      for _, row in ipairs(walkthrough.runs[1].rows) do row.variant = row.sweep and #row.sweep end
    end
    local told = support.read(write(other))
    assert.matches("The step counts with this variant: 16 bodies an item, native_rsqrt.", told, 1, true)
    assert.is_nil(told:find("its fastest variant", 1, true))
  end)

  it("says if the run was interrupted", function()
    local cut = document_of {only = "copies"}
    cut.finished = nil
    assert.matches("did not finish", support.read(write(cut)))
  end)

  it("is written even for a document that is almost empty", function()
    for _, walkthroughs in ipairs {
      {}, {{name = "x", runs = {}}}, {{name = "x", runs = {{device = "0:0", rows = {}}}}},
      {{name = "x", runs = {{device = "0:0", rows = {{number = 1, failed = {word = "crashed", text = "?"}}}}}}},
      {{name = "x", runs = {{device = "0:0", rows = {{number = 1, name = "one", check = {verified = true, text = ""},
        times = {total = {1}}}}}}}},
    } do
      write {format = "clue walk 2", clue = "0", walkthroughs = walkthroughs, devices = {}, machine = {}, options = {}}
    end
  end)

  it("sets a step beside its host loop by the time that it is judged by", function()
    local copies = document_of {only = "copies"}
    local row = copies.walkthroughs[1].runs[1].rows[1]
    row.times.kernel, row.times.total, row.host = {0.5}, {2}, {name = "loop", seconds = 1.5, times = {1.5}}
    local shown = support.read(write(copies)):match 'data%-is="over_host" data%-value="([^"]*)"'
    assert.equal("3", shown)
  end)

  it("places only what ran on the device under the device's roof", function()
    local example = document_of()
    local run = example.walkthroughs[1].runs[1]
    local function placed() return plots.roofline(example, run).description:match "^%d+ steps?" end
    assert.equal("4 steps", placed())
    run.rows[2].device = nil
    assert.equal("3 steps", placed())
    run.rows[3].type = "long" -- `clue peak` measures no limit of long
    assert.equal("2 steps", placed())
  end)

  it("keeps a size that is called n", function()
    local sized = document_of {only = "copies"}
    sized.walkthroughs[1].runs[1].rows[1].size = {n = 4096}
    assert.matches('"size":{"n":4096}', support.read(write(sized)))
  end)

  it("is written without charts if gnuplot is missing, and says so", function()
    local out = support.temporary ".html"
    local script = ([[
      package.path = "tests/spec/?.lua;" .. package.path
      package.preload.busted = function() return {subscribe = function() end} end
      print(require("clue.show.page").write(%q, require("clue.show.report").page(require("sample_documents").walk())))
    ]]):format(out)
    local said = support.ended(0, support.execute {"/bin/sh", "-c", 'PATH=/nowhere; exec "$@"', "sh", support.clue,
      support.write(script)})
    assert.equal("gnuplot is not installed; on Debian and Ubuntu: apt install gnuplot-nox\n", said)
    local page = support.read(out)
    assert.matches("<h3>No charts</h3><p>gnuplot is not installed", page)
    assert.not_matches("<figure", page)
    assert.matches('data%-is="total_median_s"', page)
  end)

  it("is an error if it cannot be written", function()
    local written, why = pcall(page_of.write, "/nowhere/report.html", report.page(document_of {only = "copies"}))
    assert.is_false(written)
    assert.matches("/nowhere/report.html", why, 1, true)
  end)

  -- The names of all fields that are texts in a document, without those that readers decide by.
  local function text_fields(value, found)
    for name, entry in pairs(value) do
      if type(entry) == "table" then text_fields(entry, found) end
      if type(entry) == "string" and type(name) == "string" and name ~= "format" then found[name] = true end
    end
    return found
  end

  -- Variants of a step may differ from it: left_out keeps theirs.
  local function set_all(value, field, evil, left_out)
    for name, entry in pairs(value) do
      if type(entry) == "table" and name ~= left_out then set_all(entry, field, evil, left_out) end
      if name == field and (type(entry) == "string" or name == "number") then value[name] = evil end
    end
  end

  it("passes no text of a document to gnuplot #once", function()
    local mark, tried = support.temporary(), 0
    local evil = ("'; system('touch %s'); `touch %s` #'\nsystem('touch %s')\n"):format(mark, mark, mark)
    local output_of, given = child.output_of, 0
    function child.output_of(words) -- gnuplot runs what has any of it: no other script can do what it says
      if not support.read(words[4]):find("touch", 1, true) then
        return "", {status = function() return 0 end, errors = ""}
      end
      given = given + 1
      return output_of(words)
    end
    finally(function() child.output_of = output_of end)
    for _, make in ipairs {function() return document_of {only = "copies"} end,
                           function() return assert(json.decode(json.encode(sample.sweep()))) end} do
      local fields = text_fields(make(), {number = true, type = true, label = true})
      for field in pairs(fields) do
        local hostile = make()
        set_all(hostile, field, evil, field ~= "label" and "sweep" or nil)
        pcall(function() page_of.write(support.temporary ".html", report.page(hostile)) end)
        assert.is_nil(support.read(mark), field)
        tried = tried + 1
      end
    end
    assert.is_true(tried > 30 and given > 0, tried)
  end)
end)

describe("clue walk --report", function()
  local function walk(path, prefix, driver)
    local words = {"/bin/sh", "-c", (prefix or "") .. 'exec "$@"', "sh", support.clue, "walk", "mql5", "--steps", "1-3",
                   "--size", "24", "--repeat", "1", "--report", path}
    -- For the report, `clue peak` measures the device, which takes less time with an interpreter.
    return support.execute(words, support.drivers(driver or "oclgrind", {LUA_INIT = support.cold}))
  end

  it("writes the measured times, with a chart #once", function()
    local path = support.temporary ".html"
    support.clean(walk(path))
    local page = support.read(path)
    local document = json.decode(page:match 'id="data">(.-)</script>')
    assert.equal(3, #document.walkthroughs[1].runs[1].rows)
    assert.matches("3 of 3 steps verified", support.flat(page))
    assert.matches('<svg class="wide"', page)
    assert.matches("What differs from the kernel of step 2", page)
  end)

  it("says that there are no charts without gnuplot, and keeps the run's exit status #once", function()
    local folder, path = support.folder(), support.temporary ".html"
    -- All programs that a driver may call are still found, but not gnuplot.
    local hide = ("ln -s /usr/bin/* %s; rm -f %s/gnuplot*; PATH=%s; "):format(folder, folder, folder)
    local status, _, err = walk(path, hide, "null") -- on which steps are wrong
    assert.equal("clue walk: --report: written without charts: gnuplot is not installed; on Debian and "
      .. "Ubuntu: apt install gnuplot-nox\n", err)
    assert.equal(1, status)
    assert.matches("<h3>No charts</h3>", support.read(path))
  end)

  it("fails before the work if it cannot write the report", function()
    local out, err = support.ended(1, walk "/nowhere/report.html")
    assert.matches("clue walk: --report: cannot write /nowhere/report.html", err, 1, true)
    assert.is_nil(out:find("verified", 1, true))
  end)
end)
