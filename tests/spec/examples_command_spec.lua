-- `clue examples`: the list, what it says of one, and copies.
-- suite: quick
local lfs = require "lfs"
local support = require "support"

-- The names of the files below scripts/examples.
local function names()
  local list = {}
  for _, prefix in ipairs {"", "mpi/", "mql5/"} do
    local below = "scripts/examples/" .. prefix
    for entry in lfs.dir(below) do
      local name = entry:match "^(.*)%.lua$"
      if name then list[#list + 1] = prefix .. name end
    end
  end
  return list
end

local function run(...)
  return (support.clean(support.run({...}, {COLUMNS = "80"})))
end

local function refused(says, ...)
  local status, out, err = support.run {"examples", ...}
  assert.is_true(status > 0)
  assert.equal("", out)
  assert.matches("clue examples: " .. says, err, 1, true)
end

describe("clue examples", function()
  it("lists every example with a sentence, within the width", function()
    local out = run "examples"
    for _, name in ipairs(names()) do
      assert.matches("\n" .. name:gsub("%p", "%%%0") .. " +%S[^\n]+", "\n" .. out)
    end
    assert.matches("\nhistogram +Counts how often each of 256 values occurs%.\n", out)
    for line in out:match "^(.*)\n\n":gmatch "[^\n]+" do assert.is_true(#line <= 80, line) end
  end)

  it("says of each what it shows and where it is, by a path that runs", function()
    for _, name in ipairs(names()) do
      local out = run("examples", name)
      local path = out:match "\n  clue (%S+)\n"
      assert.equal(name, path:match "examples/(.*)%.lua$")
      assert.is_string(support.read(path))
      assert.equal(support.read(path):match "^%-%- ([^\n]+)\n", out:match "^[^\n]+")
    end
  end)

  it("copies one, which runs", function()
    local folder = support.folder()
    assert.matches(("%s/saxpy.lua: a copy of the example saxpy"):format(folder),
      run("examples", "--copy", "saxpy", folder), 1, true)
    assert.equal(support.read "scripts/examples/saxpy.lua", support.read(folder .. "/saxpy.lua"))
    run("examples", "--copy", "mql5/pi.lua", folder .. "/mine.lua")
    assert.equal(support.read "scripts/examples/mql5/pi.lua", support.read(folder .. "/mine.lua"))
    refused(folder .. "/saxpy.lua exists already", "--copy", "saxpy", folder)
    assert.equal(0, (support.run({folder .. "/saxpy.lua", "--count", "100"})))
  end)

  it("refuses what there is not, and names what was meant", function()
    refused("there is no example 'saxpi': did you mean saxpy? `clue examples` lists all", "saxpi")
    refused("there is no example 'bitonic': did you mean mql5/bitonic?", "bitonic")
    refused("there is no example 'summa': did you mean mpi/summa?", "summa")
    refused("there is no example '../../gemm'; `clue examples` lists all", "../../gemm")
    refused("there is no example 'xyz'; `clue examples` lists all", "--copy", "xyz")
    refused("--copy: which example?", "--copy")
    refused("too many arguments: 'x'", "saxpy", "x")
    refused("cannot write /nowhere/x.lua", "--copy", "saxpy", "/nowhere/x.lua")
  end)
end)
