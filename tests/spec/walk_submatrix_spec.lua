-- `clue walk submatrix`: one .cl file has its three kernels, tiles, options, and the published faults are found.
-- walk_steps_spec runs all steps.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

local STEPS = {"01_host_naive", "02_host_buffered", "03_host_cores", "04_naive", "05_tiles", "06_more_per_item",
               "20_best_here"}

local function path_of(step)
  return "scripts/walkthroughs/submatrix/" .. step .. ".lua"
end

describe("the steps of submatrix", function()
  it("run with tiles of 16 and of 8 in turns, and pass tile and work per item as -D options", function()
    local rows = walks.all_verified(#STEPS, {"submatrix", "--size", "40", "--repeat", "1"})
    assert.same({16, 8}, {rows[5].sweep[1].value, rows[5].sweep[2].value})
    assert.matches("-D TILE=16 -D VARIANT=2", rows[5].programs[1].options, 1, true)
    assert.matches("-D TILE=8 -D VARIANT=2", rows[5].programs[2].options, 1, true)
    assert.matches("-D TILE=8 -D VARIANT=3 -D WPT=8", rows[6].programs[1].options, 1, true)
    assert.equal(rows[4].programs[1].source, rows[6].programs[1].source)
    for _, times in ipairs {rows[1].times, rows[5].times, rows[5].sweep[1].times, rows[5].sweep[2].times} do
      assert.equal("GOPS", times.rate) -- the numbers are whole
    end
  end)

  it("refuse work per item that does not divide the tile", function()
    local out = support.ended(1, support.run {path_of(STEPS[6]), "--size", "8", "--wpt", "3"})
    assert.matches("skipped: wpt 3 does not divide tile 8", out, 1, true)
  end)

  it("are skipped with the reason if a tile does not fit the device", function()
    local out = support.ended(1, support.run({path_of(STEPS[6]), "--size", "8", "--tile", "64", "--wpt", "1"},
      support.drivers "oclgrind"))
    assert.matches("skipped: needs work-groups of 4096 work-items, but the device has at most 1024", out, 1, true)
  end)

  it("list their options, and refuse wrong ones", function()
    for _, step in ipairs(STEPS) do
      local out = support.ended(0, support.run {path_of(step), "--help"})
      assert.matches("%-%-size TEXT", out)
    end
    local _, err = support.ended(2, support.run {path_of(STEPS[1]), "--size", "3x4"})
    assert.matches("size '3x4' is neither N nor MxKxN", err, 1, true)
  end)
end)

describe("the published faults of submatrix are found by verification:", function()
  local function published(fault, size)
    local status, out, err = support.run {"tests/specimens/submatrix/published.lua", "--fault", fault, "--size", size}
    assert.equal(0, status, err)
    return out
  end

  it("none in the corrected form", function()
    assert.equal("verified\n", published("none", "40x30x20"))
  end)

  it("ints added up in float", function()
    assert.matches("WRONG: exact on large ints: C%[%d+%]%[%d+%] is %d+, should be %d+", published("float_sums", "300"))
  end)

  it("matrices read by columns", function()
    assert.matches("WRONG: exact on large ints", published("by_columns", "40"), 1, true)
    assert.matches("WRONG: exact on large ints", published("by_columns", "40x30x20"), 1, true)
  end)

  it("M as a row stride, in matrices that are not square", function()
    assert.equal("verified\n", published("strides", "20"))
    assert.matches("WRONG: exact on large ints", published("strides", "20x10x30"), 1, true)
  end)
end)
