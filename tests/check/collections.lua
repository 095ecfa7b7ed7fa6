-- Judges `clue check` by public collections of kernels with and without faults, which are fetched, not committed:
--
--     git clone --branch v21.10 https://github.com/jrprice/Oclgrind
--     git clone https://github.com/mc-imperial/gpuverify
--     git clone https://github.com/cogumbreiro/faial
--     git clone https://github.com/Soboleva-Alyona/opencl_restrict_analyzer
--     build/clue tests/check/collections.lua oclgrind Oclgrind/tests/kernels
--     build/clue tests/check/collections.lua gpuverify gpuverify/testsuite/OpenCL
--     build/clue tests/check/collections.lua gpuverify gpuverify/testsuite/CUDA
--     build/clue tests/check/collections.lua faial faial/examples/drf
--     build/clue tests/check/collections.lua restrict opencl_restrict_analyzer/test
--
-- Kernels in CUDA are translated first (cuda.lua), as far as macros of a kind go. Prints each kernel that is judged
-- otherwise than by its collection, with the cause if it is known (causes.lua), then how many were judged how.
local findings = require "clue.check.findings"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local read_file = require("clue.file").read
local run = require "clue.check.run"
local save = require("clue.file").save
local temporary = require("clue.shared.paths").with_temporary_folder

local here = arg[0]:gsub("[^/]*$", "")
local causes, cuda = dofile(here .. "causes.lua"), dofile(here .. "cuda.lua")

local collection, folder = arg[1], arg[2]

-- A range has fewer groups than a collection asks for, at least two, where it would be larger: it is simulated.
local MOST_ITEMS = 4096

-- ---- the kernels of a folder ----

