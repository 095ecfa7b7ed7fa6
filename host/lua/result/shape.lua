--- Whether results, their documents and a walkthrough's description are of the kinds that clue shows. What a step
-- reports is examined before it is shown or written, a file of results and a walkthrough.lua as they are read.
local row_of = require "clue.result.row"

local shape = {}

-- ---- kinds ----
--
-- A kind is a type of Lua's, or kind(value, where), which returns what is wrong, beginning with the place `where`, such
-- as "rows[0]", or nil. What is not there is of any kind. Of the problems of several fields, the first by its text is
-- told: each run goes through a table in an order of its own.

--- Whether a value is a list.
-- @param value
function shape.is_list(value)
  return type(value) == "table" and (value[1] ~= nil or next(value) == nil)
end

local function first_of(problem, other)
  return problem and (not other or problem < other) and problem or other
end

local function wrong_fields(entry, where, kinds)
  local first
  for field, kind in pairs(kinds) do
    local value, at, problem = entry[field], where .. "." .. field, nil
    if value ~= nil and type(kind) == "string" then
      problem = type(value) ~= kind and ("%s is not a %s"):format(at, kind)
    elseif value ~= nil then
      problem = kind(value, at)
    end
    first = first_of(problem, first)
  end
  return first
end

-- The kind of a table with some fields, of which some must be there; further(entry, where) says what else is wrong.
local function object(kinds, needed, further)
  return function(entry, where)
    if type(entry) ~= "table" then return where .. " is not a table" end
    local problem = wrong_fields(entry, where, kinds)
    for _, field in ipairs(needed or {}) do
      problem = problem or entry[field] == nil and ("%s.%s is missing"):format(where, field)
    end
    return problem or further and further(entry, where) or nil
  end
end

-- The kind of a list of tables.
local function list_of(kind)
  return function(list, where)
    if list == nil then return nil end
    if not shape.is_list(list) then return where .. " is not a list" end
    for i, entry in ipairs(list) do
      local at = ("%s[%d]"):format(where, i - 1)
      local problem = type(entry) ~= "table" and at .. " is not an object" or kind(entry, at)
      if problem then return problem end
    end
  end
end

local function numbers(list, where)
  if not shape.is_list(list) then return where .. " is not a list" end
  local count = 0
  for key, value in pairs(list) do
    if type(key) ~= "number" or type(value) ~= "number" then return where .. " is not a list of numbers" end
    count = count + 1
  end
  if count ~= #list then return where .. " is not a list of numbers" end -- a null leaves a hole
end

local function words(list, where)
  if list ~= nil and not shape.is_list(list) then return where .. " is not a list" end
  for _, word in ipairs(list or {}) do
    if type(word) ~= "string" then return where .. " is not a list of texts" end
  end
end

-- The kind of a table with a value of a type for each name; said: that type, for messages.
local function each_of(of, said)
  return function(value, where)
    if type(value) ~= "table" then return where .. " is not a table" end
    local first
    for name, one in pairs(value) do
      first = first_of(type(one) ~= of and ("%s.%s is not a %s"):format(where, tostring(name), said), first)
    end
    return first
  end
end

local amounts = each_of("number", "number")

local function number_or_text(value, where)
  return type(value) ~= "number" and type(value) ~= "string" and where .. " is not a number or a text"
end

-- A number, text or boolean for each name.
local function values(value, where)
  if type(value) ~= "table" then return where .. " is not a table" end
  for name, each in pairs(value) do
    if type(name) ~= "string" or type(each) == "table" then return where .. " is not an object of values" end
  end
end

-- ---- a row ----

local function part_kind(value, where)
  if type(value) ~= "string" then return where .. " is not a string" end
  for _, name in ipairs(row_of.parts) do
    if name == value then return nil end
  end
  return where .. " is not a part of a run"
end

local function named(entry, where)
  return type(entry.name) ~= "string" and where .. ".name is missing" or nil
end

local launch = object({kernel = "string", launches = "number", items = "number", group = "number",
  at_once = "number"}, {}, function(it, where)
  return not (it.kernel and it.launches and it.items) and where .. " has no kernel, launches or items"
end)

local times = {runs = "number", flops = "number", bytes = "number", clock = "string", judged = part_kind,
               rate = "string", together = "boolean", launches = list_of(launch)}
for _, name in ipairs(row_of.parts) do times[name] = numbers end

local gain_kind = object({ratio = "number", low = "number", high = "number", pairs = "number", part = part_kind,
  before = numbers, now = numbers}, {"ratio", "over"}, function(it, where)
  return (it.low == nil) ~= (it.high == nil) and where .. " has only one end of an interval"
end)

local failed = object({word = "string", text = "string"}, {}, function(it, where)
  return not it.word and where .. " has no word"
end)

