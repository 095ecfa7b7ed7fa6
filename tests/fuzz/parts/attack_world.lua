-- What the lines of an attack may name, what becomes of their calls, and what must hold afterwards. A script of an
-- attack is a list of lines such as
--
--   call(12, "queue:write_buffer", of(3), of(7), nan)
--
-- so that any line can be left out: a result that was not made is nil. attack.lua makes the lines, and a script that
-- it prints begins with dofile(".../attack_world.lua").begin().
--
-- What must hold for every call: it returns, or it raises one of clue's error objects, an error of Lua at the script's
-- own line, or what a function of the script raised. An error with a place inside clue's files is a fault. Afterwards a
-- known computation must still be right, and no handle may be left that no script was given.
local folder = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."
package.path = folder .. "/?.lua;" .. package.path
local binding = require "clue.binding"
local cl = require "clue"
local error_object = require "clue.error"
local object = require "clue.object"
local shown = require "clue.shown"
local surface = require "attack_surface"

local world = {}

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")
local results = {} -- by the number of the line
local faults = {}
local own_pool -- told of each result, while lines are made

-- ---- kernels that stay inside any buffer, whatever their range ----

world.SOURCE = [[
kernel void add(global uchar *x, int by) { if (x && get_global_id(0) == 0) x[0] += (uchar)by; }
kernel void copy(global uchar *x, global const uchar *y) { if (x && y && get_global_id(0) == 0) x[0] = y[0]; }
kernel void scale(float by, global uchar *x, local uchar *scratch, uint4 more) {
  if (scratch && get_local_id(0) == 0) scratch[0] = (uchar)(by + more.x);
  if (x && get_global_id(0) == 0) x[0] = 1;
}
]]

-- ---- hostile values: each is made anew, since a call may keep or change it ----

local env = setmetatable({}, {__index = _G})
env.nan, env.inf, env.world = 0 / 0, math.huge, world
env.cl, env.mql5, env.binding, env.SOURCE = cl, require "clue.mql5", binding, world.SOURCE

local function sentinel() error({sentinel = true}, 0) end

function env.cyclic()
  local t = {1, 2}
  t[3], t.self = t, t
  return t
end

function env.nested(depth)
  local t = {}
  for _ = 1, depth do t = {t} end
  return t
end

-- A table whose metamethods raise, or all of them yield.
function env.hostile(act)
  local meta = {}
  for _, event in ipairs {"index", "newindex", "len", "call", "tostring", "eq", "lt", "le", "add", "sub", "mul", "div",
                          "unm", "concat", "pairs", "ipairs", "mod", "pow"} do
    meta["__" .. event] = act
  end
  return setmetatable({1, 2, size = 1}, meta)
end

env.raises = sentinel
function env.raises_text() error "the script's own error" end
function env.yields() coroutine.yield(1) end
function env.returns(...)
  local list, n = {...}, select("#", ...)
  return function() return unpack(list, 1, n) end
end
function env.thread() return coroutine.create(env.yields) end
function env.text(n) return ("x"):rep(n) end
function env.closed(maker) -- an object that was closed
  local done, made = pcall(maker)
  if done and made then pcall(function() made:close() end) end
  return done and made or nil
end

-- Whether something decides itself what may be written into it.
function env.guards(value)
  local meta = getmetatable(value)
  return type(value) ~= "table" or type(meta) == "table" and meta.__newindex ~= nil
end

--- The n-th result of a line; nil if it did not run, or gave none.
function env.of(line, n)
  local list = results[line]
  return list and list[n or 1]
end

-- ---- judging errors ----

local own = {} -- how the names of clue's files are shown in messages

local function add_own(path)
  local load_text = rawget(_G, "loadstring") or load
  own[debug.getinfo(load_text("return 1", "@" .. path), "S").short_src] = true
end

-- What is wrong with an error; nil if it is a right one.
local function wrong_with(problem)
  if type(problem) == "table" and problem.sentinel then return nil end
  local is_object = error_object.is(problem)
  if not is_object and type(problem) ~= "string" then return "raised " .. type(problem) end
  local done, text = pcall(tostring, problem)
  if not done or type(text) ~= "string" then return "an error without a text: " .. tostring(text) end
  if is_object and type(problem.text) ~= "string" then return "an error object without a text" end
  if text:find "reason was not recorded" and not world.current:find "^error%." then return text end
  for place in text:gmatch "([^\n]-):%d+:" do
    if own[place] or own[place:match "[^ ]*$"] then return text end
  end
  return nil
end

