-- One random program over several queues: user events, wait lists, markers, barriers, kernels, copies, transfers,
-- mappings, failures, and objects that are closed in any order or left to the collector. tests/fuzz/user_events starts
-- it.
--
--   user_events.lua SEED [--verbose]
--
-- Every step is compared with the model (model.lua): whether it is refused and why, and what a read gives. The same
-- seed gives the same steps in every interpreter and over both bindings, but the driver's threads run them differently
-- each time. The collector runs only in the step `collect`.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local cl = require "clue"
local binding = require "clue.binding"
local model = require "model"
local object = require "clue.object"

local SIZE, STEPS = 4, 80
local LIMIT = 2 ^ 32
local verbose = arg[2] == "--verbose"

collectgarbage "stop"

-- ---- chance ----

local random = require("chance").new(tonumber(arg[1]))

local function pick(list)
  return #list > 0 and list[random(#list)] or nil
end

local function values_of(call)
  local list = {}
  for i = 1, SIZE do list[i] = call(i) % LIMIT end
  return list
end

-- ---- objects ----

local SOURCE = [[
uint spin(uint n) { volatile uint x = n; for (uint i = 0; i < n; i++) x = x * 1664525u + 1013904223u; return x; }
kernel void add(global uint *x, uint by, uint n) { if (spin(n) != 1) x[get_global_id(0)] += by; }
kernel void turn(global uint *x, uint by, uint n) { if (spin(n) != 1) x[get_global_id(0)] = by - x[get_global_id(0)]; }
kernel void sum(global uint *x, global const uint *y) { x[get_global_id(0)] += y[get_global_id(0)]; }
]]

require("clue.options").quiet = true
local device = cl.device.get((cl.device.pick()))
local pocl = device.platform.name == "Portable Computing Language"
local parts = pocl and random(4) == 1 and device:partition {by_counts = {1, 1}} or {}
local context = cl.context(parts[1] or device)
local program = context:program(SOURCE)
local kernels = {}
for _, name in ipairs {"add", "turn", "sum"} do kernels[name] = program:kernel(name) end
local nvidia = device.platform.name == "NVIDIA CUDA"
local has_svm = #device.svm_capabilities > 0 and not nvidia -- its kernels accept no buffer after an svm

local queues, memories, commands, users = {}, {}, {}, {} -- those that can still be used
local reads = {} -- those whose values were not compared yet
local dropped = {} -- user events that the collector may free

-- ---- messages ----

local history = {}

