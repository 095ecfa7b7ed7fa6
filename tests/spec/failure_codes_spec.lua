-- Every OpenCL call fails with every code that it may return (tests/layer/codes.def), in processes forked at each call
-- (failing.lua): each run ends with one error that names call and code, or with the right result where clue goes on by
-- design. On drivers whose results count, a call fails where a script makes it first; on the driver that does nothing,
-- wherever it is made. PoCL's usual device cannot be forked, but there commands are still on their way when a call
-- fails: each fails once by a lack of memory and once by a refusal.
-- suite: whole
-- cost: 15

local failing = require "failing"
local support = require "support"

local cases = {
  {name = "mql5", driver = "oclgrind", places = 1},
  {name = "images", driver = "oclgrind", places = 1},
  {name = "linked", driver = "oclgrind", places = 1},
  {name = "shared", driver = "pocl", env = {POCL_DEVICES = "basic"}, places = 1},
  {name = "mql5", driver = "null"},
  {name = "objects", driver = "null"},
  {name = "graphs", driver = "null"},
  {name = "linked", driver = "null"},
}

local function fail_all(class, check)
  local total = 0
  for _, case in ipairs(cases) do
    total = total + failing.each({words = {failing.script(case.name)}, class = class, driver = case.driver,
      env = case.env, codes = 99, places = class == "ask" and 1 or case.places}, check)
  end
  return total
end

describe("an OpenCL call that fails with each of its codes", function()
  it("is named", function()
    local total = fail_all("act", failing.check)
    print(total .. " failures of calls")
    assert.is_true(total > 1000, total .. " failures")
  end)

  it("gives the right result or an error as a query", function()
    local total = fail_all("ask", failing.check_query)
    print(total .. " failures of queries")
    assert.is_true(total > 250, total .. " failures")
  end)

  it("is named while PoCL's threads work", function()
    local seen, total = {}, 0
    for _, name in ipairs {"mql5", "objects", "images", "shared", "graphs", "divided"} do
      local case = {words = {failing.script(name)}, driver = "pocl", list = support.temporary()}
      local sound, n = failing.run(case, 0), 0
      assert.equal(0, sound.status, sound.title)
      for call in support.read(case.list):gmatch "[^\n]+" do
        n = n + 1
        for code = 0, seen[call] and -1 or 1 do
          failing.check(failing.run(case, n, code), sound)
          total = total + 1
        end
        seen[call] = true
      end
    end
    print(total .. " failures while PoCL's threads work")
    assert.is_true(total >= 80, total .. " failures")
  end)
end)
