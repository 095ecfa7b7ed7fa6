--- OpenCL through clue.h: contexts and programs.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local result = require "clue.ffi.result"

local int, text, typed = argument.int, argument.text, argument.typed
local int_out, long_out, text_out = result.int_out, result.long_out, result.text_out
local done, int_result, text_result = result.done, result.int, result.text

local binding = {}

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

-- Names and texts by turns, as C takes them, and how many pairs.
local function header_list(headers, position, call)
  if headers == nil then return nil, 0 end
  local count = #typed(headers, "table", position, call)
  if count % 2 ~= 0 then
    argument.refuse(position, call, ("names and texts in pairs expected, got %d strings"):format(count), 1)
  end
  local list = ffi.new("const char *[?]", count + 1)
  for i = 1, count do
    local problem = argument.text_problem(headers[i])
    if problem then argument.refuse(position, call, problem, 1) end
    list[i - 1] = headers[i]
  end
  return list, count / 2
end

--- The files that a source includes.
-- @tparam string source OpenCL C
-- @tparam ?string options of the compiler
-- @tparam ?table headers names and texts by turns
-- @treturn ?string their paths, each ended by a line break; nil on failure
-- @treturn boolean whether it includes anything, found or not
function binding.source_files(source, options, headers)
  typed(source, "string", 1, "source_files")
  if options ~= nil then text(options, 2, "source_files") end
  local list, count = header_list(headers, 3, "source_files")
  if C.clue_source_files(text_out, int_out, source, #source, options, list, count) ~= 0 then return nil end
  return ffi.string(text_out[0]), int_out[0] == 1
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
  local list, count = header_list(headers, 4, "program_compile")
  return int_result(C.clue_program_compile(int_out, context, source, #source, options, list, count))
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

return binding
