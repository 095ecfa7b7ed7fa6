--- Gathers the facts about a machine; clue.doctor.diagnosis judges them.
--
-- The machine's files are an argument, so specs can examine a made-up machine. Drivers are always asked for real, in
-- child processes.
local child = require "clue.doctor.child"
local drivers = require "clue.doctor.drivers"
local hardware = require "clue.doctor.hardware"
local known = require "clue.doctor.known"
local lists = require "clue.shared.list"
local loader = require "clue.doctor.loader"
local settings = require "clue.doctor.settings"

local examination = {}

-- What OpenCL shows to a run.
local function ask_machine(how)
  local asked = child.ask("machine", {}, how)
  local answer = asked.answer or {}
  answer.platforms, answer.devices = answer.platforms or {}, answer.devices or {}
  if asked.ended ~= "well" then answer.failure = {ended = asked.ended, verb = asked.verb, detail = asked.detail} end
  return answer
end

-- If a driver crashes, the loader stays unknown: a run without drivers reports it.
local function ask_loader(answer, how)
  if answer.loader_path or answer.lacks_loader then return answer end
  return child.ask("machine", {}, {
    seconds = how.seconds, environment = {"OCL_ICD_VENDORS=/proc/none", "OCL_ICD_FILENAMES=", "OPENCL_LAYERS="},
  }).answer or {}
end

-- The drivers in the usual folder that a variable hides.
local function hidden_drivers(files, exam)
  local in_force = {}
  if exam.loader.kind == "none" or not exam.registered.variable then return {} end
  for _, entry in ipairs(exam.registered.entries) do
    if entry.library then in_force[known.stem(entry.library)] = true end
  end
  local usual = loader.registered(files, {}, exam.loader)
  return lists.filter(usual.entries, function(entry)
    return entry.library and not in_force[known.stem(entry.library)]
  end)
end

-- The known drivers on the disk that no .icd file names, in the folder in force or the usual one.
local function unregistered(files, exam)
  local named, list = {}, {}
  for _, entry in ipairs(lists.joined(exam.registered.entries, exam.hidden)) do
    if entry.library then named[known.stem(entry.library)] = true end
  end
  local mine = drivers.architecture(files, "/proc/self/exe")
  local function fits(path)
    local its = drivers.architecture(files, path)
    return not mine or not its or its == mine
  end
  for _, found in ipairs(hardware.libraries(files, exam.environment, fits)) do
    if not named[found.driver.stem] then list[#list + 1] = found end
  end
  return list
end

local function examine_hardware(files, exam)
  exam.cards, exam.sys = hardware.cards(files)
  exam.sys = exam.sys or files:kind "/sys/devices" ~= nil
  exam.processor, exam.processors = hardware.processor(files)
  exam.user = hardware.user(files)
  exam.nodes = hardware.nodes(files, exam.user)
  exam.container = hardware.in_container(files, exam.environment)
end

-- Whether a folder of PATH has the linker; nil if PATH is unknown.
local function has_linker(files, environment)
  if not environment.PATH then return nil end
  for folder in environment.PATH:gmatch "[^:]+" do
    if files:kind(folder .. "/ld") then return true end
  end
  return false
end

-- The folder that PoCL makes for its cache, and why it cannot; nil if it can. One that is there will do, even if it
-- takes no files; without a home, PoCL takes /tmp.
local function refused_cache(files, environment)
  local folder, caches = environment.POCL_CACHE_DIR, environment.XDG_CACHE_HOME
  if not caches and environment.HOME then caches = environment.HOME .. "/.cache" end
  folder = folder or caches and caches .. "/pocl/kcache"
  if not folder or files:kind(folder) then return nil end
  local takes, why = files:takes_files(folder)
  return not takes and {folder = folder, why = why} or nil
end

--- Examines the machine.
-- @tparam table files of clue.doctor.files
-- @tparam table how seconds: the limit of each question; device: a choice or nil; progress: called with what is
-- examined next
-- @treturn table version, environment, machine (of clue.doctor.questions), loader, registered, hidden, layers,
-- unregistered, cards, nodes, user, container, settings, linker (whether PATH has it), refused_cache (of
-- PoCL: folder, why), kernel (nil if no device was chosen), ...
function examination.examine(files, how)
  local exam = {device = how.device, version = child.version(), environment = settings.environment(files)}
  how.progress "OpenCL's devices"
  exam.machine = ask_machine(how)
  local facts = ask_loader(exam.machine, how)
  exam.loader = loader.examine(files, facts.loader_path, facts.loader)
  exam.loader.missing = facts.lacks_loader
  exam.libclue, exam.binding = facts.libclue, facts.binding
  exam.registered = loader.registered(files, exam.environment, exam.loader)
  exam.layers = {}
  for i, library in ipairs(loader.layers(exam.environment, exam.loader)) do
    how.progress("the layer " .. library)
    exam.layers[i] = drivers.examine_layer(files, library, how)
  end
  for _, entry in ipairs(exam.registered.entries) do
    how.progress("the driver " .. entry.name)
    drivers.examine(files, entry, exam.loader, how)
  end
  exam.hidden = hidden_drivers(files, exam)
  exam.unregistered = unregistered(files, exam)
  examine_hardware(files, exam)
  exam.settings = settings.list(exam.environment, exam.loader)
  exam.linker = has_linker(files, exam.environment)
  exam.refused_cache = refused_cache(files, exam.environment)
  if exam.machine.choice and exam.machine.choice.ordinal then
    how.progress("device " .. exam.machine.choice.ordinal)
    local asked = child.ask("kernel", {}, how)
    exam.kernel = asked.answer or {}
    if asked.ended ~= "well" then
      exam.kernel.failure = {ended = asked.ended, verb = asked.verb, detail = asked.detail}
    end
  end
  return exam
end

return examination
