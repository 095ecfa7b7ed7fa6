--- The counts that the texts of walkthroughs rest on, as docs/measurements/counts-walkthroughs.json.gz keeps them.
local json = require "clue.shared.json"

local counts = {}

--- What is counted: the words after `clue count`. dcltk's own counting size is that of its steps 1 and 2, in which each
-- work-item computes everything: too small for the others.
counts.commands = {
  "mql5", "submatrix", "hello", "dcltk", "dcltk --steps 3-7,20 --size 128", "dcltk --steps 4,4b --size 64", "reduce",
  "amd",
}

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

--- What is kept of a command's counts.
-- @tparam string words one of commands
-- @tparam table document that `clue count --json` wrote
-- @treturn table walkthrough, size, runs
function counts.kept(words, document)
  local runs = json.list {}
  for i, run in ipairs(document.runs) do runs[i] = run_of(run) end
  return {walkthrough = words:match "^%w+", size = document.runs[1].size, runs = runs}
end

return counts
