--- The notes on a walk: what each step changes, all that was found, all that is known of the machine, and how to read
-- the tables; and the closing page.
--
-- Its gains, losses and surprises are from the rows. `lessons` (sentences) and `try` ({command, what for}, ...) are in
-- walkthrough.lua, like `links` ({title, address}, ...) to the sources that are public.
-- Parameters with one meaning everywhere: rows, those of one device.
local block = require "clue.show.block"
local cause = require "clue.result.cause"
local columns = require "clue.result.columns"
local counted = require("clue.text").count
local expectation = require "clue.result.expectation"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local remarks = require "clue.show.walk.remarks"
local row_of = require "clue.result.row"

local notes = {}

local any = lists.any

-- A line for each compiler of the host loops: "host loops, one core, 2+: gcc ...".
local function host_compilers(rows)
  local loops = {}
  local function add(number, host)
    if (host.compiler or "") ~= "" then loops[#loops + 1] = {number = number, compiler = host.compiler} end
  end
  for _, row in ipairs(rows) do
    if row.host then add("host", row.host) end
    for i, host in ipairs(row.beside or {}) do add(row.number .. ("+"):rep(i), host) end
  end
  return lists.map(lists.grouped(loops, function(loop) return loop.compiler end), function(same)
    local numbers = lists.distinct(lists.map(same, function(loop) return loop.number end))
    return ("%s: %s"):format(table.concat(numbers, ", "):gsub("^host", "host loops, one core"), same.key)
  end)
end

--- All that is known of the device, and the compilers of the host's loops.
-- @treturn {string,...}
function notes.machine(rows)
  local on, lines = remarks.first_with(rows, "device"), {}
  if on then
    lines[1] = ("device %d (%s): %s [%s], %s, %d MHz; %s, %s, driver %s%s"):format(on.ordinal, on.address, on.name,
      on.kind:upper(), counted(on.compute_units, "compute unit"), on.mhz, on.platform, on.version, on.driver,
      on.loader ~= "" and ", loader " .. on.loader or "")
  end
  for _, line in ipairs(host_compilers(rows)) do lines[#lines + 1] = line end
  return lines
end

--- A line for each row: its number, its name, and the change.
-- @treturn {string,...}
function notes.changes(rows)
  local common = remarks.common_problem(rows)
  return lists.map(rows, function(row)
    local problem = row.problem and row.problem ~= common and (" [%s]"):format(row.problem) or ""
    local change = row.change and ": " .. row_of.change(row) or ""
    return ("%2s %s%s%s"):format(row.number, row.name, change, problem)
  end)
end

local function notes_of(row)
  local lines, where = {}, row.number .. ": "
  for _, theirs in ipairs(row.published or {}) do
    if theirs.text then lines[#lines + 1] = ("%sthe author's %s: %s"):format(where, theirs.on, theirs.text) end
  end
  if row.note_of_author then lines[#lines + 1] = where .. "the author: " .. row.note_of_author end
  for _, note in ipairs(row.notes or {}) do lines[#lines + 1] = where .. note end
  return lines
end

--- The notes on the rows, one by one.
-- @treturn {string,...}
function notes.of(rows)
  return lists.flat(rows, notes_of)
end

local function is_extrapolated(row)
  return row.host and row.host.extrapolated or row.times and row.times.extrapolated
end

--- How to read the tables.
-- @tparam[opt] table how figures: remarks on the author's figures; peak: whether shares of the device's limits are
--   known
-- @treturn {string,...}
function notes.legend(rows, how)
  local lines = {}
  how = how or {}
  local function add_if(test, line)
    if test and line then lines[#lines + 1] = line end
  end
  if not any(rows, function(row) return row.times end) then return lines end
  lines[1] = "kernel: the device's work alone, by which steps are compared; total: executing and reading back, without "
    .. "upload; ±%: (largest - least) / median; n: runs; >: the fastest, and what is as fast"
  add_if(any(rows, function(row) return row.gain end), "gain over: how many times as fast as the last verified step "
    .. "above, or as the step that the walkthrough names, with its 95 % interval, from runs of both in turn, by the "
    .. "kernels' time, over a loop of the host's by the total; 'no difference': 1 lies within it, or the gain is under "
    .. "1 %; 'unclear': so it is, but an end is over 10 % from 1, and the runs do not tell")
  add_if(any(rows, function(row) return row_of.over_host(row) end), "over its host loop: the same work in C on one "
    .. "core, in the memory layout of the step, by the total")
  add_if(how.peak, "% of peak: the kernel's part of the fastest multiply-adds of its type, or of the fastest use of "
    .. "global memory, that `clue peak` measures here; >100: faster than that, as what caches hold may be")
  add_if(how.peak and any(rows, function(row) return row.moves end), "of a step that reads local memory, % of peak is "
    .. "of the fastest local memory, once `clue peak` has measured that; transfers from and to the host have none")
  add_if(not how.peak and any(rows, function(row) return row.device and row_of.speed(row) end),
    "`clue peak` measures the device's limits; once they are known, the table shows the part of them that each step "
    .. "reaches")
  add_if(any(rows, function(row) return row.gain and not row.gain.low end),
    "a gain without an interval is by medians: fewer than six pairs of runs, or a part was computed")
  add_if(any(rows, is_extrapolated),
    "~: a part of the host loop was run for a second or more, and the whole computed from it")
  add_if(any(rows, function(row) return row.times and row.times.clock == "host" end),
    columns.host_clock .. ": by the host's clock, since the device's timer cannot be trusted, or clue does not see the "
    .. "kernels")
  add_if(any(rows, function(row) return row.published end), how.figures)
  return lines
end

-- ---- the closing page ----

local function with_word(rows, word)
  return lists.filter(rows, function(row) return gains.word(row.gain) == word end)
end

local function gain_text(row)
  return ("step %s, %s, %s times step %s: %s"):format(tostring(row.number), row.name or "?", gains.text(row.gain),
    tostring(row.gain.over), row.change or "?")
end

local function numbers_of(rows)
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
-- @treturn {table,...} each with title and lines: the greatest gains, what was slower, what made no difference, what is
--   unclear, what came out other than expected; those that have nothing are left out
function notes.seen(rows)
  local parts = {}
  local function add(title, lines)
    if #lines > 0 then parts[#parts + 1] = {title = title, lines = lines} end
  end
  add("the greatest gains", lists.map(cause.greatest(rows), gain_text))
  local function add_numbers(title, word)
    local some = with_word(rows, word)
    add(title, #some > 0 and {(#some == 1 and "step " or "steps ") .. numbers_of(some)} or {})
  end
  add("slower than the step before, or the one named", lists.map(with_word(rows, "worse"), gain_text))
  add_numbers("no difference", "same")
  add_numbers("unclear, as the times vary too much", "unclear")
  add("other than expected", surprises(rows))
  return parts
end

local function indented(items)
  return lists.map(items or {}, function(item) return {"  ", item} end)
end

local function seen_lists(runs)
  local blocks = {}
  for _, run in ipairs(runs) do
    for _, part in ipairs(notes.seen(run.rows)) do
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

--- The closing page: what the run showed, and what to try next.
-- @tparam table entry of a document: lessons, try, links
-- @tparam {table,...} runs with device and rows
function notes.closing(entry, runs)
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

return notes
