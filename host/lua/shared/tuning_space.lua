--- Recognises a space of `clue tune` by its text.
-- @module clue.shared.tuning_space
local literals = require "clue.literals"
local read_file = require("clue.file").read
local shown = require("clue.shared.shell").shown

local space = {}

local load_text = rawget(_G, "loadstring") or load

--- Whether a script is a space: its code sets tune_params, and it returns something. A return is the script's own, not
-- a function's, if the text before it compiles.
-- @tparam string text
-- @treturn boolean
function space.is(text)
  text = text:gsub("^#[^\n]*", "")
  local code = literals.mask(text)
  if not code:find "%f[%w_]tune_params%s*=" then return false end
  for first in code:gmatch "()%f[%w_]return%f[^%w_]" do
    if load_text(text:sub(1, first - 1)) then return true end
  end
  return false
end

--- Ends a message that a script did nothing by itself.
-- @tparam string path the script's
-- @treturn string "" if it is no space
function space.advice(path)
  local text = read_file(path)
  if not (text and space.is(text)) then return "" end
  return (": it is a tuning space, which `clue tune %s` searches"):format(shown(path))
end

return space
