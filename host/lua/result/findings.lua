--- What the counts of a kernel say about it, in sentences, the weightiest first; and what to do about each.
local figures = require "clue.shared.figures"
local kernels = require "clue.result.counts"
local lists = require "clue.shared.list"

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
local function add(list, weight, remedy, text, ...)
  text = text:format(...)
  for _, each in ipairs(list) do
    if each.text == text then
      each.weight = each.weight + weight
      return
    end
  end
  list[#list + 1] = {weight = weight, text = text, remedy = remedy}
end

-- ---- how neighbours lie ----

-- The first request of a site that a picture has; nil if none has.
local function first_request(kernel, site)
  local key = kernels.site_key(site)
  for _, drawn in ipairs(kernel.pictures) do
    for _, of in ipairs(kernel.picture_sites) do
      if of.number == drawn.site and kernels.site_key(of) == key then return drawn end
    end
  end
end

-- The bytes from a work-item's address to that of its neighbour, where these run along dimension 0; and the bytes of
-- one access. Nil where the first two say nothing of the others.
local function apart(kernel, site)
  local first = first_request(kernel, site)
  if not first or not first.offsets[3] or first.lanes[2] ~= first.lanes[1] + 1 then return nil end
  local by = first.offsets[2] - first.offsets[1]
  if (kernel["local"][1] or 1) > 2 and first.offsets[3] - first.offsets[2] ~= by then return nil end
  return math.abs(by), first.bytes
end

-- How far a structure's fields reach: neighbours farther apart are in other rows.
local FIELDS = 64

local function elements(bytes, each)
  return bytes % each == 0 and ("%.0f elements"):format(bytes / each) or ("%.0f bytes"):format(bytes)
end

-- Of neighbours whose accesses lie side by side.
local function remedy_of_adjoining(site, bytes)
  local part = site.bytes / site.accesses
  if part >= bytes then
    return "what neighbours take begins inside a sector: let rows begin at multiples of 32 bytes"
  elseif part < 16 then
    return "vloadN and vstoreN take each element in a request of its own: a pointer to the vector type takes up to 16 "
      .. "bytes in one"
  end
  return ("a work-item takes %.0f bytes, 16 in a request, so that neighbours' lie apart: let each take 16 bytes, side "
    .. "by side"):format(bytes)
end

local function remedy_of_global(kernel, site)
  local group = kernel["local"]
  local by, bytes = apart(kernel, site)
  if (group[1] or 1) < 8 and (group[2] or 1) > 1 then
    return ("groups are only %.0f wide in dimension 0: make them 32 wide, along neighbouring elements"):format(group[1])
  elseif not by then
    return "neighbours ask for what is scattered: let them take neighbouring elements, or sort what they take"
  elseif by > FIELDS then
    return ("neighbours in dimension 0 are %s apart: %s"):format(elements(by, bytes), group[2] and
      "exchange the dimensions" or "let neighbours take neighbouring elements")
  elseif by > bytes then
    return ("neighbours are %s apart: give each field an array of its own, or let neighbours take neighbouring "
      .. "elements")
      :format(elements(by, bytes))
  elseif by == bytes then
    return remedy_of_adjoining(site, bytes)
  end
end

local function remedy_of_local(kernel, site)
  if site.access == "atomic" then return "let each work-item sum in a variable of its own first" end
  local by = apart(kernel, site)
  if by and by > 4 and by % 8 == 0 then
    return ("neighbours are %.0f words apart: pad the row by one"):format(by / 4)
  end
end

local function add_global(list, kernel, width)
  local all = kernels.requests(kernel, width, kernels.is_global)
  for _, site in ipairs(kernel.sites) do
    local of = site[width]
    if kernels.is_global(site) and of.sectors >= SHARE * all.sectors and of.sectors >= WASTE * of.least_sectors then
      add(list, of.sectors - of.least_sectors, remedy_of_global(kernel, site),
        "%s %s: %s sectors a request where %s would do", findings.place(site), findings.what(site),
        figures.ratio(per(of.sectors, of.requests)),
        figures.ratio(per(of.least_sectors, of.requests)))
    end
  end
end

local function add_local(list, kernel, width)
  local all = kernels.requests(kernel, width, function(site) return site.space == "local" end)
  for _, site in ipairs(kernel.sites) do
    local of = site[width]
    if site.space == "local" and of.passes >= SHARE * all.passes and of.passes >= WASTE * of.least_passes then
      add(list, 4 * (of.passes - of.least_passes), remedy_of_local(kernel, site),
        "%s %s: %s, %s passes a request where %s would do",
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
    local remedy = of.divergent > 0 and ("let the work-items of a %s take the same way, or compute both and select")
      :format(width) or ("make groups of a multiple of %d work-items"):format(of.width)
    add(list, of.instructions * (1 - busy), remedy, "%s %% of the lanes work: %s", figures.percent(busy), cause)
  end
end

local function add_private(list, kernel)
  for _, array in ipairs(kernel.private_arrays) do
    local accesses = lists.sum(kernel.sites, function(site)
      return site.space == "private" and site.object == array.name and site.accesses
    end)
    if array.bytes >= 16 and accesses > 0 then
      add(list, accesses / 32, "index it by numbers that the compiler knows (unroll the loop), or make it smaller",
        "private %s: %.0f bytes of each work-item that the compiler left in memory, %s accesses",
        array.name, array.bytes, figures.number(accesses))
    end
  end
end

-- Groups that ask for the same sectors again and again.
local AGAIN = 8

-- How many requests a work-item's access is made of: their sectors are the same.
local function parts_of(kernel, site)
  local first = first_request(kernel, site)
  return first and first.bytes * per(site.accesses, site.bytes) or 1
end

local function add_again(list, kernel, width)
  local all = kernels.requests(kernel, width, kernels.is_global)
  for _, buffer in ipairs(kernel.buffers) do
    local sectors = lists.sum(kernel.sites, function(site)
      local is_own = site.object == buffer.name and site.access == "load" and kernels.is_global(site)
      return is_own and site[width].sectors / parts_of(kernel, site)
    end)
    local times = per(sectors, buffer.group_sectors)
    if times >= AGAIN and buffer.written == 0 and sectors >= SHARE * all.sectors then
      add(list, (sectors - buffer.group_sectors) / 4, "read it once into local memory, or keep it in registers",
        "each group reads the same sectors of %s %s times", buffer.name, figures.ratio(times))
    end
  end
end

--- The sentences about a kernel.
-- @tparam table kernel of @{clue.result.counts.of}
-- @tparam string width "warp" or "wavefront"
-- @treturn {string,...}
-- @treturn {string,...} what to do about each; false for nothing
function findings.of(kernel, width)
  local list, texts, remedies = {}, {}, {}
  add_global(list, kernel, width)
  add_local(list, kernel, width)
  add_again(list, kernel, width)
  add_lanes(list, kernel, width)
  add_private(list, kernel)
  table.sort(list, function(a, b)
    if a.weight ~= b.weight then return a.weight > b.weight end
    return a.text < b.text
  end)
  for i, each in ipairs(list) do texts[i], remedies[i] = each.text, each.remedy or false end
  if kernel.cut then
    texts[#texts + 1] = "a group accesses memory so often that not all of its requests were matched: take a smaller "
      .. "size"
  end
  return texts, remedies
end

return findings
