--- One configuration in a process that measures: builds its kernel, runs it, verifies it.
--
-- A configuration that fails raises {failed = word, text = sentence, ran = whether its kernel ran}; the words are those
-- of T4: "compile", "runtime", "correctness".
local array = require "clue.array"
local contexts = require "clue.context"
local failure = require "clue.failure"
local log_excerpt = require "clue.log_excerpt"
local object = require "clue.object"
local output = require "clue.output"
local refuse = require("clue.shared.parent").refuse
local script = require "clue.tune.space_script"
local trim_end = require("clue.text").trim_end

local unpack = unpack or table.unpack -- luacheck: ignore

-- ---- arguments: those of a captured call (clue.captured) have the same methods ----

-- Behind each buffer, memory in which no kernel should write.
local guard = array.uchar(4096):fill(0xA5)

local Arguments = {}
Arguments.__index = Arguments

-- Makes the buffers of the arguments that a space lists; an array stands for one. buffers: those of the configuration
-- before, by array; this one's when the function returns.
local function new_arguments(list, queue, buffers, behind)
  local self, kept = setmetatable({arrays = {}, buffers = {}, given = {}, count = 0, queue = queue, guard = behind},
    Arguments), {}
  for i, value in pairs(list) do
    self.count = math.max(self.count, i)
    self.given[i] = value
    if array.is(value) then
      kept[value] = buffers[value] or queue.context:buffer(value:bytes() + (behind and #behind or 0))
      self.given[i], self.arrays[i], self.buffers[i] = kept[value], value, kept[value]
    end
  end
  for value, buffer in pairs(buffers) do
    if not kept[value] then buffer:close() end
    buffers[value] = kept[value]
  end
  for value, buffer in pairs(kept) do buffers[value] = buffer end
  return self
end

--- Sets all arguments of a kernel.
-- @tparam kernel kernel
function Arguments:set(kernel)
  kernel:set_args(unpack(self.given, 1, self.count))
end

--- Gives the buffers the elements of their arrays.
function Arguments:fill()
  for i, values in pairs(self.arrays) do
    self.queue:write_buffer(self.buffers[i], values)
    if self.guard then self.queue:write_buffer(self.buffers[i], self.guard, {offset = values:bytes()}) end
  end
end

--- Finds a buffer behind which the kernel wrote.
-- @treturn ?int the argument's number, from 1; nil: there is none
-- @treturn ?number the first byte that changed, from 0 behind the end
function Arguments:overrun()
  if not self.guard then return end
  local found = array.uchar(#guard)
  for i, values in pairs(self.arrays) do
    self.queue:read_buffer(self.buffers[i], found, {offset = values:bytes()})
    local at = found:compare(guard)
    if at then return i, at end
  end
end

--- Reads the buffers.
-- @treturn table array by the argument's number, from 1
function Arguments:read()
  local found = {}
  for i, values in pairs(self.arrays) do
    found[i] = values:copy()
    self.queue:read_buffer(self.buffers[i], found[i])
  end
  return found
end

-- ---- a configuration ----

local Candidate = {}
Candidate.__index = Candidate

local candidate = {}

local function fail(word, text, ...)
  error({failed = word, text = text:format(...), ran = word == "correctness"}, 0)
end

-- With what a compiler said, which the call's reason refers to. The place is one of clue's own.
local function words_of(problem)
  if not failure.is(problem) then return tostring(problem) end
  if (problem.log or "") == "" then return problem.text end
  return problem.text .. "\n" .. trim_end(log_excerpt.text(problem.log, "`clue check` of the space"))
end

-- Calls a function; what OpenCL refuses in it is a failure of this kind. Other errors are faults of the script.
local function attempt(word, work, ...)
  local done, result = failure.caught(work, ...)
  if done then return result end
  return fail(word, "%s", words_of(result))
end

-- ---- preparing ----

local function shown(bytes)
  return bytes % 1024 == 0 and ("%.0f KiB"):format(bytes / 1024) or ("%.0f bytes"):format(bytes)
end

-- Names what the device lacks. The driver's own error comes at the launch, and may say less. What the driver gives as
-- the largest work-group of this kernel is not asked for: some give 32 or 256, and run 1024.
local function check_limits(self)
  local device, items = self.context.device, 1
  for _, size in ipairs(self.local_size or {}) do items = items * size end
  if items > device.max_work_group_size then
    fail("runtime", "needs work-groups of %.0f, the device has %.0f", items, device.max_work_group_size)
  end
  local bytes = self.kernel.local_mem_size or 0
  if bytes > device.local_mem_size then
    fail("runtime", "needs %s of local memory, the device has %s", shown(bytes), shown(device.local_mem_size))
  end
end

local function build(self, description, p)
  self.kernel = description:program(p, self.context):kernel(description.of.kernel_name)
end

local function set_arguments(self, description, p, kept)
  local list = description:arguments(p, self.context)
  if list then
    kept.buffers = kept.buffers or {}
    self.arguments = new_arguments(list, self.queue, kept.buffers, not kept.unguarded and guard or nil)
  else
    kept.captured = kept.captured or description.captured:memory(self.queue)
    self.arguments = kept.captured
  end
  self.arguments:set(self.kernel)
end

local function prepare_kernel(self, description, p, kept)
  attempt("compile", build, self, description, p)
  self.local_size, self.global_size = description:local_size(p), description:global_size(p)
  check_limits(self)
  attempt("runtime", set_arguments, self, description, p, kept)
  local offset = description:offset()
  function self.launch()
    return self.queue:ndrange_kernel(self.kernel, self.global_size, self.local_size, offset)
  end
end

--- Builds a configuration's kernel and sets its arguments.
-- @tparam Script description
-- @tparam table p configuration
-- @tparam queue queue
-- @tparam table kept memory of the arguments: from one candidate to the next; unguarded: nothing is behind it
-- @treturn Candidate with launch(): enqueues it once and returns the event
function candidate.new(description, p, queue, kept)
  local self = setmetatable({description = description, p = p, queue = queue, context = queue.context}, Candidate)
  if description.of.launch then
    self.launch = attempt("compile", description.of.launch, p, self.context, queue)
    if type(self.launch) ~= "function" then error("the space: launch must return a function", 0) end
  else
    prepare_kernel(self, description, p, kept)
  end
  return self
end

-- ---- running ----

--- Gives the arguments' memory its first contents, and runs once.
function Candidate:run()
  local done, problem = pcall(function()
    if self.arguments then self.arguments:fill() end
    local event = self.launch()
    if object.kind(event) == "event" then event:wait() end
    self.queue:finish()
  end)
  if not done then error({failed = "runtime", text = words_of(problem), ran = true}, 0) end
end

--- The arrays after a run.
-- @treturn table array by the argument's number
function Candidate:results()
  return self.arguments:read()
end

-- "argument 0 'x'": as all of clue counts them, though a space's lists begin with 1.
local function named(self, i)
  local name = (self.kernel.arguments[i] or {}).name or ""
  return ("argument %d%s"):format(i - 1, name ~= "" and (" '%s'"):format(name) or "")
end

local function describe_difference(name, result, expected, at)
  return ("%s differs from the answer, first at [%.0f]: %s instead of %s"):format(name, at, tostring(result[at]),
    tostring(expected[at]))
end

local function compare(self, answer)
  local results = self:results()
  for i, expected in pairs(answer) do
    if not results[i] then
      error(("the space: answer[%s] is not for an argument that is memory"):format(tostring(i)), 0)
    end
    if not array.is(expected) then
      error(("the space: answer[%d] must be an array, not a %s"):format(i, type(expected)), 0)
    end
    if #expected ~= #results[i] then
      error(("the space: answer[%d] has %.0f elements, but the argument %.0f"):format(i, #expected, #results[i]), 0)
    end
    local same, at = results[i]:allclose(expected, self.description:tolerance())
    if not same then fail("correctness", "%s", describe_difference(named(self, i), results[i], expected, at)) end
  end
end

local function check_overrun(self)
  if not self.arguments or not self.arguments.overrun then return end -- the call's memory is as large as it was
  local i, at = self.arguments:overrun()
  if not i then return end
  fail("correctness", "the kernel writes behind the end of %s, %s", named(self, i),
    at == 0 and "at the first byte there" or ("%.0f bytes from there"):format(at))
end

--- Runs once and verifies the results.
-- @tparam ?table answer expected arrays by the argument's number
function Candidate:verify(answer)
  self:run()
  check_overrun(self)
  local of = self.description.of
  if answer then compare(self, answer) end
  if answer and next(answer) == nil and not of.verify then
    error("the space: the answer has no array, so nothing would be verified", 0)
  end
  if not of.verify then return end
  local right, why
  if of.launch then
    right, why = of.verify(self.p, self.context, self.queue)
  else
    right, why = of.verify(self:results(), self.p)
  end
  if type(right) == "number" then
    error(("the space: verify returned %s: return true or false (in Lua, 0 is true)"):format(tostring(right)), 0)
  end
  if not right then fail("correctness", "%s", why and tostring(why) or "verify says that the results are wrong") end
end

-- ---- for clue check ----

-- The value of a parameter that a word means.
local function meant(values, name, word)
  local known = {}
  for i, value in ipairs(values) do
    if tostring(value) == word then return value end
    known[i] = tostring(value)
  end
  refuse("--set %s=%s: its values are %s", name, word, table.concat(known, ", "))
end

local function value_of(space, name, word)
  for i, its in ipairs(space.names) do
    if its == name then return meant(space.values[i], name, word) end
  end
  refuse("--set %s: the space's parameters are %s", name, table.concat(space.names, ", "))
end

local function configuration(description, space, words)
  local p = space:configuration(description:first(space)[1] or 1)
  for _, word in ipairs(words) do
    local name, value = word:match "^([^=]*)=(.*)$"
    p[name] = value_of(space, name, value)
  end
  local why = space:why_not(p)
  if why then refuse("--set: %s", why) end
  return p
end

--- Runs one configuration of a space once, in the process that `clue check` starts. Ends the process with status 1 if
-- it fails.
-- @tparam table spec path, words and capture, as for @{clue.tune.space_script.load}; set: "NAME=VALUE", ... for
--   parameters that differ from the first configuration
function candidate.run_once(spec)
  local description = script.load(spec.path, spec)
  local p = configuration(description, description:space(), spec.set)
  local done, problem = pcall(function()
    local made = candidate.new(description, p, contexts.new():queue(), {unguarded = true})
    made:verify(description:answer())
  end)
  if done then return end
  if type(problem) ~= "table" or not problem.failed then error(problem, 0) end
  output.say(problem.text)
  os.exit(1, true)
end

return candidate
