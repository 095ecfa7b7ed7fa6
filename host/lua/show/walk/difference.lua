--- The differences between two texts, line by line: by the longest common subsequence of their lines.
--
-- `clue walk --diff` and the report use it to show what a step changes in the kernel of the step that it is
-- compared with.
local difference = {}

-- Cells of the table of common lengths. If more lines than that differ, the texts count as wholly different.
local most_cells = 4e6

local function split(text)
  local lines = {}
  if text == "" then return lines end
  for line in (text:gsub("\n$", "") .. "\n"):gmatch("(.-)\r?\n") do lines[#lines + 1] = line end
  return lines
end

-- How many lines the texts share at their beginning, and at their end after that.
local function common_ends(before, after)
  local shorter = math.min(#before, #after)
  local head, tail = 0, 0
  while head < shorter and before[head + 1] == after[head + 1] do head = head + 1 end
  while tail < shorter - head and before[#before - tail] == after[#after - tail] do tail = tail + 1 end
  return head, tail
end

-- longest[i][j]: how many lines before[i..] and after[j..] share, both up to the common tail.
local function common_lengths(before, after, head, tail)
  local rows, columns = #before - tail + 1, #after - tail + 1
  local longest = {[rows] = {}}
  for j = head + 1, columns do longest[rows][j] = 0 end
  for i = rows - 1, head + 1, -1 do
    local line, below, row = before[i], longest[i + 1], {[columns] = 0}
    for j = columns - 1, head + 1, -1 do
      row[j] = line == after[j] and below[j + 1] + 1 or math.max(below[j], row[j + 1])
    end
    longest[i] = row
  end
  return longest
end

-- The part between the common ends. If both orders are equally short, removed lines come before added ones.
local function add_middle(result, before, after, head, tail)
  local i, j, last_i, last_j = head + 1, head + 1, #before - tail, #after - tail
  local small = (last_i - head + 1) * (last_j - head + 1) <= most_cells
  local longest = small and common_lengths(before, after, head, tail)
  while i <= last_i or j <= last_j do
    if longest and i <= last_i and j <= last_j and before[i] == after[j] then
      result[#result + 1] = {"=", before[i]}
      i, j = i + 1, j + 1
    elseif i <= last_i and (j > last_j or not longest or longest[i + 1][j] >= longest[i][j + 1]) then
      result[#result + 1] = {"-", before[i]}
      i = i + 1
    else
      result[#result + 1] = {"+", after[j]}
      j = j + 1
    end
  end
end

--- Marks each line as common, removed or added. A final line break is ignored, and so are carriage returns before
-- line breaks.
-- @tparam string before
-- @tparam string after
-- @treturn {{string,string},...} "=", "-" (only in before) or "+" (only in after), and the line
function difference.lines(before, after)
  before, after = split(before), split(after)
  local head, tail = common_ends(before, after)
  local result = {}
  for i = 1, head do result[i] = {"=", before[i]} end
  add_middle(result, before, after, head, tail)
  for i = #before - tail + 1, #before do result[#result + 1] = {"=", before[i]} end
  return result
end

--- Leaves out the unchanged lines that are far from every change.
-- @tparam {{string,string},...} lines from @{lines}
-- @tparam[opt=3] int around unchanged lines to keep beside a change
-- @treturn {{string,string},...} the same, {"…", count} where lines are left out; empty if nothing differs
function difference.fold(lines, around)
  around = around or 3
  local near, last = {}, nil
  for i, line in ipairs(lines) do
    if line[1] ~= "=" then last = i end
    near[i] = last and i - last <= around
  end
  last = nil
  for i = #lines, 1, -1 do
    if lines[i][1] ~= "=" then last = i end
    near[i] = near[i] or last and last - i <= around
  end
  if not last then return {} end
  local result, left_out = {}, 0
  local function close()
    if left_out > 0 then result[#result + 1] = {"…", left_out} end
    left_out = 0
  end
  for i, line in ipairs(lines) do
    if near[i] then
      close()
      result[#result + 1] = line
    else
      left_out = left_out + 1
    end
  end
  close()
  return result
end

return difference
