--- Files, read and written whole.
-- @module clue.file
local binding = require "clue.binding"

local file = {}

local MOST = 2 ^ 30 -- bytes: a file of zeros may claim any size, and would fill the memory

local function with_zero(path)
  return path:gsub("%z.*", "") .. ": a file's name cannot contain a zero byte"
end

-- ---- reading ----

--- Opens a file to read it: io.open(path, "rb"), but a folder, a FIFO, a socket or a device in its place is an error,
-- and is not waited for. Paths that the process was given (/dev/stdin, /dev/fd/3) are opened whatever they are.
-- @tparam string path
-- @treturn[1] file
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
function file.open(path)
  if path:find("\0", 1, true) then return nil, with_zero(path) end
  if not binding.file_check(path) then return nil, binding.error().detail end
  return io.open(path, "rb")
end

--- Reads a file without changes. What @{open} refuses is an error, and so is a file of more than 1 GiB.
-- @tparam string path
-- @treturn[1] string
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
function file.read(path)
  local opened, why = file.open(path)
  if not opened then return nil, why end
  local size = opened:seek "end" -- nil if it is a pipe that the process was given
  if size and size > MOST then
    opened:close()
    return nil, ("%s: it has %.0f bytes; at most %.0f are read"):format(path, size, MOST)
  end
  if size then opened:seek "set" end
  local text, problem = opened:read "*a"
  opened:close()
  if not text then return nil, ("%s: %s"):format(path, problem or "cannot be read") end
  return text
end

-- ---- writing ----

-- Writes what produce(put) puts. put(...) returns nil once something could not be written.
local function write(path, produce)
  local opened, why = io.open(path, "wb")
  if not opened then return nil, why end
  local written = true
  produce(function(...)
    if written then written, why = opened:write(...) end
    return written
  end)
  local closed, at_end = opened:close()
  return written and closed, why or at_end
end

local EBUSY, AT_ONCE = 16, 2 ^ 20 -- bytes

local function copy(from, to)
  local source, why = io.open(from, "rb")
  if not source then return nil, why end
  local unread
  local copied, unwritten = write(to, function(put)
    repeat
      local part, problem = source:read(AT_ONCE)
      if part then put(part) end
      unread = problem
    until not part
  end)
  source:close()
  return copied and not unread, unwritten or unread
end

-- Puts the complete file in its place. What is mounted there (a container's file that its host keeps) is written to.
local function place(made, target)
  local placed, why, number = os.rename(made, target)
  if placed or number ~= EBUSY then return placed, why end
  placed, why = copy(made, target)
  os.remove(made)
  return placed, why
end

-- The reason, with the path that was given instead of the temporary one.
local function problem_text(path, to, why)
  local text = tostring(why or "the system gave no reason")
  local first, last = text:find(to, 1, true)
  if first then text = text:sub(1, first - 1) .. path .. text:sub(last + 1) end
  return text:find(path, 1, true) and text or path .. ": " .. text
end

--- Writes a file in one step: a temporary one beside the path, which is renamed. An existing file is never left
-- half-written, and two writers of the same path do not disturb each other. The path keeps its nature: a link leads to
-- the same file, the mode stays, and a FIFO or a device is written to. So is a file that cannot be replaced: one that
-- is mounted there, and a writable one in a folder where this process may not make files. Those have no such
-- protection. Raises what a content function raises. Leaves no temporary file behind.
-- @tparam string path
-- @tparam string|function content a text; or content(path, write), which makes a file of that name, and on failure
--   returns nil and a reason: the results of write(produce), where produce(put) calls put(...) with texts
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
function file.save(path, content)
  if path:find("\0", 1, true) then return nil, with_zero(path) end
  local to, target = binding.file_beside(path)
  if not to then return nil, binding.error().detail end
  local function write_to(produce) return write(to, produce) end
  local make = type(content) == "function" and content
    or function() return write_to(function(put) put(content) end) end
  local done, made, why = pcall(make, to, write_to)
  local placed, renamed = true, nil
  if done and made and to ~= target then placed, renamed = place(to, target) end
  if done and made and placed then return true end
  if to ~= target then os.remove(to) end
  if not done then error(made, 0) end
  return nil, problem_text(path, to, why or renamed)
end

return file
