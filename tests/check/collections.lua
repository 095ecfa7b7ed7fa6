-- Judges `clue check` by public collections of kernels with and without faults, which are fetched, not committed:
--
--     git clone --branch v21.10 https://github.com/jrprice/Oclgrind
--     git clone https://github.com/mc-imperial/gpuverify
--     build/clue tests/check/collections.lua oclgrind Oclgrind/tests/kernels
--     build/clue tests/check/collections.lua gpuverify gpuverify/testsuite/OpenCL
--
-- Prints each kernel that is judged otherwise than by its collection, then how many were judged how.
local findings = require "clue.check.findings"
local lfs = require "lfs"
local read_file = require("clue.file").read
local run = require "clue.check.run"
local temporary = require("clue.shared.paths").with_temporary_folder

local collection, folder = arg[1], arg[2]

-- A range has fewer groups than a collection asks for, at least two, where it would be larger: it is simulated.
local MOST_ITEMS = 4096

-- ---- the kernels of a folder ----

local function files_in(path, ending, into)
  for name in lfs.dir(path) do
    local whole = path .. "/" .. name
    if name ~= "." and name ~= ".." then
      if lfs.attributes(whole, "mode") == "directory" then files_in(whole, ending, into)
      elseif name:sub(-#ending) == ending then into[#into + 1] = whole end
    end
  end
  return into
end

local readers = {}

-- Oclgrind's own: FILE.ref lists the errors that it is to report.
function readers.oclgrind(path)
  if path:find "/interactive/" then return nil, "needs the debugger" end
  local expected = {}
  local errors = (read_file(path:gsub("%.sim$", ".ref")) or ""):gmatch "ERROR ([^\r\n]*)"
  for text in errors do expected[#expected + 1] = text end
  return {path = arg[0]:gsub("[^/]*$", "") .. "sim.lua", words = {path}, expected = expected}
end

-- "[64,64]" or "64"
local function sizes(text)
  local list = {}
  for number in (text or ""):gmatch "%d+" do list[#list + 1] = tonumber(number) end
  return list[1] and list
end

local annotations = {"__requires", "__invariant", "__ensures", "__assert", "__assume", "__enabled", "__implies",
  "__other", "__read", "__write", "__uniform", "__distinct", "__global_", "__function_wide", "__candidate", "__spec",
  "__no_", "__ptr", "__old", "__return", "__equal", "__atomic_has", "__reads", "__writes", "__array_snapshot",
  "__exclusive", "__uninterpreted", "__barrier", "__all", "__add_noovfl", "__ite", "__max", "__non_temporal"}

-- GPUVerify's: the first lines say what it is to find, and for which sizes. Kernels with annotations are about its
-- proofs, not about kernels. It does not look for memory that nobody has written, and for bounds only if asked to.
function readers.gpuverify(path)
  local text = read_file(path)
  local verdict, options = text:match "^//([^\r\n]*)\r?\n//([^\r\n]*)"
  if not verdict then return nil, "has no verdict" end
  for _, word in ipairs(annotations) do
    if text:find(word, 1, true) then return nil, "is about GPUVerify's annotations" end
  end
  if verdict:upper() ~= "PASS" and not verdict:find "NOT_ALL_VERIFIED" then
    return nil, "is about GPUVerify's messages"
  end
  for _, option in ipairs {"%-%-only%-", "%-%-kernel%-args", "%-%-warp%-sync"} do
    if options:find(option) then return nil, "changes the rules for GPUVerify" end
  end
  local by, groups = sizes(options:match "local_size=(%S+)"), sizes(options:match "num_groups=(%S+)")
  local global = sizes(options:match "global_size=(%S+)")
  if not (by and (groups or global)) then return nil, "gives no sizes" end
  local range, items = {}, 1
  for _, size in ipairs(by) do items = items * size end
  for i, size in ipairs(by) do
    local wanted = global and (global[i] or size) / size or groups[i] or 1
    range[i] = size * math.min(wanted, math.max(2, math.floor(MOST_ITEMS / items)))
  end
  if items > 1024 then return nil, "has groups of more than 1024 work-items" end
  local expected = {}
  for message in text:gmatch "error:%s*([^\r\n]*)" do expected[#expected + 1] = message end
  if verdict:find "xfail" and not expected[1] then expected[1] = "not verified" end
  local spec = {path = path, global = range, ["local"] = by, arguments = {}, options = options:match "%-D%S+",
                folders = {path:match "^(.*)/"}}
  local judged = {race = true, divergence = true, event = true, bounds = expected[1] == "not verified"
    or options:find "%-%-check%-array%-bounds" ~= nil or text:find "null pointer" ~= nil}
  return {prepare = run.launching("file", spec), expected = expected, judged = judged}
end

local endings = {oclgrind = ".sim", gpuverify = ".cl"}

-- ---- the runs ----

local function kinds_of(result)
  local list, seen = {}, {}
  for _, finding in ipairs(result.findings) do
    if not seen[finding.kind] then list[#list + 1] = finding.kind end
    seen[finding.kind] = true
  end
  return table.concat(list, ", ")
end

local function errors_of(case, result)
  local errors = 0
  for _, finding in ipairs(result.findings) do
    if findings.counts(finding) and (not case.judged or case.judged[finding.kind]) then errors = errors + 1 end
  end
  return errors
end

local function judge(case, result, counts)
  local errors = errors_of(case, result)
  if result.failed and (errors == 0 or result.launches == 0) then
    counts.unusable = counts.unusable + 1
    print(("%s: not run: %s"):format(case.name, (result.lines or {})[1] or result.failed))
    return
  end
  local wrong = #case.expected > 0
  local cell = wrong and (errors > 0 and "found" or "missed") or (errors > 0 and "false" or "clean")
  counts[cell] = counts[cell] + 1
  if cell == "missed" or cell == "false" then
    local expected = wrong and table.concat(case.expected, "; ") or "nothing"
    print(("%s: %s: expected %s; found %s"):format(case.name, cell, expected,
      result.findings[1] and kinds_of(result) or "nothing"))
  end
end

local function cases_of(files)
  local cases, left_out = {}, {}
  for _, path in ipairs(files) do
    local case, why = readers[collection](path)
    if case then
      case.name, case.seconds = path:sub(#folder + 2), 30
      cases[#cases + 1] = case
    else
      left_out[why] = (left_out[why] or 0) + 1
    end
  end
  return cases, left_out
end

if not (readers[collection] and folder) then
  io.stderr:write("collections.lua oclgrind|gpuverify FOLDER\n")
  os.exit(2)
end

local files = files_in(folder, endings[collection], {})
table.sort(files)
local cases, left_out = cases_of(files)
local counts = {found = 0, missed = 0, clean = 0, ["false"] = 0, unusable = 0}
temporary(function(there)
  for _, case in ipairs(cases) do case.folder = there end
  assert(not run.all(cases, 2, function(i, result) judge(cases[i], result, counts) end))
end)
for why, count in pairs(left_out) do print(("%d left out: %s"):format(count, why)) end
print(("%d wrong: %d found, %d missed; %d right: %d clean, %d false alarms; %d could not run"):format(
  counts.found + counts.missed, counts.found, counts.missed, counts.clean + counts["false"], counts.clean,
  counts["false"], counts.unusable))
