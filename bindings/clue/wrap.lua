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
local error_object = require "clue.error"
local object = require "clue.object"

local wrap -- the functions call each other

-- The object's parent, nil if that was freed.
local function parent_of(handle)
  local parent = error_object.check(binding.handle_parent(handle))
  return parent ~= 0 and wrap(parent) or nil
end

--- The object of a handle.
-- @tparam number|table handle of a context, a program, a kernel, a buffer, an image, shared virtual memory, a queue
--   or an event; an object is returned unchanged
-- @treturn table
function wrap(handle)
  if object.kind(handle) then return handle end
  if type(handle) ~= "number" or handle % 1 ~= 0 or math.abs(handle) >= 2 ^ 31 then
    argument.refuse("handle", "a handle or an object", handle)
  end
  local owner = object.owner(handle)
  if owner then return owner end
  local kind = binding.handle_kind(handle)
  local class = object.class_of(kind)
  if class and class.of_handle then return object.borrow(handle, kind, class.of_handle(handle, parent_of)) end
  error_object.check(binding.handle_parent(handle)) -- says why it is not a handle
  argument.fail("a handle of kind %s has no object", tostring(kind))
end

return wrap
