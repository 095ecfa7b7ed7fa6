--- What numbers in texts are claimed to be: a count, a kept measurement, the author's figure, machine code, a constant
-- of a kernel, or what they are by definition. A claim is a value with its kinds; arithmetic with claims and plain
-- numbers gives claims.
local bottleneck = require "clue.result.bottleneck"
local catalogue = require "clue.run.catalogue"
local columns = require "clue.result.columns"
local counts = require "clue.result.counts"
local gains = require "clue.result.gain"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local read = require("clue.file").read
local read_document = require("clue.result.document").read
local read_text = require("clue.result.document").text
local row_of = require "clue.result.row"
local cached = require("support").cached
local statistics = require "clue.result.statistics"
local tensor_sets = require "clue.gemm.tensor_sets"

local sources = {}

local KEPT = "docs/measurements/"

-- ---- claims ----

local Claim = {}

local function claim(value, kinds)
  assert(type(value) == "number", "there is no such value")
  return setmetatable({value = value, kinds = kinds}, Claim)
end

local function of_kind(value, kind) return claim(value, {[kind] = true}) end

local function operation(compute)
  return function(a, b)
    local kinds = {}
    local function part(it)
      if type(it) == "number" then return it end
      for kind in pairs(it.kinds) do kinds[kind] = true end
      return it.value
    end
    return claim(compute(part(a), part(b)), kinds)
  end
end

Claim.__add = operation(function(a, b) return a + b end)
Claim.__sub = operation(function(a, b) return a - b end)
Claim.__mul = operation(function(a, b) return a * b end)
Claim.__div = operation(function(a, b) return a / b end)
Claim.__pow = operation(function(a, b) return a ^ b end)

--- Whether something is a claim.
-- @param it
-- @treturn boolean
function sources.is_claim(it) return getmetatable(it) == Claim end

-- ---- files ----

local text_of = cached(function(path) return assert(read_text(path)) end)

local document_of = cached(function(name)
  return assert(json.read(text_of(("%s%s.json.gz"):format(KEPT, name))))
end)

-- A kept run as clue reads it: an older one gets what it lacks.
local run_of = cached(function(name)
  return assert(read_document(("%s%s.json.gz"):format(KEPT, name)))
end)

-- The rows of a walkthrough by their numbers; of a sweep those of one size.
local function rows_of(document, name, size)
  local rows = {}
  for _, entry in ipairs(document.walkthroughs) do
    for _, run in ipairs(entry.name == name and entry.runs or {}) do
      if not size or run.point.size == size then
        for _, row in ipairs(run.rows) do rows[tostring(row.number)] = {row = row, run = run, rows = run.rows} end
      end
    end
  end
  return rows
end

local function peak_of(document, row)
  for _, device in ipairs(document.devices) do
    if row.device and device.address == row.device.address then return device.peak end
  end
end

local function limits_of(document, row) return row.counts and bottleneck.of(row, peak_of(document, row)) end

-- What tables say of a row's limit: its name and part of the time, "-" if none that is known explains the time, and
-- nothing if its accesses were not counted.
local function limit_of(document, row)
  local it = limits_of(document, row)
  return it and (it.nearest and bottleneck.text(it) or "-") or ""
end

-- A kept run: kept[4].gain, as `clue walk --csv` names figures; kernel_ms and total_ms, gflops and gbs besides.
local function kept_run(file, name, size)
  local document = run_of(file)
  local rows = rows_of(document, name, size)
  local more = {
    kernel_ms = function(it) return columns.value("kernel_median_s", it.row, it) * 1e3 end,
    total_ms = function(it) return columns.value("total_median_s", it.row, it) * 1e3 end,
    read_ms = function(it) return columns.value("read_median_s", it.row, it) * 1e3 end,
    speed = function(it) return row_of.speed(it.row, "kernel") end,
  }
  local function raw(number) return rows[tostring(number)].row end
  local function limit(number) return limit_of(document, raw(number)) end
  local function limited(number) -- percent of the time that its nearest limit would take
    local it = limits_of(document, raw(number))
    return of_kind(it[it.nearest] / it.measured * 100, "measurement")
  end
  return setmetatable({raw = raw, limit = limit, limited = limited}, {__index = function(_, number)
    local it = assert(rows[tostring(number)], ("%s has no step %s"):format(file, tostring(number)))
    return setmetatable({}, {__index = function(_, figure)
      return of_kind(more[figure] and more[figure](it) or columns.value(figure, it.row, it), "measurement")
    end})
  end})
end

-- What a cell says of a gain: its ratio, unless that is unclear, and the ends of its interval; nothing if there is no
-- difference.
local function gain_of(run, number)
  local gain = run.raw(number).gain
  local word = gains.word(gain)
  local said = word == "same" and {} or word == "unclear" and {gain.low, gain.high} or {gain.ratio, gain.low, gain.high}
  return lists.map(said, function(ratio) return of_kind(ratio, "measurement") end)
