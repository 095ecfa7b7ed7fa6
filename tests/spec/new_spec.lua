-- `clue new walkthrough`: the copies that it makes, and what it refuses.
-- suite: quick
local catalogue = require "clue.run.catalogue"
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"
local walk_support = require "walk_support"

local function walk(...)
  return support.run {"walk", ...}
end

describe("clue new script", function()
  it("makes a script that runs as it is, and checks what its kernel computes", function()
    local path = support.temporary()
    local out = support.ended(0, support.run {"new", "script", path})
    assert.matches(("%s.lua: a script that works as it is. Next:\n  clue %s.lua\n"):format(path, path), out, 1, true)
    out = support.ended(0, support.run {path .. ".lua", "--count", "1000"})
    assert.matches("^1000 numbers right; the kernel took [%d.]+ ms\n$", out)
    walk_support.change(path .. ".lua", "x[i] *= factor", "x[i] += factor")
    local said, why = support.ended(1, support.run {path .. ".lua", "--count", "1000"})
    assert.matches("number 0 is 3, should be 0", said .. why)
  end)

  it("names the new file in its comments, and replaces no file", function()
    local path = support.temporary ".lua"
    assert.equal(0, (support.run {"new", "script", path}))
    local text = support.read(path)
    assert.matches("clue watch " .. path, text, 1, true)
    assert.not_matches("NAME", text)
    local _, err = support.ended(1, support.run {"new", "script", path})
    assert.equal(("clue new: %s exists already: choose another name\n"):format(path), err)
    assert.equal(text, support.read(path))
  end)
end)

describe("a command that is proposed", function()
  it("is one that a shell reads as it is meant, whatever the name of the file or the folder", function()
    local folder = support.folder() .. "/my files"
    assert(lfs.mkdir(folder))
    local out = support.ended(0, support.run {"new", "script", folder .. "/a b"})
    assert.matches(("\n  clue '%s/a b.lua'\n  clue '%s/a b.lua' --help\n"):format(folder, folder), out, 1, true)
    out = support.ended(0, support.run {"new", "walkthrough", folder .. "/w", "--from", "hello", "--steps", "1"})
    assert.matches(("\n  clue watch '%s/w/01_global.lua' "):format(folder), out, 1, true)
    assert.matches(("\n  clue walk '%s/w' --diff 1 "):format(folder), out, 1, true)
    out = support.ended(0, support.run {"examples", "--copy", "saxpy", folder})
    assert.matches(("\n  clue watch '%s/saxpy.lua' "):format(folder), out, 1, true)
    local _, err = support.ended(1, support.run {folder .. "/w"})
    assert.matches(("`clue walk '%s/w'`"):format(folder), err, 1, true)
  end)
end)

it("clue new space makes a space that clue tune takes #later", function()
  local folder = support.folder()
  support.ended(0, support.run {"new", "space", folder .. "/scale"})
  local out = support.ended(0, support.run({"tune", folder .. "/scale.lua", "--evaluations", "2", "--results",
    folder .. "/x.json"}, {CLUE_CACHE_DIR = folder .. "/cache"}))
  assert.matches("2 of 15 configurations", out, 1, true)
  assert.matches("; 0 failed", out, 1, true)
end)