local check = object({verified = "boolean", text = "string"}, {}, function(it, where)
  return not it.verified and it.text == nil and where .. ".text is missing"
end)

local host = object {seconds = "number", name = "string"}

local published = object {on = "string", seconds = "number", rate = "number", unit = "string", ratio = "number",
                          computed = "boolean", text = "string"}

local row_kind = object({
  name = "string", study = "string", problem = "string", type = "string", skipped = "string", device = "table",
  change = "string", aside = "boolean", beyond = "boolean", best = "boolean", limit = "boolean", unlike = "boolean",
  moves = "string", tensor = "string", sweep = "table", notes = words, times = object(times), gain = gain_kind,
  failed = failed, check = check, host = host,
  beside = list_of(host), published = list_of(published), counts = object({sums = amounts, flops = "number"}, {"sums"}),
  programs = list_of(object {source = "string", options = "string"}),
}, {}, function(it, where)
  return type(it.number) ~= "number" and type(it.number) ~= "string" and where .. ".number is missing"
end)

local reported = object {expect = "table", decides = words}

--- What is wrong with a row as a step gives it to @{clue.walk.report}.
-- @param row
-- @tparam string where
-- @treturn ?string
function shape.reported(row, where)
  if type(row) ~= "table" then return where .. " is not a table" end
  return named(row, where) or row_kind(row, where) or reported(row, where)
end

-- ---- a walkthrough ----

local function is_pair(entry, where)
  local whole = type(entry[1]) == "string" and type(entry[2]) == "string"
  return not whole and where .. " is not a pair of texts" or nil
end

local walkthrough = {
  title = "string", about = "string", author = "string", language = "string", hardware = "string",
  headline = "string", figures = "string", year = number_or_text, from = "string", size = "string", sizes = "table",
  check_set = words,
  over = "table", libraries = "table", types = "table", forms = each_of("table", "list"),
  try = list_of(is_pair), links = list_of(is_pair), lessons = words,
}

--- What is wrong with what walkthrough.lua returns.
-- @tparam table it
-- @tparam string where
-- @treturn ?string
function shape.walkthrough(it, where) return wrong_fields(it, where, walkthrough) end

-- ---- a document ----

-- The point of a sweep.
local point = object {size = "string", options = "string", side = "string", set = values}

local run_kind = object({left_out = "table", rows = list_of(row_kind), point = function(value, where)
  return type(value) ~= "table" and where .. " is not an object" or point(value, where)
end}, {}, function(it, where) return type(it.device) ~= "string" and where .. ".device is missing" end)

local device = object {name = "string", address = "string", driver = "string"}

local limit = object({value = "number", unit = "string", group = "string", times = numbers}, {}, named)

local function configuration(p, where)
  return type(p) ~= "table" and where .. " is missing" or values(p, where)
end

local best = object({configuration = configuration, time = "number", metrics = amounts, runtimes = numbers},
  {"configuration", "time", "runtimes"})

local result = object({configuration = configuration, invalidity = "string", objectives = words,
                       measurements = list_of(function() end)}, {"configuration"})

local shapes = {}

shapes["clue walk"] = function(document)
  return wrong_fields(document.options or {}, "options", {set = words, build_options = words, size = "string"})
    or words(document.resumed, "resumed")
    or list_of(object({runs = list_of(run_kind)}, {}, function(it, where)
      return named(it, where) or shape.walkthrough(it, where)
    end))(document.walkthroughs, "walkthroughs")
end

shapes["clue peak"] = function(document)
  if document.limits then return list_of(limit)(document.limits, "limits") end
  return list_of(function(one, where)
    local whole = type(one.limits) == "table" and type(one.device) == "table"
    if not whole then return where .. " has no limits or no device" end
    return shapes["clue peak"](one) or device(one.device, where .. ".device")
  end)(document.devices, "devices")
end

shapes["clue tune"] = function(document)
  return wrong_fields(document, "it", {metadata = "table"})
    or wrong_fields(document.metadata or {}, "metadata", {device = "string", framework = "string"})
    or wrong_fields(document.clue, "clue", {name = "string", started = "string", device = device,
                                            tune_params = "table", best = list_of(best)})
    or list_of(result)(document.results, "results")
end

--- What is wrong with a document.
-- @tparam table document
-- @tparam string kind "clue walk", "clue peak" or "clue tune"
-- @treturn ?string
function shape.document(document, kind)
  if kind == "clue tune" then return shapes[kind](document) end
  return wrong_fields(document, "it", {machine = "table", options = "table", device = "table", clue = "string",
    started = "string", finished = "string"}) or device(document.device or {}, "device")
    or list_of(device)(document.devices, "devices") or shapes[kind](document)
end

return shape
