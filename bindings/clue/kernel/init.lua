--- Kernels: functions of a program that a queue runs on many work-items. Made by program:kernel("name"); called with a
-- queue, the sizes, and the kernel's arguments in their order:
--
--     scale(queue, {width, height}, {16, 16}, x, 2.5, cl.local_memory(1024))
--
-- The sizes are a number or a table of up to three. The second may be nil: then the driver chooses it. Arguments are
-- buffers, shared virtual memory or a place in it (svm:at), images, samplers, numbers (converted to the declared
-- type), typed values (@{clue.value}) if the driver does not report that type, and local memory. Without any
-- arguments, those set before are used.
--
-- @{clue.kernel.sub_groups} has what depends on a local size, @{clue.kernel.registers} what the compiler reports.
-- @module clue.kernel
local argument = require "clue.argument"
local binding = require "clue.binding"
local by_value = require "clue.by_value"
local bytes = require "clue.bytes"
local device = require "clue.device"
local error_object = require "clue.error"
local events = require "clue.event"
local launch = require "clue.launch"
local note = require "clue.note"
local object = require "clue.object"
local public = require "clue.public"
local registers = require "clue.kernel.registers"
local shown = require "clue.shown"
local sub_groups = require "clue.kernel.sub_groups"
local svms = require "clue.svm"
local text = require "clue.text"
local value = require "clue.value"

--- The fields of a kernel. What clGetKernelWorkGroupInfo answers is about the first device of the context.
-- @table kernel
-- @tfield string name
-- @tfield program program
-- @tfield {table,...} arguments see @{clue.kernel.arguments}
-- @tfield string attributes "reqd_work_group_size(8,1,1)", in the driver's words, "" if it does not report them
-- @tfield ?number work_group_size the most work-items of a work-group
-- @tfield ?number preferred_work_group_size_multiple sizes of work-groups should be multiples of this
-- @tfield ?number local_mem_size bytes of local memory of a work-group
-- @tfield ?number private_mem_size bytes of private memory of a work-item, in memory of the device
-- @tfield ?{number,...} compile_work_group_size the three sizes that the kernel requires, 0 if it requires none
-- @tfield ?number max_num_sub_groups the most sub-groups of a work-group; nil if the device has no sub-groups
-- @tfield ?number compile_num_sub_groups the sub-groups that the kernel requires, 0 if it requires none; nil if the
--   device has no sub-groups

require "clue.image" -- loads the classes of what may be an argument
require "clue.sampler"

local kernel = {}

-- ---- properties ----

local group_properties = {
  work_group_size = 0x11B0, compile_work_group_size = 0x11B1, local_mem_size = 0x11B2,
  preferred_work_group_size_multiple = 0x11B3, private_mem_size = 0x11B4,
}

--- What a device reports about a kernel.
-- @tparam number handle
-- @tparam string name "work_group_size" and the others in the module's head
-- @tparam[opt] number on an ordinal or the handle of a part; nil: the context's first
-- @return a number, or a list of three for compile_work_group_size; nil if there is no such property or the device
-- does
--   not report it
function kernel.group_info(handle, name, on)
  local answer = group_properties[name] and binding.kernel_group_bytes(handle, group_properties[name], on)
  local numbers = answer and bytes.each(answer, 8) or {}
  if name == "compile_work_group_size" then return numbers end
  return numbers[1]
end

local addresses = {[0x119B] = "global", [0x119C] = "local", [0x119D] = "constant", [0x119E] = "private"}
local accesses = {[0x11A0] = "read_only", [0x11A1] = "write_only", [0x11A2] = "read_write", [0x11A3] = "none"}
local type_qualifiers = {"const", "restrict", "volatile", "pipe"} -- CL_KERNEL_ARG_TYPE_*: 1, 2, 4, 8

