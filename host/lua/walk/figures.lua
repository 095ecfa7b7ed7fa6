--- How measured numbers are written.
-- @module clue.walk.figures
local figures = {}

--- Four digits that matter, no more.
-- @tparam ?number value
-- @treturn ?string
function figures.of(value)
  if not value then return nil end
  if value >= 1000 then return ("%.0f"):format(value) end
  if value >= 100 then return ("%.1f"):format(value) end
  if value >= 10 then return ("%.2f"):format(value) end
  if value >= 0.001 or value == 0 then return ("%.3f"):format(value) end
  return ("%.2g"):format(value)
end

--- A ratio: "12.3", "1.05", "0.02".
-- @tparam ?number value
-- @treturn ?string
function figures.ratio(value)
  return value and (value >= 10 and "%.1f" or value >= 0.1 and "%.2f" or "%.1g"):format(value) or nil
end

--- A fraction in percent.
-- @tparam number fraction
-- @treturn string
function figures.percent(fraction)
  return fraction > 9.99 and ">999" or ("%.0f"):format(fraction * 100)
end

--- Marks what is extrapolated, or computed from that.
-- @tparam ?string text
-- @tparam ?boolean extrapolated
-- @treturn ?string "~12.3"
function figures.marked(text, extrapolated)
  return text and (extrapolated and "~" or "") .. text or nil
end

return figures
