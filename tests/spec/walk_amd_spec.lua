-- `clue walk amd`: the size of several studies, work-groups, occupancy, and what rows say. walk_steps_spec runs all
-- steps.
-- suite: whole
local group = require "clue.walk.group"
local occupancy = require "clue.walk.occupancy"
local sizes = require "clue.walk.size"
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/amd/"
describe("the size of several studies", function()
  local amd = dofile(folder .. "walkthrough.lua")

  it("is one number for all, or one for each by name", function()
    assert.is_true(sizes.studies("480", amd))
    assert.equal("size 'x=5': give one number, or name the studies in walkthrough.lua, as in sizes = {cpu = \"x=5\"}",
      (select(2, sizes.studies("x=5", {}))))
    assert.is_true(sizes.studies("mapping=4x5x6,transpose=7x9,vectors=1", amd))
    assert.equal("480", sizes.of_study("480", "mapping", "1"))
    assert.equal("7x9", sizes.of_study("mapping=4,transpose=7x9", "transpose", "1"))
    assert.equal("1", sizes.of_study("mapping=4,transpose=7x9", "vectors", "1"))
    assert.same({7, 9}, {sizes.plane "7x9"})
    assert.same({7, 7}, {sizes.plane "7"})
    assert.equal(4000003, sizes.count "4000003")
  end)

  it("is refused with the reason", function()
    for text, says in pairs {
      [""] = "is not a whole number", ["x"] = "is not a whole number", ["0"] = "must be 1 to 2^40",
      ["3x5"] = "size '3x5' is not a whole number; STUDY=SIZE gives a study a size of its own, such as 64x32",
      ["mapping=3x4"] = "mapping: size '3x4' is neither N nor MxKxN", ["copies=4"] = "studies are mapping, transpose",
      ["mandelbrot=5"] = "studies are mapping, transpose, occupancy, vectors, nbody, extensions, memory, devices",
      ["nbody=5,mapping=4,nbody=6"] = "size 'nbody=6': nbody has a size already",
      ["transpose=4x0"] = "width and height must be at least 1", ["vectors=4,"] = "give one number",
      ["transpose=2000000x2000000"] = "2^40 elements", ["vectors=1.5"] = "is not a whole number",
    } do
      local right, why = sizes.studies(text, amd)
      assert.is_nil(right, text)
      assert.matches(says, why, 1, true)
    end
  end)

  it("is refused by a step and by clue walk with exit status 2 if it is wrong", function()
    local _, err = support.ended(2, support.run {folder .. "06_local_tile.lua", "--size", "3x4x5"})
    assert.matches("size '3x4x5' is neither N nor WxH", err, 1, true)
    _, err = support.ended(2, support.run {"walk", "amd", "--size", "copies=4"})
    assert.matches("studies are mapping", err, 1, true)
    for _, command in ipairs {"walk", "count", "check", "build"} do
      _, err = support.ended(2, support.run {command, "devices", "--size", "vectors=5"})
      assert.matches("--size: size 'vectors=5': give one number, or STUDY=SIZE with commas; studies are mandelbrot, "
        .. "product, nbody, sum\n", err, 1, true)
    end
  end)

  it("is named by the sizes of each walkthrough that has studies", function()
    local catalogue = require "clue.run.catalogue"
    for _, name in ipairs(catalogue.names()) do
      local it = catalogue.get(name)
      for _, text in pairs(it.size == "studies" and it.sizes or {}) do
        assert.is_true(sizes.studies(text, it))
        for _, step in ipairs(it.steps) do
          local study = support.read(step.path):match 'study = "(%l+)"'
          assert.matches("," .. study .. "=", "," .. text, 1, true)
        end
      end
    end
  end)
end)

