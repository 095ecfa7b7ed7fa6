-- Where the numbers in the texts of reduce come from: see tests/spec/claim_check.lua.
return function(c)
  local count, K, is, about, seen = c.count, c.constant, c.is, c.about, c.seen
  local h200 = c.kept "walk-h200-reduce"
  local function instructions(number, values, kernel)
    local of = count(number)
    return (kernel and of.kernel(kernel) or of).instructions_an_item / values
  end
  local lanes = {["27 %"] = count(1).lanes, ["95 %"] = count(2).lanes}
  local barriers = {[9] = count(1).barriers_an_item}
  local tree = is(46) -- instructions of an item without a value
  local a_round = about((count(5).instructions - tree * count(5).items) / 16387)
  local of_doubling, of_tree = is(256) * 8 - 255, is(256) * 2 - 2 - 8
  local scan_10 = instructions(10, 1, "scan_groups") + instructions(10, 1, "add_sums")
  local scan_11 = instructions(11, 8, "scan_groups") + instructions(11, 8, "add_sums")
  local scan_12 = instructions(12, 8, "scan_groups") + instructions(12, 8, "add_groups")
  local bins = is(2 ^ 8)
  return {
    [1] = {
      ["27 %"] = lanes["27 %"], ["88 instructions"] = instructions(1, 1), ["9 barriers"] = barriers[9],
      definition = {"work-item 2 adds item 3", "item 4 adds item 6"},
    },
    [2] = {
      ["27 %"] = lanes["27 %"], ["95 %"] = lanes["95 %"], ["95 / 27 = 3.5"] = {
        count(2).lanes, count(1).lanes, count(2).lanes / count(1).lanes,
      },
      ["(87, not 88)"] = {instructions(2, 1), instructions(1, 1)},
      ["87 instead of 88"] = {instructions(2, 1), instructions(1, 1)},
    },
    [3] = {
      ["9 barriers"] = count(2).barriers_an_item, ["87"] = instructions(2, 1), ["49"] = instructions(3, 2),
      ["1.8"] = instructions(2, 1) / instructions(3, 2),
    },
    [4] = {
      ["8 rounds"] = is(math.log(256) / math.log(2)), ["49"] = instructions(3, 2), ["30"] = instructions(4, 2),
      ["1.7"] = instructions(3, 2) / instructions(4, 2), ["9 barriers"] = count(4).barriers_an_item,
    },
    [5] = {
      ["30"] = instructions(4, 2), ["9 barriers"] = count(5).barriers_an_item, ["about 10"] = a_round,
      definition = {"512 values"},
    },
    [6] = {
      ["8 rounds"] = is(math.log(256) / math.log(2)), ["9 barriers"] = count(5).barriers_an_item,
      ["about 50"] = about(tree), ["of 5000"] = is(500) * 10, ["1 %"] = about(tree / 5000 * 100),
      definition = {"500 values"},
    },
    [7] = {
      ["about 10"] = a_round, ["10 instructions for 64"] = {seen(10), is(64)}, definition = {"4 bytes", "instead of 4"},
    },
    [8] = {["20 launches"] = is(math.ceil(math.log(1e6) / math.log(2))), ["20 times"] = is(20)},
    [9] = {
      ["20 times"] = is(math.ceil(math.log(1e6) / math.log(2))),
      ["17 barriers"] = count(9).kernel("scan_groups").barriers_an_item,
      ["256 numbers"] = is(256), ["149"] = instructions(9, 1, "scan_groups"),
    },
    [10] = {
      ["1793"] = of_doubling, ["256 numbers"] = is(256), ["502"] = of_tree, ["3.6"] = of_doubling / of_tree,
      ["16 barriers"] = count(10).kernel("scan_groups").barriers_an_item,
      ["has 17"] = count(9).kernel("scan_groups").barriers_an_item, ["190"] = instructions(10, 1, "scan_groups"),
      ["149"] = instructions(9, 1, "scan_groups"), ["3.35"] = count(10).passes, ["instead of 1"] = count(9).passes,
      ["16 times"] = count(10).kernel("scan_groups").barriers_an_item, definition = {"blocks of 2, 4, 8",
        "2 n additions"},
    },
    [11] = {
      ["190"] = instructions(10, 1, "scan_groups"), ["19 to add"] = instructions(10, 1, "add_sums"),
      ["82"] = instructions(11, 8, "scan_groups"), ["15 instructions"] = instructions(11, 8, "add_sums"),
      ["2.2 times"] = scan_10 / scan_11, ["32 words"] = is(32), ["97"] = scan_11, ["209"] = scan_10,
      ["1.62 passes"] = count(11).passes, ["3.35"] = count(10).passes,
    },
    [12] = {["1.3"] = is(4) / 3, ["104"] = scan_12, ["97"] = scan_11},
    [13] = {["1.5"] = is(3) / 2, ["104"] = scan_12},
    [14] = {["10.7"] = count(14).adds("bins").sectors, ["256"] = bins},
    [15] = {
      ["10.7"] = count(14).adds("bins").sectors, ["4 sectors"] = count(15).adds("bins").sectors,
      ["10.7 / 4 = 2.7"] = {
        count(14).adds("bins").sectors, count(15).adds("bins").sectors,
        count(14).adds("bins").sectors / count(15).adds("bins").sectors,
      },
      ["6.82"] = h200[15].gain, ["256"] = bins, definition = {"must be 0", "16 additions"},
    },
    [16] = {
      ["256"] = bins, ["2.1 passes,"] = count(16).adds("own").passes, ["2429"] = h200[16].speed,
      ["2520"] = c.note(h200, 16, "^([%d.e+]+) GB/s if all")[1],
    },
    [17] = {
      ["In step 16 an update of local memory takes 2.1"] = count(16).adds("own").passes,
      ["2.1 passes"] = count(17).adds("own").passes, ["up to 4"] = K(17).COPIES,
    },
    [18] = {
      definition = {"4 bytes", "2 or 4 of", "instead of 4"}, ["32 or 64"] = {is(2) * 16, is(4) * 16},
    },
    walkthrough = {
      ["256 bins"] = bins, ["502"] = of_tree, ["1793"] = of_doubling, ["256 numbers"] = is(256),
    },
  }
end
