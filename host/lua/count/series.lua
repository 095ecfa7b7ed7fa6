--- Finds a script's kernels again in its runs with other sizes, for `clue count --fit`.
--
-- A kernel may be launched at some sizes only, and in groups of another size at each. So kernels of one name are the
-- same if their groups are; if that leaves some without a like, but all runs have as many, if their places are.
local series = {}

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
local function counts(has)
  local least, most = math.huge, 0
  for _, kernels in ipairs(has) do least, most = math.min(least, #kernels), math.max(most, #kernels) end
  return least, most
end

local function is_whole(keys)
  for _, each in ipairs(keys) do
    local least, most = counts(each.has)
    if least < most then return false end
  end
  return true
end

-- Adds those of a key, one for each place.
local function add(list, has, in_groups)
  local _, most = counts(has)
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
function series.of(runs)
  local list = {}
  for _, of_name in ipairs(by_key(runs, name_of)) do
    local least, most = counts(of_name.has)
    local by_groups = by_key(of_name.has, groups_of)
    if most == 1 or least == most and not is_whole(by_groups) then
      add(list, of_name.has, false)
    else
      for _, of_groups in ipairs(by_groups) do add(list, of_groups.has, true) end
    end
  end
  return list
end

return series
