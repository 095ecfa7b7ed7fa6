--- context:scan: prefix sums, by any associative operation.
--
--     local sum = context:scan("float", "sum")               -- from one buffer to another, or in place
--     sum(queue, x, out)
--     local scan = context:scan("const float *x, float *out", {type = "float", input = "x[i] > 0 ? x[i] : 0",
--       operation = "a + b", identity = "0", output = "out[i] = item"})
--     scan(queue, {offset = 50, count = 100}, x, out)        -- a part, as if there were no other elements
--
-- The operation need not be commutative: it always gets a from before b. How operations are grouped depends on the
-- device and the count, so sums of floats differ between devices, but not between runs.
--
-- A scan reads all elements before it writes any in the same piece, but other pieces may be written before. So an
-- output may go to the memory of an input only if input i is read for element i alone.
-- @module clue.compute.scan
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local define = require "clue.define"
local scan_source = require "clue.compute.scan_source"
local scan_vectors = require "clue.compute.scan_vectors"
local signature = require "clue.compute.signature"
local types = require "clue.compute.types"

local scan = {}

local reserved = {
  i = "the index of the element", n = "the index behind the last element", item = "the sum up to the element",
  previous = "the sum before the element",
}

local LARGEST = 16 -- bytes of an item for "look-back"
local forms = {chunks = "chunks", vectors = "vectors", groups = "groups", ["look-back"] = "look-back"}

--- Refuses what is not a form.
-- @tparam ?string form
-- @tparam[opt=0] number bytes of an item
-- @tparam[opt=false] boolean in_vectors whether the form "vectors" can do it
function scan.check_form(form, bytes, in_vectors)
  if form ~= nil then argument.word(form, forms, "form") end
  if form == "vectors" and not in_vectors then
    argument.fail "form: \"vectors\" is for scans of numbers by a named operation, such as \"sum\": take \"chunks\""
  end
  if form == "look-back" and bytes and bytes > LARGEST then
    argument.fail("form: \"look-back\" is for items of up to %d bytes, not of %d: take \"groups\"", LARGEST, bytes)
  end
end

--- The form of the kernels.
--
-- Look-back needs a device on which every group that has started goes on. Of the vendors that promise this, we could
-- test NVIDIA. Of CPUs' drivers, PoCL was tested with vectors.
-- @tparam queue queue
-- @tparam ?string wanted the option form
-- @tparam[opt=0] number bytes of an item
-- @tparam[opt=false] boolean in_vectors whether the form "vectors" can do it
-- @treturn string "chunks", "vectors", "groups" or "look-back"
function scan.form_of(queue, wanted, bytes, in_vectors)
  if wanted then return wanted end
  local device = queue.device or queue.context.device
  if device:is_kind "cpu" then
    return in_vectors and device.platform.name == "Portable Computing Language" and "vectors" or "chunks"
  end
  return device.vendor:find "^NVIDIA" and (bytes or 0) <= LARGEST and "look-back" or "groups"
end

local function kernels_for(self, context, form)
  if self.kernels[form] then return self.kernels[form] end
  self.kernels[form] = form == "vectors" and scan_vectors.build(context, self.options)
    or scan_source.build(context, form, self.signature, self.options)
  return self.kernels[form]
end

-- The arguments of the script, what a group shares, if it does, and the others.
local function followed(given, shared, ...)
  if shared then return algorithm.followed(given, shared, ...) end
  return algorithm.followed(given, ...)
end

-- Scans the elements from first to before n. Calls itself for the sums of the pieces, at the next level.
local function in_pieces(self, queue, event, kernels, level, given, first, n)
  local group, shared = kernels.group, kernels.shared
  local pieces = math.ceil((n - first) / kernels.length)
  local sums = algorithm.scratch(queue, "scan: sums " .. level, pieces * self.bytes)
  if pieces > 1 then
    event = algorithm.step(queue, event, kernels.reduce, pieces * group, group,
      followed(given, shared, first, n, sums))
    event = in_pieces(self, queue, event, kernels.carry, level + 1, {sums, n = 1}, 0, pieces)
  end
  return algorithm.step(queue, event, kernels.scan, pieces * group, group, followed(given, shared, first, n, sums))
end

-- A single tile has no use for what other tiles publish.
local function looking_back(self, queue, kernels, given, first, n)
  local group, pieces = kernels.group, math.ceil((n - first) / kernels.length)
  local size = scan_source.places(pieces, self.bytes)
  local places = algorithm.scratch(queue, "scan: places", size)
  local cleared = pieces > 1 and queue:fill_buffer(places, 0, {type = "uint", size = size}) or nil
  return algorithm.step(queue, cleared, kernels.scan, pieces * group, group,
    algorithm.followed(given, kernels.shared, first, n, places))
