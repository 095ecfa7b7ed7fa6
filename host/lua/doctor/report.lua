--- What the doctor found, as blocks and as JSON.
-- Parameters with one meaning everywhere: exam, an examination; judged, its diagnosis.
local advice = require "clue.doctor.advice"
local block = require "clue.show.block"
local counted = require("clue.text").count
local json = require "clue.shared.json"
local map = require("clue.shared.list").map
local trim_end = require("clue.text").trim_end

local report = {}

-- ---- the parts: each calls add(name, text, indent of further lines); without a name, the text goes below the last one

local function add_clue(add, exam)
  add("clue", ("%s, binding %s"):format(exam.version:gsub("^clue ", ""), exam.binding or "?"))
  if exam.libclue then add("", exam.libclue) end
end

local kinds = {Khronos = "Khronos", none = "not an ICD loader, but a driver", unknown = nil}

local function add_loader(add, exam)
  local it = exam.loader
  if it.missing then return add("loader", "none: libOpenCL.so.1 is not installed") end
  if not it.path then return add("loader", "unknown: every process that could report it died") end
  local name = it.name or "without a name"
  if it.kind == "ocl-icd" then name = "ocl-icd " .. name:match "%S*$" end
  add("loader", ("%s, %s"):format(kinds[it.kind] or name, it.path))
end

local function platform_names(entry)
  return table.concat(map(entry.platforms or {}, function(platform) return platform.name end), ", ")
end

local words = {
  unreadable = "cannot be read", empty = "names no library", unloadable = "does not load",
  ["no driver"] = "is not an OpenCL driver", crashed = "crashes", hung = "does not answer", badly = "ends the process",
  loads = "loads; this loader cannot test it alone",
}

