-- `clue walk`: its choices, its rows, and that a step which ends badly costs only itself.
local json = require "dkjson"
local sizes = require "clue.walk.size"
local statistics = require "clue.walk.statistics"
local support = require "support"
local walk_command = require "clue.command.walk"

-- Exit status, output, errors and the decoded document of `clue walk`.
local function walk(args, env)
  local path = support.temporary ".json"
  local words = {"walk"}
  for _, word in ipairs(args) do words[#words + 1] = word end
  words[#words + 1] = "--json"
  words[#words + 1] = path
  local status, out, err = support.run(words, env)
  return status, out, err, json.decode(support.read(path) or "null")
end

describe("statistics", function()
  it("gives least, median and spread", function()
    assert.same({min = 1, median = 2, spread = 4.5, count = 3}, statistics.of {2, 10, 1})
    assert.equal(2.5, statistics.of({1, 2, 3, 4}).median)
    assert.is_nil(statistics.of {})
  end)
end)

describe("a size", function()
  it("is N or MxKxN", function()
    assert.same({480, 480, 480}, {sizes.product "480"})
    assert.same({1, 20, 300}, {sizes.product "1x20x300"})
  end)

  it("is refused with what is wrong", function()
    for _, text in ipairs {"", "0", "-4", "3x4", "4.5", "axbxc", "3x0x4", "1e3", "99999999"} do
      local size, why = sizes.product(text)
      assert.is_nil(size)
      assert.matches("size '" .. text .. "'", why, 1, true)
    end
  end)
end)

describe("--steps", function()
  local steps = {{number = 1}, {number = 2}, {number = 3}, {number = 5}}

  it("takes numbers and ranges", function()
    assert.same({[1] = true, [3] = true, [4] = true, [5] = true}, walk_command.parse_steps("1,3-5", steps))
  end)

  it("refuses what no step is", function()
    for _, text in ipairs {"0", "4", "6", "3-2", "x", "1,,2", ""} do
      assert.is_nil((walk_command.parse_steps(text, steps)))
    end
  end)
end)

describe("clue walk", function()
  it("lists the walkthroughs without a name", function()
    local status, out = support.run {"walk"}
    assert.equal(0, status)
    assert.matches("mql5: OpenCL: From Naive Towards More Insightful Programming (2012, MQL5)", out, 1, true)
  end)

  it("refuses wrong use with one message and exit status 2", function()
    for wrong, says in pairs {
      ["nothing_there"] = "there is no walkthrough 'nothing_there'; there are: mql5",
      ["mql5 --size 3x4"] = "size '3x4' is neither N nor MxKxN",
      ["mql5 --steps 11"] = "steps '11': give numbers from 1 to 10",
      ["mql5 --type int"] = "--type",
      ["mql5 --repeat 0"] = "--repeat: a whole number",
      ["mql5 --sise 4"] = "--sise",
    } do
      local words = {"walk"}
      for word in wrong:gmatch "%S+" do words[#words + 1] = word end
      local status, out, err = support.run(words)
      assert.equal(2, status, wrong)
      assert.matches(says, err, 1, true)
      assert.equal("", out)
      assert.equal(1, select(2, err:gsub("\n", "")), err)
    end
  end)

  it("says once that a device is not there, and lists what is", function()
    local status, out, err = support.run {"walk", "mql5", "--device", "no such thing", "--size", "8"}
    assert.equal(1, status)
    local said = out .. err
    assert.matches("no such thing", said, 1, true)
    assert.matches("0:0", said, 1, true)
    assert.equal(1, select(2, said:gsub("has 'no such thing'", "")), said)
  end)

  it("goes on after steps that crash, never end, lie, fail or need too much, and says which", function()
    local status, out, _, document = walk {"tests/specimens/ends/", "--time-limit", "10"}
    local words = {}
    for i, row in ipairs(document.rows) do
      words[i] = row.failed and row.failed.word or row.skipped and "skipped"
        or row.check.verified and "verified" or "WRONG"
    end
    assert.same({"verified", "crashed", "time limit", "WRONG", "skipped", "failed", "no result", "verified"}, words)
    assert.equal(1, status)
    assert.matches("crashed: killed by SIGSEGV", out, 1, true)
    assert.matches("stopped after 10 s (--time-limit)", out, 1, true)
    assert.matches("WRONG: exact on whole numbers: C[15][15] is", out, 1, true)
    assert.matches("needs 1099511627776 bytes of local memory, the device has", out, 1, true)
    assert.matches("use of undeclared identifier 'nothing'", out, 1, true)
    assert.matches("2 of 8 steps verified", out, 1, true)
  end)

  it("keeps what it has when it is interrupted, and leaves no step behind", function()
    local status, out, err = support.execute {"timeout", "--preserve-status", "--signal=INT", "5", support.clue, "walk",
                                              "tests/specimens/ends/", "--steps", "1,3"}
    assert.equal(130, status, err)
    assert.matches("1 of 1 steps verified", out, 1, true)
    assert.matches("clue walk: interrupted!", err, 1, true)
    local _, processes = support.execute {"sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"}
    local ours = support.clue:gsub("%p", "%%%0") -- a sanitizer build's specs may run beside these
    assert.truthy(processes:find(ours .. " [^ ]*busted")) -- this process is seen, so the step would be
    assert.is_nil(processes:find(ours .. " [^ ]*ends/03_endless%.lua"))
  end)

  it("says what is wrong with a walkthrough of one's own", function()
    local folder = support.temporary()
    os.remove(folder)
    support.execute {"mkdir", folder}
    local _, _, none = support.run {"walk", folder .. "/"}
    assert.matches("there is no walkthrough '" .. folder .. "/'", none, 1, true)
    for text, says in pairs {
      ["return {"] = "walkthrough.lua:1:", ["return 5"] = "does not return a table with a title",
      ["return {title = 'x', year = 1, language = 'Lua'}"] = "has no steps: files named NN_name.lua",
    } do
      support.write(text, folder .. "/walkthrough.lua")
      local status, out, err = support.run {"walk", folder .. "/"}
      assert.equal(2, status)
      assert.equal("", out)
      assert.matches(says, err, 1, true)
    end
    support.execute {"rm", "-r", folder}
  end)

  it("does not pass where its results cannot be written", function()
    local status, _, err = support.run {"walk", "mql5", "--steps", "1", "--size", "8", "--json", "/dev/full"}
    assert.equal(1, status)
    assert.matches("--json: cannot write", err, 1, true)
  end)

  it("keeps every raw time in the JSON document", function()
    local status, _, _, document = walk {"mql5", "--steps", "2", "--size", "16", "--repeat", "3"}
    assert.equal(0, status)
    local row = document.rows[1]
    for _, part in ipairs {"upload", "kernel", "read", "total"} do
      assert.equal(3, #row.times[part])
      for _, seconds in ipairs(row.times[part]) do assert.is_true(seconds > 0) end
    end
    assert.equal(2 * 16 ^ 3, row.times.flops)
    assert.equal("device", row.times.clock)
    assert.equal("0:0", row.device.address)
  end)
end)

-- Every step at sizes that are no multiple of anything, on every platform of the machine. 2003 is prime, and rows of
-- that length in private memory overflow the stack of PoCL's workers in the groups that PoCL would choose.
local function all_verified(args, env)
  local status, out, err, document = walk(args, env)
  assert.equal(0, status, out .. err)
  assert.equal(10, #document.rows)
  for _, row in ipairs(document.rows) do
    assert.is_true(row.check.verified, row.name .. ": " .. row.check.text)
  end
  return document
end

describe("the ten steps of mql5", function()
  for _, size in ipairs {"1", "2003x2003x3", "7x13x5", "101", "1x300x3", "300x1x2", "2x37x513"} do
    it("are right at size " .. size, function()
      all_verified {"mql5", "--size", size, "--repeat", "1"}
    end)
  end

  it("are right in double", function()
    all_verified {"mql5", "--size", "33x31x29", "--repeat", "1", "--type", "double"}
  end)

  it("are right on Oclgrind", function()
    all_verified({"mql5", "--size", "9x21x6", "--repeat", "1", "--device", "oclgrind"}, support.drivers "oclgrind")
  end)

  it("are right on rusticl, whose times are the host's", function()
    local document = all_verified({"mql5", "--size", "19x21x23", "--repeat", "1"}, support.drivers "rusticl")
    assert.equal("host", document.rows[2].times.clock)
  end)

  it("are skipped in double where there is no fp64", function()
    local status, out, _, document = walk({"mql5", "--size", "8", "--steps", "2-10", "--type", "double"},
      support.drivers "rusticl")
    assert.equal(1, status, out)
    for _, row in ipairs(document.rows) do assert.equal("no fp64", row.skipped) end
  end)

  it("run alone, each with its own table", function()
    local status, out = support.run {"scripts/walkthroughs/mql5/04_sum_local.lua", "--size", "20", "--repeat", "2"}
    assert.equal(0, status)
    assert.matches("matr_mul_sum_local", out, 1, true)
    assert.matches("1 of 1 steps verified", out, 1, true)
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

  it("is reported as published", function()
    assert.is_true(races "published" > 0)
  end)

  it("is not reported as mended", function()
    assert.equal(0, races "mended")
  end)
end)
