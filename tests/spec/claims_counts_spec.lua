-- The kept counts, on which texts rest, are those of today's kernels. If a kernel or the way of counting has changed:
-- build/clue tests/claims/recount.lua, then claims_spec names the texts whose numbers are others now.
-- suite: whole
-- cost: 120
local counts = require "claim_counts"
local json = require "clue.shared.json"
local support = require "support"

local LIMIT = 900 -- seconds, beside much other work

-- How often its groups look back differs from run to run.
local VARIES = {reduce = {[13] = true}}

local kept
do
  local pipe = assert(io.popen "gzip -dc docs/measurements/counts-walkthroughs.json.gz")
  kept = assert(json.read(pipe:read "*a"))
  pipe:close()
end

-- Their steps, as text.
local function by_number(counted)
  local list = {}
  for _, run in ipairs(counted.runs) do
    if not (VARIES[counted.walkthrough] or {})[run.number] then list[tostring(run.number)] = json.text(run) end
  end
  return list
end

describe("the kept counts", function()
  for i, words in ipairs(counts.commands) do
    it(("of %s are those of its kernels"):format(words), function()
      local file, args = support.temporary ".json", {"count"}
      for word in words:gmatch "%S+" do args[#args + 1] = word end
      args[#args + 1], args[#args + 2] = "--json", file
      local status, _, err = support.run(args, nil, nil, LIMIT)
      assert.equal(0, status, err)
      local now = counts.kept(words, assert(json.read(support.read(file))))
      assert.equal(kept.counts[i].size, now.size)
      local before, after = by_number(kept.counts[i]), by_number(now)
      for number, text in pairs(after) do assert.equal(before[number], text, "step " .. number) end
    end)
  end
end)