describe("clue new walkthrough", function()
  it("makes a copy that runs, says what it is a copy of, and what to do with it", function()
    local folder, said = walk_support.copied("mql5", "2-4,8")
    local name = folder:match "[^/]*$"
    assert.matches(folder .. ": a copy of mql5, 4 steps", said, 1, true)
    assert.matches(("\n  clue watch %s/08_vectors.lua "):format(folder), said, 1, true)
    assert.matches(("\n  clue walk %s --steps 8 --json after.json\n"):format(folder), said, 1, true)
    local kept = support.temporary ".json"
    local out = support.ended(0, walk(folder, "--size", "16", "--repeat", "1", "--json", kept))
    assert.matches(("^%s, a copy of mql5: step %%d, "):format(name:gsub("%p", "%%%0")), out)
    assert.matches("4%s+of%s+4%s+steps%s+verified", out)
    local entry = json.decode(support.read(kept)).walkthroughs[1]
    assert.same({name, "mql5"}, {entry.name, entry.from})
    assert.equal("mql5", catalogue.get(folder).from)
  end)

  it("copies the kernels that steps read from files, so that they can be changed", function()
    local folder = walk_support.copied("amd", "11,12")
    walk_support.change(folder .. "/copy_vectors.cl", "{\n", "{\n    oops();\n")
    local out = support.ended(1, walk(folder .. "/", "--steps", "12", "--size", "vectors=1003"))
    assert.matches(folder .. "/copy_vectors.cl:", out, 1, true)
  end)

  it("copies a copy, which is one of the first original", function()
    local first = walk_support.copied("amd", "11")
    local second = walk_support.copied(first, "11")
    assert.equal("amd", catalogue.get(second).from)
    local out = support.ended(0, walk(second, "--size", "vectors=1003", "--verify"))
    assert.matches("1 of 1 step verified", support.flat(out), 1, true)
  end)

  it("gives a copy no lessons of steps that it lacks, and proposes what goes with a copy", function()
    local part, all = walk_support.copied("mql5", "3,4"), walk_support.copied("mql5")
    assert.is_nil(catalogue.get(part).lessons)
    assert.same(catalogue.get("mql5").lessons, catalogue.get(all).lessons)
    for _, folder in ipairs {part, all} do
      local commands = support.fields(catalogue.get(folder).try, 1)
      assert.equal(3, #commands)
      assert.not_matches("clue new", table.concat(commands, "\n"))
      assert.matches(("^clue watch %s/"):format(folder:gsub("%p", "%%%0")), commands[1])
      assert.equal(("clue walk %s --diff %s"):format(folder, folder == part and 4 or commands[2]:match "%w+$"),
        commands[2])
    end
  end)

  it("copies every walkthrough", function()
    for _, name in ipairs(catalogue.names()) do
      local folder = support.temporary()
      support.ended(0, support.run {"new", "walkthrough", folder, "--from", name})
      local original, copy = catalogue.get(name), assert(catalogue.get(folder))
      assert.equal(#original.steps, #copy.steps)
      for i, step in ipairs(copy.steps) do assert.same(original.steps[i].over, step.over) end
    end
  end)

  it("makes no folder if a kernel that a step reads is not there", function()
    local from, folder = support.folder(), support.temporary()
    support.write("return {\n  title = 'Mine', size = 'count',\n}\n", from .. "/walkthrough.lua")
    support.write('local paths = {kernels = "."}\nprint(paths.kernels .. "/none.cl")\n', from .. "/01_only.lua")
    local err = support.refused(1, support.run {"new", "walkthrough", folder, "--from", from})
    assert.equal(("clue new: %s/none.cl: No such file or directory\n"):format(from), err)
    support.write("", from .. "/none.cl")
    support.ended(0, support.run {"new", "walkthrough", folder, "--from", from})
  end)

  it("says what is wrong, and what to do", function()
    local folder = support.folder()
    for wrong, says in pairs {
      [""] = "what should it make? clue new script NAME, space NAME, or walkthrough NAME --from mql5; ",
      ["scirpt x"] = "'scirpt': it makes a script, a space or a walkthrough: clue new script NAME",
      ["walkthrough"] = "it needs the name of what to make: clue new walkthrough NAME --from mql5",
      ["space"] = "it needs the name of what to make: clue new space NAME",
      ["script mine --from mql5"] = "--from and --steps are for walkthroughs",
      ["script no/where"] = "cannot write no/where.lua: No such file or directory",
      ["walkthrough mine"] = "--from: which one should it copy? There are: amd, dcltk, ",
      ["walkthrough mine --from nothing"] = "there is no walkthrough 'nothing'; there are: amd, dcltk, ",
      ["walkthrough mine --from ./nowhere"] = "there is no walkthrough './nowhere': there is no such folder",
      ["walkthrough mine --from mql5 --steps 99"] = "--steps: steps '99': give numbers from 1 to",
      ["walkthrough mql5 --from mql5"] = "mql5 is the name of a walkthrough of clue's: choose another one",
      ["walkthrough no/where --from mql5"] = "no/where: there is no folder no: make it first",
      ["walkthrough /proc/mine --from mql5"] = "cannot make the folder /proc/mine: No such file or directory",
      ["walkthrough " .. folder .. " --from mql5"] = folder .. " exists already: choose another name, or remove it",
    } do
      local status, out, err = support.run(support.words({"new"}, wrong))
      assert.is_true(status == 1 or status == 2, wrong)
      assert.matches("clue new: " .. says, err, 1, true)
      assert.equal("", out)
      assert.equal(1, select(2, err:gsub("\n", "")), err)
    end
  end)
end)
