-- Repeats the call of a kernel that clue captured in this folder, and compares the results with the captured ones:
--
--     clue [--device DEVICE] replay.lua
--
-- call.lua describes the call; kernel.cl is the program (its headers are in include/; kernel1.cl, kernel2.cl ... were
-- compiled apart and linked); argN.before.npy and argN.after.npy hold the buffers and images (NumPy reads them).
-- Change the kernel, or the sizes here, and run it again. Exit status: 0 if the results are the same, bit for bit;
-- else 1.
local cl = require "clue"
local captured = require "clue.captured"
local output = require "clue.output" -- shows names as text, whatever they hold

local call = captured.load((arg and arg[0] or ""):match "^(.*)/[^/]*$" or ".")

local queue = cl.context():queue()
local kernel = call:program(queue.context):kernel(call.kernel)
local memory = call:memory(queue)
memory:set(kernel)

local event = queue:ndrange_kernel(kernel, call.global, call.local_size, call.offset)
queue:finish()
local seconds, clock = event:time()
output.print(("kernel '%s', captured on %s (%s, driver %s): %.1f us here (%s clock)"):format(call.kernel,
  call.device.name, call.device.platform, call.device.driver, seconds * 1e6, clock))

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
local found = memory:read()
for number, argument in ipairs(call.arguments) do
  if found[number] then
    local title = ("argument %d '%s' (%s)"):format(number - 1, argument.name, argument.type)
    local expected = call:contents(number - 1, "after")
    if not expected then
      status = 1
      output.print(title .. ": nothing to compare with: the call did not finish when it was captured")
    else
      local count, first, largest = differences(found[number], expected)
      if count == 0 then
        output.print(title .. ": as captured")
      else
        status = 1
        output.print(("%s: %d of %d elements differ, the first is [%d]: %s here, %s captured; the largest difference "
          .. "is %g"):format(title, count, #expected, first, found[number]:decimal(first), expected:decimal(first),
          largest))
      end
    end
  end
end
if status ~= 0 then os.exit(status, true) end
