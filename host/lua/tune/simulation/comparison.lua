--- Compares strategies on files with known results, for `clue tune --simulate`.
-- @module clue.tune.simulation.comparison
local cache = require "clue.tune.results.cache"
local counted = require("clue.text").count
local json = require "clue.shared.json"
local output = require "clue.output"
local simulate = require "clue.tune.simulation.simulate"
local tables = require "clue.table"

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
      counted(each.space.count, "configuration"), each.failed, each.objective, each.value,
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
    files[i] = {path = each.path, configurations = each.space.count, failed = each.failed, best = each.value,
                objective = each.objective}
  end
  return {format = "clue tune simulation 1", evaluations = json.list(options.evaluations), repeats = options.repeats,
          seed = options.seed, files = json.list(files), strategies = json.list(by_strategy)}
end

--- Runs the strategies and prints the results.
-- @tparam table options simulate: paths; strategy: names; evaluations: a list; repeats, seed, objective, json
-- @treturn number exit status
return function(options)
  local caches = read_all(options)
  local by_strategy = run_all(caches, options)
  if options.json then
    output.print(json.text(document_of(caches, by_strategy, options), true))
  else
    show(caches, by_strategy, options)
  end
  return 0
end
