--- How functions fail: error objects, and what they say of an argument. @{clue.error} has what scripts see of it.
-- @module clue.failure
local public = require "clue.public"
local shown = require "clue.shown"
local where = require "clue.where"

local failure = {}

local kind = {}
kind.__index = kind

function kind:__tostring()
  local parts = {(self.where and self.where .. ": " or "") .. self.text}
  if self.log and self.log ~= "" then
    parts[2] = require("clue.log_excerpt").text(self.log, "the error's field log")
  end
  return table.concat(parts, "\n")
end

--- Makes an error object of a record, without raising it.
-- @tparam table record fields as in @{clue.error}; a missing text is made from the others
-- @treturn table
function failure.new(record)
  local self = {where = (where.line())}
  for field, value in pairs(record) do self[field] = value end
  self.code = self.code or 0
  if not self.text then
    local label = self.name and ("%s (%d)"):format(self.name, self.code) or nil
    local parts = {}
    for _, part in ipairs {self.call or false, label or false, self.detail or false} do
      if part and part ~= "" then parts[#parts + 1] = part end
    end
    self.text = table.concat(parts, ": ")
  end
  return setmetatable(self, kind)
end

--- Recognises an error object.
-- @param value anything
-- @treturn boolean
function failure.is(value)
  return type(value) == "table" and getmetatable(value) == kind
end

--- What an error says without its place: for messages that have one of their own.
-- @param problem what pcall caught
-- @treturn string
function failure.text(problem)
  return failure.is(problem) and problem.text or tostring(problem)
end

local function caught(done, ...)
  if not done and not failure.is(...) then error(..., 0) end
  return done, ...
end

--- Calls a function as pcall does, but catches error objects only: a fault of Lua's and Ctrl-C are raised again.
-- @tparam function call
-- @param ... its arguments
-- @treturn boolean whether it raised none
-- @return the results, or the error object
function failure.caught(call, ...)
  return caught(pcall(call, ...))
end

--- Raises an error object: the call that the script wrote, and what is wrong.
-- @tparam string problem as string.format takes it
-- @param ... what it formats
function failure.fail(problem, ...)
  local call = public.called()
  error(failure.new {text = (call and call .. ": " or "") .. problem:format(...)}, 0)
end

--- Raises an error object: a parameter is not what it must be.
-- @tparam string name of the parameter
-- @tparam string allowed "a whole number"
-- @param given
-- @tparam[opt] string remedy what to do about it
function failure.refuse(name, allowed, given, remedy)
  failure.fail("%s must be %s, got %s%s", name, allowed, shown.of(given), remedy and "; " .. remedy or "")
end

return failure
