--- Launches what no script launches, in the process that `clue check` starts: the kernels of a .cl file, and a captured
-- call. What nobody said about a file's kernels is assumed, and told.
-- @module clue.check.launch
local cl = require "clue"
local captured = require "clue.captured"
local error_object = require "clue.error"
local group_for = require("clue.check.check_prelude").group_for
local host = require "clue.options"
local log_excerpt = require "clue.log_excerpt"
local output = require "clue.output"
local send = require "clue.shared.send"

local launch = {}

-- Without sizes of their own, ranges of so many work-items in each dimension, by how many there are.
local RANGES = {{64}, {16, 16}, {8, 8, 8}}

-- Buffers without a length of their own are so long that sensible indexes lie inside: what lies past their end is no
-- error (clue.check.run).
local ELEMENTS, MOST_BYTES, LOCAL_BYTES = 65536, 2 ^ 26, 4096

local scalars = {char = 1, uchar = 1, short = 2, ushort = 2, int = 4, uint = 4, long = 8, ulong = 8, half = 2,
                 float = 4, double = 8, bool = 1, size_t = 8}

-- ---- types ----

local plain_names = {["unsigned char"] = "uchar", ["unsigned short"] = "ushort", ["unsigned int"] = "uint",
                     ["unsigned long"] = "ulong", unsigned = "uint", ["long long"] = "long", size_t = "ulong"}

-- "float", 4 of "float4*"; "int", 1 of "int"; nil of types that the program declares.
local function element_of(type_name)
  local name = type_name:gsub("%s*%*.*$", "")
  name = plain_names[name] or name
  local base, width = name:match "^(%a+)(%d*)$"
  if not scalars[base] then return nil end
  return base, tonumber(width) or 1
end

local function bytes_of(base, width)
  return base and scalars[base] * (width == 3 and 4 or width) or 64
end

-- ---- ranges ----

-- The dimensions that a kernel asks its place in: the largest index of get_global_id and its like, from the kernel's
-- name to the next kernel.
local function dimensions_of(source, name)
  local first = source:find("kernel%s[^;{]-%f[%w_]" .. name .. "%s*%(") or 1
  local last = source:find("%f[%w_]_*kernel%s", first + 7) or #source
  local most = 0
  for index in source:sub(first, last):gmatch "get_[%a_]+%s*%(%s*([012])%s*%)" do
    most = math.max(most, tonumber(index))
  end
  return most + 1
end

-- The dimensions of the group that a kernel's attribute requires: 2 for 16 x 16 x 1.
local function dimensions_in(group)
  for i = #group, 2, -1 do
    if group[i] > 1 then return i end
  end
  return 1
end

