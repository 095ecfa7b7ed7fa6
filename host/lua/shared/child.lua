--- A child process, followed to its end: what it says is taken as it comes, and how it ended is put into words.
--
-- It ends with its follower: an error while it is followed, Ctrl-C among them, ends it with all that it started.
-- Results come through descriptor 3 of the child, which clue.shared.tell writes to.
--
--     local seen = child.start {arguments = {"/bin/ls"}, output = io.write}:follow()
--     if not seen:is_well() then print(select(2, seen:reason())) end
--
-- @module clue.shared.child
local binding = require "clue.binding"
local host = require "clue.options"
local json = require "dkjson"
local text = require "clue.text"

local child = {}

-- Bytes of its errors that are kept of a child: one that never stops talking must not fill this process.
local most_errors = 65536

local running = {} -- by the object

local function nothing() end

-- ---- one child ----

local Child = {}
Child.__index = Child

-- What gets each whole line of its results.
local function line_taker(options)
  if not options.results then return options.line or nothing end
  return function(line)
    local value = json.decode(line)
    if type(value) == "table" then options.results(value) end
  end
end

--- Starts a process; raises where that fails.
-- @tparam table options arguments: the program, a path, and its words; environment: {"NAME=VALUE", ...}; seconds,
--   memory: limits; input: true where something is sent; foreground: true where it has our own input and output. What
--   becomes of what it says, nothing where nothing is given: output(text), errors(text); line(text) or results(table):
--   each line of its results, as it is or read as JSON
-- @treturn Child with the fields state ("running", "exited", "signalled", "timeout", "memory"), value (the exit status
--   or the signal, once it has ended) and errors (the last 64 KiB of them)
function child.start(options)
  local with_results = options.line or options.results
  local number = binding.child_start {
    arguments = options.arguments, environment = options.environment, seconds = options.seconds,
    memory = options.memory, result_descriptor = with_results and 3, input = options.input,
    foreground = options.foreground,
  } or error(binding.error().text, 0)
  local self = setmetatable({number = number, options = options, take_line = line_taker(options), state = "running",
                             pending = "", errors = ""}, Child)
  running[self] = true
  return self
end

-- Passes on what came.
local function take(self)
  local errors = binding.child_take(self.number, "err")
  self.errors = (self.errors .. errors):sub(-most_errors)
  local on_output, on_errors = self.options.output or nothing, self.options.errors or nothing
  on_output(binding.child_take(self.number, "out"))
  on_errors(errors)
  self.pending = text.take_lines(self.pending .. binding.child_take(self.number, "result"), self.take_line)
end

--- Waits until it says something or ends, and passes on what it said.
-- @tparam[opt=0.2] number seconds to wait at most
-- @treturn boolean whether it still runs
function Child:step(seconds)
  self.state = binding.child_wait(self.number, seconds or 0.2) or error(binding.error().text, 0)
  if self.state ~= "running" then self.value = binding.child_value(self.number) end
  take(self)
  if self.state ~= "running" then self:close() end
  return self.state == "running"
end

--- Follows it to its end.
-- @tparam[opt=0.2] number seconds between two looks
-- @treturn Child itself
function Child:follow(seconds)
  local done, why = pcall(function()
    while self.state == "running" do self:step(seconds) end
  end)
  if done then return self end
  self:close()
  error(why, 0)
end

--- Begins its limit of time anew.
-- @tparam number seconds 0: none
function Child:limit(seconds)
  if running[self] then binding.child_limit(self.number, seconds) end
end

--- Sends it something to read.
-- @tparam ?string given nil: there is no more
-- @treturn boolean whether it took all of it
function Child:send(given)
  return running[self] and binding.child_send(self.number, given) == #(given or "") or false
end

--- Ends it, with all that it started; what it said until then can still be followed.
function Child:kill()
  if running[self] then binding.child_kill(self.number) end
end

--- Ends it at once where it still runs, and forgets it.
function Child:close()
  if running[self] then binding.child_close(self.number) end
  running[self] = nil
end

--- Ends all that still run.
function child.close_all()
  for self in pairs(running) do self:close() end
