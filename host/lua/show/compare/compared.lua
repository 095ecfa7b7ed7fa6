--- What a comparison compares: A and B for two files, else one column for each device of each file; and the conditions
-- in which they differ: clue, machine, device, driver, options.
-- Parameters with one meaning everywhere: files, each with path, document and kind; column, of a comparison.
local device_at = require("clue.result.device").at
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local point = require "clue.result.point"

local compared = {}

-- ---- the devices of a file ----

local function of_walk(document)
  local runs = lists.flat(document.walkthroughs, function(walkthrough) return walkthrough.runs or {} end)
  return lists.map(lists.distinct(runs, function(run) return run.device end), function(run)
    return {device = (device_at(document, run.device)), of = document, finished = document.finished}
  end)
end

local function of_peak(document)
  if document.limits then return {{device = document.device or {}, of = document, finished = true}} end
  return lists.map(document.devices, function(one) return {device = one.device, of = one, finished = true} end)
end

-- T4 has the version of clue in its metadata, and no end of the run.
local function of_tune(document)
  local ours, about = document.clue, document.metadata or {}
  return {{device = ours.device or {name = about.device}, of = document, finished = true, started = ours.started,
           clue = (about.framework or ""):match "^clue (.+)$"}}
end

local readers = {["clue walk"] = of_walk, ["clue peak"] = of_peak, ["clue tune"] = of_tune}

-- ---- what tells columns of one device apart ----

local function stem(path)
  return path:match "([^/]+)%.json$" or path:match "[^/]+$" or path
end

-- With the folder.
local function long_stem(path)
  return path:match "([^/]+/[^/]+)%.json$" or path:match "[^/]+/[^/]+$" or path
end

local ways = {
  function(column) return stem(column.path) end,
  function(column) return long_stem(column.path) end,
  function(column) return column.address end,
  function(column) return ("%s %s"):format(stem(column.path), column.address) end,
}

-- What tells results apart where each row is one: the file, with its folder or the device's address if need be.
local file_ways = {ways[1], ways[2], ways[4], function(column)
  return ("%s %s"):format(long_stem(column.path), column.address)
end}