local function range_of(spec, kernel, source)
  local required = kernel.compile_work_group_size
  local fixed = required and required[1] and required[1] > 0 and required or nil
  local global, by = spec.global, spec["local"]
  if not global then
    global = RANGES[by and #by or math.max(dimensions_of(source, kernel.name), dimensions_in(fixed or {}))]
    local group = by or fixed or spec.group
    if group then
      local whole = {}
      for i, size in ipairs(global) do
        local its = group[i] or 1
        whole[i] = math.max(2, math.floor(size / its)) * its
      end
      global = whole
    end
  end
  local group = by
  if fixed and not by then
    group = {}
    for i in ipairs(global) do group[i] = fixed[i] end
  end
  return global, group
end

-- Whether the groups are what the command line says: those of --group may not divide the range, or the kernel's
-- attribute requires others.
local function is_given(spec, group)
  if spec["local"] or not spec.group then return spec["local"] ~= nil end
  for i, size in ipairs(group) do
    if size ~= (spec.group[i] or 1) then return false end
  end
  return true
end

local function items_in(group)
  local count = 1
  for _, size in ipairs(group) do count = count * size end
  return count
end

-- ---- arguments ----

-- Small whole numbers: they are good indexes as well as good values.
local function fill(array)
  for i = 0, #array - 1 do array[i] = i % 16 end
  return array
end

-- What the command line asks cannot be done.
local function refuse(text, ...)
  send {refused = text:format(...)}
  os.exit(2, true)
end

local makers = {}

-- How many elements --arg gives memory.
local function checked_count(argument, value)
  if value % 1 == 0 and value >= 1 then return value end
  return refuse("--arg %s: it is memory, which takes a whole number of elements, 1 or more, not %s", argument.name,
    tostring(value))
end

-- value: a number of elements, or a .npy file
local function buffer(state, argument, value)
  if type(value) == "string" then
    local array = cl.array.load(value)
    return state.context:buffer(array), ("%d elements of %s"):format(#array, value)
  end
  local base, width = element_of(argument.type_name)
  local size = bytes_of(base, width)
  local count = value and checked_count(argument, value) or math.min(ELEMENTS, math.floor(MOST_BYTES / size))
  local array = base and base ~= "bool" and cl.array[base](count * size / scalars[base])
    or cl.array.uchar(count * size)
  return state.context:buffer(fill(array)), ("%d elements"):format(count)
end

makers.global, makers.constant = buffer, buffer

makers["local"] = function(state, argument, value)
  local size = bytes_of(element_of(argument.type_name))
  local count = value and checked_count(argument, value)
    or math.max(items_in(state.group), math.floor(LOCAL_BYTES / size))
  return cl.local_memory(count * size), ("%d elements"):format(count)
end

local function image(state, argument)
  if argument.type_name:find "^sampler_t" then return state.context:sampler {}, "the default sampler" end
  if argument.type_name:find "^image2d_t" then
    local made = state.context:image {type = "2d", order = "rgba", channel = "float", width = 64, height = 64}
    state.queue:fill_image(made, {0, 0, 0, 1})
    return made, "64 x 64 pixels, rgba float"
  end
end

-- Numbers stand for sizes more often than for anything else.
makers.private = function(state, argument, value)
  local base, width = element_of(argument.type_name)
  if not base then return image(state, argument) end
  local number = value or (base == "float" or base == "double" or base == "half") and 1 or state.global[1]
  if width == 1 then return number, tostring(number) end
  return cl[base .. width](number), ("%s in each component"):format(tostring(number))
end

-- OpenCL says of images, too, that they are in global memory.
local function maker_of(argument)
  return argument.type_name:find "^image" and image or makers[argument.address_qualifier]
end

-- Makes and sets an argument. Gives what it is, for the user.
local function set_argument(state, kernel, number, argument, value)
  local make = maker_of(argument)
  if type(value) == "string" and make ~= buffer then
    refuse("--arg %s: only a buffer takes the elements of a file, and the argument is %s %s", argument.name,
      argument.address_qualifier, argument.type_name)
  end
  local made, text = make(state, argument, value)
  if made == nil then
    refuse("kernel '%s', argument '%s': a value of type %s cannot be assumed; write a script that makes it",
      kernel.name, argument.name, argument.type_name)
  end
  kernel:set_arg(number, made)
  return text
end

-- Makes and sets the arguments. Gives what was assumed. What fails with a value of the command line is its fault.
local function set_arguments(state, kernel, given)
  local assumed = {}
  for i, argument in ipairs(kernel.arguments) do
    local value = given[argument.name]
    local done, text = pcall(set_argument, state, kernel, i - 1, argument, value)
    if not done and value ~= nil and not host.interrupted(text) then
      refuse("--arg %s: %s", argument.name, error_object.is(text) and text.text or tostring(text))
    elseif not done then
      error(text, 0)
    end
    assumed[i] = {name = argument.name, text = text, given = value ~= nil,
                  memory = argument.address_qualifier ~= "private"}
  end
  return assumed
end

-- ---- kernels of a file ----

local function run_kernel(state, spec, program, name)
  local kernel = program:kernel(name)
  local group
  state.global, group = range_of(spec, kernel, state.source)
  state.group = group or group_for(state.global, spec.group)
  local arguments = set_arguments(state, kernel, spec.arguments)
  send {assumed = {kernel = name, global = state.global, group = state.group, range_given = spec.global ~= nil,
                   group_given = is_given(spec, state.group), arguments = arguments}}
  state.queue:ndrange_kernel(kernel, state.global, state.group)
  state.queue:finish()
end

local function names_of(program, wanted)
  if not wanted then return program.kernels end
  for _, name in ipairs(program.kernels) do
    if name == wanted then return {wanted} end
  end
  refuse("--kernel: there is no kernel '%s'; there are: %s", wanted, table.concat(program.kernels, ", "))
end

local function check_arguments(program, names, given)
  local known, list = {}, {}
  for _, name in ipairs(names) do
    for _, argument in ipairs(program:kernel(name).arguments) do
      if not known[argument.name] then list[#list + 1] = argument.name end
      known[argument.name] = true
    end
  end
  for name in pairs(given) do
    if not known[name] then
      refuse("--arg: there is no argument '%s'; there are: %s", name, table.concat(list, ", "))
    end
  end
end

-- Runs work; if it fails, says why and ends the process: there is no script whose lines a traceback could show.
local function plainly(work)
  local done, why = pcall(work)
  if done then return end
  local text = error_object.is(why) and why.text .. "\n" .. log_excerpt.text(why.log or "", "clue build --json")
  output.err:write(text or tostring(why), "\n")
  os.exit(1, true)
end

local function run_file(spec)
  local context = cl.context()
  local state = {context = context, queue = context:queue(), source = cl.read_file(spec.path)}
  local program = context:program(state.source, {spec.options, include = spec.folders})
  local names = names_of(program, spec.kernel)
  check_arguments(program, names, spec.arguments)
  for _, name in ipairs(names) do run_kernel(state, spec, program, name) end
end

--- Builds a file and launches its kernels.
-- @tparam table spec path; kernel: the one to launch (nil: each); global, ["local"]: sizes; group: what to take for
--   ["local"] as far as it divides the range; arguments: by name, a number (of elements, or the value) or a .npy file;
--   options, folders, defines: for the compiler
function launch.file(spec)
  plainly(function() run_file(spec) end)
end

--- Repeats a captured call.
-- @tparam string folder
function launch.captured(folder)
  plainly(function()
    local call = captured.load(folder)
    local queue = cl.context():queue()
    local kernel = call:program(queue.context):kernel(call.kernel)
    call:memory(queue):set(kernel)
    queue:ndrange_kernel(kernel, call.global, call.local_size, call.offset)
    queue:finish()
  end)
end

return launch