describe("a work-group", function()
  -- A kernel whose driver reports groups of 200 but runs groups of 256. Each trial is noted.
  local tried
  local device = {max_work_group_size = 512, max_work_item_sizes = {512, 64, 64}, local_mem_size = 1024}
  local context = {device = device}
  function context.queue() return {finish = function() end} end
  function context.buffer() return "buffer" end
  local kernel = setmetatable({work_group_size = 200, program = {context = context}}, {
    __call = function(_, _, global, group_size, ...)
      local items = group_size[1] * (group_size[2] or 1)
      assert.same(global, group_size)
      tried[#tried + 1] = table.concat({items, ...}, " ")
      if items > 256 then error "CL_OUT_OF_RESOURCES" end
    end,
  })
  local function idle(none, side) return none, side end

  before_each(function() tried = {} end)

  it("is as large as the driver reports, and as device and local memory allow", function()
    assert.equal(128, group.size(kernel, 1024))
    assert.equal(100, group.size(kernel, 100))
    assert.equal(64, group.size(kernel, 1024, {bytes = function(size) return size * 16 end}))
    assert.equal(8, group.side(kernel, 32))
    assert.equal(4, group.side(kernel, 32, {bytes = function(side) return side * side * 64 end}))
    assert.equal(16, group.side(kernel, 32, {lines = 2}))
    assert.equal(1, group.side(kernel, 32, {bytes = function() return 4096 end}))
    assert.same({}, tried)
  end)

  it("is larger than the driver reports if a trial, with arguments that do nothing, shows that it runs", function()
    assert.equal(256, group.size(kernel, 1024, {idle = idle}))
    assert.equal(16, group.side(kernel, 32, {idle = idle}))
    assert.equal(32, group.side(kernel, 32, {idle = idle, lines = 4}))
    assert.same({"512 buffer 512", "256 buffer 256", "256 buffer 16", "256 buffer 32"}, tried)
  end)

  it("of a program is halved down to one work-item, and then its error is told", function()
    local function never() error("CL_OUT_OF_RESOURCES", 0) end
    local failing, built = setmetatable({program = {context = context}}, {__call = never}), {}
    local of = setmetatable({program = function(_, _, how)
      built[#built + 1] = how.defines.SIZE or how.defines.TPB
      return {log = "", kernel = function() return failing end}
    end}, {__index = context})
    assert.has_error(function() group.program(of, "", {kernel = "k", size = 4, idle = idle}) end, "CL_OUT_OF_RESOURCES")
    local sum = require("clue.walk.outer_sum").new {size = "8"}
    assert.has_error(function() sum:kernel(of, "", 5) end, "CL_OUT_OF_RESOURCES")
    assert.same({4, 2, 1, 5, 2, 1}, built)
  end)

  it("rounds a range up", function()
    assert.equal(48, group.round_up(33, 16))
    assert.equal(32, group.round_up(32, 16))
  end)
end)

describe("occupancy", function()
  local hd5870 = occupancy.known "hd5870"

  it("gives the course's worked examples", function()
    assert.equal(468, occupancy.most_items(16384, 35))
    assert.equal(448, occupancy.most_items(16384, 35, 64))
    assert.equal(64, occupancy.most_registers(16384, 256))
  end)

  it("lets a group of 256 with 64 registers fit a unit of the HD 5870 once, and not with 65", function()
    assert.equal(1, occupancy.of(hd5870, {group = 256, registers = 64}).groups)
    assert.equal(0, occupancy.of(hd5870, {group = 256, registers = 65}).groups)
  end)

  it("lets 7 wavefronts of 35 registers fit, the 448 items of the course", function()
    local found = occupancy.of(hd5870, {group = 64, registers = 35})
    assert.same({7, 7, 448, "registers"}, {found.groups, found.waves, found.items, found.limit})
  end)

  it("knows that 768 and 1024 threads are 24 and 32 warps", function()
    assert.equal(768, occupancy.known("1.0").waves * 32)
    assert.equal(1024, occupancy.known("1.3").waves * 32)
  end)

  -- The numbers are those of NVIDIA's occupancy calculator.
  it("names the limit", function()
    local h100 = occupancy.known "9.0"
    local function of(use)
      local found = occupancy.of(h100, use)
      return {found.groups, found.waves, found.limit}
    end
    assert.same({8, 64, "waves"}, of{group = 256, registers = 24})
    assert.same({6, 48, "registers"}, of{group = 256, registers = 40})
    assert.same({4, 32, "local memory"}, of{group = 256, registers = 32, local_memory = 48 * 1024})
    assert.same({32, 32, "work-groups"}, of{group = 32, registers = 24})
    assert.same({1, 32, "registers"}, of{group = 1024, registers = 64})
    assert.same({0, 0, "largest group"}, of{group = 2048})
    assert.same({0, 0, "registers"}, of{group = 32, registers = 256})
    assert.equal(1, occupancy.of(h100, {group = 256, registers = 32}).occupancy)
  end)

  -- The numbers of cuda_occupancy.h in CUDA 12.9: capability, group, registers, bytes, groups at once.
  it("counts as CUDA does where the generations differ", function()
    for _, case in ipairs {
      {"6.0", 96, 40, 0, 16}, {"6.1", 96, 40, 0, 16}, {"6.0", 32, 200, 0, 10}, {"6.1", 32, 200, 0, 8},
      {"7.0", 32, 32, 4200, 22}, {"8.6", 32, 32, 4200, 16}, {"8.6", 32, 16, 0, 16}, {"8.9", 32, 16, 0, 24},
      {"3.7", 512, 128, 0, 2}, {"3.7", 512, 200, 0, 0}, {"12.0", 1024, 32, 0, 1}, {"10.0", 1024, 32, 0, 2},
    } do
      local capability, size, registers, bytes, groups = unpack(case)
      local found = occupancy.of(occupancy.known(capability), {group = size, registers = registers,
        local_memory = bytes})
      assert.equal(groups, found.groups, table.concat(case, " "))
    end
  end)

  it("counts GCN's registers by SIMD", function()
    local found = occupancy.of(occupancy.known "gcn", {group = 64, registers = 84})
    assert.equal("registers", found.limit)
    assert.equal(12, found.waves) -- three waves with 84 registers on each of four SIMDs
  end)

  it("never lets more groups fit if they use more local memory", function()
    local unit = occupancy.known "8.6"
    local before = occupancy.curve(unit, {registers = 32})
    for _, bytes in ipairs {1000, 10000, 100000} do
      local points = occupancy.curve(unit, {registers = 32, local_memory = bytes})
      for i, point in ipairs(points) do assert.is_true(point.groups <= before[i].groups) end
      before = points
    end
  end)

  it("draws the curve", function()
    local points = occupancy.curve(hd5870, {local_memory = function(size) return size * 128 end})
    assert.same({64, 128, 256}, {points[1].group, points[2].group, points[3].group})
    local lines = occupancy.draw(hd5870, points)
    assert.matches("groups of   64: at most  4 at once,  4 of 24 waves  17 %% █.* limit: local memory", lines[1])
    points = occupancy.curve(hd5870, {registers = 16, local_memory = function(size) return size * 128 end})
    assert.matches("groups of   64:  4 at once", occupancy.draw(hd5870, points)[1], 1, true)
  end)

  it("draws registers and local memory, too", function()
    local points = occupancy.over(hd5870, {group = 256}, "registers")
    assert.same({6, 5}, {points[1].groups, #points}) -- 8 to 128 registers
    assert.same({0, "registers"}, {points[5].groups, points[5].limit}) -- groups of 256 leave 64 for an item
    local lines = occupancy.draw(hd5870, points)
    assert.matches("^    64 registers:  1 at once,  4 of 24 waves .* limit: registers$", lines[4])
    points = occupancy.over(hd5870, {group = 256, registers = 8}, "local_memory")
    assert.matches("^ 32768 bytes:  1 at once, .* limit: local memory$", occupancy.draw(hd5870, points)[#points])
  end)

  it("is at most what is calculated if registers are unknown", function()
    assert.is_true(occupancy.of(hd5870, {group = 64}).at_most)
    assert.is_nil(occupancy.of(hd5870, {group = 64, registers = 35}).at_most)
    assert.is_nil(occupancy.of(hd5870, {group = 64, local_memory = 40000}).at_most) -- none fits, whatever they are
  end)

  it("uses what the device reports, and says why it does not know the unit", function()
    local function device(fields)
      fields.is_kind = function(self, kind) return self.kind == kind end
      fields.kind, fields.name, fields.max_work_group_size = fields.kind or "gpu", fields.name or "", 512
      return fields
    end
    local unit = occupancy.unit(device{compute_capability_major_nv = 9, compute_capability_minor_nv = 0,
                                       warp_size_nv = 32})
    assert.same({64, 512}, {unit.waves, unit.largest_group})
    unit = occupancy.unit(device{gfxip_major_amd = 8, wavefront_width_amd = 64,
                                 local_mem_size_per_compute_unit_amd = 32768})
    assert.same({40, 32768}, {unit.waves, unit.local_memory})
    assert.matches("is not a GPU", select(2, occupancy.unit(device{kind = "cpu"})), 1, true)
    for _, unknown in ipairs {{name = "gfx90a", gfxip_major_amd = 9}, {}} do
      assert.matches("not in the table", select(2, occupancy.unit(device(unknown))), 1, true)
    end
    assert.matches("there is no unit '7.7'; there are hd5870", select(2, occupancy.known "7.7"), 1, true)
  end)
end)

describe("mapping, transposition, occupancy and vectors of amd", function()
  it("give the bytes for GB/s, the size in words, and the curve and sweep of occupancy", function()
    local rows = walks.all_verified(3, {"amd", "--steps", "4,9,12", "--size", "67", "--repeat", "1"})
    local transposition, occupied, copy = rows[1], rows[2], rows[3]
    assert.equal(2 * 67 * 67 * 4, transposition.times.bytes)
    assert.equal("GB/s", transposition.times.rate)
    assert.matches("67 x 67 floats", transposition.problem, 1, true)
    assert.equal("transpose", transposition.study)
    assert.equal(2 * 67 * 4, copy.times.bytes)
    local notes = table.concat(occupied.notes, "\n")
    assert.matches("468 items at most, in whole wavefronts 448; groups of 256 leave 64", notes, 1, true)
    assert.matches("496 wavefronts cannot be those of one unit", notes, 1, true)
    assert.equal(3, #occupied.curve)
    assert.same({32, 1024}, {occupied.sweep[1].value, occupied.sweep[6].value})
    for _, variant in ipairs(occupied.sweep) do assert.equal(1, variant.times.runs) end
  end)

  it("tell what is wrong in the course", function()
    local rows = walks.all_verified(2, {"amd", "--steps", "2,15", "--size", "33", "--repeat", "1"})
    for i, says in ipairs {"the mapping does not affect A", "gravity is inverse to the distance"} do
      assert.matches("finding: the course says that " .. says, table.concat(rows[i].notes, "\n"), 1, true)
    end
  end)

  it("calculate occupancy for another unit, and refuse one that is not known", function()
    local step = folder .. "09_occupancy.lua"
    local status, out = support.run {step, "--size", "100", "--repeat", "1", "--unit", "9.0", "--registers", "40",
                                     "--local-memory", "8000"}
    assert.equal(0, status)
    assert.matches("groups of   32: 25 at once, 25 of 64 waves  39 %", out, 1, true)
    assert.matches("groups of 1024:  1 at once, 32 of 64 waves  50 %", out, 1, true)
    assert.is_nil(out:find("at most  ", 1, true) or out:find("leaves registers out", 1, true))
    status, out = support.run {step, "--size", "100", "--repeat", "1", "--unit", "9.0"}
    assert.equal(0, status)
    assert.matches("groups of   32: at most 32 at once", out, 1, true)
    assert.matches("the chart leaves registers out", out, 1, true)
    assert.matches("--registers N", out, 1, true)
    local err
    status, out, err = support.run {step, "--unit", "0.1"}
    assert.equal(2, status)
    assert.matches("there is no unit '0.1'", out .. err, 1, true)
  end)

  it("use a smaller tile if the device cannot have the wanted one", function()
    for step, says in pairs {
      ["06_local_tile"] = "tiles of 32 x 32, 4096 bytes", ["07_padded_tile"] = "tiles of 32 x 32, 4224 bytes",
      ["08_block_per_item"] = "tiles of 64 x 64 by groups of 64 x 16, 16640 bytes",
    } do
      local out = support.ended(0, support.run({folder .. step .. ".lua", "--tile", "64", "--size", "67", "--device",
                                                "oclgrind", "--repeat", "1"}, support.drivers "oclgrind"))
      assert.matches(says, out, 1, true)
    end
  end)
end)
