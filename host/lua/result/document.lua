--- Documents, written and read. The results of `clue walk` are written as they come. Reading a file of
-- `clue walk --json`, `clue peak --json` or `clue tune` says what is wrong with it, and what to do.
local binding = require "clue.binding"
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local gains = require "clue.result.gain"
local json = require "clue.shared.json"
local read_file = require("clue.file").read
local row_of = require "clue.result.row"
local shape = require "clue.result.shape"
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

-- ---- writing ----

local order = {"format", "clue", "started", "resumed", "finished", "options", "machine", "devices", "walkthroughs",
               "name", "title", "steps", "runs", "device", "rows", "number", "study", "problem", "check", "times"}

--- Writes a document. Raises if that fails.
-- @tparam string path
-- @tparam table self
function document.save(path, self)
  write(path, json.text(self, true, order) .. "\n")
end

-- ---- reading: the text ----

--- Reads a file, which may be compressed by gzip.
-- @tparam string path
-- @treturn ?string its bytes, unpacked; nil if it cannot be read
-- @treturn ?string why not
function document.text(path)
  local text, why = read_file(path)
  if not text or text:sub(1, 2) ~= "\31\139" then return text, why end
  if path == "/dev/stdin" then return nil, "standard input is compressed: give the file, or unpack it by zcat" end
  local unpacked, seen = child.output_of {"/usr/bin/env", "gzip", "-dc", "--", path}
  if seen:status() == 127 then return nil, path .. ": it is compressed, and gzip is not installed" end
  if not seen:is_well() then return nil, ("%s: gzip cannot read it: %s"):format(path, seen:last_errors(1)[1] or "?") end
  return unpacked
end

-- ---- reading: what a file is ----

local kinds = {
  ["clue walk"] = {version = "2", list = "walkthroughs", again = "clue walk NAME --json FILE"},
  ["clue peak"] = {version = "1", list = "limits", again = "clue peak --json FILE"},
}

-- The line of a position in the text.
local function line_of(text, position)
  return 1 + select(2, text:sub(1, math.max(0, position - 1)):gsub("\n", ""))
end

local function decode(path, text)
  if not text:find "%S" then
    return nil, path .. ": the file is empty: was the run that should have written it stopped?"
  end
  local found, problem, position = json.read(text)
  if type(found) ~= "table" then
    local where = problem and (" (line %d: %s)"):format(line_of(text, position), problem) or ""
    return nil, ("%s: not JSON%s; give files that `clue walk --json`, `clue peak --json` or `clue tune` wrote")
      :format(path, where)
  end
  return found
end

-- Before formats had names, a document was the rows of one walkthrough.
local function is_first_format(found)
  return found.format == nil and type(found.walkthrough) == "string" and type(found.rows) == "table"
end

-- Whether it is in the format T4, from whatever tuner.
local function is_t4(found)
  return found.schema_version ~= nil and type(found.results) == "table"
end

local function check(path, found)
  if is_first_format(found) then
    return nil, path .. ": written by an older clue; replay it with this one: clue walk "
      .. found.walkthrough .. " --json FILE"
  end
  if is_t4(found) then
    if type(found.clue) == "table" then return "clue tune" end
    return nil, path .. ": T4 results of another tuner; give those that `clue tune` wrote"
  end
  if type(found.format) ~= "string" then
    return nil, path .. ": this JSON is not from `clue walk --json`, `clue peak --json` or `clue tune`"
  end
  local name, version = found.format:match("^(.-) (%d+)$")
  local kind = kinds[name]
  if not kind then
    return nil, ("%s: its format is '%s'; give files that `clue walk --json`, `clue peak --json` or `clue tune` wrote")
      :format(path, found.format)
  end
  if version ~= kind.version then
    local older = tonumber(version) < tonumber(kind.version)
    return nil, ("%s: format '%s', written by %s clue; this one reads '%s %s': %s"):format(path, found.format,
      older and "an older" or "a newer", name, kind.version,
      older and "run `" .. kind.again .. "` again" or "compare with the clue that wrote it")
  end
  if name == "clue peak" and found.limits == nil and shape.is_list(found.devices) and found.devices[1] then
    return name -- several devices: a list of their documents
  end
  if type(found[kind.list]) ~= "table" then
    return nil, ("%s: format '%s' without %s: was the file changed?"):format(path, found.format, kind.list)
  end
  return name
end

-- ---- reading: what older documents lack ----

-- Replaces a gain that is not by the part by which rows are compared today: where the times were judged by the total,
-- though there are times of the kernel, it becomes that of the kernels, from runs that did not alternate. Rows of a
-- sweep's two sides have the other row elsewhere, and keep it.
local function replace_gain(before, row)
  local gain, part = row.gain, before and row_of.comparable(before, row) and row_of.common_part(before, row)
  gain.part = row.times.judged or "total"
  local now = part and gain.part ~= part and gains.of(before.times[part], row.times[part])
  if not now then return end
  gain.part, gain.ratio, gain.low, gain.high = part, now.ratio, now.low, now.high
  gain.before, gain.now, gain.pairs, gain.disturbed = nil, nil, nil, nil
end

--- Adds to the rows of a run what older documents lack: of which part of the time a gain is.
-- @tparam {table,...} rows as they were read
function document.complete(rows)
  for _, row in ipairs(rows) do
    if row.times and (row.efficiency or row.over_first_device) then row.times.together = true end
    if row.gain and not row.gain.part and row.times then replace_gain(row_of.base(rows, row), row) end
    row_of.judge_gain(rows, row)
  end
end

--- Reads a document.
-- @tparam string path
-- @treturn[1] table the document
-- @treturn[1] string "clue walk", "clue peak" or "clue tune"
-- @treturn[2] nil
-- @treturn[2] string the path, what is wrong and what to do
function document.read(path)
  local text, why = document.text(path)
  if not text then return nil, why end
  local found, kind
  found, why = decode(path, text)
  if not found then return nil, why end
  kind, why = check(path, found)
  if not kind then return nil, why end
  why = shape.document(found, kind)
  if why then return nil, ("%s: the file is not as clue wrote it: %s"):format(path, why) end
  for _, walkthrough in ipairs(kind == "clue walk" and found.walkthroughs or {}) do
    for _, run in ipairs(walkthrough.runs or {}) do document.complete(run.rows or {}) end
  end
  return found, kind
end

--- Reads a document of `clue walk`.
-- @tparam string path
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function document.load(path)
  local earlier, kind = document.read(path)
  if not earlier then return nil, kind end
  if kind ~= "clue walk" then return nil, ("%s is from %s, not from clue walk"):format(path, kind) end
  return earlier
end

return document
