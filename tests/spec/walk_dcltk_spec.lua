-- `clue walk dcltk`: every step is right at odd sizes on every platform, and its published fault is found.
-- suite: whole
local sizes = require "clue.walk.size"
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/dcltk/"
local steps = {"00_hello", "01_everything_by_everyone", "02_groups_of_32", "03_rows_shared", "04_range_2d",
               "05_local_tiles", "06_padded", "07_block_in_private", "20_best_here"}

describe("a size that is too large for a step", function()
  it("is made smaller in the same shape", function()
    assert.equal("10x20x30", sizes.product_at_most("100x200x300", 6000))
    assert.equal("100x200x300", sizes.product_at_most("100x200x300", 6e6))
    local _, _, n = sizes.product(sizes.product_at_most("1x1x4000", 1e3))
    assert.is_true(n <= 1000 and n > 200)
    assert.equal("1x1x1", sizes.product_at_most("30x1x4000", 1))
    assert.equal("nonsense", sizes.product_at_most("nonsense", 10))
  end)
end)

describe("the steps of dcltk", function()
  -- rusticl compiles faster than PoCL. Oclgrind would take minutes, since every item repeats the work.
  for _, size in ipairs {"1", "40x10x12", "1x300x2", "129x3x1", "19x21x23"} do
    it("are right on rusticl at size " .. size, function()
      walks.all_verified(#steps, {"dcltk", "--steps", "0-20", "--size", size, "--repeat", "1"},
        support.drivers "rusticl")
    end)
  end

  it("are right on PoCL", function()
    walks.all_verified(#steps, {"dcltk", "--steps", "0-20", "--size", "33x65x131", "--repeat", "1"})
  end)

  it("are right in double", function()
    walks.all_verified(#steps, {"dcltk", "--steps", "0-20", "--size", "33x31x29", "--repeat", "1", "--type",
      "double"})
  end)

  it("reduce the size in steps 1 and 2 if their repeated work would take long, and say so", function()
    local rows = walks.all_verified(2, {"dcltk", "--steps", "1,2", "--repeat", "1"})
    assert.equal(1, rows[2].gain.over)
    for _, row in ipairs(rows) do
      assert.same({m = 36, k = 73, n = 109}, row.size)
      assert.matches("100x200x300 is made smaller here, to 36x73x109", table.concat(row.notes, "\n"), 1, true)
    end
  end)

  it("show the author's figures", function()
    local rows = walks.all_verified(3, {"dcltk", "--steps", "0,1,4", "--size", "8", "--repeat", "1"})
    assert.equal(0.711, rows[2].published[1].seconds)
    assert.equal(2.1, rows[3].published[2].seconds)
    assert.matches("extensions: cl_khr_icd", table.concat(rows[1].notes, "\n"), 1, true)
    assert.matches("this device is no GPU", table.concat(rows[1].notes, "\n"), 1, true)
  end)

  it("print Hello once for each work-item", function()
    local status, out, err = support.run {folder .. "00_hello.lua", "--items", "3"}
    assert.equal(0, status, err)
    for id = 0, 2 do assert.matches(("Hello from work-item %d of 3"):format(id), out, 1, true) end
    assert.is_nil(out:find "work%-item 3 of")
  end)
end)

