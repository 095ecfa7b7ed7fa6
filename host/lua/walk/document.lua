--- The results of `clue walk` as a document: written as they come, and read by
-- --resume and `clue compare`.
-- @module clue.walk.document
local binding = require "clue.binding"
local csv = require "clue.walk.csv"
local host = require "clue.options"
local json = require "clue.shared.json"
local point = require "clue.sweep.point"
local row_of = require "clue.walk.row"
local read = require "clue.compare.read"
local save = require "clue.save"

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

--- A document without results.
-- @tparam table options as they were given
-- @treturn table
function document.new(options)
  return {format = document.format, clue = host.version, started = document.now(), options = options,
          machine = document.machine(), devices = json.list {}, walkthroughs = json.list {}}
end

-- ---- files ----

local function write(path, text)
  local saved, why = save(path, text)
  if not saved then error("cannot write " .. why, 0) end
end

local order = {"format", "clue", "started", "finished", "options", "machine", "devices", "walkthroughs", "name",
               "title", "steps", "runs", "device", "rows", "number", "study", "problem", "check", "times"}

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
  local earlier, kind = read(path)
  if not earlier then return nil, kind end
  if kind ~= "clue walk" then return nil, ("%s is from %s, not from clue walk"):format(path, kind) end
  for _, walkthrough in ipairs(earlier.walkthroughs) do
    for _, run in ipairs(walkthrough.runs or {}) do
      for _, row in ipairs(run.rows or {}) do row_of.judge_gain(run.rows, row) end -- older files do not have it
    end
  end
  return earlier
end

-- ---- resuming ----

--- An earlier document's rows of a walkthrough on a device, except those that failed or are wrong.
-- @tparam ?table earlier
-- @tparam string name of the walkthrough
-- @tparam string address of the device
-- @tparam[opt] table at the point of a sweep, see @{clue.sweep.point}
-- @treturn table rows by the number of their step
function document.rows_of(earlier, name, address, at)
  local rows, key = {}, point.key(at)
  local function is_it(run) return run.device == address and point.key(run.point) == key end
  for _, walkthrough in ipairs(earlier and earlier.walkthroughs or {}) do
    for _, run in ipairs(walkthrough.name == name and walkthrough.runs or {}) do
      for _, row in ipairs(is_it(run) and run.rows or {}) do
        if select(2, row_of.verdict(row)) then rows[row.number] = row end
      end
    end
  end
  return rows
end

-- The options that decide what is measured, and their fields.
local decisive = {{"--size", "size"}, {"--type", "type"}, {"--repeat", "repeats"}, {"--set", "set"},
                  {"--options", "build_options"}}

-- An option's values as they were given.
local function words_of(value)
  if type(value) ~= "table" then return value and tostring(value) end
  local words = {}
  for i, word in ipairs(value) do words[i] = word == "" and "''" or tostring(word) end
  return words[1] and table.concat(words, " ") or nil
end

--- Why an earlier document does not match the options of this run.
-- @tparam table earlier
-- @tparam table options
-- @treturn ?string
function document.mismatch(earlier, options)
  for _, each in ipairs(decisive) do
    local option, then_, now = each[1], words_of((earlier.options or {})[each[2]]), words_of(options[each[2]])
    if then_ ~= now then
      return ("it was made with %s, not with %s"):format(then_ and ("%s %s"):format(option, then_) or "no " .. option,
        now or "none")
    end
  end
end

--- Writes a document's rows as comma-separated values, see @{clue.walk.csv}. Raises if that fails.
-- @tparam string path
-- @tparam table self
function document.save_csv(path, self)
  write(path, csv.text(self))
end

return document