local function words_of(bits)
  local words = {}
  for i, word in ipairs(type_qualifiers) do
    if bytes.has_bit(bits, 2 ^ (i - 1)) then words[#words + 1] = word end
  end
  return table.concat(words, " ")
end

--- What a driver reports about a kernel's arguments, in their order.
-- @tparam number handle
-- @treturn {table,...} name, type_name, address_qualifier ("global", "local", "constant", "private"), access_qualifier
--   ("read_only", "write_only", "read_write", "none") and type_qualifier ("const restrict") of each; all of them "" if
--   the driver does not report them
function kernel.arguments(handle)
  local all = {}
  for index = 0, error_object.check(binding.kernel_argument_count(handle)) - 1 do
    local name, type_name = error_object.check(binding.kernel_argument(handle, index))
    local address, access, bits = error_object.check(binding.kernel_argument_qualifiers(handle, index))
    all[index + 1] = {name = name, type_name = type_name, address_qualifier = addresses[address] or "",
                      access_qualifier = accesses[access] or "", type_qualifier = words_of(bits)}
  end
  return all
end

local attributes_property = 0x1195 -- CL_KERNEL_ATTRIBUTES

local function property(self, name)
  local handle = rawget(self, "handle")
  if not handle then return nil end
  if name == "arguments" then return kernel.arguments(handle) end
  if name == "attributes" then return ((binding.kernel_bytes(handle, attributes_property) or ""):gsub("%z.*", "")) end
  if sub_groups.properties[name] then return sub_groups.info(handle, name) end
  return group_properties[name] and kernel.group_info(handle, name) or nil
end

local methods, adopt, meta = object.class("kernel", function(self) return self.name end, property)
meta.__completions = {arguments = true, attributes = true}
for name in pairs(group_properties) do meta.__completions[name] = true end
for name in pairs(sub_groups.properties) do meta.__completions[name] = true end
for name, method in pairs(sub_groups.methods) do methods[name] = method end
for name, method in pairs(registers.methods) do methods[name] = method end

-- Notes that a kernel reads and writes one image: its work-items read old pixels or new ones.
local function image_check(read, written)
  return function(self)
    for _, one in ipairs(read) do
      for _, other in ipairs(written) do
        if self.held[one] and self.held[one] == self.held[other] then
          note(("%s and %s are one image: what is read of it is undefined; give the kernel two images"):format(
            by_value.named(self.handle, one), (by_value.named(self.handle, other))))
        end
      end
    end
  end
end

-- What to do before a kernel is launched that reads images and writes images; false for other kernels.
local function check_of(handle, count)
  local read, written = {}, {}
  for index = 0, count - 1 do
    local _, access = binding.kernel_argument_qualifiers(handle, index)
    local list = access == 0x11A0 and read or access == 0x11A1 and written or nil
    if list then list[#list + 1] = index end
  end
  return read[1] and written[1] and image_check(read, written) or false
end

--- The fields of a kernel's object.
-- @tparam number handle
-- @tparam string name
-- @tparam program program
-- @treturn table with count: how many arguments it has; held: what keeps them alive; check: a function of the kernel to
--   be called before each launch, or false
function kernel.fields(handle, name, program)
  local count = error_object.check(binding.kernel_argument_count(handle))
  return {name = name, program = program, count = count, held = {}, check = check_of(handle, count)}
end

meta.of_handle = function(handle, parent_of)
  return kernel.fields(handle, error_object.check(binding.kernel_name(handle)), parent_of(handle))
end

--- Makes a kernel.
-- @tparam program program
-- @tparam string name of a __kernel function
-- @treturn kernel
function kernel.new(program, name)
  local of = object.handle(program, "program")
  argument.text(name, "name")
  local handle = error_object.check(binding.kernel_create(of, name))
  return adopt(handle, kernel.fields(handle, name, program))
end

--- What one of several devices reports about the kernel. The kernel's own fields are those of the first device.
-- @tparam[opt] device|number on one of the context's devices (the first)
-- @treturn table work_group_size and the others in the module's head, by name
function methods:group_info(on)
  local handle = object.handle(self, "kernel")
  local number, group = on ~= nil and device.number(on, "on") or nil, {}
  error_object.check(binding.kernel_group_bytes(handle, group_properties.work_group_size, number)) -- is it one of them?
  for name in pairs(group_properties) do group[name] = kernel.group_info(handle, name, number) end
  return group
end

-- ---- arguments ----

local local_memory = {kind = "local_memory"}
local_memory.__index = local_memory

function local_memory:__tostring()
  return ("local_memory(%.0f)"):format(self.bytes)
end

--- An argument for a __local parameter.
-- @tparam number size bytes
-- @treturn argument what kernels take
function kernel.local_memory(size)
  argument.whole(size, "bytes")
  return setmetatable({bytes = size}, local_memory)
end

local function refuse(handle, index, given)
  local named, name = by_value.named(handle, index)
  local takes_value = binding.kernel_argument_qualifiers(handle, index) == 0x119E -- CL_KERNEL_ARG_ADDRESS_PRIVATE
  local allowed = takes_value and "number, a typed value, an image or a sampler"
    or "buffer, shared virtual memory, an image, a sampler, a number, a typed value or local_memory(bytes)"
  argument.refuse_object(named, allowed, given, name or "...")
end

-- If the core needs the number's type, the error shows how to give it.
local function refuse_number(handle, index, given)
  local record = binding.error()
  local _, declared = binding.kernel_argument(handle, index)
  if declared and (declared:find "^struct " or declared:find "^union ") then
    argument.fail("%s is %s, and a number is not: cl.structs declares structs", (by_value.named(handle, index)),
      declared)
  end
  if record.cause == "type" then
    record.text = ("%s, cl.float(%.14g) for example"):format(record.text, given)
  end
  error(error_object.new(record), 0)
end

-- Passes the type, so that a type that differs from the kernel's is refused. 64-bit decimal text is passed as bytes,
-- and so are Lua 5.4's integers that a double cannot hold.
local function set_typed(handle, index, given)
  local number = value.number(given)
  if type(number) == "number" and number == number + 0.0 or number ~= number then
    error_object.check(binding.kernel_set_number(handle, index, value.type_code(given), number))
  else
    error_object.check(binding.kernel_set_bytes(handle, index, value.bytes(given)))
  end
end

local object_kinds = object.metatables {"buffer", "image", "sampler", "svm"}

-- Sets an argument that the binding does not take as it is.
local function set_other(handle, index, given)
  local shared, offset = svms.place_of(given)
  if type(given) == "number" then
    argument.fail("%s: a double cannot hold %s exactly: cl.long and cl.ulong can", (by_value.named(handle, index)),
      shown.number(given)) -- an integer of Lua 5.4
  elseif shared then
    local memory = object.handle(shared, "svm", index)
    error_object.check(binding.kernel_set_object(handle, index, memory, offset))
  elseif value.is(given) and value.type_code(given) then
    set_typed(handle, index, given)
  elseif getmetatable(given) == local_memory then
    error_object.check(binding.kernel_set_local(handle, index, given.bytes))
  elseif object_kinds[getmetatable(given)] then
    object.handle(given, object.kind(given), index) -- refuses it, since it was closed
  elseif not by_value.set(handle, index, given) then
    refuse(handle, index, given)
  end
end

local select, set_arguments = select, binding.kernel_set_arguments
local set -- calls itself

-- Goes on where the binding stopped: at an argument that it does not take as it is, or one that was refused.
local function go_on(self, handle, index, reached, refused, ...)
  local given = select((reached or refused) - index + 1, ...)
  if reached then
    if reached < 0 or reached >= self.count then error_object.check(binding.kernel_argument(handle, reached)) end
    set_other(handle, reached, given)
    self.held[reached] = given -- keeps the argument alive while it is set
    return set(self, handle, reached + 1, select(reached - index + 2, ...))
  end
  if type(given) == "number" then refuse_number(handle, refused, given) end
  return error_object.raise()
end

-- Sets the arguments from an index on: as many at once as the binding can.
function set(self, handle, index, ...)
  local reached, refused = set_arguments(handle, index, object_kinds, self.held, ...)
  if reached ~= index + select("#", ...) then go_on(self, handle, index, reached, refused, ...) end
end

-- The index of an argument that was given by its name.
local function index_of(self, name)
  local names, known = {}, false
  for i, each in ipairs(self.arguments) do
    if each.name == name then return i - 1 end
    names[i], known = each.name, known or each.name ~= ""
  end
  if names[1] and not known then
    argument.fail("the driver does not tell the names of the arguments of kernel '%s', as of one from a binary: give "
      .. "argument '%s' by its index, from 0 to %d", self.name, name, #names - 1)
  end
  argument.fail("kernel '%s' has no argument '%s': it has %s", self.name, name,
    names[1] and table.concat(names, ", ") or "none")
end

--- Sets one argument.
-- @tparam int|string index from 0, or the argument's name
-- @tparam buffer|svm|image|sampler|number|value|local_memory given
-- @treturn kernel itself
function methods:set_arg(index, given)
  local handle = object.handle(self, "kernel")
  if type(index) == "string" then index = index_of(self, index) end
  set(self, handle, argument.whole(index, "index", nil, 2 ^ 31), given)
  return self
end

local function set_all(self, handle, ...)
  local count = select("#", ...)
  if count ~= self.count then
    argument.fail("kernel '%s' takes %s, not %d", self.name, text.count(self.count, "argument"), count)
  end
  local reached, refused = set_arguments(handle, 0, object_kinds, self.held, ...)
  if reached ~= count then go_on(self, handle, 0, reached, refused, ...) end
end

--- Sets all arguments.
-- @param ... as many as the kernel has
-- @treturn kernel itself
function methods:set_args(...)
  set_all(self, object.handle(self, "kernel"), ...)
  return self
end

--- Lists what the kernel reaches through pointers in memory, besides its arguments. The list is kept alive until the
-- next call, which replaces it.
-- @param ... one or more pieces of shared virtual memory, or one list of them
-- @treturn kernel itself
function methods:set_svm_pointers(...)
  local handle, given, handles = object.handle(self, "kernel"), {...}, {}
  local count = select("#", ...)
  if count == 1 and argument.is_plain(given[1]) then
    given, count = given[1], argument.list(given[1], "memory")
  end
  for i = 1, count do handles[i] = object.handle(given[i], "svm", i) end
  error_object.check(binding.kernel_set_svm_pointers(handle, handles))
  self.held.svm_pointers = given
  return self
end

-- ---- execution ----

--- How long the last execution took. Waits for it.
-- @treturn number seconds
-- @treturn string whose clock: "device", or "host" if the device's timer cannot be trusted
function methods:time()
  local seconds, clock = error_object.check(binding.kernel_time(object.handle(self, "kernel")))
  events.deliver()
  return seconds, clock
end

-- Goes on where the binding's launch stopped: see launch_setup in bindings/ffi/kernel.lua.
local function go_on_launching(stopped, reached, refused, self, queue, global, local_size, ...)
  if stopped == "command" then return (launch.again(queue, self, global, local_size)) end
  if object.kind(queue) == "program" then argument.fail("write a dot: program.%s(queue, ...)", self.name) end
  local on, handle = object.handle(queue, "queue", "queue"), object.handle(self, "kernel")
  if on == queue and not binding.handle_kind(on) and (object.kind(local_size) or object.kind(global)) then
    argument.refuse("queue", "a queue, which comes before the sizes", queue)
  end
  local count = select("#", ...)
  if stopped then
    if reached ~= count then go_on(self, handle, 0, reached, refused, ...) end
  else
    local is_object = count ~= self.count and object.kind(local_size)
    if is_object then launch.sizes(local_size, "local size") end -- it was forgotten
    if count > 0 then set_all(self, handle, ...) end
  end
  local event = launch.execute(queue, on, self, handle, global, local_size)
  self.usual = rawget(self, "usual") or not self.check and rawget(self, "plan") or nil
  return event
end

--- Sets the arguments, if any are given, and enqueues the kernel: `kernel(queue, global, local_size, ...)`.
-- @tparam queue queue
-- @tparam number|table global the number of work-items, in up to three dimensions
-- @tparam ?number|table local_size the size of a work-group; nil: the driver chooses
-- @param ... the arguments
-- @treturn event see @{clue.event}
function meta:__call(queue, global, local_size, ...)
  return (go_on_launching(nil, 0, nil, self, queue, global, local_size, ...))
end

local call_in_steps = meta.__call

public.add("", {["kernel call"] = call_in_steps})

local is_replaced = false

--- Lets the binding launch kernels. For clue.context, since kernels do not know the class of queues.
-- @tparam table class the metatable of queues
function kernel.setup(class)
  if is_replaced then return end
  meta.__call = public.stands_for(binding.launch_setup(object.functions, {
    queue = class, event = events.class, taken = object_kinds,
  }, go_on_launching), call_in_steps)
  public.add("", {["kernel call"] = meta.__call})
end

--- Replaces how kernels' objects are enqueued.
-- @tparam function with with(execute): a function in place of @{clue.launch.execute}, which is given the one before
function kernel.replace_execute(with)
  launch.execute, meta.__call, is_replaced = with(launch.execute), call_in_steps, true
end

return kernel
