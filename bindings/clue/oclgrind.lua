--- Oclgrind as a device, although Debian's package does not register its driver: `--device oclgrind`.
-- @module clue.oclgrind
local binding = require "clue.binding"

local oclgrind = {}

--- Where its driver is.
oclgrind.places = {"/usr/lib/oclgrind", "/usr/local/lib/oclgrind"}

--- The driver's file.
oclgrind.file = "liboclgrind-rt-icd.so"

local function driver()
  for _, folder in ipairs(oclgrind.places) do
    local path = folder .. "/" .. oclgrind.file
    local file = io.open(path, "rb")
    if file then
      file:close()
      return path
    end
  end
end

local function named(text)
  return text ~= nil and text:lower():find("oclgrind", 1, true) ~= nil
end
local installing = require "clue.installing"

local tried = false

--- Adds its driver to the registered ones, if a choice of devices names it. Works before the first OpenCL call.
-- @tparam ?string text the choice
function oclgrind.want(text)
  if tried or not named(text) then return end
  local path = driver()
  tried = path ~= nil and binding.drivers_add(path) ~= nil
end

--- What to call its platform in an address: by name if its driver was added, since only a choice that names it adds it.
-- @tparam table platform
-- @treturn ?string nil if it is another platform, or if its driver is registered
function oclgrind.address(platform)
  return binding.drivers_added() and platform.name == "Oclgrind" and "oclgrind" or nil
end

--- Why there is no Oclgrind.
-- @tparam string text a choice of devices that failed
-- @treturn ?string nil if the choice does not name it
function oclgrind.missing(text)
  if not named(text) then return nil end
  if not driver() then return "Oclgrind is not installed" .. installing.advice "oclgrind" end
  return "the drivers had been started before a script named Oclgrind; name it at the start: clue --device oclgrind "
    .. "SCRIPT, or CLUE_DEVICE=oclgrind"
end

return oclgrind
