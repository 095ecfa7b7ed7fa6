--- Draws blocks as a page: see @{clue.show.block}.
local block = require "clue.show.block"
local frame = require "clue.show.page.frame"
local gnuplot = require "clue.show.page.gnuplot"
local html = require "clue.show.page.element"
local map = require("clue.shared.list").map
local source = require "clue.show.page.source"
local write = require("clue.shared.paths").write

local page = {}

local h = html.element

-- ---- texts ----

-- A text as nodes. Names may be broken after their underscores.
local function rich(text)
  if type(text) ~= "table" then return text and html.breakable(tostring(text)) or "" end
  if text.code then return h("code", nil, text.code) end
  if text.time then return h("time", nil, text.time) end
  local nodes = {}
  for i = 1, #text do nodes[i] = rich(text[i]) end
  if text.is then
    local figure = {["data-is"] = text.is, ["data-value"] = text.value or false, ["data-at"] = text.at or false}
    return h("span", figure, nodes)
  end
  if text.to then return h("a", {href = text.to}, nodes) end
  if text.class then return h("span", {class = text.class}, nodes) end
  return nodes
end

-- ---- tables ----

local function title_of(column)
  local title = column.page or type(column.title) == "function" and column.title() or column.title
  return (title:gsub("\n", " "):gsub("^ ", ""))
end

local function below(text)
  return text and h("span", {class = "range"}, " ", rich(text)) or false
end

local function cell_node(column, cell, tag)
  local attributes = {class = column.class or not column.right and "text" or false}
  if column.head then attributes.scope, attributes.class = "row", "text name" end
  if type(cell) ~= "table" then return h(tag, attributes, cell and rich(cell) or "") end
  attributes["data-is"], attributes["data-value"] = cell.is or false, cell.value or false
  if cell.class then attributes.class = (attributes.class and attributes.class .. " " or "") .. cell.class end
  local text = rich(cell.page or cell[1])
  if cell.bar then text = h("meter", {value = ("%.3f"):format(cell.bar)}) end
  if cell.to then text = h("a", {href = cell.to}, text) end
  return h(tag, attributes, text, below(cell.range), cell.below and rich(cell.below) or false)
end

-- The columns that the page has, and their cells row by row.
local function cells_of(it)
  local columns, cells = {}, {}
  for r in ipairs(it.rows) do cells[r] = {} end
  for _, column in ipairs(it.columns) do
    if column and column.only ~= "text" then
      local is_empty, c = true, #columns + 1
      for r, row in ipairs(it.rows) do
        cells[r][c] = column.get(row, column.most) or false
        is_empty = is_empty and not cells[r][c]
      end
      if not (is_empty and column.optional) then columns[c] = column end
    end
  end
  return columns, cells
end

local draw = {}

draw.table = function(it)
  if not it.rows[1] then return false end
  local columns, cells = cells_of(it)
  local heads = map(columns, function(column)
    return h("th", {scope = "col", class = column.class or not column.right and "text" or false}, title_of(column))
  end)
  local lines = map(it.rows, function(row, r)
    local look = it.look and it.look(row) or {}
    return h("tr", {class = look.class or false, ["data-at"] = look.at or false}, map(columns, function(column, c)
      return cell_node(column, cells[r][c], column.head and "th" or "td")
    end))
  end)
  return h("div", {class = "scroll", role = "region", tabindex = "0", ["aria-label"] = it.name or "figures"},
    h("table", {class = it.class or false}, it.caption and h("caption", nil, it.caption), h("thead", nil,
      h("tr", nil, heads)), h("tbody", nil, lines)))
end

-- ---- other blocks ----

