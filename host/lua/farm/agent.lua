--- What runs on a host of a farm: it lists the devices, and does one job, which it reads from its standard input.
--
-- Everything it has to say are lines of its standard output that begin with the farm's token. A job ends with the
-- connection: when the standard input ends, so does everything that the job started.
local child = require "clue.shared.child"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local open = require("clue.file").open
local output = require "clue.output"
local save = require("clue.file").save

local agent = {}

-- Bytes of what a job prints that come back: the first ones, and the last ones of its errors.
local most_output, most_file = 2 ^ 20, 16 * 2 ^ 20

-- ---- devices ----

local function fact(device, name)
  return tostring(device.properties[name] or "?")
end

local function facts_of(list, platforms)
  return lists.map(list, function(each)
    local platform = platforms[each.platform + 1] or {properties = {}}
    return {address = each.address, name = fact(each, "CL_DEVICE_NAME"), driver = fact(each, "CL_DRIVER_VERSION"),
            platform = fact(platform, "CL_PLATFORM_NAME"),
            compute_units = tonumber(each.properties.CL_DEVICE_MAX_COMPUTE_UNITS)}
  end)
end

-- Without a choice: all GPUs and accelerators, or else what a run takes.
local function usual()
  local all, why = child.devices("all", 60)
  if not all then return nil, why end
  local list = lists.filter(all, function(each) return each.kind ~= "cpu" end)
  if list[1] then return list end
  return child.devices(nil, 60)
end

local function platforms_of()
  local known = json.read((child.ask({"devices", "--json"}, 60)) or "")
  return known and known.platforms or {}
end

--- Prints the devices for which there shall be workers.
-- @tparam string token
-- @tparam string choice as for --device, or empty
function agent.devices(token, choice)
  local list, why
  if choice ~= "" then list, why = child.devices(choice, 60) else list, why = usual() end
  if not list then
    output.err:write((why:gsub("\n%s*", "; ")), "\n")
    os.exit(1)
  end
  io.write(token, " devices=", json.line(facts_of(list, platforms_of())), "\n")
end

-- ---- one job ----

local function say(job, value)
  io.write(job.token, " ", json.line(value), "\n")
  io.flush()
end

-- Writes the job's own files and removes those that it shall make. Returns why not.
local function prepare(job)
  for _, name in ipairs(job.outputs) do os.remove(name) end
  for name, content in pairs(job.inputs) do
    local saved, why = save(name, content)
    if not saved then return why end
  end
end

-- Takes the first bytes of a stream.
local function keeper(limit)
  local parts, size = {}, 0
  return function(part)
    if size < limit then parts[#parts + 1] = part:sub(1, limit - size) end
    size = size + #part
  end, function() return table.concat(parts), size > limit end
end

-- Follows the job, and our own standard input, which ends with the connection. Returns the child, nil if it was lost.
local function follow(job, on_output)
  local connection = child.start {arguments = {"/bin/cat"}, foreground = true}
  local work = child.start {
    arguments = child.clue({device = job.device}, job.words), seconds = job.seconds, output = on_output,
  }
  while work:step(0.2) do
    if not connection:step(0) then
      work:close()
      return nil
    end
  end
  connection:close()
  return work
end

-- Sends the files that the job made.
local function send_files(job)
  for _, name in ipairs(job.outputs) do
    local file = open(name)
    local content = file and file:read(most_file + 1)
    if file then file:close() end
    if content and #content > most_file then return ("%s is larger than %d MiB"):format(name, most_file / 2 ^ 20) end
    if content then say(job, {file = name, content = content}) end
  end
end

local function ending_of(work, said, cut)
  local state = work.state
  return {finished = true, status = state == "exited" and work.value or nil,
          why = not work:is_well() and select(2, work:reason()) or nil, output = said, output_is_cut = cut or nil,
          errors = table.concat(work:last_errors(40), "\n")}
end

--- Does the job that comes on standard input, a line of JSON: token, words (for clue), device (its address), inputs:
-- files by name; outputs: names; seconds: the limit (0: none).
function agent.run()
  local job = json.read(io.read "*l" or "")
  if type(job) ~= "table" then os.exit(1) end
  say(job, {started = true})
  local problem = prepare(job)
  if problem then
    say(job, {fault = problem})
    os.exit(1)
  end
  local take, taken = keeper(most_output)
  local work = follow(job, take)
  if not work then os.exit(1) end
  problem = send_files(job)
  if problem then
    say(job, {fault = problem})
    os.exit(1)
  end
  say(job, ending_of(work, taken()))
end

return agent
