--- Which devices a text means: the grammar of the command line, CLUE_DEVICE and scripts.
--
--     2              the flat ordinal, counted over all platforms
--     1:0  nvidia:0  platform:device, each by index or by part of the name, upper or lower case; the device may be
--     nvidia:gpu     left out, or be a class word
--     rtx            part of a device's name, or else of a platform's
--     gpu            cpu, gpu, accelerator: the best of the class; all: every device but debuggers
--     uuid:3f2a...   the beginning of what `clue devices -v` shows; for identical cards
--     pci:65:00.0    the address on the bus, preceded by the domain if it is not 0
--     0,2            a list
--
-- Used by clue.device, which passes the devices. Debugging devices are taken only by name, or if there are no others.
local binding = require "clue.binding"
local error_object = require "clue.error"
local nearest = require "clue.nearest"
local installing = require "clue.installing"
local oclgrind = require "clue.oclgrind"
local ranking = require "clue.device_ranking"
local text_of = require "clue.text"

local filter = ranking.filter

local choice = {}

-- ---- errors -----------------------------------------------------------------------------------------------------

-- The error names a line of the script only if the script named the device.
local function fail(text)
  local problem = error_object.new {code = -1, name = "CL_DEVICE_NOT_FOUND", cause = "device", text = text}
  if not text:match("^device '") then problem.where = nil end
  error(problem, 0)
end

local function listed(devices)
  local lines = {}
  for i, device in ipairs(devices) do lines[i] = "\n  " .. device:describe() end
  return table.concat(lines)
end

--- Which devices there are, for messages that another one is missing.
-- @tparam {device,...} devices
-- @treturn string "; there is:", a line for each, and who knows more
function choice.there_is(devices)
  return ("; there is:%s\n  `clue doctor` finds out why another one is missing"):format(listed(devices))
end

local NO_SUCH_FILE = 2 -- ENOENT

