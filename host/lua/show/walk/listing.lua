--- The list of the walkthroughs, which `clue walk` prints without a name.
local block = require "clue.show.block"
local counted = require("clue.text").count

local listing = {}

--- When and in which language a walkthrough was published. The year may be unknown.
-- @tparam table of with year and language
-- @treturn string "2012, MQL5"
function listing.year_and_language(of)
  return (of.year and of.year .. ", " or "") .. of.language
end

--- The list.
-- @tparam {table,...} walkthroughs of @{clue.run.catalogue}
-- @treturn table blocks
function listing.blocks(walkthroughs)
  local blocks = {}
  for i, it in ipairs(walkthroughs) do
    blocks[i] = block.list({
      ("  %s, %s; %s: %s"):format(it.author or "unknown", listing.year_and_language(it), counted(#it.steps, "step"),
        it.about),
      ("  hardware: %s"):format(it.hardware),
      ("  headline: %s"):format(it.headline),
    }, {title = ("%s: %s"):format(it.name, it.title), indent = "    ", close = true})
  end
  return {blocks, block.gap(), block.paragraph("`clue walk NAME` replays one, `clue walk --all` all of them; "
    .. "`clue walk --help` lists the options.", {close = true})}
end

return listing
