--- A model of commands that wait for user events: which of them must fail, which waits must be refused, and what memory
-- must contain afterwards. It follows the promises of clue.h and of the module clue.queue, not clue's own code.
--
-- A command has: queue; gates (all user events that it waits for, directly or not, and that were not set when it was
-- enqueued); behind (the failed command before it in its queue); reported (its queue has reported its failure); event
-- (the object; nil once the script has closed or dropped it). A user event counts as a command, with a state: "unset",
-- "complete" or "failed".
local model = {}

-- ---- commands ----

--- Whether a command still waits for a user event that is not set.
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

-- ---- queues: commands (all, in order), in_order, last (the newest; out of order, the newest barrier) ----

local function unreported_of(queue)
  for _, command in ipairs(queue.commands) do
    if model.has_failed(command) and not command.reported then return command end
  end
  return nil
end

-- The failed command that makes the queue's next command fail; all: the next command waits for all others.
local function failure_before(queue, all)
  if queue.in_order or all then
    local found = unreported_of(queue)
    if found then return found.behind or found end
  end
  local root = queue.last and (queue.last.behind or queue.last)
  return root and model.has_failed(root) and not root.reported and root or nil
end

local function report_all(queue)
  for _, command in ipairs(queue.commands) do
    if model.has_failed(command) then command.reported = true end
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

--- Enqueues a command and does not wait for it: gives part of the message if it is refused, or nil and the command.
-- @tparam table queue
-- @tparam table waits the commands that it waits for
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

--- Runs a command and waits for its end: gives part of the message if that is refused, otherwise nil.
function model.block(queue, waits)
  local refusal = refused_waits(waits)
  if refusal then return refusal end
  for _, each in ipairs(waits) do
    if model.is_gated(each) then return "the script cannot set" end
  end
  if queue.last and model.is_gated(queue.last) then return "the script cannot set" end
  local root = failure_before(queue, false)
  if not root then return nil end
  if queue.in_order then report_all(queue) else root.reported = true end
  return "is behind"
end

--- queue:finish(): gives part of the message that it raises, or nil.
function model.finish(queue)
  for _, command in ipairs(queue.commands) do
    if model.is_gated(command) then return "" end
  end
  local unreported = unreported_of(queue)
  report_all(queue)
  return unreported and "fail" or nil
end

--- event:wait(): gives part of the message that it raises, or nil.
function model.wait(command)
  if model.has_failed(command) then return "fail" end
  return model.is_gated(command) and "the script cannot set" or nil
end

-- ---- memory: log, a list of {command, apply}; apply(values) gives the values after the command ----

-- Whether a command had its effect: true, false, or nil if nothing is promised. PoCL never begins a command that waits
-- for a user event that fails. It runs the commands behind that one, without the waits that were before it.
local function took_effect(command, pocl)
  if not model.has_failed(command) then return true end
  if pocl and not (command.behind and gate_failed(command)) then return command.behind ~= nil end
  return nil
end

--- The values that memory must have.
-- @tparam table memory
-- @tparam int upto how many steps of its log count (all)
-- @tparam boolean pocl whether the driver is PoCL
-- @treturn table nil if they cannot be known
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
