--- The journal of a run of `clue tune`: a line of JSON for every result, written at once, so that the next run can go
-- on where this one ended, however it ended.
local json = require "clue.shared.json"
local lfs = require "lfs"
local open = require("clue.file").open
local read_file = require("clue.file").read
local save = require("clue.file").save

local Journal = {}
Journal.__index = Journal

local journal = {}

journal.format = "clue tune journal 1"

-- What has to be equal for results to be comparable, and how it is called if it differs.
local identity = {{"name", "another space"}, {"source", "another source"}, {"words", "other words"},
                  {"capture", "another captured call"}, {"options", "other build options"},
                  {"sizes", "other sizes"}, {"device", "another device"}, {"driver", "another driver"}}

-- A field of the space for the first configuration, as text.
local function text_of(value)
  if value == nil then return "" end
  return type(value) == "table" and json.line(value) or tostring(value)
end

--- What identifies a run.
-- @tparam Script script
-- @tparam Space space
-- @tparam table device facts
-- @tparam[opt] {string,...} words for the script
-- @treturn table name, source (the text, what a function gives for the first configuration, or the script if it
--   launches itself), words, device, driver; capture: the captured call; options, sizes (global): of the first
--   configuration
function journal.header(script, space, device, words)
  local p, launches = space:configuration(1), script.of.launch
  local call, options = script.captured, script.of.options
  if type(options) == "function" then options = options(p) end
  return {format = journal.format, name = script.name, source = launches and read_file(script.path) or script:source(p),
          words = table.concat(words or {}, " "), device = device.name, driver = device.driver,
          capture = text_of(call and read_file(call.folder .. "/call.lua")), options = text_of(options),
          sizes = launches and "" or text_of(script:global_size(p))}
end

--- Reads a journal. A last line that was cut off is left out.
-- @tparam string path
-- @treturn[1] table header, results: {table, ...}
-- @treturn[2] nil
-- @treturn[2] string why there is none
function journal.read(path)
  local file, why = open(path)
  if not file then return nil, why end
  local header, results = nil, {}
  for line in file:lines() do
    local value = json.read(line)
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
-- @treturn ?string what the old ones are for, such as "another source"
function journal.fits(old, new)
  for _, each in ipairs(identity) do
    if old[each[1]] ~= new[each[1]] then return false, each[2] end
  end
  return true
end

local function fail(text, ...)
  error("the journal: " .. text:format(...), 0)
end

local function keep(path, text)
  if text == "" then return end
  local kept, why = save(path, text)
  if not kept then fail("%s", why) end
end

--- Opens a journal to write.
-- @tparam string path
-- @tparam table header of a new journal; nil: goes on with the one that is there
-- @tparam[opt] string old the file for the journal that is there, if a new one begins
-- @treturn Journal. Raises if it cannot be written
function journal.open(path, header, old)
  local kind = lfs.attributes(path, "mode")
  if kind and kind ~= "file" then fail("%s is no file", path) end -- a FIFO would not open
  local text = read_file(path) or "" -- before the lock: closing the file would release it
  local file, why = io.open(path, "a")
  if not file then fail("%s", why) end
  local self = setmetatable({file = file, path = path}, Journal)
  if not lfs.lock(file, "w") then fail("another run writes to %s", path) end
  if header then
    keep(old, text)
    self.emptied = io.open(path, "w") -- kept open for the lock's sake
    self:write(header)
  elseif text ~= "" and text:sub(-1) ~= "\n" then
    file:write "\n" -- ends a line that was cut off
  end
  return self
end

--- Writes a line, at once.
-- @tparam table value
function Journal:write(value)
  local done, why = self.file:write(json.line(value), "\n")
  if done then done, why = self.file:flush() end
  if not done then error(("the journal %s: %s"):format(self.path, why), 0) end
end

--- Adds a result.
-- @tparam table result of @{clue.tune.runner}
function Journal:add(result)
  self:write {p = result.p, samples = result.samples, lost = result.lost, build = result.build,
              verify = result.verify, failed = result.failed, text = result.text, at = result.at}
end

return journal
