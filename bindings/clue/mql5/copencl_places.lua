--- The places of a COpenCL object: its kernels and its buffers, by small indexes.
--
-- An object's fields have the names that OpenCL.mqh gives them, since derived classes read them: m_kernels and
-- m_buffers (handles by index from 0, INVALID_HANDLE for an empty place) with m_kernels_total and m_buffers_total, and
-- m_kernel_names. These lists grow with ArrayResize, as in MQL5; a derived class then sets the total.
-- A place that does not exist is reported as ERR_INVALID_PARAMETER.
--
-- Parameters with one meaning everywhere: self, the object; method, the name of its method, for messages; what,
-- "kernel" or "buffer"; index, the place's, from 0.
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local elements = require "clue.mql5.elements"
local errors = require "clue.mql5.errors"
local opencl = require("clue.mql5.opencl").names
local text = require "clue.text"

local INVALID = constants.names.INVALID_HANDLE

local places = {}

local lists = {kernel = "m_kernels", buffer = "m_buffers"}
local totals = {kernel = "m_kernels_total", buffer = "m_buffers_total"}
local frees = {kernel = opencl.CLKernelFree, buffer = opencl.CLBufferFree}

--- Gives an object its lists, without places.
-- @tparam table self
-- @treturn table self
function places.start(self)
  self.m_kernels, self.m_kernel_names, self.m_buffers = elements.list(INVALID), elements.list "", elements.list(INVALID)
  return self
end

--- Reports a failure of a method.
-- @tparam string method
-- @tparam string reason
-- @treturn boolean false
function places.fail(method, reason)
  errors.fail("COpenCL:" .. method, constants.errors.ERR_INVALID_PARAMETER, reason)
  return false
end

--- Whether there is a context and, if wanted, a program. Reports what is missing.
-- @tparam table self
-- @tparam string method
-- @tparam[opt] boolean program
-- @treturn boolean
function places.ready(self, method, program)
  if self.m_context == INVALID then
    return places.fail(method, "there is no context: Initialize or ContextCreate makes one")
  elseif program and self.m_program == INVALID then
    return places.fail(method, "there is no program: Initialize or ProgramCreate makes one")
  end
  return true
end

local function is_inside(self, method, what, index)
  check.number("COpenCL:" .. method, 1, index, what .. " index")
  return index >= 0 and index < self[totals[what]] and index % 1 == 0
end

--- Whether there is such a place. Reports a missing one.
-- @treturn boolean
function places.has(self, method, what, index)
  if is_inside(self, method, what, index) then return true end
  return places.fail(method, ("%s index %s: the object has %s; Set%ssCount makes more"):format(what,
    check.show(index), text.count(self[totals[what]], "place"), (what:gsub("^%l", string.upper))))
end

--- What is in a place. Reports nothing: scripts use this to find out.
-- @treturn ?number a handle, nil if the place is empty or missing
function places.find(self, method, what, index)
  local handle = is_inside(self, method, what, index) and self[lists[what]][index]
  return handle ~= INVALID and handle or nil
end

--- What is in a place. Reports an empty or missing place.
-- @treturn ?number a handle
function places.at(self, method, what, index)
  if not places.has(self, method, what, index) then return nil end
  local handle = places.find(self, method, what, index)
  if not handle then places.fail(method, ("there is no %s %d: make it first"):format(what, index)) end
  return handle
end

--- Puts a handle into a place, and frees the one that was there.
-- @tparam table self
-- @tparam string what
-- @tparam number index
-- @tparam number handle INVALID_HANDLE empties the place
function places.put(self, what, index, handle)
  local list = self[lists[what]]
  local before = list[index]
  list[index] = handle
  if before and before ~= INVALID then frees[what](before) end
end

--- Frees what is in a place.
-- @treturn boolean false if it is empty or missing; that is not reported
function places.free(self, method, what, index)
  if not places.find(self, method, what, index) then return false end
  places.put(self, what, index, INVALID)
  return true
end

--- Frees what is in all places.
function places.clear(self, what)
  for index = 0, self[totals[what]] - 1 do places.put(self, what, index, INVALID) end
end

--- Makes a number of empty places.
-- @tparam table self
-- @tparam string method
-- @tparam string what
-- @tparam number count
-- @treturn boolean
function places.make(self, method, what, count)
  check.number("COpenCL:" .. method, 1, count, "number of " .. what .. "s")
  if count < 1 or count % 1 ~= 0 then
    return places.fail(method, ("the number of %ss must be whole and at least 1, not %s"):format(what,
      check.show(count)))
  end
  places.clear(self, what)
  local list = self[lists[what]]
  elements.resize(list, 0)
  elements.resize(list, count)
  self[totals[what]] = count
  return true
end

return places
