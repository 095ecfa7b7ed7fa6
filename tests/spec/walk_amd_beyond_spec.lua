-- `clue walk amd`, the studies beyond the course: each step is right, or skipped with the reason if the device cannot
-- run it, and its check finds faults.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/amd/"
local steps = {"33_stride_global", "34_stride_local", "35_page_locked", "36_image_or_buffer", "37_cpu_vectoriser",
               "38_several_devices"}

-- PoCL, which shows its CPU as two devices.
local function two_devices()
  return support.drivers("pocl", {POCL_DEVICES = "pthread pthread"})
end

-- The rows of all steps, by name.
local function rows_of(size, env)
  local status, out, err, document = walks.walk({"amd", "--steps", "33-38", "--repeat", "1", "--size", size}, env)
  assert.equal(0, status, out .. err)
  local by_name = {}
  for _, row in ipairs(walks.rows(document)) do by_name[row.name] = row end
  return by_name
end

local function assert_verified(rows, skipped)
  for _, step in ipairs(steps) do
    local name = step:sub(4)
    local row = assert(rows[name], name)
    if skipped[name] then
      assert.matches(skipped[name], tostring(row.skipped), 1, true)
    else
      assert.is_true(row.check and row.check.verified, name .. ": " .. tostring(row.check and row.check.text))
      assert.is_true(#row.sweep >= 2, name)
    end
  end
end

describe("the steps of amd beyond the course", function()
  for _, size in ipairs {"1", "5003"} do
    it("are right at size " .. size, function()
      assert_verified(rows_of(size, two_devices()), {})
    end)
  end

  it("take sizes of their own", function()
    local rows = rows_of("memory=70,devices=90", two_devices())
    assert.matches("^70 floats", rows.stride_global.problem)
    assert.matches("^9 x 7 sums", rows.image_or_buffer.problem)
    assert.matches("^90 chains", rows.several_devices.problem)
  end)

  it("compare every variant: strides, directions, methods and devices", function()
    local rows, labels = rows_of("640", two_devices()), {}
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

  it("are skipped with the reason where they cannot run", function()
    local rows = rows_of("300", support.drivers "oclgrind")
    assert_verified(rows, {
      cpu_vectoriser = "only PoCL's CPU devices let the vectoriser be switched off",
      several_devices = "the platform has one device of this kind only",
    })
    local _, out = support.run({folder .. "38_several_devices.lua", "--size", "10"}, support.drivers "pocl")
    assert.matches("skipped: the platform has one device of this kind only; POCL_DEVICES=", out, 1, true)
  end)

  it("are right on rusticl, or skipped", function()
    local rows = rows_of("300", support.drivers "rusticl")
    for _, step in ipairs(steps) do
      local row = assert(rows[step:sub(4)], step)
      assert.is_true(row.skipped ~= nil or row.check.verified, step)
    end
  end)
end)

-- Text of the step, and what replaces it.
local faults = {
  ["33_stride_global"] = {
    {"row < rows && at < count", "row < rows && at < count - 1"}, {"= from[at];", "= from[at / 2];"},
  },
  ["34_stride_local"] = {
    {"k < ROUNDS; k++", "k < ROUNDS - 1; k++"}, {"get_global_id(0) < count)", "get_global_id(0) < count - 1)"},
  },
  ["35_page_locked"] = {
    {"queue:write_buffer(buffer, host)\n", "queue:write_buffer(buffer, host, {count = #host - 1})\n"},
    {"queue:read_buffer(buffer, host)\n", "queue:read_buffer(buffer, host, {count = #host - 1})\n"},
  },
  ["36_image_or_buffer"] = {
    {"clamp(y + dy, 0, height - 1)", "clamp(y + dy, 1, height - 1)"}, {"(int2)(x + dx, y + dy)", "(int2)(x + dx, y)"},
  },
  ["37_cpu_vectoriser"] = {
    {"STEPS_64 STEPS_64 STEPS_64 STEPS_64\n", "STEPS_64 STEPS_64 STEPS_64 STEPS_16\n"},
    {"if (i < count) {", "if (i < count - 1) {"},
  },
  ["38_several_devices"] = {
    {"k < rounds; k++", "k < rounds - (first > 0); k++"}, {"uint x = first + i;", "uint x = i;"},
  },
}

describe("a fault that is planted in a step of amd beyond the course", function()
  for n, step in ipairs(steps) do
    for i, fault in ipairs(faults[step]) do
      it(("is found: %s, %d"):format(step, i), function()
        local path = walks.planted(folder .. step .. ".lua", fault[1], fault[2])
        local status, out, err = support.run({path, "--size", "700", "--repeat", "1"},
          n <= 4 and walks.interpreted() or two_devices())
        assert.equal(1, status, out .. err)
        assert.matches("WRONG", out, 1, true)
      end)
    end
  end
end)
