--- Keeps what a step builds: the source of every program as the compiler got it, and the device's facts about its
-- kernels. For --source, --diff and the report. And what a run launches: for its bottleneck.
-- @module clue.walk.recorder
local around = require("clue.shared.follow").around
local follow = require("clue.shared.follow").after
local is_asked = require("clue.kernel.registers").is_asked
local kernel = require "clue.kernel"

local recorder = {}

local properties = {"work_group_size", "local_mem_size", "preferred_work_group_size_multiple", "private_mem_size"}

local function facts_of(handle, name)
  local facts = {name = name}
  for _, property in ipairs(properties) do facts[property] = kernel.group_info(handle, property) or 0 end
  facts.local_arguments = {}
  for _, argument in ipairs(kernel.arguments(handle)) do
    if argument.address_qualifier == "local" then table.insert(facts.local_arguments, argument.name) end
  end
  return facts
end

-- The core adds the options of the environment to those of every program.
local function with_added(given)
  local added = os.getenv "CLUE_BUILD_OPTIONS" or ""
  return given .. (given ~= "" and added ~= "" and " " or "") .. added
end

local paused = false

--- Calls a function whose programs are not kept, because they are not the step's.
-- @tparam function run
-- @param ... its arguments
-- @return its result; what it raises goes on
function recorder.without(run, ...)
  paused = true
  local done, result = pcall(run, ...)
  paused = false
  if not done then error(result, 0) end
  return result
end

-- ---- launches ----

local names, launched = {}, nil -- of kernels by handle; the list that a launch is added to

local function product(sizes, dimensions)
  if type(sizes) == "number" then return sizes end
  local items, first = 1, sizes[0] and 0 or 1 -- a typed array counts from 0
  for i = first, first + dimensions - 1 do items = items * sizes[i] end
  return items
end

local function add_launch(handle, dimensions, global, group)
  local name = names[handle] or "?"
  local of = launched[name]
  if not of then
    of = {kernel = name, launches = 0, items = 0, local_memory = kernel.group_info(handle, "local_mem_size")}
    launched[name], launched[#launched + 1] = of, of
  end
  of.launches, of.items = of.launches + 1, of.items + product(global, dimensions)
  of.group = group and product(group, dimensions) or nil
end

local function follow_launches()
  follow("kernel_create", function(handle, _, name) names[handle or 0] = name end)
  around("kernel_execute", function(execute, handle, dimensions, offset, global, group)
    if launched then add_launch(handle, dimensions, global or 1, group) end
    return execute(handle, dimensions, offset, global, group)
  end)
  kernel.replace_execute(function(execute)
    return function(on, queue, object, handle, global, group, ...)
      if launched then add_launch(handle, type(global) == "number" and 1 or #global, global, group) end
      return execute(on, queue, object, handle, global, group, ...)
    end
  end)
end

--- Calls a function, and records what it launches.
-- @tparam function run
-- @treturn {table,...} for each kernel its name, launches, items (of all launches), group (work-items, nil if the
--   driver chooses) and local_memory (bytes of a group)
function recorder.launches(run)
  launched = {}
  local done, problem = pcall(run)
  local list = {}
  for i, each in ipairs(launched) do list[i] = each end
  launched = nil
  if not done then error(problem, 0) end
  return list
end

-- ---- programs ----

--- Starts to keep what is built.
-- @treturn {table,...} a list that grows: source, options, kernels (a list of name, the answers of
--   clGetKernelWorkGroupInfo, bytes or work-items, and local_arguments: the names of those in local memory, whose size
--   only a call tells)
function recorder.start()
  local programs, by_handle = {}, {}
  follow_launches()
  follow("program_create", function(handle, _, source, options)
    if not handle or paused or is_asked(source) then return end
    by_handle[handle] = {source = source, options = with_added(options or ""), kernels = {}}
    programs[#programs + 1] = by_handle[handle]
  end)
  follow("kernel_create", function(handle, program, name)
    local of = handle and by_handle[program]
    if of then of.kernels[#of.kernels + 1] = facts_of(handle, name) end
  end)
  return programs
end

return recorder
