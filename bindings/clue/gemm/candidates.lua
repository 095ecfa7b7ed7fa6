--- The parameter sets that a device can run, for @{clue.gemm.gpu}: clue's, a script's own, and those of a tuner.
-- @module clue.gemm.candidates
local argument = require "clue.argument"
local gpu_sets = require "clue.gemm.gpu_sets"
local storage = require "clue.gemm.storage"
local tensor_sets = require "clue.gemm.tensor_sets"
local tuner = require "clue.gemm.found"

local candidates = {}

-- What sets may use of a device.
local function facts_of(device)
  local nvidia = device:has_extension "cl_nv_device_attribute_query"
  local capability = nvidia and 10 * device.compute_capability_major_nv + device.compute_capability_minor_nv or 0
  return {vendor = nvidia and "nvidia", capability = capability, copies = capability >= 80,
          memory = device.local_mem_size, items = device.max_work_group_size}
end

-- A set's parameters for a type. A vector has at most 16 bytes.
local function adapted(set, bytes)
  local p = gpu_sets.complete(set)
  local most = 16 / bytes
  if p.V > most then
    for _, name in ipairs {"V", "A_WIDTH", "B_WIDTH"} do p[name] = math.min(p[name], most) end
  end
  return p
end

--- A set for a plan.
-- @tparam table of the module that describes the set's kernel: @{clue.gemm.gpu_sets} or @{clue.gemm.tensor_sets}
-- @tparam string name
-- @tparam table parameters all of them
-- @tparam {number,...} cost see there
-- @tparam table more share, alone, resident: see there; fixed: K is divided as SPLITS says, not as it takes least time
-- @treturn table of, name, parameters, cost, share, alone, resident, fixed, ahead (tiles on their way), factor (of its
--   estimated time: 1)
function candidates.new_set(of, name, parameters, cost, more)
  return {of = of, name = name, parameters = parameters, cost = cost, share = more.share or 1, alone = more.alone or 0,
          resident = more.resident or 1, fixed = more.fixed, ahead = of.ahead(parameters), factor = 1}
end

--- A set with several groups for each tile of C, which share K.
-- @tparam table set of @{new_set}
-- @tparam number splits groups
-- @treturn table another one, with the field base; the same again if asked again
function candidates.shared(set, splits)
  if splits == (set.parameters.SPLITS or 1) then return set end
  set.shared = set.shared or {}
  local made = set.shared[splits]
  if not made then
    local parameters = {}
    for name, value in pairs(set.parameters) do parameters[name] = value end
    parameters.SPLITS = splits
    made = candidates.new_set(set.of, ("%s, K by %d"):format(set.name, splits), parameters, set.cost, set)
    made.base, set.shared[splits] = set, made
  end
  return made
end

local function fits(facts, of, p, bytes)
  return of.items(p) <= facts.items and of.memory(p, bytes) <= facts.memory
end

--- The sets that a device can run.
-- @tparam device device
-- @tparam string type_name
-- @tparam number bytes of a number that is computed with
-- @tparam table options portable, precision
-- @treturn {table,...} of @{new_set}
function candidates.of(device, type_name, bytes, options)
  local facts, found = facts_of(device), {}
  for _, set in ipairs(gpu_sets.list) do
    local p = adapted(set, bytes)
    local usable = not set.types or set.types[type_name == "char" and "int" or type_name]
    local copies = facts.copies and not options.portable and type_name ~= "char"
    if usable and (not set.vendor or set.vendor == facts.vendor) and (p.ASYNC == 0 or copies)
       and fits(facts, gpu_sets, p, bytes) then
      local cost = set.cost
      if bytes == 8 and not set.types then cost = {2 * cost[1], 2 * cost[2]} end
      found[#found + 1] = candidates.new_set(gpu_sets, set.name, p, cost, set)
    end
  end
  local kind = not options.portable and tensor_sets.kind(facts.capability, type_name, options.precision)
  for _, set in ipairs(tensor_sets.list) do
    if tensor_sets.suits(set, kind, facts.capability) and fits(facts, tensor_sets, set, tensor_sets.bytes[kind]) then
      found[#found + 1] = candidates.new_set(tensor_sets, set.name, tensor_sets.complete(set, kind), set.cost, set)
    end
  end
  return found
end

local least_values = {PAD = 0, ASYNC = 0, SPLIT = 0, UNROLL = 0, WGMMA = 0}

--- Those of sets that need no tensor cores.
-- @tparam {table,...} sets of @{new_set}
-- @treturn {table,...} the same table if that is all
function candidates.plain(sets)
  local made = {}
  for _, set in ipairs(sets) do
    if set.of == gpu_sets then made[#made + 1] = set end
  end
  return #made == #sets and sets or made
end

--- The set of a script's own parameters.
-- @tparam table given
-- @tparam device device
-- @tparam string type_name
-- @tparam number bytes of a number that is computed with
-- @tparam table options precision
-- @treturn table of @{new_set}
function candidates.own(given, device, type_name, bytes, options)
  local facts, of, kind = facts_of(device), given.TENSOR and tensor_sets or gpu_sets, nil
  for name, value in pairs(given) do
    argument.word(name, of.known, "parameter of products on GPUs")
    argument.whole(value, "parameters." .. name, least_values[name] or 1)
  end
  if of == tensor_sets then
    kind = tensor_sets.kind(facts.capability, type_name, options.precision)
    if not kind then
      local remedy = tensor_sets.kind(facts.capability, type_name, "tf32") and ': precision = "tf32" allows them' or ""
      argument.fail("%s has no tensor cores that clue uses for %s%s", device.name, type_name, remedy)
    end
    bytes = tensor_sets.bytes[kind]
  end
  local p = of.complete(given, kind)
  local fault = of.fault(p)
  if p.WGMMA == 1 and not tensor_sets.suits(p, kind, facts.capability) then
    argument.fail("parameters.WGMMA = 1 needs a device of compute capability 9.0, not %s", device.name)
  end
  if p.ASYNC == 1 and storage.sum(type_name) ~= type_name then
    argument.fail("parameters.ASYNC = 1 is not for %s, which is converted on the way to local memory", type_name)
  elseif p.ASYNC == 1 and not facts.copies then
    argument.fail("parameters.ASYNC = 1 needs an NVIDIA device of compute capability 8.0 or more, not %s", device.name)
  elseif fault then
    argument.fail("parameters: %s", fault)
  elseif not fits(facts, of, p, bytes) then
    argument.fail("the parameters need groups of %.0f work-items with %.0f bytes of local memory; %s has %.0f and %.0f",
      of.items(p), of.memory(p, bytes), device.name, facts.items, facts.memory)
  end
  return candidates.new_set(of, "own", p, {1, 1}, {fixed = true})
end

--- What a tuner found.
-- @tparam context context
-- @tparam string type_name
-- @tparam number bytes of a number that is computed with
-- @tparam table options parameters, portable
-- @treturn ?Found of @{clue.gemm.found}; nil if the script gives parameters itself
function candidates.found(context, type_name, bytes, options)
  if options.parameters then return nil end
  return tuner.new(context.device, "gpu", type_name, function(parameters)
    return pcall(candidates.own, parameters, context.device, type_name, bytes, options)
      and not (options.portable and parameters.ASYNC == 1)
  end)
end

return candidates
