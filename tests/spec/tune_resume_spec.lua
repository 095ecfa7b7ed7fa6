-- `clue tune --resume`: what a run makes of the results of the runs before.
-- suite: whole
local json = require "dkjson"
local support = require "support"

-- Twelve configurations of a kernel that doubles 64 numbers.
local space = [[
  local cl = require "clue"
  local x, expected = cl.array.float(64), cl.array.float(64)
  for i = 0, 63 do x[i], expected[i] = i, 2 * i end
  return {
    kernel_name = "twice", source = [=[
      kernel void twice(global float *x)
      {
          for (int k = 0; k < WORK; k++) x[get_global_id(0)] = x[get_global_id(0)] + 0;
          x[get_global_id(0)] *= 2;
      }]=],
    tune_params = {WORK = {0, 1, 2, 3, 4, 5}, block_size_x = {4, 8}},
    problem_size = 64, arguments = {x}, answer = {expected},
  }]]

-- Runs by turns in one folder.
local function tuner(text)
  local self = {folder = support.folder()}
  self.space, self.out = self.folder .. "/space.lua", self.folder .. "/out.json"
  support.write(text or space, self.space)
  function self.run(...)
    local status, out, err = support.run({"--quiet", "tune", self.space, "--results", self.out, ...},
      support.drivers("oclgrind", {CLUE_CACHE_DIR = self.folder}))
    return {status = status, out = out, err = err, document = json.decode(support.read(self.out))}
  end
  return self
end

local function configurations(run)
  local list = {}
  for i, result in ipairs(run.document.results) do
    list[i] = ("%d/%d"):format(result.configuration.WORK, result.configuration.block_size_x)
  end
  return list
end

local function times(run)
  local list = {}
  for i, result in ipairs(run.document.results) do list[i] = result.clue.seconds_into_run end
  return list
end

describe("clue tune --resume", function()
  it("keeps all results if there are more than --evaluations asks for, and says so", function()
    -- By this metric all are equal, so that none is stopped early, however busy the machine.
    local tuning = tuner((space:gsub("}$", "metrics = {equal = function() return 1 end}, objective = 'equal'}")))
    local first = tuning.run("--evaluations", "5")
    local second = tuning.run("--resume", "--evaluations", "3", "--finalists", "2")
    assert.equal(0, second.status, second.err)
    assert.same(configurations(first), configurations(second))
    assert.equal(2, #second.document.clue.best)
    assert.matches("5 of 12 configurations", second.out, 1, true)
    assert.equal("clue: --resume: --evaluations 3 counts the 5 results there, so nothing new is measured; give more\n",
      second.err)
  end)

  it("keeps all results if the runs before took longer than --seconds, and says so", function()
    local tuning = tuner()
    local first = tuning.run("--evaluations", "3", "--finalists", "0")
    local journal = support.read(tuning.out .. ".journal")
    support.write(journal:gsub('("at":)[%d.e-]+', "%1100"), tuning.out .. ".journal")
    local second = tuning.run("--resume", "--seconds", "50")
    assert.equal(0, second.status, second.err)
    assert.same(configurations(first), configurations(second))
    assert.matches("--seconds 50 counts the 100.0 s of the runs before, so nothing new is measured; give more\n",
      second.err, 1, true)
    assert.equal(12, #tuning.run("--resume", "--seconds", "500", "--finalists", "0").document.results)
  end)

  it("adds to the results, later and at later times, whatever the search", function()
    local tuning = tuner()
    local first = tuning.run("--evaluations", "4", "--finalists", "0")
    local second = tuning.run("--resume", "--evaluations", "7", "--finalists", "0", "--strategy", "random", "--seed",
      "9")
    assert.equal("", second.err)
    local old, all, at = configurations(first), configurations(second), times(second)
    assert.equal(7, #all)
    assert.same(old, {unpack(all, 1, 4)})
    for i = 2, #at do assert.is_true(at[i] > at[i - 1], table.concat(at, " ")) end
  end)

  it("goes the way that one run would have gone", function()
    local tuning, at_once = tuner(), tuner()
    local how = {"--finalists", "0", "--strategy", "random", "--seed", "3"}
    tuning.run("--evaluations", "4", unpack(how))
    local resumed = tuning.run("--resume", "--evaluations", "9", unpack(how))
    assert.same(configurations(at_once.run("--evaluations", "9", unpack(how))), configurations(resumed))
  end)

  it("measures all candidates that have no result, and keeps the others", function()
    local tuning, file = tuner(), support.temporary ".json"
    tuning.run("--evaluations", "12", "--finalists", "0")
    local journal, kept = support.read(tuning.out .. ".journal"), {}
    for line in journal:gmatch "[^\n]+" do -- of the results, those without work
      local p = json.decode(line).p
      if not p or p.WORK == 0 then kept[#kept + 1] = line .. "\n" end
    end
    support.write(table.concat(kept), tuning.out .. ".journal")
    support.write('[{"WORK": 0, "block_size_x": 4}, {"WORK": 5, "block_size_x": 8}, {"WORK": 3, "block_size_x": 4}]',
      file)
    local list = configurations(tuning.run("--resume", "--candidates", file, "--finalists", "0"))
    assert.same({"5/8", "3/4"}, {list[3], list[4]})
    assert.equal(4, #list)
  end)

  it("says which results the space has no place for any more", function()
    local tuning = tuner()
    tuning.run("--finalists", "0")
    support.write(space:gsub("4, 5}", "4}"), tuning.space)
    local second = tuning.run("--resume", "--finalists", "0")
    assert.equal(10, #second.document.results)
    assert.equal(("clue: --resume: 2 results in %s.journal are not in the space any more; only the journal keeps "
      .. "them\n"):format(tuning.out), second.err)
  end)
end)
