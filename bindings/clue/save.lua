--- Writes a file in one step: an existing file is never left half-written, and two writers of the same path do not
-- disturb each other. The path keeps its nature: a link leads to the same file, the mode stays, and a FIFO or a
-- device is written to. So is a file that cannot be replaced: one that is mounted there, and a writable one in a folder
-- where this process may not make files. Those have no such protection.
-- @module clue.save
local binding = require "clue.binding"

-- Writes what produce(put) puts. put(...) returns nil once something could not be written.
local function write(path, produce)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local written = true
  produce(function(...)
    if written then written, why = file:write(...) end
    return written
  end)
  local closed, at_end = file:close()
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

--- Writes a temporary file beside the path and renames it. Raises what a content function raises. Leaves no temporary
-- file behind.
-- @tparam string path
-- @tparam string|function content a text; or content(path, write), which makes a file of that name, and on failure
--   returns nil and a reason: the results of write(produce), where produce(put) calls put(...) with texts
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
return function(path, content)
  if path:find("\0", 1, true) then return nil, path:gsub("%z.*", "") .. ": a file's name cannot contain a zero byte" end
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