local function fault(line, what, problem)
  faults[#faults + 1] = ("line %s: %s: %s"):format(line, what, problem)
  io.stdout:write("FAULT ", faults[#faults]:gsub("\n", "\n  "), "\n")
  io.stdout:flush()
end

-- ---- calling ----

local granted = {} -- handles that a script was given as numbers: it must free them
local shut = {} -- objects of COpenCL, which have handles until they are shut down

local function handles()
  local list, handle = {}, binding.handle_next(0)
  while handle do
    list[handle] = true
    handle = binding.handle_next(handle)
  end
  return list
end

local function grant(before)
  for handle in pairs(before and handles() or {}) do
    if not before[handle] then granted[handle] = true end
  end
end

local born = {} -- lines by handle

local function take(line, done, ...)
  for handle in pairs(handles()) do born[handle] = born[handle] or line end
  if not done then
    local problem = wrong_with((...))
    if problem then fault(line, world.current, problem) end
    return
  end
  local list = {...}
  list.n = select("#", ...)
  results[line] = list
  for i = 1, math.min(list.n, 4) do
    local kind = world.kind_of(list[i])
    if kind == "COpenCL" then table.insert(shut, list[i]) end
    if type(list[i]) == "number" and kind then granted[list[i]] = true end
    local written, text = pcall(tostring, list[i])
    if not written then
      local problem = wrong_with(text)
      if problem then fault(line, world.current .. ", tostring", problem) end
    end
    if own_pool and list[i] ~= nil then own_pool(line, i, list[i]) end
  end
end

local function run(line, f, ...)
  take(line, pcall(f, ...))
end

--- Calls a function by its name in attack_surface.lua, or the function itself.
function env.call(line, target, ...)
  local name = type(target) == "string" and target or "a function"
  local f = target
  if type(target) == "string" then f = surface.functions[target] end
  world.current = name
  if f == nil then return end
  local raw = type(target) == "string" and surface.gives_handles(target)
  local before = raw and handles()
  run(line, f, ...)
  grant(before)
end

--- Calls a method as a script would.
-- @tparam int line
-- @param of the object that has it
-- @tparam string method its name
-- @param self what is passed as the object
-- @param ... its arguments
function env.send(line, of, method, self, ...)
  world.current = tostring(world.kind_of(of)) .. ":" .. method
  local before = world.kind_of(of) == "COpenCL" and handles()
  run(line, function(...) return of[method](...) end, self, ...)
  grant(before)
end

--- The same inside a coroutine.
function env.call_in_thread(line, ...)
  local arguments, n = {...}, select("#", ...)
  local thread = coroutine.create(function() env.call(line, unpack(arguments, 1, n)) end)
  coroutine.resume(thread)
end

--- Makes something in the right way.
function env.make(line, maker)
  world.current = "a maker"
  run(line, maker)
end

--- Forgets a result, for the collector.
function env.drop(line) results[line] = nil end
function env.collect() object.collect() end

-- ---- the known computation ----

local function device()
  return cl.device.get((cl.device.pick()))
end

local function known(on)
  local context = cl.context(on)
  local queue = context:queue()
  local x, y = cl.array.int {1, 2, 3, 4}, cl.array.int(4)
  local buffer = context:buffer(x)
  local program = context:program "kernel void known(global int *x, int k) { x[get_global_id(0)] *= k; }"
  local kernel = program:kernel "known"
  kernel(queue, 4, nil, buffer, 3)
  queue:read_buffer(buffer, y)
  local handle = buffer.handle
  local z = cl.array.int(4)
  local read = env.mql5.CLBufferRead(handle, z)
  queue:finish()
  for _, each in ipairs {kernel, program, buffer, queue, context} do each:close() end
  return table.concat(y:table(), " "), read, table.concat(z:table(), " ")
end

-- The driver that does nothing computes nothing.
local function check_known(on)
  local done, values, read, again = pcall(known, on)
  if not done then return fault("end", "the known computation", tostring(values)) end
  if on.platform.name:find "null" or on.platform.name:find "nothing" then return end
  if values ~= "3 6 9 12" or again ~= values then
    fault("end", "the known computation", ("gives %s and %s %s"):format(values, tostring(read), again))
  end
end

-- ---- beginning and ending ----

local before, on

--- Prepares a process: gives what lines may name.
-- @tparam[opt] function pool told of each result: pool(line, position, value)
-- @treturn table env
function world.begin(pool)
  own_pool = pool
  for _, path in ipairs(surface.files) do add_own(path) end
  on = device()
  check_known(on)
  object.collect()
  before = handles()
  if not pool then
    for name, value in pairs(env) do rawset(_G, name, value) end
  end
  return env
end

local function drain()
  for _ = 1, 4 do
    object.collect()
    pcall(cl.poll)
  end
end

--- Ends it: everything is dropped, and what must hold then is checked. Ends the process.
function world.finish()
  world.current = "the end"
  pcall(binding.trace_stop)
  results = {}
  local jit = rawget(_G, "jit")
  if jit then jit.flush() end -- compiled code keeps objects that it took for constants
  for _, each in ipairs(shut) do pcall(env.mql5.COpenCL.Shutdown, each) end
  drain()
  for handle in pairs(granted) do
    if binding.handle_kind(handle) then binding.handle_free(handle) end
  end
  drain()
  -- A user event whose end somebody asked for lives until then, and its context.
  for handle in pairs(handles()) do
    if not before[handle] and binding.handle_kind(handle) == "event" then binding.user_event_set(handle, -1) end
  end
  drain()
  for handle in pairs(handles()) do
    if not before[handle] then
      fault("end", "a handle is left", ("%d, %s (of line %s)"):format(handle, tostring(binding.handle_kind(handle)),
        tostring(born[handle])))
    end
  end
  check_known(on)
  io.stdout:flush()
  os.exit(#faults == 0 and 0 or 1, true)
end

--- The kind of a result, by which arguments are chosen: "buffer", "array", "handle buffer", "function"...; nil if it is
-- of no use.
function world.kind_of(value)
  local kind = shown.kind_of(value)
  if kind then return kind end
  if getmetatable(value) == env.mql5.COpenCL then return "COpenCL" end
  if binding.array_code(value) then return "array" end
  if type(value) == "number" then
    if value % 1 == 0 and value >= 65536 and value < 2 ^ 31 then
      local of = binding.handle_kind(value)
      return of and "handle " .. of
    end
    return nil
  end
  if type(value) == "function" then return "function" end
  if type(value) == "table" then
    local meta = getmetatable(value)
    if type(meta) == "table" then return "object" end
    return "table"
  end
  if type(value) == "userdata" or type(value) == "cdata" then return "object" end
  return nil
end

return world
