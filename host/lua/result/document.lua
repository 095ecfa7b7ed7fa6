--- The results of `clue walk` as a document: written as they come, and read by
-- --resume and `clue compare`.
local binding = require "clue.binding"
local clue_options = require "clue.options"
local json = require "clue.shared.json"
local read = require "clue.result.read"
local write = require("clue.shared.paths").write

local document = {}

--- The value of its field `format`.
document.format = "clue walk 2"

-- ---- the machine ----

local function first_match(path, pattern)
  local file = io.open(path)
  if not file then return nil end
  for line in file:lines() do
    local found = line:match(pattern)
    if found then
      file:close()
      return found
    end
  end
  file:close()
end

--- Bytes of memory that are free now, nil if unknown.
-- @treturn ?number
function document.free_memory()
  local kib = tonumber(first_match("/proc/meminfo", "^MemAvailable:%s+(%d+)"))
  return kib and kib * 1024
end

--- The facts about the machine, besides its devices.
-- @treturn table system, processor, cores, memory (bytes), lua
function document.machine()
  local kib = tonumber(first_match("/proc/meminfo", "^MemTotal:%s+(%d+)"))
  local jit = rawget(_G, "jit")
  return {
    system = ("%s %s"):format(first_match("/proc/sys/kernel/ostype", ".+") or "?",
      first_match("/proc/sys/kernel/osrelease", ".+") or "?"),
    processor = first_match("/proc/cpuinfo", "^model name%s*:%s*(.+)"), cores = binding.processor_count(),
    memory = kib and kib * 1024, lua = jit and jit.version or rawget(_G, "_VERSION"),
  }
end

--- The current time.
-- @treturn string ISO 8601, UTC
function document.now()
  return os.date("!%Y-%m-%dT%H:%M:%SZ")
end

--- The seconds of a time since a fixed one. No rule of summer time is applied: times of two dates can be subtracted.
-- @tparam ?string timestamp a date and time as in ISO 8601
-- @treturn ?number nil: it is none
function document.seconds(timestamp)
  local year, month, day, hour, minute, second =
    tostring(timestamp):match "^(%d+)-(%d+)-(%d+)[T ](%d+):(%d+):(%d+%.?%d*)"
  if not year then return nil end
  return os.time {year = year, month = month, day = day, hour = hour, min = minute, sec = 0, isdst = false} + second
end

--- A document without results.
-- @tparam table options as they were given
function document.new(options)
  return {format = document.format, clue = clue_options.version, started = document.now(), options = options,
          machine = document.machine(), devices = json.list {}, walkthroughs = json.list {}}
end

-- ---- files ----

local order = {"format", "clue", "started", "resumed", "finished", "options", "machine", "devices", "walkthroughs",
               "name", "title", "steps", "runs", "device", "rows", "number", "study", "problem", "check", "times"}

--- Writes a document. Raises if that fails.
-- @tparam string path
-- @tparam table self
function document.save(path, self)
  write(path, json.text(self, true, order) .. "\n")
end

--- Reads a document.
-- @tparam string path
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function document.load(path)
  local earlier, kind = read.document(path)
  if not earlier then return nil, kind end
  if kind ~= "clue walk" then return nil, ("%s is from %s, not from clue walk"):format(path, kind) end
  return earlier
end

return document
