--- context:elementwise: one operation for every element.
--
--     local axpy = context:elementwise("float a, const float *x, float *y", "y[i] = a * x[i] + y[i]")
--     axpy(queue, 2, x, y)                                -- as many elements as x and y have
--     axpy(queue, {offset = 50, count = 100}, 2, x, y)    -- a part of them
--
-- The operation is statements of OpenCL C. They see the arguments, i (long: the index of the element), and n (long: the
-- index behind the last element). They are the body of a function: `return;` ends the work on one element. The order
-- in which elements are computed is not defined, so no operation may read what it writes for another element.
-- @module clue.compute.elementwise
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local signature = require "clue.compute.signature"
local sizes = require "clue.compute.sizes"
local source = require "clue.compute.source"

local unpack = unpack or table.unpack -- luacheck: ignore

local elementwise = {}

local reserved = {i = "the index of the element", n = "the index behind the last element"}

local EACH = 4 -- elements of a GPU's work-item

-- How a work-item goes through its elements. CPUs' compilers vectorise the loop over neighbours. On a GPU, groups take
-- neighbouring elements, a few times.
local loops = {
  cpu = [[
  const long clue_begin = clue_first + get_group_id(0) * clue_step;
  const long clue_end = min(clue_begin + clue_step, n);
  for (long i = clue_begin; i < clue_end; i++)
    clue_operation(CALL);]],
  gpu = [[
  long i = clue_first + get_group_id(0) * clue_step + get_local_id(0);
  for (int k = 0; k < EACH; k++, i += get_local_size(0))
    if (i < n) clue_operation(CALL);]],
}

local function build(context, list, operation, options, form)
  local text = source.new(options.name)
  text:add(signature.extensions(list)):user("preamble", options.preamble)
  text:add("void clue_operation(%s) {", signature.join(list.kernel, "const long i, const long n"))
  text:user("operation", operation):add(";\n}")
  text:add("kernel void %s(%s) {", options.name,
    signature.join(list.kernel, "const long clue_first, const long n, const long clue_step"))
  text:add((loops[form]:gsub("%u%u+", {CALL = signature.join(list.names, "i, n"), EACH = EACH})) .. "\n}")
  return text:build(context, options.options):kernel(options.name)
end

-- The global size, and the elements of a group.
local function shape(self, device, count)
  local step = self.form == "cpu" and sizes.chunk(device, count) or self.size * EACH
  return math.ceil(count / step) * self.size, step
end

local function enqueue(self, queue, first, count, ...)
  if count == 0 then return (queue:marker()) end
  local global, step = shape(self, sizes.of(queue), count)
  return (self.run(self.kernel, queue, global, self.size, first, first + count, step, ...))
end

local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local all = algorithm.quick_count(self, ...)
  if all then return (enqueue(self, queue, 0, all, ...)) end
  local given, where = algorithm.given(self, nil, ...)
  local first, count = algorithm.range(self, given, where)
  return (enqueue(self, queue, first, count, unpack(given, 1, given.n)))
end

local new = algorithm.class("elementwise", call)

--- Makes an operation on elements, or finds it if the context has made it before. A message of the compiler's about the
-- operation names the script's line.
-- @tparam context context
-- @tparam string arguments C parameters: numbers, vectors, and pointers, which are to global memory
-- @tparam string operation statements of OpenCL C, as in the module's head
-- @tparam[opt] table options preamble: OpenCL C before the operation (functions, types, macros); options: of the build,
--   as for context:program; name: of the kernel, in messages and traces ("elementwise"); local_size: work-items in a
--   group, a power of two (256; on CPUs 1)
-- @treturn function-like object: call it with a queue, optionally {count = , offset = } (in elements), and the
--   arguments. Without a count, all buffers must have the same number of elements. Returns an event (@{clue.event}).
function elementwise.new(context, arguments, operation, options)
  signature.text(arguments)
  argument.text(operation, "operation")
  options = algorithm.options(options, {local_size = "whole"}, "elementwise")
  return (algorithm.keep(context, "elementwise", {arguments, operation}, options, function()
    local list = signature.parse(arguments, reserved)
    local form, size = sizes.form(context, options.local_size)
    return new {signature = list, run = algorithm.caller(#list, 3), name = options.name, form = form, size = size,
                kernel = build(context, list, operation, options, form)}
  end))
end

return elementwise
