// What tests/spec/report_spec.lua asks of a report, run in the page that holds several of it in frames: by width and by
// colour scheme. Everything is computed anew from the embedded document, none of it by the report's own code.

const median = list => {
  const sorted = [...list].sort((a, b) => a - b), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const at = (document, pointer) => pointer.split("/").slice(1).reduce((value, key) => value[key], document);

const rateOf = row => row.times.rate || (row.times.flops ? "GFLOPS" : "GB/s");
const work = row => rateOf(row) === "GB/s" ? row.times.bytes : row.times.flops;

const limitOf = row => rateOf(row) === "GB/s" ? Math.max(...Object.values(row.device.peak.bandwidth))
  : row.device.peak.flops[row.type];

// What a step changes is its kernel; what did all of the work elsewhere is compared with the total.
const judged = row => row.times.kernel && !row.times.together ? "kernel" : "total";
const whole = row => rateOf(row) === "GB/s" ? judged(row) : "total";

// What each kind of figure must be, from its row.
const expected = {
  kernel_median_s: row => median(row.times.kernel),
  total_median_s: row => median(row.times.total),
  kernel_part: row => median(row.times.kernel) / median(row.times.total),
  speed_total: row => work(row) / median(row.times.total) / 1e9,
  speed_kernel: row => work(row) / median(row.times.kernel) / 1e9,
  over_host: row => row.host.seconds / median(row.times[whole(row)]),
  gain: row => row.gain.ratio,
  share_of_peak: row => work(row) / median(row.times.kernel || row.times.total) / limitOf(row),
};

// What is computed from other rows, too, which has a spec of its own.
const overOthers = new Set(["over_first"]);

const partOf = kind => (/^(kernel|total)_median_s$/.exec(kind) || [])[1];

// Half of the last digit shown.
const halfDigit = text => {
  const [, decimals = "", exponent = "0"] = /^\d+(?:\.(\d+))?(?:e(-?\d+))?$/.exec(text) || [];
  return 0.5000001 * 10 ** (Number(exponent) - decimals.length);
};

const shows = (text, value) => Math.abs(Number(text) - value) <= halfDigit(text) * (1 + 1e-9) + Math.abs(value) * 1e-12;

const firstNumber = text => (/\d+(?:\.\d+)?(?:e-?\d+)?/.exec(text) || ["none"])[0];

function checkFigure(cell, row, say) {
  const kind = cell.dataset.is;
  const published = /^published-(\d+)$/.exec(kind);
  if (!published && !expected[kind] && !overOthers.has(kind)) return say(`${kind} is a figure that nobody checks`);
  const value = published ? row.published[published[1]].rate
    : expected[kind] ? expected[kind](row) : Number(cell.dataset.value);
  if (!(Math.abs(Number(cell.dataset.value) - value) <= Math.abs(value) * 1e-12)) {
    say(`${kind} has data-value ${cell.dataset.value}, should be ${value}`);
  }
  const text = cell.textContent.trim(), part = partOf(kind);
  const scale = part ? 1000 : ["share_of_peak", "kernel_part"].includes(kind) ? 100 : 1;
  if (text.startsWith("no difference")) {
    const {low, high, ratio} = row.gain;
    if (!(low <= 1 && high >= 1) && Math.abs(Math.log(ratio)) >= Math.log(1.01)) say(`a gain of ${ratio} is hidden`);
    return;
  }
  const isRight = text.startsWith("<") ? value * scale < firstNumber(text)
    : text === ">100" ? value * scale > 100 : shows(firstNumber(text), value * scale);
  if (!isRight) say(`${kind} shows '${text}', should be ${value * scale}`);
  if (part && row.times[part].length > 1 && cell.matches("td")) {
    const [least, most] = cell.querySelector(".range").textContent.trim().split("–");
    if (!shows(least, Math.min(...row.times[part]) * scale)) say(`${kind}: least ${least}`);
    if (!shows(most, Math.max(...row.times[part]) * scale)) say(`${kind}: most ${most}`);
  }
  if (kind === "gain" && row.gain.low) {
    const [, low, high] = /\((.*)-(.*)\)/.exec(text);
    if (!shows(low, row.gain.low) || !shows(high, row.gain.high)) say(`gain shows ${text}`);
  }
  if (row.times && row.times.extrapolated && !published && !["kernel_part", "share_of_peak"].includes(kind) && !text.startsWith("~")) say(`${kind} without ~`);
}

const verdictOf = row => row.failed ? row.failed.word : row.skipped ? "skipped"
  : row.check && row.check.verified ? "verified" : row.check ? "WRONG" : "unchecked";

function checkRow(line, row, say) {
  const kinds = new Set();
  for (const cell of line.querySelectorAll("[data-is]")) {
    kinds.add(cell.dataset.is);
    if (cell.dataset.is === "verdict") {
      if (!cell.textContent.includes(verdictOf(row))) say(`verdict '${cell.textContent}' is not ${verdictOf(row)}`);
    } else {
      checkFigure(cell, row, say);
    }
  }
  const right = verdictOf(row) === "verified";
  for (const part of row.device ? ["kernel", "total"] : ["total"]) {
    if (row.times && row.times[part] && row.times[part].length && !kinds.has(`${part}_median_s`)) say(`no ${part}`);
  }
  if (row.times && work(row) && right !== (kinds.has("speed_total") || kinds.has("speed_kernel"))) say("speed of what is not verified, or none");
  if (row.gain && !kinds.has("gain")) say("no gain");
  if (!line.textContent.includes(row.name)) say("no name");
}

function checkValues(page, data, say) {
  const seen = new Set();
  for (const line of page.querySelectorAll("tr[data-at]")) {
    const row = at(data, line.dataset.at);
    if (seen.has(line.dataset.at)) say(`${line.dataset.at} stands twice`);
    seen.add(line.dataset.at);
    checkRow(line, row, what => say(`${line.dataset.at}: ${what}`));
  }
  let rows = 0;
  data.walkthroughs.filter(it => !it.sweep) // a sweep's rows are points of its charts
    .forEach(walkthrough => walkthrough.runs.forEach(run => { rows += run.rows.length; }));
  if (rows !== seen.size) say(`${seen.size} rows of ${rows}`);
  for (const it of page.querySelectorAll("p.big [data-at]")) checkFigure(it, at(data, it.dataset.at), say);
  return seen.size;
}

// ---- layout ----

function checkWidth(page, width, say) {
  if (page.documentElement.scrollWidth > width) say(`the page is ${page.documentElement.scrollWidth} wide`);
  let widest = 0;
  for (const it of page.body.querySelectorAll("*")) {
    if (it.closest(".scroll, pre, svg") && !it.matches(".scroll, pre, svg")) continue;
    const box = it.getBoundingClientRect();
    if (box.width === 0) continue;
    if (box.right > width + 0.5 || box.left < -0.5) say(`${it.tagName}.${it.getAttribute("class")} reaches ${box.right}`);
    widest = Math.max(widest, box.right);
  }
  return widest;
}

// ---- colours ----

const channels = colour => (/rgba?\(([^)]*)\)/.exec(colour) || [, ""])[1].split(/[ ,/]+/).map(Number);

