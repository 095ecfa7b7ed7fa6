--- How many lists and objects of a JSON text may lie within each other. dkjson calls itself for each: what lies deeper
-- than Lua's stack has room for is refused before it is read.
-- @module clue.json_depth
local depths = {}

--- The most: every Lua has the room, and none has it for any number.
depths.most = 1000

--- What stands behind a string.
-- @tparam string text
-- @tparam number at where the string begins
-- @treturn ?number nil where it does not end
function depths.after_string(text, at)
  local byte
  repeat
    byte, at = text:match('(["\\])()', at + 1)
  until byte ~= "\\"
  return at
end

--- Where a text has more lists and objects within each other than are read.
-- @tparam string text need be no JSON
-- @treturn ?string what is wrong, nil where nothing is
function depths.too_deep(text)
  local depth, at = 0, text:find '["%[%]{}]'
  while at do
    local mark = text:sub(at, at)
    if mark == "[" or mark == "{" then depth = depth + 1 elseif mark ~= '"' then depth = depth - 1 end
    if depth > depths.most then
      return ("at byte %d begins what lies in more than %d lists and objects; no more are read"):format(at, depths.most)
    end
    local after = mark == '"' and depths.after_string(text, at) or mark ~= '"' and at + 1
    at = after and text:find('["%[%]{}]', after)
  end
end

return depths
