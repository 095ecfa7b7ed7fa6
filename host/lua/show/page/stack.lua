--- Costs as boxes on each other, as SVG: see block.stack. Two stacks with the same `most` compare by their heights.
local figures = require "clue.shared.figures"
local html = require "clue.show.page.element"

local h = html.element

-- Pixels: the highest stack; of a box and of the line beside it. What is lower than a line is joined with others.
local HEIGHT, WIDTH, LINE, LETTER = 150, 34, 14, 6.1

-- The boxes, the highest first; small ones are one.
local function boxes_of(list, most)
  local boxes, rest, count = {}, 0, 0
  for _, each in ipairs(list) do
    local height = each.cycles / most * HEIGHT
    if height >= LINE then
      boxes[#boxes + 1] = {height = height, text = ("%s: %s"):format(each.text, figures.ratio(each.cycles))}
    else
      rest, count = rest + each.cycles, count + 1
    end
  end
  if count > 0 then
    local what = count == 1 and list[#list].text or ("%d %splaces"):format(count, boxes[1] and "more " or "")
    boxes[#boxes + 1] = {height = math.max(1, rest / most * HEIGHT),
                         text = ("%s: %s"):format(what, figures.ratio(rest))}
  end
  return boxes
end

--- Draws a stack.
-- @tparam {table,...} list text, cycles; with total
-- @tparam string per the work that it is for
-- @tparam number most the total that has the full height
-- @treturn node|table empty if nothing costs
return function(list, per, most)
  if most <= 0 then return {} end
  local caption = ("Cycles of a GPU's compute unit for memory, %s: %s. In each it serves a pass of local memory, or of "
    .. "global memory two lines, and four bytes of each work-item."):format(per, figures.ratio(list.total))
  local nodes, boxes, widest, y = {}, boxes_of(list, most), 0, 0
  for i, box in ipairs(boxes) do
    local room = math.max(box.height, LINE) -- of its text
    nodes[#nodes + 1] = h("rect", {x = 0.5, y = ("%.1f"):format(y + 0.5), width = WIDTH, fill = "var(--accent)",
      height = ("%.1f"):format(math.max(0.5, box.height - 1)), ["fill-opacity"] = i % 2 == 1 and "0.75" or "0.45"})
    nodes[#nodes + 1] = h("text", {x = WIDTH + 8, y = ("%.1f"):format(y + room / 2 + 4)}, box.text)
    widest, y = math.max(widest, #box.text), y + room
  end
  return h("figure", {class = "access", tabindex = "0"}, h("figcaption", nil, caption),
    h("svg", {width = ("%.0f"):format(WIDTH + 12 + widest * LETTER), height = ("%.0f"):format(y + 2), role = "img",
              ["aria-label"] = caption, fill = "currentColor", ["font-size"] = 11}, nodes))
end
