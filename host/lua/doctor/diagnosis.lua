--- Judges an examination by rules: the problems, the worst first, with what to type, and the verdict.
--
-- A fault makes the exit status 1: a registered driver that does not work, a layer that does not load, a device that
-- runs no kernel, a choice that means nothing, no device at all. Everything else is advice: a card that no driver
-- serves, a driver on the disk that is not registered, a device file that this user may not open.
local advice = require "clue.doctor.advice"
local counted = require("clue.text").count
local known = require "clue.doctor.known"
local lists = require "clue.shared.list"
local loader = require "clue.doctor.loader"

local diagnosis = {}

local cards_of, nodes_of, served, set = advice.cards_of, advice.nodes_of, advice.served, advice.set

-- ---- rules: each adds the problems that it finds ----

local function add(problems, problem)
  problem.fix = problem.fix or {}
  problems[#problems + 1] = problem
end

local function broken_layers(exam, problems)
  for _, layer in ipairs(exam.layers) do
    if layer.problem then
      add(problems, {fault = true, fix = {"unset OPENCL_LAYERS"},
        text = ("OPENCL_LAYERS: %s; the loader silently leaves it out"):format(layer.problem)})
    end
  end
end

-- The known driver of an entry, if it is one.
local function driver_of(entry)
  return entry.library and known.driver(entry.library)
end

-- The choices that this driver could serve: "gpu" only if its cards are present.
local function topic_of(exam, entry)
  local driver = driver_of(entry)
  if not driver then return nil end
  local vendor = driver.vendor
  local has_card = vendor and (#cards_of(exam, vendor) > 0 or #nodes_of(exam, vendor) > 0)
  return (driver.label .. " " .. driver.stem .. (has_card and " gpu" or "")):lower()
end

-- A remedy for cases that are understood better than "the driver is broken".
local function better_remedy(exam, entry)
  local driver = driver_of(entry)
  if not driver then return nil end
  if driver.stem == "libpocl" and entry.state ~= "unloadable" then
    if not exam.sys then return advice.why(exam, entry), advice.mount_sys(exam) end
    if exam.environment.POCL_CACHE_DIR == "" then return advice.why(exam, entry), {"unset POCL_CACHE_DIR"} end
  end
  local card = driver.vendor and not driver.package and cards_of(exam, driver.vendor)[1]
  if card and entry.state == "unloadable" then
    return advice.card(exam, card, #nodes_of(exam, driver.vendor) > 0)
  end
  return nil
end

local function broken_drivers(exam, problems)
  for _, entry in ipairs(exam.registered.entries) do
    if entry.problem then
      local where = not entry.file and entry.name or entry.library and entry.file -- else the problem names the file
      local remark, fix = better_remedy(exam, entry)
      add(problems, {fault = true, text = (where and where .. ": " or "") .. entry.problem
        .. (remark and "; " .. remark or ""), fix = fix or advice.mend(exam, entry), topic = topic_of(exam, entry)})
    end
  end
end

-- The registered drivers of a name that are in a state.
local function drivers_in(exam, state, stem)
  return lists.filter(exam.registered.entries, function(entry)
    return entry.state == state and known.stem(entry.library) == stem
  end)
end

local function is_idle(entry)
  return entry.state == "no devices" or entry.state == "no platform"
end

-- A variable that may hide the driver's devices.
local function hiding_setting(exam, entry)
  return lists.find(exam.settings, function(setting)
    return setting.stem and setting.stem == known.stem(entry.library)
  end)
end

-- A driver without devices is at fault if its hardware is present, or if it refuses to answer.
local function idle_drivers(exam, problems)
  for _, entry in ipairs(exam.registered.entries) do
    local driver = driver_of(entry)
    local has_card = driver and driver.vendor and #cards_of(exam, driver.vendor) > 0
      and not served(exam, driver.vendor)
    if is_idle(entry) and (entry.refusal or has_card or not driver) then
      local setting = hiding_setting(exam, entry)
      local fix = setting and {"unset " .. setting.name} or not driver and advice.mend(exam, entry) or nil
      entry.reported = true
      local shows = entry.state == "no platform" and "shows no platform" or "shows no devices"
      local why = advice.why(exam, entry)
      add(problems, {fault = true, topic = topic_of(exam, entry), fix = fix,
        text = ("%s: %s %s%s"):format(entry.file or entry.name, entry.library, shows,
          why and ": " .. why or "")})
    end
  end
end

-- PoCL has no device then, and does not say why.
local function no_cache(exam, problems)
  for _, entry in ipairs(exam.refused_cache and drivers_in(exam, "no devices", "libpocl") or {}) do
    add(problems, {fault = true, topic = "cpu pocl", fix = {"export POCL_CACHE_DIR=$(mktemp -d)"},
      text = "PoCL shows no devices: " .. advice.why(exam, entry)})
  end
end

local function together(exam, problems)
  local failure = exam.machine.failure
  if not failure then return end
  for _, problem in ipairs(problems) do
    if problem.fault then return end -- that is the reason
  end
  local text = "OpenCL with all drivers together %s (%s), but no driver does alone; to use one alone:"
  add(problems, {fault = true, text = text:format(failure.verb, failure.detail),
    fix = {("OCL_ICD_VENDORS=%s/NAME.icd clue devices"):format(loader.usual)}})
end

-- PoCL runs kernels that it has in its cache without the linker; others end the process.
local function no_linker(exam, problems)
  if exam.linker ~= false then return end
  for _, entry in ipairs(drivers_in(exam, "works", "libpocl")) do
    add(problems, {topic = topic_of(exam, entry), fault = exam.kernel ~= nil and exam.kernel.failure ~= nil,
      fix = advice.install(exam, "binutils"),
      text = "PoCL links each new kernel with ld, which is in no folder of PATH: a script's process would end"})
  end
end

local function kernel(exam, problems)
  local choice, ran = exam.machine.choice, exam.kernel
  if not ran then return end
  local problem = ran.failure and ("%s (%s)"):format(ran.failure.verb, ran.failure.detail)
    or ran.problem and "fails: " .. ran.problem
  if not problem then return end
  add(problems, {fault = true, text = ("device %d is listed, but a test kernel on it %s"):format(choice.ordinal,
    problem)})
end

-- Only if something is missing: a user may set such a variable on purpose.
local function hidden(exam, problems)
  local choice = exam.machine.choice
  if #exam.hidden == 0 or choice and choice.ordinal then return end
  local topics = lists.map(exam.hidden, function(entry) return topic_of(exam, entry) or "" end)
  local variable = exam.registered.variable
  add(problems, {text = ("%s=%s hides the drivers registered in %s: %s"):format(variable, exam.environment[variable],
    loader.usual, advice.names(exam.hidden)), fix = {"unset " .. variable}, topic = table.concat(topics, " ")})
end

-- A variable that may hide a driver's devices. Those that replace the folder belong to the rule before.
local function hiding_settings(exam, problems)
  for _, entry in ipairs(exam.registered.entries) do
    local setting = is_idle(entry) and not entry.reported and hiding_setting(exam, entry)
    if setting then
      add(problems, {topic = topic_of(exam, entry), fix = {"unset " .. setting.name},
        text = ("%s=%s may be why %s shows no devices"):format(setting.name, setting.value,
          known.driver(entry.library).label)})
    end
  end
end

local function closed_nodes(exam, problems)
  local groups = {}
  for _, node in ipairs(exam.nodes) do
    local text = node.opens and "" or ("%s: %s"):format(node.path, node.why)
    if not node.opens and not groups[node.group or node.path] then
      groups[node.group or node.path] = true
      local fix = advice.open(exam, node)
      if fix then
        text = ("%s; group %s may open it (log in again after this)"):format(text, node.group)
      elseif node.listed then
        text = ("%s; you were added to group %s after this login: log in again"):format(text, node.group)
      elseif exam.container then
        text = text .. "; this container may not open it: docker run --device " .. node.path
      end
      add(problems, {text = text, fix = fix, topic = "gpu nvidia amd intel"})
    end
  end
end

local function library_with(exam, field, value)
  return lists.find(exam.unregistered, function(found) return found.driver[field] == value end)
end

-- Whether a driver with this value in a field is registered, in force or not. Other rules report what is wrong with it.
local function has_entry(exam, field, value)
  return lists.any(lists.joined(exam.registered.entries, exam.hidden), function(entry)
    local driver = driver_of(entry)
    return driver and driver[field] == value
  end)
end

local function card_names(cards)
  local card = cards[1]
  return #cards == 1 and ("%s %s %s:%s"):format(card.label, card.kind, card.vendor, card.device)
    or ("%d %s cards"):format(#cards, card.label)
end

-- The folder for .icd files: the one in force, else the usual one.
local function folder_of(exam)
  return exam.registered.folder or loader.usual
end

local function unserved_cards(exam, problems)
  for _, vendor in ipairs {"10de", "1002", "8086"} do
    local cards = cards_of(exam, vendor)
    if #cards > 0 and not served(exam, vendor) and not has_entry(exam, "vendor", vendor) then
      local found = library_with(exam, "vendor", vendor)
      local topic = (known.vendors[vendor] .. " gpu"):lower()
      if found then
        add(problems, {topic = topic, fix = advice.register(exam, found, folder_of(exam)),
          text = ("%s: its driver is on the disk (%s), but no .icd file names it"):format(card_names(cards),
            found.path)})
        found.reported = true
      else
        local remark, fix = advice.card(exam, cards[1], #nodes_of(exam, vendor) > 0)
        add(problems, {topic = topic, fix = fix, text = ("%s: there is no OpenCL driver for it; %s"):format(
          card_names(cards), remark)})
      end
    end
  end
end

local function unregistered(exam, problems)
  for _, found in ipairs(exam.unregistered) do
    local driver = found.driver
    local use = not driver.vendor or #nodes_of(exam, driver.vendor) > 0
    if use and not found.reported and not driver.debugger then
      add(problems, {topic = driver.label:lower(), fix = advice.register(exam, found, folder_of(exam)),
        text = ("%s's driver is on the disk (%s), but no .icd file names it"):format(driver.label, found.path)})
    end
  end
end

local function no_loader(exam, problems)
  local it, fix = exam.loader, advice.install(exam, "ocl-icd-libopencl1")
  if it.missing then
    add(problems, {fault = true, fix = fix,
      text = "libOpenCL.so.1, through which programs find OpenCL's drivers, is not installed"})
  elseif it.kind == "none" then
    add(problems, {fix = fix, text = ("%s is not an ICD loader, but a driver: it cannot load other drivers"):format(
      it.path)})
  end
end

local function no_processor_driver(exam, problems)
  if #exam.machine.devices > 0 then return end
  if has_entry(exam, "stem", "libpocl") or library_with(exam, "stem", "libpocl") then return end
  add(problems, {topic = "cpu pocl", text = "PoCL makes any CPU a device", fix = advice.install(exam,
    "pocl-opencl-icd")})
end

local function enable_rusticl(exam, problems)
  if #exam.machine.devices > 0 or set(exam, "RUSTICL_ENABLE") then return end
  local driver, what = advice.rusticl_choice(exam)
  for _ in ipairs(drivers_in(exam, "no devices", "libRusticlOpenCL")) do
    add(problems, {topic = "rusticl cpu", fix = {("export RUSTICL_ENABLE=%s"):format(driver)},
      text = ("rusticl shows devices only if RUSTICL_ENABLE names its drivers: %s is %s"):format(driver, what)})
  end
end

-- In the order in which problems of one rank are printed.
local rules = {
  broken_layers, broken_drivers, idle_drivers, no_cache, together, no_linker, kernel, no_loader, hidden,
  hiding_settings, closed_nodes, unserved_cards, unregistered, no_processor_driver, enable_rusticl,
}

-- ---- the verdict ----

local function about(problem, spec)
  for word in spec:lower():gmatch "%a+" do
    if problem.topic and #word > 2 and problem.topic:find(word, 1, true) then return true end
  end
  return false
end

-- Problems about the chosen device come first; then faults, then advice.
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

-- The choice names a vendor without a card in this machine.
local function missing_card(exam, spec)
  local word = spec:lower():match "%a+"
  local vendor = word and synonyms[word]
  if exam.sys and vendor and #cards_of(exam, vendor) == 0 and #nodes_of(exam, vendor) == 0 then
    return ("\nthere is no %s card on this machine's PCI bus"):format(known.vendors[vendor])
  elseif exam.sys and word == "gpu" and #exam.cards == 0 and #exam.nodes == 0 then
    return "\nthere is no card of NVIDIA, AMD or Intel on this machine's PCI bus"
  end
  return ""
end

local function verdict(exam, problems)
  local choice, devices = exam.machine.choice, exam.machine.devices
  local taken = choice and choice.ordinal and devices[choice.ordinal + 1]
  if #devices == 0 then
    local first = problems[1]
    if not first then return "no device: no driver has any" end
    if #first.fix == 0 then return "no device: " .. first.text end
    return "no device; the first thing to do:", first.fix
  elseif not taken then
    local spec = exam.device or set(exam, "CLUE_DEVICE") or ""
    local text = ("%s, but not the one asked for: %s%s"):format(counted(#devices, "device"), choice.problem,
      missing_card(exam, spec))
    local first = problems[1]
    if not first or #first.fix == 0 or not about(first, spec) then return text end
    return text .. "\nthe first thing to do:", first.fix
  elseif exam.kernel and not exam.kernel.seconds then
    return ("%s; clue takes %s, which does not work"):format(counted(#devices, "device"), taken.text)
  end
  return ("%s; clue takes %s: %s"):format(counted(#devices, "device"), taken.text, choice.why)
end

--- Judges an examination.
-- @tparam table exam
-- @treturn table problems ({text, fix, fault}), verdict (a text), first (lines to type first), status (for the exit)
function diagnosis.judge(exam)
  local found = {}
  for _, rule in ipairs(rules) do rule(exam, found) end
  local problems = order(found, exam.device or set(exam, "CLUE_DEVICE"))
  local text, first = verdict(exam, problems)
  local status = exam.machine.choice and exam.machine.choice.ordinal and 0 or 1
  for _, problem in ipairs(problems) do
    if problem.fault then status = 1 end
  end
  return {problems = problems, verdict = text, first = first or {}, status = status}
end

return diagnosis
