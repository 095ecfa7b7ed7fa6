--- What all pages of clue have in common: one self-contained HTML file, for screen, phone and paper.
local html = require "clue.show.page.element"
local json = require "clue.shared.json"

local frame = {}

-- ---- the style sheet ----

local style = [[
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f6f7f9; --ink: #1b1f24; --muted: #59626e; --axis: #8a939e; --grid: #e4e7eb;
  --rule: #d9dde3; --shadow: #1b1f2433; --accent: #0b5cad; --good: #146c36; --bad: #b3261e; --bad-paper: #fdeceb;
  --warn: #7a5200;
  --new: #0f5d2c; --new-paper: #e6f4ea; --gone: #9c1c14; --gone-paper: #fcebea;
  --code-key: #7b2fa8; --code-type: #0b5cad; --code-number: #8a4b00; --code-comment: #5d6b60; --code-other: #a1260d;
  --roof: #59626e;
  --device-1: #0b62c4; --device-2: #c2410c; --device-3: #15803d; --device-4: #7c3aed;
  --device-5: #be185d; --device-6: #0e7490; --device-7: #a16207; --device-8: #4d7c0f;
  --author-1: #7d6b4f; --author-2: #6b7280; --author-3: #9d6b8e; --author-4: #5b7f7a;
  --author-5: #8a7a35; --author-6: #66739e; --author-7: #90685c; --author-8: #5f6f52;
  --heat: #0b62c4;
  --heat-1: color-mix(in srgb, var(--heat) 4%, var(--paper));
  --heat-2: color-mix(in srgb, var(--heat) 10%, var(--paper));
  --heat-3: color-mix(in srgb, var(--heat) 18%, var(--paper));
  --heat-4: color-mix(in srgb, var(--heat) 26%, var(--paper));
  --heat-5: color-mix(in srgb, var(--heat) 34%, var(--paper));
  --heat-6: color-mix(in srgb, var(--heat) 44%, var(--paper));
  --heat-7: color-mix(in srgb, var(--heat) 56%, var(--paper));
  --heat-8: var(--heat);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --raised: #1c2026; --ink: #e4e7eb; --muted: #a2abb7; --axis: #77818d; --grid: #2a2f37;
    --rule: #343a44; --shadow: #000000aa; --accent: #7ab7ff; --good: #6fd08c; --bad: #ff8f86; --bad-paper: #3a1d1c;
    --warn: #e3b455;
    --new: #8fdca6; --new-paper: #16301f; --gone: #ffaaa3; --gone-paper: #3a1d1c;
    --code-key: #d0a2f5; --code-type: #86bdff; --code-number: #e8b273; --code-comment: #93a198; --code-other: #ff9e8a;
    --roof: #a2abb7;
    --device-1: #66aaff; --device-2: #ff9557; --device-3: #5fcf86; --device-4: #b79bff;
    --device-5: #ff86b8; --device-6: #4fc4dd; --device-7: #e0b13d; --device-8: #a3cf5b;
    --author-1: #bfa983; --author-2: #9aa3b0; --author-3: #cf9dc0; --author-4: #8db5af;
    --heat: #66aaff;
    --author-5: #c2b06a; --author-6: #9caad6; --author-7: #c79d90; --author-8: #9bad8d;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, h4 { line-height: 1.25; font-weight: 650; text-wrap: balance; }
h1 { font-size: 1.9rem; margin: 0 0 .35rem; letter-spacing: -.01em; }
h2 { font-size: 1.4rem; margin: 3.5rem 0 .4rem; padding-top: 1.1rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.08rem; margin: 2.2rem 0 .5rem; }
h4 { font-size: .95rem; margin: 1.4rem 0 .4rem; color: var(--muted); }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.muted, figcaption, .note { color: var(--muted); font-size: .9rem; }
.lead { font-size: 1.08rem; }
nav ul { list-style: none; padding: 0; margin: 1rem 0 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }

.cards {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1rem;
  margin: 1.2rem 0;
}
.card {
  border: 1px solid var(--rule); border-radius: .5rem; padding: .9rem 1.1rem 1rem; background: var(--raised);
  min-width: 0; max-width: 40rem;
}
.card h3 { margin: 0; font-size: 1rem; }
.card .on { margin: 0; color: var(--muted); font-size: .88rem; }
.card .big {
  margin: .7rem 0 0; font-size: 1.75rem; font-weight: 650; line-height: 1.15; font-variant-numeric: tabular-nums;
}
.card .big small { font-size: .95rem; font-weight: 500; color: var(--muted); }
.card ul { list-style: none; margin: .45rem 0 0; padding: 0; font-size: .92rem; }
.card li { margin: .15rem 0; }

.alert { border-left: 4px solid var(--bad); background: var(--bad-paper); padding: .7rem 1rem; margin: 1.2rem 0; }
.alert h3 { margin: 0 0 .3rem; color: var(--bad); }
.alert ul { margin: 0; padding-left: 1.1rem; }

/* A shadow at the edge beyond which there is more. */
.scroll {
  overflow-x: auto; margin: .6rem 0 1rem; border-bottom: 1px solid var(--rule);
  background: linear-gradient(to right, var(--paper) 30%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 30%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shadow), transparent) left / .7rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shadow), transparent) right / .7rem 100% no-repeat scroll;
}
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; min-width: 100%; }
caption { text-align: left; color: var(--muted); padding: 0 0 .4rem; }
th, td {
  padding: .32rem .65rem; text-align: right; vertical-align: baseline; white-space: nowrap;
  border-top: 1px solid var(--rule);
}
thead th {
  border-top: 0; font-weight: 600; color: var(--muted); vertical-align: bottom; font-size: .82rem; white-space: normal;
  min-width: 4.2rem;
}
th, td { overflow-wrap: break-word; }
th.text, td.text { text-align: left; }
td.text, tbody th.text { overflow-wrap: normal; }
tbody th { font-weight: 600; }
th:first-child, td:first-child { padding-left: 0; } thead th:first-child { min-width: 0; }
td.author { white-space: normal; text-align: left; min-width: 8.5rem; max-width: 14rem; }
.rows th, .rows td { padding: .32rem .4rem; }
.rows thead th { min-width: 0; overflow-wrap: normal; }
.line { display: block; } td.author { font-size: .92em; }
.verdict { display: block; font-weight: 400; font-size: .88em; }
.rows thead th.author { text-align: left; }
@media (max-width: 73rem) {
  table.rows { font-size: .82rem; } .rows td.text { white-space: normal; }
}
@media (min-width: 45rem) and (max-width: 58rem) {
  body { padding-left: .8rem; padding-right: .8rem; }
  table.rows { font-size: .75rem; } .rows th, .rows td { padding: .3rem .22rem; } .rows .name { min-width: 6rem; }
  .rows td.author { min-width: 6.5rem; }
}
td .muted { font-size: inherit; }
td .range { display: block; color: var(--muted); font-size: .88em; }
time { white-space: nowrap; }
.name { white-space: normal; min-width: 8rem; max-width: 15rem; overflow-wrap: anywhere; }
tr.best td, tr.best th { background: color-mix(in srgb, var(--accent) 9%, transparent); }
tr.aside { color: var(--muted); }
.facts th {
  width: 8.5rem; text-align: left; color: var(--muted); font-weight: 500; white-space: normal; overflow-wrap: normal;
}
.facts td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 700; } .skip { color: var(--muted); }
.better { color: var(--good); } .worse { color: var(--bad); } .same, .unclear { color: var(--muted); }

