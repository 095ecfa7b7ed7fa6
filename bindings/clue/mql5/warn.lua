--- Warnings on stderr for failed MQL5 calls: each message once per script line and line that called its function, so
-- that what fails through one helper is told apart; repeats are counted and summed up at the end. MQL5 code rarely
-- checks what a call returned, so it must see its failures without asking. --quiet silences them.
local log_excerpt = require "clue.log_excerpt"
local options = require "clue.options"
local output = require "clue.output"
local text = require "clue.text"
local where = require "clue.where"

local warn = {}

local MOST = 8 -- messages of one line with one code: a loop can make a new one at each turn

local seen = {} -- entries by place and message
local places = {} -- by line and code: an entry, and how many messages it has
local entries = {} -- in the order in which they occurred

local consequences = 0

local function new_entry(line, name, what)
  local entry = {line = line and line .. ": " or "", name = name, what = what, repeats = 0}
  entries[#entries + 1] = entry
  return entry
end

-- The entry that counts this failure; a new message has none yet. Further messages of a line are counted together.
local function counted(line, place, message, name, code)
  local key = place .. "\n" .. code
  local at = places[key] or {messages = 0}
  places[key] = at
  local entry = seen[place .. "\n" .. message]
  if entry or at.messages < MOST then
    at.messages = at.messages + (entry and 0 or 1)
    return entry
  end
  at.rest = at.rest or new_entry(line, name, " in other ways")
  return at.rest
end

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
  local line, source, caller = where.line()
  local place = source or "clue"
  if caller then message = ("%s (called from %s)"):format(message, caller) end
  local entry = counted(line, place, message, name, code)
  if entry then
    entry.repeats = entry.repeats + 1
    return
  end
  seen[place .. "\n" .. message] = new_entry(line, name, "")
  local more = log and log ~= "" and "\n" .. log_excerpt.text(text.trim_end(log), "the build log, CLProgramCreate's "
    .. "second result,") or ""
  output.say(("clue: %s%s%s"):format(line and line .. ": " or "", message, more))
end

--- Writes how often failures were repeated, and forgets them all.
function warn.summary()
  for _, entry in ipairs(entries) do
    if entry.repeats > 0 then
      local times = entry.repeats == 1 and "once more" or entry.repeats .. " more times"
      output.say(("clue: %s%s failed %s%s"):format(entry.line, entry.name, times, entry.what))
    end
  end
  if consequences > 0 then
    local calls = consequences == 1 and "call" or "calls"
    output.say(("clue: %d more %s failed because of an earlier failure"):format(consequences, calls))
  end
  seen, places, entries, consequences = {}, {}, {}, 0
end

return warn
