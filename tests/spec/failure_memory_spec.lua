-- Every allocation of clue's own C code fails once, and every one from there on (tests/layer/fail_memory.c), and so do
-- many of Lua 5.4's state: each run ends with an error that says so, or with the right result. The driver does nothing,
-- and gets all memory it wants.
-- suite: whole
-- builds: luajit lua54

local failing = require "failing"
local support = require "support"

local bindings = jit and {"ffi", "capi"} or {"capi"}

-- Lua's own allocations fail only in Lua 5.4. LuaJIT does not survive a lack of memory, in plain luajit either: not in
-- compiled code (its issues 52 and 1247), nor while its FFI library is opened (docs/reliability.md).
local classes = jit and {"core"} or {"core", "lua"}

-- class: "core" or "lua", see fail_memory.c
local function run(n, stays, script, binding, class)
  local report = support.temporary()
  local status, out, err = support.run_script(script, nil, support.drivers("null", {
    LD_PRELOAD = support.built "layer/fail_memory.so",
    CLUE_BINDING = binding,
    CLUE_FAIL_CLASS = class,
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
  assert.is_true(each.out == "" or each.out == sound.out, each.title) -- it may fail after the script's last line
  assert.matches("[Mm][Ee][Mm][Oo][Rr][Yy]", each.err, each.title)
end

-- step: 1: each allocation fails; 100: the first, the 101st, and so on. Returns the number of failures.
local function fail_all(name, stays, binding, class, step)
  local script, total = failing.script(name), 0
  local sound = run(0, stays, script, binding, class)
  assert.equal(0, sound.status, sound.title)
  assert.is_true(sound.calls >= 20, "only " .. sound.calls .. " allocations")
  for n = 1, sound.calls, step do
    check(run(n, stays, script, binding, class), sound)
    total = total + 1
  end
  return total
end

-- Lua's state allocates tens of thousands of times; a prime step meets all kinds of places.
local function step_of(class)
  if class == "core" then return 1 end
  return tonumber(os.getenv "CLUE_TEST_LUA_STEP") or 199
end

describe("an allocation that fails", function()
  for _, class in ipairs(classes) do
    for _, binding in ipairs(bindings) do
      it(("is told, or does not matter: %s, over %s"):format(class, binding), function()
        if support.sanitized then pending "the sanitizers' own library must be preloaded first" end
        local total, step = 0, step_of(class)
        for _, name in ipairs {"mql5", "graphs", "linked"} do
          total = total + fail_all(name, false, binding, class, step) + fail_all(name, true, binding, class, step)
        end
        print(("%d failures of %s over %s"):format(total, class, binding))
      end)
    end
  end
end)
