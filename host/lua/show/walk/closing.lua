--- The last page of a walkthrough: what the run showed, and what to try next.
--
-- Gains, losses and surprises are from the rows. `lessons` (sentences) and `try` ({command, what for}, ...) are in
-- walkthrough.lua, like `links` ({title, address}, ...) to the sources that are public.
local block = require "clue.show.block"
local cause = require "clue.result.cause"
local expectation = require "clue.result.expectation"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"

local closing = {}

local function with_word(rows, word)
  return lists.filter(rows, function(row) return gains.word(row.gain) == word end)
end

local function gain_text(row)
  return ("step %s, %s, %s times step %s: %s"):format(tostring(row.number), row.name or "?", gains.text(row.gain),
    tostring(row.gain.over), row.change or "?")
end

local function numbers(rows)
  return table.concat(lists.map(rows, function(row) return tostring(row.number) end), ", ")
end

local function surprises(rows)
  local others = lists.filter(rows, function(row) return expectation.is_met(row) == false end)
  return lists.map(others, function(row)
    return ("step %s, %s: %s; expected was %s"):format(tostring(row.number), row.name or "?", expectation.instead(row),
      expectation.text(row))
  end)
end

--- What a run showed.
-- @tparam {table,...} rows of one device
-- @treturn {table,...} each with title and lines: the greatest gains, what was slower, what made no difference, what
--   came out other than expected; those that have nothing are left out
function closing.of(rows)
  local parts = {}
  local function add(title, lines)
    if #lines > 0 then parts[#parts + 1] = {title = title, lines = lines} end
  end
  add("the greatest gains", lists.map(cause.greatest(rows), gain_text))
  local same = with_word(rows, "same")
  add("slower than the step before, or the one named", lists.map(with_word(rows, "worse"), gain_text))
  add("no difference", #same > 0 and {(#same == 1 and "step " or "steps ") .. numbers(same)} or {})
  add("other than expected", surprises(rows))
  return parts
end

-- ---- the page ----

local function indented(items)
  return lists.map(items or {}, function(item) return {"  ", item} end)
end

local function seen_lists(runs)
  local blocks = {}
  for _, run in ipairs(runs) do
    for _, part in ipairs(closing.of(run.rows)) do
      blocks[#blocks + 1] = block.list(indented(part.lines), {title = ("%s%s:"):format(part.title,
        #runs > 1 and ", on " .. (run.name or run.device) or ""), indent = "     ", close = true})
    end
  end
  if blocks[1] then blocks[#blocks].close = nil end
  return blocks
end

-- The commands, each above what it is for.
local function above(try)
  local items = {}
  for _, each in ipairs(try) do
    items[#items + 1] = "  " .. each[1]
    items[#items + 1] = "      " .. each[2]
  end
  return items
end

local function add(blocks, title, more)
  if more[1] then blocks[#blocks + 1] = {block.heading(title, {level = 3, plain = true, close = true}), more} end
end

-- Where the sources can be read. A page has links only to what is surely an address.
local function links_of(links)
  return lists.map(links or {}, function(link)
    local title, address = tostring(link[1]), tostring(link[2])
    return block.paragraph({("The source: %s, "):format(title),
      address:find "^https?://" and {to = address, address} or address}, {class = "muted"})
  end)
end

--- The page's blocks.
-- @tparam table entry of a document: lessons, try, links
-- @tparam {table,...} runs with device and rows
function closing.blocks(entry, runs)
  local blocks = {}
  add(blocks, "What you have seen", seen_lists(runs))
  add(blocks, "What to keep", {(entry.lessons or {})[1] and block.list(indented(entry.lessons), {indent = "     "})})
  local try = entry.try or {}
  add(blocks, "What to try next", {try[1] and block.table {name = "commands", rows = try, columns = {
    {title = "", get = function(each) return {"  " .. each[1], page = {code = each[1]}} end},
    {title = "", get = function(each) return each[2] end},
  }, otherwise = block.list(above(try), {indent = "      "})}})
  return {blocks, links_of(entry.links)}
end

return closing
