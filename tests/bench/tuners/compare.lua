-- Compares `clue tune` with Kernel Tuner on the space of product.cl, by turns: a run of each strategy for each seed.
--
--     clue [--device SPEC] tests/bench/tuners/compare.lua --seeds 10 --seconds 30 --json out.json
--
-- Needs python3 with kernel_tuner and pyopencl (--python PATH names another interpreter). Each run has empty caches of
-- the drivers. What a run thought to be its best after some evaluations or seconds is measured again at the end, all of
-- them by turns in one process: so neither noise nor a tuner's own way of measuring decides.
local cl = require "clue"
local lfs = require "lfs"
local statistics = require "clue.timing.statistics"

local here = arg[0]:match "^(.*)/[^/]*$" or "."
local options = {seeds = "10", seconds = "30", evaluations = "100", python = "python3", n = "512", json = nil,
                 limit = "36000"} -- limit: seconds after which no further seed begins
for i = 1, #arg, 2 do options[arg[i]:match "^%-%-(.*)$"] = arg[i + 1] end

local clue = require("clue.options").program
local chosen = require("clue.options").device
local context = cl.context()
local folder = os.tmpname()
os.remove(folder)
lfs.mkdir(folder)

local runs = {
  {name = "clue"}, {name = "Kernel Tuner, random", python = "random_sample"},
  {name = "Kernel Tuner, genetic", python = "genetic_algorithm"},
  {name = "Kernel Tuner, greedy ILS", python = "greedy_ils"},
  {name = "Kernel Tuner, annealing", python = "simulated_annealing"},
}

-- ---- runs ----

local function lines_of(command)
  local pipe, list = io.popen(command), {}
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

local function environment(cache)
  return ("TUNERS_N=%s CLUE_CACHE_DIR=%s POCL_CACHE_DIR=%s CUDA_CACHE_PATH=%s "):format(options.n, cache, cache, cache)
end

local function of_clue(run, seed, cache)
  os.execute(("%s timeout 600 %s --quiet %s tune %s/space.lua --seed %d --seconds %s --evaluations %s --results "
    .. "%s/out.json %s >/dev/null"):format(environment(cache), clue, chosen and "--device " .. chosen or "", here, seed,
    options.seconds, options.evaluations, cache, run.clue and "--strategy " .. run.clue or ""))
  local list = {}
  for _, result in ipairs(cl.json.decode(cl.read_file(cache .. "/out.json")).results) do
    local runtimes = {unpack(result.times.runtimes)}
    list[#list + 1] = {p = result.configuration, at = result.clue.seconds_into_run,
                       time = runtimes[1] and statistics.median(runtimes) / 1000}
  end
  return list
end

