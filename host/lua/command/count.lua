--- `clue count`: what each launch of a script's kernels does, counted on a simulator.
local bottleneck = require "clue.result.bottleneck"
local clue_options = require "clue.options"
local counted = require "clue.run.counted"
local fit = require "clue.show.count.fit"
local json = require "clue.shared.json"
local kernels = require "clue.result.counts"
local lists = require "clue.shared.list"
local log_lines = require "clue.shared.log_lines"
local output = require "clue.output"
local request = require "clue.run.request"
local parameters = require "clue.run.parameters"
local plain = require("clue.number").plain
local plan = require "clue.run.plan"
local read_file = require("clue.file").read
local space_advice = require("clue.shared.script").space_advice
local subcommand = require "clue.shared.subcommand"
local temporary = require("clue.shared.paths").with_temporary_folder
local terminal = require "clue.show.text"
local view = require "clue.show.count.view"

local command = subcommand.new {
  name = "count",
  group = "kernel",
  page = "reference/counting.md",
  instead = {device = "kernels run on a simulator, whatever devices there are"},
  summary = "count operations, sectors, bank conflicts, lanes; needs no GPU",
  about = "Runs a script, or the steps of a walkthrough, on Oclgrind, a simulator, and counts exactly what each "
    .. "kernel does: operations, accesses of memory by source line, and how warps of 32 work-items make them. The "
    .. "counts are those of the kernel's code, for GPUs; they say nothing about time. Simulating is slow, so give "
    .. "small sizes. Exit status 0: counted; 1: the script failed, a step's result is wrong, or nothing can be "
    .. "counted here; 2: wrong use.",
}

local refuse = command.refuse

-- ---- options ----

