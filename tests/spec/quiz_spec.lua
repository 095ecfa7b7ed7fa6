-- clue walk --quiz and clue show --quiz: questions before numbers, whose answers are the rows' own.
-- suite: quick
local gains = require "clue.result.gain"
local read = require("clue.result.document").read
local sample = require "sample_documents"
local support = require "support"
local view = require "clue.show.walk.quiz"

-- ---- rows ----

-- A row whose requests touch so many sectors, and take so many passes.
local function row(number, sectors, passes, more)
  local it = {
    number = number, name = "step" .. number, change = "something", published = {},
    counts = {size = "64", flops = 1000, findings = {"a finding"}, kernels = {},
              sums = {accesses = 100, requests = 10, sectors = sectors * 10, least = 320, asked = sectors * 320,
                      of_groups = 320, passes = passes * 5, local_requests = 5, lanes = 32, slots = 32}},
  }
  return support.with(it, more)
end

local function questions(...) return view.questions({...}, {kind = "gpu", name = "a GPU"}) end

local function right(question) return question.choices[question.right] end

describe("a question", function()
  it("is about the figure that changes most, and has the row's own value as its answer", function()
    local list = questions(row(1, 32, 1), row(2, 4, 1))
    assert.equal("How many sectors of 32 bytes does a warp's request to global memory touch?", list[2].text)
    assert.equal("4.00", right(list[2]))
    assert.equal("5.00", right(questions(row(1, 32, 1), row(2, 5, 1))[2]))
    list = questions(row(1, 4, 1), row(2, 4, 16))
    assert.equal("How many passes does a request to local memory take?", list[2].text)
    assert.equal("16.0", right(list[2]))
    assert.matches("16.0 passes a local request, 1.00 before", list[2].why[1], 1, true)
    assert.equal("a finding", list[2].why[2])
  end)

  it("has three choices in their order, none twice, none impossible", function()
    for sectors = 1, 32 do
      for _, before in ipairs {1, 4, sectors, 32} do
        local question = questions(row(1, before, 1), row(2, sectors, 1))[2]
        assert.equal(3, #question.choices)
        local last = -1
        for _, choice in ipairs(question.choices) do
          assert.is_true(tonumber(choice) > last)
          last = tonumber(choice)
        end
      end
    end
  end)

  it("of speed is answered by a measured gain", function()
    local gain = {over = 1, ratio = 2.5, low = 2.4, high = 2.6, middle = 2.5}
    local question = questions(row(1, 4, 1), row(2, 4, 1, {gain = gain}))[3]
    assert.equal("Is it faster than step 1 on a GPU?", question.text)
    assert.equal("faster", right(question))
    assert.same({"Measured: 2.50 (2.40-2.60) times as fast."}, question.why)
    gain.ratio, gain.low, gain.high, gain.middle = 0.5, 0.4, 0.6, 0.5
    assert.equal("slower", right(questions(row(1, 4, 1), row(2, 4, 1, {gain = gain}))[3]))
    gain.ratio, gain.low, gain.high, gain.middle = 1.02, 0.95, 1.1, 1.02
    assert.equal("no difference", right(questions(row(1, 4, 1), row(2, 4, 1, {gain = gain}))[3]))
    gain.high = 1.3
    assert.is_nil(questions(row(1, 4, 1), row(2, 4, 1, {gain = gain}))[3]) -- unclear
  end)

  it("of speed is answered by the author's figures for such a device, if nothing else differs", function()
    local function published(seconds, text) return {published = {{on = "CPU", seconds = 1}, {on = "GPU",
      seconds = seconds, text = text}}} end
    local list = questions(row(1, 4, 1, published(8)), row(2, 4, 1, published(2)))
    assert.equal("Is it faster than step 1 on the author's GPU?", list[3].text)
    assert.equal("faster", right(list[3]))
    assert.equal("The author's GPU took 8 s, then 2 s: 4.00 times as fast.", list[3].why[1])
    assert.is_nil(questions(row(1, 4, 1, published(8)), row(2, 4, 1, published(2, "at 4096")))[3])
  end)

  it("of speed is answered by what the step expects, and not asked if that is open", function()
    local function expecting(word) return {expected = {word = word, why = "for a reason", over = 1}} end
    local list = questions(row(1, 4, 1), row(2, 4, 1, expecting "slower"))
    assert.equal("slower", right(list[3]))
    assert.same({"That is expected: for a reason."}, list[3].why)
    assert.is_nil(questions(row(1, 4, 1), row(2, 4, 1, expecting "open"))[3])
  end)

  it("is not asked of a step that has no counts, was skipped or failed", function()
    assert.equal(0, #questions(row(1, 4, 1, {counts = false})))
    assert.equal(0, #questions(row(1, 4, 1, {skipped = "no fp64"}), row(2, 4, 1, {failed = {}})))
  end)
end)

-- ---- commands ----

describe("clue walk --quiz", function()
  it("takes answers from a pipe, says what is right, and ends with the score where they end #later", function()
    local count = require("claim_sources").of("submatrix").count
    local status, out = support.run({"walk", "submatrix", "--steps", "4,5", "--size", "16", "--quiz"}, nil, "2\nx\n")
    assert.equal(0, status)
    assert.matches("^Step 4, naive: ", out)
    local sectors = ("%.2f"):format(count(4).sectors.value)
    assert.matches("\nHow many .-\n  1  %S+\n  2  " .. sectors .. "\n  3  %S+\nYour answer, 1 to 3 .-: 2\nright: "
      .. sectors .. "\nBy the count at 64: " .. sectors .. " sectors a request", out)
    assert.matches("\nStep 5, tiles %(changes step 4%): ", out)
    assert.matches(": x\nYour answer, 1 to 3 ", out) -- no answer: it is asked again
    assert.matches(": \n1 of 1 right; %d not asked\n$", out)
    assert.is_nil(out:find("passes a local request", 1, true)) -- no number before its answer
  end)
end)

it("a quiz says so if there is nothing to ask", function()
  local nothing = "there is nothing to ask: no step has counts, or a gain over another one\n"
  local err = support.refused(1, support.run {"walk", "hello", "--steps", "0", "--size", "7", "--quiz"})
  assert.equal("clue walk: --quiz: " .. nothing, err)
  local document = sample.walk {only = "copies"}
  for _, run in ipairs(document.walkthroughs[1].runs) do run.rows = {run.rows[1]} end
  local path = sample.file(document)
  assert.equal(("clue show: --quiz: %s: %s"):format(path, nothing),
    support.refused(1, support.run {"show", path, "--quiz"}))
end)

describe("clue show --quiz", function()
  local file = "docs/measurements/walk-h200-mql5.json.gz"

  it("asks about a run that was measured, without a device", function()
    local answers = ("1\n"):rep(30)
    local out = support.ended(0, support.run({"show", file, "--quiz"}, support.drivers "none", answers))
    assert.matches("Is it faster than step 2 on NVIDIA H200?", out, 1, true)
    for _, it in ipairs(assert(read(file)).walkthroughs[1].runs[1].rows) do
      if it.number == 4 then
        assert.matches(("Measured: %s times as fast."):format(gains.text(it.gain)), out, 1, true)
      end
    end
    local hits, misses = select(2, out:gsub("\nright: ", "")), select(2, out:gsub("\nno: slower\n", ""))
    assert.is_true(hits > 0 and misses > 0, out) -- step 5 is slower
    assert.matches(("\n%d of 30 right; %%d+ not asked\n$"):format(hits), out)
  end)

  it("says which options do not fit", function()
    local _, err = support.ended(2, support.run({"show", file, "--quiz", "--notes"}, support.drivers "none"))
    assert.matches("--quiz goes with one file, and with --device alone", err, 1, true)
  end)
end)
