--- A child process, followed to its end: passes on its output as it comes, and describes how it ended.
--
-- The child ends with its follower: an error while it is followed, such as Ctrl-C, ends it with all that it started.
-- Results come through descriptor 3 of the child, to which clue.shared.parent writes.
--
--     local seen = child.start {arguments = {"/bin/ls"}, output = io.write}:follow()
--     if not seen:is_well() then print(select(2, seen:reason())) end
local binding = require "clue.binding"
local clue_options = require "clue.options"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local text = require "clue.text"

local child = {}

-- Bytes of a child's errors to keep, so that a child that never stops writing does not fill this process's memory.
local most_errors = 65536

-- Bytes of a line of results: what is longer is no result, but what a damaged child writes.
local most_result = 2 ^ 24

local running = {} -- by the object

local function nothing() end

-- ---- one child ----

local Child = {}
Child.__index = Child

--- Starts a process. Raises if that fails.
-- @tparam table options arguments: the program, a path, and its words; environment: {"NAME=VALUE", ...}; seconds,
--   memory: limits; input: true if something is sent; foreground: true if it uses our own input and output. Output goes
--   to these functions, if they are given: output(text), errors(text); results(table): each of its results; idle: a
--   child with a time limit that for so many seconds neither says nor computes anything is stuck, and is ended
-- @treturn Child with the fields state ("running", "exited", "signalled", "timeout", "memory"), value (the exit
--   status or the signal, once it has ended) and errors (the last 64 KiB of them)
function child.start(options)
  local number = binding.child_start {
    arguments = options.arguments, environment = options.environment, seconds = options.seconds,
    memory = options.memory, result_descriptor = options.results and 3, input = options.input,
    foreground = options.foreground,
  } or error(binding.error().text, 0)
  local self = setmetatable({number = number, options = options, state = "running", pending = {}, pended = 0,
    errors = "", limited = (options.seconds or 0) > 0, looks = 0, next_look = 0}, Child)
  running[self] = true
  return self
end

