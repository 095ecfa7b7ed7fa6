--- The machine code of a step's inner loop, as the device's compiler makes it: row.code, for
-- --explain and the report.
--
-- It has form ("PTX", "machine code"), isa, kernel, launch (nil if the code suits any), counts (of one round of the
-- innermost loop that runs most; without place if the kernel has no loop, see @{clue.build.loops.busiest}), operations
-- (a list of {name, count}, the most frequent first) and lines (a long loop is shown in part). Where the driver tells
-- from which lines of the source they are, places has the number of each (false: none), and source {number, text} of
-- these lines. Or only missing: why there is none.
local assembly = require "clue.build.assembly"
local build_log = require "clue.build_log"
local child = require "clue.shared.child"
local compiler = require "clue.build.child"
local lists = require "clue.shared.list"
local loops = require "clue.build.loops"
local row_of = require "clue.result.row"
local temporary = require("clue.shared.paths").with_temporary_folder
local text = require "clue.text"

local machine_code = {}

-- ---- from which lines of the source it is ----

-- The options by which compilers tell it, by platform. They leave the instructions as they are.
local options = {["Portable Computing Language"] = "-g", ["NVIDIA CUDA"] = "-nv-line-info"}

-- The environment in which a device's compiler tells the source's lines. Returns "CLUE_BUILD_OPTIONS=..."; nil if the
-- driver has no option for that.
local function lines_variable(device, variables)
  local option = options[(device or {}).platform]
  if not option then return nil end
  local given = os.getenv "CLUE_BUILD_OPTIONS" or ""
  for _, each in ipairs(variables) do given = each:match "^CLUE_BUILD_OPTIONS=(.*)$" or given end
  return ("CLUE_BUILD_OPTIONS=%s%s%s"):format(given, given ~= "" and " " or "", option)
end

-- Where the instructions of a program are from. Returns place(instruction): the file and the line as users know them,
-- and the line's text; nil if the compiler does not tell it, or if it is no line of the program's own text.
local function place_finder(program)
  local place, source = program.place or {name = "source", first = 1, column = 0}, program.parts[1].source
  local lines = text.lines(source)
  place.source, place.headers = source, program.parts[1].headers or {}
  return function(instruction)
    local line = instruction.line
    if not (line and lines[line] and build_log.is_source(instruction.file or "", source)) then return nil end
    local file, number = build_log.user_place(place, instruction.file or "", line, 1)
    return file, number, lines[line]
  end
end

-- How often the lines of a kernel ran, as counted: there, files have no folders. Returns ran(instruction): instructions
-- that its line executed, nil: its line is unknown; nil if the kernel was not counted.
local function line_runs(counts, kernel, place)
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

local prelude = 'require("clue.build.recorder").start() require("clue.walk.measure").once = true'

-- ---- the program ----

