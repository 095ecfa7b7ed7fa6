-- A soak: laps in which objects of every kind are made, used and dropped, LIVE of them alive at once and 10,000 events
-- outstanding, on every device that there is. tests/fuzz/soak starts it.
--
--   soak.lua SEED SECONDS LAPS LIVE LEAK
--
-- LAPS 0: as many as fit into the seconds. At the end of a lap nothing is left but what the process had before, so
-- every lap ends with the same memory, handles, descriptors and threads once caches are full. Results are checked,
-- except on the driver that computes nothing. The same seed gives the same steps.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local cl = require "clue"
local binding = require "clue.binding"
local gauge = require "gauge"

local seconds, laps, LIVE, leak = tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4]), arg[5]
local random = require("chance").new(tonumber(arg[1]))

local STEPS, OUTSTANDING, CELLS = 1500, 10000, 64

local SOURCES = {}
for i = 1, 4 do
  SOURCES[i] = ("kernel void add(global int *x, int by) { x[get_global_id(0)] += by + %d; }"):format(i)
end

-- ---- places: a context on each device, with what the steps need ----

local function new_place(device)
  local context = cl.context(device)
  local place = {device = device, context = context, queue = context:queue(), program = context:program(SOURCES[1])}
  place.null = device.platform.name == "null"
  -- Oclgrind runs commands in the calling thread, where nothing can wait for a user event.
  place.gates = device.platform.name ~= "Oclgrind"
  place.add = place.program:kernel "add"
  place.big = context:buffer(cl.array.int(1024))
  place.cells = context:buffer(cl.array.int(CELLS))
  place.host, place.total = cl.array.int(CELLS), 0
  return place
end

-- The number that each cell must have; a driver that computes nothing leaves what was in the array.
local function check(place)
  place.queue:read_buffer(place.cells, place.host)
  local low, high = place.host:range()
  if place.null or (low == place.total and high == place.total) then return end
  error(("%s: the cells are %d to %d, and should be %d"):format(place.device.name, low, high, place.total))
end

-- ---- one object of each kind ----

local makers = {
  buffer = function(of) return of.context:buffer(4 * random(4096)) end,
  ["buffer over an array"] = function(of) return of.context:buffer(cl.array.float(64), "use_host_ptr") end,
  ["sub-buffer"] = function(of) return of.big:sub_buffer {offset = 0, size = 4 * random(1024)} end,
  image = function(of) return of.context:image {width = random(16), height = random(16)} end,
  sampler = function(of) return of.context:sampler {normalized_coords = false} end,
  svm = function(of) return of.context:svm(16 * random(64)) end,
  queue = function(of) return of.context:queue() end,
  kernel = function(of) return of.program:kernel "add" end,
  event = function(of) return of.queue:marker() end,
  ["user event"] = function(of)
    local event = of.context:user_event()
    event:complete()
    return event
  end,
  graph = function(of)
    return of.queue:record(function(commands) commands:fill_buffer(of.big, cl.int(0)) end, {command_buffer = false})
  end,
  array = function() return cl.array.double(random(1000)) end,
  ["device array"] = function(of) return of.queue:array(cl.array.float {1, 2, 3}) end,
  mapping = function(of)
    of.queue:unmap((of.queue:map_buffer(of.big, "int"))) -- a mapping ends by unmap, not by close
    return nil
  end,
}

