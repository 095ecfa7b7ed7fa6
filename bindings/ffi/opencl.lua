--- OpenCL through clue.h: platforms and devices, contexts, programs, kernels, buffers.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local range = require "clue.ffi.range"

local int, long, text, typed = argument.int, argument.long, argument.text, argument.typed

local binding = {}

-- Where C writes its results; copied out before the next call.
local int_out, int_out2, int_out3 = ffi.new("int32_t[1]"), ffi.new("int32_t[1]"), ffi.new("int32_t[1]")
local long_out = ffi.new("int64_t[1]")
local double_out = ffi.new("double[1]")
local text_out, text_out2 = ffi.new("const char *[1]"), ffi.new("const char *[1]")

local function done(code)
  if code == 0 then return true end
  return nil
end

local function int_result(code)
  if code == 0 then return int_out[0] end
  return nil
end

local function text_result(code)
  if code == 0 then return ffi.string(text_out[0]) end
  return nil
end

-- ---- platforms and devices --------------------------------------------------------------------------------------

--- @treturn string name and version of the ICD loader, "" where it does not tell
function binding.loader_name()
  return ffi.string(C.clue_loader_name())
end

--- @treturn ?number how many platforms there are
function binding.platform_count()
  return int_result(C.clue_platform_count(int_out))
end

--- @treturn ?number how many devices all platforms have
function binding.device_count()
  return int_result(C.clue_device_count(int_out))
end

--- Where a device stands.
-- @tparam number ordinal counted over all platforms, from 0
-- @treturn ?number its platform, from 0
-- @treturn ?number its index there, from 0
function binding.device_locate(ordinal)
  int(ordinal, 1, "device_locate")
  if C.clue_device_locate(int_out, int_out2, ordinal) ~= 0 then return nil end
  return int_out[0], int_out2[0]
end

--- The device of anything.
-- @tparam number id an ordinal or any handle
-- @treturn ?number the ordinal that it means
function binding.device_of(id)
  int(id, 1, "device_of")
  return int_result(C.clue_device_of(int_out, id))
end

-- The bytes that a query gives: asked for their size first.
local function bytes_of(query, id, property)
  if query(long_out, id, property, nil, 0) ~= 0 then return nil end
  local size = tonumber(long_out[0])
  if size == 0 then return "" end
  local bytes = ffi.new("char[?]", size)
  if query(long_out, id, property, bytes, size) ~= 0 then return nil end
  return ffi.string(bytes, math.min(size, tonumber(long_out[0])))
end

--- What a platform tells of itself.
-- @tparam number platform from 0
-- @tparam number property CL_PLATFORM_*
-- @treturn ?string the property's raw bytes
function binding.platform_bytes(platform, property)
  int(platform, 1, "platform_bytes")
  int(property, 2, "platform_bytes")
  return bytes_of(C.clue_platform_info, platform, property)
end

--- What a device tells of itself.
-- @tparam number id an ordinal or any handle
-- @tparam number property CL_DEVICE_*
-- @treturn ?string the property's raw bytes
function binding.device_bytes(id, property)
  int(id, 1, "device_bytes")
  int(property, 2, "device_bytes")
  return bytes_of(C.clue_device_info, id, property)
end

--- Divides a device.
-- @tparam number id an ordinal, or the handle of a part
-- @tparam number property CL_DEVICE_PARTITION_*
-- @tparam table values numbers: compute units of each part; of the first, the second, ...; or a domain
-- @treturn ?table handles of its parts
function binding.device_partition(id, property, values)
  int(id, 1, "device_partition")
  int(property, 2, "device_partition")
  typed(values, "table", 3, "device_partition")
  local count = #values
  local cells = ffi.new("int64_t[?]", math.max(count, 1))
  for i = 1, count do cells[i - 1] = long(values[i], 3, "device_partition") end
  if C.clue_device_partition(nil, int_out, 0, id, property, cells, count) ~= 0 then return nil end
  local made = int_out[0]
  local handles = ffi.new("int32_t[?]", math.max(made, 1))
  if C.clue_device_partition(handles, int_out, made, id, property, cells, count) ~= 0 then return nil end
  local parts = {}
  for i = 1, int_out[0] do parts[i] = handles[i - 1] end
  return parts
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

-- ---- contexts and programs --------------------------------------------------------------------------------------