-- Runs the step once, with one more variable in its environment. Returns the programs that it builds, and for each of
-- its variants its label and how many programs there were by then.
local function programs_of(step, how, folder, variable)
  local programs, variants = {}, {}
  local seen = child.start {
    arguments = child.clue({device = how.device, quiet = true}, {"-e", prelude, step.path},
      lists.joined(how.arguments, step.arguments)),
    environment = lists.joined(compiler.environment(folder), how.environment, step.environment, {variable}),
    seconds = how.seconds,
    results = function(value)
      if value.program then programs[#programs + 1] = value.program end
      if value.variant then variants[#variants + 1] = {label = value.variant.label, programs = #programs} end
    end,
  }:follow()
  if seen:is_well() then return programs, variants end
  return nil, ("the step %s"):format(select(2, seen:reason()))
end

-- The program of the variant that a row shows: of those built one by one, its own; else the last one before it.
local function chosen(programs, variants, label)
  for i, variant in ipairs(variants) do
    if variant.label == label then
      return #programs == #variants and programs[i] or programs[variant.programs]
    end
  end
  return programs[variants[1] and variants[1].programs or #programs] or programs[#programs]
end

-- Compiles a program anew. Returns the compiler's result, and the folder.
local function compiled(program, folder, seconds, variable)
  local built, why = compiler.build(program, {folder = folder, device = tostring(program.devices[1]), binary = true,
    most = 1, environment = {variable}}, seconds, function() end)
  local result = built and built[1].result
  if not result then return nil, why end
  return result.ok and result, result.failed
end

-- ---- the loop ----

local HEAD, TAIL = 20, 4

-- Where a kernel without a loop becomes interesting: three instructions before it first reads memory.
local function begin_of(instructions)
  for i, each in ipairs(instructions) do
    local op = each[1]
    if op:find "^ld%.[gsc]" or op:find "^tex" or op:find "^LD[GS]" then return math.max(1, i - 3) end
  end
  return 1
end

-- The places in the list of the instructions that are shown: of many, some of the first and of the last. A number below
-- 0 is of so many that are left out.
local function shown(instructions, is_loop)
  local list, all = {}, #instructions
  local from = not is_loop and all > HEAD + TAIL + 1 and begin_of(instructions) or 1
  local function skip(number)
    if number > 0 then list[#list + 1] = -number end
  end
  local to, tail = math.min(all, from + HEAD - 1), math.max(from + HEAD, all - TAIL + 1)
  if tail - to <= 5 then to = tail - 1 end
  skip(from - 1)
  for i = 1, all do
    if i == to + 1 then skip(tail - to - 1) end
    if i >= from and i <= to or i >= tail then list[#list + 1] = i end
  end
  return list
end

-- The lines of code, and where they are from: see the module's head.
local function listing(instructions, is_loop, place)
  local lines, places, source, seen = {}, {}, {}, {}
  for n, i in ipairs(shown(instructions, is_loop)) do
    local each = instructions[i]
    lines[n] = each and text.trim(("%-16s %s"):format(each[1], (each[2]:gsub("%s+", " "))))
      or ("... %d more"):format(-i)
    local _, number, line = place(each or {})
    places[n] = number or false
    if number and not seen[number] then source[#source + 1], seen[number] = {number, line}, true end
  end
  table.sort(source, function(a, b) return a[1] < b[1] end)
  return lines, source[1] and places, source[1] and source
end

local function frequent(instructions)
  local list = lists.map(lists.grouped(instructions, function(each) return each[1] end), function(same)
    return {same.key, #same}
  end)
  table.sort(list, function(a, b)
    if a[2] ~= b[2] then return a[2] > b[2] end
    return a[1] < b[1]
  end)
  for i = #list, row_of.most_operations + 1, -1 do list[i] = nil end
  return list
end

-- The busiest loop of all kernels in a program's code.
local function busiest(parts, form, kernels, counts, place)
  local found, float = {}, false
  for _, part in ipairs(parts) do
    for _, name in ipairs(part.kernel and {part.kernel} or kernels) do
      local loop = loops.busiest(part.text, form.isa, name, line_runs(counts, name, place))
      found[#found + 1] = loop and {loop = loop, kernel = name, launch = part.launch, counts = loop.counts,
                                    ran = loop.ran} or nil
      float = float or loop and loop.counts.float_operations > 0
    end
  end
  return loops.most(found, float)
end

local function code_of(parts, form, result, counts, program)
  if not form.isa then return nil, ("clue cannot read the instructions of %s"):format(form.name) end
  local names = lists.map(result.kernels, function(kernel) return kernel.name end)
  local place = place_finder(program)
  local best = busiest(parts, form, names, counts, place)
  if not best then return nil, "the code has none of the program's kernels" end
  local lines, places, source = listing(best.loop.instructions, best.counts.place ~= nil, place)
  return {form = form.name, isa = form.isa, kernel = best.kernel, launch = best.launch, counts = best.counts,
          operations = frequent(best.loop.instructions), lines = lines, places = places, source = source}
end

local function of_step(step, row, how, folder, variable)
  local programs, variants = programs_of(step, how, folder, variable)
  if not programs then return nil, variants end
  local program = chosen(programs, variants, row_of.shown_variant(row))
  if not program then return nil, "it builds no program from source" end
  local own = folder .. "/program"
  local result, why = compiled(program, own, how.seconds, variable)
  if not result then return nil, why end
  local parts, form = assembly.of {result = result, folder = own, launched = folder, linked = program.link ~= nil,
                                   lines = variable ~= nil}
  if not parts then return nil, form end
  return code_of(parts, form, result, row.counts, program)
end

--- The machine code of a step.
-- @tparam table step of the catalogue; arguments, environment: its own, see @{clue.run.plan.with}
-- @tparam table row its result; of several variants, the code of the one that it shows is taken
-- @tparam table how device: the choice; arguments: the script's; environment: {"NAME=VALUE", ...}; seconds: the limit
-- @treturn table see the module's head
function machine_code.of(step, row, how)
  local variable, code, why = lines_variable(row.device, lists.joined(how.environment, step.environment)), nil, nil
  local function try(with)
    temporary(function(folder) code, why = of_step(step, row, how, folder, with) end)
  end
  if variable then try(variable) end
  if not code then try(nil) end -- a driver may refuse the option
  return code or {missing = why}
end

--- Adds their code to the rows of a run that built programs and have none yet.
-- @tparam {table,...} steps of the catalogue
-- @tparam table run
-- @tparam table how as for @{of}
-- @tparam function progress progress(text)
function machine_code.add(steps, run, how, progress)
  local by_number = lists.by(steps, "number")
  for _, row in ipairs(run.rows) do
    local step = by_number[row.number]
    if step and row.programs and row.programs[1] and not row.failed and not row.code then
      progress(("compiling step %s for its machine code"):format(tostring(step.number)))
      row.code = machine_code.of(step, row, how)
    end
  end
end

return machine_code
