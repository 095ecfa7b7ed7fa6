--- What must become of commands that wait for user events: which of them fail, which waits are refused, and what lies
-- in memory after them. Written from what clue.h and the module clue.queue promise, and not from how clue does it.
--
-- A command: queue, gates (user events that were not set when it was enqueued, and that it waits for by whatever way),
-- behind (the failed one before it in its queue), told (its queue has told that it failed), event (the object; nil once
-- the script has closed or dropped it). A user event is one too, with state: "unset", "complete", "failed".
local model = {}

-- ---- commands ----

--- Whether a user event that is not set keeps a command from beginning.
function model.is_gated(command)
  if command.state then return command.state == "unset" end
  for gate in pairs(command.gates) do
    if gate.state == "unset" then return true end
  end
  return false
end

local function gate_failed(command)
  for gate in pairs(command.gates) do
    if gate.state == "failed" then return true end
  end
  return false
end

--- Whether a command is known to have failed.
function model.has_failed(command)
  if command.state then return command.state == "failed" end
  return command.behind ~= nil or gate_failed(command)
end

-- ---- queues: commands (all, in their order), in_order, last (in order: the newest; else the newest barrier) ----

local function untold_of(queue)
  for _, command in ipairs(queue.commands) do
    if model.has_failed(command) and not command.told then return command end
  end
  return nil
end

-- The failed command that whatever comes next comes behind; all: it waits for everything.
local function failure_before(queue, all)
  if queue.in_order or all then
    local found = untold_of(queue)
    if found then return found.behind or found end
  end
  local root = queue.last and (queue.last.behind or queue.last)
  return root and model.has_failed(root) and not root.told and root or nil
end

local function tell_all(queue)
  for _, command in ipairs(queue.commands) do
    if model.has_failed(command) then command.told = true end
  end
end

local function add_gates(to, command)
  for gate in pairs(command.state and {[command] = true} or command.gates) do
    if gate.state == "unset" then to[gate] = true end
  end
end

local function refused_waits(waits)
  for _, each in ipairs(waits) do
    if not each.event then return "was freed" end
  end
  for _, each in ipairs(waits) do
    if model.has_failed(each) then return "fail" end
  end
  return nil
end

--- A command that is not waited for: what its refusal says, or nil and the command.
-- @tparam table queue
-- @tparam table waits what it waits for
-- @tparam[opt] string kind "marker" or "barrier"
function model.enqueue(queue, waits, kind)
  local refusal = refused_waits(waits)
  if refusal then return refusal end
  local all = kind and #waits == 0
  local command = {queue = queue, gates = {}, behind = failure_before(queue, all)}
  if queue.last then add_gates(command.gates, queue.last) end
  for _, each in ipairs(waits) do add_gates(command.gates, each) end
  for _, each in ipairs(all and queue.commands or {}) do add_gates(command.gates, each) end
  queue.commands[#queue.commands + 1] = command
  if queue.in_order or kind == "barrier" then queue.last = command end
  return nil, command
end

--- One that is waited for at once: what its refusal says, or nil where it works.
function model.block(queue, waits)
  local refusal = refused_waits(waits)
  if refusal then return refusal end
  for _, each in ipairs(waits) do
    if model.is_gated(each) then return "the script cannot set" end
  end
  if queue.last and model.is_gated(queue.last) then return "the script cannot set" end
  local root = failure_before(queue, false)
  if not root then return nil end
  if queue.in_order then tell_all(queue) else root.told = true end
  return "is behind"
end

--- queue:finish(): what it raises, or nil.
function model.finish(queue)
  for _, command in ipairs(queue.commands) do
    if model.is_gated(command) then return "" end
  end
  local untold = untold_of(queue)
  tell_all(queue)
  return untold and "fail" or nil
end

--- event:wait(): what it raises, or nil.
function model.wait(command)
  if model.has_failed(command) then return "fail" end
  return model.is_gated(command) and "the script cannot set" or nil
end

-- ---- memory: log, a list of {command, apply}; apply(values) gives the values after it ----

-- Whether a command had its effect: true, false, or nil where nobody promises. PoCL never begins what waits for a user
-- event that fails, and runs what comes behind it, without waiting for what that would have waited for.
local function took_effect(command, pocl)
  if not model.has_failed(command) then return true end
  if pocl and not (command.behind and gate_failed(command)) then return command.behind ~= nil end
  return nil
end

--- What lies in memory.
-- @tparam table memory
-- @tparam int upto so many of its log's steps (all)
-- @tparam boolean pocl it is that driver
-- @treturn table nil where nobody can know
function model.values(memory, upto, pocl)
  local values = memory.initial
  for i = 1, upto or #memory.log do
    local step = memory.log[i]
    local effect = took_effect(step.command, pocl)
    if effect then
      values = step.apply(values, pocl)
    elseif effect == nil then
      values = nil
    end
  end
  return values
end

return model
