--- What to type: each function returns lines for a shell, as this user must write them.
-- Parameters with one meaning everywhere: exam, an examination.
local remedy = {}

local function as_root(exam, line)
  return (exam.user.root and "" or "sudo ") .. line
end

--- Registers a driver.
-- @tparam table found driver and name, of hardware.libraries
-- @tparam string folder of .icd files
-- @treturn {string,...}
function remedy.register(exam, found, folder)
  local path = folder .. "/" .. found.driver.icd
  local write = exam.user.root and ("echo %s > %s"):format(found.name, path)
    or ("echo %s | sudo tee %s"):format(found.name, path)
  return {("%s && %s"):format(as_root(exam, "mkdir -p " .. folder), write)}
end

--- Installs Debian packages.
-- @tparam string packages
-- @treturn {string,...}
function remedy.install(exam, packages)
  return {as_root(exam, "apt install " .. packages)}
end

--- Reinstalls what a driver needs, or renames its .icd file so that it is not used.
-- @tparam table entry a registered driver
-- @treturn ?{string,...}
function remedy.mend(exam, entry)
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
function remedy.open(exam, node)
  if node.why:find("not permitted", 1, true) then return nil end
  if node.listed or not node.group or node.group == "root" or exam.user.root then return nil end
  return {("sudo usermod -aG %s %s"):format(node.group, exam.user.name or "$USER")}
end

--- Mounts /sys.
-- @treturn {string,...}
function remedy.mount_sys(exam)
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
    return "its OpenCL driver is in Debian's section non-free", remedy.install(exam, "nvidia-opencl-icd")
  end
  return "its drivers are in Debian's section non-free; the kernel's part needs a restart",
    remedy.install(exam, "nvidia-driver nvidia-opencl-icd")
end

cards["1002"] = function(exam, _, has_node)
  if exam.container and not has_node then
    return "this container has no access to it", docker "--device /dev/dri --device /dev/kfd"
  end
  return "Mesa's Clover serves it; AMD's own ROCm is not in Debian 12, but on AMD's site",
    remedy.install(exam, "mesa-opencl-icd")
end

cards["8086"] = function(exam, _, has_node)
  if exam.container and not has_node then return "this container has no access to it", docker "--device /dev/dri" end
  return "Intel's driver serves it from Broadwell (2014) on", remedy.install(exam, "intel-opencl-icd")
end

--- The driver for a card.
-- @tparam table card of hardware.cards
-- @tparam boolean has_node whether there is a device file of this vendor
-- @treturn string a remark
-- @treturn {string,...}
function remedy.card(exam, card, has_node)
  return cards[card.vendor](exam, card.driver, has_node)
end

return remedy
