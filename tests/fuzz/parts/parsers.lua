-- Gives changed texts to clue's readers in Lua. tests/fuzz/parsers starts it.
--
--   parsers.lua TARGET SEED COUNT SCRATCH
--   parsers.lua --list [compiled]
--
-- Whatever the text, a reader gives a value that keeps its promise, or raises an error object; an error of Lua's own is
-- a fault. A text that breaks this is made shorter as long as it still does so, and printed. SCRATCH is a folder; its
-- file `at` has the seed that runs, for whoever ends a run that takes for ever.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local chance = require "chance"
local error_object = require "clue.error"
local mutate = require "mutate"
local readers = require "readers"

for each, reader in pairs(require "documents") do readers[each] = reader end

local name, first, count, scratch = arg[1], tonumber(arg[2]), tonumber(arg[3]), arg[4]
local MOST_SECONDS = 5 -- of the process's time, for one text

-- What is wrong with the way in which a text is read; nil if nothing is.
local function fault(target, text)
  local began = os.clock()
  local done, problem = pcall(target.read, text, scratch)
  if os.clock() - began > MOST_SECONDS then return "it takes too long" end
  if done then return problem end
  if error_object.is(problem) then return nil end
  return tostring(problem)
end

-- Faults are the same if they differ only in numbers and quoted words.
local function kind_of(problem)
  return problem and (problem:gsub("'[^']*'", "''"):gsub("%d+", "0"))
end

local function tell(target, seed, text, problem)
  local wanted = kind_of(problem)
  local short = mutate.shrink(text, function(shorter) return kind_of(fault(target, shorter)) == wanted end)
  print(("%s: seed %d: %s"):format(name, seed, problem))
  print(("  the text: %q"):format(short))
  print(("  again: tests/fuzz/parsers --seed %d --count 1 %s"):format(seed, name))
end

local function run()
  local target, seen, failed = readers[name], {}, 0
  if target.slow then count = math.ceil(count / 10) end
  local progress = assert(io.open(scratch .. "/at", "w"))
  for seed = first, first + count - 1 do
    local random = chance.new(seed)
    local change = target.change or mutate.change
    local text = change(target.texts[random(#target.texts)], random, target.words)
    progress:seek "set"
    progress:write(("%12d"):format(seed))
    progress:flush()
    local problem = fault(target, text)
    if problem then
      failed = failed + 1
      if not seen[kind_of(problem)] then tell(target, seed, text, problem) end
      seen[kind_of(problem)] = true
    end
  end
  return failed
end

if name == "--list" then
  local names = {}
  for each, reader in pairs(readers) do
    if arg[2] ~= "compiled" or reader.compiled then names[#names + 1] = each end
  end
  table.sort(names)
  print(table.concat(names, " "))
elseif run() > 0 then
  os.exit(1) -- otherwise Lua's state is closed, with all arrays
end
