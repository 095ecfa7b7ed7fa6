--- Work that several devices do together: cl.workers and cl.each_device.
--
--     local squares = cl.array.float(n)
--     local workers = cl.workers("all", function(worker)      -- once on each device
--       local square = worker.context:program(SOURCE):kernel "square"
--       local y = worker.context:buffer(squares:bytes())
--       return function(first, count)                         -- for each chunk of the work
--         square(worker.queue, count, nil, y, first)
--         return worker.queue:read_buffer(y, squares, {first = first, count = count, offset = 4 * first,
--           blocking = false})
--       end
--     end)
--     print(workers:run(n))
--
-- The function of a chunk enqueues commands and returns at once, with their last event. While a device works on a
-- chunk, its next one is already enqueued. Sizes follow the rates that are measured meanwhile: large first, small at
-- the end, and none that a slow device would end after the others (@{clue.several_devices.plan}).
--
-- Every item counts exactly once, and a kernel that computes each item alone gives the same bits however the work
-- was divided, on devices that round alike. Where items are combined, as in a sum, make each item a sum of a fixed part
-- and combine them on the host, in their order.
--
-- A device on which something raises an error loses its part: this is told on stderr, the others do its chunks, and it
-- gets no more work. Only if no device is left is it an error.
-- @module clue.several_devices
local argument = require "clue.argument"
local binding = require "clue.binding"
local devices = require "clue.several_devices.devices"
local events = require "clue.event"
local outcome = require "clue.several_devices.outcome"
local plan = require "clue.several_devices.plan"
local public = require "clue.public"
local rest_of = require "clue.several_devices.rest"
local shown = require "clue.shown"
local text = require "clue.text"
local worker = require "clue.several_devices.worker"

--- The fields of workers.
-- @table workers
-- @tfield {device,...} devices in the order in which they were given, those that failed included

local several = {}

local states = setmetatable({}, {__mode = "k"})

local methods = {}
local meta = {kind = "workers", methods = methods, __index = methods}
public.add("workers:", methods)

local function state_of(self)
  return states[self] or argument.refuse_self("workers", self)
end

