--- Warnings on stderr for failed MQL5 calls: once per script line and error code; repeats are counted and summed up at
-- the end. MQL5 code rarely checks what a call returned, so it must see its failures without asking. --quiet silences
-- them.
local options = require "clue.options"
local output = require "clue.output"
local text = require "clue.text"
local where = require "clue.where"

local warn = {}

local seen = {} -- entries by "source:line code"
local entries = {} -- in the order in which they occurred

local consequences = 0

--- Writes a warning about a failed call.
-- @tparam string name the function that failed
-- @tparam number code MQL5's
-- @tparam string message
-- @tparam[opt] string log of a build
-- @tparam[opt] boolean consequence whether it follows from an earlier failure: it is then only counted
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

--- Writes how often failures were repeated, and forgets them all.
function warn.summary()
  for _, entry in ipairs(entries) do
    if entry.repeats > 0 then
      local times = entry.repeats == 1 and "once more" or entry.repeats .. " more times"
      output.say(("clue: %s%s failed %s"):format(entry.line, entry.name, times))
    end
  end
  if consequences > 0 then
    local calls = consequences == 1 and "call" or "calls"
    output.say(("clue: %d more %s failed because of an earlier failure"):format(consequences, calls))
  end
  seen, entries, consequences = {}, {}, 0
end

return warn
