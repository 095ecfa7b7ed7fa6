--- Prints a comparison in a terminal.
-- @module clue.show.compare.view
local conditions = require "clue.show.compare.conditions"
local figures = require "clue.shared.figures"
local grouped = require "clue.shared.grouped"
local tables = require "clue.table"

local view = {}

--- What a comparison of two files cannot know; printed below each.
view.caution = "caution: each file is one run, and the intervals only show how times vary within a run. The next run "
  .. "may differ by more (clocks, memory layout, other work on the machine): repeat both before trusting a small gain"

-- ---- gains ----

local function ratio_text(gain)
  return gain and figures.gain(gain, " (too few runs)")
end

--- A gain in words: "B faster", "A faster", "no difference"; "unsure" if there are too few runs.
-- @tparam table gain
-- @tparam[opt="faster"] string better
-- @treturn string false if there is no gain
function view.word(gain, better)
  if not gain then return false end
  if gain.difference == nil then return "unsure" end
  if not gain.difference then return "no difference" end
  return (gain.ratio > 1 and "B " or "A ") .. (better or "faster")
end

-- ---- the two runs ----

local fact_columns = {
  {title = "  ", get = function(entry) return "  " .. entry.what end},
  {title = "A", gap = 1, get = function(entry) return entry.values[1] end},
  {title = "B", get = function(entry) return entry.values[2] end},
}

