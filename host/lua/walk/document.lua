--- The results of `clue walk` as a document: written as they come, and read by --resume and `clue compare`.
-- @module clue.walk.document
local binding = require "clue.binding"
local host = require "clue.options"
local json = require "dkjson"
local json_text = require "clue.shared.json_text"
local row_of = require "clue.walk.row"
local open = require "clue.open"
local save = require "clue.save"
local too_deep = require("clue.json_depth").too_deep
local visible = require("clue.text").visible

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
  local list = setmetatable({}, {__jsontype = "array"})
  return {format = document.format, clue = host.version, started = document.now(), options = options,
          machine = document.machine(), devices = setmetatable({}, {__jsontype = "array"}), walkthroughs = list}
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
  write(path, json_text(self, true, order) .. "\n")
end

--- Reads a document.
-- @tparam string path
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function document.load(path)
  local file, why = open(path)
  if not file then return nil, "cannot read " .. why end
  local text = file:read "*a" or ""
  file:close()
  local read, _, problem = nil, nil, too_deep(text)
  if not problem then read, _, problem = json.decode(text, 1, nil) end
  if type(read) ~= "table" then
    return nil, ("%s is not a JSON document%s"):format(path, problem and ": " .. problem or "")
  end
  if read.format ~= document.format then
    return nil, ("%s is not a document of `clue walk --json`: its format is %s, not '%s'"):format(path,
      read.format and ("'%s'"):format(tostring(read.format)) or "missing", document.format)
  end
  return read
end

-- ---- resuming ----

--- An earlier document's rows of a walkthrough on a device, except those that failed or are wrong.
-- @tparam ?table earlier
-- @tparam string name of the walkthrough
-- @tparam string address of the device
-- @treturn table rows by the number of their step
function document.rows_of(earlier, name, address)
  local rows = {}
  for _, walkthrough in ipairs(earlier and earlier.walkthroughs or {}) do
    for _, run in ipairs(walkthrough.name == name and walkthrough.runs or {}) do
      for _, row in ipairs(run.device == address and run.rows or {}) do
        if select(2, row_of.verdict(row)) then rows[row.number] = row end
      end
    end
  end
  return rows
end

--- Why an earlier document does not match the options of this run.
-- @tparam table earlier
-- @tparam table options
-- @treturn ?string
function document.mismatch(earlier, options)
  for _, name in ipairs {"size", "type", "repeats"} do
    local then_, now = (earlier.options or {})[name], options[name]
    if then_ ~= now then
      return ("it was made with %s, not with %s"):format(then_ and ("--%s %s"):format(name, then_) or "no --" .. name,
        now and tostring(now) or "none")
    end
  end
end

-- ---- CSV ----

local columns = {"walkthrough", "device", "step", "name", "study", "problem", "result", "rate", "speed_total",
                 "speed_kernel", "flops", "bytes", "runs", "clock"}

local function cell(value)
  if value == nil then return "" end
  local text = type(value) == "number" and ("%.9g"):format(value) or visible(tostring(value))
  if text:find '[",\r\n]' then return '"' .. text:gsub('"', '""') .. '"' end
  return text
end

local function csv_line(walkthrough, run, row)
  local times, gain = row.times or {}, row.gain or {}
  local fields = {walkthrough.name, run.device, row.number, row.name, row.study, row.problem, (row_of.verdict(row)),
                  times.rate, row_of.speed(row, "total"), row_of.speed(row, "kernel"),
                  times.flops, times.bytes, times.runs, times.clock}
  local cells = {}
  for i = 1, #columns do cells[i] = cell(fields[i]) end
  for _, part in ipairs {"upload", "kernel", "read", "total"} do
    local summary = row_of.time(row, part) or {}
    for _, field in ipairs {"min", "median", "max"} do cells[#cells + 1] = cell(summary[field]) end
  end
  for _, value in ipairs {row.host and row.host.seconds or false, row_of.over_host(row) or false, gain.ratio or false,
                          gain.low or false, gain.high or false, gain.pairs or false} do
    cells[#cells + 1] = cell(value or nil)
  end
  return table.concat(cells, ",")
end

--- Writes a document's rows as comma-separated values, times in seconds. Raises if that fails.
-- @tparam string path
-- @tparam table self
function document.save_csv(path, self)
  local head = {table.concat(columns, ",")}
  for _, part in ipairs {"upload", "kernel", "read", "total"} do
    for _, field in ipairs {"min", "median", "max"} do head[#head + 1] = ("%s_%s_s"):format(part, field) end
  end
  head[#head + 1] = "host_s,over_host,gain,gain_low,gain_high,gain_pairs"
  local lines = {table.concat(head, ",")}
  for _, walkthrough in ipairs(self.walkthroughs) do
    for _, run in ipairs(walkthrough.runs) do
      for _, row in ipairs(run.rows) do lines[#lines + 1] = csv_line(walkthrough, run, row) end
    end
  end
  write(path, table.concat(lines, "\n") .. "\n")
end

return document