end

local function in_vectors(self, queue, kernels, given, first, n)
  local pieces = math.ceil((n - first) / kernels.length)
  local size = scan_vectors.places(pieces, self.bytes)
  local places = algorithm.scratch(queue, "scan: places", size)
  local cleared = pieces > 1 and queue:fill_buffer(places, 0, {type = "uint", size = size}) or nil
  local is_large = (n - first) * self.bytes > (queue.context.device.global_mem_cache_size or 0)
  return algorithm.step(queue, cleared, kernels.scan, pieces, 1,
    algorithm.followed(given, first, n, is_large and 1 or 0, places))
end

--- Computes the results of all elements up to each.
-- @function call
-- @tparam scan self
-- @tparam queue queue
-- @param ... optionally {count = , offset = } (in elements: a part), and the arguments
-- @treturn event
local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local first, count, given = algorithm.begin(self, nil, ...)
  if count == 0 then return (queue:marker()) end
  local form = scan.form_of(queue, self.options.form, self.bytes, self.in_vectors)
  local kernels = kernels_for(self, queue.context, form)
  if form == "vectors" then return (in_vectors(self, queue, kernels, given, first, first + count)) end
  if form == "look-back" then return (looking_back(self, queue, kernels, given, first, first + count)) end
  return (in_pieces(self, queue, nil, kernels, 1, given, first, first + count))
end

local new = algorithm.class("scan", call)

local named_options = {exclusive = "boolean", form = "text"}
local all_options = {exclusive = "boolean", form = "text", type = "text", input = "text", operation = "text",
                     identity = "checked", output = "text"}

-- The parameters and options that a short form stands for.
local function named(type_name, operation, options)
  if not types.bytes(type_name) then argument.refuse("type", "one of OpenCL's numbers or vectors", type_name) end
  local copy = algorithm.options(options, named_options, "scan")
  copy.type, copy.input, copy.output = type_name, "x[i]", "out[i] = item"
  copy.operation, copy.identity = types.operation(type_name, operation)
  return ("const %s *x, %s *out"):format(type_name, type_name), copy
end

local function checked(options)
  local copy = algorithm.options(options, all_options, "scan")
  if type(copy.identity) == "number" then copy.identity = define.number(copy.identity) end
  argument.text(copy.identity, "identity", "a number or an expression, a text")
  for _, name in ipairs {"type", "input", "operation", "output"} do argument.text(copy[name], name) end
  if not types.bytes(copy.type) then argument.refuse("type", "one of OpenCL's numbers or vectors", copy.type) end
  return copy
end

--- Makes a scan, or finds it if the context has made it before. A message of the compiler's names the script's line.
-- @tparam context context
-- @tparam string arguments C parameters, as for context:elementwise; for a named operation, the type of the elements
-- @tparam table|string options type: of what is added up, a number or a vector; input: an expression of the
--   arguments, i (long: the index of the element) and n (long: the index behind the last element); operation: an
--   expression of a and b; identity: an expression or a number, which as a or b changes nothing; output: statements of
--   OpenCL C, which also see item (the result of all elements up to and including i) and previous (of those before i;
--   for the first, the identity); exclusive (boolean): item is the same as previous; form: "chunks", "vectors",
--   "groups" or "look-back", how the kernels share the work (what suits the device); preamble, options, name as for
--   context:elementwise. Or the name of an operation: "sum", "product", "min" and "max" (of reals, these ignore NaN);
--   for whole numbers also "and", "or" and "xor". It is computed in the type of the elements, so whole numbers may
--   overflow.
-- @tparam[opt] table more for a named operation: exclusive, form, preamble, options, name
-- @treturn scan call it with a queue, optionally {count = , offset = } (in elements), and the
--   arguments; for a named operation these are the buffer to read and the one to write. Returns an event
--   (@{clue.event}).
function scan.new(context, arguments, options, more)
  argument.text(arguments, "arguments")
  local is_named = type(options) == "string"
  if is_named then
    arguments, options = named(arguments, options, more)
  else
    options = checked(options)
  end
  local takes_vectors = is_named and scan_vectors.takes(options.type)
  scan.check_form(options.form, types.bytes(options.type), takes_vectors)
  return (algorithm.keep(context, "scan", {signature.text(arguments)}, options, function()
    types.check_computed(context, options.type)
    local self = new {signature = signature.parse(arguments, reserved), name = options.name, options = options,
                      kernels = {}, bytes = types.bytes(options.type), in_step = is_named, in_vectors = takes_vectors}
    kernels_for(self, context, scan.form_of({context = context}, options.form, self.bytes, takes_vectors))
    return self
  end))
end

return scan
