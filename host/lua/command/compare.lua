--- `clue compare`: compares two runs: device with device, driver with driver, yesterday with today.
-- @module clue.command.compare
local counted = require("clue.text").count
local json = require "clue.shared.json"
local output = require "clue.output"
local peaks = require "clue.compare.peaks"
local read = require "clue.compare.read"
local save = require "clue.save"
local subcommand = require "clue.shared.subcommand"
local tables = require "clue.table"
local view = require "clue.compare.view"
local walks = require "clue.compare.walks"

local command = subcommand.new {
  name = "compare",
  summary = "compare two runs of `clue walk` or `clue peak`",
  about = "Compares two runs, from the files that `clue walk --json FILE` or `clue peak --json FILE` wrote. A is the "
    .. "earlier run, B the later one: a ratio above 1 means that B is faster. It is the quotient of the two medians "
    .. "beside it.",
}

local refuse = command.refuse

function command.options(parser)
  parser:argument("a", "the earlier run; - for standard input"):argname "A.json"
  parser:argument("b", "the later run"):argname "B.json"
  parser:option("--device-a", "use only this device of A: its address in that file (1:0), or a part of its name")
    :argname "SPEC"
  parser:option("--device-b", "use only this device of B; A and B may be the same file"):argname "SPEC"
  parser:option("--step-a", "use only this step of A's walkthrough"):argname "STEP"
  parser:option("--step-b", "compare it with this step of B, such as an edited copy; A and B may be the same file")
    :argname "STEP"
  subcommand.json_file(parser, "write the comparison to this file as well")
end

local print_lines = output.print_lines

-- ---- walkthroughs ----

local function count(sections)
  local counts = {rows = 0, faster = 0, slower = 0, same = 0, unsure = 0, lost = {}, won = {}, alone = 0}
  for _, section in ipairs(sections) do
    counts.alone = counts.alone + #section.only_a + #section.only_b
    for _, pair in ipairs(section.pairs) do
      counts.rows = counts.rows + 1
      local where = ("%s step %s %s%s on %s"):format(section.walkthrough, tostring(pair.number), pair.name or "",
        pair.point and " at " .. pair.point or "", section.b.name or section.b.address)
      if pair.lost then table.insert(counts.lost, {where = where, pair = pair}) end
      if pair.won then table.insert(counts.won, {where = where, pair = pair}) end
      local word = view.word(pair.gain)
      local what = word == "B faster" and "faster" or word == "A faster" and "slower" or word == "unsure" and "unsure"
        or word and "same"
      if what then counts[what] = counts[what] + 1 end
    end
  end
  return counts
end

local function why_of(row)
  if row.failed then return row.failed.text end
  return row.skipped or row.check and row.check.text
end

local function shout(counts, width)
  local function say(text) print_lines(tables.wrap(text, width, "   ")) end
  for _, entry in ipairs(counts.lost) do
    local why = why_of(entry.pair.b.row)
    say(("!! NO LONGER VERIFIED: %s: %s in B%s"):format(entry.where, entry.pair.b.verdict, why and ": " .. why or ""))
  end
  for _, entry in ipairs(counts.won) do
    local why = why_of(entry.pair.a.row)
    say(("!! VERIFIED ONLY IN B: %s: %s in A%s"):format(entry.where, entry.pair.a.verdict, why and ": " .. why or ""))
  end
end

