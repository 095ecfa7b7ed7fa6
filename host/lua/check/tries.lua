--- What `clue check` tries of a kernel besides what it assumes first: other numbers, other contents of memory, other
-- groups. Each try differs in one thing, so that a finding can say with what it appears.
-- @module clue.check.tries
local fillings = require "clue.check.fillings"
local groups = require "clue.check.groups"

local tries = {}

--- The values of numbers.
tries.values = {1, 0, 7, -1}

local function fits(number, value)
  return value >= 0 or not number.base:find "^u" and number.base ~= "bool"
end

local function add_fillings(list, of)
  if not of.memory then return end
  for i = 2, #fillings.list do
    list[#list + 1] = {filling = fillings.list[i].name, text = fillings.list[i].text}
  end
end

-- Each number by itself, then all at once.
local function add_values(list, numbers)
  for _, value in ipairs(tries.values) do
    local all, parts = {}, {}
    for _, number in ipairs(numbers) do
      if fits(number, value) then
        local text = ("%s = %d"):format(number.name, value)
        list[#list + 1] = {values = {[number.name] = value}, text = text}
        all[number.name], parts[#parts + 1] = value, text
      end
    end
    if #parts > 1 then list[#list + 1] = {values = all, text = table.concat(parts, ", ")} end
  end
end

local function add_groups(list, dimensions)
  for _, each in ipairs(groups.list) do
    local group = each[dimensions]
    list[#list + 1] = {group = group, text = "groups of " .. table.concat(group, " x ")}
  end
end

--- The tries of a kernel, without the first, which assumes what clue.check.launch says.
-- @tparam table of memory: whether contents of memory are invented; numbers: those that nobody gave, each with name and
--   base; groups: the number of dimensions, if groups of any size may be taken
-- @treturn {table,...} filling, values (by name), group: what is different; text: the same in words
function tries.list(of)
  local list = {}
  add_fillings(list, of)
  if of.groups then add_groups(list, of.groups) end
  add_values(list, of.numbers)
  return list
end

return tries
