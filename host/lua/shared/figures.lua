--- Formats measured numbers, in tables and reports alike. Formatting never distorts a number: the text can be read
-- back within half a unit of its fourth digit.
local numbers = require "clue.number"

local figures = {}

-- From which size on how many decimals show four significant digits.
local decimals = {{1000, 0}, {100, 1}, {10, 2}, {1, 3}, {0.1, 4}, {0.01, 5}, {0.001, 6}}

--- Four significant digits; all whole digits from 1000 on; an exponent outside 0.001 to 10 million.
-- @tparam ?number value
-- @treturn ?string "-" for what is not a number
function figures.number(value)
  if not value then return nil end
  if value ~= value or value == math.huge or value == -math.huge then return "-" end
  local size = math.abs(value)
  if size == 0 then return "0" end
  if size < 1e7 then
    for _, entry in ipairs(decimals) do
      if size >= entry[1] then return numbers.text("%." .. entry[2] .. "f", value) end
    end
  end
  return (numbers.text("%.3e", value):gsub("e%+?(-?)0*(%d)", "e%1%2"))
end

--- A ratio, "12.3", "1.05", "0.02": measurements are not more exact than two digits after the point.
-- @tparam ?number value
-- @treturn ?string
function figures.ratio(value)
  if not value then return nil end
  if not (value < 1e7 and value >= 1e-3) then return figures.number(value) end
  return numbers.text(value >= 100 and "%.0f" or value >= 10 and "%.1f" or value >= 0.1 and "%.2f" or "%.2g", value)
end

--- A fraction in percent.
-- @tparam number fraction
-- @treturn string ">999" for more
function figures.percent(fraction)
  return fraction > 9.99 and ">999" or ("%.0f"):format(fraction * 100)
end

--- A figure of a source, with the digits that the source prints: nothing is rounded, and no zeros are added.
-- @tparam ?number value
-- @treturn ?string
function figures.published(value)
  return value and numbers.text("%.14g", value) or nil
end

--- Milliseconds.
-- @tparam number seconds
-- @treturn string
function figures.milliseconds(seconds)
  return figures.number(seconds * 1000)
end

--- The unit of a rate of arithmetic, by the type of the numbers.
-- @tparam string type "float", "double", "half", "int", "long", "float4", ...
-- @treturn string "GFLOPS" for fractions, "GOPS" for whole numbers: 10^9 operations a second
function figures.arithmetic_unit(type)
  type = type:match "^%a*"
  return (type == "float" or type == "double" or type == "half") and "GFLOPS" or "GOPS"
end

--- Bytes, in the largest unit that fits.
-- @tparam number bytes
-- @treturn string "15.6 GiB"
function figures.bytes(bytes)
  local units, unit = {"bytes", "KiB", "MiB", "GiB", "TiB"}, 1
  while bytes >= 1024 and unit < #units do bytes, unit = bytes / 1024, unit + 1 end
  return ("%s %s"):format(numbers.text(bytes >= 100 and "%.0f" or "%.1f", bytes):gsub("%.0$", ""), units[unit])
end

--- Marks a text that is extrapolated, or computed from something extrapolated.
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
  return numbers.text("%.15g", value)
end

--- A year as a walkthrough gives it.
-- @tparam ?number|string value 2012, "about 2012"
-- @treturn ?string
function figures.year(value)
  return type(value) == "number" and figures.exact(value) or value
end

--- A range, as pages have it below a figure.
-- @tparam number least
-- @tparam number most
-- @tparam function write write(value): one of the above
-- @treturn string "1.98–2.11"
function figures.range(least, most, write)
  return ("%s–%s"):format(write(least), write(most))
end

local eighths = {"▏", "▎", "▍", "▌", "▋", "▊", "▉"}

--- A horizontal bar, to an eighth of a character.
-- @tparam number value 0 or more; 1 and more fill the width
-- @tparam int width characters
-- @treturn string as long as the value demands; empty for 0
function figures.bar(value, width)
  local parts = value > 0 and math.floor(math.min(1, value) * width * 8 + 0.5) or 0
  return ("█"):rep(math.floor(parts / 8)) .. (eighths[parts % 8] or "")
end

--- A share in words.
-- @tparam number part 0 to 1
-- @treturn string "1.6 %", "56 %"; "over 100 %" of a limit that was measured too low
function figures.share(part)
  if part > 1 then return "over 100 %" end
  return (part < 0.1 and "%.1f %%" or "%.0f %%"):format(part * 100)
end

return figures
