--- What a step's kernels do, counted: the accesses as a table, the findings, and pictures of the first requests.
-- @module clue.show.report.access
local figures = require "clue.shared.figures"
local findings = require "clue.result.findings"
local html = require "clue.show.report.html"
local kernels = require "clue.result.counts"
local figure = require "clue.show.report.picture"
local picture = require "clue.show.count.picture"
local places = require "clue.show.count.places"

local access = {}

local h = html.element

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
  for i, of in ipairs(places.of(kernel)) do pictures[i] = figure(kernel, of) end
  local operations, kind = kernels.operations(kernel)
  return {
    h("p", {class = "note"}, ("%s: %s work-items in groups of %s; %.0f %s operations."):format(kernel.kernel,
      table.concat(kernel.global, " x "), table.concat(kernel["local"], " x "), operations, kind),
      pictures[1] and (" In the pictures, %s."):format(picture.items_text(kernel))),
    sites_table(kernel), pictures,
  }
end

local about_pictures = "A sector is 32 bytes. The pictures show what the first warp asks for in its first request at "
  .. "each place, as the rows of the matrix where these are known: a letter and a colour for each work-item, * where "
  .. "several ask for the same element. Faint cells, and dashed ones of several work-items, belong to the requests "
  .. "after it. Grey is fetched with a sector and not asked for. Thin lines part sectors, thick ones lines of 128 "
  .. "bytes. In local memory a row is the 32 banks."

--- The part of a step's section.
-- @tparam table counts of a row, see @{clue.run.counted}
-- @treturn {node,...}
function access.part(counts)
  local parts, found = {}, {}
  for i, text in ipairs(counts.findings) do found[i] = h("li", nil, text) end
  for i, kernel in ipairs(counts.kernels) do parts[i] = kernel_part(kernel) end
  return {
    h("h4", nil, "What its warps ask for"),
    h("p", {class = "note"}, "Counted on a simulator",
      counts.size and (" at the size " .. counts.size) or "", ". ", about_pictures),
    #found > 0 and h("ul", nil, found), parts,
  }
end

return access
