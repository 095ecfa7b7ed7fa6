-- `clue walk hello`: its steps show what their author wanted to see, take his options, and the published faults are
-- found. walk_steps_spec runs all steps at odd sizes.
-- suite: whole
-- cost: 20
local support = require "support"
local outer_sum = require "clue.walk.outer_sum"
local request = require "clue.run.request"
local walks = require "walk_support"

local STEPS = {
  "00_serial", "01_global", "01c_constant", "02_staged", "02b_staged_in_pieces", "03_tiles", "03r_tiles_register",
  "04_float4", "04r_float4_register", "04t_float4_tpb", "05_float8", "05r_float8_register", "05t_float8_tpb",
  "05v_unaligned", "06_float8_tiles", "06r_float8_tiles_register", "07_register_block",
}

local sweeps = {} -- the places of the steps that choose their groups
for i, step in ipairs(STEPS) do sweeps[i] = step:find "_tpb" ~= nil or step:find "^07" ~= nil end

local function path_of(step)
  return "scripts/walkthroughs/hello/" .. step .. ".lua"
end

-- The rows of some steps, all of which must be right.
local function all_verified(count, steps, size, how)
  return walks.all_verified(count, support.words({"hello", "--steps", steps, "--size", size}, how or "--verify"))
end

local measured = {"--repeat", "1"}

