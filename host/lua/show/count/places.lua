--- The places of a kernel that pictures show, each with the first requests of the first warp that comes there.
local kernels = require "clue.result.counts"
local layouts = require "clue.show.count.layout"
local lists = require "clue.shared.list"

local places = {}

-- The buffer's name where a function's place accesses several; else the place's own word for it.
local function object_of(site, buffers)
  local are_several = #lists.distinct(buffers) > 1
  return function(drawn) return are_several and drawn.buffer or site.object end
end

-- The compiler makes several sites of a place whose loop it unrolls: one round of all of them, then the next.
local function in_rounds(of_sites)
  local requests, round = {}, 1
  repeat
    local any = false
    for _, list in ipairs(of_sites) do
      if list[round] then requests[#requests + 1], any = list[round], true end
    end
    round = round + 1
  until not any
  return requests
end

local function drawn_by_site(kernel)
  local by_number = {}
  for _, drawn in ipairs(kernel.pictures) do
    by_number[drawn.site] = by_number[drawn.site] or {}
    table.insert(by_number[drawn.site], drawn)
  end
  return by_number
end

local function copy(site, object)
  local made = {}
  for name, value in pairs(site) do made[name] = value end
  made.object = object
  return made
end

-- Sorts the requests of a site into the places of a kernel, by what they access.
local function sort_in(known, site, list)
  local named = object_of(site, lists.map(list, function(drawn) return drawn.buffer end))
  local of_keys = {}
  for _, drawn in ipairs(list) do
    local of = copy(site, named(drawn))
    local key = kernels.site_key(of)
    if not known[key] then
      known[key] = {site = of, of_sites = {}}
      known[#known + 1] = known[key]
    end
    if not of_keys[key] then
      of_keys[key] = {}
      table.insert(known[key].of_sites, of_keys[key])
    end
    table.insert(of_keys[key], drawn)
  end
end

local ranks = {load = 1, atomic = 2, store = 3}

-- By lines; in each, reads come before writes.
local function in_order(a, b)
  local left, right = a.site, b.site
  if left.file == right.file and left.line == right.line and left.access ~= right.access then
    return ranks[left.access] < ranks[right.access]
  end
  if kernels.by_place(left, right) then return true end
  return not kernels.by_place(right, left) and left.number < right.number
end

local function same_list(a, b)
  if #a ~= #b then return false end
  for i, each in ipairs(a) do
    if each ~= b[i] then return false end
  end
  return true
end

local function same_requests(a, b)
  if #a ~= #b then return false end
  for i, one in ipairs(a) do
    local other = b[i]
    if one.bytes ~= other.bytes or not same_list(one.lanes, other.lanes) or not same_list(one.offsets, other.offsets)
    then return false end
  end
  return true
end

-- What c[i] += x reads it also writes: one place.
local function join_reads_and_writes(list)
  for i = #list, 2, -1 do
    local written = list[i]
    for k = i - 1, 1, -1 do
      local read = list[k]
      local a, b = read.site, written.site
      if a.access == "load" and b.access == "store" and a.file == b.file and a.line == b.line and a.space == b.space
        and a.object == b.object and same_requests(read.requests, written.requests) then
        a.access = "load and store"
        table.remove(list, i)
        break
      end
    end
  end
end

local function add_layouts(list, kernel, rows)
  local by_object = {}
  for _, of in ipairs(list) do
    local same = by_object[of.site.object] or {}
    by_object[of.site.object] = same
    if kernels.is_global(of.site) then same[#same + 1] = of.requests end
  end
  for _, of in ipairs(list) do
    local object = of.site.object
    of.layout = of.site.space == "local" and layouts.banks
      or layouts.of((kernel.arguments or {})[object], by_object[object], (rows or {})[object])
    of.grid = layouts.grid(of.layout, of.requests)
  end
end

--- The places of a kernel that can be drawn, in the order of their lines.
-- @tparam table kernel of @{clue.result.counts.of}
-- @tparam ?table rows by an argument's name: the elements of a row, as `--rows` gives them
-- @treturn {table,...} site, requests (its first ones), layout and grid (of @{clue.show.count.layout})
function places.of(kernel, rows)
  local list, by_site = {}, drawn_by_site(kernel)
  for _, site in ipairs(kernel.picture_sites) do
    if by_site[site.number] then sort_in(list, site, by_site[site.number]) end
  end
  for _, of in ipairs(list) do of.requests = in_rounds(of.of_sites) end
  table.sort(list, in_order)
  join_reads_and_writes(list)
  add_layouts(list, kernel, rows)
  return list
end

return places
