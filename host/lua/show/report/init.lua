--- The report of `clue walk --report FILE.html`: one self-contained file, for screen, phone and paper.
--
-- It shows only the document, which it also contains as JSON, in the element with the id "data".
local data = require "clue.show.report.data"
local page = require "clue.show.page"
local row_of = require "clue.result.row"
local summary = require "clue.show.report.summary"
local swept = require "clue.show.sweep.view"

local report = {}

local function anchor(place) return ("w%d"):format(place) end

-- A walkthrough with what its section needs besides the document, which is not changed: runs with their devices, and
-- the places of its rows on the page and in the document.
local function prepared(document, walkthrough, w)
  local links, count, places, runs = {}, 0, {}, {}
  local function link(row)
    local key = row_of.key(row)
    if not links[key] then
      count = count + 1
      links[key] = ("%s-%d"):format(anchor(w), count)
    end
    return links[key]
  end
  for r, run in ipairs(walkthrough.runs) do
    local device, index = data.device(document, run)
    runs[r] = {device = run.device, rows = run.rows, left_out = run.left_out, peak = device.peak,
               name = device.name or device.address, index = index, run = run}
    for i, row in ipairs(run.rows) do
      places[row] = ("/walkthroughs/%d/runs/%d/rows/%d"):format(w - 1, r - 1, i - 1)
      link(row)
    end
  end
  -- The title of a single walkthrough is that of the page.
  local heading = #document.walkthroughs == 1 and "The walkthrough" or walkthrough.title or walkthrough.name
  return {walkthrough = setmetatable({anchor = anchor(w), heading = heading}, {__index = walkthrough}), runs = runs,
          how = {link = link, at = function(_, row) return places[row] end}}
end

-- What the page shows: see @{clue.show.page.text}.
local function contents(document)
  local all, sections, is_sweep = {}, {}, false
  for w, walkthrough in ipairs(document.walkthroughs) do
    local it = prepared(document, walkthrough, w)
    all[w], is_sweep = it, is_sweep or walkthrough.sweep
    sections[w] = walkthrough.sweep and swept.blocks(document, walkthrough, it.walkthrough.anchor)
      or require "clue.show.report.walkthrough"(document, it.walkthrough, it.runs, it.how)
  end
  return {title = summary.title(document), head = summary.head(document), document = document,
    blocks = {is_sweep and swept.summary(document, anchor) or summary.results(all), sections,
              summary.machine(document)}}
end

--- The page.
-- @tparam table document of `clue walk --json`
-- @treturn string HTML
-- @treturn ?string why it has no charts
function report.page(document)
  return page.text(contents(document))
end

--- Writes the report.
-- @tparam table document of `clue walk --json`
-- @tparam string path
-- @treturn[1] bool true
-- @treturn[1] ?string why it has no charts
-- @treturn[2] nil
-- @treturn[2] string why it cannot be written
function report.write(document, path)
  local written, why = pcall(page.write, path, contents(document))
  if not written then return nil, (tostring(why):gsub("^cannot write ", "")) end
  return true, why
end

return report
