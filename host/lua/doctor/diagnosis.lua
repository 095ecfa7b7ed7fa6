--- Judges what an examination found: problems, the worst first, each with what to type, and the verdict.
--
-- A fault makes the exit status 1: a registered driver that does not work, a layer that does not load, a device that
-- runs no kernel, a choice that means nothing, no device at all. Everything else is advice: a card that no driver
-- serves, a driver on the disk that is not registered, a device file that this user may not open.
-- @module clue.doctor.diagnosis
local known = require "clue.doctor.known"
local loader = require "clue.doctor.loader"
local remedy = require "clue.doctor.remedy"

local diagnosis = {}

-- ---- questions that several rules ask ---------------------------------------------------------------------------

local function cards_of(exam, vendor)
  local list = {}
  for _, card in ipairs(exam.cards) do
    if card.vendor == vendor then list[#list + 1] = card end
  end
  return list
end

local node_patterns = {["10de"] = {"^/dev/nvidia"}, ["1002"] = {"^/dev/dri/", "^/dev/kfd"}, ["8086"] = {"^/dev/dri/"}}

local function nodes_of(exam, vendor)
  local list = {}
  for _, node in ipairs(exam.nodes) do
    for _, pattern in ipairs(node_patterns[vendor]) do
      if node.path:find(pattern) then list[#list + 1] = node end
    end
  end
  return list
end

-- Whether OpenCL has a device of the vendor that is no processor.
local function served(exam, vendor)
  for _, device in ipairs(exam.machine.devices) do
    if device.vendor_id == tonumber(vendor, 16) and device.kind ~= "cpu" then return true end
  end
  return false
end

local function set(exam, name)
  local value = exam.environment[name]
  return value ~= "" and value or nil
end

-- ---- why a driver shows no device -------------------------------------------------------------------------------

local function rusticl_choice(exam)
  if #cards_of(exam, "8086") > 0 then return "iris", "the Intel GPU" end
  for _, card in ipairs(cards_of(exam, "10de")) do
    if card.driver == "nouveau" then return "nouveau", "the NVIDIA GPU" end
  end
  return "llvmpipe", "the CPU, slowly and with wrong results in long loops"
end

local function without_card(vendor)
  return function(exam)
    if #cards_of(exam, vendor) > 0 or #nodes_of(exam, vendor) > 0 then return nil end
    return ("no %s GPU is here"):format(known.vendors[vendor])
  end
end

local function hidden_by(exam, ...)
  for _, name in ipairs {...} do
    if exam.environment[name] then return ("%s=%s may hide its devices"):format(name, exam.environment[name]) end
  end
  return nil
end

-- By stem: why, in words; nil where nothing speaks for a reason.
local reasons = {
  libRusticlOpenCL = function(exam)
    local driver, what = rusticl_choice(exam)
    local enabled = set(exam, "RUSTICL_ENABLE")
    if enabled then return ("RUSTICL_ENABLE=%s finds none; in Debian 12 llvmpipe, iris and nouveau exist"):format(
      enabled) end
    return ("RUSTICL_ENABLE=%s makes it show %s"):format(driver, what)
  end,
  libMesaOpenCL = function(exam)
    if #cards_of(exam, "1002") == 0 then return "it serves AMD GPUs, none is here" end
    return nil
  end,
  ["libnvidia-opencl"] = function(exam)
    local absent = without_card "10de"(exam)
    if absent then return absent end
    if #nodes_of(exam, "10de") == 0 then
      if exam.container then return "the GPU was not given to this container: there is no /dev/nvidia0" end
      return "the kernel's driver nvidia is not loaded: there is no /dev/nvidiactl"
    end
    return hidden_by(exam, "CUDA_VISIBLE_DEVICES")
  end,
  libigdrcl = function(exam)
    local absent = without_card "8086"(exam)
    if absent then return absent end
    if #nodes_of(exam, "8086") == 0 then return "there is no /dev/dri/renderD*, through which it reaches the GPU" end
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
    if not exam.sys then return "/sys is not there, and PoCL counts processors and memory by it" end
    local devices = set(exam, "POCL_DEVICES")
    return devices and ("POCL_DEVICES=%s names none that it has"):format(devices)
  end,
}

--- Why a driver shows no device.
-- @tparam table exam
-- @tparam table entry a registered driver
-- @treturn ?string nil where nothing tells
function diagnosis.reason(exam, entry)
  if entry.refusal then return entry.refusal end
  local reason = entry.library and reasons[known.stem(entry.library)]
  return reason and reason(exam) or nil
end

-- ---- the rules; each adds problems ------------------------------------------------------------------------------

local function add(problems, problem)
  problem.fix = problem.fix or {}
  problems[#problems + 1] = problem
end

local function broken_layers(exam, problems)
  for _, layer in ipairs(exam.layers) do
    if layer.problem then
      add(problems, {fault = true, fix = {"unset OPENCL_LAYERS"},
        text = ("OPENCL_LAYERS: %s; the loader leaves it out without a word"):format(layer.problem)})
    end
  end
end

local function topic_of(entry)
  local driver = entry.library and known.driver(entry.library)
  return driver and (driver.label .. " " .. driver.stem .. (driver.vendor and " gpu" or "")):lower() or nil
end

local function broken_drivers(exam, problems)
  for _, entry in ipairs(exam.registered.entries) do
    if entry.problem then
      local text = entry.problem
      if entry.library == nil or entry.file == nil then
        text = ("%s%s"):format(entry.file and "" or entry.name .. ": ", text)
      else
        text = ("%s: %s"):format(entry.file, text)
      end
      local reason = entry.state ~= "unloadable" and not exam.sys and diagnosis.reason(exam, entry)
      if reason then text = text .. "; " .. reason end
      add(problems, {fault = true, text = text, fix = remedy.mend(exam, entry), topic = topic_of(entry)})
    end
  end
end

-- A driver without devices is at fault where its hardware is there, or where it refuses.
local function idle_drivers(exam, problems)
  for _, entry in ipairs(exam.registered.entries) do
    local driver = entry.library and known.driver(entry.library)
    local idle = entry.state == "no devices" or entry.state == "no platform"
    local has_card = driver and driver.vendor and #cards_of(exam, driver.vendor) > 0 and not served(exam, driver.vendor)
    if idle and (entry.refusal or has_card or not driver) then
      local shows = entry.state == "no platform" and "shows no platform" or "shows no devices"
      local reason = diagnosis.reason(exam, entry)
      add(problems, {fault = true, topic = topic_of(entry),
        text = ("%s: %s %s%s"):format(entry.name, entry.library, shows, reason and ": " .. reason or "")})
    end
  end
end

local function together(exam, problems)
  local failure = exam.machine.failure
  if not failure then return end
  for _, problem in ipairs(problems) do
    if problem.fault then return end -- that tells it already
  end
  local said = failure.said and ": " .. failure.said or ""
  add(problems, {fault = true, text = ("OpenCL as a whole %s, though each driver by itself does not%s"):format(
    failure.text, said), fix = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/NAME.icd clue devices"}})
end

local function kernel(exam, problems)
  local choice, ran = exam.machine.choice, exam.kernel
  if not ran then return end
  local problem = ran.failure and (ran.failure.said and ran.failure.text .. ": " .. ran.failure.said or ran.failure.text)
    or ran.problem
  if not problem then return end
  add(problems, {fault = true, first = true,
    text = ("device %d is listed, but a test kernel on it %s%s"):format(choice.ordinal,
      ran.failure and "" or "fails: ", problem)})
end

local function listed(entries)
  local names = {}
  for i, entry in ipairs(entries) do names[i] = entry.name end
  return table.concat(names, ", ")
end

local function hidden(exam, problems)
  if #exam.hidden == 0 then return end
  local topics = {}
  for i, entry in ipairs(exam.hidden) do topics[i] = topic_of(entry) or "" end
  local variable = exam.registered.variable
  add(problems, {text = ("%s=%s hides what is registered in %s: %s"):format(variable, exam.environment[variable],
    loader.usual, listed(exam.hidden)), fix = {"unset " .. variable}, topic = table.concat(topics, " ")})
end

local function closed_nodes(exam, problems)
  local groups = {}
  for _, node in ipairs(exam.nodes) do
    local text = node.opens and "" or ("%s: %s"):format(node.path, node.why)
    if not node.opens and not groups[node.group or node.path] then
      groups[node.group or node.path] = true
      local fix = remedy.open(exam, node)
      if fix then
        text = ("%s; group %s may open it (log in again after this)"):format(text, node.group)
      elseif node.listed then
        text = ("%s; you are in group %s, but not since this login: log in again"):format(text, node.group)
      elseif exam.container then
        text = text .. "; this container may not open it: docker run --device " .. node.path
      end
      add(problems, {text = text, fix = fix, topic = "gpu nvidia amd intel"})
    end
  end
end

local function library_for(list, vendor)
  for _, found in ipairs(list) do
    if found.driver.vendor == vendor then return found end
  end
  return nil
end

-- A driver for the vendor that is registered, in force or not: another rule tells what is wrong with it.
local function has_entry(exam, vendor)
  for _, entries in ipairs {exam.registered.entries, exam.hidden} do
    for _, entry in ipairs(entries) do
      local driver = entry.library and known.driver(entry.library)
      if driver and driver.vendor == vendor then return true end
    end
  end
  return false
end

local function told_cards(cards)
  local card = cards[1]
  local what = #cards == 1 and ("%s %s %s:%s"):format(card.label, card.kind, card.vendor, card.device)
    or ("%d %s cards"):format(#cards, card.label)
  return what
end

--- Where .icd files go: the folder in force, else the usual one.
-- @tparam table exam
-- @treturn string
function diagnosis.folder(exam)
  return exam.registered.folder or loader.usual
end

local function unserved_cards(exam, problems)
  for _, vendor in ipairs {"10de", "1002", "8086"} do
    local cards = cards_of(exam, vendor)
    if #cards > 0 and not served(exam, vendor) and not has_entry(exam, vendor) then
      local found = library_for(exam.unregistered, vendor)
      local topic = (known.vendors[vendor] .. " gpu"):lower()
      if found then
        add(problems, {topic = topic, fix = remedy.register(exam, found, diagnosis.folder(exam)),
          text = ("%s: its driver is on the disk (%s), but no .icd file names it"):format(told_cards(cards), found.path)})
        found.told = true
      else
        local remark, fix = remedy.card(exam, cards[1], #nodes_of(exam, vendor) > 0)
        add(problems, {topic = topic, fix = fix, text = ("%s: no OpenCL driver is here; %s"):format(told_cards(cards),
          remark)})
      end
    end
  end
end

local function unregistered(exam, problems)
  for _, found in ipairs(exam.unregistered) do
    local driver = found.driver
    local use = not driver.vendor or #nodes_of(exam, driver.vendor) > 0
    if use and not found.told and not driver.debugger then
      add(problems, {topic = driver.label:lower(), fix = remedy.register(exam, found, diagnosis.folder(exam)),
        text = ("%s's driver is on the disk (%s), but no .icd file names it"):format(driver.label, found.path)})
    end
  end
end

local function no_loader(exam, problems)
  if exam.loader.kind ~= "none" then return end
  add(problems, {fix = remedy.install(exam, "ocl-icd-libopencl1"),
    text = ("%s is no ICD loader but a driver of its own: no other driver can be seen through it"):format(
      exam.loader.path)})
end

local function has_pocl(exam)
  for _, entry in ipairs(exam.registered.entries) do
    if entry.library and known.stem(entry.library) == "libpocl" then return true end
  end
  for _, entry in ipairs(exam.hidden) do
    if entry.library and known.stem(entry.library) == "libpocl" then return true end
  end
  for _, found in ipairs(exam.unregistered) do
    if found.driver.stem == "libpocl" then return true end
  end
  return false
end

local function no_processor_driver(exam, problems)
  if #exam.machine.devices > 0 or has_pocl(exam) then return end
  add(problems, {topic = "cpu pocl", text = "PoCL makes any CPU a device", fix = remedy.install(exam,
    "pocl-opencl-icd")})
end

local function enable_rusticl(exam, problems)
  if #exam.machine.devices > 0 or set(exam, "RUSTICL_ENABLE") then return end
  for _, entry in ipairs(exam.registered.entries) do
    if entry.state == "no devices" and known.stem(entry.library) == "libRusticlOpenCL" then
      local driver, what = rusticl_choice(exam)
      add(problems, {topic = "rusticl cpu", fix = {("export RUSTICL_ENABLE=%s"):format(driver)},
        text = ("rusticl shows devices only where RUSTICL_ENABLE names its drivers: %s is %s"):format(driver, what)})
    end
  end
end

local rules = {
  broken_layers, broken_drivers, idle_drivers, together, kernel, no_loader, hidden, closed_nodes, unserved_cards,
  unregistered, no_processor_driver, enable_rusticl,
}

-- ---- the verdict ------------------------------------------------------------------------------------------------

local function about(problem, spec)
  for word in spec:lower():gmatch "%a+" do
    if problem.topic and #word > 2 and problem.topic:find(word, 1, true) then return true end
  end
  return false
end

-- What has to do with the choice comes first; faults before advice.
local function order(problems, spec)
  local sorted = {}
  for _, wanted in ipairs {3, 2, 1, 0} do
    for _, problem in ipairs(problems) do
      local rank = (spec and about(problem, spec) and 2 or 0) + (problem.fault and 1 or 0)
      if rank == wanted then sorted[#sorted + 1] = problem end
    end
  end
  return sorted
end

local synonyms = {nvidia = "10de", cuda = "10de", geforce = "10de", rtx = "10de", tesla = "10de", amd = "1002",
                  radeon = "1002", rocm = "1002", intel = "8086", arc = "8086"}

-- A choice of a vendor whose card is not there.
local function missing_card(exam, spec)
  local word = spec:lower():match "%a+"
  local vendor = word and synonyms[word]
  if exam.sys and vendor and #cards_of(exam, vendor) == 0 and #nodes_of(exam, vendor) == 0 then
    return ("; no %s card is on this machine's PCI bus"):format(known.vendors[vendor])
  elseif exam.sys and word == "gpu" and #exam.cards == 0 and #exam.nodes == 0 then
    return "; no card of NVIDIA, AMD or Intel is on this machine's PCI bus"
  end
  return ""
end

local function count(number, what)
  return ("%d %s%s"):format(number, what, number == 1 and "" or "s")
end

local function verdict(exam, problems)
  local choice, devices = exam.machine.choice, exam.machine.devices
  if #devices == 0 then
    local first = problems[1]
    local text = "no device: " .. (first and first.text or "no driver has any")
    return text, first and first.fix
  elseif not choice.ordinal then
    local spec = choice.problem:match "^[^:]*[= ]([^:=]+):" or ""
    return ("%s, but not the one asked for: %s%s"):format(count(#devices, "device"), choice.problem,
      missing_card(exam, exam.device or spec))
  elseif exam.kernel and not exam.kernel.seconds then
    return ("%s; clue takes %s, which does not work"):format(count(#devices, "device"), devices[choice.ordinal + 1].text)
  end
  return ("%s; clue takes %s: %s"):format(count(#devices, "device"), devices[choice.ordinal + 1].text, choice.why)
end

--- Judges an examination.
-- @tparam table exam
-- @treturn table problems ({text, fix, fault}), verdict (a text), first (lines to type first), status (of the exit)
function diagnosis.judge(exam)
  local problems = {}
  for _, rule in ipairs(rules) do rule(exam, problems) end
  problems = order(problems, exam.device or set(exam, "CLUE_DEVICE"))
  local text, first = verdict(exam, problems)
  local status = exam.machine.choice and exam.machine.choice.ordinal and 0 or 1
  for _, problem in ipairs(problems) do
    if problem.fault then status = 1 end
  end
  return {problems = problems, verdict = text, first = first or {}, status = status}
end

return diagnosis
