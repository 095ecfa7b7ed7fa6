--- Launches what no script launches, in the process that `clue check` starts: the kernels of a .cl file, and a captured
-- call. What nobody said about a file's kernels is assumed, and told.
local arguments = require "clue.check.arguments"
local captured = require "clue.captured"
local cl = require "clue"
local failure = require "clue.failure"
local fillings = require "clue.check.fillings"
local group_for = require("clue.check.check_prelude").group_for
local lists = require "clue.shared.list"
local log_excerpt = require "clue.log_excerpt"
local misspelt = require "clue.misspelt"
local output = require "clue.output"
local parent = require "clue.shared.parent"
local tries = require "clue.check.tries"

local launch = {}

local refuse, send = parent.refuse, parent.send

-- Without sizes of their own, ranges of so many work-items in each dimension, by how many there are.
local RANGES = {{64}, {16, 16}, {8, 8, 8}}

-- ---- ranges ----

-- The dimensions that a kernel asks its place in: the largest index of get_global_id and its like, from the kernel's
-- name to the next kernel.
local function dimensions_of(source, name)
  local first = source:find("kernel%s[^;{]-%f[%w_]" .. name .. "%s*%(") or 1
  local last = source:find("%f[%w_]_*kernel%s", first + 7) or #source
  local most = 0
  for index in source:sub(first, last):gmatch "get_[%a_]+%s*%(%s*([012])%s*%)" do
    most = math.max(most, tonumber(index))
  end
  return most + 1
end

-- The dimensions of the group that a kernel's attribute requires: 2 for 16 x 16 x 1.
local function dimensions_in(group)
  for i = #group, 2, -1 do
    if group[i] > 1 then return i end
  end
  return 1
end

local function required_by(kernel)
  local required = kernel.compile_work_group_size
  return required and required[1] and required[1] > 0 and required or nil
end

