-- Makes random calls of everything that clue exports. tests/fuzz/attack starts it.
--
--   attack.lua SEED CALLS LOG [public]
--
-- Each line is written to the file LOG before it runs, so that the log of a process that dies is the script which
-- kills it. The same seed gives the same lines as long as the calls give the same kinds of results. `public`: without
-- the functions of the binding.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local chance = require "chance"
local surface = require "attack_surface"
local values = require "attack_values"
local world = require "attack_world"

local seed, calls, log_path, only_public = tonumber(arg[1]), tonumber(arg[2]), arg[3], arg[4] == "public"
local random = chance.new(seed)
local log = assert(io.open(log_path, "w"))

local function any(list) return list[random(#list)] end

-- ---- what deep states are made of ----

local function maker(text) return "function() return " .. text .. " end" end

-- CONTEXT and the like stand for a result of that kind.
local makers = {
  "cl.context()", "cl.context(0)", "mql5.CLContextCreate(0)", "CONTEXT:queue()", "CONTEXT:queue {out_of_order = true}",
  "CONTEXT:program(SOURCE)", "PROGRAM:kernel 'add'", "PROGRAM:kernel 'copy'", "PROGRAM:kernel 'scale'",
  "CONTEXT:buffer(64)",
  "CONTEXT:buffer(4096)", "CONTEXT:buffer(cl.array.float {1, 2, 3, 4})",
  "CONTEXT:buffer(cl.array.int(1024), 'use_host_ptr')",
  "BUFFER:sub_buffer {offset = 0, size = 16}", "CONTEXT:svm(64)", "CONTEXT:svm(64, 'svm_fine_grain_buffer')",
  "CONTEXT:image {width = 4, height = 4, order = 'rgba', channel = 'float'}",
  "CONTEXT:image {width = 8, order = 'r', channel = 'uint32'}",
  "CONTEXT:sampler()", "CONTEXT:user_event()", "QUEUE:after(EVENT)", "QUEUE:marker()",
  "KERNEL(QUEUE, 4, nil, BUFFER, 3)",
  "KERNEL(QUEUE, 4, nil, BUFFER, BUFFER)",
  "KERNEL(QUEUE, {2, 2}, {1, 1}, 2.5, BUFFER, cl.local_memory(8), {1, 2, 3, 4})",
  "KERNEL:set_args(BUFFER, 2)", "QUEUE:map_buffer(BUFFER, 'uchar', 'read_write')", "QUEUE:unmap(ARRAY)",
  "QUEUE:read_buffer(BUFFER, ARRAY)", "QUEUE:write_buffer(BUFFER, ARRAY, {blocking = false})",
  "QUEUE:fill_buffer(BUFFER, cl.uchar(1))",
  "QUEUE:copy_buffer(BUFFER, BUFFER)", "QUEUE:map_svm(SVM, 'uchar', 'write')",
  "QUEUE:array(cl.array.float {1, 2, 3, 4})",
  "QUEUE:array {1, 2, 3}", "DEVICE_ARRAY + DEVICE_ARRAY", "DEVICE_ARRAY * 2", "-DEVICE_ARRAY", "DEVICE_ARRAY:sum()",
  "QUEUE:record(function() KERNEL(QUEUE, 4, nil, BUFFER, 3) end)", "GRAPH:replay()", "GRAPH()",
  "cl.structs 'struct s { int a; float4 b; };'",
  "cl.structs('typedef struct { char c; double d; } t;').t {c = 1}", "cl.structs('struct s { int a; };').s:array(4)",
  "CONTEXT:elementwise('float *x, float by', 'x[i] *= by')", "CONTEXT:reduction('float *x', 'sum')",
  "CONTEXT:scan('int *x', 'sum')",
  "CONTEXT:sort 'uint'", "CONTEXT:gemm 'float'", "cl.array.float {1, 2, 3, 4}", "cl.array.uchar(64)",
  "cl.array.long {1, 2}",
  "cl.array.double(8):random()", "cl.array.float(6):reshape(2, 3)", "cl.array.half {1, 2}",
  "mql5.CLProgramCreate(H_CONTEXT, SOURCE)",
  "mql5.CLKernelCreate(H_PROGRAM, 'add')", "mql5.CLBufferCreate(H_CONTEXT, 64, 1)",
  "mql5.CLSetKernelArgMem(H_KERNEL, 0, H_BUFFER)",
  "mql5.CLSetKernelArg(H_KERNEL, 1, 3)", "mql5.CLExecute(H_KERNEL, 1, {0}, {4})", "mql5.CLBufferRead(H_BUFFER, ARRAY)",
  "mql5.CLBufferWrite(H_BUFFER, ARRAY)", "mql5.CLBufferFree(H_BUFFER)", "mql5.CLKernelFree(H_KERNEL)",
  "mql5.CLProgramFree(H_PROGRAM)",
  "mql5.CLContextFree(H_CONTEXT)", "mql5.COpenCL()", "mql5.matrix(2, 3)", "mql5.vector(3)", "cl.wrap(H_BUFFER)",
  "cl.wrap(H_KERNEL)",
  "cl.wrap(H_CONTEXT)", "PROGRAM:binary()", "EVENT:complete()", "EVENT:wait()", "QUEUE:finish()", "BUFFER:close()",
  "KERNEL:close()",
  "CONTEXT:close()", "QUEUE:close()", "PROGRAM:close()", "EVENT:close()", "EVENT:on_complete(returns())",
  "cl.device.get(0):partition {equally = 1}",
  "KERNEL(QUEUE, inf, nil, BUFFER, 3)", "KERNEL(QUEUE, 2^64, nil, BUFFER, 3)",
  "KERNEL(QUEUE, {4, 2^53 + 1}, nil, BUFFER, 3)",
  "mql5.CLExecute(H_KERNEL, 1, {2^63}, {4})", "QUEUE:read_buffer(BUFFER, ARRAY, {offset = 2^63})",
}

local function fill_in(text)
  local complete = true
  local filled = text:gsub("%f[%u](H?_?[%u_]+)%f[^%u_]", function(word)
    if word == "SOURCE" then return nil end
    local handle = word:match "^H_(.*)"
    local kind = handle and "handle " .. handle:lower() or word:lower()
    local found = values.of_kind(kind)
    if not found and word == "ARRAY" then return "cl.array.uchar(16)" end
    complete = complete and found ~= nil
    return found
  end)
  return complete and filled or nil
end

-- ---- lines ----

-- Calls that run kernels or wait as long as they are told get no number that asks for a long run.
local long_runs = {
  "xecute", "ndrange", " call", "time", "compare", "wait", "random", "child", "gemm", "matrix", "vector",
}

local function is_calm(name)
  for _, word in ipairs(long_runs) do
    if name:find(word, 1, true) then return true end
  end
  return false
end

-- Right arguments in half of the calls, a random part of them in the others; sometimes too many or too few.
local function arguments_of(name)
  local parameters, calm, list = surface.parameters[name], is_calm(name), {}
  local right, count = random(2) == 1 and 97 or random(100), #parameters
  if random(6) == 1 then count = math.max(0, count + random(4) - 2) end
  for i = 1, count do
    local is_right = parameters[i] and random(100) <= right
    list[i] = is_right and values.right(parameters[i], calm) or values.wrong(calm)
  end
  return list
end

local function method_line(line, name, list)
  local kind, method = surface.methods[name][1], surface.methods[name][2]
  local of = values.of_kind(kind)
  if not of then return "collect()" end
  local self = random(16) == 1 and values.wrong(true) or of
  table.insert(list, 1, ("%d, %s, %q, %s"):format(line, of, method, self))
  return ("send(%s)"):format(table.concat(list, ", "))
end

-- A metamethod ("device_array +", "kernel call") is called by Lua, for an object of its class.
local function metamethod_line(line, name, list)
  local object = values.of_kind(name:match "^([%w_]+) ")
  if not object then return "collect()" end
  list[1] = list[1] or "nil"
  list[random(2) == 1 and not name:find " call" and 2 or 1] = object
  return ("call(%d, %q, %s)"):format(line, name, table.concat(list, ", "))
end

local function call_line(line)
  local name
  repeat name = any(surface.names) until not (only_public and name:find "^binding%.")
  local list = arguments_of(name)
  if surface.methods[name] then return method_line(line, name, list) end
  if name:find " " then return metamethod_line(line, name, list) end
  local how = random(25) == 1 and "call_in_thread" or "call"
  table.insert(list, 1, ("%d, %q"):format(line, name))
  return ("%s(%s)"):format(how, table.concat(list, ", "))
end

local method_names = {}
for _, name in ipairs(surface.names) do
  if surface.methods[name] then table.insert(method_names, surface.methods[name][2]) end
end

local keys = {
  '"handle"', '"size"', '"x"', "0", "-1", "1", "nan", "2^53", "nil", "{}", '"close"', '"status"', '"name"',
}

local forms = {
  "(%s).kind, %s", "#%s, %s", "tostring(%s), %s", "-%s, %s", "%s == %s", "%s + %s", "%s - %s", "%s * %s", "%s / %s",
  "%s %% %s", "%s ^ %s", "%s .. %s", "%s < %s", "%s <= %s", "next(%s, %s)", "(%s):close(), %s", "(%s)(%s)",
  "(%s).METHOD(%s)", "(%s):METHOD(%s)", "(%s):METHOD(%s)",
}

local LOOP = "make(%d, function() local n = 0 for _ in %s, %s do n = n + 1 if n == 100 then break end end end)"

-- Operators, fields and loops, of any object and with anything.
local function operator_line(line)
  local a, b = values.any_object(), random(2) == 1 and values.any_object() or values.wrong(true)
  local choice, key = random(12), any(keys)
  if choice == 1 then return ("make(%d, %s)"):format(line, maker(("(%s)[%s]"):format(a, key))) end
  if choice == 2 then return LOOP:format(line, a, b) end
  if choice == 3 then -- not where clue lets scripts write what they like: they would break their own objects
    return ("make(%d, function() local o = %s; if guards(o) then o[%s] = %s end end)"):format(line, a, key, b)
  end
  return ("make(%d, %s)"):format(line, maker((any(forms):gsub("METHOD", any(method_names)):format(a, b))))
end

local function next_line(line)
  local choice = random(100)
  if choice <= 35 or line < 12 then
    local text = fill_in(makers[line < 12 and (random(2) == 1 and line or random(24)) or random(#makers)])
    if text then return ("make(%d, %s)"):format(line, maker(text)) end
  end
  if choice <= 80 then return call_line(line) end
  if choice <= 97 then return operator_line(line) end
  if choice <= 99 then return ("drop(%d)"):format(random(line)) end
  return "collect()"
end

-- ---- running ----

local env = world.begin(function(line, position, value)
  local kind = world.kind_of(value)
  if kind then values.add(kind, position == 1 and ("of(%d)"):format(line) or ("of(%d, %d)"):format(line, position)) end
end)

local function compile(text)
  local f, problem
  if rawget(_G, "setfenv") then
    f, problem = loadstring(text, "=attack") -- luacheck: ignore
    if f then setfenv(f, env) end -- luacheck: ignore
  else
    f, problem = load(text, "=attack", "t", env)
  end
  return assert(f, ("%s\n%s"):format(text, problem))
end

values.begin(random)
for line = 1, calls do
  local text = next_line(line)
  log:write(text, "\n")
  log:flush()
  compile(text)()
end
log:write "world.finish()\n"
log:flush()
world.finish()
