--- What `clue count` shows, as blocks.
-- Parameters with one meaning everywhere: given, the sizes.
local block = require "clue.show.block"
local bottleneck = require "clue.result.bottleneck"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local findings = require "clue.result.findings"
local fit = require "clue.show.count.fit"
local kernels = require "clue.result.counts"
local lists = require "clue.shared.list"
local texts = require "clue.text"

local view = {}

local function whole(value)
  return value and ("%.0f"):format(value) or nil
end

local function is_local(site)
  return site.space == "local"
end

local function sizes(list)
  return table.concat(list, " x ")
end

-- A sentence, indented below the kernel's line.
local function sentence(text)
  return block.paragraph("  " .. text, {indent = "    ", close = true})
end

-- ---- one kernel ----

local function heading_of(kernel)
  return block.paragraph(("kernel %s: %s work-items in groups of %s, %s%s"):format(kernel.kernel, sizes(kernel.global),
    sizes(kernel["local"]), counted(kernel.groups, "group"),
    kernel.launches > 1 and (", all of %d launches together"):format(kernel.launches) or ""), {close = true})
end

local function instructions_of(kernel, width)
  local of = kernel[width]
  local parts = {("%s instructions, %s a work-item"):format(whole(kernel.instructions),
    figures.number(kernel.instructions / kernel.items))}
  for _, kind in ipairs(kernels.kinds) do
    local count = kernel.operations[kind]
    if count > 0 then parts[#parts + 1] = ("%s %s"):format(whole(count), kind) end
  end
  return {
    sentence(table.concat(parts, ", ") .. (parts[2] and " operations" or "")),
    sentence(("%s: %s %% of the lanes work, %s of %s branches divide it; %s barriers a work-item"):format(
      ("%s of %d"):format(width, of.width), figures.percent(of.lanes / math.max(1, of.instructions * of.width)),
      whole(of.divergent), whole(of.branches), figures.number(kernel.barriers / kernel.items))),
  }
end

local function per_request(name, width, belongs)
  return function(site)
    local of = site[width]
    if not of or of.requests == 0 or not belongs(site) then return nil end
    return figures.ratio(of[name] / of.requests)
  end
end

-- In a narrow terminal, places have no file, and what can be reckoned is left out.
local function columns(width)
  return {
    {title = "line", narrow = {{1, "line"}}, get = function(site, most) return findings.place(site, most ~= nil) end},
    {title = "access", get = findings.what},
    {title = "accesses", right = true, get = function(site) return whole(site.accesses) end},
    {title = "bytes", right = true, narrow = {{1, false}}, get = function(site) return whole(site.bytes) end},
    {title = "requests", right = true, narrow = {{1, false}}, get = function(site)
      return site[width] and whole(site[width].requests)
    end},
    {title = "sectors a\nrequest", right = true, optional = true,
     get = per_request("sectors", width, kernels.is_global)},
    {title = "would\ndo", right = true, optional = true,
     get = per_request("least_sectors", width, kernels.is_global)},
    {title = "lines", right = true, optional = true, get = per_request("lines", width, kernels.is_global)},
    {title = "passes a\nrequest", right = true, optional = true, get = per_request("passes", width, is_local)},
    {title = "would\ndo", right = true, optional = true, get = per_request("least_passes", width, is_local)},
  }
end

local function images_of(kernel)
  local read, written = kernels.image_traffic(kernel)
  if read + written == 0 then return {} end
  return sentence(("images: %s used (%s read, %s written); where their elements lie is the device's choice, so they "
    .. "have no sectors"):format(figures.bytes(read + written), figures.bytes(read), figures.bytes(written)))
end

local function traffic_of(kernel, width)
  local read, written = kernels.least_traffic(kernel)
  local all = kernels.requests(kernel, width, kernels.is_global)
  local images = images_of(kernel)
  if read + written == 0 then return images end
  local operations, _, kinds = kernels.operations(kernel)
  local least, of_groups, asked = read + written, kernels.traffic_of_groups(kernel), all.asked
  local first = sentence(("global memory: %s used (%s read, %s written); groups move %s (%s times), requests ask for "
    .. "%s (%s times)"):format(figures.bytes(least), figures.bytes(read), figures.bytes(written),
    figures.bytes(of_groups),
    figures.ratio(of_groups / least), figures.bytes(asked), figures.ratio(asked / least)))
  return {first, operations > 0
    and sentence(("%s operations a byte: %s used, %s that groups move, %s that requests ask for"):format(kinds,
      figures.number(operations / least), figures.number(operations / math.max(1, of_groups)),
      figures.number(operations / math.max(1, asked)))), images}
end

-- A request takes a pass for each line of global memory that it touches, and for each pass of local memory's banks.
local function bounds_of(kernel, peak, width)
  local operations, kind = kernels.operations(kernel)
  local read, written = kernels.least_traffic(kernel)
  local of_images, to_images = kernels.image_traffic(kernel)
  local all, device = kernels.requests(kernel, width, function(site) return site.space ~= "private" end),
    peak.device or {}
  local list = bottleneck.bounds(peak, {type = kind, operations = operations, bytes = read + written + of_images
    + to_images, passes = device.kind == "gpu" and all.lines + all.passes or nil})
  local name = device.name or "the device of --peak"
  if not list[1] then return sentence(("on %s: --peak has no limit of what this kernel does"):format(name)) end
  local parts = lists.map(list, function(each)
    return ("%s %s us"):format(each.name, figures.number(each.seconds * 1e6))
  end)
  local may_differ = device.kind == "gpu" and all.passes > 0 and not tostring(device.vendor):find "NVIDIA"
  return {sentence(("on %s each limit alone would take: %s"):format(name, table.concat(parts, ", "))),
    sentence("bound by " .. list[1].name),
    may_differ and sentence "its local memory may take other passes: they are counted as NVIDIA's GPUs take them"}
end

-- How many instructions each source line executed.
local function lines_of(kernel)
  local function operations(line)
    local sum = line.half + line.float + line.double
    return sum > 0 and whole(sum) or nil
  end
  local columns_of_lines = {
    {title = "line", get = function(line) return findings.place(line) end},
    {title = "instructions", right = true, get = function(line) return whole(line.instructions) end},
    {title = "floating-point", right = true, optional = true, get = operations},
    {title = "integer", right = true, get = function(line) return whole(line.int) end},
    {title = "source", get = function(line) return line.text and texts.trim(line.text) end, optional = true},
  }
  return block.table {rows = kernel.lines, columns = columns_of_lines, name = "the lines of " .. kernel.kernel,
                      indent = "  ", close = true}
end

--- What a kernel does.
-- @tparam table kernel of @{clue.result.counts.of}
-- @tparam table how width ("warp" or "wavefront"), lines, pictures (booleans), rows (for @{clue.show.count.places.of}),
--   peaks ({table,...} of @{clue.result.bottleneck.devices}, or nil)
-- @treturn table blocks
function view.kernel(kernel, how)
  local limits, items = lists.map(how.peaks or {}, function(peak) return bounds_of(kernel, peak, how.width) end), {}
  local found, remedies = findings.of(kernel, how.width)
  for i, text in ipairs(found) do
    items[#items + 1] = "  - " .. text
    if remedies[i] and remedies[i] ~= remedies[i + 1] then items[#items + 1] = "    to do: " .. remedies[i] end
  end
  local is_wide = how.width == "wavefront" and kernels.requests(kernel, how.width, is_local).requests > 0
  return {
    heading_of(kernel), instructions_of(kernel, how.width),
    block.table {columns = columns(how.width), rows = kernel.sites, name = "accesses of " .. kernel.kernel,
                 indent = "  ", close = true},
    is_wide and sentence("passes are those of NVIDIA's GPUs, for each 32 lanes; AMD's may share words otherwise if "
      .. "accesses are wide"),
    traffic_of(kernel, how.width), block.list(items, {indent = "    ", close = true}), limits,
    how.lines and lines_of(kernel),
    how.pictures and block.picture {kernel = kernel, rows = how.rows, close = true},
  }
end

-- ---- formulas ----

local quantities = {
  {"operations", function(kernel) return (kernels.operations(kernel)) end},
  {"instructions", function(kernel) return kernel.instructions end},
  {"bytes used", function(kernel)
    local read, written = kernels.least_traffic(kernel)
    return read + written
  end},
  {"global requests", function(kernel, width) return kernels.requests(kernel, width, kernels.is_global).requests end},
  {"global sectors", function(kernel, width) return kernels.requests(kernel, width, kernels.is_global).sectors end},
  {"sectors of groups", function(kernel) return kernels.traffic_of_groups(kernel) / 32 end},
  {"local passes", function(kernel, width) return kernels.requests(kernel, width, is_local).passes end},
}

--- The formulas of a kernel that ran with several sizes.
-- @tparam {table,...} list the kernel at each size
-- @tparam string width
-- @treturn {table,...} name, values, terms (of @{clue.show.count.fit.terms}), text
function view.formulas(given, list, width)
  local formulas = {}
  for _, quantity in ipairs(quantities) do
    local values, any = {}, false
    for i, kernel in ipairs(list) do
      values[i] = quantity[2](kernel, width)
      any = any or values[i] > 0
    end
    if any then
      local terms = fit.terms(given, values)
      formulas[#formulas + 1] = {name = quantity[1], values = values, terms = terms,
                                 text = terms and fit.text(terms) or "no sum of powers of n"}
    end
  end
  return formulas
end

-- "kernel sum", "kernel sum in groups of 64", "kernel sum, number 2"
local function title_of(of)
  return ("kernel %s%s%s"):format(of.kernel, of.groups and " in groups of " .. of.groups or "",
    of.place and ", number " .. of.place or "")
end

--- Why a kernel has no formulas.
-- @tparam table of of @{clue.show.count.fit.kernels}
-- @tparam string name of the sizes
-- @treturn table a block
function view.missing_formulas(of, name, given)
  local at = lists.map(of.missing, function(run) return figures.exact(given[run]) end)
  return sentence(("%s: not launched with %s = %s, so it has no formulas"):format(title_of(of), name,
    table.concat(at, ", ")))
end

--- Formulas.
-- @tparam table of of @{clue.show.count.fit.kernels}
-- @tparam {table,...} formulas of @{formulas}
-- @treturn table a block
function view.formulas_table(of, given, formulas)
  local layout = {{title = title_of(of), get = function(each) return each.name end}}
  for i, size in ipairs(given) do
    layout[#layout + 1] = {title = ("n = %s"):format(figures.exact(size)), right = true, get = function(each)
      return whole(each.values[i])
    end}
  end
  layout[#layout + 1] = {title = "over n", get = function(each) return each.text end}
  return block.table {columns = layout, rows = formulas, name = title_of(of), indent = "  ", close = true}
end

-- ---- a walkthrough ----

--- The columns of what was counted of steps, for their tables.
-- @tparam function counts_of counts_of(row): sums (of @{clue.result.counts.sums}) and flops; nil if it was not counted
-- @treturn {table,...} for @{clue.show.block.table}
function view.step_columns(counts_of)
  local function ratio(name, write)
    return function(row)
      local counts = counts_of(row)
      local value = counts and kernels.ratios(counts.sums, counts.flops)[name]
      return value and (write or figures.ratio)(value)
    end
  end
  return {
    {title = "accesses\nan oper-\nation", page = "accesses an operation", right = true, optional = true,
     narrow = {{4, false}}, get = ratio "accesses"},
    {title = "sectors\na re-\nquest", page = "sectors a request", right = true, get = ratio "sectors"},
    {title = "asked\nby\nused", right = true, get = ratio "asked"},
    {title = "groups\nmove\nby used", right = true, narrow = {{2, false}}, get = ratio "moved"},
    {title = "passes\na local\nrequest", right = true, optional = true, get = ratio "passes"},
    {title = "lanes\nthat\nwork %", right = true, narrow = {{5, false}}, get = ratio("lanes", figures.percent)},
  }
end

-- Operations are those that the step declares: a step may add on whole numbers, as copies do to find their place.
local step_columns = {
  {title = "step", right = true, get = function(entry) return tostring(entry.number) end},
  {title = "name", get = function(entry) return entry.name end},
}
for _, column in ipairs(view.step_columns(function(entry) return entry.sums and entry end)) do
  step_columns[#step_columns + 1] = column
end

--- Steps, a line each.
-- @tparam {table,...} entries number, name, sums (of @{clue.result.counts.sums}), flops (that the step declares, or
--   nil)
-- @treturn table a block
function view.steps(entries)
  return block.table {columns = step_columns, rows = entries, empty = "-", name = "what was counted", close = true}
end

--- Why steps were not counted.
-- @tparam {table,...} entries number, name, why
-- @treturn table a block
function view.missing(entries)
  local items = lists.map(entries, function(entry)
    return ("step %s, %s: %s"):format(tostring(entry.number), entry.name, entry.why)
  end)
  return block.list(items, {indent = "    ", close = true})
end

return view
