-- Launches all kernels of tests/check/kernels.lua, for `clue check`: wrong_N and right_N are the N-th entry's.
local binding = require "clue.binding"
local cl = require "clue"

local folder = arg[0]:match "^(.*)/[^/]*$" or "."
local entries = dofile(folder .. "/kernels.lua")

local context = cl.context()
local queue = context:queue()

-- ---- arguments ----

local function image(width, height)
  local made = context:image {width = width, height = height}
  local pixels = cl.array.float(width * height * 4)
  for i = 0, #pixels - 1 do pixels[i] = i end
  queue:write_image(made, pixels)
  return made
end

local function struct(text)
  local numbers = {}
  for number in text:gmatch "%d+" do numbers[#numbers + 1] = tonumber(number) end
  return cl.bytes(binding.array_bytes(cl.array.int(numbers), 0, #numbers))
end

local function buffer(flags, name, count)
  if flags == "unwritten" then return context:buffer(cl.array[name](count):bytes()) end
  local array = cl.array[name](count)
  for i = 0, #array - 1 do array[i] = flags == "zero" and 0 or i % 16 end
  return context:buffer(array, (flags == "read_only" or flags == "write_only") and flags or nil)
end

local function argument(given)
  if tonumber(given) then return tonumber(given) end
  local bytes = given:match "^local (%d+)$"
  local width, height = given:match "^image (%d+)x(%d+)$"
  if bytes then return cl.local_memory(tonumber(bytes)) end
  if width then return image(tonumber(width), tonumber(height)) end
  if given:find "^ints " then return struct(given) end
  local flags, name, count = (" " .. given):match "^(.-) ?(%l+) (%d+)$"
  return buffer(flags:match "%S+", name, tonumber(count))
end

-- ---- launches ----

local function put(text, name, part)
  return (text:gsub("$NAME", name):gsub("$X", function() return part end))
end

local function launch(entry, name, part)
  local kernel = context:program(put(entry.text, name, part)):kernel(name)
  for i, given in ipairs(entry.arguments) do
    kernel:set_arg(i - 1, argument(type(given) == "string" and put(given, name, part) or given))
  end
  queue:ndrange_kernel(kernel, entry.global, entry.group)
  queue:finish()
end

for i, entry in ipairs(entries) do
  launch(entry, "wrong_" .. i, entry.wrong)
  launch(entry, "right_" .. i, entry.right)
end
