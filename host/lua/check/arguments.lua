--- Makes the arguments of a kernel that no script launches: what the command line gives, and what must be assumed.
local binding = require "clue.binding"
local c_text = require "clue.shared.c_text"
local cl = require "clue"
local clue_options = require "clue.options"
local failure = require "clue.failure"
local fillings = require "clue.check.fillings"

local arguments = {}

local scalars = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}
local number_sizes = {char = 1, uchar = 1, short = 2, ushort = 2, int = 4, uint = 4, long = 8, ulong = 8, half = 2,
               float = 4, double = 8, bool = 1}

local plain_names = {["unsigned char"] = "uchar", ["unsigned short"] = "ushort", ["unsigned int"] = "uint",
                     ["unsigned long"] = "ulong", unsigned = "uint", ["long long"] = "long", size_t = "ulong",
                     ptrdiff_t = "long", uintptr_t = "ulong", intptr_t = "long"}

-- ---- types that OpenCL C has ----

-- The type that a pointer leads to, or that an argument has. Returns "float4".
local function pointed_type(type_name)
  local name = type_name:gsub("%s*%*.*$", "")
  return plain_names[name] or name
end

-- The type of numbers that a name stands for. Returns base ("float"), width (4) and size (bytes: 16); nil of types that
-- the program declares.
local function number_type(type_name)
  local base, width = pointed_type(type_name):match "^(%a+)(%d*)$"
  if not number_sizes[base] then return nil end
  width = tonumber(width) or 1
  return {base = base, width = width, size = number_sizes[base] * (width == 3 and 4 or width)}
end

-- The type of numbers of so many bytes, for a value of a type that is no number. Returns as number_type.
local function bytes_type(size)
  return {base = "uchar", width = size, size = size, is_struct = true}
end

-- ---- questions about the program's own types ----

-- A program that is built for this alone has one more kernel, whose required work-group holds the answers. Nothing of
-- it runs.

