--- What the tries of a kernel say about a finding: with what it appears, and whether only an invented value causes it.
local findings = require "clue.check.findings"
local lists = require "clue.shared.list"

local trial = {}

--- Notes that a finding appeared in a try.
-- @tparam table finding
-- @tparam ?table try of @{clue.check.tries}, with its index; nil: of a script
function trial.found(finding, try)
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

local function differs(try, kinds)
  if try.first then return true end
  return lists.any(kinds, function(name) return try[name] end)
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

-- An index that invented data hold, or that an invented factor spreads too little: what is wrong there may be the
-- invention. An index outside, or a divisor of 0, may come from any invented number.
local function invention(finding, first, done)
  if is_of_groups(finding, first, done) then return "groups" end
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

local function complete(finding, done)
  local first = finding.tries and first_of(finding)
  if first then
    finding.with, finding.proved = first.text, first.proves
    if findings.counts(finding) and not is_script(first) then finding.invented = invention(finding, first, done) end
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
function trial.judge(list, done)
  local kept, notes = {}, {}
  for _, finding in ipairs(list) do complete(finding, done) end
  local known = unwritten(list)
  for _, finding in ipairs(list) do
    local into = findings.counts(finding) and kept or notes
    if not says_little(finding, known) then into[#into + 1] = finding end
  end
  for _, finding in ipairs(notes) do kept[#kept + 1] = finding end
  return kept
end

return trial