-- A loader lists a folder, reads a file in it and loads a driver, all open at once. It does not report what it could
-- not open. A root folder of its own may lack /dev/null, which says nothing of that.
local function few_files()
  local files, problem, code = {}, nil, nil
  while #files < 8 and not problem do files[#files + 1], problem, code = io.open "/dev/null" end
  for _, file in ipairs(files) do file:close() end
  if not problem or code == NO_SUCH_FILE then return nil end
  return ("  only %s can be opened (ulimit -n), but a driver needs more: %s"):format(text_of.count(#files, "more file"),
    problem)
end

-- "  a limit of this process may be the reason: ..."; nil if no limit is narrow.
local function limits()
  local told, found = binding.limits_text():gsub("^; ", "  ")
  return found > 0 and told or nil
end

--- What to do if there is no device at all.
-- @tparam table machine platforms (a list); refusal: a driver's answer instead of its devices, or nil
-- @treturn string several lines
function choice.advice(machine)
  local lines, names = {"there is no OpenCL device"}, {}
  for i, platform in ipairs(machine.platforms) do names[i] = platform.name or "?" end
  if names[1] then lines[1] = lines[1] .. "; platforms without devices: " .. table.concat(names, ", ") end
  lines[#lines + 1] = few_files() or limits()
  if machine.refusal then lines[#lines + 1] = "  " .. machine.refusal end
  lines[#lines + 1] = "  `clue doctor` shows what this machine lacks, and what to type"
  for _, line in ipairs(installing.devices(names)) do lines[#lines + 1] = "  " .. line end
  for _, name in ipairs {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES"} do
    local value = os.getenv(name)
    if value then lines[#lines + 1] = ("  %s=%s is set: the loader looks there"):format(name, value) end
  end
  return table.concat(lines, "\n")
end

-- The beginning of an error: which option or variable the text came from.
local function label(origin, text)
  if origin == "the script" then return ("device '%s'"):format(text) end
  return origin .. (origin:sub(1, 1) == "-" and " " or "=") .. text
end

-- ---- names ------------------------------------------------------------------------------------------------------

-- The things that have part in one of their texts; those that have it as a whole text come before the others.
local function holding(things, part, texts_of)
  part = part:lower()
  local whole, within = {}, {}
  for _, thing in ipairs(things) do
    local found, same = false, false
    for _, text in ipairs(texts_of(thing)) do
      found = found or text:lower():find(part, 1, true) ~= nil
      same = same or text:lower() == part
    end
    if same then whole[#whole + 1] = thing end
    if found then within[#within + 1] = thing end
  end
  return #whole > 0 and whole or within
end

local function device_texts(device)
  return {device.name or "", device.board_name_amd}
end

local function platform_texts(platform)
  return {platform.name or "", platform.vendor or "", platform.icd_suffix_khr}
end

-- One of the devices that match a part of a name. Identical cards count as one; different devices are refused.
local function one_of(devices, what)
  for _, device in ipairs(devices) do
    if device.name ~= devices[1].name then
      fail(("%s matches %d devices; name one of them:%s"):format(what, #devices, listed(devices)))
    end
  end
  return devices[1], #devices > 1 and ("the first of %d identical devices, "):format(#devices) or ""
end

-- The word of a name, or of the grammar, that a word was meant to be: " (is NVIDIA meant?)".
local function guess(machine, part)
  local words = {cpu = "cpu", gpu = "gpu", accelerator = "accelerator", all = "all", oclgrind = "oclgrind"}
  for _, device in ipairs(machine.devices) do
    for _, name in ipairs {device.name, device.platform.name, device.platform.vendor} do
      for word in (name or ""):gmatch "%a%w+" do words[word:lower()] = word end
    end
  end
  local near = nearest(part:lower(), words, #part < 8 and 2 or 3) -- opengrind
  return near and (" (is %s meant?)"):format(words[near]) or ""
end

-- No name has this part.
local function unknown(machine, problem, part)
  local why = oclgrind.missing(part)
  why = why and ": " .. why or guess(machine, part)
  fail(("%s%s%s"):format(problem, why, choice.there_is(machine.devices)))
end

local function platform_named(machine, part, what)
  if part:match("^%d+$") then
    return machine.platforms[tonumber(part) + 1]
      or fail(("%s: there is no platform %s: this machine has %s"):format(what, part,
        text_of.count(#machine.platforms, "platform")))
  end
  local fitting = holding(machine.platforms, part, platform_texts)
  if #fitting == 0 then
    unknown(machine, ("%s: no platform has '%s' in its name"):format(what, part), part)
  end
  local occupied = filter(fitting, function(platform) return platform.device_count > 0 end)
  if #occupied < 2 then return occupied[1] or fitting[1] end
  for _, platform in ipairs(occupied) do
    if platform.name ~= occupied[1].name then
      local names = {}
      for i, each in ipairs(occupied) do names[i] = each.name end
      fail(("%s: '%s' matches several platforms: %s"):format(what, part, table.concat(names, ", ")))
    end
  end
  return occupied[1]
end

-- The part of platform:device after the colon.
local function device_on(platform, devices, part, what)
  if #devices == 0 then
    fail(("%s: platform %s has no devices: `clue doctor` says why"):format(what, platform.name or platform.index))
  end
  if part:match("^%d+$") then
    return devices[tonumber(part) + 1] or fail(("%s: platform %s has no device %s%s"):format(
      what, platform.name or platform.index, part, choice.there_is(devices))), ""
  end
  if part == "" or ranking.nouns[part:lower()] then
    local best, why = ranking.best(devices, part ~= "" and part:lower() or nil)
    if not best then fail(("%s: %s on platform %s:%s"):format(what, why, platform.name, listed(devices))) end
    return best, #devices > 1 and why .. ", " or ""
  end
  local fitting = holding(devices, part, device_texts)
  if #fitting == 0 then
    fail(("%s: no device there has '%s' in its name%s"):format(what, part, choice.there_is(devices)))
  end
  return one_of(fitting, what)
end

local function by_platform(machine, text, what)
  local left, right = text:match("^([^:]*):(.*)$")
  if left == "" then fail(what .. ": give a platform before the colon, by index or part of its name") end
  local platform = platform_named(machine, left, what)
  local devices = filter(machine.devices, function(device) return device.platform.index == platform.index end)
  local device, note = device_on(platform, devices, right, what)
  return device, note
end

local function by_name(machine, part, what)
  local fitting = holding(machine.devices, part, device_texts)
  if #fitting == 0 then
    fitting = holding(machine.devices, part, function(device) return platform_texts(device.platform) end)
  end
  if #fitting == 0 then
    unknown(machine, ("%s: no device or platform has '%s' in its name"):format(what, part), part)
  end
  local device, note = one_of(fitting, what)
  return device, note
end

-- ---- identical cards --------------------------------------------------------------------------------------------

local function by_uuid(machine, text, what)
  local wanted = text:lower():gsub("^gpu%-", ""):gsub("-", "")
  if not wanted:match("^%x%x%x%x+$") then
    fail(what .. ": a UUID must have at least four hexadecimal digits")
  end
  local fitting = filter(machine.devices, function(device)
    return (device.uuid or ""):gsub("-", ""):sub(1, #wanted) == wanted
  end)
  if #fitting == 1 then return fitting[1], "" end
  local found = #fitting == 0 and "no device has this UUID"
    or ("%d devices have a UUID that begins with this"):format(#fitting)
  fail(("%s: %s%s"):format(what, found, choice.there_is(machine.devices)))
end

local function by_pci(machine, text, what)
  local function numbers(address)
    local domain, bus, slot, unit = address:match("^(%x+):(%x+):(%x+)%.?(%x*)$")
    if not domain then
      domain, bus, slot, unit = "0", address:match("^(%x+):(%x+)%.?(%x*)$")
    end
    if not bus then return nil end
    return ("%x:%x:%x.%x"):format(tonumber(domain, 16), tonumber(bus, 16), tonumber(slot, 16),
      tonumber(unit ~= "" and unit or "0", 16))
  end
  local wanted = numbers(text)
  if not wanted then fail(what .. ": an address on the bus must be hexadecimal, like 0000:65:00.0 or 65:00.0") end
  for _, device in ipairs(machine.devices) do
    if device.pci and numbers(device.pci) == wanted then return device, "" end
  end
  fail(("%s: no device reports this address%s"):format(what, choice.there_is(machine.devices)))
end

-- ---- the whole text ---------------------------------------------------------------------------------------------

-- Where a choice came from, in words: "named by --device", "from CLUE_DEVICE".
local function origin_text(origin)
  if origin:match("^%u[%u_]+$") then return "from " .. origin end
  return "named by " .. origin
end

-- The devices that one entry of the list means, and why.
local function resolve_one(machine, text, origin)
  local what, class = label(origin, text), text:lower()
  if text == "" then fail(("%s: a name is missing in the list"):format(label(origin, text))) end
  if class == "all" then
    local chosen = filter(machine.devices, function(device)
      local doubt = ranking.doubt(device)
      return not (doubt and doubt.debugger)
    end)
    if #chosen == 0 then chosen = machine.devices end
    return chosen, ("%s (%s)"):format(#chosen == 1 and "the only one" or "the first of all " .. #chosen, what)
  end
  local device, note
  if ranking.nouns[class] then
    local best, why = ranking.best(machine.devices, class)
    if not best then fail(("%s: %s%s"):format(what, why, choice.there_is(machine.devices))) end
    return {best}, origin == "the script" and why or ("%s (%s)"):format(why, what)
  elseif text:match("^%d+$") then
    device, note = machine.devices[tonumber(text) + 1], ""
    if not device then
      fail(("%s: there is no device %s%s"):format(what, text, choice.there_is(machine.devices)))
    end
  elseif class:match("^uuid:") then
    device, note = by_uuid(machine, text:sub(6), what)
  elseif class:match("^pci:") then
    device, note = by_pci(machine, text:sub(5), what)
  elseif text:find(":", 1, true) then
    device, note = by_platform(machine, text, what)
  else
    device, note = by_name(machine, text, what)
  end
  return {device}, note .. origin_text(origin)
end

--- Finds the devices that a text means; raises an error object that lists what there is.
-- @tparam table machine devices and platforms (lists)
-- @tparam string text
-- @tparam string origin where it came from: "--device", "CLUE_DEVICE", "the script"
-- @treturn table the devices, each once
-- @treturn string why the first is the one to take
function choice.resolve(machine, text, origin)
  if #machine.devices == 0 then
    fail(("%s: %s"):format(label(origin, text), oclgrind.missing(text) or choice.advice(machine)))
  end
  local devices, seen, why = {}, {}, nil
  for entry in (text .. ","):gmatch("([^,]*),") do
    local chosen, reason = resolve_one(machine, text_of.trim(entry), origin)
    why = why or reason
    for _, device in ipairs(chosen) do
      if not seen[device.ordinal] then devices[#devices + 1] = device end
      seen[device.ordinal] = true
    end
  end
  if text:find(",", 1, true) and #devices > 1 then
    why = ("the first of %d (%s)"):format(#devices, label(origin, text))
  end
  return devices, why
end

--- The device that is taken if nothing names one. Raises an error object if there is none.
-- @tparam table machine devices and platforms (lists)
-- @treturn table a list of this one device
-- @treturn string why this one
function choice.default(machine)
  if #machine.devices == 0 then fail(choice.advice(machine)) end
  local best, why = ranking.best(machine.devices)
  if not best then fail("no device here runs OpenCL C" .. choice.there_is(machine.devices)) end
  return {best}, why
end

--- Translates PYOPENCL_CTX to this grammar: platform or platform:device,device; a platform alone means its first
-- device.
-- @tparam string text "0:1,2"
-- @treturn string "0:1,0:2"
function choice.from_pyopencl(text)
  local platform, devices = text:match("^([^:]*):?(.*)$")
  if platform == "" then platform = "0" end
  if devices == "" then devices = "0" end
  return (devices:gsub("[^,]+", function(device) return platform .. ":" .. device end))
end

return choice
