--- Gathers the facts about a machine; clue.doctor.diagnosis judges them.
--
-- The machine's files are an argument, so specs can examine a made-up machine. Drivers are always asked for real, in
-- child processes.
-- Parameters with one meaning everywhere: files, the machine's; library, its path or name; how, with the seconds that
-- it may take.
local child = require "clue.doctor.child"
local hardware = require "clue.doctor.hardware"
local known = require "clue.doctor.known"
local lists = require "clue.shared.list"
local loader = require "clue.doctor.loader"
local settings = require "clue.doctor.settings"
local trim_end = require("clue.text").trim_end

local examination = {}

-- ---- the machine of a library ---------------------------------------------------------------------------------------

local machines = {
  [3] = "x86", [20] = "PowerPC", [21] = "PowerPC64", [22] = "s390", [40] = "ARM", [62] = "x86-64", [183] = "AArch64",
  [243] = "RISC-V",
}

-- The kind of machine that a library is for, from its ELF header: "64-bit x86-64"; nil if it is not an ELF file.
local function architecture(files, path)
  local head = files:read(path, 20)
  if not head or #head < 20 or head:sub(1, 4) ~= "\127ELF" then return nil end
  local low, high = head:byte(19, 20)
  if head:byte(6) == 2 then low, high = high, low end
  local machine = low + 256 * high
  return ("%s %s"):format(head:byte(5) == 1 and "32-bit" or "64-bit", machines[machine] or "machine " .. machine)
end

-- ---- why a library does not load ------------------------------------------------------------------------------------

local function of_package(driver)
  return driver and driver.package and {"apt install --reinstall " .. driver.package} or nil
end

-- A name may end in an invisible character.
local function stray_end(library)
  local ending = library:match "%s$"
  if not ending then return nil end
  return ending == "\r" and "a carriage return (a Windows line end)" or "a space"
end

-- A library exists, but the dynamic linker says that it does not: it is for another kind of machine.
local function foreign(files, library)
  local path = library:find("/", 1, true) and library
  local mine, its = architecture(files, "/proc/self/exe"), path and architecture(files, path)
  if not its or not mine or its == mine then return nil end
  return ("%s is for %s, but clue is %s"):format(library, its, mine)
end

-- Explains dlerror's text. Returns also what to type, nil if nothing helps; "trim" if the .icd file's line ends in an
-- invisible character.
local function explain(files, library, why)
  local driver = known.driver(library)
  local stray = stray_end(library)
  if stray then
    return ("the name %s ends in %s, which the loader takes as part of it"):format(trim_end(library), stray), "trim"
  end
  if foreign(files, library) then return (foreign(files, library)) end
  local missing = why:match "^(.-): cannot open shared object file: No such file or directory"
  if missing == library and library:find("/", 1, true) then
    return ("%s does not exist"):format(library), of_package(driver)
  elseif missing == library then
    return ("none of the linker's folders has %s"):format(library), of_package(driver)
  elseif missing then
    return ("%s needs %s, which does not exist"):format(library, missing)
  elseif why:find("wrong ELF class", 1, true) then
    return ("%s is for another kind of machine (%s)"):format(library, why:match "wrong ELF class.*")
  elseif why:find("invalid ELF header", 1, true) or why:find("file too short", 1, true) then
    return ("%s is not a shared library (%s)"):format(library, why:match ": ([^:]*)$"), of_package(driver)
  end
  return ("%s does not load: %s"):format(library, why)
end

-- ---- drivers --------------------------------------------------------------------------------------------------------

local function problem_text(library, failure, when)
  return ("%s %s when it is %s (%s)"):format(library, failure.verb, when, failure.detail)
end

-- The loader got no platform from the library, or the process died: finds out what the library does by itself. answer,
-- failure: of the question for its devices.
local function look_closer(files, entry, how, answer, failure)
  local loaded, broken = child.ask("load", {entry.library, "clGetExtensionFunctionAddress"}, how)
  if broken and not loaded then
    entry.state, entry.problem = broken.ended, problem_text(entry.library, broken, "loaded")
  elseif not loaded.loaded then
    entry.state = "unloadable"
    entry.problem, entry.fix = explain(files, entry.library, loaded.why)
  elseif #loaded.missing > 0 then
    entry.state = "no driver"
    entry.problem = ("%s is not an OpenCL driver: it lacks clGetExtensionFunctionAddress"):format(entry.library)
  elseif failure then
    entry.state, entry.problem = failure.ended, problem_text(entry.library, failure, "asked for its devices")
  else
    entry.state, entry.path = answer and "no platform" or "loads", loaded.path
  end
end