end

-- ---- how it ended ----

local signals = {
  [1] = "SIGHUP", [2] = "SIGINT", [3] = "SIGQUIT", [4] = "SIGILL", [5] = "SIGTRAP", [6] = "SIGABRT", [7] = "SIGBUS",
  [8] = "SIGFPE", [9] = "SIGKILL", [11] = "SIGSEGV", [13] = "SIGPIPE", [15] = "SIGTERM", [31] = "SIGSYS",
}

--- What a signal is called, as Linux counts them.
-- @tparam int number
-- @treturn string "SIGSEGV"
function child.signal_name(number)
  return signals[number] or "signal " .. number
end

--- Whether it did what it should.
-- @treturn boolean
function Child:is_well()
  return self.state == "exited" and self.value == 0
end

--- The exit status that a shell would give.
-- @treturn int 128 and more: the signal that ended it
function Child:status()
  return self.state == "signalled" and 128 + self.value or self.value
end

--- Why there is no result of it.
-- @treturn string in one or two words
-- @treturn string in a sentence without its subject
function Child:reason()
  if self.state == "timeout" then
    return "time limit", ("stopped after %g s (--time-limit)"):format(self.options.seconds)
  elseif self.state == "memory" then
    return "memory", ("stopped: more than %.0f MiB of memory"):format(self.options.memory / 2 ^ 20)
  elseif self.state == "signalled" then
    return "crashed", "crashed: killed by " .. child.signal_name(self.value)
  elseif self.value == 0 then
    return "no result", "ended without a result"
  end
  return "failed", ("failed with exit status %d"):format(self.value)
end

--- The last lines of its errors.
-- @tparam int most how many
-- @tparam[opt] string except a pattern: lines that have it do not count
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

--- The words that start clue.
-- @tparam table options device, quiet, strict: as @{clue.options} has them
-- @tparam {string,...} words behind clue's own options
-- @tparam[opt] {string,...} more words behind them
-- @treturn {string,...}
function child.clue(options, words, more)
  local line = {host.program}
  if options.device then
    line[2], line[3] = "--device", options.device
  end
  if options.quiet then line[#line + 1] = "--quiet" end
  if options.strict then line[#line + 1] = "--strict" end
  for _, word in ipairs(words) do line[#line + 1] = word end
  for _, word in ipairs(more or {}) do line[#line + 1] = word end
  return line
end

--- Has a function of one of clue's modules called in a child.
-- @tparam string module "clue.doctor.inside"
-- @tparam string name of its function
-- @tparam {string,...} words its arguments
-- @tparam table options as for @{start}, without arguments; device: a choice or nil
-- @treturn Child
function child.call(module, name, words, options)
  local quoted = {}
  for i, word in ipairs(words) do quoted[i] = ("%q"):format(word):gsub("\\\n", "\\n") end
  local program = ("require('%s').%s(%s)"):format(module, name, table.concat(quoted, ", "))
  options.arguments = child.clue({device = options.device, quiet = true}, {"-e", program})
  return child.start(options)
end

--- What a program writes to its standard output.
-- @tparam {string,...} arguments the program, a path, and its words
-- @tparam[opt] number seconds its limit
-- @treturn string
-- @treturn Child which has ended
function child.output_of(arguments, seconds)
  local parts = {}
  local seen = child.start {
    arguments = arguments, seconds = seconds, output = function(part) parts[#parts + 1] = part end,
  }:follow()
  return table.concat(parts), seen
end

--- What clue itself says to some words, where this process must not do it: drivers may crash.
-- @tparam {string,...} words
-- @tparam[opt] number seconds its limit
-- @treturn ?string nil where it failed
-- @treturn ?string what was wrong
function child.ask(words, seconds)
  local said, seen = child.output_of(child.clue({}, words), seconds)
  if seen:is_well() then return said end
  local complaint = text.trim_end(seen.errors):gsub("^clue %w+: ", "")
  if complaint ~= "" then return nil, complaint end
  return nil, (select(2, seen:reason()))
end

return child
