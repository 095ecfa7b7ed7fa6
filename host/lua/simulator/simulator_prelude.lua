--- Runs in the process that @{clue.simulator.process} starts, before the script: reports its programs and matrices,
-- chooses the work-groups that the script leaves to the driver, and lets a walkthrough's step run once, without
-- measuring it.
--
-- The plugin in the same process reports each launch through the same descriptor.
local after = require("clue.shared.follow").after
local around = require("clue.shared.follow").around
local binding = require "clue.binding"
local bytes = require "clue.bytes"
local recorder = require "clue.build.recorder"
local FIRST_HANDLE = require("clue.mql5.properties").FIRST_HANDLE
local send = require("clue.shared.parent").send
local shape = require "clue.shape"

local prelude = {}

-- ---- work-groups ----

-- What most GPUs' drivers do: whole warps side by side, and up to 256 work-items.
local MOST, WARP = 256, 32

-- The group of a launch that gives none; set by start().
local choose

--- The largest divisor of a size.
-- @tparam int size
-- @tparam int most what it may be at most
-- @tparam int step of which it must be a multiple
-- @treturn ?int nil if there is none
function prelude.divisor(size, most, step)
  for by = most - most % step, 1, -step do
    if size % by == 0 then return by end
  end
end

-- The work-group for a range whose call gives none: the largest of up to 256 work-items that divides it, of whole
-- warps along the first dimension if there is such a one. Oclgrind itself would take groups of one work-item.
local function group_for(global)
  local left, group = MOST, {}
  for i, size in ipairs(global) do
    local most = math.min(left, size)
    group[i] = i == 1 and prelude.divisor(size, most, WARP) or prelude.divisor(size, most, 1) or 1
    left = math.floor(left / group[i])
  end
  return group
end

local REQUIRED = 0x11B1 -- CL_KERNEL_COMPILE_WORK_GROUP_SIZE

-- The group that a kernel's attribute requires; nil if it requires none.
local function required_group(kernel, dimensions)
  local answer = binding.kernel_group_bytes(kernel, REQUIRED)
  local sizes = answer and bytes.each(answer, 8) or {}
  if (sizes[1] or 0) == 0 then return nil end
  local group = {}
  for i = 1, dimensions do group[i] = sizes[i] end
  return group
end

-- The sizes of a call, which may be a number, a list or an array, as a list; nil if they are none for so many
-- dimensions. More of them do not count.
local function listed(sizes, dimensions)
  if type(sizes) == "number" then sizes = {sizes} end
  local is_array = binding.array_code(sizes) ~= nil
  local is_list = is_array or type(sizes) == "table"
  if not is_list or type(dimensions) ~= "number" or #sizes < dimensions then return nil end
  local list, before = {}, is_array and 1 or 0 -- an array counts from 0
  for i = 1, dimensions do list[i] = sizes[i - before] end
  return list
end

local function chosen_group(kernel, dimensions, global)
  local sizes = listed(global, dimensions)
  return sizes and (required_group(kernel, dimensions) or choose(sizes))
end

local function choose_groups()
  around("queue_execute", function(execute, queue, kernel, dimensions, offset, global, group, ...)
    return execute(queue, kernel, dimensions, offset, global, group or chosen_group(kernel, dimensions, global), ...)
  end)
  around("kernel_execute", function(execute, kernel, dimensions, offset, global, group)
    return execute(kernel, dimensions, offset, global, group or chosen_group(kernel, dimensions, global))
  end)
end

-- Oclgrind says that it is a CPU as well as a GPU. Where clue has a form of a kernel for each, the one for GPUs is
-- what the counts are about.
local TYPE, GPU = 0x1000, "\4\0\0\0\0\0\0\0"

local function be_a_gpu()
  around("device_bytes", function(ask, device, property)
    if property == TYPE then return GPU end
    return ask(device, property)
  end)
end

-- ---- devices ----

-- The simulator stands for every device that a script names, by a class, a text or a number.
local function be_every_device()
  local choice, ranking = require "clue.device_choice", require "clue.device_ranking"
  local function only(id)
    local is_device = type(id) == "number" and id >= 0 and id < FIRST_HANDLE
    return is_device and 0 or id
  end
  for _, name in ipairs {"device_bytes", "device_locate", "device_of"} do
    around(name, function(ask, id, ...) return ask(only(id), ...) end)
  end
  around("context_create", function(create, devices)
    return create {only(devices[1])} -- a context over several devices is one over the simulator
  end)
  function choice.resolve(machine) return {machine.devices[1]}, "the simulator stands for every device" end
  function ranking.best(devices) return devices[1], "the simulator stands for every device" end
