--- Reads what `clue walk --json` and `clue peak --json` wrote, and the results of `clue tune`. Reports what is wrong
-- with a file and what to do.
local child = require "clue.shared.child"
local gains = require "clue.result.gain"
local json = require "clue.shared.json"
local read_file = require("clue.file").read
local row_of = require "clue.result.row"

local read = {}

-- ---- the text ----

--- Reads a file, which may be compressed by gzip.
-- @tparam string path
-- @treturn ?string its bytes, unpacked; nil if it cannot be read
-- @treturn ?string why not
function read.text(path)
  local text, why = read_file(path)
  if not text or text:sub(1, 2) ~= "\31\139" then return text, why end
  if path == "/dev/stdin" then return nil, "standard input is compressed: give the file, or unpack it by zcat" end
  local unpacked, seen = child.output_of {"/usr/bin/env", "gzip", "-dc", "--", path}
  if seen:status() == 127 then return nil, path .. ": it is compressed, and gzip is not installed" end
  if not seen:is_well() then return nil, ("%s: gzip cannot read it: %s"):format(path, seen:last_errors(1)[1] or "?") end
  return unpacked
end

-- ---- the kinds of a document's parts: each function returns what is wrong, with the place, or nil ----

-- Whether a value is a list.
local function is_list(value)
  return type(value) == "table" and (value[1] ~= nil or next(value) == nil)
end

-- The objects of a list; test(entry, where) says what is wrong with one.
local function wrong_objects(list, where, test)
  if list == nil then return nil end
  if not is_list(list) then return where .. " is not a list" end
  for i, entry in ipairs(list) do
    if type(entry) ~= "table" then return ("%s[%d] is not an object"):format(where, i - 1) end
    local problem = test and test(entry, ("%s[%d]"):format(where, i - 1))
    if problem then return problem end
  end
end

local function wrong_numbers(list, where)
  if list == nil then return nil end
  if not is_list(list) then return where .. " is not a list" end
  local count = 0
  for key, value in pairs(list) do
    if type(key) ~= "number" or type(value) ~= "number" then return where .. " is not a list of numbers" end
    count = count + 1
  end
  if count ~= #list then return where .. " is not a list of numbers" end -- a null leaves a hole
end

local function wrong_words(list, where)
  if list ~= nil and not is_list(list) then return where .. " is not a list" end
  for _, word in ipairs(list or {}) do
    if type(word) ~= "string" then return where .. " is not a list of texts" end
  end
end

-- Examines the fields of an object, as far as it has them.
local function wrong_fields(entry, where, wanted)
  for field, kind in pairs(wanted) do
    if entry[field] ~= nil and type(entry[field]) ~= kind then
      return ("%s.%s is not a %s"):format(where, field, kind)
    end
  end
end

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
  local document, problem, position = json.read(text)
  if type(document) ~= "table" then
    local where = problem and (" (line %d: %s)"):format(line_of(text, position), problem) or ""
    return nil, ("%s: not JSON%s; give files that `clue walk --json`, `clue peak --json` or `clue tune` wrote")
      :format(path, where)
  end
  return document
end

-- Before formats had names, a document was the rows of one walkthrough.
local function is_first_format(document)
  return document.format == nil and type(document.walkthrough) == "string" and type(document.rows) == "table"
end

-- Whether it is in the format T4, from whatever tuner.
local function is_t4(document)
  return document.schema_version ~= nil and type(document.results) == "table"
end

local function check(path, document)
  if is_first_format(document) then
    return nil, path .. ": written by an older clue; replay it with this one: clue walk "
      .. document.walkthrough .. " --json FILE"
  end
  if is_t4(document) then
    if type(document.clue) == "table" then return "clue tune" end
    return nil, path .. ": T4 results of another tuner; give those that `clue tune` wrote"
  end
  if type(document.format) ~= "string" then
    return nil, path .. ": this JSON is not from `clue walk --json`, `clue peak --json` or `clue tune`"
  end
  local name, version = document.format:match("^(.-) (%d+)$")
  local kind = kinds[name]
  if not kind then
    return nil, ("%s: its format is '%s'; give files that `clue walk --json`, `clue peak --json` or `clue tune` wrote")
      :format(path, document.format)
  end
  if version ~= kind.version then
    local older = tonumber(version) < tonumber(kind.version)
    return nil, ("%s: format '%s', written by %s clue; this one reads '%s %s': %s"):format(path, document.format,
      older and "an older" or "a newer", name, kind.version,
      older and "run `" .. kind.again .. "` again" or "compare with the clue that wrote it")
  end
  if name == "clue peak" and document.limits == nil and is_list(document.devices) and document.devices[1] then
    return name -- several devices: a list of their documents
  end
  if type(document[kind.list]) ~= "table" then
    return nil, ("%s: format '%s' without %s: was the file changed?"):format(path, document.format, kind.list)
  end
  return name
