-- Where the numbers in the texts of hello come from: see tests/spec/claim_check.lua.
local statistics = require "clue.result.statistics"

return function(c)
  local count, author, is, seen = c.count, c.published, c.is, c.seen
  local sass = function(place, pattern) return c.found("asm-h200.txt", place .. ".-" .. pattern) end
  local five, unaligned = "== hello%-05_.counts", "== hello%-05v.counts"
  local slower_with_large_groups -- in percent, of the sizes that are measured
  do
    local least, large = math.huge, 0
    for _, each in ipairs(c.kept("walk-h200-hello").raw("5t").sweep) do
      local time = statistics.of(each.times.kernel).median
      least = math.min(least, time)
      if each.value >= 512 then large = math.max(large, time) end
    end
    slower_with_large_groups = c.measured((large / least - 1) * 100)
  end
  return {
    [1] = {
      ["1 sector a request"] = count(1).reads("b").sectors, ["have 1024"] = count(1).group,
      source = {"8 times", "8x to 600x"}, definition = {"4 to 16 floats"},
    },
    ["1c"] = {
      ["1.02"] = count("1c").accesses, ["16384 floats"] = is(64) * 1024 / 4, definition = {"64 KiB", "0: as many"},
    },
    [2] = {
      ["0.52"] = count(2).accesses, ["48 KB"] = is(12000) * 4 / 1000, ["serves 1024"] = count(2).group,
      source = {"12000 floats", "beyond 12000", "stride of 1024"},
    },
    ["2b"] = {
      ["0.52"] = count(2).accesses, ["0.032"] = count("2b").accesses, source = {"12000 elements", "12000 floats"},
    },
    [3] = {
      ["1.02"] = count(1).accesses, ["0.52"] = count(3).accesses, ["4 KiB"] = count(3).group * 4 / 1024,
      ["2's 48"] = is(12000) * 4 / 1000, source = {"2x over"}, definition = {"--size 40x50 -t 16)"},
    },
    ["3r"] = {["0.032"] = count("3r").accesses, ["0.52"] = count(3).accesses},
    [4] = {
      ["0.25"] = count(4).accesses, source = {"2.7 and 3.7", "2.7x", "3.7x"}, definition = {"mod 4"},
    },
    ["4r"] = {
      ["0.13"] = count("4r").accesses, ["0.25"] = count(4).accesses, ["1.98"] = count("4r").asked,
      ["17.4"] = count(4).asked,
    },
    ["4t"] = {
      ["0.25"] = count("4t").accesses, ["1.22"] = author("4t", "RTX 2080").rate / author(4, "RTX 2080").rate,
      ["2.0"] = author("4t", "GT 630").rate / author(4, "GT 630").rate, source = {"64 and 128", "as 1024"},
    },
    [5] = {
      ["64 multiply-adds"] = is(8) ^ 2, ["0.035"] = count(5).accesses, ["0.25"] = count(4).accesses,
      source = {"groups of 128"}, definition = {"mod 8", "21 and 22", "padded to 8"},
    },
    ["5r"] = {
      ["0.023"] = count("5r").accesses, ["0.035"] = count(5).accesses, ["2.11"] = count("5r").asked,
      ["5.09"] = count(5).asked, ["8 loads"] = sass(five, ".L_x_3 +%d+ +%d+ +%d+ +(%d+)"),
      ["256 multiply-adds"] = sass(five, ".L_x_3 +%d+ +(%d+)"),
    },
    ["5t"] = {
      ["64 registers"] = seen(64), ["and 32 for"] = seen(32), ["groups of 32"] = is(32),
      ["5.1 %"] = slower_with_large_groups,
      source = {"TPB 128 to 512", "TPB 128"}, definition = {"512 and 1024"},
    },
    ["5v"] = {
      ["294"] = sass(unaligned, ".L_x_4 +(%d+)"), ["270"] = sass(five, ".L_x_3 +(%d+)"),
      ["1.09"] = sass(unaligned, ".L_x_4 +(%d+)") / sass(five, ".L_x_3 +(%d+)"),
      ["23 instructions"] = seen(23), ["of 11"] = seen(11), definition = {"mod 8", "4 bytes"},
    },
    [6] = {
      ["64 multiply-adds"] = is(8) ^ 2, ["0.020"] = count(6).accesses, ["0.035"] = count(5).accesses,
      source = {"length of 1024", "31 registers", "32800 bytes", "64 of constant", "tile of 1024"},
      definition = {"mod 8", "padded to 8"},
    },
    ["6r"] = {["0.0079"] = count("6r").accesses, ["0.020"] = count(6).accesses},
    [7] = {definition = {"8 to 12 vectors", "12 to 40 floats", "multiple of 32", "; 0: each"}},
    walkthrough = {source = {"8 to 600", "gains 2.7", "3.7 (GT"}},
  }
end