end

-- ---- matrices ----

-- Which buffers hold matrices, for `clue count`: an array with rows and columns (array:reshape) gives them to the
-- buffer that it is written to, or read from. Each launch then sends what is known of its kernel's arguments.

local shapes = {}    -- by buffer: rows, row_bytes
local arguments = {} -- by kernel, by index: the handle of a buffer

-- Only the whole of an array has its rows.
local function note(buffer, data, offset, first, count)
  local rows, columns = shape.get(data)
  if not rows or offset ~= 0 or first ~= 0 or count ~= #data or count == 0 then return end
  local row_bytes, known = columns * data:bytes() / count, shapes[buffer]
  if known and known.rows == rows and known.row_bytes == row_bytes then return end
  shapes[buffer] = {rows = rows, row_bytes = row_bytes}
  send {matrix = {buffer = buffer, rows = rows, row_bytes = row_bytes}}
end

local function follow_transfers()
  for _, name in ipairs {"buffer_write", "buffer_read"} do
    after(name, function(done, buffer, offset, data, first, count)
      if done then note(buffer, data, offset, first, count) end
    end)
  end
  for _, name in ipairs {"queue_write", "queue_read"} do
    after(name, function(done, _, buffer, offset, data, first, count)
      if done then note(buffer, data, offset, first, count) end
    end)
  end
  for _, name in ipairs {"buffer_create_from", "buffer_create_in"} do
    after(name, function(buffer, _, data)
      if buffer then note(buffer, data, 0, 0, #data) end
    end)
  end
end

local function set(kernel, index, buffer)
  arguments[kernel] = arguments[kernel] or {}
  arguments[kernel][index] = buffer
end

local function follow_arguments()
  after("kernel_set_object", function(done, kernel, index, object, offset)
    if done then set(kernel, index, (offset or 0) == 0 and object or nil) end
  end)
  after("kernel_set_arguments", function(_, kernel, first, _, held, ...)
    for i = first, first + select("#", ...) - 1 do
      local given = select(i - first + 1, ...)
      if type(given) == "table" and held[i] == given then set(kernel, i, rawget(given, "handle")) end
    end
  end)
end

-- The type of an argument, and the rows of its buffer if they are known by now. A part of a buffer has none: the
-- simulator counts its bytes from the whole's beginning.
local function described(kernel, index, buffer)
  local name, type_name = binding.kernel_argument(kernel, index)
  if not name then return nil end -- the driver does not tell
  local is_whole = binding.buffer_offset(buffer) == 0
  local known = is_whole and shapes[buffer] or {}
  return {name = name, type = type_name, buffer = is_whole and buffer or nil, rows = known.rows,
          row_bytes = known.row_bytes}
end

local function report(kernel, global)
  local list = {}
  for index, buffer in pairs(arguments[kernel] or {}) do
    if binding.handle_kind(buffer) == "buffer" then list[#list + 1] = described(kernel, index, buffer) end
  end
  if list[1] then send {given = {kernel = binding.kernel_name(kernel), global = global, arguments = list}} end
end

-- Follows them. Sends {matrix = {buffer, rows, row_bytes}} for each matrix, and after each launch {given =
-- {kernel, global, arguments = {{name, type, buffer, rows, row_bytes}, ...}}}: the arguments that are buffers.
local function follow_matrices()
  follow_transfers()
  follow_arguments()
  after("queue_execute", function(event, _, kernel, dimensions, _, global)
    if event then report(kernel, listed(global, dimensions)) end
  end)
  after("kernel_execute", function(done, kernel, dimensions, _, global)
    if done then report(kernel, listed(global, dimensions)) end
  end)
end

--- Prepares the process.
-- @tparam table how step: whether the script is a walkthrough's step; group(global): the work-group of a launch that
--   gives none (default: group_for); matrices: whether to report the shapes of arguments
function prelude.start(how)
  choose = how.group or group_for
  be_a_gpu()
  be_every_device()
  choose_groups()
  if how.matrices then follow_matrices() end
  recorder.start()
  require("clue.timing.series").once = true
  if how.step then require("clue.walk.measure").once = true end
end

return prelude
