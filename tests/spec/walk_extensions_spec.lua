-- `clue walk amd`, the study extensions: names of extensions, what its rows say, and wrong sizes. walk_steps_spec
-- runs its steps.
-- suite: whole
local amd = require "clue.walk.amd"
local info = require "clue.device_info"
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/amd/"
-- The rows of some steps, by name.
local function rows_of(steps, args, env)
  local words = support.words({"amd", "--steps", steps, "--repeat", "1"}, args)
  local _, _, document = support.ended(0, walks.walk(words, env))
  local by_name = {}
  for _, row in ipairs(walks.rows(document)) do by_name[row.name] = row end
  return by_name
end

describe("the extensions of a device", function()
  local device = {extensions = "cl_khr_fp64 cl_khr_3d_image_writes cl_khr_fp64 "}

  it("are found by their whole names", function()
    assert.is_true(info.lists(device.extensions, "cl_khr_fp64"))
    assert.is_false(info.lists(device.extensions, "cl_khr_fp6"))
    assert.is_false(info.lists(device.extensions, "khr_fp64"))
    assert.is_false(info.lists("", "cl_khr_fp64"))
    assert.same({"cl_khr_3d_image_writes", "cl_khr_fp64"}, amd.names(device))
  end)

  it("are taken in the order of preference", function()
    local function needed(extensions)
      local context = {device = {has_extension = function(_, name) return info.lists(extensions, name) end}}
      return amd.need_one({}, context, "cl_khr_fp64", "cl_amd_fp64")
    end
    assert.equal("cl_khr_fp64", needed "cl_amd_fp64 cl_khr_fp64")
    assert.equal("cl_amd_fp64", needed "cl_khr_icd cl_amd_fp64")
  end)

  it("are enabled by a pragma each", function()
    assert.equal("#pragma OPENCL EXTENSION a : enable\n#pragma OPENCL EXTENSION b : enable\n",
      amd.pragma("a", "b"))
  end)
end)

describe("the extensions of amd", function()
  it("are listed under their kinds", function()
    local rows = rows_of("21", {"--size", "1"})
    assert.matches("of Khronos %(%d+%): .*cl_khr_fp64", table.concat(rows.extensions.notes, "\n"))
  end)

  it("show that the halves of a device work at the same time", function()
    local rows = rows_of("27,28", {"--size", "262144"}, support.drivers("pocl", {POCL_MAX_PTHREAD_COUNT = "4"}))
    local notes = table.concat(rows.fission_equally.notes, "\n")
    assert.matches("2 sub-devices of 2 of 4 compute units", notes, 1, true)
    local together = notes:match "([%d.e+-]+) ms of it at the same time"
    assert.is_true(tonumber(together) > 0, notes)
    notes = table.concat(rows.fission_by_counts.notes, "\n")
    assert.matches("3 compute units and 1 of 4", notes, 1, true)
    assert.matches("on the part that was kept free", notes, 1, true)
  end)

  it("skip fission on a single compute unit", function()
    local status, out = support.run({folder .. "27_fission_equally.lua"},
      support.drivers("pocl", {POCL_MAX_PTHREAD_COUNT = "1"}))
    assert.equal(1, status, out) -- nothing could run
    assert.matches("(step 27 skipped: ", out, 1, true)
  end)

  it("refuse wrong sizes", function()
    for _, step in ipairs {"22_atomics_global", "31_half"} do
      local err = support.refused(2, support.run {folder .. step .. ".lua", "--size", "many"})
      assert.matches("size 'many' is not a whole number", err, 1, true)
    end
  end)
end)
