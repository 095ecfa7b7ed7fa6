--- The numbers that a text has in digits, and the step numbers among them, which claim nothing but that there is such a
-- step. What is a name (HD 4870, float4, PoCL 3.1, `code`) is no number.
local numbers = {}

-- Names that end in a number, which is no claim.
local NAMES = {
  "HD %d+", "RTX %d+", "GTX? %d+", "GT %d+", "GeForce %d+ and %d+", "GeForce %d+", "Ryzen %d", "an 8800",
  "OpenCL C? ?%d%.[%dx]", "OpenCL C? ?%d%.%d", "since %d%.%d%f[%D]", "from %d%.%d%f[%D]", "fp64 of %d%.%d",
  "writes of %d%.%d",
  "CUDA %d+%.%d", "cuBLAS %d+%.%d", "PoCL %d%.%d", "OpenBLAS [%d%.]+", "SDK %d%.%d", "gcc [%d%.]+", "driver [%d%.]+",
  "Oclgrind [%d%.]+", "%d+ November %d%d%d%d", "November %d%d%d%d", "of 20[12]%d", "in 20%d%d", "Open MPI [%d%.]+",
  "VARIANT %d", "[Dd]imensions? %d and %d", "[Dd]imensions? %d", "part %d", "%d to %d bits? ", "3n %+ 1", "CUDA 13",
  "K80 ", "IEEE 754", "%f[%w]%d%-D%f[%W]", "%-%-%l+ %d+ %-%-%l+ %d+", "%-%-%l+ %d+",
}

local function blank(text, from, to)
  return text:sub(1, from - 1) .. ("_"):rep(to - from + 1) .. text:sub(to + 1)
end

-- The text with what is a name or code made unreadable, in the same places.
local function without_names(text)
  text = text:gsub("`[^`]*`", function(code) return ("_"):rep(#code) end)
  text = text:gsub("%]%b()", function(address) return ("_"):rep(#address) end)
  for _, name in ipairs(NAMES) do
    local from, to = text:find(name)
    while from do
      text = blank(text, from, to)
      from, to = text:find(name, to + 1)
    end
  end
  return text
end

-- ---- numbers of steps ----

local JOINTS = {"^, and ", "^, or ", "^, ", "^ and ", "^ or ", "^ to ", "^ against ", "^%-"}

local function step_at(text, at)
  local digits, letter, after = text:match("^(%d+)(%l?)()", at)
  if not digits or #digits > 2 or text:find("^[%w_]", after) or text:find("^%.%d", after) or text:find("^ x %d", after)
    or text:find("^ %%", after) or text:find("^:1", after) then return nil end
  return digits .. letter, after
end

-- The list of steps that begins at a place: their numbers, and where it ends.
local function list_at(text, at, is_step)
  local found = {}
  local number, after = step_at(text, at)
  while number and is_step(number) do
    found[#found + 1] = {number = number, from = at, to = after - 1}
    at = nil
    for _, joint in ipairs(JOINTS) do
      local _, to = text:find(joint, after)
      if to then
        at = to + 1
        break
      end
    end
    if not at then break end
    number, after = step_at(text, at)
  end
  return found
end

-- Adds the steps after each place that a pattern finds, which ends with an empty capture.
local function add_lists(found, text, pattern, is_step)
  for at in text:gmatch(pattern) do
    for _, each in ipairs(list_at(text, at, is_step)) do found[each.from] = each end
  end
end

local function steps_in(text, how)
  local found = {}
  local own = how.is_step or function() return false end
  add_lists(found, text, "%f[%a][Ss]teps?%s+()", own)
  for name, is_step in pairs(how.walkthroughs or {}) do
    add_lists(found, text, "%f[%w]" .. name .. "%s+()", is_step)
  end
  for at, name in text:gmatch "%f[%a][Ss]teps?%s+()[%d%l, ]- of (%l%w+)" do -- "Step 23 of mql5"
    local is_step = (how.walkthroughs or {})[name]
    for _, each in ipairs(is_step and list_at(text, at, is_step) or {}) do found[each.from] = each end
  end
  add_lists(found, text, "%*%*()", own)
  if how.is_cell then add_lists(found, text, "%f[%a]over ()", own) end
  for _, each in ipairs(how.first_is_step and list_at(text, 1, own) or {}) do found[each.from] = each end
  for at, list in text:gmatch(how.lists and "%(()([%d%l, ]+)%)" or "$^") do -- "(4, 13)"
    if list:gsub("%d+%l?", ""):gsub(" to ", ""):gsub(" and ", ""):gsub(", ", "") == "" then
      for _, each in ipairs(list_at(text, at, own)) do found[each.from] = each end
    end
  end
  return found
end

-- ---- all numbers ----

local function value_of(digits)
  local base, exponent = digits:match "^(%d+)%^(%d+)$"
  if base then return tonumber(base) ^ tonumber(exponent), 0 end
  local plain = digits:gsub(",", "")
  return tonumber(plain), #(plain:match "%.(%d+)$" or "")
end

-- "65,536" is a number, "13, 15" are two, and "1, 1".
local function digits_at(text, at)
  local power = text:match("^%d+%^%d+", at)
  if power then return power end
  local digits = text:match("^%d+", at)
  local after = at + #digits
  while text:find("^,%d%d%d%f[%D]", after) and #digits <= 3 + select(2, digits:gsub(",", "")) * 4 do
    digits = digits .. text:sub(after, after + 3)
    after = after + 4
  end
  return digits .. (text:match("^%.%d+", after) or "")
end

local function is_part_of_name(text, from, to)
  local before, after = text:sub(1, from - 1), text:sub(to + 1)
  return before:find "[%a_^]$" or before:find "[%a_]%-$" or before:find "%d%.$" or after:find "^[%a_]"
    and not after:find "^x%f[%W]" or after:find "^%-bit" or after:find "^%-D"
end

--- The numbers of a text.
-- @tparam string text on one line
-- @tparam[opt] table how is_step(number), whether the walkthrough has such a step; walkthroughs: the same by name;
--   first_is_step: whether the text may begin with a step's number; is_cell: whether "over 4" means a step; lists:
--   whether steps may be alone in parentheses
-- @treturn {table,...} digits, value, decimals, from, to, step (its number, if it names a step)
function numbers.of(text, how)
  local plain = without_names(text)
  local steps, list, at = steps_in(plain, how or {}), {}, 1
  while true do
    at = plain:find("%d", at)
    if not at then return list end
    local digits = digits_at(plain, at)
    local to = at + #digits - 1
    if steps[at] then
      list[#list + 1] = {digits = steps[at].number, from = at, to = steps[at].to, step = steps[at].number}
    elseif not is_part_of_name(plain, at, to) then
      local value, decimals = value_of(digits)
      list[#list + 1] = {digits = digits, value = value, decimals = decimals, from = at, to = to}
    end
    at = to + 1
  end
end

return numbers
