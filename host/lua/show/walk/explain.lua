--- Describes one step of a walkthrough: what it changes and why, the facts that decide, the results here; its kernel,
-- and how that differs from the step that it is compared with.
-- @module clue.show.walk.explain
local difference = require "clue.show.walk.difference"
local expectation = require "clue.result.expectation"
local figures = require "clue.shared.figures"
local output = require "clue.output"
local problems = require "clue.show.walk.problems"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"
local tables = require "clue.table"
local view = require "clue.show.count.view"

local explain = {}

local function width()
  return math.min(100, output.out:columns(100))
end

local function say(text)
  output.print_lines(tables.wrap(text, width(), text:match "^%s*"))
end

-- Wraps the paragraphs of a comment. An indented line stays as it is.
local function print_text(text)
  local paragraph = {}
  local function flush()
    if #paragraph > 0 then say(table.concat(paragraph, " ")) end
    paragraph = {}
  end
  for line in (text .. "\n"):gmatch "(.-)\n" do
    if line:match "^%s*$" or line:match "^%s%s" then
      flush()
      output.print(line)
    else
      paragraph[#paragraph + 1] = line
    end
  end
  flush()
end

-- ---- the source ----

--- Why a step has no source, in lines; nil if it has one, or runs on the host.
-- @tparam ?table row
-- @treturn ?{string,...} for example what the compiler says about it
function explain.obstacle(row)
  if not row or row_of.source(row) ~= "" then return nil end
  return problems.of_step(row, output.err:columns(132))
end

--- Prints the source of a step's kernel as it was built.
-- @tparam table row without @{obstacle}
function explain.print_source(row)
  local source = row_of.source(row)
  if source == "" then
    output.print(("step %s builds no kernel: it runs on the host"):format(row.number))
  else
    output.out:write(source, source:sub(-1) == "\n" and "" or "\n")
  end
end

--- Prints how the kernel of a step differs from that of the step it is compared with.
-- @tparam ?table before nil: there is none
-- @tparam table row; like before, without @{obstacle}
function explain.print_difference(before, row)
  local colour = output.out:colour()
  local paints = {["-"] = "\27[31m", ["+"] = "\27[32m"}
  output.print(before and ("--- step %s, %s"):format(before.number, before.name) or "--- nothing")
  output.print(("+++ step %s, %s"):format(row.number, row.name))
  for _, change in ipairs(difference.lines(before and row_of.source(before) or "", row_of.source(row))) do
    local mark = change[1] == "=" and " " or change[1]
    local paint = colour and paints[mark]
    output.out:write_painted(mark .. change[2], function(line)
      return (paint and paint .. line .. "\27[0m" or line) .. "\n"
    end)
  end
end

-- ---- the explanation ----

local function print_facts(row)
  if row.facts and #row.facts > 0 then
    output.print "What matters here:"
    for _, fact in ipairs(row.facts) do say(("  %s = %s"):format(fact.property, fact.value)) end
  end
  local said = {} -- a sweep builds a kernel several times
  for _, program in ipairs(row.programs or {}) do
    for _, kernel in ipairs(program.kernels) do
      local text = "  " .. row_of.kernel_text(kernel)
      if not said[text] then say(text) end
      said[text] = true
    end
  end
end

local function print_expected(row)
  local text = expectation.text(row)
  if text then say(("Expected here%s: %s"):format(expectation.about(row), text)) end
end

local as_expected = {[true] = ", as expected", [false] = ": other than expected"}

local function part_text(row, part)
  local summary = row_of.time(row, part)
  return summary and ("%s %s ms"):format(part, figures.number(summary.median * 1000)) or nil
end

local function print_seen(row)
  output.print(("Results here%s:"):format(row.device and (", on %s"):format(row.device.name) or ""))
  local word = row_of.verdict(row)
  if not row_of.counts(row) then
    say(row.failed and "  " .. row.failed.text or ("  %s: %s"):format(word, row.skipped or row.check and row.check.text
      or "it was not checked"))
    output.print_lines(problems.messages(row, output.out:columns(132), "  | "))
    return
  end
  local texts = {}
  for _, part in ipairs(row_of.parts) do texts[#texts + 1] = part_text(row, part) end
  local speed = row_of.speed(row)
  say(("  %s; %s%s"):format(word, table.concat(texts, ", "),
    speed and ("; %s %s"):format(figures.number(speed), row_of.rate(row)) or ""))
  local over = row_of.over_host(row)
  if over then say(("  %s times its host loop"):format(figures.ratio(over))) end
  if row.gain then
    local text = statistics.text(row.gain)
    say((text == "no difference" and ("  no difference from step %s"):format(row.gain.over)
      or ("  %s times as fast as step %s%s"):format(text, row.gain.over,
        row.gain.low and " (95 % interval)" or ", of medians: too few runs for an interval"))
      .. (as_expected[expectation.is_met(row)] or ""))
  end
end

local function print_published(row)
  for _, theirs in ipairs(row.published or {}) do
    local texts = {}
    if theirs.seconds then texts[#texts + 1] = figures.published(theirs.seconds) .. " s" end
    local unit = theirs.unit or row_of.rate(row) or ""
    if theirs.rate then texts[#texts + 1] = figures.published(theirs.rate) .. " " .. unit end
    if theirs.ratio then texts[#texts + 1] = figures.published(theirs.ratio) .. " times his host loop" end
    if theirs.text then texts[#texts + 1] = theirs.text end
    say(("  the author's %s: %s"):format(theirs.on, table.concat(texts, ", ")))
  end
  if row.note_of_author then say("  the author: " .. row.note_of_author) end
end

--- Prints the explanation of a step.
-- @tparam table step with its text
-- @tparam table row its result
function explain.print(step, row)
  print_text(step.text ~= "" and step.text or ("Step %s, %s."):format(step.number, step.name))
  output.print()
  print_facts(row)
  print_expected(row)
  print_seen(row)
  print_published(row)
  for _, note in ipairs(row.notes or {}) do say("  " .. note) end
end

--- Prints the machine code of a step's inner loop.
-- @tparam table code see @{clue.run.machine_code}
function explain.print_code(code)
  output.print()
  if code.missing then return say("No machine code: " .. code.missing) end
  say("Compiled for this device: " .. row_of.code_text(code))
  for _, line in ipairs(code.lines) do output.print("    " .. line) end
end

--- Prints what was counted of a step, with pictures of its first requests.
-- @tparam table counts see @{clue.run.counted}
function explain.print_counts(counts)
  output.print()
  say(("Counted on a simulator%s:"):format(counts.size and " at the size " .. counts.size or ""))
  for _, kernel in ipairs(counts.kernels) do view.kernel(kernel, {width = "warp", pictures = true}) end
end

return explain
