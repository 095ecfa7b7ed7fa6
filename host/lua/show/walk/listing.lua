--- The list of the walkthroughs, which `clue walk` prints without a name.
-- @module clue.show.walk.listing
local counted = require("clue.text").count
local output = require "clue.output"
local tables = require "clue.table"

local listing = {}

--- When and in which language a walkthrough was published. The year may be unknown.
-- @tparam table of with year and language
-- @treturn string "2012, MQL5"
function listing.year_and_language(of)
  return (of.year and of.year .. ", " or "") .. of.language
end

--- Prints the list.
-- @tparam {table,...} walkthroughs of @{clue.run.catalogue}
-- @treturn int 0, the exit status
function listing.print(walkthroughs)
  local width = output.out:columns(100)
  local function say(text) output.print_lines(tables.wrap(text, width, "    ")) end
  for _, it in ipairs(walkthroughs) do
    output.print(("%s: %s"):format(it.name, it.title))
    say(("  %s, %s; %s: %s"):format(it.author or "unknown", listing.year_and_language(it), counted(#it.steps, "step"),
      it.about))
    say(("  hardware: %s"):format(it.hardware))
    say(("  headline: %s"):format(it.headline))
  end
  output.print "\n`clue walk NAME` replays one, `clue walk --all` all of them; `clue walk --help` lists the options."
  return 0
end

return listing
