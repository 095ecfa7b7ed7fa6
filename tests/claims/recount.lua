-- Counts the walkthroughs again, for the pages and for what the claims read: writes what the commands print into
-- docs/measurements/counts-walkthroughs.txt.gz, and the counts into counts-walkthroughs.json.gz, with those at the odd
-- sizes that walk_steps_NAME_spec counts each time. Takes some minutes. Run it in the tree's root after a change to a
-- kernel or to what is counted; claims_spec then names the texts whose numbers are others now:
--   CLUE=build/clue build/clue tests/claims/recount.lua [FOLDER]
-- FOLDER keeps what each command wrote; what it has already is not counted again.
package.path = "tests/spec/?.lua;" .. package.path
local counts = require "claim_counts"
local json = require "clue.shared.json"
local lfs = require "lfs"
local read = require("clue.file").read
local save = require("clue.file").save
local support = require "support"

local TARGET = "docs/measurements/counts-walkthroughs"

local function execute(command)
  local status = os.execute(command)
  assert(status == 0 or status == true, command)
end

local folder = arg[1] or os.tmpname() .. ".counts"
lfs.mkdir(folder)
local document, texts = {counts = json.list {}, odd = {}}, {}
for i, words in ipairs(counts.commands) do
  local base = ("%s/%s"):format(folder, (words:gsub("%W+", "_")))
  if not lfs.attributes(base .. ".json") then
    execute(("'%s' count %s --json %s.part > %s.txt && mv %s.part %s.json"):format(arg[-1], words, base, base, base,
    base))
  end
  local runs = assert(json.read(assert(read(base .. ".json")))).runs
  document.counts[i] = {walkthrough = words:match "^%w+", size = runs[1].size, runs = counts.kept(runs)}
  texts[i] = ("$ clue count %s\n%s"):format(words, assert(read(base .. ".txt")))
end
for name, of in pairs(require "walk_steps") do
  if not of.varies then document.odd[name] = counts.kept(counts.odd(name)) end
end
support.clear()
assert(save(TARGET .. ".json", json.text(document)))
assert(save(TARGET .. ".txt", table.concat(texts, "\n")))
execute(("gzip -9nf %s.json %s.txt"):format(TARGET, TARGET))
