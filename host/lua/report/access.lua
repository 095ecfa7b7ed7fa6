--- What a step's kernels do, counted: the accesses as a table, the findings, and pictures of the first requests.
-- @module clue.report.access
local figures = require "clue.shared.figures"
local findings = require "clue.count.findings"
local html = require "clue.report.html"
local kernels = require "clue.count.kernels"
local picture = require "clue.count.picture"

local access = {}

local h = html.element

-- ---- pictures ----

-- Pixels of a word, and between sectors; rows of a picture.
local CELL, GAP, MOST_ROWS, LABEL = 13, 4, 10, 58
local WORDS, SECTOR = 32, 8

local function left_of(word)
  return LABEL + word * CELL + math.floor(word / SECTOR) * GAP
end

-- Neighbouring lanes have neighbouring colours, all of them light enough for black letters.
local function colour(lane)
  return ("hsl(%.0f 75%% 72%%)"):format(lane * 360 / 32)
end

local function cell(word, row, of, faint)
  local x, y = left_of(word), row * CELL
  local box = h("rect", {x = x, y = y, width = CELL - 1, height = CELL - 1, fill = colour(of.lane),
                         ["fill-opacity"] = faint and "0.3" or false})
  if faint then return box end
  return {box, h("text", {x = x + CELL / 2, y = y + CELL - 3.5, ["text-anchor"] = "middle", fill = "#111111",
                          ["font-size"] = 9}, of.count > 1 and "*" or picture.symbol(of.lane))}
end

-- The rows of all requests that are drawn, so that one can see how they go on.
local function rows_of(drawn)
  local order, known = {}, {}
  for _, request in ipairs(drawn) do
    for _, row in ipairs(select(2, picture.words(request))) do
      if not known[row] then known[row], order[#order + 1] = true, row end
    end
  end
  table.sort(order)
  return order
end

local function drawing(of)
  local order, places, nodes = rows_of(of.drawn), {}, {}
  local shown = math.min(#order, MOST_ROWS)
  for i = 1, shown do
    places[order[i]] = i - 1
    nodes[#nodes + 1] = h("text", {x = LABEL - 6, y = i * CELL - 3.5, ["text-anchor"] = "end", fill = "currentColor",
                                   ["font-size"] = 9}, ("%.0f"):format(order[i]))
    for sector = 0, WORDS / SECTOR - 1 do
      nodes[#nodes + 1] = h("rect", {x = left_of(sector * SECTOR) - 0.5, y = (i - 1) * CELL - 0.5,
        width = SECTOR * CELL, height = CELL, fill = "none", stroke = "currentColor", ["stroke-opacity"] = "0.35"})
    end
  end
  local filled = {}
  for n, request in ipairs(of.drawn) do
    for row, cells in pairs((picture.words(request))) do
      for word = 0, places[row] and WORDS - 1 or -1 do
        local key = row * WORDS + word
        if cells[word] and not filled[key] then
          filled[key] = true
          nodes[#nodes + 1] = cell(word, places[row], cells[word], n > 1)
        end
      end
    end
  end
  local width, height = left_of(WORDS) + 2, shown * CELL + 1
  return h("svg", {viewBox = ("0 -1 %d %d"):format(width, height + 1), width = width, height = height + 1, role = "img",
                   ["aria-label"] = picture.title(of)}, nodes),
    #order > shown and ("%d more lines of 128 bytes are not drawn. "):format(#order - shown) or ""
end

local function figure(of)
  local svg, more = drawing(of)
  return h("figure", {class = "access", tabindex = "0"}, svg, h("figcaption", nil, picture.title(of), ". ", more))
end

-- ---- the table ----

local function per(value, requests)
  return requests > 0 and figures.ratio(value / requests) or ""
end

local function site_row(site)
  local of, own = site.warp or {}, site.space == "local"
  return h("tr", nil, h("td", nil, findings.place(site)), h("td", nil, findings.what(site)),
    h("td", {class = "number"}, ("%.0f"):format(site.accesses)),
    h("td", {class = "number"}, of.requests and ("%.0f"):format(of.requests) or ""),
    h("td", {class = "number"}, of.requests and per(own and of.passes or of.sectors, of.requests) or ""),
    h("td", {class = "number"}, of.requests and per(own and of.least_passes or of.least_sectors, of.requests) or ""))
end

local function sites_table(kernel)
  local body = {}
  for i, site in ipairs(kernel.sites) do body[i] = site_row(site) end
  local function head(text) return h("th", {class = "number"}, text) end
  return h("div", {class = "scroll", tabindex = "0", role = "region", ["aria-label"] = "accesses of " .. kernel.kernel},
    h("table", nil, h("thead", nil, h("tr", nil, h("th", nil, "line"), h("th", nil, "access"), head "accesses",
      head "requests", head "sectors or passes a request", head "would do")), h("tbody", nil, body)))
end

local function kernel_part(kernel)
  local pictures = {}
  for i, of in ipairs(picture.sites(kernel)) do pictures[i] = figure(of) end
  local operations, kind = kernels.operations(kernel)
  return {
    h("p", {class = "note"}, ("%s: %s work-items in groups of %s; %.0f %s operations."):format(kernel.kernel,
      table.concat(kernel.global, " x "), table.concat(kernel["local"], " x "), operations, kind)),
    sites_table(kernel), pictures,
  }
end

--- The part of a step's section.
-- @tparam table counts of a row, see @{clue.walk.counted}
-- @treturn {node,...}
function access.part(counts)
  local parts, found = {}, {}
  for i, text in ipairs(counts.findings) do found[i] = h("li", nil, text) end
  for i, kernel in ipairs(counts.kernels) do parts[i] = kernel_part(kernel) end
  return {
    h("h4", nil, "What its warps ask for"),
    h("p", {class = "note"}, "Counted on a simulator",
      counts.size and (" at the size " .. counts.size) or "", ". A sector is 32 bytes. In the pictures a row is a line "
      .. "of 128 bytes, a cell a word with the lane of the first warp that asks for it in its first request (* several "
      .. "lanes); faint cells belong to the requests after it."),
    #found > 0 and h("ul", nil, found), parts,
  }
end

return access
