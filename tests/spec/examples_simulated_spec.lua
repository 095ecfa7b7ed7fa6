-- `clue check` and `clue count` of every example: nothing is wrong, and all is counted. walk_steps does this with the
-- walkthroughs.
-- suite: whole
-- cost: 30
local counted = require "counted_kernel"
local simulated = require "simulated"
local support = require "support"

-- For LUA_INIT: what cl.time measures runs three times, and not eleven times.
local briefly = "@" .. support.write [[
  package.preload["clue.timing"] = function(name)
    local timing = assert(loadfile(package.searchpath(name, package.path)))(name)
    local time = timing.time
    function timing.time(f) return time(f, {rounds = 1, warm_up = 1}) end
    return timing
  end
]]

-- What a command finds in an example.
local function run_of(command, name)
  -- Other orders of the work-items, for kernels with atomic functions, take minutes: check_schedules_spec has them.
  local words = support.words({command}, command == "check" and "--schedules=0",
    {("scripts/examples/%s.lua"):format(name)}, simulated.arguments[name])
  local _, _, document = support.ended(0, support.document(words, {LUA_INIT = briefly}))
  return document.runs[1]
end

for _, name in ipairs(simulated.examples()) do
  it("clue check finds nothing wrong in the example " .. name, function()
    local run = run_of("check", name)
    assert.same({}, run.findings)
    assert.is_true(run.launches > 0)
  end)

  it("clue count counts the example " .. name, function()
    local kernels = run_of("count", name).kernels
    assert.is_true(#kernels > 0)
    for _, kernel in ipairs(kernels) do counted(kernel, name) end
  end)
end
