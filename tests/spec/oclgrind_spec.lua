-- --device oclgrind: Oclgrind's driver, which Debian does not register, is there if it is named.
-- suite: quick
local support = require "support"

local list = 'for _, each in ipairs(require("clue.device").machine().devices) do print(each:describe()) end'
local pick = 'local cl = require "clue" print(cl.context().device:describe())'

-- Runs a script in an environment with PoCL only, and returns its output and what it says.
local function run(words, env, drivers)
  return support.ended(0, support.run(words, support.drivers(drivers or "pocl", env)))
end

for _, binding in ipairs {"ffi", "capi"} do
  describe("a choice that names Oclgrind, over " .. binding, function()
    local function env(more)
      more = more or {}
      more.CLUE_BINDING = binding
      return more
    end
    if binding == "ffi" and not rawget(_G, "jit") then return end

    it("adds its driver after those that are registered, which keep their numbers", function()
      local before = run({"-e", list}, env())
      assert.equal(before .. "1 (oclgrind:0) Oclgrind Simulator [CPU and GPU, Oclgrind]\n",
        run({"--device", "oclgrind", "-e", list}, env()))
    end)

    it("takes it, and says how to take it again, which works", function()
      local words = {"--device", "oclgrind", "-e", pick}
      local out, err = run(words, env())
      assert.matches("Oclgrind Simulator", out)
      assert.matches("; %-%-device oclgrind:0 picks it again\n", err)
      words[2] = "oclgrind:0"
      assert.equal(out, (run(words, env())))
      assert.equal(out, (run({"-e", pick}, env {CLUE_DEVICE = "Oclgrind"})))
    end)
  end)
end

describe("Oclgrind", function()
  it("is not there if no choice names it", function()
    assert.equal(1, select(2, run({"-e", list}):gsub("\n", "")))
  end)

  it("is there once if it is registered", function()
    for _, drivers in ipairs {"oclgrind", "both"} do
      assert.equal((run({"-e", list}, nil, drivers)), (run({"--device", "oclgrind", "-e", list}, nil, drivers)))
    end
  end)

  it("is added to one driver that a variable names as a library", function()
    local out = run({"--device", "oclgrind", "-e", list}, {OCL_ICD_VENDORS = "libpocl.so.2"})
    assert.equal(2, select(2, out:gsub("\n", "")))
  end)

  it("is there for a script's own --device, and for MQL5's names", function()
    local script = support.write [[input.int("_n", 1)
      function OnStart() Print(tostring(require("clue").device.get(CLContextCreate(CL_USE_ANY)))) end]]
    local out = run {script, "--device", "oclgrind"}
    assert.matches("Oclgrind Simulator", out)
  end)

  it("is there for the child processes of a walk, beside another device", function()
    local json = support.temporary ".json"
    run {"walk", "hello", "--device", "oclgrind,0", "--steps", "1", "--size", "16", "--json", json}
    local document = require("dkjson").decode(support.read(json))
    local found = {}
    for i, each in ipairs(document.walkthroughs[1].runs) do
      found[i] = ("%s %s"):format(each.device, tostring(each.rows[1].check.verified))
    end
    assert.same({"oclgrind:0 true", "0:0 true"}, found)
  end)

  it("is shown by clue devices, and by clue doctor", function()
    assert.matches("oclgrind:0  Oclgrind Simulator", (run {"devices", "--device", "oclgrind"}))
    assert.matches("clue takes 1 %(oclgrind:0%) Oclgrind", (run {"doctor", "--device", "oclgrind"}))
  end)

  it("named too late is refused, with what to do", function()
    local _, err = support.ended(1, support.run({"-e", list .. ' require("clue.device").pick "oclgrind"'},
      support.drivers "pocl"))
    assert.matches("name it at the start: clue --device oclgrind SCRIPT, or CLUE_DEVICE=oclgrind", err, 1, true)
  end)

  it("that is not installed names its package", function()
    local status, _, err = support.run({"-e", 'local oclgrind = require "clue.oclgrind" oclgrind.file = "none.so" '
      .. 'require("clue.device").pick "oclgrind"'}, support.drivers "pocl")
    assert.equal(1, status)
    assert.matches("Oclgrind is not installed; on Debian and Ubuntu: apt install oclgrind", err, 1, true)
  end)

  it("leaves no file", function()
    local folder = support.folder()
    run({"--device", "oclgrind", "-e", pick}, {TMPDIR = folder})
    assert.equal("", io.popen("ls " .. folder):read "*a")
  end)
end)
