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
local object = require "clue.object"
local signature = require "clue.compute.signature"
local sizes = require "clue.compute.sizes"
local source = require "clue.compute.source"

local unpack = unpack or table.unpack -- luacheck: ignore

local elementwise = {}

local reserved = {i = "the index of the element", n = "the index behind the last element"}

local EACH = 4 -- elements of a GPU's work-item

-- How a work-item goes through its elements. CPUs' compilers vectorise the loop over neighbours. On a GPU, groups take
-- neighbouring elements, a few times; without checks in between, it can read all of them before it writes the first.
local loops = {
  cpu = [[
  const long clue_begin = clue_first + get_group_id(0) * clue_step;
  const long clue_end = min(clue_begin + clue_step, n);
  for (long i = clue_begin; i < clue_end; i++)
    clue_operation(CALL);]],
  gpu = [[
  const long clue_begin = clue_first + get_group_id(0) * clue_step;
  long i = clue_begin + get_local_id(0);
  if (clue_begin + clue_step <= n) {
#pragma unroll
    for (int k = 0; k < EACH; k++, i += SIZE) clue_operation(CALL);
  } else {
    for (; i < n; i += SIZE) clue_operation(CALL);
  }]],
}

-- parameters: the kernel's, list.kernel or list.apart. The function is compiled into the kernel, so what they say of
-- memory holds for it, too; with it in the function as well, Oclgrind cannot run the kernel.
local function build(self, context, list, parameters, operation, options)
  local text = source.new(options.name)
  text:add(signature.extensions(list)):user("preamble", options.preamble)
  text:add("void clue_operation(%s) {", signature.join(list.kernel, "const long i, const long n"))
  text:user("operation", operation):add(";\n}")
  text:add("kernel void %s(%s) {", options.name,
    signature.join(parameters, "const long clue_first, const long n, const long clue_step"))
  local words = {CALL = signature.join(list.names, "i, n"), EACH = EACH, SIZE = self.size}
  text:add((loops[self.form]:gsub("%u%u+", words)) .. "\n}")
  return text:build(context, options.options):kernel(options.name)
end

-- The global size, and the elements of a group.
local function shape(self, device, count)
  local step = self.form == "cpu" and sizes.chunk(device, count) or self.size * EACH
  return math.ceil(count / step) * self.size, step
end

-- Whether two arguments are buffers that share no memory, as far as that is known.
local function are_apart(one, other)
  if object.kind(one) ~= "buffer" or object.kind(other) ~= "buffer" then return false end
  return (rawget(one, "parent") or one).handle ~= (rawget(other, "parent") or other).handle
end

local function enqueue(self, queue, first, count, ...)
  if count == 0 then return (queue:marker()) end
  local global, step = shape(self, sizes.of(queue), count)
  local kernel = self.kernel
  if queue.recording or not self.is_apart(...) then -- a replay may get other arguments
    self.sharing = self.sharing or self.build_sharing()
    kernel = self.sharing
  end
  return (self.run(kernel, queue, global, self.size, first, first + count, step, ...))
end

--- Computes as many elements as the arguments have, or a part of them.
-- @function call
-- @tparam elementwise self
-- @tparam queue queue
-- @param ... optionally {count = , offset = } (in elements: a part), and the arguments
-- @treturn event
local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local all = algorithm.quick_count(self, ...)
  if all then return (enqueue(self, queue, 0, all, ...)) end
  local first, count, given = algorithm.begin(self, nil, ...)
  return (enqueue(self, queue, first, count, unpack(given, 1, given.n)))
end

local new = algorithm.class("elementwise", call)

-- A function of the arguments: whether all pointers to global memory, of which one may be written, are apart.
local function apart_test(list)
  local names, tests = algorithm.argument_names("given", #list), {}
  for i, one in ipairs(list) do
    for k = i + 1, #list do
      local other = list[k]
      if one.space == "global" and other.space == "global" and (one.writable or other.writable) then
        tests[#tests + 1] = ("are_apart(%s, %s)"):format(names[i], names[k])
      end
    end
  end
  if #tests == 0 then tests[1] = "true" end
  local code = "local are_apart = ...\nreturn function(%s) return %s end"
  return algorithm.generate(code:format(table.concat(names, ", "), table.concat(tests, " and ")), are_apart)
end

-- The kernel for arguments that share no memory is made at once, the other one when it is needed.
local function made_of(context, list, operation, options)
  local form, size = sizes.form(context, options.local_size)
  local self = {signature = list, run = algorithm.caller(#list, 3), name = options.name, form = form, size = size,
                is_apart = apart_test(list)}
  self.kernel = build(self, context, list, list.apart, operation, options)
  function self.build_sharing() return build(self, context, list, list.kernel, operation, options) end
  return new(self)
end

--- Makes an operation on elements, or finds it if the context has made it before. A message of the compiler's about the
-- operation names the script's line.
-- @tparam context context
-- @tparam string arguments C parameters: numbers, vectors, and pointers, which are to global memory
-- @tparam string operation statements of OpenCL C, as in the module's head
-- @tparam[opt] table options preamble: OpenCL C before the operation (functions, types, macros); options: of the build,
--   as for context:program; name: of the kernel, in messages and traces ("elementwise"); local_size: work-items in a
--   group, a power of two (256; on CPUs 1)
-- @treturn elementwise call it with a queue, optionally {count = , offset = } (in elements), and the
--   arguments. Without a count, all buffers must have the same number of elements. Returns an event (@{clue.event}).
function elementwise.new(context, arguments, operation, options)
  signature.text(arguments)
  argument.text(operation, "operation")
  options = algorithm.options(options, {local_size = "whole"}, "elementwise")
  return (algorithm.keep(context, "elementwise", {arguments, operation}, options, function()
    return made_of(context, signature.parse(arguments, reserved), operation, options)
  end))
end

return elementwise
