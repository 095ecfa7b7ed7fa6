-- Extensions, step 32: printf() from a kernel (cl_amd_printf in the course's days, part of OpenCL 1.2).
--
-- Each work-item prints its values. The text goes to the standard output of the process after the kernel has ended:
-- until clFinish() or a blocking call the device keeps it in a buffer (CL_DEVICE_PRINTF_BUFFER_SIZE), and text that
-- does not fit is lost. Items print in any order. The kernel prints no vectors (%v4hlf), because NVIDIA's driver 580
-- loses the text before one and crashes on an argument after it. To see what was printed, the script runs itself in a
-- child process.
local amd = require "clue.walk.amd"
local binding = require "clue.binding"
local cl = require "clue"
local host = require "clue.options"
local walk = require "clue.walk"

amd.inputs(input)
input.int("_print", 0, "1: only run the kernel, which prints", 0, 1)

local KERNEL = [[
__kernel void speak(int factor)
{
    const int id = get_global_id(0);
    printf("item %d of %d: %d, %x, %.3f, %c, %s\n", id, (int)get_global_size(0), id * factor, id * factor,
        id / 4.0f, 'a' + id, "text");
}
]]

local ITEMS, FACTOR = 8, -3

local row = {
  number = 32, name = "printf", study = "extensions", change = "printf() in a kernel, its text read and compared",
  decides = {"printf_buffer_size", "version"},
}

local function speak(context, kernel)
  local queue = context:queue()
  kernel(queue, {ITEMS}, nil, FACTOR)
  queue:finish()
end

local function expected_of(id)
  return ("item %d of %d: %d, %x, %.3f, %c, text"):format(id, ITEMS, id * FACTOR, (id * FACTOR) % 2 ^ 32, id / 4,
    ("a"):byte() + id)
end

-- Returns what the child wrote to its standard output, and how it ended.
local function output_of_child(address)
  local child = binding.child_start {
    arguments = {host.program, "--device", address, arg[0], "--print", "1"}, seconds = 60,
  }
  if not child then return "", binding.error().text end
  local out, errors, state = "", ""
  repeat
    state = binding.child_wait(child, 0.2)
    out, errors = out .. binding.child_take(child, "out"), errors .. binding.child_take(child, "err")
  until state ~= "running"
  local value = binding.child_value(child)
  binding.child_close(child)
  return out, not (state == "exited" and value == 0) and ("the child %s %s: %s"):format(state, value, errors) or nil
end

local function check(text, problem)
  if problem then return false, problem end
  local said, lines = {}, 0
  for line in text:gmatch "[^\n]+" do
    said[line], lines = true, lines + 1
  end
  for id = 0, ITEMS - 1 do
    if not said[expected_of(id)] then
      return false, ("no line \"%s\" in %d bytes that came: %s"):format(expected_of(id), #text, text:sub(1, 200))
    end
  end
  return lines == ITEMS, ("%d lines instead of %d"):format(lines, ITEMS)
end

function OnStart()
  local context = cl.context()
  local major, minor = context.device.version:match "^OpenCL (%d+)%.(%d+)"
  if tonumber(major) * 10 + tonumber(minor) < 12 and not context.device:has_extension "cl_amd_printf" then
    walk.skip(row, "printf() needs OpenCL 1.2, the device has " .. context.device.version, context)
  end
  local kernel = context:program(KERNEL):kernel "speak" -- also in the parent, which does not run it: --source shows it
  if _print == 1 then return speak(context, kernel) end
  local text, problem = output_of_child(context.device.address)
  local right, why = check(text, problem)
  row.check = {verified = right, text = right and "every item's line, in any order" or why}
  row.notes = {"the first line that came: " .. (text:match "[^\n]+" or "none")}
  row.problem, row.context = ("%d lines from %d work-items"):format(ITEMS, ITEMS), context
  walk.report(row)
end
