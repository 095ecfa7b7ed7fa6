--- Writes a file in one step: what is there already is never lost half-written, and two who write the same path do
-- not meet. The path keeps what it is: a link leads where it led, the mode stays, and a FIFO or a device is written
-- into.
-- @module clue.save
local binding = require "clue.binding"

local function write(path, text)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local written, problem = file:write(text)
  local closed, at_end = file:close()
  return written and closed, problem or at_end
end

-- The reason, with the path that was asked for and none of ours.
local function told(path, to, why)
  local text = tostring(why or "the reason is not told")
  local first, last = text:find(to, 1, true)
  if first then text = text:sub(1, first - 1) .. path .. text:sub(last + 1) end
  return text:find(path, 1, true) and text or path .. ": " .. text
end

--- Makes a file beside the one that is wanted and puts it in its place. Raises what a function raised; nothing is left
-- behind.
-- @tparam string path
-- @tparam string|function content a text; or content(path), which writes a file of that name, and returns nil and a
--   reason where it cannot
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
return function(path, content)
  if path:find("\0", 1, true) then return nil, path:gsub("%z.*", "") .. ": no file has a zero byte in its name" end
  local to, target = binding.file_beside(path)
  if not to then return nil, binding.error().detail end
  local make = type(content) == "function" and content or function(name) return write(name, content) end
  local done, made, why = pcall(make, to)
  local placed, renamed = true, nil
  if done and made and to ~= target then placed, renamed = os.rename(to, target) end
  if done and made and placed then return true end
  if to ~= target then os.remove(to) end
  if not done then error(made, 0) end
  return nil, told(path, to, why or renamed)
end