end

-- The kernel's or the total's milliseconds of a variant of a step.
local function variant_of(run, number, value, part)
  for _, each in ipairs(run.raw(number).sweep) do
    if tostring(each.value) == tostring(value) then
      return of_kind(statistics.of(each.times[part or "kernel"]).median * 1e3, "measurement")
    end
  end
  error(("step %s has no variant %s"):format(tostring(number), tostring(value)))
end

-- The numbers of a row's note, by a pattern with a capture for each.
local function note_of(run, number, pattern)
  for _, note in ipairs(run.raw(number).notes or {}) do
    local found = {note:match(pattern)}
    for i, text in ipairs(found) do found[i] = of_kind(tonumber(text), "measurement") end
    if found[1] then return found end
  end
  error(("step %s has no note '%s'"):format(tostring(number), pattern))
end

-- ---- counts ----

local function sum_sites(kernels, wanted)
  local sum = {requests = 0, sectors = 0, lines = 0, passes = 0, accesses = 0}
  for _, kernel in ipairs(kernels) do
    local its = counts.requests(kernel, "warp", wanted)
    for name in pairs(sum) do sum[name] = sum[name] + its[name] end
  end
  return sum
end

local ACCESS = {reads = "load", writes = "store", adds = "atomic"}

-- The accesses of one kind to an argument or array, all of them or those of a line.
local function site_of(kernels, access, object, line)
  local sum = sum_sites(kernels, function(site)
    return site.access == ACCESS[access] and site.object == object and (not line or site.line == line)
  end)
  assert(sum.requests > 0, ("nothing %s %s"):format(access, object))
  local function count(value) return of_kind(value, "count") end
  return {sectors = count(sum.sectors / sum.requests), lines = count(sum.lines / sum.requests),
          passes = count(sum.passes / sum.requests), accesses = count(sum.accesses), requests = count(sum.requests)}
end

