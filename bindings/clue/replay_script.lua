-- Repeats the call of a kernel that clue captured in this folder, and compares what it leaves with what was captured:
--
--     clue [--device DEVICE] replay.lua
--
-- call.lua tells the call, kernel.cl is the program (its headers are in include/), argN.before.npy and argN.after.npy
-- hold the buffers (NumPy reads them). Change the kernel, or the sizes here, and run it again. Exit status: 0 the same,
-- bit for bit; 1 not so.
local cl = require "clue"
local binding = require "clue.binding"

local folder = (arg and arg[0] or ""):match "^(.*)/[^/]*$" or "."
local call = assert(loadfile(folder .. "/call.lua"))()

local flags = {[1] = "read_write", [2] = "write_only", [4] = "read_only"}

local function array_of(index, moment)
  return cl.array.load(("%s/arg%d.%s.npy"):format(folder, index, moment))
end

local function exists(path)
  local file = io.open(path, "rb")
  return file and file:close()
end

local context = cl.context()
local queue = context:queue()
local program = context:program(cl.read_file(folder .. "/kernel.cl"), {
  call.options, include = call.headers > 0 and folder .. "/include" or nil,
})
local kernel = program:kernel(call.kernel)

-- ---- the arguments ----

local buffers = {}

for number, argument in ipairs(call.arguments) do
  local index = number - 1
  if argument.kind == "local" then
    kernel:set_arg(index, cl.local_memory(argument.size))
  elseif argument.kind == "value" then
    cl.error.check(binding.kernel_set_bytes(kernel.handle, index, argument.bytes))
  else
    local first = argument.contents_of -- itself, or an earlier argument that is the same buffer
    buffers[first] = buffers[first] or context:buffer(array_of(first, "before"), flags[argument.flags % 8])
    kernel:set_arg(index, buffers[first])
  end
end

-- ---- the call ----

local event = queue:ndrange_kernel(kernel, call.global, call.local_size, call.offset)
queue:finish()
local seconds, clock = event:time()
print(("kernel '%s', captured on %s (%s, driver %s): %.1f us here (%s clock)"):format(call.kernel, call.device.name,
  call.device.platform, call.device.driver, seconds * 1e6, clock))

-- ---- the comparison ----

-- How many elements differ, the first that does, and the largest difference.
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
  if argument.kind == "buffer" and argument.contents_of == index then
    local title = ("argument %d '%s' (%s)"):format(index, argument.name, argument.type)
    if exists(("%s/arg%d.after.npy"):format(folder, index)) then
      local expected = array_of(index, "after")
      local found = array_of(index, "before")
      queue:read_buffer(buffers[index], found)
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
      print(title .. ": nothing to compare with: when it was captured, the call did not come to its end")
    end
  end
end
if status ~= 0 then os.exit(status, true) end
