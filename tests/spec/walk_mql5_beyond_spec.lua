-- The steps of `clue walk mql5` beyond its article: faults that are planted in them are found, and the last of several
-- bands and blocks are right. walk_mql5_spec tests them at odd sizes on every platform.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/mql5/"

-- Texts that are replaced in a step, and by what; the check must find each fault.
local faults = {
  ["12_local_tiles"] = {"row < rows && k < K", "row < rows && k + 1 < K"},
  ["13_block_per_item"] = {"row < M && column < N", "row < M && column + 1 < N", size = "70x9x71"},
  ["14_wide"] = {"k + 3 < K ? from[3] : 0", "0"},
  ["15_two_buffers"] = {"now = SIZE - now", "now = 0"},
  ["16_pieces"] = {"top + i / 4 * PIECE", "top + i / 4 * 4", size = "70x9x71"},
  ["16b_bands"] = {"min(BAND, (int)get_num_groups(1) - band * BAND)", "BAND", size = "9x5x140"},
  ["17_vector_blocks"] = {"k = whole * WIDTH; k < K", "k = whole * WIDTH; k + 1 < K"},
  ["18_panels"] = {"j < count; j++", "j + 1 < count; j++"},
  ["19_cache_blocks"] = {"is_first ? part[j] : part[j] + c[j]", "part[j]", size = "5x401x9"},
}

describe("a fault that is planted in a step beyond mql5's article", function()
  for step, fault in pairs(faults) do
    it("is found: " .. step, function()
      local path = walks.planted(folder .. step .. ".lua", fault[1], fault[2])
      local status, out, err = support.run({path, "--size", fault.size or "9x37x7", "--repeat", "1"},
        walks.interpreted())
      assert.equal(1, status, err)
      assert.matches("WRONG", out, 1, true)
    end)
  end
end)

-- What comes before a barrier of a step that is left out; of two barriers in a loop, the second.
local before_barrier = {
  ["12_local_tiles"] = "            sum += tile_a[y][k] * tile_b[k][x];\n",
  ["13_block_per_item"] = "tile_b[k][x + j * SIDE];\n",
  ["14_wide"] = "of_a.s3 * of_b;\n        }\n",
  ["15_two_buffers"] = "next_b);\n",
  ["16_pieces"] = "next_b);\n",
}

describe("a barrier that is missing in a step beyond mql5's article", function()
  for step, text in pairs(before_barrier) do
    it("is reported by Oclgrind: " .. step, function()
      local path = walks.planted(folder .. step .. ".lua", text .. "        barrier(CLK_LOCAL_MEM_FENCE);\n", text)
      local _, out, err = support.run({path, "--size", "3x37x3", "--repeat", "1"}, walks.oclgrind())
      -- a data race, or an element that nobody has copied yet
      assert.is_true(#walks.complaints(err .. "\n" .. out) > 0, out .. err)
    end)
  end
end)

describe("the steps beyond mql5's article", function()
  it("are right with several tiles and blocks in each dimension, the last band lower than the others", function()
    walks.all_verified(9, {"mql5", "--size", "1160x401x261", "--repeat", "1", "--steps", "12-19"})
  end)
end)
