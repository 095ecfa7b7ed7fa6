--- Numbers as the report writes them. What is written can be read back: the page's test does.
-- @module clue.report.figures
local figures = {}

--- Four digits that matter.
-- @tparam number value
-- @treturn string
function figures.number(value)
  if value ~= value or value == math.huge or value == -math.huge then return "-" end
  local size = math.abs(value)
  if size >= 1e7 or size < 1e-3 and size > 0 then return (("%.3e"):format(value):gsub("e%+?(-?)0*(%d)", "e%1%2")) end
  if size >= 1000 then return ("%.0f"):format(value) end
  if size >= 100 then return ("%.1f"):format(value) end
  if size >= 10 then return ("%.2f"):format(value) end
  if size >= 1 or size == 0 then return ("%.3f"):format(value) end
  if size >= 0.1 then return ("%.4f"):format(value) end
  return ("%.4g"):format(value)
end

--- How many times as fast.
-- @tparam number value
-- @treturn string
function figures.ratio(value)
  if value >= 1e7 or value < 1e-3 then return figures.number(value) end
  return (value >= 100 and "%.0f" or value >= 10 and "%.1f" or value >= 0.1 and "%.2f" or "%.2g"):format(value)
end

--- Milliseconds.
-- @tparam number seconds
-- @treturn string
function figures.milliseconds(seconds)
  return figures.number(seconds * 1000)
end

--- Bytes, in the largest unit that fits.
-- @tparam number bytes
-- @treturn string
function figures.bytes(bytes)
  local units, unit = {"bytes", "KiB", "MiB", "GiB", "TiB"}, 1
  while bytes >= 1024 and unit < #units do bytes, unit = bytes / 1024, unit + 1 end
  return ("%.4g %s"):format(bytes, units[unit])
end

--- Marks what is extrapolated.
-- @tparam bool extrapolated
-- @tparam string text
-- @treturn string
function figures.told(extrapolated, text)
  return (extrapolated and "~" or "") .. text
end

--- An exact number for a machine to read.
-- @tparam number value
-- @treturn string
function figures.exact(value)
  return ("%.15g"):format(value)
end

return figures
