--- What a view shows, as blocks. A view makes them of a document and writes nothing: @{clue.show.text} draws them in a
-- terminal, @{clue.show.page} on a page.
--
-- A text in a block is a string, or a list of strings and pieces: {class = "good", ...}, {to = "#id", ...} (a link),
-- {code = "clue walk"}, {time = "2026-11-28 10:00 UTC"}, {is = "gain", value = "1.5", ...} (a figure with its exact
-- value; at: the place of its row in the document). Classes are good, bad, better, worse, muted and skip.
--
-- Blocks are in lists, which may hold lists; false and nil are left out. Every block may have `only`: "text" or "page",
-- if only one of the two is to draw it; and `close`: true if no empty line follows it in a terminal.
local filter = require("clue.shared.list").filter

local block = {}

local function constructor(kind)
  return function(it)
    it.kind = kind
    return it
  end
end

--- A table.
-- @function block.table
-- @tparam table it columns; rows: any values, one a line; name: what it shows, for readers who cannot see it; and
--   optionally class and caption (on a page), empty: the text of an empty cell, look(row): class ("best", "aside") and
--   at (the row's place in the document) of a line, otherwise: blocks instead of it in a terminal where it does not
--   fit, cut: true to cut a terminal's lines instead, indent: of its lines, above(row), under(row): items of a list
--   above and below the row's line.
--
--   A column has title, or page: its title there; get(row, most), which returns a cell; right: true to align right;
--   gap: spaces before it (2); optional: true to leave it out if it has no text; only; head: true if it names the line;
--   class: of its cells on a page; bar: the most characters of its bars (40). A terminal that is too narrow makes a
--   table narrower step by step: `narrow` lists when and how, {{rank, most}, ...}: the lowest rank of all columns comes
--   first; most is passed to get (at first, it is the column's most), and is the most characters of bars if it is a
--   number; false leaves the column out. Columns with fold, a name that some may share, are in a table of their own
--   below where they do not fit.
--
--   A cell is nil or false, a text or a number, or {text, class, bar: a fraction of 1, drawn as a bar; and for pages
--   range, below (texts below it), is and value (name and exact value of a figure), to (a link), page (a text to show
--   instead)}.
block.table = constructor "table"

--- A curve or more, drawn with characters in a terminal, and by gnuplot on a page.
-- @function block.plot
-- @tparam table it see @{clue.show.page.plot}
block.plot = constructor "plot"

--- A table of two parameters' values whose cells are shaded: see @{clue.show.page.plot}.
-- @function block.map
-- @tparam table it
block.map = constructor "map"

--- Pictures of the memory that a kernel's warps ask for.
-- @function block.picture
-- @tparam table it kernel; rows: see @{clue.show.count.picture}; part: on a page, "pictures" or "about" (how to read
--   them) alone
block.picture = constructor "picture"

--- What the places of a kernel cost, on a page: boxes on each other, whose heights are the costs.
-- @function block.stack
-- @tparam table it list: see @{clue.result.cause.places}; per: its work; most: the total that is drawn in full height
block.stack = constructor "stack"

--- Names and values, on a page a table of two columns. Values that are nil or empty are left out.
-- @function block.facts
-- @tparam table it list: {{name, text, indent}, ...}, with values in the second place; beside: in a terminal, the width
--   of a column of the names, with the values beside it, each with an indent of its further lines; nil: "name: value"
block.facts = constructor "facts"

--- Blocks side by side on a page, each in a frame.
-- @function block.cards
-- @tparam table it list: lists of blocks
block.cards = constructor "cards"

--- A part of a page with an id and a heading. A terminal draws only its blocks.
-- @function block.section
-- @tparam table it id, title, blocks
block.section = constructor "section"

--- What is closed at first on a page. A terminal draws only its blocks.
-- @function block.details
-- @tparam table it id, summary (a text), blocks
block.details = constructor "details"

local function with(kind, field)
  return function(value, how)
    local it = {kind = kind, [field] = value}
    for name, each in pairs(how or {}) do it[name] = each end
    return it
  end
end

--- A paragraph, wrapped.
-- @function block.paragraph
-- @tparam text text
-- @tparam[opt] table how indent: of the second line on in a terminal (three spaces); class and mark: on a page, as for
--   @{heading}
block.paragraph = with("paragraph", "text")

--- A heading. In a terminal it is "-- text --".
-- @function block.heading
-- @tparam text text
-- @tparam[opt] table how level: 2 to 4 (3); plain: true for the text alone in a terminal; mark: {kind, index} of a
--   series, beside it on a page
block.heading = with("heading", "text")

--- Texts one below the other, each wrapped.
-- @function block.list
-- @tparam {text,...} items; an item may be {text, quote = lines}: what is quoted below it
-- @tparam[opt] table how title: a line above; indent: as for @{paragraph}; class
block.list = with("list", "items")

--- What a compiler or a program said, line by line.
-- @function block.quote
-- @tparam {string,...} lines
-- @tparam[opt] table how prefix: of each line in a terminal ("     | ")
block.quote = with("quote", "lines")

--- Code.
-- @function block.code
-- @tparam string text
-- @tparam[opt] table how opencl: true to colour it as OpenCL C on a page; indent, and cut: true to cut long lines, in a
--   terminal
block.code = with("code", "text")

--- Machine code beside the lines of the source that it is from.
-- @function block.listing
-- @tparam table it lines: of code; places: the number of the source's line of each, or false; source: {{number, text},
--   ...}, these lines; indent: in a terminal
block.listing = constructor "listing"

--- How a text became another one, line by line.
-- @function block.difference
-- @tparam table lines of @{clue.show.walk.difference.lines}
-- @tparam[opt] table how before, after: names of the two
block.difference = with("difference", "lines")

--- A frame with what went wrong.
-- @function block.alert
-- @tparam table blocks
-- @tparam[opt] table how title
block.alert = with("alert", "blocks")

--- An empty line in a terminal.
function block.gap()
  return {kind = "code", text = "", only = "text", close = true}
end

--- The same blocks for one of the two only.
-- @tparam string medium "text" or "page"
-- @tparam table blocks
function block.only(medium, blocks)
  return {kind = "group", only = medium, blocks = blocks}
end

--- Blocks without empty lines between them in a terminal.
-- @tparam table blocks paragraphs, tables and lists; those that have nothing, and false, are left out
function block.tight(blocks)
  local list = filter(blocks, function(each) return each and (each.text or (each.items or each.rows)[1]) end)
  for i = 1, #list - 1 do list[i].close = true end
  return list
end

--- Calls with each block of a list that a medium draws.
-- @tparam table blocks
-- @tparam string medium "text" or "page"
-- @tparam function visit visit(block)
function block.each(blocks, medium, visit)
  if not blocks then return end
  if blocks.only and blocks.only ~= medium then return end
  if blocks.kind == "group" then return block.each(blocks.blocks, medium, visit) end
  if blocks.kind then return visit(blocks) end
  local last = 0
  for place in pairs(blocks) do last = type(place) == "number" and math.max(last, place) or last end
  for i = 1, last do block.each(blocks[i], medium, visit) end
end

--- A text without its pieces' classes and links.
-- @tparam text text
function block.plain(text)
  if type(text) ~= "table" then return text and tostring(text) or "" end
  if text.code or text.time then return text.code or text.time end
  local parts = {}
  for i = 1, #text do parts[i] = block.plain(text[i]) end
  return table.concat(parts)
end

return block
