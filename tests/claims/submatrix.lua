-- Where the numbers in the texts of submatrix come from: see tests/spec/claim_check.lua.
return function(c)
  local count, author, is = c.count, c.published, c.is
  local tensor = c.tensor(3)
  local h200 = c.kept "walk-h200-submatrix"
  local buffered = author(1, "CPU").seconds / author(2, "CPU").seconds
  local cores = author(2, "CPU").seconds / author(3, "CPU").seconds
  return {
    [1] = {["4 are used"] = is(4), source = {"3 s at 1024"}},
    [2] = {["16 ints"] = is(64) / 4, ["8.2"] = buffered, source = {"0.367 s at 1024"}},
    [3] = {["8.2"] = buffered, ["another 2.3"] = cores, source = {"0.163 s at 1024, 2.3x", "3.040 s at 4096"}},
    [4] = {
      ["1 sector a request"] = count(4).reads("a").sectors, ["4 for B"] = count(4).reads("b").sectors,
      ["1.01"] = count(4).accesses,
      source = {"1.63x", "at 1024; at 2048 3x", "4x that", "9.3 at 1024", "0.019 s"},
    },
    [5] = {
      ["0.070"] = count(5).accesses, ["1.01"] = count(4).accesses, ["3.00"] = count(5).asked,
      ["27.0"] = count(4).asked, ["below 14"] = count(4).accesses / count(5).accesses,
      source = {
        "1.35", "16 x 16", "8 x 8", "16 and 8", "0.019 s", "8.6x", "6.9 at 1024", "1.5x", "1.35x",
      },
      definition = {"0: 16"},
    },
    [6] = {
      ["9 reads"] = is(8) + 1, ["of 16. But"] = is(8) * 2, ["that is 8"] = is(8) * 8 / 8, ["25 %"] = count(6).lanes,
      ["5.67"] = count(6).asked, ["3.00"] = count(5).asked, ["128 work-items"] = is(32) * 32 / 8,
      ["9 instead of 16"] = {is(8) + 1, is(8) * 2}, ["of 8 work-items"] = is(8) * 8 / 8,
      source = {"WPT = 8", "8 x 8", "16 x 16", "0.133 s at 4096, 23x", "5.7 at 1024"},
      definition = {"8 multiply-adds", "where a warp has 32", "2^24"},
    },
    [20] = {["16 reads"] = is(8) * 2, ["64 multiply-adds"] = is(8) ^ 2, definition = {"8 x 8"}},
    [21] = {
      ["does 32 multiply-adds"] = is(32), ["4096"] = tensor.multiply_adds, ["64 x 64"] = {tensor.rows, tensor.columns},
      ["C, 8"] = tensor.loads, ["serve 32"] = tensor.products, ["instead of 32"] = is(32),
      definition = {"8 bits", "16 x 32 elements of A by 32 x 8", "-128 to 127", "0 to 99"},
    },
    walkthrough = {
      ["8.2"] = buffered, ["another 2.3"] = cores, ["1.23"] = h200[5].gain, ["8 work-items"] = count(6).group,
      source = {"23:1", "at 4096", "1024, 2048 and 4096"},
    },
  }
end