figure { margin: 1.2rem 0 1.6rem; }
figure svg { display: block; width: 100%; height: auto; font-family: system-ui, sans-serif; overflow: visible; }
.narrow { display: none; }
.legend {
  list-style: none; margin: 0 0 .4rem; padding: 0; display: flex; flex-wrap: wrap; gap: .15rem 1.1rem;
  font-size: .88rem;
}
.legend li { display: flex; gap: .4rem; align-items: baseline; min-width: 0; }
.legend svg { width: .85em; height: .85em; flex: none; overflow: visible; align-self: center; }

details { border-top: 1px solid var(--rule); }
details:last-of-type { border-bottom: 1px solid var(--rule); }
summary { cursor: pointer; padding: .55rem 0; }
figure.access { overflow-x: auto; } figure.access svg { width: auto; max-width: none; overflow: visible; }
summary .number { font-weight: 650; font-variant-numeric: tabular-nums; }
summary .what { color: var(--muted); }
details > .body { padding: 0 0 1.2rem; }
pre {
  margin: .5rem 0; padding: .8rem 1rem; background: var(--raised); border: 1px solid var(--rule);
  border-radius: .4rem; overflow: auto;
  max-height: 34rem;
  font: .82rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  tab-size: 4; overflow-wrap: normal;
}
.k { color: var(--code-key); } .t { color: var(--code-type); } .n { color: var(--code-number); }
.c { color: var(--code-comment); font-style: italic; } .p, .s { color: var(--code-other); }
.listing { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1rem; }
.listing pre { min-width: 0; } .listing code { display: block; width: max-content; min-width: 100%; }
.listing span {
  display: block; white-space: pre; height: 1.5em; background: color-mix(in srgb, var(--of) 18%, transparent);
}
.listing span:not([class]) { background: none; color: var(--muted); }
.at-1 { --of: var(--device-1); } .at-2 { --of: var(--device-2); } .at-3 { --of: var(--device-3); }
.at-4 { --of: var(--device-4); } .at-5 { --of: var(--device-5); } .at-6 { --of: var(--device-6); }
.at-7 { --of: var(--device-7); } .at-8 { --of: var(--device-8); }
.diff code { display: block; width: max-content; min-width: 100%; }
.diff span { display: block; white-space: pre; height: 1.5em; }
.new { background: var(--new-paper); color: var(--new); }
.gone { background: var(--gone-paper); color: var(--gone); }
.fold { color: var(--muted); font-style: italic; }

