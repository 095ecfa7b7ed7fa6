-- A trace of `clue trace`, as a browser's JavaScript reads it.
-- suite: whole
-- tools: chromium-headless-shell
local browser = require "browser"
local json = require "dkjson"
local support = require "support"

local SCRIPT = [[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local square = context:program "kernel void square(global float *x) { x[get_global_id(0)] *= 2; }":kernel "square"
local x = context:buffer(4000)
queue:write_buffer(x, cl.array.float(1000):fill(2))
for _ = 1, 3 do square(queue, 1000, 10, x) end
queue:finish()
]]

-- Counts the events, those with impossible times, and those in each row.
local PAGE = [[<!DOCTYPE html><body><pre id="out">nothing</pre><script>
const trace = %s;
const rows = new Map();
let bad = 0;
for (const e of trace.traceEvents) {
  if (e.ph !== "X") continue;
  const row = e.pid + "." + e.tid, last = rows.get(row) ?? [];
  if (!(e.ts >= 0 && e.dur >= 0)) bad++;
  rows.set(row, last.concat([e]));
}
const shown = [...rows.values()].map(r => r.length).sort((a, b) => a - b);
document.getElementById("out").textContent = "EVENTS " + trace.traceEvents.length + " BAD " + bad + " ROWS " +
  shown.length + " FEWEST " + shown[0];
</script>]]

it("a trace in a browser has all events, with possible times, in a row for the calls and one for the queue", function()
  local file = support.temporary ".json"
  support.ended(0, support.run {"trace", "-o", file, support.write(SCRIPT)})
  local text = support.read(file)
  local page = support.write(PAGE:format((text:gsub("</", "<\\/"))), support.temporary ".html")
  local code, dom, said = browser.open({"--dump-dom", "--virtual-time-budget=5000"}, page)
  assert.equal(0, code, said)
  assert.matches(("EVENTS %d BAD 0 ROWS 2 FEWEST 4"):format(#json.decode(text).traceEvents), dom, 1, true)
end)
