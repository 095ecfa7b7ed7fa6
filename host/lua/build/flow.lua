--- The loops of a kernel's instructions, by their jumps.
--
-- A compiler lays blocks out in any order: a jump back in the text may be no loop, and a loop's instructions may lie
-- apart. So a loop is what has one entry, from which all of it is reached, and a way back to that (a natural loop).
local flow = {}

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

--- The loops. Ways back to one instruction are one loop; an instruction that jumps to itself is no loop, but the end of
-- a program.
-- @tparam {table,...} list instructions: place, target (the place that it jumps to), ends: whether it never goes on to
--   the next one
-- @treturn {table,...} in the order of their entries: first: the entry; members: its instructions in order; depth: 1 if
--   it is in no other loop; inner: whether none is in it
function flow.loops(list)
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

return flow
