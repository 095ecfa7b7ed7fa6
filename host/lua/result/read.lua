--- Reads what `clue walk --json` and `clue peak --json` wrote, and the results of `clue tune`. Reports what is wrong
-- with a file and what to do.
local child = require "clue.shared.child"
local gains = require "clue.result.gain"
local json = require "clue.shared.json"
local read_file = require("clue.file").read
local row_of = require "clue.result.row"
local shape = require "clue.result.shape"

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
  if name == "clue peak" and document.limits == nil and shape.is_list(document.devices) and document.devices[1] then
    return name -- several devices: a list of their documents
  end
  if type(document[kind.list]) ~= "table" then
    return nil, ("%s: format '%s' without %s: was the file changed?"):format(path, document.format, kind.list)
  end
  return name
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
  why = shape.document(document, kind)
  if why then return nil, ("%s: the file is not as clue wrote it: %s"):format(path, why) end
  for _, walkthrough in ipairs(kind == "clue walk" and document.walkthroughs or {}) do
    for _, run in ipairs(walkthrough.runs or {}) do read.complete(run.rows or {}) end
  end
  return document, kind
end

return read
