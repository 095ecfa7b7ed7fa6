--- Warnings on stderr for MQL5 calls that failed: once per script line and error code, repeats summed up at the
-- end. MQL5 code rarely asks what a call returned, so its failures must be seen without asking. --quiet silences
-- them.
local options = require "clue.options"
local output = require "clue.output"
local text = require "clue.text"
local where = require "clue.where"

local warn = {}

local seen = {} -- "source:line code" to the entry
local entries = {} -- in the order in which they came

local consequences = 0

--- Warns of a failed call.
-- @tparam string name the function that failed
-- @tparam number code MQL5's
-- @tparam string message
-- @tparam[opt] string log of a build
-- @tparam[opt] boolean consequence of a failure that was warned of: counted, not told one by one
function warn.failed(name, code, message, log, consequence)
  if options.quiet then return end
  if consequence and #entries > 0 then
    consequences = consequences + 1
    return
  end
  local line, source = where.line()
  local key = (source or "clue") .. " " .. code
  if seen[key] then
    seen[key].repeats = seen[key].repeats + 1
    return
  end
  local entry = {line = line and line .. ": " or "", name = name, repeats = 0}
  seen[key] = entry
  entries[#entries + 1] = entry
  local more = log and log ~= "" and "\n" .. text.trim_end(log) or ""
  output.say(("clue: %s%s%s"):format(entry.line, message, more))
end

--- Tells how often failures came again, and forgets them all.
function warn.summary()
  for _, entry in ipairs(entries) do
    if entry.repeats > 0 then
      local times = entry.repeats == 1 and "once more" or entry.repeats .. " more times"
      output.say(("clue: %s%s failed %s"):format(entry.line, entry.name, times))
    end
  end
  if consequences > 0 then
    local calls = consequences == 1 and "call" or "calls"
    output.say(("clue: %d more %s failed because of that"):format(consequences, calls))
  end
  seen, entries, consequences = {}, {}, 0
end

return warn
