-- `clue count`: how many passes local memory's banks take, beside what hardware took.
-- suite: quick
local patterns = dofile "tests/specimens/local_memory/patterns.lua"
local support = require "support"

-- The counts of a warp's accesses, by the pattern's name.
local function count_all()
  local script = {[[
local cl = require "clue"
local context = cl.context()
local queue, out, times = context:queue(), context:buffer(2^16), context:buffer(2^16)
local function run(source)
  context:program(source):kernel "pattern"(queue, 32, 32, out, times, cl.uint(0), cl.uint(1))
end]]}
  for _, pattern in ipairs(patterns.list) do
    script[#script + 1] = ("run [=[%s]=]"):format((patterns.source(pattern)))
  end
  local _, _, document = support.ended(0, support.document {"count", support.write(table.concat(script, "\n"))})
  local kernels, counts = document.runs[1].kernels, {}
  assert.equal(#patterns.list, #kernels)
  for i, pattern in ipairs(patterns.list) do
    local _, statement = patterns.source(pattern)
    for _, site in ipairs(kernels[i].sites) do
      if site.space == "local" and site.text:find(statement, 1, true) then
        counts[patterns.name(pattern)] = site.warp
      end
    end
  end
  return counts
end

describe("clue count's passes of local memory", function()
  local counts
  setup(function() counts = count_all() end)

  for _, pattern in ipairs(patterns.list) do
    local name = patterns.name(pattern)
    it("are what hardware takes: " .. name, function()
      local of = assert(counts[name], "not counted")
      assert.equal(8 * pattern.requests, of.requests)
      assert.equal(8 * pattern.passes, of.passes)
    end)
  end
end)
