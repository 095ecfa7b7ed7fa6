--- The request to `clue walk`: its options, the walkthroughs and steps that they mean, and whether they fit together.
-- Parameters with one meaning everywhere: options, of the command line; walkthrough, as the catalogue has it.
local catalogue = require "clue.run.catalogue"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local nearest = require "clue.nearest"
local output = require "clue.output"
local parameters = require "clue.run.parameters"
local plan = require "clue.run.plan"
local shell_word = require("clue.shared.shell").shown
local sizes = require "clue.walk.size"
local subcommand = require "clue.shared.subcommand"

local request = {}

local refuse = subcommand.refuser "walk"

-- ---- options ----

local function repeats(text)
  local number = tonumber(text)
  if number and number >= 1 and number % 1 == 0 then return number end
  return nil, ("--repeat: '%s' must be a whole number of 1 or more"):format(text)
end

-- A step's number, or "4t".
local function step_number(text)
  return tonumber(text) or text
end

--- Adds the options to a parser.
-- @tparam table parser of argparse
function request.options(parser)
  subcommand.completes(parser:argument("name", "the walkthrough, or a folder (with a slash) with one of your own")
    :args "?", "walkthrough folder")
  parser:flag("--all", "replay all walkthroughs, one after the other")
  parser:option("--steps", "the steps to run: 2-5, or 1,4,7-9 (default: all)")
  parser:option("--size", "the problem's size: N, or another form that the steps take: MxKxN for a matrix product; "
    .. "several (256,512 or 256..4096*2 or 256..1024+256) show speed against size")
  parser:option("--set", "a parameter of steps, such as their tile, wpt or group: NAME=VALUE; several values, as for "
    .. "--size, show speed against them; may be repeated, for all combinations"):argname "NAME=VALUES":count "*"
  parser:option("--options", "options for the compiler of kernels; given twice, the steps run with each by turns")
    :argname "TEXT":count "*":target "build_options"
  parser:option("--type", "the type of the elements, if a walkthrough has several")
  subcommand.device(parser, "the devices to run on, as `clue devices` names them: one, several with commas, or all")
  parser:flag("--verify", "only verify: run each step once and check its result, without measuring anything")
  parser:option("--repeat", "measured runs of each step; from 6 on also pairs of runs of two steps that are compared "
    .. "(default: until 7 runs or 3 seconds, whichever comes first)"):convert(repeats):target "repeats"
  parser:flag("--until-stable", "run each step until its median, and each gain, is certain to 5 %, and measure again "
    .. "what contradicts itself; at most some 20 seconds for each"):target "until_stable"
  subcommand.time_limit(parser, "300", "stop a step after so many seconds")
  subcommand.json_file(parser, "write all results, including raw times, to this file, and update it as steps end")
  parser:flag("--resume", "continue from the file of --json: steps in it do not run again, but for "
    .. "those that failed, are wrong or were edited; what else it has stays there")
  subcommand.writes(parser:option("--csv", "write the rows to this file as comma-separated values, times in seconds")
    :argname "FILE")
  subcommand.writes(parser:option("--report", "write a report to this file: one self-contained HTML page")
    :argname "FILE")
  parser:flag("--notes", "print below the tables what each step changes, how to read the columns, what was found, all "
    .. "parts of the time and all of the author's figures")
  parser:flag("--counts", "count what each step's kernels ask of memory, on a simulator and at a small size (see `clue "
    .. "count --help`), and show which limit that sets")
  parser:flag("--asm", "show in the report (and put into the file of --json) the machine code of each step's inner "
    .. "loop, as the device's compiler makes it; --explain always does")
  parser:flag("--quiz", "ask before each step's numbers what they will be, by counts, the author's figures and what is "
    .. "expected: nothing is measured, and a pipe may answer")
  parser:option("--explain", "explain one step: what it changes and why, what matters on this device, and the results")
    :convert(step_number)
  parser:option("--diff", "show how the kernel of one step differs from that of the step it is compared with")
    :convert(step_number)
  parser:option("--source", "show the kernel of one step as the compiler gets it"):convert(step_number)
end

