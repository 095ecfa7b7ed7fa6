--- How measured numbers are written, in tables and reports alike. Nothing rounds away what a number is: what is written
-- can be read back within half a unit of its fourth digit.
-- @module clue.shared.figures
local figures = {}

-- From which size on so many decimals show four digits that matter.
local decimals = {{1000, 0}, {100, 1}, {10, 2}, {1, 3}, {0.1, 4}, {0.01, 5}, {0.001, 6}}

--- Four digits that matter, all whole digits from 1000 on; with an exponent beyond 0.001 and 10 million.
-- @tparam ?number value
-- @treturn ?string "-" for what is no number
function figures.number(value)
  if not value then return nil end
  if value ~= value or value == math.huge or value == -math.huge then return "-" end
  local size = math.abs(value)
  if size == 0 then return "0" end
  if size < 1e7 then
    for _, entry in ipairs(decimals) do
      if size >= entry[1] then return ("%." .. entry[2] .. "f"):format(value) end
    end
  end
  return (("%.3e"):format(value):gsub("e%+?(-?)0*(%d)", "e%1%2"))
end

--- How many times as much, "12.3", "1.05", "0.02": two digits behind the point say all that measurements can.
-- @tparam ?number value
-- @treturn ?string
function figures.ratio(value)
  if not value then return nil end
  if not (value < 1e7 and value >= 1e-3) then return figures.number(value) end
  return (value >= 100 and "%.0f" or value >= 10 and "%.1f" or value >= 0.1 and "%.2f" or "%.2g"):format(value)
end

--- A fraction in percent.
-- @tparam number fraction
-- @treturn string ">999" for more
function figures.percent(fraction)
  return fraction > 9.99 and ">999" or ("%.0f"):format(fraction * 100)
end

--- Things counted.
-- @tparam int number
-- @tparam string thing one of them
-- @treturn string "1 step", "2 steps"
function figures.count(number, thing)
  return ("%d %s%s"):format(number, thing, number == 1 and "" or "s")
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

--- Marks what is extrapolated, or computed from that.
-- @tparam ?string text
-- @tparam ?boolean extrapolated
-- @treturn ?string "~12.3"
function figures.marked(text, extrapolated)
  return text and (extrapolated and "~" or "") .. text or nil
end

--- An exact number for a machine to read.
-- @tparam number value
-- @treturn string
function figures.exact(value)
  return ("%.15g"):format(value)
end

return figures
