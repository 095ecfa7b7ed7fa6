--- The places of a COpenCL object: its kernels and its buffers by small indexes. For clue.mql5.copencl and its kin.
--
-- An object's fields have the names that OpenCL.mqh gives them, since derived classes read them: m_kernels and
-- m_buffers (handles by index from 0, INVALID_HANDLE where a place is empty) with m_kernels_total and m_buffers_total.
-- What is asked for and not there is told with ERR_INVALID_PARAMETER.
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"

local INVALID = constants.names.INVALID_HANDLE

local places = {}

local lists = {kernel = "m_kernels", buffer = "m_buffers"}
local totals = {kernel = "m_kernels_total", buffer = "m_buffers_total"}

--- Tells a failure of a method.
-- @tparam string method
-- @tparam string reason
-- @treturn boolean false
function places.fail(method, reason)
  errors.fail("COpenCL:" .. method, constants.errors.ERR_INVALID_PARAMETER, reason)
  return false
end

--- Whether there is a context, and a program where that is wanted, too; told where not.
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

--- Whether there is such a place; told where not.
-- @tparam table self
-- @tparam string method
-- @tparam string what "kernel" or "buffer"
-- @tparam number index
-- @treturn boolean
function places.has(self, method, what, index)
  if is_inside(self, method, what, index) then return true end
  return places.fail(method, ("%s index %s: there are %d places, Set%ssCount makes more"):format(what,
    check.show(index), self[totals[what]], (what:gsub("^%l", string.upper))))
end

--- What is at a place. Nothing is told: this is how to find out.
-- @tparam table self
-- @tparam string method
-- @tparam string what "kernel" or "buffer"
-- @tparam number index
-- @treturn ?number a handle, nil where there is none
function places.find(self, method, what, index)
  local handle = is_inside(self, method, what, index) and self[lists[what]][index]
  return handle ~= INVALID and handle or nil
end

--- What is at a place; told where there is none.
-- @tparam table self
-- @tparam string method
-- @tparam string what "kernel" or "buffer"
-- @tparam number index
-- @treturn ?number a handle
function places.at(self, method, what, index)
  if not places.has(self, method, what, index) then return nil end
  local handle = places.find(self, method, what, index)
  if not handle then places.fail(method, ("there is no %s %d yet"):format(what, index)) end
  return handle
end

--- Puts a handle where another one may be, which is freed.
-- @tparam table self
-- @tparam string what "kernel" or "buffer"
-- @tparam number index
-- @tparam number handle INVALID_HANDLE: the place is empty then
-- @tparam function free CLKernelFree or CLBufferFree
function places.put(self, what, index, handle, free)
  local list = self[lists[what]]
  local before = list[index]
  list[index] = handle
  if before ~= INVALID then free(before) end
end

--- Empties all places.
-- @tparam table self
-- @tparam string what "kernel" or "buffer"
-- @tparam function free CLKernelFree or CLBufferFree
function places.clear(self, what, free)
  for index = 0, self[totals[what]] - 1 do places.put(self, what, index, INVALID, free) end
end

--- Makes so many places, all empty.
-- @tparam table self
-- @tparam string method
-- @tparam string what "kernel" or "buffer"
-- @tparam number count
-- @tparam function free CLKernelFree or CLBufferFree
-- @treturn boolean
function places.make(self, method, what, count, free)
  check.number("COpenCL:" .. method, 1, count, "number of " .. what .. "s")
  if count < 1 or count % 1 ~= 0 then return places.fail(method, ("%s %ss"):format(check.show(count), what)) end
  places.clear(self, what, free)
  for index = 0, count - 1 do self[lists[what]][index] = INVALID end
  self[totals[what]] = count
  return true
end

return places