-- The numbers of the steps, in their order: "1 to 11 and 20 to 23".
local function numbers_of(steps)
  local ranges = {}
  for _, step in ipairs(steps) do
    local place, last = catalogue.place(step), ranges[#ranges]
    if last and place <= last.to + 1 then
      last.to = place
    else
      ranges[#ranges + 1] = {from = place, to = place}
    end
  end
  for i, range in ipairs(ranges) do
    ranges[i] = range.from == range.to and ("%d"):format(range.from) or ("%d to %d"):format(range.from, range.to)
  end
  return table.concat(ranges, " and ")
end

-- The steps whose numbers end in a letter, for a message.
local function lettered(steps)
  local list = lists.map(steps, function(step) return not tonumber(step.number) and step.number or nil end)
  return list[1] and ("; also %s"):format(table.concat(list, ", ")) or ""
end

--- Reads "2-5" or "1,4,7-9"; "4t" is a step too if the author counts like that.
-- @tparam string text
-- @tparam {table,...} steps each with its number
-- @treturn[1] table set of numbers
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function request.parse_steps(text, steps)
  local places, chosen = {}, {}
  for i, step in ipairs(steps) do places[tostring(step.number)] = i end
  for part in (text .. ","):gmatch("%s*([^,]-)%s*,") do
    local from, to = part:match "^(%w+)%s*%-%s*(%w+)$"
    local first, last = places[from or part], places[to or part]
    if not (first and last and first <= last) then
      return nil, ("steps '%s': give numbers from %s, such as 2-5 or 1,4,7-9%s"):format(text, numbers_of(steps),
        lettered(steps))
    end
    while tonumber(to) and steps[last + 1] and catalogue.place(steps[last + 1]) == tonumber(to) do
      last = last + 1 -- "4t" is among 2-4
    end
    for i = first, last do chosen[steps[i].number] = true end
  end
  return chosen
end

-- A folder of one's own is named by a path, so that it hides none of clue's. nil if there is no such folder here.
local function folder_here(name)
  if lfs.attributes(name, "mode") ~= "directory" then return nil end
  local makes = "`clue new walkthrough` makes one"
  if name:find "/" then
    return ": the folder has no walkthrough.lua; the shortest is: return {title = \"mine\"}; " .. makes
  end
  if lfs.attributes(name .. "/walkthrough.lua") then
    return (", but %s/ is a folder here: write it with a slash: ./%s"):format(name, name)
  end
  return (", and the folder %s/ here is none: it has no walkthrough.lua; %s"):format(name, makes)
end

-- The walkthroughs whose steps have a word in the names of their files, by word: "amd 15, 16".
local function steps_by_word(names)
  local words = {}
  for _, name in ipairs(names) do
    for _, step in ipairs((catalogue.get(name) or {steps = {}}).steps) do
      for word in (step.path:match "([^/]*)%.lua$" or ""):gmatch "%a%a%a+" do
        words[word] = words[word] or {}
        local of = words[word]
        if not of[name] then of[#of + 1], of[name] = name, {} end
        table.insert(of[name], tostring(step.number))
      end
    end
  end
  return words
end

-- "amd has steps with nbody: clue walk amd --steps 15,16"
local function steps_meant(name, names)
  local words, parts = steps_by_word(names), {}
  local word = words[name] and name or nearest(name, words, 1)
  for i, each in ipairs(words[word] or {}) do
    parts[i] = ("`clue walk %s --steps %s`"):format(each, table.concat(words[word][each], ","))
  end
  return parts[1] and ("; steps on %s: %s"):format(word, table.concat(parts, ", "))
end

-- What takes a file that is no walkthrough.
local function file_meant(name)
  if name:find "%.cl$" then return ": kernels' files are for `clue build`, `clue asm` and `clue check`" end
  return name:find "%.lua$" and (": `clue %s` runs a script"):format(shell_word(name))
end

local function guess(name)
  local names = catalogue.names()
  local meant = nearest(name, lists.set(names))
  if meant then return (": did you mean %s? There are: %s"):format(meant, table.concat(names, ", ")) end
  return (steps_meant(name, names) or "") .. "; there are: " .. table.concat(names, ", ")
end

-- Finds a walkthrough by its name or folder; nil after reporting what is wrong.
local function find(name, other_refuse)
  local walkthrough, why = catalogue.get(name)
  if walkthrough and #walkthrough.steps > 0 then return walkthrough end
  if walkthrough then return other_refuse(("'%s' has no steps: files named NN_name.lua"):format(name)) end
  if why then return other_refuse(why) end
  return other_refuse(("there is no walkthrough '%s'%s"):format(name, folder_here(name) or file_meant(name)
    or name:find "/" and ": there is no such folder" or guess(name)))
end

--- The requested walkthroughs.
-- @treturn ?{table,...} nil after reporting what is wrong
function request.walkthroughs(options)
  if not options.all then
    local walkthrough = find(options.name, refuse)
    return walkthrough and {walkthrough}
  end
  if options.name then return refuse(("--all and '%s' exclude each other"):format(options.name)) end
  return lists.map(catalogue.names(), function(name) return find(name, refuse) end)
end

-- ---- whether the options fit together ----

local function holds(list_of, value)
  return lists.any(list_of or {}, function(each) return each == value end)
end

-- Why the steps of a walkthrough do not take a size; nil if they do.
local function size_problem(walkthrough, size)
  local read = sizes[walkthrough.size]
  if walkthrough.size and not read then
    return ("--size: walkthrough.lua of '%s' has size = %q, which is no way to read a size"):format(walkthrough.name,
      tostring(walkthrough.size))
  end
  if not read then
    return ("--size: the steps of '%s' have no size; if they have, `size = \"count\"` in walkthrough.lua says that it "
      .. "is a whole number, \"product\" that it is MxKxN"):format(walkthrough.name)
  end
  local first, why = read(size, walkthrough)
  return not first and ("--size: %s"):format(why) or nil
end

-- Why the steps of a walkthrough do not take a type; nil if they do.
local function type_problem(walkthrough, type)
  if holds(walkthrough.types, type) then return nil end
  return ("--type %s: the steps of '%s' %s"):format(type, walkthrough.name, walkthrough.types
    and "take " .. table.concat(walkthrough.types, ", ") or "know one type only")
end

local function check_walkthrough(options, axes, walkthrough)
  for _, size in ipairs(axes.sizes) do
    local why = size_problem(walkthrough, size)
    if why then return refuse(why) end
  end
  local why = options.type and type_problem(walkthrough, options.type)
  if why then return refuse(why) end
  return true
end

--- The step of
-- --explain, --diff or --source.
-- @treturn ?string which of the three
-- @treturn ?number|string the step
function request.question(options)
  for _, name in ipairs {"explain", "diff", "source"} do
    if options[name] then return name, options[name] end
  end
end

-- What --verify has no use for: figures, and what is no result.
local of_figures = {"repeat", "until-stable", "csv", "report", "notes", "counts", "asm", "explain", "diff", "source"}

-- What --quiz, which asks in the terminal about one run that is not measured, has no use for.
local not_asked = lists.joined({"all", "json", "resume", "verify"}, of_figures)

local given = subcommand.first_given

local function one_run(name, does)
  return ("--%s %s one run: give one --size, one value for each --set, and --options once"):format(name, does)
end

-- What excludes an option, or nil.
local function excluded(options, name, others, why)
  local other = given(options, others)
  return other and ("--%s and --%s exclude each other%s"):format(name, other, why or "")
end

-- What is wrong with the options together, or nil.
local function misfit(options, axes)
  local question, swept = request.question(options), axes.is_sweep
  local of_one = swept and given(options, {"counts", "asm", "notes"})
  return options.verify and (excluded(options, "verify", of_figures, ": --verify only checks results")
      or swept and one_run("verify", "is for"))
    or options.quiz and (excluded(options, "quiz", not_asked,
      ": --quiz asks about one walkthrough, and measures nothing") or swept and one_run("quiz", "is for"))
    or options.resume and not options.json and "--resume needs --json FILE, whose results it continues"
    or question and excluded(options, question, {"all", "steps", "json", "csv", "report"})
    or options.until_stable and excluded(options, "until-stable", {"repeat"})
    or question and question ~= "explain" and excluded(options, question, {"notes", "counts", "asm"})
    or of_one and one_run(of_one, "is for") .. (of_one == "counts"
      and "; `clue count --set` counts with other values" or "")
    or options.asm and not given(options, {"explain", "diff", "source", "report", "json"})
      and "--asm needs --report FILE, which shows the machine code, or --json FILE; --explain STEP prints that of one "
        .. "step"
    or options.all and options.steps and "--steps: name one walkthrough instead of --all"
    or question and swept and one_run(question, "shows") or nil
end

--- Whether the options fit together, and fit the walkthroughs.
-- @tparam {table,...} walkthroughs
-- @treturn ?table the axes, see @{clue.run.plan.read}; nil after reporting what is wrong
function request.check(options, walkthroughs)
  local axes, wrong = plan.read(options)
  if not axes then return refuse(wrong) end
  for _, walkthrough in ipairs(walkthroughs) do
    if not check_walkthrough(options, axes, walkthrough) then return nil end
  end
  wrong = misfit(options, axes)
  if wrong then return refuse(wrong) end
  return axes
end

-- The requested steps; nil after reporting what is wrong.
local function steps_of(options, walkthrough, other_refuse)
  if not options.steps then return walkthrough.steps end
  local numbers, why = request.parse_steps(options.steps, walkthrough.steps)
  if not numbers then return other_refuse("--steps: " .. why) end
  return lists.filter(walkthrough.steps, function(step) return numbers[step.number] end)
end

--- The walkthrough that another subcommand is to work on, and its requested steps.
-- @tparam table parsed steps, size, type
-- @tparam string name or folder
-- @tparam function other_refuse of the subcommand, see @{clue.shared.subcommand.refuser}
-- @treturn ?table see @{clue.run.catalogue.get}
-- @treturn ?{table,...} steps; nil after reporting what is wrong
function request.named(parsed, name, other_refuse)
  local walkthrough = find(name, other_refuse)
  if not walkthrough then return nil end
  local why = parsed.size and size_problem(walkthrough, parsed.size)
    or parsed.type and type_problem(walkthrough, parsed.type)
  if why then return other_refuse(why) end
  return walkthrough, steps_of(parsed, walkthrough, other_refuse)
end

--- Runs a command for each of the requested steps, as if for its script.
-- @tparam table parsed file (the walkthrough), steps, size
-- @tparam function other_refuse of the subcommand
-- @tparam function work work(parsed, words): with a step's path as file, and
--   prelude, the Lua text that lets it run once; returns the exit status
-- @treturn number the highest exit status
function request.each_step(parsed, other_refuse, work)
  local walkthrough, steps = request.named(parsed, parsed.file, other_refuse)
  if not steps then return 2 end
  if parsed.json and #steps > 1 then return other_refuse("--json is for one step: choose it with --steps", 2) end
  local size, status = parsed.size or (walkthrough.sizes or {}).count, 0
  for _, step in ipairs(steps) do
    local its = setmetatable({file = step.path, prelude = "require('clue.walk.measure').once = true"},
      {__index = parsed})
    if #steps > 1 then output.print(("-- step %s, %s --"):format(tostring(step.number), step.name)) end
    status = math.max(status, work(its, size and {"--size", size} or {}))
    if status > 1 then break end
  end
  return status
end

-- Speed against size is shown beside that of the libraries which the walkthrough has.
local function add_libraries(chosen, walkthrough)
  local there = {}
  for _, each in ipairs(chosen) do there[each.step.number] = true end
  for _, step in ipairs(walkthrough.steps) do
    if holds(walkthrough.libraries, step.number) and not there[step.number] then
      chosen[#chosen + 1] = {step = step, meanings = {}, added = true}
    end
  end
end

--- What the parameters of
-- --set mean to the chosen steps of each walkthrough.
-- @tparam table axes of @{check}
-- @tparam {table,...} walkthroughs
-- @treturn ?table by the walkthrough's name: the steps that run, see @{clue.run.plan.steps}; nil after reporting what
--   is wrong
function request.chosen(options, axes, walkthroughs)
  local by_name, had, every, inputs = {}, {}, {}, {}
  for _, walkthrough in ipairs(walkthroughs) do
    local steps = steps_of(options, walkthrough, refuse)
    if not steps then return nil end
    local _, number = request.question(options)
    local chosen, its, found = plan.steps(axes, steps, (options.steps or number) ~= nil)
    if not chosen then return refuse(its) end
    by_name[walkthrough.name] = chosen
    if #axes.sizes > 1 and #axes.sides < 2 then add_libraries(chosen, walkthrough) end
    for name in pairs(its) do had[name] = true end
    for _, step in ipairs(steps) do every[#every + 1], inputs[step.path] = step, found[step.path] end
  end
  for _, it in ipairs(axes.parameters) do
    if not had[it.name] then return refuse(parameters.nobody_has(it.name, every, inputs)) end
  end
  return by_name
end

return request
