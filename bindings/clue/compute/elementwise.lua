--- context:elementwise: one operation for each element of its arguments.
--
--     local axpy = context:elementwise("float a, const float *x, float *y", "y[i] = a * x[i] + y[i]")
--     axpy(queue, 2, x, y)
--
-- @module clue.compute.elementwise
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local signature = require "clue.compute.signature"
local sizes = require "clue.compute.sizes"
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local elementwise = {}

local GROUP = 256 -- work-items in a GPU's group
local CHUNK = 4096 -- elements of a CPU's work-item

local reserved = {i = "the index of the element", n = "the count of elements"}

-- The kernel of each form.
local loops = {
  [true] = [[
  const long clue_begin = clue_first + get_global_id(0) * CHUNK;
  const long clue_end = min(clue_begin + CHUNK, clue_first + n);
  for (long i = clue_begin; i < clue_end; i++)
]],
  [false] = [[
  for (long i = clue_first + get_global_id(0); i < clue_first + n; i += get_global_size(0))
]],
}

local function extensions(list)
  local lines, seen = {}, {}
  for _, parameter in ipairs(list) do
    local line = types.extension(parameter.type)
    if not seen[line] then lines[#lines + 1] = line end
    seen[line] = true
  end
  return table.concat(lines)
end

local function build(context, list, operation, options, cpu)
  local comma = #list > 0 and ", " or ""
  local text = source.new(options.name)
  text:add(extensions(list)):user("preamble", options.preamble)
  text:add("void clue_operation(%s%sconst long i, const long n) {", list.kernel, comma)
  text:user("operation", operation):add(";\n}")
  text:add("kernel void %s(%s%sconst long clue_first, const long n) {", options.name, list.kernel, comma)
  text:add((loops[cpu]:gsub("CHUNK", CHUNK)))
  text:add("    clue_operation(%s%si, n);\n}", list.names, comma)
  return text:build(context, options.options):kernel(options.name)
end

local function work_sizes(form, count)
  if form.cpu then return math.ceil(count / CHUNK), 1 end
  local size = math.min(GROUP, form.most)
  return math.min(math.ceil(count / size), form.units * 16) * size, size
end

local function call(self, queue, ...)
  queue = algorithm.queue(queue)
  local given, where = algorithm.given(self, nil, ...)
  local first, count = algorithm.range(self, given, where)
  if count == 0 then return (queue:marker()) end
  local form = sizes.of(queue)
  local global, size = work_sizes(form, count)
  return (self.kernel(queue, global, size, algorithm.followed(given, first, count)))
end

local new = algorithm.class("elementwise", call)

function elementwise.new(context, arguments, operation, options)
  local list = signature.parse(arguments, reserved)
  argument.text(operation, "operation")
  options = algorithm.options(options, {}, "elementwise")
  return (algorithm.keep(context, "elementwise", {list.kernel, operation}, options, function()
    return new {signature = list, name = options.name, kernel = build(context, list, operation, options,
      sizes.of_context(context).cpu)}
  end))
end

return elementwise