local function state_of(exam, entry)
  if entry.state == "works" then
    return ("%s: %s"):format(platform_names(entry), counted(#entry.devices, "device"))
  elseif entry.state == "no devices" or entry.state == "no platform" then
    local why = advice.why(exam, entry)
    local name = entry.state == "no devices" and platform_names(entry) .. ": no devices" or "no platform"
    return name .. (why and "; " .. why or "")
  end
  return words[entry.state]
end

local function add_drivers(add, exam)
  local registered = exam.registered
  local where = registered.folder
  if exam.loader.kind == "none" then
    where = "none can be registered: there is no ICD loader"
  elseif registered.why then
    where = ("none: %s: %s"):format(registered.folder, registered.why)
  elseif where and #registered.entries == 0 then
    where = ("none: there is no .icd file in %s"):format(registered.folder)
  elseif where then
    where = "registered in " .. where
  end
  if registered.variable then
    where = where and ("%s (%s)"):format(where, registered.variable)
      or ("what %s=%s names"):format(registered.variable, exam.environment[registered.variable])
  end
  add("drivers", where)
  for _, entry in ipairs(registered.entries) do
    local library = entry.library and entry.library ~= entry.name and trim_end(entry.library)
    library = library and (" (%s)"):format(library) or ""
    add("", ("%s%s: %s"):format(entry.name, library, state_of(exam, entry)), "  ")
  end
  for _, layer in ipairs(exam.layers) do
    add("", ("layer %s: %s"):format(layer.library, layer.problem and "does not load" or "loads"), "  ")
  end
end

local function add_devices(add, exam)
  local choice = exam.machine.choice or {}
  for i, device in ipairs(exam.machine.devices) do
    local taken = device.ordinal == choice.ordinal
    local ran = taken and exam.kernel and exam.kernel.seconds
    local note = ran and (": ran a test kernel, %.2f s with its build"):format(ran) or ""
    add(i == 1 and "devices" or "", ("%s %s%s"):format(taken and "*" or " ", device.text, note), "  ")
    if device.wrong then add("", "  wrong results: " .. device.wrong, "  ") end
  end
  if #exam.machine.devices == 0 then add("devices", "none") end
end

local function add_hardware(add, exam)
  add("hardware", ("CPU: %s, %s"):format(exam.processor:gsub("%s+", " "), counted(exam.processors, "processor")))
  for _, card in ipairs(exam.cards) do
    add("", ("%s %s %s:%s at %s, kernel driver %s"):format(card.label, card.kind, card.vendor, card.device,
      card.address, card.driver or "none"))
  end
  if not exam.sys then
    add("", "there is no /sys: cards cannot be found, and PoCL needs it")
  elseif #exam.cards == 0 then
    add("", "there is no GPU of NVIDIA, AMD or Intel on the PCI bus")
  end
  local opened = map(exam.nodes, function(node) return node.opens and node.path or nil end)
  if #opened > 0 then add("", "this user may open " .. table.concat(opened, ", ")) end
  if exam.container then add("", "this is a container: it has only the devices that it was given") end
end

local function add_settings(add, exam)
  for i, setting in ipairs(exam.settings) do
    local effect = setting.effect
    if setting.name == exam.registered.variable and #exam.hidden > 0 then
      effect = ("%s, not %s"):format(effect, advice.names(exam.hidden))
    end
    add(i == 1 and "settings" or "", ("%s=%s: %s"):format(setting.name, setting.value, effect), "  ")
  end
end

local function add_debuggers(add, exam)
  for _, found in ipairs(exam.unregistered) do
    if found.driver.debugger then
      add("besides", ("%s, a debugger, is installed; for one run: clue --device oclgrind SCRIPT"):format(
        found.driver.label))
    end
  end
end

-- ---- all ----

-- A text of several lines, such as a list of devices, keeps its lines. Lines to type are never wrapped, since people
-- copy them.
local function said(text, to_type)
  local blocks = {}
  for line in text:gmatch "[^\n]+" do
    blocks[#blocks + 1] = block.paragraph(line, {indent = line:match "^%s*" .. "  ", close = true})
  end
  if to_type[1] then blocks[#blocks + 1] = block.code(table.concat(to_type, "\n"), {indent = "    ", close = true}) end
  return blocks
end

--- The report.
-- @treturn table blocks
function report.blocks(exam, judged)
  local facts, blocks = {}, {}
  local function add(...) facts[#facts + 1] = {...} end
  for _, part in ipairs {add_clue, add_loader, add_drivers, add_devices, add_hardware, add_settings, add_debuggers} do
    part(add, exam)
  end
  for i, problem in ipairs(judged.problems) do
    blocks[i] = {said((problem.fault and "fault: " or "advice: ") .. problem.text, problem.fix), block.gap()}
  end
  return {block.facts {list = facts, beside = 10}, blocks, said("verdict: " .. judged.verdict, judged.first)}
end

-- ---- JSON -------------------------------------------------------------------------------------------------------

local lists = {problems = true, entries = true, devices = true, platforms = true, layers = true, cards = true,
               nodes = true, settings = true, unregistered = true, hidden = true, fix = true, first = true}

-- Marks empty lists, which must not become empty objects.
local function marked(value, key)
  if type(value) ~= "table" then return value end
  local copy = {}
  for name, entry in pairs(value) do
    if type(entry) ~= "function" then copy[name] = marked(entry, name) end
  end
  if lists[key] then return json.list(copy) end
  return copy
end

--- Everything.
-- @treturn string JSON
function report.json(exam, judged)
  local document = {
    status = judged.status, verdict = judged.verdict, first = judged.first, problems = judged.problems,
    clue = {version = exam.version, binding = exam.binding, libclue = exam.libclue}, loader = exam.loader,
    registered = exam.registered, hidden = exam.hidden, unregistered = exam.unregistered, layers = exam.layers,
    machine = exam.machine, kernel = exam.kernel, cards = exam.cards, nodes = exam.nodes, user = exam.user,
    container = exam.container, settings = exam.settings,
    processor = {name = exam.processor, count = exam.processors},
  }
  return json.text(marked(document), true, {"status", "verdict", "first", "problems"})
end

return report
