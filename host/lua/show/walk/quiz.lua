--- Questions about the steps of a walkthrough, for those who guess before they look: what each asks of memory, and
-- whether it is faster. Their answers are the rows' own: counts, gains that were measured, the author's figures, what
-- the step expects.
local block = require "clue.show.block"
local counts = require "clue.result.counts"
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local lists = require "clue.shared.list"
local output = require "clue.output"
local terminal = require "clue.show.text"

local quiz = {}

-- ---- counts ----

-- What is asked of counts: the name in clue.result.counts.ratios; the question after "how many" or "how much", and the
-- figure's unit; the least and the most that it can be.
local FIGURES = {
  {"sectors", "How many sectors of 32 bytes does a warp's request to global memory touch?", "sectors a request", 1, 32},
  {"passes", "How many passes does a request to local memory take?", "passes a local request", 1, math.huge},
  {"accesses", "How many accesses of global memory has it for each operation?", "accesses an operation", 0, math.huge},
  {"asked", "How many times the bytes that are used do its requests ask for?", "times the bytes used", 0, math.huge},
  {"lanes", "How many per cent of a warp's lanes work?", "% of the lanes", 0, 100},
}

-- A change of less is none.
local LEAST = 1.05

local function ratios_of(row)
  if not (row and row.counts) then return {} end
  local ratios = counts.ratios(row.counts.sums, row.counts.flops)
  ratios.lanes = ratios.lanes and ratios.lanes * 100
  return ratios
end

-- How far two values are apart, as a factor of 1 or more; a figure that the base has not is new.
local function factor(was, is)
  if not was then return math.huge end
  if was == 0 or is == 0 then return was == is and 1 or math.huge end
  return math.max(was / is, is / was)
end

-- The figures that a step has: figure, was, is; those that change most first.
local function changes_of(base, row)
  local before, now, list = ratios_of(base), ratios_of(row), {}
  for place, figure in ipairs(FIGURES) do
    local is = now[figure[1]]
    if is then
      list[#list + 1] = {figure = figure, was = before[figure[1]], is = is, place = place,
                         factor = factor(before[figure[1]], is)}
    end
  end
  table.sort(list, function(a, b)
    if a.factor ~= b.factor then return a.factor > b.factor end
    return a.place < b.place
  end)
  return list
end

local text_of = figures.ratio

