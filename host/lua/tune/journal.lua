--- The journal of a run of `clue tune`: a line of JSON for every result, written at once, so that the next run can go
-- on where this one ended, however it ended.
-- @module clue.tune.journal
local json = require "dkjson"
local line_of = require("clue.shared.json").line

local Journal = {}
Journal.__index = Journal

local journal = {}

journal.format = "clue tune journal 1"

-- What has to be equal for results to be comparable.
local identity = {"name", "source", "device", "driver"}

--- What identifies a run.
-- @tparam Script script
-- @tparam Space space
-- @tparam table device facts
-- @treturn table name, source (the text, or what a function gives for the first configuration), device, driver
function journal.header(script, space, device)
  local source = script.of.source and script:source(space:configuration(1)) or ""
  return {format = journal.format, name = script.name, source = source, device = device.name, driver = device.driver}
end

--- Reads a journal. A last line that was cut off is left out.
-- @tparam string path
-- @treturn[1] table header, results: {table, ...}
-- @treturn[2] nil
-- @treturn[2] string why there is none
function journal.read(path)
  local file, why = io.open(path)
  if not file then return nil, why end
  local header, results = nil, {}
  for line in file:lines() do
    local value = json.decode(line)
    if type(value) == "table" and value.format then header = value end
    if type(value) == "table" and value.p then results[#results + 1] = value end
  end
  file:close()
  if not header or header.format ~= journal.format then
    return nil, ("%s: not a journal of clue tune"):format(path)
  end
  return {header = header, results = results}
end

--- Whether results of one run can be used in another.
-- @tparam table old header
-- @tparam table new header
-- @treturn boolean
-- @treturn ?string what differs
function journal.fits(old, new)
  for _, name in ipairs(identity) do
    if old[name] ~= new[name] then return false, name end
  end
  return true
end

--- Opens a journal to write.
-- @tparam string path
-- @tparam table header of a new journal; nil: goes on with the one that is there
-- @treturn Journal. Raises if it cannot be written
function journal.open(path, header)
  local file, why = io.open(path, header and "w" or "a")
  if not file then error(("the journal: %s"):format(why), 0) end
  local self = setmetatable({file = file, path = path}, Journal)
  if header then self:write(header) end
  return self
end

--- Writes a line, at once.
-- @tparam table value
function Journal:write(value)
  local done, why = self.file:write(line_of(value), "\n")
  if done then done, why = self.file:flush() end
  if not done then error(("the journal %s: %s"):format(self.path, why), 0) end
end

--- Adds a result.
-- @tparam table result of @{clue.tune.runner}
function Journal:add(result)
  self:write {p = result.p, samples = result.samples, lost = result.lost, clock = result.clock, build = result.build,
              verify = result.verify, failed = result.failed, text = result.text, at = result.at}
end

return journal
