-- `clue walk amd`, the studies beyond the course: their sizes and variants. walk_steps_spec runs the steps.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

-- The rows of all steps, by name.
local function rows_of(size)
  local by_name = {}
  for _, row in ipairs(walks.all_verified(6, {"amd", "--steps", "33-38", "--verify", "--size", size},
    support.drivers("pocl", {POCL_DEVICES = "pthread pthread"}))) do by_name[row.name] = row end
  return by_name
end

describe("the steps of amd beyond the course", function()
  it("take sizes of their own", function()
    local rows = rows_of "memory=70,devices=90"
    assert.matches("^70 floats", rows.stride_global.problem)
    assert.matches("^9 x 7 sums", rows.image_or_buffer.problem)
    assert.matches("^90 chains", rows.several_devices.problem)
  end)

  it("compare every variant: strides, directions, methods and devices", function()
    local rows, labels = rows_of "640", {}
    for name, row in pairs(rows) do
      labels[name] = {}
      for i, variant in ipairs(row.sweep) do labels[name][i] = variant.label end
    end
    assert.equal("stride 8, 32 bytes", labels.stride_global[4])
    assert.same({"stride 1", "stride 2", "stride 4", "stride 8", "stride 16", "stride 32", "stride 33"},
      labels.stride_local)
    assert.same({"write, pageable", "write, page-locked", "read, pageable", "read, page-locked"}, labels.page_locked)
    assert.same({"buffer", "image"}, labels.image_or_buffer)
    assert.same({"vectoriser on", "vectoriser off"}, labels.cpu_vectoriser)
    assert.same({"1 device", "2 devices"}, labels.several_devices)
  end)

  it("say how one CPU becomes two devices", function()
    local _, out = support.run({"scripts/walkthroughs/amd/38_several_devices.lua", "--size", "10"},
      support.drivers "pocl")
    assert.matches("skipped: the platform has one device of this kind only; POCL_DEVICES=", out, 1, true)
  end)
end)
