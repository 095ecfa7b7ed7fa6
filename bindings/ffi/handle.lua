--- The record of the last failure and the handle table, through clue.h.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"

local int = argument.int

local binding = {}

--- Says how refused arguments are told; until then an error names the binding's function and the position.
-- @tparam function told told(call, position, problem): what is raised; nil: that error
function binding.refusal_setup(told)
  argument.refusal_setup(told)
end

-- ---- errors -----------------------------------------------------------------------------------------------------

local causes = {
  [C.CLUE_CAUSE_DRIVER] = "driver",
  [C.CLUE_CAUSE_HANDLE] = "handle",
  [C.CLUE_CAUSE_PARAMETER] = "parameter",
  [C.CLUE_CAUSE_SIZE] = "size",
  [C.CLUE_CAUSE_OFFSET] = "offset",
  [C.CLUE_CAUSE_DEVICE] = "device",
  [C.CLUE_CAUSE_MEMORY] = "memory",
  [C.CLUE_CAUSE_FULL] = "full",
  [C.CLUE_CAUSE_LIMIT] = "limit",
}

--- The last failure.
-- @treturn ?table code, name, call, detail, cause, text, log; nil when nothing failed
function binding.error()
  local code = C.clue_error_code()
  if code == 0 then return nil end
  return {
    code = code,
    name = binding.error_name(code),
    call = ffi.string(C.clue_error_call()),
    detail = ffi.string(C.clue_error_detail()),
    cause = causes[C.clue_error_cause()],
    text = ffi.string(C.clue_error_text()),
    log = ffi.string(C.clue_error_log()),
  }
end

--- Forgets the last failure.
function binding.error_clear()
  C.clue_error_clear()
end

--- OpenCL's name for an error code.
-- @tparam number code -30
-- @treturn ?string "CL_INVALID_VALUE"; nil for a code that OpenCL does not define
function binding.error_name(code)
  local name = C.clue_error_name(int(code, 1, "error_name"))
  if name == nil then return nil end
  return (ffi.string(name))
end

-- ---- handles ----------------------------------------------------------------------------------------------------

local kinds = {
  [C.CLUE_CONTEXT] = "context",
  [C.CLUE_PROGRAM] = "program",
  [C.CLUE_KERNEL] = "kernel",
  [C.CLUE_BUFFER] = "buffer",
  [C.CLUE_QUEUE] = "queue",
  [C.CLUE_EVENT] = "event",
  [C.CLUE_DEVICE] = "device",
  [C.CLUE_MAPPING] = "mapping",
  [C.CLUE_IMAGE] = "image",
  [C.CLUE_SAMPLER] = "sampler",
  [C.CLUE_HOST_MEMORY] = "host_memory",
  [C.CLUE_SVM] = "svm",
}
local kind_codes = {}
for code, kind in pairs(kinds) do kind_codes[kind] = code end

--- What a handle is.
-- @tparam number handle
-- @treturn ?string "context", "program", "kernel", "buffer", "queue", "event", "device", "mapping",
--   "image", "sampler", "host_memory", "svm"; nil for anything that is not live
function binding.handle_kind(handle)
  return kinds[C.clue_handle_kind(int(handle, 1, "handle_kind"))]
end

--- @treturn number how many handles are live
function binding.handle_count()
  return C.clue_handle_count()
end

--- Walks through the live handles.
-- @tparam number handle 0: from the start
-- @treturn ?number the next live handle after this one, nil: there is none
function binding.handle_next(handle)
  local following = C.clue_handle_next(int(handle, 1, "handle_next"))
  if following == 0 then return nil end
  return following
end

local parent_out = ffi.new("int32_t[1]")

--- What an object was made from.
-- @tparam number handle
-- @treturn ?number the handle of its program, buffer or context; 0: that was freed, or there is none; nil on failure
function binding.handle_parent(handle)
  if C.clue_handle_parent(parent_out, int(handle, 1, "handle_parent")) ~= 0 then return nil end
  return parent_out[0]
end

--- Frees a handle.
-- @tparam number handle
-- @tparam ?string kind what it must be ("context", ...), nil: anything
-- @treturn ?boolean true; nil on failure
function binding.handle_free(handle, kind)
  int(handle, 1, "handle_free")
  local problem = kind ~= nil and argument.word_problem(kind, kind_codes, "kind of handle")
  if problem then argument.refuse(2, "handle_free", problem) end
  if C.clue_handle_free(handle, kind_codes[kind] or C.CLUE_NONE) ~= 0 then return nil end
  return true
end

local pointer_out = ffi.new("void *[1]")

--- Where the OpenCL object behind a handle lies.
-- @tparam number id a handle, or a device's ordinal
-- @tparam ?string kind "device", "context": those it belongs to; "queue" of a context: its own; nil: itself
-- @treturn ?number its address (a cl_context, a cl_mem, ...); nil on failure
function binding.handle_pointer(id, kind)
  int(id, 1, "handle_pointer")
  local problem = kind ~= nil and argument.word_problem(kind, kind_codes, "kind of handle")
  if problem then argument.refuse(2, "handle_pointer", problem) end
  if C.clue_handle_pointer(pointer_out, id, kind_codes[kind] or C.CLUE_NONE) ~= 0 then return nil end
  return (tonumber(ffi.cast("uintptr_t", pointer_out[0])))
end

return binding
