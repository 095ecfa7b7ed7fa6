--- Requests: what mpi.isend and mpi.ireceive have started. A request keeps its array alive and at its place until the
-- message is complete: the array cannot be resized, and no other message may write into the same elements, or read
-- elements that are being received.
--
-- A script must wait for each request. A rank that ends before its messages ends all ranks, with an error.
-- @module clue.mpi.request
local argument = require "clue.argument"
local binding = require "clue.binding"
local library = require "clue.mpi.library"
local public = require "clue.public"
local shapes = require "clue.shape"
local shown = require "clue.shown"

--- The fields of a request.
-- @table request
-- @tfield string what "isend to rank 1"
-- @tfield boolean complete whether wait() or test() has found it complete

local request = {}

local flying = {} -- requests that are not complete, by number
local held = {} -- by array: how many requests use it, and who owned it before

-- ---- arrays -----------------------------------------------------------------------------------------------------

local function hold(array)
  local entry = held[array] or {count = 0, owner = shapes.owner(array)}
  entry.count = entry.count + 1
  held[array] = entry
  shapes.keep(array, "a message that is not complete: request:wait() ends it")
end

local function release(array)
  local entry = held[array]
  entry.count = entry.count - 1
  if entry.count > 0 then return end
  held[array] = nil
  shapes.keep(array, entry.owner)
end

local function overlap(a, b)
  return rawequal(a.array, b.array) and a.first < b.first + b.count and b.first < a.first + a.count
end

local function check_free(part)
  if not held[part.array] then return end
  for _, other in pairs(flying) do
    for _, used in ipairs(other.parts) do
      if overlap(part, used) and (part.written or used.written) then
        argument.fail("elements %d to %d of %s belong to a message that is not complete (%s): wait for its request "
          .. "first", used.first, used.first + used.count - 1, shown.of(part.array), other.what)
      end
    end
  end
end

-- ---- starting and ending ----------------------------------------------------------------------------------------

local methods = {}
local meta = {kind = "request", methods = methods, __index = methods}

function meta.__tostring(self)
  return ("request (%s): %s"):format(self.failure and "failed" or self.complete and "complete" or "not complete",
    self.what)
end

--- Starts something.
-- @tparam string what in words, "isend to rank 1"
-- @tparam {table,...} parts of arrays: array, first, count, written
-- @tparam function start a function of the library, which returns the number of a request
-- @param ... its arguments
-- @treturn request
function request.start(what, parts, start, ...)
  for _, part in ipairs(parts) do
    check_free(part)
    if binding.array_owner(part.array) == "mapping" then
      argument.fail("%s is mapped: queue:unmap could take its memory away while MPI uses it; copy it (a:copy())",
        shown.of(part.array))
    end
  end
  local self = setmetatable({what = what, parts = parts, number = start(...), complete = false}, meta)
  flying[self.number] = self
  for _, part in ipairs(parts) do hold(part.array) end
  return self
end

local function finish(self)
  self.complete = true
  flying[self.number] = nil
  for _, part in ipairs(self.parts) do release(part.array) end
  library.forget(self.number)
end

-- Looks by a function of the library, which gives nothing as long as the message is not complete, and false and an
-- error object if it failed. An error that is raised there is Ctrl-C: MPI still has the array.
local function look(self, by)
  local from, tag, count = by(self.number)
  if from == nil then return end
  if from then self.from, self.tag, self.count = from, tag, count else self.failure = tag end
  finish(self)
end

local function check_self(self)
  if shown.kind_of(self) ~= "request" then argument.refuse_self("request", self) end
end

local function check_success(self)
  if self.failure then error(self.failure, 0) end
  if self.count == -1 then
    argument.fail("%s: the message is no whole number of %s elements: both ranks must use one type", self.what,
      shown.type_of(self.parts[1].array))
  end
end

local function results(self)
  check_success(self)
  if self.receives then return self.count, self.from, self.tag end
end

--- Waits for something that was just started.
-- @tparam request self
-- @return nothing, or what request:wait returns
function request.await(self)
  while not self.complete do look(self, library.wait) end
  return results(self)
end

--- Whether the message is complete: an array that was sent may change, one that was received has its elements. Does not
-- wait, but lets MPI work on it. Raises an error object if it failed, and does so again at each further call.
-- @treturn boolean
function methods:test()
  check_self(self)
  if not self.complete then look(self, library.test) end
  check_success(self)
  return self.complete
end

--- Waits until the message is complete. Raises an error object if it failed. A second call does the same at once.
-- @treturn ?number of a request that receives: how many elements came
-- @treturn ?number from which rank
-- @treturn ?number with which tag
function methods:wait()
  check_self(self)
  return public.passed(request.await(self))
end

public.add("request:", methods)

return request
