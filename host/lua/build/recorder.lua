--- Reports every program that a script builds: `clue build` and `clue asm` compile them once more. Runs in the script's
-- process, before the script, and sends each program through descriptor 3.
local binding = require "clue.binding"
local build_log = require "clue.build_log"
local follow = require("clue.shared.follow").after
local include = require "clue.include"
local is_asked = require("clue.kernel.registers").is_asked
local send = require("clue.shared.parent").send

local recorder = {}

-- The last folder of headers is clue's own, which each build adds by itself.
local function without_own_folder(options)
  local own = " " .. include.folder_option(require("clue.paths").kernels)
  local all = " " .. (options or "")
  return (all:sub(-#own) == own and all:sub(1, -#own - 1) or all):sub(2)
end

local function part(source, options, headers)
  return {source = source, options = without_own_folder(options), headers = headers or {}}
end

-- The place of a program's source, as far as its messages need it.
local function place_of(source, headers)
  local place = build_log.place(source, headers)
  return {name = place.name, first = place.first, column = place.column, pieces = place.pieces}
end

--- Starts to report programs built from source: {parts = {{source, options, headers}, ...}, link (the linker's
-- options; nil: built in one step), devices = {ordinal, ...}, place}. A program whose build fails is reported too; one
-- made from a binary, or linked from such, is not.
function recorder.start()
  local devices, compiled = {}, {} -- by handle
  local function report(context, parts, place, link)
    if not devices[context] then return end -- no context: its failure was told
    send {program = {parts = parts, link = link, devices = devices[context], place = place}}
  end
  follow("context_create", function(context, ids)
    if not context then return end
    devices[context] = {}
    for i, id in ipairs(ids) do devices[context][i] = binding.device_of(id) end -- a sub-device has its parent's
  end)
  follow("program_create", function(_, context, source, options)
    if not is_asked(source) then report(context, {part(source, options)}, place_of(source)) end
  end)
  follow("program_compile", function(program, context, source, options, headers)
    local one = {part(source, options, headers)}
    if program then
      compiled[program] = {parts = one, place = place_of(source, headers)}
    else
      report(context, one, place_of(source, headers), "")
    end
  end)
  follow("program_link", function(linked, context, programs, options)
    local parts = {}
    for _, program in ipairs(programs) do
      if not compiled[program] then return end
      for _, each in ipairs(compiled[program].parts) do parts[#parts + 1] = each end
    end
    local place = compiled[programs[1]].place
    if linked and (options or ""):find "-create-library" then
      compiled[linked] = {parts = parts, place = place}
    else
      report(context, parts, place, options or "")
    end
  end)
end

return recorder