-- Finds out whether a registered driver works. Sets state ("works", "no devices", "no platform", "loads" (nothing
-- else can be found out), "unreadable", "empty", "unloadable", "no driver", "crashed", "hung", "badly"), platforms,
-- devices, refusal, path, problem (text) and fix (lines to type, or "trim": see explain).
local function examine_driver(files, entry, it, how)
  if entry.unreadable then
    entry.state, entry.problem = "unreadable", ("%s cannot be read: %s"):format(entry.file, entry.unreadable)
    return
  elseif entry.empty then
    entry.state, entry.problem = "empty", ("%s names no library: %s"):format(entry.file, entry.empty)
    return
  end
  local alone = loader.only(it, entry.library)
  if not alone then return look_closer(files, entry, how) end
  local answer, failure = child.ask("machine", {entry.library}, {seconds = how.seconds, environment = alone})
  if not answer or #answer.platforms == 0 or failure then return look_closer(files, entry, how, answer, failure) end
  entry.platforms, entry.devices, entry.refusal = answer.platforms, answer.devices, answer.refusal
  entry.path = answer.driver_path
  entry.state = #answer.devices > 0 and "works" or "no devices"
end

-- Finds out whether a layer loads. Returns library, and problem (nil if it loads).
local function examine_layer(files, library, how)
  local answer, failure = child.ask("load", {library, "clGetLayerInfo", "clInitLayer"}, how)
  local layer = {library = library}
  if not answer then
    layer.problem = problem_text(library, failure, "loaded")
  elseif not answer.loaded then
    layer.problem = (explain(files, library, answer.why))
  elseif #answer.missing > 0 then
    layer.problem = ("%s is not an OpenCL layer: it lacks %s"):format(library, table.concat(answer.missing, " and "))
  end
  return layer
end

-- ---- the machine ----------------------------------------------------------------------------------------------------

-- What OpenCL shows to a run.
local function ask_machine(how)
  local answer, failure = child.ask("machine", {}, how)
  answer = answer or {platforms = {}, devices = {}}
  answer.failure = failure
  return answer
end

-- If a driver crashes, the loader stays unknown: a run without drivers reports it.
local function ask_loader(answer, how)
  if answer.loader_path or answer.lacks_loader then return answer end
  return (child.ask("machine", {}, {
    seconds = how.seconds, environment = {"OCL_ICD_VENDORS=/proc/none", "OCL_ICD_FILENAMES=", "OPENCL_LAYERS="},
  })) or {}
end

-- Entries by the stems of their libraries.
local function by_stem(entries)
  local with_library = lists.filter(entries, function(entry) return entry.library end)
  return lists.by(with_library, function(entry) return known.stem(entry.library) end)
end

-- The drivers in the usual folder that a variable hides.
local function hidden_drivers(files, exam)
  if exam.loader.kind == "none" or not exam.registered.variable then return {} end
  local in_force = by_stem(exam.registered.entries)
  local usual = loader.registered(files, {}, exam.loader)
  return lists.filter(usual.entries, function(entry)
    return entry.library and not in_force[known.stem(entry.library)]
  end)
end

-- The known drivers on the disk that no .icd file names, in the folder in force or the usual one.
local function unregistered(files, exam)
  local named = by_stem(lists.joined(exam.registered.entries, exam.hidden))
  local mine = architecture(files, "/proc/self/exe")
  local function fits(path)
    local its = architecture(files, path)
    return not mine or not its or its == mine
  end
  return lists.filter(hardware.libraries(files, exam.environment, fits), function(found)
    return not named[found.driver.stem]
  end)
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
-- takes no files. PoCL takes an empty XDG_CACHE_HOME for one that is not set, and without a home /tmp.
local function refused_cache(files, environment)
  local folder, caches = environment.POCL_CACHE_DIR, environment.XDG_CACHE_HOME
  if (caches or "") == "" then caches = environment.HOME and environment.HOME .. "/.cache" end
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
    exam.layers[i] = examine_layer(files, library, how)
  end
  for _, entry in ipairs(exam.registered.entries) do
    how.progress("the driver " .. entry.name)
    examine_driver(files, entry, exam.loader, how)
  end
  exam.hidden = hidden_drivers(files, exam)
  exam.unregistered = unregistered(files, exam)
  examine_hardware(files, exam)
  exam.settings = settings.list(exam.environment, exam.loader)
  exam.linker = has_linker(files, exam.environment)
  exam.refused_cache = refused_cache(files, exam.environment)
  if exam.machine.choice and exam.machine.choice.ordinal then
    how.progress("device " .. exam.machine.choice.ordinal)
    local answer, failure = child.ask("kernel", {}, how)
    exam.kernel = answer or {}
    exam.kernel.failure = failure
  end
  return exam
end

return examination
