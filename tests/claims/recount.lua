-- Counts the walkthroughs again, for the pages and for what the claims read: writes what the commands print into
-- docs/measurements/counts-walkthroughs.txt.gz, and the counts into counts-walkthroughs.json.gz, with those at the odd
-- sizes that walk_steps_spec counts each time. Run it in the tree's root after a change to a kernel or to what is
-- counted; claims_spec then names the texts whose numbers are others now:
--   CLUE=build/clue build/clue tests/claims/recount.lua [NAME...]
-- Only the walkthroughs of these names are counted, in seconds; without names all of them, in some minutes.
package.path = "tests/spec/?.lua;" .. package.path
local counts = require "claim_counts"
local json = require "clue.shared.json"
local read = require("clue.file").read
local read_text = require("clue.result.document").text
local save = require("clue.file").save
local set = require("clue.shared.list").set
local support = require "support"
local walkthroughs = require "walk_steps"

local TARGET = "docs/measurements/counts-walkthroughs"

local function execute(command)
  local status = os.execute(command)
  assert(status == 0 or status == true, command)
end

-- What a command prints, and its counts.
local function counted(words)
  local base = support.temporary()
  execute(("'%s' count %s --json %s.json > %s.txt"):format(arg[-1], words, base, base))
  local runs = assert(json.read(assert(read(base .. ".json")))).runs
  return ("$ clue count %s\n%s"):format(words, assert(read(base .. ".txt"))),
    {walkthrough = words:match "^%w+", size = runs[1].size, runs = counts.kept(runs)}
end

local kept, texts = counts.read(), {}
local named = set(arg)
for name in pairs(named) do assert(walkthroughs[name], name .. ": no such walkthrough") end
local function is_wanted(name) return next(named) == nil or named[name] end

-- What is kept of each command: texts and counts have one order, and a text begins with its command.
local known, number = {}, 0
for line in assert(read_text(TARGET .. ".txt.gz")):gmatch "[^\n]*\n" do
  local words = line:match "^%$ clue count (.*)\n$"
  if words then
    number = number + 1
    known[number] = {text = "", counts = kept.counts[number]}
    known[words] = known[number]
  end
  known[number].text = known[number].text .. line
end

local document = {counts = json.list {}, odd = {}}
for i, words in ipairs(counts.commands) do
  local before = not is_wanted(words:match "^%w+") and known[words]
  if before then
    texts[i], document.counts[i] = before.text:gsub("\n+$", "\n"), before.counts
  else
    texts[i], document.counts[i] = counted(words)
  end
end
for name, of in pairs(walkthroughs) do
  local before = not is_wanted(name) and kept.odd[name]
  if not of.varies then document.odd[name] = before or counts.kept(counts.odd(name)) end
end
support.clear()
assert(save(TARGET .. ".json", json.text(document)))
assert(save(TARGET .. ".txt", table.concat(texts, "\n")))
execute(("gzip -9nf %s.json %s.txt"):format(TARGET, TARGET))
