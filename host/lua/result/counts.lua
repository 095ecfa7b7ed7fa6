--- What a script's kernels do, summed over their launches, and what follows from it.
--
-- A kernel here is all launches of one kernel of one program in groups of one size: kernel (its name), variant (of a
-- walkthrough's step that has several, which one launched it: 1, 2, ...), launches,
-- global and local (sizes of the last launch), items, groups, instructions, operations (half, float, double, special,
-- int), barriers, warp and wavefront (width, count, instructions and lanes: how many times such a unit runs an
-- instruction, and with how many work-items; branches, divergent), sites, lines, buffers, private_arrays, pictures, cut
-- (true if requests are missing), arguments (of the first launch, by name: type, and for matrices rows and row_bytes).
--
-- A site is a place that accesses memory: file, line, column, text (the source line), access ("load", "store",
-- "atomic"), space ("global", "constant", "local", "private", "image"), object (the argument's or array's name),
-- expression (what the source has there, if the line accesses the object several times so), accesses and
-- bytes (by work-items), warp and wavefront: requests, and for global memory sectors of 32 bytes, least_sectors (if
-- what the lanes ask for lay side by side) and lines of 128 bytes; for local memory passes and least_passes. Where an
-- image's elements lie is for the device to choose, so they have neither.
--
-- Parameters with one meaning everywhere: kernel, one that was counted; site, one of its places; wanted, a function
-- wanted(site); width, "warp" or "wavefront".
local as_list = require("clue.shared.json").list
local lists = require "clue.shared.list"
local trim_end = require("clue.text").trim_end

local kernels = {}

--- The kinds of operations, as OpenCL C names their types; special: divisions, roots and other functions, which count
-- among the others too.
kernels.kinds = {"half", "float", "double", "special", "int"}

-- ---- sums ----

-- What is no sum: places and ordinals.
local same = {width = true, line = true, column = true, text_column = true, number = true, argument = true,
              image = true}

local function add_numbers(to, from)
  for name, value in pairs(from) do
    if type(value) == "table" then
      to[name] = to[name] or {}
      add_numbers(to[name], value)
    elseif type(value) == "number" and not same[name] then
      to[name] = (to[name] or 0) + value
    else
      to[name] = value
    end
  end
end

-- Adds the entries of a launch to those of the kernel; entries with the same key are one.
local function add_entries(to, from, key)
  for _, entry in ipairs(from) do
    local name = key(entry)
    if not to[name] then
      to[name] = {}
      to[#to + 1] = to[name]
    end
    add_numbers(to[name], entry)
  end
end

--- What distinguishes a kernel's sites: those with the same key are one place of the source.
-- @treturn string
function kernels.site_key(site)
  return ("%s|%s|%s|%s|%s|%s"):format(tostring(site.file), tostring(site.line), tostring(site.column), site.access,
    site.space, site.object)
end

local function line_key(line)
  return ("%s|%s"):format(tostring(line.file), tostring(line.line))
end

local function buffer_key(buffer)
  return ("%s|%s"):format(buffer.name or "", tostring(buffer.image))
end

local function without_keys(entries)
  return as_list(lists.map(entries, function(entry) return entry end))
end

local function kernel_key(launch)
  return ("%s|%s|%s|%s"):format(launch.kernel, tostring(launch.program), table.concat(launch["local"], "x"),
    tostring(launch.variant))
end

local function new_kernel(launch)
  return {kernel = launch.kernel, variant = launch.variant, launches = 0, items = 0, groups = 0, instructions = 0,
          barriers = 0, operations = {}, warp = {}, wavefront = {}, sites = {}, lines = {}, buffers = {},
          private_arrays = launch.private_arrays, pictures = {}, picture_sites = launch.sites,
          arguments = launch.arguments, local_memory = launch.local_memory, cut = false}
end

local function add_launch(to, launch)
  to.launches, to.global, to["local"] = to.launches + 1, launch.global, launch["local"]
  to.items, to.groups = to.items + launch.items, to.groups + launch.groups
  to.cut = to.cut or launch.cut ~= 0
  add_numbers(to.warp, launch.warp)
  add_numbers(to.wavefront, launch.wavefront)
  to.warp.width, to.wavefront.width = launch.warp.width, launch.wavefront.width
  add_entries(to.sites, launch.sites, kernels.site_key)
  add_entries(to.lines, launch.lines, line_key)
  add_entries(to.buffers, launch.buffers, buffer_key)
  if not to.pictures[1] then to.pictures, to.picture_sites = launch.pictures, launch.sites end
  for _, line in ipairs(launch.lines) do
    to.instructions, to.barriers = to.instructions + line.instructions, to.barriers + line.barriers
    for _, kind in ipairs(kernels.kinds) do to.operations[kind] = (to.operations[kind] or 0) + line[kind] end
  end
end

-- ---- what the source has at a site ----

local LONGEST = 30

-- "in[i - 1]", "vload4(i, in)", "in, column 12" where none is to be seen. Of in[i] += x, the place is that of +=.
local function expression_of(site)
  local text, column = site.text or "", site.text_column or 1
  local from = text:sub(column)
  if from:find "^[-+*/%%&|^<>]+=" then from = trim_end(text:sub(1, column - 1)):match "[%a_][%w_]*%b[]$" or "" end
  local name = from:match "^[%a_][%w_]*" or ""
  local found = name
  for _, brackets in ipairs {"^%s*%b[]", "^%s*%b()"} do
    local part = from:match(brackets, #found + 1)
    while part do
      found = found .. part
      part = from:match(brackets, #found + 1)
    end
  end
  if found ~= name and #found <= LONGEST then return found end
  return site.column and ("%s, column %d"):format(site.object, site.column) or nil
end

local function look_key(site)
  return ("%s|%s|%s|%s|%s"):format(tostring(site.file), tostring(site.line), site.access, site.space, site.object)
end

-- The compiler makes several sites of a place whose loop it unrolls, so columns count.
local function add_expressions(sites)
  local first, several = {}, {}
  for _, site in ipairs(sites) do
    local key = look_key(site)
    first[key] = first[key] or site
    several[key] = several[key] or first[key].column ~= site.column
  end
  for _, site in ipairs(sites) do
    if site.line and several[look_key(site)] then site.expression = expression_of(site) end
  end
end

--- The order of sites or lines: that of the source.
-- @tparam table a file, line, column
-- @tparam table b
-- @treturn boolean whether a comes first
function kernels.by_place(a, b)
  if (a.file or "") ~= (b.file or "") then return (a.file or "") < (b.file or "") end
  if (a.line or 0) ~= (b.line or 0) then return (a.line or 0) < (b.line or 0) end
  return (a.column or 0) < (b.column or 0)
end

--- Sums launches.
-- @tparam {table,...} launches as the plugin reports them
-- @treturn {table,...} in the order of their first launches, see the module's head
function kernels.of(launches)
  local all = as_list {}
  for _, launch in ipairs(launches) do
    local key = kernel_key(launch)
    if not all[key] then
      all[key] = new_kernel(launch)
      all[#all + 1] = all[key]
    end
    add_launch(all[key], launch)
  end
  for _, kernel in ipairs(all) do
    kernel.sites, kernel.lines = without_keys(kernel.sites), without_keys(kernel.lines)
    kernel.buffers = without_keys(kernel.buffers)
    table.sort(kernel.sites, kernels.by_place)
    table.sort(kernel.lines, kernels.by_place)
    add_expressions(kernel.sites)
    add_expressions(kernel.picture_sites)
  end
  return without_keys(all)
end

-- ---- what follows ----

--- The arithmetic of a kernel, a fused multiply-add counting as two; for kernels of whole numbers, theirs.
-- @treturn number
-- @treturn string the type that most of it is of: "float", ..., "int"
-- @treturn string all types that it is of: "float and double"
function kernels.operations(kernel)
  local sum, most, kind, kinds = 0, 0, "int", {}
  for _, name in ipairs {"half", "float", "double"} do
    local its = kernel.operations[name]
    sum = sum + its
    if its > most then most, kind = its, name end
    if its > 0 then kinds[#kinds + 1] = name end
  end
  return sum > 0 and sum or kernel.operations.int, kind, kinds[1] and table.concat(kinds, " and ") or kind
end

--- Whether a site is in global memory, which constant memory is part of.
function kernels.is_global(site)
  return site.space == "global" or site.space == "constant"
end

-- A pass serves so many lines of 128 bytes. On an H200, Nsight Compute has 11 passes for the 32 lines of a request, 5
-- to 7 for 16, 5.9 for 8 and 4 together, and 1.3 for two; more where the words of the lines are in the same banks.
local LINES_OF_PASS = 2

--- The passes through a GPU's compute unit that a site's requests take, one in a cycle. Of global memory, four bytes of
-- each lane move in a pass, even if all lanes ask for the same.
-- @treturn number
function kernels.passes_of(site)
  local asked = site.warp or {}
  if not kernels.is_global(site) then return asked.passes or 0 end
  if (asked.requests or 0) == 0 then return 0 end
  local words = math.max(1, math.min(site.bytes / site.accesses, 16) / 4)
  return math.max(asked.requests * words, asked.lines / LINES_OF_PASS)
end

--- The passes of some of a kernel's sites.
-- @treturn number
function kernels.passes(kernel, wanted)
  return lists.sum(kernel.sites, function(site) return wanted(site) and kernels.passes_of(site) end)
end

--- Sums what some sites ask for.
-- @treturn table accesses, bytes, requests, sectors, least_sectors, lines, passes, least_passes; asked: the bytes of
--   all sectors, those of atomic operations twice, since they read and write them
function kernels.requests(kernel, width, wanted)
  local sum = {accesses = 0, bytes = 0, requests = 0, sectors = 0, least_sectors = 0, lines = 0, passes = 0,
               least_passes = 0, asked = 0}
  for _, site in ipairs(kernel.sites) do
    if wanted(site) then
      sum.asked = sum.asked + ((site[width] or {}).sectors or 0) * 32 * (site.access == "atomic" and 2 or 1)
      sum.accesses, sum.bytes = sum.accesses + site.accesses, sum.bytes + site.bytes
      for name, value in pairs(site[width] or {}) do sum[name] = sum[name] + value end
    end
  end
  return sum
end

local function traffic(kernel, image)
  local read, written = 0, 0
  for _, buffer in ipairs(kernel.buffers) do
    if buffer.image == image then read, written = read + buffer.read, written + buffer.written end
  end
  return read, written
end

--- The least traffic of global memory: every byte that is used, once for each kernel.
-- @treturn number bytes read
-- @treturn number bytes written
function kernels.least_traffic(kernel)
  return traffic(kernel, nil)
end

--- The same of images.
-- @treturn number bytes read
-- @treturn number bytes written
function kernels.image_traffic(kernel)
  return traffic(kernel, 1)
end

--- How many bytes all groups move, if each fetches a sector once that it reads, and puts one back that it writes: what
-- a cache of each compute unit leaves.
-- @treturn number
function kernels.traffic_of_groups(kernel)
  return lists.sum(kernel.buffers, function(buffer) return buffer.group_sectors end) * 32
end

--- The kernels that one of a step's variants launches.
-- @tparam {table,...} list of @{of}
-- @tparam int variant
-- @treturn {table,...}
function kernels.of_variant(list, variant)
  return lists.filter(list, function(kernel) return not kernel.variant or kernel.variant == variant end)
end

--- What kernels do together.
-- @tparam {table,...} list of @{of}, of one variant
-- @treturn table accesses, requests, sectors: of global memory; local_requests, passes; least (bytes that are used),
--   asked (bytes of all requests), of_groups (bytes that groups move); lanes and slots: those of a warp that work, and
--   all
function kernels.sums(list, width)
  local sums = {accesses = 0, requests = 0, sectors = 0, least = 0, asked = 0, of_groups = 0, passes = 0,
                local_requests = 0, lanes = 0, slots = 0}
  for _, kernel in ipairs(list) do
    local global = kernels.requests(kernel, width, kernels.is_global)
    local own = kernels.requests(kernel, width, function(site) return site.space == "local" end)
    local read, written = kernels.least_traffic(kernel)
    sums.accesses = sums.accesses + global.accesses
    sums.requests, sums.sectors = sums.requests + global.requests, sums.sectors + global.sectors
    sums.asked = sums.asked + global.asked
    sums.local_requests, sums.passes = sums.local_requests + own.requests, sums.passes + own.passes
    sums.least, sums.of_groups = sums.least + read + written, sums.of_groups + kernels.traffic_of_groups(kernel)
    sums.lanes = sums.lanes + kernel[width].lanes
    sums.slots = sums.slots + kernel[width].instructions * kernel[width].width
  end
  return sums
end

local function ratio(over, by)
  return over and (by or 0) > 0 and over / by or nil
end

--- What sums say, whatever the size of the problem.
-- @tparam table sums of @{sums}
-- @tparam ?number operations that the step declares
-- @treturn table accesses (of global memory, an operation), sectors (a request), asked and moved (the bytes of the
--   requests' sectors, and those that groups move, by the bytes that are used), passes (a request of local memory),
--   lanes (the part of them that works); each nil where there is nothing to divide by
function kernels.ratios(sums, operations)
  return {
    accesses = ratio(sums.accesses, operations), sectors = ratio(sums.sectors, sums.requests),
    asked = ratio(sums.asked, sums.least), moved = ratio(sums.of_groups, sums.least),
    passes = ratio(sums.passes, sums.local_requests), lanes = ratio(sums.lanes, sums.slots),
  }
end

return kernels
