-- How far a walkthrough's author was from the fastest row.
-- suite: quick
-- process: shared
local fastest = require "clue.result.fastest"

-- A row that does 1e9 operations in so many seconds.
local function row(number, seconds, more)
  local it = {number = number, name = "step" .. number, device = {name = "a"}, check = {verified = true},
              times = {total = {seconds}, flops = 1e9, rate = "GFLOPS", runs = 1}}
  for name, value in pairs(more or {}) do it[name] = value end
  return it
end

describe("the share of the author", function()
  it("is his fastest step's part of the fastest row, beside the last of the steps beyond", function()
    local rows = {row(1, 2), row(2, 1), row(11, 0.5, {beyond = true}), row(20, 0.01, {beyond = true, best = true})}
    assert.same({{unit = "GFLOPS", best = 20, name = "step20", speed = 100,
                  author = {number = 2, speed = 1, share = 0.01}, step = {number = 11, speed = 2, share = 0.02}}},
      fastest.shares(rows))
    assert.same({"by kernel time, the author reached 1.0 % (step 2) of the fastest here (step 20, step20: 100.0 "
      .. "GFLOPS), step 11 reached 2.0 %"}, fastest.share_lines(rows))
  end)

  it("says so if the author's step is the fastest", function()
    assert.same({"by kernel time, the author's step 1 is the fastest here"},
      fastest.share_lines {row(1, 0.01), row(20, 0.1, {beyond = true, best = true})})
  end)

  it("says that they are equally fast if runs by turns show no difference, as the verdict does", function()
    local beyond = row(2, 0.8, {beyond = true, gain = {over = 1, ratio = 1.01, low = 0.99, high = 1.02}})
    assert.same({"by kernel time, the author's step 1 is as fast as the fastest here (step 2, step2: 1.250 GFLOPS)"},
      fastest.share_lines {row(1, 1), beyond})
  end)

  it("leaves out loops of the host, which have no kernel", function()
    local loop = row(0, 0.1)
    loop.device = nil
    assert.same({"by kernel time, the author reached 50 % (step 1) of the fastest here (step 3, step3: 2.000 GFLOPS)"},
      fastest.share_lines {loop, row(1, 1), row(3, 0.5, {beyond = true})})
  end)

  it("goes by the kernel's time where a row has one", function()
    local transferred = row(1, 1)
    transferred.times.kernel = {0.1}
    local found = fastest.shares {transferred, row(20, 0.05, {beyond = true, best = true})}
    assert.same({number = 1, speed = 10, share = 0.5}, found[1].author)
  end)

  it("counts no row that is wrong, and nothing if there is no step beyond", function()
    assert.same({}, fastest.shares {row(1, 1), row(2, 2)})
    assert.same({}, fastest.shares {row(1, 1), row(20, 0.1, {beyond = true, check = {verified = false}})})
    assert.same({}, fastest.shares {row(1, 1), {number = 20, beyond = true, skipped = "no fp64"}})
  end)

  it("leaves out rows that only show a limit", function()
    local rows = {row(1, 1), row(2, 0.1, {limit = true}), row(3, 0.5, {beyond = true})}
    assert.same({"by kernel time, the author reached 50 % (step 1) of the fastest here (step 3, step3: 2.000 GFLOPS)"},
      fastest.share_lines(rows))
  end)

  it("is apart for each study", function()
    local rows = {row(1, 1, {study = "a"}), row(2, 0.5, {study = "a", beyond = true}), row(3, 1, {study = "b"}),
                  row(4, 0.25, {study = "b", beyond = true}), row(5, 1, {study = "c"})}
    local line = "%s: by kernel time, the author reached %s (step %d) of the fastest here (step %d, step%d: %s GFLOPS)"
    assert.same({line:format("a", "50 %", 1, 2, 2, "2.000"), line:format("b", "25 %", 3, 4, 4, "4.000")},
      fastest.share_lines(rows))
  end)
end)
