--- Bars in terminals.
local eighths = {"▏", "▎", "▍", "▌", "▋", "▊", "▉"}

--- A horizontal bar, to an eighth of a character.
-- @tparam number value 0 or more
-- @tparam number largest the value that fills the width
-- @tparam int width characters
-- @treturn string as long as the value demands; empty for 0
return function(value, largest, width)
  if not (value > 0 and largest > 0) then return "" end
  local parts = math.floor(math.min(1, value / largest) * width * 8 + 0.5)
  return ("█"):rep(math.floor(parts / 8)) .. (eighths[parts % 8] or "")
end