-- "size=32,48,64"
local function sizes_to_fit(text)
  local name, values = text:match "^([%a_][%w_%-]*)=(.+)$"
  local list, seen = {}, {}
  values = (values or ""):gsub("[^,]+", plain)
  for word in (values:match "^[%d,]+$" or ""):gmatch "%d+" do
    local value = tonumber(word)
    if seen[value] then
      return nil, ("--fit '%s': %s is there twice; formulas need different sizes"):format(text, word)
    end
    list[#list + 1], seen[value] = value, true
  end
  if #list >= 3 then return {name = name, values = list} end
  return nil, ("--fit '%s': it must be an input of the script and three sizes or more, such as size=32,48,64")
    :format(text)
end

-- "a=480,b=480"
local function row_lengths(text)
  local lengths = {}
  for part in (text .. ","):gmatch "([^,]*)," do
    local name, length = part:match "^([%a_][%w_]*)=(.+)$"
    length = length and plain(length):match "^%d+$"
    if not length or tonumber(length) < 1 then
      return nil, ("--rows '%s': it must be arguments of a kernel and the elements of a row, such as a=480,b=480")
        :format(text)
    end
    lengths[name] = tonumber(length)
  end
  return lengths
end

function command.options(parser)
  subcommand.completes(subcommand.reads(parser:argument("what", "the script, which gets all words after it; or a "
    .. "walkthrough's name, or its folder's path"):args "?"), "walkthrough .lua")
  parser:option("--steps", "of a walkthrough: the steps to count, 2-5, or 1,4,7-9 (default: all)")
  parser:option("--size", "of a walkthrough: the problem's size (default: a small one)")
  parser:option("--set", "of a walkthrough: a parameter of its steps, such as tile=8; may be repeated for others")
    :argname "NAME=VALUE":count "*"
  parser:option("--type", "of a walkthrough: the type of the elements, if it has several")
  parser:option("--kernel", "show only this kernel"):argname "NAME"
  parser:flag("--wavefront", "show the requests of wavefronts of 64 work-items, as AMD's GPUs of old make them")
  parser:flag("--lines", "show what each source line executed")
  parser:flag("--pictures", "draw which elements a warp asks for at each place")
  parser:option("--rows", "draw these arguments as matrices, with rows of so many elements (implies --pictures)")
    :argname "NAME=N,..." :convert(row_lengths)
  parser:option("--fit", "run with several values of an input, and show formulas over it"):argname "NAME=N,N,N"
    :convert(sizes_to_fit)
  subcommand.reads(parser:option("--peak", "a file of `clue peak --json`: show how long each limit of its devices "
    .. "alone would take"):argname "FILE")
  subcommand.time_limit(parser, "600", "stop a script after so many seconds")
  subcommand.json_file(parser, "write all counts to this file")
end

command.words = subcommand.script_words

-- ---- printing ----

local function kernels_to_show(parsed, result)
  return lists.filter(result.kernels, function(kernel) return not parsed.kernel or kernel.kernel == parsed.kernel end)
end

local function how_of(parsed, peaks_of_file)
  return {width = parsed.wavefront and "wavefront" or "warp", lines = parsed.lines, peaks = peaks_of_file,
          pictures = parsed.pictures or parsed.rows ~= nil, rows = parsed.rows}
end

-- Of a step whose result is wrong, and of one that failed. A script's own errors were shown as they came.
local function say_failure(name, result, shown)
  if result.complaint then refuse(("%s: %s"):format(name, result.complaint)) end
  local wrong = result.check and not result.check.verified
  if wrong then refuse(("%s: its result is wrong: %s"):format(name, result.check.text)) end
  if not result.failed then return wrong end
  refuse(("%s %s"):format(name, result.failed))
  if shown then return true end
  for _, line in ipairs(log_lines.fitted(result.lines or {}, output.err:columns(100), "  ")) do
    output.err:write(line, "\n")
  end
  return true
end

local function print_kernels(parsed, result, peaks_of_file)
  for i, kernel in ipairs(kernels_to_show(parsed, result)) do
    if i > 1 then output.print "" end
    terminal.print(view.kernel(kernel, how_of(parsed, peaks_of_file)))
  end
end

-- The same kernel at every size.
local function print_fits(parsed, results, given, entry)
  entry.fits = json.list {}
  local runs = lists.map(results, function(result) return kernels_to_show(parsed, result) end)
  for _, of in ipairs(fit.kernels(runs)) do
    output.print ""
    if of.missing[1] then
      terminal.print(view.missing_formulas(of, parsed.fit.name, given))
    else
      local formulas = view.formulas(given, of.runs, how_of(parsed).width)
      entry.fits[#entry.fits + 1] = {kernel = of.kernel, groups = of.groups, place = of.place, sizes = given,
                                    formulas = formulas}
      terminal.print(view.formulas_table(of, given, formulas))
    end
  end
end

-- A name of --rows that no kernel has draws nothing, so it is an error.
local function say_unknown_rows(parsed, results)
  local launched = lists.flat(results, function(result) return result.kernels end)
  local known = lists.set(lists.map(lists.flat(launched, function(kernel) return kernel.sites end), function(site)
    return kernels.is_global(site) and site.object ~= "" and site.object or nil
  end))
  for name in pairs(parsed.rows or {}) do
    if not known[name] then
      return refuse(("--rows: no kernel accesses an argument '%s': %s"):format(name, table.concat(lists.keys(known),
        ", ")), true)
    end
  end
  return false
end

local function has_kernels(results)
  return lists.any(results, function(result) return result.kernels[1] end)
end

-- A name of --kernel that nothing launched shows nothing, so it is an error, too.
local function say_unknown_kernel(parsed, results, who)
  if not parsed.kernel or not has_kernels(results) then return false end
  local launched = lists.flat(results, function(result) return result.kernels end)
  local names = lists.distinct(lists.map(launched, function(kernel) return kernel.kernel end))
  if lists.set(names)[parsed.kernel] then return false end
  return refuse(("--kernel: %s launched no kernel '%s'; it launched: %s"):format(who, parsed.kernel,
    table.concat(names, ", ")), true)
end

local order = {"format", "clue", "file", "type", "set", "runs", "number", "name", "words", "kernels", "kernel"}

local function new_document(parsed)
  return {format = "clue count 1", clue = clue_options.version, file = parsed.what, type = parsed.type,
          set = parsed.set and json.list(parsed.set), runs = json.list {}}
end

-- ---- a script ----

local function words_of(rest, fitted, value)
  return lists.joined(rest, fitted and {"--" .. fitted.name, ("%.0f"):format(value)} or nil)
end

-- With --fit, a run that failed at one size has counts that are no kernel's whole work. What the last run wrote was
-- shown as it came.
local function say_failures(parsed, list, results)
  local failed = false
  for i, result in ipairs(results) do
    local name = parsed.what .. (parsed.fit and (" --%s %.0f"):format(parsed.fit.name, parsed.fit.values[i]) or "")
    failed = say_failure(name, result, list[i].show) or failed
  end
  return failed
end

local function say_slow(text)
  output.clear_progress()
  refuse(text .. ", and --fit formulas for a larger one")
end

local function count_script(parsed, rest, folder, peaks_of_file)
  local values = parsed.fit and parsed.fit.values or {false}
  local results = {}
  local list = lists.map(values, function(value, i)
    return {path = parsed.what, words = words_of(rest, parsed.fit, value), folder = folder, show = i == #values,
            seconds = parsed.time_limit, progress = output.progress, slow = say_slow}
  end)
  local why = counted.all(list, 1, function(i, result) results[i] = result end)
  output.clear_progress()
  if why then return refuse(why, 1) end
  local document = new_document(parsed)
  for i, result in ipairs(results) do
    document.runs[i] = {words = json.list(list[i].words), kernels = result.kernels, failed = result.failed}
  end
  local last = results[#results]
  print_kernels(parsed, last, peaks_of_file)
  local failed = say_failures(parsed, list, results)
  if parsed.fit and not failed then print_fits(parsed, results, values, document.runs[#results]) end
  local saved = command.save_json(parsed.json, document, order)
  if failed or not saved or say_unknown_rows(parsed, results) then return 1 end
  if not has_kernels(results) then
    return refuse(parsed.what .. ": it launched no kernel" .. space_advice(parsed.what), 1)
  end
  return say_unknown_kernel(parsed, results, parsed.what) and 1 or 0
end

-- ---- a walkthrough ----

local function show_steps(entries, width)
  local rows, missing = {}, {}
  for _, entry in ipairs(entries) do
    local result = entry.result
    if result.kernels[1] then
      rows[#rows + 1] = {number = entry.number, name = entry.name,
                         sums = kernels.sums(kernels.of_variant(result.kernels, 1), width),
                         flops = (result.variants[1] or {}).flops}
    else
      entry.why = result.skipped or result.failed or "it launches no kernel"
      missing[#missing + 1] = entry
    end
  end
  terminal.print(view.steps(rows))
  terminal.print(view.missing(missing))
end

-- The parameters of --set; nil after reporting what is wrong.
local function parameters_of(parsed)
  local axes, why = plan.read {set = parsed.set}
  if not axes then return refuse(why) end
  for _, it in ipairs(axes.parameters) do
    if #it.values > 1 then
      return refuse(("--set %s: it has %d values, and steps are counted with one; `clue walk --set` compares several")
        :format(it.name, #it.values))
    end
  end
  return axes
end

-- A walkthrough and its steps that are counted, with their parameters; nil after reporting what is wrong.
local function chosen_walkthrough(parsed)
  local walkthrough, steps = request.named(parsed, parsed.what, refuse)
  local axes = steps and parameters_of(parsed)
  if not axes then return nil end
  local chosen, had, inputs = plan.steps(axes, steps, parsed.steps ~= nil)
  if not chosen then return refuse(had) end
  for _, it in ipairs(axes.parameters) do
    if not had[it.name] then return refuse(parameters.nobody_has(it.name, steps, inputs)) end
  end
  return walkthrough, lists.map(chosen, function(each) return plan.single(axes, each) end)
end

-- The table shows steps; these options are about kernels.
local function shows_kernels(parsed)
  return parsed.steps or parsed.kernel or parsed.lines or parsed.pictures or parsed.rows or parsed.peak
end

local function count_walkthrough(parsed, peaks_of_file)
  local walkthrough, steps = chosen_walkthrough(parsed)
  if not steps then return 2 end
  local results, size = counted.results(walkthrough, steps, {seconds = parsed.time_limit, size = parsed.size,
                                                             type = parsed.type, progress = output.progress})
  output.clear_progress()
  if not results then return refuse(size, 1) end
  local entries, failed = {}, false
  for i, step in ipairs(steps) do entries[i] = {number = step.number, name = step.name, result = results[i]} end
  show_steps(entries, how_of(parsed).width)
  local document = new_document(parsed)
  for i, entry in ipairs(entries) do
    local result = entry.result
    failed = say_failure(("step %s"):format(tostring(entry.number)), result) or failed
    document.runs[i] = {number = entry.number, name = entry.name, size = size, variants = result.variants,
                        kernels = result.kernels, skipped = result.skipped, check = result.check,
                        failed = result.failed}
    if shows_kernels(parsed) and #kernels_to_show(parsed, result) > 0 then
      output.print(("\nstep %s, %s"):format(tostring(entry.number), entry.name))
      print_kernels(parsed, result, peaks_of_file)
    end
  end
  if not command.save_json(parsed.json, document, order) or say_unknown_rows(parsed, results)
    or say_unknown_kernel(parsed, results, "the chosen steps") then return 1 end
  return failed and 1 or 0
end

-- ---- the command ----

-- Whether a script may take --NAME: it has inputs, or the name in a text of its own.
local function may_have_input(text, name)
  return text:find "%f[%w_]input%f[^%w_]" ~= nil or text:find(("[\"'][%%-]*%s[\"']"):format(name)) ~= nil
end

function command.work(parsed, rest)
  if not parsed.what then return command.wrong_use "which script, or which walkthrough?" end
  local is_script = parsed.what:find "%.lua$" ~= nil
  if parsed.set and not parsed.set[1] then parsed.set = nil end -- the parser gives an empty list
  local of_steps = is_script and subcommand.first_given(parsed, {"steps", "size", "set", "type"})
  if of_steps then
    return command.wrong_use(("--%s is for walkthroughs; a script's own options follow it"):format(of_steps))
  end
  if parsed.fit and not is_script then return command.wrong_use "--fit is for scripts" end
  if is_script then
    local text, why = read_file(parsed.what)
    if not text then return refuse(why, 2) end
    if parsed.fit and not may_have_input(text, parsed.fit.name) then
      return command.wrong_use(("--fit: %s has no input '%s': declare it, input.int(\"%s\", %.0f)"):format(parsed.what,
        parsed.fit.name, parsed.fit.name, parsed.fit.values[1]))
    end
  end
  local peaks_of_file, wrong
  if parsed.peak then peaks_of_file, wrong = bottleneck.devices(parsed.peak) end
  if wrong then return command.wrong_use(wrong) end
  if not is_script then return command.attempt(count_walkthrough, parsed, peaks_of_file) end
  return command.attempt(temporary, function(folder) return count_script(parsed, rest, folder, peaks_of_file) end)
end

return command
