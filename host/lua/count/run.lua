--- Runs a script on the simulator, and counts what its launches did.
-- @module clue.count.run
local kernels = require "clue.count.kernels"
local process = require "clue.simulator.process"

local run = {}

local prepare = "require('clue.simulator.inside').start {step = %s}"

-- ---- what arrives ----

local Run = {}
Run.__index = Run

-- launch: of the plugin; variant: of clue.simulator.inside
local function take(self, value)
  if value.launch then
    value.launch.variant = self.variants[1] and #self.variants or nil
    self.launches[#self.launches + 1] = value.launch
    self.process:tell(("%d launches, the last of kernel '%s'"):format(#self.launches, value.launch.kernel))
  elseif value.variant then
    self.variants[#self.variants + 1] = value.variant
  end
end

--- Starts a script.
-- @tparam table what path; words: the script's; step: true for a walkthrough's step; seconds: the limit; folder: for
--   temporary files; show: whether the script's own output is shown; progress(text)
-- @treturn[1] Run
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted
function run.start(what)
  local self = setmetatable({launches = {}, variants = {}}, Run)
  local started, why = process.start {
    prepare = prepare:format(tostring(what.step or false)), path = what.path, words = what.words,
    environment = {"CLUE_COUNT_FD=3"}, take = function(value) take(self, value) end, seconds = what.seconds,
    folder = what.folder, show = what.show, progress = what.progress,
  }
  if not started then return nil, why end
  self.process = started
  return self
end

--- Waits a little.
-- @tparam[opt] number seconds the most
-- @treturn boolean whether it still runs
function Run:wait(seconds)
  return self.process:wait(seconds)
end

--- What came of it, once it has ended.
-- @treturn table kernels (see @{clue.count.kernels}); skipped: why a step did not run; variants: of a step, flops,
--   bytes and label as it declares them; failed: how the script failed; lines: its last errors then
function Run:result()
  for _, launch in ipairs(self.launches) do
    self.process:locate(launch.program, launch.sites)
    self.process:locate(launch.program, launch.lines)
  end
  local result = {kernels = kernels.of(self.launches), variants = self.variants, skipped = self.process:skipped()}
  result.failed, result.lines = self.process:failure()
  return result
end

--- Runs scripts, several at a time.
-- @tparam {table,...} list each as for @{start}
-- @tparam int most how many at a time
-- @tparam function done done(index, result), as each ends
-- @treturn ?string why nothing can be counted
function run.all(list, most, done)
  return process.all(list, most, run.start, done)
end

return run
