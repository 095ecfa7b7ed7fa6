--- The innermost loops of a kernel's machine code, and what their instructions do.
--
-- A jump back to an earlier instruction ends a loop. Which loop takes the time is not in the code: a loop of few rounds
-- counts like one of many.
-- @module clue.build.loops
local loops = {}

local readers = {}
for _, name in ipairs {"x86", "ptx", "sass"} do
  local reader = require("clue.build.instructions." .. name)
  readers[reader.name] = reader
end

--- What is counted. An instruction that computes with a value from memory counts as both. What is left (moves,
-- shuffles, prefetches) is only in "instructions".
-- @field fma fused multiply-adds
-- @field float other arithmetic of floating-point numbers
-- @field integer arithmetic of integers and addresses, comparisons, bits
-- @field loads, stores, of memory; atomic operations are stores
-- @field local_loads, local_stores, of local memory, where the code tells the two apart
-- @field stack_loads, stack_stores, of the stack: registers that were spilled, and private arrays
-- @field barriers
-- @field jumps also calls
-- @table names
loops.names = {"instructions", "fma", "float", "integer", "loads", "stores", "local_loads", "local_stores",
               "stack_loads", "stack_stores", "barriers", "jumps", "float_operations"}

-- Counts the instructions from one to another.
local function counted(reader, list, first, last)
  local counts = {vector_bits = 0}
  for _, name in ipairs(loops.names) do counts[name] = 0 end
  local function add(name, much) counts[name] = counts[name] + (much or 1) end
  local function widen(bits) counts.vector_bits = math.max(counts.vector_bits, bits) end
  for i = first, last do
    add "instructions"
    reader.count(add, widen, list[i])
  end
  return counts
end

-- Loops as {first, last}, in the order of their beginnings. Jumps back to one instruction are one loop; an instruction
-- that jumps to itself is no loop, but the end of a program.
local function find(list)
  local index, ends = {}, {}
  for i, each in ipairs(list) do
    if each.place then index[each.place] = i end
  end
  for i, each in ipairs(list) do
    local first = index[each.target]
    if first and first < i then ends[first] = math.max(ends[first] or 0, i) end
  end
  local found = {}
  for first, last in pairs(ends) do found[#found + 1] = {first = first, last = last} end
  table.sort(found, function(left, right) return left.first < right.first end)
  return found
end

local function is_innermost(found, one)
  for _, other in ipairs(found) do
    if other.first > one.first and other.first <= one.last then return false end
  end
  return true
end

local function depth(found, one)
  local around = 0
  for _, other in ipairs(found) do
    if other.first <= one.first and one.last <= other.last then around = around + 1 end
  end
  return around
end

-- The innermost loops of a kernel, each with its counts, first and last instruction.
local function innermost(reader, list)
  local found, inner = find(list), {}
  for _, each in ipairs(found) do
    if is_innermost(found, each) then
      each.counts = counted(reader, list, each.first, each.last)
      each.counts.place, each.counts.depth = list[each.first].place, depth(found, each)
      inner[#inner + 1] = each
    end
  end
  return inner
end

--- Counts a kernel's instructions.
-- @tparam string text machine code or assembly
-- @tparam string isa "x86-64", "PTX" or "SASS"
-- @tparam string kernel its name
-- @treturn ?table whole: the counts of the kernel; innermost: a list with the counts of each innermost loop, and its
--   place (address or label) and depth (1: in no other loop). Counts are @{names}; float_operations: of one round, by
--   a work-item on a GPU and by a thread on a CPU; a fused multiply-add is two, a vector has its elements; vector_bits:
--   of the widest vector register or access. nil if there is no such kernel, or another instruction set
function loops.of(text, isa, kernel)
  local reader = readers[isa]
  local list = reader and reader.read(text, kernel)
  if not list then return nil end
  local counts = {}
  for i, each in ipairs(innermost(reader, list)) do counts[i] = each.counts end
  return {whole = counted(reader, list, 1, #list), innermost = counts}
end

-- A loop in another one is taken to run so many rounds for each of the outer one's.
local ROUNDS = 10

--- An estimate of the work of a loop: what one round does, by how deep the loop is.
-- @tparam table counts
-- @tparam boolean float whether floating-point operations are what counts; else integers and loads
-- @treturn number
function loops.work(counts, float)
  local round = float and counts.float_operations or counts.integer + counts.loads + counts.local_loads
  return round * ROUNDS ^ (counts.depth or 0)
end

--- The innermost loop that takes the most time, by @{work}. A GPU's loop that computes nothing and has narrower
-- accesses than the rest of the kernel only moves what vectors leave over; then it is the whole kernel. (A CPU's
-- work-items are themselves a loop.)
-- @tparam string text as for @{of}
-- @tparam string isa as for @{of}
-- @tparam string kernel as for @{of}
-- @treturn ?table counts (as of an innermost loop; of the whole kernel, without place, if it has no loop) and
--   instructions: a list of {op, operands} in order. nil if there is no such kernel, or another instruction set
function loops.busiest(text, isa, kernel)
  local reader = readers[isa]
  local list = reader and reader.read(text, kernel)
  if not list then return nil end
  local whole = {first = 1, last = #list, counts = counted(reader, list, 1, #list)}
  local best, float = nil, whole.counts.float_operations > 0
  for _, each in ipairs(innermost(reader, list)) do
    if not best or loops.work(each.counts, float) > loops.work(best.counts, float) then best = each end
  end
  local moves = best and reader.name ~= "x86-64" and best.counts.float_operations == 0
  if not best or moves and best.counts.vector_bits < whole.counts.vector_bits then best = whole end
  local instructions = {}
  for i = best.first, best.last do instructions[#instructions + 1] = {list[i].op, list[i].operands} end
  return {counts = best.counts, instructions = instructions}
end

return loops