local function of_kernel_tuner(run, seed, cache)
  local list = {}
  for _, line in ipairs(lines_of(("%s timeout 600 %s %s/kernel_tuner_run.py '%s' %s %d %s %s 2>%s/err"):format(
    environment(cache), options.python, here, context.device.name, run.python, seed, options.evaluations,
    options.seconds, cache))) do
    local result = line:find "^{" and cl.json.decode(line)
    if result then list[#list + 1] = result end
  end
  if #list == 0 then io.stderr:write(cl.read_file(cache .. "/err")) end
  return list
end

local function key_of(p)
  return ("%d %d %d %d %d %d"):format(p.block_size_x, p.block_size_y, p.WX, p.WY, p.TK, p.LOCAL)
end

-- The best of a run after some evaluations, or seconds: a configuration, or nil.
local function best_after(list, evaluations, seconds)
  local best
  for i, result in ipairs(list) do
    if i > evaluations or result.at and result.at > seconds then break end
    if result.time and (not best or result.time < best.time) then best = result end
  end
  return best and best.p
end

-- ---- the checkpoints ----

local budget, most = tonumber(options.seconds), tonumber(options.evaluations)
local points = {}
for _, share in ipairs {0.1, 0.25, 0.5, 1} do
  points[#points + 1] = {label = ("%.3g s"):format(budget * share), evaluations = math.huge, seconds = budget * share}
end
for _, share in ipairs {0.1, 0.25, 0.5, 1} do
  points[#points + 1] = {label = ("%.0f evaluations"):format(most * share), evaluations = most * share,
                         seconds = math.huge}
end

local all, began, seeds = {}, cl.now(), 0
for seed = 1, tonumber(options.seeds) do
  if cl.now() - began > tonumber(options.limit) then break end
  seeds = seed
  for k = 1, #runs do
    local run = runs[seed % 2 == 1 and k or #runs + 1 - k]
    local cache = ("%s/%d-%d"):format(folder, seed, k)
    lfs.mkdir(cache)
    local list = (run.python and of_kernel_tuner or of_clue)(run, seed, cache)
    os.execute("rm -rf " .. cache)
    all[#all + 1] = {run = run.name, seed = seed, results = list}
    io.stderr:write(("%s, seed %d: %d results\n"):format(run.name, seed, #list))
  end
end

-- ---- what they found, measured again ----

local candidates, list = {}, {}
for _, each in ipairs(all) do
  each.best = {}
  for i, point in ipairs(points) do
    local p = best_after(each.results, point.evaluations, point.seconds)
    each.best[i] = p and key_of(p) or false
    if p and not candidates[key_of(p)] then
      candidates[key_of(p)] = {p = p, samples = {}}
      list[#list + 1] = candidates[key_of(p)]
    end
  end
end

local queue = context:queue()
local n = tonumber(options.n)
local buffers = {context:buffer(4 * n * n), context:buffer(4 * n * n), context:buffer(4 * n * n)}
local source = cl.read_file(here .. "/product.cl")
for _, each in ipairs(list) do
  local p, defines = each.p, {N = n}
  for name, value in pairs(p) do defines[name] = value end
  local kernel = context:program(source, {defines = defines}):kernel "product"
  local global, group = {n / p.WX, n / p.WY}, {p.block_size_x, p.block_size_y}
  function each.launch() return kernel(queue, global, group, unpack(buffers)) end
  each.launch():wait()
end
for round = 1, 15 do
  for k = 1, #list do
    local each = list[round % 2 == 1 and k or #list + 1 - k]
    each.samples[round] = each.launch():time()
  end
end
local least = math.huge
for _, each in ipairs(list) do
  each.seconds = statistics.median(each.samples)
  least = math.min(least, each.seconds)
end

-- ---- the table ----

local rows = {}
for _, run in ipairs(runs) do
  local row = {run.name}
  for i in ipairs(points) do
    local shares = {}
    for _, each in ipairs(all) do
      if each.run == run.name then
        shares[#shares + 1] = each.best[i] and least / candidates[each.best[i]].seconds or 0
      end
    end
    local sum, squares = 0, 0
    for _, share in ipairs(shares) do sum = sum + share end
    local mean = sum / #shares
    for _, share in ipairs(shares) do squares = squares + (share - mean) ^ 2 end
    row[i + 1] = ("%.3f +- %.3f"):format(mean, #shares > 1 and math.sqrt(squares / (#shares - 1)) or 0)
  end
  local count = 0
  for _, each in ipairs(all) do count = count + (each.run == run.name and #each.results or 0) end
  row[#row + 1] = ("%.0f"):format(count / seeds)
  rows[#rows + 1] = row
end
local columns = {{title = "run"}}
for i, point in ipairs(points) do columns[i + 1] = {title = point.label:gsub(" ", "\n"), right = true} end
columns[#columns + 1] = {title = "results\na run", right = true}
print(("%s, N = %d, %d seeds; the fraction of the best that any run found (%.3g ms, %.4g GFLOPS), mean +- standard "
  .. "deviation"):format(context.device:describe(), n, seeds, least * 1000, 2 * n ^ 3 / least / 1e9))
for _, line in ipairs(require("clue.table").lines(columns, rows)) do print(line) end
os.execute("rm -rf " .. folder)
if options.json then
  for _, each in ipairs(list) do each.launch = nil end
  for i, point in ipairs(points) do points[i] = point.label end
  assert(require("clue.file").save(options.json, cl.json.encode {device = context.device:describe(), n = n,
    points = points, runs = all, again = list}))
end
