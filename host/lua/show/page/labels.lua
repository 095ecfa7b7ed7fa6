--- The labels in a plot: those that would lie on each other, or on a mark, become one.
-- @module clue.show.page.labels
local chart = require "clue.show.chart"
local gnuplot = require "clue.show.page.gnuplot"

local labels = {}

local beside_plot, below_plot, mark = 90, 60, 4 -- pixels

-- ---- boxes ----

-- Where a label lies: in pixels, from left and from below. That of several points is beside the last of them.
local function lay_out(label, area)
  local width, half = #label.text * area.letter, area.font * 0.6
  label.bottom, label.top = label.y - half, label.y + half
  if label.limit then
    label.right, label.bottom, label.top = area.width * 0.98, label.y, label.y + 2 * half
  else
    label.right = label.last + area.letter + width
    label.is_left = label.right > area.width
    if label.is_left then label.right = label.first - area.letter end
  end
  label.left = label.right - width
  return label
end

local function overlap(a, b, margin)
  return a.left < b.right + margin and b.left < a.right + margin and a.bottom < b.top and b.bottom < a.top
end

-- Whether a label covers the mark of a point of another.
local function covers(label, other)
  for _, point in ipairs(other.points) do
    if overlap(label, {left = point.x - mark, right = point.x + mark, bottom = point.y - mark, top = point.y + mark}, 0)
    then
      return true
    end
  end
  return false
end

-- ---- one of two ----

local function join(a, b, area)
  local points, texts, sum = {}, {}, 0
  for _, each in ipairs {a, b} do
    for _, point in ipairs(each.points) do points[#points + 1] = point end
  end
  table.sort(points, function(one, other) return one.order < other.order end)
  local it = {points = points, limit = a.limit, first = math.huge, last = -math.huge}
  for i, point in ipairs(points) do
    texts[i], sum = point.text, sum + point.y
    it.first, it.last = math.min(it.first, point.x), math.max(it.last, point.x)
  end
  it.text, it.y = table.concat(texts, a.limit and ", " or " "), sum / #points
  return lay_out(it, area)
end

-- Joins the first two that meet. Returns whether there were two.
local function join_two(list, area)
  for i = 1, #list do
    for j = i + 1, #list do
      local a, b = list[i], list[j]
      local meet = not a.limit == not b.limit and (overlap(a, b, area.letter / 2) or covers(a, b) or covers(b, a))
      if meet then
        list[i] = join(a, b, area)
        table.remove(list, j)
        return true
      end
    end
  end
  return false
end

-- Moves the first label that lies on a limit's to below its line. Returns whether there was one.
local function move_one(list, area)
  for _, label in ipairs(list) do
    for _, limit in ipairs(list) do
      if limit.limit and not label.limit and overlap(label, limit, 0) then
        label.y = limit.bottom - area.font
        lay_out(label, area)
        return true
      end
    end
  end
  return false
end

--- The labels as they fit.
-- @tparam {table,...} list x, y, text, limit
-- @tparam table of x and y: least, most and logarithmic of the axes; size: of the chart
-- @treturn {table,...} text, x (0 to 1), y (0 to 1), is_left: whether it ends at x, limit
function labels.fitted(list, of)
  local size = of.size
  local area = {width = size.width - beside_plot, height = size.height - below_plot, font = size.font,
                letter = size.font * 0.62}
  local across = chart.scale(of.x.least, of.x.most, of.x.logarithmic)
  local up = chart.scale(of.y.least, of.y.most, of.y.logarithmic)
  local fitted = {}
  for i, label in ipairs(list) do
    local x, y = label.limit and 0 or across(label.x) * area.width, up(label.y) * area.height
    fitted[i] = lay_out({text = label.text, limit = label.limit, first = x, last = x, y = y,
                         points = {{x = x, y = y, text = label.text, order = i}}}, area)
  end
  local moves = 0
  while join_two(fitted, area) or moves < 2 * #list and move_one(fitted, area) do moves = moves + 1 end
  for _, label in ipairs(fitted) do
    label.x, label.y = (label.is_left and label.right or label.left) / area.width, label.y / area.height
  end
  return fitted
end

--- gnuplot's commands to write labels.
-- @tparam {table,...} list as for @{fitted}
-- @tparam table of as for @{fitted}, with quoted(text)
-- @treturn string
function labels.text(list, of)
  local parts = {}
  for i, label in ipairs(labels.fitted(list, of)) do
    local where = label.limit and "graph 0.98, graph %.4f right offset 0,0.6" or "graph %.4f, graph %.4f "
      .. (label.is_left and "right" or "left")
    parts[i] = ("set label %s at %s textcolor rgb '%s'\n"):format(of.quoted(label.text), label.limit
      and where:format(label.y) or where:format(label.x, label.y), gnuplot.colour "text")
  end
  return table.concat(parts)
end

return labels
