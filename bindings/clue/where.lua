--- The line of the script that called into clue, for messages.
local where = {}

local own_folder = debug.getinfo(1, "S").source:match("^(@.*)where%.lua$")

--- Whether a frame of the stack belongs to a script: written in Lua, and not clue's own.
-- @tparam table frame of debug.getinfo, with "S" and "l"
-- @treturn boolean
function where.is_script(frame)
  return frame.currentline > 0 and (own_folder == nil or frame.source:sub(1, #own_folder) ~= own_folder)
end

-- The first frame from a level on that is not clue's own, and the level after it, as this function counts.
local function script_frame(level)
  for at = level, math.huge do
    local frame = debug.getinfo(at, "Sl")
    if not frame then return nil end
    if where.is_script(frame) then return frame, at + 1 end
  end
end

--- The first line on the stack that is not clue's own.
-- @treturn ?string "script.lua:12", nil if no script is on the stack
-- @treturn ?string the same with the full name of the source, to distinguish names that are shortened alike
-- @treturn ?string the line that called the function in which it is: "line 20", or "main.lua:20" of another file
function where.line()
  local frame, level = script_frame(3)
  if not frame then return nil end
  local caller = script_frame(level)
  local from = caller and (caller.source == frame.source and "line " or caller.short_src .. ":") .. caller.currentline
  return frame.short_src .. ":" .. frame.currentline, frame.source .. ":" .. frame.currentline, from
end

--- The same, as the beginning of a message.
-- @treturn string "script.lua:12", "clue" if no script is on the stack
function where.label()
  local line = where.line()
  return line or "clue"
end

return where
