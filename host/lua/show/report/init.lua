--- The report of `clue walk --report FILE.html`: one self-contained file, for screen, phone and paper.
--
-- It shows only the document, which it also contains as JSON, in the element with the id "data".
-- @module clue.show.report
local chart = require "clue.show.report.chart"
local html = require "clue.show.report.html"
local overview = require "clue.show.report.overview"
local page = require "clue.show.report.page"
local row_of = require "clue.result.row"
local save = require("clue.file").save
local section = require "clue.show.report.walkthrough"
local swept = require "clue.show.sweep.report"

local report = {}

local h = html.element

-- What the sections need besides the document, which is not changed.
local function numbered(document)
  local copies = {}
  for w, walkthrough in ipairs(document.walkthroughs) do
    local anchor = ("w%d"):format(w)
    local links, count = {}, 0
    local function link(row)
      local key = row_of.key(row)
      if not links[key] then
        count = count + 1
        links[key] = ("%s-%d"):format(anchor, count)
      end
      return links[key]
    end
    -- The title of a single walkthrough is that of the page.
    local heading = #document.walkthroughs == 1 and "The walkthrough" or walkthrough.title or walkthrough.name
    copies[w] = setmetatable({anchor = anchor, place = w - 1, link = link, heading = heading}, {__index = walkthrough})
  end
  return setmetatable({walkthroughs = copies}, {__index = document})
end

-- What writes a walkthrough's section.
local function writer_of(walkthrough)
  return walkthrough.sweep and swept or section
end

local function each_run_of(document)
  return function(visit)
    for _, walkthrough in ipairs(document.walkthroughs) do
      for r, run in ipairs(walkthrough.runs) do
        visit(walkthrough, run, ("/walkthroughs/%d/runs/%d"):format(walkthrough.place, r - 1), walkthrough.link)
      end
    end
  end
end

-- Draws all charts at once: each gets its drawing, or none does and the reason is returned.
local function draw(document)
  local by_walkthrough, all = {}, {}
  for w, walkthrough in ipairs(document.walkthroughs) do
    by_walkthrough[w] = writer_of(walkthrough).charts(document, walkthrough)
    for _, it in ipairs(by_walkthrough[w]) do all[#all + 1] = it end
  end
  local drawings, why = chart.draw(all)
  for i, it in ipairs(all) do it.drawing = drawings and drawings[i] end
  return by_walkthrough, why
end

local function contents(document)
  local items = {}
  for _, walkthrough in ipairs(document.walkthroughs) do
    items[#items + 1] = h("li", nil, h("a", {href = "#" .. walkthrough.anchor}, walkthrough.name))
  end
  items[#items + 1] = h("li", nil, h("a", {href = "#machine"}, "The machine"))
  return h("nav", {["aria-label"] = "Contents"}, h("ul", nil, items))
end

--- The page.
-- @tparam table document of `clue walk --json`
-- @treturn string HTML
-- @treturn ?string why it has no charts
function report.page(document)
  local given = document
  document = numbered(document)
  local charts, no_charts = draw(document)
  local sections = {}
  for w, walkthrough in ipairs(document.walkthroughs) do
    sections[w] = writer_of(walkthrough).build(document, walkthrough, charts[w])
  end
  local is_sweep = row_of.any(document.walkthroughs, function(walkthrough) return walkthrough.sweep end)
  local summary = is_sweep and swept.summary(document, no_charts)
    or overview.summary(document, each_run_of(document), no_charts)
  return page.text(overview.title(document), {overview.head(document), contents(document),
    h("main", nil, summary, sections, overview.machine(document))},
    given), no_charts
end

--- Writes the report.
-- @tparam table document of `clue walk --json`
-- @tparam string path
-- @treturn[1] bool true
-- @treturn[1] ?string why it has no charts
-- @treturn[2] nil
-- @treturn[2] string why it cannot be written
function report.write(document, path)
  local text, no_charts = report.page(document)
  local saved, why = save(path, text)
  if not saved then return nil, why end
  return true, no_charts
end

return report
