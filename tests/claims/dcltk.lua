-- Where the numbers in the texts of dcltk come from: see tests/spec/claim_check.lua.
return function(c)
  local count, author, K, is = c.count, c.published, c.constant, c.is
  local function at_128(number) return count(number, "128") end
  local items, units = is(13) * 32, c.said(13)
  local row_of_author = is(100)
  local function padded(m, k, n)
    local function whole(length) return math.ceil(length / 32) * 32 end
    return is(whole(m) * whole(k) * whole(n) / (m * k * n) * 100 - 100)
  end
  return {
    [0] = {source = {"13 compute units", "49152", "groups of 1024", "1024/1024/64"}},
    [1] = {
      ["1024 work-items"] = count(1).items, ["1024 times the work"] = count(1).items,
      ["1024 products"] = count(1).items, ["1024 of them"] = count(1).items, ["3 %"] = count(1).lanes,
      definition = {"work-item 0"}, source = {"20 times", "37 ms"},
    },
    [2] = {
      ["416"] = items, ["1024 warps"] = count(1).items, ["of 1024"] = count(1).items,
      ["as 1024"] = count(1).items, ["0.41"] = items / count(1).items, ["13 warps"] = items / 32,
      source = {"13 work-groups of 32", "has 13 compute", "multiples of 32", "13 groups of 32", "took 36 ms",
        "13 groups"},
      definition = {
        "get_global_id(0)", "get_group_id(0)", "get_local_size(0)", "get_local_id(0)", "[4, 4, 4]",
        "[2, 2, 2]", "4 / 2", "[1, 0, 1]", "[0, 1, 1]", "[0 * 2 + 1, 1 * 2 + 0, 1 * 2 + 1]", "work-item 0",
      },
      ["= 2 groups"] = is(4) / 2, ["8 in all"] = is(2) ^ 3, ["of 8 work-items"] = is(2) ^ 3,
      ["64 work-items"] = is(8) ^ 2,
      ["= [1, 2, 3]"] = {is(0) * 2 + 1, is(1) * 2 + 0, is(1) * 2 + 1},
    },
    [3] = {
      ["416"] = items, ["28 ms"] = author(3, "K80").seconds * 1000, ["712"] = author(2, "K80").seconds * 1000,
      ["25 times less"] = author(2, "K80").seconds / author(3, "K80").seconds,
      ["32 sectors"] = at_128(3).reads("a").sectors,
      ["up to 100"] = row_of_author, ["where 4"] = is(32) / 8, ["13 warps"] = items / 32,
      source = {"row of 100", "100 rows", "35 ms", "1000 rows", "372 ms", "took 35"},
      definition = {"g + 2 G"},
    },
    [4] = {
      ["16384"] = count(4).items, ["416"] = items, ["32 warps"] = is(32) ^ 2 / 32, ["16 groups"] = is(4) ^ 2,
      ["uses 16"] = is(4) ^ 2, ["132"] = c.measured(132), ["28 ms"] = author(3, "K80").seconds * 1000,
      ["become 3"] = author(4, "K80").seconds * 1000, ["32 sectors"] = at_128(4).reads("a").sectors,
      ["12.7"] = author(4, "K80").ratio, ["23.0"] = author(4, "K80, 1000 x 2000 x 3000").ratio,
      ["9 of"] = units - math.ceil(100 / 32),
      source = {
        "4 x 4 groups of 32 x 32", "of 100 rows, 100", "13 compute", "10 times", "13 units got 13 groups", "38 ms",
        "48344 ms", "100 rows", "1000 rows", "13 groups",
      },
      definition = {"13 is a prime", "13 x 1", "4 x 4"},
    },
    ["4b"] = {
      ["239.5"] = count("4b", "64").instructions_an_item, ["208.0"] = count(4, "64").instructions_an_item,
      ["32 a request"] = count(4, "64").reads("a").sectors,
      ["32 sectors a request"] = count(4, "64").reads("a").sectors,
      definition = {"32 bits", "64 bits", "than 32", "of 64, so 32", "64 x 64 x 64", "index of 32", "to 64", "have 64"},
    },
    [5] = {
      ["355"] = at_128(4).asked, ["0.035"] = at_128(5).accesses, ["1.00"] = at_128(4).accesses,
      ["3.00"] = at_128(5).asked, ["118"] = at_128(4).asked / at_128(5).asked,
      ["28.6"] = at_128(4).accesses / at_128(5).accesses, ["4.14"] = at_128(4).sectors / at_128(5).sectors,
      ["4.00 sectors"] = at_128(5).sectors, ["16.6"] = at_128(4).sectors, ["4 sectors"] = at_128(5).sectors,
      ["instead of 32"] = at_128(4).reads("a").sectors, ["serves 32"] = is(32),
      definition = {"128 x 128 x 128", "32 wide"},
    },
    [6] = {
      ["0.035"] = at_128(6).accesses, ["4 sectors"] = at_128(6).sectors, ["53 %"] = padded(100, 200, 300),
      ["3 % more at 1000"] = {padded(1000, 2000, 3000), is(1000)}, ["32 multiply-adds"] = is(32),
      source = {"100 x 200 x 300", "1000 x 2000 x 3000"},
    },
    [7] = {
      ["2 x 2"] = {K(7).P, K(7).P}, ["1.67"] = at_128(7).asked, ["3.00"] = at_128(6).asked,
    },
    [20] = {["16 groups"] = is(4) ^ 2, ["keep 16"] = is(4) ^ 2, ["instead of 16"] = is(4) ^ 2},
    walkthrough = {
      ["4 sectors"] = at_128(5).sectors, ["of 32 (5)"] = at_128(4).reads("a").sectors, ["416"] = items,
      source = {
        "13 compute", "10 times the", "100 x 200 x 300", "20 times", "1000 x 2000 x 3000",
      },
    },
  }
end
