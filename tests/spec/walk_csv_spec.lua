-- `clue walk --csv`: a line for each row, with the figures of the tables.
-- suite: whole
local csv = require "clue.show.walk.csv"
local support = require "support"

-- The cells of a line.
local function cells_of(line)
  local cells = {}
  for quoted, plain in (line .. ","):gmatch '("?)(.-)%1,' do
    cells[#cells + 1] = plain
    assert(quoted == "" or quoted == '"')
  end
  return cells
end

-- The rows of a text, each a table by the columns' names; and the names.
local function read(text)
  local rows, names = {}, nil
  for line in text:gmatch "[^\n]+" do
    local cells = cells_of(line)
    if not names then
      names = cells
    else
      assert.equal(#names, #cells, line)
      local row = {}
      for i, name in ipairs(names) do row[name] = cells[i] end
      rows[#rows + 1] = row
    end
  end
  return rows, names
end

local function row(number, seconds, more)
  local it = {number = number, name = "step", problem = "A 8 x 8, \"float\"", type = "float", device = {},
              check = {verified = true},
              times = {kernel = {seconds}, total = {2 * seconds}, flops = 1e9, bytes = 1e6, rate = "GFLOPS", runs = 1,
                       clock = "device"}}
  return support.with(it, more)
end

local function document(rows, peak)
  return {devices = {{address = "0:0", peak = peak}},
          walkthroughs = {{name = "own", runs = {{device = "0:0", rows = rows}}}}}
end

describe("--csv", function()
  it("has the share of the peak, and the speed-up over the first step", function()
    local rows = read(csv.text(document({row(2, 0.1), row(3, 0.05)}, {flops = {float = 40e9}, bandwidth = {}})))
    assert.same({"1", "2"}, {rows[1].over_first, rows[2].over_first})
    assert.same({"2", "2"}, {rows[1].first, rows[2].first})
    assert.same({"0.25", "0.5"}, {rows[1].share_of_peak, rows[2].share_of_peak})
    assert.equal("", read(csv.text(document {row(2, 0.1)}))[1].share_of_peak)
  end)

  it("has the speeds by the total and by the kernel's time, and the times of each part", function()
    local times = {kernel = {2, 4, 1}, total = {8, 20, 10}, flops = 1e9, rate = "GFLOPS", runs = 3, clock = "device"}
    local it_has = read(csv.text(document {row(2, 1, {times = times})}))[1]
    assert.same({"0.1", "0.5"}, {it_has.speed_total, it_has.speed_kernel})
    assert.equal("0.2", it_has.kernel_part)
    assert.same({"8", "10", "20"}, {it_has.total_min_s, it_has.total_median_s, it_has.total_max_s})
    assert.same({"1", "2", "4"}, {it_has.kernel_min_s, it_has.kernel_median_s, it_has.kernel_max_s})
    assert.same({"", "1e+09", "", "3"}, {it_has.read_min_s, it_has.flops, it_has.bytes, it_has.runs})
  end)

  it("has the gain with its interval, and over the host", function()
    local gain = {over = 2, ratio = 3, low = 2.5, high = 4, pairs = 9}
    local it_has = read(csv.text(document {row(3, 1, {gain = gain, host = {seconds = 10}})}))[1]
    assert.same({"3", "2", "2.5", "4", "9"},
      {it_has.gain, it_has.gain_over, it_has.gain_low, it_has.gain_high, it_has.gain_pairs})
    assert.same({"10", "5"}, {it_has.host_s, it_has.over_host})
  end)

  it("says which rows were disturbed", function()
    local rows = read(csv.text(document {row(2, 0.1), row(3, 0.1, {gain = {over = 2, ratio = 1}}),
      row(4, 0.1, {gain = {over = 3, ratio = 2, disturbed = true}})}))
    assert.same({"", "0", "1"}, {rows[1].disturbed, rows[2].disturbed, rows[3].disturbed})
  end)

  it("has the counts of the rows that have them", function()
    local sums = {accesses = 2e6, requests = 100, sectors = 1600, asked = 51200, least = 12800, of_groups = 25600,
                  passes = 0, local_requests = 0, lanes = 30, slots = 40}
    local rows = read(csv.text(document {row(2, 0.1), row(3, 0.1, {counts = {size = "64", flops = 4e6, sums = sums}})}))
    local function of(it)
      return {it.counted_size, it.accesses_per_operation, it.sectors_per_request, it.passes_per_local_request,
              it.lanes_working, it.bytes_used, it.bytes_asked, it.bytes_moved}
    end
    assert.same({"", "", "", "", "", "", "", ""}, of(rows[1]))
    assert.same({"64", "0.5", "16", "", "0.75", "12800", "51200", "25600"}, of(rows[2]))
  end)

  it("has an apostrophe before a text that a spreadsheet would compute, and none before a number", function()
    for name, cell in pairs {["=1+1"] = "'=1+1", ["+1"] = "'+1", ["-cl-fast"] = "'-cl-fast", ["@SUM(A1)"] = "'@SUM(A1)",
                             ["\t=1"] = "'\t=1", ["a=1"] = "a=1", ["-"] = "'-"} do
      assert.equal(cell, read(csv.text(document {row(2, 0.1, {name = name})}))[1].name)
    end
    assert.matches('\nown,0:0,2,"\'=1,2",', csv.text(document {row(2, 0.1, {name = "=1,2"})}))
    assert.equal("-0.5", read(csv.text(document {row(2, 0.1, {host = {seconds = -0.5}})}))[1].host_s)
  end)

  it("has a line for every row of a walk, and ends with the point", function()
    local path = support.temporary ".csv"
    support.ended(0, support.run {"walk", "mql5", "--steps", "1,2,4", "--size", "8", "--repeat", "1", "--counts",
                                        "--csv", path})
    local text = support.read(path)
    local rows, names = read((text:gsub('"A 8 x 8 times B 8 x 8, float"', "problem")))
    assert.equal(3, #rows)
    assert.equal("point", names[#names])
    assert.matches('\nmql5,0:0,2,matr_mul_1dim,,"A 8 x 8 times B 8 x 8, float",verified,GFLOPS,', text)
    assert.same({"1", "2", "2"}, {rows[1].first, rows[2].first, rows[3].first})
    assert.is_true(tonumber(rows[3].over_first) > 0)
    assert.same({"", "64"}, {rows[1].counted_size, rows[2].counted_size})
    assert.equal("16.6", rows[3].sectors_per_request:sub(1, 4))
    assert.is_true(tonumber(rows[3].accesses_per_operation) > 1)
  end)

  it("is explained, column by column", function()
    local page = support.read "docs/reference/sweeps.md"
    local _, names = read(csv.text(document {}))
    for _, name in ipairs(names) do
      if not name:find "_m[a-z]+_s$" then assert.matches("`" .. name .. "`", page, 1, true) end
    end
  end)
end)