local function add(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

local function wrapped(lines, text, width, indent)
  add(lines, tables.wrap(text, width, indent or "   "))
end

-- The differing facts side by side, or one below the other if the line is too narrow.
local function differences(lines, list, width)
  if #list == 0 then return end
  local beside = tables.of(fact_columns, list)
  if tables.width(beside) <= width then return add(lines, beside) end
  for _, entry in ipairs(list) do
    wrapped(lines, ("  %s  A: %s"):format(entry.what, entry.values[1]), width, "     ")
    wrapped(lines, ("  %s  B: %s"):format((" "):rep(#entry.what), entry.values[2]), width, "     ")
  end
end

local function file_line(letter, path, document, kind)
  local ended = kind == "clue walk" and not document.finished and "; it did not finish" or ""
  return ("%s: %s, %s of clue %s, %s%s"):format(letter, path, kind, document.clue or "?",
    document.started or "at an unknown time", ended)
end

--- Describes the files, and how their runs differ.
-- @tparam table files a, b: paths
-- @tparam table a document
-- @tparam table b document
-- @tparam string kind
-- @tparam {table,...} list of @{clue.show.compare.conditions.of_runs}
-- @tparam int width of a line
-- @treturn {string,...} lines
function view.head(files, a, b, kind, list, width)
  local lines = {}
  wrapped(lines, file_line("A", files.a, a, kind), width)
  wrapped(lines, file_line("B", files.b, b, kind), width)
  differences(lines, list, width)
  if #list == 0 then lines[#lines + 1] = "  the same clue, on the same kind of machine" end
  return lines
end

local function device_line(device)
  return ("%s (%s)"):format(device.name or "a device that the file does not describe", device.address or "?")
end

--- Which devices are compared.
-- @tparam table a device; nil: there is none
-- @tparam table b device
-- @tparam int width
-- @treturn {string,...} lines
function view.devices(a, b, width)
  local lines = {}
  if not (a and b) then
    wrapped(lines, ("  only in %s: device %s"):format(a and "A" or "B", device_line(a or b)), width)
    return lines
  end
  local list = conditions.of_devices {a, b}
  if a.name == b.name and a.address == b.address then
    wrapped(lines, ("  device %s in both"):format(device_line(a)), width)
  elseif a.name == b.name then
    wrapped(lines, ("  device %s in A, %s in B"):format(device_line(a), b.address or "?"), width)
  else
    wrapped(lines, ("  device %s against %s"):format(device_line(a), device_line(b)), width)
  end
  differences(lines, list, width)
  return lines
end

-- ---- the rows of a walkthrough ----

-- Of a pair of steps or of limits; false if both are verified.
local function verdicts(pair)
  if not (pair.lost or pair.won) then
    return not pair.a.verified and (pair.a.verdict == pair.b.verdict and pair.a.verdict
      or pair.a.verdict .. ", then " .. pair.b.verdict) or false
  end
  return ("!! %s, then %s"):format(pair.a.verdict, pair.b.verdict)
end

local function milliseconds(side)
  if not (side.verified and side.seconds) then return false end
  return figures.marked(figures.milliseconds(side.seconds), side.extrapolated)
end

local function percent(side)
  return side.verified and side.spread and figures.percent(side.spread) or false
end

local layouts = {{names = true, range = true, kernel = true}, {names = true, kernel = true}, {kernel = true}, {}}

local function number_of(pair)
  local other = pair.other and tostring(pair.other.number)
  local both = other and other ~= tostring(pair.number) and tostring(pair.number) .. "|" .. other
  return (pair.changed and "*" or "") .. (both or tostring(pair.number))
end

local function name_of(pair)
  local name = pair.name or ""
  if pair.other and pair.other.name ~= pair.name then name = name .. " | " .. (pair.other.name or "") end
  return pair.study and pair.study .. ": " .. name or name
end

local function speed(pair, side)
  local it = pair.by_speed
  local text = it and it[side] and figures.number(it[side])
  return text and ("%s %s"):format(figures.marked(text, pair[side].extrapolated), it.unit)
end

local function gain_of_pair(pair)
  return figures.marked(ratio_text(pair.gain), pair.a.extrapolated or pair.b.extrapolated)
end

-- The columns that are only in some layouts name what such a layout has.
local pair_columns = {
  {title = "#", right = true, get = number_of},
  {of = "names", title = "step", get = name_of},
  {title = "at", optional = true, get = function(pair) return pair.point end},
  {title = "\ntime", get = function(pair) return pair.part end},
  {title = "A\nms", right = true, get = function(pair) return milliseconds(pair.a) end},
  {of = "range", title = "range%", right = true, gap = 1, get = function(pair) return percent(pair.a) end},
  {title = "B\nms", right = true, get = function(pair) return milliseconds(pair.b) end},
  {of = "range", title = "range%", right = true, gap = 1, get = function(pair) return percent(pair.b) end},
  {title = "A\nspeed", right = true, optional = true, get = function(pair) return speed(pair, "a") end},
  {title = "B\nspeed", right = true, optional = true, get = function(pair) return speed(pair, "b") end},
  {title = "B's gain\n(95 %)", get = gain_of_pair},
  {of = "kernel", title = "\nkernel alone", optional = true, get = function(pair) return ratio_text(pair.kernel) end},
  {title = "result", get = function(pair) return verdicts(pair) or view.word(pair.gain) end},
}

local function draw(section)
  return function(layout)
    local shown = {}
    for _, column in ipairs(pair_columns) do
      if not column.of or layout[column.of] then shown[#shown + 1] = column end
    end
    return tables.of(shown, section.pairs)
  end
end

local function alone_lines(lines, list, letter, other, width)
  for _, entry in ipairs(list) do
    local about = (entry.point and " at " .. entry.point or "")
      .. (entry.problem ~= "" and " (" .. entry.problem .. ")" or "")
    wrapped(lines, ("  only in %s: step %s %s%s%s"):format(letter, tostring(entry.number), entry.name or "", about,
      entry.other and ("; %s has it for another problem: %s"):format(other, entry.other) or ""), width)
  end
end

-- Which steps are compared by speed, and why.
local function speed_lines(lines, section, width)
  local by_speed = {}
  for _, pair in ipairs(section.pairs) do by_speed[#by_speed + 1] = pair.by_speed and pair or nil end
  local function problems(pair)
    local a, b = pair.problem, pair.by_speed.problem
    if a == b then a, b = ("%s (%s)"):format(a, pair.a.size), ("%s (%s)"):format(b, pair.b.size) end
    return ("A computes %s; B %s"):format(a, b)
  end
  for _, same in ipairs(grouped(by_speed, problems)) do
    local numbers = {}
    for i, pair in ipairs(same) do numbers[i] = tostring(pair.number) end
    wrapped(lines, ("  by speed, since the problems differ: %s %s: %s"):format(#numbers == 1 and "step" or "steps",
      table.concat(numbers, ", "), same.key), width)
  end
end

local function clock_lines(lines, section, width)
  local sides = {}
  for _, side in ipairs {"a", "b"} do
    local by_host = false
    for _, pair in ipairs(section.pairs) do by_host = by_host or pair[side].host_clock end
    if by_host then sides[#sides + 1] = side:upper() end
  end
  if sides[1] then
    wrapped(lines, ("  %s: kernel times are by the host clock, since the device's timer cannot be trusted"):format(
      table.concat(sides, " and ")), width)
  end
end

-- Nothing if that is told below.
local function titles_of(section)
  local list = {}
  for _, group in ipairs(grouped(section.pairs, function(pair) return pair.problem end)) do
    if group.key ~= "" then list[#list + 1] = group.key end
    if group[1].by_speed then return {} end
  end
  return list
end

--- A walkthrough on a pair of devices.
-- @tparam table section of @{clue.show.compare.walks.compare}
-- @tparam int width
-- @treturn {string,...} lines
function view.section(section, width)
  local lines = {}
  local about = titles_of(section)
  wrapped(lines, section.walkthrough .. (#about == 1 and ": " .. about[1] or ""), width)
  if section.alone then
    wrapped(lines, ("  only in %s, on device %s"):format(section.alone:upper(),
      device_line(section.a or section.b)), width)
  else
    add(lines, view.devices(section.a, section.b, width))
  end
  if #section.pairs > 0 then
    lines[#lines + 1] = ""
    add(lines, tables.fitting(layouts, width, draw(section)))
  end
  if section.a and section.b then -- else all rows are, as the device's line says
    alone_lines(lines, section.only_a, "A", "B", width)
    alone_lines(lines, section.only_b, "B", "A", width)
  end
  speed_lines(lines, section, width)
  clock_lines(lines, section, width)
  for _, pair in ipairs(section.pairs) do
    if pair.changed then
      wrapped(lines, "  *: the kernel or its build options differ", width)
      break
    end
  end
  return lines
end

-- ---- limits ----

--- The limits of two devices.
-- @tparam {table,...} pairs_of_limits see @{clue.show.compare.peaks.compare}
-- @tparam {table,...} only_a
-- @tparam {table,...} only_b
-- @tparam table failures a, b: see @{clue.show.compare.peaks.failures}
-- @tparam int width
-- @treturn {string,...} lines
function view.limits(pairs_of_limits, only_a, only_b, failures, width)
  local columns = {{title = ""}, {title = "limit"}, {title = "A", right = true}, {title = "B", right = true},
                   {title = "unit", gap = 1}, {title = "B's gain (95 %)"}, {title = "result"}}
  local rows, group, lines = {}, nil, {}
  for i, pair in ipairs(pairs_of_limits) do
    rows[i] = {pair.group ~= group and pair.group or "", pair.name, figures.number(pair.a.value) or false,
               figures.number(pair.b.value) or false, pair.unit or "", ratio_text(pair.gain) or false,
               verdicts(pair) or view.word(pair.gain, "better")}
    group = pair.group
  end
  if #rows > 0 then add(lines, tables.lines(columns, rows)) end
  for _, side in ipairs {{"A", only_a}, {"B", only_b}} do
    for _, limit in ipairs(side[2]) do
      wrapped(lines, ("  only in %s: %s %s, %s %s"):format(side[1], limit.group or "", limit.name or "",
        figures.number(limit.value) or "-", limit.unit or ""), width)
    end
  end
  for _, side in ipairs {"a", "b"} do
    for _, failure in ipairs(failures[side]) do
      wrapped(lines, ("  %s: the limits of %s: %s"):format(side:upper(), failure.group, failure.word), width)
    end
  end
  return lines
end

return view
