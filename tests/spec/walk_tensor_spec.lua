-- The steps on tensor cores: what they say of devices without them, and, with what decides that replaced, that their
-- inputs, checks and notes are right. PoCL computes them by other kernels: no device of the tests has the instructions.
-- suite: whole
local support = require "support"
local tensor = require "clue.walk.tensor"
local tensor_sets = require "clue.gemm.tensor_sets"

local function device(major, minor)
  return {compute_capability_major_nv = major, compute_capability_minor_nv = minor,
          has_extension = function() return major ~= nil end}
end

describe("a step on tensor cores", function()
  it("says which devices have them", function()
    assert.is_nil(tensor.obstacle(device(8, 0), "float", "tf32"))
    assert.is_nil(tensor.obstacle(device(9, 0), "double"))
    assert.is_nil(tensor.obstacle(device(12, 0), "char"))
    assert.equal("no tensor cores for TF32: clue uses NVIDIA's from 8.0 on",
      tensor.obstacle(device(), "float", "tf32"))
    assert.equal("no tensor cores for double: clue uses NVIDIA's of 9.0",
      tensor.obstacle(device(8, 6), "double"))
    assert.matches("^no tensor cores for char", tensor.obstacle(device(7, 5), "char"))
  end)

  it("is left out elsewhere, with one line", function()
    for path, what in pairs {["mql5/24"] = "TF32", ["submatrix/21"] = "char"} do
      local out = support.ended(1, support.run {"scripts/walkthroughs/" .. path .. "_tensor_cores.lua", "--size", "8"})
      assert.matches("skipped: no tensor cores for " .. what, out, 1, true)
    end
  end)

  -- Runs a step as if the device had tensor cores; `before` is Lua that runs first.
  local function run(path, arguments, before)
    local command = {"-e", "require('clue.walk.tensor').obstacle = function() end " .. (before or ""),
                     "scripts/walkthroughs/" .. path .. "_tensor_cores.lua", "--repeat", "1"}
    local status, out, err = support.run(support.words(command, arguments))
    return status, out .. err
  end

  it("is checked by what its type's rounding allows", function()
    for _, case in ipairs {{"mql5/24"}, {"mql5/24", "--type", "double"}, {"submatrix/21"}} do
      local out = support.ended(0, run(case[1], {"--size", "33x31x29", case[2], case[3]}))
      assert.matches("1 of 1 step verified", out, 1, true)
      assert.matches("computed without tensor cores", out, 1, true)
    end
  end)

  it("finds wrong results", function()
    local wrong = "local gemm = require 'clue.gemm' local new = gemm.new "
      .. "gemm.new = function(...) local made = new(...) "
      .. "return setmetatable({made = made.made}, {__call = function(_, queue, ...) local given = {...} "
      .. "local at = type(given[1]) == 'table' and 4 or 3 given[at] = given[at] - 1 "
      .. "return made(queue, (unpack or table.unpack)(given)) end}) end "
    for _, path in ipairs {"mql5/24", "submatrix/21"} do
      local _, out = run(path, {"--size", "33x32x28"}, wrong)
      assert.matches("exact on [%w ]+: C%[%d+%]%[%d+%] is", out)
    end
  end)

  it("says what its products did, or that a driver refused them", function()
    local set = {of = tensor_sets, name = "a set", parameters = tensor_sets.complete({BM = 128, BN = 128, BK = 16,
      WM = 64, WN = 64, STAGES = 3}, 2)}
    local row, made = {}, {recent = {{part = {set = set, m = 256, n = 256}}, k = 64, transpose_b = true}}
    tensor.describe(row, {made = made}, "TF32")
    -- 4 tiles of 4 warps and 8 steps of 4 x 8 products; 8 loads a step and one step more, 4 passes each
    assert.equal("TF32", row.tensor)
    assert.equal(("a set: %d mma.sync of 2048 operations, %d loads of factors by a warp, which take %d passes of local "
      .. "memory, by the kernel's loops"):format(16 * 8 * 32, 16 * 9 * 8, 16 * 9 * 8 * 4), row.notes[1])
    -- 6 tiles of 2 x 8 instructions
    set.parameters, row = tensor_sets.complete({WGMMA = 1, BM = 128, BN = 128, BK = 16, WM = 128}, 2), {}
    made.recent[1].copied = {a = {}, size = 64}
    made.recent[2] = {part = {set = set, m = 128, n = 256}}
    tensor.describe(row, {made = made}, "TF32")
    assert.same({"a set; a set: 96 wgmma of 131072 operations, which read their factors from local memory, by the "
      .. "kernel's loops; A is copied first, rounded to TF32"}, row.notes)
    row, set.of = {}, {}
    tensor.describe(row, {made = made}, "TF32")
    assert.is_nil(row.tensor)
    assert.matches("computed without tensor cores", row.notes[1], 1, true)
    made.refused, row = "why", {}
    tensor.describe(row, {made = made}, "TF32")
    assert.matches("the driver refused the kernel", row.notes[1], 1, true)
  end)
end)
