--- Buffers: memory of a device. Made by context:buffer(); a queue writes and reads them.
-- @module clue.buffer
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local error_object = require "clue.error"
local foreign = require "clue.foreign"
local has_bit = require("clue.bytes").has_bit
local object = require "clue.object"
local place = require "clue.struct.place"
local public = require "clue.public"
local text = require "clue.text"

--- The fields of a buffer.
-- @table buffer
-- @tfield number size in bytes
-- @tfield context context
-- @tfield ?buffer parent of a sub-buffer: the buffer that it is a part of
-- @tfield ?number offset of a sub-buffer: where it begins, in bytes

local buffer = {}

local methods, adopt, meta = object.class("buffer", function(self)
  if not self.parent then return text.count(self.size, "byte") end
  return ("%s from offset %.0f of %s"):format(text.count(self.size, "byte"), self.offset, tostring(self.parent))
end, foreign "buffer")

meta.of_handle = function(handle, parent_of)
  local parent = parent_of(handle)
  local made = {size = error_object.check(binding.memory_size(handle)), context = parent}
  if object.kind(parent) == "buffer" then
    made.parent, made.context, made.offset = parent, parent.context, error_object.check(binding.buffer_offset(handle))
  end
  return made
end

-- CL_MEM_*, by their names in lower case.
local flag_bits = {
  read_write = 1, write_only = 2, read_only = 4, use_host_ptr = 8, alloc_host_ptr = 16, copy_host_ptr = 32,
  host_write_only = 128, host_read_only = 256, host_no_access = 512,
}

--- The number of flags.
-- @tparam ?string|table flags a name or several; nil: "read_write"
-- @treturn number CL_MEM_*
function buffer.bits_of(flags)
  if flags == nil then return flag_bits.read_write end
  return argument.flags(flags, flag_bits, "flags")
end

local shortages = {[-4] = true, [-5] = true, [-6] = true} -- too little device memory, device resources, host memory

local function is_shortage(record)
  return record.cause == "full" or record.cause == "driver" and shortages[record.code] or record.cause == "memory"
end

-- After a refusal, collects unreachable objects if memory was short.
local function make_room()
  if not is_shortage(binding.error()) then error_object.raise() end
  object.collect()
end

--- Makes something in device memory. The collector does not see that memory, so unreachable objects are collected
-- before much more of it is allocated than is in use, and before the device counts as full. Raises an error object.
-- @tparam function make a function of the binding
-- @param ... its arguments
-- @treturn number handle
function buffer.create(make, ...)
  if binding.memory_crowded(0) then object.collect() end
  local handle = make(...)
  if handle then return handle end
  make_room()
  return (error_object.check(make(...)))
end

--- How flags say to use the host's memory.
-- @tparam number bits CL_MEM_*
-- @tparam array from
-- @treturn ?string "use": it becomes the buffer's memory; "copy": the driver copies it; nil: no flag says so
-- @treturn number bits without that flag
function buffer.host_ptr(bits, from)
  if has_bit(bits, flag_bits.use_host_ptr) then
    if binding.array_owner(from) == "mapping" then
      argument.fail("use_host_ptr: the array is mapped, so its memory belongs to another buffer")
    end
    return "use", bits - flag_bits.use_host_ptr
  end
  if has_bit(bits, flag_bits.copy_host_ptr) then return "copy", bits - flag_bits.copy_host_ptr end
  return nil, bits
end

local function is_cpu(device)
  return device.type == "cpu"
end

-- Whether the driver copies in less time as it makes the buffer: a write is a command, which takes CPU devices longer
-- than copying some KiB. A closed part of a device no longer says what it is.
local function copies_sooner(context)
  if rawget(context, "copies_sooner") == nil then
    context.copies_sooner = true
    for _, device in ipairs(context.devices) do
      local is_known, is_one = pcall(is_cpu, device)
      context.copies_sooner = context.copies_sooner and is_known and is_one
    end
  end
  return context.copies_sooner
end

