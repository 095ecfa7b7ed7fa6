-- Where the numbers in the texts of amd come from: see tests/spec/claim_check.lua.
return function(c)
  local count, K, is, seen = c.count, c.constant, c.is, c.seen
  local h200 = c.kept "walk-h200-amd"
  local function multiply_add(number) return count(number).reads("a").sectors + count(number).reads("b").sectors end
  local function a_float(number) return count(number).instructions / 4099 end
  local function interaction(number) return count(number).instructions_an_item / 256 end
  local function sectors_of_run(floats) return is(floats) / 8 + 1 end -- one that begins within a sector
  local full, scattered = is(32) / 8, is(32) / 2
  local asked_if_scattered = (full + scattered) / (full * 2)
  local passes_6 = count(6).writes("tile").passes + count(6).reads("tile").passes
  local passes_7 = count(7).writes("tile").passes + count(7).reads("tile").passes
  local rows_more = {is(8) / 128 * 100, is(8) / 64 * 100}
  local newton = {
    before = c.found("nbody-pocl.txt", "the root unrolled%s+unrolled by 1 +%d+ +%S+ %S+ +([%d.]+e9)", "measurement"),
    now = c.found("nbody-pocl.txt", "as it is now%)%s+unrolled by 1 +%d+ +%S+ %S+ +([%d.]+e9)", "measurement"),
  }
  local bins = is(2 ^ 8)
  return {
    [1] = {
      ["has 16 rows"] = is(16), ["of 2 columns"] = is(32) / 16, ["touches 16 sectors"] = count(1).reads("a").sectors,
      ["B only 1"] = count(1).reads("b").sectors, ["both: 17 sectors"] = multiply_add(1),
      definition = {"16 x 16", "Mapping, 1:"},
    },
    [2] = {
      ["17 sectors"] = multiply_add(1), ["16 of them"] = count(1).reads("a").sectors,
      ["16 columns"] = is(16), ["of 2 rows"] = is(32) / 16, ["2 sectors"] = count(2).reads("a").sectors,
      ["4 for a"] = multiply_add(2), ["of 17"] = multiply_add(1), ["4.2"] = multiply_add(1) / multiply_add(2),
      ["4 sectors for"] = multiply_add(2), definition = {"Mapping, 2:"},
    },
    [3] = {
      ["4 sectors"] = count(3).reads("from").sectors, ["that 32 floats"] = is(32),
      ["1.9 times"] = h200[12].speed / h200[3].speed,
    },
    [4] = {
      ["4 sectors a request, to"] = count(3).writes("to").sectors, ["rows of 16"] = is(16),
      ["16 sectors"] = count(4).writes("to").sectors, ["where 4"] = full, ["all 32"] = is(32),
      ["(4 + 16) / 8 = 2.5"] = {full, scattered, full * 2, asked_if_scattered},
      ["of 4,"] = count(3).writes("to").sectors,
      ["2.5 times"] = count(4).asked, definition = {"16 x 16"},
    },
    [5] = {
      ["16 sectors"] = count(4).writes("to").sectors, ["writes 4"] = count(5).writes("to").sectors,
      ["the 16 sectors"] = count(5).reads("from").sectors, ["2.5 times"] = count(5).asked,
      ["1 or 2 KiB"] = {is(16) * 16 * 4 / 1024, is(16) * 16 * 4 * 2 / 1024}, definition = {"16 x 16"},
      ["16 separate"] = count(4).writes("to").sectors,
    },
    [6] = {
      ["16 sectors"] = count(5).reads("from").sectors, ["where 4"] = count(6).reads("from").sectors,
      ["With 4"] = count(6).reads("from").sectors, ["1 / 2.5"] = {is(1), count(5).asked},
      ["47 a"] = count(6).instructions_an_item, ["not 16)"] = count(5).instructions_an_item,
      ["8 passes"] = count(6).reads("tile").passes, ["4 sectors"] = count(6).reads("from").sectors,
      ["replace 16"] = count(5).reads("from").sectors, ["instead of 16"] = count(5).reads("from").sectors,
      ["31 more"] = count(6).instructions_an_item - count(5).instructions_an_item, definition = {"16 x 16"},
    },
    [7] = {
      ["8 passes"] = count(6).reads("tile").passes,
      ["2 + 2"] = {count(7).writes("tile").passes, count(7).reads("tile").passes},
      ["1 + 8"] = {count(6).writes("tile").passes, count(6).reads("tile").passes},
      ["9 / 4 = 2.2"] = {passes_6, passes_7, passes_6 / passes_7}, ["4 passes"] = passes_7, ["of 9"] = passes_6,
      definition = {"16 or 32 wide", "a tile of 16"},
    },
    [8] = {
      ["44 instructions"] = count(8).instructions / count(8).accesses_of "to",
      ["not 48"] = count(7).instructions / count(7).accesses_of "to", ["4 sectors"] = count(8).sectors,
      definition = {"32 x 32", "32 x 8"},
    },
    ["8b"] = {
      ["4 sectors"] = count(8).sectors, ["the 5 sectors"] = sectors_of_run(32), ["the 17 of"] = sectors_of_run(128),
      ["of 17 sectors"] = sectors_of_run(128), ["32 2 of 5"] = {is(32), is(2), sectors_of_run(32)},
      ["also 2"] = is(2), ["touches, 2 are"] = is(2), ["write 2"] = is(2),
      definition = {
        "32 or 64 bytes", "a run of 32", "run of 128", "64 or 128", "not 32", "128 floats", "8 to 32 reads", "32 bits",
      },
    },
    ["8c"] = {
      ["the 17 sectors"] = sectors_of_run(128), ["touch 16"] = is(128) / 8,
      ["1.06"] = sectors_of_run(128) / (is(128) / 8),
      ["6 to 13 %"] = rows_more, ["16 whole"] = is(128) / 8, ["of 15"] = sectors_of_run(128) - 2,
      definition = {"128 floats", "4 bytes", "32 bits"},
    },
    ["8d"] = {
      ["13 instructions"] = seen(13), ["164"] = seen(164), ["256 floats"] = is(16) ^ 2,
      ["The 16 rows"] = K("8d").LINE, definition = {"16 x 16", "into 16 vectors", "16 vectors of 16", "is 1 float",
        "32 bits"},
    },
    [9] = {
      source = {
        "35 per item", "groups of 256", "8 or 16 warps", "768 or 1024", "768 are", "1024 are", "8 is the number",
        "32 KB",
        "32 to 48 KB", "256 (AMD) and 512", "256 and 512", "496 wavefronts", "its 20 units",
      },
      definition = {"such as 9.0", "0: from", "warp of 32", "warps of 32"},
    },
    [10] = {
      ["9 instructions"] = count(10).instructions_an_item, ["4 sectors"] = count(10).sectors,
      ["1 line"] = count(10).reads("from").lines, ["256 work-items"] = count(10).group,
      definition = {"of 2, 4, 8 and 16", "4 bytes", "which is 1"},
    },
    [11] = {
      ["9.2"] = a_float(10), ["6.0"] = a_float(11), ["and 8,"] = is(2) * 4, ["8 sectors"] = is(32) * 8 / 32,
      ["2 lines"] = is(32) * 8 / 128, ["than 2"] = K(11).WIDTH,
      ["8 bytes"] = K(11).WIDTH * 4, definition = {"4 bytes", "of 4,"},
    },
    [12] = {
      ["6.0"] = a_float(11), ["3.3 and 16"] = {a_float(12), K(12).WIDTH * 4},
      ["35 %"] = (is(1) - a_float(11) / a_float(10)) * 100,
      ["9.2"] = a_float(10), ["46 %"] = (is(1) - a_float(12) / a_float(11)) * 100, ["touches 16"] = is(32) * 16 / 32,
      ["4 lines"] = is(32) * 16 / 128, ["than 4"] = K(12).WIDTH, ["8 bytes"] = is(2) * 4, ["of 8"] = is(2) * 4,
    },
    [13] = {
      ["3.3"] = a_float(12), ["1.9"] = a_float(13), ["32 bytes"] = K(13).WIDTH * 4, ["32 sectors"] = is(32),
      ["8 lines"] = is(32) * 32 / 128, ["than 8"] = K(13).WIDTH,
    },
    [14] = {
      ["1.2"] = a_float(14), ["1.9"] = a_float(13), ["32 sectors"] = is(32), ["16 lines"] = is(32) * 64 / 128,
      ["of 8"] = is(32) * 32 / 128, ["than 16"] = K(14).WIDTH,
    },
    [15] = {source = {"20 operations"}, definition = {"itself 0", "1.0 / sqrt", "1 / sqrtf"}},
    [16] = {
      ["1 sector"] = count(16).reads("position").sectors, ["23 instructions"] = interaction(16),
      source = {"20 operations"}, definition = {"16 n * n", "1 of the"},
    },
    [17] = {
      ["23 instructions"] = interaction(16), ["same, 23"] = interaction(17),
      ["(1 a request"] = count(16).reads("position").sectors,
      ["1 of 256"] = {is(1), count(17).group}, ["255 of 256"] = {count(17).group - 1, count(17).group},
      definition = {"1 of 23"},
    },
    [18] = {
      ["568"] = count(18).branches, ["2096"] = count(17).branches, ["256 bodies"] = is(256),
      ["3 %"] = (count(18).instructions_an_item / count(17).instructions_an_item - 1) * 100,
      ["6138"] = count(18).instructions_an_item, ["5943"] = count(17).instructions_an_item,
      source = {"unrolled by 4", "Unrolled by 4", "20 operations", "30 %"},
    },
    [19] = {
      ["6.1"] = interaction(19), ["of 24"] = interaction(18), ["up to 4"] = is(4), source = {"10 %"},
    },
    [20] = {definition = {"with 16", "within 2 units", "fills 4"}},
    ["20b"] = {
      ["13.4"] = seen(429) / 32, ["takes 12 instructions of"] = is(3) * 4,
      ["takes 12 instructions:"] = K("20b").ARITHMETIC,
      ["12 instructions and"] = K("20b").ARITHMETIC, ["1.3 times"] = newton.now / newton.before,
      ["6 of 24"] = {is(6), K("20b").ARITHMETIC * 2},
      definition = {"3 differences", "3 multiply-adds", "3 multiplications"},
    },
    [21] = {definition = {"be 21"}},
    [22] = {["256 bins"] = bins, ["13.2"] = count(22).adds("bins").sectors, definition = {"here are 0"}},
    [23] = {
      ["13.2"] = count(22).adds("bins").sectors, ["2.3 passes"] = count(23).adds("own").passes, ["256 bins"] = bins,
      ["4 sectors"] = count(23).adds("bins").sectors, ["65,536"] = bins * 256, ["256 groups"] = is(256),
      definition = {"must be 0"},
    },
    [24] = {definition = {"32 bits", "2^%", "64 bits"}},
    [25] = {definition = {"0.5"}},
    [26] = {["256 bins"] = bins, ["255 values"] = bins - 1, definition = {"32 bits"}},
    [27] = {definition = {"down to 1"}},
    [28] = {definition = {"and 1 of"}},
    [31] = {definition = {"2 bytes", "3 * %.9g + 0.25"}},
    [32] = {definition = {"1: only"}},
    [33] = {
      ["4 sectors"] = is(32) / 8, ["stride 1, 8 with 2, 16 with 4 and 32 from 8"] = {
        is(1), is(32) * 2 / 8, is(2), is(32) * 4 / 8, is(4), is(32) * 8 / 8, is(8),
      },
      ["up to 8"] = is(32) / (is(32) / 8),
      definition = {"32 bytes", "line of 64", "stride 8", "1 to 64", "256 bytes"},
    },
    [34] = {
      ["2, 4, ... 32 leave 16, 8, ... 1"] = {is(2), is(4), is(32), is(32) / 2, is(32) / 4, is(32) / 32},
      definition = {"32 neighbours", "stride of 33", "1 to 33", "stride 32 takes", "stride 1, stride 33"},
    },
    [37] = {definition = {"1: only"}},
    walkthrough = {
      ["16 or 32"] = {count(1).reads("a").sectors, is(32)}, source = {"by 4: 30 %"}, definition = {"4 KiB"},
    },
  }
end