describe("the published index of steps 3 and 4", function()
  local function published(step, size, env)
    return support.run({"tests/specimens/dcltk/stride.lua", "--step", folder .. step .. ".lua", "--size", size,
                        "--repeat", "1"}, env)
  end

  for _, step in ipairs {"03_rows_shared", "04_range_2d"} do
    it("is reported by Oclgrind if there are more rows than columns: " .. step, function()
      local _, out, err = published(step, "40x10x12", walks.oclgrind())
      local complaints = walks.complaints(out .. err)
      assert.is_true(#complaints > 0)
      assert.matches("Invalid read of size 4", complaints[1], 1, true)
    end)

    it("is found by the check, but not by Oclgrind, if there are fewer: " .. step, function()
      local status, out, err = published(step, "10x40x12", walks.oclgrind())
      assert.equal(1, status)
      assert.matches("WRONG: exact on whole numbers", out, 1, true)
      assert.same({}, walks.complaints(out .. err))
    end)

    it("is right if there are as many: " .. step, function()
      assert.equal(0, (published(step, "10x10x12")))
    end)
  end
end)

describe("neighbours in dimension 0 of a step of dcltk", function()
  for step, has in pairs {
    ["05_local_tiles"] = {"= value;", "= value + (get_local_id(0) != j % side);"},
    ["06_padded"] = {"= value;", "= value + (get_local_id(0) != j % side);"},
    ["07_block_in_private"] = {"= value[y][x];",
                               "= value[y][x] + (get_local_id(0) != (left + column + x * size) % size);"},
  } do
    it("have neighbouring columns of C: " .. step, function()
      local path = walks.planted(folder .. step .. ".lua", has[1], has[2])
      local status, out, err = support.run({path, "--size", "41x9x43", "--repeat", "1"}, walks.interpreted())
      assert.equal(0, status, out .. err)
    end)
  end
end)

describe("a race that is planted in a step of dcltk", function()
  for name, race in pairs {
    ["the store of everything by everyone, as published"] = {
      "01_everything_by_everyone", "if ((i * result_cols + j) % items == id)", "", size = "1x2x2"},
    ["the missing barrier after a tile was used"] = {
      "05_local_tiles", "                barrier(CLK_LOCAL_MEM_FENCE);\n            }\n", "            }\n",
      size = "3x33x3"}, -- two tiles
  } do
    it("is reported by Oclgrind: " .. name, function()
      local path = walks.planted(folder .. race[1] .. ".lua", race[2], race[3])
      local _, out, err = support.run({path, "--size", race.size, "--repeat", "1"}, walks.oclgrind())
      assert.matches("data race", walks.complaints(out .. err)[1], 1, true)
    end)
  end
end)

-- Texts that are replaced in a step, and by what; the check must find each fault, at sizes that tiles do not divide.
local faults = {
  ["00_hello"] = {{"said[id] = id + 1;", "said[id] = id + (id < 3);"}},
  ["01_everything_by_everyone"] = {
    {"sums[id] = sum;", "sums[id] = id == 7 ? sum / 2 : sum;"},
    {"% items == id", "% items == id && id != 11"},
  },
  ["02_groups_of_32"] = {{"get_global_size(0);\n", "get_global_size(0) + 1;\n"}},
  ["03_rows_shared"] = {{"k < cols; k++", "k + 1 < cols; k++"}},
  ["04_range_2d"] = {{"j < result_cols; j +=", "j + 1 < result_cols; j +="}},
  ["05_local_tiles"] = {
    {"first < cols; first", "first + side < cols; first"},
    {"i < rows && j < result_cols)\n", "i < rows && j < result_cols && top + left != 32)\n"},
    {"ka < cols ?", "ka + 1 < cols ?"},
  },
  ["06_padded"] = {{"first < cols; first", "first + side < cols; first"},
                   {"value;\n        }", "value + (i + j == 0);\n        }"}},
  ["07_block_in_private"] = {
    {"= value[y][x];", "= value[y][x] + (top + row + y * size == 37 && left + column + x * size == 5);"},
  },
}

describe("a fault that is planted in a step of dcltk", function()
  for _, step in ipairs(steps) do
    for i, fault in ipairs(faults[step] or {}) do
      it(("is found: %s, %d"):format(step, i), function()
        local path = walks.planted(folder .. step .. ".lua", fault[1], fault[2])
        local repeated = step:find "^0[12]" -- every work-item repeats the work, which takes Oclgrind minutes
        local args = {path, "--size", repeated and "41x37x43" or "41x9x43", "--repeat", "1"}
        local status, out, err = support.run(args, not repeated and walks.interpreted() or nil)
        assert.equal(1, status, err)
        assert.matches("WRONG", out, 1, true)
      end)
    end
  end
end)