-- The first way that tells all of them apart.
local function telling(list, of)
  return lists.find(of, function(way) return #lists.distinct(list, way) == #list end) or of[#of]
end

-- The file, or the device's address in its file.
local function mark(same)
  local way = telling(same, ways)
  for _, column in ipairs(same) do column.mark, column.same = way(column), same end
end

-- Adds what readers are told of a column.
local function described(it, number, file)
  it.number, it.path, it.device = number, file.path, it.device or {}
  it.name, it.address = it.device.name or "an unknown device", it.device.address or "?"
  it.clue = it.clue or it.of.clue or file.document.clue
  if type(it.clue) ~= "string" then it.clue = nil end
  it.started, it.machine = it.started or it.of.started or file.document.started, it.of.machine
  it.finished = it.finished and true or false
  return it
end

--- A column for each device of some files.
-- @treturn {table,...} number, from 1 on; path; device (facts); name and address of the device; mark: what tells the
--   columns of one device apart, nil if there is one; same: these columns; file_name: what tells all
--   apart; of: the document, or its part for the device; clue, started (texts, nil if unknown), finished: false if the
--   run did not end; machine
function compared.of(files)
  local list = {}
  for _, file in ipairs(files) do
    for _, it in ipairs(readers[file.kind](file.document)) do list[#list + 1] = described(it, #list + 1, file) end
  end
  for _, same in ipairs(lists.grouped(list, function(column) return column.name end)) do
    if #same > 1 then mark(same) end
  end
  local way = telling(list, file_ways)
  for _, column in ipairs(list) do column.file_name = way(column) end
  return list
end

--- The columns of two files, whose devices are matched later.
-- @treturn {table,...} as for @{of}, with letter
function compared.pair(files)
  return lists.map(files, function(file, i)
    local document = file.document
    local finished = file.kind == "clue peak" or document.finished
    local letter = i == 1 and "A" or "B"
    return described({of = document, device = document.device, finished = finished, letter = letter}, i, file)
  end)
end

--- A column for one device of its document.
-- @tparam ?string address nil: for none
-- @treturn table device is nil for none
function compared.on(column, address)
  return {number = column.number, letter = column.letter, of = column.of,
          device = address and (device_at(column.of, address))}
end

-- Numbers as words; three that follow each other, and more, are one: "1 to 3".
local function in_words(numbers)
  local words, i = {}, 1
  while numbers[i] do
    local last = i
    while numbers[last + 1] == numbers[last] + 1 do last = last + 1 end
    if last < i + 2 then last = i end
    words[#words + 1] = last > i and ("%d to %d"):format(numbers[i], numbers[last]) or tostring(numbers[i])
    i = last + 1
  end
  return words
end

--- Some columns in words.
-- @tparam {table,...} list of all
-- @tparam {int,...} numbers
-- @tparam[opt="column"] string what they are
-- @treturn string "columns 1, 2 and 5 to 9", "column 2", "A and B"
function compared.named(list, numbers, what)
  local words = {}
  if not list[1].letter then words = in_words(numbers) end
  for i, number in ipairs(list[1].letter and numbers or {}) do words[i] = list[number].letter end
  local text = #words == 1 and words[1]
    or ("%s and %s"):format(table.concat(words, ", ", 1, #words - 1), words[#words])
  return list[1].letter and text or ("%s%s %s"):format(what or "column", #numbers == 1 and "" or "s", text)
end

-- ---- the documents of --json ----

--- What a column is, for a document.
function compared.about(column)
  return {number = column.number, mark = column.mark or column.letter, file = column.path,
          device = not column.letter and column.device or nil, clue = column.clue, options = column.of.options,
          started = column.started, finished = column.finished, machine = column.machine}
end

-- ---- the conditions ----

-- Numbers as in JSON: 48, not 48.0.
local function text_of(value)
  if not value or value == "" then return "-" end
  if value == true then return "yes" end
  if type(value) == "number" then return point.shown(value) end
  if type(value) == "table" then return "?" end
  return tostring(value)
end

-- A list of words; "''" for an empty one.
local function listed(words)
  if type(words) ~= "table" then return words end
  return table.concat(lists.map(words, function(word) return word == "" and "''" or tostring(word) end), ", ")
end

-- Assignments, whose order does not matter.
local function assignments(words)
  if type(words) ~= "table" then return words end
  local sorted = lists.map(words, tostring)
  table.sort(sorted)
  return table.concat(sorted, " ")
end

-- The values of each parameter of a tuner's space.
local function space_of(tune_params)
  if type(tune_params) ~= "table" then return nil end
  local words = {}
  for name, values in pairs(tune_params) do
    local shown = lists.map(type(values) == "table" and values or {values}, point.shown)
    words[#words + 1] = ("%s=%s"):format(tostring(name), table.concat(shown, ","))
  end
  return assignments(words)
end

local function machine(it) return it.machine or {} end
local function options(it) return it.of.options or {} end
local function tuner(it) return type(it.of.clue) == "table" and it.of.clue or {} end

local of_run = {
  {"clue", function(it) return it.clue end},
  {"system", function(it) return machine(it).system end},
  {"processor", function(it) return machine(it).processor end},
  {"cores", function(it) return machine(it).cores end},
  {"memory", function(it)
    local bytes = machine(it).memory
    return type(bytes) == "number" and figures.bytes(bytes)
  end},
  {"Lua", function(it) return machine(it).lua end},
  {"--size", function(it) return options(it).size end},
  {"--type", function(it) return options(it).type end},
  {"--set", function(it) return assignments(options(it).set) end},
  {"--options", function(it) return listed(options(it).build_options) end},
  {"CLUE_BUILD_OPTIONS", function(it) return options(it).environment end},
  {"--repeat", function(it) return options(it).repeats end},
  {"--until-stable", function(it) return options(it).until_stable end},
  {"tune_params", function(it) return space_of(tuner(it).tune_params) end},
  {"--strategy", function(it) return tuner(it).strategy end},
}

local of_device = {"kind", "platform", "platform_version", "version", "driver", "loader", "compute_units", "mhz"}

-- Adds a fact, with its text for each thing, unless all have the same.
local function add(list, what, things, get)
  local values = lists.map(things, function(thing) return text_of(get(thing)) end)
  local differ = lists.any(values, function(value) return value ~= values[1] end)
  if differ then list[#list + 1] = {what = what, values = values} end
end

--- The known facts in which devices differ, besides name and address.
-- @tparam {table,...} devices as in a document
-- @treturn {table,...} what; values: a text for each device, "-" if a device does not have it
function compared.devices(devices)
  local list = {}
  for _, name in ipairs(of_device) do
    add(list, (name:gsub("_", " ")), devices, function(device) return device[name] end)
  end
  return list
end

-- Whether columns of one device differ in a fact.
local function differs_within(same, fact)
  return lists.any(same, function(column) return fact.values[column.number] ~= fact.values[same[1].number] end)
end

--- The known facts in which columns differ. Those of the devices, such as the driver, are of interest only between
-- columns of one device.
-- @tparam {table,...} list of @{of} or @{pair}
-- @treturn {table,...} what; values: a text for each column, "-" if a column does not have it
function compared.conditions(list)
  local facts, devices = {}, {}
  for _, entry in ipairs(of_run) do add(facts, entry[1], list, entry[2]) end
  for c, column in ipairs(list) do devices[c] = column.device end
  for _, fact in ipairs(compared.devices(devices)) do
    local counts = lists.any(list, function(column) return column.same and differs_within(column.same, fact) end)
    if counts then facts[#facts + 1] = fact end
  end
  return facts
end

return compared
