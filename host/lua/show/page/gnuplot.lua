--- Charts by gnuplot, as SVG inside a page: unique ids, and colours from the page's CSS properties.
--
-- @{clue.show.page.plot} makes the scripts: of a document's texts, they have only harmless characters.
local child = require "clue.shared.child"
local html = require "clue.show.page.element"
local installing = require "clue.installing"
local temporary = require("clue.shared.paths").with_temporary_folder

local chart = {}

--- The two widths of each chart: for a desktop and for a phone.
chart.sizes = {
  {name = "wide", width = 880, height = 380, font = 13},
  {name = "narrow", width = 360, height = 300, font = 12},
}

-- The names of the page's CSS properties, and the colour that stands for each in gnuplot's script.
local roles = {ink = "#010101", grid = "#020202", text = "#030303", roof = "#040404", paper = "#050505",
               strong = "#060606"}
local properties = {["1,1,1"] = "--axis", ["2,2,2"] = "--grid", ["3,3,3"] = "--muted", ["4,4,4"] = "--roof",
                    ["5,5,5"] = "--paper", ["6,6,6"] = "--ink"}
for i = 1, 8 do
  roles["device" .. i] = ("#00000%x"):format(i)
  properties["0,0," .. i] = "--device-" .. i
  roles["author" .. i] = ("#00%02x00"):format(i)
  properties["0," .. i .. ",0"] = "--author-" .. i
  roles["heat" .. i] = ("#%02x0000"):format(i)
  properties[i .. ",0,0"] = "--heat-" .. i
end

--- The colour for a role in a chart's script: ink (of axes), grid, text, roof, paper, strong (of texts on
-- cells), device1 to 8, author1 to 8, heat1 (pale) to 8 (strong).
-- @tparam string role
function chart.colour(role)
  return roles[role]
end

-- ---- gnuplot ----

local function head(size)
  return ([[
reset
set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,%d'
unset key
set border 3 linecolor rgb '#010101'
set tics nomirror textcolor rgb '#030303' scale 0.5
set grid xtics ytics linetype 1 linecolor rgb '#020202' linewidth 1
]]):format(size.width, size.height, size.font)
end

local function write_script(folder, charts)
  local path = folder .. "/charts.gp"
  local file = assert(io.open(path, "w"))
  for _, each in ipairs(charts) do
    for _, size in ipairs(chart.sizes) do file:write(head(size), each.script(size), "\n") end
  end
  file:close()
  return path
end

-- All drawings in order, and gnuplot's messages; nil if gnuplot is missing.
local function run(path)
  local text, seen = child.output_of {"/usr/bin/env", "gnuplot", "-d", path}
  if seen:status() == 127 then return nil end
  return text, seen.errors
end

-- ---- from gnuplot's SVG to the page's ----

local function recolour(svg)
  return (svg:gsub("rgb%(%s*(%d+),%s*(%d+),%s*(%d+)%)", function(red, green, blue)
    local property = properties[red .. "," .. green .. "," .. blue]
    return property and "var(" .. property .. ")"
  end):gsub("([cf]%l+)=(['\"])white%2", "%1=%2var(--paper)%2"))
end

-- gnuplot defines every mark it has. Keeps those that are used, and those that they use.
local function used_marks(definitions, body)
  local kept, text = {}, {}
  local function keep(id)
    if kept[id] then return end
    kept[id] = true
    local definition = definitions:match("<[^<>]-id='" .. id .. "'[^<>]*/>")
    if not definition then return end
    for other in definition:gmatch "href='#(%w+)'" do keep(other) end
    text[#text + 1] = definition
  end
  for id in body:gmatch "href='#(%w+)'" do keep(id) end
  return table.concat(text, "\n")
end

local function tidy(svg)
  svg = svg:gsub("<title>[^<]*</title>", ""):gsub("<desc>[^<]*</desc>", ""):gsub(' id="gnuplot_[%w_]+"', "")
  svg = svg:gsub(' color="black"', ""):gsub(' font%-family="[^"]*"', ""):gsub(' class="gridline"', "")
  svg = svg:gsub(' stroke%-linecap="butt"', ""):gsub(' stroke%-linejoin="miter"', "")
  svg = svg:gsub("<use xlink:href='#gpDot'[^<>]*/>", "") -- the middle of error bars
  local count
  repeat svg, count = svg:gsub("<g[^<>]*>%s*</g>%s*", "") until count == 0
  return (svg:gsub("%f[ \t\n][ \t]*\n%s*", "\n"))
end

-- One drawing with a title, and a description for readers who cannot see it.
local function embed(svg, id, size, each)
  local view = svg:match 'viewBox="([^"]*)"'
  local definitions, body = svg:match "<defs>(.-)</defs>(.*)</svg>"
  if not body then return nil end
  body = tidy("<g>" .. body)
  local marks = used_marks(definitions, body)
  local inner = (marks ~= "" and "<defs>" .. marks .. "</defs>" or "") .. body
  inner = recolour(inner):gsub("xlink:href", "href"):gsub("href='#", "href='#" .. id):gsub(" id='", " id='" .. id)
  return ('<svg class="%s" viewBox="%s" role="img" aria-labelledby="%st %sd"><title id="%st">%s</title>'
    .. '<desc id="%sd">%s</desc>%s</svg>\n'):format(size.name, view, id, id, id, html.escape(each.title), id,
    html.escape(each.description), inner)
end

--- Draws charts, all in one run of gnuplot.
-- @tparam {table,...} charts title; description; script(size): the script's lines after the common head
-- @treturn[1] {node,...} one for each chart, with both sizes
-- @treturn[2] nil
-- @treturn[2] string why there are none
function chart.draw(charts)
  if #charts == 0 then return {} end
  local text, said = temporary(function(folder) return run(write_script(folder, charts)) end)
  if not text then return nil, "gnuplot is not installed" .. installing.advice "gnuplot-nox" end
  local drawings, nodes = {}, {}
  for svg in text:gmatch "<svg.-</svg>" do drawings[#drawings + 1] = svg end
  if #drawings ~= #charts * #chart.sizes then
    return nil, "gnuplot failed: " .. (said:match "[^\n]*line %d+:[^\n]*" or said:match "%S[^\n]*" or "no output")
  end
  for i, each in ipairs(charts) do
    local both = {}
    for s, size in ipairs(chart.sizes) do
      local at = (i - 1) * #chart.sizes + s
      both[s] = embed(drawings[at], ("c%d-"):format(at), size, each)
      if not both[s] then return nil, "gnuplot wrote SVG that this clue cannot read" end
    end
    nodes[i] = html.raw(table.concat(both))
  end
  return nodes
end

return chart
