-- Calls every function of the binding with right and wrong arguments and prints what each did, so that
-- parity_spec can compare the bindings. The sequence is the same in every interpreter. It takes no device: what
-- OpenCL does is not asked here, but what a binding says before it and how it hands results over. The walkthroughs'
-- arithmetic is called as well, which takes arrays of either binding.
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local binding = require "clue.binding"

local CALLS = tonumber(arg[1]) -- of each function

-- These wait, start processes, write files, tell the time or where memory is, or are told apart by name.
local left_out = {abi = true, name = true, now = true, cpu_time = true, sleep = true, child_start = true,
  child_wait = true,
  baseline_compiler = true, int_product_compiler = true, nbody_compiler = true, outer_sum_compiler = true,
  terminal_width = true, terminal_colour = true, processor_count = true, array_setup = true, refusal_setup = true,
  array_view = true,
  loader_name = true, png_write = true, file_beside = true, temporary_folder = true, capture = true,
  drivers_add = true, trace_start = true}

local state = 1
local function random(count)
  state = (state * 214013 + 2531011) % 4294967296
  return math.floor(state / 65536) % count + 1
end

local function product(change)
  local made = {type = "float", m = 2, k = 2, n = 2, b_layout = "rows",
    a = array.float(4), b = array.float(4), c = array.float(4)}
  for name, given in pairs(change or {}) do made[name] = given end
  return made
end

local function bodies(change)
  local made = {count = 2, step = 0.5, softening = 1, position = array.float {0, 0, 0, 1, 1, 0, 0, 2},
    velocity = array.float(8), position_out = array.float(8), velocity_out = array.float(8)}
  for name, given in pairs(change or {}) do made[name] = given end
  return made
end

local function int_product(change)
  local made = product {type = "int", a = array.int(4), b = array.int(4), c = array.int(4)}
  for name, given in pairs(change or {}) do made[name] = given end
  return made
end

local function bodies_in_double(change)
  local made = {position = array.double {0, 0, 0, 1, 1, 0, 0, 2}, velocity = array.double(8),
    position_out = array.double(8), velocity_out = array.double(8), scale_out = array.double(4)}
  for name, given in pairs(change or {}) do made[name] = given end
  return bodies(made)
end

local function outer_sum(change)
  local made = {x = 2, y = 3, a = array.float {1, 2}, b = array.float {1, 1, 1}, c = array.float {3, 6}}
  for name, given in pairs(change or {}) do made[name] = given end
  return made
end

local pool = {
  function() return nil end,
  function() return true end,
  function() return "" end,
  function() return "context" end,
  function() return "event" end,
  function() return "out" end,
  function() return "a\0b" end,
  function() return "rck" end,
  function() return "linear_columns" end,
  function() return "serial" end,
  function() return "reference" end,
  function() return 0 end,
  function() return 1 end,
  function() return 2 end,
  function() return 3 end,
  function() return 4 end,
  function() return -1 end,
  function() return 0.5 end,
  function() return 65536 end,
  function() return 70000 end,
  function() return 2 ^ 31 end,
  function() return -2 ^ 31 - 1 end,
  function() return 2 ^ 52 end,
  function() return 2 ^ 53 end,
  function() return 2 ^ 63 end,
  function() return 1e300 end,
  function() return 1 / 0 end,
  function() return 0 / 0 end,
  function() return {} end,
  function() return {1} end,
  function() return {4, 4, 4} end,
  function() return {1, "2"} end,
  function() return {1.5, 1} end,
  function() return print end,
  function() return array.float(0) end,
  function() return array.float {1, 2, 3, 4} end,
  function() return array.uint {4, 4, 4} end,
  function() return array.long {7, "9007199254740993"} end,
  function() return array.uchar {1, 2, 255} end,
  function() return product() end,
  function() return product {b_layout = "columns"} end,
  function() return product {m = 3} end,
  function() return product {type = "double"} end,
  function() return product {c = 1} end,
  function() return product {k = 0.5} end,
  function() return "naive" end,
  function() return int_product() end,
  function() return int_product {b = array.float(4)} end,
  function() return int_product {b_layout = "columns"} end,
  function() return outer_sum {x = 3} end,
  function() return outer_sum {c = array.float(2)} end,
  function() return outer_sum {b = array.float {0.5, 1, 1}} end,
  function() return bodies {count = 3} end,
  function() return bodies {count = 0} end,
  function() return bodies {softening = 0} end,
  function() return bodies {step = "1"} end,
  function() local p = array.float(8) return bodies {position = p, position_out = p} end,
  function() return bodies {velocity = array.int(8)} end,
  function() return bodies_in_double {velocity_out = 1} end,
  function() return bodies_in_double {scale_out = array.double(3)} end,
  function() return bodies_in_double {scale_out = false} end,
}

local function shown(given)
  if type(given) == "number" then
    if given ~= given then return "nan" end
    return ("%.17g"):format(given)
  elseif array.is(given) then
    return tostring(given)
  elseif type(given) == "table" then
    local parts = {}
    for name, each in pairs(given) do parts[#parts + 1] = tostring(name) .. "=" .. shown(each) end
    table.sort(parts)
    return "{" .. table.concat(parts, " ") .. "}"
  end
  return type(given) == "function" and "function" or (tostring(given):gsub("%z", "\\0"))
end

local function list(count, values)
  local parts = {}
  for i = 1, count do parts[i] = shown(values[i]) end
  return table.concat(parts, ", ")
end

-- Not a tail call: the line of a message is this one.
local function call(member, ...)
  local results = {member(...)}
  return results
end

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

-- Any value, but a fitting first one more often, so that not only the first check is met.
local function pick(name, position)
  local kind = position == 1 and name:match("^%a+") or ""
  if kind == "array" and random(4) > 1 then return array[({"float", "int", "long"})[random(3)]] {3, 2, 1} end
  if (kind == "baseline" or kind == "verify") and random(4) > 1 then return product() end
  if kind == "int" and random(4) > 1 then return int_product() end
  if kind == "outer" and random(4) > 1 then return outer_sum() end
  if kind == "nbody" and random(3) > 1 then return random(2) == 1 and bodies() or bodies_in_double() end
  if random(3) == 1 then return random(4) - 1 end
  local given = pool[random(#pool)]()
  -- Some machines give so much, and then it is to be cleared.
  if given == 2 ^ 31 and (name == "array_create" or name == "array_resize") then return 2 ^ 50 end
  return given
end

local function try(name, member)
  local count, given = random(6) - 1, {}
  for i = 1, count do given[i] = pick(name, i) end
  local before = list(count, given)
  binding.error_clear()
  local done, result = pcall(call, member, unpack(given, 1, count))
  local told = done and list(4, result) or "raises " .. tostring(result):gsub("%-nan", "nan")
  local failure = binding.error()
  print(("%s(%s): %s%s"):format(name, before, told, failure and " [" .. failure.text .. "]" or ""))
end

local members, names = {}, {}
for _, module in ipairs {binding, arithmetic} do
  for name, member in pairs(module) do members[name], names[#names + 1] = member, name end
end
table.sort(names)

for _, name in ipairs(names) do
  local member = members[name]
  print(name, type(member))
  if type(member) == "table" then print(shown(member)) end
  for _ = 1, type(member) == "function" and not left_out[name] and CALLS or 0 do try(name, member) end
end
