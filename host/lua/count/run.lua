--- Runs a script on Oclgrind with clue's plugin, and collects what its launches did.
-- @module clue.count.run
local build_log = require "clue.build_log"
local child = require "clue.shared.child"
local kernels = require "clue.count.kernels"
local log_lines = require "clue.shared.log_lines"
local output = require "clue.output"
local plugin = require "clue.count.plugin"

local run = {}

-- Limits as GPUs have them. A kernel that needs more would not run on most.
local LOCAL_MEMORY, GROUP, GLOBAL_MEMORY = 49152, 1024, 2 ^ 30

local prepare = "require('clue.count.inside').start(%s)"

local function environment(driver, path, folder, more)
  local settings = {
    "OCL_ICD_VENDORS=" .. driver, "OCLGRIND_PLUGINS=" .. path, "CLUE_COUNT_FD=3", "CLUE_RESULT_FD=3",
    "CLUE_NO_CACHE=1", "CLUE_CACHE_DIR=" .. folder, "CLUE_DEVICE=0",
    ("OCLGRIND_LOCAL_MEM_SIZE=%d"):format(LOCAL_MEMORY), ("OCLGRIND_MAX_WGSIZE=%d"):format(GROUP),
    ("OCLGRIND_GLOBAL_MEM_SIZE=%d"):format(GLOBAL_MEMORY),
  }
  for _, setting in ipairs(more or {}) do settings[#settings + 1] = setting end
  return settings
end

-- ---- what arrives ----

local Run = {}
Run.__index = Run

--- Takes what the process sends.
-- @tparam table value program (of clue.build.recorder), text and launch (of the plugin), given and matrix (of
--   clue.count.matrices), variant (of clue.count.inside) or row (of a step)
function Run:take(value)
  if value.program and value.program.parts then
    self.programs[value.program.parts[1].source] = value.program
  elseif value.text then
    self.texts[value.text.id] = value.text.source
  elseif value.launch then
    value.launch.variant = self.variants[1] and #self.variants or nil
    self.launches[#self.launches + 1] = value.launch
    self:tell(("%d launches, the last of kernel '%s'"):format(#self.launches, value.launch.kernel))
  elseif value.given then
    self.given[#self.given + 1] = value.given
  elseif value.matrix then
    self.matrices[value.matrix.buffer] = self.matrices[value.matrix.buffer] or value.matrix
  elseif value.variant then
    self.variants[#self.variants + 1] = value.variant
  elseif value.row then
    self.row = value.row
  end
end

--- Tells how far it is.
-- @tparam string text
function Run:tell(text)
  if self.progress then self.progress(text) end
end

--- Gives a launch the places that its script's writer knows.
-- @tparam table launch
function Run:locate(launch)
  local source = self.texts[launch.program] or ""
  local program = self.programs[source]
  local place = program and program.place or {name = "source", first = 1, column = 0}
  place.source, place.headers = source, program and program.parts[1].headers or {}
  local lines = {}
  for line in (source .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  for _, each in ipairs {launch.sites, launch.lines} do
    for _, at in ipairs(each) do
      if at.line > 0 then
        at.text = build_log.is_source(at.file, source) and lines[at.line] or nil
        at.file, at.line, at.column = build_log.user_place(place, at.file, at.line, at.column or 1)
      else
        at.file, at.line = nil, nil -- code that the compiler merged from several lines
      end
    end
  end
end

-- Launches and what scripts report of them arrive in an order of their own, but those of one kernel keep theirs. A
-- launch that nobody reported (a replayed one) has no report of another size.
local function report_of(reports, launch)
  for i, given in ipairs(reports) do
    if given.kernel == launch.kernel and table.concat(given.global, "x") == table.concat(launch.global, "x") then
      return table.remove(reports, i)
    end
  end
end

--- Gives each launch what is known of its arguments: arguments, by name: type, and rows and row_bytes of matrices. An
-- array that is only read after the launch says no less of its buffer than one that was written.
function Run:describe_arguments()
  local reports = {}
  for i, given in ipairs(self.given) do reports[i] = given end
  for _, launch in ipairs(self.launches) do
    local given = report_of(reports, launch)
    launch.arguments = given and {}
    for _, each in ipairs(given and given.arguments or {}) do
      local of = each.rows and each or self.matrices[each.buffer] or {}
      launch.arguments[each.name] = {type = each.type, rows = of.rows, row_bytes = of.row_bytes}
    end
  end
end

--- Starts a script.
-- @tparam table what path; words: the script's; environment: {"NAME=VALUE", ...}; step: true for a walkthrough's step;
--   seconds: the limit; folder: for temporary files; show: whether the script's own output is shown; progress(text)
-- @treturn[1] Run
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted
function run.start(what)
  local driver, path = plugin.find()
  if not driver then return nil, path end
  local self = setmetatable({programs = {}, texts = {}, launches = {}, variants = {}, given = {}, matrices = {},
                             progress = what.progress}, Run)
  self.process = child.start {
    arguments = child.clue({quiet = true}, {"-e", prepare:format(tostring(what.step or false)), what.path},
      what.words),
    environment = environment(driver, path, what.folder, what.environment), seconds = what.seconds,
    output = what.show and function(text) output.out:write(text) end or nil,
    errors = what.show and function(text) output.err:write(text) end or nil,
    results = function(value) self:take(value) end,
  }
  return self
end

--- Waits a little.
-- @tparam[opt] number seconds the most
-- @treturn boolean whether it still runs
function Run:wait(seconds)
  return self.process:step(seconds)
end

--- What came of it, once it has ended.
-- @treturn table kernels (see @{clue.count.kernels}); skipped: why a step did not run; variants: of a step, flops,
--   bytes and label as it declares them; failed: how the script failed; lines: its last errors then
function Run:result()
  for _, launch in ipairs(self.launches) do self:locate(launch) end
  self:describe_arguments()
  local result = {kernels = kernels.of(self.launches), variants = self.variants,
                  skipped = self.row and self.row.skipped or nil}
  if not self.process:is_well() and not result.skipped then
    result.failed = select(2, self.process:reason())
    result.lines = log_lines.excerpt(self.process:last_errors(math.huge))
  end
  return result
end

--- Runs scripts, several at a time.
-- @tparam {table,...} list each as for @{start}
-- @tparam int most how many at a time
-- @tparam function done done(index, result), as each ends
-- @treturn ?string why nothing can be counted
function run.all(list, most, done)
  local running, next_one = {}, 1
  while next_one <= #list or #running > 0 do
    while #running < most and next_one <= #list do
      local one, why = run.start(list[next_one])
      if not one then return why end
      running[#running + 1], next_one = {index = next_one, run = one}, next_one + 1
    end
    for i = #running, 1, -1 do
      if not running[i].run:wait(0.05) then
        local ended = table.remove(running, i)
        done(ended.index, ended.run:result())
      end
    end
  end
end

return run