-- Makes a buffer with an array's contents: in its memory if a flag says so; copied by the driver if a flag says so, or
-- that the host does not write, or if that takes less time; else written.
-- is_copy: the array is a copy of a part of structs.
local function create_of(context, from, bits, is_copy)
  local on = object.handle(context, "context")
  local way, rest = buffer.host_ptr(bits, from)
  if way == "use" and is_copy then argument.fail("use_host_ptr: give all of the memory that the struct lies in") end
  if way == "use" then return buffer.create(binding.buffer_create_in, on, from, rest) end
  if way == "copy" or has_bit(bits, flag_bits.host_read_only) or has_bit(bits, flag_bits.host_no_access)
    or copies_sooner(context) then
    return buffer.create(binding.buffer_create_from, on, from, rest)
  end
  local handle = buffer.create(binding.buffer_create, on, from:bytes(), bits)
  if binding.buffer_write(handle, 0, from, 0, #from) then return handle end
  local problem = error_object.last()
  binding.handle_free(handle, "buffer")
  error(problem, 0)
end

-- Goes on where the binding stopped: see buffer_setup in bindings/ffi/buffer.lua.
local function go_on(refused, context, size, flags)
  if refused then make_room() end
  local on, memory, is_copy = object.handle(context, "context"), place.array(size)
  local from = array.is(memory) and memory or nil
  if from then argument.array(from, "size") else argument.size(size, "size") end
  local bits = buffer.bits_of(flags)
  if from then
    return adopt(create_of(context, from, bits, is_copy), {
      size = from:bytes(), context = context, elements = binding.array_code(from), handle = false,
    })
  end
  return adopt(buffer.create(binding.buffer_create, on, size, bits), {
    size = size, context = context, elements = false, handle = false, -- makes room for what adopt adds
  })
end

--- Makes a buffer.
--
-- With "use_host_ptr" it lies in the array's own memory, which CPU devices use in place. The memory then belongs to
-- the device: the host reads and writes the array only between queue:map_buffer and queue:unmap of the buffer. The
-- array can no longer change its size, and lives until the driver no longer needs the buffer. Several buffers may lie
-- in one array; then they share its contents only if one of them is used at a time.
--
-- With "alloc_host_ptr" it lies where the host can access it: if it is mapped, its array is pinned memory. On most
-- GPUs, transfers between pinned memory and other buffers are the fastest.
-- @tparam context context
-- @tparam number|array|struct|struct_array size bytes, whose contents are undefined; or an array, a struct or an array
--   of structs: a buffer of its size with its contents
-- @tparam[opt="read_write"] string|table flags a name or several: "read_write", "read_only", "write_only" (what
--   kernels do with it), "use_host_ptr" (see above) or "copy_host_ptr" (the driver copies the array as it makes the
--   buffer; for a buffer that the host may not write, this goes without saying), "alloc_host_ptr",
--   "host_write_only", "host_read_only", "host_no_access"
-- @treturn buffer
function buffer.new(context, size, flags)
  return (go_on(false, context, size, flags))
end

--- Makes the binding's function that stands for buffer.new. For clue.context.
-- @tparam table class the metatable of contexts
-- @treturn function
function buffer.maker(class)
  return public.stands_for(binding.buffer_setup(object.functions, {context = class, buffer = meta}, go_on), buffer.new)
end

local part_options = {offset = "whole", size = "whole", flags = "checked"}

--- Makes a sub-buffer: a part of this buffer, in the same memory, that can be used as a buffer. It keeps the buffer
-- alive. What is written to one is also in the other. If parts overlap, commands that run at the same time may write
-- only one of them.
-- @tparam table where offset: bytes (0), a multiple of the device's alignment
--   (device.mem_base_addr_align, which counts bits); size: bytes (to the end); flags: as for a buffer, and no more than
--   the buffer's own, which are the default
-- @treturn buffer
function methods:sub_buffer(where)
  local handle = object.handle(self, "buffer")
  if where == nil then argument.refuse("where", "{offset = , size = , flags = }", where) end
  argument.options(where, "where", part_options)
  local offset = where.offset or 0
  local size = where.size or math.max(self.size - offset, 0)
  local bits = where.flags ~= nil and buffer.bits_of(where.flags) or 0
  local made = buffer.create(binding.buffer_create_sub, handle, bits, offset, size)
  return adopt(made, {size = size, offset = offset, parent = self, context = self.context})
end

return buffer
