-- Changing a copy of a walkthrough: its errors in the step's own lines, its source for other tools.
-- suite: whole
local json = require "dkjson"
local shape = require "clue.result.shape"
local source_of = require "clue.result.source"
local support = require "support"
local walk_support = require "walk_support"

-- The line of a file that has a word, and the column of that word.
local function place_of(path, word)
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    local column = line:find(word, 1, true)
    if column then return ("%s:%d:%d: "):format(path, number, column) end
  end
end

local function walk(...)
  return support.run {"walk", ...}
end

describe("an error in a changed step's kernel", function()
  local folder, file

  setup(function()
    folder = walk_support.copied("mql5", "3,4")
    file = folder .. "/04_sum_local.lua"
    walk_support.change(file, "sum += a[", "sum += a[oops + ")
  end)

  -- The place of the error, the line and the caret below the word.
  local function assert_shown(text)
    local _, found = text:find(place_of(file, "oops") .. "error: use of undeclared identifier 'oops'", 1, true)
    assert.truthy(found, text)
    local code, caret = text:match("^[^\n]*\n([^\n]*)\n([^\n]*)", found + 1)
    assert.equal(code:find("oops", 1, true), caret:find("^", 1, true), text)
  end

  it("is shown with the step file's own line and a caret: alone, in a walk and in an explanation", function()
    local _, err = support.ended(1, support.run {file, "--size", "16"})
    assert_shown(err)
    for _, words in ipairs {{"--steps", "4"}, {"--explain", "4"}} do
      local failed, out = walk(folder, "--size", "16", unpack(words))
      assert.equal(1, failed)
      assert_shown(out)
    end
  end)

  it("is the answer to --source and --diff, which print no source then", function()
    for _, question in ipairs {"--source", "--diff"} do
      local err = support.refused(1, walk(folder, "--size", "16", question, "4"))
      assert.matches(("clue walk: %s: step 4, sum_local, failed with exit status 1\n"):format(question), err, 1, true)
      assert_shown(err)
    end
  end)

  it("is shown with its caret, however long its source line is", function()
    local own = walk_support.copied("mql5", "4")
    walk_support.change(own .. "/04_sum_local.lua", "sum += a[", "sum += " .. ("0 * 1234567 + "):rep(20) .. "oops + a[")
    for _, words in ipairs {{"walk", own, "--size", "16"}, {"walk", own, "--size", "16", "--explain", "4"},
                            {"walk", own, "--size", "16,32"}, {"count", own}} do
      local _, out, err = support.run(words)
      local before, caret = (out .. err):match "\n([ |]*…[^\n]-)oops [^\n]*\n([^\n]*)%^"
      assert.truthy(before, out .. err)
      assert.equal(#before:gsub("…", "."), #caret, out .. err)
    end
  end)

  it("is the first of those that are shown if there are many", function()
    local many = {}
    for i = 1, 12 do many[i] = ("    sum += n%d;\n"):format(i) end
    walk_support.change(file, "    c[row", table.concat(many) .. "    c[row")
    local out = support.ended(1, walk(folder, "--size", "16", "--steps", "4"))
    assert_shown(out)
    assert.matches("\n     | %(%d+ more lines%)\n", out)
  end)
end)

it("a step that cannot run says so instead of showing its source", function()
  local status, out, err = walk("amd", "--source", "29", "--size", "extensions=64")
  if status == 0 then return pending "this device can be divided by its caches" end
  assert.same({1, ""}, {status, out})
  assert.matches("--source: step 29, fission_by_cache, was skipped: ", err, 1, true)
end)

describe("a step of one's own", function()
  -- A step in Lua alone, whose head says so much of its operations.
  local function notes_of(type)
    local script = support.write(([[
      local walk = require "clue.walk"
      local run = {flops = 1e6, repeats = 2, execute = function() for _ = 1, 1e5 do end end, read = function() end}
      local row = {number = 1, name = "mine", change = "a loop", type = %s}
      row.check = walk.verify(run, {{name = "nothing", prepare = function() end, check = function() return true end}})
      row.times = walk.run(run)
      walk.report(row)
    ]]):format(type), support.temporary ".lua")
    return (support.flat(support.ended(0, support.run {script})))
  end

  it("says that it has no place on the roofline if it does not tell the type of its operations", function()
    assert.matches('1: row.type does not say what its operations are of ("float", "double", "int"): no share of the '
      .. "device's peak, and no place on the roofline", notes_of "nil", 1, true)
    assert.not_matches("row.type", notes_of '"float"', 1, true)
  end)
end)

describe("the text of --source", function()
  -- What `clue build` says of it.
  local function build(text, ...)
    local path = support.write(text, support.temporary ".cl")
    local status, out, err = support.run {"build", path, ...}
    os.remove(path)
    assert.equal(0, status, out .. err)
    return out
  end

  local function source(name, step, ...)
    return (support.ended(0, walk(name, "--source", step, "--repeat", "1", ...)))
  end

  it("is a file that clue build and clue asm take as it is", function()
    build(source("mql5", "4", "--size", "16"))
    local text = source("amd", "12", "--size", "vectors=1003")
    assert.matches("^#define WIDTH 4\n", text)
    local path = support.write(text, support.temporary ".cl")
    local status, out, err = support.run {"asm", path}
    os.remove(path)
    assert.equal(0, status, err)
    assert.matches("copy", out, 1, true)
  end)

  it("has the macros of each of several programs, of which -D CLUE_PROGRAM chooses one", function()
    local text = source("hello", "4t", "--size", "64")
    assert.equal(1, select(2, text:gsub("void outer_sum", "")), text)
    assert.matches("32x1x1", build(text), 1, true)
    assert.matches("64x1x1", build(text, "-D", "CLUE_PROGRAM=2"), 1, true)
  end)

  it("keeps options that are no macros in a comment, and each program once", function()
    local one = {source = "kernel void f() {}\n", options = "-DA -D B=2 -cl-mad-enable -D C=(1+2) -w"}
    assert.equal('/* the other build options: --options "-cl-mad-enable -w" */\n#define A 1\n#define B 2\n'
      .. "#define C (1+2)\nkernel void f() {}\n", source_of {programs = {one, one}})
    local quoted = {source = "x", options = '-I "a b" -D N=1'}
    assert.equal("/* the other build options: --options '-I \"a b\" -D N=1' */\nx", source_of {programs = {quoted}})
  end)

  it("has several different programs one after the other, each by itself", function()
    local text = source_of {programs = {{source = "kernel void f() {}"}, {source = "kernel void g() {}"}}}
    for number, name in ipairs {"f", "g"} do
      local path = support.write(text, support.temporary ".cl")
      local _, out = support.run {"build", path, "-D", "CLUE_PROGRAM=" .. number, "--json"}
      os.remove(path)
      local kernels = json.decode(out).devices[1].kernels
      assert.same({1, name}, {#kernels, kernels[1].name})
    end
  end)
end)

describe("an interrupted walk", function()
  -- The measurement of the device's limits: it tells that it runs, and never ends by itself.
  local measuring, endless = support.temporary(), nil

  setup(function()
    endless = support.write(([[
      package.preload["clue.peak.measure_in_child"] = function()
        return {run = function()
          io.open(%q, "w"):close()
          while true do end
        end}
      end]]):format(measuring))
  end)

  -- Runs it until the limits are being measured, then presses Ctrl-C.
  local function interrupted(...)
    os.remove(measuring)
    local status, out, err = support.execute({"sh", "-c", [[
      measuring=$1
      shift
      env --default-signal=INT "$0" walk hello --steps 1 --size 64 "$@" &
      until [ -e "$measuring" ]; do sleep 0.1; done
      kill -INT $!
      wait $!]], support.clue, measuring, ...}, {LUA_INIT = "@" .. endless})
    assert.matches("1 of%s+1%s+step verified", out)
    return status, err
  end

  it("writes its report without the device's limits if they were being measured, and says how to go on", function()
    local report, kept = support.temporary ".html", support.temporary ".json"
    local status, err = interrupted("--report", report, "--json", kept)
    assert.equal(130, status, err)
    assert.matches("<!DOCTYPE html>", support.read(report))
    assert.matches(("clue walk: interrupted! The steps that ended are in %s and in %s; the same command with --resume "
      .. "continues\n"):format(kept, report), err, 1, true)
    os.remove(report)
    status, err = interrupted("--report", report)
    assert.equal(130, status, err)
    assert.matches("<!DOCTYPE html>", support.read(report))
    assert.matches(("in %s; with --json FILE as well, --resume can continue a run\n"):format(report), err, 1, true)
  end)
end)

-- A walkthrough from nothing: a description with no more than a title, and a step, some of whose lines are replaced.
local function own_walkthrough(line, by)
  local folder = support.folder()
  support.write('return {title = "Mine"}', folder .. "/walkthrough.lua")
  support.write((([[
local cl = require "clue"
local walk = require "clue.walk"
function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local ones = context:program("kernel void ones(global float *x) { x[get_global_id(0)] = 1; }"):kernel "ones"
  local x = context:buffer(4096)
  local times = walk.run {execute = function() return ones(queue, 1024, nil, x) end, flops = 1024}
  local row = {number = 1, name = "ones", context = context, times = times, check = {verified = true, text = "ok"}}
  -- a change
  walk.report(row)
end
]]):gsub(line or "%-%- a change", by or "")), folder .. "/01_ones.lua")
  return folder
end

describe("a walkthrough of one's own, from nothing", function()
  it("needs a title and a step; its results are shown again", function()
    local folder = own_walkthrough()
    local out = support.ended(0, walk(folder, "--repeat", "1", "--notes", "--json", folder .. "/a.json", "--report",
      folder .. "/a.html"))
    assert.matches("Mine (unknown)", out, 1, true)
    assert.matches("1 of 1 step verified", out, 1, true)
    assert.matches("1 of 1 step verified", support.ended(0, support.run {"show", folder .. "/a.json"}), 1, true)
  end)

  it("has rows that clue can show: another one is refused by its field", function()
    for says, change in pairs {
      ["row.name is missing"] = {name = 1}, ["row.change is not a string"] = {change = 4},
      ["row.check.text is missing"] = {check = {verified = false}}, ["row.notes is not a list"] = {notes = "a note"},
      ["row.published[0] is not an object"] = {published = {1}}, ["row.decides is not a list"] = {decides = "x"},
      ["row.times.flops is not a number"] = {times = {flops = "x"}}, ["row.host is not a table"] = {host = 3},
      ["row.study is not a string"] = {study = 1}, ["row.expect is not a table"] = {expect = "faster"},
    } do
      local row = {number = 1, name = "ones", check = {verified = true, text = "ok"}}
      assert.is_nil(shape.reported(row, "row"))
      for name, value in pairs(change) do row[name] = value end
      assert.equal(says, shape.reported(row, "row"))
    end
    assert.equal("row is not a table", shape.reported(5, "row"))
  end)

  it("is told of the first by its name of several wrong fields", function()
    local texts = {"about", "author", "figures", "from", "hardware", "headline", "language", "size", "title"}
    for first = 1, #texts do
      local wrong = {}
      for i = first, #texts do wrong[texts[i]] = i end
      assert.equal(("it.%s is not a string"):format(texts[first]), shape.walkthrough(wrong, "it"))
      assert.equal("it.forms." .. texts[first] .. " is not a list", shape.walkthrough({forms = wrong}, "it"))
      for name in pairs(wrong) do wrong[name] = "many" end
      assert.equal(("row.counts.sums.%s is not a number"):format(texts[first]),
        shape.reported({number = 1, name = "ones", counts = {sums = wrong}}, "row"))
    end
  end)

  it("may have a year in words, and a right result of which it says nothing", function()
    local folder = own_walkthrough("check = %b{}", "check = {verified = true}")
    support.write('return {title = "Mine", year = "about 2012"}', folder .. "/walkthrough.lua")
    local out = support.ended(0, walk(folder, "--repeat", "1", "--notes", "--json", folder .. "/a.json", "--report",
      folder .. "/a.html"))
    assert.matches("Mine (unknown, about 2012)", out, 1, true)
    assert.matches("About 2012.", support.read(folder .. "/a.html"), 1, true)
    assert.matches("1 of 1 step verified", support.ended(0, support.run {"show", folder .. "/a.json"}), 1, true)
    assert.matches("verified", support.ended(0, walk(folder, "--verify")), 1, true)
    assert.equal("it.year is not a number or a text", shape.walkthrough({year = {}}, "it"))
    local _, why = support.ended(2, support.run {"walk", folder, "--size", "5"})
    assert.matches('if they have, `size = "count"` in walkthrough.lua says that it is a whole number', why, 1, true)
  end)

  it("is told of a wrong row, and of a wrong part of a run, at the step's line", function()
    for _, of in ipairs {{nil, "row.check = true", ":11: walk.report: row.check is not a table\n"},
                         {"flops = 1024", "read = 5", ":8: walk.run: read must be a function, got 5\n"},
                         {"walk.run %b{}", "walk.verify({execute = 5}, {})",
                          ":8: walk.verify: execute must be a function, got 5\n"},
                         {"walk.run %b{}", "walk.sweep {{label = 'x'}}",
                          ":8: walk.sweep: execute must be a function, got nil\n"}} do
      local _, err = support.ended(1, support.run {own_walkthrough(of[1], of[2]) .. "/01_ones.lua", "--repeat", "1"})
      assert.matches("01_ones.lua" .. of[3], err, 1, true)
    end
  end)
end)
