--- What the tables and charts of a sweep show: its rows with their points, curves over the size, each step's
-- results by parameter, options against options; and what is said below them: what could not run or is wrong, and the
-- summary. Everything comes from the document.
-- Parameters with one meaning everywhere: entry, a document's walkthrough that was swept; list, the results on a
-- device; pair, the rows of A and B at a point.
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local match = require "clue.result.match"
local point = require "clue.result.point"
local ranking = require "clue.show.sweep.ranking"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"

local results = {}

-- ---- rows with their points ----

--- The addresses of the devices, in order.
-- @treturn {string,...}
function results.devices(entry)
  return lists.distinct(lists.map(entry.runs, function(run) return run.device end))
end

--- All rows on a device.
-- @tparam string address
-- @treturn {table,...} row, point
function results.of(entry, address)
  return lists.map(row_of.all {entry}, function(each)
    return each.run.device == address and {row = each.row, point = each.run.point or {}} or nil
  end)
end

--- The parameters of a sweep with several values, with the size if that has several.
-- @treturn {table,...} name, values, get(point): its value, nil if the point's step does not have it
function results.axes(entry)
  local axes = {}
  if entry.sweep.sizes then
    axes[1] = {name = "size", values = entry.sweep.sizes, get = function(at) return at.size end}
  end
  for _, it in ipairs(entry.sweep.parameters or {}) do
    axes[#axes + 1] = {name = it.name, values = it.values, get = function(at) return (at.set or {})[it.name] end}
  end
  return axes
end

--- The names of the parameters, in the order of the command line.
-- @treturn {string,...}
function results.names(entry)
  return lists.map(entry.sweep.parameters or {}, function(it) return it.name end)
end

-- ---- curves over the size ----

-- Where sizes stand on an axis: by value if all are plain numbers, else beside each other.
local function places_of(sizes)
  local places, are_numbers = {}, true
  for i, size in ipairs(sizes) do
    places[i] = size:find "^%d+$" and tonumber(size) or false
    are_numbers = are_numbers and places[i]
  end
  for i in ipairs(are_numbers and {} or sizes) do places[i] = i end
  return places, are_numbers and true or false
end

local function new_lines()
  local lines, by_key = {}, {}
  return lines, function(key, of)
    if not by_key[key] then
      by_key[key] = of
      of.points = {}
      lines[#lines + 1] = of
    end
    return by_key[key]
  end
end

local function add_point(line, at, x, figure, extrapolated)
  if figure and not line.points[at] then
    line.points[at] = {x = x, y = figure.median, least = figure.least, most = figure.most, rank = figure.rank,
                       extrapolated = extrapolated}
  end
end

-- The figure of a host loop that computes what a row does.
local function host_figure(row, host)
  local work = {times = {total = host.times or {host.seconds}, flops = row.times.flops, bytes = row.times.bytes,
                         rate = row.times.rate}, aside = true}
  return ranking.figure(work)
end

-- Host loops of several steps may have one name and computation: the first one measured counts.
local function add_hosts(line_of, row, at, x)
  local hosts = {row.host}
  for _, host in ipairs(row.beside or {}) do hosts[#hosts + 1] = host end
  for _, host in ipairs(row.times and hosts or {}) do
    add_point(line_of("host " .. (host.name or ""), {kind = "host", name = "host: " .. (host.name or "loop")}), at, x,
      host_figure(row, host), host.extrapolated)
  end
end

local function is_library(row)
  return row.name == "openblas" or row.name == "clblast" or row.name == "cublas"
end

local most_lines = 16 -- of steps, in one chart

-- The rank of a curve at its largest size.
local function last_rank(line, count)
  for i = count, 1, -1 do
    if line.points[i] then return line.points[i].rank end
  end
  return 0
end

-- Of too many curves, the best of each step remains. Returns those that remain, and how many do not.
local function fewer(lines, count)
  if #lines <= most_lines then return lines, 0 end
  local kept = {}
  for _, same in ipairs(lists.grouped(lines, function(line) return tostring(line.number) end)) do
    kept[#kept + 1] = lists.best(same, function(line) return last_rank(line, count) end)
  end
  return kept, #lines - #kept
end

--- The curves of the rows of one device: one for each step and setting, then those of libraries and host loops.
-- @tparam table entry with several sizes
-- @treturn {table,...} for each study and unit: study, unit, sizes, places (x of each), numeric: whether places are the
--   sizes themselves; left_out: the number of curves that are not there, as their step has a better one; lines: kind
--   ("step", "library", "host"), number, name, points by the size's place, {x, y, least, most, rank, extrapolated}
function results.curves(entry, list)
  local names, sizes, place_of = results.names(entry), entry.sweep.sizes, {}
  local places, numeric = places_of(sizes)
  for i, size in ipairs(sizes) do place_of[size] = i end
  local counting = lists.filter(list, function(each) return ranking.figure(each.row) and place_of[each.point.size] end)
  local charts = lists.grouped(counting, function(each)
    return (each.row.study or "") .. "|" .. ranking.figure(each.row).unit
  end)
  for _, chart in ipairs(charts) do
    local lines, line_of = new_lines()
    local later, later_of = new_lines()
    for _, each in ipairs(chart) do
      local row, at = each.row, place_of[each.point.size]
      local label = point.label(each.point, {size = false, names = names})
      local name = ("%s %s%s"):format(tostring(row.number), row.name or "?", label ~= "" and ", " .. label or "")
      local add = is_library(row) and later_of or line_of
      add_point(add(name, {kind = is_library(row) and "library" or "step", number = row.number, name = name}), at,
        places[at], ranking.figure(row), row.times.extrapolated)
      add_hosts(later_of, row, at, places[at])
    end
    lines, chart.left_out = fewer(lines, #sizes)
    for _, line in ipairs(later) do lines[#lines + 1] = line end
    chart.study, chart.unit, chart.lines = chart[1].row.study, ranking.figure(chart[1].row).unit, lines
    chart.sizes, chart.places, chart.numeric = sizes, places, numeric
  end
  return charts
end

--- What a chart does not show, and the sizes with which steps computed something else than asked: some are made
-- smaller, or all would take hours.
-- @tparam table chart of @{curves}
-- @treturn {string,...} "step 1 at 2000 computed only A 640 x 640 ..."
function results.remarks(chart)
  local lines = {}
  if chart.left_out > 0 then
    lines[1] = ("of each step, only the values that are best at the largest size have a curve; %d more are not shown")
      :format(chart.left_out)
  end
  local with_work = ranking.is_time(chart.unit) and {} or chart
  for _, same in ipairs(lists.grouped(with_work, function(each) return each.point.size end)) do
    local largest = lists.best(same, function(each) return row_of.work(each.row) end).row
    for _, each in ipairs(same) do
      if each.row.problem ~= largest.problem and row_of.work(each.row) < row_of.work(largest) then
        lines[#lines + 1] = ("step %s at %s computed only %s"):format(tostring(each.row.number), same.key,
          each.row.problem or "?")
      end
    end
  end
  return lines
end

-- ---- one step by its parameters ----

--- The steps that have a parameter with several values, each with its results.
-- @treturn {table,...} lists of results, with number, name, axes: those with several values for this step
-- @treturn {table,...} results of the other steps
function results.by_step(entry, list)
  local swept, others = {}, {}
  for _, group in ipairs(lists.grouped(list, function(each) return tostring(each.row.number) end)) do
    group.number, group.name, group.axes = group[1].row.number, group[1].row.name, {}
    for _, axis in ipairs(results.axes(entry)) do
      local seen, count = {}, 0
      for _, each in ipairs(group) do
        local value = axis.get(each.point)
        if value ~= nil and not seen[value] then seen[value], count = true, count + 1 end
      end
      if count > 1 then group.axes[#group.axes + 1] = axis end
    end
    if group.axes[1] then
      swept[#swept + 1] = group
    else
      for _, each in ipairs(group) do others[#others + 1] = each end
    end
  end
  return swept, others
end

--- A step's results as those of a tuner, for its heat maps (see @{clue.result.tuning}).
-- @tparam table group of @{by_step}
-- @treturn ?table nil if no result counts
function results.as_tuned(group)
  local rivals, size = ranking.rivals(group)
  local best, best_figure = ranking.fastest(rivals)
  if not best then return nil end
  local is_time = ranking.is_time(best_figure.unit)
  local run = {names = {}, values = {}, results = {}, more = not is_time, second = is_time and 1e-3 or nil,
               objective = is_time and (size and "time at size " .. size or "time") or best_figure.unit,
               best = {value = best_figure.median}}
  local axes = lists.filter(group.axes, function(axis) return axis.name ~= "size" or not size end)
  for i, axis in ipairs(axes) do run.names[i], run.values[i] = axis.name, axis.values end
  for _, each in ipairs(rivals) do
    local p, figure = {}, ranking.figure(each.row)
    for _, axis in ipairs(axes) do p[axis.name] = axis.get(each.point) end
    if not each.row.skipped then -- what cannot be is left empty
      run.results[#run.results + 1] = {p = p, value = figure and figure.median, failed = not figure
        and row_of.verdict(each.row) or nil}
    end
  end
  return run
end

-- ---- options against options ----

--- The rows of A and B at each point.
-- @treturn {table,...} point, a, b: rows; gain of b over a
function results.pairs_of(list)
  local sides, found = {{}, {}}, {}
  for _, each in ipairs(list) do table.insert(sides[each.point.side == "B" and 2 or 1], each) end
  local function key(each)
    return ("%s|%s|%s"):format(each.point.size or "", tostring(each.row.number), point.key {set = each.point.set})
  end
  for _, group in ipairs(match.by_key(sides, key)) do
    local a, b = group[1], group[2]
    if a and b then found[#found + 1] = {point = a.point, a = a.row, b = b.row, gain = b.row.gain} end
  end
  return found
end

--- The times of a side: of the runs in turn, since those of both sides are from one moment; without any, of its row.
-- @tparam string side "a" or "b"
-- @treturn ?table seconds, see @{clue.result.statistics.of}; nil if there are none, or they do not count
function results.time_in_turn(pair, side)
  local row, gain = pair[side], pair.gain
  local in_turn = gain and statistics.of(gain[side == "a" and "before" or "now"])
  return in_turn or row_of.counts(row) and row_of.time(row) or nil
end

--- Which side is faster.
-- @treturn ?string nil if both are right, but were not compared
function results.verdict(pair)
  for _, side in ipairs {"a", "b"} do
    local word = row_of.verdict(pair[side])
    if word ~= "verified" then return ("%s: %s"):format(side:upper(), word) end
  end
  local verdict = gains.verdict(pair.gain)
  return verdict and verdict .. (pair.gain.disturbed and ", disturbed" or "")
end

--- Which pairs other work disturbed.
-- @tparam {table,...} all of @{pairs_of}
-- @tparam function label takes a point, returns its text
-- @treturn {string,...}
function results.disturbed(all, label)
  local lines = {}
  local function by_itself(pair, side)
    return figures.milliseconds(row_of.seconds(pair[side], pair.gain.part))
  end
  for _, pair in ipairs(all) do
    if pair.gain and pair.gain.disturbed then
      local at = label(pair.point)
      lines[#lines + 1] = ("step %s, %s%s: other work disturbed it: by itself, A took %s ms and B %s ms, which "
        .. "contradicts the runs in turn; --until-stable measures again until both agree"):format(
        tostring(pair.a.number), pair.a.name or "?", at ~= "" and (" (%s)"):format(at) or "", by_itself(pair, "a"),
        by_itself(pair, "b"))
    end
  end
  return lines
end

-- ---- below the tables, and in the report ----

local function label_of(entry, each)
  return point.label(each.point, {size = entry.sweep.sizes ~= nil, names = results.names(entry)})
end

-- What a failed step said, without the places in Lua: its error, and a compiler's first message with the source line
-- and the caret.
local function said_by(row)
  local lines = {}
  for _, line in ipairs(row.failed and row.failed.lines or {}) do
    if line:find "^stack traceback" or #lines == 4 then break end
    lines[#lines + 1] = line
  end
  return lines
end

-- Where some rows of a step were measured; nothing if that is everywhere.
local function places(entry, same, of_step)
  local where = lists.map(same, function(it) return label_of(entry, it.each) end)
  if #same == of_step or where[1] == "" then return "" end
  return (" (%s)"):format(#where > 3 and counted(#where, "point") or table.concat(where, "; "))
end

--- What is wrong with rows, or why they were skipped. Rows of a step that have the same reason are told once.
-- @treturn {table,...} text: one line; said: the step's own messages
function results.troubles(entry, list)
  local bad, of_step = {}, {}
  for _, each in ipairs(list) do
    local row = each.row
    of_step[row.number] = (of_step[row.number] or 0) + 1
    local why = row.skipped and "skipped: " .. row.skipped or row.failed and row.failed.text
      or row.check and not row.check.verified and "WRONG: " .. row.check.text
    if why then
      local said = said_by(row)
      bad[#bad + 1] = {each = each, why = why, said = said, key = ("%s|%s|%s"):format(tostring(row.number), why,
        table.concat(said))}
    end
  end
  return lists.map(lists.grouped(bad, function(it) return it.key end), function(same)
    local row = same[1].each.row
    return {said = same[1].said, text = ("step %s, %s%s: %s"):format(tostring(row.number),
      row.name or "?", places(entry, same, of_step[row.number]), same[1].why)}
  end)
end

--- The fastest, and how many results are right. A library that nobody asked for and that is not installed is no
-- measurement.
-- @treturn string
function results.summary(entry, list)
  local added = lists.set(entry.sweep.added or {})
  local asked = lists.filter(list, function(each) return not (each.row.skipped and added[each.row.number]) end)
  local verified = #lists.filter(asked, function(each) return row_of.is_verified(each.row) end)
  local skipped = #lists.filter(asked, function(each) return each.row.skipped end)
  local parts = {}
  local function unit_of(each) return (ranking.figure(each.row) or {}).unit or "" end
  for _, same in ipairs(lists.grouped(list, unit_of)) do
    local rivals, size = ranking.rivals(same)
    local best, figure = ranking.fastest(rivals)
    if best then
      local label = label_of(entry, best)
      parts[#parts + 1] = ("the fastest%s is step %s, %s%s: %s %s"):format(size and " at size " .. size or "",
        tostring(best.row.number), best.row.name or "?", label ~= "" and " (" .. label .. ")" or "",
        figures.number(figure.median), figure.unit)
    end
  end
  parts[#parts + 1] = ("%d of %s verified%s"):format(verified, counted(#asked, "measurement"),
    skipped > 0 and (", %d skipped"):format(skipped) or "")
  return table.concat(parts, "; ")
end

return results
