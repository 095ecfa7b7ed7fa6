--- What the process of a step is asked for by the one that started it. Variables of the environment say it: of clue's
-- modules, this one alone writes and reads them.
-- @module clue.walk.asked
local json = require "clue.shared.json"

local asked = {}

local RESULTS, VERIFY, STABLE = "CLUE_RESULT_FD", "CLUE_WALK_VERIFY", "CLUE_UNTIL_STABLE"
local GROUP, HOSTS = "CLUE_WALK_GROUP", "CLUE_WALK_HOSTS"

-- ---- in the process that starts the step ----

--- The settings that ask for something.
-- @tparam table what results: true if the step sends its results to its parent; verify: true if it runs its check and
--   measures nothing; stable: true if it runs until its times are stable; group: a work-group's size, "16x16";
--   hosts: the host loops that are known, as for @{known_hosts}
-- @treturn {string,...} "NAME=VALUE"
function asked.settings(what)
  local list = {}
  local function add(name, value)
    if value then list[#list + 1] = name .. "=" .. value end
  end
  add(RESULTS, what.results and "3") -- where clue.shared.parent writes
  add(VERIFY, what.verify and "1")
  add(STABLE, what.stable and "1")
  add(GROUP, what.group)
  add(HOSTS, what.hosts and what.hosts[1] and json.line(what.hosts))
  return list
end

-- ---- in the step's process ----

--- Whether results go to a parent, and not to the terminal.
asked.for_results = os.getenv(RESULTS) ~= nil

--- Whether the step runs its check and measures nothing.
asked.to_verify = os.getenv(VERIFY) ~= nil

--- Whether the step runs until its times are stable.
asked.until_stable = os.getenv(STABLE) ~= nil

--- The size of the step's work-groups, "16x16"; nil if it chooses itself.
asked.group = os.getenv(GROUP)

--- The host loops that are known already.
-- @treturn {table,...} host: what @{clue.walk.host} gave; problem: what it computed, nil if it is this step's own loop
function asked.known_hosts()
  return json.read(os.getenv(HOSTS) or "[]")
end

return asked
