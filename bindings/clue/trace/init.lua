--- Traces: every OpenCL call and command of a run, or of a part of one, with its times.
--
--     local sums, found = cl.trace("part.json", function()
--       scale(queue, n, nil, x)
--       return queue:read_buffer(x, numbers)
--     end)
--     print(sums)                                -- the tables that `clue trace` prints
--     print(sums.kernels[1].name, sums.kernels[1].median)
--
-- `clue trace SCRIPT` records a whole script without changing it. The core writes the records
-- (host/core/trace/trace.c); this module reads them, aligns their clocks, sums them up and writes a Chrome trace.
-- @module clue.trace
local argument = require "clue.argument"
local align = require "clue.trace.align"
local binding = require "clue.binding"
local chrome = require "clue.trace.chrome"
local error_object = require "clue.error"
local options = require "clue.options"
local read = require "clue.trace.read"
local save = require("clue.file").save
local summary = require "clue.trace.summary"
local trim_end = require("clue.text").trim_end
local view = require "clue.trace.view"

local trace = {}

local unpack = unpack or table.unpack -- luacheck: ignore

-- print(sums)
local sums_meta = {}

function sums_meta.__tostring(self)
  local lines = {}
  view.print(self, {write = function(_, ...) lines[#lines + 1] = table.concat({...}) end},
    binding.terminal_width(1) or 100)
  return trim_end(table.concat(lines))
end

--- Puts the commands of a run on the host's clock and sums up the run.
-- @tparam {table,...} processes of @{clue.trace.read}
-- @treturn table see @{clue.trace.summary}; tostring makes tables of it
function trace.sums(processes)
  for _, process in ipairs(processes) do align.process(process) end
  return setmetatable(summary.of(processes), sums_meta)
end

--- Writes a Chrome trace of a run that was summed up.
-- @tparam string path
-- @tparam {table,...} processes
-- @tparam table sums of @{sums}
-- @tparam string script what was run
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not
function trace.save(path, processes, sums, script)
  local other = {generator = "clue " .. (options.version or "?"), script = script}
  for i, device in ipairs(sums.devices) do
    other["device " .. i] = ("%s; clock: %s, aligned by %s%s"):format(device.name, device.clock, device.aligned_by,
      device.alignment_seconds and (" to +-%.3f us"):format(device.alignment_seconds * 1e6) or "")
  end
  return save(path, chrome.text(processes, other))
end

-- ---- a part of a script ----

local function packed(...)
  return {n = select("#", ...), ...}
end

local function start()
  local folder = error_object.check(binding.temporary_folder())
  local own = folder .. "/part.trace"
  local file = binding.trace_start(own)
  local problem = not file and error_object.last()
  if problem or file ~= own then binding.temporary_remove(folder) end
  if problem then error(problem, 0) end
  return {file = file, folder = file == own and folder or nil, since = binding.now() * 1e9}
end

-- The records of the part, as those of one process.
local function stop(part)
  local stopped = binding.trace_stop()
  local problem = not stopped and error_object.last()
  local file = assert(io.open(part.file, "rb"))
  local process = read.process(file:read "*a", part.since)
  file:close()
  if part.folder then binding.temporary_remove(part.folder) end
  if problem then error(problem, 0) end
  return process.first and {process} or {}
end

local function finish(path, part)
  local processes = stop(part)
  local sums = trace.sums(processes)
  if path then
    local saved, why = trace.save(path, processes, sums, arg and arg[0] or "?")
    if not saved then argument.fail("cannot write %s", why) end
  end
  return sums
end

--- Records what devices do while a function runs, like `clue trace`: the same records, picture and summary. Waits
-- until what the function enqueued has ended, except for commands that wait for user events. Under `clue trace`, the
-- picture of the whole run includes the part too. If the function raises, the picture is still written, and the error
-- is passed on.
-- @tparam ?string path of the Chrome trace, which https://ui.perfetto.dev opens; nil: do not write it
-- @tparam function work
-- @param ... its arguments
-- @treturn table the summary, see docs/reference/trace.md: host, devices, kernels, transfers, others, unfinished; times
--   are seconds; tostring gives the tables
-- @return what the function returned
function trace.record(path, work, ...)
  if path ~= nil then argument.text(path, "path", "the path of a file, or nil") end
  argument.typed(work, "function", "work")
  local part = start()
  local results = packed(pcall(work, ...))
  local finished, sums = pcall(finish, path, part)
  if not results[1] then error(results[2], 0) end
  if not finished then error(sums, 0) end
  return sums, unpack(results, 2, results.n)
end

return trace
