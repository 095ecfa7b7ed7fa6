--- OpenCL through clue.h: kernels and their executions.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local range = require "clue.ffi.range"
local result = require "clue.ffi.result"

local int, long, text, typed = argument.int, argument.long, argument.text, argument.typed
local int_out, double_out, text_out = result.int_out, result.double_out, result.text_out
local done, int_result, text_result, bytes_of = result.done, result.int, result.text, result.bytes

local binding = {}

local int_out2, int_out3 = ffi.new("int32_t[1]"), ffi.new("int32_t[1]")
local text_out2 = ffi.new("const char *[1]")

--- Makes a kernel.
-- @tparam number program
-- @tparam string name of a __kernel function
-- @treturn ?number the kernel's handle
function binding.kernel_create(program, name)
  int(program, 1, "kernel_create")
  text(name, 2, "kernel_create")
  return int_result(C.clue_kernel_create(int_out, program, name))
end

--- The name of a kernel.
-- @tparam number kernel
-- @treturn ?string
function binding.kernel_name(kernel)
  int(kernel, 1, "kernel_name")
  return text_result(C.clue_kernel_name(text_out, kernel))
end

--- How many arguments a kernel takes.
-- @tparam number kernel
-- @treturn ?number
function binding.kernel_argument_count(kernel)
  int(kernel, 1, "kernel_argument_count")
  return int_result(C.clue_kernel_argument_count(int_out, kernel))
end

--- What is known of an argument.
-- @tparam number kernel
-- @tparam number index from 0
-- @treturn ?string the argument's name, "" where the driver does not tell
-- @treturn ?string its type
function binding.kernel_argument(kernel, index)
  int(kernel, 1, "kernel_argument")
  int(index, 2, "kernel_argument")
  if C.clue_kernel_argument(text_out, text_out2, kernel, index) ~= 0 then return nil end
  return ffi.string(text_out[0]), ffi.string(text_out2[0])
end

--- How an argument is qualified, by OpenCL's numbers; zeros where the driver does not tell.
-- @tparam number kernel
-- @tparam number index from 0
-- @treturn ?number CL_KERNEL_ARG_ADDRESS_*
-- @treturn ?number CL_KERNEL_ARG_ACCESS_*
-- @treturn ?number bits of CL_KERNEL_ARG_TYPE_*
function binding.kernel_argument_qualifiers(kernel, index)
  int(kernel, 1, "kernel_argument_qualifiers")
  int(index, 2, "kernel_argument_qualifiers")
  if C.clue_kernel_argument_qualifiers(int_out, int_out2, int_out3, kernel, index) ~= 0 then return nil end
  return int_out[0], int_out2[0], int_out3[0]
end

--- Sets an argument to a number of a type.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number type_code of the type; 0: as the kernel's argument information says
-- @tparam number number refused where the type cannot hold it
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_number(kernel, index, type_code, number)
  int(kernel, 1, "kernel_set_number")
  int(index, 2, "kernel_set_number")
  int(type_code, 3, "kernel_set_number")
  typed(number, "number", 4, "kernel_set_number")
  return done(C.clue_kernel_set_number(kernel, index, type_code, number))
end

