--- Makes the objects of buffers.
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local functions = require("clue.ffi.generated").functions

local getmetatable, rawget, type = getmetatable, rawget, type
local is_size = argument.is_size
local create, create_from = functions.buffer_create, functions.buffer_create_from
local code_of, size_of, UNMAPPED = element.code_of, element.size_of, element.UNMAPPED

local binding = {}

local READ_WRITE = 1 -- CL_MEM_READ_WRITE

--- Makes the function that makes buffers.
-- @tparam table objects what object_setup returned
-- @tparam table classes the metatables of context and buffer
-- @tparam function rest rest(refused, ...) goes on if something is not as usual: flags, a size that is none, another
--   array than one whose contents the context's driver copies (the context's field copies_sooner), much memory that
--   waits for the collector; with refused = true if the core refused the buffer
-- @treturn function new(context, size, flags): a buffer
function binding.buffer_setup(objects, classes, rest)
  local call = "buffer_setup"
  argument.owners(objects, 1, call)
  local context_class = argument.class(classes, "context", 2, call)
  local buffer_class = argument.class(classes, "buffer", 2, call)
  argument.typed(rest, "function", 3, call)
  local own = objects.own

  return function(context, size, flags)
    local on = flags == nil and type(context) == "table" and getmetatable(context) == context_class
      and rawget(context, "handle")
    if not on or C.clue_memory_crowded(0) == 1 then return (rest(false, context, size, flags)) end
    if is_size(size) then
      local handle = create(on, size, READ_WRITE)
      if not handle then return (rest(true, context, size, flags)) end
      return own({size = size, context = context, elements = false, handle = handle}, handle, buffer_class)
    end
    local code = code_of(size)
    if not code or size._mapping == UNMAPPED or not rawget(context, "copies_sooner") then
      return (rest(false, context, size, flags))
    end
    local handle = create_from(on, size, READ_WRITE)
    if not handle then return (rest(true, context, size, flags)) end
    local made = {size = size_of(code) * size._count, context = context, elements = code, handle = handle}
    return own(made, handle, buffer_class)
  end
end

return binding
