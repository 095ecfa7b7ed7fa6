--- Compiles in child processes: a compiler that crashes or hangs affects only its own device, and this process loads
-- no driver.
local children = require "clue.shared.child"
local joined = require("clue.shared.list").joined
local json = require "clue.shared.json"
local lfs = require "lfs"
local write = require("clue.shared.paths").write

local child = {}

--- The environment of processes that compile: no cache may answer, because a cached program has no log.
-- @tparam string folder PoCL keeps what it compiles in its subfolder pocl
-- @treturn {string,...} "NAME=VALUE"
function child.environment(folder)
  return {"CLUE_NO_CACHE=1", "POCL_CACHE_DIR=" .. folder .. "/pocl", "CUDA_CACHE_DISABLE=1",
          "MESA_SHADER_CACHE_DISABLE=true", "AMD_COMGR_CACHE=0", "NEO_CACHE_PERSISTENT=0"}
end

local function last_words(seen)
  return table.concat(seen:last_errors(12), "\n")
end

local function ending(seen)
  if seen.state == "exited" then return ("the compiler ended the process with exit status %d"):format(seen.value) end
  local _, text = seen:reason()
  return (seen.state == "timeout" and "the compiler was " or "the compiler ") .. text
end

-- The result of a device whose compiler ended the process.
local function lost(seen)
  return {ok = false, failed = ending(seen), lost = true, log = last_words(seen), kernels = {}}
end

-- Starts one child for the remaining devices. The time limit applies to each device.
local function build_rest(request, seconds, built, on)
  local seen
  seen = children.call("clue.build.compile_in_child", "run", {json.line(request)}, {
    environment = joined(child.environment(request.folder), request.environment), seconds = seconds,
    results = function(value)
      seen:limit(seconds)
      if value.devices then built.count = value.devices end
      if value.refused then built.refused = value.refused end
      if value.device then built[#built + 1] = {device = value.device} end
      if value.result then built[#built].result = value.result end
      on(value)
    end,
  })
  return seen:follow()
end

--- Compiles a program for every chosen device.
-- @tparam table program parts, link, place: see @{clue.build.recorder.start}
-- @tparam table request file, device, most, binary: as for @{clue.build.compile_in_child.run}; folder: a new one, for
--   the program, the binaries, and what the drivers keep; environment: more variables, {"NAME=VALUE", ...}
-- @tparam number seconds the limit for each device
-- @tparam function on called with each {device = facts} and {result = ...} when it arrives
-- @treturn[1] {table,...} device (facts) and result: ok, seconds, options, log, failed (words), kernels,
--   binary (a path)
-- @treturn[2] nil
-- @treturn[2] string why there are none
function child.build(program, request, seconds, on)
  local built = {count = 1}
  assert(lfs.mkdir(request.folder))
  request.from, request.program = 1, request.folder .. "/program.json"
  write(request.program, json.line {parts = program.parts, link = program.link, place = program.place})
  while #built < built.count do
    local seen = build_rest(request, seconds, built, on)
    if built.refused then return nil, built.refused end
    local last = built[#built]
    if not last or last.result and #built < built.count then
      return nil, ("%s\n%s"):format(ending(seen), last_words(seen))
    end
    last.result = last.result or lost(seen)
    request.from = #built + 1
  end
  return built
end

return child