end

-- ---- whether the contents are what clue writes ----

local parts = {upload = true, kernel = true, read = true, total = true}

local function times_problem(times, where)
  local problem = wrong_fields(times, where, {runs = "number", flops = "number", bytes = "number", clock = "string",
    judged = "string", rate = "string", together = "boolean"})
  if times.judged and not parts[times.judged] then problem = problem or where .. ".judged is not a part of a run" end
  for part in pairs(parts) do problem = problem or wrong_numbers(times[part], where .. "." .. part) end
  return problem or wrong_objects(times.launches, where .. ".launches", function(launch, at)
    return wrong_fields(launch, at, {kernel = "string", launches = "number", items = "number", group = "number",
                                     at_once = "number"})
      or not (launch.kernel and launch.launches and launch.items) and at .. " has no kernel, launches or items" or nil
  end)
end

local function gain_problem(gain, where)
  return wrong_fields(gain, where, {ratio = "number", low = "number", high = "number", pairs = "number"})
    or gain.part and not parts[gain.part] and where .. ".part is not a part of a run"
    or (gain.low == nil) ~= (gain.high == nil) and where .. " has only one end of an interval"
    or gain.ratio == nil and where .. ".ratio is missing"
    or gain.over == nil and where .. ".over is missing"
    or wrong_numbers(gain.before, where .. ".before") or wrong_numbers(gain.now, where .. ".now")
end

local function counts_problem(counts, where)
  local problem = wrong_fields(counts, where, {sums = "table", flops = "number"})
    or not counts.sums and where .. ".sums is missing"
  for name, value in pairs(not problem and counts.sums or {}) do
    if type(value) ~= "number" then problem = ("%s.sums.%s is not a number"):format(where, tostring(name)) end
  end
  return problem
end

-- The parts of a row that are tables of their own.
local function parts_problem(row, where)
  return row.times and times_problem(row.times, where .. ".times")
    or row.gain and gain_problem(row.gain, where .. ".gain")
    or row.counts and counts_problem(row.counts, where .. ".counts")
    or row.host and wrong_fields(row.host, where .. ".host", {seconds = "number"})
end

local function row_problem(row, where)
  if type(row.number) ~= "number" and type(row.number) ~= "string" then return where .. ".number is missing" end
  local problem = wrong_fields(row, where, {name = "string", study = "string", problem = "string", type = "string",
    times = "table", check = "table", failed = "table", skipped = "string", gain = "table", counts = "table",
    host = "table", device = "table", change = "string", aside = "boolean", beyond = "boolean"})
  if problem then return problem end
  problem = wrong_fields(row.failed or {}, where .. ".failed", {word = "string", text = "string"})
    or wrong_fields(row.check or {}, where .. ".check", {verified = "boolean", text = "string"})
    or row.failed and not row.failed.word and where .. ".failed has no word"
    or wrong_objects(row.programs, where .. ".programs", function(program, at)
      return wrong_fields(program, at, {source = "string", options = "string"})
    end)
  return problem or parts_problem(row, where)
end

local function named(entry, where)
  return type(entry.name) ~= "string" and where .. ".name is missing" or nil
end

-- The point of a sweep.
local function point_problem(point, where)
  if point == nil then return nil end
  if type(point) ~= "table" then return where .. " is not an object" end
  local problem = wrong_fields(point, where, {size = "string", options = "string", side = "string", set = "table"})
  for name, value in pairs(not problem and point.set or {}) do
    if type(name) ~= "string" or type(value) == "table" then problem = where .. ".set is not an object of values" end
  end
  return problem
end

local device_fields = {name = "string", address = "string", driver = "string"}

local shapes = {}

