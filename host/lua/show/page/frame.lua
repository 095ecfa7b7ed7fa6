--- What all pages of clue have in common: one self-contained HTML file, for screen, phone and paper.
local html = require "clue.show.page.element"
local json = require "clue.shared.json"
local style = require "clue.show.page.style"

local page = {}

local h = html.element

-- All but the newest browsers print closed details closed, so they are opened for printing. A link to closed details
-- opens them.
local script = [[
addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach(it => {
  it.open = true; it.dataset.wasClosed = "";
}));
addEventListener("afterprint", () => document.querySelectorAll("details[data-was-closed]").forEach(it => {
  it.open = false; delete it.dataset.wasClosed;
}));
const openTarget = () => {
  const it = location.hash && document.getElementById(location.hash.slice(1));
  if (it instanceof HTMLDetailsElement) { it.open = true; it.scrollIntoView(); }
};
addEventListener("hashchange", openTarget);
openTarget();
]]

-- In a script element "<" could begin its end tag. In JSON it occurs only in strings, where it can be escaped.
local function embedded(document)
  local text = json.text(document):gsub("<", "\\u003c"):gsub(">", "\\u003e")
  return html.raw('<script type="application/json" id="data">' .. text .. "</script>\n")
end

--- The whole page.
-- @tparam string title
-- @tparam {node,...} nodes of the body
-- @tparam ?table document kept in the page as JSON, in the element with the id "data"
-- @treturn string HTML
function page.text(title, nodes, document)
  local head = h("head", nil, h("meta", {charset = "utf-8"}),
    h("meta", {name = "viewport", content = "width=device-width, initial-scale=1"}),
    h("meta", {name = "color-scheme", content = "light dark"}), h("meta", {name = "generator", content = "clue"}),
    h("title", nil, title, " - clue"), h("style", nil, html.raw(style)))
  local body = h("body", nil, nodes, document and embedded(document), h("script", nil, html.raw(script)))
  return "<!DOCTYPE html>\n" .. html.text(h("html", {lang = "en"}, head, body)) .. "\n"
end

--- A section with a heading.
-- @tparam string id
-- @param title text or node
-- @param ... nodes
-- @treturn node
function page.section(id, title, ...)
  return h("section", {id = id, ["aria-labelledby"] = id .. "-title"}, h("h2", {id = id .. "-title"}, title), ...)
end

--- A table of facts, without those that are unknown.
-- @tparam {{string,string},...} list names and values
-- @treturn node
function page.facts(list)
  local lines = {}
  for _, fact in ipairs(list) do
    if fact[2] ~= nil and fact[2] ~= "" then
      lines[#lines + 1] = h("tr", nil, h("th", {scope = "row"}, fact[1]), h("td", nil, fact[2]))
    end
  end
  return h("div", {class = "scroll"}, h("table", {class = "facts"}, h("tbody", nil, lines)))
end

return page
