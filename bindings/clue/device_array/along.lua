--- Reductions of a device array along one dimension: the kernels of @{clue.device_array.reduce}.
--
-- The array is taken as three dimensions: outer, the one that is reduced, and inner. On CPUs, and where inner is large,
-- a work-item computes one element of the result, and neighbours read neighbouring elements. Elsewhere a group of a GPU
-- reads rows as they lie in memory: `lanes` work-items share the elements of one result. A long dimension is reduced in
-- parts first, and then the parts.
--
-- A CPU's kernel takes the extents as arguments, so it serves all arrays. In a GPU's kernels they are constants: its
-- groups and their local memory depend on them.
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local binding = require "clue.binding"
local class = require "clue.device_array.class"
local extents = require "clue.device_array.extents"
local fuse = require "clue.device_array.fuse"
local signature = require "clue.compute.signature"
local sizes = require "clue.compute.sizes"
local types = require "clue.device_array.types"

local unpack = unpack or table.unpack -- luacheck: ignore

local LONGEST = 16384 -- elements of a CPU's work-item: long enough for few parts
local GROUP = 64 -- work-items of a CPU's group
local LEAST, MOST = 64, 256 -- elements of a GPU's work-item, if there are so many
local WIDE = 64 -- inner elements with which neighbours read enough memory side by side
local FEW, SHORT = 4, 64 -- elements for which a work-item of a group is worth its start: twice as many from SHORT on

local SUM = "a + b"

-- ---- who computes what ------------------------------------------------------------------------------------------

-- How work-items share the elements. rows: results (of different outer elements) that a group computes at once; nil if
-- each work-item computes one.
local function plan_of(queue, three)
  local device, outer, extent, inner = sizes.of(queue), unpack(three)
  local form, size = sizes.form(queue.context)
  if device.form == "cpu" or form == "cpu" then return {lanes = 1, length = LONGEST, serves_all = true} end
  local busy = math.ceil(outer * extent * inner / (device.units * sizes.GROUPS / 2 * size))
  local each = math.max(LEAST, math.min(MOST, busy))
  local room = math.max(math.floor(size / inner), 1)
  local few = extent < SHORT and FEW or 2 * FEW
  local lanes = inner < WIDE and math.min(room, math.ceil(extent / few)) or 1
  return {lanes = lanes, length = lanes * each, rows = lanes > 1 and math.floor(room / lanes) or nil}
end

-- ---- kernels ----------------------------------------------------------------------------------------------------

-- A work-item's own elements become `all`. Sums of real numbers carry along what rounding lost (Kahan); if that is not
-- finite, the result is a plain sum.
local own = [[
  TYPE all = IDENTITY, lost = 0, plain = 0;
  const long begin = part * LENGTH, end = min(begin + LENGTH, (long)EXTENT);
  for (long k = begin + FIRST; k < end; k += LANES) {
    const long i = (outer * EXTENT + k) * INNER + inner;
    LINES
    const TYPE b = VALUE;
    STEP
  }
]]
local kahan = [[
  const TYPE y = b - lost, t = all + y;
  lost = (t - all) - y;
  all = t;
  plain += b;]]

local single = [[
EXTENSIONS
kernel void array_along(PARAMETERS) {
  const WHOLE out = get_global_id(0), rows = ROWNUMBER, inner = out - rows * INNER;
  const WHOLE outer = OUTERNUMBER, part = rows - outer * PARTS;
  OWN
  all = RESULT;
  STORE
}
]]

local shared = [[
EXTENSIONS
kernel void array_along(PARAMETERS) {
  local TYPE tree[ROWS * LANES * INNER];
  const int me = get_local_id(0), lane = me / INNER % LANES;
  const long inner = me % INNER, part = get_group_id(0) % PARTS;
  const long outer = get_group_id(0) / PARTS * ROWS + me / (INNER * LANES);
  const long out = (outer * PARTS + part) * INNER + inner;
  if (outer < OUTER) {
    OWN
    tree[me] = RESULT;
  }
  for (int left = LANES; left > 1; left = (left + 1) / 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < left / 2) {
      const TYPE a = tree[me], b = tree[me + (left + 1) / 2 * INNER];
      tree[me] = REDUCE;
    }
  }
  if (outer < OUTER && lane == 0) {
    const TYPE all = tree[me];
    STORE
  }
}
]]

-- The words of a kernel that are numbers, or stand for them.
local function numbers_of(made, three, plan)
  local outer, extent, inner = unpack(three)
  if plan.serves_all then
    return {
      EXTENT = made:placing("long", extent), INNER = inner == 1 and "1" or made:placing("long", inner), OUTER = "",
      PARTS = plan.parts == 1 and "1" or made:placing("long", plan.parts), WHOLE = made.whole,
      ROWNUMBER = inner == 1 and "out" or made:quotient("out", inner),
      OUTERNUMBER = plan.parts == 1 and "rows" or made:quotient("rows", plan.parts),
    }
  end
  return {
    EXTENT = ("%.0fL"):format(extent), INNER = ("%.0f"):format(inner) .. (plan.rows and "" or "L"),
    OUTER = ("%.0fL"):format(outer), PARTS = ("%.0fL"):format(plan.parts), WHOLE = "long",
    ROWNUMBER = "out / INNER", OUTERNUMBER = "rows / PARTS",
  }
