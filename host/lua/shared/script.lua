--- What a script says of itself, as text: the comment at its beginning, and whether it is a space of `clue tune`.
-- @module clue.shared.script
local file = require "clue.file"
local shown = require("clue.shared.shell").shown

local script = {}

--- Reads the comment at its beginning. Raises if the file cannot be read.
-- @tparam string path
-- @treturn string its lines without the dashes; empty if there is none
function script.head_comment(path)
  local lines = {}
  local opened, why = file.open(path)
  if not opened then error(why, 0) end
  for line in opened:lines() do
    local text = line:match "^%-%-+%s?(.*)$"
    if not text then break end
    lines[#lines + 1] = text
  end
  opened:close()
  return table.concat(lines, "\n")
end

--- The first sentence of such a comment, on one line.
-- @tparam string comment
function script.summary(comment)
  local text = comment:gsub("\n\n.*$", ""):gsub("%s+", " ")
  return (text .. " "):match "^(.-[^.]%.) " or text
end

local load_text = rawget(_G, "loadstring") or load

--- Whether a script is a space of `clue tune`: its code sets tune_params, and it returns something. A return is the
-- script's own, not a function's, if the text before it compiles.
-- @tparam string text
-- @treturn boolean
function script.is_space(text)
  text = text:gsub("^#[^\n]*", "")
  local code = require("clue.literals").mask(text)
  if not code:find "%f[%w_]tune_params%s*=" then return false end
  for first in code:gmatch "()%f[%w_]return%f[^%w_]" do
    if load_text(text:sub(1, first - 1)) then return true end
  end
  return false
end

--- Ends a message that a script did nothing by itself.
-- @tparam string path the script's
-- @treturn string "" if it is no space
function script.space_advice(path)
  local text = file.read(path)
  if not (text and script.is_space(text)) then return "" end
  return (": it is a tuning space, which `clue tune %s` searches"):format(shown(path))
end

return script