-- by: the size of groups, if it is given
local function range_of(spec, kernel, source, by)
  local fixed, global = required_by(kernel), spec.global
  if not global then
    global = RANGES[by and #by or math.max(dimensions_of(source, kernel.name), dimensions_in(fixed or {}))]
    local group = by or fixed or spec.group
    if group then
      local whole = {}
      for i, size in ipairs(global) do
        local its = group[i] or 1
        whole[i] = math.max(2, math.floor(size / its)) * its
      end
      global = whole
    end
  end
  local group = by
  if fixed and not by then
    group = {}
    for i in ipairs(global) do group[i] = fixed[i] end
  end
  return global, group
end

-- Whether the groups are what the command line says: those of --group may not divide the range, or the kernel's
-- attribute requires others.
local function is_given(spec, group)
  if spec["local"] or not spec.group then return spec["local"] ~= nil end
  for i, size in ipairs(group) do
    if size ~= (spec.group[i] or 1) then return false end
  end
  return true
end

-- ---- the launches of a kernel ----

-- Seconds of a kernel's tries, all together.
local MOST_SECONDS = 10

-- One launch. try: values, filling and group, as far as they differ from what is assumed first
local function run_kernel(state, spec, name, try)
  local kernel = state.program:kernel(name)
  local global, group = range_of(spec, kernel, state.source, spec["local"] or try.group)
  state.global, state.group = global, group or group_for(global, spec.group)
  state.values, state.filling = try.values or {}, try.filling or "counting"
  local assumed = arguments.set(state, kernel, spec.arguments)
  if try.first then
    send {assumed = {kernel = name, global = state.global, group = state.group, range_given = spec.global ~= nil,
                     group_given = is_given(spec, state.group), arguments = assumed}}
  end
  state.queue:ndrange_kernel(kernel, state.global, state.group)
  state.queue:finish()
end

-- Whether a range has two groups or more of a size, in each dimension where the group has several work-items.
local function holds(global, group)
  for i, size in ipairs(global) do
    local its = group[i] or 1
    if size % its ~= 0 or its > 1 and size == its then return false end
  end
  return true
end

-- What nobody gave of a kernel's launch, and so can be tried otherwise.
local function open_of(state, spec, name)
  local kernel = state.program:kernel(name)
  local open = {numbers = {}, memory = false}
  for _, argument in ipairs(kernel.arguments) do
    local value, number = spec.arguments[argument.name], arguments.number(state, argument)
    if number and not value then
      open.numbers[#open.numbers + 1] = {name = argument.name, base = number.base}
    elseif not number and type(value) ~= "string" then -- a number says how many elements there are, not which
      local qualifier = argument.address_qualifier
      open.memory = open.memory or qualifier == "global" or qualifier == "constant"
    end
  end
  local global = range_of(spec, kernel, state.source, spec["local"])
  open.groups = not (spec["local"] or spec.group or required_by(kernel)) and #global
  return open, global
end

local function tries_of(state, spec, name)
  if spec.tries == false then return {} end
  local open, global = open_of(state, spec, name)
  -- A larger range may not fit what the command line says of arguments.
  local is_fixed = spec.global or next(spec.arguments) or next(spec.fields)
  return lists.filter(tries.list(open), function(try)
    return not (try.group and is_fixed) or holds(global, try.group)
  end)
end

-- The tries of several kernels by turns: what hangs or takes long costs no other kernel its first. of_kernels: their
-- tries, by the order of names; proofs follow.
local function add_by_turns(work, names, of_kernels, proofs)
  local _, longest = lists.best(of_kernels, function(list) return #list end)
  for turn = 1, longest do
    for i, name in ipairs(names) do
      local try = of_kernels[i][turn]
      if try then
        try.kernel = name
        work[#work + 1] = try
      end
    end
  end
  for _, proof in ipairs(proofs or {}) do work[#work + 1] = proof end
  return work
end

-- The first launches of all kernels, then their tries.
local function plan(state, spec, names)
  local work, of_kernels = {}, {}
  for i, name in ipairs(names) do
    work[i] = {kernel = name, first = true, left = #names - i + 1}
    of_kernels[i] = tries_of(state, spec, name)
  end
  return add_by_turns(work, names, of_kernels, spec.proofs)
end

-- Launches a kernel once, by run(try). If it cannot be launched, says so the first time.
local function attempt(run, try)
  local done, why = pcall(run, try)
  if done then return end
  if type(why) == "table" and why.wrong then refuse("%s", why.wrong) end
  local text = failure.text(why)
  send {unlaunched = {kernel = try.kernel, why = text, first = try.first}}
end

-- ---- kernels of a file ----

local function names_of(program, wanted)
  if not wanted then return program.kernels end
  for _, name in ipairs(program.kernels) do
    if name == wanted then return {wanted} end
  end
  refuse("--kernel: %s", misspelt.unknown("kernel", wanted, program.kernels))
end

-- The names of a file's arguments, and of fields of those that are structs.
local function check_arguments(program, names, spec)
  local all = lists.flat(names, function(name) return program:kernel(name).arguments end)
  local list = lists.distinct(lists.map(all, function(argument) return argument.name end))
  local known = lists.set(list)
  for _, given in ipairs {spec.arguments, spec.fields} do
    for name in pairs(given) do
      if not known[name] then refuse("--arg: %s", misspelt.unknown("argument", name, list)) end
    end
  end
end

-- What is said of an error here: of a failed build only the log, since the call becomes a finding, which has the rest.
local function text_of(why)
  if not failure.is(why) then return tostring(why) end
  if not why.log then return why.text end
  send {raised = {text = why.text, name = why.call, uncaught = true}}
  return log_excerpt.text(why.log, "clue build --json")
end

-- Runs work; if it fails, says why and ends the process: there is no script whose lines a traceback could show.
local function plainly(work)
  local done, why = pcall(work)
  if done then return end
  output.err:write(text_of(why), "\n")
  os.exit(1, true)
end

-- Launches what is left of the work: from a number on, and without some kernels.
local function work_off(spec, work, run)
  local without, spent = lists.set(spec.without or {}), {}
  for index = spec.from or 1, #work do
    local try = work[index]
    local name = try.kernel
    if not without[name] and (try.first or (spent[name] or 0) < MOST_SECONDS) then
      send {try = {index = index, kernel = name, first = try.first, left = try.left, text = try.text,
                   values = try.values, filling = try.filling, group = try.group, proves = try.proves}}
      local begun = os.clock()
      attempt(run, try)
      if not try.first then spent[name] = (spent[name] or 0) + os.clock() - begun end
      collectgarbage() -- its buffers
    end
  end
  send {finished = #work}
end

local function run_file(spec)
  local context = cl.context()
  local state = {context = context, queue = context:queue(), source = cl.read_file(spec.path),
                 fields = spec.fields, options = {spec.options, include = spec.folders}}
  state.program = context:program(state.source, state.options)
  local names = names_of(state.program, spec.kernel)
  check_arguments(state.program, names, spec)
  work_off(spec, plan(state, spec, names), function(try) run_kernel(state, spec, try.kernel, try) end)
end

--- Builds a file and launches its kernels, each several times: see @{clue.check.tries}.
-- @tparam table spec path; kernel: the one to launch (nil: each); global, ["local"]: sizes; group: what to take for
--   ["local"] as far as it divides the range; arguments: by name, a number (of elements, or the value) or a .npy file;
--   fields: by name, a list of field and value; options, folders: for the compiler; tries: false for one launch each;
--   from: the launch to begin with; without: kernels that are not launched; proofs: more tries, of
--   @{clue.check.tries.proofs}
function launch.file(spec)
  plainly(function() run_file(spec) end)
end

-- ---- captured calls ----

local function load_call(folder, context)
  local call = captured.load(folder)
  local state = {context = context, source = call:source(), options = {call.sources[1].options}}
  return {call = call, program = call:program(context), state = state}
end

-- What can be changed of a call.
local function open_of_call(its)
  local open = {numbers = {}, memory = false}
  for i, argument in ipairs(its.program:kernel(its.call.kernel).arguments) do
    local given = its.call.arguments[i]
    local number = given.kind == "value" and arguments.number(its.state, argument)
    if number then open.numbers[#open.numbers + 1] = {name = argument.name, base = number.base} end
    open.memory = open.memory or given.kind == "buffer" or given.kind == "image"
  end
  return open
end

-- One launch with what a try changes.
local function run_call(its, queue, try)
  local call = its.call
  local kernel, memory = its.program:kernel(call.kernel), call:memory(queue)
  for i in ipairs(try.filling and call.arguments or {}) do
    local contents = call:contents(i - 1, "before")
    memory.contents[i - 1] = contents and fillings.change(contents, try.filling, call.global[1], i)
  end
  memory:set(kernel)
  for i, argument in ipairs(kernel.arguments) do
    local value = try.values and try.values[argument.name]
    if value then kernel:set_arg(i - 1, value) end
  end
  queue:ndrange_kernel(kernel, call.global, call.local_size, call.offset)
  queue:finish()
end

-- What was not captured, or cannot be built again, is left out.
local function run_calls(spec)
  local context = cl.context()
  local queue, calls, names, of_kernels = context:queue(), {}, {}, {}
  for _, folder in ipairs(spec.calls) do
    local loaded, its = pcall(load_call, folder, context)
    if loaded then
      local name = its.call.kernel
      calls[name], names[#names + 1], of_kernels[#of_kernels + 1] = its, name, tries.list(open_of_call(its))
    end
  end
  local work = add_by_turns({}, names, of_kernels, spec.proofs)
  work_off(spec, work, function(try) run_call(calls[try.kernel], queue, try) end)
end

--- Repeats captured calls with other numbers and other contents of memory.
-- @tparam table spec calls: their folders, of different kernels; from, without, proofs: as for @{launch.file}
function launch.calls(spec)
  plainly(function() run_calls(spec) end)
end

--- Repeats a captured call.
-- @tparam string folder
function launch.captured(folder)
  plainly(function()
    local call = captured.load(folder)
    local queue = cl.context():queue()
    local kernel = call:program(queue.context):kernel(call.kernel)
    call:memory(queue):set(kernel)
    queue:ndrange_kernel(kernel, call.global, call.local_size, call.offset)
    queue:finish()
  end)
end

return launch
