-- Every allocation of clue's own C code fails once, and every one from there on (tests/layer/fail_memory.c): each run
-- ends with an error that says so, or with the right result. The driver does nothing, and gets all memory it wants.

local failing = require "failing"
local support = require "support"

local function run(n, stays, script, binding)
  local report = support.temporary()
  local status, out, err = support.run_script(script, nil, support.drivers("null", {
    LD_PRELOAD = support.built "layer/fail_memory.so",
    CLUE_BINDING = binding,
    CLUE_FAIL_NTH = n,
    CLUE_FAIL_STAY = stays and 1 or 0,
    CLUE_FAIL_REPORT = report,
  }))
  local told = support.read(report) or ""
  return {status = status, out = out, err = err, calls = tonumber(told:match "calls (%d+)"),
          title = ("allocation %d, %s\n%s"):format(n, told:match "failed (%S+)" or "no report", err)}
end

local function check(each, sound)
  if each.status == 0 then return assert.equal(sound.out, each.out, each.title) end
  -- 2: there was no memory for the command line, before anything ran.
  assert.is_true(each.status == 1 or each.status == 2, each.title)
  assert.equal("", each.out, each.title)
  assert.matches("[Mm][Ee][Mm][Oo][Rr][Yy]", each.err, each.title)
end

local function fail_all(name, stays, binding)
  local script = failing.script(name)
  local sound = run(0, stays, script, binding)
  assert.equal(0, sound.status, sound.title)
  assert.is_true(sound.calls >= 20, "only " .. sound.calls .. " allocations")
  for n = 1, sound.calls do check(run(n, stays, script, binding), sound) end
  return sound.calls
end

describe("an allocation that fails", function()
  for _, binding in ipairs {"ffi", "capi"} do
    it("is told, or does not matter, over " .. binding, function()
      if support.sanitized then pending "the sanitizers' own library must be preloaded first" end
      local total = 0
      for _, name in ipairs {"mql5", "graphs", "linked"} do
        total = total + fail_all(name, false, binding) + fail_all(name, true, binding)
      end
      print(("%d failures over %s"):format(total, binding))
    end)
  end
end)
