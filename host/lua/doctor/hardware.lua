--- The hardware that could be an OpenCL device, and whether this user may open it.
-- Parameters with one meaning everywhere: files, the machine's; environment, variables by name.
local known = require "clue.doctor.known"
local trim_end = require("clue.text").trim_end

local hardware = {}

local pci_folder = "/sys/bus/pci/devices"

local function field(files, folder, name)
  return (trim_end(files:read(folder .. "/" .. name) or ""):gsub("^0x", ""):lower())
end

-- Only what OpenCL drivers serve: graphics (class 03), and AMD's and NVIDIA's accelerators (12; Intel's are NPUs).
local function card_at(files, address)
  local folder = pci_folder .. "/" .. address
  local class, vendor = field(files, folder, "class"), field(files, folder, "vendor")
  local label = known.vendors[vendor]
  if not label or not (class:match "^03" or class:match "^12" and vendor ~= "8086") then return nil end
  local driver = files:link(folder .. "/driver")
  return {
    address = address, vendor = vendor, device = field(files, folder, "device"), label = label,
    kind = class:match "^03" and "GPU" or "accelerator", driver = driver and driver:match "[^/]*$" or nil,
  }
end

--- The cards on the PCI bus.
-- @treturn {table,...} address, vendor and device (hexadecimal), label ("NVIDIA"), kind ("GPU"), driver (the kernel's)
-- @treturn boolean whether /sys shows cards at all
function hardware.cards(files)
  local cards, names = {}, files:list(pci_folder)
  for _, address in ipairs(names or {}) do cards[#cards + 1] = card_at(files, address) end
  return cards, names ~= nil
end

--- The processor.
-- @treturn string its name
-- @treturn number how many the system counts
function hardware.processor(files)
  local text = files:read("/proc/cpuinfo", 2 ^ 22) or ""
  local name = ("\n" .. text):match "\nmodel name%s*:%s*([^\n]+)"
  local _, count = ("\n" .. text):gsub("\nprocessor%s*:", "")
  return name or "without a name in /proc/cpuinfo", count
end

-- The entry of /etc/group or /etc/passwd for a number: its name, and its last field.
local function entry_of(files, path, id)
  for name, number, rest in (files:read(path) or ""):gmatch "([^:\n]+):[^:\n]*:(%d+):([^\n]*)" do
    if tonumber(number) == id then return name, rest end
  end
  return nil
end

--- The user of this process.
-- @treturn table id, name, root
function hardware.user(files)
  local id = tonumber(((files:read "/proc/self/status" or ""):match "Uid:%s*%d+%s+(%d+)"))
  return {id = id, name = entry_of(files, "/etc/passwd", id), root = id == 0}
end

local nodes = {"/dev/dri/renderD*", "/dev/kfd", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia[0-9]", "/dev/dxg"}

local function node_at(files, path, user)
  local node = {path = path}
  node.opens, node.why = files:open(path)
  if not node.opens then
    local id = files:group(path)
    local group, members = entry_of(files, "/etc/group", id)
    node.group = group or id and ("%d"):format(id) or nil
    -- Groups take effect at login, so the process may not have the group yet.
    node.listed = user.name ~= nil and (",%s,"):format(members or ""):find("," .. user.name .. ",", 1, true) ~= nil
  end
  return node
end

--- The files through which drivers reach their hardware.
-- @tparam table user
-- @treturn {table,...} path, opens, why (not), group, listed: the user was added to that group after login
function hardware.nodes(files, user)
  local list = {}
  for _, pattern in ipairs(nodes) do
    local glob = pattern:gsub("%[0%-9%]", "*")
    for _, path in ipairs(files:match(glob)) do
      if glob == pattern or path:match "^/dev/nvidia%d+$" then list[#list + 1] = node_at(files, path, user) end
    end
  end
  return list
end

--- Whether this process runs in a container.
function hardware.in_container(files, environment)
  return files:kind "/.dockerenv" ~= nil or files:kind "/run/.containerenv" ~= nil
    or environment.KUBERNETES_SERVICE_HOST ~= nil or environment.container ~= nil
end

-- ---- drivers on the disk ----------------------------------------------------------------------------------------

local function add_folders(folders, seen, list)
  for _, folder in ipairs(list) do
    if folder ~= "" and not seen[folder] then
      seen[folder] = true
      folders[#folders + 1] = folder
    end
  end
end

local function of_ld_conf(files)
  local folders = {}
  for _, path in ipairs {"/etc/ld.so.conf", "/etc/ld.so.conf.d/*.conf"} do
    for _, file in ipairs(files:match(path)) do
      for line in (files:read(file) or ""):gmatch "[^\n]+" do
        folders[#folders + 1] = line:match "^%s*(/[^%s#]*)"
      end
    end
  end
  return folders
end

local function split(text)
  local parts = {}
  for part in (text or ""):gmatch "[^:;]+" do parts[#parts + 1] = part end
  return parts
end

-- The folders that the dynamic linker always searches, then others that may hold drivers; and how many the first are.
local function library_folders(files, environment)
  local folders, seen = {}, {}
  add_folders(folders, seen, of_ld_conf(files))
  for _, glob in ipairs {"/usr/lib/*-linux-gnu", "/lib/*-linux-gnu", "/usr/lib", "/lib", "/usr/lib64", "/lib64"} do
    add_folders(folders, seen, files:match(glob))
  end
  local linked = #folders
  add_folders(folders, seen, split(environment.LD_LIBRARY_PATH))
  add_folders(folders, seen, {"/usr/local/lib"})
  return folders, linked
end

-- Looks in the linker's folders first, where a name alone is enough, then in the driver's own folder.
local function place_of(files, driver, folders, linked, fits)
  for i, folder in ipairs(folders) do
    local path = folder .. "/" .. driver.file
    if files:kind(path) and fits(path) then return path, i <= linked end
  end
  for _, glob in ipairs(driver.places or {}) do
    for _, path in ipairs(files:match(glob .. "/" .. driver.file)) do
      if fits(path) then return path, false end
    end
  end
  return nil
end

--- The known drivers on the disk.
-- @tparam function fits whether a library at a path is for this machine
-- @treturn {table,...} driver (of clue.doctor.known), path, name (what an .icd file must contain to find it)
function hardware.libraries(files, environment, fits)
  local found, folders, linked = {}, library_folders(files, environment)
  for _, driver in ipairs(known.drivers) do
    local path, by_name = place_of(files, driver, folders, linked, fits)
    if path then found[#found + 1] = {driver = driver, path = path, name = by_name and driver.file or path} end
  end
  return found
end

return hardware