function meta:__tostring()
  return "workers on " .. text.count(#self.devices, "device")
end

-- ---- making ----

-- Ends a device's part, and tells so. Raises if no device is left.
local function lose(state, self, raised, ended)
  worker.pass_interrupt(raised)
  local back = worker.lose(self, raised, ended)
  outcome.tell(state.all, self, back)
  return back
end

local function set_up(state, self, setup)
  local done, call = pcall(worker.open, self, setup)
  if not done then return lose(state, self, call) end
  if type(call) ~= "function" then
    argument.fail("%s must return the function of a chunk, got %s", worker.place(setup), shown.of(call))
  end
  self.call = call
end

--- Prepares devices for work that they do together. Raises an error object if this fails on every device.
-- @param on the devices: a text as --device takes it ("all", "0:0,1:0"), a device or a part of one, its ordinal, or a
--   list of these; nil: what --device or CLUE_DEVICE names, else the best device. Each has a context of its own, so
--   that a failure stays its own. For a context in place of a device, its devices share it, with its programs and
--   buffers
-- @tparam function setup setup(worker) is called once for each device, and returns the function of a chunk,
--   chunk(first, count, slot): it enqueues the work on the items first (from 0) to first + count - 1, and returns the
--   event of its last command, a list of events, or nothing (then the chunk ends with what is enqueued on
--   worker.queue). The worker has device, context, queue and index. slot is 1 or 2, and differs between the chunks
--   that a device has in flight: for those who give each a queue and buffers of its own
-- @treturn workers
function several.new(on, setup)
  argument.typed(setup, "function", "setup")
  local self, state = setmetatable({devices = {}}, meta), {all = {}}
  for i, entry in ipairs(devices.of(on, "on")) do
    state.all[i], self.devices[i] = worker.new(entry, i), entry.device
  end
  for _, each in ipairs(state.all) do set_up(state, each, setup) end
  states[self] = state
  return self
end

-- ---- running ----

-- Whether a device is served before another one: those without a chunk first, debuggers last, since they may run
-- a chunk in the calling thread, and the faster first.
local function comes_first(a, b)
  if #a.flight ~= #b.flight then return #a.flight < #b.flight end
  if a.late ~= b.late then return b.late end
  local left, right = a.rate or 0, b.rate or 0
  if left ~= right then return left > right end
  return a.place < b.place
end

-- The devices that may get a chunk.
local function waiting(all)
  local list = {}
  for _, each in ipairs(all) do
    if not each.lost and #each.flight < worker.depth then list[#list + 1] = each end
  end
  table.sort(list, comes_first)
  return list
end

local function lose_and_return(run, self, raised)
  for _, chunk in ipairs(lose(run.state, self, raised, run.ended)) do run.work:back(chunk.first, chunk.count) end
end

local function give(run, self, count)
  local first, taken = run.work:take(count)
  local done, raised = pcall(worker.give, self, first, taken)
  if not done then lose_and_return(run, self, raised) end
end

-- Gives each device chunks until it has enough.
local function give_all(run)
  local given
  repeat
    given = false
    for _, each in ipairs(waiting(run.state.all)) do
      local count = run.work.rest > 0 and not each.lost and plan.next(run.state.all, each, run.work, binding.now()) or 0
      if count > 0 then
        given = true
        give(run, each, count)
      end
    end
  until not given
end

local function look_all(run)
  local ended, busy = false, false
  for _, each in ipairs(run.state.all) do
    if #each.flight > 0 then
      local done, any = pcall(worker.look, each, run.ended)
      if run.problem then error(run.problem[1], 0) end
      if not done then lose_and_return(run, each, any) end
      ended = ended or not done or any
    end
    busy = busy or #each.flight > 0
  end
  return ended, busy
end

local NAP, LONGEST, PART = 2e-5, 1e-3, 50

-- Works until nothing is left. Between two looks at the devices it sleeps, for at most a fiftieth of the time so far.
local function work_until_done(run)
  local nap, start, busy = NAP, binding.now(), true
  while run.work.rest > 0 or busy do
    local ended
    give_all(run)
    ended, busy = look_all(run)
    if ended then
      nap = NAP
      events.deliver()
    elseif busy then
      binding.sleep(nap)
      nap = math.min(1.5 * nap, LONGEST, math.max(NAP, (binding.now() - start) / PART))
    end
  end
  run.seconds = binding.now() - start
end

local function new_run(state, total, options)
  local run = {state = state, work = rest_of.new(total, options.multiple or 1, options.most)}
  function run.ended(self, chunk)
    self.done = self.done + chunk.count
    if not options.on_chunk then return end
    local done, raised = pcall(options.on_chunk, self.worker, chunk.first, chunk.count, chunk.slot)
    if not done then run.problem = run.problem or {raised} end
  end
  for _, each in ipairs(state.all) do each.done, each.busy, each.chunks = 0, 0, 0 end
  return run
end

-- After an error: nothing may write into the script's arrays any more.
local function drain_all(state)
  for _, each in ipairs(state.all) do
    if #each.flight > 0 then pcall(worker.drain, each) end
    each.flight, each.queued = {}, 0
  end
end

local known = {multiple = "whole", most = "whole", on_chunk = "checked"}

local function checked(total, options)
  argument.whole(total, "total", 0)
  options = argument.options(options, "options", known)
  local multiple = argument.whole(options.multiple or 1, "multiple", 1)
  if options.most then argument.whole(options.most, "most", 1) end
  if options.most and options.most % multiple ~= 0 then
    argument.fail("most must be a multiple of %d, got %s", multiple, shown.number(options.most))
  end
  if options.on_chunk ~= nil then argument.typed(options.on_chunk, "function", "on_chunk") end
  return options
end

--- Does items 0 to total - 1, and waits for them. Rates are kept for the next run, which then begins with large chunks:
-- use other workers for work of another kind. Raises an error object if no device is left, and an error of the
-- script's if it is Ctrl-C or comes from on_chunk; commands that were enqueued have ended then.
-- @tparam number total how many items, 0 or more
-- @tparam[opt] table options multiple: every chunk begins at a multiple of it, and only the last item ends one
--   elsewhere (1); most: the largest chunk, a multiple of that, for those whose buffers hold no more; on_chunk:
--   on_chunk(worker, first, count, slot) is called when a chunk is done, before its slot is used again
-- @treturn table tostring describes it. seconds; total; rates: items a second by device, 0 if it did none; devices: for
--   each device, in order, device, items, chunks, busy (seconds), rate, and error if it failed
function methods:run(total, options)
  local state = state_of(self)
  if state.closed then argument.fail("the workers were closed") end
  options = checked(total, options)
  if state.running then argument.fail("these workers are running: a chunk's function cannot run them again") end
  if outcome.alive(state.all) == 0 then outcome.none_left(state.all) end
  local run = new_run(state, total, options)
  state.running = true
  local done, raised = pcall(work_until_done, run)
  if not done then drain_all(state) end
  state.running = false
  if not done then error(raised, 0) end
  return outcome.new(run)
end

--- Frees the queues and contexts that the workers made, before the collector would.
function methods:close()
  local state = state_of(self)
  if state.running then argument.fail("these workers are running: they can be closed afterwards") end
  if not state.closed then
    for _, each in ipairs(state.all) do worker.close(each) end
  end
  state.closed = true
end

--- Makes workers and lets them do a total, once. Frees what it made for them.
-- @tparam number total as for @{workers:run}
-- @param on the devices, as for @{clue.several_devices.new}
-- @tparam function setup as there
-- @tparam[opt] table options as for @{workers:run}
-- @treturn table the same as from there
function several.once(total, on, setup, options)
  checked(total, options)
  local self = several.new(on, setup)
  local done, result = pcall(self.run, self, total, options)
  self:close()
  if not done then error(result, 0) end
  return result
end

return several