local function summary(counts)
  if counts.rows == 0 then return "no step is in both" end
  local parts = {}
  local function part(number, text) if number > 0 then parts[#parts + 1] = ("%d %s"):format(number, text) end end
  part(counts.faster, "faster in B")
  part(counts.slower, "slower in B")
  part(counts.same, "without difference")
  part(counts.unsure, "with too few runs to know (each side needs four)")
  part(#counts.lost, "NO LONGER VERIFIED")
  part(#counts.won, "verified only in B")
  local rest = counts.rows - counts.faster - counts.slower - counts.same - counts.unsure - #counts.lost - #counts.won
  part(rest, "without times in both")
  return ("%s in both: %s%s"):format(counted(counts.rows, "step"), table.concat(parts, ", "),
    counts.alone > 0 and ("; %d in one only"):format(counts.alone) or "")
end

local function compare_walks(files, a, b, width, how)
  local sections = walks.compare(a, b, how)
  print_lines(view.head(files, a, b, "clue walk", width))
  for _, section in ipairs(sections) do
    output.print ""
    print_lines(view.section(section, width))
  end
  output.print ""
  local counts = count(sections)
  shout(counts, width)
  print_lines(tables.wrap(summary(counts), width))
  return {sections = sections, summary = summary(counts)}, #counts.lost > 0 and 1 or 0
end

-- ---- limits ----

local function compare_peaks(files, a, b, width)
  local both, only_a, only_b = peaks.compare(a, b)
  print_lines(view.head(files, a, b, "clue peak", width))
  print_lines(view.devices(a.device or {}, b.device or {}, width))
  output.print ""
  print_lines(view.limits(both, only_a, only_b, width))
  local better, worse = 0, 0
  for _, pair in ipairs(both) do
    local word = view.word(pair.gain)
    better, worse = better + (word == "B faster" and 1 or 0), worse + (word == "A faster" and 1 or 0)
  end
  local text = #both == 0 and "no limit is in both"
    or ("%s in both: %d better in B, %d better in A"):format(counted(#both, "limit"), better, worse)
  output.print ""
  output.print(text)
  return {limits = both, only_a = only_a, only_b = only_b, summary = text}, 0
end

-- ---- one device of several ----

local function is_meant(device, spec)
  return device.address == spec or (device.name or ""):lower():find(spec:lower(), 1, true) ~= nil
end

local function list_of_devices(devices)
  local there = {}
  for i, device in ipairs(devices) do there[i] = ("%s %s"):format(device.address or "?", device.name or "?") end
  return table.concat(there, ", ")
end

-- Reduces the limits of several devices to those of one. Returns nil after reporting which devices there are.
local function narrow_limits(document, spec, path, option)
  local devices = {}
  for i, each in ipairs(document.devices) do
    devices[i] = each.device
    if spec and is_meant(each.device, spec) or not spec and #document.devices == 1 then return each end
  end
  if spec then return refuse(("%s has no device '%s'; there is: %s"):format(path, spec, list_of_devices(devices))) end
  return refuse(("%s has the limits of several devices: choose one with %s: %s"):format(path, option,
    list_of_devices(devices)))
end

-- Reduces a document to the runs on one device. Returns nil after reporting which devices there are.
local function narrow(document, spec, path, option)
  if not document.limits and not document.walkthroughs then return narrow_limits(document, spec, path, option) end
  if not spec or document.limits then return document end
  local address
  for _, device in ipairs(document.devices or {}) do
    if not address and is_meant(device, spec) then address = device.address end
  end
  if not address then
    return refuse(("%s has no device '%s'; there is: %s"):format(path, spec, list_of_devices(document.devices or {})))
  end
  for _, walkthrough in ipairs(document.walkthroughs or {}) do
    local runs = {}
    for _, run in ipairs(walkthrough.runs or {}) do
      if run.device == address then runs[#runs + 1] = run end
    end
    walkthrough.runs = runs
  end
  return document
end

-- ---- one step of each ----

local function steps_of(document)
  local numbers, seen = {}, {}
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, run in ipairs(walkthrough.runs or {}) do
      for _, row in ipairs(run.rows or {}) do
        local text = ("%s %s"):format(tostring(row.number), row.name or "")
        if not seen[text] then numbers[#numbers + 1], seen[text] = text, true end
      end
    end
  end
  return numbers
end

-- Leaves one step in a document. Returns nil after reporting which there are.
local function narrow_step(document, number, path)
  local there = steps_of(document)
  local found = false
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, run in ipairs(walkthrough.runs or {}) do
      local rows = {}
      for _, row in ipairs(run.rows or {}) do
        if tostring(row.number) == number then rows[#rows + 1], found = row, true end
      end
      run.rows = rows
    end
  end
  if found then return document end
  return refuse(("%s has no step '%s'; there are: %s"):format(path, number, table.concat(there, ", ")))
end

local function narrow_both_steps(options, a, b)
  local number = options.step_a or options.step_b
  return narrow_step(a, number, options.a) and narrow_step(b, options.step_b or number, options.b)
end

-- ---- the document ----

-- Leaves out the rows, which are in the compared files.
local function without_rows(section)
  for _, pair in ipairs(json.list(section.pairs)) do pair.a.row, pair.b.row = nil, nil end
  json.list(section.only_a)
  json.list(section.only_b)
end

local function document_of(files, a, b, kind, result)
  local function about(path, document)
    return {file = path, clue = document.clue, started = document.started, finished = document.finished,
            machine = document.machine, devices = document.devices or {document.device}}
  end
  result.format, result.kind, result.caution = "clue compare 1", kind, view.caution
  result.a, result.b = about(files.a, a), about(files.b, b)
  for _, section in ipairs(result.sections or {}) do without_rows(section) end
  for _, name in ipairs {"sections", "limits", "only_a", "only_b"} do
    if result[name] then json.list(result[name]) end
  end
  return result
end

-- ---- the command ----

local kinds = {["clue walk"] = compare_walks, ["clue peak"] = compare_peaks}

local function path_of(word)
  return word == "-" and "/dev/stdin" or word
end

local function read_both(options)
  options.a, options.b = path_of(options.a), path_of(options.b)
  local a, kind_a = read(options.a)
  local b, kind_b = read(options.b)
  if not a then refuse(kind_a) end
  if not b then refuse(kind_b) end
  if not (a and b) then return nil end
  if kind_a ~= kind_b then
    return refuse(("%s is from %s, but %s is from %s: give two files of the same command"):format(options.a, kind_a,
      options.b, kind_b))
  end
  a = narrow(a, options.device_a, options.a, "--device-a")
  b = narrow(b, options.device_b, options.b, "--device-b")
  return a and b and a, b, kind_a
end

-- The exit status is also 1 if something that was verified in A is not verified in B.
function command.work(options)
  local a, b, kind = read_both(options)
  if not a then return 1 end
  local width, files = output.out:columns(132), {a = options.a, b = options.b}
  if options.step_a or options.step_b then
    if kind ~= "clue walk" then return refuse("--step-a and --step-b are for files of clue walk", 2) end
    if not narrow_both_steps(options, a, b) then return 1 end
  end
  local result, status = kinds[kind](files, a, b, width, {any = (options.step_a or options.step_b) ~= nil})
  print_lines(tables.wrap(view.caution, width, "   "))
  if not options.json then return status end
  local text = json.text(document_of(files, a, b, kind, result), true)
  local saved, why = save(options.json, text .. "\n")
  if saved then return status end
  return refuse("--json: cannot write " .. why, 1)
end

return command
