--- `clue count`: what each launch of a script's kernels does, counted on a simulator.
-- @module clue.command.count
local counted = require "clue.walk.counted"
local host = require "clue.options"
local json = require "clue.shared.json"
local kernels = require "clue.count.kernels"
local output = require "clue.output"
local request = require "clue.walk.request"
local read = require "clue.compare.read"
local read_file = require "clue.read_file"
local run = require "clue.count.run"
local save = require "clue.save"
local subcommand = require "clue.shared.subcommand"
local temporary = require "clue.shared.temporary"
local view = require "clue.count.view"

local command = subcommand.new {
  name = "count",
  summary = "count what a script's kernels do: operations, requests, sectors, bank conflicts, lanes",
  about = "Runs a script, or the steps of a walkthrough, on Oclgrind, a simulator, and counts exactly what each "
    .. "kernel does: operations, accesses of memory by source line, and how warps of 32 work-items make them. The "
    .. "counts are those of the kernel's code, for GPUs; they say nothing about time. Simulating is slow, so give "
    .. "small sizes. Exit status 0: counted; 1: the script failed, or nothing can be counted here; 2: wrong use.",
}

local refuse = command.refuse

-- ---- options ----

-- "size=32,48,64"
local function series(text)
  local name, values = text:match "^([%a_][%w_%-]*)=([%d,]+)$"
  local list = {}
  for value in (values or ""):gmatch "%d+" do list[#list + 1] = tonumber(value) end
  if #list >= 3 then return {name = name, values = list} end
  return nil, ("--fit '%s': it must be an input of the script and three sizes or more, such as size=32,48,64")
    :format(text)
end

function command.options(parser)
  parser:argument("what", "the script, which gets all words after it; or a walkthrough's name, or its folder's path")
    :args "?"
  parser:option("--steps", "of a walkthrough: the steps to count, 2-5, or 1,4,7-9 (default: all)")
  parser:option("--size", "of a walkthrough: the problem's size (default: a small one)")
  parser:option("--kernel", "show only this kernel"):argname "NAME"
  parser:flag("--wavefront", "show the requests of wavefronts of 64 work-items, as AMD's GPUs of old make them")
  parser:flag("--lines", "show what each source line executed")
  parser:flag("--pictures", "draw which bytes the first warp asks for at each place")
  parser:option("--fit", "run with several values of an input, and show formulas over it"):argname "NAME=N,N,N"
    :convert(series)
  parser:option("--peak", "a file of `clue peak --json`: show how long each limit of its device alone would take")
    :argname "FILE"
  subcommand.time_limit(parser, "600", "stop a script after so many seconds")
  subcommand.json_file(parser, "write all counts to this file")
end

local with_value = {["--steps"] = true, ["--size"] = true, ["--kernel"] = true, ["--fit"] = true, ["--peak"] = true,
                    ["--time-limit"] = true, ["--json"] = true}

function command.words(args)
  return subcommand.script_words(args, with_value)
end

-- ---- printing ----

local function kernels_to_show(parsed, result)
  local list = {}
  for _, kernel in ipairs(result.kernels) do
    if not parsed.kernel or kernel.kernel == parsed.kernel then list[#list + 1] = kernel end
  end
  return list
end

local function how_of(parsed, peak)
  return {width = parsed.wavefront and "wavefront" or "warp", lines = parsed.lines, pictures = parsed.pictures,
          peak = peak}
end

-- A script's own errors were shown as they came.
local function say_failure(name, result, shown)
  if not result.failed then return false end
  refuse(("%s %s"):format(name, result.failed))
  if shown then return true end
  for _, line in ipairs(result.lines or {}) do output.err:write("  ", line, "\n") end
  return true
end

local function print_kernels(parsed, result, peak)
  for i, kernel in ipairs(kernels_to_show(parsed, result)) do
    if i > 1 then output.print "" end
    view.kernel(kernel, how_of(parsed, peak))
  end
end

-- The same kernel at every size.
local function print_fits(parsed, results, given, entry)
  entry.fits = json.list {}
  for i, kernel in ipairs(kernels_to_show(parsed, results[1])) do
    local same = {}
    for r, result in ipairs(results) do same[r] = kernels_to_show(parsed, result)[i] end
    if #same == #results then
      local formulas = view.formulas(given, same, how_of(parsed).width)
      entry.fits[#entry.fits + 1] = {kernel = kernel.kernel, sizes = given, formulas = formulas}
      output.print ""
      view.print_formulas(kernel, given, formulas)
    end
  end
end

local order = {"format", "clue", "file", "runs", "number", "name", "words", "kernels", "kernel"}

local function new_document(parsed)
  return {format = "clue count 1", clue = host.version, file = parsed.what, runs = json.list {}}
end

local function save_json(parsed, document)
  if not parsed.json then return true end
  local saved, why = save(parsed.json, json.text(document, true, order) .. "\n")
  return saved or refuse("--json: " .. why, false)
end

-- ---- a script ----

local function words_of(rest, fit, value)
  local words = {}
  for i, word in ipairs(rest) do words[i] = word end
  if fit then words[#words + 1], words[#words + 2] = "--" .. fit.name, ("%.0f"):format(value) end
  return words
end

local function count_script(parsed, rest, folder, peak)
  local values = parsed.fit and parsed.fit.values or {false}
  local list, results = {}, {}
  for i, value in ipairs(values) do
    list[i] = {path = parsed.what, words = words_of(rest, parsed.fit, value), folder = folder, show = i == #values,
               seconds = parsed.time_limit, progress = output.progress}
  end
  local why = run.all(list, 1, function(i, result) results[i] = result end)
  output.clear_progress()
  if why then return refuse(why, 1) end
  local document = new_document(parsed)
  for i, result in ipairs(results) do
    document.runs[i] = {words = json.list(list[i].words), kernels = result.kernels, failed = result.failed}
  end
  local last = results[#results]
  print_kernels(parsed, last, peak)
  if parsed.fit then print_fits(parsed, results, values, document.runs[#results]) end
  local saved = save_json(parsed, document)
  if say_failure(parsed.what, last, true) or not saved then return 1 end
  if not last.kernels[1] then return refuse(parsed.what .. ": it launched no kernel", 1) end
  if not kernels_to_show(parsed, last)[1] then
    return refuse(("--kernel: %s launched no kernel '%s'"):format(parsed.what, parsed.kernel), 1)
  end
  return 0
end

-- ---- a walkthrough ----

local function show_steps(entries, width)
  local rows, missing = {}, {}
  for _, entry in ipairs(entries) do
    local result = entry.result
    if result.kernels[1] then
      rows[#rows + 1] = {number = entry.number, name = entry.name, sums = kernels.sums(result.kernels, width),
                         flops = (result.variants[1] or {}).flops}
    else
      entry.why = result.skipped or result.failed or "it launches no kernel"
      missing[#missing + 1] = entry
    end
  end
  if rows[1] then view.steps(rows) end
  view.missing(missing)
end

-- The chosen steps of a walkthrough; nil after reporting what is wrong.
local function chosen_steps(parsed)
  local walkthrough = request.find(parsed.what, refuse)
  if not walkthrough then return nil end
  local why = parsed.size and request.size_problem(walkthrough, parsed.size)
  if why then return refuse(why) end
  return walkthrough, request.steps(parsed, walkthrough, refuse)
end

local function count_walkthrough(parsed, peak)
  local walkthrough, steps = chosen_steps(parsed)
  if not steps then return 2 end
  local results, size = counted.results(walkthrough, steps, {seconds = parsed.time_limit, size = parsed.size,
                                                             progress = output.progress})
  output.clear_progress()
  if not results then return refuse(size, 1) end
  local entries, failed = {}, false
  for i, step in ipairs(steps) do entries[i] = {number = step.number, name = step.name, result = results[i]} end
  show_steps(entries, how_of(parsed).width)
  local document = new_document(parsed)
  for i, entry in ipairs(entries) do
    local result = entry.result
    failed = say_failure(("step %s"):format(tostring(entry.number)), result) or failed
    document.runs[i] = {number = entry.number, name = entry.name, size = size, kernels = result.kernels,
                        skipped = result.skipped, failed = result.failed}
    if parsed.steps and #kernels_to_show(parsed, result) > 0 then
      output.print(("\nstep %s, %s"):format(tostring(entry.number), entry.name))
      print_kernels(parsed, result, peak)
    end
  end
  if not save_json(parsed, document) then return 1 end
  return failed and 1 or 0
end

-- ---- the command ----

local function peak_of(path)
  if not path then return nil end
  local document, kind = read(path)
  if not document then return nil, "--peak: " .. kind end
  if kind ~= "clue peak" then return nil, ("--peak: %s is from %s, not from clue peak"):format(path, kind) end
  return document
end

function command.work(parsed, rest)
  if not parsed.what then return command.wrong_use "which script, or which walkthrough?" end
  local is_script = parsed.what:find "%.lua$" ~= nil
  for _, name in ipairs {"steps", "size"} do
    if is_script and parsed[name] then
      return command.wrong_use(("--%s is for walkthroughs; a script's own options follow it"):format(name))
    end
  end
  if parsed.fit and not is_script then return command.wrong_use "--fit is for scripts" end
  if is_script then
    local text, why = read_file(parsed.what)
    if not text then return refuse(why, 2) end
  end
  local peak, wrong = peak_of(parsed.peak)
  if wrong then return command.wrong_use(wrong) end
  if not is_script then return command.attempt(count_walkthrough, parsed, peak) end
  return command.attempt(temporary, function(folder) return count_script(parsed, rest, folder, peak) end)
end

return command
