-- clue show: what clue measured, shown again from its file. tests/golden has what it prints of whole documents.
-- suite: quick
local read_text = require("clue.result.document").text
local sample = require "sample_documents"
local support = require "support"

local file_of = sample.file
local walk, peak, tune = file_of(sample.walk()), file_of(sample.peak()), file_of(sample.tune())

-- No driver is there: nothing may need one.
local function show(...)
  return support.run({"show", ...}, support.drivers "none")
end

local function refuses(status, expected, ...)
  local code, out, err = show(...)
  assert.equal("clue show: " .. expected .. "\n", err)
  assert.equal("", out)
  assert.equal(status, code)
end

describe("clue show", function()
  it("prints a walk as the run did", function()
    local path = support.temporary ".json"
    local _, printed = support.run {"walk", "hello", "--steps", "1,2", "--size", "64", "--repeat", "1", "--json", path}
    local out = support.ended(0, show(path))
    for again, what in pairs {["clue walk hello %-%-explain"] = "clue show [^\n]+ %-%-step",
                              ["clue walk hello %-%-notes"] = "clue show [^\n]+ %-%-notes"} do
      printed, out = printed:gsub(again .. "[^\n]*\n", ""), out:gsub(what .. "[^\n]*\n", "")
    end
    assert.equal(printed, out)
    assert.matches("\nclue show [^\n]+ %-%-notes", select(2, show(path)))
  end)

  it("prints only one device", function()
    local out = support.ended(0, show(walk, "--device", "NVIDIA"))
    assert.matches("NVIDIA H200, driver", out, 1, true)
    assert.is_nil(out:find("pthread", 1, true))
    refuses(1, walk .. " has no device 'none'; there is: 0:0 pthread-skylake-avx512-AMD EPYC <9V74> & \"friends\", "
      .. "1:0 NVIDIA H200", walk, "--device", "none")
  end)

  it("leaves no end of a long heading alone on a line", function()
    local _, out = show("docs/measurements/walk-h200-reduce.json.gz", "--notes")
    assert.matches("\n-- reduction: step 7, bandwidth, is the fastest: [^\n]*\n", out)
    assert.is_nil(out:find("\n *%-%-\n"))
  end)

  it("explains one step", function()
    local _, out = show(walk, "--step", "4", "--device", "0")
    assert.matches("^Step 4, tiles:", out)
    assert.matches("__kernel", out)
    local _, err = support.ended(1, show(walk, "--step", "99"))
    assert.matches("has no step '99'; there are: 1 loops, ", err, 1, true)
  end)

  it("reads a file that gzip compressed", function()
    local path = support.temporary ".json"
    support.write(support.read(walk), path)
    local plain = support.ended(0, show(path))
    assert.equal(0, (support.execute {"/usr/bin/env", "gzip", path}))
    local again, unpacked = show(path .. ".gz")
    assert.same({0, plain}, {again, (unpacked:gsub("json%.gz", "json"))})
    local _, err = support.ended(1, support.run({"show", "-"}, nil, support.read(path .. ".gz")))
    assert.matches("standard input is compressed: give the file, or unpack it by zcat", err, 1, true)
  end)

  it("says what limits a step whose accesses were counted #later", function()
    local kept = "docs/measurements/walk-h200-mql5.json.gz"
    local function limit(step) return (select(2, show(kept, "--step", step))):match "\n  (limited by [^\n]*)" end
    assert.matches("^limited by local memory: alone, it would take %d%d %% of the time$", limit "12")
    assert.matches("^limited by requests: alone, it would take %d%d %% of the time$", limit "4")
    assert.matches("none of the limits that clue knows", select(2, show(kept, "--step", "6")), 1, true)
    assert.is_nil(limit "1") -- on the host
    kept = support.write((read_text(kept):gsub('"kind":%s*"gpu"', '"kind": "cpu"')), support.temporary ".json")
    assert.is_nil(select(2, show(kept, "--step", "6")):find("none of the limits", 1, true)) -- few are known of a CPU
  end)

  it("writes the report and the CSV", function()
    local page, csv = support.temporary ".html", support.temporary ".csv"
    assert.equal(0, (show(walk, "--html", page)))
    assert.matches("^<!DOCTYPE html>", support.read(page))
    assert.equal(0, (show(walk, "--csv", csv)))
    assert.matches("^walkthrough,device,step,", support.read(csv))
    assert.equal(0, (show(peak, "--html", page)))
    assert.matches("<h2 id=\"device1%-title\">NVIDIA H200</h2>.*>float4</th><td>60200</td>", support.read(page))
    local status, printed = show(tune, "--html", page)
    assert.same({0, ""}, {status, printed}) -- instead
    assert.matches("^<!DOCTYPE html>", support.read(page))
    refuses(1, "--csv: cannot write /none/a.csv: No such file or directory", walk, "--csv", "/none/a.csv")
  end)

  it("shows files of clue peak and clue tune, and several, one below the other", function()
    local out = support.ended(0, show(peak, tune))
    local second = out:find("\n" .. tune .. ":\n", 1, true)
    assert.matches(peak .. ":\ndevice 1 (1:0) NVIDIA H200", out, 1, true)
    assert.matches("\n  float4 .*60200 ", out:sub(1, second))
    assert.matches("the best, measured again by turns:", out:sub(second), 1, true)
  end)

  it("says which options do not fit", function()
    refuses(1, peak .. " is from clue peak: --csv goes with files of clue walk", peak, "--csv", "a.csv")
    refuses(1, tune .. " is from clue tune: --step goes with files of clue walk", tune, "--step", "1")
    refuses(1, tune .. " is from clue tune, which has one device: leave out --device", tune, "--device", "0")
    refuses(1, "--html: cannot write /none/a.html: No such file or directory", peak, "--html", "/none/a.html")
    local _, err = support.ended(2, show(walk, peak, "--html", "a.html"))
    assert.matches("--html goes with one file", err, 1, true)
  end)

  it("says what is wrong with a file", function()
    refuses(1, "/none.json: No such file or directory", "/none.json")
    local other = support.write "{}"
    refuses(1, other .. ": this JSON is not from `clue walk --json`, `clue peak --json` or `clue tune`", other)
  end)
end)
