--- What a child process tells its parent, which follows it with clue.shared.child: a line of JSON each, through
-- descriptor 3.
local json = require "clue.shared.json"

local parent = {}

local out

--- Sends a value at once, so a crash does not lose what was sent before.
-- @tparam table value
function parent.send(value)
  out = out or assert(io.open("/proc/self/fd/3", "a"))
  out:write(json.line(value), "\n")
  out:flush()
end

--- Refuses what the parent was asked for, and ends the process.
-- @tparam string text a format
-- @param ... its values
function parent.refuse(text, ...)
  parent.send {refused = text:format(...)}
  os.exit(2, true)
end

return parent
