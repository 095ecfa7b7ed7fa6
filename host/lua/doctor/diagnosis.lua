--- Judges an examination: the problems of clue.doctor.rules, the worst first, and the verdict.
local counted = require("clue.text").count
local known = require "clue.doctor.known"
local reason = require "clue.doctor.reason"
local rules = require "clue.doctor.rules"

local diagnosis = {}

local cards_of, nodes_of, set = reason.cards_of, reason.nodes_of, reason.set

local function about(problem, spec)
  for word in spec:lower():gmatch "%a+" do
    if problem.topic and #word > 2 and problem.topic:find(word, 1, true) then return true end
  end
  return false
end

-- Problems about the chosen device come first; then faults, then advice.
local function order(problems, spec)
  local sorted = {}
  for _, wanted in ipairs {3, 2, 1, 0} do
    for _, problem in ipairs(problems) do
      local rank = (spec and about(problem, spec) and 2 or 0) + (problem.fault and 1 or 0)
      if rank == wanted then sorted[#sorted + 1] = problem end
    end
  end
  return sorted
end

local synonyms = {nvidia = "10de", cuda = "10de", geforce = "10de", rtx = "10de", tesla = "10de", amd = "1002",
                  radeon = "1002", rocm = "1002", intel = "8086", arc = "8086"}

-- The choice names a vendor without a card in this machine.
local function missing_card(exam, spec)
  local word = spec:lower():match "%a+"
  local vendor = word and synonyms[word]
  if exam.sys and vendor and #cards_of(exam, vendor) == 0 and #nodes_of(exam, vendor) == 0 then
    return ("\nthere is no %s card on this machine's PCI bus"):format(known.vendors[vendor])
  elseif exam.sys and word == "gpu" and #exam.cards == 0 and #exam.nodes == 0 then
    return "\nthere is no card of NVIDIA, AMD or Intel on this machine's PCI bus"
  end
  return ""
end

local function verdict(exam, problems)
  local choice, devices = exam.machine.choice, exam.machine.devices
  local taken = choice and choice.ordinal and devices[choice.ordinal + 1]
  if #devices == 0 then
    local first = problems[1]
    if not first then return "no device: no driver has any" end
    if #first.fix == 0 then return "no device: " .. first.text end
    return "no device; the first thing to do:", first.fix
  elseif not taken then
    local spec = exam.device or set(exam, "CLUE_DEVICE") or ""
    local text = ("%s, but not the one asked for: %s%s"):format(counted(#devices, "device"), choice.problem,
      missing_card(exam, spec))
    local first = problems[1]
    if not first or #first.fix == 0 or not about(first, spec) then return text end
    return text .. "\nthe first thing to do:", first.fix
  elseif exam.kernel and not exam.kernel.seconds then
    return ("%s; clue takes %s, which does not work"):format(counted(#devices, "device"), taken.text)
  end
  return ("%s; clue takes %s: %s"):format(counted(#devices, "device"), taken.text, choice.why)
end

--- Judges an examination.
-- @tparam table exam
-- @treturn table problems ({text, fix, fault}), verdict (a text), first (lines to type first), status (for the exit)
function diagnosis.judge(exam)
  local problems = order(rules.problems(exam), exam.device or set(exam, "CLUE_DEVICE"))
  local text, first = verdict(exam, problems)
  local status = exam.machine.choice and exam.machine.choice.ordinal and 0 or 1
  for _, problem in ipairs(problems) do
    if problem.fault then status = 1 end
  end
  return {problems = problems, verdict = text, first = first or {}, status = status}
end

return diagnosis
