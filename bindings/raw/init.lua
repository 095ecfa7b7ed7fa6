--- All of OpenCL as in the Khronos headers of the machine that built clue: every function, type and constant of cl.h,
-- cl_ext.h, cl_gl.h and cl_egl.h, by its own name, over LuaJIT's FFI.
--
--     local ffi, cl, raw = require "ffi", require "clue", require "clue.raw"
--     local context = cl.context()
--     local code = ffi.new "cl_int[1]"
--     local memory = raw.clCreateBuffer(raw.pointer(context), raw.CL_MEM_READ_ONLY, 4096, nil, code)
--     raw.check(code[0], "clCreateBuffer")
--     raw.check(raw.clReleaseMemObject(memory), "clReleaseMemObject")
--
-- Types are FFI's: ffi.new "cl_event[1]". Constants are Lua numbers, except for those that a double cannot hold
-- (CL_LONG_MAX, CL_LONG_MIN, CL_ULONG_MAX: FFI's 64-bit numbers), and texts (CL_KHR_COMMAND_BUFFER_EXTENSION_NAME). A
-- function of an extension comes from its platform: raw.extensions(context).clCreateSemaphoreWithPropertiesKHR.
--
-- Nothing protects the driver here: a wrong argument can end the process. A callback that a driver calls on its own
-- thread must not be a Lua function. Other interpreters have no FFI, so requiring this module there is an error.
-- @module clue.raw
local has_ffi, ffi = pcall(require, "ffi")
if not has_ffi then
  error(("clue.raw needs LuaJIT and its FFI library, but this is %s: run the script in a clue that embeds LuaJIT "
    .. "(the default), or in luajit"):format(rawget(_G, "_VERSION")), 0)
end

local argument = require "clue.argument"
local binding = require "clue.binding"
local device = require "clue.device"
local error_object = require "clue.error"
local object = require "clue.object"
local public = require "clue.public"
local functions = require "clue.raw.functions"
local values = require "clue.raw.values"

-- Test runners load modules again, but a C declaration exists once per process.
if not pcall(ffi.typeof, "cl_name_version") then
  ffi.cdef(require "clue.raw.cdef")
end

local raw = {}
for name, value in pairs(values.constants) do raw[name] = value end

-- ---- functions --------------------------------------------------------------------------------------------------

local function exports(library, name)
  return (pcall(function() return library[name] end))
end

-- What the process has linked comes first: it includes anything that was put between it and the loader. A stock
-- interpreter has linked nothing.
local function find_loader()
  if exports(ffi.C, "clGetPlatformIDs") then return ffi.C end
  return ffi.load(ffi.os == "Windows" and "OpenCL" or "libOpenCL.so.1")
end

local loader = find_loader()

local function unknown(name)
  return ("the OpenCL headers with which clue was built have no '%s'"):format(tostring(name))
end

local function resolve(self, name)
  if not functions[name] then error(unknown(name), 2) end
  if not exports(loader, name) then
    error(("the OpenCL loader has no %s: an extension's function comes from its platform, "
      .. "raw.extensions(platform).%s"):format(name, name), 2)
  end
  self[name] = loader[name]
  return self[name]
end

setmetatable(raw, {__index = resolve, __completions = functions}) -- for completion at the prompt

-- ---- macros that take arguments ---------------------------------------------------------------------------------

local version_bits = {major = 2 ^ raw.CL_VERSION_MAJOR_BITS, minor = 2 ^ raw.CL_VERSION_MINOR_BITS,
  patch = 2 ^ raw.CL_VERSION_PATCH_BITS}

--- The first number of a version.
-- @tparam number version a cl_version
-- @treturn number 3 of 3.0.1
function raw.CL_VERSION_MAJOR(version)
  argument.whole(version, "version", 0)
  return math.floor(version / version_bits.minor / version_bits.patch)
end

--- The second number of a version.
-- @tparam number version a cl_version
-- @treturn number 0 of 3.0.1
function raw.CL_VERSION_MINOR(version)
  argument.whole(version, "version", 0)
  return math.floor(version / version_bits.patch) % version_bits.minor
end

--- The third number of a version.
-- @tparam number version a cl_version
-- @treturn number 1 of 3.0.1
function raw.CL_VERSION_PATCH(version)
  argument.whole(version, "version", 0)
  return version % version_bits.patch
end

--- A version as one number.
-- @tparam number major
-- @tparam number minor
-- @tparam number patch
-- @treturn number a cl_version
function raw.CL_MAKE_VERSION(major, minor, patch)
  argument.whole(major, "major", 0)
  argument.whole(minor, "minor", 0)
  argument.whole(patch, "patch", 0)
  return major % version_bits.major * version_bits.minor * version_bits.patch
    + minor % version_bits.minor * version_bits.patch + patch % version_bits.patch
end

for _, name in ipairs {"CL_VERSION_MAJOR", "CL_VERSION_MINOR", "CL_VERSION_PATCH", "CL_MAKE_VERSION"} do
  raw[name .. "_KHR"] = raw[name]
end

-- ---- clue's objects ---------------------------------------------------------------------------------------------

local types = {
  context = "cl_context", program = "cl_program", kernel = "cl_kernel", buffer = "cl_mem", image = "cl_mem",
  queue = "cl_command_queue", event = "cl_event", device = "cl_device_id", sampler = "cl_sampler", svm = "void *",
}

-- The number by which the binding knows an object, and its kind.
local function identify(of)
  if device.is(of) then return of:id(), "device" end
  local id = type(of) == "number" and argument.whole(of, "of", nil, 2 ^ 31) or object.kind(of) and object.handle_of(of)
  if not id then argument.refuse("of", "a clue object, a handle or a device's ordinal", of) end
  return id, id < 65536 and "device" or binding.handle_kind(id)
end

local function cast(kind, id, wanted)
  local address = error_object.check(binding.handle_pointer(id, wanted))
  return ffi.cast(types[kind], ffi.cast("uintptr_t", address))
end

local function platform_of(id)
  local platform = ffi.new "cl_platform_id[1]"
  raw.check(raw.clGetDeviceInfo(cast("device", id, "device"), raw.CL_DEVICE_PLATFORM, ffi.sizeof(platform), platform,
    nil), "clGetDeviceInfo")
  return platform[0]
end

--- The OpenCL object behind a clue object. It is borrowed: it lives as long as the clue object, unless the script
-- calls clRetainMemObject or the like. clue does not know what a script does with it: set kernels' arguments and
-- enqueue transfers either through clue or through this. Raises an error object if there is no such object.
-- @param of a context, queue, program, kernel, buffer, image, sampler, event or device of clue, or shared virtual
--   memory; or its handle; or a device's ordinal
-- @tparam[opt] string kind "context", "device" or "platform": the one that it belongs to; "queue" for a context: the
--   one that its MQL5 calls use. nil: the object itself
-- @treturn cdata cl_context, cl_command_queue, cl_program, cl_kernel, cl_mem, cl_sampler, cl_event, cl_device_id or
--   cl_platform_id; for shared virtual memory the memory itself, void *
function raw.pointer(of, kind)
  local id, found = identify(of)
  if kind == "platform" then return platform_of(id) end
  if kind ~= nil and not types[kind] then
    argument.refuse("kind", "\"context\", \"device\", \"platform\", \"queue\", or nil for the object itself", kind)
  end
  return cast(kind or found or "context", id, kind)
end

-- ---- extensions -------------------------------------------------------------------------------------------------

local function platform_name(platform)
  local size = ffi.new "size_t[1]"
  if raw.clGetPlatformInfo(platform, raw.CL_PLATFORM_NAME, 0, nil, size) ~= 0 then return "?" end
  local text = ffi.new("char[?]", size[0] + 1)
  raw.clGetPlatformInfo(platform, raw.CL_PLATFORM_NAME, size[0], text, nil)
  return ffi.string(text)
end

--- The functions that extensions add to a platform, by name: raw.extensions(device).clIcdGetPlatformIDsKHR. A
-- function that the platform's driver does not have raises an error. A driver may return a function of an extension
-- that it does not list, so check CL_DEVICE_EXTENSIONS first.
-- @param of a cl_platform_id, or anything that raw.pointer takes
-- @treturn table
function raw.extensions(of)
  local platform = ffi.istype("cl_platform_id", of) and of or raw.pointer(of, "platform")
  return setmetatable({}, {__index = function(self, name)
    if not functions[name] then error(unknown(name), 2) end
    local address = raw.clGetExtensionFunctionAddressForPlatform(platform, name)
    if address == nil then
      error(("no extension of platform %s has the function %s"):format(platform_name(platform), name), 2)
    end
    self[name] = ffi.cast(functions[name], address)
    return self[name]
  end})
end

-- ---- errors -----------------------------------------------------------------------------------------------------

--- Raises an error object unless a code means success.
-- @tparam number code the code that a function returned, or wrote to its errcode_ret
-- @tparam string call its name, for the message: "clCreateBuffer"
function raw.check(code, call)
  local number = tonumber(code)
  if number == 0 then return end
  argument.whole(number or code, "code", -2 ^ 31, 2 ^ 31)
  argument.text(call, "call")
  code = number
  error(error_object.new {code = code, name = binding.error_name(code), call = call,
    text = ("%s: %s (%d)"):format(call, binding.error_name(code) or "unknown error", code)}, 0)
end

-- Only clue's own functions: OpenCL's are added later, and are not Lua functions.
public.add("raw.", raw)

return raw
