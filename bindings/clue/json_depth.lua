--- How deep lists and objects of a JSON text may be nested. dkjson calls itself for each of them, so a text that is
-- too deep for Lua's stack is refused before it is read.
-- @module clue.json_depth
local depths = {}

--- The most: every Lua has room for so many.
depths.most = 1000

--- Where a string ends.
-- @tparam string text
-- @tparam number at where the string begins
-- @treturn ?number the position after it, nil if it does not end
function depths.after_string(text, at)
  local byte
  repeat
    byte, at = text:match('(["\\])()', at + 1)
  until byte ~= "\\"
  return at
end

--- Finds where lists and objects are nested too deep.
-- @tparam string text need not be JSON
-- @treturn ?string what is wrong, nil if nothing is
function depths.too_deep(text)
  local depth, at = 0, text:find '["%[%]{}]'
  while at do
    local mark = text:sub(at, at)
    if mark == "[" or mark == "{" then depth = depth + 1 elseif mark ~= '"' then depth = depth - 1 end
    if depth > depths.most then
      return ("at byte %d, lists and objects are nested more than %d deep, which is the limit"):format(at, depths.most)
    end
    local after = mark == '"' and depths.after_string(text, at) or mark ~= '"' and at + 1
    at = after and text:find('["%[%]{}]', after)
  end
end

return depths
