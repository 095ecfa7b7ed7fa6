-- Every allocation of clue's own C code fails once, and every one from there on (tests/layer/fail_memory.c), and so do
-- many of Lua 5.4's state, in processes forked at each allocation (failing.lua): each run ends with an error that says
-- so, or with the right result. The driver does nothing, and gets all memory it wants.
-- suite: whole
-- builds: luajit lua54

local failing = require "failing"
local support = require "support"

-- Lua's own allocations fail only in Lua 5.4. LuaJIT does not survive a lack of memory, in plain luajit either: not in
-- compiled code (its issues 52 and 1247), nor while its FFI library is opened (docs/reliability.md). Lua's state
-- allocates tens of thousands of times, some more or fewer in each process; a prime step meets all kinds of places.
local kinds = jit and {{"core", "ffi"}, {"core", "capi"}}
  or {{"core", "capi"}, {"lua", "capi", step = tonumber(os.getenv "CLUE_TEST_LUA_STEP") or 397}}

local function check(run, sound)
  if run.status == 0 then return assert.equal(sound.out, run.out, run.title) end
  -- 2: there was no memory for the command line, before anything ran.
  assert.is_true(run.status == 1 or run.status == 2, run.title)
  assert.is_true(run.out == "" or run.out == sound.out, run.title) -- it may fail after the script's last line
  assert.matches("[Mm][Ee][Mm][Oo][Rr][Yy]", run.err, run.title)
end

describe("an allocation that fails", function()
  for _, kind in ipairs(kinds) do
    it(("is told, or does not matter: %s, over %s"):format(kind[1], kind[2]), function()
      if support.sanitized then pending "the sanitizers' own library must be preloaded first" end
      local total = 0
      for _, name in ipairs {"mql5", "graphs", "linked"} do
        local failures = failing.each({words = {failing.script(name)}, library = "fail_memory", driver = "null",
          class = kind[1], step = kind.step, varies = kind.step ~= nil, env = {CLUE_BINDING = kind[2]}}, check)
        assert.is_true(failures >= 40, "only " .. failures .. " failures")
        total = total + failures
      end
      print(("%d failures of %s over %s"):format(total, kind[1], kind[2]))
    end)
  end
end)