-- Three values to choose from, in their order: the right one, the base's, and others as far away as that.
local function choices_of(change)
  local by = change.factor > LEAST and change.factor < 8 and change.factor or 2
  local values, had = {}, {}
  local function add(value)
    local is_possible = value and value >= change.figure[4] and value <= change.figure[5]
    if is_possible and #values < 3 and not had[text_of(value)] then
      values[#values + 1], had[text_of(value)] = value, true
    end
  end
  add(change.is)
  add(change.was)
  for _, times in ipairs {by, 1 / by, 2 * by, 1 / (2 * by), 2, 1 / 2} do add(change.is * times) end
  table.sort(values)
  local right
  for i, value in ipairs(values) do right = value == change.is and i or right end
  return lists.map(values, function(value) return text_of(value) end), right
end

local function change_text(change)
  local is = ("%s %s"):format(text_of(change.is), change.figure[3])
  if not change.was then return is end
  return change.factor < LEAST and ("%s, as before"):format(is) or ("%s, %s before"):format(is, text_of(change.was))
end

local function why_of_counts(row, changes)
  local texts = lists.map(changes, function(change, i)
    return (i == 1 or change.factor >= LEAST and change.was) and change_text(change) or nil
  end)
  local lines = {("By the count at %s: %s."):format(row.counts.size or "its size", table.concat(texts, "; "))}
  lines[2] = (row.counts.findings or {})[1]
  return lines
end

local function question_of_counts(base, row)
  local changes = changes_of(base, row)
  if not changes[1] then return nil end
  local choices, right = choices_of(changes[1])
  if #choices < 2 then return nil end
  return {text = changes[1].figure[2], choices = choices, right = right, why = why_of_counts(row, changes)}
end

-- ---- speed ----

local SPEEDS = {"faster", "slower", "no difference"}
local place_of = {better = 1, faster = 1, worse = 2, slower = 2, same = 3}

-- Printed times of one run each: less than that is no difference.
local TOLERANCE = 0.03

-- The author's figures of both steps on the same machine, if nothing beside them says that they differ otherwise.
local function pair_of(base, row, kind)
  for _, now in ipairs(row.published or {}) do
    for _, before in ipairs(now.on and base.published or {}) do
      local is_of_kind = (now.on == "CPU") == (kind == "cpu")
      if is_of_kind and now.on == before.on and now.seconds and before.seconds and not (now.text or before.text) then
        return before, now
      end
    end
  end
end

local function by_author(base, row, kind)
  local before, now = pair_of(base, row, kind)
  if not now then return nil end
  local ratio = before.seconds / now.seconds
  local place = math.abs(ratio - 1) < TOLERANCE and 3 or ratio > 1 and 1 or 2
  local said = ("The author's %s took %s s, then %s s: %s times as fast."):format(now.on,
    figures.published(before.seconds), figures.published(now.seconds), figures.ratio(ratio))
  return place, ("on the author's %s"):format(now.on), said
end

local function by_measurement(row, on)
  local place = place_of[gains.word(row.gain)]
  if not place then return nil end
  return place, "on " .. on, place == 3 and "No difference was measured." or ("Measured: %s times as fast."):format(
    gains.text(row.gain))
end

local function by_expectation(row, on)
  local it = row.expected
  local place = it and place_of[it.word]
  if place then return place, "on " .. on end
end

-- on: kind and name of the device
local function question_of_speed(base, row, on)
  if not base then return nil end
  local place, where, said = by_measurement(row, on.name)
  if not place then place, where, said = by_author(base, row, on.kind) end
  if not place then place, where = by_expectation(row, on.name) end
  if not place then return nil end
  local why = {said}
  if row.expected and place_of[row.expected.word] == place then
    why[#why + 1] = ("That is expected: %s."):format(row.expected.why)
  end
  return {text = ("Is it faster than step %s %s?"):format(tostring(base.number), where), choices = SPEEDS,
          right = place, why = why}
end

-- ---- a run ----

-- The row that a row changes; nil if it is not among them.
local function base_of(rows, place)
  local row = rows[place]
  local over = row.gain and row.gain.over or row.expected and row.expected.over
  for i = place - 1, 1, -1 do
    if over and rows[i].number == over or not over and not row.limit and rows[i].study == row.study then
      return rows[i]
    end
  end
end

local function title_of(row, base)
  return ("Step %s, %s%s: %s"):format(tostring(row.number), row.name or "?",
    base and (" (changes step %s)"):format(tostring(base.number)) or "", row.change or "?")
end

--- The questions about the steps of a run.
-- @tparam {table,...} rows of one device
-- @tparam table on the device: kind and name
-- @treturn {table,...} number (of the step), title, text, choices (texts), right (the place of the right one), why (a
--   list of sentences)
function quiz.questions(rows, on)
  local list = {}
  for place, row in ipairs(rows) do
    local base = base_of(rows, place)
    local function add(question)
      if not question then return end
      question.number, question.title = row.number, title_of(row, base)
      list[#list + 1] = question
    end
    if not (row.skipped or row.failed) then
      add(question_of_counts(base, row))
      add(question_of_speed(base, row, on))
    end
  end
  return list
end

-- ---- asking ----

-- A question as it is asked. If the one before it is about the same step, the title is not repeated.
local function asked(question, before)
  local items = lists.map(question.choices, function(choice, i) return ("  %d  %s"):format(i, choice) end)
  local is_new = not before or before.number ~= question.number
  return {is_new and block.paragraph(question.title, {indent = "  "}),
          block.list(items, {title = question.text, indent = "     ", close = true})}
end

-- Its answer, after the choice that was given, if one was.
local function answered(question, given)
  local right = question.choices[question.right]
  local verdict = given == question.right and {{class = "good", "right"}, ": ", right}
    or given and {{class = "bad", "no"}, ": ", right} or right
  return {block.paragraph(verdict, {close = true}), block.list(question.why, {indent = "   "})}
end

local function score(right, count, all)
  local rest = all - count
  return block.paragraph(("%d of %d right%s"):format(right, count, rest > 0
    and ("; %d not asked"):format(rest) or ""), {close = true})
end

local WIDTH = {most = 100}

-- The next answer: a choice, false for an empty line, nil at the end of the input. What is neither is asked for again.
local function answer(most)
  while true do
    output.out:write(("Your answer, 1 to %d (Enter alone shows it): "):format(most))
    output.out:flush()
    local line = io.read()
    if not output.out:width() then output.out:write(line or "", "\n") end -- a terminal shows what is typed
    if not line then return nil end
    local number = tonumber(line)
    if not line:find "%S" then return false end
    if number and number % 1 == 0 and number >= 1 and number <= most then return number end
  end
end

-- Asks them all, until the input ends: how many answers were right, and how many questions were answered or had their
-- answer shown.
local function ask_all(questions)
  local right = 0
  for i, question in ipairs(questions) do
    terminal.print(asked(question, questions[i - 1]), WIDTH)
    local given = answer(#question.choices)
    if given == nil then return right, i - 1 end
    if given == question.right then right = right + 1 end
    terminal.print(answered(question, given or nil), WIDTH)
  end
  return right, #questions
end

--- Asks about a run's steps before it shows their numbers, and prints the score: `clue walk --quiz`.
-- @tparam {table,...} rows of one device
-- @tparam ?table on the device: kind and name
-- @treturn ?string why there is nothing to ask
function quiz.ask(rows, on)
  local questions = quiz.questions(rows, {kind = (on or {}).kind, name = (on or {}).name or "this device"})
  if not questions[1] then return "there is nothing to ask: no step has counts, or a gain over another one" end
  local right, count = ask_all(questions)
  terminal.print(score(right, count, #questions), WIDTH)
end

return quiz
