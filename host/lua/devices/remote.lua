--- Devices on other machines, as PoCL's remote driver shows them: which they are, and how long a tiny transfer takes.
--
-- The driver names itself at the end of a device's version ("... HSTR: pocl-remote: pthread-haswell"), in all PoCL
-- releases that have it (5.0 to 7.1). A device that is not remote costs a look at its version, which is known anyway.
--
-- Parameters with one meaning everywhere: device, of this process.
local binding = require "clue.binding"
local children = require "clue.shared.child"
local failure = require "clue.failure"
local info = require "clue.device_info"
local text = require "clue.text"

local remote = {}

-- Seconds for a child that measures: the server may hang, and some of that time is for the driver's start.
local LIMIT = 10
local MEASURED = 0.2

-- Where its server listens, told since PoCL 7.0.
local SERVER_IP, SERVER_PORT = 0x4503, 0x4504

local function is_remote(device)
  return (device.version or ""):find("pocl-remote:", 1, true) ~= nil
end

local function server_of(device)
  local ip, port = binding.device_bytes(device.ordinal, SERVER_IP), binding.device_bytes(device.ordinal, SERVER_PORT)
  if not (ip and port) then return nil end
  return ("%s:%d"):format(info.text(ip), require("clue.bytes").unsigned(port))
end

-- ---- in the child ----

local function measured(ordinal)
  local cl = require "clue"
  local context = cl.context(ordinal)
  local queue, number = context:queue(), cl.array.int(1)
  local buffer = context:buffer(number)
  return cl.time(function() queue:read_buffer(buffer, number) end, {seconds = MEASURED})
end

-- The call and its code, without advice for scripts.
local function words_of(problem)
  if not (failure.is(problem) and problem.call and problem.code) then return tostring(problem) end
  return ("%s: %s (%d)"):format(problem.call, problem.name, problem.code)
end

--- Measures the latency of a device, and sends it, or why it cannot, to the parent: the function of the child.
-- @tparam string ordinal
function remote.measure(ordinal)
  local send = require("clue.shared.parent").send
  local done, time = pcall(measured, tonumber(ordinal))
  if not done then return send {problem = words_of(time)} end
  send {latency = {median = time.median, low = time.low, high = time.high, rounds = time.rounds}}
end

-- ---- in the parent ----

-- Ends the child as soon as it has answered: the driver may take seconds to close its connections.
local function ask(device)
  local answer
  local measuring = children.call("clue.devices.remote", "measure", {("%d"):format(device.ordinal)}, {
    seconds = LIMIT, results = function(value) answer = value end,
  })
  while measuring.state == "running" and not answer do measuring:step() end
  measuring:close()
  if answer then return answer end
  if measuring.state == "timeout" then return {problem = ("it does not answer within %d s"):format(LIMIT)} end
  return {problem = "measuring it " .. select(2, measuring:reason())}
end

--- What there is to say of a remote device. Measures in a child.
-- @treturn ?table server: "127.0.0.1:7777", nil if the driver does not tell; latency in seconds: median, low and high
--   (10 and 90 % of the samples lie below), rounds; or problem: why it is not known. nil for any other device
function remote.facts(device)
  if not is_remote(device) then return nil end
  local answer = ask(device)
  return {server = server_of(device), latency = answer.latency, problem = answer.problem}
end

--- The same in a line.
-- @tparam table facts of @{facts}
function remote.line(device, facts)
  local server = facts.server and " at " .. facts.server or ""
  local where = ("device %d is remote, by PoCL-R%s"):format(device.ordinal, server)
  local latency = facts.latency
  if not latency then return ("%s; its latency is not known: %s"):format(where, facts.problem) end
  return ("%s; reading 4 bytes takes %s (10 to 90 %%: %s to %s)"):format(where, text.duration(latency.median),
    text.duration(latency.low), text.duration(latency.high))
end

return remote
