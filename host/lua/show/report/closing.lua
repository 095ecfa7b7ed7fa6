--- The end of a walkthrough's section: what the run showed, and what to try next; and the links to its sources.
-- @module clue.show.report.closing
local data = require "clue.show.report.data"
local html = require "clue.show.report.html"
local seen = require "clue.show.walk.seen"

local closing = {}

local h = html.element

local function list(lines)
  local items = {}
  for i, line in ipairs(lines) do items[i] = h("li", nil, line) end
  return h("ul", nil, items)
end

local function run_part(document, walkthrough, run)
  local parts, nodes = seen.of(run.rows), {}
  if #parts > 0 and #walkthrough.runs > 1 then
    local device = data.device(document, run)
    nodes[1] = h("p", {class = "muted"}, "On " .. (device.name or device.address) .. ":")
  end
  for _, part in ipairs(parts) do
    nodes[#nodes + 1] = h("p", nil, (part.title:gsub("^%l", string.upper)), ":")
    nodes[#nodes + 1] = list(part.lines)
  end
  return nodes
end

local function try_part(try)
  local items = {}
  for i, each in ipairs(try or {}) do items[i] = h("li", nil, h("code", nil, each[1]), ": ", each[2]) end
  return #items > 0 and {h("h3", nil, "What to try next"), h("ul", nil, items)} or false
end

--- The end of a section.
-- @tparam table document
-- @tparam table walkthrough
-- @treturn {node,...}
function closing.part(document, walkthrough)
  local nodes = {}
  for i, run in ipairs(walkthrough.runs) do nodes[i] = run_part(document, walkthrough, run) end
  local lessons = walkthrough.lessons and {h("h3", nil, "What to keep"), list(walkthrough.lessons)} or false
  return {h("h3", nil, "What you have seen"), nodes, lessons, try_part(walkthrough.try)}
end

--- Where the sources can be read.
-- @tparam table walkthrough
-- @treturn ?node
function closing.links(walkthrough)
  local nodes = {}
  for _, link in ipairs(walkthrough.links or {}) do
    local title, address = tostring(link[1]), tostring(link[2])
    if address:find "^https?://" then
      nodes[#nodes + 1] = {#nodes == 0 and "To read: " or ", ", h("a", {href = address}, title)}
    end
  end
  return #nodes > 0 and h("p", {class = "muted"}, nodes)
end

return closing
