--- The columns of a comparison: A and B for two files; else one for each device of each file.
-- Parameters with one meaning everywhere: files, each with path, document and kind; column, of a comparison.
local device_at = require("clue.result.device").at
local lists = require "clue.shared.list"

local columns = {}

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
function columns.of(files)
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
function columns.pair(files)
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
function columns.on(column, address)
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
function columns.named(list, numbers, what)
  local words = {}
  if not list[1].letter then words = in_words(numbers) end
  for i, number in ipairs(list[1].letter and numbers or {}) do words[i] = list[number].letter end
  local text = #words == 1 and words[1]
    or ("%s and %s"):format(table.concat(words, ", ", 1, #words - 1), words[#words])
  return list[1].letter and text or ("%s%s %s"):format(what or "column", #numbers == 1 and "" or "s", text)
end

-- ---- the documents of --json ----

--- What a column is, for a document.
function columns.about(column)
  return {number = column.number, mark = column.mark or column.letter, file = column.path,
          device = not column.letter and column.device or nil, clue = column.clue, options = column.of.options,
          started = column.started, finished = column.finished, machine = column.machine}
end

return columns
