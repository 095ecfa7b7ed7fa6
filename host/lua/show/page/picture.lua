--- What was counted as SVG. A picture of access: see @{clue.show.count.picture}, which says what it shows and draws the
-- same as text. And what each place costs, as boxes on each other.
--
-- Colours of lines are the page's, so both themes can read it. Cells have light colours and dark letters in both.
local figures = require "clue.shared.figures"
local html = require "clue.show.page.element"
local picture = require "clue.show.count.picture"
local places_of_kernel = require("clue.show.count.places").of

local drawn = {}

local h = html.element

-- Pixels of a cell, and left, above and between blocks of columns; what is drawn at most.
local CELL, LABEL, RULER, GAP = 12, 44, 12, 16
local MOST_ROWS, MOST_COLUMNS = 16, 64
local LANES = 32

-- ---- places of things ----

-- Where the cells of a window lie: x(column) and y(row) in pixels, and the size of the whole.
local function places_of(of, window)
  local left, top, places = LABEL, of.layout.kind == "rows" and RULER or 0, {x = {}, y = {}, blocks = {}}
  local last = -1
  for i, block in ipairs(window.blocks) do
    local first, final = of.grid:columns_of(window, block)
    if block > last + 1 then left = left + (i > 1 and GAP or 0) end
    for column = first, final do places.x[column] = left + (column - first) * CELL end
    places.blocks[i] = {first = first, final = final, left = left, apart = block > last + 1}
    left, last = left + (final - first + 1) * CELL, block
  end
  for i, row in ipairs(window.rows) do places.y[row] = top + (i - 1) * CELL end
  places.goes_on = places.blocks[#places.blocks].final < of.grid.columns - 1
  places.width, places.height, places.top = left + (places.goes_on and GAP or 2), top + #window.rows * CELL + 1, top
  return places
end

-- Calls with each run of neighbouring cells of a block that have the same key: run(row, first, last, key).
local function each_run(window, places, key_of, run)
  for _, row in ipairs(window.rows) do
    for _, block in ipairs(places.blocks) do
      local first, key = nil, nil
      for column = block.first, block.final + 1 do
        local this = column <= block.final and key_of(row, column) or nil
        if this ~= key or this == nil then
          if key ~= nil then run(row, first, column - 1, key) end
          first, key = column, this
        end
      end
    end
  end
end

local function box(places, row, first, last)
  return ("M%g %gh%gv%gh-%gz"):format(places.x[first], places.y[row], (last - first + 1) * CELL, CELL - 1,
    (last - first + 1) * CELL)
end

-- ---- colours and words ----

-- Neighbouring lanes have neighbouring colours, all of them light enough for black letters.
local function colour(lane)
  return ("hsl(%d 75%% 72%%)"):format(math.floor(lane * 330 / LANES + 0.5))
end

local function columns_text(of, row, first, last)
  local layout = of.layout
  local from, to = first, last
  if layout.kind ~= "rows" then from, to = row * layout.columns + first, row * layout.columns + last end
  local what = layout.kind == "rows" and {"column", "columns"} or {layout.name, layout.plural}
  local text = from == to and ("%s %.0f"):format(what[1], from) or ("%s %.0f to %.0f"):format(what[2], from, to)
  if layout.kind == "rows" then return ("row %.0f, %s"):format(row, text) end
  return text
end

local function items_text(item, lanes)
  if #lanes == 1 then return "work-item " .. item(lanes[1]) end
  if #lanes == 2 then return ("work-items %s and %s"):format(item(lanes[1]), item(lanes[2])) end
  return ("%d work-items, %s to %s"):format(#lanes, item(lanes[1]), item(lanes[#lanes]))
end

-- ---- parts ----

local function cell_at(of, row, column)
  return (of.grid.cells[row] or {})[column]
end

-- Sectors that the first request fetches, as a shade behind the cells.
local function shade(of, window, places)
  local parts = {}
  each_run(window, places, function(row, column) return of.grid:is_fetched(row, column) or nil end,
    function(row, first, last) parts[#parts + 1] = box(places, row, first, last) end)
  return parts[1] and h("path", {d = table.concat(parts), fill = "currentColor", ["fill-opacity"] = "0.16"})
end

local function add_boundaries(of, row, block, places, paths)
  for column = block.first, block.final do
    local boundary = of.layout.kind ~= "banks" and of.grid:boundary(row, column)
    if boundary then
      table.insert(paths[boundary], ("M%g %gv%g"):format(places.x[column] - 0.5, places.y[row], CELL - 1))
    end
  end
end

-- The frame of each row, and where sectors and lines begin.
local function frames(of, window, places)
  local paths = {row = {}, sector = {}, line = {}}
  for _, row in ipairs(window.rows) do
    for _, block in ipairs(places.blocks) do
      table.insert(paths.row, box(places, row, block.first, block.final))
      add_boundaries(of, row, block, places, paths)
    end
  end
  local function path(list, width, opacity)
    return list[1] and h("path", {d = table.concat(list), fill = "none", stroke = "currentColor",
                                  ["stroke-width"] = width, ["stroke-opacity"] = opacity})
  end
  return path(paths.row, "1", "0.15"), {path(paths.sector, "1", "0.5"), path(paths.line, "2", "0.9")}
end

-- Where elements begin.
local function elements(places)
  local parts = {}
  local top = places.height - 1
  for _, block in ipairs(places.blocks) do
    for column = block.first + 1, block.final do
      parts[#parts + 1] = ("M%g %gV%g"):format(places.x[column] - 0.5, places.top, top)
    end
  end
  return h("path", {d = table.concat(parts), stroke = "currentColor", ["stroke-opacity"] = "0.13"})
end

-- Faint boxes of a work-item; dashed ones are of several, this the first of them.
local function later_boxes(item, parts, lane, are_several)
  return h("path", {d = table.concat(parts), fill = colour(lane), ["fill-opacity"] = "0.4",
                    stroke = are_several and "currentColor", ["stroke-dasharray"] = are_several and "2 1"},
    h("title", nil, "later requests, ", items_text(item, {lane}), are_several and " and others"))
end

-- What later requests ask for, a path for each work-item and kind.
local function later(of, item, window, places)
  local by_key, nodes = {}, {}
  each_run(window, places, function(row, column)
    local cell = cell_at(of, row, column)
    return cell and cell.request > 1 and cell.lanes[1] + (#cell.lanes > 1 and LANES or 0) or nil
  end, function(row, first, last, key)
    by_key[key] = by_key[key] or {}
    table.insert(by_key[key], box(places, row, first, last))
  end)
  for key = 0, 2 * LANES - 1 do
    local boxes = by_key[key]
    if boxes then nodes[#nodes + 1] = later_boxes(item, boxes, key % LANES, key >= LANES) end
  end
  return nodes
end

-- What the first request asks for: a box with a letter for each run of one work-item. Elements that several ask for
-- are framed boxes of their own.
local function asked(of, item, window, places)
  local nodes = {}
  each_run(window, places, function(row, column)
    local cell = cell_at(of, row, column)
    if not cell or cell.request > 1 then return nil end
    return #cell.lanes > 1 and cell or cell.lanes[1]
  end, function(row, first, last)
    local lanes = cell_at(of, row, first).lanes
    local x, y, width = places.x[first], places.y[row], (last - first + 1) * CELL
    nodes[#nodes + 1] = h("g", nil,
      h("title", nil, columns_text(of, row, first, last), ": ", items_text(item, lanes)),
      h("rect", {x = x, y = y, width = width - 1, height = CELL - 1, fill = colour(lanes[1]),
                 stroke = #lanes > 1 and "#111111"}),
      h("text", {x = x + width / 2 - 0.5, y = y + CELL - 3}, #lanes > 1 and "*" or picture.symbol(lanes[1])))
  end)
  return h("g", {["text-anchor"] = "middle", fill = "#111111", ["font-size"] = 9}, nodes)
end

local function label(x, y, anchor, text)
  return h("text", {x = x, y = y, ["text-anchor"] = anchor}, text)
end

-- The numbers of rows and columns, and dots where columns are left out.
local function labels(of, window, places)
  local nodes, grid = {}, of.grid
  local rows = of.layout.kind == "rows"
  for _, row in ipairs(window.rows) do
    nodes[#nodes + 1] = label(LABEL - 6, places.y[row] + CELL - 3, "end",
      ("%.0f"):format(rows and row or row * grid.columns))
    if places.goes_on then nodes[#nodes + 1] = label(places.width - GAP + 3, places.y[row] + CELL - 3, "start", "…") end
  end
  local step = math.max(4, math.floor(32 / grid.element))
  for _, block in ipairs(rows and places.blocks or {}) do
    for column = block.first + -block.first % step, block.final, step do
      nodes[#nodes + 1] = label(places.x[column], RULER - 3, "start", ("%.0f"):format(column))
    end
  end
  if rows then nodes[#nodes + 1] = label(LABEL - 6, RULER - 3, "end", "row") end
  return h("g", {fill = "currentColor", ["font-size"] = 9}, nodes)
end

-- ---- the whole ----

-- A place of a kernel, as a figure.
local function figure(kernel, of)
  local window = of.grid:window(MOST_ROWS, math.max(1, math.floor(MOST_COLUMNS / of.grid:block_width())))
  local places = places_of(of, window)
  local rows, boundaries = frames(of, window, places)
  local function item(lane) return picture.item(kernel, of.requests[1], lane) end
  local svg = h("svg", {viewBox = ("0 0 %g %g"):format(places.width, places.height), width = places.width,
                        height = places.height, role = "img", ["aria-label"] = picture.title(of, kernel)},
    rows, elements(places), shade(of, window, places), later(of, item, window, places),
    asked(of, item, window, places), boundaries, labels(of, window, places))
  local more = picture.left_out(of, window)
  return h("figure", {class = "access", tabindex = "0"}, h("figcaption", nil, picture.title(of, kernel), ".",
    more and (" Not drawn: %s."):format(more) or ""), svg)
end

local ABOUT_PICTURES = "A sector is 32 bytes. The pictures show what the first warp that comes to a place asks for "
  .. "in its first request there, as the rows of the matrix where these are known: a letter and a colour for each "
  .. "work-item, * where several ask for the same element. Faint cells, and dashed ones of several work-items, belong "
  .. "to the requests after it. Grey is fetched with a sector and not asked for. Thin lines part sectors, thick ones "
  .. "lines of 128 bytes. In local memory a row is the 32 banks."

--- Draws all pictures of a kernel, and says how to read them.
-- @tparam table kernel of @{clue.result.counts.of}
-- @tparam ?table rows see @{clue.show.count.places.of}
-- @tparam ?string part "pictures" or "about", how to read them; nil: both
-- @treturn {node,...} none if nothing is to be drawn
function drawn.pictures(kernel, rows, part)
  local nodes = {}
  for i, of in ipairs(places_of_kernel(kernel, rows)) do nodes[i] = figure(kernel, of) end
  local items = ("In the pictures, %s. "):format(picture.items_text(kernel))
  if not nodes[1] then return {} end
  return {part ~= "pictures" and h("p", {class = "note"}, items, ABOUT_PICTURES) or {}, part ~= "about" and nodes or {}}
end

-- ---- costs ----

-- Pixels: the highest stack; of a box and of the line beside it. What is lower than a line is joined with others.
local STACK, WIDTH, LINE, LETTER = 150, 34, 14, 6.1

-- The boxes, the highest first; small ones are one.
local function boxes_of(list, most)
  local boxes, rest, count = {}, 0, 0
  for _, each in ipairs(list) do
    local height = each.cycles / most * STACK
    if height >= LINE then
      boxes[#boxes + 1] = {height = height, text = ("%s: %s"):format(each.text, figures.ratio(each.cycles))}
    else
      rest, count = rest + each.cycles, count + 1
    end
  end
  if count > 0 then
    local what = count == 1 and list[#list].text or ("%d %splaces"):format(count, boxes[1] and "more " or "")
    boxes[#boxes + 1] = {height = math.max(1, rest / most * STACK),
                         text = ("%s: %s"):format(what, figures.ratio(rest))}
  end
  return boxes
end

--- Draws costs as boxes on each other: see block.stack. Two stacks with the same `most` compare by their heights.
-- @tparam {table,...} list text, cycles; with total
-- @tparam string per the work that it is for
-- @tparam number most the total that has the full height
-- @treturn node|table empty if nothing costs
function drawn.stack(list, per, most)
  if most <= 0 then return {} end
  local caption = ("Cycles of a GPU's compute unit for memory, %s: %s. In each it serves a pass of local memory, or of "
    .. "global memory two lines, and four bytes of each work-item."):format(per, figures.ratio(list.total))
  local nodes, boxes, widest, y = {}, boxes_of(list, most), 0, 0
  for i, each in ipairs(boxes) do
    local room = math.max(each.height, LINE) -- of its text
    nodes[#nodes + 1] = h("rect", {x = 0.5, y = ("%.1f"):format(y + 0.5), width = WIDTH, fill = "var(--accent)",
      height = ("%.1f"):format(math.max(0.5, each.height - 1)), ["fill-opacity"] = i % 2 == 1 and "0.75" or "0.45"})
    nodes[#nodes + 1] = h("text", {x = WIDTH + 8, y = ("%.1f"):format(y + room / 2 + 4)}, each.text)
    widest, y = math.max(widest, #each.text), y + room
  end
  return h("figure", {class = "access", tabindex = "0"}, h("figcaption", nil, caption),
    h("svg", {width = ("%.0f"):format(WIDTH + 12 + widest * LETTER), height = ("%.0f"):format(y + 2), role = "img",
              ["aria-label"] = caption, fill = "currentColor", ["font-size"] = 11}, nodes))
end

return drawn
