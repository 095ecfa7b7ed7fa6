--- Whether the registered drivers work, each examined in child processes of its own, and why not.
-- Parameters with one meaning everywhere: files, the machine's; library, its path or name; how, with the seconds that
-- it may take.
local child = require "clue.doctor.child"
local known = require "clue.doctor.known"
local loader = require "clue.doctor.loader"
local trim_end = require("clue.text").trim_end

local drivers = {}

-- ---- the machine of a library ---------------------------------------------------------------------------------------

local machines = {
  [3] = "x86", [20] = "PowerPC", [21] = "PowerPC64", [22] = "s390", [40] = "ARM", [62] = "x86-64", [183] = "AArch64",
  [243] = "RISC-V",
}

--- The kind of machine that a library is for, from its ELF header.
-- @tparam string path
-- @treturn ?string "64-bit x86-64"; nil if it is not an ELF file
function drivers.architecture(files, path)
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
  local mine, its = drivers.architecture(files, "/proc/self/exe"), path and drivers.architecture(files, path)
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

-- ---- asking -----------------------------------------------------------------------------------------------------

local function problem_text(entry, asked, when)
  return ("%s %s when it is %s (%s)"):format(entry.library, asked.verb, when, asked.detail)
end

-- The loader got no platform from the library, or the process died: finds out what the library does by itself.
local function look_closer(files, entry, asked, how)
  local alone = child.ask("load", {entry.library, "clGetExtensionFunctionAddress"}, how)
  local loaded = alone.answer
  if alone.ended ~= "well" and not loaded then
    entry.state, entry.problem = alone.ended, problem_text(entry, alone, "loaded")
  elseif not loaded.loaded then
    entry.state = "unloadable"
    entry.problem, entry.fix = explain(files, entry.library, loaded.why)
  elseif #loaded.missing > 0 then
    entry.state = "no driver"
    entry.problem = ("%s is not an OpenCL driver: it lacks clGetExtensionFunctionAddress"):format(entry.library)
  elseif asked.ended ~= "well" then
    entry.state, entry.problem = asked.ended, problem_text(entry, asked, "asked for its devices")
  else
    entry.state, entry.path = asked.answer and "no platform" or "loads", loaded.path
  end
end

--- Finds out whether a registered driver works. Sets state ("works", "no devices", "no platform", "loads" (nothing
-- else can be found out), "unreadable", "empty", "unloadable", "no driver", "crashed", "hung", "badly"), platforms,
-- devices, refusal, path, problem (text) and fix (lines to type, or "trim": see explain).
-- @tparam table entry of loader.registered
-- @tparam table it the loader
function drivers.examine(files, entry, it, how)
  if entry.unreadable then
    entry.state, entry.problem = "unreadable", ("%s cannot be read: %s"):format(entry.file, entry.unreadable)
    return
  elseif entry.empty then
    entry.state, entry.problem = "empty", ("%s names no library: %s"):format(entry.file, entry.empty)
    return
  end
  local alone = loader.only(it, entry.library)
  if not alone then return look_closer(files, entry, {ended = "well"}, how) end
  local asked = child.ask("machine", {entry.library}, {seconds = how.seconds, environment = alone})
  local answer = asked.answer
  if not answer or #answer.platforms == 0 or asked.ended ~= "well" then
    return look_closer(files, entry, asked, how)
  end
  entry.platforms, entry.devices, entry.refusal = answer.platforms, answer.devices, answer.refusal
  entry.path = answer.driver_path
  entry.state = #answer.devices > 0 and "works" or "no devices"
end

--- Finds out whether a layer loads.
-- @treturn table library, problem (nil if it loads)
function drivers.examine_layer(files, library, how)
  local asked = child.ask("load", {library, "clGetLayerInfo", "clInitLayer"}, how)
  local layer, answer = {library = library}, asked.answer
  if not answer then
    layer.problem = problem_text(layer, asked, "loaded")
  elseif not answer.loaded then
    layer.problem = (explain(files, library, answer.why))
  elseif #answer.missing > 0 then
    layer.problem = ("%s is not an OpenCL layer: it lacks %s"):format(library, table.concat(answer.missing, " and "))
  end
  return layer
end

return drivers
