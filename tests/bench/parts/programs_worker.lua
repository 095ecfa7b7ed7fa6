-- Builds of one program by clue, for tests/bench/prototype: the first ever, and the second and the third in a process.
-- Each batch has new texts, which no cache knows.
local cl = require "clue"
local serve = require "serve"

local MOST_TEXTS = 4 -- in a batch, because each needs a first build, which may take 10000 times as long as a later one

local context = cl.context()
local texts = 0

-- A text that was never built. Its number and the moment are in the code, not in a comment, which caches may ignore.
local function new_text()
  texts = texts + 1
  return ("kernel void f(global long *x) { x[get_global_id(0)] += %.0f + %d; }"):format(cl.now() * 1e9, texts)
end

-- The seconds of the last of so many builds of each text, for `count` texts; some stand for all of them.
local function measure(builds, count)
  local seconds, built = 0, math.min(count, MOST_TEXTS)
  for _ = 1, built do
    local text = new_text()
    for build = 1, builds do
      local start = cl.now()
      context:program(text)
      if build == builds then seconds = seconds + cl.now() - start end
    end
  end
  return seconds / built * count
end

serve {
  ["build 1"] = function(count) return measure(1, count) end,
  ["build 2"] = function(count) return measure(2, count) end,
  ["build 3"] = function(count) return measure(3, count) end,
}
