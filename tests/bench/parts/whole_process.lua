-- A worker (see workers.lua) whose only operation is to run a program from its start to its end.
local child = require "clue.shared.child"
local now = require("clue").now

local whole_process = {}
whole_process.__index = whole_process

local LONGEST = 120 -- seconds

-- Runs it once: what it wrote, or nil and why it failed.
local function run(self)
  local output = {}
  local seen = child.start {
    arguments = self.words, environment = self.environment, seconds = LONGEST,
    output = function(text) output[#output + 1] = text end,
  }:follow(LONGEST)
  if seen:is_well() then return table.concat(output) end
  return nil, seen.errors:match "^%s*(.-)%s*$"
end

--- Runs the program once, to see that it works.
-- @tparam {string,...} words the program and its arguments
-- @tparam table env variables by name
-- @tparam string expected what it must write
-- @treturn ?table the worker
-- @treturn ?string why there is none
function whole_process.start(words, env, expected)
  local self = setmetatable({words = words, environment = {}}, whole_process)
  for name, value in pairs(env) do self.environment[#self.environment + 1] = name .. "=" .. value end
  local output, problem = run(self)
  if not output then return nil, problem end
  if output ~= expected then error(("%s printed %q, not %q"):format(words[#words], output, expected), 0) end
  return self
end

--- The names of the operations: one.
function whole_process:list() -- luacheck: ignore self
  return {"whole process"}
end

--- Runs the program.
-- @tparam string _ the operation
-- @tparam number count how often
-- @treturn number nanoseconds for each
function whole_process:measure(_, count)
  local start = now()
  for _ = 1, count do assert(run(self)) end
  return (now() - start) / count * 1e9
end

function whole_process:stop() end -- luacheck: ignore self

return whole_process
