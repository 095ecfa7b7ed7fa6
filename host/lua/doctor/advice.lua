--- What the doctor's rules ask of an examination, and what they say of a problem: why a driver that loads shows no
-- device, and what to type, as lines for a shell that this user must write.
-- Parameters with one meaning everywhere: exam, an examination; vendor, its number in hexadecimal.
local known = require "clue.doctor.known"
local lists = require "clue.shared.list"

local advice = {}

-- ---- questions that several rules ask ---------------------------------------------------------------------------

--- The cards of a vendor.
-- @treturn {table,...}
function advice.cards_of(exam, vendor)
  return lists.filter(exam.cards, function(card) return card.vendor == vendor end)
end

local node_patterns = {["10de"] = {"^/dev/nvidia"}, ["1002"] = {"^/dev/dri/", "^/dev/kfd"}, ["8086"] = {"^/dev/dri/"}}

--- The device files for access to a vendor's cards.
-- @treturn {table,...}
function advice.nodes_of(exam, vendor)
  local list = {}
  for _, node in ipairs(exam.nodes) do
    for _, pattern in ipairs(node_patterns[vendor]) do
      if node.path:find(pattern) then list[#list + 1] = node end
    end
  end
  return list
end

--- Whether OpenCL shows a device of the vendor that is not a processor.
function advice.served(exam, vendor)
  for _, device in ipairs(exam.machine.devices) do
    if device.vendor_id == tonumber(vendor, 16) and device.kind ~= "cpu" then return true end
  end
  return false
end

--- A variable's value.
-- @tparam string name
-- @treturn ?string nil if it is unset or empty
function advice.set(exam, name)
  local value = exam.environment[name]
  return value ~= "" and value or nil
end

--- Names of .icd files, as a list in words.
-- @tparam {table,...} entries of loader.registered
function advice.names(entries)
  return table.concat(lists.map(entries, function(entry) return entry.name end), ", ")
end

-- ---- why a driver shows no device -------------------------------------------------------------------------------

--- What to enable in rusticl on this machine.
-- @treturn string a name for RUSTICL_ENABLE
-- @treturn string the device that it shows
function advice.rusticl_choice(exam)
  if #advice.cards_of(exam, "8086") > 0 then return "iris", "the Intel GPU" end
  for _, card in ipairs(advice.cards_of(exam, "10de")) do
    if card.driver == "nouveau" then return "nouveau", "the NVIDIA GPU" end
  end
  return "llvmpipe", "the CPU, slowly and with wrong results in long loops"
end

local function hidden_by(exam, names)
  for _, name in ipairs(names) do
    if exam.environment[name] == "" then return name .. " is set but empty, which hides its devices" end
    if exam.environment[name] then return ("%s=%s may hide its devices"):format(name, exam.environment[name]) end
  end
  return nil
end

-- Of a driver for a vendor's cards: there is none, no device file of a pattern leads to it, or a variable hides it.
local function of_cards(vendor, way, without_way, names)
  return function(exam)
    if #advice.cards_of(exam, vendor) == 0 and #advice.nodes_of(exam, vendor) == 0 then
      return ("there is no %s GPU"):format(known.vendors[vendor])
    end
    local is_reached = lists.any(exam.nodes, function(node) return node.path:find(way) end)
    return not is_reached and without_way(exam) or is_reached and hidden_by(exam, names) or nil
  end
end

-- By stem: why, in words; nil if there is no known reason.
local reasons = {
  libRusticlOpenCL = function(exam)
    local driver, what = advice.rusticl_choice(exam)
    local enabled = advice.set(exam, "RUSTICL_ENABLE")
    if enabled then return ("RUSTICL_ENABLE=%s finds none; in Debian 12 llvmpipe, iris and nouveau exist"):format(
      enabled) end
    return ("RUSTICL_ENABLE=%s makes it show %s"):format(driver, what)
  end,
  libMesaOpenCL = function(exam)
    if #advice.cards_of(exam, "1002") == 0 then return "it serves AMD GPUs, but there is none" end
    return nil
  end,
  ["libnvidia-opencl"] = of_cards("10de", "^/dev/nvidia", function(exam)
    return exam.container and "the GPU was not given to this container: there is no /dev/nvidia0"
      or "the kernel's driver nvidia is not loaded: there is no /dev/nvidiactl"
  end, {"CUDA_VISIBLE_DEVICES"}),
  libigdrcl = of_cards("8086", "^/dev/dri/", function()
    return "there is no /dev/dri/renderD*, through which it reaches the GPU"
  end, {"ZE_AFFINITY_MASK"}),
  libamdocl64 = of_cards("1002", "^/dev/kfd$", function()
    return "there is no /dev/kfd, through which it reaches the GPU"
  end, {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}),
  libpocl = function(exam)
    if not exam.sys then return "there is no /sys, in which PoCL counts processors and memory" end
    if exam.environment.POCL_CACHE_DIR == "" then return "POCL_CACHE_DIR is set but empty" end
    local cache = exam.refused_cache
    if cache then return ("it cannot make the folder of its cache, %s: %s"):format(cache.folder, cache.why) end
    local devices = advice.set(exam, "POCL_DEVICES")
    return devices and ("POCL_DEVICES=%s names no device that it has"):format(devices)
  end,
}

--- Why a driver shows no device.
-- @tparam table entry a registered driver
-- @treturn ?string nil if unknown
function advice.why(exam, entry)
  if entry.refusal then return entry.refusal end
  local ask = entry.library and reasons[known.stem(entry.library)]
  return ask and ask(exam) or nil
end

-- ---- what to type ----------------------------------------------------------------------------------------------

local function as_root(exam, line)
  return (exam.user.root and "" or "sudo ") .. line
end

--- Registers a driver.
-- @tparam table found driver and name, of hardware.libraries
-- @tparam string folder of .icd files
-- @treturn {string,...}
function advice.register(exam, found, folder)
  local path = folder .. "/" .. found.driver.icd
  local write = exam.user.root and ("echo %s > %s"):format(found.name, path)
    or ("echo %s | sudo tee %s"):format(found.name, path)
  return {("%s && %s"):format(as_root(exam, "mkdir -p " .. folder), write)}
end

--- Installs Debian packages.
-- @tparam string packages
-- @treturn {string,...}
function advice.install(exam, packages)
  return {as_root(exam, "apt install " .. packages)}
end

--- Reinstalls what a driver needs, or renames its .icd file so that it is not used.
-- @tparam table entry a registered driver
-- @treturn ?{string,...}
function advice.mend(exam, entry)
  local lines = {}
  if entry.fix == "trim" and entry.file then return {as_root(exam, "sed -i 's/[[:space:]]*$//' " .. entry.file)} end
  for i, line in ipairs(type(entry.fix) == "table" and entry.fix or {}) do lines[i] = as_root(exam, line) end
  if #lines > 0 then return lines end
  if not entry.file then return {"unset " .. entry.name} end
  return {as_root(exam, ("mv %s %s.off"):format(entry.file, entry.file))}
end

--- Lets the user open a device file.
-- @tparam table node of hardware.nodes
-- @treturn ?{string,...}
function advice.open(exam, node)
  if node.why:find("not permitted", 1, true) then return nil end
  if node.listed or not node.group or node.group == "root" or exam.user.root then return nil end
  return {("sudo usermod -aG %s %s"):format(node.group, exam.user.name or "$USER")}
end

--- Mounts /sys.
-- @treturn {string,...}
function advice.mount_sys(exam)
  return {as_root(exam, "mount -t sysfs sysfs /sys")}
end

-- ---- cards without a driver -------------------------------------------------------------------------------------

local function docker(options)
  return {"docker run " .. options .. " ..."}
end

local cards = {}

cards["10de"] = function(exam, driver, has_node)
  if exam.container then
    return "a container gets NVIDIA's driver from its host, through NVIDIA's container toolkit",
      docker "--gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility"
  elseif driver == "nvidia" or has_node then
    return "its OpenCL driver is in Debian's section non-free", advice.install(exam, "nvidia-opencl-icd")
  end
  return "its drivers are in Debian's section non-free; the kernel's part needs a restart",
    advice.install(exam, "nvidia-driver nvidia-opencl-icd")
end

cards["1002"] = function(exam, _, has_node)
  if exam.container and not has_node then
    return "this container has no access to it", docker "--device /dev/dri --device /dev/kfd"
  end
  return "Mesa's Clover serves it; AMD's own ROCm is not in Debian 12, but on AMD's site",
    advice.install(exam, "mesa-opencl-icd")
end

cards["8086"] = function(exam, _, has_node)
  if exam.container and not has_node then return "this container has no access to it", docker "--device /dev/dri" end
  return "Intel's driver serves it from Broadwell (2014) on", advice.install(exam, "intel-opencl-icd")
end

--- The driver for a card.
-- @tparam table card of hardware.cards
-- @tparam boolean has_node whether there is a device file of this vendor
-- @treturn string a remark
-- @treturn {string,...}
function advice.card(exam, card, has_node)
  return cards[card.vendor](exam, card.driver, has_node)
end

return advice
