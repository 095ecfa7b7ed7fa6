--- The kernels of @{clue.compute.reduction}: one reduces what the script's map makes of the elements, the other what
-- the groups of the first left.
-- @module clue.compute.reduction_source
local signature = require "clue.compute.signature"
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local reduction_source = {}

-- Of a CPU: sums side by side for up to 8 bytes, and the elements of one of these in a block.
local LANES, PER_LANE = 64, 128

-- The elements from clue_begin up to clue_end become clue_out[clue_at + group]. LANES sums side by side are what CPUs'
-- compilers vectorise; blocks of them bound the rounding.
local bodies = {
  cpu = [[
  const long clue_begin = clue_first + get_group_id(0) * clue_step, clue_end = min(clue_begin + clue_step, n);
  TYPE clue_all = IDENTITY;
  for (long clue_from = clue_begin; clue_from < clue_end; clue_from += BLOCK) {
    const long clue_to = min(clue_from + BLOCK, clue_end);
    TYPE clue_own[LANES];
    long i = clue_from;
    for (int k = 0; k < LANES; k++) clue_own[k] = IDENTITY;
    for (; i + LANES <= clue_to; i += LANES)
      for (int k = 0; k < LANES; k++) clue_own[k] = clue_reduce(clue_own[k], ITEM(i + k));
    for (; i < clue_to; i++) clue_own[0] = clue_reduce(clue_own[0], ITEM(i));
    for (int width = LANES / 2; width > 0; width /= 2)
      for (int k = 0; k < width; k++) clue_own[k] = clue_reduce(clue_own[k], clue_own[k + width]);
    clue_all = clue_reduce(clue_all, clue_own[0]);
  }
  clue_out[clue_at + get_group_id(0)] = clue_all;]],
  gpu = [[
  local TYPE clue_tree[SIZE];
  const long clue_begin = clue_first + get_group_id(0) * clue_step, clue_end = min(clue_begin + clue_step, n);
  const int clue_own = get_local_id(0);
  TYPE clue_all = IDENTITY;
  for (long i = clue_begin + clue_own; i < clue_end; i += SIZE) clue_all = clue_reduce(clue_all, ITEM(i));
  clue_tree[clue_own] = clue_all;
  for (int width = SIZE / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (clue_own < width) clue_tree[clue_own] = clue_reduce(clue_tree[clue_own], clue_tree[clue_own + width]);
  }
  if (clue_own == 0) clue_out[clue_at + get_group_id(0)] = clue_tree[0];]],
}

local generated = "const long clue_first, const long n, const long clue_step, global %s *clue_out, const long clue_at"

-- A kernel; item is what reads an element, a function or a macro.
local function add_kernel(text, name, parameters, plan, lanes, item)
  local words = {TYPE = plan.type, SIZE = plan.size, LANES = lanes, BLOCK = lanes * PER_LANE,
                 IDENTITY = "clue_identity()"}
  text:add("kernel void %s(%s) {", name, signature.join(parameters, generated:format(plan.type)))
  text:add((bodies[plan.form]:gsub("ITEM%((.-)%)", item):gsub("%f[%w_]%u+%f[^%w_]", words)) .. "\n}")
end

--- Builds the kernels.
-- @tparam context context
-- @tparam table list of @{clue.compute.signature}
-- @tparam table what as @{clue.compute.named_reductions} gives it
-- @tparam string item OpenCL C: what is reduced
-- @tparam table options of @{clue.compute.algorithm.options}
-- @tparam table plan type (of the result), bytes (of one), form and size of @{clue.compute.sizes.form}
-- @treturn kernel which reduces items; after the script's arguments it takes the first index, the index behind the
--   last, the elements of a group, the buffer for a result of each group, and the first result's index there
-- @treturn kernel which reduces results: a buffer, then the same
function reduction_source.build(context, list, what, item, options, plan)
  local text = source.new(options.name)
  local lanes = what.lanes or math.floor(math.max(LANES / math.max(plan.bytes / 8, 1), 4))
  text:add(signature.extensions(list)):add(types.extension(plan.type)):user("preamble", options.preamble)
  text:add(what.declare or "")
  text:add("%s clue_map(%s) {\n  return %s", plan.type, signature.join(list.kernel, "const long i, const long n"),
    what.map:match "^(.*)ITEM"):user("map", item):add("  %s;\n}", what.map:match "ITEM(.*)$")
  text:add("%s clue_identity() {\n  return", plan.type):user("identity", what.identity):add("  ;\n}")
  text:add("%s clue_reduce(const %s a, const %s b) {\n  return", plan.type, plan.type, plan.type)
  text:user("reduce", what.reduce):add("  ;\n}")
  add_kernel(text, options.name, list.kernel, plan, lanes, function(index)
    return ("clue_map(%s)"):format(signature.join(list.names, index .. ", n"))
  end)
  local parts = ("global const %s *clue_parts"):format(plan.type)
  add_kernel(text, options.name .. "_parts", parts, plan, lanes, "clue_parts[%1]")
  local program = text:build(context, options.options)
  return program:kernel(options.name), program:kernel(options.name .. "_parts")
end

return reduction_source