-- Takes the results that came. Returns whether there was one.
local function take_results(self)
  local given, came = binding.child_take(self.number, "result"), false
  if given == "" then return false end
  self.pending[#self.pending + 1], self.pended = given, self.pended + #given
  if given:find("\n", 1, true) then
    local rest = text.take_lines(table.concat(self.pending), function(line)
      local value = json.read(line)
      if type(value) == "table" then self.options.results(value) end
      came = true
    end)
    self.pending, self.pended = {rest}, #rest
  elseif self.pended > most_result then
    self.pending, self.pended, self.babbles = {}, 0, true
    self:kill()
  end
  return came
end

-- Passes on what came. Returns whether there was a result.
local function take(self)
  local errors = binding.child_take(self.number, "err")
  self.errors = (self.errors .. errors):sub(-most_errors)
  local on_output, on_errors = self.options.output or nothing, self.options.errors or nothing
  on_output(binding.child_take(self.number, "out"))
  on_errors(errors)
  return take_results(self)
end

-- A kernel on a CPU that writes where it should not may have written over a lock: then all threads wait for each other
-- for ever. Looks are counted, not seconds: while this process or the machine is suspended, there are none.
local function end_if_stuck(self)
  local most, now = self.options.idle, binding.now()
  if not (most and self.limited) or now < self.next_look then return end
  self.next_look = now + 1
  local time = binding.child_time(self.number)
  self.looks = time >= 0 and time == self.time and self.looks + 1 or 0
  self.time = time
  if self.looks < most then return end
  self.stuck = true
  binding.child_kill(self.number)
end

--- Waits until the child writes something or ends, and passes on what it wrote.
-- @tparam[opt=0.2] number seconds the most to wait
-- @treturn boolean whether it is still running
function Child:step(seconds)
  self.state = binding.child_wait(self.number, seconds or 0.2) or error(binding.error().text, 0)
  if self.state ~= "running" then self.value = binding.child_value(self.number) end
  if take(self) then self.looks = 0 end
  if self.state == "running" then end_if_stuck(self) else self:close() end
  return self.state == "running"
end

--- Follows the child to its end.
-- @tparam[opt=0.2] number seconds between two checks
-- @treturn Child itself
function Child:follow(seconds)
  local done, why = pcall(function()
    while self.state == "running" do self:step(seconds) end
  end)
  if done then return self end
  self:close()
  error(why, 0)
end

--- Restarts the time limit.
-- @tparam number seconds 0: none
function Child:limit(seconds)
  if running[self] then binding.child_limit(self.number, seconds) end
  self.limited, self.looks = seconds > 0, 0
end

--- Sends the child something to read.
-- @tparam ?string given nil: the end of its input
-- @treturn boolean whether it took all of it
function Child:send(given)
  return running[self] and binding.child_send(self.number, given) == #(given or "") or false
end

--- Ends the child with all that it started. Its output until then can still be followed.
function Child:kill()
  if running[self] then binding.child_kill(self.number) end
end

--- Ends the child now if it is still running, and forgets it.
function Child:close()
  if running[self] then binding.child_close(self.number) end
  running[self] = nil
end

--- Ends all children that are still running.
function child.close_all()
  for self in pairs(running) do self:close() end
end

-- ---- how it ended ----

local signals = {
  [1] = "SIGHUP", [2] = "SIGINT", [3] = "SIGQUIT", [4] = "SIGILL", [5] = "SIGTRAP", [6] = "SIGABRT", [7] = "SIGBUS",
  [8] = "SIGFPE", [9] = "SIGKILL", [11] = "SIGSEGV", [13] = "SIGPIPE", [15] = "SIGTERM", [31] = "SIGSYS",
}

--- The name of a signal, by Linux's numbers.
-- @tparam int number
-- @treturn string "SIGSEGV"
function child.signal_name(number)
  return signals[number] or "signal " .. number
end

--- Whether the child succeeded.
function Child:is_well()
  return self.state == "exited" and self.value == 0
end

local crashes = {SIGILL = true, SIGABRT = true, SIGBUS = true, SIGFPE = true, SIGSEGV = true}

--- Whether it ended by a fault of its own, and not because somebody killed it.
function Child:has_crashed()
  return self.state == "signalled" and (self.stuck or self.babbles or crashes[child.signal_name(self.value)] == true)
end

--- The exit status as a shell would report it.
-- @treturn int 128 plus the signal, if a signal ended it
function Child:status()
  return self.state == "signalled" and 128 + self.value or self.value
end

--- Why the child has no result.
-- @treturn string in one or two words
-- @treturn string in a sentence without its subject
function Child:reason()
  if self.state == "timeout" then
    return "time limit", ("stopped after %g s (--time-limit)"):format(self.options.seconds)
  elseif self.state == "memory" then
    return "memory", ("stopped: more than %.0f MiB of memory"):format(self.options.memory / 2 ^ 20)
  elseif self.babbles then
    return "no result", ("wrote %.0f MiB that are no result, as if a kernel had written over its memory"):format(
      most_result / 2 ^ 20)
  elseif self.stuck then
    return "stuck", ("is stuck: for %d s, all its threads waited for each other, as if a kernel had written over "
      .. "memory of the driver"):format(self.options.idle)
  elseif self.state == "signalled" then
    return "crashed", "crashed: killed by " .. child.signal_name(self.value)
  elseif self.value == 0 then
    return "no result", "ended without a result"
  end
  return "failed", ("failed with exit status %d"):format(self.value)
end

--- The last lines of the child's errors.
-- @tparam int most how many
-- @tparam[opt] string except a pattern: lines that match it are left out
-- @treturn {string,...}
function Child:last_errors(most, except)
  local lines, last = {}, {}
  for line in self.errors:gmatch "[^\r\n]+" do
    if not (except and line:find(except)) then lines[#lines + 1] = line end
  end
  for i = math.max(1, #lines - most + 1), #lines do last[#last + 1] = lines[i] end
  return last
end

-- ---- children that run clue itself ----

--- The words of a command line that starts clue.
-- @tparam table options device, quiet, strict: as in @{clue.options}
-- @tparam {string,...} words to follow clue's own options
-- @tparam[opt] {string,...} more words after these
-- @treturn {string,...}
function child.clue(options, words, more)
  local line = {clue_options.program}
  if options.device then
    line[2], line[3] = "--device", options.device
  end
  if options.quiet then line[#line + 1] = "--quiet" end
  if options.strict then line[#line + 1] = "--strict" end
  return lists.joined(line, words, more)
end

--- Calls a function of one of clue's modules in a child.
-- @tparam string module "clue.doctor.questions"
-- @tparam string name of its function
-- @tparam {string,...} words its arguments
-- @tparam table options as for @{start}, without arguments; device: a choice or nil
-- @treturn Child
function child.call(module, name, words, options)
  local quoted = lists.map(words, function(word) return (("%q"):format(word):gsub("\\\n", "\\n")) end)
  local program = ("require('%s').%s(%s)"):format(module, name, table.concat(quoted, ", "))
  options.arguments = child.clue({device = options.device, quiet = true}, {"-e", program})
  return child.start(options)
end

--- How long a child may be idle whose kernels run on a device, see @{start}.
-- @tparam string kind of the device: "cpu", ...
-- @tparam string version CL_DEVICE_VERSION, in which a driver for other machines names itself
-- @treturn ?int seconds; nil: its kernels run elsewhere, and it may wait for them as long as it likes
function child.idle_on(kind, version)
  return kind == "cpu" and not version:find("pocl-remote:", 1, true) and 30 or nil
end

--- The standard output of a program.
-- @tparam {string,...} arguments the program, a path, and its words
-- @tparam[opt] number seconds its limit
-- @tparam[opt] {string,...} environment "NAME=VALUE", besides ours
-- @treturn string
-- @treturn Child which has ended
function child.output_of(arguments, seconds, environment)
  local parts = {}
  local seen = child.start {
    arguments = arguments, seconds = seconds, environment = environment,
    output = function(part) parts[#parts + 1] = part end,
  }:follow()
  return table.concat(parts), seen
end

--- The output of clue itself for some words, in a child because drivers may crash.
-- @tparam {string,...} words
-- @tparam[opt] number seconds its limit
-- @treturn ?string nil if it failed
-- @treturn ?string what was wrong
function child.ask(words, seconds)
  local said, seen = child.output_of(child.clue({}, words), seconds)
  if seen:is_well() then return said end
  local complaint = text.trim_end(seen.errors):gsub("^clue %w+: ", "")
  if complaint ~= "" then return nil, complaint end
  return nil, (select(2, seen:reason()))
end

--- Finds the devices that a command is for: no driver is loaded here.
-- @tparam ?string choice as for `clue devices`; nil: the one that a run takes
-- @tparam number seconds its limit
-- @treturn[1] {table,...} each as `clue devices --json` describes it
-- @treturn[2] nil
-- @treturn[2] string why there are none
function child.devices(choice, seconds)
  local words = {"devices", "--json"}
  if choice then words[3], words[4] = "--device", choice end
  local said, why = child.ask(words, seconds)
  local known = said and json.read(said)
  if not known then return nil, why or "`clue devices --json` gave no JSON" end
  return lists.flat(choice and known.chosen or {known.default.ordinal}, function(ordinal)
    return lists.filter(known.devices, function(each) return each.ordinal == ordinal end)
  end)
end

return child
