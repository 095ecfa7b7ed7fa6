--- A Slurm of the specs' own, with two nodes on this machine (tests/slurm/cluster): it is started by the first use and
-- ends with the specs, or if they are killed.
local lfs = require "lfs"
local support = require "support"

local slurm = {}

local folder, holder

local function exists(name)
  return lfs.attributes(folder .. "/" .. name) ~= nil
end

-- Looks every tenth of a second whether it is so, for at most a number of seconds.
local function within(seconds, is_so)
  for _ = 1, seconds * 10 do
    local result = is_so()
    if result then return result end
    os.execute "sleep 0.1"
  end
end

--- Ends the daemons and all jobs. The specs' end does so, too.
function slurm.stop()
  if not holder then return end
  holder:close() -- waits until tests/slurm/cluster has ended
  holder = nil
end

--- Starts the daemons, once, and waits until both nodes take jobs.
function slurm.start()
  if holder then return end
  folder = support.folder()
  holder = assert(io.popen(("exec tests/slurm/cluster %s 2>/dev/null"):format(support.quote(folder)), "w"))
  within(120, function() return exists "ready" or exists "failed" end)
  local failed = support.read(folder .. "/failed")
  assert(not failed and exists "ready", "Slurm does not start: " .. (failed or "after 120 s it is not ready"))
end

--- The folder of the daemons, where their logs are.
-- @treturn string
function slurm.folder()
  return folder
end

--- The variables that a program needs to talk to this Slurm, and that Open MPI needs in a container. Ranks send by TCP:
-- Open MPI names shared memory by machine and local rank, so those of two nodes on one machine would take each other's.
-- @tparam[opt] table more variables
-- @treturn table for support.execute
function slurm.environment(more)
  return support.with({
    SLURM_CONF = folder .. "/slurm.conf", PATH = support.clue:match "^(.*)/" .. ":" .. os.getenv "PATH",
    OMPI_ALLOW_RUN_AS_ROOT = 1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1,
    OMPI_MCA_btl = "self,tcp",
    OMPI_MCA_btl_tcp_if_include = "lo", -- whatever other networks the machine has, both nodes are on it
    -- By shared memory, PMIx's other way, all ranks of a node crashed once as they started; see openpmix, issue 1114.
    PMIX_MCA_gds = "hash",
  }, more)
end

--- Runs a program that talks to Slurm.
-- @tparam table words
-- @tparam[opt] table more variables
-- @tparam[opt=""] string input its standard input
-- @treturn number exit status
-- @treturn string standard output
-- @treturn string standard error
function slurm.run(words, more, input)
  return support.execute(words, slurm.environment(more), input, 120)
end

--- Submits a batch script, and waits until the job has ended.
-- @tparam table words sbatch's options, the script and its arguments
-- @tparam[opt] table more variables
-- @treturn string the job's state: COMPLETED, FAILED, ...
-- @treturn number its exit status
-- @treturn string what it wrote
function slurm.submit(words, more)
  local log = support.temporary ".log"
  local status, job, err = slurm.run(support.words({"sbatch", "--parsable", "--output=" .. log}, words), more)
  assert(status == 0, err)
  local show = {"scontrol", "--oneliner", "show", "job", job:match "%d+"}
  local ended
  within(240, function()
    local _, text = slurm.run(show)
    ended = text
    local state = text:match "JobState=(%u+)"
    return state and state ~= "PENDING" and state ~= "RUNNING" and state ~= "COMPLETING"
  end)
  return ended:match "JobState=(%u+)", tonumber(ended:match "ExitCode=(%d+)"), support.read(log) or ""
end

require("busted").subscribe({"suite", "end"}, slurm.stop)

return slurm
