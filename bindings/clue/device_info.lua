--- Reads the properties of platforms and devices: from the driver's bytes to Lua values.
-- Used by clue.device and `clue devices`. Constants become words in lower case ("read_write_cache"); with
-- `spelling = "opencl"` they keep OpenCL's spelling. Nothing is cached: every access asks the driver.
local binding = require "clue.binding"
local properties = require "clue.device_properties"
local reading = require "clue.bytes"
local trim = require("clue.text").trim

local each, has_bit, unsigned = reading.each, reading.has_bit, reading.unsigned

local info = {}

local function word(values, name, spelling)
  return spelling == "opencl" and values.prefix .. name or name:lower()
end

-- The names of a table of constants, by their numbers.
local function sorted_names(values)
  local names = {}
  for name in pairs(values) do
    if name ~= "prefix" then names[#names + 1] = name end
  end
  table.sort(names, function(a, b) return values[a] < values[b] end)
  return names
end

local function constant(values, number, spelling)
  for _, name in ipairs(sorted_names(values)) do
    if values[name] == number then return word(values, name, spelling) end
  end
  return ("0x%x"):format(number)
end

local function version_text(number)
  return ("%d.%d.%d"):format(math.floor(number / 2 ^ 22), math.floor(number / 2 ^ 12) % 2 ^ 10, number % 2 ^ 12)
end

local function hex(bytes, first, last)
  return (bytes:sub(first, last):gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

--- A driver's text, without the zero at its end and the blanks around it. It is one line, so that no name can look like
-- lines of clue's own.
-- @tparam string bytes
-- @treturn string
function info.text(bytes)
  return trim((bytes:match("^%Z*"):gsub("%s", " ")))
end
local text = info.text

local size_t_bytes = 8 -- clue runs only on 64-bit hosts

local readers = {text = info.text}

function readers.number(bytes)
  return unsigned(bytes)
end

readers.bytes, readers.identifier = readers.number, readers.number

function readers.bool(bytes)
  return unsigned(bytes) ~= 0
end

function readers.sizes(bytes)
  return each(bytes, size_t_bytes)
end

-- Lists of words print as their words: "cpu".
local words_kind = {}

function words_kind:__tostring()
  return table.concat(self, ", ")
end

function words_kind.__concat(left, right)
  return tostring(left) .. tostring(right)
end

local function new_words()
  return setmetatable({}, words_kind)
end

function readers.flags(bytes, values, spelling)
  local number, names = unsigned(bytes), new_words()
  for _, name in ipairs(sorted_names(values)) do
    if has_bit(number, values[name]) then names[#names + 1] = word(values, name, spelling) end
  end
  return names
end

-- Scripts compare the type of a device with a word, and few devices have two.
function readers.type(bytes, values, spelling)
  local names = readers.flags(bytes, values, spelling)
  return spelling and names or tostring(names)
end

function readers.choice(bytes, values, spelling)
  return constant(values, unsigned(bytes), spelling)
end

function readers.choices(bytes, values, spelling)
  local names = new_words()
  for _, number in ipairs(each(bytes, size_t_bytes)) do
    if number ~= 0 then names[#names + 1] = constant(values, number, spelling) end
  end
  return names
end

function readers.words(bytes, values, spelling)
  local names = new_words()
  for i, number in ipairs(each(bytes, 4)) do names[i] = constant(values, number, spelling) end
  return names
end

function readers.integers(bytes)
  return each(bytes, 4)
end

function readers.abilities(bytes, values)
  local names = new_words()
  for i, number in ipairs(each(bytes, 4)) do
    if number ~= 0 then names[#names + 1] = values[i] end
  end
  return names
end

function readers.version(bytes)
  return version_text(unsigned(bytes, 1, 4))
end

function readers.versions(bytes)
  local list = {}
  for first = 1, #bytes - 67, 68 do -- a cl_name_version: 4 bytes of version, 64 of name
    list[#list + 1] = {
      name = text(bytes:sub(first + 4, first + 67)),
      version = version_text(unsigned(bytes, first, first + 3)),
    }
  end
  return list
end

function readers.uuid(bytes)
  local groups = {hex(bytes, 1, 4), hex(bytes, 5, 6), hex(bytes, 7, 8), hex(bytes, 9, 10), hex(bytes, 11, 16)}
  return table.concat(groups, "-")
end

function readers.luid(bytes)
  return hex(bytes, 1, #bytes)
end

function readers.pci(bytes)
  local parts = each(bytes, 4)
  return ("%04x:%02x:%02x.%x"):format(parts[1], parts[2], parts[3], parts[4])
end

function readers.pci_amd(bytes)
  if unsigned(bytes, 1, 4) ~= 1 then return nil end -- a topology other than PCIe
  return ("0000:%02x:%02x.%x"):format(bytes:byte(22), bytes:byte(23), bytes:byte(24))
end

local least_length = {
  number = 1, bytes = 1, identifier = 1, bool = 1, choice = 1, version = 4, uuid = 16, pci = 16, pci_amd = 24,
}

--- Reads the bytes of a property.
-- @tparam table property an entry of device_properties
-- @tparam string bytes
-- @tparam ?string spelling "opencl": constants as OpenCL writes them
-- @treturn ?any nil if there are too few bytes
function info.read(property, bytes, spelling)
  if #bytes < (least_length[property.kind] or 0) then return nil end
  return readers[property.kind](bytes, property.values, spelling)
end

-- Whether to ask a driver of this version and with these extensions for the property.
local function is_known(property, version, extensions)
  if property.since and property.since <= version then return true end
  return property.extension ~= nil and info.lists(extensions, property.extension)
end

--- Whether a list contains a word.
-- @tparam string words separated by spaces, as drivers list extensions
-- @tparam string wanted
-- @treturn boolean
function info.lists(words, wanted)
  return (" " .. words .. " "):find(" " .. wanted .. " ", 1, true) ~= nil
end

--- A version as a number, to compare.
-- @tparam string version "OpenCL 1.2 something"
-- @treturn number 12; 10 if the text has no version
function info.version(version)
  local major, minor = tostring(version):match("(%d+)%.(%d+)")
  return major and major * 10 + minor or 10
end

--- Returns what reads the properties of a platform or a device.
-- @tparam string what "platform" or "device"
-- @tparam number id the platform's number, or the device's ordinal
-- @treturn table by_name(short), all(spelling)
function info.source(what, id)
  local known = properties[what]
  local source = {}

  local function fetch(property, spelling)
    local bytes = binding[what .. "_bytes"](id, property.number)
    if not bytes then return nil end
    return info.read(property, bytes, spelling)
  end

  local function core(name)
    return fetch(known.by_name[name]) or ""
  end

  --- The property with the name that scripts use; nil if the driver does not have it.
  function source.by_name(name)
    local property = known.by_name[name]
    if not property then return nil end
    if property.since ~= 10 and not is_known(property, info.version(core("version")), core("extensions")) then
      return nil
    end
    return fetch(property)
  end

  --- Every property that the driver reports: a list of {property, value}.
  function source.all(spelling)
    local version, extensions, list = info.version(core("version")), core("extensions"), {}
    for _, property in ipairs(known.list) do
      if is_known(property, version, extensions) then
        local value = fetch(property, spelling)
        if value ~= nil then list[#list + 1] = {property, value} end
      end
    end
    return list
  end

  return source
end

return info
