--- The line of the script that called into clue, for messages.
local where = {}

local own_folder = debug.getinfo(1, "S").source:match("^(@.*)where%.lua$")

--- Whether a frame of the stack belongs to a script: written in Lua, and not clue's own.
-- @tparam table frame of debug.getinfo, with "S" and "l"
-- @treturn boolean
function where.is_script(frame)
  return frame.currentline > 0 and (own_folder == nil or frame.source:sub(1, #own_folder) ~= own_folder)
end

--- The first line on the stack that is not clue's own.
-- @treturn ?string "script.lua:12", nil if no script is on the stack
-- @treturn ?string the same with the full name of the source, to distinguish names that are shortened alike
function where.line()
  for level = 2, math.huge do
    local frame = debug.getinfo(level, "Sl")
    if not frame then return nil end
    if where.is_script(frame) then
      return frame.short_src .. ":" .. frame.currentline, frame.source .. ":" .. frame.currentline
    end
  end
end

--- The same, as the beginning of a message.
-- @treturn string "script.lua:12", "clue" if no script is on the stack
function where.label()
  return where.line() or "clue"
end

return where
