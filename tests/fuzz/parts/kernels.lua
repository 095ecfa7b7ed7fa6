-- Random kernels, whose results are compared with a reference. tests/fuzz/kernels starts it.
--
--   kernels.lua FIRST COUNT [--at FILE] [--mql5] [--faults] [--edits LIST] [--show] [--list]
--
-- A seed gives a kernel, buffers, arguments and sizes (kernel/program.lua). The kernel runs by clue; reckon.lua
-- computes what it must write, from the same tree and not from the text. FILE always has the seed that runs and whether
-- it is made, built or run, for whoever finds out why this process died. The exit status is 0 if all agree, 1 if a
-- result differs, 3 if clue raised an error. Kernels avoid what the driver is known to do wrong (kernel/faults.lua),
-- unless --faults is given. --edits takes pieces out of the kernel (kernel/edit.lua); --list says how many pieces each
-- has.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local chance = require "chance"
local cl = require "clue"
local edit = require "kernel.edit"
local exact = require "kernel.exact"
local faults = require "kernel.faults"
local grow = require "kernel.grow"
local launch = require "kernel.launch"
local prepare = require "kernel.prepare"
local program_of = require "kernel.program"
local reckon = require "kernel.reckon"
local text = require "kernel.text"
local types = require "kernel.types"

local first, count = tonumber(arg[1]), tonumber(arg[2])
local options = {}
do
  local i = 3
  while arg[i] do
    local name = arg[i]:match "^%-%-(%w+)$"
    local takes = name == "at" or name == "edits"
    options[name] = takes and arg[i + 1] or true
    i = i + (takes and 2 or 1)
  end
end

require("clue.options").quiet = true
local platform = cl.device.get((cl.device.pick())).platform.name

-- ---- memory ----

local function value_of(t, random, exprs)
  if t.n > 1 then
    local lanes = {}
    for i = 1, t.n do lanes[i] = value_of(types.with(t, nil, 1), random, exprs) end
    return lanes
  end
  if t.float then return (random(16385) - 8193) / 8 end
  return exact.number(t, exprs.literal(t).value)
end

-- The same for any edits, so that a shrunk kernel has the same numbers.
local function fill(program)
  local memory, random = {}, chance.new(program.seed + 101)
  local exprs = grow.new(random, program)
  for _, each in ipairs(program.buffers) do
    memory[each.name] = {}
    for place = 0, each.count - 1 do memory[each.name][place] = value_of(each.t, random, exprs) end
  end
  return memory
end

local function copied(memory, program)
  local made = {}
  for _, each in ipairs(program.buffers) do
    made[each.name] = {}
    for place = 0, each.count - 1 do made[each.name][place] = memory[each.name][place] end
  end
  return made
end

-- ---- one seed ----

local function sizes(program)
  return ("global {%s}, local %s, offset {%s}"):format(table.concat(program.global, ", "),
    program.free_group and "nil" or "{" .. table.concat(program.group, ", ") .. "}", table.concat(program.offset, ", "))
end

local function find_difference(program, wanted, arrays)
  for _, each in ipairs(program.outputs) do
    local problem = launch.difference(each, wanted[each.name], arrays[each.name])
    if problem then return problem end
  end
  return nil
end

local at = options.at and assert(io.open(options.at, "w"))

local function tell(seed, stage)
  if not at then return end
  at:seek "set"
  at:write(("%12d %-8s\n"):format(seed, stage))
  at:flush()
end

local function try(seed)
  local raw = program_of.new(seed)
  raw.buffers = {}
  for _, list in ipairs {raw.inputs, raw.outputs} do
    for _, each in ipairs(list) do table.insert(raw.buffers, each) end
  end
  edit.apply(raw, options.edits or "")
  if options.list then
    print(edit.list(raw))
    return 0
  end
  if not options.faults then faults.avoid(raw, platform) end
  if not edit.is_whole(raw) then
    print(("seed %d: a name is not declared"):format(seed))
    return 4
  end
  local program = prepare.program(raw)
  local source, memory = text.program(program), fill(raw)
  if options.show then print(source .. "// " .. sizes(program)) end
  local wanted = copied(memory, program)
  reckon.run(program, wanted)
  for _, each in ipairs(program.arguments) do memory[each.name] = wanted[each.name] end
  local done, result = pcall(launch.run, program, source, memory, options.mql5, function(stage) tell(seed, stage) end)
  if not done then
    print(("seed %d: %s"):format(seed, tostring(result)))
    return 3
  end
  local problem = find_difference(program, wanted, result)
  if problem then print(("seed %d: %s"):format(seed, problem)) end
  return problem and 1 or 0
end

local worst = 0
for seed = first, first + count - 1 do
  tell(seed, "make")
  local status = try(seed)
  if status > worst then worst = status end
  io.stdout:flush()
end
os.exit(worst, true)