@media (max-width: 640px) {
  body { padding: 1.4rem 1rem 3rem; }
  h1 { font-size: 1.5rem; } h2 { font-size: 1.22rem; }
  .name { min-width: 6.5rem; } th, td { padding: .3rem .4rem; } thead th { min-width: 3.2rem; }
  .wide { display: none; } span.narrow { display: inline; } svg.narrow { display: block; }
  table.standing { font-size: .76rem; } .standing .name { min-width: 3rem; } .standing meter { width: 2.2rem; }
  .standing th, .standing td { padding: .3rem .2rem; }
}
@page { margin: 15mm 13mm; }
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --raised: #f6f7f9; --ink: #000000; --muted: #444b55; --axis: #8a939e; --grid: #e4e7eb;
    --rule: #c9ced6; --accent: #000000; --good: #146c36; --bad: #b3261e; --bad-paper: #fdeceb; --roof: #59626e;
    --new: #0f5d2c; --new-paper: #e6f4ea; --gone: #9c1c14; --gone-paper: #fcebea;
    --code-key: #7b2fa8; --code-type: #0b5cad; --code-number: #8a4b00; --code-comment: #5d6b60; --code-other: #a1260d;
    --device-1: #0b62c4; --device-2: #c2410c; --device-3: #15803d; --device-4: #7c3aed;
    --device-5: #be185d; --device-6: #0e7490; --device-7: #a16207; --device-8: #4d7c0f;
    --author-1: #7d6b4f; --author-2: #6b7280; --author-3: #9d6b8e; --author-4: #5b7f7a;
    --heat: #0b62c4;
    --author-5: #8a7a35; --author-6: #66739e; --author-7: #90685c; --author-8: #5f6f52;
  }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  h2 { break-before: page; margin-top: 0; }
  #summary h2, #machine h2 { break-before: auto; margin-top: 1.5rem; }
  h2, h3, h4, summary { break-after: avoid; }
  figure, .card, .alert, tr { break-inside: avoid; }
  svg.wide { display: block; } span.wide { display: inline; } .narrow { display: none; }
  .scroll { overflow: visible; background: none; } table, thead th { font-size: 6.8pt; } th, td { padding: .2rem .3rem;
  white-space: normal; }
  pre { max-height: none; overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 7.5pt; }
  .diff code { width: auto; } .diff span { white-space: pre-wrap; height: auto; min-height: 1.5em; }
  details::details-content { content-visibility: visible; block-size: auto; height: auto; }
  summary { list-style: none; font-weight: 600; }
}
]]

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
function frame.text(title, nodes, document)
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
function frame.section(id, title, ...)
  return h("section", {id = id, ["aria-labelledby"] = id .. "-title"}, h("h2", {id = id .. "-title"}, title), ...)
end

--- A table of facts, without those that are unknown.
-- @tparam {{string,string},...} list names and values
-- @treturn node
function frame.facts(list)
  local lines = {}
  for _, fact in ipairs(list) do
    if fact[2] ~= nil and fact[2] ~= "" then
      lines[#lines + 1] = h("tr", nil, h("th", {scope = "row"}, fact[1]), h("td", nil, fact[2]))
    end
  end
  return h("div", {class = "scroll"}, h("table", {class = "facts"}, h("tbody", nil, lines)))
end

return frame
