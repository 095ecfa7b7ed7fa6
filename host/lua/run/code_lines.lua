--- From which lines of the source a step's machine code is, where the driver tells that, and how often these ran.
local build_log = require "clue.build_log"

local code_lines = {}

-- The options by which compilers tell it, by platform. They leave the instructions as they are.
local options = {["Portable Computing Language"] = "-g", ["NVIDIA CUDA"] = "-nv-line-info"}

--- The environment in which a device's compiler tells the source's lines.
-- @tparam table device of a row
-- @tparam {string,...} variables "NAME=VALUE", of the step
-- @treturn ?string "CLUE_BUILD_OPTIONS=..."; nil if the driver has no option for that
function code_lines.variable(device, variables)
  local option = options[(device or {}).platform]
  if not option then return nil end
  local given = os.getenv "CLUE_BUILD_OPTIONS" or ""
  for _, each in ipairs(variables) do given = each:match "^CLUE_BUILD_OPTIONS=(.*)$" or given end
  return ("CLUE_BUILD_OPTIONS=%s%s%s"):format(given, given ~= "" and " " or "", option)
end

-- The lines of a text.
local function split(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do lines[#lines + 1] = line end
  return lines
end

--- Where the instructions of a program are from.
-- @tparam table program of @{clue.build.recorder.start}
-- @treturn function place(instruction): the file and the line as users know them, and the line's text; nil if the
--   compiler does not tell it, or if it is no line of the program's own text
function code_lines.finder(program)
  local place, text = program.place or {name = "source", first = 1, column = 0}, program.parts[1].source
  local lines = split(text)
  place.source, place.headers = text, program.parts[1].headers or {}
  return function(instruction)
    local line = instruction.line
    if not (line and lines[line] and build_log.is_source(instruction.file or "", text)) then return nil end
    local file, number = build_log.user_place(place, instruction.file or "", line, 1)
    return file, number, lines[line]
  end
end

--- How often the lines of a kernel ran, as counted: there, files have no folders.
-- @tparam ?table counts of the row, see @{clue.run.counted}
-- @tparam string kernel its name
-- @tparam function place of @{finder}
-- @treturn ?function ran(instruction): instructions that its line executed, nil: its line is unknown; nil if the kernel
--   was not counted
function code_lines.runs(counts, kernel, place)
  local of, is_counted = {}, false
  for _, each in ipairs(counts and counts.kernels or {}) do
    for _, line in ipairs(each.kernel == kernel and each.lines or {}) do
      if line.line then of[("%s:%d"):format(line.file, line.line)], is_counted = line.instructions, true end
    end
  end
  return is_counted and function(instruction)
    local file, line = place(instruction)
    return file and (of[("%s:%d"):format(file:match "[^/]*$", line)] or 0)
  end or nil
end

return code_lines