--- Makes a context, with its queue.
-- @tparam number id the ordinal of a device, or the handle of a part
-- @treturn ?number the context's handle
function binding.context_create(id)
  int(id, 1, "context_create")
  return int_result(C.clue_context_create(int_out, id))
end

--- Makes a context over several devices, with its queue on the first.
-- @tparam table devices ordinals and handles of parts
-- @treturn ?number the context's handle
function binding.context_create_over(devices)
  local ids, count = argument.ints(devices, 1, "context_create_over")
  return int_result(C.clue_context_create_over(int_out, ids, count))
end

--- Waits for everything enqueued in a context.
-- @tparam number handle of the context, or of anything made in it
-- @treturn ?boolean true; nil on failure
function binding.context_finish(handle)
  int(handle, 1, "context_finish")
  return done(C.clue_context_finish(handle))
end

--- Builds a program.
-- @tparam number context
-- @tparam string source OpenCL C
-- @tparam ?string options of the compiler
-- @treturn ?number the program's handle
function binding.program_create(context, source, options)
  int(context, 1, "program_create")
  typed(source, "string", 2, "program_create")
  if options ~= nil then text(options, 3, "program_create") end
  return int_result(C.clue_program_create(int_out, context, source, #source, options))
end

--- Builds a program from a binary.
-- @tparam number context
-- @tparam string binary what program_binary gave
-- @treturn ?number the program's handle
function binding.program_from_binary(context, binary)
  int(context, 1, "program_from_binary")
  typed(binary, "string", 2, "program_from_binary")
  return int_result(C.clue_program_from_binary(int_out, context, binary, #binary))
end

--- Builds a program from an intermediate language.
-- @tparam number context
-- @tparam string il SPIR-V
-- @tparam ?string options of the compiler
-- @treturn ?number the program's handle
function binding.program_from_il(context, il, options)
  int(context, 1, "program_from_il")
  typed(il, "string", 2, "program_from_il")
  if options ~= nil then text(options, 3, "program_from_il") end
  return int_result(C.clue_program_from_il(int_out, context, il, #il, options))
end

--- Compiles a program, which is to be linked.
-- @tparam number context
-- @tparam string source OpenCL C
-- @tparam ?string options of the compiler
-- @tparam ?table headers names and texts by turns
-- @treturn ?number the program's handle
function binding.program_compile(context, source, options, headers)
  int(context, 1, "program_compile")
  typed(source, "string", 2, "program_compile")
  if options ~= nil then text(options, 3, "program_compile") end
  local count, list = 0, nil
  if headers ~= nil then
    count = #typed(headers, "table", 4, "program_compile")
    if count % 2 ~= 0 then
      argument.refuse(4, "program_compile", ("names and texts in pairs expected, got %d strings"):format(count))
    end
    list = ffi.new("const char *[?]", count + 1)
    for i = 1, count do list[i - 1] = text(headers[i], 4, "program_compile") end
  end
  return int_result(C.clue_program_compile(int_out, context, source, #source, options, list, count / 2))
end

--- Links compiled programs.
-- @tparam number context
-- @tparam table programs their handles
-- @tparam ?string options of the linker
-- @treturn ?number the handle of the program that they make
function binding.program_link(context, programs, options)
  int(context, 1, "program_link")
  typed(programs, "table", 2, "program_link")
  if options ~= nil then text(options, 3, "program_link") end
  local count = #programs
  local handles = ffi.new("int32_t[?]", count + 1)
  for i = 1, count do handles[i - 1] = int(programs[i], 2, "program_link") end
  return int_result(C.clue_program_link(int_out, context, handles, count, options))
end

local function binary_of(program, device, bytes, size)
  if device == nil then return C.clue_program_binary(long_out, program, bytes, size) end
  return C.clue_program_binary_on(long_out, program, device, bytes, size)
end

--- What the driver made of a program.
-- @tparam number program
-- @tparam ?number device an ordinal or a part; nil: the context's first
-- @treturn ?string bytes
function binding.program_binary(program, device)
  int(program, 1, "program_binary")
  if device ~= nil then int(device, 2, "program_binary") end
  if binary_of(program, device, nil, 0) ~= 0 then return nil end
  local size = tonumber(long_out[0])
  local bytes = ffi.new("char[?]", size)
  if binary_of(program, device, bytes, size) ~= 0 then return nil end
  return (ffi.string(bytes, size))
end

--- The build log.
-- @tparam number program
-- @tparam ?number device an ordinal or a part; nil: the one whose build failed, or the context's first
-- @treturn ?string what the driver said, "" if nothing
function binding.program_log(program, device)
  int(program, 1, "program_log")
  if device ~= nil then
    int(device, 2, "program_log")
    return text_result(C.clue_program_log_on(text_out, program, device))
  end
  return text_result(C.clue_program_log(text_out, program))
end

--- Whether a program came from the cache of built programs.
-- @tparam number program
-- @treturn ?bool
function binding.program_cached(program)
  int(program, 1, "program_cached")
  if C.clue_program_cached(int_out, program) ~= 0 then return nil end
  return int_out[0] == 1
end

--- The kernels in a program.
-- @tparam number program
-- @treturn ?string "first;second"
function binding.program_kernels(program)
  int(program, 1, "program_kernels")
  return text_result(C.clue_program_kernels(text_out, program))
end

-- ---- kernels ----------------------------------------------------------------------------------------------------

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
-- @tparam string folder
-- @treturn ?boolean true; nil on failure
function binding.capture(kernel, call, folder)
  text(kernel, 1, "capture")
  long(call, 2, "capture")
  text(folder, 3, "capture")
  return done(C.clue_capture(kernel, call, folder))
end

-- ---- buffers: transfers on the context's own queue ---------------------------------------------------------------

--- Makes a buffer.
-- @tparam number context
-- @tparam number bytes
-- @tparam number flags CL_MEM_*, added up
-- @treturn ?number the buffer's handle
function binding.buffer_create(context, bytes, flags)
  int(context, 1, "buffer_create")
  long(bytes, 2, "buffer_create")
  long(flags, 3, "buffer_create")
  return int_result(C.clue_buffer_create(int_out, context, bytes, flags))
end

--- Makes a buffer of a part of another one.
-- @tparam number buffer
-- @tparam number flags CL_MEM_*, added up; 0: as the buffer
-- @tparam number offset bytes
-- @tparam number size bytes
-- @treturn ?number the sub-buffer's handle
function binding.buffer_create_sub(buffer, flags, offset, size)
  int(buffer, 1, "buffer_create_sub")
  long(flags, 2, "buffer_create_sub")
  long(offset, 3, "buffer_create_sub")
  long(size, 4, "buffer_create_sub")
  return int_result(C.clue_buffer_create_sub(int_out, buffer, flags, offset, size))
end

--- The size of a buffer.
-- @tparam number buffer
-- @treturn ?number bytes
function binding.buffer_size(buffer)
  int(buffer, 1, "buffer_size")
  if C.clue_buffer_size(long_out, buffer) ~= 0 then return nil end
  return tonumber(long_out[0])
end

--- Where a sub-buffer begins in its buffer.
-- @tparam number buffer
-- @treturn ?number bytes, 0 for what is no sub-buffer
function binding.buffer_offset(buffer)
  int(buffer, 1, "buffer_offset")
  if C.clue_buffer_offset(long_out, buffer) ~= 0 then return nil end
  return tonumber(long_out[0])
end

--- Writes elements of an array to a buffer, and waits until it is done.
-- @tparam number buffer
-- @tparam number offset in the buffer, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn ?boolean true; nil on failure
function binding.buffer_write(buffer, offset, array, first, count)
  int(buffer, 1, "buffer_write")
  long(offset, 2, "buffer_write")
  local code = argument.array(array, 3, "buffer_write")
  argument.range(array, first, count, 4, "buffer_write")
  return done(C.clue_buffer_write(buffer, offset, array._data + first, count * element.size_of(code)))
end

--- Reads elements of an array out of a buffer, and waits until it is done.
-- @tparam number buffer
-- @tparam number offset in the buffer, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn ?boolean true; nil on failure
function binding.buffer_read(buffer, offset, array, first, count)
  int(buffer, 1, "buffer_read")
  long(offset, 2, "buffer_read")
  local code = argument.array(array, 3, "buffer_read")
  argument.range(array, first, count, 4, "buffer_read")
  return done(C.clue_buffer_read(array._data + first, buffer, offset, count * element.size_of(code)))
end

-- Compiled code looks at no hook, so a compiled loop that polls would never see Ctrl-C.
jit.off(binding.kernel_status)

return binding
