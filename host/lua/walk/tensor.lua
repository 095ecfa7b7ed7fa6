--- Steps on tensor cores: which devices have them for clue, and what a product on them did. Oclgrind cannot run their
-- instructions, so the counts are those of the kernel's own loops (@{clue.gemm.tensor_sets.counts}).
-- @module clue.walk.tensor
local figures = require "clue.shared.figures"
local tensor_sets = require "clue.gemm.tensor_sets"
local walk = require "clue.walk"

local tensor = {}

--- Why clue has no products of a type on a device's tensor cores.
-- @tparam device device
-- @tparam string type_name "float", "double" or "char"
-- @tparam[opt] string precision "tf32"
-- @treturn ?string nil: it has
function tensor.obstacle(device, type_name, precision)
  local nvidia = device:has_extension "cl_nv_device_attribute_query"
  local capability = nvidia and 10 * device.compute_capability_major_nv + device.compute_capability_minor_nv or 0
  if tensor_sets.kind(capability, type_name, precision) then return nil end
  return ("no tensor cores for %s: clue uses NVIDIA's %s"):format(precision and precision:upper() or type_name,
    type_name == "double" and "of 9.0" or "from 8.0 on")
end

--- Skips the step if the device has none.
-- @tparam table row as for @{clue.walk.skip}
-- @tparam context context
-- @tparam string type_name "float", "double" or "char"
-- @tparam[opt] string precision "tf32"
function tensor.need(row, context, type_name, precision)
  local reason = tensor.obstacle(context.device, type_name, precision)
  if reason then walk.skip(row, reason, context) end
end

-- What a product's parts did, by instruction; in order of their first part. nil if a part is not for tensor cores: the
-- form for CPUs has no parts.
local function totals_of(made)
  if not made.recent then return nil end
  local totals = {}
  for _, step in ipairs(made.recent) do
    local set, part = step.part.set, step.part
    if set.of ~= tensor_sets then return nil end
    local counts = tensor_sets.counts(set.parameters, {m = part.m, n = part.n, k = made.recent.k,
      transpose_a = made.recent.transpose_a, transpose_b = made.recent.transpose_b})
    local name = ("%s of %d operations"):format(counts.instruction, counts.operations)
    local sums = totals[name]
    if not sums then
      sums = {name = name, products = 0, loads = 0, passes = 0, sets = {}, copied = {}}
      totals[name], totals[#totals + 1] = sums, sums
    end
    for _, field in ipairs {"products", "loads", "passes"} do sums[field] = sums[field] + counts[field] end
    sums.sets[#sums.sets + 1] = set.name
    for factor in pairs(step.copied or {}) do sums.copied[factor] = true end
    sums.rounded = sums.rounded or tensor_sets.is_rounded(set.parameters)
  end
  return totals
end

-- Which factors are copied first, and why.
local function copies_of(sums)
  local a, b = sums.copied.a, sums.copied.b
  if not a and not b then return "" end
  local which = a and b and "A and B are" or a and "A is" or "B is"
  return ("; %s copied first, %s"):format(which, sums.rounded and "rounded to TF32" or "so that the rows are aligned")
end

local function count(number) return number < 1000 and ("%d"):format(number) or figures.number(number) end

local function note_of(sums)
  local read = sums.loads == 0 and "which read their factors from local memory"
    or ("%s loads of factors by a warp, which take %s passes of local memory"):format(count(sums.loads),
      count(sums.passes))
  return ("%s: %s %s, %s, by the kernel's loops%s"):format(table.concat(sums.sets, "; "), count(sums.products),
    sums.name, read, copies_of(sums))
end

--- Adds to a row what its product did, and that its limit is that of tensor cores; or that other kernels computed it.
-- @tparam table row its notes and `tensor` are added
-- @tparam gemm gemm after its product
-- @tparam[opt] string type_name of the tensor cores' limit, if not the row's: "TF32", "char"
function tensor.describe(row, gemm, type_name)
  local made = gemm.made
  local totals = totals_of(made)
  row.notes = row.notes or {}
  if not totals then
    row.notes[#row.notes + 1] = made.refused and "finding: the driver refused the kernel for tensor cores"
      or "computed without tensor cores: clue's estimate prefers other kernels here"
    return
  end
  row.tensor = type_name
  for _, sums in ipairs(totals) do row.notes[#row.notes + 1] = note_of(sums) end
end

return tensor
