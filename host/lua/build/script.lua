--- Runs a script to learn which programs it builds.
--
-- The script's output goes to stderr. Drivers and clue build everything anew, so PoCL's folder has what the script's
-- launches were compiled to.
-- @module clue.build.script
local child = require "clue.shared.child"
local environment = require "clue.build.environment"
local host = require "clue.options"
local output = require "clue.output"

local script = {}

-- A program's place, as its heading has it. Library code and texts that a script puts together have no line.
local function title(place, number)
  if place.name == "source" then return ("program %d"):format(number) end
  return ("program %d, %s:%d"):format(number, place.name, place.first)
end

-- Two builds of the same texts for the same devices are one.
local function key(program)
  local words = {program.link or false, table.concat(program.devices, ",")}
  for _, part in ipairs(program.parts) do
    words[#words + 1], words[#words + 2] = part.source, part.options
    for _, text in ipairs(part.headers) do words[#words + 1] = text end
  end
  for i, word in ipairs(words) do words[i] = ("%q"):format(tostring(word)) end
  return table.concat(words)
end

--- Runs a script to its end.
-- @tparam string path
-- @tparam {string,...} words its arguments
-- @tparam ?string device the choice
-- @tparam string folder for what the drivers keep
-- @treturn {table,...} the programs in the order of their first build, each once: as @{clue.build.recorder.start}
--   reports them, with title and file (the place's name)
-- @treturn ?string how the script failed; nil if it succeeded
function script.programs(path, words, device, folder)
  local programs, known = {}, {}
  local seen = child.start {
    arguments = child.clue({device = device, quiet = host.quiet, strict = host.strict},
      {"-e", "require('clue.build.recorder').start()", path}, words),
    environment = environment(folder),
    output = function(text) output.err:write(text) end,
    errors = function(text) output.err:write(text) end,
    results = function(value)
      local program = value.program
      if not program or known[key(program)] then return end
      known[key(program)] = true
      programs[#programs + 1] = program
      program.title, program.file = title(program.place, #programs), program.place.name
    end,
  }:follow()
  if seen:is_well() then return programs end
  return programs, select(2, seen:reason())
end

return script
