-- `clue walk --verify`: each step runs once, nothing is measured, and the exit status says whether results are right.
-- suite: quick
local support = require "support"
local walks = require "walk_support"

local ends = "tests/specimens/ends/"

-- A walkthrough of one step, which notes in a file each run of its variants and each part of its host loop.
local function counting()
  local folder, notes = support.folder(), support.temporary()
  support.write('return {title = "Runs", about = "", year = 2026, language = "Lua", hardware = "", size = "product"}\n',
    folder .. "/walkthrough.lua")
  support.write(([[
local walk = require "clue.walk"
input.string("_size", "16", "")
local function note(word)
  local file = io.open(%q, "a")
  file:write(word, "\n")
  file:close()
end
local function variant(label) return {label = label, value = 1, execute = function() note(label) end} end
local function pass(name) return {name = name, prepare = function() end, check = function() return true end} end
function OnStart()
  local row, one, other = {number = 1, name = "counting", change = "nothing"}, variant "one", variant "other"
  row.check = walk.verify(one, {pass "first", pass "second"})
  row.times, row.sweep = walk.sweep {one, other}
  local times = walk.run(one)
  row.host = walk.host {name = "a loop", compiler = "none", extent = 8, slice = function() note "slice" end}
  row.beside, row.notes = {row.host}, {("%%.3g ms"):format(times.total[1] * 1e3)}
  walk.report(row)
end
]]):format(notes), folder .. "/01_counting.lua")
  return folder .. "/", function()
    local counts = {one = 0, other = 0, slice = 0}
    for word in (support.read(notes) or ""):gmatch "%a+" do counts[word] = counts[word] + 1 end
    return counts
  end
end

describe("clue walk --verify", function()
  it("runs each variant once for each pass of its check, or once, and the start of a host loop", function()
    local folder, counts = counting()
    local out, _, document = support.ended(0, walks.walk({folder, "--verify"}, support.drivers "null"))
    assert.same({one = 2, other = 1, slice = 1}, counts())
    assert.equal("1  counting  verified  first, second\n1 of 1 step verified\n", out)
    assert.is_true(document.options.verify)
    local row = walks.rows(document)[1]
    assert.same({{label = "one", value = 1}, {label = "other", value = 1}}, row.sweep)
    for _, figure in ipairs {"times", "host", "beside", "notes", "gain"} do assert.is_nil(row[figure], figure) end
  end)

  it("takes the size of a CPU on every device, since the host's checks take as long there", function()
    local folder = support.folder()
    support.write('return {title = "Sizes", size = "product", sizes = {cpu = "8", gpu = "64"}}',
      folder .. "/walkthrough.lua")
    support.write([[
      input.string("_size", "16", "")
      function OnStart()
        require("clue.walk").report {number = 1, name = "sized", problem = _size, check = {verified = true, text = ""}}
      end
    ]], folder .. "/01_sized.lua")
    local function size_with(...)
      local _, _, _, document = walks.walk({folder .. "/", ...}, support.drivers "oclgrind") -- no CPU
      return walks.rows(document)[1].problem
    end
    assert.same({"8", "5", "64"}, {size_with "--verify", size_with("--verify", "--size", "5"), (size_with())})
  end)

  it("ends with 1 if a step is wrong, and says which and why", function()
    local out = support.ended(1, walks.walk({ends, "--steps", "1,4,5", "--verify"}, support.drivers "pocl"))
    local lines = {}
    for line in out:gmatch "[^\n]+" do
      assert.is_true(#line:gsub("[\128-\191]", "") <= 80, line)
      lines[#lines + 1] = line
    end
    assert.equal("1  good                   verified  exact on whole numbers, six sigma on the au…", lines[1])
    assert.equal("4  wrong                  WRONG", lines[2])
    assert.equal("     exact on whole numbers: C[15][15] is 40, should be 39", lines[3])
    assert.equal("5  too_much_local_memory  skipped   needs 1099511627776 bytes of local memory, …", lines[4])
    assert.matches("skipped needs .* 1 of 3 steps verified, 1 WRONG, 1 skipped, on 0:0 pthread", support.flat(out))
  end)

  it("ends with 0 if all are verified or skipped, and with 1 if all are skipped", function()
    local function verified(steps)
      local words = {"mql5", "--steps", steps, "--size", "5", "--device", "oclgrind", "--verify"}
      return walks.walk(words, support.drivers "oclgrind")
    end
    local status, out, _, document = verified "1,4,23"
    assert.equal(0, status)
    assert.matches("\n2 of 3 steps verified, 1 skipped, on 0:0", out, 1, true)
    for _, row in ipairs(walks.rows(document)) do assert.is_nil(row.times or row.host) end
    assert.equal(1, (verified "23"))
  end)

  it("shows what a step wrote that failed", function()
    local out = support.ended(1, walks.walk({ends, "--steps", "6,7", "--verify"}, support.drivers "oclgrind"))
    assert.matches("6  does_not_compile  failed     failed with exit status 1\n     | clue: ", out, 1, true)
    assert.matches("\n7  silent            no result  ended without a result\n0 of 2 steps verified, 1 failed, "
      .. "1 no result", out, 1, true)
  end)

  it("takes several devices, a parameter, a type and options, and continues #later", function()
    local words = {"mql5", "--steps", "2", "--verify", "--device", "0,1", "--size", "9", "--type", "double",
                   "--set", "group=3", "--options", "-D SIDE_BY_SIDE"}
    local out = support.ended(0, walks.walk(words, support.drivers "both"))
    assert.matches("^mql5 on 0:0 .- 2 .- verified .- mql5 on 1:0 .- 2 .- verified .- "
      .. "2 of 2 steps verified, on 0:0 .* 1:0 ", support.flat(out))
    local file = support.temporary ".json"
    local once = {"walk", ends, "--steps", "1", "--verify", "--json", file}
    assert.equal(0, (support.run(once)))
    once[#once + 1] = "--resume"
    assert.equal(0, (support.run(once)))
    local refused, _, why = support.run {"walk", ends, "--steps", "1", "--json", file, "--resume"}
    assert.equal(2, refused)
    assert.matches("it was made with --verify, and this run is without --verify", why, 1, true)
  end)

  it("excludes figures, and what takes several runs", function()
    for _, more in ipairs {"--repeat 2", "--until-stable", "--csv rows.csv", "--report page.html", "--notes",
                           "--counts", "--asm", "--explain 1", "--diff 1", "--source 1"} do
      local _, err = support.ended(2, support.run(support.words({"walk", ends, "--verify"}, more)))
      assert.equal(("clue walk: --verify and %s exclude each other: --verify only checks results\n"):format(
        more:match "%S+"), err)
    end
    for _, several in ipairs {"--size=8,16", "--set=group=8,16"} do
      local _, err = support.ended(2, support.run {"walk", ends, "--verify", several})
      assert.equal("clue walk: --verify is for one run: give one --size, one value for each --set, and --options "
        .. "once\n", err)
    end
  end)

  it("holds for a step that runs alone, by the variable that the walk sets", function()
    for step, expected in pairs {["01_good"] = 0, ["04_wrong"] = 1} do
      local status, out = support.run({ends .. step .. ".lua"}, {CLUE_WALK_VERIFY = "1"})
      assert.equal(expected, status)
      assert.matches(expected == 0 and "^1  good  verified" or "^4  wrong  WRONG", out)
    end
  end)
end)
