--- `clue tune`: search for the fastest configuration of a kernel's parameters.
-- @module clue.command.tune
local cache = require "clue.tune.cache"
local counted = require("clue.text").count
local json = require "clue.shared.json"
local output = require "clue.output"
local search = require "clue.tune.search"
local simulate = require "clue.tune.simulate"
local subcommand = require "clue.shared.subcommand"
local tables = require "clue.table"

local command = subcommand.new {
  name = "tune",
  summary = "compare search strategies on measured tuning results",
  about = "Compares search strategies: each runs several times on files with the results of all configurations of a "
    .. "kernel (Kernel Tuner's caches or T4 results, as they are or compressed by gzip). Nothing is measured. For "
    .. "each number of evaluations, the table shows the fraction of the optimum that the best configuration "
    .. "reached: the mean over the runs, and their standard deviation.",
}

-- ---- options ----

local function whole_number(option, least, most)
  return function(text)
    local number = tonumber(text)
    if number and number % 1 == 0 and number >= least and number <= most then return number end
    return nil, ("%s: '%s' must be a whole number from %.0f to %.0f"):format(option, text, least, most)
  end
end

local function points_of(text)
  local points = {}
  for word in (text .. ","):gmatch "([^,]*)," do
    local point = tonumber(word)
    if not (point and point % 1 == 0 and point > (points[#points] or 0)) then
      return nil, ("--evaluations: '%s' must be whole numbers in rising order, such as 25,50,100"):format(text)
    end
    points[#points + 1] = point
  end
  return points
end

local function strategies_of(text)
  if text == "all" then return search.strategies end
  local known, names = {}, {}
  for _, name in ipairs(search.strategies) do known[name] = true end
  for name in (text .. ","):gmatch "([^,]*)," do
    if not known[name] then
      return nil, ("--strategy: there is no strategy '%s'; there are: %s"):format(name,
        table.concat(search.strategies, ", "))
    end
    names[#names + 1] = name
  end
  return names
end

function command.options(parser)
  parser:option("--simulate", "files with the results of all configurations"):argname "CACHE":args "+"
  parser:option("--strategy", ("one of %s; several with commas, or all"):format(table.concat(search.strategies, ", ")))
    :argname "NAME":default(search.default):convert(strategies_of)
  parser:option("--evaluations", "when to look at the best; the last number is the budget of a run")
    :argname "N,...":default "25,50,100,200":convert(points_of)
  parser:option("--repeats", "runs of each strategy on each file"):argname "N":default "30"
    :convert(whole_number("--repeats", 1, 1e6))
  parser:option("--seed", "of the first run; a seed repeats all runs"):argname "N":default "1"
    :convert(whole_number("--seed", 0, 2 ^ 31))
  parser:option("--objective", "the measurement to make small; by default the file's own"):argname "NAME"
  parser:flag("--json", "print the results as JSON")
end

-- ---- runs ----

local function read_all(options)
  local caches = {}
  for i, path in ipairs(options.simulate) do
    output.progress(("reading %s"):format(path))
    local read, why = cache(path, options.objective)
    if not read then error(why, 0) end
    caches[i] = read
  end
  return caches
end

-- By strategy: the results on each cache, in the order of the caches.
local function run_all(caches, options)
  local how = {points = options.evaluations, repeats = options.repeats, seed = options.seed}
  local by_strategy = {}
  for s, name in ipairs(options.strategy) do
    by_strategy[s] = {strategy = name, results = {}}
    for i, each in ipairs(caches) do
      output.progress(("%s on %s (%d of %d)"):format(name, each.path, i, #caches))
      by_strategy[s].results[i] = simulate.strategy(each, name, how)
    end
    by_strategy[s].mean = simulate.mean(by_strategy[s].results)
  end
  output.clear_progress()
  return by_strategy
end

-- ---- what is shown ----

local function columns(points)
  local heads = {{title = "strategy"}}
  for i, point in ipairs(points) do heads[i + 1] = {title = "after " .. point, right = true} end
  return heads
end

local function row(name, points)
  local cells = {name}
  for i, point in ipairs(points) do cells[i + 1] = ("%.3f +- %.3f"):format(point.mean, point.deviation) end
  return cells
end

local function print_table(by_strategy, points, get)
  local rows = {}
  for i, each in ipairs(by_strategy) do rows[i] = row(each.strategy, get(each)) end
  output.print_lines(tables.lines(columns(points), rows))
end

local function show(caches, by_strategy, options)
  for i, each in ipairs(caches) do
    output.print(("%s: %s, %d failed, the best %s is %.6g; %s"):format(each.path,
      counted(each.space.count, "configuration"), each.failed, each.objective, each.best,
      counted(options.repeats, "run")))
    print_table(by_strategy, options.evaluations, function(one) return one.results[i] end)
    output.print ""
  end
  if #caches < 2 then return end
  output.print(("mean of %d files, +- the standard deviation between files"):format(#caches))
  print_table(by_strategy, options.evaluations, function(one) return one.mean end)
end

local function document_of(caches, by_strategy, options)
  local files = {}
  for i, each in ipairs(caches) do
    files[i] = {path = each.path, configurations = each.space.count, failed = each.failed, best = each.best,
                objective = each.objective}
  end
  return {format = "clue tune simulation 1", evaluations = json.list(options.evaluations), repeats = options.repeats,
          seed = options.seed, files = json.list(files), strategies = json.list(by_strategy)}
end

local function compare(options)
  local caches = read_all(options)
  local by_strategy = run_all(caches, options)
  if options.json then
    output.print(json.text(document_of(caches, by_strategy, options), true))
  else
    show(caches, by_strategy, options)
  end
  return 0
end

function command.work(options)
  if not options.simulate then return command.wrong_use "give files: clue tune --simulate CACHE" end
  return command.attempt(compare, options)
end

return command
