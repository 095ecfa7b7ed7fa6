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

-- ---- the kinds of a document's parts ----
--
-- A kind is a type of Lua's, or kind(value, where), which returns what is wrong, with the place, or nil. What a
-- document does not have is of any kind.

-- Whether a value is a list.
local function is_list(value)
  return type(value) == "table" and (value[1] ~= nil or next(value) == nil)
end

local function wrong_fields(entry, where, kinds)
  for field, kind in pairs(kinds) do
    local value, at, problem = entry[field], where .. "." .. field, nil
    if value ~= nil and type(kind) == "string" then
      problem = type(value) ~= kind and ("%s is not a %s"):format(at, kind)
    elseif value ~= nil then
      problem = kind(value, at)
    end
    if problem then return problem end
  end
end

-- The kind of a table with some fields, of which some must be there; further(entry, where) says what else is wrong.
local function object(kinds, needed, further)
  return function(entry, where)
    if type(entry) ~= "table" then return where .. " is not a table" end
    local problem = wrong_fields(entry, where, kinds)
    for _, field in ipairs(needed or {}) do
      problem = problem or entry[field] == nil and ("%s.%s is missing"):format(where, field)
    end
    return problem or further and further(entry, where) or nil
  end
end

-- The kind of a list of tables.
local function list_of(kind)
  return function(list, where)
    if list == nil then return nil end
    if not is_list(list) then return where .. " is not a list" end
    for i, entry in ipairs(list) do
      local at = ("%s[%d]"):format(where, i - 1)
      local problem = type(entry) ~= "table" and at .. " is not an object" or kind(entry, at)
      if problem then return problem end
    end
  end
end

local function numbers(list, where)
  if not is_list(list) then return where .. " is not a list" end
  local count = 0
  for key, value in pairs(list) do
    if type(key) ~= "number" or type(value) ~= "number" then return where .. " is not a list of numbers" end
    count = count + 1
  end
  if count ~= #list then return where .. " is not a list of numbers" end -- a null leaves a hole
end

local function words(list, where)
  if list ~= nil and not is_list(list) then return where .. " is not a list" end
  for _, word in ipairs(list or {}) do
    if type(word) ~= "string" then return where .. " is not a list of texts" end
  end
end

-- A number for each name.
local function amounts(value, where)
  if type(value) ~= "table" then return where .. " is not a table" end
  for name, amount in pairs(value) do
    if type(amount) ~= "number" then return ("%s.%s is not a number"):format(where, tostring(name)) end
  end
end

-- A number, text or boolean for each name.
local function values(value, where)
  if type(value) ~= "table" then return where .. " is not a table" end
  for name, each in pairs(value) do
    if type(name) ~= "string" or type(each) == "table" then return where .. " is not an object of values" end
  end
end

-- ---- what a file is ----

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

local function part_kind(value, where)
  if type(value) ~= "string" then return where .. " is not a string" end
  for _, name in ipairs(row_of.parts) do
    if name == value then return nil end
  end
  return where .. " is not a part of a run"
end

local function named(entry, where)
  return type(entry.name) ~= "string" and where .. ".name is missing" or nil
end

local launch = object({kernel = "string", launches = "number", items = "number", group = "number",
  at_once = "number"}, {}, function(it, where)
  return not (it.kernel and it.launches and it.items) and where .. " has no kernel, launches or items"
end)

local times = {runs = "number", flops = "number", bytes = "number", clock = "string", judged = part_kind,
               rate = "string", together = "boolean", launches = list_of(launch)}
for _, name in ipairs(row_of.parts) do times[name] = numbers end

local gain_kind = object({ratio = "number", low = "number", high = "number", pairs = "number", part = part_kind,
  before = numbers, now = numbers}, {"ratio", "over"}, function(it, where)
  return (it.low == nil) ~= (it.high == nil) and where .. " has only one end of an interval"
end)

local failed = object({word = "string", text = "string"}, {}, function(it, where)
  return not it.word and where .. " has no word"
end)

local row_kind = object({
  name = "string", study = "string", problem = "string", type = "string", skipped = "string", device = "table",
  change = "string", aside = "boolean", beyond = "boolean", times = object(times), gain = gain_kind, failed = failed,
  check = object {verified = "boolean", text = "string"}, host = object {seconds = "number"},
  counts = object({sums = amounts, flops = "number"}, {"sums"}),
  programs = list_of(object {source = "string", options = "string"}),
}, {}, function(it, where)
  return type(it.number) ~= "number" and type(it.number) ~= "string" and where .. ".number is missing"
end)

-- The point of a sweep.
local point = object {size = "string", options = "string", side = "string", set = values}

local run_kind = object({left_out = "table", rows = list_of(row_kind), point = function(value, where)
  return type(value) ~= "table" and where .. " is not an object" or point(value, where)
end}, {}, function(it, where) return type(it.device) ~= "string" and where .. ".device is missing" end)

local device = object {name = "string", address = "string", driver = "string"}

local limit = object({value = "number", unit = "string", group = "string", times = numbers}, {}, named)

local function configuration(p, where)
  return type(p) ~= "table" and where .. " is missing" or values(p, where)
end

local best = object({configuration = configuration, time = "number", metrics = amounts, runtimes = numbers},
  {"configuration", "time", "runtimes"})

local result = object({configuration = configuration, invalidity = "string", objectives = words,
                       measurements = list_of(function() end)}, {"configuration"})

local shapes = {}

shapes["clue walk"] = function(document)
  return wrong_fields(document.options or {}, "options", {set = words, build_options = words, size = "string"})
    or words(document.resumed, "resumed")
    or list_of(object({runs = list_of(run_kind)}, {}, named))(document.walkthroughs, "walkthroughs")
end

shapes["clue peak"] = function(document)
  if document.limits then return list_of(limit)(document.limits, "limits") end
  return list_of(function(one, where)
    local whole = type(one.limits) == "table" and type(one.device) == "table"
    if not whole then return where .. " has no limits or no device" end
    return shapes["clue peak"](one) or device(one.device, where .. ".device")
  end)(document.devices, "devices")
end

shapes["clue tune"] = function(document)
  return wrong_fields(document, "it", {metadata = "table"})
    or wrong_fields(document.metadata or {}, "metadata", {device = "string", framework = "string"})
    or wrong_fields(document.clue, "clue", {name = "string", started = "string", device = device,
                                            tune_params = "table", best = list_of(best)})
    or list_of(result)(document.results, "results")
end

local function shape_problem(document, kind)
  if kind == "clue tune" then return shapes[kind](document) end
  return wrong_fields(document, "it", {machine = "table", options = "table", device = "table", clue = "string",
    started = "string", finished = "string"}) or device(document.device or {}, "device")
    or list_of(device)(document.devices, "devices") or shapes[kind](document)
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