-- A sum in which one term at most is not 0: the place of a type in the list.
local function kind_of(expression)
  local terms = {}
  for i, name in ipairs(scalars) do
    if name ~= "half" and name ~= "double" then
      terms[#terms + 1] = ("%d*__builtin_types_compatible_p(__typeof__(%s),%s)"):format(i, expression, name)
    end
  end
  return table.concat(terms, "+")
end

local question = [[

__attribute__((reqd_work_group_size(sizeof(%s), %s, 1 + %s))) kernel void clue_asks(void) { }
]]

-- What the compiler answers: the size of an expression, a number, the kind of a value; nil if it does not know them.
local function ask(of, size, number, value)
  local text = of.source .. question:format(size, number, kind_of(value))
  local built, program = pcall(of.context.program, of.context, text, of.options)
  return built and program:kernel("clue_asks").compile_work_group_size or nil
end

-- The types themselves are asked for first, since numbers have no fields.
local function name_of_type(answer)
  local base = scalars[answer[3] - 1]
  return base and {base = base, width = 1, size = number_sizes[base]} or bytes_type(answer[1])
end

-- The type of a name that the program declares. Returns as number_type; is_struct: it is none of numbers; nil if the
-- compiler does not tell.
local function declared_type(of, name)
  of.known = of.known or {}
  if of.known[name] == nil then
    local answer = ask(of, name, "1", ("*(%s *)0"):format(name))
    of.known[name] = answer and name_of_type(answer) or false
  end
  return of.known[name] or nil
end

-- Where a struct has a field of numbers. Returns base, and offset in bytes; nil if it has no such field.
local function field_type(of, name, field)
  local its = ("((%s *)0)->%s"):format(name, field)
  local answer = ask(of, its, ("1 + __builtin_offsetof(%s, %s)"):format(name, field), its)
  local base = answer and scalars[answer[3] - 1]
  return base and {base = base, offset = answer[2] - 1} or nil
end

-- Buffers without a length of their own are so long that sensible indexes lie inside: what lies past their end is no
-- error (clue.check.run). Constant memory is no longer than OpenCL promises.
local ELEMENTS, MOST_BYTES, CONSTANT_BYTES, LOCAL_BYTES = 65536, 2 ^ 26, 65536, 4096

-- What the command line asks cannot be done.
local function fail(text, ...)
  error({wrong = text:format(...)}, 0)
end

-- ---- memory ----

local function type_of(state, argument)
  return number_type(argument.type_name) or declared_type(state, pointed_type(argument.type_name))
end

-- How many elements --arg gives memory.
local function checked_count(argument, value)
  if value % 1 == 0 and value >= 1 then return value end
  return fail("--arg %s: it is memory, which takes a whole number of elements, 1 or more, not %s", argument.name,
    tostring(value))
end

local function element(type)
  return type and type.base ~= "bool" and not type.is_struct and type.base or "uchar"
end

-- The fields of structs are ints in one try and floats in another: as the other, they mean little.
local function contents(state, type, count, seed)
  local how = {filling = state.filling, length = state.global[1], seed = seed}
  local bytes, base = type.size * count, element(type)
  if type.is_struct and bytes % 4 == 0 then base = state.filling == "permuted" and "float" or "int" end
  return fillings.array(base, bytes / number_type(base).size, how)
end

-- value: a number of elements, or a .npy file
local function buffer(state, argument, value)
  if type(value) == "string" then
    local array = cl.array.load(value)
    return state.context:buffer(array), ("%d elements of %s"):format(#array, value)
  end
  local its = type_of(state, argument) or bytes_type(64)
  local most = argument.address_qualifier == "constant" and CONSTANT_BYTES or MOST_BYTES
  local count = value and checked_count(argument, value) or math.min(ELEMENTS, math.floor(most / its.size))
  return state.context:buffer(contents(state, its, count, argument.index + 1)), ("%d elements"):format(count)
end

local function items_in(group)
  local count = 1
  for _, size in ipairs(group) do count = count * size end
  return count
end

local function local_memory(state, argument, value)
  local its = type_of(state, argument) or bytes_type(64)
  local count = value and checked_count(argument, value)
    or math.max(items_in(state.group), math.floor(LOCAL_BYTES / its.size))
  return cl.local_memory(count * its.size), ("%d elements"):format(count)
end

-- ---- images ----

local sizes_of = {
  image1d_t = {type = "1d", width = 4096}, image1d_buffer_t = {type = "1d_buffer", width = 4096},
  image1d_array_t = {type = "1d_array", width = 256, array_size = 16},
  image2d_t = {type = "2d", width = 64, height = 64},
  image2d_array_t = {type = "2d_array", width = 32, height = 32, array_size = 4},
  image3d_t = {type = "3d", width = 16, height = 16, depth = 16},
}

local PIXELS = 4096 -- of each

local channels = {f = {"float", "float"}, i = {"signed_int32", "int"}, ui = {"unsigned_int32", "uint"}}

-- The channels are those that the kernels read from an argument of this name, or write to it.
local function channel_of(source, name)
  local text = c_text.mask(source)
  for kind in text:gmatch("_image(%l+)%s*%(%s*" .. name .. "%f[^%w_]") do
    if channels[kind] then return channels[kind] end
  end
  return channels[text:match "read_image(u?i)%s*%(" or text:find "read_imagef" and "f" or "f"]
end

local function extent(sizes)
  local list = {}
  for _, name in ipairs {"width", "height", "depth", "array_size"} do list[#list + 1] = sizes[name] end
  return table.concat(list, " x ")
end

local function image(state, argument)
  local kind = argument.type_name:match "^%S+"
  local sizes = sizes_of[kind]
  if not sizes then return nil end
  local channel = channel_of(state.source, argument.name)
  local how = {filling = state.filling, length = state.global[1], seed = argument.index + 1}
  local pixels = fillings.array(channel[2], PIXELS * 4, how)
  local wanted = {order = "rgba", channel = channel[1]}
  for name, value in pairs(sizes) do wanted[name] = value end
  if sizes.type == "1d_buffer" then wanted.buffer = state.context:buffer(pixels) end
  local made = state.context:image(wanted)
  if not wanted.buffer then state.queue:write_image(made, pixels) end
  return made, ("%s pixels, rgba %s"):format(extent(sizes), channel[2])
end

-- ---- values ----

local number_bases = {float = true, double = true, half = true}

-- Whether a type of numbers, with base, width and size, holds fractions.
local function is_real(its)
  return number_bases[its.base] == true
end

-- A value of a type that the program declares.
local function bytes_of(base, value)
  return binding.array_bytes(cl.array[base] {value}, 0, 1)
end

-- A struct of zero bytes but for the fields that the command line gives.
local function struct(state, argument, its)
  local bytes, shown = ("\0"):rep(its.size), {}
  local name = pointed_type(argument.type_name)
  for _, given in ipairs(state.fields[argument.name] or {}) do
    local field = field_type(state, name, given.field)
    if not field then fail("--arg %s.%s: %s has no such field of numbers", argument.name, given.field, name) end
    local value = bytes_of(field.base, given.value)
    bytes = bytes:sub(1, field.offset) .. value .. bytes:sub(field.offset + #value + 1)
    shown[#shown + 1] = ("%s = %s"):format(given.field, tostring(given.value))
  end
  return cl.bytes(bytes), shown[1] and table.concat(shown, ", ") or ("%d zero bytes"):format(its.size)
end

-- Numbers stand for sizes more often than for anything else.
local function value_of(state, argument, its, value)
  return value or state.values[argument.name] or is_real(its) and 1 or state.global[1]
end

local function private(state, argument, value)
  if argument.type_name:find "^sampler_t" then return state.context:sampler {}, "the default sampler" end
  local number = number_type(argument.type_name)
  local its = number or type_of(state, argument)
  if not its then return nil end
  if its.is_struct then
    if value then fail("--arg %s: it is a struct, which takes --arg %s.FIELD=NUMBER", argument.name, argument.name) end
    return struct(state, argument, its)
  end
  local given = value_of(state, argument, its, value)
  if its.width > 1 then return cl[its.base .. its.width](given), ("%s in each component"):format(tostring(given)) end
  return number and given or cl.bytes(bytes_of(its.base, given)), tostring(given)
end

-- ---- one argument ----

local makers = {global = buffer, constant = buffer, ["local"] = local_memory, private = private}

-- OpenCL says of images, too, that they are in global memory.
local function maker_of(argument)
  return argument.type_name:find "^image" and image or makers[argument.address_qualifier]
end

-- Makes and sets an argument. Gives what it is, for the user.
local function set(state, kernel, argument, value)
  local make = maker_of(argument)
  if type(value) == "string" and make ~= buffer then
    fail("--arg %s: only a buffer takes the elements of a file, and the argument is %s %s", argument.name,
      argument.address_qualifier, argument.type_name)
  end
  local made, text
  if make then made, text = make(state, argument, value) end
  if made == nil then
    error(("argument '%s': a value of type %s cannot be assumed; write a script that makes it"):format(argument.name,
      argument.type_name), 0)
  end
  kernel:set_arg(argument.index, made)
  return text
end

--- The type of a number that is an argument.
-- @tparam table state see @{set}
-- @tparam table argument of a kernel
-- @treturn ?table base, width, size (bytes); nil if it is no single number
function arguments.number(state, argument)
  if argument.address_qualifier ~= "private" or argument.type_name:find "^image" then return nil end
  if argument.type_name:find "^sampler_t" then return nil end
  local its = type_of(state, argument)
  return its and its.width == 1 and not its.is_struct and its or nil
end

--- Makes and sets the arguments. Raises {wrong = text} if what the command line gives does not fit, and a text if
-- there is no way to make one.
-- @tparam table state context, queue, source, options; global and group: sizes; filling: of memory, see
--   @{clue.check.fillings}; values: by name, of numbers; fields: by name, what the command line gives of a struct
-- @tparam kernel kernel
-- @tparam table given by name, of the command line
-- @treturn {table,...} name, text, given and memory of each
function arguments.set(state, kernel, given)
  local assumed = {}
  for i, argument in ipairs(kernel.arguments) do
    local value = given[argument.name]
    argument.index = i - 1
    local done, text = pcall(set, state, kernel, argument, value)
    local wrong = type(text) == "table" and text.wrong
    if not done and value ~= nil and not clue_options.interrupted(text) and not wrong then
      fail("--arg %s: %s", argument.name, failure.text(text))
    elseif not done then
      error(text, 0)
    end
    assumed[i] = {name = argument.name, text = text, given = value ~= nil or state.fields[argument.name] ~= nil,
                  memory = argument.address_qualifier ~= "private"}
  end
  return assumed
end

return arguments
