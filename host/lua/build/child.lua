--- Compiles in child processes: a compiler that crashes or never ends costs its own device only, and this process loads
-- no driver. Caches of built programs, ours and the drivers', are out of use there: they would swallow the log.
-- @module clue.build.child
local binding = require "clue.binding"
local host = require "clue.options"
local json = require "dkjson"
local json_line = require "clue.shared.json_line"
local signals = require "clue.shared.signals"
local take_lines = require("clue.text").take_lines

local child = {}

-- Bytes of its errors that are kept of a child: one that never stops talking must not fill this process.
local most_errors = 65536

local function environment(folder)
  return {"CLUE_NO_CACHE=1", "POCL_CACHE_DIR=" .. folder .. "/pocl", "CUDA_CACHE_DISABLE=1",
          "MESA_SHADER_CACHE_DISABLE=true", "AMD_COMGR_CACHE=0", "NEO_CACHE_PERSISTENT=0"}
end

local function start(request, seconds)
  local program = ("require('clue.build.inside').run(require('dkjson').decode(%q))"):format(json_line(request))
  return binding.child_start {
    arguments = {host.program, "--quiet", "-e", program}, environment = environment(request.folder),
    seconds = seconds, result_descriptor = 3,
  } or error(binding.error().text, 0)
end

-- Follows a child to its end; on(value) gets each of its lines. The limit of time is that of each device.
local function follow(number, seconds, on)
  local pending, errors, state = "", "", "running"
  while state == "running" do
    state = binding.child_wait(number, 0.5) or error(binding.error().text, 0)
    errors = (errors .. binding.child_take(number, "err")):sub(-most_errors)
    binding.child_take(number, "out") -- compilers talk there
    pending = take_lines(pending .. binding.child_take(number, "result"), function(line)
      binding.child_limit(number, seconds)
      on(json.decode(line))
    end)
  end
  return state, errors
end

local function last_lines(text, most)
  local lines, last = {}, {}
  for line in text:gmatch "[^\r\n]+" do lines[#lines + 1] = line end
  for i = math.max(1, #lines - most + 1), #lines do last[#last + 1] = lines[i] end
  return table.concat(last, "\n")
end

local function ending(state, value, seconds)
  if state == "timeout" then return ("the compiler was stopped after %g s (--time-limit)"):format(seconds) end
  local signal = signals[value] or "signal " .. value
  if state == "signalled" then return ("the compiler crashed: killed by %s"):format(signal) end
  return ("the compiler ended the process with exit status %d"):format(value)
end

-- What a device gets whose compiler took the process along.
local function lost(state, value, seconds, errors)
  local said = last_lines(errors, 12)
  return {ok = false, failed = ending(state, value, seconds), lost = true, log = said, kernels = {}}
end

-- One child, for the devices that are left; how it ended, and what it said.
local function build_rest(request, seconds, built, on)
  local number = start(request, seconds)
  local followed, state, errors = pcall(follow, number, seconds, function(value)
    if value.devices then built.count = value.devices end
    if value.refused then built.refused = value.refused end
    if value.device then built[#built + 1] = {device = value.device} end
    if value.result then built[#built].result = value.result end
    on(value)
  end)
  local value = binding.child_value(number)
  binding.child_close(number)
  if not followed then error(state, 0) end
  return state, value, errors
end

--- Compiles for every chosen device.
-- @tparam table request file; options (a text); device (a choice or nil); most: of how
--   many devices at most (nil: all); binary: whether to keep the binaries; folder: where, and for what the drivers keep
-- @tparam number seconds the limit for each device
-- @tparam function on called with each {device = facts} and {result = ...} as it comes
-- @treturn[1] {table,...} device (facts) and result: ok, seconds, options, log, failed (words), kernels,
--   binary (a path)
-- @treturn[2] nil
-- @treturn[2] string why there is none
function child.build(request, seconds, on)
  local built = {count = 1}
  request.from = 1
  while #built < built.count do
    local state, value, errors = build_rest(request, seconds, built, on)
    if built.refused then return nil, built.refused end
    local last = built[#built]
    if not last or last.result and #built < built.count then
      return nil, ("%s\n%s"):format(ending(state, value, seconds), last_lines(errors, 12))
    end
    last.result = last.result or lost(state, value, seconds, errors)
    request.from = #built + 1
  end
  return built
end

return child
