-- `clue count`: how many passes local memory's banks take, beside what hardware took.
-- suite: quick
local json = require "dkjson"
local patterns = dofile "tests/specimens/local_memory/patterns.lua"
local support = require "support"

-- The counts of a warp's accesses, by the pattern's name.
local function count_all()
  local file, script = support.temporary ".json", {[[
local cl = require "clue"
local context = cl.context()
local queue, out, times = context:queue(), context:buffer(2^16), context:buffer(2^16)
local function run(source)
  context:program(source):kernel "pattern"(queue, 32, 32, out, times, cl.uint(0), cl.uint(1))
end]]}
  for _, pattern in ipairs(patterns.list) do
    script[#script + 1] = ("run [=[%s]=]"):format((patterns.source(pattern)))
  end
  local status, out, err = support.run {"count", "--json", file,
    support.write(table.concat(script, "\n"), support.temporary ".lua")}
  assert.equal(0, status, err .. out)
  local kernels, counts = json.decode(support.read(file)).runs[1].kernels, {}
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
