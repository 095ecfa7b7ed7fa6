--- Spans of time: what several of them cover together, and what two covers have in common.
-- @module clue.trace.spans
local spans = {}

--- The time that at least one of the spans covers.
-- @tparam {table,...} list {from, to}, in any order
-- @treturn {table,...} {from, to} in order, without overlaps
function spans.union(list)
  local sorted, covered = {}, {}
  for i, span in ipairs(list) do sorted[i] = span end
  table.sort(sorted, function(a, b) return a[1] < b[1] end)
  for _, span in ipairs(sorted) do
    local last = covered[#covered]
    if last and span[1] <= last[2] then
      last[2] = math.max(last[2], span[2])
    else
      covered[#covered + 1] = {span[1], span[2]}
    end
  end
  return covered
end

--- The gaps between the spans of a cover.
-- @tparam {table,...} covered of @{union}
-- @treturn {table,...}
function spans.gaps(covered)
  local between = {}
  for i = 2, #covered do between[i - 1] = {covered[i - 1][2], covered[i][1]} end
  return between
end

--- The length of a cover.
-- @tparam {table,...} covered of @{union}
-- @treturn number
function spans.total(covered)
  local sum = 0
  for _, span in ipairs(covered) do sum = sum + span[2] - span[1] end
  return sum
end

--- The length that two covers have in common.
-- @tparam {table,...} a of @{union}
-- @tparam {table,...} b of @{union}
-- @treturn number
function spans.common(a, b)
  local sum, i, j = 0, 1, 1
  while a[i] and b[j] do
    sum = sum + math.max(0, math.min(a[i][2], b[j][2]) - math.max(a[i][1], b[j][1]))
    if a[i][2] < b[j][2] then i = i + 1 else j = j + 1 end
  end
  return sum
end

--- Distributes spans over lanes so that those in one lane do not overlap: sets lane = 1, 2, ... in each.
-- @tparam {table,...} list of tables with started and ended under `at`
-- @treturn int how many lanes there are
function spans.lanes(list)
  local free = {}
  table.sort(list, function(a, b) return a.at.started < b.at.started end)
  for _, each in ipairs(list) do
    local lane = 1
    while free[lane] and free[lane] > each.at.started do lane = lane + 1 end
    each.lane, free[lane] = lane, each.at.ended
  end
  return #free
end

return spans
