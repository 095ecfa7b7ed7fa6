--- The report's plots of speed: the steps, and the variants of a step.
local block = require "clue.show.block"
local contest = require "clue.result.contest"
local data = require "clue.show.report.data"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"

local plots = {}

-- Series that share a step are placed side by side, so that their bars do not hide each other.
local function spread_out(list)
  local width = math.min(0.3, 0.08 * #list)
  for i, one in ipairs(list) do
    local shift = #list > 1 and ((i - 1) / (#list - 1) - 0.5) * width or 0
    for _, point in ipairs(one.points) do point.x = point.x + shift end
  end
end

-- A plot over marks that are side by side.
local function over_marks(list, texts, x_title, of)
  local marks = {}
  for i, text in ipairs(texts) do marks[i] = {i, text} end
  spread_out(list)
  of.only, of.series, of.legend = "page", list, true
  of.x = {title = x_title, marks = marks, least = 0.5, most = #texts + 0.5}
  return block.plot(of)
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

-- Adds a series if it has points, which become sorted.
local function add(list, one)
  if #one.points == 0 then return end
  table.sort(one.points, function(a, b) return a.x < b.x end)
  interrupt(one.points)
  list[#list + 1] = one
end

-- Adds the series of a device; place_of(row) is where its mark stands, nil for none. whole: by the time that the
-- author's figures are of, of rows which are judged by another one.
local function add_device(list, device, index, marked_rows, place_of, whole)
  local points = {}
  for _, row in ipairs(marked_rows) do
    local part = row_of[whole and "whole" or "judged"](row)
    local place, speed = place_of(row), row_of.speeds(row, part)
    if place and speed and not (whole and part == row_of.judged(row)) then
      points[#points + 1] = {x = place, y = speed.median, least = speed.least, most = speed.most, row = row}
    end
  end
  add(list, {kind = "device", index = index, name = (device.name or device.address) .. (whole and ", total" or ""),
             points = points, ranges = true, dashed = whole})
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
  return points
end

--- The speed of each step on each device, beside the author's figures.
-- @tparam table document
-- @tparam table walkthrough
-- @tparam table group see @{clue.show.report.data.groups}
-- @treturn ?table block; nil if no step has a speed, or if there is only one step on one device
function plots.speed(document, walkthrough, group)
  local list, texts = {}, {}
  for _, run in ipairs(walkthrough.runs) do
    local device, index = data.device(document, run)
    add_device(list, device, index, run.rows, group.place)
  end
  if #list == 0 or #group.steps == 1 and #list == 1 then return nil end
  local authors, rows = {}, lists.flat(walkthrough.runs, function(run) return run.rows end)
  for index, author in ipairs(steps_table.authors(rows)) do
    add(authors, {kind = "author", index = index, name = "the author's " .. author.on, dashed = true,
                  points = author_points(walkthrough, group, author.on)})
  end
  for _, run in ipairs(authors[1] and walkthrough.runs or {}) do
    local device, index = data.device(document, run)
    add_device(list, device, index, run.rows, group.place, true)
  end
  for _, one in ipairs(authors) do list[#list + 1] = one end
  for i, step in ipairs(group.steps) do texts[i] = tostring(step.number) end
  return over_marks(list, texts, "step", {
    title = ("%s of each step%s"):format(group.unit, group.study ~= "" and " of the study " .. group.study or ""),
    caption = "By the kernel's time; the author's figures are totals. Bars: from the slowest to the fastest run. "
      .. "Steps without a mark were skipped, failed, are wrong, or have no figure.", y = {title = group.unit}})
end

-- ---- the variants of a step ----

-- The words with which all texts begin, "groups of ": they are written once, below the axis. Returns the other words.
local function without_common(texts)
  local common, rests = #texts > 1 and texts[1]:match "^(.* )" or "", {}
  for _, text in ipairs(texts) do
    while common ~= "" and text:sub(1, #common) ~= common do common = common:match "^(.* )%S+ $" or "" end
  end
  for i, text in ipairs(texts) do rests[i] = text:sub(#common + 1) end
  return common ~= "" and (common:gsub(" $", "")) or "variant", rests
end

-- Texts that are too long for the axis become numbers, which are explained beside the plot.
local function numbers_for_long(texts)
  local long, numbers = false, {}
  for i, text in ipairs(texts) do
    long = long or #text > 8
    numbers[i] = tostring(i)
  end
  return long and numbers or nil
end

--- The speed of each variant in a step's sweep, on each device that has one.
-- @tparam {table,...} sweeps row, device, index: the device's place
-- @treturn ?table block; nil if no variant has a speed
function plots.sweep(sweeps)
  local list, names, places = {}, {}, {}
  local row = sweeps[1].row
  for _, sweep in ipairs(sweeps) do
    add_device(list, sweep.device, sweep.index, row_of.variants(sweep.row), function(variant)
      if not places[variant.label] then
        names[#names + 1] = tostring(variant.label)
        places[variant.label] = #names
      end
      return places[variant.label]
    end)
  end
  if #list == 0 then return nil end
  local what, texts = without_common(names)
  local numbers = numbers_for_long(texts)
  local chosen, unit = row.variant and row.sweep[row.variant], row_of.rate(row)
  return over_marks(list, numbers or texts, numbers and "variant" or what, {
    title = ("%s of each variant"):format(unit), names = numbers and names or nil, y = {title = unit},
    caption = chosen and ("The step counts with this variant: %s."):format(tostring(chosen.label))
      or "The step counts with its fastest variant."})
end

return plots
