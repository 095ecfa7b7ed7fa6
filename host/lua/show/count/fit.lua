--- `clue count --fit`: finds a script's kernels again in its runs with other sizes, and formulas over the size.
local lists = require "clue.shared.list"

local fit = {}

local unpack = unpack or table.unpack -- luacheck: ignore

-- ---- the kernels of several runs ----
--
-- A kernel may be launched at some sizes only, and in groups of another size at each. So kernels of one name are the
-- same if their groups are; if that leaves some without a like, but all runs have as many, if their places are.

local function name_of(kernel)
  return kernel.kernel
end

local function groups_of(kernel)
  return table.concat(kernel["local"], " x ")
end

-- The kernels of all runs by a key, in the order of their first appearance: has[run] = {kernel, ...}.
local function by_key(runs, key_of)
  local all = {}
  for r, kernels in ipairs(runs) do
    for _, kernel in ipairs(kernels) do
      local key = key_of(kernel)
      if not all[key] then
        all[key] = {has = {}}
        for i in ipairs(runs) do all[key].has[i] = {} end
        all[#all + 1] = all[key]
      end
      table.insert(all[key].has[r], kernel)
    end
  end
  return all
end

-- The fewest and the most kernels of a run.
local function extent(has)
  local least, most = math.huge, 0
  for _, kernels in ipairs(has) do least, most = math.min(least, #kernels), math.max(most, #kernels) end
  return least, most
end

local function are_whole(keys)
  for _, each in ipairs(keys) do
    local least, most = extent(each.has)
    if least < most then return false end
  end
  return true
end

-- Adds those of a key, one for each place.
local function add_kernels(list, has, in_groups)
  local _, most = extent(has)
  for place = 1, most do
    local each = {runs = {}, missing = {}, place = most > 1 and place or nil}
    for r in ipairs(has) do
      local kernel = has[r][place]
      each.runs[r] = kernel
      if kernel then
        each.kernel, each.groups = kernel.kernel, in_groups and groups_of(kernel) or nil
      else
        each.missing[#each.missing + 1] = r
      end
    end
    list[#list + 1] = each
  end
end

--- Matches kernels.
-- @tparam {{table,...},...} runs the kernels of each run, see @{clue.result.counts}
-- @treturn {table,...} kernel (the name); groups: their size, as text, where the name alone does not tell; place: which
--   one of several that are alike, from 1; runs: the kernel in each run; missing: the numbers of the runs that have not
--   launched it
function fit.kernels(runs)
  local list = {}
  for _, of_name in ipairs(by_key(runs, name_of)) do
    local least, most = extent(of_name.has)
    local by_groups = by_key(of_name.has, groups_of)
    if most == 1 or least == most and not are_whole(by_groups) then
      add_kernels(list, of_name.has, false)
    else
      for _, of_groups in ipairs(by_groups) do add_kernels(list, of_groups.has, true) end
    end
  end
  return list
end

-- ---- formulas ----

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
  return lists.sum(terms, function(term) return term.factor * size ^ term.power end)
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
