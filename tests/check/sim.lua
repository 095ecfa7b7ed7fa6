-- Launches a kernel as one of Oclgrind's .sim files says, for `clue check`: sim.lua FILE.sim [FOLDER of the kernel]
--
-- A .sim file has the kernel's file and name, the range, the group, and for each argument <size=BYTES ...> with what it
-- is filled with, or numbers. https://github.com/jrprice/Oclgrind/wiki/Running-Kernels-in-a-Simulator
local binding = require "clue.binding"
local cl = require "clue"
local error_object = require "clue.error"

local path = arg[1]
local text = cl.read_file(path):gsub("#[^\n]*", "")

local head, position = {}, 1
for word, after in text:gmatch "(%S+)()" do
  if #head == 8 then break end
  head[#head + 1], position = word, after
end

local file = path:gsub("[^/]*$", "") .. head[1]
local context = cl.context()
local queue = context:queue()
local kernel = context:program(cl.read_file(file)):kernel(head[2])

-- The element type: the one that the file says, or the argument's.
local function type_of(header, argument)
  for name in header:gmatch "%l+" do
    if cl.array[name] and name ~= "fill" and name ~= "range" and name ~= "size" then return name end
  end
  local name = argument.type_name:match "^(%l+)%d*%**$"
  return name and rawget(cl.array, name) and name or "int"
end

local function contents(header, values, name)
  local bytes = tonumber(header:match "size=(%d+)")
  local width = cl.array[name](1):bytes()
  local array = cl.array[name](math.floor(bytes / width))
  local fill, first, step = tonumber(header:match "fill=(%S+)"), header:match "range=([^:]+):([^:]+):"
  for i = 0, #array - 1 do
    array[i] = fill or (first and tonumber(first) + i * tonumber(step)) or values[i + 1] or 0
  end
  return array
end

local flags = {ro = "read_only", wo = "write_only"}

local function made(header, values, argument)
  local bytes = tonumber(header:match "size=(%d+)")
  if argument.address_qualifier == "local" then return cl.local_memory(bytes) end
  if header:find "null" then return cl.null end
  if header:find "noinit" then return context:buffer(bytes) end
  local array = contents(header, values, type_of(header, argument))
  if argument.address_qualifier ~= "private" then
    return context:buffer(array, flags[header:match "%f[%a]([rw]o)%f[%A]"])
  end
  return array
end

local index = 0
for header, rest in text:sub(position):gmatch "<([^>]*)>([^<]*)" do
  local values, argument = {}, kernel.arguments[index + 1]
  for value in rest:gmatch "%S+" do values[#values + 1] = tonumber(value, header:find "hex" and 16 or 10) end
  local given = made(header, values, argument)
  if cl.array.is(given) then
    error_object.check(binding.kernel_set_bytes(kernel.handle, index, binding.array_bytes(given, 0, #given)))
  else
    kernel:set_arg(index, given)
  end
  index = index + 1
end

local function sizes(first)
  local list = {}
  for i = first, first + 2 do list[#list + 1] = tonumber(head[i]) end
  return list
end

queue:ndrange_kernel(kernel, sizes(3), sizes(6))
queue:finish()
