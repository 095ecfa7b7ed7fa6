-- Launches all kernels of tests/check/kernels.lua, for `clue check`: wrong_N and right_N are the N-th entry's.
local cl = require "clue"

local folder = arg[0]:match "^(.*)/[^/]*$" or "."
local entries = dofile(folder .. "/kernels.lua")

local context = cl.context()
local queue = context:queue()

-- "unwritten float 64", "read_only int 16", "local 64" or a number
local function argument(given)
  if type(given) == "number" then return given end
  local bytes = given:match "^local (%d+)$"
  if bytes then return cl.local_memory(tonumber(bytes)) end
  local flags, name, count = (" " .. given):match "^(.-) ?(%l+) (%d+)$"
  flags = flags:match "%S+"
  if flags == "unwritten" then return context:buffer(cl.array[name](tonumber(count)):bytes()) end
  local array = cl.array[name](tonumber(count))
  for i = 0, #array - 1 do array[i] = i % 16 end
  return context:buffer(array, flags)
end

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
