--- The outer sum for the walkthrough hello: C[x] = sum over y of A[x] B[y], its inputs, its check, its host loops,
-- and what its author wants to know of a build.
--
-- He gives no inputs. Here they are uniform in [-0.5, 0.5), so that no mean hides an error.
-- @module clue.walk.outer_sum
local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local binding = require "clue.binding"
local counted = require("clue.text").count
local groups = require "clue.walk.group"
local problem = require "clue.walk.problem"
local row_of = require "clue.result.row"
local save_file = require("clue.file").save
local sizes = require "clue.walk.size"
local value = require "clue.value"
local walk = require "clue.walk"

local outer_sum = {}
local Sum = problem.class()

--- Declares the inputs of a step:
-- --size, --repeat and, if it has kernels, the author's -t and options for the build: --maxrregcount, --log and
-- --binary.
-- @tparam table input the script's `input`
-- @tparam[opt] int group the default of -t, work-items of a group; nil: the step has no such input
-- @tparam[opt] bool host whether the step runs only on the host
function outer_sum.inputs(input, group, host)
  problem.inputs(input, "16384x16384", "XxY, or N for both: A and C have X elements, B has Y")
  if group then
    input.int("_t", group, "also -t: work-items of a group (TPB), fewer if the device has no such groups", 1, 65536)
  end
  if not host then
    input.int("_maxrregcount", 0, "most registers of a work-item; 0: the compiler chooses (NVIDIA only)", 0, 255)
    input.bool("_log", false, "show the whole build log")
    input.string("_binary", "", "write the program's binary (on NVIDIA: PTX) to this file")
  end
end

--- Makes what a step computes from its inputs.
-- @tparam table how size: a text; repeats: a number (0: by the rule); maxrregcount, log, binary: as in
--   @{inputs}; multiple: A and C are padded to a multiple of so many elements (1)
-- @treturn Sum with x, y, a, b, c (arrays), flops, repeats
function outer_sum.new(how)
  local x, y = problem.passed(sizes.outer_sum(how.size))
  local self = setmetatable({x = x, y = y, extents = {x = x, y = y}, type = "float", flops = 2 * x * y,
                             maxrregcount = how.maxrregcount or 0, binary = how.binary or "", log = how.log,
                             notes = {}}, Sum)
  self.repeats = problem.runs(how.repeats)
  local padded = groups.round_up(x, how.multiple or 1)
  self.a, self.b, self.c = array.float(padded), array.float(y), array.float(padded)
  self:fill_as_measured()
  return self
end

--- The least traffic of global memory, without padding.
-- @treturn number bytes
function Sum:bytes()
  return 4 * (self.x + self.y + self.x)
end

--- Sets the inputs for measurements, the same every time.
function Sum:fill_as_measured()
  self.a:random(-0.5, 0.5, 1)
  self.b:random(-0.5, 0.5, 2)
end

