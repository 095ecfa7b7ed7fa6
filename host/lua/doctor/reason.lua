--- Why a driver that loads shows no device, and queries on an examination that the rules share.
-- Parameters with one meaning everywhere: exam, an examination; vendor, its number in hexadecimal.
local known = require "clue.doctor.known"
local lists = require "clue.shared.list"

local reason = {}

-- ---- questions that several rules ask ---------------------------------------------------------------------------

--- The cards of a vendor.
-- @treturn {table,...}
function reason.cards_of(exam, vendor)
  return lists.filter(exam.cards, function(card) return card.vendor == vendor end)
end

local node_patterns = {["10de"] = {"^/dev/nvidia"}, ["1002"] = {"^/dev/dri/", "^/dev/kfd"}, ["8086"] = {"^/dev/dri/"}}

--- The device files for access to a vendor's cards.
-- @treturn {table,...}
function reason.nodes_of(exam, vendor)
  local list = {}
  for _, node in ipairs(exam.nodes) do
    for _, pattern in ipairs(node_patterns[vendor]) do
      if node.path:find(pattern) then list[#list + 1] = node end
    end
  end
  return list
end

--- Whether OpenCL shows a device of the vendor that is not a processor.
function reason.served(exam, vendor)
  for _, device in ipairs(exam.machine.devices) do
    if device.vendor_id == tonumber(vendor, 16) and device.kind ~= "cpu" then return true end
  end
  return false
end

--- A variable's value.
-- @tparam string name
-- @treturn ?string nil if it is unset or empty
function reason.set(exam, name)
  local value = exam.environment[name]
  return value ~= "" and value or nil
end

--- Names of .icd files, as a list in words.
-- @tparam {table,...} entries of loader.registered
function reason.names(entries)
  return table.concat(lists.map(entries, function(entry) return entry.name end), ", ")
end

-- ---- why a driver shows no device -------------------------------------------------------------------------------

--- What to enable in rusticl on this machine.
-- @treturn string a name for RUSTICL_ENABLE
-- @treturn string the device that it shows
function reason.rusticl_choice(exam)
  if #reason.cards_of(exam, "8086") > 0 then return "iris", "the Intel GPU" end
  for _, card in ipairs(reason.cards_of(exam, "10de")) do
    if card.driver == "nouveau" then return "nouveau", "the NVIDIA GPU" end
  end
  return "llvmpipe", "the CPU, slowly and with wrong results in long loops"
end

local function without_card(vendor)
  return function(exam)
    if #reason.cards_of(exam, vendor) > 0 or #reason.nodes_of(exam, vendor) > 0 then return nil end
    return ("there is no %s GPU"):format(known.vendors[vendor])
  end
end

local function hidden_by(exam, ...)
  for _, name in ipairs {...} do
    if exam.environment[name] == "" then return name .. " is set but empty, which hides its devices" end
    if exam.environment[name] then return ("%s=%s may hide its devices"):format(name, exam.environment[name]) end
  end
  return nil
end

-- By stem: why, in words; nil if there is no known reason.
local reasons = {
  libRusticlOpenCL = function(exam)
    local driver, what = reason.rusticl_choice(exam)
    local enabled = reason.set(exam, "RUSTICL_ENABLE")
    if enabled then return ("RUSTICL_ENABLE=%s finds none; in Debian 12 llvmpipe, iris and nouveau exist"):format(
      enabled) end
    return ("RUSTICL_ENABLE=%s makes it show %s"):format(driver, what)
  end,
  libMesaOpenCL = function(exam)
    if #reason.cards_of(exam, "1002") == 0 then return "it serves AMD GPUs, but there is none" end
    return nil
  end,
  ["libnvidia-opencl"] = function(exam)
    local absent = without_card "10de"(exam)
    if absent then return absent end
    if #reason.nodes_of(exam, "10de") == 0 then
      if exam.container then return "the GPU was not given to this container: there is no /dev/nvidia0" end
      return "the kernel's driver nvidia is not loaded: there is no /dev/nvidiactl"
    end
    return hidden_by(exam, "CUDA_VISIBLE_DEVICES")
  end,
  libigdrcl = function(exam)
    local absent = without_card "8086"(exam)
    if absent then return absent end
    if #reason.nodes_of(exam, "8086") == 0 then
      return "there is no /dev/dri/renderD*, through which it reaches the GPU"
    end
    return hidden_by(exam, "ZE_AFFINITY_MASK")
  end,
  libamdocl64 = function(exam)
    local absent = without_card "1002"(exam)
    if absent then return absent end
    for _, node in ipairs(exam.nodes) do
      if node.path == "/dev/kfd" then
        return hidden_by(exam, "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
      end
    end
    return "there is no /dev/kfd, through which it reaches the GPU"
  end,
  libpocl = function(exam)
    if not exam.sys then return "there is no /sys, in which PoCL counts processors and memory" end
    local cache = exam.refused_cache
    if cache then return ("it cannot make the folder of its cache, %s: %s"):format(cache.folder, cache.why) end
    local devices = reason.set(exam, "POCL_DEVICES")
    return devices and ("POCL_DEVICES=%s names no device that it has"):format(devices)
  end,
}

--- Why a driver shows no device.
-- @tparam table entry a registered driver
-- @treturn ?string nil if unknown
function reason.why(exam, entry)
  if entry.refusal then return entry.refusal end
  local ask = entry.library and reasons[known.stem(entry.library)]
  return ask and ask(exam) or nil
end

return reason