const luminance = colour => {
  const [r, g, b] = channels(colour).slice(0, 3).map(value => value / 255)
    .map(value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

function background(it) {
  for (; it; it = it.parentElement) {
    const colour = getComputedStyle(it).backgroundColor, parts = channels(colour);
    if (colour.startsWith("rgb") && (parts.length < 4 || parts[3] > 0.5)) return colour;
  }
  return "rgb(255, 255, 255)";
}

const hasText = it => [...it.childNodes].some(node => node.nodeType === 3 && node.data.trim());

function checkContrast(page, say) {
  const told = new Set();
  for (const it of page.body.querySelectorAll("*")) {
    if (!hasText(it) || it.closest("script, title, desc")) continue;
    const style = getComputedStyle(it), colour = it.closest("svg") ? getComputedStyle(it).fill : style.color;
    const ratio = contrast(colour, background(it));
    const key = `${colour} on ${background(it)}`;
    if (!(ratio >= 4.5) && !told.has(key)) say(`${it.tagName} '${it.textContent.slice(0, 20)}': ${key} is ${ratio}`);
    told.add(key);
  }
  return told.size;
}

// ---- charts ----

const isSeen = it => it.getBoundingClientRect().width > 0;

function checkCharts(page, say) {
  const ids = new Set();
  for (const it of page.querySelectorAll("[id]")) {
    if (ids.has(it.id)) say(`id ${it.id} stands twice`);
    ids.add(it.id);
  }
  for (const it of page.querySelectorAll("a[href^='#']")) {
    if (!ids.has(it.getAttribute("href").slice(1))) say(`${it.getAttribute("href")} leads nowhere`);
  }
  for (const it of page.querySelectorAll("use")) {
    if (!ids.has(it.getAttribute("href").slice(1))) say(`mark ${it.getAttribute("href")} is not there`);
  }
  const charts = [...page.querySelectorAll("figure > svg")].filter(isSeen), paper = background(page.body);
  for (const svg of charts) {
    const title = svg.querySelector("title").textContent, scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    if (!title || !svg.querySelector("desc").textContent) say("a chart without title or description");
    const named = svg.getAttribute("aria-labelledby").split(" ");
    if (svg.getAttribute("role") !== "img" || named.some(id => !page.getElementById(id))) say(`${title}: not named`);
    const box = svg.getBBox(), view = svg.viewBox.baseVal;
    if (box.x < -1 || box.y < -1 || box.x + box.width > view.width + 1 || box.y + box.height > view.height + 1) {
      say(`${title}: drawn outside its frame`);
    }
    for (const text of svg.querySelectorAll("text")) {
      if (parseFloat(getComputedStyle(text).fontSize) * scale < 9) say(`${title}: '${text.textContent}' is too small`);
    }
    for (const use of svg.querySelectorAll("g use")) {
      const colour = getComputedStyle(use).color;
      if (colour !== paper && contrast(colour, paper) < 3) say(`${title}: a mark in ${colour} on ${paper}`);
    }
  }
  return charts.length;
}

const place = it => /translate\(([\d.]+),([\d.]+)\)/.exec(it.getAttribute("transform")).slice(1).map(Number);

// From the marked values of the upright axis to values of the chart: linear, or linear in the logarithm.
function scaleOf(svg, logarithmic) {
  const marks = [...svg.querySelectorAll("g[text-anchor='end']")].filter(it => !Number.isNaN(Number(it.textContent)))
    .map(it => [place(it)[1], Number(it.textContent)]).sort((a, b) => a[0] - b[0]);
  const [[y1, v1], [y2, v2]] = [marks[0], marks[marks.length - 1]];
  const [a, b] = logarithmic ? [Math.log(v1), Math.log(v2)] : [v1, v2];
  const shift = 0.3 * parseFloat(svg.querySelector("g[font-size]").getAttribute("font-size")); // of the text's baseline
  return y => {
    const value = a + (y + shift - y1) / (y2 - y1) * (b - a);
    return logarithmic ? Math.exp(value) : value;
  };
}

// Every mark of a device stands at a speed that the document gives: by the kernel's time, or by the total.
function checkMarks(page, data, say) {
  let marks = 0;
  for (const [w, walkthrough] of data.walkthroughs.entries()) {
    for (const svg of page.querySelectorAll(`#w${w + 1} figure > svg`)) {
      const title = svg.querySelector("title").textContent;
      const unit = (/^(\S+) of each step/.exec(title) || [])[1];
      if (!unit || !isSeen(svg)) continue;
      const valueAt = scaleOf(svg, title.includes("logarithmic"));
      data.devices.forEach((device, d) => {
        const run = walkthrough.runs.find(each => each.device === device.address);
        const speeds = run.rows.filter(row => verdictOf(row) === "verified" && work(row) && rateOf(row) === unit)
          .flatMap(row => ["kernel", "total"].filter(part => row.times[part]).map(part => expected["speed_" + part](row)));
        for (const use of svg.querySelectorAll(`use[color='var(--device-${d + 1})']`)) {
          const y = place(use)[1], [low, high] = [valueAt(y + 0.6), valueAt(y - 0.6)];
          marks++;
          if (!speeds.some(speed => low <= speed && speed <= high)) say(`${title}: a mark at ${low}, of ${speeds}`);
        }
      });
    }
  }
  return marks;
}

// ---- the whole ----

function checkFrame(frame) {
  const page = frame.contentDocument, faults = [], say = what => faults.push(what);
  const data = JSON.parse(page.getElementById("data").textContent);
  const opened = frame.dataset.open !== undefined;
  if (opened) page.querySelectorAll("details").forEach(it => { it.open = true; });
  const result = {name: frame.dataset.name, faults};
  result.rows = checkValues(page, data, say);
  result.widest = checkWidth(page, frame.clientWidth, say);
  result.cut = [...page.querySelectorAll(".scroll")].filter(it => it.scrollWidth > it.clientWidth)
    .map(it => `${it.getAttribute("aria-label")} is ${it.scrollWidth} wide in ${it.clientWidth}`);
  result.colours = checkContrast(page, say);
  result.charts = checkCharts(page, say);
  result.marks = checkMarks(page, data, say);
  result.paper = background(page.body);
  result.requests = frame.contentWindow.performance.getEntriesByType("resource").map(it => it.name);
  result.kernels = page.querySelectorAll("details pre:not(.diff)").length;
  result.differences = page.querySelectorAll("details pre.diff").length;
  result.lang = page.documentElement.lang;
  result.headless = [...page.querySelectorAll("th")].filter(it => !it.scope).length;
  return result;
}

addEventListener("load", () => {
  const results = [...document.querySelectorAll("iframe")].map(frame => {
    try {
      return checkFrame(frame);
    } catch (problem) {
      return {name: frame.dataset.name, faults: [String(problem.stack)]};
    }
  });
  const out = document.createElement("pre");
  out.id = "results";
  out.textContent = "RESULTS" + JSON.stringify(results) + "END";
  document.body.append(out);
});