--- Draws blocks.
-- @tparam table blocks
-- @tparam[opt] table drawings the nodes of their plots and maps, by block; those without one are left out
-- @treturn {node,...}
function page.nodes(blocks, drawings)
  local nodes = {}
  drawings = drawings or {}
  block.each(blocks, "page", function(it) nodes[#nodes + 1] = draw[it.kind](it, drawings) end)
  return nodes
end

local nodes_of = page.nodes

draw.paragraph = function(it)
  return h("p", {class = it.class or false}, it.mark and {html.mark(it.mark[1], it.mark[2]), " "}, rich(it.text))
end

draw.heading = function(it)
  return h("h" .. (it.level or 3), nil, it.mark and {html.mark(it.mark[1], it.mark[2]), " "}, rich(it.text))
end

draw.quote = function(it)
  return it.lines[1] and h("pre", nil, table.concat(it.lines, "\n"))
end

draw.list = function(it)
  if not it.items[1] then return false end
  local items = map(it.items, function(item)
    local quoted = type(item) == "table" and item.quote
    return h("li", nil, rich(item), quoted and quoted[1] and h("pre", nil, table.concat(quoted, "\n")))
  end)
  return {it.title and h("p", nil, rich(it.title)), h("ul", {class = it.class or false}, items)}
end

draw.facts = function(it)
  return frame.facts(it.list)
end

draw.code = function(it)
  return it.opencl and source.show(it.text) or h("pre", {tabindex = "0"}, h("code", nil, it.text))
end

draw.listing = source.listing

draw.difference = function(it)
  return source.difference(it.lines)
end

draw.alert = function(it, drawings)
  return h("div", {class = "alert"}, it.title and h("h3", nil, it.title), nodes_of(it.blocks, drawings))
end

draw.section = function(it, drawings)
  return frame.section(it.id, rich(it.title), nodes_of(it.blocks, drawings))
end

draw.details = function(it, drawings)
  return h("details", {id = it.id or false}, h("summary", nil, rich(it.summary)),
    h("div", {class = "body"}, nodes_of(it.blocks, drawings)))
end

draw.cards = function(it, drawings)
  return h("div", {class = "cards"}, map(it.list, function(blocks)
    return h("div", {class = "card"}, nodes_of(blocks, drawings))
  end))
end

draw.picture = function(it)
  return require("clue.show.page.picture").pictures(it.kernel, it.rows, it.part)
end

draw.stack = function(it)
  return require("clue.show.page.picture").stack(it.list, it.per, it.most)
end

local function legend(series)
  return h("ul", {class = "legend"}, map(series, function(each)
    return h("li", nil, html.mark(each.kind, each.index, each.dashed), h("span", nil, each.name))
  end))
end

local function numbered(names)
  return h("ol", {class = "note"}, map(names, function(name) return h("li", nil, name) end))
end

draw.plot = function(it, drawings)
  local drawing = drawings[it]
  return drawing and h("figure", nil, it.legend and legend(it.series), drawing, it.names and numbered(it.names),
    h("figcaption", nil, require("clue.show.page.plot").caption(it)))
end
draw.map = draw.plot

-- ---- charts ----

local inner = {section = "blocks", details = "blocks", alert = "blocks", cards = "list"}

-- Adds the plots and maps among some blocks to a list, and returns it.
local function charts_among(blocks, list)
  block.each(blocks, "page", function(it)
    if it.kind == "plot" or it.kind == "map" then list[#list + 1] = it end
    if inner[it.kind] then charts_among(it[inner[it.kind]], list) end
  end)
  return list
end

-- All charts are drawn in one run of gnuplot: each gets its drawing, or none does and the reason is returned.
local function drawn(blocks)
  local plot = require "clue.show.page.plot"
  local list, scripts, drawings = charts_among(blocks, {}), {}, {}
  for i, it in ipairs(list) do scripts[i] = plot.of(it) end
  local nodes, why = gnuplot.draw(scripts)
  for i, it in ipairs(list) do drawings[it] = nodes and nodes[i] end
  return drawings, why
end

-- ---- the page ----

-- Links to the sections that have a name in the contents.
local function contents(blocks)
  local items = {}
  block.each(blocks, "page", function(it)
    if it.kind == "section" and it.contents then
      items[#items + 1] = h("li", nil, h("a", {href = "#" .. it.id}, it.contents))
    end
  end)
  return #items > 1 and h("nav", {["aria-label"] = "Contents"}, h("ul", nil, items)) or false
end

local function no_charts(why)
  return why and draw.alert({title = "No charts", blocks = {block.paragraph(why)}}, {}) or false
end

--- The text of a page.
-- @tparam table of title; head, blocks: of its head and below; document: kept in the page as JSON, in the element with
--   the id "data"
-- @treturn string HTML
-- @treturn ?string why it has no charts
function page.text(of)
  local drawings, why = drawn(of.blocks)
  return frame.text(of.title, {h("header", nil, h("h1", nil, of.title), nodes_of(of.head, drawings)),
    contents(of.blocks), h("main", nil, no_charts(why), nodes_of(of.blocks, drawings))}, of.document), why
end

--- Writes a page. Raises if that fails.
-- @tparam string path
-- @tparam table of as for @{text}
-- @treturn ?string why it has no charts
function page.write(path, of)
  local text, why = page.text(of)
  write(path, text)
  return why
end

--- Writes a page to the file of a subcommand's option, and reports if it has no charts.
-- @tparam string path
-- @tparam table of as for @{text}
-- @tparam string option "--report"
-- @tparam function refuse of the subcommand, see @{clue.shared.subcommand.refuser}
-- @treturn ?string why it cannot be written
function page.save(path, of, option, refuse)
  local written, why = pcall(page.write, path, of)
  if not written then return ("%s: %s"):format(option, tostring(why)) end
  if why then refuse(("%s: written without charts: %s"):format(option, why)) end
end

return page
