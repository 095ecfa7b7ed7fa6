--- cl.wrap(handle): the object of a handle. With it, a script that calls MQL5's functions can do what MQL5 lacks.
--
--     local kernel = cl.wrap(CLKernelCreate(program, "scale"))
--     local queue = kernel.program.context:own_queue()      -- what CLExecute enqueues on
--     local event = kernel(queue, 1000, 64, cl.wrap(buffer), 2.5)
--     print(event:time())
--
-- If an object owns the handle, cl.wrap returns that object. Otherwise it returns one that does not own it: when that
-- is collected, the handle stays; close() frees it, as CLBufferFree and the like do.
-- @module clue.wrap
local argument = require "clue.argument"
local binding = require "clue.binding"
local build_log = require "clue.build_log"
local device = require "clue.device"
local error_object = require "clue.error"
local images = require "clue.image"
local kernels = require "clue.kernel"
local object = require "clue.object"
local programs = require "clue.program"
local svms = require "clue.svm"

require "clue.context" -- loads the classes of all objects

local wrap -- the functions call each other

-- The object's parent, nil if that was freed.
local function parent_of(handle)
  local parent = error_object.check(binding.handle_parent(handle))
  return parent ~= 0 and wrap(parent) or nil
end

local function context_fields(handle)
  local first = device.get(handle)
  return {device = first, devices = {first}}
end

local function program_fields(handle)
  local log = build_log.rewrite(binding.program_log(handle) or "", build_log.place())
  return {log = log, kernels = programs.kernel_names(handle), context = parent_of(handle)}
end

local function kernel_fields(handle)
  return kernels.fields(handle, error_object.check(binding.kernel_name(handle)), parent_of(handle))
end

local function buffer_fields(handle)
  local parent = parent_of(handle)
  local made = {size = error_object.check(binding.memory_size(handle)), context = parent}
  if object.kind(parent) == "buffer" then
    made.parent, made.context, made.offset = parent, parent.context, error_object.check(binding.buffer_offset(handle))
  end
  return made
end

local function image_fields(handle)
  local parent = parent_of(handle)
  local made = images.described(handle)
  if object.kind(parent) == "buffer" then
    made.buffer, made.context = parent, parent.context
  else
    made.context = parent
  end
  return made
end

local function svm_fields(handle)
  local made = svms.described(handle)
  made.context = parent_of(handle)
  return made
end

local function queue_fields(handle)
  return {context = parent_of(handle), device = device.get(handle), waits = false, out_of_order = false}
end

local function event_fields()
  return {what = "a command"}
end

local fields_of = {
  context = context_fields, program = program_fields, kernel = kernel_fields, buffer = buffer_fields,
  image = image_fields, svm = svm_fields, queue = queue_fields, event = event_fields,
}

--- The object of a handle.
-- @tparam number|table handle of a context, a program, a kernel, a buffer, an image, shared virtual memory, a queue
-- or
--   an event; an object is returned unchanged
-- @treturn table
function wrap(handle)
  if object.kind(handle) then return handle end
  if type(handle) ~= "number" or handle % 1 ~= 0 or math.abs(handle) >= 2 ^ 31 then
    argument.refuse("handle", "a handle or an object", handle)
  end
  local owner = object.owner(handle)
  if owner then return owner end
  local kind = binding.handle_kind(handle)
  if fields_of[kind] then return object.borrow(handle, kind, fields_of[kind](handle)) end
  error_object.check(binding.handle_parent(handle)) -- says why it is not a handle
  argument.fail("a handle of kind %s has no object", tostring(kind))
end

return wrap
