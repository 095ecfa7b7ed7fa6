-- `clue walk mql5`: the steps are right at every size on every platform, and the published race is found.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

local steps = {"01_loops", "02_one_item_per_element", "03_coalesced", "04_sum_local", "05_row_per_item",
               "06_row_in_private", "07_column_in_local", "08_vectors", "09_vectors_in_private", "10_vectors_of_8",
               "11_chosen_groups", "12_local_tiles", "13_block_per_item", "14_wide", "15_two_buffers", "16_pieces",
               "16b_bands", "17_vector_blocks", "18_panels", "19_cache_blocks", "20_best_here"}

-- Exit status, output, errors and the rows of `clue walk`.
local function walk(args, env)
  local status, out, err, document = walks.walk(args, env)
  return status, out, err, document and walks.rows(document)
end

-- The rows of all steps but those of libraries (see walk_library_spec), which must be verified. Sizes are chosen so
-- that tiles do not divide them; in 12x8x20, wide vectors do. Rows of 2003 numbers in private memory would overflow the
-- stacks of PoCL's threads in the groups that PoCL would choose.
local function all_verified(args, env)
  args[#args + 1], args[#args + 2] = "--steps", "1-20"
  local status, out, err, rows = walk(args, env)
  assert.equal(0, status, out .. err)
  assert.equal(#steps, #rows)
  for _, row in ipairs(rows) do
    assert.is_true(row.check.verified, row.name .. ": " .. row.check.text)
  end
  return rows
end

describe("the steps of mql5", function()
  for _, size in ipairs {"1", "257x1x2", "2x9x257", "12x8x20", "65x17x66"} do
    it("are right at size " .. size, function()
      all_verified({"mql5", "--size", size, "--repeat", "1", "--device", "oclgrind"}, walks.interpreted())
    end)
  end

  it("are right on PoCL", function()
    all_verified {"mql5", "--size", "2003x2003x3", "--repeat", "1"}
  end)

  it("are right in double", function()
    local function verified(count, numbers, env)
      walks.all_verified(count, {"mql5", "--steps", numbers, "--size", "33x31x29", "--repeat", "1", "--type", "double"},
        env)
    end
    verified(18, "1-14,17-20", walks.interpreted())
    verified(3, "15,16,16b") -- Oclgrind has too little local memory
  end)

  it("are right on rusticl, whose times are the host's", function()
    local rows = all_verified({"mql5", "--size", "19x21x23", "--repeat", "1"}, support.drivers "rusticl")
    assert.equal("host", rows[2].times.clock)
  end)

  it("are skipped in double if the device has no fp64", function()
    local status, out, _, rows = walk({"mql5", "--size", "8", "--steps", "2-20", "--type", "double"},
      support.drivers "rusticl")
    assert.equal(1, status, out)
    for _, row in ipairs(rows) do assert.equal("no fp64", row.skipped) end
  end)

  it("run alone, each with its own table", function()
    local status, out = support.run {"scripts/walkthroughs/mql5/04_sum_local.lua", "--size", "20", "--repeat", "2"}
    assert.equal(0, status)
    assert.matches("matr_mul_sum_local", out, 1, true)
    assert.matches("1 of 1 step verified", out, 1, true)
  end)
end)

describe("step 7 under Oclgrind's check for data races", function()
  local step = "scripts/walkthroughs/mql5/07_column_in_local.lua"

  local function races(kernel)
    local script = "tests/specimens/mql5/07_column_race.lua"
    local status, out, err = support.run({script, "--kernel", kernel, "--step", step},
      support.drivers("oclgrind", {OCLGRIND_DATA_RACES = "1"}))
    assert.equal(0, status, err)
    return select(2, (out .. err):gsub("data race", ""))
  end

  it("is reported in its published form", function()
    assert.is_true(races "published" > 0)
  end)

  it("is not reported in its corrected form", function()
    assert.equal(0, races "mended")
  end)
end)
