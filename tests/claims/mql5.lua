-- Where the numbers in the texts of mql5 come from: see tests/spec/claim_check.lua.
return function(c)
  local count, author, K, is, seen, about = c.count, c.published, c.constant, c.is, c.seen, c.about
  local h200, pocl = c.kept "walk-h200-mql5", c.kept "walk-pocl-mql5-dot8"
  local tensor = c.tensor(2)
  local lines_of_a_request = is(32) / is(8) -- floats, and those in a sector
  return {
    [1] = {
      ["16 floats share"] = is(64) / 4,
      source = {"1.73", "10.5 s at 1000", "83.7 s at 2000", "83.663 s (0.191 GFLOPS) at 2000, at 1000 10.530 s",
                "11.544 s"},
      ["2.81"] = is(math.log(7) / math.log(2)),
      definition = {"2 N^3", "(log2 7)", "instead of 3"},
    },
    [2] = {definition = {"64 KiB", "4, 6 and 7"}},
    [3] = {
      ["4 are used"] = is(4), ["one line serves 16"] = is(64) / 4,
      ["CPU had 1.61"] = author(2, "CPU").seconds / author(3, "CPU").seconds,
      ["1 sector a request"] = count(3).reads("b").sectors,
      ["(32 sectors"] = count(3).reads("a").sectors, ["where 4 would do"] = lines_of_a_request,
      ["gains 1.015"] = h200[3].gain,
      source = {"16 work-items read", "16 different", "512 bytes travel and 64 are used", "16 floats are adjacent",
                "16 requests become 3"},
    },
    [4] = {
      ["1.01 accesses"] = count(4).accesses, ["instead of 2.00"] = count(3).accesses,
      ["65 sectors"] = count(3).reads("a").sectors + count(3).writes("c").sectors + count(3).reads("b").sectors,
      ["32 of A"] = count(3).reads("a").sectors, ["32 of C"] = count(3).writes("c").sectors,
      ["1 of B"] = count(3).reads("b").sectors,
      ["33 are left"] = count(4).reads("a").sectors + count(4).reads("b").sectors,
      ["gained 9.8"] = author(3, "GPU").seconds / author(4, "GPU").seconds, ["8.48"] = h200[4].gain,
      ["32 sectors of A"] = count(4).reads("a").sectors,
      source = {"600 to 800 cycles", "against 20"},
    },
    [5] = {["1.01 an operation"] = count(5).accesses, ["16.6 sectors"] = count(5).sectors},
    [6] = {
      ["32 rows"] = is(32), ["32 sectors a request"] = count(5).reads("a").sectors,
      ["0.52"] = count(6).accesses, ["1.01"] = count(5).accesses, ["10.7"] = count(6).asked, ["179"] = count(5).asked,
      ["touches 32 sectors"] = count(6).reads("a").sectors, ["8000 bytes"] = is(2000) * 4, ["2000 floats"] = is(2000),
      ["4 sectors instead"] = lines_of_a_request, ["of the 32 that"] = count(5).reads("a").sectors,
    },
    [7] = {
      ["groups of 64"] = count(7).items, ["0.52"] = count(6).accesses, ["0.023"] = count(7).accesses,
    },
    [8] = {
      ["0.52"] = count(8).accesses, ["4.961"] = author(6, "CPU").seconds, ["4.945"] = author(8, "CPU").seconds,
      definition = {"preferred width is 1", "mod 4", "divisible by 4"},
    },
    [9] = {
      ["14 instructions"] = seen(14), ["gained 1.30"] = author(8, "CPU").seconds / author(9, "CPU").seconds,
      ["2.38"] = author(8, "GPU").seconds / author(9, "GPU").seconds, definition = {"mod 4", "4-vectors"},
    },
    [10] = {
      ["14 of either"] = seen(14), definition = {"256 bits", "width is 1", "mod 8", "8-vectors"},
      ["gained 1.72"] = author(9, "CPU").seconds / author(10, "CPU").seconds, source = {"width, 4 on that"},
    },
    ["10d"] = {
      ["25 instructions"] = seen(25), ["instead of 14"] = seen(14), ["reached 0.62"] = pocl["10d"].gain,
      definition = {"multiplications by 1"},
    },
    [11] = {
      ["32 rows of C"] = is(32), ["its 32 work-items"] = is(32), ["that is 32 for A"] = count(4).reads("a").sectors,
      ["1 for B"] = count(4).reads("b").sectors, ["for 32 multiply-adds"] = is(32),
      ["8 rows and"] = is(8), ["4 columns in a warp"] = is(32) / 8, ["8 sectors for A"] = is(8), ["4 for B"] = is(4),
      ["instead of 33"] = count(4).reads("a").sectors + count(4).reads("b").sectors,
      ["up to 2.75"] = (count(4).reads("a").sectors + count(4).reads("b").sectors) / (is(8) + 4),
      ["64 columns of B"] = is(64), definition = {"8 x 8", "1 x 64", "4 x 64", "8 and 8"},
      ["12 sectors"] = is(8) + 4,
    },
    [12] = {
      ["15 neighbours"] = K(12).SIDE - 1, ["15 others"] = K(12).SIDE - 1,
      ["16 x 16"] = {K(12).SIDE, K(12).SIDE}, ["next 16"] = K(12).SIDE, ["multiples of 16"] = K(12).SIDE,
      ["0.070"] = count(12).accesses, ["1.01"] = count(11).accesses, ["serves 16"] = K(12).SIDE,
    },
    [13] = {
      ["4 x 4"] = {K(13).P, K(13).P}, ["the 16 multiplications"] = K(13).P ^ 2, ["16 sums"] = K(13).P ^ 2,
      ["0.023"] = count(13).accesses, ["0.070"] = count(12).accesses, ["16 apart"] = K(13).SIDE,
    },
    [14] = {
      ["16 multiply-adds"] = K(13).P ^ 2, ["16 elements"] = K(14).DEPTH, ["64 floats"] = K(14).TILE,
      ["has 16 for the tile"] = count(13).writes("tile_b").passes, ["2 passes"] = count(14).writes("tile").passes,
      ["instead of 16"] = count(13).writes("tile_b").passes,
    },
    [15] = {
      ["17 KiB"] = K(15).SIZE * 4 * 2 * 2 * 4 / 1024, ["8.5"] = K(14).DEPTH * K(14).PITCH * 2 * 4 / 1024,
    },
    [16] = {
      ["8 x 8 elements"] = {K(16).PIECE * 2 / K(16).SIDE, K(16).PIECE * 2 / K(16).SIDE},
      ["4 x 4"] = {K(16).PIECE / K(16).SIDE, K(16).PIECE / K(16).SIDE}, ["16 multiplications"] = is(4) ^ 2,
      ["enough for 64"] = is(8) ^ 2, ["are 64 rows"] = K(16).PIECE, ["64 registers"] = is(8) ^ 2,
      ["64 multiplications"] = is(8) ^ 2, ["256 work-items"] = K(16).SIDE ^ 2,
      ["64 KiB"] = K(16).SIDE ^ 2 * 64 * 4 / 1024, ["has 16"] = K(15).SIDE ^ 2 * 16 * 4 / 1024,
    },
    ["16b"] = {
      ["32 x 32"] = {is(4096) / K("16b").TILE, is(4096) / K("16b").TILE}, ["all 32 columns"] = is(32),
      ["8 rows of A"] = K("16b").BAND, ["13 columns"] = is(math.ceil(100 / 8)), ["21 instead"] = is(8) + 13,
      ["of 35"] = is(3) + 32, ["8 tiles"] = K("16b").BAND, ["0.6 times"] = (is(8) + 13) / (is(3) + 32),
    },
    [17] = {
      ["4 x 4"] = {K(17).SIDE, K(17).SIDE}, ["serve 16"] = K(17).SIDE ^ 2, ["16 independent"] = K(17).SIDE ^ 2,
      ["vectors of 16"] = is(16), ["27 instructions"] = seen(27), ["256 multiply-adds"] = K(17).SIDE ^ 2 * 16,
      ["has 14 for eight"] = seen(14), ["32 registers"] = is(32),
    },
    [18] = {
      ["16 vectors of sums"] = K(17).SIDE ^ 2, ["vectors of 16"] = is(16), ["240 additions"] = K(17).SIDE ^ 2 * 15,
      ["takes 480"] = is(480) / 16 * K(17).SIDE ^ 2, definition = {"K = 480", "16 registers", "tiles of 6 rows"},
      ["12 x 32"] = {is(12), is(2) * 16}, ["24 vectors"] = is(12) * 2, ["12 of A"] = is(12), ["serve 24"] = is(12) * 2,
      ["32 columns"] = is(2) * 16, ["12 rows"] = is(12), ["by 2 vectors"] = is(2), ["N / 2"] = is(2),
    },
    [19] = {
      ["16 x 8 tiles"] = {is(16), is(8)}, ["K by 384"] = K(19).DEPTH, ["384 KiB"] = K(19).DEPTH * 8 * 32 * 4 / 1024,
      ["for 16 rows"] = is(16), ["12 rows"] = is(12), ["18 KiB"] = K(19).DEPTH * 12 * 4 / 1024,
      ["each 384"] = K(19).DEPTH, ["384 along"] = K(19).DEPTH, ["128"] = is(16) * 8, ["32 MiB"] = is(32),
      ["2800"] = about(is(math.sqrt(32 * 2 ^ 20 / 4))),
    },
    [24] = {
      ["does 32 multiply-adds"] = is(32), ["1024"] = tensor.multiply_adds, ["64 x 64"] = {tensor.rows, tensor.columns},
      ["C, 8"] = tensor.loads, ["serve 32"] = tensor.products, ["instead of 32"] = is(32),
      definition = {"16 x 8 elements of A by 8 x 8", "11 bits"},
    },
    walkthrough = {
      source = {"200:1", "32 GFLOPS", "2000 x 2000 x 2000", "115.628 s", "114.583 s", "91.9 to 99.5 s"},
      ["2.7 %"] = author(9, "GPU").rate / 1200 * 100,
      ["32 sectors"] = count(2).reads("a").sectors, ["where 4"] = lines_of_a_request,
    },
  }
end
