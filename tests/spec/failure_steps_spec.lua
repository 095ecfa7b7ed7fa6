-- An OpenCL call fails in a step of a walkthrough (tests/layer/fail_nth.c): each call that the step makes, where it is
-- made first and, if it is made often, where it is made for the fifth time, after the first checks. The step ends with
-- an error that names the call, and shows no row. Under `clue walk` only its own row fails.
-- suite: whole

local failing = require "failing"
local json = require "dkjson"
local support = require "support"

-- A step for each kind of problem and of memory. Oclgrind compiles nothing, so each run is short.
local steps = {
  "mql5/07_column_in_local", "dcltk/04_range_2d", "hello/03_tiles", "submatrix/05_tiles", "amd/06_local_tile",
  "amd/17_nbody_local", "amd/30_image_writes", "reduce/07_bandwidth", "reduce/11_scan_runs",
  "reduce/15_histogram_groups",
}

local tries_groups = {["hello/03_tiles"] = true, ["reduce/07_bandwidth"] = true, ["reduce/11_scan_runs"] = true,
  ["reduce/15_histogram_groups"] = true}

local function words_of(step)
  return {"--quiet", ("scripts/walkthroughs/%s.lua"):format(step), "--size", "16", "--repeat", "1"}
end

-- Which of a step's calls fail. How often a step measures depends on the times, so a late call may not come.
local function places(names)
  local all, list = {}, {}
  for n, name in ipairs(names) do
    all[name] = all[name] or {}
    table.insert(all[name], n)
  end
  for _, places_of in pairs(all) do
    list[#list + 1] = places_of[1]
    if #places_of >= 10 then list[#list + 1] = places_of[5] end
  end
  table.sort(list)
  return list
end

-- Returns true if the failure was told. Steps that try which groups fit take a refused trial for "it does not fit", and
-- go on with a smaller group to a result that is verified.
local function check(run)
  assert.not_equal("-", run.report.failed, run.title)
  if run.status == 0 and run.out:find("1 of 1 step verified", 1, true) then return false end
  assert.equal(1, run.status, run.title)
  assert.is_nil(run.out:find "verified", run.title)
  assert.is_true(failing.names(run, "CL_INVALID_"), run.title)
  return true
end

describe("an OpenCL call that fails in a step", function()
  for _, step in ipairs(steps) do
    it("is named, and no row is shown: " .. step, function()
      local words = words_of(step)
      local whole = failing.run("act", 0, words, {driver = "oclgrind"})
      assert.matches("1 of 1 step verified", whole.out, 1, true)
      local list = places(failing.calls("act", words, "oclgrind"))
      assert.is_true(#list >= 9, "only " .. #list .. " failures")
      local told = 0
      for _, n in ipairs(list) do -- the first code: not a lack of memory, after which clue tries again
        if check(failing.run("act", n, words, {driver = "oclgrind", code = 1})) then told = told + 1 end
      end
      assert.is_true(tries_groups[step] and told >= 6 or told == #list, ("%d of %d told"):format(told, #list))
      print(("%d failures in %s"):format(#list, step))
    end)
  end

  it("costs a walk that row only", function()
    local path = support.temporary(".json")
    local words = {"walk", "mql5", "--steps", "2,4", "--size", "16", "--repeat", "1", "--json", path}
    local run = failing.run("act", 16, words, {driver = "oclgrind"}) -- in each child: settings are inherited
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
