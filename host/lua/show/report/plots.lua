--- The report's charts of speed: the steps, and the variants of a step.
-- @module clue.show.report.plots
local contest = require "clue.result.contest"
local data = require "clue.show.report.data"
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local series = require "clue.show.report.series"

local plots = {}

-- Every step has a mark. Their labels are written as far as there is room, slanted if that helps.
local function step_axis(steps, size)
  local longest = 1
  for _, step in ipairs(steps) do longest = math.max(longest, #step.label) end
  local room = (size.width - 90) / (size.font * 0.62) -- characters beside each other
  local aslant = longest > 3 and #steps * (longest + 1) > room
  local every = aslant and math.ceil(#steps * 2.2 / room) or math.ceil(#steps * (longest + 1) / room)
  local marks = {}
  for i, step in ipairs(steps) do
    if (i - 1) % every == 0 then marks[#marks + 1] = ("'%s' %d"):format(step.label, i) end
  end
  return ("set xrange [0.5:%d.5]\nset xtics %s (%s)\n"):format(#steps, aslant and "rotate by 40 right" or "norotate",
    table.concat(marks, ", "))
end

-- The words with which all labels begin, "groups of ": they are written once, below the axis.
local function common_words(steps)
  local common = #steps > 1 and steps[1].label:match "^(.* )" or ""
  for _, step in ipairs(steps) do
    while common ~= "" and step.label:sub(1, #common) ~= common do common = common:match "^(.* )%S+ $" or "" end
  end
  for _, step in ipairs(steps) do step.label = step.label:sub(#common + 1) end
  return common ~= "" and (common:gsub(" $", "")) or "variant"
end

-- Labels that are too long for the axis become numbers, which are explained beside the chart.
local function numbers_for_long(steps)
  local long = false
  for _, step in ipairs(steps) do long = long or #step.label > 8 end
  if not long then return nil end
  local names = {}
  for i, step in ipairs(steps) do
    names[i] = step.name
    step.label = tostring(i)
  end
  return names
end

-- Series that share a step are placed side by side, so that their bars do not hide each other.
local function spread_out(list, width)
  for i, one in ipairs(list) do
    local shift = #list > 1 and ((i - 1) / (#list - 1) - 0.5) * width or 0
    for _, point in ipairs(one.points) do point.x = point.x + shift end
  end
end

-- ---- speed by step ----

-- No line leads across a step without a mark, from a loop of the host to a step on the device, or to a step that solves
-- another problem.
local function interrupt(points)
  for i = 2, #points do
    local before, now = points[i - 1], points[i]
    now.apart = now.x - before.x > 1 or row_of.is_of_host(now.row) ~= row_of.is_of_host(before.row)
      or not contest.compete(before.row, now.row)
  end
  return points
end

-- Adds the series of a device; place_of(row) is where its mark stands, nil for none.
local function add_device(list, device, index, marked_rows, place_of)
  local points = {}
  for _, row in ipairs(marked_rows) do
    local place, speed = place_of(row), row_of.speeds(row)
    if place and speed then
      points[#points + 1] = {x = place, y = speed.median, least = speed.least, most = speed.most, row = row}
    end
  end
  table.sort(points, function(a, b) return a.x < b.x end)
  series.add(list, {kind = "device", index = index, name = device.name or device.address, points = interrupt(points),
                    ranges = true})
end

-- The author's figures are the same whatever device his steps are replayed on.
local function author_points(walkthrough, group, on)
  local points, seen = {}, {}
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local place = group.place(row)
      local rate = place and not seen[place] and data.published_rate(row_of.published(row, on), group.unit)
      if rate and rate > 0 then
        seen[place] = true
        points[#points + 1] = {x = place, y = rate, row = row}
      end
    end
  end
  table.sort(points, function(a, b) return a.x < b.x end)
  return interrupt(points)
end

local function add_authors(list, walkthrough, group)
  for index, on in ipairs(data.authors(walkthrough)) do
    series.add(list, {kind = "author", index = index, name = on, points = author_points(walkthrough, group, on),
                      dashed = true})
  end
end

local function description_of(list)
  local sentences = {}
  for _, one in ipairs(list) do
    local least, most = series.extent {one}
    sentences[#sentences + 1] = ("%s%s: %s to %s."):format(one.kind == "author" and "The author's " or "",
      one.name, figures.number(least), figures.number(most))
  end
  return table.concat(sentences, " ")
end

--- The speed of each step on each device, beside the author's figures.
-- @tparam table document
-- @tparam table walkthrough
-- @tparam table group see @{clue.show.report.data.groups}
-- @treturn table for @{clue.show.report.chart.draw}, with series: kind, index, name, role, mark; logarithmic; nil if no
--   step has a speed, or if there is only one step on one device
function plots.speed(document, walkthrough, group)
  local list = {}
  for _, run in ipairs(walkthrough.runs) do
    local device, index = data.device(document, run)
    add_device(list, device, index, run.rows, group.place)
  end
  if #list == 0 or #group.steps == 1 and #list == 1 then return nil end
  add_authors(list, walkthrough, group)
  local axis, logarithmic = series.axis(list)
  spread_out(list, math.min(0.3, 0.08 * #list))
  local steps = {}
  for i, step in ipairs(group.steps) do steps[i] = {label = series.harmless(step.number)} end
  return {series = list, logarithmic = logarithmic,
    title = ("Speed of each step, %s, %s axis"):format(group.unit, logarithmic and "logarithmic" or "linear"),
    description = description_of(list) .. " The values are in the table of all rows.",
    script = function(size)
      return axis .. step_axis(steps, size) .. series.labels("step", group.unit) .. series.plot(list, size)
    end}
end

-- ---- the variants of a step ----

--- The speed of each variant in a step's sweep, on each device that has one.
-- @tparam {table,...} sweeps row, device, index: the device's place
-- @treturn table as from @{speed}, with names: those of the variants if the axis shows only their numbers
function plots.sweep(sweeps)
  local list, steps, places, unit = {}, {}, {}, row_of.rate(sweeps[1].row)
  for _, sweep in ipairs(sweeps) do
    add_device(list, sweep.device, sweep.index, row_of.variants(sweep.row), function(variant)
      if not places[variant.label] then
        steps[#steps + 1] = {label = series.harmless(variant.label), name = tostring(variant.label)}
        places[variant.label] = #steps
      end
      return places[variant.label]
    end)
  end
  if #list == 0 then return nil end
  local axis, logarithmic = series.axis(list)
  spread_out(list, math.min(0.3, 0.08 * #list))
  local what = common_words(steps)
  local names = numbers_for_long(steps)
  what = names and "variant" or what
  return {series = list, names = names, logarithmic = logarithmic, title = ("Speed of each variant, %s"):format(unit),
    description = description_of(list), script = function(size)
      return axis .. step_axis(steps, size) .. series.labels(what, unit) .. series.plot(list, size)
    end}
end

return plots
