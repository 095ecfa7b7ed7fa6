--- One configuration in a process that measures: builds its kernel, runs it, verifies it.
--
-- A configuration that fails raises {failed = word, text = sentence, ran = whether its kernel ran}; the words are those
-- of T4: "compile", "runtime", "correctness".
-- @module clue.tune.candidate
local array = require "clue.array"
local error_object = require "clue.error"

local unpack = unpack or table.unpack -- luacheck: ignore

local Candidate = {}
Candidate.__index = Candidate

local candidate = {}

local function fail(word, text, ...)
  error({failed = word, text = text:format(...), ran = word == "correctness"}, 0)
end

local function words_of(problem)
  return error_object.is(problem) and problem.text or tostring(problem)
end

-- Calls a function; what it raises is a failure of this kind.
local function attempt(word, work, ...)
  local done, result = pcall(work, ...)
  if done then return result end
  if type(result) == "table" and result.failed then error(result, 0) end
  return fail(word, "%s", words_of(result))
end

-- ---- preparing ----

local function shown(bytes)
  return bytes % 1024 == 0 and ("%.0f KiB"):format(bytes / 1024) or ("%.0f bytes"):format(bytes)
end

-- Names what the device lacks. The driver's own error comes at the launch, and may say less.
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
  if items > self.kernel.work_group_size then
    fail("runtime", "needs work-groups of %.0f, this kernel can run in groups of %.0f", items,
      self.kernel.work_group_size)
  end
end

local function build(self, description, p)
  local source, options = description:source(p), description:options(p)
  self.kernel = self.context:program(source, options):kernel(description.of.kernel_name)
end

-- Buffers for the arrays among the arguments; known ones are kept from one candidate to the next.
local function set_arguments(self, description, p, buffers)
  local arguments, kept = description:arguments(p, self.context), {}
  self.arrays, self.buffers = {}, {}
  local given, count = {}, 0
  for i, value in pairs(arguments) do
    count = math.max(count, i)
    given[i] = value
    if array.is(value) then
      kept[value] = buffers[value] or self.context:buffer(value)
      given[i], self.arrays[i], self.buffers[i] = kept[value], value, kept[value]
    end
  end
  for value, buffer in pairs(buffers) do
    if not kept[value] then buffer:close() end
    buffers[value] = kept[value]
  end
  for value, buffer in pairs(kept) do buffers[value] = buffer end
  self.kernel:set_args(unpack(given, 1, count))
end

local function prepare_kernel(self, description, p, buffers)
  attempt("compile", build, self, description, p)
  self.local_size, self.global_size = description:local_size(p), description:global_size(p)
  check_limits(self)
  attempt("runtime", set_arguments, self, description, p, buffers)
  function self.launch() return self.kernel(self.queue, self.global_size, self.local_size) end
end

--- Builds a configuration's kernel and sets its arguments.
-- @tparam Script description
-- @tparam table p configuration
-- @tparam queue queue
-- @tparam table buffers kept from one candidate to the next, by array
-- @treturn Candidate with launch(): enqueues it once and returns the event
function candidate.new(description, p, queue, buffers)
  local self = setmetatable({description = description, p = p, queue = queue, context = queue.context}, Candidate)
  if description.of.launch then
    self.arrays = {}
    self.launch = attempt("compile", description.of.launch, p, self.context, queue)
    if type(self.launch) ~= "function" then error("the space: launch must return a function", 0) end
  else
    prepare_kernel(self, description, p, buffers)
  end
  return self
end

-- ---- running ----

--- Gives the buffers their first contents, and runs once.
function Candidate:run()
  local done, problem = pcall(function()
    for i, values in pairs(self.arrays) do self.queue:write_buffer(self.buffers[i], values) end
    local event = self.launch()
    if event then event:wait() end
    self.queue:finish()
  end)
  if not done then error({failed = "runtime", text = words_of(problem), ran = true}, 0) end
end

--- The arrays after a run.
-- @treturn table array by the argument's number
function Candidate:results()
  local results = {}
  for i, values in pairs(self.arrays) do
    results[i] = values:copy()
    self.queue:read_buffer(self.buffers[i], results[i])
  end
  return results
end

local function describe_difference(i, result, expected, at)
  return ("argument %d differs from the answer, first at [%.0f]: %s instead of %s"):format(i, at, tostring(result[at]),
    tostring(expected[at]))
end

local function compare(self, answer)
  local results = self:results()
  for i, expected in pairs(answer) do
    if not results[i] then error(("the space: answer[%s] is not for an array argument"):format(tostring(i)), 0) end
    local same, at = results[i]:allclose(expected, self.description:tolerance())
    if not same then fail("correctness", "%s", describe_difference(i, results[i], expected, at)) end
  end
end

--- Runs once and verifies the results.
-- @tparam ?table answer expected arrays by the argument's number
function Candidate:verify(answer)
  self:run()
  local of = self.description.of
  if answer then compare(self, answer) end
  if not of.verify then return end
  local right, why
  if of.launch then
    right, why = of.verify(self.p, self.context, self.queue)
  else
    right, why = of.verify(self:results(), self.p)
  end
  if not right then fail("correctness", "%s", why and tostring(why) or "verify says that the results are wrong") end
end

return candidate
