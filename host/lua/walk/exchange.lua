--- What the process of a step and the one that started it tell each other. Variables of the environment say what the
-- step is asked for: of clue's modules, this one alone writes and reads them. The step answers with lines of JSON. Run
-- alone, it prints its own table instead.
-- @module clue.walk.exchange
local json = require "clue.shared.json"
local output = require "clue.output"
local send = require("clue.shared.parent").send
local shell = require "clue.shared.shell"

local exchange = {}

local RESULTS, VERIFY, STABLE = "CLUE_RESULT_FD", "CLUE_WALK_VERIFY", "CLUE_UNTIL_STABLE"
local GROUP, HOSTS = "CLUE_WALK_GROUP", "CLUE_WALK_HOSTS"

-- ---- in the process that starts the step ----

--- The settings that ask for something.
-- @tparam table what results: true if the step sends its results to its parent; verify: true if it runs its check and
--   measures nothing; stable: true if it runs until its times are stable; group: a work-group's size, "16x16";
--   hosts: the host loops that are known, as for @{known_hosts}
-- @treturn {string,...} "NAME=VALUE"
function exchange.settings(what)
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

-- ---- in the step's process: what it is asked for ----

--- Whether results go to a parent, and not to the terminal.
exchange.for_results = os.getenv(RESULTS) ~= nil

--- Whether the step runs its check and measures nothing.
exchange.to_verify = os.getenv(VERIFY) ~= nil

--- Whether the step runs until its times are stable.
exchange.until_stable = os.getenv(STABLE) ~= nil

--- The size of the step's work-groups, "16x16"; nil if it chooses itself.
exchange.group = os.getenv(GROUP)

--- The host loops that are known already.
-- @treturn {table,...} host: what @{clue.walk.host} gave; problem: what it computed, nil if it is this step's own loop
function exchange.known_hosts()
  return json.read(os.getenv(HOSTS) or "[]")
end

-- ---- in the step's process: what it answers ----

--- Reports progress to the runner; does nothing without one.
-- @tparam string text
function exchange.progress(text)
  if exchange.for_results then send {progress = text} end
end

--- Sends a row. A step that runs alone and is wrong or skipped ends with a non-zero exit status, since it showed
-- nothing.
-- @tparam table row see @{clue.walk.report}
function exchange.send(row)
  local check = row.check
  if check and not check.verified then check.advice = shell.check(arg[0], arg) end
  if exchange.for_results then return send {row = row} end
  if exchange.to_verify then
    require("clue.show.text").print(require("clue.show.walk").verified_rows {row}, {columns = 80})
    os.exit(row.check and row.check.verified and 0 or 1, true)
  end
  require("clue.show.text").print(require("clue.show.walk.view").rows {row}, {columns = 132})
  if not (row.check and row.check.verified) then os.exit(1, true) end
end

--- Shows lines before anything else of a step that runs alone; with a runner, they begin its row's notes.
-- @tparam table row
-- @tparam {string,...} lines
function exchange.begin(row, lines)
  if exchange.for_results then
    row.notes = lines
  else
    output.out:write(table.concat(lines, "\n"), "\n")
  end
end

--- Lets the runner ask for more runs, in turn with those of another step: each line that it sends asks for one, until
-- its input ends. Does nothing if the step runs alone.
-- @tparam function run returns the times of one run, and how many runs were suspended and repeated
function exchange.serve(run)
  if not exchange.for_results then return end
  send {ready = true}
  while io.read() do
    local times, suspended = run()
    send {run = times, suspended = suspended}
  end
end

return exchange
