--- One step of a walkthrough: what it changes and why, the facts that decide, the results here; what its warps ask for,
-- its kernel and how that differs from the one that it is compared with, its machine code. `clue walk --explain`,
-- `clue show --step` and the report show the same.
local gains = require "clue.result.gain"
local block = require "clue.show.block"
local bottleneck = require "clue.result.bottleneck"
local cause = require "clue.result.cause"
local counts_view = require "clue.show.count.view"
local difference = require "clue.show.walk.difference"
local expectation = require "clue.result.expectation"
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local step = {}

local function line(text)
  return block.paragraph("  " .. text, {indent = "  ", close = true})
end

-- ---- its text ----

-- The paragraphs of a comment. An indented line stays as it is.
local function paragraphs(text)
  local blocks, words = {}, {}
  local function flush(close)
    if words[1] then blocks[#blocks + 1] = block.paragraph(table.concat(words, " "), {indent = "", close = close}) end
    words = {}
  end
  for each in (text:gsub("\r", "") .. "\n"):gmatch "(.-)\n" do
    if each:match "^%s*$" then
      flush()
    elseif each:match "^%s%s" then
      flush(true)
      blocks[#blocks + 1] = block.code(each, {close = true})
    else
      words[#words + 1] = each
    end
  end
  flush()
  return blocks
end

-- ---- what decides, and what was expected ----

-- What the device says of a kernel, in words.
local function kernel_text(facts)
  local names = table.concat(facts.local_arguments or {}, ", ")
  local besides = names ~= "" and (", besides what a call gives to %s"):format(names) or ""
  return ("kernel %s: work-groups of up to %d, in multiples of %d; %s of private and %s of local memory%s"):format(
    facts.name or "?", facts.work_group_size or 0, facts.preferred_work_group_size_multiple or 0,
    figures.bytes(facts.private_mem_size or 0), figures.bytes(facts.local_mem_size or 0), besides)
end

local function facts_of(row)
  local items, said = {}, {} -- a sweep builds a kernel several times
  local function add(text)
    if not said[text] then items[#items + 1] = "  " .. text end
    said[text] = true
  end
  for _, fact in ipairs(row.facts or {}) do add(("%s = %s"):format(fact.property, tostring(fact.value))) end
  for _, program in ipairs(row.programs or {}) do
    for _, kernel in ipairs(program.kernels or {}) do add(kernel_text(kernel)) end
  end
  local has_facts = row.facts and row.facts[1]
  return block.list(items, {title = has_facts and "What matters here:", indent = "  ", close = true})
end

local function expected_of(row)
  local text = expectation.text(row)
  return text and block.paragraph(("Expected here%s: %s"):format(expectation.about(row), text), {indent = "",
    close = true})
end

-- ---- the results ----

local as_expected = {[true] = ", as expected", [false] = ": other than expected"}

local function part_text(row, part)
  local summary = row_of.time(row, part)
  return summary and ("%s %s ms"):format(part, figures.number(summary.median * 1000)) or nil
end

local function gain_of(row)
  local text, word = gains.text(row.gain), gains.word(row.gain)
  return (word == "same" and ("no difference from step %s"):format(row.gain.over)
    or word == "unclear" and ("unclear beside step %s: %s to %s times as fast (95 %% interval)"):format(row.gain.over,
      figures.ratio(row.gain.low), figures.ratio(row.gain.high))
    or ("%s times as fast as step %s%s"):format(text, row.gain.over,
      row.gain.low and " (95 % interval)" or ", of medians: too few runs for an interval"))
    .. (as_expected[expectation.is_met(row)] or "")
end

local function failure_of(row)
  if row.failed then return {line(row.failed.text or ""), block.quote(row.failed.lines or {}, {prefix = "  | ",
    close = true})} end
  return line(("%s: %s"):format(row_of.verdict(row), row.skipped or row.check and row.check.text
    or "it was not checked"))
end

-- What limits a step whose accesses were counted. Of a CPU, too few limits are known to say that none explains a time.
local function limit_of(row, peak)
  local it = row.counts and bottleneck.of(row, peak)
  if not it or not it.nearest and row.device.kind == "cpu" then return nil end
  if not it.nearest then return line "none of the limits that clue knows explains the time" end
  return line(it.loads and ("limited by %s"):format(bottleneck.text(it))
    or ("limited by %s: alone, it would take %s %% of the time"):format(it.nearest,
      figures.percent(it[it.nearest] / it.measured)))
end

local function figures_of(row, peak)
  local texts = lists.map(row_of.parts, function(part) return part_text(row, part) end)
  local speed, over, part = row_of.speed(row), row_of.over_host(row), row_of.judged(row)
  return {
    line(("%s; %s%s"):format(row_of.verdict(row), table.concat(texts, ", "),
      speed and ("; %s %s by the %s"):format(figures.number(speed), row_of.rate(row), part) or "")),
    over and line(("%s times its host loop"):format(figures.ratio(over))),
    row.gain and line(gain_of(row)), limit_of(row, peak),
  }
end

local function published_of(row)
  local lines = {}
  for i, theirs in ipairs(row.published or {}) do
    local texts = {}
    if theirs.seconds then texts[#texts + 1] = figures.published(theirs.seconds) .. " s" end
    if theirs.rate then texts[#texts + 1] = row_of.published_text(theirs, row_of.rate(row)) end
    if theirs.ratio then texts[#texts + 1] = figures.published(theirs.ratio) .. " times his host loop" end
    if theirs.text then texts[#texts + 1] = theirs.text end
    lines[i] = line(("the author's %s: %s%s"):format(theirs.on or "?", table.concat(texts, ", "),
      theirs.computed and " (* computed from what he printed)" or ""))
  end
  if row.note_of_author then lines[#lines + 1] = line("the author: " .. row.note_of_author) end
  for _, note in ipairs(row.notes or {}) do lines[#lines + 1] = line(note) end
  return lines
end

local function results_of(entry)
  local row = entry.row
  return {
    block.paragraph({("Results here%s:"):format(entry.on and ", on " .. entry.on or "")}, {indent = "", close = true,
      mark = entry.index and {"device", entry.index}}),
    row_of.counts(row) and figures_of(row, entry.peak) or failure_of(row), published_of(row),
  }
end

-- ---- what it is made of ----

-- Whether the pictures of a step and of the one that its gain is over can stand side by side.
local function is_pair(entry)
  local row, before = entry.row, entry.before
  return before and before.counts and row.counts and row.gain and row.gain.over == before.number
end

local function counts_of(entry)
  local counts, kernels = entry.row.counts, {}
  if not counts then return false end
  for i, kernel in ipairs(counts.kernels) do
    kernels[i] = {block.only("text", counts_view.kernel(kernel, {width = "warp", pictures = true})),
      block.only("page", counts_view.kernel(kernel, {width = "warp", pictures = i > 1 or not is_pair(entry)}))}
  end
  return {block.only("page", block.heading("What its warps ask for", {level = 4})), block.gap(),
    block.paragraph(("Counted on a simulator%s:"):format(counts.size and " at the size " .. counts.size or ""),
      {indent = "", close = true}), kernels}
end

-- What a step's inner loop does, in a sentence: "kernel f, PTX: the inner loop, 14 instructions: 8 ld.global.f32, ...".
local function code_text(code)
  local parts = lists.map(code.operations, function(each) return ("%d %s"):format(each[2], each[1]) end)
  return ("kernel %s%s, %s: %s, %d instructions: %s%s"):format(code.kernel, code.launch and ", " .. code.launch or "",
    code.form, code.counts.place and "the inner loop" or "no loop, the whole kernel", code.counts.instructions,
    table.concat(parts, ", "), #parts == row_of.most_operations and ", ..." or "")
end

local function code_of(row, on)
  local code = row.code
  if not code then return false end
  if not code.lines then
    return block.paragraph(("No machine code%s: %s"):format(on and " for " .. on or "", code.missing or "?"),
      {indent = ""})
  end
  return {block.gap(),
    block.paragraph(("Compiled for %s: %s"):format(on or "this device", code_text(code)), {indent = "",
      close = true}),
    code.source and block.listing {lines = code.lines, places = code.places, source = code.source, indent = "    ",
                                   close = true}
      or {block.code(table.concat(code.lines, "\n"), {indent = "    ", close = true}),
          block.paragraph("The driver does not tell from which lines of the source this is.", {indent = "",
            close = true, class = "note"})}}
end

-- Of a kernel that is the same on several devices, once.
local function source_of(entry, shown)
  local text = row_of.source(entry.row)
  if text == "" or shown[text] then return false end
  shown[text] = true
  return {block.only("page", block.heading("The kernel as built", {level = 4})), block.gap(),
    block.code(text, {opencl = true, close = true})}
end

local function difference_of(entry, shown)
  local before = entry.before and row_of.source(entry.before) or ""
  local text = row_of.source(entry.row)
  if before == "" or text == "" or shown[before .. "\0" .. text] then return false end
  shown[before .. "\0" .. text] = true
  local over = tostring(entry.before.number)
  if before == text then
    return block.paragraph(("The kernel is that of step %s."):format(over), {class = "note"})
  end
  return {block.heading(("What differs from the kernel of step %s"):format(over), {level = 4}),
    block.difference(difference.lines(before, text))}
end

--- The text of a row's step.
-- @tparam table walkthrough of a document
-- @tparam table row
-- @treturn string "" if it has none
function step.text_of(walkthrough, row)
  local same = lists.filter(walkthrough.steps or {}, function(each) return each.number == row.number end)
  local its = lists.find(same, function(each) return each.name == row.name end) or same[1] or {}
  return its.text or ""
end

--- The explanation of a step.
-- @tparam string text of the step; empty: it has none
-- @tparam {table,...} entries on each device: row; before: the row whose kernel it is compared with, if any; on: the
--   device's name; index: its place; peak: its limits, if they are known
-- @treturn table blocks
function step.explanation(text, entries)
  local row, blocks = entries[1].row, {}
  blocks[1] = paragraphs(text ~= "" and text or ("Step %s, %s."):format(tostring(row.number), row.name or "?"))
  blocks[2] = {facts_of(row), expected_of(row)}
  for _, entry in ipairs(entries) do blocks[#blocks + 1] = results_of(entry) end
  return blocks
end

-- The pictures of both, and the gain with what was counted of it.
local function pair_of(entry)
  if not is_pair(entry) then return false end
  local row, cards = entry.row, {}
  local costs = cause.places(entry.before.counts, row.counts)
  for i, each in ipairs {entry.before, row} do
    local list = costs and costs[i == 1 and "before" or "now"]
    cards[i] = {block.heading(("Step %s, %s"):format(tostring(each.number), each.name or "?"), {level = 4}),
                list and block.stack {list = list, per = costs.per,
                                      most = math.max(costs.before.total, costs.now.total)},
                block.picture {kernel = each.counts.kernels[1], part = "pictures"}}
  end
  local counted, word = cause.text({entry.before}, row) or "nothing that was counted fell", gains.word(row.gain)
  local effect = word == "same" and "yet no difference in the kernel's time"
    or word == "unclear" and "yet the times vary too much to see a gain"
    or ("%sthe kernel %s times as fast"):format(word == "worse" and "yet " or "", figures.ratio(row.gain.ratio))
  return {block.cards {list = cards}, block.picture {kernel = row.counts.kernels[1], part = "about"},
    block.paragraph(("%s, %s."):format(counted:gsub("^%l", string.upper), effect), {class = "lead"})}
end

--- What a step changes, for pages: how its kernel differs, and what that does to the accesses of its warps.
-- @tparam {table,...} entries as for @{explanation}
-- @treturn table blocks
function step.changes(entries)
  local blocks, shown = {}, {}
  for i, entry in ipairs(entries) do blocks[i] = {difference_of(entry, shown), i == 1 and pair_of(entry)} end
  return {kind = "group", only = "page", blocks = blocks}
end

--- What a step is made of: what was counted of it, its kernel, its machine code.
-- @tparam {table,...} entries as for @{explanation}
-- @tparam[opt] table how source: false to leave out the kernel
-- @treturn table blocks
function step.parts(entries, how)
  local blocks, codes, shown = {}, {}, {}
  for i, entry in ipairs(entries) do
    blocks[i] = {i == 1 and counts_of(entry), not (how and how.source == false) and source_of(entry, shown)}
    codes[i] = code_of(entry.row, #entries > 1 and entry.on)
  end
  return {blocks, codes}
end

--- The source of a step's kernel as it was built.
-- @tparam table row which has one, or runs on the host
-- @treturn table a block
function step.source(row)
  local source = row_of.source(row)
  return source == "" and block.paragraph(("step %s builds no kernel: it runs on the host"):format(row.number))
    or block.code(source, {close = true})
end

--- How the kernel of a step differs from that of the step it is compared with.
-- @tparam ?table before nil: there is none
-- @tparam table row
-- @treturn table a block
function step.difference(before, row)
  local was, is = before and row_of.source(before) or "", row_of.source(row)
  if was == is then
    return block.paragraph(is == "" and ("step %s builds no kernel, nor does what it is compared with: they differ on "
      .. "the host"):format(row.number) or ("the kernel of step %s is that of step %s: they differ on the host"):format(
      row.number, before.number))
  end
  return block.difference(difference.lines(was, is), {close = true,
    before = before and ("step %s, %s"):format(before.number, before.name) or "nothing",
    after = ("step %s, %s"):format(row.number, row.name)})
end

return step