local function has_ending(name, endings)
  for _, ending in ipairs(endings) do
    if name:sub(-#ending) == ending then return true end
  end
  return false
end

local function files_in(path, endings, into)
  for name in lfs.dir(path) do
    local whole = path .. "/" .. name
    if name ~= "." and name ~= ".." then
      if lfs.attributes(whole, "mode") == "directory" then files_in(whole, endings, into)
      elseif has_ending(name, endings) then into[#into + 1] = whole end
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
  return {{path = here .. "sim.lua", words = {path}, expected = expected}}
end

-- ---- kernels without a script ----

-- GPUVerify's precondition: with other numbers, the kernel is not meant to do anything.
local REQUIRES = "#define __requires(condition) if (!(condition)) return\n#line 1\n"

-- The file to launch: the kernel's own, or its translation.
local function source_of(path, text, there)
  local is_cuda, requires = path:find "%.cu$", text:find("__requires", 1, true)
  if not (is_cuda or requires) then return path end
  local translated = ("%s/%s.cl"):format(there, path:gsub("[^%w]", "_"))
  assert(save(translated, (requires and REQUIRES or "") .. (is_cuda and cuda.translate(text) or text)))
  return translated
end

-- A case for clue.check.run, of one launch and its tries.
local function launched(path, text, there, more)
  local spec = {path = source_of(path, text, there), arguments = {}, fields = {}, folders = {path:match "^(.*)/"}}
  for name, value in pairs(more) do spec[name] = value end
  return {file = spec}
end

-- "[64,64]" or "64"
local function sizes(text)
  local list = {}
  for number in (text or ""):gmatch "%d+" do list[#list + 1] = tonumber(number) end
  return list[1] and list
end

local annotations = {"__invariant", "__ensures", "__assert", "__assume", "__enabled", "__implies",
  "__other", "__read", "__write", "__uniform", "__distinct", "__global_", "__function_wide", "__candidate", "__spec",
  "__no_", "__ptr", "__old", "__return", "__equal", "__atomic_has", "__reads", "__writes", "__array_snapshot",
  "__exclusive", "__uninterpreted", "__barrier", "__all", "__add_noovfl", "__ite", "__max", "__non_temporal"}

-- The numbers that preconditions give.
local function required(text)
  local numbers = {}
  for name, number in text:gmatch "__requires%s*%(%s*([%a_][%w_]*)%s*==%s*(%d+)%s*%)" do
    numbers[name] = tonumber(number)
  end
  return numbers
end

-- GPUVerify's: the first lines say what it is to find, and for which sizes. Kernels with annotations, but for
-- preconditions, are about its proofs, not about kernels. It does not look for memory that nobody has written, and for
-- bounds only if asked to.
function readers.gpuverify(path, there)
  local text = read_file(path)
  local verdict, options = text:match "^//([^\r\n]*)\r?\n//([^\r\n]*)"
  if not verdict then return nil, "has no verdict" end
  local plain = text:gsub("__global__", "")
  for _, word in ipairs(annotations) do
    if plain:find(word, 1, true) then return nil, "is about GPUVerify's annotations" end
  end
  if verdict:upper() ~= "PASS" and not verdict:find "NOT_ALL_VERIFIED" then
    return nil, "is about GPUVerify's messages"
  end
  for _, option in ipairs {"%-%-only%-", "%-%-kernel%-args", "%-%-warp%-sync"} do
    if options:find(option) then return nil, "changes the rules for GPUVerify" end
  end
  local by = sizes(options:match "local_size=(%S+)" or options:match "blockDim=(%S+)")
  local groups = sizes(options:match "num_groups=(%S+)" or options:match "gridDim=(%S+)")
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
  local case = launched(path, text, there, {global = range, ["local"] = by, options = options:match "%-D%S+",
    arguments = required(text)})
  case.expected = expected
  case.judged = {race = true, divergence = true, event = true, bounds = expected[1] == "not verified"
    or options:find "%-%-check%-array%-bounds" ~= nil or text:find "null pointer" ~= nil}
  return {case}
end

-- Faial's: the name says whether there is a race within a group. Those of its list of unsupported ones are left out.
function readers.faial(path, there)
  local text, name = read_file(path), path:match "([^/]*)$"
  local tests = read_file(folder .. "/test.ml"):match "^(.-)let unsupported" or ""
  local verdict = tests:match('"' .. name:gsub("%p", "%%%0") .. '", %[%], (%d)')
  if not verdict then return nil, "has no verdict for all numbers" end
  if text:find "%-%-gridDim" then return nil, "has a verdict for sizes of its own" end
  local case = launched(path, text, there, {global = {64}, ["local"] = {64}})
  case.expected, case.judged = verdict == "1" and {"race"} or {}, {race = true}
  return {case}
end

-- The names of the tests and of the kernels in the analyzer's tests of bounds say which have a fault; each kernel gets
-- three buffers of 16 ints.
function readers.restrict(path, there)
  if not path:find "test_bounds%.cl$" then return nil, "is about restrict, or needs its arguments" end
  local text, cases = read_file(path), {}
  for name in text:gmatch "kernel void ([%w_]+)" do
    local case = launched(path, text, there, {global = {16}, kernel = name, arguments = {a = 16, b = 16, c = 16}})
    case.expected, case.judged = name:find "^test_violation" and {"bounds"} or {}, {bounds = true}
    case.name = name
    cases[#cases + 1] = case
  end
  return cases
end

local endings = {oclgrind = {".sim"}, gpuverify = {".cl", ".cu"}, faial = {".cu"}, restrict = {".cl"}}

-- ---- the runs ----

local function kinds_of(result)
  local list, seen = {}, {}
  for _, finding in ipairs(result.findings) do
    if not seen[finding.kind] then list[#list + 1] = finding.kind end
    seen[finding.kind] = true
  end
  return table.concat(list, ", ")
end

-- What the simulator could not do is no verdict.
local function is_verdict(finding, result)
  return findings.counts(finding) and finding.kind ~= "fault" and not (result.failed and finding.kind == "call")
end

-- How many findings are of the kinds that the collection judges, and how many of unwritten memory, if it does not.
local function errors_of(case, result)
  local errors, unwritten = 0, 0
  for _, finding in ipairs(result.findings) do
    local counts = is_verdict(finding, result)
    if counts and (not case.judged or case.judged[finding.kind]) then errors = errors + 1
    elseif counts and finding.kind == "uninitialised" then unwritten = unwritten + 1 end
  end
  return errors, unwritten
end

-- The compiler's first error, or else the first line, without the folder of the file.
local function line_of(case, lines)
  local told = lists.find(lines, function(line) return line:find(" error: ", 1, true) end) or lines[1]
  local from, to = (told or ""):find(case.path or case.file.path, 1, true)
  return from and told:sub(1, from - 1) .. case.name .. told:sub(to + 1) or told
end

local function why_not(case, result)
  local first = result.unlaunched[1]
  for _, finding in ipairs(result.findings) do
    if finding.kind == "fault" then return "the simulator could not go on" end
  end
  return first and ("kernel '%s': %s"):format(first.kernel, first.why)
    or line_of(case, result.lines or {}) or result.failed
end

local function cell_of(wrong, errors, unwritten)
  if wrong then return errors > 0 and "found" or unwritten > 0 and "unwritten" or "missed" end
  return errors > 0 and "false" or unwritten > 0 and "unwritten" or "clean"
end

-- Unwritten memory is told truly or falsely whatever the collection says: each such kernel is printed.
local function judge(case, result, counts)
  local errors, unwritten = errors_of(case, result)
  local wrong = #case.expected > 0
  if errors == 0 and why_not(case, result) then
    counts.unusable = counts.unusable + 1
    print(("%s: not run: %s"):format(case.name, why_not(case, result)))
    return
  end
  local cell = cell_of(wrong, errors, unwritten)
  counts[cell] = counts[cell] + 1
  if cell == "found" or cell == "clean" then return end
  local cause = causes[case.name]
  if cause then counts.known[cell] = (counts.known[cell] or 0) + 1 end
  print(("%s: %s: expected %s; found %s%s"):format(case.name, cell, wrong and table.concat(case.expected, "; ")
    or "nothing", result.findings[1] and kinds_of(result) or "nothing", cause and "; " .. cause or ""))
end

local function add_cases(cases, left_out, path, there)
  local list, why = readers[collection](path, there)
  if not list then left_out[why] = (left_out[why] or 0) + 1 end
  for _, case in ipairs(list or {}) do
    case.name = path:sub(#folder + 2) .. (case.name and " " .. case.name or "")
    case.seconds, case.folder = 180, there
    cases[#cases + 1] = case
  end
end

local function percent(part, whole)
  return whole > 0 and ("%.1f %%"):format(100 * part / whole) or "-"
end

if not (readers[collection] and folder) then
  io.stderr:write("collections.lua oclgrind|gpuverify|faial|restrict FOLDER\n")
  os.exit(2)
end

io.stdout:setvbuf "line"
local files = files_in(folder, endings[collection], {})
table.sort(files)
local cases, left_out = {}, {}
local counts = {found = 0, missed = 0, clean = 0, ["false"] = 0, unwritten = 0, unusable = 0, known = {}}
temporary(function(there)
  for _, path in ipairs(files) do add_cases(cases, left_out, path, there) end
  assert(not run.all(cases, 2, function(i, result) judge(cases[i], result, counts) end))
end)
for why, count in pairs(left_out) do print(("%d left out: %s"):format(count, why)) end
local wrong, right = counts.found + counts.missed, counts.clean + counts["false"]
print(("%d wrong: %d found, %d missed; %d right: %d clean, %d false alarms; %d told of unwritten memory alone; "
  .. "%d could not run"):format(wrong, counts.found, counts.missed, right, counts.clean, counts["false"],
  counts.unwritten, counts.unusable))
print(("recall %s, precision %s"):format(percent(counts.found, wrong),
  percent(counts.found, counts.found + counts["false"])))