end

local function words_of(self, how, plan, made, value, numbers)
  local is_sum = how.reduce == SUM and types.is_real(how.type)
  local list = signature.parse(table.concat(made.parameters, ", "))
  local words = {
    OWN = own, STEP = is_sum and kahan or ("const TYPE a = all; all = %s;"):format(how.reduce),
    RESULT = is_sum and "isfinite(all) ? all : plain" or "all", REDUCE = how.reduce, TYPE = types.computed(how.type),
    IDENTITY = how.identity, FIRST = plan.rows and "lane" or "0",
    LINES = table.concat(made.lines, "\n", 1, #made.lines - 1), STORE = made.lines[#made.lines],
    VALUE = types.converted(value, types.computed(self.type_name), types.computed(how.type)),
    LENGTH = ("%.0fL"):format(plan.length), LANES = ("%d"):format(plan.lanes),
    ROWS = plan.rows and ("%d"):format(plan.rows), PARAMETERS = list.kernel, EXTENSIONS = signature.extensions(list),
  }
  for word, number in pairs(numbers) do words[word] = number end
  return words
end

local function filled(text, words)
  local before
  repeat before, text = text, text:gsub("%f[%w_]%u+%f[^%w_]", words) until text == before
  return text
end

-- The kernel, and what it takes. It is found again by all that it is made of.
local function kernel_of(self, how, three, plan, storage)
  local context, made = self.queue.context, fuse.text(self.extents)
  local value = made:value(self)
  made:store(extents.whole(storage, {storage.count}), how.type, "all", "out")
  local numbers = numbers_of(made, three, plan)
  local key = {table.concat(made.parameters, ","), table.concat(made.lines, "\n"), how.type, how.reduce,
               table.concat({numbers.OUTER, numbers.EXTENT, numbers.INNER, plan.lanes, plan.length}, " "),
               numbers.ROWNUMBER, numbers.OUTERNUMBER}
  local run = algorithm.keep(context, "array along", key, {}, function()
    local text = filled(plan.rows and shared or single, words_of(self, how, plan, made, value, numbers))
    return context:program(text):kernel "array_along"
  end)
  return run, made.given
end

-- ---- running ----------------------------------------------------------------------------------------------------

-- The memory of parts is free again once the parts are reduced, on a queue that keeps its commands' order.
local function storage_of_parts(queue, type_name, count, level)
  local bytes = count * binding.type_sizes[type_name]
  return {buffer = algorithm.scratch(queue, "array parts " .. level % 2, bytes), type_name = type_name, count = count,
          version = 0, shared = false}
end

-- PoCL compiles a kernel anew for each size of its groups, so there are two sizes only: many results are computed by
-- groups of GROUP, the rest and few results each by a group of its own.
local function run_for_cpu(queue, run, count, given)
  local rest = count < GROUP ^ 2 and count or count % GROUP
  run:set_args(unpack(given))
  if count > rest then queue:ndrange_kernel(run, count - rest, GROUP) end
  if rest > 0 then queue:ndrange_kernel(run, rest, 1, count - rest) end
end

-- Reduces an array of three dimensions along the second. Gives the memory of the result.
local function reduce(self, three, how, level)
  local queue, plan = self.queue, plan_of(self.queue, three)
  plan.parts = math.ceil(three[2] / plan.length)
  local final = plan.parts == 1
  local into = {type = final and how.type or types.computed(how.type), reduce = how.reduce, identity = how.identity}
  local count = three[1] * plan.parts * three[3]
  local storage = final and class.storage(queue, into.type, count) or storage_of_parts(queue, into.type, count, level)
  local run, given = kernel_of(self, into, three, plan, storage)
  if plan.rows then
    local size = plan.rows * plan.lanes * three[3]
    run(queue, math.ceil(three[1] / plan.rows) * plan.parts * size, size, unpack(given))
  elseif plan.serves_all then
    run_for_cpu(queue, run, count, given)
  else
    run(queue, count, nil, unpack(given))
  end
  if final then return storage end
  local rest = {three[1], plan.parts, three[3]}
  return reduce(class.over(queue, extents.whole(storage, rest)), rest, how, level + 1)
end

-- An array as three dimensions, and the extents of the result.
local function as_three(self, dimension)
  argument.within(dimension, "dimension", 1, #self.extents)
  local outer, inner, rest = 1, 1, {}
  for d, extent in ipairs(self.extents) do
    if d < dimension then outer = outer * extent end
    if d > dimension then inner = inner * extent end
    if d ~= dimension then rest[#rest + 1] = extent end
  end
  return {outer, self.extents[dimension], inner}, #rest > 0 and rest or {1}
end

--- Reduces along a dimension.
-- @tparam device_array self
-- @tparam number dimension from 1
-- @tparam table how type (of the result), reduce (OpenCL C of a and b; "a + b" of reals loses little), identity
-- @treturn device_array without the dimension
return function(self, dimension, how)
  local three, rest = as_three(self, dimension)
  return class.over(self.queue, extents.whole(reduce(self, three, how, 0), rest))
end