-- Rarer, since on most drivers they take milliseconds.
local heavy_makers = {
  program = function(of) return of.context:program(SOURCES[random(#SOURCES)]) end,
  ["program from a binary"] = function(of) return of.context:program_from_binary(of.program:binary()) end,
  context = function(of)
    local context = cl.context(of.device)
    context:queue():write_buffer(context:buffer(64), cl.array.int(16))
    return context
  end,
  ["child process"] = function()
    local child = binding.child_start {arguments = {"/bin/true"}}
    while binding.child_wait(child, 10) == "running" do end
    binding.child_close(child)
  end,
}

local made = {} -- how many of each kind

-- The kinds that a device has. On the others, the first try must be an error that is clue's, and the kind is left out.
local function kinds_of(place, from)
  local names = {}
  for name in pairs(from) do names[#names + 1] = name end
  table.sort(names)
  for i = #names, 1, -1 do
    local works, problem = pcall(from[names[i]], place)
    if not works then
      assert(cl.error.is(problem), tostring(problem))
      table.remove(names, i)
    end
  end
  return names
end

local function make(place, from, names)
  local name = names[random(#names)]
  made[name] = (made[name] or 0) + 1
  return from[name](place)
end

-- ---- one command of each kind ----

local commands = {
  function(of)
    of.add(of.queue, CELLS, nil, of.cells, 1)
    of.total = of.total + 2 -- SOURCES[1] adds one more
  end,
  function(of) of.queue:fill_buffer(of.big, cl.int(random(100))) end,
  function(of) of.queue:write_buffer(of.big, of.host, {blocking = false}):wait() end,
  function(of) of.queue:copy_buffer(of.cells, of.big) end,
  function(of) assert(not pcall(of.add, of.queue, 0, nil, of.cells, 1)) end, -- a refusal leaves nothing, either
  check,
}

-- ---- a lap ----

local cycles, objects = 0, 0 -- commands and objects; objects alone

local function forget(object)
  if object and type(object) ~= "number" and object.close and random(2) == 1 then object:close() end
end

local function churn(place)
  local kept = {}
  for step = 1, STEPS do
    local at = random(32)
    forget(kept[at])
    kept[at] = make(place, makers, place.kinds)
    commands[random(#commands)](place)
    if step % 300 == 0 then make(place, heavy_makers, place.heavy_kinds) end
  end
  cycles, objects = cycles + 2 * STEPS, objects + STEPS
  check(place)
end

-- Many objects at once.
local function crowd(places)
  collectgarbage()
  collectgarbage() -- or it would free others meanwhile
  local kept, before = {}, binding.handle_count()
  for i = 1, LIVE do
    local place = places[i % #places + 1]
    kept[i] = i % 3 == 0 and place.big:sub_buffer {offset = 0, size = 4} or place.context:buffer(16)
  end
  local live = binding.handle_count() - before
  assert(live >= LIVE, live .. " handles live")
  for i = 1, LIVE do kept[i]:close() end
  cycles, objects = cycles + LIVE, objects + LIVE
end

-- Many events at once, of commands that wait for one that the script holds back.
local function hold_back(place)
  local gate = place.gates and place.context:user_event()
  local queue, events = gate and place.queue:after(gate) or place.queue, {}
  for i = 1, OUTSTANDING do events[i] = queue:fill_buffer(place.big, cl.int(i)) end
  if gate then
    if not place.null then assert(events[OUTSTANDING].status ~= "complete") end
    gate:complete()
  end
  place.queue:finish()
  for i = 1, OUTSTANDING do assert(events[i].status == "complete") end
  cycles, objects = cycles + OUTSTANDING, objects + OUTSTANDING
end

-- What the soak must find if it is told to leave it behind.
local left = {}
local leaks = {
  none = function() end,
  memory = function() left[#left + 1] = cl.array.uchar(2 ^ 22, 1) end,
  handles = function(of) left[#left + 1] = of.context:buffer(16) end,
  descriptors = function() left[#left + 1] = assert(io.open "/dev/null") end,
}

local function lap(devices)
  local places = {}
  for i, device in ipairs(devices) do
    places[i] = new_place(device)
    places[i].kinds, places[i].heavy_kinds = kinds_of(places[i], makers), kinds_of(places[i], heavy_makers)
  end
  for _, place in ipairs(places) do churn(place) end
  crowd(places)
  for _, place in ipairs(places) do hold_back(place) end
  leaks[leak](places[1])
end

-- ---- all laps ----

local devices = cl.device.machine().devices
local started = binding.now()
local samples, tried = {}, 0
repeat
  lap(devices)
  tried = tried + 1
  samples[tried] = gauge.sample(cycles, binding.now() - started)
until laps > 0 and tried >= laps or laps == 0 and binding.now() - started >= seconds

gauge.print_table(samples)
gauge.print_counts(made)
local own = #devices == 1 and devices[1].platform.name == "null"
local flat = gauge.judge(samples, {builds = (made.program or 0) + tried, objects = objects, own = own})
os.exit(flat and 0 or 1)