describe("the steps of hello", function()
  it("are numbered as the author numbers them, show his figures, and sweep the size of groups "
    .. "as far as the device allows", function()
    local numbers, by_number = {}, {}
    for i, row in ipairs(all_verified(#STEPS, "0-7", "7x13")) do
      numbers[i] = row.number
      by_number[row.number] = row
    end
    assert.same({0, 1, "1c", 2, "2b", 3, "3r", 4, "4r", "4t", 5, "5r", "5t", "5v", 6, "6r", 7}, numbers)
    assert.equal(4218, by_number[4].published[1].rate)
    assert.equal("2x over step 1", by_number[3].published[1].text)
    for _, number in ipairs {"4t", "5t"} do
      assert.same({32, 64, 128, 256, 512, 1024}, support.fields(by_number[number].sweep, "value"))
    end
    for number, over in pairs {[2] = 1, [3] = 1, [4] = 3, ["4t"] = 4, ["5v"] = "5r", [6] = 5} do
      assert.equal(over, by_number[number].over)
    end
  end)

  it("say their work, the best size of groups, and the gain over the step that they change", function()
    local rows = all_verified(4, "1,2,5,5t", "7x13", measured)
    assert.equal(2 * 7 * 13, rows[1].times.flops)
    assert.equal(4 * (7 + 7 + 13), rows[1].times.bytes)
    assert.equal(1, rows[2].gain.over)
    assert.equal(5, rows[4].gain.over)
    assert.matches("best here: TPB %d+; the slowest, TPB %d+, takes", rows[4].notes[1])
  end)

  it("name the size of groups that is the fastest by the time of the row, which is the kernel's", function()
    local function variant(label, kernel, total)
      return {label = label, times = {kernel = {kernel}, total = {total}}}
    end
    local sweep = {variant("TPB 32", 2, 4), variant("TPB 64", 1, 5), variant("TPB 128", 3, 3)}
    assert.equal("best here: TPB 64; the slowest, TPB 128, takes 3 times its time", outer_sum.sweep_text(sweep))
  end)

  it("expect a gain of other groups where the usual ones occupy the compute units unevenly", function()
    local of = {max_compute_units = 2}
    local word, why = outer_sum.gain_of_groups(of, 1024, 251)
    assert.equal("faster: a group is a loop in one thread: with groups of 1024, the busiest of 2 compute units has 251 "
      .. "of all 251 work-items, with smaller ones 128", word .. ": " .. why)
    for items, usual in pairs {[4096 * 4] = 1024, [256] = 128, [2] = 1024} do
      assert.equal("same", (outer_sum.gain_of_groups(of, usual, items)))
    end
    for i, row in ipairs(all_verified(2, "4t,5t", "1001x3", measured)) do
      local units = tonumber(row.facts[2].value)
      word, why = outer_sum.gain_of_groups({max_compute_units = units}, i == 1 and 1024 or 128, i == 1 and 251 or 126)
      assert.same({word, why}, {row.expected.word, row.expected.why})
    end
  end)

  it("read A, and B from step 5 on, through pointers to vectors, as the author does", function()
    local rows = all_verified(5, "4,4t,5,5t,6", "7x13")
    for i, width in ipairs {4, 4, 8, 8, 8} do
      local source = rows[i].programs[1].source
      assert.matches(("__global const float%d *a,"):format(width), source, 1, true)
      assert.matches(width == 8 and "__global const float8 *b," or "__global const float *b,", source, 1, true)
      assert.matches(("__global float%d *c,"):format(width), source, 1, true)
      assert.is_nil(source:find("vload", 1, true) or source:find("vstore", 1, true))
    end
  end)

  it("stage all of B at once, in several launches if it is longer than the stage", function()
    local function launches(size)
      local row = all_verified(1, "2", size, measured)[1]
      return table.concat(row.notes, "\n"):match "(%d+) launches"
    end
    assert.equal("3", launches "5x24001")
    assert.is_nil(launches "5x12000")
  end)

  it("say that groups do not fit the device", function()
    for group, says in pairs {["3"] = false, ["65536"] = true} do
      local out = support.ended(0, support.run({path_of(STEPS[2]), "--size", "21x53", "--repeat", "1", "-t", group},
        walks.interpreted()))
      assert.equal(says, out:find("65536 do not fit this device", 1, true) ~= nil)
    end
  end)

  it("stage B in smaller pieces if local memory is small", function()
    for _, step in ipairs {"02_staged", "02b_staged_in_pieces"} do
      local status, out = support.run({path_of(step), "--size", "5x9001", "--repeat", "1"}, support.drivers "rusticl")
      assert.equal(0, status, out)
      assert.matches("a stage of 8192 floats", out, 1, true)
    end
  end)

  it("take B in pieces if it does not fit constant memory", function()
    for bytes, launches in pairs {["80"] = 6, ["0"] = 1, ["1"] = 101} do
      local status, out, err = support.run({path_of "01c_constant", "--size", "9x101", "--repeat", "1", "--constant",
                                            bytes}, walks.interpreted())
      assert.equal(0, status, out .. err)
      assert.matches((", %d in all"):format(launches), out, 1, true)
    end
  end)

  it("list their options", function()
    for i, step in ipairs(STEPS) do
      local out = support.ended(0, support.run {path_of(step), "--help"})
      assert.matches("%-%-size TEXT", out)
      assert.equal(i > 1 and not sweeps[i], out:find("--t N ", 1, true) ~= nil)
      assert.equal(i > 1, out:find("--maxrregcount N", 1, true) ~= nil)
      assert.equal(i > 1, out:find("--log, --no-log", 1, true) ~= nil)
    end
  end)

  it("refuse impossible options, with exit status 2 if the command line is wrong", function()
    support.refuses({path_of(STEPS[2])}, {
      ["--size 4x"] = "size '4x' is neither N nor XxY", ["--size 0x4"] = "X and Y must be at least 1",
      ["--size 4x99999999"] = "Y must be below 2^24", ["-t 0"] = "option -t: '0' is not a whole number from 1 to 65536",
      ["-x 1"] = "unknown option -x", ["-t"] = "option -t needs a value",
    })
    local _, err = support.ended(1, support.run {path_of(STEPS[2]), "--size", "4", "--maxrregcount", "32"})
    assert.matches("--maxrregcount: only NVIDIA's compiler has it (-cl-nv-maxrregcount), not the one of", err, 1, true)
  end)

  it("save the program's binary", function()
    local file = support.temporary ".bin"
    local out = support.ended(0, support.run {path_of(STEPS[2]), "--size", "4", "--repeat", "1", "--binary", file})
    local binary = support.read(file)
    assert.is_true(#binary > 0)
    assert.matches(("the binary of %d bytes is in %s"):format(#binary, file), out, 1, true)
    local failed, _, why = support.run {path_of(STEPS[2]), "--size", "4", "--binary", "/nowhere/at/all"}
    assert.equal(1, failed)
    assert.matches("/nowhere/at/all: No such file or directory", why, 1, true)
  end)

  it("show the build log even if there are no errors", function()
    local _, out = support.run {path_of(STEPS[2]), "--size", "4", "--repeat", "1"}
    assert.matches("the build log is empty: this compiler does not report registers and spills", out, 1, true)
  end)
end)

describe("--steps of hello", function()
  local steps = {{number = 3}, {number = 4}, {number = "4t"}, {number = 5}}

  it("knows step 4t, by itself and in ranges", function()
    assert.same({["4t"] = true}, request.parse_steps("4t", steps))
    assert.same({[4] = true}, request.parse_steps("4", steps))
    assert.same({[3] = true, [4] = true, ["4t"] = true}, request.parse_steps("3-4", steps))
    assert.same({[4] = true, ["4t"] = true, [5] = true}, request.parse_steps("4-5", steps))
    assert.same({[3] = true, [4] = true, ["4t"] = true}, request.parse_steps("3-4t", steps))
    assert.same({["4t"] = true, [5] = true}, request.parse_steps("4t-5", steps))
    local none, why = request.parse_steps("5t", steps)
    assert.is_nil(none)
    assert.matches("; also 4t$", why)
  end)
end)

describe("the published faults of hello", function()
  local function published(fault, size, env)
    local status, out, err = support.run({"tests/specimens/hello/published.lua", "--fault", fault, "--size", size}, env)
    assert.equal(0, status, err)
    return out, err
  end

  local oclgrind = support.drivers("oclgrind", {OCLGRIND_DATA_RACES = "1", OCLGRIND_UNINITIALIZED = "1"})

  it("are found by verification: B beyond 12000 dropped", function()
    assert.matches("WRONG: exact on whole numbers: C[0] is", published("staged_once", "40x12001"), 1, true)
    assert.equal("verified\n", (published("staged_once", "40x12000")))
  end)

  it("are found by verification: the last X mod 4 dropped", function()
    assert.matches("WRONG: exact on whole numbers: C[40] is nan", published("float4", "43x50"), 1, true)
    assert.equal("verified\n", (published("float4", "44x50")))
  end)

  it("are found by verification and by Oclgrind: a stride of 1024 in groups of 16", function()
    local out, err = published("fixed_stride", "43x50", oclgrind)
    assert.matches("WRONG: exact on whole numbers: C[0] is", out, 1, true)
    assert.matches("Uninitialized value written", err, 1, true)
  end)

  it("are found by Oclgrind: B and A read past their ends", function()
    local _, err = published("tiles", "43x50", oclgrind)
    assert.matches("Invalid read of size 4 at global memory address.-b%[first %+ mine%]", err)
    assert.matches("Invalid read of size 4 at global memory address.-own = a%[x%]", err)
  end)

  it("are found by Oclgrind: C written past X", function()
    local _, err = published("float8", "43x50", oclgrind)
    assert.matches("Invalid write of size 32 at global memory address", err, 1, true)
    _, err = published("float8", "48x50", oclgrind)
    assert.is_nil(err:find("Invalid", 1, true))
  end)

  it("include CL_INVALID_COMMAND_QUEUE, for which Oclgrind names the line: an index outside local memory", function()
    local _, err = published("local_index", "43x50", oclgrind)
    assert.matches("Invalid write of size 4 at local memory address.-tile%[get_local_id%(0%) %+ 1%] = b%[0%]", err)
  end)
end)