-- Without what a step launched for a try, if it says what its variants launched.
local function without_tries(kernels)
  local list = {}
  for _, kernel in ipairs(kernels) do
    if kernel.variant then list[#list + 1] = kernel end
  end
  return list[1] and list or kernels
end

local function total(kernels, get)
  local sum = 0
  for _, kernel in ipairs(without_tries(kernels)) do sum = sum + get(kernel) end
  return sum
end

-- A counted step: ratios as tables show them (lanes in percent), and sums over its kernels.
local function counted(step, only)
  local kernels = {}
  for _, kernel in ipairs(counts.of_variant(step.kernels, 1)) do
    if not only or kernel.kernel == only then kernels[#kernels + 1] = kernel end
  end
  assert(kernels[1], ("step %s has no such kernel"):format(tostring(step.number)))
  local sums = counts.sums(kernels, "warp")
  local ratios = counts.ratios(sums, (step.variants[1] or {}).flops)
  local items = total(kernels, function(kernel) return kernel.items end)
  local values = {
    instructions = function() return total(kernels, function(kernel) return kernel.instructions end) end,
    instructions_an_item = function() return total(kernels, function(it) return it.instructions end) / items end,
    barriers_an_item = function() return total(kernels, function(kernel) return kernel.barriers end) / items end,
    branches = function() return total(kernels, function(kernel) return kernel.warp.branches end) end,
    floats = function() return total(kernels, function(kernel) return kernel.operations.float end) end,
    local_reads = function()
      local reads = 0
      for _, kernel in ipairs(kernels) do
        for _, site in ipairs(kernel.sites) do
          if site.space == "local" and site.access == "load" then reads = reads + site.accesses end
        end
      end
      return reads
    end,
    ints = function() return total(kernels, function(kernel) return kernel.operations.int end) end,
    items = function() return items end,
    group = function()
      local product = 1
      for _, length in ipairs(kernels[#kernels]["local"]) do product = product * length end
      return product
    end,
    global_requests = function() return sums.requests end,
    lanes = function() return ratios.lanes * 100 end,
  }
  local it = {}
  for access in pairs(ACCESS) do it[access] = function(...) return site_of(kernels, access, ...) end end
  it.accesses_of = function(object)
    local accesses = 0
    for _, kernel in ipairs(kernels) do
      for _, site in ipairs(kernel.sites) do
        if site.object == object then accesses = accesses + site.accesses end
      end
    end
    return of_kind(accesses, "count")
  end
  it.kernel = function(name) return counted(step, name) end
  return setmetatable(it, {__index = function(_, name)
    return of_kind(values[name] and values[name]() or ratios[name], "count")
  end})
end

local all_counts = cached(function()
  local by_name = {}
  for _, each in ipairs(document_of "counts-walkthroughs".counts) do
    local sizes = by_name[each.walkthrough] or {}
    by_name[each.walkthrough], sizes[each.size] = sizes, sizes[each.size] or {}
    for _, run in ipairs(each.runs) do sizes[each.size][tostring(run.number)] = run end
  end
  return by_name
end)

-- The counts of a step, at the walkthrough's own size if none is given.
local function count_of(name)
  return function(number, size)
    size = size or catalogue.get(name).sizes.count
    local step = ((all_counts "all"[name] or {})[size] or {})[tostring(number)]
    if not step then error(("no counts of %s %s at %s"):format(name, tostring(number), size), 2) end
    return counted(step)
  end
end

-- ---- scripts ----

local function step_path(name, number)
  for _, step in ipairs(catalogue.get(name).steps) do
    if tostring(step.number) == tostring(number) then return step.path end
  end
  error("no step " .. tostring(number))
end

-- The author's figures: published(4, "GPU").seconds
local function published_of(name)
  return function(number, on, place)
    local found = 0
    for entry in read(step_path(name, number)):gmatch "{on = \"([^}]*)}" do
      if entry:match '^[^"]*' == on then
        found = found + 1
        if found == (place or 1) then
          return setmetatable({}, {__index = function(_, field)
            return of_kind(tonumber(entry:match("%f[%w]" .. field .. " = ([%d.]+)")), "source")
          end})
        end
      end
    end
    error(("no figure of step %s on %s"):format(tostring(number), on))
  end
end

local function plain_value(text, of)
  local expression = text:gsub("/%*.*", ""):gsub("//.*", ""):gsub("%f[%a_][%a_][%w_]*", of)
  local compute = assert((loadstring or load)("return " .. expression))
  return compute()
end

-- A constant of a step's script or kernel: constant(14).PITCH
local function constant_of(name)
  return function(number)
    local script = read(step_path(name, number))
    local function value(word)
      local defined = script:match("#define " .. word .. " ([^\n]+)")
      if defined then return plain_value(defined, value) end
      for names, values in script:gmatch "\nlocal ([%u_, ]+) = ([^\n%-]+)" do
        local place = 0
        local list = {}
        for each in values:gmatch "[^,]+" do list[#list + 1] = each end
        for each in names:gmatch "[%u_]+" do
          place = place + 1
          if each == word then return plain_value(list[place], value) end
        end
      end
      error(("step %s has no constant %s"):format(tostring(number), word))
    end
    return setmetatable({}, {__index = function(_, word) return of_kind(value(word), "constant") end})
  end
end

-- ---- tensor cores ----

-- What the largest set of a kind does in a step, by its kernel's loops: products and loads of a warp, operations of a
-- product (two for each multiply-add), and rows and columns of C for a warp.
local function of_tensor(kind)
  for _, set in ipairs(tensor_sets.list) do
    if set.KIND == kind then
      local p = tensor_sets.complete(set, kind)
      local function of_depth(k) return tensor_sets.counts(p, {m = p.BM, n = p.BN, k = k, transpose_b = true}) end
      local one, two = of_depth(p.BK), of_depth(2 * p.BK)
      local depth = one.operations / (2 * 16 * 8) -- of K in a product
      local steps = one.warps * p.BK / depth
      local function of(name) return of_kind((two[name] - one[name]) / steps, "count") end
      return {products = of "products", loads = of "loads", multiply_adds = of_kind(one.operations / 2, "count"),
              rows = of_kind(p.WM, "constant"), columns = of_kind(p.WN, "constant")}
    end
  end
end

-- ---- what claims are made of ----

--- The words in which claims are made.
-- @tparam string name of a walkthrough
-- @treturn table count(step, size), published(step, device), constant(step), kept(file), found(file, pattern, kind),
--   is(value): by definition, said(value): by the source, seen(value): in machine code of which no file is kept,
--   about(claim): a tenth off at most, tensor(KIND of kernels/gemm_tensor.cl)
function sources.of(name)
  return {
    count = count_of(name), published = published_of(name), constant = constant_of(name),
    counts_of = count_of, published_of = published_of, constant_of = constant_of,
    kept = function(file, walkthrough, size) return kept_run(file, walkthrough or name, size) end,
    gain = gain_of, variant = variant_of, note = note_of, tensor = of_tensor,
    found = function(file, pattern, kind)
      local text = assert(text_of(KEPT .. file):match(pattern), pattern)
      return of_kind(tonumber((text:gsub(",", ""))), kind or "code")
    end,
    is = function(value) return of_kind(value, "definition") end,
    said = function(value) return of_kind(value, "source") end,
    measured = function(value) return of_kind(value, "measurement") end,
    seen = function(value) return of_kind(value, "code") end,
    about = function(it)
      local more = claim(it.value, it.kinds)
      more.is_about = true
      return more
    end,
  }
end

return sources
