--- Formulas over the size of a problem, from counts at a few sizes.

local fit = {}

local unpack = unpack or table.unpack -- luacheck: ignore

local MOST_POWER = 3

-- Solves for the coefficients of some powers that meet as many points (Gauss with pivots). Nil if there are none.
local function solve(powers, sizes, values)
  local count, rows = #powers, {}
  for i = 1, count do
    rows[i] = {}
    for k, power in ipairs(powers) do rows[i][k] = sizes[i] ^ power end
    rows[i][count + 1] = values[i]
  end
  for i = 1, count do
    local pivot = i
    for k = i + 1, count do
      if math.abs(rows[k][i]) > math.abs(rows[pivot][i]) then pivot = k end
    end
    rows[i], rows[pivot] = rows[pivot], rows[i]
    if rows[i][i] == 0 then return nil end
    for k = 1, count do
      local factor = k ~= i and rows[k][i] / rows[i][i] or 0
      for column = i, factor ~= 0 and count + 1 or 0 do
        rows[k][column] = rows[k][column] - factor * rows[i][column]
      end
    end
  end
  local coefficients = {}
  for i = 1, count do coefficients[i] = rows[i][count + 1] / rows[i][i] end
  return coefficients
end

local function evaluate(terms, size)
  local sum = 0
  for _, term in ipairs(terms) do sum = sum + term.factor * size ^ term.power end
  return sum
end

local function deviation(terms, sizes, values)
  local worst = 0
  for i, size in ipairs(sizes) do
    worst = math.max(worst, math.abs(evaluate(terms, size) - values[i]) / math.max(1, math.abs(values[i])))
  end
  return worst
end

-- All sets of so many powers, the higher ones first.
local function sets_of(count, from, so_far, all)
  if #so_far == count then
    all[#all + 1] = so_far
    return all
  end
  for power = from, 0, -1 do
    local next_set = {unpack(so_far)}
    next_set[#next_set + 1] = power
    sets_of(count, power - 1, next_set, all)
  end
  return all
end

--- Finds a sum of powers of the size, n^3 to 1, that gives the counts: the one with the fewest terms.
-- @tparam {number,...} sizes different ones, three or more
-- @tparam {number,...} values
-- @treturn ?{table,...} terms: factor, power; nil if no sum of at most two terms gives all within 1 %, and none of
--   three, without a negative factor, exactly
function fit.terms(sizes, values)
  for count = 1, math.min(3, #sizes) do
    local best, least
    for _, powers in ipairs(sets_of(count, MOST_POWER, {}, {})) do
      local found = solve(powers, sizes, values)
      local terms, possible = {}, found ~= nil
      for i, power in ipairs(powers) do
        terms[i] = {factor = found and found[i] or 0, power = power}
        possible = possible and (terms[i].factor >= 0 or count < 3)
      end
      local off = possible and deviation(terms, sizes, values)
      if off and (not least or off < least) then best, least = terms, off end
    end
    if best and least <= (count < 3 and (count == 1 and 1e-9 or 0.01) or 1e-9) then return best end
  end
end

-- "2", "1/8", "0.3333"
local function factor_text(factor)
  if math.abs(factor - math.floor(factor + 0.5)) < 1e-9 * math.max(1, math.abs(factor)) then
    return ("%.0f"):format(factor)
  end
  for _, by in ipairs {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256} do
    local whole = math.floor(factor * by + 0.5)
    if whole ~= 0 and math.abs(factor * by - whole) < 1e-9 * by then return ("%.0f/%d"):format(whole, by) end
  end
  return ("%.4g"):format(factor)
end

local function power_text(power)
  return power == 0 and "" or power == 1 and "n" or "n^" .. power
end

--- A formula in words; it is an estimate for every other size.
-- @tparam {table,...} terms of @{terms}
-- @treturn string "~2 n^3 + n^2/8"
function fit.text(terms)
  local parts = {}
  for _, term in ipairs(terms) do
    local factor, power = factor_text(math.abs(term.factor)), power_text(term.power)
    local over = factor:match "^1(/%d+)$"
    local text = power == "" and factor or factor == "1" and power or over and power .. over or factor .. " " .. power
    if factor ~= "0" then
      local sign = term.factor < 0 and (parts[1] and " - " or "-") or parts[1] and " + " or ""
      parts[#parts + 1] = sign .. text
    end
  end
  return "~" .. (parts[1] and table.concat(parts) or "0")
end

return fit
