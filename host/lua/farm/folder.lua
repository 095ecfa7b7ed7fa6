--- The folder of a farm's run: its plan, its jobs, their results, and what happened.
--
--     plan.json        the hosts, the workers, the groups of jobs
--     jobs/ID.job      a job: words, inputs, outputs
--     jobs/ID.json     its result: there once it is done, and then never again
--     events           a line for each result and each failed attempt, as they come
--     NAME.joblog      GNU parallel's log of a group
--
-- Parameters with one meaning everywhere: id, of a job.
local binding = require "clue.binding"
local json = require "clue.shared.json"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local make_folder = require("clue.shared.paths").make_folder
local names_in = require("clue.shared.paths").names_in
local read_file = require("clue.file").read
local shell = require "clue.shared.shell"
local write = require("clue.shared.paths").write

local Folder = {}
Folder.__index = Folder

local folder = {}

folder.format, folder.job_format = "clue farm 1", "clue farm job 1"

--- Opens a folder.
-- @tparam string path
-- @treturn Folder with path
function folder.at(path)
  return setmetatable({path = path}, Folder)
end

-- Whether something of another farm is there that would pass for ours: a job with a result never runs again.
local function has_remains(path)
  return lists.any(names_in(path) or {}, function(name) return name:find "%.joblog$" or name == "events" end)
    or lists.any(names_in(path .. "/jobs") or {}, function(name) return name:find "%.json$" end)
end

local function refuse_used(path)
  if lfs.attributes(path .. "/plan.json") then
    error(("--results: %s has the results of a farm: `clue farm --resume %s` goes on with it; or choose another folder")
      :format(path, shell.shown(path)), 0)
  end
  if has_remains(path) then
    error(("--results: %s has remains of a farm, without its plan.json: choose another folder, or remove it")
      :format(path), 0)
  end
end

--- Makes a new folder, and locks it. Raises if there is a farm's in it, or it cannot be made.
-- @tparam string path
-- @treturn Folder
function folder.new(path)
  refuse_used(path)
  local made, why = make_folder(path .. "/jobs")
  if not made then error("--results: " .. why, 0) end
  local self = folder.at(path)
  self:lock()
  local unused, problem = pcall(refuse_used, path) -- another farm may have begun and ended meanwhile
  if unused then return self end
  self:unlock()
  error(problem, 0)
end

--- A path in it.
-- @tparam string name
-- @tparam any ... for its format; without these, the name is as it is
function Folder:file(name, ...)
  return self.path .. "/" .. (select("#", ...) > 0 and name:format(...) or name)
end

-- Reads a JSON file that a farm wrote.
local function read(path, format)
  local text, why = read_file(path)
  if not text then return nil, why end
  local value = json.read(text)
  if type(value) == "table" and value.format == format then return value end
  return nil, ("%s: not of the format '%s'"):format(path, format)
end

--- Lets no second farm work in it. Raises if one does.
function Folder:lock()
  if self.locked then return end
  local why
  self.locked, why = io.open(self:file "lock", "a")
  if not self.locked then error(why, 0) end
  local patience = binding.now() + 3 -- the last jobs of a farm that was killed may not have noticed yet
  while not lfs.lock(self.locked, "w") do
    if binding.now() > patience then error(("another clue farm works in %s"):format(self.path), 0) end
    binding.sleep(0.1)
  end
end

--- Gives it up. Jobs that still run end within a second, with all that they started, on whichever host.
function Folder:unlock()
  if self.locked then self.locked:close() end
  self.locked = nil
end

--- Whether a farm works in it. For other processes than its own.
function Folder:is_led()
  local file = io.open(self:file "lock", "r")
  if not file then return false end
  local free = lfs.lock(file, "r")
  file:close()
  return not free
end

--- Keeps the plan.
-- @tparam table plan
function Folder:save_plan(plan)
  plan.format = folder.format
  write(self:file "plan.json", json.text(plan, true, {"format", "clue", "started", "kind", "words"}) .. "\n")
end

--- The plan.
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string why there is none
function Folder:plan()
  local plan, why = read(self:file "plan.json", folder.format)
  if not plan then return nil, why end
  for _, name in ipairs {"words", "options", "hosts", "workers", "groups", "how"} do
    if type(plan[name]) ~= "table" then
      return nil, ("%s: its %s is not what clue farm writes"):format(self:file "plan.json", name)
    end
  end
  return plan
end

--- Keeps a job.
-- @tparam table job
function Folder:save_job(id, job)
  job.format = folder.job_format
  write(self:file("jobs/%s.job", id), json.line(job) .. "\n")
end

--- A job.
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string why there is none
function Folder:job(id)
  return read(self:file("jobs/%s.job", id), folder.job_format)
end

--- Keeps a job's result, in one step: after this, the job is done.
-- @tparam table result
function Folder:save_result(id, result)
  result.format = folder.job_format
  write(self:file("jobs/%s.json", id), json.text(result, true) .. "\n")
end

--- A job's result.
-- @treturn ?table nil if it is not done
function Folder:result(id)
  return (read(self:file("jobs/%s.json", id), folder.job_format))
end

--- Tells what happened. One short line, so that the lines of several processes do not mix.
-- @tparam table event
function Folder:tell(event)
  local path = self:file "events"
  local file, why = io.open(path, "a")
  if not file then error(why, 0) end
  if event.text then event.text = event.text:sub(1, 500) end
  local written, reason = file:write(json.line(event), "\n")
  local closed, at_end = file:close()
  if not (written and closed) then error(("%s: %s"):format(path, reason or at_end), 0) end
end

--- What happened since the last call, or since a place.
-- @tparam[opt=0] number from the place
-- @treturn {table,...} events
-- @treturn number the place for the next call
function Folder:events(from)
  local file = io.open(self:file "events")
  if not file then return {}, from or 0 end
  file:seek("set", from or 0)
  local text = file:read "*a" or ""
  file:close()
  local whole = text:match "^(.*\n)" or ""
  local list = {}
  for line in whole:gmatch "[^\n]+" do
    local event = json.read(line)
    if type(event) == "table" then list[#list + 1] = event end
  end
  return list, (from or 0) + #whole
end

return folder
