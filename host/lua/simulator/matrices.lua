--- Follows which buffers hold matrices, in the process that `clue count` starts: an array with rows and columns
-- (array:reshape) gives them to the buffer that it is written to, or read from. Each launch then sends what is known of
-- its kernel's arguments.
local binding = require "clue.binding"
local follow = require("clue.shared.follow").after
local send = require("clue.shared.parent").send
local shape = require "clue.shape"

local matrices = {}

local shapes = {}    -- by buffer: rows, row_bytes
local arguments = {} -- by kernel, by index: the handle of a buffer

-- ---- which buffers hold what ----

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
    follow(name, function(done, buffer, offset, data, first, count)
      if done then note(buffer, data, offset, first, count) end
    end)
  end
  for _, name in ipairs {"queue_write", "queue_read"} do
    follow(name, function(done, _, buffer, offset, data, first, count)
      if done then note(buffer, data, offset, first, count) end
    end)
  end
  for _, name in ipairs {"buffer_create_from", "buffer_create_in"} do
    follow(name, function(buffer, _, data)
      if buffer then note(buffer, data, 0, 0, #data) end
    end)
  end
end

-- ---- which buffers a kernel gets ----

local function set(kernel, index, buffer)
  arguments[kernel] = arguments[kernel] or {}
  arguments[kernel][index] = buffer
end

local function follow_arguments()
  follow("kernel_set_object", function(done, kernel, index, object, offset)
    if done then set(kernel, index, (offset or 0) == 0 and object or nil) end
  end)
  follow("kernel_set_arguments", function(_, kernel, first, _, held, ...)
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

local function as_list(global)
  return type(global) == "table" and global or {global}
end

--- Starts to follow. Sends {matrix = {buffer, rows, row_bytes}} for each matrix, and after each launch {given =
-- {kernel, global, arguments = {{name, type, buffer, rows, row_bytes}, ...}}}: the arguments that are buffers.
function matrices.start()
  follow_transfers()
  follow_arguments()
  follow("queue_execute", function(event, _, kernel, _, _, global)
    if event then report(kernel, as_list(global)) end
  end)
  follow("kernel_execute", function(done, kernel, _, _, global)
    if done then report(kernel, as_list(global)) end
  end)
end

return matrices
