--- What `clue check` tries of a kernel besides what it assumes first: other numbers, other contents of memory, other
-- groups. Each try differs in one thing, so that a finding can say with what it appears,
-- and whether only an invented value causes it.
local findings = require "clue.check.findings"
local lists = require "clue.shared.list"

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

local kinds = {["same value"] = "race", ["only atomics"] = "race", ["assumed size"] = "bounds"}

local function key_of(it)
  local first, second = findings.lines(it)
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

-- ---- what tries say about a finding ----

--- Notes that a finding appeared in a try.
-- @tparam table finding
-- @tparam ?table try of @{list}, with its index; nil: of a script
function tries.found(finding, try)
  if not try then return end
  finding.tries = finding.tries or {}
  finding.tries[try.index] = try
end

-- The try that showed a finding first.
local function first_of(finding)
  local first
  for _, try in pairs(finding.tries) do
    if not first or try.index < first.index then first = try end
  end
  return first
end

local function differs(try, names)
  if try.first then return true end
  return lists.any(names, function(each) return try[each] end)
end

-- A script as it is: its numbers and data are its own.
local function is_script(try)
  return try.first and try.kernel == ""
end

-- Whether another try of the kernel, which differs in this only, did not show the finding.
local function is_missing(finding, done, ...)
  for _, try in ipairs(done) do
    local compared = (try.kernel == finding.kernel or is_script(try)) and not try.failed and differs(try, {...})
    if compared and not finding.tries[try.index] then return true end
  end
  return false
end

-- What the places of a finding are computed from: "data", "values" or "factors", as the plugin says.
local function from(finding, what)
  local names, any = {}, false
  for _, deed in ipairs {finding.first or {}, finding.second or {}} do
    local its = deed.from and deed.from[what]
    for _, name in ipairs(type(its) == "table" and its or {}) do names[name] = true end
    any = any or its ~= nil
  end
  return names, any
end

local function has_any(names, values)
  for name in pairs(values or {}) do
    if names[name] then return true end
  end
  return false
end

-- Whether any try gave one of these numbers.
local function is_tried(names, kernel, done)
  return lists.any(done, function(try) return try.kernel == kernel and has_any(names, try.values) end)
end

-- Whether a finding depends on the size of groups: a kernel whose index lies outside in groups of one size, or that
-- reads what is unwritten there, may be made for others.
local function is_of_groups(finding, first, done)
  if finding.kind ~= "bounds" and finding.kind ~= "uninitialised" then return false end
  return first.group ~= nil or first.groups ~= nil or first.first and is_missing(finding, done, "group")
end

local function key_of_try(finding, index) return finding.kernel .. "|" .. index end

-- The tries, by kernel, with groups for which it is not made: an index lies outside there, or what it reads is
-- unwritten.
local function unfit(list, done)
  local set = {}
  for _, finding in ipairs(list) do
    local first = finding.tries and findings.counts(finding) and first_of(finding)
    local is_so = first and not is_script(first) and is_of_groups(finding, first, done)
    for index, try in pairs(is_so and finding.tries or {}) do
      if try.group or try.groups or first.first then set[key_of_try(finding, index)] = true end
    end
  end
  return set
end

-- A tile that is as wide as groups are meant to be is left by wider ones, whose work-items then meet.
local function is_of_unfit(finding, set)
  for index in pairs(finding.tries) do
    if not set[key_of_try(finding, index)] then return false end
  end
  return finding.kind == "race"
end

-- Who is last by a counter, or first by a lock, is so if these begin at 0, which other invented data do not.
local function is_of_counters(finding, first, done)
  if finding.kind ~= "race" or not first.filling or first.filling == "zeros" then return false end
  return lists.any(done, function(try)
    return try.kernel == finding.kernel and try.filling == "zeros" and try.counters and not try.failed
      and not finding.tries[try.index]
  end)
end

-- An index that invented data hold, or that an invented factor spreads too little: what is wrong there may be the
-- invention. An index outside, or a divisor of 0, may come from any invented number.
local function invention(finding, first, done, unfit_tries)
  if is_of_groups(finding, first, done) or is_of_unfit(finding, unfit_tries) then return "groups" end
  if is_of_counters(finding, first, done) then return "data" end
  local _, by_data = from(finding, "data")
  if by_data and (finding.kind == "arithmetic" or is_missing(finding, done, "filling")) then return "data" end
  if not first.first and has_any((from(finding, "factors")), first.values) then return "numbers" end
  local by_numbers = finding.kind == "bounds" or finding.kind == "arithmetic"
  return by_numbers and is_tried((from(finding, "values")), finding.kernel, done)
    and is_missing(finding, done, "values") and "numbers" or nil
end

-- Of a variable that nobody wrote, the first launch says enough. What lies outside with numbers of a try was not meant
-- to be inside, unless it was looked for.
local function says_little(finding, known)
  if not finding.with or finding.proved and finding.invented then return false end
  if findings.counts(finding) then
    return finding.kind == "uninitialised" and known[finding.kernel .. finding.object.name]
  end
  return not finding.invented or finding.invented == "numbers" and finding.kind ~= "race"
end

-- The objects that are read unwritten in first launches.
local function unwritten(list)
  local known = {}
  for _, finding in ipairs(list) do
    local is_first = finding.kind == "uninitialised" and not finding.with
    if is_first then known[finding.kernel .. finding.object.name] = true end
  end
  return known
end

local function complete(finding, done, unfit_tries)
  local first = finding.tries and first_of(finding)
  if first then
    finding.with, finding.proved = first.text, first.proves
    if findings.counts(finding) and not is_script(first) then
      finding.invented = invention(finding, first, done, unfit_tries)
    end
  end
  for _, deed in ipairs {finding.first or {}, finding.second or {}} do deed.from = nil end
  finding.tries = nil
end

--- Judges merged findings of a file's kernels. Adds with: what is different from the first try where it appears; and
-- invented: "data", "numbers" or "groups", if only invented ones cause it, which makes it a note. Most notes that only
-- tries show say little, and are left out.
-- @tparam {table,...} list
-- @tparam {table,...} done the tries that ended; those that failed have failed
-- @treturn {table,...} what is left
function tries.judge(list, done)
  local kept, notes, unfit_tries = {}, {}, unfit(list, done)
  for _, finding in ipairs(list) do complete(finding, done, unfit_tries) end
  local known = unwritten(list)
  for _, finding in ipairs(list) do
    local into = findings.counts(finding) and kept or notes
    if not says_little(finding, known) then into[#into + 1] = finding end
  end
  for _, finding in ipairs(notes) do kept[#kept + 1] = finding end
  return kept
end

return tries