--- Sets an argument to the bytes of a string.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam string bytes as many as the argument has
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_bytes(kernel, index, bytes)
  int(kernel, 1, "kernel_set_bytes")
  int(index, 2, "kernel_set_bytes")
  typed(bytes, "string", 3, "kernel_set_bytes")
  return done(C.clue_kernel_set_bytes(kernel, index, bytes, #bytes))
end

--- Sets an argument to a buffer.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number buffer
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_buffer(kernel, index, buffer)
  int(kernel, 1, "kernel_set_buffer")
  int(index, 2, "kernel_set_buffer")
  int(buffer, 3, "kernel_set_buffer")
  return done(C.clue_kernel_set_buffer(kernel, index, buffer))
end

--- Sets an argument to an image.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number image
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_image(kernel, index, image)
  int(kernel, 1, "kernel_set_image")
  int(index, 2, "kernel_set_image")
  int(image, 3, "kernel_set_image")
  return done(C.clue_kernel_set_image(kernel, index, image))
end

--- Sets a __local argument's size.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number bytes
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_local(kernel, index, bytes)
  int(kernel, 1, "kernel_set_local")
  int(index, 2, "kernel_set_local")
  long(bytes, 3, "kernel_set_local")
  return done(C.clue_kernel_set_local(kernel, index, bytes))
end

--- Enqueues a kernel on its context's own queue.
-- @tparam number kernel
-- @tparam number dimensions 1 to 3
-- @tparam ?table offset as many numbers (Lua table or array), like the two that follow; nil: from 0 on
-- @tparam table global how many work-items
-- @tparam ?table local_ how many of them make a work-group; nil: the driver chooses
-- @treturn ?boolean true; nil on failure
function binding.kernel_execute(kernel, dimensions, offset, global, local_)
  int(kernel, 1, "kernel_execute")
  int(dimensions, 2, "kernel_execute")
  local from, over, by = range(dimensions, offset, global, local_, 3, "kernel_execute")
  return done(C.clue_kernel_execute(kernel, dimensions, from, over, by))
end

--- The state of a kernel's last execution.
-- @tparam number kernel
-- @treturn ?number 0 complete, 1 running, 2 submitted, 3 queued
function binding.kernel_status(kernel)
  int(kernel, 1, "kernel_status")
  return int_result(C.clue_kernel_status(int_out, kernel))
end

--- Waits for a kernel's last execution.
-- @tparam number kernel
-- @treturn ?boolean true; nil on failure
function binding.kernel_wait(kernel)
  int(kernel, 1, "kernel_wait")
  return done(C.clue_kernel_wait(kernel))
end

--- The kernel that was enqueued last, by whichever function.
-- @treturn number how many executions there were so far
-- @treturn ?number its handle; nil before the first
-- @treturn ?string its name; nil where it was freed since
function binding.kernel_newest()
  local executions = tonumber(C.clue_kernel_newest(int_out, text_out))
  return executions, int_out[0] ~= 0 and int_out[0] or nil, text_out[0] ~= nil and ffi.string(text_out[0]) or nil
end

local clocks = { [C.CLUE_CLOCK_DEVICE] = "device", [C.CLUE_CLOCK_HOST] = "host" }

--- How long a kernel's last execution took; waits for it.
-- @tparam number kernel
-- @treturn ?number seconds
-- @treturn ?string whose clock: "device" or "host"
function binding.kernel_time(kernel)
  int(kernel, 1, "kernel_time")
  if C.clue_kernel_time(double_out, int_out, kernel) ~= 0 then return nil end
  return double_out[0], clocks[int_out[0]]
end

--- Starts to add up every kernel execution.
-- @treturn ?boolean true; nil on failure
function binding.profile_start()
  return done(C.clue_profile_start())
end

--- @treturn ?number seconds of all executions since profile_start
-- @treturn ?string whose clock: "device" or "host"
-- @treturn ?number how many there were
function binding.profile_stop()
  if C.clue_profile_stop(double_out, int_out, int_out2) ~= 0 then return nil end
  return double_out[0], clocks[int_out[0]], int_out2[0]
end

--- Keeps one execution of a kernel in a folder.
-- @tparam string kernel its name
-- @tparam number call which one from now on, from 1
-- @tparam string folder is made then
-- @tparam string script the path of what is copied as replay.lua
-- @treturn ?boolean true; nil on failure
function binding.capture(kernel, call, folder, script)
  text(kernel, 1, "capture")
  long(call, 2, "capture")
  text(folder, 3, "capture")
  return done(C.clue_capture(kernel, call, folder, text(script, 4, "capture")))
end

--- Records OpenCL calls and commands in a file.
-- @tparam string path
-- @treturn ?string the file that they go to: that one, or where all of the run is recorded already; nil on failure
function binding.trace_start(path)
  text(path, 1, "trace_start")
  return text_result(C.clue_trace_start(text_out, path))
end

--- Waits for what was enqueued and ends what trace_start began.
-- @treturn ?boolean true; nil on failure
function binding.trace_stop()
  return done(C.clue_trace_stop())
end

local group_device -- of the question under way

local function group_info_on(size_out, kernel, property, value, capacity)
  return C.clue_kernel_group_info_on(size_out, kernel, group_device, property, value, capacity)
end

--- What a device tells of a kernel.
-- @tparam number kernel
-- @tparam number property one that clGetKernelWorkGroupInfo knows
-- @tparam ?number device an ordinal or a part; nil: the context's first
-- @treturn ?string the property's raw bytes
function binding.kernel_group_bytes(kernel, property, device)
  int(kernel, 1, "kernel_group_bytes")
  int(property, 2, "kernel_group_bytes")
  if device ~= nil then
    group_device = int(device, 3, "kernel_group_bytes")
    return bytes_of(group_info_on, kernel, property)
  end
  return bytes_of(C.clue_kernel_group_info, kernel, property)
end

--- What a driver tells of a kernel.
-- @tparam number kernel
-- @tparam number property one that clGetKernelInfo knows
-- @treturn ?string the property's raw bytes
function binding.kernel_bytes(kernel, property)
  int(kernel, 1, "kernel_bytes")
  int(property, 2, "kernel_bytes")
  return bytes_of(C.clue_kernel_info, kernel, property)
end

-- Compiled code looks at no hook, so a compiled loop that polls would never see Ctrl-C.
jit.off(binding.kernel_status)

return binding
