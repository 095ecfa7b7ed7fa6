--- How a command reaches a host: by ssh as the user, by srun in a Slurm allocation, or directly on this machine.
-- Nothing else starts processes elsewhere, and no port is opened.
local child = require "clue.shared.child"
local lists = require "clue.shared.list"
local shell = require "clue.shared.shell"
local trim = require("clue.text").trim

local transport = {}

-- Without a terminal nobody can be asked for a password. A host that no longer answers is given up after 15 s.
local ssh_options = {
  "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
  "-o", "LogLevel=ERROR",
}

local function line(words)
  return table.concat(lists.map(words, shell.quoted), " ")
end

-- The programs that carry a farm, and the packages that Debian has them in.
local packages = {parallel = "parallel", scontrol = "slurm-client", ssh = "openssh-client", srun = "slurm-client"}

-- A socket's path has at most 107 bytes, of which ssh needs 58; it reads blanks and '%' in it as its own.
local function can_share(how)
  return how.control and #how.control < 48 and not how.control:find "[^%w/._-]"
end

local function by_ssh(host, command, how)
  local shared = can_share(how) and {"-o", "ControlPath=" .. how.control .. "/%C"} or nil
  -- the user's shell there may be any; this form means the same to all
  return lists.joined({"/usr/bin/env"}, how.ssh, ssh_options, shared,
    {host.address, "exec /bin/sh -c " .. shell.quoted(command)})
end

-- --overlap: the steps of one worker for each device share the node's processors.
local function by_srun(host, command)
  return {"/usr/bin/env", "srun", "--overlap", "--nodes=1", "--ntasks=1", "--nodelist=" .. host.address, "--quiet",
          "--unbuffered", "/bin/sh", "-c", command}
end

-- setsid: as over a connection, the agent ends by itself when its input does, with all that it started; a child of ours
-- would be killed at once, and what it started would go on.
local function directly(command)
  return {"/usr/bin/env", "setsid", "--wait", "/bin/sh", "-c", command}
end

--- Says that a program of this machine is missing, and which package has it.
-- @tparam string program such as "ssh"
-- @treturn string
function transport.missing(program)
  local remedy = packages[program] and (": on Debian, `apt install %s`"):format(packages[program]) or ""
  return ("%s is not installed here%s"):format(program, remedy)
end

-- What tar ends with, whatever the cause was: a line above tells that.
local empty_words = {"tar: Exiting with failure status", "tar: Error is not recoverable", "tar: Child returned status"}

--- The line in which a command told why it failed.
-- @tparam Child seen
-- @treturn string "" if it told nothing
function transport.cause(seen)
  local lines = lists.filter(seen:last_errors(math.huge), function(each)
    return not lists.any(empty_words, function(words) return each:find(words, 1, true) end)
  end)
  return trim(lines[#lines] or "")
end

--- Why a program of this machine failed, which may be missing.
-- @tparam string program its name
-- @tparam Child seen
-- @treturn string a line that begins with its name
function transport.complaint(program, seen)
  if seen.state == "exited" and seen.value == 127 then return transport.missing(program) end
  local cause = transport.cause(seen):gsub("^" .. program .. ": *", "")
  return ("%s: %s"):format(program, cause ~= "" and cause or (select(2, seen:reason())))
end

--- The standard output of a program of this machine. Raises if it fails.
-- @tparam {string,...} words its name and its arguments
-- @tparam[opt] number seconds its limit
-- @treturn string
function transport.output_of(words, seconds)
  -- in English, as tar's words above are
  local text, seen = child.output_of(lists.joined({"/usr/bin/env"}, words), seconds, {"LC_ALL=C"})
  if not seen:is_well() then error(transport.complaint(words[1], seen), 0) end
  return text
end

--- What runs a shell's command on a host.
-- @tparam table host of @{clue.farm.hosts}
-- @tparam string command for /bin/sh
-- @tparam table how ssh: the program's words; control: a folder with shared connections, or nil; slurm: by srun
-- @treturn {string,...} a program, a path, and its words
function transport.words(host, command, how)
  if host.address == ":" then return directly(command) end
  return how.slurm and by_srun(host, command) or by_ssh(host, command, how)
end

--- The same, with a file as its input.
-- @tparam string path
-- @tparam {string,...} words
-- @treturn {string,...}
function transport.fed(path, words)
  return lists.joined({"/bin/sh", "-c", 'file=$1; shift; exec "$@" < "$file"', "sh", path}, words)
end

--- Opens a connection to each host that is reached by ssh. What follows uses it, instead of a new one for every job;
-- without it, if it breaks or is refused, everything works as well.
-- @tparam {table,...} list of hosts
-- @tparam table how as for @{words}
-- @treturn {Child,...} to be closed at the end
function transport.connect(list, how)
  return lists.map(how.slurm and {} or list, function(host)
    return host.address ~= ":" and can_share(how) and child.start {arguments = lists.joined({"/usr/bin/env"}, how.ssh,
      ssh_options, {"-M", "-N", "-o", "ControlPath=" .. how.control .. "/%C", host.address})} or nil
  end)
end

--- A call of a function of @{clue.farm.agent} on a host, in its environment and a folder there, as a shell's command.
-- @tparam table host
-- @tparam string name of the function
-- @tparam {string,...} words its arguments
-- @tparam[opt] string folder
-- @treturn string
function transport.agent(host, name, words, folder)
  local arguments = lists.map(words, function(word) return ("%q"):format(word) end)
  local call = ("require('clue.farm.agent').%s(%s)"):format(name, table.concat(arguments, ", "))
  local parts = {}
  if folder then parts[1] = "cd " .. shell.quoted(folder) .. " &&" end
  parts[#parts + 1] = "exec env"
  for _, each in ipairs(host.environment) do
    parts[#parts + 1] = shell.quoted(each.name .. "=" .. each.value)
  end
  return table.concat(parts, " ") .. " " .. line {host.program, "--quiet", "-e", call}
end

return transport
