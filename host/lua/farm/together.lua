--- Does the same with several hosts at once.
-- @module clue.farm.together
local child = require "clue.shared.child"
local text = require "clue.text"

local most_answer = 4 * 2 ^ 20 -- more than any list of devices

local function start(words, seconds)
  local each = {parts = {}, size = 0}
  each.child = child.start {arguments = words, seconds = seconds, output = function(part)
    each.size = each.size + #part
    if each.size <= most_answer then each.parts[#each.parts + 1] = part end
  end}
  return each
end

-- Returns what it printed, or nil and why there is nothing.
local function answer_of(each, seconds)
  if each.size > most_answer then return nil, "answers too much" end
  if each.child:is_well() then return table.concat(each.parts) end
  if each.child.state == "timeout" then return nil, ("does not answer within %g s"):format(seconds) end
  local said = text.trim(each.child:last_errors(1)[1] or "")
  return nil, said ~= "" and said or (select(2, each.child:reason()))
end

--- Runs a command for each thing, all at once.
-- @tparam {table,...} things
-- @tparam number seconds the limit of each
-- @tparam function words_of words_of(thing): the program and its words
-- @tparam function done done(thing, answer, why): its standard output, or nil and why it failed
return function(things, seconds, words_of, done)
  local running = {}
  for i, thing in ipairs(things) do running[i] = start(words_of(thing), seconds) end
  local left = #things
  while left > 0 do
    left = 0
    for _, each in ipairs(running) do
      if each.child.state == "running" and (each.child:step(0.02)) then left = left + 1 end
      if each.size > most_answer then each.child:kill() end
    end
  end
  for i, thing in ipairs(things) do done(thing, answer_of(running[i], seconds)) end
end
