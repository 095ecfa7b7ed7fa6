--- Warnings on stderr for MQL5 calls that failed: once per script line and error code, repeats summed up at the
-- end. MQL5 code rarely asks what a call returned, so its failures must be seen without asking. --quiet silences
-- them.
local warn = {}

local seen = {} -- "source:line code" to the entry
local entries = {} -- in the order in which they came

local own_folder = debug.getinfo(1, "S").source:match("^(@.*)mql5[/\\]warn%.lua$")

local function is_script(frame)
  if frame.currentline < 0 then return false end
  return not own_folder or frame.source:sub(1, #own_folder) ~= own_folder
end

--- The line that called into clue: the first on the stack that is not clue's own.
-- @treturn string "script.lua:12", "clue" where no script is on the stack
-- @treturn string the same with the full name of the source, to tell apart what is shortened alike
function warn.where()
  for level = 2, math.huge do
    local frame = debug.getinfo(level, "Sl")
    if not frame then return "clue", "clue" end
    if is_script(frame) then
      return frame.short_src .. ":" .. frame.currentline, frame.source .. ":" .. frame.currentline
    end
  end
end

--- @treturn table what the host was started with: quiet, strict, device
function warn.options()
  return package.loaded["clue.options"] or {}
end

--- Writes lines of the host on stderr, after what stdout still holds.
-- @tparam string text
function warn.write(text)
  io.stdout:flush()
  io.stderr:write(text, "\n")
end

--- Warns of a failed call.
-- @tparam string name the function that failed
-- @tparam number code MQL5's
-- @tparam string message
-- @tparam[opt] string log of a build
function warn.failed(name, code, message, log)
  if warn.options().quiet then return end
  local where, source = warn.where()
  local key = source .. " " .. code
  if seen[key] then
    seen[key].repeats = seen[key].repeats + 1
    return
  end
  local entry = { where = where, name = name, repeats = 0 }
  seen[key] = entry
  entries[#entries + 1] = entry
  local more = log and log ~= "" and "\n" .. log:gsub("%s+$", "") or ""
  warn.write(("clue: %s: %s%s"):format(where, message, more))
end

--- Tells how often failures came again, and forgets them all.
function warn.summary()
  for _, entry in ipairs(entries) do
    if entry.repeats > 0 then
      local times = entry.repeats == 1 and "once more" or entry.repeats .. " more times"
      warn.write(("clue: %s: %s failed %s"):format(entry.where, entry.name, times))
    end
  end
  seen, entries = {}, {}
end

return warn
