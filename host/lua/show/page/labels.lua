--- The labels in a plot: those that would lie on each other, or on a mark, become one if their marks are side by side;
-- else the left one goes to the left of its marks, or is shortened.
local chart = require "clue.show.chart"
local gnuplot = require "clue.show.page.gnuplot"
local lists = require "clue.shared.list"

local labels = {}

local beside_plot, below_plot, mark, apart = 90, 60, 4, 2 -- pixels

-- ---- boxes ----

-- The texts of a label's points in so many characters: the first ones, and how many more there are.
local function text_of(label, most)
  local texts = lists.map(label.points, function(point) return point.text end)
  local separator, all = label.limit and ", " or " ", #texts
  local text = table.concat(texts, separator)
  for count = all - 1, 1, -1 do
    if #text <= most then break end
    text = ("%s +%d"):format(table.concat(texts, separator, 1, count), all - count)
  end
  return text
end

-- Where a label lies: in pixels, from left and from below. That of several points is beside the last of them.
local function lay_out(label, area)
  local room = label.limit and area.width * 0.98 or math.max(area.width - label.last, label.first) - area.letter
  label.text = text_of(label, math.min(label.most or math.huge, math.floor(room / area.letter)))
  local width, half = #label.text * area.letter, area.font * 0.6
  label.bottom, label.top = label.y - half, label.y + half
  if label.limit then
    label.right, label.bottom, label.top = area.width * 0.98, label.y, label.y + 2 * half
  else
    label.right = label.last + area.letter + width
    label.is_left = label.right > area.width or label.flipped and label.first - area.letter - width >= 0
    if label.is_left then label.right = label.first - area.letter end
  end
  label.left = label.right - width
  return label
end

local function overlap(a, b, margin)
  return a.left < b.right + margin and b.left < a.right + margin and a.bottom < b.top and b.bottom < a.top
end

-- Whether a label covers the mark of a point of another, or all but touches it.
local function covers(label, other)
  for _, point in ipairs(other.points) do
    local box = {left = point.x - mark, right = point.x + mark, bottom = point.y - mark, top = point.y + mark}
    if overlap(label, box, apart) then return true end
  end
  return false
end

-- ---- one of two ----

local function join(a, b, area)
  local points = lists.joined(a.points, b.points)
  table.sort(points, function(one, other) return one.order < other.order end)
  local it = {points = points, limit = a.limit, first = math.min(a.first, b.first), last = math.max(a.last, b.last)}
  it.y = lists.sum(points, function(point) return point.y end) / #points
  return lay_out(it, area)
end

-- Whether the marks of two labels are side by side.
local function are_near(a, b, area)
  return math.max(a.first, b.first) - math.min(a.last, b.last) <= 2 * area.letter
end

-- Lets the label of the left marks keep away from the right ones. Returns whether there was a way that was not tried.
local function give_way(a, b, area)
  local left, right = a, b
  if a.last > b.first then left, right = b, a end
  local most = math.floor((right.first - left.last) / area.letter) - 3
  if left.limit or left.most or left.flipped and most < 2 then return false end
  left.most = left.flipped and most or nil
  left.flipped = not left.flipped
  lay_out(left, area)
  return true
end

-- Joins the first two that meet, or lets one give way. Returns whether there were two.
local function join_two(list, area)
  for i = 1, #list do
    for j = i + 1, #list do
      local a, b = list[i], list[j]
      local meet = not a.limit == not b.limit and (overlap(a, b, area.letter / 2) or covers(a, b) or covers(b, a))
      if meet and (a.limit or are_near(a, b, area) or not give_way(a, b, area)) then
        list[i] = join(a, b, area)
        table.remove(list, j)
      end
      if meet then return true end
    end
  end
  return false
end

-- Moves the first label that lies on a limit's, or on its line, to below that. Returns whether there was one.
local function move_one(list, area)
  for _, label in ipairs(list) do
    for _, limit in ipairs(list) do
      local is_on_line = limit.limit and label.bottom < limit.y and limit.y < label.top
      if limit.limit and not label.limit and (is_on_line or overlap(label, limit, 0)) then
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
  local fitted = lists.map(list, function(label, i)
    local x, y = label.limit and 0 or across(label.x) * area.width, up(label.y) * area.height
    return lay_out({limit = label.limit, first = x, last = x, y = y,
                    points = {{x = x, y = y, text = label.text, order = i}}}, area)
  end)
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
  return table.concat(lists.map(labels.fitted(list, of), function(label)
    local where = label.limit and "graph 0.98, graph %.4f right offset 0,0.6" or "graph %.4f, graph %.4f "
      .. (label.is_left and "right" or "left")
    return ("set label %s at %s textcolor rgb '%s'\n"):format(of.quoted(label.text), label.limit
      and where:format(label.y) or where:format(label.x, label.y), gnuplot.colour "text")
  end))
end

return labels
