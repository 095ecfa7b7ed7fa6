--- Arguments of kernels beside numbers and objects: vectors, structs, raw bytes, tables, and NULL. @{clue.kernel}
-- passes them on to @{by_value.set}.
-- @module clue.by_value
local argument = require "clue.argument"
local binding = require "clue.binding"
local device = require "clue.device"
local error_object = require "clue.error"
local layout = require "clue.struct.layout"
local place = require "clue.struct.place"
local shown = require "clue.shown"
local typed = require "clue.typed"
local vector = require "clue.vector"

local by_value = {}

--- How messages name an argument.
-- @tparam number handle of the kernel
-- @tparam number index from 0
-- @treturn string "argument 1 (by) of kernel 'scale'"
-- @treturn ?string its name alone, if the driver reports it
function by_value.named(handle, index)
  local name = binding.kernel_argument(handle, index)
  name = name ~= "" and name or nil
  return ("argument %d%s of kernel '%s'"):format(index, name and (" (%s)"):format(name) or "",
    binding.kernel_name(handle) or "?"), name
end

local names = {} -- of types, by code
for name, code in pairs(binding.type_codes) do names[code] = name end

-- The type of numbers that an argument is: "float", "float4". Nil if it is none, or not known.
local function number_type(handle, index)
  local code, width = error_object.check(binding.kernel_argument_value(handle, index))
  return names[code] and names[code] .. (width > 1 and width or "") or nil
end

local function set_bytes(handle, index, bytes)
  error_object.check(binding.kernel_set_bytes(handle, index, bytes))
end

-- ---- raw bytes and NULL ----

local raw = {kind = "bytes"}

function raw.__tostring(self)
  return ("bytes of length %d"):format(#self.text)
end

raw.shown = raw.__tostring

--- An argument by value, byte by byte as the kernel's device has it in memory. The size must be right: it is checked
-- if the argument's type is known. For all types that OpenCL or @{clue.struct} knows there are better ways.
-- @tparam string text
-- @treturn argument what kernels take
function by_value.bytes(text)
  argument.typed(text, "string", "text", "a string of bytes")
  return setmetatable({text = text}, raw)
end

--- An argument for a __global or __constant pointer: NULL.
by_value.null = setmetatable({}, {kind = "null", shown = function() return "cl.null" end,
  __tostring = function() return "null" end, __newindex = function() error("cl.null cannot be changed", 2) end})

-- ---- setting ----

local function set_vector(handle, index, given, contents)
  local wanted = number_type(handle, index)
  if wanted and wanted ~= contents.type then
    argument.fail("%s is %s, but %s was given: use cl.%s", (by_value.named(handle, index)), wanted,
      tostring(given), wanted)
  end
  set_bytes(handle, index, contents.bytes)
end

-- A table for what is no type of numbers, but perhaps a struct.
local function refuse_table(handle, index)
  local _, declared = binding.kernel_argument(handle, index)
  if declared == "" or declared:find "%*$" or declared:find "_t$" then return end
  argument.fail("%s is %s, and a table is not: cl.structs declares structs", (by_value.named(handle, index)), declared)
end

-- A list of numbers for a vector.
local function set_list(handle, index, list)
  local wanted = number_type(handle, index)
  if not wanted then refuse_table(handle, index) end
  if not wanted or not vector.split(wanted) then return false end
  local made, problem = vector.of_list(wanted, list)
  if not made then argument.fail("%s is %s: %s", (by_value.named(handle, index)), wanted, problem) end
  set_bytes(handle, index, typed.contents(made).bytes)
  return true
end

local INVALID_ARG_SIZE = -51

-- rusticl (22.3) passes wrong bytes of structs that are not simple, mostly without an error.
local function check_driver(handle, index, given, of)
  if layout.is_simple(of) or device.get(handle).platform.name ~= "rusticl" then return end
  argument.fail("%s: rusticl passes %s wrongly, because of packed fields or of arrays of arrays or structs in it: pass "
    .. "it in a buffer, context:buffer(...)", (by_value.named(handle, index)), shown.of(given))
end

-- rusticl counts no padding at the end of a struct: it asks for 7 bytes of {int a; short b; char c;}.
local function set_padded(handle, index, bytes, used)
  if binding.kernel_set_bytes(handle, index, bytes) then return end
  local problem = error_object.last()
  if problem.code == INVALID_ARG_SIZE and binding.kernel_set_bytes(handle, index, bytes:sub(1, used)) then return end
  error(problem, 0)
end

-- A struct has the name that it has in the kernel; the driver does not tell the layout.
local function set_struct(handle, index, given, of)
  local _, declared = binding.kernel_argument(handle, index)
  if declared:find "%*$" then
    argument.fail("%s is %s, and %s is on the host: make a buffer of it, context:buffer(...)",
      (by_value.named(handle, index)), declared, shown.of(given))
  elseif declared ~= "" and not of.names[declared] then
    argument.fail("%s is %s, but %s was given: declare both by the same text", (by_value.named(handle, index)),
      declared, shown.of(given))
  end
  check_driver(handle, index, given, of)
  set_padded(handle, index, place.bytes(given))
end

-- Returns whether the value is known here.
local function set_table(handle, index, given)
  local contents, meta = typed.contents(given), getmetatable(given)
  if contents then
    set_vector(handle, index, given, contents)
  elseif given == by_value.null then
    error_object.check(binding.kernel_set_null(handle, index))
  elseif meta == raw then
    set_bytes(handle, index, given.text)
  elseif meta == nil then
    return set_list(handle, index, given)
  else
    local _, _, _, _, of = place.of(given)
    if not of or meta.kind ~= "struct" then return false end
    set_struct(handle, index, given, of)
  end
  return true
end

--- Sets an argument.
-- @tparam number handle of the kernel
-- @tparam number index from 0
-- @param given a vector, a struct, raw bytes, NULL, or a list of numbers for a vector
-- @treturn boolean false if it is none of these
function by_value.set(handle, index, given)
  if type(given) == "table" then return (set_table(handle, index, given)) end
  if given == nil and binding.kernel_argument_qualifiers(handle, index) ~= 0x119E then -- CL_KERNEL_ARG_ADDRESS_PRIVATE
    argument.fail("%s is nil: write cl.null for a NULL pointer", (by_value.named(handle, index)))
  end
  return false
end

return by_value