shapes["clue walk"] = function(document)
  local options = document.options or {}
  local problem = wrong_words(options.set, "options.set")
    or wrong_words(options.build_options, "options.build_options")
    or wrong_fields(options, "options", {size = "string"}) or wrong_words(document.resumed, "resumed")
  if problem then return problem end
  return wrong_objects(document.walkthroughs, "walkthroughs", function(walkthrough, where)
    return named(walkthrough, where) or wrong_objects(walkthrough.runs, where .. ".runs", function(run, at)
      return type(run.device) ~= "string" and at .. ".device is missing" or point_problem(run.point, at .. ".point")
        or wrong_fields(run, at, {left_out = "table"}) or wrong_objects(run.rows, at .. ".rows", row_problem)
    end)
  end)
end

shapes["clue peak"] = function(document)
  if document.limits == nil then
    return wrong_objects(document.devices, "devices", function(one, where)
      local whole = type(one.limits) == "table" and type(one.device) == "table"
      if not whole then return where .. " has no limits or no device" end
      return shapes["clue peak"](one)
        or wrong_fields(one.device, where .. ".device", device_fields)
    end)
  end
  return wrong_objects(document.limits, "limits", function(limit, where)
    return named(limit, where) or wrong_fields(limit, where, {value = "number", unit = "string", group = "string"})
      or wrong_numbers(limit.times, where .. ".times")
  end)
end

local function configuration_problem(p, where)
  if type(p) ~= "table" then return where .. " is missing" end
  for name, value in pairs(p) do
    if type(name) ~= "string" or type(value) == "table" then return where .. " is not an object of values" end
  end
end

local function best_problem(entry, where)
  local problem = wrong_fields(entry, where, {time = "number", metrics = "table"})
    or configuration_problem(entry.configuration, where .. ".configuration")
    or wrong_numbers(entry.runtimes, where .. ".runtimes")
  for _, field in ipairs {"time", "runtimes"} do
    if entry[field] == nil then problem = problem or ("%s.%s is missing"):format(where, field) end
  end
  for name, value in pairs(not problem and entry.metrics or {}) do
    if type(value) ~= "number" then problem = ("%s.metrics.%s is not a number"):format(where, tostring(name)) end
  end
  return problem
end

local function result_problem(entry, where)
  return configuration_problem(entry.configuration, where .. ".configuration")
    or wrong_fields(entry, where, {invalidity = "string", objectives = "table", measurements = "table"})
    or wrong_words(entry.objectives, where .. ".objectives")
    or wrong_objects(entry.measurements, where .. ".measurements")
end

shapes["clue tune"] = function(document)
  local ours = document.clue
  return wrong_fields(document, "it", {metadata = "table"})
    or wrong_fields(document.metadata or {}, "metadata", {device = "string", framework = "string"})
    or wrong_fields(ours, "clue", {name = "string", started = "string", device = "table", tune_params = "table"})
    or wrong_fields(ours.device or {}, "clue.device", {name = "string", address = "string", driver = "string"})
    or wrong_objects(ours.best, "clue.best", best_problem)
    or wrong_objects(document.results, "results", result_problem)
end

local function shape_problem(document, kind)
  if kind == "clue tune" then return shapes[kind](document) end
  local function of_device(device, at) return wrong_fields(device, at, device_fields) end
  return wrong_fields(document, "it", {machine = "table", options = "table", device = "table", clue = "string",
    started = "string", finished = "string"}) or of_device(document.device or {}, "device")
    or wrong_objects(document.devices, "devices", of_device)
    or shapes[kind](document)
end

-- ---- what older documents lack ----

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
function read.complete(rows)
  local by_number = {}
  for _, row in ipairs(rows) do
    if row.times and (row.efficiency or row.over_first_device) then row.times.together = true end
    if row.gain and not row.gain.part and row.times then replace_gain(by_number[row.gain.over], row) end
    by_number[row.number] = row
    row_of.judge_gain(rows, row)
  end
end

--- Reads a document.
-- @tparam string path
-- @treturn[1] table the document
-- @treturn[1] string "clue walk", "clue peak" or "clue tune"
-- @treturn[2] nil
-- @treturn[2] string the path, what is wrong and what to do
function read.document(path)
  local text, why = read.text(path)
  if not text then return nil, why end
  local document, kind
  document, why = decode(path, text)
  if not document then return nil, why end
  kind, why = check(path, document)
  if not kind then return nil, why end
  why = shape_problem(document, kind)
  if why then return nil, ("%s: the file is not as clue wrote it: %s"):format(path, why) end
  for _, walkthrough in ipairs(kind == "clue walk" and document.walkthroughs or {}) do
    for _, run in ipairs(walkthrough.runs or {}) do read.complete(run.rows or {}) end
  end
  return document, kind
end

return read