-- Whole numbers so small that every sum is exact in any order, and none of them 0, so that a missing term shows.
local function fill_with_whole(target, most, seed)
  local whole = array.int(#target)
  whole:random(1, most, seed)
  target:copy_from(whole)
end

--- Sets inputs of small whole numbers, at least 1.
function Sum:fill_whole()
  local room = (2 ^ 24 - 1) / self.y
  local of_a = math.max(1, math.min(8, math.floor(room)))
  fill_with_whole(self.a, of_a, 3)
  fill_with_whole(self.b, math.max(1, math.min(8, math.floor(room / of_a))), 4)
end

-- ---- the check ----

local function judged(right, fault)
  return problem.in_words(right, fault, ("C[%d] is"):format(fault.row))
end

--- The two passes of a check: exact on whole numbers, then on the measured inputs within six standard deviations.
-- @treturn {table,...} for @{clue.walk.verify}
function Sum:passes()
  return {
    {name = "exact on whole numbers", prepare = function() self:fill_whole() end,
     check = function() return judged(arithmetic.outer_sum_verify_exact(self)) end},
    {name = "six sigma on uniform inputs", prepare = function() self:fill_as_measured() end,
     check = function() return judged(arithmetic.outer_sum_verify_rounded(self)) end},
  }
end

-- ---- the host ----

-- What the host's arithmetic takes.
local function layout(self, c)
  return {x = self.x, y = self.y, a = self.a, b = self.b, c = c}
end

--- Computes C with the plain loops.
-- @tparam int threads cores to use, 0 for all
function Sum:on_host(threads)
  arithmetic.outer_sum_baseline(layout(self, self.c), threads, 0, self.x)
end

--- Times the plain loops on the host.
-- @tparam[opt] bool all on all cores
-- @treturn table as from @{clue.walk.host}
function Sum:host(all)
  local sum, cores = layout(self, self:spare()), binding.processor_count()
  return walk.host {
    problem = self:text(),
    name = all and "the same loops on all " .. counted(cores, "core") or "serial loops", extent = self.x,
    compiler = arithmetic.outer_sum_compiler(), least = math.min(self.x, all and cores or 1), repeats = self.repeats,
    slice = function(first, count) arithmetic.outer_sum_baseline(sum, all and 0 or 1, first, count) end,
  }
end

-- ---- the device ----

-- Adds a note once: variants of a sweep may have the same note.
local function note(self, text, ...)
  text = text:format(...)
  for _, before in ipairs(self.notes) do
    if before == text then return end
  end
  self.notes[#self.notes + 1] = text
end

--- The size of the groups: as asked, or the largest that the device has.
-- @tparam context context
-- @tparam int asked work-items
-- @tparam[opt=0] int bytes of local memory for each work-item
-- @treturn int
function Sum:group(context, asked, bytes)
  local on = context.device
  local most = math.min(asked, on.max_work_group_size, on.max_work_item_sizes[1])
  if (bytes or 0) > 0 then most = math.min(most, math.floor(on.local_mem_size / bytes)) end
  if most < asked then
    note(self, "groups of %s: %d do not fit this device", counted(most, "work-item"), asked)
  end
  return most
end

-- The lines of a log, each once.
local function lines_of(log)
  local lines, known = {}, {}
  for line in log:gmatch "[^\r\n]+" do
    line = line:gsub("^%s+", "")
    if line ~= "" and not known[line] then
      known[line], lines[#lines + 1] = true, line
    end
  end
  return lines
end

-- Notes the registers, spills and memory in NVIDIA's log in one line; the first lines of any other log.
local function note_log(self, log, group)
  local lines, facts = lines_of(log), {}
  for _, line in ipairs(lines) do
    if line:find "spill" or line:find "Used %d+ registers" then
      facts[#facts + 1] = line:gsub("^ptxas[%s.:info]*", "")
    end
  end
  if #lines == 0 then note(self, "the build log is empty: this compiler does not report registers and spills") end
  if not self.log and #facts > 0 then lines = {table.concat(facts, "; ")} end
  for i = 1, self.log and #lines or math.min(4, #lines) do note(self, "build log, TPB %d: %s", group, lines[i]) end
end

-- The author's options for NVIDIA's compiler: registers and spills in its log, and the most registers.
local function options_for(on, most_registers, defines)
  local limit = most_registers > 0 and ("-cl-nv-maxrregcount=%d"):format(most_registers) or nil
  if limit and not on:has_extension "cl_nv_compiler_options" then
    error(("--maxrregcount: only NVIDIA's compiler has it (-cl-nv-maxrregcount), not the one of %s"):format(on.name), 0)
  end
  return {limit, defines = defines, registers = true}
end

local function save(program, path)
  local binary = program:binary()
  assert(save_file(path, binary))
  return ("the binary of %d bytes is in %s"):format(#binary, path)
end

-- Builds a step's program, and notes its log, which the author also wants on success.
local function build(self, context, source, defines)
  local program = context:program(source, options_for(context.device, self.maxrregcount, defines))
  note_log(self, program.log, defines.TPB)
  if self.binary ~= "" then note(self, "%s", save(program, self.binary)) end
  return program
end

--- Makes a step's kernel for groups of a size, or of half that size and so on until it runs: a kernel that takes many
-- registers runs only in smaller groups.
-- @tparam context context
-- @tparam string source of a kernel outer_sum, which asks for groups of TPB
-- @tparam int group
-- @tparam[opt] table defines more macros
-- @param ... values for the kernel's arguments after the fifth
-- @treturn kernel
-- @treturn int the size of its groups
function Sum:kernel(context, source, group, defines, ...)
  local all = {TPB = group}
  for name, given in pairs(defines or {}) do all[name] = given end
  local kernel = build(self, context, source, all):kernel "outer_sum"
  local few, none = context:buffer(64), value.int(0)
  local ran, why = groups.runs(kernel, {group}, few, few, few, none, none, ...)
  if ran then return kernel, group end
  if group == 1 then error(why, 0) end
  note(self, "the device cannot run this kernel in groups of %s", counted(group, "work-item"))
  return self:kernel(context, source, math.floor(group / 2), defines, ...)
end

-- The most work-items that one compute unit of a CPU gets, if it takes whole groups.
local function of_the_busiest(items, group, units)
  return math.min(items, math.ceil(math.ceil(items / group) / units) * group)
end

--- What the best size of groups should gain on a CPU.
-- @tparam device on
-- @tparam int usual the size of the groups over which it gains
-- @tparam ?int items work-items of the launch; nil: many
-- @treturn string the expectation's word
-- @treturn string why
function outer_sum.gain_of_groups(on, usual, items)
  local units = on.max_compute_units
  local most = items and of_the_busiest(items, usual, units) or 1
  local least = most
  for power = 5, items and 10 or 0 do least = math.min(least, of_the_busiest(items, 2 ^ power, units)) end
  if most > 1.1 * least then
    return "faster", ("a group is a loop in one thread: with groups of %d, the busiest of %s has %d of all %s, with "
      .. "smaller ones %d"):format(usual, counted(units, "compute unit"), most, counted(items, "work-item"), least)
  end
  return "same", ("a group is a loop in one thread, and with each of these sizes the busiest of %s has about as many "
    .. "work-items"):format(counted(units, "compute unit"))
end

--- Sums up a sweep in a line, by the time that decides which variant is the row.
-- @tparam {table,...} sweep from @{clue.walk.sweep}
-- @treturn string "best here: TPB 128; the slowest, TPB 1024, takes 1.45 times its time"
function outer_sum.sweep_text(sweep)
  local best, worst, least, most = nil, nil, math.huge, 0
  for _, variant in ipairs(sweep) do
    local seconds = row_of.time(variant).median
    if seconds < least then best, least = variant, seconds end
    if seconds > most then worst, most = variant, seconds end
  end
  return ("best here: %s; the slowest, %s, takes %.3g times its time"):format(best.label, worst.label, most / least)
end

--- What is computed, in words.
-- @treturn string
function Sum:text()
  return ("C[x] = sum of A[x] B[y], %d x by %d y, float"):format(self.x, self.y)
end

--- Completes a row: adds what was computed, the device, and the notes.
-- @tparam table row as for @{clue.walk.report}
-- @tparam[opt] context context nil: only the host
-- @treturn table row
function Sum:row(row, context)
  row.notes = row.notes or {}
  for _, text in ipairs(self.notes) do row.notes[#row.notes + 1] = text end
  return problem.row(self, row, context)
end

return outer_sum
