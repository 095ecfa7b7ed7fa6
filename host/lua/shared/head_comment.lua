--- The comment at the beginning of a script, which says what it is.
local open = require("clue.file").open

local head_comment = {}

--- Reads it. Raises if the file cannot be read.
-- @tparam string path
-- @treturn string its lines without the dashes; empty if there is none
function head_comment.read(path)
  local lines = {}
  local file, why = open(path)
  if not file then error(why, 0) end
  for line in file:lines() do
    local text = line:match "^%-%-+%s?(.*)$"
    if not text then break end
    lines[#lines + 1] = text
  end
  file:close()
  return table.concat(lines, "\n")
end

--- Its first sentence, on one line.
-- @tparam string comment
function head_comment.summary(comment)
  local text = comment:gsub("\n\n.*$", ""):gsub("%s+", " ")
  return (text .. " "):match "^(.-[^.]%.) " or text
end

return head_comment
