--- Writes a file in one step: what is there already is never lost half-written.
-- @module clue.save

local function write(path, text)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local written, problem = file:write(text)
  local closed, at_end = file:close()
  return written and closed, problem or at_end
end

-- The path stands in it once.
local function told(path, why)
  local text = tostring(why or "the reason is not told"):gsub("%.part", "")
  return text:find(path, 1, true) and text or path .. ": " .. text
end

--- Makes a file beside the one that is wanted and puts it in its place; a device such as /dev/stdout is written to
-- directly. Raises what a function raised; nothing is left behind.
-- @tparam string path
-- @tparam string|function content a text; or content(path), which writes a file of that name, and returns nil and a
--   reason where it cannot
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
return function(path, content)
  local to = path:find "^/dev/" and path or path .. ".part"
  local make = type(content) == "function" and content or function(name) return write(name, content) end
  local done, made, why = pcall(make, to)
  local placed, renamed = true, nil
  if done and made and to ~= path then placed, renamed = os.rename(to, path) end
  if done and made and placed then return true end
  if to ~= path then os.remove(to) end
  if not done then error(made, 0) end
  return nil, told(path, why or renamed)
end
