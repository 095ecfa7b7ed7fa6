--- Writes a file in one step: what is there already is never lost half-written.
-- @module clue.save

--- Writes a text beside the file and then in its place; a device such as /dev/stdout is written to directly.
-- @tparam string path
-- @tparam string text
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not
return function(path, text)
  local to = path:find "^/dev/" and path or path .. ".part"
  local file, why = io.open(to, "wb")
  if not file then return nil, why end
  local written, problem = file:write(text)
  local closed, at_end = file:close()
  local placed, renamed = true, nil
  if written and closed and to ~= path then placed, renamed = os.rename(to, path) end
  if written and closed and placed then return true end
  os.remove(to ~= path and to or "")
  return nil, problem or at_end or renamed or path
end
