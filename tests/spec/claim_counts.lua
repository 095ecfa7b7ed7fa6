--- The counts that the texts of walkthroughs rest on, as docs/measurements/counts-walkthroughs.json.gz keeps them, and
-- those of the same steps at small odd sizes, which show in seconds that a kernel or the way of counting has changed.
local catalogue = require "clue.run.catalogue"
local json = require "clue.shared.json"
local read_text = require("clue.result.document").text
local simulated = require "walk_steps_simulated"
local walkthroughs = require "walk_steps"

local counts = {}

--- What is counted: the words after `clue count`, of each walkthrough whose counts are the same in each run.
counts.commands = {}
for _, name in ipairs(catalogue.names()) do
  for _, words in ipairs(walkthroughs[name].varies and {} or walkthroughs[name].kept or {""}) do
    table.insert(counts.commands, name .. words)
  end
end

-- The figures of a kernel, site or buffer that a claim may need. Pictures and lines are left out.
local KEPT = {
  kernel = true, variant = true, launches = true, items = true, groups = true, instructions = true, barriers = true,
  sites = true, buffers = true, access = true, space = true, object = true, accesses = true, bytes = true, name = true,
  read = true, written = true, group_sectors = true,
}
local WHOLE = {"operations", "warp", "local"}

local function narrow(value)
  local kept = #value > 0 and json.list {} or {}
  for key, each in pairs(value) do
    if type(key) == "number" or KEPT[key] then kept[key] = type(each) == "table" and narrow(each) or each end
  end
  for _, key in ipairs(WHOLE) do kept[key] = value[key] end
  return kept
end

local function run_of(run)
  local variants = json.list {}
  for i, variant in ipairs(run.variants or {}) do variants[i] = {flops = variant.flops, bytes = variant.bytes} end
  local kernels = json.list {}
  for i, kernel in ipairs(run.kernels) do kernels[i] = narrow(kernel) end
  return {number = run.number, variants = variants, kernels = kernels}
end

--- What is kept of runs.
-- @tparam {table,...} runs of a document that `clue count --json` wrote
-- @treturn {table,...}
function counts.kept(runs)
  local list = json.list {}
  for i, run in ipairs(runs) do list[i] = run_of(run) end
  return list
end

--- What is kept, as a text for each step.
-- @tparam {table,...} kept
-- @treturn {[string]=string,...} by the step's number
function counts.texts(kept)
  local texts = {}
  for _, run in ipairs(kept) do texts[tostring(run.number)] = json.text(run) end
  return texts
end

--- The counts of a walkthrough's steps at the sizes of walk_steps.lua.
-- @tparam string name
-- @treturn {table,...} the document's runs
function counts.odd(name)
  return simulated("count", name, walkthroughs[name].count)
end

--- Reads what is kept.
-- @treturn table counts: of each command walkthrough, size, runs; odd: by walkthrough, its runs
function counts.read()
  return assert(json.read(assert(read_text "docs/measurements/counts-walkthroughs.json.gz")))
end

return counts
