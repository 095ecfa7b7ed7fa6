--- The colours of pictures of access in a terminal: each work-item has one, which it shares with at most one neighbour.
-- A picture is readable without them.
local LANES = 32

-- A hue's part of red, green or blue, as a level of the terminal's cube of 6 x 6 x 6 colours. Neighbours in the warp
-- have similar hues, and the last one is not the first again.
local function level(lane, from)
  local turn = math.abs((lane / LANES * 0.92 + from) % 1 * 6 - 3)
  return 2 + math.floor(3 * math.max(0, math.min(1, turn - 1)) + 0.5)
end

local function colour_of(lane)
  return 16 + 36 * level(lane, 0) + 6 * level(lane, 2 / 3) + level(lane, 1 / 3)
end

-- Black signs on the colour, so that it does not matter what the terminal's own background is. What is asked for first
-- is bold, and underlined if several ask for it.
local function codes(sign, lane)
  local weight = sign == "+" and "" or sign == "*" and "1;4;" or "1;"
  return ("%s48;5;%d;38;5;16"):format(weight, colour_of(lane))
end

--- Colours a line of a picture.
-- @tparam string text the line
-- @tparam ?string items for each character of the line, the sign of the work-item whose colour it has, or another
--   character; nil: the line has no cells
-- @treturn string
return function(text, items)
  if not items then return text end
  local parts = {}
  for i = 1, #text do
    local sign, lane = text:sub(i, i), tonumber(items:sub(i, i), LANES)
    parts[i] = lane and ("\27[%sm%s\27[0m"):format(codes(sign, lane), sign) or sign
  end
  return table.concat(parts)
end