local function note(text, ...)
  history[#history + 1] = text:format(...)
  if verbose then io.stderr:write(history[#history], "\n") end
end

local function fail(text, ...)
  if not verbose then io.stderr:write(table.concat(history, "\n"), "\n") end
  io.stderr:write("WRONG: ", text:format(...), "\n")
  os.exit(1)
end

-- refusal: part of the message that the model expects; nil if the call must work.
local function hold(refusal, done, problem)
  if done and refusal then fail("it worked, but must raise '%s'", refusal) end
  if not done and not refusal then fail("it must work, but raised: %s", tostring(problem)) end
  if not done and not tostring(problem):find(refusal, 1, true) then
    fail("it must raise '%s', but raised: %s", refusal, tostring(problem))
  end
  if not done then note("  refused: %s", tostring(problem)) end
end

local function hold_values(memory, upto, array)
  local expected = model.values(memory, upto, pocl)
  for i = 1, expected and SIZE or 0 do
    if array[i - 1] ~= expected[i] then
      fail("%s has %s, but must have %s", memory.name, table.concat(array:table(), " "), table.concat(expected, " "))
    end
  end
end

-- ---- making ----

local function remove(list, one)
  for i, each in ipairs(list) do
    if each == one then table.remove(list, i) end
  end
end

local names = 0

local function name(kind)
  names = names + 1
  return kind .. names
end

local function add_queue(made, in_order)
  local queue = {name = name "queue ", object = made, in_order = in_order, commands = {}}
  queues[#queues + 1] = queue
  note("%s%s", queue.name, in_order and "" or ", out of order")
  return queue
end

-- NVIDIA's queues keep their order even out of order, which the model does not know.
local function make_queue()
  local out_of_order = random(4) == 1 and not nvidia
  local done, made = pcall(context.queue, context, {out_of_order = out_of_order})
  if done then add_queue(made, not out_of_order) end
end

local function make_memory()
  local values = values_of(function() return random(1000) end)
  local memory = {initial = values, log = {}}
  if has_svm and random(4) == 1 then
    memory.kind, memory.name, memory.object = "svm", name "svm ", context:svm(4 * SIZE)
    -- on a new queue: the context's own may wait for a user event, or still have to report a failure
    context:queue():write_svm(memory.object, cl.array.uint(values))
  else
    memory.kind, memory.name, memory.object = "buffer", name "buffer ", context:buffer(4 * SIZE)
    context:queue():write_buffer(memory.object, cl.array.uint(values))
  end
  note("%s: %s", memory.name, table.concat(values, " "))
  memories[#memories + 1] = memory
end

local function make_user_event()
  local user = {name = name "user event ", event = context:user_event(), state = "unset"}
  note("%s: %s", user.name, user.event.handle)
  users[#users + 1] = user
end

-- ---- order: a command on memory waits for the last command on that memory ----

-- All commands of the queue have ended.
local function settled(queue)
  for _, memory in ipairs(memories) do
    if memory.last and memory.last.queue == queue then memory.last = nil end
  end
end

-- The commands that a new one has to wait for; nil if it cannot, since the script no longer has an event.
local function order_after(queue, touched)
  local waits = {}
  for _, memory in ipairs(touched) do
    local last = memory.last
    if memory.mapped then return nil end
    if last and not (last.queue == queue and queue.in_order) then
      if not last.event then return nil end
      waits[#waits + 1] = last
    end
  end
  return waits
end

-- Adds a few more by chance, often user events.
local function choose_waits(queue, touched)
  local waits = order_after(queue, touched or {})
  while waits and random(3) == 1 do
    waits[#waits + 1] = random(2) == 1 and pick(commands) or pick(users)
  end
  return waits
end

local function view_of(queue, waits)
  local events, event_names = {}, {}
  for i, each in ipairs(waits) do events[i], event_names[i] = each.event, each.name end
  note("  on %s after {%s}", queue.name, table.concat(event_names, ", "))
  if #events == 0 then return queue.object end
  return queue.object:after(events)
end

-- ---- the collector ----

local function collect()
  note "collect"
  object.collect()
  for handle, user in pairs(dropped) do
    if binding.handle_kind(handle) ~= "event" then
      note("  %s is gone", user.name)
      if user.state == "unset" then user.state = "failed" end
      dropped[handle] = nil
    end
  end
end

-- ---- commands that are not waited for ----

-- send(view) enqueues it and gives its event; apply(values) gives the new values of the first memory that it touches.
local function enqueue(what, queue, touched, send, apply, kind)
  local waits = choose_waits(queue, touched)
  if not waits then return nil end
  note("%s", what)
  local view = view_of(queue, waits)
  local refusal, command = model.enqueue(queue, waits, kind)
  local done, event = pcall(send, view)
  hold(refusal, done, event)
  if not done then return nil end
  command.name, command.event = name("command "), event
  note("  %s: %s", command.name, tostring(event))
  for _, memory in ipairs(touched) do memory.last = command end
  if apply then table.insert(touched[1].log, {command = command, apply = apply}) end
  commands[#commands + 1] = command
  return command
end

-- A function that gives the values that memory has now; it can be called once they are known.
local function snapshot(memory)
  local upto = #memory.log
  return function() return model.values(memory, upto, pocl) end
end

local function each_value(call)
  return function(values)
    return values and values_of(function(i) return call(values[i], i) end)
  end
end

local function run_kernel()
  local queue, x = pick(queues), pick(memories)
  local which, by, spin = random(2) == 1 and "add" or "turn", random(1000), random(3) == 1 and random(30000) or 1
  if not x then return end
  enqueue(("kernel %s(%s, %d, %d)"):format(which, x.name, by, spin), queue, {x}, function(view)
    return kernels[which](view, SIZE, nil, x.object, by, spin)
  end, each_value(function(value) return which == "add" and value + by or by - value end))
end

local function run_sum()
  local queue, x, y = pick(queues), pick(memories), pick(memories)
  if not x or x == y then return end
  local other = snapshot(y)
  enqueue(("kernel sum(%s, %s)"):format(x.name, y.name), queue, {x, y}, function(view)
    return kernels.sum(view, SIZE, nil, x.object, y.object)
  end, function(values)
    local more = other()
    return values and more and values_of(function(i) return values[i] + more[i] end)
  end)
end

local function copy()
  local queue, x, y = pick(queues), pick(memories), pick(memories)
  if not x or x == y or x.kind ~= y.kind then return end
  local from = snapshot(y)
  enqueue(("copy %s to %s"):format(y.name, x.name), queue, {x, y}, function(view)
    return view["copy_" .. x.kind](view, y.object, x.object)
  end, from)
end

local function fill()
  local queue, x, by = pick(queues), pick(memories), random(1000)
  if not x then return end
  enqueue(("fill %s with %d"):format(x.name, by), queue, {x}, function(view)
    return view["fill_" .. x.kind](view, x.object, cl.uint(by))
  end, function() return values_of(function() return by end) end)
end

local function write()
  local queue, x, values = pick(queues), pick(memories), values_of(function() return random(1000) end)
  if not x then return end
  enqueue(("write %s: %s"):format(x.name, table.concat(values, " ")), queue, {x}, function(view)
    return view["write_" .. x.kind](view, x.object, cl.array.uint(values), {blocking = false})
  end, function() return values end)
end

local function read()
  local queue, x, array = pick(queues), pick(memories), cl.array.uint(SIZE)
  if not x then return end
  local command = enqueue("read " .. x.name, queue, {x}, function(view)
    return view["read_" .. x.kind](view, x.object, array, {blocking = false})
  end)
  if command then reads[#reads + 1] = {command = command, memory = x, upto = #x.log, array = array} end
end

local function mark()
  local queue, kind = pick(queues), random(2) == 1 and "marker" or "barrier"
  enqueue("a " .. kind, queue, {}, function(view) return view[kind](view) end, nil, kind)
end

-- ---- commands that are waited for ----

local function block(what, queue, x, waits, send)
  if not waits then return nil end
  note("%s, waiting", what)
  local view = view_of(queue, waits)
  local refusal = model.block(queue, waits)
  local done, result = pcall(send, view)
  hold(refusal, done, result)
  if not done then return nil end
  if queue.in_order then settled(queue) end
  x.last = nil
  return result
end

local function read_now()
  local queue, x, array = pick(queues), pick(memories), cl.array.uint(SIZE)
  if not x then return end
  if block("read " .. x.name, queue, x, choose_waits(queue, {x}), function(view)
    return view["read_" .. x.kind](view, x.object, array)
  end) then
    hold_values(x, nil, array)
  end
end

local finished = {gates = {}} -- stands for the host, whose writes are complete at once

local function write_now()
  local queue, x, values = pick(queues), pick(memories), values_of(function() return random(1000) end)
  if not x then return end
  if block("write " .. x.name, queue, x, choose_waits(queue, {x}), function(view)
    return view["write_" .. x.kind](view, x.object, cl.array.uint(values))
  end) then
    table.insert(x.log, {command = finished, apply = function() return values end})
  end
end

local function read_by_mql5()
  local queue, x, array = queues[1], pick(memories), cl.array.uint(SIZE)
  local waits = x and x.kind == "buffer" and order_after(queue, {x})
  if not waits or #waits > 0 then return end
  if block("CLBufferRead of " .. x.name, queue, x, waits, function()
    return binding.buffer_read(x.object.handle, 0, array, 0, SIZE) or cl.error.raise()
  end) then
    hold_values(x, nil, array)
  end
end

local function map()
  local queue, x = pick(queues), pick(memories)
  if not x then return end
  local mapped = block("map " .. x.name, queue, x, choose_waits(queue, {x}), function(view)
    return view["map_" .. x.kind](view, x.object, "uint")
  end)
  if not mapped then return end
  hold_values(x, nil, mapped)
  x.mapped = mapped
  if random(2) == 1 then return end
  local values = values_of(function() return random(1000) end)
  for i = 1, SIZE do mapped[i - 1] = values[i] end
  table.insert(x.log, {command = finished, apply = function() return values end})
end

local function unmap()
  local queue, x = pick(queues), pick(memories)
  if not x or not x.mapped then return end
  local mapped = x.mapped
  if random(3) == 1 then
    note("drop the mapping of %s", x.name)
    x.mapped = nil
    mapped = nil -- luacheck: ignore
    collect()
    if not pcall(queue.object["fill_" .. x.kind], queue.object, x.object, cl.uint(1), {size = 0}) then return end
  end
  x.mapped = nil
  if not mapped then return end
  local command = enqueue("unmap " .. x.name, queue, {x}, function(view)
    view:unmap(mapped)
    return false
  end, function(values, known) return known and values end)
  if binding.array_owner(mapped) == "mapping" then x.mapped = mapped end -- unmap() was refused
  if not command then return end
  command.event = nil
  remove(commands, command)
end

-- ---- waiting ----

local function wait()
  local command = random(4) == 1 and pick(users) or pick(commands)
  if not command then return end
  note("wait for %s", command.name)
  hold(model.wait(command), pcall(command.event.wait, command.event))
end

local function look()
  local command = pick(commands)
  if not command then return end
  note("look at %s", command.name)
  local done, status = pcall(function() return command.event.status end)
  hold(model.has_failed(command) and "fail" or nil, done, status)
  if done and status == "complete" and model.is_gated(command) then fail("it is complete, but must wait") end
end

local function finish(queue)
  queue = queue or pick(queues)
  note("finish %s", queue.name)
  local refusal = model.finish(queue)
  hold(refusal, pcall(queue.object.finish, queue.object))
  if refusal ~= "" then settled(queue) end
end

-- ---- user events ----

local function set(user)
  user = user or pick(users)
  if not user or user.state ~= "unset" then return end
  local way = random(4)
  if way == 1 then
    note("%s fails", user.name)
    user.event:fail(-random(100))
    user.state = "failed"
  elseif way == 2 then
    note("%s is closed", user.name)
    user.event:close()
    user.event, user.state = nil, "failed"
    remove(users, user)
  else
    note("%s is complete", user.name)
    user.event:complete()
    user.state = "complete"
  end
end

-- ---- closing, and leaving to the collector ----

local function close_event()
  local command = pick(commands)
  if not command then return end
  local close = random(2) == 1
  note("%s %s", close and "close" or "drop", command.name)
  if close then command.event:close() end
  command.event = nil
  remove(commands, command)
end

local function close_queue()
  local queue = pick(queues)
  if queue == queues[1] then return end
  local close = random(2) == 1
  note("%s %s", close and "close" or "drop", queue.name)
  if close then queue.object:close() end
  queue.object = nil
  remove(queues, queue)
end

local function close_memory()
  local memory = pick(memories)
  if not memory or #memories < 3 then return end
  local close = random(2) == 1
  note("%s %s", close and "close" or "drop", memory.name)
  if close then memory.object:close() end
  memory.object, memory.mapped = nil, nil
  remove(memories, memory)
end

local function drop_user_event()
  local user = pick(users)
  if not user then return end
  note("drop %s", user.name)
  dropped[user.event.handle] = user
  user.event = nil
  remove(users, user)
end

-- ---- the program ----

local steps = {
  run_kernel, run_kernel, run_kernel, run_kernel, run_sum, copy, fill, write, read, read, mark, mark, read_now,
  read_now, write_now, read_by_mql5, map, unmap, unmap, wait, wait, look, finish, set, set, set, make_user_event,
  make_user_event,
  make_queue, make_memory, close_event, close_event, close_queue, close_memory, drop_user_event, collect,
}

local function look_at_reads()
  for _, each in ipairs(reads) do
    if each.command.event then
      note("look at what %s gave", each.command.name)
      local refusal = model.wait(each.command)
      hold(refusal, pcall(each.command.event.wait, each.command.event))
      if not refusal then hold_values(each.memory, each.upto, each.array) end
    end
  end
  reads = {}
end

local function settle()
  note "settle"
  for i = #users, 1, -1 do set(users[i]) end
  for _, each in pairs(dropped) do
    if each.state == "unset" then collect() end
  end
  if next(dropped) then return end -- something still refers to them
  for _, queue in ipairs(queues) do finish(queue) end
  look_at_reads()
  local queue = add_queue(context:queue(), true)
  for _, memory in ipairs(memories) do
    local array, waits = cl.array.uint(SIZE), order_after(queue, {memory})
    if waits and not (waits[1] and model.has_failed(waits[1])) and block("read " .. memory.name, queue, memory, waits,
      function(view) return view["read_" .. memory.kind](view, memory.object, array) end) then
      hold_values(memory, nil, array)
    end
  end
end

local function close_all()
  note "close all"
  local all = {context, program, kernels.add, kernels.turn, kernels.sum, parts[1], parts[2]}
  for _, list in ipairs {queues, memories, commands} do
    for _, each in ipairs(list) do all[#all + 1] = each.object or each.event end
  end
  for _, user in ipairs(users) do all[#all + 1] = user.event end
  while #all > 0 do table.remove(all, random(#all)):close() end
end

add_queue(cl.wrap(binding.context_queue(context.handle)), true)
make_queue()
for _ = 1, 3 do make_memory() end
make_user_event()
for _ = 1, STEPS do
  steps[random(#steps)]()
  if random(20) == 1 then look_at_reads() end
end
local ending = random(4)
if ending <= 2 then settle() elseif ending == 3 then close_all() end
note "end"
