-- Repeats the call of a kernel that clue captured in this folder, and compares the results with the captured ones:
--
--     clue [--device DEVICE] replay.lua
--
-- call.lua describes the call; kernel.cl is the program (its headers are in include/; kernel1.cl, kernel2.cl ... were
-- compiled apart and linked); argN.before.npy and argN.after.npy hold the buffers and images (NumPy reads them).
-- Change the kernel, or the sizes here, and run it again. Exit status: 0 if the results are the same, bit for bit;
-- else 1.
local cl = require "clue"
local binding = require "clue.binding"
local images = require "clue.image"
local samplers = require "clue.sampler"

local folder = (arg and arg[0] or ""):match "^(.*)/[^/]*$" or "."
local call = assert(loadfile(folder .. "/call.lua"))()

-- What a kernel may do with memory: the other flags concern only the host and the driver. Without a flag, a
-- sub-buffer has its buffer's access; other memory may be read and written.
local function access_of(argument)
  return ({[1] = "read_write", [2] = "write_only", [4] = "read_only"})[argument.flags % 8]
end

local function array_of(index, moment)
  return cl.array.load(("%s/arg%d.%s.npy"):format(folder, index, moment))
end

local function exists(path)
  local file = io.open(path, "rb")
  return file and file:close()
end

local context = cl.context()
local queue = context:queue()

-- ---- the program ----

local function made(how, source)
  return context[how](context, cl.read_file(folder .. "/" .. source.file), {
    source.options, include = source.include and folder .. "/" .. source.include,
  })
end

local program
if call.link_options then
  local parts = {}
  for i, source in ipairs(call.sources) do parts[i] = made("compile", source) end
  program = context:link(parts, call.link_options)
else
  program = made("program", call.sources[1])
end
local kernel = program:kernel(call.kernel)

-- ---- the arguments ----

local function image_of(argument, buffer)
  local shape = argument.shape
  local type_name, order, channel = images.names(shape.type, shape.order, shape.channel)
  local function given(size) return size > 0 and size or nil end
  return context:image {type = type_name, order = order, channel = channel, width = shape.width,
    height = given(shape.height), depth = given(shape.depth), array_size = given(shape.array_size),
    row_pitch = given(shape.row_pitch), flags = access_of(argument), buffer = buffer}
end

local memory = {} -- by the first argument that is this memory or lies in it

-- Memory with the contents from before the call.
local function memory_of(first, argument)
  if memory[first] then return memory[first] end
  if argument.kind == "image" and not argument.in_buffer then
    memory[first] = image_of(argument)
    queue:write_image(memory[first], array_of(first, "before"))
  else
    local whole = argument.kind == "buffer" and not argument.part
    memory[first] = context:buffer(array_of(first, "before"), whole and access_of(argument) or "read_write")
  end
  return memory[first]
end

local function place_of(argument)
  local found = memory_of(argument.contents_of, argument)
  if not argument.part then return found end
  return found:sub_buffer {offset = argument.offset, size = argument.part, flags = access_of(argument)}
end

local setters = {
  ["local"] = function(index, argument) kernel:set_arg(index, cl.local_memory(argument.size)) end,
  null = function(index) kernel:set_arg(index, cl.null) end,
  value = function(index, argument)
    cl.error.check(binding.kernel_set_bytes(kernel.handle, index, argument.bytes))
  end,
  sampler = function(index, argument)
    local addressing, filter = samplers.names(argument.addressing, argument.filter)
    kernel:set_arg(index, context:sampler {normalized_coords = argument.normalized == 1, addressing_mode = addressing,
      filter_mode = filter})
  end,
  buffer = function(index, argument) kernel:set_arg(index, place_of(argument)) end,
  image = function(index, argument)
    local found = place_of(argument)
    kernel:set_arg(index, argument.in_buffer and image_of(argument, found) or found)
  end,
}

for number, argument in ipairs(call.arguments) do setters[argument.kind](number - 1, argument) end

-- ---- the call ----

local event = queue:ndrange_kernel(kernel, call.global, call.local_size, call.offset)
queue:finish()
local seconds, clock = event:time()
print(("kernel '%s', captured on %s (%s, driver %s): %.1f us here (%s clock)"):format(call.kernel, call.device.name,
  call.device.platform, call.device.driver, seconds * 1e6, clock))

-- ---- the comparison ----

-- How many elements differ, the index of the first that does, and the largest difference.
local function differences(found, expected)
  local count, first, largest = 0, nil, 0
  for i = 0, #found - 1 do
    local a, b = found[i], expected[i]
    local same = type(a) == "number" and (a == b or (a ~= a and b ~= b)) or found:decimal(i) == expected:decimal(i)
    if not same then
      count, first = count + 1, first or i
      if type(a) == "number" then largest = math.max(largest, math.abs(a - b)) end
    end
  end
  return count, first, largest
end

local status = 0
for number, argument in ipairs(call.arguments) do
  local index = number - 1
  if argument.contents_of == index then
    local title = ("argument %d '%s' (%s)"):format(index, argument.name, argument.type)
    if exists(("%s/arg%d.after.npy"):format(folder, index)) then
      local expected = array_of(index, "after")
      local found = array_of(index, "before")
      queue[argument.kind == "image" and not argument.in_buffer and "read_image" or "read_buffer"](queue, memory[index],
        found)
      local count, first, largest = differences(found, expected)
      if count == 0 then
        print(title .. ": as captured")
      else
        status = 1
        print(("%s: %d of %d elements differ, the first is [%d]: %s here, %s captured; the largest difference is %g")
          :format(title, count, #found, first, found:decimal(first), expected:decimal(first), largest))
      end
    else
      status = 1
      print(title .. ": nothing to compare with: the call did not finish when it was captured")
    end
  end
end
if status ~= 0 then os.exit(status, true) end
