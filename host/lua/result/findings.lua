--- What the counts of a kernel say about it, in sentences, the weightiest first.
-- @module clue.result.findings
local figures = require "clue.shared.figures"
local kernels = require "clue.result.counts"

local findings = {}

-- A site matters if it makes so much of all requests' work, and waste is told from so many times the least.
local SHARE, WASTE = 0.05, 1.5

local verbs = {load = "reads", store = "writes", atomic = "updates", ["load and store"] = "reads and writes"}

--- A site's place, as short as it is clear.
-- @tparam table site
-- @tparam[opt] boolean alone true to leave out the file
-- @treturn string "a.cl:12"; what the compiler merged from several lines has none
function findings.place(site, alone)
  if not site.line then return "several lines" end
  return alone and tostring(site.line) or ("%s:%d"):format(site.file:match "[^/]*$", site.line)
end

--- What a site does.
-- @tparam table site
-- @treturn string "reads a", "writes local tile"
function findings.what(site)
  local object = site.expression or site.object ~= "" and site.object or "memory"
  local space = site.space ~= "global" and site.space .. " " or ""
  return ("%s %s%s"):format(verbs[site.access], space, object)
end

local function per(value, count)
  return count > 0 and value / count or 0
end

-- Accesses of one line that read or write the same are one sentence, with the weight of all.
local function add(list, weight, text, ...)
  text = text:format(...)
  for _, each in ipairs(list) do
    if each.text == text then
      each.weight = each.weight + weight
      return
    end
  end
  list[#list + 1] = {weight = weight, text = text}
end

local function add_global(list, kernel, width)
  local all = kernels.requests(kernel, width, kernels.is_global)
  for _, site in ipairs(kernel.sites) do
    local of = site[width]
    if kernels.is_global(site) and of.sectors >= SHARE * all.sectors and of.sectors >= WASTE * of.least_sectors then
      add(list, of.sectors - of.least_sectors, "%s %s: %s sectors a request where %s would do", findings.place(site),
        findings.what(site), figures.ratio(per(of.sectors, of.requests)),
        figures.ratio(per(of.least_sectors, of.requests)))
    end
  end
end

local function add_local(list, kernel, width)
  local all = kernels.requests(kernel, width, function(site) return site.space == "local" end)
  for _, site in ipairs(kernel.sites) do
    local of = site[width]
    if site.space == "local" and of.passes >= SHARE * all.passes and of.passes >= WASTE * of.least_passes then
      add(list, 4 * (of.passes - of.least_passes), "%s %s: %s, %s passes a request where %s would do",
        findings.place(site), findings.what(site),
        site.access == "atomic" and "lanes wait for a bank or for each other" or "bank conflicts",
        figures.ratio(per(of.passes, of.requests)), figures.ratio(per(of.least_passes, of.requests)))
    end
  end
end

local function add_lanes(list, kernel, width)
  local of = kernel[width]
  local busy = per(of.lanes, of.instructions * of.width)
  if busy < 0.9 then
    local cause = of.divergent > 0 and ("%.0f of %.0f branches divide a %s"):format(of.divergent, of.branches,
      width) or ("the groups are no whole %ss"):format(width)
    add(list, of.instructions * (1 - busy), "%s %% of the lanes work: %s", figures.percent(busy), cause)
  end
end

local function add_private(list, kernel)
  for _, array in ipairs(kernel.private_arrays) do
    local accesses = 0
    for _, site in ipairs(kernel.sites) do
      if site.space == "private" and site.object == array.name then accesses = accesses + site.accesses end
    end
    if array.bytes >= 16 and accesses > 0 then
      add(list, accesses / 32, "private %s: %.0f bytes of each work-item that the compiler left in memory, %s accesses",
        array.name, array.bytes, figures.number(accesses))
    end
  end
end

--- The sentences about a kernel.
-- @tparam table kernel of @{clue.result.counts.of}
-- @tparam string width "warp" or "wavefront"
-- @treturn {string,...}
function findings.of(kernel, width)
  local list, texts = {}, {}
  add_global(list, kernel, width)
  add_local(list, kernel, width)
  add_lanes(list, kernel, width)
  add_private(list, kernel)
  table.sort(list, function(a, b)
    if a.weight ~= b.weight then return a.weight > b.weight end
    return a.text < b.text
  end)
  for i, each in ipairs(list) do texts[i] = each.text end
  if kernel.cut then
    texts[#texts + 1] = "a group accesses memory so often that not all of its requests were matched: take a smaller "
      .. "size"
  end
  return texts
end

return findings
