--- What `clue check` tries of a kernel besides what it assumes first: other numbers, other contents of memory, other
-- groups. Each try differs in one thing, so that a finding can say with what it appears.
local tries = {}

--- The values of numbers.
tries.values = {1, 0, 7, -1}

--- Groups of about 16, 64 and 256 work-items, each by the number of dimensions; not of 8 in each dimension, which is
-- assumed first.
tries.groups = {{{16}, {4, 4}, {4, 2, 2}}, {{64}, {8, 8}, {4, 4, 4}}, {{256}, {16, 16}, {8, 8, 4}}}

local function fits(number, value)
  return value >= 0 or not number.base:find "^u" and number.base ~= "bool"
end

local function add_fillings(list, of)
  if not of.memory then return end
  local fillings = require "clue.check.fillings" -- loads the core, which check_prelude must find unloaded
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
  for _, each in ipairs(tries.groups) do
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

-- ---- guesses ----

-- The plugin guesses values of numbers with which something may be wrong that no try showed, from addresses that are
-- affine (host/simulator/check/guesses.h). Kernels are launched with them, and only what is then found is told.
local MOST_PROOFS = 8 -- launches of a kernel

local function place_of(at)
  return at and ("%s:%s"):format(tostring(at.file), tostring(at.line)) or ""
end

local kinds = {["same value"] = "race", ["only atomics"] = "race", ["assumed size"] = "bounds"}

-- Of a race, it does not matter which place comes first.
local function key_of(it)
  local first, second = place_of(it.first), place_of(it.second)
  if second ~= "" and second < first then first, second = second, first end
  local kind = kinds[it.kind] or it.kind
  return table.concat({it.kernel, kind, first, kind == "race" and second or ""}, "|")
end

-- Whether the memory that an access would leave is as long as the kernel is told.
local function has_length(guess, assumed)
  for _, each in ipairs(assumed) do
    local argument = guess.argument and each.kernel == guess.kernel and each.arguments[guess.argument + 1]
    if argument then return argument.given end
  end
  return true
end

--- The tries that prove guesses.
-- @tparam {table,...} list guesses: kind, kernel, name (of the number), value, first and second (places: file, line);
--   argument: whose memory an access would leave
-- @tparam {table,...} found findings, which need no proof
-- @tparam {table,...} assumed of each kernel's launch
-- @treturn {table,...} as @{list} gives them, with kernel and proves
function tries.proofs(list, found, assumed)
  local proofs, known, launched, counts = {}, {}, {}, {}
  for _, finding in ipairs(found) do known[key_of(finding)] = true end
  for _, guess in ipairs(list) do
    local text = ("%s = %d"):format(guess.name, guess.value)
    local launch, count = guess.kernel .. " " .. text, counts[guess.kernel] or 0
    if not (known[key_of(guess)] or launched[launch]) and count < MOST_PROOFS and has_length(guess, assumed) then
      counts[guess.kernel], launched[launch] = count + 1, true
      proofs[#proofs + 1] = {kernel = guess.kernel, values = {[guess.name] = guess.value}, text = text, proves = true}
    end
  end
  return proofs
end

return tries
