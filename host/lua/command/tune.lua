--- `clue tune`: search for the fastest configuration of a kernel's parameters.
local lists = require "clue.shared.list"
local misspelt = require "clue.misspelt"
local search = require "clue.tune.search"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "tune",
  group = "kernel",
  page = "reference/tuning.md",
  instead = {html = "did you mean --report?", plot = "did you mean --charts?"},
  summary = "search for the fastest configuration of a kernel's parameters",
  about = "Runs a script that describes a kernel with parameters (a space), and searches for the configuration that is "
    .. "fastest on the device. Every configuration is verified; one that crashes or hangs costs only itself. The "
    .. "results are kept in a file (format T4), and the best parameters where cl.tuned finds them. With --show, shows "
    .. "such a file again; with --simulate, compares search strategies on files with known results. Both measure "
    .. "nothing. Exit status 0: found; 1: "
    .. "failed, or no configuration works; 2: wrong use; 130: interrupted, results kept.",
}

-- ---- options ----

local function positive(option)
  return function(text)
    local number = tonumber(text)
    if number and number > 0 and number < math.huge then return number end
    return nil, ("%s: '%s' must be a number above 0"):format(option, text)
  end
end

local function points_of(text)
  local points = {}
  for word in (text .. ","):gmatch "([^,]*)," do
    local point = tonumber(word)
    if not (point and point % 1 == 0 and point > (points[#points] or 0)) then
      return nil, ("--evaluations: '%s' must be whole numbers of 1 or more, in rising order, such as 25,50,100"):format(
        text)
    end
    points[#points + 1] = point
  end
  return points
end

local function pair_of(text)
  local one, other = text:match "^([^,]+),([^,]+)$"
  if one and one ~= other then return {one, other} end
  return nil, ("--map: '%s' must be the names of two parameters, such as block_size_x,block_size_y"):format(text)
end

local function strategies_of(text)
  if text == "all" then return search.strategies end
  local known, names = lists.set(search.strategies), {}
  for name in (text .. ","):gmatch "([^,]*)," do
    if not known[name] then
      return nil, "--strategy: " .. misspelt.unknown("strategy", name, search.strategies)
    end
    names[#names + 1] = name
  end
  return names
end

-- What the help shows, but work() takes: the parser must not hide whether an option was given.
local defaults = {strategy = {search.default}, seed = 1, finalists = 4, time_limit = 60, repeats = 30}

local function default(option, value)
  option:default(tostring(value)):defmode ""
end

function command.options(parser)
  subcommand.completes(subcommand.reads(parser:argument("space", "a script that returns the space"):args "?"), ".lua")
  parser:argument("words", "what follows it is for the script, as arg"):args "*":argname "WORD"
  parser:option("--capture", "the folder of a captured call (clue trace --capture), which gives the kernel, its "
    .. "arguments and the answer"):argname "FOLDER"
  subcommand.device(parser, "the device to tune for, as `clue devices` names it")
  parser:option("--evaluations", "how many configurations to measure (200 without --seconds); with --simulate: when to "
    .. "look at the best"):argname "N,...":convert(points_of)
  parser:option("--seconds", "how long to search"):argname "S":convert(positive "--seconds")
  parser:option("--stop-at", "stop at this share of the device's measured peak, such as 0.9; the space gives flops or "
    .. "bytes"):argname "SHARE":convert(positive "--stop-at")
  local strategy = parser:option("--strategy", ("one of %s; with --simulate several with commas, or all"):format(
    table.concat(search.strategies, ", "))):argname "NAME":convert(strategies_of)
  subcommand.completes(strategy, "=" .. table.concat(search.strategies, " ="))
  default(strategy, search.default)
  default(parser:option("--seed", "of the search; with --simulate of the first run"):argname "N"
    :convert(subcommand.whole_number("--seed", 0, 2 ^ 31)), defaults.seed)
  subcommand.writes(parser:option("--results", "the file for the results (NAME.tune.json); its journal has the ending "
    .. ".journal"):argname "FILE")
  parser:flag("--resume", "go on with the results in the journal, which --evaluations and --seconds count")
  subcommand.reads(parser:option("--candidates", "measure just the configurations in this file, a JSON list of "
    .. "objects, in its order"):argname "FILE")
  default(parser:option("--finalists", "how many of the best to measure once more, by turns; 0: none"):argname "N"
    :convert(subcommand.whole_number("--finalists", 0, 100)), defaults.finalists)
  parser:option("--processes", "how many configurations to compile at once (one for each processor, 8 at most)")
    :argname "N":convert(subcommand.whole_number("--processes", 1, 256))
  default(subcommand.time_limit(parser, nil, "a configuration that takes longer to compile or to run fails"),
    defaults.time_limit)
  subcommand.reads(parser:option("--simulate", "files with the results of all configurations, to compare strategies")
    :argname "CACHE":args "+")
  default(parser:option("--repeats", "with --simulate: runs of each strategy on each file"):argname "N"
    :convert(subcommand.whole_number("--repeats", 1, 1e6)), defaults.repeats)
  parser:option("--objective", "with --simulate or --show: the measurement that counts; by default the file's own")
    :argname "NAME"
  parser:flag("--json", "print the results as JSON")
  parser:flag("--charts", "print the charts also if the output is not a terminal")
  subcommand.writes(parser:option("--report", "write a report to this file: one self-contained HTML page with the "
    .. "charts"):argname "FILE")
  subcommand.reads(parser:option("--show", "show the charts of stored results: T4, or a cache of Kernel Tuner")
    :argname "FILE")
  parser:option("--map", "with --show: the two parameters of the heat map (default: those with the largest effects)")
    :argname "A,B":convert(pair_of)
end

-- ---- the command ----

local only_run = {"space", "capture", "seconds", "stop-at", "results", "resume", "processes", "candidates", "device",
                  "finalists", "time-limit"}
local not_shown = {"simulate", "evaluations", "json", "strategy", "seed", "repeats"}

local function measures_nothing(options, mode, others)
  local other = subcommand.first_given(options, only_run) or subcommand.first_given(options, others)
  return other and ("%s does not go with %s, which measures nothing"):format(other == "space" and "SPACE.lua"
    or "--" .. other, mode)
end

local function wrong_for_run(options)
  if not options.space then
    return "give a space, or files: clue tune SPACE.lua, clue tune --show FILE, clue tune --simulate CACHE"
  end
  if options.repeats then return "--repeats goes with --simulate" end
  if options.strategy and #options.strategy > 1 then return "--strategy: a run has one; several go with --simulate" end
  if options.evaluations and #options.evaluations > 1 then
    return "--evaluations: a run has one number; several go with --simulate"
  end
  if options.charts and options.json then return "--charts does not go with --json" end
  if options.candidates and (options.evaluations or options.seconds) then
    return "--candidates says what to measure: leave out --evaluations and --seconds"
  end
  if options.objective then return "--objective goes with --simulate and --show; a space has its own" end
end

local function wrong(options)
  if options.show then return measures_nothing(options, "--show", not_shown) end
  if options.map then return "--map goes with --show" end
  if options.simulate then return measures_nothing(options, "--simulate", {"charts", "report"}) end
  return wrong_for_run(options)
end

function command.work(options)
  local why = wrong(options)
  if why then return command.wrong_use(why) end
  for name, value in pairs(defaults) do
    if options[name] == nil then options[name] = value end
  end
  if options.show then return command.attempt(require("clue.show.tune").show, options) end
  if options.simulate then
    options.evaluations = options.evaluations or {25, 50, 100, 200}
    return command.attempt(require "clue.tune.simulation", options)
  end
  return command.attempt(require "clue.tune.session", options)
end

return command
