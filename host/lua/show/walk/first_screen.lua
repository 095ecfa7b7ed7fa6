--- The first screen of a walk: a table of seven columns, the greatest gains with what was counted of them, and the
-- commands that show more.
-- Parameters with one meaning everywhere: rows, those of one device.
local block = require "clue.show.block"
local cause = require "clue.result.cause"
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"

local first_screen = {}

-- ---- the table ----

local function gain_of(row, most)
  if not row.gain then return nil end
  local word, long = gains.word(row.gain), figures.marked(gains.text(row.gain), row.gain.extrapolated)
  if word == "same" then return {long, class = word} end
  local ratio = figures.marked(figures.ratio(row.gain.ratio), row.gain.extrapolated)
  return {most == "short" and ratio or long, class = word, page = ratio, range = gains.range(row.gain)}
end

-- The author's machine beside which a device stands: the one named after its kind, else that of his best speed, or any.
local function author_of(rows)
  local best, most, named = nil, 0, nil
  for _, row in ipairs(rows) do
    for _, theirs in ipairs(row.published or {}) do
      if row.device and theirs.on == (row.device.kind or ""):upper() then named = theirs.on end
      if not best or (theirs.rate or 0) > most then best, most = theirs.on, theirs.rate or 0 end
    end
  end
  return named or best
end

-- His speed; his time if he gives none.
local function authors_speed(row, machine, unit)
  local theirs = row_of.published(row, machine) or {}
  if not theirs.rate then return theirs.seconds and figures.published(theirs.seconds) .. " s" end
  return row_of.published_text(theirs, row_of.rate(row), unit)
end

-- Where others run on a device, loops of the host's are told apart.
local function name_of(row, on_device)
  return (row.name or "?") .. (on_device and row_of.is_of_host(row) and " (host)" or "")
end

--- The table of a run's steps.
-- @tparam[opt] table how for pages: link(row), name
-- @treturn table a block
function first_screen.table(rows, how)
  how = how or {}
  local unit, machine, best = steps_table.common_unit(rows), author_of(rows), fastest.winners(rows)
  local part = steps_table.judged(rows)
  local common = steps_table.common_beginning(rows)
  local on_device = lists.any(rows, function(row) return row.device end)
  local list = {
    {title = "", right = true, only = "text", get = function(row) return steps_table.mark(row, {best = best}) end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    {title = "step", head = true, most = 26, narrow = {{1, 20}, {3, 14}, {5, 9}}, get = function(row, most)
      local name = name_of(row, on_device)
      return {steps_table.short_name({name = name}, most, common), page = name,
              to = how.link and "#" .. how.link(row)}
    end},
    {title = part .. "\nms", right = true, get = steps_table.time_or_verdict},
    {title = unit or "speed", right = true, optional = true,
     get = function(row) return steps_table.speed(row, unit) end},
    {title = "gain", optional = true, narrow = {{2, "short"}}, get = gain_of},
    {title = "over", right = true, gap = 1, optional = true, get = function(row)
      return row.gain and tostring(row.gain.over)
    end},
    machine and {title = "author's\n" .. machine:match "^[^,]*", right = true, optional = true, narrow = {{4, false}},
      get = function(row) return authors_speed(row, machine, unit) end},
  }
  return block.table {columns = list, rows = rows, name = how.name or "the steps", class = "first",
    look = function(row) return {class = best[row] and "best"} end}
end

--- What the author's figures are of: his machine, when, at which sizes.
-- @tparam table about the walkthrough: figures, hardware, year
-- @tparam[opt] string machine his, as his figures name it (default: the one beside which the rows' device stands)
-- @treturn ?string "the author's GPU, a Radeon HD 4870, 2012, by the total: 2000 x 2000 x 2000, float"; nil where no
--   row has such a figure
function first_screen.author(rows, about, machine)
  machine = machine or author_of(rows)
  local has_figures = lists.any(rows, function(row) return authors_speed(row, machine) end)
  if not (has_figures and about.figures) then return nil end
  local parts = {"the author's " .. machine:match "^[^,]*"}
  parts[2] = (about.hardware or ""):match("([^,]-) %('" .. machine:gsub("%p", "%%%0") .. "'%)")
  parts[#parts + 1] = figures.year(about.year)
  local said = about.figures:match("^[^;]*"):gsub("^the author's figures:? ", ""):gsub("^are ", "")
  return ("%s, by the total: %s"):format(table.concat(parts, ", "):gsub(",  ", ", "), said)
end

-- ---- the gains ----

--- The greatest gains, each with its cause if that was counted, and with what the step changes.
-- @treturn {string,...}
function first_screen.gains(rows)
  return lists.map(cause.greatest(rows), function(row)
    local why, change = cause.text(rows, row), row.change and (row.change:gsub("%s+", " "))
    local text = why and change and ("%s (%s)"):format(why, change) or why or change
    return ("step %s is %s times as fast as step %s%s"):format(tostring(row.number), figures.ratio(row.gain.ratio),
      tostring(row.gain.over), text and ": " .. text or "")
  end)
end

-- ---- what shows more ----

--- The commands for more.
-- @tparam string again "clue walk NAME" or "clue show FILE"
-- @treturn table a block
function first_screen.more(rows, again)
  local top, list = cause.greatest(rows)[1], {{again .. " --notes", "all times, the author's figures, lessons"}}
  if top then
    local number, option = tostring(top.number), again:find "^clue show " and "step" or "explain"
    table.insert(list, 1, {("%s --%s %s"):format(again, option, number),
                           ("why step %s is faster: counts, code"):format(number)})
  end
  return block.table {name = "commands", rows = list, columns = {
    {title = "", get = function(each) return each[1] end}, {title = "", get = function(each) return each[2] end},
  }, otherwise = block.list {list[1][1], list[2] and list[2][1]}}
end

return first_screen
