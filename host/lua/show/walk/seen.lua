--- The last page of a walkthrough: what the run showed, and what to try next.
--
-- Gains, losses and surprises are from the rows. `lessons` (sentences) and `try` ({command, what for}, ...) are in
-- walkthrough.lua, like `links` ({title, address}, ...) to the sources that are public.
-- @module clue.show.walk.seen
local expectation = require "clue.result.expectation"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"

local seen = {}

-- At most so many of the greatest gains are named.
local MOST = 3

local function with_word(rows, word)
  local list = {}
  for _, row in ipairs(rows) do
    if row_of.gain_word(row) == word then list[#list + 1] = row end
  end
  return list
end

local function gain_text(row)
  return ("step %s, %s, %s times step %s: %s"):format(tostring(row.number), row.name or "?", statistics.text(row.gain),
    tostring(row.gain.over), row.change or "?")
end

local function numbers(rows)
  local list = {}
  for i, row in ipairs(rows) do list[i] = tostring(row.number) end
  return table.concat(list, ", ")
end

local function greatest(rows)
  local list, lines = with_word(rows, "better"), {}
  table.sort(list, function(a, b) return a.gain.ratio > b.gain.ratio end)
  for i = 1, math.min(MOST, #list) do lines[i] = gain_text(list[i]) end
  return lines
end

local function surprises(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    if expectation.is_met(row) == false then
      lines[#lines + 1] = ("step %s, %s: %s; expected was %s"):format(tostring(row.number), row.name or "?",
        expectation.instead(row), expectation.text(row))
    end
  end
  return lines
end

--- What a run showed.
-- @tparam {table,...} rows of one device
-- @treturn {table,...} each with title and lines: the greatest gains, what was slower, what made no difference, what
--   came out other than expected; those that have nothing are left out
function seen.of(rows)
  local parts = {}
  local function add(title, lines)
    if #lines > 0 then parts[#parts + 1] = {title = title, lines = lines} end
  end
  add("the greatest gains", greatest(rows))
  local slower, same = {}, with_word(rows, "same")
  for i, row in ipairs(with_word(rows, "worse")) do slower[i] = gain_text(row) end
  add("slower than the step before, or the one named", slower)
  add("no difference", #same > 0 and {(#same == 1 and "step " or "steps ") .. numbers(same)} or {})
  add("other than expected", surprises(rows))
  return parts
end

-- ---- the terminal ----

-- The commands beside what they are for, or above it if one of the lines is too wide.
local function command_lines(try, width)
  local widest, beside, above, fits = 0, {}, {}, true
  for _, each in ipairs(try) do widest = math.max(widest, #each[1]) end
  for i, each in ipairs(try) do
    beside[i] = "  " .. each[1] .. (" "):rep(widest - #each[1] + 2) .. each[2] -- format knows no width above 99
    above[2 * i - 1], above[2 * i] = "  " .. each[1], "      " .. each[2]
    fits = fits and #beside[i] <= width
  end
  return fits and beside or above
end

local function seen_lines(runs)
  local lines = {}
  for _, run in ipairs(runs) do
    for _, part in ipairs(seen.of(run.rows)) do
      lines[#lines + 1] = ("%s%s:"):format(part.title, #runs > 1 and ", on " .. run.device or "")
      for _, line in ipairs(part.lines) do lines[#lines + 1] = "  " .. line end
    end
  end
  return lines
end

--- The page for a terminal.
-- @tparam table entry of a document: lessons, try, links
-- @tparam {table,...} runs with device and rows
-- @tparam int width of the terminal
-- @treturn {table,...} blocks of lines, each with its title as the first; lines that are too wide are to be wrapped
function seen.blocks(entry, runs, width)
  local blocks = {}
  local function add(title, lines)
    if #lines == 0 then return end
    table.insert(lines, 1, title)
    blocks[#blocks + 1] = lines
  end
  add("What you have seen", seen_lines(runs))
  local lessons = {}
  for i, lesson in ipairs(entry.lessons or {}) do lessons[i] = "  " .. lesson end
  add("What to keep", lessons)
  add("What to try next", command_lines(entry.try or {}, width))
  for _, link in ipairs(entry.links or {}) do
    blocks[#blocks + 1] = {("The source: %s, %s"):format(link[1], link[2])}
  end
  return blocks
end

return seen
