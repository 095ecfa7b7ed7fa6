--- The innermost loops of a kernel's machine code, and what their instructions do.
--
-- Which loop takes the time is not in the code, where a loop of few
-- rounds looks like one of many: it follows from how often the lines of the source ran, where both are known.
local lists = require "clue.shared.list"
local readers = require "clue.build.instructions"

local loops = {}

-- ---- where loops are ----

-- What may run after each instruction, and before it.
local function edges_of(list)
  local index, after, before = {}, {}, {}
  for i, each in ipairs(list) do
    if each.place then index[each.place] = i end
    after[i], before[i] = {}, {}
  end
  local function add(from, to)
    if not after[to] then return end
    table.insert(after[from], to)
    table.insert(before[to], from)
  end
  for i, each in ipairs(list) do
    if not each.ends then add(i, i + 1) end
    if index[each.target] then add(i, index[each.target]) end
  end
  return after, before
end

-- The instructions that can be reached, each after all that follow it but on ways back; and their places in that list.
local function ordered(after)
  local order, place, seen, stack, at = {}, {}, {true}, {1}, {1}
  while stack[1] do
    local node, top = stack[#stack], #stack
    local to = after[node][at[top]]
    if to then
      at[top] = at[top] + 1
      if not seen[to] then seen[to], stack[top + 1], at[top + 1] = true, to, 1 end
    else
      order[#order + 1], stack[top] = node, nil
      place[node] = #order
    end
  end
  return order, place
end

-- For each instruction the last one that all ways to it pass (Cooper, Harvey and Kennedy: a simple, fast algorithm).
local function dominators(after, before)
  local order, place = ordered(after)
  local over, changed = {[1] = 1}, true
  local function common(a, b)
    while a ~= b do
      if place[a] < place[b] then a = over[a] else b = over[b] end
    end
    return a
  end
  while changed do
    changed = false
    for n = #order - 1, 1, -1 do
      local node, found = order[n], nil
      for _, from in ipairs(before[node]) do
        if over[from] then found = found and common(found, from) or from end
      end
      if over[node] ~= found then over[node], changed = found, true end
    end
  end
  return over
end

local function is_over(over, head, node)
  while node ~= head and over[node] ~= node do node = over[node] end
  return node == head
end

-- Adds to a loop what leads to its way back.
local function add_body(inside, before, from)
  local stack = {from}
  while stack[1] do
    local node = table.remove(stack)
    if not inside[node] then
      inside[node] = true
      for _, each in ipairs(before[node]) do stack[#stack + 1] = each end
    end
  end
end

-- The loops. A compiler lays blocks out in any order: a jump back in the text may be no loop, and a loop's instructions
-- may lie apart. So a loop is what has one entry, from which all of it is reached, and a way back to that (a natural
-- loop). Ways back to one instruction are one loop; an instruction that jumps to itself is no loop, but the end of
-- a program. Returns in the order of their entries: first: the entry; members: its instructions in order; depth: 1 if
-- it is in no other loop; inner: whether none is in it.
local function natural_loops(list)
  if not list[1] then return {} end
  local after, before = edges_of(list)
  local over, of, found = dominators(after, before), {}, {}
  for i in ipairs(list) do
    for _, head in ipairs(over[i] and after[i] or {}) do
      if head ~= i and is_over(over, head, i) then
        of[head] = of[head] or {[head] = true}
        add_body(of[head], before, i)
      end
    end
  end
  for first, inside in pairs(of) do
    local members, depth, inner = {}, 0, true
    for i in pairs(inside) do
      if over[i] then members[#members + 1] = i end
      inner = inner and (i == first or not of[i])
    end
    for _, other in pairs(of) do depth = depth + (other[first] and 1 or 0) end
    table.sort(members)
    found[#found + 1] = {first = first, members = members, depth = depth, inner = inner}
  end
  table.sort(found, function(a, b) return a.first < b.first end)
  return found
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

-- Counts some instructions.
local function counted(reader, list, members)
  local counts = {vector_bits = 0}
  for _, name in ipairs(loops.names) do counts[name] = 0 end
  local function add(name, much) counts[name] = counts[name] + (much or 1) end
  local function widen(bits) counts.vector_bits = math.max(counts.vector_bits, bits) end
  for _, i in ipairs(members) do
    add "instructions"
    reader.count(add, widen, list[i])
  end
  return counts
end

-- A kernel as a whole.
local function whole_of(reader, list)
  local members = {}
  for i in ipairs(list) do members[i] = i end
  return {members = members, counts = counted(reader, list, members)}
end

-- The innermost loops of a kernel, each with its counts and its instructions' places in the list.
local function innermost(reader, list)
  local inner = {}
  for _, each in ipairs(natural_loops(list)) do
    if each.inner then
      each.counts = counted(reader, list, each.members)
      each.counts.place, each.counts.depth = list[each.first].place, each.depth
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
  return {whole = whole_of(reader, list).counts, innermost = counts}
end

-- A loop in another one is taken to run so many rounds for each of the outer one's.
local ROUNDS = 10

-- An estimate of the work of a loop: what one round does, by how deep the loop is.
local function work_of(counts, float)
  local round = float and counts.float_operations or counts.integer + counts.loads + counts.local_loads
  return round * ROUNDS ^ (counts.depth or 0)
end

-- How often the lines of some instructions ran, on average; nil if it is not known of any.
local function runs_of(list, members, ran)
  local sum
  for _, i in ipairs(members) do
    local times = ran and ran(list[i])
    if times then sum = (sum or 0) + times end
  end
  return sum and sum / #members
end

--- Chooses the loop that takes the most time: of those that ran about as often as the one that ran most, the one of the
-- most work.
-- @tparam {table,...} list counts, and ran: how often its lines ran, if that is known
-- @tparam boolean float whether floating-point operations are what counts; else integers and loads
-- @treturn ?table one of them
function loops.most(list, float)
  local _, most = lists.best(list, function(each) return each.ran end)
  return (lists.best(list, function(each) return (each.ran or 0) * 2 >= most and work_of(each.counts, float) end))
end

--- The innermost loop that takes the most time, see @{most}. A GPU's loop that computes nothing and has narrower
-- accesses than the rest of the kernel only moves what vectors leave over; then it is the whole kernel. (A CPU's
-- work-items are themselves a loop.)
-- @tparam string text as for @{of}
-- @tparam string isa as for @{of}
-- @tparam string kernel as for @{of}
-- @tparam[opt] function ran ran(instruction): how often the line of the source ran that it is from, nil: not known
-- @treturn ?table counts (as of an innermost loop; of the whole kernel, without place, if it has no loop); ran: how
--   often its lines ran, on average; and instructions: {op, operands, file, line}, in order. nil if there is no such
--   kernel, or another instruction set
function loops.busiest(text, isa, kernel, ran)
  local reader = readers[isa]
  local list = reader and reader.read(text, kernel)
  if not list then return nil end
  local whole = whole_of(reader, list)
  local inner = innermost(reader, list)
  for _, each in ipairs(inner) do each.ran = runs_of(list, each.members, ran) end
  local best = loops.most(inner, whole.counts.float_operations > 0)
  local moves = best and isa ~= "x86-64" and best.counts.float_operations == 0
  if not best or moves and best.counts.vector_bits < whole.counts.vector_bits then best = whole end
  local instructions = {}
  for n, i in ipairs(best.members) do
    local each = list[i]
    instructions[n] = {each.op, each.operands, file = each.file, line = each.line}
  end
  return {counts = best.counts, instructions = instructions, ran = best.ran or runs_of(list, best.members, ran)}
end

return loops
