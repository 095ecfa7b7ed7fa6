-- An OpenCL call fails in a step of a walkthrough (tests/layer/fail_nth.c), in processes forked at the call
-- (failing.lua): each call that the step makes, where it is made first and where it is made for the fifth time, after
-- the first checks. The step ends with an error that names the call, and shows no row. Under `clue walk` only its own
-- row fails.
-- suite: whole
-- cost: 20

local failing = require "failing"
local json = require "dkjson"
local support = require "support"

-- A step for each kind of problem and of memory. Oclgrind compiles nothing, so each run is short.
local steps = {
  "mql5/07_column_in_local", "dcltk/04_range_2d", "hello/03_tiles", "submatrix/05_tiles", "amd/06_local_tile",
  "amd/17_nbody_local", "amd/30_image_writes", "reduce/07_bandwidth", "reduce/11_scan_runs",
  "reduce/15_histogram_groups",
}

-- These try which groups fit. They take a refused trial for "it does not fit", and go on with a smaller group to a
-- result that is verified.
local tries_groups = {["hello/03_tiles"] = true, ["reduce/07_bandwidth"] = true, ["reduce/11_scan_runs"] = true,
  ["reduce/15_histogram_groups"] = true}

-- Their usual groups take Oclgrind seconds.
local small = {["hello/03_tiles"] = "--t=64", ["amd/17_nbody_local"] = "--group=16"}

describe("an OpenCL call that fails in a step", function()
  for _, step in ipairs(steps) do
    it("is named, and no row is shown: " .. step, function()
      local told = 0
      local failures, sound = failing.each({ -- the first code: not a lack of memory, after which clue tries again
        words = {"--quiet", "-e", "require('clue.walk.measure').warm_seconds = 0",
                 ("scripts/walkthroughs/%s.lua"):format(step), "--size", "16", "--repeat", "3",
                 small[step]},
        driver = "oclgrind", class = "act", codes = 1, places = 5,
      }, function(run)
        if tries_groups[step] and run.status == 0 then
          return assert.matches("1 of 1 step verified", support.flat(run.out), 1, true)
        end
        told = told + 1
        assert.equal(1, run.status, run.title)
        assert.is_nil(run.out:find "verified", run.title)
        assert.is_true(failing.names(run, "CL_INVALID_"), run.title)
      end)
      assert.matches("1 of 1 step verified", support.flat(sound.out), 1, true)
      assert.is_true(failures >= 9 and told >= 6, ("%d of %d told"):format(told, failures))
      print(("%d failures in %s"):format(failures, step))
    end)
  end

  it("costs a walk that row only", function()
    local path = support.temporary(".json")
    local words = {"walk", "mql5", "--steps", "2,4", "--size", "16", "--repeat", "1", "--json", path}
    -- In each child of clue's: settings are inherited.
    local run = failing.run({words = words, class = "act", driver = "oclgrind"}, 16)
    assert.equal(1, run.status, run.title)
    local rows = json.decode(support.read(path)).walkthroughs[1].runs[1].rows
    assert.equal(2, #rows)
    for _, row in ipairs(rows) do
      assert.is_nil(row.verified)
      assert.matches("CL_OUT_OF", json.encode(row))
    end
    assert.is_nil(run.out:find "[12] of 2 steps verified")
  end)
end)
